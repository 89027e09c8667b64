/* fio_read_json.c: fio's --output-format=json. Lines before the document, which fio prints on the same stream, are
 * passed over. */
#include "dialects/fio_read.h"
#include "platform/compiler.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void put(struct reading *reading, enum figure_kind kind, int op, double percent, const json_t *value,
                double scale)
{
    struct figure figure = {.kind = kind, .op = op, .percent = percent, .value = json_number_value(value) * scale};
    if (json_is_number(value))
        reading_add_figure(reading, &figure);
}

/* Percentiles are keys: "99.900000": 123. fio gives them of clat by default, of lat if it was asked to. */
static void put_percentiles(struct reading *reading, int op, const json_t *latency)
{
    const char *key;
    json_t *value;
    json_t *percentiles = json_object_get(latency, "percentile");
    json_object_foreach(percentiles, key, value)
    {
        put(reading, FIGURE_PERCENTILE_NS, op, strtod(key, NULL), value, 1);
    }
}

static void put_latency(struct reading *reading, int op, const json_t *latency)
{
    put(reading, FIGURE_MIN_NS, op, 0, json_object_get(latency, "min"), 1);
    put(reading, FIGURE_MEAN_NS, op, 0, json_object_get(latency, "mean"), 1);
    put(reading, FIGURE_MAX_NS, op, 0, json_object_get(latency, "max"), 1);
    put(reading, FIGURE_STDDEV_NS, op, 0, json_object_get(latency, "stddev"), 1);
}

static void put_class(struct reading *reading, int op, const json_t *class)
{
    const json_t *lat = json_object_get(class, "lat_ns"), *clat = json_object_get(class, "clat_ns");
    if (json_number_value(json_object_get(class, "total_ios")) <= 0)
        return;
    put(reading, FIGURE_COUNT, op, 0, json_object_get(class, "total_ios"), 1);
    put(reading, FIGURE_PER_S, op, 0, json_object_get(class, "iops"), 1);
    put(reading, FIGURE_BYTES, op, 0, json_object_get(class, "io_bytes"), 1);
    put(reading, FIGURE_BYTES_PER_S, op, 0, json_object_get(class, "bw_bytes"), 1);
    put(reading, FIGURE_ELAPSED_NS, OP_ALL, 0, json_object_get(class, "runtime"), 1e6);
    put_latency(reading, op, lat);
    put_percentiles(reading, op, json_object_get(lat, "percentile") ? lat : clat);
}

/* ---- options ---- */

/* Of the job, else of all jobs. */
static const char *option(const json_t *job, const json_t *global, const char *name)
{
    const char *own = text_of(json_object_get(job, "job options"), name);
    return *own ? own : text_of(global, name);
}

static void state_options(struct reading *reading, const json_t *job, const json_t *global)
{
    static const char *const same[][3] = {
        /* option, setting, fio's default */
        {"iodepth", "depth", "1"},    {"bs", "block_size", "4k"},          {"numjobs", "threads", "1"},
        {"nrfiles", "files", "1"},    {"rwmixread", "read_percent", "50"}, {"fsync", "sync_every", "0"},
        {"size", "total_size", NULL}, {"runtime", "time", NULL},           {"ramp_time", "warmup", "0"},
        {"filename", "target", NULL}, {"rate_iops", "rate", "0"},          {"directory", "dir", NULL}};
    const char *rw = option(job, global, "rw"), *engine = option(job, global, "ioengine");
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        const char *text = option(job, global, same[i][0]);
        if (*text)
            reading_state(reading, same[i][1], text);
        else if (same[i][2])
            reading_suppose(reading, same[i][1], same[i][2]);
    }
    fio_state_mode(reading, *rw ? rw : *option(job, global, "readwrite") ? option(job, global, "readwrite") : "read");
    if (*engine)
        fio_state_engine(reading, engine);
    if (strcmp(option(job, global, "direct"), "1") == 0)
        reading_state(reading, "cache", "off");
    reading_suppose(reading, "cache", "on");
    reading_suppose(reading, "through", "off");
    reading_suppose(reading, "sync_at_end", "off");
    reading_suppose(reading, "distribution", "uniform");
    reading_suppose(reading, "cursor", "thread");
    reading_suppose(reading, "fill", "written");
    if (!*option(job, global, "norandommap"))
        reading_suppose(reading, "coverage", mode_is_sequential(reading->job.mode) ? "any" : "once");
}

/* ---- runs ---- */

static bool read_jobs(const struct transcript *transcript, const json_t *root, struct readings *out,
                      struct error *error)
{
    const json_t *jobs = json_object_get(root, "jobs"), *global = json_object_get(root, "global options");
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        const json_t *job = json_array_get(jobs, i);
        struct reading *reading = readings_add(out, "fio", transcript, 0, error);
        if (!reading)
            return false;
        const char *version = text_of(root, "fio version");
        snprintf(reading->version, sizeof reading->version, "%.60s",
                 strncmp(version, "fio-", 4) == 0 ? version + 4 : version);
        snprintf(reading->name, sizeof reading->name, "%.120s", text_of(job, "jobname"));
        snprintf(reading->source, sizeof reading->source, "%.2000s", transcript->name);
        state_options(reading, job, global);
        put_class(reading, CLASS_READ, json_object_get(job, "read"));
        put_class(reading, CLASS_WRITE, json_object_get(job, "write"));
        reading->partial = reading->figures_count == 0 || json_integer_value(json_object_get(job, "error")) != 0;
    }
    return true;
}

/* The document begins with a line that is a brace alone. */
static const char *find_document(const struct transcript *transcript)
{
    const char *at = transcript->text;
    if (!strstr(at, "\"fio version\""))
        return NULL;
    while (at && *at != '{') {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at;
}

static bool read_fio_json(const struct transcript *transcript, struct readings *out, struct error *error)
{
    const char *text = find_document(transcript);
    json_error_t problem;
    if (!text)
        return true;
    json_t *root = json_loads(text, JSON_DISABLE_EOF_CHECK, &problem);
    if (!root)
        return error_set(error, ERR_DATA, "%s: fio's JSON is not whole: %s (line %d)", transcript->name, problem.text,
                         problem.line);
    bool good = read_jobs(transcript, root, out, error);
    json_decref(root);
    return good;
}

const struct reader fio_json_reader = {"fio", read_fio_json};
