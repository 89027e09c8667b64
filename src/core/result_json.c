/* core/result_json.c: results as JSON. The tables hold what is read back; figures that follow from them
 * (rates, means, percentiles) are written for people and scripts and left alone when reading. */
#include "core/result_json.h"

#include "core/result_json_parts.h"
#include "core/units.h"
#include "platform/clock.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_PER_MIB 1048576.0

/* ---- what is read back ---- */

#define RESULT(group, key, kind, field) JSON_FIELD(group, key, kind, struct result, field)

/* Of a whole run and of the part since the last checkpoint. */
static const struct json_field figure_fields[] = {
    RESULT(NULL, "started_ns", UINT, wall_start_ns),
    RESULT(NULL, "elapsed_ns", UINT, elapsed_ns),
    RESULT(NULL, "load_ns", UINT, load_ns),
    RESULT(NULL, "end_sync_ns", UINT, end_sync_ns),
    RESULT(NULL, "end_sync_count", UINT, end_sync_count),
    RESULT(NULL, "unfinished", UINT, unfinished),
    RESULT(NULL, "cpu_user_ns", UINT, cpu_user_ns),
    RESULT(NULL, "cpu_system_ns", UINT, cpu_system_ns),
    RESULT(NULL, "cpu_wait_ns", UINT, cpu_wait_ns),
    RESULT(NULL, "clock_steps_back", UINT, total.clock_steps_back),
    RESULT("events", "count", UINT, total.events),
};

/* Once in a document. */
static const struct json_field run_fields[] = {
    RESULT(NULL, "measured", BOOL, measured),
    RESULT("verify", "checked", UINT, verify.checked),
    RESULT("verify", "wrong", UINT, verify.wrong),
    RESULT(NULL, "warmup_ns", UINT, warmup_ns),
    RESULT(NULL, "steady_state_missed", BOOL, steady_state_missed),
    RESULT(NULL, "start_delay_max_ns", UINT, start_delay_max_ns),
    RESULT("host", "os", TEXT, host.os),
    RESULT("host", "kernel", TEXT, host.kernel),
    RESULT("host", "cpu_model", TEXT, host.cpu_model),
    RESULT("host", "virtualization", TEXT, host.virtualization),
    RESULT("host", "cloud", TEXT, host.cloud),
    RESULT("host", "instance_type", TEXT, host.instance_type),
    RESULT("host", "cpu_count", UINT, host.cpu_count),
    RESULT("host", "memory_bytes", UINT, host.memory_bytes),
    RESULT("host", "page_bytes", UINT, host.page_bytes),
    RESULT("target", "file_system", TEXT, target.file_system),
    RESULT("target", "mount_options", TEXT, target.mount_options),
    RESULT("target", "mount_point", TEXT, target.mount_point),
    RESULT("target", "device", TEXT, target.device),
    RESULT("target", "device_model", TEXT, target.device_model),
    RESULT("target", "ebs_volume_id", TEXT, target.ebs_volume_id),
    RESULT("target", "rotational", TRUTH, target.rotational),
    RESULT("target", "logical_sector_bytes", UINT, target.logical_sector_bytes),
    RESULT("target", "physical_sector_bytes", UINT, target.physical_sector_bytes),
    RESULT("target", "total_bytes", UINT, target.total_bytes),
    RESULT("target", "free_bytes", UINT, target.free_bytes),
    RESULT("clock", "name", TEXT, clock.name),
    RESULT("clock", "ticks_per_s", UINT, clock.ticks_per_s),
    RESULT("clock", "resolution_ns", UINT, clock.resolution_ns),
    RESULT("clock", "cost_ns", REAL, clock.cost_ns),
};

static const struct json_field class_fields[] = {
    JSON_FIELD(NULL, "count", UINT, struct class_tally, latency.count),
    JSON_FIELD(NULL, "bytes", UINT, struct class_tally, bytes),
    JSON_FIELD(NULL, "errors", UINT, struct class_tally, errors),
    JSON_FIELD("latency_ns", "min", UINT, struct class_tally, latency.min_ns),
    JSON_FIELD("latency_ns", "max", UINT, struct class_tally, latency.max_ns),
    JSON_FIELD("latency_ns", "sum", UINT, struct class_tally, latency.sum_ns),
};

