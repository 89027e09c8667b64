/* sysbench_read.c: what sysbench printed, in the layouts of 0.4.8 to 1.1, of files and of databases. */
#include "dialects/readers.h"
#include "dialects/sysbench.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_BEGINS "Running the test with following options:"
#define LINES_ABOVE 24 /* where the command and the banner are looked for */

static const struct line_rule banners[] = {
    {"^sysbench v{text}: multi-threaded", {TO_VERSION}, {{NULL, NULL}}},
    {"^sysbench {text}: multi-threaded", {TO_VERSION}, {{NULL, NULL}}},
    {"^sysbench {text} (using", {TO_VERSION}, {{NULL, NULL}}},
    {"^sysbench {text} (isobench", {TO_VERSION}, {{NULL, NULL}}},
};

#define NO_STATES                                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            NULL, NULL                                                                                                 \
        }                                                                                                              \
    }
#define READS CLASS_READ
#define WRITES CLASS_WRITE

static const struct line_rule header_rules[] = {
    {"^Number of threads: {n}$", {TO_SETTING("threads")}, NO_STATES},
    {"^Report intermediate results every {s} second", {TO_SETTING("report_interval")}, NO_STATES},
    {"^Target transaction rate: {n}/sec", {TO_SETTING("rate")}, NO_STATES},
    {"^Warmup time: {s}s", {TO_SETTING("warmup")}, NO_STATES},
    {"^Initializing random number generator from seed ({n})", {TO_SETTING("seed")}, NO_STATES},
    {"^Validation checks: on", {TO_NOTHING}, {{"verify", "on"}}},
    {"^Extra file open flags: 0$", {TO_NOTHING}, {{"cache", "on"}, {"through", "off"}}},
    {"^Extra file open flags: (none)$", {TO_NOTHING}, {{"cache", "on"}, {"through", "off"}}},
    {"^Extra file open flags: 16384$", {TO_NOTHING}, {{"cache", "off"}, {"through", "off"}}},
    {"^Extra file open flags: 4096$", {TO_NOTHING}, {{"cache", "on"}, {"through", "data"}}},
    {"^Extra file open flags: 1052672$", {TO_NOTHING}, {{"cache", "on"}, {"through", "full"}}},
    {"^Extra file open flags: 20480$", {TO_NOTHING}, {{"cache", "off"}, {"through", "data"}}},
    {"^Extra file open flags: 1069056$", {TO_NOTHING}, {{"cache", "off"}, {"through", "full"}}},
    {"^Extra file open flags: directio", {TO_NOTHING}, {{"cache", "off"}, {"through", "off"}}},
    {"^Extra file open flags: dsync directio", {TO_NOTHING}, {{"cache", "off"}, {"through", "data"}}},
    {"^Extra file open flags: sync directio", {TO_NOTHING}, {{"cache", "off"}, {"through", "full"}}},
    {"^Extra file open flags: dsync", {TO_NOTHING}, {{"cache", "on"}, {"through", "data"}}},
    {"^Extra file open flags: sync", {TO_NOTHING}, {{"cache", "on"}, {"through", "full"}}},
    {"^{n} files, {size} each$", {TO_SETTING("files"), TO_NOTHING}, NO_STATES},
    {"^{size} total file size$", {TO_SETTING("total_size")}, NO_STATES},
    {"^Block size {size}$", {TO_SETTING("block_size")}, NO_STATES},
    {"^Number of random requests for random IO: {n}$", {TO_SETTING("events")}, NO_STATES},
    {"^Number of random requests for combined random IO: {n}$", {TO_SETTING("events")}, NO_STATES},
    {"^Number of IO requests: {n}$", {TO_SETTING("events")}, NO_STATES},
    {"^Periodic FSYNC enabled, calling fsync() each {n} requests", {TO_SETTING("sync_every")}, NO_STATES},
    {"^Calling fsync() at the end of test, Enabled", {TO_NOTHING}, {{"sync_at_end", "on"}}},
    {"^Calling fsync() after each write operation", {TO_NOTHING}, {{"sync_each_write", "on"}}},
    {"^Using synchronous I/O mode", {TO_NOTHING}, {{"engine", "sync"}, {"depth", "1"}}},
    {"^Using asynchronous I/O mode", {TO_NOTHING}, {{"engine", "auto"}}},
    {"^Using {text} mapped I/O mode", {TO_NOTHING}, {{"engine", "mmap"}}},
    {"^Doing sequential write (creation) test", {TO_NOTHING}, {{"mode", "seqwr"}}},
    {"^Doing sequential rewrite test", {TO_NOTHING}, {{"mode", "seqrewr"}}},
    {"^Doing sequential read test", {TO_NOTHING}, {{"mode", "seqrd"}}},
    {"^Doing random read test", {TO_NOTHING}, {{"mode", "rndrd"}}},
    {"^Doing random write test", {TO_NOTHING}, {{"mode", "rndwr"}}},
    {"^Doing random r/w test", {TO_NOTHING}, {{"mode", "rndrw"}}},
    {"^Doing combined random r/w test", {TO_NOTHING}, {{"mode", "rndrw"}}},
};

