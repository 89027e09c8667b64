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

bool readings_add_result(struct readings *out, const char *source, struct result *result, struct error *error)
{
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
    const char *source;
    struct error *error;
};

static bool take_result(void *context, struct result *result)
{
    struct taking *taking = context;
    return readings_add_result(taking->out, taking->source, result, taking->error);
}

bool readings_from_json(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct taking taking = {out, transcript->name, error};
    if (!strstr(transcript->text, "\"isobench\"") || strstr(transcript->text, "\"fio version\""))
        return true; /* the latter is fio's layout, which isobench signs too */
    return results_from_json(transcript->text, transcript->name, take_result, &taking, error);
}