#define THREAD_CLASS(name)                                                                                             \
    JSON_FIELD(#name, "count", UINT, struct thread_row, name.count),                                                   \
        JSON_FIELD(#name, "bytes", UINT, struct thread_row, name.bytes),                                               \
        JSON_FIELD(#name, "latency_sum_ns", UINT, struct thread_row, name.latency_sum_ns),                             \
        JSON_FIELD(#name, "latency_variance_ns2", REAL, struct thread_row, name.latency_variance_ns2)

static const struct json_field thread_fields[] = {
    JSON_FIELD(NULL, "events", UINT, struct thread_row, events),
    JSON_FIELD(NULL, "busy_ns", UINT, struct thread_row, busy_ns),
    JSON_FIELD(NULL, "end_ns", UINT, struct thread_row, end_ns),
    /* of files alone: */
    THREAD_CLASS(read),
    THREAD_CLASS(write),
};

/* A database's threads have transactions, which are their events. */
static size_t thread_fields_count(const struct job *job)
{
    return job->work == WORK_FILES ? COUNT_OF(thread_fields) : 2;
}

static const struct json_field cpu_fields[] = {
    JSON_FIELD(NULL, "user_ns", UINT, struct cpu_row, user_ns),
    JSON_FIELD(NULL, "system_ns", UINT, struct cpu_row, system_ns),
    JSON_FIELD(NULL, "idle_ns", UINT, struct cpu_row, idle_ns),
};

static const struct json_field server_fields[] = {
    JSON_FIELD(NULL, "product", TEXT, struct server_facts, product),
    JSON_FIELD(NULL, "version", TEXT, struct server_facts, version),
    JSON_FIELD(NULL, "client", TEXT, struct server_facts, client),
    JSON_FIELD(NULL, "tls", TEXT, struct server_facts, tls),
};

static const struct json_field variable_fields[] = {
    JSON_FIELD(NULL, "name", TEXT, struct server_variable, name),
    JSON_FIELD(NULL, "value", TEXT, struct server_variable, value),
};

#define LOAD(key, kind, field) JSON_FIELD(NULL, key, kind, struct bulk_load, field)
static const struct json_field load_fields[] = {
    LOAD("way", TEXT, way),
    LOAD("source", TEXT, source),
    LOAD("flush_at_commit", TEXT, flush),
    LOAD("rows", UINT, rows),
    LOAD("bytes", UINT, bytes),
    LOAD("commit_rows", UINT, commit_rows),
    LOAD("retries", UINT, retries),
    LOAD("disk_bytes", UINT, disk_bytes),
    LOAD("index_bytes", UINT, index_bytes),
    LOAD("index_known", BOOL, index_known),
    LOAD("verified", TEXT, verified),
};

static const struct json_field statement_fields[] = {
    JSON_FIELD(NULL, "name", TEXT, struct statement_row, name),
    JSON_FIELD(NULL, "sql", TEXT, struct statement_row, sql),
};

#define INTERVAL(group, key, field) JSON_FIELD(group, key, UINT, struct interval, field)
static const struct json_field interval_fields[] = {
    INTERVAL(NULL, "start_ns", start_ns),
    INTERVAL(NULL, "end_ns", end_ns),
    INTERVAL(NULL, "latency_events", latency_events),
    INTERVAL(NULL, "latency_sum_ns", latency_sum_ns),
    INTERVAL(NULL, "latency_percentile_ns", latency_percentile_ns),
    INTERVAL(NULL, "latency_max_ns", latency_max_ns),
    INTERVAL(NULL, "waiting", waiting),
    INTERVAL(NULL, "running", running),
};

#define INTERVAL_CLASS(class)                                                                                          \
    {                                                                                                                  \
        INTERVAL(NULL, "count", count[class]), INTERVAL(NULL, "bytes", bytes[class]),                                  \
            INTERVAL(NULL, "errors", errors[class])                                                                    \
    }
#define INTERVAL_CLASS_FIELDS 3

static const struct json_field interval_classes[CLASS_COUNT][INTERVAL_CLASS_FIELDS] = {
    INTERVAL_CLASS(CLASS_READ),        INTERVAL_CLASS(CLASS_WRITE),         INTERVAL_CLASS(CLASS_SYNC),
    INTERVAL_CLASS(CLASS_END_SYNC),    INTERVAL_CLASS(CLASS_DURABLE_WRITE), INTERVAL_CLASS(CLASS_QUEUE_WAIT),
    INTERVAL_CLASS(CLASS_SERVICE),     INTERVAL_CLASS(CLASS_TRANSACTION),   INTERVAL_CLASS(CLASS_READ_QUERY),
    INTERVAL_CLASS(CLASS_WRITE_QUERY), INTERVAL_CLASS(CLASS_OTHER_QUERY),   INTERVAL_CLASS(CLASS_CONNECT),
};
_Static_assert(CLASS_CONNECT + 1 == CLASS_COUNT, "every class has its row, in the enum's order");

static const struct json_field warning_fields[] = {
    JSON_FIELD(NULL, "code", TEXT, struct warning, code),
    JSON_FIELD(NULL, "text", TEXT, struct warning, text),
};

static const struct json_field finding_fields[] = {
    JSON_FIELD(NULL, "verdict", TEXT, struct verify_finding, verdict),
    JSON_FIELD(NULL, "file", TEXT, struct verify_finding, file),
    JSON_FIELD(NULL, "offset", UINT, struct verify_finding, offset),
    JSON_FIELD(NULL, "expected", TEXT, struct verify_finding, expected),
    JSON_FIELD(NULL, "found", TEXT, struct verify_finding, found),
};

static const struct json_field fault_fields[] = {
    JSON_FIELD(NULL, "operation", TEXT, struct fault, operation),
    JSON_FIELD(NULL, "os_code", UINT, struct fault, os_code),
    JSON_FIELD(NULL, "text", TEXT, struct fault, text),
    JSON_FIELD(NULL, "count", UINT, struct fault, count),
    JSON_FIELD(NULL, "first", TEXT, struct fault, first),
};

/* ---- writing ---- */

static double per_s(uint64_t amount, uint64_t ns)
{
    return ns == 0 ? 0 : (double)amount / ((double)ns / (double)NS_PER_S);
}

/* Years since 1970 one after the other: there are 292 at most, and no table of them can be wrong. */
static void utc_text(uint64_t wall_ns, char *out, size_t out_bytes)
{
    static const uint8_t month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint64_t s = wall_ns / NS_PER_S, day = s / 86400, year = 1970;
    uint32_t month = 0;
    for (;; year++) {
        bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        if (day >= 365U + leap) {
            day -= 365U + leap;
            continue;
        }
        for (; day >= month_days[month] + (leap && month == 1 ? 1U : 0U); month++)
            day -= month_days[month] + (leap && month == 1 ? 1U : 0U);
        break;
    }
    snprintf(out, out_bytes, "%04" PRIu64 "-%02" PRIu32 "-%02" PRIu64 "T%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 "Z",
             year, month + 1, day + 1, s / 3600 % 24, s / 60 % 60, s % 60);
}

static json_t *of_started(uint64_t wall_ns)
{
    char text[32];
    utc_text(wall_ns, text, sizeof text);
    return json_of_text(text);
}

static void put_percentiles(json_t *object, const struct histogram *latency, const struct real_list *percents, bool *ok)
{
    char number[64], key[80];
    for (uint32_t i = 0; i < percents->count; i++) {
        snprintf(key, sizeof key, "p%s", units_real_exact(percents->values[i], number, sizeof number));
        json_put(object, key, json_of_uint(histogram_percentile(latency, percents->values[i])), ok);
    }
}

static void put_spread(json_t *object, const struct histogram *latency, const struct job *job, bool *ok)
{
    json_put(object, "mean", json_of_figure(histogram_mean(latency)), ok);
    json_put(object, "stddev", json_of_figure(histogram_stddev(latency)), ok);
    put_percentiles(object, latency, &job->percentiles, ok);
}

json_t *json_of_histogram(const struct histogram *latency, bool *ok)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        if (latency->counts[i] > 0) {
            json_t *pair = json_array();
            json_append(pair, json_of_uint(histogram_bucket_low(i)), ok);
            json_append(pair, json_of_uint(latency->counts[i]), ok);
            json_append(array, pair, ok);
        }
    return array;
}

static void put_rates(json_t *object, const struct result *result, uint64_t count, uint64_t bytes, bool *ok)
{
    bool is_files = result->job.work == WORK_FILES;
    json_put(object, is_files ? "iops" : "per_s", json_of_figure(per_s(count, result->load_ns)), ok);
    if (is_files)
        json_put(object, "mib_per_s", json_of_figure(per_s(bytes, result->load_ns) / BYTES_PER_MIB), ok);
}

static json_t *of_tally(const struct result *result, const struct class_tally *tally, bool is_rate, bool *ok)
{
    json_t *object = json_object();
    json_write_fields(object, class_fields, COUNT_OF(class_fields), tally, ok);
    put_spread(json_object_get(object, "latency_ns"), &tally->latency, &result->job, ok);
    if (is_rate)
        put_rates(object, result, tally->latency.count, tally->bytes, ok);
    json_put(object, "histogram", json_of_histogram(&tally->latency, ok), ok);
    return object;
}

static json_t *of_classes(const struct result *result, bool *ok)
{
    json_t *object = json_object();
    for (int i = 0; i < CLASS_COUNT; i++) {
        bool is_rate = i != CLASS_END_SYNC; /* not spread over the load: a rate would say nothing */
        if (op_class_concerns((enum op_class)i, result->job.work))
            json_put(object, op_class_names[i], of_tally(result, &result->total.of[i], is_rate, ok), ok);
    }
    return object;
}

static json_t *of_statements(const struct result *result, bool *ok)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->statements_count; i++) {
        json_t *row = of_tally(result, &result->statements[i].tally, true, ok);
        json_write_fields(row, statement_fields, COUNT_OF(statement_fields), &result->statements[i], ok);
        json_append(array, row, ok);
    }
    return array;
}

/* Reads and writes (durable writes are among the writes), or all queries. */
static json_t *of_total(const struct result *result, bool *ok)
{
    static const enum op_class of_files[] = {CLASS_READ, CLASS_WRITE},
                               of_databases[] = {CLASS_READ_QUERY, CLASS_WRITE_QUERY, CLASS_OTHER_QUERY};
    bool is_files = result->job.work == WORK_FILES;
    const enum op_class *summed = is_files ? of_files : of_databases;
    size_t summed_count = is_files ? COUNT_OF(of_files) : COUNT_OF(of_databases);
    uint64_t count = 0, bytes = 0, errors = 0;
    for (size_t i = 0; i < summed_count; i++) {
        const struct class_tally *tally = &result->total.of[summed[i]];
        count += tally->latency.count;
        bytes += tally->bytes;
        errors += tally->errors;
    }
    json_t *object = json_object();
    json_put(object, "count", json_of_uint(count), ok);
    json_put(object, "bytes", json_of_uint(bytes), ok);
    json_put(object, "errors", json_of_uint(errors), ok);
    put_rates(object, result, count, bytes, ok);
    return object;
}

static json_t *of_events_latency(const struct result *result, bool *ok)
{
    struct histogram latency;
    json_t *object = json_object();
    tally_events_latency(&result->total, &result->job, &latency);
    json_put(object, "min", json_of_uint(latency.min_ns), ok);
    json_put(object, "max", json_of_uint(latency.max_ns), ok);
    json_put(object, "sum", json_of_uint(latency.sum_ns), ok);
    put_spread(object, &latency, &result->job, ok);
    return object;
}

json_t *json_of_rows(const void *rows, size_t count, size_t stride, const struct json_field *fields, size_t field_count,
                     bool *ok)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_object();
        json_write_fields(row, fields, field_count, (const char *)rows + i * stride, ok);
        json_append(array, row, ok);
    }
    return array;
}

