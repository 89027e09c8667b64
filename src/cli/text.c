#include "cli/text.h"

#include "cli/text_replicas.h"
#include "cli/text_tables.h"
#include "core/settings.h"
#include "core/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BAR_WIDTH 30
#define PLAIN_EVERY_NS (5 * NS_PER_S)

struct text {
    FILE *out;
    struct replica_watcher replicas;
    bool terminal;
    bool bar_open;        /* a progress line without its line feed is on the screen */
    uint64_t plain_at_ns; /* next progress line when it is no terminal */
    uint64_t kept, left;  /* files */
};

static void end_bar(struct text *text)
{
    if (text->bar_open)
        fputc('\n', text->out);
    text->bar_open = false;
}

/* ---- prepare and cleanup ------------------------------------------------------------------------------------ */

static void print_set(struct text *text, const char *verb, const struct job *job)
{
    char total[32], block[32];
    fprintf(text->out, "%s %" PRIu64 " file%s, %s in all, in %s (blocks of %s)\n", verb, job->files,
            job->files == 1 ? "" : "s", units_bytes_human((double)job->total_size_bytes, total, sizeof(total)),
            job->dir, units_bytes_human((double)job->block_size_bytes, block, sizeof(block)));
}

static void prepare_started(void *context, const struct job *job)
{
    if (job->work == WORK_FILES)
        print_set(context, "preparing", job);
}

static void prepare_file(void *context, const char *path, enum prepare_step step)
{
    struct text *text = context;
    (void)path;
    text->kept += step == PREPARE_KEEP;
}

static void print_bar(FILE *out, double share)
{
    int filled = (int)(share * BAR_WIDTH);
    fputc('[', out);
    for (int i = 0; i < BAR_WIDTH; ++i)
        fputc(i < filled ? '#' : '.', out);
    fputc(']', out);
}

/* Begins a line of progress; false when it is too early for one. */
static bool begin_progress(struct text *text, double share, uint64_t elapsed_ns)
{
    if (!text->terminal && elapsed_ns < text->plain_at_ns)
        return false;
    text->plain_at_ns = elapsed_ns + PLAIN_EVERY_NS;
    if (text->terminal) {
        fputc('\r', text->out);
        print_bar(text->out, share);
    }
    fprintf(text->out, " %5.1f %%  ", share * 100);
    return true;
}

static void end_progress(struct text *text, double share, uint64_t elapsed_ns)
{
    char left[32];
    double left_ns = share > 0 ? (double)elapsed_ns * (1 - share) / share : 0;
    fprintf(text->out, "  %s left  ", units_time_human(left_ns, left, sizeof(left)));
    text->bar_open = text->terminal;
    if (!text->terminal)
        fputc('\n', text->out);
    fflush(text->out);
}

static void prepare_progress(void *context, const struct prepare_progress *progress)
{
    struct text *text = context;
    char done[32], rate[32];
    double share = progress->total_bytes ? (double)progress->done_bytes / (double)progress->total_bytes : 1;
    double bytes_per_s = progress->elapsed_ns ? (double)progress->done_bytes * 1e9 / (double)progress->elapsed_ns : 0;
    if (!begin_progress(text, share, progress->elapsed_ns))
        return;
    fprintf(text->out, "%s  %s/s", units_bytes_human((double)progress->done_bytes, done, sizeof(done)),
            units_bytes_human(bytes_per_s, rate, sizeof(rate)));
    end_progress(text, share, progress->elapsed_ns);
}

static void table_step(void *context, const char *table, enum table_step step, uint64_t rows)
{
    struct text *text = context;
    end_bar(text);
    text_tables_step(text->out, table, step, rows);
}

static void table_progress(void *context, const struct table_progress *progress)
{
    struct text *text = context;
    double share = progress->total_rows ? (double)progress->done_rows / (double)progress->total_rows : 1;
    double rows_per_s = progress->elapsed_ns ? (double)progress->done_rows * 1e9 / (double)progress->elapsed_ns : 0;
    if (!begin_progress(text, share, progress->elapsed_ns))
        return;
    fprintf(text->out, "%" PRIu64 " rows  %.0f rows/s", progress->done_rows, rows_per_s);
    end_progress(text, share, progress->elapsed_ns);
}

static void tables_done(void *context, uint64_t rows, uint64_t elapsed_ns)
{
    struct text *text = context;
    char time[32];
    end_bar(text);
    if (rows > 0)
        fprintf(text->out, "%" PRIu64 " rows in %s (%.0f rows/s, with their indexes)\n", rows,
                units_time_human((double)elapsed_ns, time, sizeof(time)),
                (double)rows * 1e9 / (double)(elapsed_ns ? elapsed_ns : 1));
}

