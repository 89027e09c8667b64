/* core/result_json_parts.h: what result_json.c and replication_json.c share. */
#ifndef CORE_RESULT_JSON_PARTS_H
#define CORE_RESULT_JSON_PARTS_H

#include "core/json_fields.h"
#include "core/result.h"

/* Pairs of a bucket's lowest value and its count. */
json_t *json_of_histogram(const struct histogram *latency, bool *ok);
/* The member "histogram"; out->count was read before, and is what the pairs add up to. */
bool json_read_histogram(const struct json_place *place, const json_t *object, struct histogram *out);

json_t *json_of_server(const struct server_facts *server, bool *ok);
bool json_read_server(const struct json_place *place, const json_t *root, struct server_facts *out); /* its "server" */

/* An array of structs, `stride` bytes from one to the next. */
json_t *json_of_rows(const void *rows, size_t count, size_t stride, const struct json_field *fields, size_t field_count,
                     bool *ok);
bool json_read_rows(const struct json_place *place, const char *key, const json_t *array,
                    const struct json_field *fields, size_t field_count, size_t stride, void *rows);

#define OF_ROWS(rows, count, fields, ok) json_of_rows(rows, count, sizeof *(rows), fields, COUNT_OF(fields), ok)
#define READ_ROWS(place, key, array, fields, rows)                                                                     \
    json_read_rows(place, key, array, fields, COUNT_OF(fields), sizeof *(rows), rows)

/* null for NULL. */
json_t *json_of_replication(const struct replication *replication, bool *ok);
/* The root's "replication": null, or missing in results of before, is NULL. What was read is in *out also after a
 * failure. */
bool json_read_replication(const struct json_place *place, const json_t *root, struct replication **out);

#endif