static void put_figures(json_t *object, const struct result *result, bool *ok)
{
    json_write_fields(object, figure_fields, COUNT_OF(figure_fields), result, ok);
    json_put(json_object_get(object, "events"), "latency_ns", of_events_latency(result, ok), ok);
    json_put(object, "total", of_total(result, ok), ok);
    json_put(object, "threads",
             json_of_rows(result->threads, (size_t)result->job.threads, sizeof *result->threads, thread_fields,
                          thread_fields_count(&result->job), ok),
             ok);
    json_put(object, "classes", of_classes(result, ok), ok);
}

/* From the first cell that is not empty to the last. */
static json_t *of_cells(const struct interval *interval, bool *ok)
{
    json_t *object = json_object(), *counts = json_array();
    uint32_t first = 0, end = LATENCY_CELLS;
    while (end > 0 && interval->latency_cells[end - 1] == 0)
        end--;
    while (first < end && interval->latency_cells[first] == 0)
        first++;
    for (uint32_t i = first; i < end; i++)
        json_append(counts, json_of_uint(interval->latency_cells[i]), ok);
    json_put(object, "from_ns", json_of_uint(first < end ? histogram_bucket_low(first * LATENCY_CELL_BUCKETS) : 0), ok);
    json_put(object, "counts", counts, ok);
    return object;
}

