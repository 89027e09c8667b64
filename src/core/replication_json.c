/* replication_json.c: what was seen of replicas, as JSON and back. */
#include "core/result_json_parts.h"
#include "platform/compiler.h"

#include <stdlib.h>

#define TOP(group, key, kind, field) JSON_FIELD(group, key, kind, struct replication, field)
static const struct json_field top_fields[] = {
    TOP(NULL, "heartbeats", UINT, heartbeats),
    TOP(NULL, "late", UINT, late),
    TOP(NULL, "failed", UINT, failed),
    TOP(NULL, "trouble", TEXT, trouble),
    TOP("knee", "keeps_up_per_s", REAL, knee.keeps_up),
    TOP("knee", "falls_behind_per_s", REAL, knee.falls_behind),
    TOP("check", "verdict", TEXT, check.verdict),
    TOP("check", "tables", UINT, check.tables),
    TOP("check", "chunks", UINT, check.chunks),
    TOP("check", "rows", UINT, check.rows),
};

/* Not in results of before. */
static const struct json_field later_fields[] = {
    TOP("check", "compared_rows", UINT, check.compared_rows),
    TOP("check", "blackhole_tables", UINT, check.blackholes),
};

#define ROW(group, key, kind, field) JSON_FIELD(group, key, kind, struct replica_row, field)
static const struct json_field row_fields[] = {
    ROW(NULL, "name", TEXT, name),
    ROW(NULL, "channel", TEXT, channel),
    ROW(NULL, "is_direct", BOOL, is_direct),
    ROW(NULL, "by_gtid", BOOL, by_gtid),
    ROW("lag_ns", "count", UINT, delay.count),
    ROW("lag_ns", "min", UINT, delay.min_ns),
    ROW("lag_ns", "max", UINT, delay.max_ns),
    ROW("lag_ns", "sum", UINT, delay.sum_ns),
    ROW(NULL, "heartbeats", UINT, heartbeats),
    ROW(NULL, "missing", UINT, missing),
    ROW(NULL, "lag_max_ns", UINT, lag_max_ns),
    ROW(NULL, "behind_max_s", UINT, behind_max_s),
    ROW(NULL, "caught_up", BOOL, caught_up),
    ROW(NULL, "catch_up_ns", UINT, catch_up_ns),
    ROW(NULL, "stops", UINT, stops),
    ROW(NULL, "losses", UINT, losses),
    ROW(NULL, "trouble", TEXT, trouble),
};

#define INTERVAL(key, kind, field) JSON_FIELD(NULL, key, kind, struct replica_interval, field)
static const struct json_field interval_fields[] = {
    INTERVAL("start_ns", UINT, start_ns),
    INTERVAL("end_ns", UINT, end_ns),
    INTERVAL("lag_ns", UINT, lag_ns),
    INTERVAL("lag_max_ns", UINT, lag_max_ns),
    INTERVAL("heartbeats", UINT, heartbeats),
    INTERVAL("behind_s", UINT, behind_s),
    INTERVAL("behind_known", BOOL, behind_known),
    INTERVAL("reachable", BOOL, reachable),
    INTERVAL("receives", BOOL, receives),
    INTERVAL("applies", BOOL, applies),
};

#define STEP(key, kind, field) JSON_FIELD(NULL, key, kind, struct knee_step, field)
static const struct json_field step_fields[] = {
    STEP("rate", REAL, rate),
    STEP("reached_per_s", REAL, reached),
    STEP("slope", REAL, slope),
    STEP("lag_end_ns", UINT, lag_end_ns),
    STEP("falls_behind", BOOL, falls_behind),
};

#define FINDING(key, kind, field) JSON_FIELD(NULL, key, kind, struct replica_finding, field)
static const struct json_field finding_fields[] = {
    FINDING("table", TEXT, table), FINDING("replica", TEXT, replica), FINDING("verdict", TEXT, verdict),
    FINDING("rows", UINT, rows),   FINDING("note", TEXT, note),
};

/* ---- writing ---- */

static void put_percentiles(json_t *object, const struct histogram *delay, bool *ok)
{
    static const double percents[] = {50, 95, 99};
    static const char *const keys[] = {"p50", "p95", "p99"};
    json_put(object, "mean", json_of_figure(histogram_mean(delay)), ok);
    for (size_t i = 0; i < COUNT_OF(percents); i++)
        json_put(object, keys[i], json_of_uint(histogram_percentile(delay, percents[i])), ok);
}

