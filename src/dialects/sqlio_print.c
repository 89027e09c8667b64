/* sqlio_print.c: SQLIO's layout, line by line. Facts of form: published outputs of v1.5.SG and what log readers
 * expect; where none was found (-BN, -BY, -BS, stripes, several files) it is our wording. */
#include "dialects/sqlio.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MIB (1024.0 * 1024.0)
#define HISTOGRAM_CELLS 25 /* 0 to 23 ms, and more */

/* ---- before the run ---- */

static uint64_t threads_of(const struct sqlio_given *given)
{
    return given->pool_count ? given->pools[0].threads * given->pool_count : given->threads;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* The index-th of the names, or its length 0. */
static const char *name_at(const char *names, size_t index, size_t *length)
{
    for (; names && index > 0; --index) {
        names = strchr(names, ',');
        names = names ? names + 1 : NULL;
    }
    *length = names ? strcspn(names, ",") : 0;
    return names ? names : "";
}

static void print_pools(const struct sqlio_printer *printer)
{
    const struct sqlio_given *given = &printer->given;
    uint64_t first = 0;
    if (!given->param_path)
        return;
    fprintf(printer->out, "parameter file used: %s\n", given->param_path);
    for (size_t i = 0; i < given->pool_count; ++i) {
        const struct sqlio_pool *pool = &given->pools[i];
        size_t length;
        const char *name = name_at(given->shown, i, &length);
        fprintf(printer->out, "\tfile %.*s with %" PRIu64 " thread%s (%" PRIu64, (int)length, name, pool->threads,
                plural(pool->threads), first);
        first += pool->threads;
        if (pool->threads > 1)
            fprintf(printer->out, "-%" PRIu64, first - 1);
        fprintf(printer->out, ") using mask 0x%" PRIx64 " (%" PRIu64 ")\n", pool->mask, pool->mask);
    }
}

/* "file A", "files A and B", "files A, B and C" */
static void print_names(const struct sqlio_printer *printer)
{
    const char *names = printer->given.shown;
    size_t length;
    fputs(strchr(names, ',') ? "files " : "file ", printer->out);
    for (size_t i = 0; name_at(names, i, &length), length > 0; ++i) {
        size_t next_length;
        bool last = (name_at(names, i + 1, &next_length), next_length == 0);
        fprintf(printer->out, "%s%.*s", i == 0 ? "" : last ? " and " : ", ", (int)length, name_at(names, i, &length));
    }
    fputc('\n', printer->out);
}

static void print_load(const struct sqlio_printer *printer)
{
    const struct sqlio_given *given = &printer->given;
    uint64_t threads = threads_of(given);
    fprintf(printer->out, "%" PRIu64 " thread%s %s for %" PRIu64 " secs %s ", threads, plural(threads),
            given->writes ? "writing" : "reading", given->seconds, given->writes ? "to" : "from");
    print_names(printer);
    fprintf(printer->out, "\tusing %" PRIu64 "KB ", given->block_kb);
    if (given->pattern == SQLIO_STRIPE)
        fprintf(printer->out, "IOs over %" PRIu64 "KB stripes with %" PRIu64 " IOs per run\n",
                given->block_kb * given->stripe_blocks, given->run_blocks);
    else
        fprintf(printer->out, "%s IOs\n", given->pattern == SQLIO_RANDOM ? "random" : "sequential");
    if (given->outstanding)
        fprintf(printer->out, "\tenabling multiple I/Os per thread with %" PRIu64 " outstanding\n", given->outstanding);
}

static void print_buffering(const struct sqlio_printer *printer)
{
    static const struct {
        char letter;
        const char *words;
    } rows[] = {{'N', "not use file nor disk caches (as is SQL Server)"},
                {'Y', "use both file and disk caches"},
                {'H', "use hardware disk cache (but not file cache)"},
                {'S', "use file cache (but not hardware disk cache)"}};
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        if (rows[i].letter == printer->given.buffering)
            fprintf(printer->out, "\tbuffering set to %s\n", rows[i].words);
}

static void begin(struct sqlio_printer *printer)
{
    if (printer->begun)
        return;
    printer->begun = true;
    fputs("sqlio v1.5.SG\n", printer->out);
    if (printer->given.latency)
        fprintf(printer->out, "using system counter for latency timings, %" PRIu64 " counts per second\n",
                printer->ticks_per_s);
    print_pools(printer);
    print_load(printer);
    print_buffering(printer);
    fflush(printer->out);
}

static void expand_started(void *context, const char *path, uint64_t have_bytes, uint64_t want_bytes)
{
    struct sqlio_printer *printer = context;
    begin(printer);
    fprintf(printer->out,
            "size of file %s needs to be: %" PRIu64 " bytes\ncurrent file size:\t%" PRIu64
            " bytes\nneed to expand by:\t%" PRIu64 " bytes\nexpanding %s ...",
            path, want_bytes, have_bytes, want_bytes - have_bytes, path);
    fflush(printer->out);
}

static void expand_done(void *context, const char *path)
{
    const struct sqlio_printer *printer = context;
    (void)path;
    fputs(" done.\n", printer->out);
    fflush(printer->out);
}

static void run_starting(void *context, const struct job *job)
{
    (void)job;
    begin(context);
}

static void run_opened(void *context, const struct job *job)
{
    const struct sqlio_printer *printer = context;
    const struct sqlio_given *given = &printer->given;
    bool specified = given->pool_count > 0 && given->pools[0].size_mb > 0;
    size_t length;
    for (size_t i = 0; given->pattern != SQLIO_STRIPE && i < job->files; ++i) {
        const char *name = name_at(given->shown, i, &length);
        fprintf(printer->out, "using %s size: %" PRIu64 " MB for file: %.*s\n", specified ? "specified" : "current",
                (job->start_bytes + job->total_size_bytes / job->files) >> 20, (int)length, name);
    }
    fputs("initialization done\n", printer->out);
    fflush(printer->out);
}

/* ---- after it ---- */

/* Cut and not rounded, as published pairs of both figures show. */
static double cut_to_hundredths(double value)
{
    return floor(value * 100 + 1e-9) / 100;
}

static void print_throughput(FILE *out, const struct class_tally *tally, uint64_t load_ns)
{
    double seconds = (double)(load_ns ? load_ns : 1) / (double)NS_PER_S;
    fprintf(out, "throughput metrics:\nIOs/sec:%9.2f\nMBs/sec:%9.2f\n", (double)tally->latency.count / seconds,
            cut_to_hundredths((double)tally->bytes / MIB / seconds));
}

static void print_histogram(FILE *out, const struct histogram *latency)
{
    uint64_t cells[HISTOGRAM_CELLS] = {0};
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; ++i) {
        uint64_t ms = histogram_bucket_middle(i) / NS_PER_MS;
        cells[ms < HISTOGRAM_CELLS - 1 ? ms : HISTOGRAM_CELLS - 1] += latency->counts[i];
    }
    fputs("histogram:\nms: 0", out);
    for (int ms = 1; ms < HISTOGRAM_CELLS; ++ms)
        fprintf(out, " %2d", ms);
    fputs("+\n%:", out);
    for (int i = 0; i < HISTOGRAM_CELLS; ++i)
        fprintf(out, "%3.0f", latency->count ? (double)cells[i] * 100 / (double)latency->count : 0);
    fputc('\n', out);
}