static json_t *of_series(const struct result *result, bool *ok)
{
    json_t *array = OF_ROWS(result->series, result->series_count, interval_fields, ok);
    for (size_t i = 0; array && i < result->series_count; i++) {
        json_put(json_array_get(array, i), "latency_cells", of_cells(&result->series[i], ok), ok);
        for (int class = 0; class < CLASS_COUNT; class ++) {
            json_t *counts = op_class_concerns((enum op_class) class, result->job.work) ? json_object() : NULL;
            if (!counts)
                continue;
            json_write_fields(counts, interval_classes[class], INTERVAL_CLASS_FIELDS, &result->series[i], ok);
            json_put(json_array_get(array, i), op_class_names[class], counts, ok);
        }
    }
    return array;
}

json_t *json_of_server(const struct server_facts *server, bool *ok)
{
    json_t *object = json_object();
    json_write_fields(object, server_fields, COUNT_OF(server_fields), server, ok);
    json_put(object, "variables", OF_ROWS(server->variables, server->variables_count, variable_fields, ok), ok);
    return object;
}

static json_t *of_load(const struct result *result, bool *ok)
{
    const struct bulk_load *load = &result->load;
    json_t *object = json_object();
    json_write_fields(object, load_fields, COUNT_OF(load_fields), load, ok);
    json_put(object, "rows_per_s", json_of_figure(per_s(load->rows, result->load_ns)), ok);
    json_put(object, "mib_per_s", json_of_figure(per_s(load->bytes, result->load_ns) / BYTES_PER_MIB), ok);
    return object;
}