static void prepare_done(void *context, uint64_t written_bytes, uint64_t elapsed_ns)
{
    struct text *text = context;
    char written[32], time[32], rate[32];
    end_bar(text);
    if (text->kept)
        fprintf(text->out, "kept %" PRIu64 " file%s that %s right already\n", text->kept, text->kept == 1 ? "" : "s",
                text->kept == 1 ? "was" : "were");
    double bytes_per_s = elapsed_ns ? (double)written_bytes * 1e9 / (double)elapsed_ns : 0;
    fprintf(text->out, "wrote %s in %s (%s/s, synced)\n",
            units_bytes_human((double)written_bytes, written, sizeof(written)),
            units_time_human((double)elapsed_ns, time, sizeof(time)),
            units_bytes_human(bytes_per_s, rate, sizeof(rate)));
}

static void cleanup_file(void *context, const char *path, enum cleanup_step step)
{
    struct text *text = context;
    if (step == CLEANUP_REMOVED)
        fprintf(text->out, "removed %s\n", path);
    else if (step == CLEANUP_LEFT)
        fprintf(text->out, "left %s: isobench did not make it\n", path);
}

/* ---- run ------------------------------------------------------------------------------------------------------ */

static const char *chosen(const struct job *job, const char *name, char *out, size_t out_bytes)
{
    job_get(job, setting_find(name), out, out_bytes);
    return out;
}

static void print_syncs(FILE *out, const struct job *job)
{
    char kind[32], counts[32];
    if (!mode_writes(job->mode))
        return;
    chosen(job, "sync_kind", kind, sizeof(kind));
    fprintf(out, "sync     ");
    if (job->sync_each_write)
        fprintf(out, "%s after each write", kind);
    else if (job->sync_every)
        fprintf(out, "%s of every file after %" PRIu64 " %s", kind, job->sync_every,
                chosen(job, "sync_counts", counts, sizeof(counts)));
    else
        fprintf(out, "none during the load");
    fprintf(out, "%s\n", job->sync_at_end && !job->sync_each_write ? ", once at the end" : "");
}

static void print_limits(FILE *out, const struct job *job)
{
    char time[32];
    const char *comma = "";
    fprintf(out, "stop     ");
    if (job->time_ns)
        fprintf(out, "after %s", units_time_human((double)job->time_ns, time, sizeof(time))), comma = " or ";
    if (job->events)
        fprintf(out, "%safter %" PRIu64 " events", comma, job->events), comma = " or ";
    if (job->passes)
        fprintf(out, "%safter %" PRIu64 " passes", comma, job->passes);
    if (job->warmup_ns)
        fprintf(out, "; warm-up %s", units_time_human((double)job->warmup_ns, time, sizeof(time)));
    fputc('\n', out);
}

/* What makes the order of the IOs another one than the mode's name tells. */
static void print_order(FILE *out, const struct job *job)
{
    char step[32];
    bool sequential = mode_is_sequential(job->mode);
    if (sequential && job->direction == DIRECTION_BACKWARD)
        fprintf(out, ", backward");
    if (job->step_bytes > 0)
        fprintf(out, ", steps of %s", units_bytes_human((double)job->step_bytes, step, sizeof(step)));
    if (!sequential && job->random_percent < 100)
        fprintf(out, ", %g %% of the IOs random and the others after the one before", job->random_percent);
    if (!sequential && job->coverage == COVERAGE_ONCE)
        fprintf(out, ", each place once a pass");
}

static void run_opened(void *context, const struct job *job)
{
    struct text *text = context;
    char mode[32], cache[32], through[32], distribution[32];
    if (job->work == WORK_DATABASE) {
        text_tables_opened(text->out, job);
        return;
    }
    fprintf(text->out, "isobench %s fileio: mode %s", ISOBENCH_VERSION, chosen(job, "mode", mode, sizeof(mode)));
    if (mode_reads(job->mode) && mode_writes(job->mode))
        fprintf(text->out, " (%g %% reads)", job->read_percent);
    if (!mode_is_sequential(job->mode))
        fprintf(text->out, ", %s offsets, seed %" PRIu64,
                chosen(job, "distribution", distribution, sizeof(distribution)), job->seed);
    print_order(text->out, job);
    fputc('\n', text->out);
    print_set(text, "files   ", job);
    fprintf(text->out, "path     engine %s, OS cache %s, write-through %s\n", job->engine,
            chosen(job, "cache", cache, sizeof(cache)), chosen(job, "through", through, sizeof(through)));
    fprintf(text->out, "load     %" PRIu64 " thread%s, queue depth %" PRIu64 " each\n", job->threads,
            job->threads == 1 ? "" : "s", job->depth);
    print_syncs(text->out, job);
    print_limits(text->out, job);
    fflush(text->out);
}

