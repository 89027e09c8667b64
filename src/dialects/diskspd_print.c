/* diskspd_print.c: DiskSpd's text as version 2.1 lays it out, and what it says while it runs. Where DiskSpd shows a
 * number that it does not have, this says N/A: the mean latency of no IO (DiskSpd: 0.000), and the deviation of IOPS of
 * one of several threads, which is not recorded. Threads are not bound unless -a says so, and the text tells. */
#include "dialects/diskspd.h"

#include "core/cpu_list.h"
#include "platform/host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MIB (1024.0 * 1024.0)
#define KIB_SHIFT 10

static const char *const section_names[DISKSPD_SECTIONS] = {"Total IO", "Read IO", "Write IO"};

static void print_dashes(FILE *out, int count)
{
    for (int i = 0; i < count; ++i)
        fputc('-', out);
    fputc('\n', out);
}

/* "64KiB" where it is a multiple, else "1.50KiB"; below 1 KiB the bare number. */
static void print_size(FILE *out, uint64_t bytes)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB", "TiB"};
    unsigned unit = COUNT_OF(units) - 1;
    while (unit > 0 && bytes < UINT64_C(1) << (unit * KIB_SHIFT))
        --unit;
    uint64_t one = UINT64_C(1) << (unit * KIB_SHIFT);
    if (bytes % one == 0)
        fprintf(out, "%" PRIu64 "%s", bytes / one, units[unit]);
    else
        fprintf(out, "%.2f%s", (double)bytes / (double)one, units[unit]);
}

static void print_size_line(FILE *out, const char *label, uint64_t bytes)
{
    if (bytes == 0)
        return;
    fprintf(out, "\t\t%s: ", label);
    print_size(out, bytes);
    fputc('\n', out);
}

/* ---- the profile ---- */

static void print_caches(FILE *out, const struct diskspd_given *given)
{
    fputs(given->uncached ? "\t\tsoftware cache disabled\n" : "\t\tusing software cache\n", out);
    if (!given->through)
        fputs("\t\tusing hardware write cache, writethrough off\n", out);
    else if (given->uncached)
        fputs("\t\thardware write cache disabled, writethrough on\n", out);
    else
        fputs("\t\thardware and software write caches disabled, writethrough on\n", out);
    if (given->mapped)
        fputs("\t\tmemory mapped I/O enabled\n", out);
}

static void print_operations(FILE *out, const struct diskspd_given *given)
{
    if (given->write_percent == 0)
        fputs("\t\tperforming read test\n", out);
    else if (given->write_percent == 100)
        fputs("\t\tperforming write test\n", out);
    else
        fprintf(out, "\t\tperforming mix test (read/write ratio: %" PRIu64 "/%" PRIu64 ")\n",
                100 - given->write_percent, given->write_percent);
}

static void print_order(FILE *out, const struct diskspd_given *given)
{
    uint64_t distance = given->random || given->mixed ? given->align_bytes : given->stride_bytes;
    if ((given->random || given->mixed) && given->random_percent == 100)
        fputs("\t\tusing random I/O (alignment: ", out);
    else if (given->mixed)
        fprintf(out, "\t\tusing mixed random/sequential I/O (%" PRIu64 "%% random) (alignment/stride: ",
                given->random_percent);
    else
        fprintf(out, "\t\tusing%s sequential I/O (stride: ", given->interlocked ? " interlocked" : "");
    print_size(out, distance ? distance : given->block_bytes);
    fputs(")\n", out);
}

static void print_part(FILE *out, const struct diskspd_given *given)
{
    uint64_t end = given->range_bytes ? given->base_bytes + given->range_bytes : given->end_bytes;
    print_size_line(out, "base file offset", given->base_bytes);
    print_size_line(out, "max file size", end);
    print_size_line(out, "thread stride size", given->thread_stride_bytes);
}

static void print_pace(FILE *out, const struct diskspd_given *given)
{
    if (given->rate > 0)
        fprintf(out, "\t\tthroughput rate-limited to %" PRIu64 " %s\n", given->rate,
                given->rate_in_ios ? "IOPS" : "B/ms");
}

/* What keeps several IOs in flight, which is not the same on every system. */
static void print_engine(FILE *out, const char *engine)
{
    static const struct {
        const char *engine, *words;
    } rows[] = {{"iocp", "I/O Completion Ports"}, {"uring", "io_uring"}, {"uv", "a pool of threads"}};
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        if (strcmp(rows[i].engine, engine) == 0)
            fprintf(out, "\t\tusing %s\n", rows[i].words);
}

