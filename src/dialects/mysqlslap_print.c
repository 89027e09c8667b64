/* mysqlslap_print.c: mysqlslap's report and its CSV, once all runs of one number of clients are over. */
#include "dialects/mysqlslap.h"

#include "core/units.h"
#include "platform/clock.h"
#include "platform/compiler.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CSV_BYTES_MAX ((size_t)1 << 26)

/* What was sent: mysqlslap shows what was asked for, 0 where nothing was, and forgets that it rounds down. */
static uint64_t per_client(const struct job *job)
{
    return job->events / job->threads;
}

static double seconds(uint64_t ns)
{
    return (double)ns / (double)NS_PER_S;
}

static void print_latencies(const struct slap *slap)
{
    static const double percents[] = {50, 95, 99};
    char text[32];
    fprintf(slap->out, "\tLatency of a query: mean %s",
            units_time_human(histogram_mean(&slap->latencies), text, sizeof(text)));
    for (size_t i = 0; i < COUNT_OF(percents); ++i) {
        double ns = (double)histogram_percentile(&slap->latencies, percents[i]);
        fprintf(slap->out, ", p%.0f %s", percents[i], units_time_human(ns, text, sizeof(text)));
    }
    fprintf(slap->out, ", max %s\n", units_time_human((double)slap->latencies.max_ns, text, sizeof(text)));
}

static void print_text(const struct slap *slap, const struct job *job)
{
    FILE *out = slap->out;
    fputs("Benchmark\n", out);
    if (job->table_engine[0])
        fprintf(out, "\tRunning for engine %s\n", job->table_engine);
    fprintf(out, "\tAverage number of seconds to run all queries: %.3f seconds\n",
            seconds(slap->sum_ns) / (double)slap->runs);
    fprintf(out, "\tMinimum number of seconds to run all queries: %.3f seconds\n", seconds(slap->min_ns));
    fprintf(out, "\tMaximum number of seconds to run all queries: %.3f seconds\n", seconds(slap->max_ns));
    fprintf(out, "\tNumber of clients running queries: %" PRIu64 "\n", job->threads);
    fprintf(out, "\tAverage number of queries per client: %" PRIu64 "\n", per_client(job));
    if (slap->shows_latency)
        print_latencies(slap);
    fputc('\n', out);
    fflush(out);
}

/* A line too long for memory is lost, and all_done says so. */
static void add_csv(struct slap *slap, const char *line, size_t bytes)
{
    char *more = slap->csv_failed ? NULL : realloc(slap->csv_text, slap->csv_bytes + bytes);
    slap->csv_failed = !more;
    if (!more)
        return;
    memcpy(more + slap->csv_bytes, line, bytes);
    slap->csv_text = more;
    slap->csv_bytes += bytes;
}

static void print_csv(struct slap *slap, const struct job *job)
{
    char line[512];
    int bytes = snprintf(line, sizeof(line), "%s,%s,%.3f,%.3f,%.3f,%" PRIu64 ",%" PRIu64 "\n", job->table_engine,
                         slap->load_name, seconds(slap->sum_ns) / (double)slap->runs, seconds(slap->min_ns),
                         seconds(slap->max_ns), job->threads, per_client(job));
    if (slap->csv_path[0])
        add_csv(slap, line, (size_t)bytes);
    else
        fputs(line, slap->out);
    fflush(slap->out);
}

static void begin_runs(struct slap *slap)
{
    slap->runs = slap->sum_ns = slap->max_ns = 0;
    slap->min_ns = UINT64_MAX;
    memset(&slap->latencies, 0, sizeof(slap->latencies));
}

/* Figures of a run that was cut short are of something else. */
static void on_run_done(void *context, const struct result *result)
{
    struct slap *slap = context;
    if (result->partial)
        return;
    if (slap->verbose > 0)
        fputs("Generating stats\n", slap->out);
    if (slap->runs == 0)
        begin_runs(slap);
    ++slap->runs;
    slap->sum_ns += result->elapsed_ns;
    slap->min_ns = result->elapsed_ns < slap->min_ns ? result->elapsed_ns : slap->min_ns;
    slap->max_ns = result->elapsed_ns > slap->max_ns ? result->elapsed_ns : slap->max_ns;
    histogram_merge(&slap->latencies, &result->total.of[CLASS_TRANSACTION].latency);
    if (slap->runs < result->job.repeat)
        return;
    if (!slap->is_silent && !slap->is_csv)
        print_text(slap, &result->job);
    if (slap->is_csv)
        print_csv(slap, &result->job);
    slap->runs = 0;
}

static void on_run_starting(void *context, const struct job *job)
{
    const struct slap *slap = context;
    (void)job;
    if (slap->verbose > 0)
        fputs("Starting Concurrency Test\n", slap->out);
    if (slap->verbose > 0 && slap->sql.script.makes_schema)
        fputs("Loading Pre-data\n", slap->out);
}

/* Behind what the file has: all of it is written anew, so that no half line can be left. */
static bool write_csv(struct slap *slap, struct error *error)
{
    char *old = NULL;
    size_t old_bytes = 0;
    enum path_kind kind = PATH_ABSENT;
    if (!path_look(slap->csv_path, &kind, NULL, error) ||
        (kind != PATH_ABSENT && !path_read_text(slap->csv_path, CSV_BYTES_MAX, &old, &old_bytes, error)))
        return false;
    char *all = malloc(old_bytes + slap->csv_bytes + 1);
    bool good = all || error_set(error, ERR_SYSTEM, "--csv: not enough memory");
    if (good && old_bytes)
        memcpy(all, old, old_bytes);
    if (good)
        memcpy(all + old_bytes, slap->csv_text, slap->csv_bytes);
    good = good && path_write_text(slap->csv_path, all, old_bytes + slap->csv_bytes, error);
    free(all);
    free(old);
    return good;
}

static bool on_all_done(void *context, struct error *error)
{
    struct slap *slap = context;
    if (slap->csv_failed)
        return error_set(error, ERR_SYSTEM, "--csv: not enough memory for its lines");
    return slap->csv_bytes == 0 || write_csv(slap, error);
}

struct listener slap_listener(struct slap *slap)
{
    return (struct listener){
        .context = slap, .run_starting = on_run_starting, .run_done = on_run_done, .all_done = on_all_done};
}