static json_t *of_since_checkpoint(const struct result *result, bool *ok)
{
    if (!result->since_checkpoint)
        return json_null();
    json_t *object = json_object();
    put_figures(object, result->since_checkpoint, ok);
    return object;
}

static const char *status_of(const struct result *result)
{
    return result->forced ? "forced" : result->partial ? "partial" : "complete";
}

static json_t *of_result(const struct result *result, bool *ok)
{
    json_t *root = json_object();
    json_put(root, "schema", json_of_uint(RESULT_SCHEMA_VERSION), ok);
    json_put(root, "isobench", json_of_text(result->version), ok);
    json_put(root, "status", json_of_text(status_of(result)), ok);
    json_put(root, "started", of_started(result->wall_start_ns), ok);
    json_put(root, "job", json_of_job(&result->job, ok), ok);
    json_put(root, "faults", OF_ROWS(result->faults, result->faults_count, fault_fields, ok), ok);
    json_put(root, "warnings", OF_ROWS(result->warnings, result->warnings_count, warning_fields, ok), ok);
    json_write_fields(root, run_fields, COUNT_OF(run_fields), result, ok);
    json_put(json_object_get(root, "verify"), "findings",
             OF_ROWS(result->verify.findings, result->verify.findings_count, finding_fields, ok), ok);
    put_figures(root, result, ok);
    json_put(root, "cpus", OF_ROWS(result->cpus, result->cpus_count, cpu_fields, ok), ok);
    if (result->job.work == WORK_DATABASE) {
        json_put(root, "server", json_of_server(&result->server, ok), ok);
        json_put(root, "statements", of_statements(result, ok), ok);
        if (result->load.way[0])
            json_put(root, "load", of_load(result, ok), ok);
        json_put(root, "replication", json_of_replication(result->replication, ok), ok);
    }
    json_put(root, "series", of_series(result, ok), ok);
    if (result->host_series.interval_ns > 0)
        json_put(root, "host_series", json_of_host_series(&result->host_series, ok), ok);
    json_put(root, "since_checkpoint", of_since_checkpoint(result, ok), ok);
    return root;
}

char *result_to_json(const struct result *result)
{
    bool ok = true;
    json_t *root = of_result(result, &ok);
    return json_finish(root, ok, json_digits_for(&result->job));
}

static json_t *of_spread(const struct spread *spread, const struct job_runs *job, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "job_number", json_of_uint(job->number), ok);
    json_put(object, "class", json_of_text(op_class_names[spread->op]), ok);
    json_put(object, "figure", json_of_text(spread->figure), ok);
    json_put(object, "unit", json_of_text(spread->is_time ? "ns" : ""), ok);
    json_put(object, "median", json_of_real(spread->median), ok);
    json_put(object, "min", json_of_real(spread->min), ok);
    json_put(object, "max", json_of_real(spread->max), ok);
    json_put(object, "stddev", json_of_real(spread->stddev), ok);
    return object;
}

static void append_runs(json_t *results, json_t *rows, const struct job_runs *job, bool *ok)
{
    for (size_t i = 0; i < job->run_count; i++) {
        json_t *result = of_result(job->runs[i], ok);
        json_put(result, "job_number", json_of_uint(job->number), ok);
        json_put(result, "job_name", json_of_text(job->name), ok);
        json_append(results, result, ok);
    }
    for (size_t i = 0; i < job->spread_count; i++)
        json_append(rows, of_spread(&job->spreads[i], job, ok), ok);
}

char *runs_to_json(const struct job_runs *jobs, size_t job_count, bool together)
{
    bool ok = true;
    size_t digits = 0;
    json_t *root = json_object(), *results = json_array(), *rows = json_array();
    for (size_t i = 0; i < job_count; i++) {
        size_t needed = json_digits_for(&jobs[i].runs[0]->job);
        digits = needed > digits ? needed : digits;
        append_runs(results, rows, &jobs[i], &ok);
    }
    json_put(root, "schema", json_of_uint(RESULT_SCHEMA_VERSION), &ok);
    json_put(root, "together", json_boolean(together), &ok);
    json_put(root, "runs", results, &ok);
    json_put(root, "spread", rows, &ok);
    return json_finish(root, ok, digits);
}

/* ---- reading ---- */

/* One pair of a histogram. */
static bool read_bucket(const struct json_place *place, const json_t *pair, struct histogram *out)
{
    const json_t *low = json_array_get(pair, 0), *samples = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_integer(low) || !json_is_integer(samples) ||
        json_integer_value(low) < 0 || json_integer_value(samples) < 0)
        return json_refuse(place, "histogram", "each item must be [lowest ns of a bucket, count]");
    uint32_t bucket = histogram_bucket((uint64_t)json_integer_value(low));
    if (histogram_bucket_low(bucket) != (uint64_t)json_integer_value(low))
        return json_refuse(place, "histogram", "has a value that no bucket starts with");
    if ((uint64_t)json_integer_value(samples) > UINT64_MAX - out->counts[bucket])
        return json_refuse(place, "histogram", "has counts beyond 64 bits");
    out->counts[bucket] += (uint64_t)json_integer_value(samples);
    return true;
}