#define ALL OP_ALL
static const struct line_rule report_rules[] = {
    /* files, 0.4 */
    {"^Operations performed: {n} Read, {n} Write, {n} Other = {n} Total",
     {TO_FIGURE(FIGURE_COUNT, READS), TO_FIGURE(FIGURE_COUNT, WRITES), TO_FIGURE(FIGURE_COUNT, CLASS_SYNC), TO_NOTHING},
     NO_STATES},
    {"^Operations performed: {n} reads, {n} writes, {n} Other = {n} Total",
     {TO_FIGURE(FIGURE_COUNT, READS), TO_FIGURE(FIGURE_COUNT, WRITES), TO_FIGURE(FIGURE_COUNT, CLASS_SYNC), TO_NOTHING},
     NO_STATES},
    {"^Read {size} Written {size} Total transferred {size} ({size}/sec)",
     {TO_FIGURE(FIGURE_BYTES, READS), TO_FIGURE(FIGURE_BYTES, WRITES), TO_FIGURE(FIGURE_BYTES, ALL),
      TO_FIGURE(FIGURE_BYTES_PER_S, ALL)},
     NO_STATES},
    {"^{n} Requests/sec executed", {TO_FIGURE(FIGURE_PER_S, ALL)}, NO_STATES},
    {"^total time taken by event execution: {s}", {TO_FIGURE(FIGURE_SUM_NS, ALL)}, NO_STATES},
    /* files, 1.0 */
    {"^reads/s: {n}$", {TO_FIGURE(FIGURE_PER_S, READS)}, NO_STATES},
    {"^writes/s: {n}$", {TO_FIGURE(FIGURE_PER_S, WRITES)}, NO_STATES},
    {"^fsyncs/s: {n}$", {TO_FIGURE(FIGURE_PER_S, CLASS_SYNC)}, NO_STATES},
    {"^read, MiB/s: {MiB}$", {TO_FIGURE(FIGURE_BYTES_PER_S, READS)}, NO_STATES},
    {"^written, MiB/s: {MiB}$", {TO_FIGURE(FIGURE_BYTES_PER_S, WRITES)}, NO_STATES},
    /* files, 1.1 */
    {"^read: IOPS={n} {MiB} MiB/s", {TO_FIGURE(FIGURE_PER_S, READS), TO_FIGURE(FIGURE_BYTES_PER_S, READS)}, NO_STATES},
    {"^write: IOPS={n} {MiB} MiB/s",
     {TO_FIGURE(FIGURE_PER_S, WRITES), TO_FIGURE(FIGURE_BYTES_PER_S, WRITES)},
     NO_STATES},
    {"^fsync: IOPS={n}", {TO_FIGURE(FIGURE_PER_S, CLASS_SYNC)}, NO_STATES},
    /* databases */
    {"^read: {n}$", {TO_FIGURE(FIGURE_COUNT, CLASS_READ_QUERY)}, {{"work", "database"}}},
    {"^write: {n}$", {TO_FIGURE(FIGURE_COUNT, CLASS_WRITE_QUERY)}, {{"work", "database"}}},
    {"^other: {n}$", {TO_FIGURE(FIGURE_COUNT, CLASS_OTHER_QUERY)}, {{"work", "database"}}},
    {"^transactions: {n} ({n} per sec.)",
     {TO_FIGURE(FIGURE_COUNT, CLASS_TRANSACTION), TO_FIGURE(FIGURE_PER_S, CLASS_TRANSACTION)},
     {{"work", "database"}}},
    {"^deadlocks: {n} ({n} per sec.)", {TO_FIGURE(FIGURE_ERRORS, CLASS_TRANSACTION), TO_NOTHING}, NO_STATES},
    {"^ignored errors: {n} ({n} per sec.)", {TO_FIGURE(FIGURE_ERRORS, CLASS_TRANSACTION), TO_NOTHING}, NO_STATES},
    {"^reconnects: {n} ({n} per sec.)", {TO_FIGURE(FIGURE_COUNT, CLASS_CONNECT), TO_NOTHING}, NO_STATES},
    /* all */
    {"^WARNING: Operation time ({ns}) is greater than", {TO_FIGURE(FIGURE_SAMPLE_NS, ALL)}, NO_STATES},
    {"^total time: {s}s", {TO_FIGURE(FIGURE_ELAPSED_NS, ALL)}, NO_STATES},
    {"^time elapsed: {s}s", {TO_FIGURE(FIGURE_ELAPSED_NS, ALL)}, NO_STATES},
    {"^total number of events: {n}", {TO_FIGURE(FIGURE_COUNT, ALL)}, NO_STATES},
    {"^events/s (eps): {n}", {TO_FIGURE(FIGURE_PER_S, ALL)}, NO_STATES},
    {"^min: {ms}ms", {TO_FIGURE(FIGURE_MIN_NS, ALL)}, NO_STATES},
    {"^avg: {ms}ms", {TO_FIGURE(FIGURE_MEAN_NS, ALL)}, NO_STATES},
    {"^max: {ms}ms", {TO_FIGURE(FIGURE_MAX_NS, ALL)}, NO_STATES},
    {"^min: {s}s", {TO_FIGURE(FIGURE_MIN_NS, ALL)}, NO_STATES},
    {"^avg: {s}s", {TO_FIGURE(FIGURE_MEAN_NS, ALL)}, NO_STATES},
    {"^max: {s}s", {TO_FIGURE(FIGURE_MAX_NS, ALL)}, NO_STATES},
    {"^min: {ms}$", {TO_FIGURE(FIGURE_MIN_NS, ALL)}, NO_STATES},
    {"^avg: {ms}$", {TO_FIGURE(FIGURE_MEAN_NS, ALL)}, NO_STATES},
    {"^max: {ms}$", {TO_FIGURE(FIGURE_MAX_NS, ALL)}, NO_STATES},
    {"^sum: {ms}$", {TO_FIGURE(FIGURE_SUM_NS, ALL)}, NO_STATES},
    {"^events (avg/stddev): {n}/{n}",
     {TO_FIGURE(FIGURE_EVENTS_MEAN, ALL), TO_FIGURE(FIGURE_EVENTS_STDDEV, ALL)},
     NO_STATES},
};