static void print_target(FILE *out, const struct diskspd_given *given, const struct job *job, const char *name)
{
    fprintf(out, "\tpath: '%s'\n\t\tthink time: %" PRIu64 "ms\n\t\tburst size: %" PRIu64 "\n", name, given->think_ms,
            given->burst);
    print_caches(out, given);
    if (given->data == DATA_ZERO)
        fputs("\t\tzeroing write buffers\n", out);
    if (given->buffer_bytes > 0) {
        print_size_line(out, "write buffer size", given->buffer_bytes);
        fputs("\t\twrite buffer source: random fill\n", out);
    }
    print_operations(out, given);
    print_size_line(out, "block size", given->block_bytes);
    print_order(out, given);
    fprintf(out, "\t\tnumber of outstanding I/O operations per thread: %" PRIu64 "\n", job->depth);
    print_part(out, given);
    fprintf(out, "\t\tthreads per file: %" PRIu64 "\n", job->threads);
    if (job->depth > 1)
        print_engine(out, job->engine);
    fputs("\t\tIO priority: normal\n", out);
    print_pace(out, given);
}

static void print_binding(FILE *out, const struct job *job)
{
    const char *sign = "";
    if (job->cpus[0] == '\0')
        return;
    fputs("\tadvanced affinity round robin (group/core): ", out);
    for (uint32_t i = 0, count = cpu_list_count(job->cpus); i < count; ++i, sign = ", ")
        fprintf(out, "%s0/%" PRIu32, sign, cpu_list_at(job->cpus, i));
    fputc('\n', out);
}

static void print_time_span(FILE *out, const struct diskspd_given *given, const struct job *job)
{
    fprintf(out, "\ttimespan:   1\n\t-------------\n\tduration: %" PRIu64 "s\n\twarm up time: %" PRIu64 "s\n",
            given->duration_s, given->warmup_s);
    fputs("\tcool down time: 0s\n", out);
    if (job->cpus[0] == '\0')
        fputs("\taffinity disabled\n", out);
    if (given->latency)
        fputs("\tmeasuring latency\n", out);
    if (given->interval)
        fprintf(out, "\tgathering IOPS at intervals of %" PRIu64 "ms\n", given->interval_ms);
    if (job->seed > 0)
        fprintf(out, "\trandom seed: %" PRIu64 "\n", job->seed - 1);
    print_binding(out, job);
    if (given->data == DATA_RANDOM && given->buffer_bytes == 0)
        fputs("\tgenerating random data for each write IO\n", out);
}

void diskspd_print_profile(FILE *out, const struct diskspd_given *given, const struct job *job)
{
    fprintf(out, "\nCommand Line: %s\n\nInput parameters:\n\n", given->command_line);
    if (given->verbose)
        fputs("\tusing verbose mode\n", out);
    print_time_span(out, given, job);
    for (size_t i = 0; i < given->target_count; ++i)
        print_target(out, given, job, given->targets[i]);
    fputc('\n', out);
}

/* ---- results ---- */

static void print_system(FILE *out, const struct result *result)
{
    char name[HOST_NAME_BYTES], when[32];
    host_name(name);
    diskspd_time_text(result->wall_start_ns, when, sizeof(when));
    fprintf(out, "System information:\n\n\tcomputer name: %s\n\tstart time: %s\n", name, when);
}

static void print_cpu(FILE *out, const char *label, const struct diskspd_cpu *cpu)
{
    fprintf(out, "%s| %6.2f%%| %6.2f%%|  %6.2f%%| %6.2f%%\n", label, cpu->usage, cpu->user, cpu->kernel, cpu->idle);
}

/* Without rows where the system does not tell. */
static void print_cpus(FILE *out, const struct result *result)
{
    fputs("\nCPU |  Usage |  User  |  Kernel |  Idle\n", out);
    print_dashes(out, 43);
    for (size_t i = 0; i < result->cpus_count; ++i) {
        char label[24];
        struct diskspd_cpu cpu = diskspd_cpu_at(result, i);
        snprintf(label, sizeof(label), "%4zu", i);
        print_cpu(out, label, &cpu);
    }
    print_dashes(out, 43);
    struct diskspd_cpu all = diskspd_cpu_at(result, result->cpus_count);
    if (result->cpus_count > 0)
        print_cpu(out, "avg.", &all);
    else
        fputs("avg.|     N/A|     N/A|      N/A|     N/A\n", out);
}

struct table {
    FILE *out;
    const struct diskspd_given *given;
    const struct diskspd_runs *runs;
    enum diskspd_section section;
    double seconds;
};

