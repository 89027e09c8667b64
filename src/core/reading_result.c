/* core/reading_result.c: isobench's own results as readings. */
#include "core/reading.h"
#include "core/result_json.h"
#include "core/settings.h"
#include "platform/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct filling {
    struct reading *reading;
    bool good;
};

static void put(struct filling *filling, enum figure_kind kind, int op, double percent, double value)
{
    struct figure figure = {.kind = kind, .op = op, .percent = percent, .value = value};
    filling->good &= reading_add_figure(filling->reading, &figure);
}

static double per_s(double amount, uint64_t ns)
{
    return ns ? amount * (double)NS_PER_S / (double)ns : 0;
}

static void put_latency(struct filling *filling, int op, const struct histogram *latency)
{
    const struct real_list *percents = &filling->reading->result->job.percentiles;
    if (latency->count == 0)
        return;
    put(filling, FIGURE_MIN_NS, op, 0, (double)latency->min_ns);
    put(filling, FIGURE_MEAN_NS, op, 0, histogram_mean(latency));
    put(filling, FIGURE_MAX_NS, op, 0, (double)latency->max_ns);
    put(filling, FIGURE_STDDEV_NS, op, 0, histogram_stddev(latency));
    put(filling, FIGURE_SUM_NS, op, 0, (double)latency->sum_ns);
    for (uint32_t i = 0; i < percents->count; i++)
        put(filling, FIGURE_PERCENTILE_NS, op, percents->values[i],
            (double)histogram_percentile(latency, percents->values[i]));
}

static void put_rates(struct filling *filling, int op, uint64_t count, uint64_t bytes)
{
    const struct result *result = filling->reading->result;
    put(filling, FIGURE_COUNT, op, 0, (double)count);
    put(filling, FIGURE_PER_S, op, 0, per_s((double)count, result->load_ns));
    if (result->job.work != WORK_FILES)
        return;
    put(filling, FIGURE_BYTES, op, 0, (double)bytes);
    put(filling, FIGURE_BYTES_PER_S, op, 0, per_s((double)bytes, result->load_ns));
}

static void put_class(struct filling *filling, enum op_class op)
{
    const struct class_tally *tally = &filling->reading->result->total.of[op];
    if (tally->latency.count == 0 && tally->errors == 0)
        return;
    if (op != CLASS_END_SYNC)
        put_rates(filling, (int)op, tally->latency.count, tally->bytes);
    put(filling, FIGURE_ERRORS, (int)op, 0, (double)tally->errors);
    put_latency(filling, (int)op, &tally->latency);
}

static void put_events(struct filling *filling)
{
    const struct result *result = filling->reading->result;
    struct histogram *latency = calloc(1, sizeof *latency);
    uint64_t bytes = result->total.of[CLASS_READ].bytes + result->total.of[CLASS_WRITE].bytes;
    if (!latency) {
        filling->good = false;
        return;
    }
    tally_events_latency(&result->total, &result->job, latency);
    put_rates(filling, OP_ALL, result->total.events, bytes);
    put_latency(filling, OP_ALL, latency);
    free(latency);
}

static void put_series(struct filling *filling)
{
    const struct result *result = filling->reading->result;
    for (size_t i = 0; i < result->series_count; i++) {
        const struct interval *row = &result->series[i];
        filling->good &=
            reading_add_interval(filling->reading, per_s((double)row->latency_events, row->end_ns - row->start_ns));
    }
}

static void put_threads(struct filling *filling)
{
    const struct result *result = filling->reading->result;
    for (uint64_t i = 0; i < result->job.threads; i++) {
        struct figure figure = {.kind = FIGURE_THREAD_EVENTS,
                                .op = OP_ALL,
                                .thread = (uint32_t)i,
                                .value = (double)result->threads[i].events};
        filling->good &= reading_add_figure(filling->reading, &figure);
    }
}

static void put_host(struct filling *filling)
{
    const struct result *result = filling->reading->result;
    uint64_t busy_ns = 0, idle_ns = 0;
    put(filling, FIGURE_ELAPSED_NS, OP_ALL, 0, (double)result->elapsed_ns);
    put(filling, FIGURE_CLOCK_HZ, OP_ALL, 0, (double)result->clock.ticks_per_s);
    for (size_t i = 0; i < result->cpus_count; i++) {
        busy_ns += result->cpus[i].user_ns + result->cpus[i].system_ns;
        idle_ns += result->cpus[i].idle_ns;
    }
    if (busy_ns + idle_ns > 0)
        put(filling, FIGURE_CPU_PERCENT, OP_ALL, 0, 100.0 * (double)busy_ns / (double)(busy_ns + idle_ns));
}

static void fill(struct filling *filling)
{
    put_events(filling);
    for (int op = 0; op < CLASS_COUNT; op++)
        put_class(filling, (enum op_class)op);
    put_host(filling);
    put_threads(filling);
    put_series(filling);
}

/* A job does not say the way that a step loads by, nor how it commits: two steps would look like one test. */
static bool refuse_load(const char *source, const struct result *result, struct error *error)
{
    return result->load.way[0] == '\0' ||
           error_set(error, ERR_UNSUPPORTED,
                     "%.400s: steps of `isobench load` are not set against other results: their figures are in the "
                     "part \"load\" of each of its runs",
                     source);
}

bool readings_add_result(struct readings *out, const char *source, struct result *result, struct error *error)
{
    if (!refuse_load(source, result, error)) {
        result_free(result);
        return false;
    }
    struct transcript none = {.name = source};
    struct reading *reading = readings_add(out, "isobench", &none, 0, error);
    if (!reading) {
        result_free(result);
        return false;
    }
    struct filling filling = {reading, true};
    reading->result = result;
    reading->job = result->job;
    reading->partial = result->partial;
    for (size_t i = 0; i < settings_count; i++)
        reading->provenance[i] = PROVENANCE_STATED;
    snprintf(reading->version, sizeof reading->version, "%s", result->version);
    snprintf(reading->source, sizeof reading->source, "%.2000s", source);
    if (result->measured)
        fill(&filling);
    return filling.good || error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", source);
}

/* ---- files ---- */

struct taking {
    struct readings *out;
    const char *name;
    uint32_t line; /* where the document begins, from 1 */
    struct error *error;
};

static bool take_result(void *context, struct result *result)
{
    struct taking *taking = context;
    char source[TEXT_MAX];
    snprintf(source, sizeof source, taking->line > 1 ? "%.2000s:%u" : "%.2000s", taking->name, (unsigned)taking->line);
    if (!readings_add_result(taking->out, source, result, taking->error))
        return false;
    taking->out->items[taking->out->count - 1]->line = taking->line;
    return true;
}

static bool take_object(const struct transcript *transcript, const struct transcript_object *object,
                        struct readings *out, struct error *error)
{
    struct taking taking = {out, transcript->name, (uint32_t)object->line + 1, error};
    char *text = malloc(object->bytes + 1);
    if (!text)
        return error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", transcript->name);
    memcpy(text, object->at, object->bytes);
    text[object->bytes] = '\0';
    bool is_fio = strstr(text, "\"fio version\"") != NULL; /* its layout is signed by isobench as well */
    bool good = is_fio || results_from_json(text, transcript->name, take_result, &taking, error);
    free(text);
    return good;
}

bool readings_from_json(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct transcript_object object = {0};
    while (transcript_next_object(transcript, "\"isobench\"", &object))
        if (!take_object(transcript, &object, out, error))
            return false;
    return true;
}