/* ---- lines that a rule cannot say ---- */

/* "approx. 95 percentile: 0.48ms", "95th percentile: 0.03": which one is in the line itself. */
static bool take_percentile(struct reading *reading, const char *text, size_t line)
{
    static const char *const patterns[] = {"^approx. {n} percentile: {ms}ms", "^approx. {n} percentile: {s}s",
                                           "^{n}th percentile: {ms}$"};
    struct captured captured[LINE_CAPTURES];
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        if (!line_match(patterns[i], text, captured, NULL))
            continue;
        struct figure figure = {.kind = FIGURE_PERCENTILE_NS,
                                .op = OP_ALL,
                                .percent = captured[0].value,
                                .value = captured[1].value,
                                .quantum = captured[1].quantum,
                                .line = (uint32_t)line + 1};
        snprintf(figure.text, sizeof figure.text, "%.*s", (int)(captured[1].length < 40 ? captured[1].length : 40),
                 captured[1].at);
        reading_add_figure(reading, &figure);
        return true;
    }
    return false;
}

static bool take_interval(struct reading *reading, const char *text)
{
    static const char *const files[] = {"^[ {n}s ] reads: {n} MiB/s writes: {n} MiB/s",
                                        "^[ {n}s] reads: {n} MB/s writes: {n} MB/s"};
    struct captured captured[LINE_CAPTURES];
    if (line_match("^[ {n}s ] thds: {n} tps: {n}", text, captured, NULL) ||
        line_match("^[{n}s] threads: {n}, tps: {n}", text, captured, NULL))
        return reading_add_interval(reading, captured[2].value);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        if (line_match(files[i], text, captured, NULL) && reading->job.block_size_bytes > 0)
            return reading_add_interval(reading, (captured[1].value + captured[2].value) * 0x1p20 /
                                                     (double)reading->job.block_size_bytes);
    return false;
}