static void run_warming(void *context, const struct job *job)
{
    struct text *text = context;
    char time[32];
    fprintf(text->out, "warming up for %s\n", units_time_human((double)job->warmup_ns, time, sizeof(time)));
    fflush(text->out);
}

static double per_s(uint64_t count, uint64_t ns)
{
    return ns ? (double)count * 1e9 / (double)ns : 0;
}

static double mib(uint64_t bytes)
{
    return (double)bytes / (1024.0 * 1024.0);
}

void text_interval_percentile(FILE *out, const struct job *job, const struct interval *interval)
{
    char latency[32] = "-";
    if (interval->latency_events > 0)
        units_time_human((double)interval->latency_percentile_ns, latency, sizeof(latency));
    fprintf(out, "  p%g %s", job->interval_percentile, latency);
}

static void run_interval(void *context, const struct job *job, const struct interval *interval)
{
    struct text *text = context;
    uint64_t ns = interval->end_ns - interval->start_ns;
    if (job->work == WORK_DATABASE) {
        text_tables_interval(text->out, job, interval);
        return;
    }
    fprintf(text->out, "[%7.1f s]", (double)interval->end_ns / 1e9);
    if (mode_reads(job->mode))
        fprintf(text->out, "  read %.0f IOPS %.1f MiB/s", per_s(interval->count[CLASS_READ], ns),
                mib(interval->bytes[CLASS_READ]) * per_s(1, ns));
    if (mode_writes(job->mode))
        fprintf(text->out, "  write %.0f IOPS %.1f MiB/s  sync %.0f/s", per_s(interval->count[CLASS_WRITE], ns),
                mib(interval->bytes[CLASS_WRITE]) * per_s(1, ns), per_s(interval->count[CLASS_SYNC], ns));
    text_interval_percentile(text->out, job, interval);
    fputc('\n', text->out);
    fflush(text->out);
}

static void replicas_awaited(void *context, const struct job *job, uint64_t waited_ns, uint64_t lag_ns)
{
    const struct text *text = context;
    if (job->report_interval_ns > 0)
        text_replicas_awaited(text->out, waited_ns, lag_ns);
}

static void run_step(void *context, const struct knee_step *step)
{
    const struct text *text = context;
    text_replicas_step(text->out, step);
}

static void run_checkpoint(void *context, const struct result *since, uint64_t at_ns)
{
    struct text *text = context;
    fprintf(text->out, "\ncheckpoint at %.1f s, for the time since the one before:\n", (double)at_ns / 1e9);
    text_result(text->out, since);
    fputc('\n', text->out);
}

static void run_done(void *context, const struct result *result)
{
    struct text *text = context;
    fputc('\n', text->out);
    text_result(text->out, result);
    fflush(text->out);
}

/* ---- the table of figures: a column for each class that has any ---------------------------------------------- */

struct table {
    FILE *out;
    const struct result *result;
    enum op_class shown[CLASS_COUNT];
    size_t columns;
};

static void table_init(struct table *table, FILE *out, const struct result *result)
{
    table->out = out;
    table->result = result;
    table->columns = 0;
    for (int op = 0; op < CLASS_COUNT; ++op) {
        if (result->total.of[op].latency.count || result->total.of[op].errors)
            table->shown[table->columns++] = (enum op_class)op;
    }
}

static const struct class_tally *column(const struct table *table, size_t index)
{
    return &table->result->total.of[table->shown[index]];
}

static void row_label(const struct table *table, const char *label)
{
    fprintf(table->out, "%-12s", label);
}

/* printf pads by bytes and "µ" has two, so the padding is counted here. */
void text_cell(FILE *out, const char *words)
{
    int width = 0;
    for (const char *at = words; *at; ++at)
        width += ((unsigned char)*at & 0xC0) != 0x80;
    fprintf(out, "%*s%s", width < 16 ? 16 - width : 1, "", words);
}

static void cell(const struct table *table, const char *words)
{
    text_cell(table->out, words);
}

