/* core/json_fields.h: what job_json.c and result_json.c share: values to and from JSON, and tables of
 * fields that work both ways. fileio/check_json.c uses it too. */
#ifndef CORE_JSON_FIELDS_H
#define CORE_JSON_FIELDS_H

#include "core/job.h"
#include "platform/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- writing: NULL means that memory was short; it passes through to json_put ---- */

/* Above INT64_MAX, which JSON readers do not take, INT64_MAX is written. */
json_t *json_of_uint(uint64_t value);
json_t *json_of_real(double value);   /* whole numbers without a point; 0 if not finite */
json_t *json_of_figure(double value); /* rounded to thousandths if it is 1 or more: worked out, not read back */
/* Text that is not UTF-8, such as a directory's name on Linux, has its bytes above 127 written as '?'. */
json_t *json_of_text(const char *text);
/* object[key] = value, or *ok = false. Takes `value` over in any case. */
void json_put(json_t *object, const char *key, json_t *value, bool *ok);
void json_append(json_t *array, json_t *value, bool *ok);

/* `root` as text for free(), with a line feed at its end. Releases `root`. NULL if !ok or memory is short.
 * `digits`: significant digits of reals. */
char *json_finish(json_t *root, bool ok, size_t digits);

/* ---- reading: refusals say "file: path.key: what is wrong" ---- */

struct json_place {
    const char *file;
    char path[128]; /* "" = the document itself, "series[3]" */
    struct error *error;
};

struct json_place json_place_in(const struct json_place *place, const char *key);
struct json_place json_place_at(const struct json_place *place, const char *key, size_t index);
bool json_refuse(const struct json_place *place, const char *key, const char *what); /* always false */

/* The document's top object, for json_decref; NULL with `error` filled. */
json_t *json_start(const char *text, const char *file, struct error *error);
/* The member, borrowed; NULL with the error filled if it is missing or of another kind. */
json_t *json_object_in(const struct json_place *place, const json_t *object, const char *key);
json_t *json_array_in(const struct json_place *place, const json_t *object, const char *key);
bool json_read_uint(const struct json_place *place, const json_t *object, const char *key, uint64_t most,
                    uint64_t *out);
bool json_read_text(const struct json_place *place, const json_t *object, const char *key, char *out, size_t out_bytes);

/* ---- tables of fields ---- */

enum json_field_kind {
    JSON_FIELD_UINT,  /* uint32_t or uint64_t, by its size */
    JSON_FIELD_INT,   /* int64_t */
    JSON_FIELD_REAL,  /* double */
    JSON_FIELD_GAUGE, /* double, what was measured: null is NAN, and the last of many digits are not kept */
    JSON_FIELD_TEXT,  /* char array; longer text is refused when read */
    JSON_FIELD_BOOL,  /* bool */
    JSON_FIELD_TRUTH, /* enum tristate; unknown is null */
};

struct json_field {
    const char *group; /* object inside the object; NULL = none */
    const char *key;
    enum json_field_kind kind;
    size_t offset, bytes;
};

#define JSON_FIELD(group, key, kind, type, field)                                                                      \
    {                                                                                                                  \
        group, key, JSON_FIELD_##kind, offsetof(type, field), sizeof(((type *)0)->field)                               \
    }

void json_write_fields(json_t *object, const struct json_field *fields, size_t count, const void *from, bool *ok);
bool json_read_fields(const struct json_place *place, const json_t *object, const struct json_field *fields,
                      size_t count, void *into);

/* ---- jobs (job_json.c) ---- */

json_t *json_of_job(const struct job *job, bool *ok);
/* 15 digits give 0.2 and 99.99 as people wrote them; 17 where a setting needs them to stay exact. */
size_t json_digits_for(const struct job *job);
bool json_read_job(const struct json_place *place, json_t *object, struct job *out);

/* ---- samples of the host (host_sample_json.c) ---- */

struct host_series;
json_t *json_of_host_series(const struct host_series *series, bool *ok);
/* False: what it has so far is for host_series_done. */
bool json_read_host_series(const struct json_place *place, const json_t *object, struct host_series *out);
/* One value of a GAUGE. */
json_t *json_of_gauge(double value);
bool json_read_gauge(const struct json_place *place, const char *key, const json_t *value, double *out);

#endif
