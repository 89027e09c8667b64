/* sysbench_print.c: the part of the layouts that does not depend on the version, or only by a word: banner, header,
 * prepare, cleanup, interval lines, and the blocks that the reports share. Facts of form: real outputs of
 * sysbench 1.0.20 and published ones of 0.4.12 and 1.1. */
#include "dialects/sysbench.h"

#include "platform/clock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MIB (1024.0 * 1024.0)
enum { VERBOSE_WARNING = 2, VERBOSE_NOTICE = 3, VERBOSE_INFO = 4 };

static double seconds(uint64_t ns)
{
    return (double)ns / (double)NS_PER_S;
}

static double milliseconds(uint64_t ns)
{
    return (double)ns / (double)NS_PER_MS;
}

static bool notices(const struct sysbench_printer *printer)
{
    return printer->verbosity >= VERBOSE_NOTICE;
}

/* ---- banner and header ----------------------------------------------------------------------------------- */

static void print_warnings(const struct sysbench_printer *printer)
{
    if (printer->version == SYSBENCH_10)
        for (size_t i = 0; sysbench_deprecated[i]; ++i) {
            const char *name = sysbench_deprecated[i];
            if (printer->deprecated[i])
                fprintf(printer->out, "WARNING: --%s is deprecated, use --%s instead\n", name,
                        sysbench_option_find(name, strlen(name))->same_as);
        }
    if (printer->limits != LIMITS_ENDLESS)
        return;
    fputs(printer->version == SYSBENCH_04
              ? "WARNING: Both max-requests and max-time are 0, running endless test\n"
              : "WARNING: Both event and time limits are disabled, running an endless test\n",
          printer->out);
}

static void begin(const struct sysbench_printer *printer)
{
    if (printer->verbosity >= VERBOSE_WARNING)
        print_warnings(printer);
    if (notices(printer))
        sysbench_print_banner(printer->out, printer->version);
}

static void print_checkpoints(const struct sysbench_printer *printer, const struct job *job)
{
    if (job->checkpoints.count == 0)
        return;
    fputs("Report checkpoint(s) at ", printer->out);
    for (uint32_t i = 0; i < job->checkpoints.count; ++i)
        fprintf(printer->out, "%s%.10g", i ? ", " : "", job->checkpoints.values[i]);
    fputs(" seconds\n", printer->out);
}

static void print_seed(const struct sysbench_printer *printer)
{
    bool old = printer->version == SYSBENCH_04;
    if (printer->seed)
        fprintf(printer->out, "Initializing random number generator from seed (%" PRIu64 ").\n\n", printer->seed);
    else if (!old)
        fputs("Initializing random number generator from current time\n\n", printer->out);
    else if (printer->random_from_clock)
        fputs("Initializing random number generator from timer.\n\n", printer->out);
    if (printer->forced_ns)
        fprintf(printer->out, "Forcing shutdown in %.10g seconds\n", seconds(printer->forced_ns));
    fputc('\n', printer->out);
}

static void print_general_header(const struct sysbench_printer *printer, const struct job *job)
{
    FILE *out = printer->out;
    fprintf(out, "Running the test with following options:\nNumber of threads: %" PRIu64 "\n", job->threads);
    if (job->warmup_ns)
        fprintf(out, "Warmup time: %.10gs\n", seconds(job->warmup_ns));
    if (job->rate > 0)
        fprintf(out, "Target transaction rate: %.10g/sec\n", job->rate);
    if (job->report_interval_ns)
        fprintf(out, "Report intermediate results every %.10g second(s)\n", seconds(job->report_interval_ns));
    print_checkpoints(printer, job);
    if (printer->debug)
        fputs("Debug mode enabled.\n\n", out);
    if (job->verify)
        fputs("Validation checks: on.\n\n", out);
    print_seed(printer);
}

/* 0.4 prints the number that open(2) got on Linux. */
static void print_extra_flags(const struct sysbench_printer *printer)
{
    FILE *out = printer->out;
    if (printer->version == SYSBENCH_04) {
        int number =
            (printer->flag_sync ? 1052672 : 0) | (printer->flag_dsync ? 4096 : 0) | (printer->flag_direct ? 16384 : 0);
        fprintf(out, "Extra file open flags: %d\n", number);
        return;
    }
    bool any = printer->flag_sync || printer->flag_dsync || printer->flag_direct;
    fprintf(out, "Extra file open flags: %s%s%s%s\n", any ? "" : "(none)", printer->flag_sync ? "sync " : "",
            printer->flag_dsync ? "dsync " : "", printer->flag_direct ? "directio" : "");
}