bool json_read_histogram(const struct json_place *place, const json_t *object, struct histogram *out)
{
    const json_t *array = json_array_in(place, object, "histogram");
    uint64_t sum = 0;
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!read_bucket(place, json_array_get(array, i), out))
            return false;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        sum += out->counts[i];
    if (array && sum != out->count)
        return json_refuse(place, "histogram", "does not add up to count");
    return array != NULL;
}

static bool read_tally(const struct json_place *place, const json_t *object, struct class_tally *out)
{
    return json_read_fields(place, object, class_fields, COUNT_OF(class_fields), out) &&
           json_read_histogram(place, object, &out->latency);
}

static bool read_classes(const struct json_place *place, const json_t *object, enum work work, struct tally *out)
{
    const json_t *classes = json_object_in(place, object, "classes");
    struct json_place inside = json_place_in(place, "classes");
    for (int i = 0; i < CLASS_COUNT; i++) {
        if (!op_class_concerns((enum op_class)i, work))
            continue;
        const json_t *class = classes ? json_object_in(&inside, classes, op_class_names[i]) : NULL;
        struct json_place inner = json_place_in(&inside, op_class_names[i]);
        if (!class || !read_tally(&inner, class, &out->of[i]))
            return false;
    }
    return true;
}

bool json_read_rows(const struct json_place *place, const char *key, const json_t *array,
                    const struct json_field *fields, size_t field_count, size_t stride, void *rows)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        struct json_place inner = json_place_at(place, key, i);
        if (!json_read_fields(&inner, json_array_get(array, i), fields, field_count, (char *)rows + i * stride))
            return false;
    }
    return true;
}

static bool read_threads(const struct json_place *place, const json_t *object, struct result *out)
{
    const json_t *array = json_array_in(place, object, "threads");
    if (array && json_array_size(array) != out->job.threads)
        return json_refuse(place, "threads", "must have a row for each of the job's threads");
    return array && json_read_rows(place, "threads", array, thread_fields, thread_fields_count(&out->job),
                                   sizeof *out->threads, out->threads);
}

static bool read_figures(const struct json_place *place, const json_t *object, struct result *out)
{
    return json_read_fields(place, object, figure_fields, COUNT_OF(figure_fields), out) &&
           read_threads(place, object, out) && read_classes(place, object, out->job.work, &out->total);
}

static bool read_findings(const struct json_place *place, const json_t *root, struct result *out)
{
    const json_t *object = json_object_in(place, root, "verify");
    struct json_place inner = json_place_in(place, "verify");
    const json_t *array = object ? json_array_in(&inner, object, "findings") : NULL;
    if (json_array_size(array) > VERIFY_FINDINGS_MAX)
        return json_refuse(&inner, "findings", "are more than 16");
    out->verify.findings_count = json_array_size(array);
    return array && READ_ROWS(&inner, "findings", array, finding_fields, out->verify.findings);
}

static bool read_faults(const struct json_place *place, const json_t *root, struct result *out)
{
    const json_t *array = json_array_in(place, root, "faults");
    if (array && json_array_size(array) > FAULTS_MAX)
        return json_refuse(place, "faults", "are more than 16");
    out->faults_count = json_array_size(array);
    return array && READ_ROWS(place, "faults", array, fault_fields, out->faults);
}

static bool read_warnings(const struct json_place *place, const json_t *root, struct result *out)
{
    const json_t *array = json_array_in(place, root, "warnings");
    if (json_array_size(array) > WARNINGS_MAX)
        return json_refuse(place, "warnings", "are more than 32");
    out->warnings_count = json_array_size(array);
    return array && READ_ROWS(place, "warnings", array, warning_fields, out->warnings);
}

static bool refuse_memory(const struct json_place *place)
{
    return error_set(place->error, ERR_SYSTEM, "%s: not enough memory to read it", place->file);
}