static void time_row(const struct table *table, const char *label, double (*value)(const struct histogram *, double),
                     double parameter)
{
    char words[32];
    row_label(table, label);
    for (size_t i = 0; i < table->columns; ++i) {
        const struct histogram *latency = &column(table, i)->latency;
        cell(table, latency->count ? units_time_human(value(latency, parameter), words, sizeof(words)) : "-");
    }
    fputc('\n', table->out);
}

static double value_min(const struct histogram *h, double unused)
{
    (void)unused;
    return (double)h->min_ns;
}

static double value_max(const struct histogram *h, double unused)
{
    (void)unused;
    return (double)h->max_ns;
}

static double value_mean(const struct histogram *h, double unused)
{
    (void)unused;
    return histogram_mean(h);
}

static double value_stddev(const struct histogram *h, double unused)
{
    (void)unused;
    return histogram_stddev(h);
}

static double value_percentile(const struct histogram *h, double percent)
{
    return (double)histogram_percentile(h, percent);
}

/* The load's operations are rated over the load, those at the end over their own time. */
static uint64_t rated_ns(const struct table *table, size_t index)
{
    return table->shown[index] == CLASS_END_SYNC ? table->result->end_sync_ns : table->result->load_ns;
}

static bool any_errors(const struct table *table)
{
    for (size_t i = 0; i < table->columns; ++i) {
        if (column(table, i)->errors)
            return true;
    }
    return false;
}

static void count_rows(const struct table *table)
{
    char words[32];
    row_label(table, "");
    for (size_t i = 0; i < table->columns; ++i)
        cell(table, op_class_names[table->shown[i]]);
    fputc('\n', table->out);
    row_label(table, "count");
    for (size_t i = 0; i < table->columns; ++i) {
        snprintf(words, sizeof(words), "%" PRIu64, column(table, i)->latency.count);
        cell(table, words);
    }
    fputc('\n', table->out);
    if (any_errors(table)) {
        row_label(table, table->result->job.work == WORK_FILES ? "FAILED" : "failed tries");
        for (size_t i = 0; i < table->columns; ++i) {
            snprintf(words, sizeof(words), "%" PRIu64, column(table, i)->errors);
            cell(table, words);
        }
        fputc('\n', table->out);
    }
    bool is_files = table->result->job.work == WORK_FILES;
    row_label(table, is_files ? "IOPS" : "per second");
    for (size_t i = 0; i < table->columns; ++i) {
        snprintf(words, sizeof(words), "%.1f", per_s(column(table, i)->latency.count, rated_ns(table, i)));
        cell(table, words);
    }
    fputc('\n', table->out);
    if (!is_files)
        return;
    row_label(table, "MiB/s");
    for (size_t i = 0; i < table->columns; ++i) {
        snprintf(words, sizeof(words), "%.2f", mib(column(table, i)->bytes) * per_s(1, rated_ns(table, i)));
        cell(table, column(table, i)->bytes ? words : "-");
    }
    fputc('\n', table->out);
}

static void latency_rows(const struct table *table)
{
    const struct real_list *percentiles = &table->result->job.percentiles;
    time_row(table, "latency min", value_min, 0);
    time_row(table, "mean", value_mean, 0);
    time_row(table, "stddev", value_stddev, 0);
    for (uint32_t i = 0; i < percentiles->count; ++i) {
        char label[32] = "p";
        units_real_exact(percentiles->values[i], label + 1, sizeof(label) - 1);
        time_row(table, label, value_percentile, percentiles->values[i]);
    }
    time_row(table, "max", value_max, 0);
}

static void histogram_rows(const struct table *table)
{
    char words[32];
    fputs("\nlatency histogram: middle of the bucket, then operations\n", table->out);
    for (uint32_t bucket = 0; bucket < HISTOGRAM_BUCKETS; ++bucket) {
        uint64_t any = 0;
        for (size_t i = 0; i < table->columns; ++i)
            any |= column(table, i)->latency.counts[bucket];
        if (!any)
            continue;
        row_label(table, "");
        cell(table, units_time_human((double)histogram_bucket_middle(bucket), words, sizeof(words)));
        for (size_t i = 0; i < table->columns; ++i) {
            snprintf(words, sizeof(words), "%" PRIu64, column(table, i)->latency.counts[bucket]);
            cell(table, words);
        }
        fputc('\n', table->out);
    }
}

/* ---- what stands below the table -------------------------------------------------------------------------------- */