static void print_merging(const struct sysbench_printer *printer, const struct job *job)
{
    char size[32];
    sysbench_size(printer->version, (double)job->block_size_bytes * (double)printer->merged_requests, size,
                  sizeof(size));
    if (printer->merged_requests)
        fprintf(printer->out, "Merging requests %s%s for sequential IO.\n",
                printer->version == SYSBENCH_04 ? " up to " : "up to ", size);
}

static void print_random_header(const struct sysbench_printer *printer, const struct job *job)
{
    if (mode_is_sequential(job->mode))
        return;
    fprintf(printer->out, "Number of %s: %" PRIu64 "\n",
            printer->version == SYSBENCH_04 ? "random requests for random IO" : "IO requests", printer->events);
    fprintf(printer->out, "Read/Write ratio for combined random IO test: %.2f\n", printer->rw_ratio);
}

static void print_sync_header(FILE *out, const struct job *job)
{
    if (job->sync_every)
        fprintf(out, "Periodic FSYNC enabled, calling fsync() each %" PRIu64 " requests.\n", job->sync_every);
    if (job->sync_at_end)
        fputs("Calling fsync() at the end of test, Enabled.\n", out);
    if (job->sync_each_write)
        fputs("Calling fsync() after each write operation.\n", out);
}

static void print_file_header(const struct sysbench_printer *printer, const struct job *job)
{
    static const char *const modes[] = {"sequential write (creation)",
                                        "sequential rewrite",
                                        "sequential read",
                                        "random read",
                                        "random write",
                                        "random r/w"};
    FILE *out = printer->out;
    char each[32], total[32], block[32];
    uint64_t each_bytes = job->total_size_bytes / job->files;
    print_extra_flags(printer);
    fprintf(out, "%" PRIu64 " files, %s each\n%s total file size\nBlock size %s\n", job->files,
            sysbench_size(printer->version, (double)each_bytes, each, sizeof(each)),
            sysbench_size(printer->version, (double)each_bytes * (double)job->files, total, sizeof(total)),
            sysbench_size(printer->version, (double)job->block_size_bytes, block, sizeof(block)));
    print_merging(printer, job);
    print_random_header(printer, job);
    print_sync_header(out, job);
    fprintf(out, "Using %s I/O mode\n%sDoing %s test\n", printer->io_mode,
            job->verify ? "Using checksums validation.\n" : "", modes[job->mode]);
}

/* ---- prepare and cleanup ----------------------------------------------------------------------------------- */

static const char *shown_path(const struct sysbench_printer *printer, const char *path)
{
    const char *name = path;
    if (printer->whole_paths)
        return path;
    for (const char *at = path; *at; ++at)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    return name;
}

/* Tables are made and read by several threads where the test has that, and sysbench says so. */
static void announce_threads(const struct sysbench_printer *printer)
{
    if (notices(printer) && printer->threads > 1 && printer->parallel_tables && printer->version != SYSBENCH_04)
        fputs("Initializing worker threads...\n\n", printer->out);
}

static void prepare_started(void *context, const struct job *job)
{
    struct sysbench_printer *printer = context;
    uint64_t each_bytes = job->total_size_bytes / job->files;
    begin(printer);
    if (job->work == WORK_DATABASE) {
        printer->begun_tables = true;
        announce_threads(printer);
    } else if (notices(printer)) {
        fprintf(printer->out, "%" PRIu64 " files, %" PRIu64 "Kb each, %" PRIu64 "Mb total\n", job->files,
                each_bytes / 1024, each_bytes * job->files / (1024 * 1024));
        fputs("Creating files for the test...\n", printer->out);
        if (printer->version != SYSBENCH_04)
            print_extra_flags(printer);
    }
    fflush(printer->out);
}

static void prepare_file(void *context, const char *path, enum prepare_step step)
{
    static const char *const verbs[] = {"Creating", "Extending existing", "Reusing existing"};
    const struct sysbench_printer *printer = context;
    if (notices(printer) && printer->version != SYSBENCH_04)
        fprintf(printer->out, "%s file %s\n", verbs[step], shown_path(printer, path));
    fflush(printer->out);
}

static void prepare_done(void *context, uint64_t written_bytes, uint64_t elapsed_ns)
{
    const struct sysbench_printer *printer = context;
    double taken_s = seconds(elapsed_ns ? elapsed_ns : 1);
    if (!notices(printer) || printer->version == SYSBENCH_04)
        return;
    if (written_bytes)
        fprintf(printer->out, "%" PRIu64 " bytes written in %.2f seconds (%.2f MiB/sec).\n", written_bytes, taken_s,
                (double)written_bytes / MIB / taken_s);
    else
        fputs("No bytes written.\n", printer->out);
    fflush(printer->out);
}