/* Results of older versions have none, and what was made of such results has no counts. */
static bool read_cells(const struct json_place *place, const json_t *row, struct interval *out)
{
    const json_t *object = json_object_get(row, "latency_cells");
    struct json_place inner = json_place_in(place, "latency_cells");
    uint64_t from_ns, left = out->latency_events;
    if (!object)
        return true;
    const json_t *counts = json_array_in(&inner, object, "counts");
    if (!counts || !json_read_uint(&inner, object, "from_ns", INT64_MAX, &from_ns))
        return false;
    uint32_t first = histogram_bucket(from_ns) / LATENCY_CELL_BUCKETS;
    if (histogram_bucket_low(first * LATENCY_CELL_BUCKETS) != from_ns ||
        json_array_size(counts) > LATENCY_CELLS - first)
        return json_refuse(&inner, "from_ns", "must be where a cell begins, with room for all counts");
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *count = json_array_get(counts, i);
        if (!json_is_integer(count) || json_integer_value(count) < 0 || (uint64_t)json_integer_value(count) > left)
            return json_refuse(&inner, "counts", "must be whole numbers that add up to latency_events");
        out->latency_cells[first + i] = (uint64_t)json_integer_value(count);
        left -= out->latency_cells[first + i];
    }
    return left == 0 || json_array_size(counts) == 0 ||
           json_refuse(&inner, "counts", "must be whole numbers that add up to latency_events");
}

static bool read_series_classes(const struct json_place *place, const json_t *array, struct result *out)
{
    for (size_t i = 0; i < out->series_count; i++) {
        struct json_place row_place = json_place_at(place, "series", i);
        if (!read_cells(&row_place, json_array_get(array, i), &out->series[i]))
            return false;
        for (int class = 0; class < CLASS_COUNT; class ++) {
            if (!op_class_concerns((enum op_class) class, out->job.work))
                continue;
            struct json_place inner = json_place_in(&row_place, op_class_names[class]);
            const json_t *counts = json_object_in(&row_place, json_array_get(array, i), op_class_names[class]);
            if (!counts ||
                !json_read_fields(&inner, counts, interval_classes[class], INTERVAL_CLASS_FIELDS, &out->series[i]))
                return false;
        }
    }
    return true;
}

static bool read_series(const struct json_place *place, const json_t *root, struct result *out)
{
    const json_t *array = json_array_in(place, root, "series");
    size_t count = json_array_size(array);
    if (count == 0)
        return array != NULL;
    out->series = calloc(count, sizeof *out->series);
    if (!out->series)
        return refuse_memory(place);
    out->series_count = count;
    return READ_ROWS(place, "series", array, interval_fields, out->series) && read_series_classes(place, array, out);
}

static bool read_cpus(const struct json_place *place, const json_t *root, struct result *out)
{
    const json_t *array = json_array_in(place, root, "cpus");
    size_t count = json_array_size(array);
    if (count == 0)
        return array != NULL;
    out->cpus = calloc(count, sizeof *out->cpus);
    if (!out->cpus)
        return refuse_memory(place);
    out->cpus_count = count;
    return READ_ROWS(place, "cpus", array, cpu_fields, out->cpus);
}

bool json_read_server(const struct json_place *place, const json_t *root, struct server_facts *out)
{
    const json_t *object = json_object_in(place, root, "server");
    struct json_place inner = json_place_in(place, "server");
    const json_t *array = object ? json_array_in(&inner, object, "variables") : NULL;
    if (json_array_size(array) > SERVER_VARIABLES_MAX)
        return json_refuse(&inner, "variables", "are more than 48");
    out->variables_count = json_array_size(array);
    return array && json_read_fields(&inner, object, server_fields, COUNT_OF(server_fields), out) &&
           READ_ROWS(&inner, "variables", array, variable_fields, out->variables);
}

static bool read_statements(const struct json_place *place, const json_t *root, struct result *out)
{
    const json_t *array = json_array_in(place, root, "statements");
    if (!array)
        return false;
    if (json_array_size(array) > STATEMENTS_MAX)
        return json_refuse(place, "statements", "are more than 64");
    if (!result_statements(out, json_array_size(array)))
        return refuse_memory(place);
    for (size_t i = 0; i < out->statements_count; i++) {
        const json_t *row = json_array_get(array, i);
        struct json_place inner = json_place_at(place, "statements", i);
        if (!json_read_fields(&inner, row, statement_fields, COUNT_OF(statement_fields), &out->statements[i]) ||
            !read_tally(&inner, row, &out->statements[i].tally))
            return false;
    }
    return true;
}

/* Only a bulk load has it. */
static bool read_load(const struct json_place *place, const json_t *root, struct bulk_load *out)
{
    struct json_place inner = json_place_in(place, "load");
    if (!json_object_get(root, "load"))
        return true;
    const json_t *object = json_object_in(place, root, "load");
    return object && json_read_fields(&inner, object, load_fields, COUNT_OF(load_fields), out);
}

static bool read_database(const struct json_place *place, const json_t *root, struct result *out)
{
    return out->job.work != WORK_DATABASE ||
           (json_read_server(place, root, &out->server) && read_statements(place, root, out) &&
            read_load(place, root, &out->load) && json_read_replication(place, root, &out->replication));
}