static void print_times(FILE *out, const struct result *result)
{
    char time[32], end[32];
    fprintf(out, "measured    %s", units_time_human((double)result->load_ns, time, sizeof(time)));
    if (result->end_sync_count)
        fprintf(out, ", then %s for the syncs at the end",
                units_time_human((double)result->end_sync_ns, end, sizeof(end)));
    if (result->warmup_ns)
        fprintf(out, ", after %s of warm-up", units_time_human((double)result->warmup_ns, time, sizeof(time)));
    fputc('\n', out);
    if (result->forced)
        fprintf(out, "FORCED SHUTDOWN: %" PRIu64 " operations had not ended\n", result->unfinished);
    else if (result->partial)
        fputs("PARTIAL: the run was ended before its time\n", out);
}

void text_findings(FILE *out, const struct verify_finding *findings, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        fprintf(out, "%-11s %s, offset %" PRIu64 ": expected %s, found %s\n", findings[i].verdict, findings[i].file,
                findings[i].offset, findings[i].expected, findings[i].found);
}

static void print_verification(FILE *out, const struct verification *verify)
{
    if (verify->checked == 0)
        return;
    fprintf(out, "verify      %" PRIu64 " blocks checked, %" PRIu64 " wrong\n", verify->checked, verify->wrong);
    text_findings(out, verify->findings, verify->findings_count);
    if (verify->wrong > verify->findings_count)
        fprintf(out, "            … and %" PRIu64 " more\n", verify->wrong - verify->findings_count);
}

static void print_volume(FILE *out, const struct target_facts *target)
{
    fprintf(out, "volume      %s", target->file_system[0] ? target->file_system : "file system unknown");
    if (target->device[0])
        fprintf(out, " on %s", target->device);
    if (target->device_model[0])
        fprintf(out, " (%s)", target->device_model);
    if (target->ebs_volume_id[0])
        fprintf(out, " %s", target->ebs_volume_id);
    fputc('\n', out);
}

static void print_machine(FILE *out, const struct result *result)
{
    char time[32];
    text_tables_server(out, result);
    if (result->job.work == WORK_FILES || result->target.file_system[0])
        print_volume(out, &result->target);
    fprintf(out, "host        %s, %s, %" PRIu32 " CPUs%s%s\n", result->host.os, result->host.cpu_model,
            result->host.cpu_count, result->host.instance_type[0] ? ", " : "", result->host.instance_type);
    fprintf(out, "clock       %s, resolution %s, %.0f ns per reading", result->clock.name,
            units_time_human((double)result->clock.resolution_ns, time, sizeof(time)), result->clock.cost_ns);
    if (result->total.clock_steps_back)
        fprintf(out, ", stepped back %" PRIu64 " times (counted as 0)", result->total.clock_steps_back);
    double cpu_share = result->elapsed_ns
                           ? (double)(result->cpu_user_ns + result->cpu_system_ns) * 100 / (double)result->elapsed_ns
                           : 0;
    fprintf(out, "\ncpu         %.0f %% of one CPU\n", cpu_share);
}

void text_result(FILE *out, const struct result *result)
{
    struct table table;
    table_init(&table, out, result);
    if (result->job.work == WORK_DATABASE)
        text_tables_rates(out, result);
    count_rows(&table);
    latency_rows(&table);
    if (result->job.histogram)
        histogram_rows(&table);
    text_tables_statements(out, result);
    fputc('\n', out);
    print_times(out, result);
    print_verification(out, &result->verify);
    if (result->version[0] == '\0') /* a checkpoint: the machine is told at the end */
        return;
    text_replicas_result(out, result);
    print_machine(out, result);
    for (size_t i = 0; i < result->warnings_count; ++i)
        fprintf(out, "warning     %s: %s\n", result->warnings[i].code, result->warnings[i].text);
}

bool text_listener(struct listener *listener, FILE *out, bool terminal)
{
    struct text *text = calloc(1, sizeof(*text));
    if (!text)
        return false;
    text->out = out;
    text->terminal = terminal;
    text->plain_at_ns = PLAIN_EVERY_NS;
    text->replicas = (struct replica_watcher){.context = text, .awaited = replicas_awaited};
    *listener = (struct listener){.context = text,
                                  .replicas = &text->replicas,
                                  .prepare_started = prepare_started,
                                  .prepare_file = prepare_file,
                                  .prepare_progress = prepare_progress,
                                  .prepare_done = prepare_done,
                                  .cleanup_file = cleanup_file,
                                  .table_step = table_step,
                                  .table_progress = table_progress,
                                  .tables_done = tables_done,
                                  .run_opened = run_opened,
                                  .run_warming = run_warming,
                                  .run_interval = run_interval,
                                  .run_step = run_step,
                                  .run_checkpoint = run_checkpoint,
                                  .run_done = run_done};
    return true;
}