static void cleanup_started(void *context, const struct job *job)
{
    const struct sysbench_printer *printer = context;
    (void)job;
    begin(printer);
    if (notices(printer))
        fputs("Removing test files...\n", printer->out);
    fflush(printer->out);
}

static void cleanup_file(void *context, const char *path, enum cleanup_step step)
{
    const struct sysbench_printer *printer = context;
    if (step == CLEANUP_LEFT && printer->verbosity >= VERBOSE_WARNING)
        fprintf(printer->out, "WARNING: %s was not made by isobench and is left in place\n", shown_path(printer, path));
    fflush(printer->out);
}

/* ---- run ------------------------------------------------------------------------------------------------------ */

static void run_starting(void *context, const struct job *job)
{
    const struct sysbench_printer *printer = context;
    begin(printer);
    if (notices(printer)) {
        print_general_header(printer, job);
        if (job->work == WORK_DATABASE)
            sysbench_print_oltp_header(printer, job);
        else
            print_file_header(printer, job);
    }
    fflush(printer->out);
}

static void run_opened(void *context, const struct job *job)
{
    const struct sysbench_printer *printer = context;
    (void)job;
    if (notices(printer) && printer->version != SYSBENCH_04)
        fputs("Initializing worker threads...\n\n", printer->out);
    fflush(printer->out);
}

static void threads_started(struct sysbench_printer *printer)
{
    if (notices(printer) && !printer->threads_started)
        fputs(printer->version == SYSBENCH_04 ? "Threads started!\n" : "Threads started!\n\n", printer->out);
    printer->threads_started = true;
}

static void run_warming(void *context, const struct job *job)
{
    struct sysbench_printer *printer = context;
    threads_started(printer);
    if (notices(printer))
        fprintf(printer->out, "Warming up for %.10g seconds...\n\n", seconds(job->warmup_ns));
    fflush(printer->out);
}

static void run_measuring(void *context, const struct job *job)
{
    struct sysbench_printer *printer = context;
    (void)job;
    threads_started(printer);
    fflush(printer->out);
}

/* Whole seconds as sysbench prints them; what a fractional --report-interval or checkpoint needs otherwise. */
static void print_moment(const struct sysbench_printer *printer, uint64_t at_ns, bool whole)
{
    int decimals = whole ? 0 : 2;
    if (printer->version == SYSBENCH_04)
        fprintf(printer->out, "[%4.*fs] ", decimals, seconds(at_ns));
    else
        fprintf(printer->out, "[ %.*fs ] ", decimals, seconds(at_ns));
}

static void run_interval(void *context, const struct job *job, const struct interval *interval)
{
    const struct sysbench_printer *printer = context;
    if (job->work == WORK_DATABASE) {
        if (notices(printer))
            sysbench_print_oltp_interval(printer, job, interval);
        return;
    }
    double percent = job->percentiles.count ? job->interval_percentile : 0;
    double length_s = seconds(interval->end_ns > interval->start_ns ? interval->end_ns - interval->start_ns : 1);
    double reads = (double)interval->bytes[CLASS_READ] / MIB / length_s;
    double writes = (double)interval->bytes[CLASS_WRITE] / MIB / length_s;
    double syncs = (double)(interval->count[CLASS_SYNC] + interval->count[CLASS_END_SYNC]) / length_s;
    double latency_ms = job->percentiles.count ? milliseconds(interval->latency_percentile_ns) : 0;
    char number[32];
    if (!notices(printer))
        return;
    sysbench_percent(percent, number, sizeof(number));
    print_moment(printer, interval->end_ns, job->report_interval_ns % NS_PER_S == 0);
    if (printer->version == SYSBENCH_04)
        fprintf(printer->out, "reads: %.2f MB/s writes: %.2f MB/s fsyncs: %.2f/s response time: %.3fms (%s%%)\n", reads,
                writes, syncs, latency_ms, number);
    else
        fprintf(printer->out, "reads: %.2f MiB/s writes: %.2f MiB/s fsyncs: %.2f/s latency (ms,%s%%): %.3f\n", reads,
                writes, syncs, number, latency_ms);
    fflush(printer->out);
}

static void print_report(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns)
{
    static void (*const reports[SYSBENCH_VERSIONS])(const struct sysbench_printer *, const struct result *,
                                                    uint64_t) = {sysbench_report_04, sysbench_report_10,
                                                                 sysbench_report_11};
    (part->job.work == WORK_DATABASE ? sysbench_report_oltp : reports[printer->version])(printer, part, total_ns);
}

