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

static bool has_several_sizes(const json_t *job, const json_t *global)
{
    static const char *const names[] = {"bsrange", "bssplit", "blocksize_range", "blocksize", "bs_unaligned"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (*option(job, global, names[i]))
            return true;
    return strpbrk(option(job, global, "bs"), ",-:") != NULL;
}

/* What can be told of options that the dialect does not know all of. */
static void state_options(struct reading *reading, const json_t *job, const json_t *global)
{
    static const char *const same[][2] = {
        {"iodepth", "depth"},    {"bs", "block_size"},   {"nrfiles", "files"}, {"rwmixread", "read_percent"},
        {"fsync", "sync_every"}, {"size", "total_size"}, {"runtime", "time"},  {"ramp_time", "warmup"},
        {"filename", "target"},  {"directory", "dir"}};
    const char *rw = option(job, global, "rw"), *engine = option(job, global, "ioengine");
    for (size_t i = 0; i < COUNT_OF(same); i++)
        if (*option(job, global, same[i][0]))
            reading_state(reading, same[i][1], option(job, global, same[i][0]));
    fio_state_mode(reading, *rw ? rw : *option(job, global, "readwrite") ? option(job, global, "readwrite") : "read");
    if (*engine)
        fio_state_engine(reading, engine);
    if (strcmp(option(job, global, "direct"), "1") == 0)
        reading_state(reading, "cache", "off");
}

/* ---- options as a command line ---- */

struct words {
    char *list[COMMAND_WORDS_MAX];
    size_t count;
};

static void add_word(struct words *words, const char *key, const char *value)
{
    size_t bytes = strlen(key) + strlen(value) + 4;
    char *word = words->count < COUNT_OF(words->list) ? malloc(bytes) : NULL;
    if (!word)
        return;
    snprintf(word, bytes, "--%s%s%s", key, *value ? "=" : "", value);
    words->list[words->count++] = word;
}

/* fio writes every option's value as text; one that needs none has an empty one. */
static void add_options(struct words *words, json_t *options)
{
    const char *key;
    json_t *value;
    json_object_foreach(options, key, value)
    {
        if (strcmp(key, "name") != 0 && json_is_string(value))
            add_word(words, key, json_string_value(value));
    }
}

/* Are the processes of this job reported as one? */
static bool is_grouped(const json_t *jobs, const json_t *job)
{
    size_t alike = 0;
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        const json_t *other = json_array_get(jobs, i);
        alike += strcmp(text_of(other, "jobname"), text_of(job, "jobname")) == 0 &&
                 json_equal(json_object_get(other, "groupid"), json_object_get(job, "groupid"));
    }
    return alike == 1;
}

/* Options that stand alone are not among those that fio writes: time_based, norandommap, group_reporting. */
static void take_options(struct reading *reading, const json_t *jobs, const json_t *job, json_t *global)
{
    struct words words = {{NULL}, 0};
    struct job known;
    struct error error = ERROR_INIT;
    bool grouped = is_grouped(jobs, job);
    add_word(&words, "name", reading->name);
    add_options(&words, global);
    add_options(&words, json_object_get(job, "job options"));
    if (grouped)
        add_word(&words, "group_reporting", "");
    if (*option(job, global, "runtime"))
        add_word(&words, "time_based", "");
    if (!fio_job_of(reading->name, words.count, words.list, &known, &error))
        state_options(reading, job, global);
    fio_suppose(reading, words.count, words.list);
    if (error.kind && has_several_sizes(job, global))
        reading_forget(reading, "block_size");
    reading_state(reading, "threads",
                  grouped && *option(job, global, "numjobs") ? option(job, global, "numjobs") : "1");
    reading_forget(reading, "passes");
    reading_forget(reading, "coverage");
    for (size_t i = 0; i < words.count; i++)
        free(words.list[i]);
}

/* ---- runs ---- */

static bool read_jobs(const struct transcript *transcript, size_t line, const json_t *root, struct readings *out,
                      struct error *error)
{
    const json_t *jobs = json_object_get(root, "jobs");
    struct fio_group before = {NULL, 0};
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        const json_t *job = json_array_get(jobs, i);
        struct reading *reading = readings_add(out, "fio", transcript, line, error);
        if (!reading)
            return false;
        const char *version = text_of(root, "fio version");
        snprintf(reading->version, sizeof reading->version, "%.60s",
                 strncmp(version, "fio-", 4) == 0 ? version + 4 : version);
        snprintf(reading->name, sizeof reading->name, "%.120s", text_of(job, "jobname"));
        take_options(reading, jobs, job, json_object_get(root, "global options"));
        put_class(reading, CLASS_READ, json_object_get(job, "read"));
        put_class(reading, CLASS_WRITE, json_object_get(job, "write"));
        reading->partial = reading->figures_count == 0 || json_integer_value(json_object_get(job, "error")) != 0;
        fio_join_clones(out, &before, json_number_value(json_object_get(job, "groupid")));
    }
    return true;
}

static bool read_object(const struct transcript *transcript, const struct transcript_object *object,
                        struct readings *out, struct error *error)
{
    json_error_t problem;
    json_t *root = json_loadb(object->at, object->bytes, 0, &problem);
    if (!root)
        return error_set(error, ERR_DATA, "%s:%zu: fio's JSON is not whole: %s", transcript->name,
                         object->line + (size_t)problem.line, problem.text);
    bool good = read_jobs(transcript, object->line, root, out, error);
    json_decref(root);
    return good;
}

static bool read_fio_json(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct transcript_object object = {0};
    while (transcript_next_object(transcript, "\"fio version\"", &object))
        if (!read_object(transcript, &object, out, error))
            return false;
    return true;
}

const struct reader fio_json_reader = {"fio", read_fio_json};