static void print_border(const struct table *table)
{
    print_dashes(table->out, 78 + (table->given->latency ? 23 : 0) + (table->given->interval ? 13 : 0));
}

static void print_header(const struct table *table)
{
    bool latency = table->given->latency;
    fprintf(table->out, "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s %s%s%s|  file\n",
            latency ? "|  AvgLat  " : "", table->given->interval ? "| IopsStdDev " : "", latency ? "| LatStdDev " : "");
    print_border(table);
}

/* `iops` is NULL where the deviation is not known. */
static void print_figures(const struct table *table, const struct diskspd_sum *sum, const double *iops)
{
    FILE *out = table->out;
    bool latency = table->given->latency, any = sum->count > 0;
    fprintf(out, "%15" PRIu64 " | %12" PRIu64 " | %10.2f | %10.2f", sum->bytes, sum->count,
            (double)sum->bytes / MIB / table->seconds, (double)sum->count / table->seconds);
    if (latency && any)
        fprintf(out, " | %8.3f", diskspd_mean_ms(sum));
    else if (latency)
        fputs(" |      N/A", out);
    if (table->given->interval && iops)
        fprintf(out, " | %10.2f", *iops);
    else if (table->given->interval)
        fputs(" |        N/A", out);
    if (latency && any)
        fprintf(out, " |  %8.3f", diskspd_stddev_ms(sum));
    else if (latency)
        fputs(" |       N/A", out);
}

/* Threads are numbered on from target to target. */
static void print_rows(const struct table *table, size_t run, uint64_t first, struct diskspd_sum *total)
{
    const struct result *result = table->runs->results[run];
    struct diskspd_runs alone = {&table->runs->results[run], 1};
    double iops = diskspd_iops_stddev(&alone, table->section);
    for (uint64_t i = 0; i < result->job.threads; ++i) {
        struct diskspd_sum sum = {0, 0, 0, 0};
        diskspd_sum_thread(&result->threads[i], table->section, &sum);
        diskspd_sum_thread(&result->threads[i], table->section, total);
        fprintf(table->out, "%6" PRIu64 " | ", first + i);
        print_figures(table, &sum, result->job.threads == 1 ? &iops : NULL);
        fprintf(table->out, " | %s (", table->given->targets[run]);
        print_size(table->out, diskspd_file_bytes(result));
        fputs(")\n", table->out);
    }
}

static void print_table(const struct table *table)
{
    struct diskspd_sum total = {0, 0, 0, 0};
    double iops = diskspd_iops_stddev(table->runs, table->section);
    uint64_t first = 0;
    fprintf(table->out, "\n%s\n", section_names[table->section]);
    print_header(table);
    for (size_t i = 0; i < table->runs->count; ++i) {
        print_rows(table, i, first, &total);
        first += table->runs->results[i]->job.threads;
    }
    print_border(table);
    fputs("total:   ", table->out);
    print_figures(table, &total, &iops);
    fputc('\n', table->out);
}

/* ---- percentiles ---- */

static void print_cell(FILE *out, bool any, uint64_t ns)
{
    if (any)
        fprintf(out, " | %10.3f", (double)ns / 1e6);
    else
        fputs(" |        N/A", out);
}

static void print_percentile(FILE *out, const char *name, double percent, const struct histogram latency[])
{
    static const enum diskspd_section columns[] = {DISKSPD_READ, DISKSPD_WRITE, DISKSPD_TOTAL};
    fprintf(out, "%7s", name);
    for (size_t i = 0; i < COUNT_OF(columns); ++i) {
        const struct histogram *of = &latency[columns[i]];
        uint64_t ns = percent <= 0 ? of->min_ns : percent >= 100 ? of->max_ns : histogram_percentile(of, percent);
        print_cell(out, of->count > 0, ns);
    }
    fputc('\n', out);
}

static void print_chart(FILE *out, const char *title, const struct diskspd_runs *runs)
{
    static const struct {
        const char *name;
        double percent;
    } rows[] = {{"min", 0},
                {"25th", 25},
                {"50th", 50},
                {"75th", 75},
                {"90th", 90},
                {"95th", 95},
                {"99th", 99},
                {"3-nines", 99.9},
                {"4-nines", 99.99},
                {"5-nines", 99.999},
                {"6-nines", 99.9999},
                {"7-nines", 99.99999},
                {"8-nines", 99.999999},
                {"9-nines", 99.9999999},
                {"max", 100}};
    struct histogram *latency = calloc(DISKSPD_SECTIONS, sizeof(*latency));
    fprintf(out, "\n%s\n  %%-ile |  Read (ms) | Write (ms) | Total (ms)\n", title);
    print_dashes(out, 46);
    if (!latency) {
        fputs("not enough memory for the percentiles\n", out);
        return;
    }
    for (size_t i = 0; i < runs->count; ++i)
        for (int section = 0; section < DISKSPD_SECTIONS; ++section)
            diskspd_merge_latency(runs->results[i], (enum diskspd_section)section, &latency[section]);
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        print_percentile(out, rows[i].name, rows[i].percent, latency);
    free(latency);
}