static void print_latency(FILE *out, const struct histogram *latency)
{
    fprintf(out,
            "latency metrics:\nMin_Latency(ms): %" PRIu64 "\nAvg_Latency(ms): %" PRIu64 "\nMax_Latency(ms): %" PRIu64
            "\n",
            latency->min_ns / NS_PER_MS, (uint64_t)histogram_mean(latency) / NS_PER_MS, latency->max_ns / NS_PER_MS);
    print_histogram(out, latency);
}

static void run_done(void *context, const struct result *result)
{
    const struct sqlio_printer *printer = context;
    const struct class_tally *tally = &result->total.of[printer->given.writes ? CLASS_WRITE : CLASS_READ];
    fputs("CUMULATIVE DATA:\n", printer->out);
    print_throughput(printer->out, tally, result->load_ns);
    if (printer->given.latency)
        print_latency(printer->out, &tally->latency);
    fflush(printer->out);
}

struct listener sqlio_listener(struct sqlio_printer *printer)
{
    return (struct listener){.context = printer,
                             .expand_started = expand_started,
                             .expand_done = expand_done,
                             .run_starting = run_starting,
                             .run_opened = run_opened,
                             .run_done = run_done};
}

void sqlio_print_usage(FILE *out)
{
    fputs("usage: sqlio [options] [file ...]    options are glued to their values, as in -kW\n"
          "  -kR|W             read or write [R]\n"
          "  -tN               threads, which all work on all files [1]\n"
          "  -sN               seconds [30]\n"
          "  -dLETTERS         drives that the one file name is on\n"
          "  -RLIST            raw partitions by letter, disks by number: -RD,E,1\n"
          "  -fN|random|sequential   where the next IO goes: N blocks further, anywhere, to the next block [64]\n"
          "  -iN               with -fN: IOs before the pattern starts over one block later [64]\n"
          "  -pN, -aMASK, -aRMASK    bind the threads to one CPU, or to those of a mask in turn\n"
          "  -oN               IOs in flight per thread and file [0: one, files in turn]\n"
          "  -bN               KB of one IO [2]\n"
          "  -LS               latencies and their histogram\n"
          "  -BN|Y|H|S         caches: none, both, the hardware's, the system's [N]\n"
          "  -SN               first block\n"
          "  -FFILE            parameter file; a line is: file threads [mask [size in MB]]\n"
          "isobench adds: --json=FILE, --show-job, --as TOOL\n",
          out);
}