static json_t *of_row(const struct replica_row *row, bool *ok)
{
    json_t *object = json_object();
    json_write_fields(object, row_fields, COUNT_OF(row_fields), row, ok);
    json_t *lag = json_object_get(object, "lag_ns");
    put_percentiles(lag, &row->delay, ok);
    json_put(lag, "histogram", json_of_histogram(&row->delay, ok), ok);
    json_put(object, "server", json_of_server(row->server, ok), ok);
    json_put(object, "series", OF_ROWS(row->series, row->series_count, interval_fields, ok), ok);
    return object;
}

json_t *json_of_replication(const struct replication *replication, bool *ok)
{
    if (!replication)
        return json_null();
    const struct lag_knee *knee = &replication->knee;
    const struct replica_check *check = &replication->check;
    json_t *object = json_object(), *rows = json_array();
    json_write_fields(object, top_fields, COUNT_OF(top_fields), replication, ok);
    json_write_fields(object, later_fields, COUNT_OF(later_fields), replication, ok);
    json_put(json_object_get(object, "knee"), "steps", OF_ROWS(knee->steps, knee->steps_count, step_fields, ok), ok);
    json_put(json_object_get(object, "check"), "findings",
             OF_ROWS(check->findings, check->findings_count, finding_fields, ok), ok);
    for (size_t i = 0; i < replication->rows_count; i++)
        json_append(rows, of_row(&replication->rows[i], ok), ok);
    json_put(object, "replicas", rows, ok);
    return object;
}

/* ---- reading ---- */

static bool read_series(const struct json_place *place, const json_t *object, struct replica_row *out)
{
    const json_t *array = json_array_in(place, object, "series");
    out->series = calloc(json_array_size(array) + 1, sizeof(*out->series));
    if (!out->series)
        return error_set(place->error, ERR_SYSTEM, "%s: not enough memory to read it", place->file);
    out->series_count = out->series_room = json_array_size(array);
    return array && READ_ROWS(place, "series", array, interval_fields, out->series);
}

static bool read_row(const struct json_place *place, const json_t *object, struct replica_row *out)
{
    struct json_place inner = json_place_in(place, "lag_ns");
    const json_t *lag;
    return json_read_fields(place, object, row_fields, COUNT_OF(row_fields), out) &&
           (lag = json_object_in(place, object, "lag_ns")) != NULL && json_read_histogram(&inner, lag, &out->delay) &&
           json_read_server(place, object, out->server) && read_series(place, object, out);
}

/* Reads object[group][key], of at most `most` rows. */
static const json_t *few_rows(const struct json_place *place, const json_t *object, const char *group, const char *key,
                              size_t most, size_t *count)
{
    const json_t *inside = json_object_in(place, object, group);
    struct json_place inner = json_place_in(place, group);
    const json_t *array = inside ? json_array_in(&inner, inside, key) : NULL;
    *count = json_array_size(array);
    if (*count <= most)
        return array;
    *count = 0;
    json_refuse(&inner, key, "has too many rows");
    return NULL;
}

static bool read_lists(const struct json_place *place, const json_t *object, struct replication *out)
{
    const json_t *steps = few_rows(place, object, "knee", "steps", COUNT_OF(out->knee.steps), &out->knee.steps_count);
    const json_t *findings =
        steps ? few_rows(place, object, "check", "findings", COUNT_OF(out->check.findings), &out->check.findings_count)
              : NULL;
    return findings && READ_ROWS(place, "knee.steps", steps, step_fields, out->knee.steps) &&
           READ_ROWS(place, "check.findings", findings, finding_fields, out->check.findings);
}

static bool read_later(const struct json_place *place, const json_t *object, struct replication *out)
{
    return !json_object_get(json_object_get(object, "check"), "compared_rows") ||
           json_read_fields(place, object, later_fields, COUNT_OF(later_fields), out);
}

bool json_read_replication(const struct json_place *place, const json_t *root, struct replication **out)
{
    struct json_place inner = json_place_in(place, "replication");
    const json_t *member = json_object_get(root, "replication");
    *out = NULL;
    if (!member || json_is_null(member))
        return true;
    const json_t *object = json_object_in(place, root, "replication");
    const json_t *rows = object ? json_array_in(&inner, object, "replicas") : NULL;
    if (!rows)
        return false;
    *out = replication_make(json_array_size(rows));
    if (!*out)
        return error_set(place->error, ERR_SYSTEM, "%s: not enough memory to read it", place->file);
    bool good = json_read_fields(&inner, object, top_fields, COUNT_OF(top_fields), *out) &&
                read_later(&inner, object, *out) && read_lists(&inner, object, *out);
    for (size_t i = 0; good && i < (*out)->rows_count; i++) {
        struct json_place at = json_place_at(&inner, "replicas", i);
        good = read_row(&at, json_array_get(rows, i), &(*out)->rows[i]);
    }
    return good;
}