static bool all_whole(const struct real_list *list)
{
    for (uint32_t i = 0; i < list->count; ++i)
        if (list->values[i] != floor(list->values[i]))
            return false;
    return true;
}

static void run_checkpoint(void *context, const struct result *since, uint64_t at_ns)
{
    const struct sysbench_printer *printer = context;
    if (!notices(printer))
        return;
    print_moment(printer, at_ns, all_whole(&since->job.checkpoints));
    fputs("Checkpoint report:\n", printer->out);
    print_report(printer, since, at_ns);
    fflush(printer->out);
}

/* Why the threads ended, as each of them says in sysbench; repeated lines are counted. */
static void print_end(const struct sysbench_printer *printer, const struct result *result)
{
    const struct job *job = &result->job;
    bool by_events = job->events && result->total.events >= job->events;
    bool by_time = !by_events && job->time_ns && result->load_ns >= job->time_ns;
    if (printer->verbosity < VERBOSE_INFO)
        return;
    if (by_time || (by_events && printer->version != SYSBENCH_04)) {
        fprintf(printer->out, "%s limit exceeded, exiting...\n", by_time ? "Time" : "Event");
        if (job->threads > 1)
            fprintf(printer->out, "(last message repeated %" PRIu64 " times)\n", job->threads - 1);
    }
    fputs("Done.\n\n", printer->out);
}

/* Ctrl-C may have cut it off before the time was over. */
static void print_forced(const struct sysbench_printer *printer, const struct result *result)
{
    if (result->job.time_ns && result->load_ns >= result->job.time_ns)
        fputs("FATAL: The --max-time limit has expired, forcing shutdown...\n", printer->out);
    if (printer->version != SYSBENCH_04 || !notices(printer))
        return;
    fputc('\n', printer->out);
    sysbench_print_unfinished(printer, result);
}

static void print_threads(const struct sysbench_printer *printer, const struct result *part)
{
    fputs("DEBUG: Verbose per-thread statistics:\n\n", printer->out);
    for (uint64_t i = 0; i < part->job.threads; ++i) {
        const struct thread_row *row = &part->threads[i];
        double average_s = row->events ? seconds(row->busy_ns) / (double)row->events : 0;
        fprintf(printer->out, "DEBUG:     thread #%3" PRIu64 ": avg: %.4fs  events: %" PRIu64 "\n", i, average_s,
                row->events);
        fprintf(printer->out, "DEBUG:                  total time taken by event execution: %.4fs\n",
                seconds(row->busy_ns));
    }
    fputc('\n', printer->out);
}

/* ---- the end ------------------------------------------------------------------------------------------------ */

static void run_done(void *context, const struct result *result)
{
    const struct sysbench_printer *printer = context;
    const struct result *part = result->since_checkpoint ? result->since_checkpoint : result;
    if (result->forced)
        print_forced(printer, result);
    else
        print_end(printer, result);
    if (notices(printer)) {
        if (result->job.histogram)
            sysbench_print_histogram(printer, part);
        print_report(printer, part, result->elapsed_ns);
        if (printer->debug)
            print_threads(printer, part);
    }
    fflush(printer->out);
}

/* 1 read, 2 write, 3 sync, as sysbench numbers them. The syncs at the end are no requests there. */
static void request(void *context, const struct request *made)
{
    static const int operations[CLASS_COUNT] = {1, 2, 3, 0, 2};
    const struct sysbench_printer *printer = context;
    if (operations[made->op])
        fprintf(printer->out, "DEBUG: Executing request, operation: %d, file_id: %u, pos: %" PRIu64 ", size: %u\n",
                operations[made->op], made->file, made->offset, made->bytes);
}

static void table_step(void *context, const char *table, enum table_step step, uint64_t rows)
{
    struct sysbench_printer *printer = context;
    if (!printer->begun_tables) {
        begin(printer);
        if (step == TABLE_WARM)
            announce_threads(printer);
    }
    printer->begun_tables = true;
    if (notices(printer))
        sysbench_print_table_step(printer, table, step, rows);
    fflush(printer->out);
}

struct listener sysbench_listener(struct sysbench_printer *printer)
{
    struct listener listener = {
        .context = printer,
        .prepare_started = prepare_started,
        .prepare_file = prepare_file,
        .prepare_done = prepare_done,
        .cleanup_started = cleanup_started,
        .cleanup_file = cleanup_file,
        .table_step = table_step,
        .run_starting = run_starting,
        .run_opened = run_opened,
        .run_warming = run_warming,
        .run_measuring = run_measuring,
        .run_interval = run_interval,
        .run_checkpoint = run_checkpoint,
        .run_done = run_done,
        .request = printer->debug ? request : NULL,
    };
    return listener;
}
