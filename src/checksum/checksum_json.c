#include "checksum/checksum.h"

#include "core/json_fields.h"

static json_t *of_row(const struct checksum_row *row, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "database", json_of_text(row->database), ok);
    json_put(object, "table", json_of_text(row->table), ok);
    json_put(object, "chunk", json_of_uint(row->chunk), ok);
    json_put(object, "host", json_of_text(row->host), ok);
    json_put(object, "engine", json_of_text(row->engine), ok);
    json_put(object, "count", json_of_uint(row->count), ok);
    json_put(object, "checksum", json_of_text(row->checksum), ok);
    json_put(object, "time_ns", json_of_uint(row->time_ns), ok);
    json_put(object, "lag_ns", json_of_uint(row->lag_ns), ok);
    json_put(object, "verdict", json_of_text(checksum_verdicts[row->verdict]), ok);
    json_put(object, "differing_rows", json_of_uint(row->differing), ok);
    json_put(object, "repaired", json_boolean(row->repaired), ok);
    json_put(object, "note", json_of_text(row->note), ok);
    return object;
}

static json_t *of_difference(const struct checksum_difference *difference, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "database", json_of_text(difference->database), ok);
    json_put(object, "table", json_of_text(difference->table), ok);
    json_put(object, "host", json_of_text(difference->host), ok);
    json_put(object, "key", json_of_text(difference->key), ok);
    json_put(object, "what", json_of_text(checksum_differences[difference->kind]), ok);
    return object;
}

char *checksum_to_json(const struct checksum_setup *setup, const struct checksum_report *report, const char *status)
{
    bool ok = true;
    json_t *root = json_object(), *replicas = json_array(), *rows = json_array(), *differences = json_array();
    for (size_t i = 0; i < setup->replicas_count; i++)
        json_append(replicas, json_of_text(setup->replicas[i].name), &ok);
    for (size_t i = 0; i < report->rows_count; i++)
        json_append(rows, of_row(&report->rows[i], &ok), &ok);
    for (size_t i = 0; i < report->differences_count; i++)
        json_append(differences, of_difference(&report->differences[i], &ok), &ok);
    json_put(root, "isobench", json_of_text(ISOBENCH_VERSION), &ok);
    json_put(root, "status", json_of_text(status), &ok);
    json_put(root, "source", json_of_text(setup->source->name), &ok);
    json_put(root, "replicas", replicas, &ok);
    json_put(root, "tables", json_of_uint(report->tables), &ok);
    json_put(root, "chunks", json_of_uint(report->chunks), &ok);
    json_put(root, "rows", rows, &ok);
    json_put(root, "differences", differences, &ok);
    json_put(root, "sync_statements", json_of_uint(report->statements), &ok);
    json_put(root, "repaired_rows", json_of_uint(report->repaired), &ok);
    return json_finish(root, ok, 15);
}