static bool read_status(const struct json_place *place, const json_t *root, struct result *out)
{
    char status[16];
    if (!json_read_text(place, root, "status", status, sizeof status))
        return false;
    out->forced = strcmp(status, "forced") == 0;
    out->partial = out->forced || strcmp(status, "partial") == 0;
    if (!out->partial && strcmp(status, "complete") != 0)
        return json_refuse(place, "status", "must be complete, partial or forced");
    return true;
}

/* The part since the last checkpoint has the run's own job, machine and status. */
static struct result *make_part(const struct result *run)
{
    struct result *part = result_make(&run->job);
    if (!part)
        return NULL;
    memcpy(part->version, run->version, sizeof part->version);
    part->measured = run->measured;
    part->partial = run->partial;
    part->forced = run->forced;
    part->warmup_ns = run->warmup_ns;
    part->clock = run->clock;
    part->host = run->host;
    part->target = run->target;
    return part;
}

static bool read_since_checkpoint(const struct json_place *place, const json_t *root, struct result *out)
{
    if (json_is_null(json_object_get(root, "since_checkpoint")))
        return true;
    const json_t *object = json_object_in(place, root, "since_checkpoint");
    struct json_place inner = json_place_in(place, "since_checkpoint");
    if (!object)
        return false;
    out->since_checkpoint = make_part(out);
    if (!out->since_checkpoint)
        return refuse_memory(place);
    return read_figures(&inner, object, out->since_checkpoint);
}

static bool read_host_series(const struct json_place *place, const json_t *root, struct result *out)
{
    struct json_place inner = json_place_in(place, "host_series");
    if (!json_object_get(root, "host_series"))
        return true;
    const json_t *object = json_object_in(place, root, "host_series");
    return object && json_read_host_series(&inner, object, &out->host_series);
}

static bool read_schema(const struct json_place *place, const json_t *root)
{
    uint64_t schema;
    char what[80];
    if (!json_read_uint(place, root, "schema", INT64_MAX, &schema))
        return false;
    snprintf(what, sizeof what, "is %" PRIu64 ", but this isobench reads %d", schema, RESULT_SCHEMA_VERSION);
    return schema == RESULT_SCHEMA_VERSION || json_refuse(place, "schema", what);
}

static bool read_result(const struct json_place *place, const json_t *root, struct result *out)
{
    return json_read_text(place, root, "isobench", out->version, sizeof out->version) &&
           read_status(place, root, out) && read_warnings(place, root, out) && read_faults(place, root, out) &&
           json_read_fields(place, root, run_fields, COUNT_OF(run_fields), out) && read_findings(place, root, out) &&
           read_figures(place, root, out) && read_cpus(place, root, out) && read_database(place, root, out) &&
           read_series(place, root, out) && read_host_series(place, root, out) &&
           read_since_checkpoint(place, root, out);
}

/* The result needs its job to be made. */
static struct result *read_document(const struct json_place *place, const json_t *root)
{
    struct job job;
    struct json_place job_place = json_place_in(place, "job");
    json_t *job_object = read_schema(place, root) ? json_object_in(place, root, "job") : NULL;
    if (!job_object || !json_read_job(&job_place, job_object, &job))
        return NULL;
    struct result *result = result_make(&job);
    if (!result)
        refuse_memory(place);
    else if (read_result(place, root, result))
        return result;
    result_free(result);
    return NULL;
}

bool result_from_json(const char *text, const char *name, struct result **out, struct error *error)
{
    struct json_place place = {name, "", error};
    json_t *root = json_start(text, name, error);
    *out = NULL;
    if (json_object_get(root, "runs"))
        error_set(
            error, ERR_DATA,
            "%s: holds several runs, and one is wanted here: write each to a file of its own; isobench reconcile and "
            "compare read several",
            name);
    else if (root)
        *out = read_document(&place, root);
    json_decref(root);
    return *out != NULL;
}

static bool read_runs(const struct json_place *place, const json_t *root,
                      bool (*take)(void *context, struct result *result), void *context)
{
    const json_t *runs = json_array_in(place, root, "runs");
    for (size_t i = 0; runs && i < json_array_size(runs); i++) {
        struct json_place inner = json_place_at(place, "runs", i);
        struct result *result = read_document(&inner, json_array_get(runs, i));
        if (!result || !take(context, result))
            return false;
    }
    return runs != NULL;
}

bool results_from_json(const char *text, const char *name, bool (*take)(void *context, struct result *result),
                       void *context, struct error *error)
{
    struct json_place place = {name, "", error};
    json_t *root = json_start(text, name, error);
    bool good;
    if (!root)
        return false;
    if (json_object_get(root, "runs")) {
        good = read_runs(&place, root, take, context);
    } else {
        struct result *result = read_document(&place, root);
        good = result && take(context, result);
    }
    json_decref(root);
    return good;
}