static void take_line(struct reading *reading, const char *text, size_t line)
{
    if (!take_percentile(reading, text, line) && !take_interval(reading, text) &&
        !reading_apply(reading, header_rules, COUNT_OF(header_rules), text, line))
        reading_apply(reading, report_rules, COUNT_OF(report_rules), text, line);
}

/* ---- the command, and what it leaves out ---- */

static bool is_old(const struct reading *reading)
{
    return strncmp(reading->version, "0.", 2) == 0;
}

/* The tool's defaults for such a test, from the dialect itself. */
static bool standard_job(const struct reading *reading, bool database, struct job *out)
{
    static char old_files[] = "--test=fileio", old_mode[] = "--file-test-mode=rndrd", old_database[] = "--test=oltp",
                files[] = "fileio", database_test[] = "oltp_read_write", run[] = "run";
    char *const of_files[] = {is_old(reading) ? old_files : files, old_mode, run};
    char *const of_database[] = {is_old(reading) ? old_database : database_test, run};
    struct reading *aside = calloc(1, sizeof *aside);
    bool good = aside && (database ? reading_parse_command(aside, &dialect_sysbench, 2, of_database, out)
                                   : reading_parse_command(aside, &dialect_sysbench, 3, of_files, out));
    free(aside);
    return good;
}

/* The time limit is not printed: without a command line it is the default only if the run took so long. */
static void doubt_time(struct reading *reading)
{
    const struct figure *elapsed = reading_figure(reading, FIGURE_ELAPSED_NS, OP_ALL, 0);
    double limit_ns = (double)reading->job.time_ns;
    bool fits = elapsed && elapsed->value > 0.95 * limit_ns && elapsed->value < 1.5 * limit_ns;
    if (limit_ns > 0 ? !fits : reading->job.events == 0)
        reading_forget(reading, "time");
}

static void take_command(struct reading *reading, const struct transcript *transcript, size_t after, size_t at)
{
    char text[TEXT_MAX], *words[COMMAND_WORDS_MAX];
    struct job standard, job;
    bool database = reading->job.work == WORK_DATABASE;
    size_t count = reading_find_command(transcript, after, at, "sysbench", "run", text, words);
    if (!standard_job(reading, database, &standard))
        return;
    job = standard;
    if (count == 0)
        reading_note(reading, "no command line stands above it: what it does not print is taken from sysbench's "
                              "defaults");
    else if (!reading_parse_command(reading, &dialect_sysbench, count, words, &job))
        job = standard;
    reading_take_job(reading, &job, &standard);
    if (count == 0)
        doubt_time(reading);
    if (database)
        reading_state(reading, "work", "database");
}