static void print_latency(FILE *out, const struct diskspd_given *given, const struct diskspd_runs *runs)
{
    fputs("\n\n", out);
    for (size_t i = 0; runs->count > 1 && i < runs->count; ++i) {
        struct diskspd_runs alone = {&runs->results[i], 1};
        print_chart(out, given->targets[i], &alone);
    }
    print_chart(out, "total:", runs);
}

void diskspd_print_runs(FILE *out, const struct diskspd_given *given, const struct diskspd_runs *runs)
{
    const struct result *first = runs->results[0];
    diskspd_print_profile(out, given, &first->job);
    print_system(out, first);
    fputs("\n\nResults for timespan 1:\n"
          "*******************************************************************************\n\n",
          out);
    fprintf(out, "actual test time:\t%.2fs\nthread count:\t\t%" PRIu64 "\n", diskspd_seconds(runs),
            diskspd_threads(runs));
    if (given->all_outstanding > 0)
        fprintf(out, "request count:\t\t%" PRIu64 "\n", given->all_outstanding);
    fprintf(out, "proc count:\t\t%zu\n", diskspd_processors(first));
    print_cpus(out, first);
    for (int section = 0; section < DISKSPD_SECTIONS; ++section) {
        struct table table = {out, given, runs, (enum diskspd_section)section, diskspd_seconds(runs)};
        print_table(&table);
    }
    if (given->latency)
        print_latency(out, given, runs);
}

/* ---- while it runs ---- */

static void say(void *context, const char *what)
{
    const struct diskspd_printer *printer = context;
    if (!printer->given.verbose || printer->given.xml)
        return;
    fprintf(printer->out, "%s...\n", what);
    fflush(printer->out);
}

static void run_warming(void *context, const struct job *job)
{
    (void)job;
    say(context, "starting warm up");
}

static void run_measuring(void *context, const struct job *job)
{
    (void)job;
    say(context, "starting measurements");
}

static void prepare_file(void *context, const char *path, enum prepare_step step)
{
    char what[TEXT_MAX + 16];
    (void)step;
    snprintf(what, sizeof(what), "filling %s", path);
    say(context, what);
}

/* A dot for so many IOs of all threads. */
static void run_interval(void *context, const struct job *job, const struct interval *interval)
{
    struct diskspd_printer *printer = context;
    (void)job;
    if (printer->given.dot_every == 0 || printer->given.xml)
        return;
    printer->done += interval->count[CLASS_READ] + interval->count[CLASS_WRITE];
    for (; printer->dots < printer->done / printer->given.dot_every; ++printer->dots)
        fputc('.', printer->out);
    fflush(printer->out);
}

static void report(struct diskspd_printer *printer, const struct diskspd_runs *runs)
{
    if (!printer->given.xml)
        diskspd_print_runs(printer->out, &printer->given, runs);
    else if (!diskspd_xml_runs(printer->out, &printer->given, runs))
        printer->lost = true;
    fflush(printer->out);
}

static void run_done(void *context, const struct result *result)
{
    struct diskspd_printer *printer = context;
    struct diskspd_runs runs = {&result, 1};
    if (printer->further_count == 0)
        report(printer, &runs);
}

static void runs_done(void *context, const struct result *const *results, size_t count)
{
    struct diskspd_printer *printer = context;
    struct diskspd_runs runs = {results, count};
    if (count > 1 && count == printer->given.target_count)
        report(printer, &runs);
}

static bool all_done(void *context, struct error *error)
{
    const struct diskspd_printer *printer = context;
    return !printer->lost || error_set(error, ERR_SYSTEM, "not enough memory for the report in XML");
}

struct listener diskspd_listener(struct diskspd_printer *printer)
{
    return (struct listener){.context = printer,
                             .prepare_file = prepare_file,
                             .run_warming = run_warming,
                             .run_measuring = run_measuring,
                             .run_interval = run_interval,
                             .run_done = run_done,
                             .runs_done = runs_done,
                             .all_done = all_done};
}