/* What is not printed when it is off. */
static void state_silent_settings(struct reading *reading)
{
    if (reading_provenance(reading, "block_size") != PROVENANCE_STATED)
        return;
    if (reading_provenance(reading, "sync_every") != PROVENANCE_STATED)
        reading_state(reading, "sync_every", "0");
    if (reading_provenance(reading, "sync_at_end") != PROVENANCE_STATED)
        reading_state(reading, "sync_at_end", "off");
    if (reading_provenance(reading, "sync_each_write") != PROVENANCE_STATED)
        reading_state(reading, "sync_each_write", "off");
}

/* ---- runs ---- */

static size_t run_end(const struct transcript *transcript, size_t begin)
{
    size_t at = begin + 1;
    while (at < transcript->count && !strstr(transcript->lines[at], RUN_BEGINS))
        at++;
    return at;
}

/* The report goes to its end: latencies stand below the sum of them, or above it; a run without events has none. */
static bool is_whole(const struct reading *reading)
{
    const struct figure *count = reading_figure(reading, FIGURE_COUNT, OP_ALL, 0);
    return reading_figure(reading, FIGURE_SUM_NS, OP_ALL, 0) &&
           (reading_figure(reading, FIGURE_MAX_NS, OP_ALL, 0) || (count && count->value <= 0));
}

/* Where the banner was cut off, the report tells which of the two layouts it is. */
static void guess_version(struct reading *reading, const struct transcript *transcript, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && !reading->version[0]; i++)
        if (strstr(transcript->lines[i], "Test execution summary:"))
            snprintf(reading->version, sizeof reading->version, "0.4");
}

/* cpu, memory, threads and mutex print the same frame; an output that was cut off before it says what it is of is kept.
 */
static bool is_of_other_test(const struct reading *reading)
{
    return reading->job.work == WORK_FILES && reading->figures_count > 0 &&
           reading_provenance(reading, "block_size") != PROVENANCE_STATED &&
           reading_provenance(reading, "mode") != PROVENANCE_STATED &&
           !reading_figure(reading, FIGURE_PER_S, CLASS_READ, 0) &&
           !reading_figure(reading, FIGURE_COUNT, CLASS_READ, 0);
}

/* `after`: the first line that is not the run's before. */
static bool read_run(const struct transcript *transcript, size_t after, size_t begin, size_t end, struct readings *out,
                     struct error *error)
{
    struct reading *reading = readings_add(out, "sysbench", transcript, begin, error);
    bool ended = false;
    if (!reading)
        return false;
    if (begin > LINES_ABOVE && after < begin - LINES_ABOVE)
        after = begin - LINES_ABOVE;
    for (size_t i = after; i < begin; i++)
        reading_apply(reading, banners, COUNT_OF(banners), transcript->lines[i], i);
    for (size_t i = begin; i < end && !ended; i++) {
        take_line(reading, transcript->lines[i], i);
        ended = line_match("^execution time (avg/stddev):", transcript->lines[i], (struct captured[LINE_CAPTURES]){{0}},
                           NULL);
    }
    if (is_of_other_test(reading)) {
        readings_drop_last(out);
        return true;
    }
    reading->partial = !is_whole(reading);
    guess_version(reading, transcript, begin, end);
    state_silent_settings(reading);
    take_command(reading, transcript, after, begin);
    return true;
}

static bool read_sysbench(const struct transcript *transcript, struct readings *out, struct error *error)
{
    size_t after = 0;
    for (size_t begin = 0; begin < transcript->count; begin++) {
        if (!strstr(transcript->lines[begin], RUN_BEGINS))
            continue;
        if (!read_run(transcript, after, begin, run_end(transcript, begin), out, error))
            return false;
        after = begin + 1;
    }
    return true;
}

const struct reader sysbench_reader = {"sysbench", read_sysbench};
