/* fio_print.c: the report for people, in the layout of fio 3.x. Facts of form: outputs of fio 3.33.
 *
 * What isobench does not measure is left out: context switches and page faults of the cpu line, and the depths of
 * asynchronous engines. A latency is from the moment when an IO is given to the system to its end, so it is fio's
 * "lat", and with engines that do one IO at a time its "clat" as well; there is no slat. */
#include "dialects/fio.h"

#include "platform/clock.h"
#include "platform/path.h"
#include "platform/process.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const uint32_t fio_bounds[FIO_BOUNDS] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000};

static const char *const rw_words[] = {"read", "write", "rw", "randread", "randwrite", "randrw"};
static const char *const unit_words[] = {"nsec", "usec", "msec"};
static const double unit_ns[] = {1, 1e3, 1e6};

/* ---- before the run ---- */

static const char *engine_name(const struct fio_unit *unit, const struct job *job)
{
    const char *given = unit->given->ioengine;
    return given[0] ? given : strcmp(job->engine, "auto") == 0 && job->depth == 1 ? "psync" : "windowsaio";
}

static void add_job_line(struct fio_printer *printer, size_t index)
{
    const struct fio_unit *unit = &printer->plan.units[index];
    const struct fio_given *given = unit->given;
    char size[FIO_SHORT_BYTES];
    fio_short((double)given->block_bytes, 4, true, "B", size, sizeof(size));
    fio_text_add(&printer->report,
                 "%s: (g=%" PRIu32 "): rw=%s, bs=(R) %s-%s, (W) %s-%s, (T) %s-%s, ioengine=%s, iodepth=%" PRIu64 "\n",
                 given->name, unit->group, rw_words[given->rw], size, size, size, size, size, size,
                 engine_name(unit, &printer->plan.jobs[index]), given->depth);
    if (given->clones > 1)
        fio_text_add(&printer->report, "...\n");
}

static void add_starting(struct fio_printer *printer)
{
    uint64_t threads = 0, processes = 0;
    for (size_t i = 0; i < printer->plan.given_count; ++i)
        *(printer->plan.given[i].thread ? &threads : &processes) += printer->plan.given[i].clones;
    fio_text_add(&printer->report, "Starting ");
    if (threads)
        fio_text_add(&printer->report, "%" PRIu64 " thread%s%s", threads, threads == 1 ? "" : "s",
                     processes ? " and " : "");
    if (processes)
        fio_text_add(&printer->report, "%" PRIu64 " process%s", processes, processes == 1 ? "" : "es");
    fio_text_add(&printer->report, "\n");
}

/* What is there so far, unless it goes to a file at the end. */
static void put_out(struct fio_printer *printer)
{
    if (printer->output || printer->report.failed)
        return;
    fwrite(printer->report.text ? printer->report.text : "", 1, printer->report.used, printer->out);
    fflush(printer->out);
    printer->report.used = 0;
}

static void begin(struct fio_printer *printer)
{
    const struct fio_plan *plan = &printer->plan;
    if (printer->begun || printer->format != FIO_NORMAL)
        return;
    printer->begun = true;
    for (size_t i = 0; i < plan->count; ++i)
        if (i == 0 || plan->units[i].given != plan->units[i - 1].given)
            add_job_line(printer, i);
    fio_text_add(&printer->report, "fio-3.33\n");
    add_starting(printer);
    put_out(printer);
}

/* Behind what was said of the files. */
static void add_notes(struct fio_printer *printer)
{
    if (printer->noted || printer->format != FIO_NORMAL || printer->notes.used == 0)
        return;
    printer->noted = true;
    fio_text_add(&printer->report, "%s", printer->notes.text);
    put_out(printer);
}

static void prepare_started(void *context, const struct job *job)
{
    struct fio_printer *printer = context;
    begin(printer);
    printer->laying_out = job;
}

/* Once for each of fio's processes, as they would make their files one after the other. */
static void add_layout(struct fio_text *report, const char *name, const struct job *job)
{
    bool own = job->file_choice == FILES_OWN && job->files == job->threads;
    uint64_t files = own ? 1 : job->files, times = own ? job->files : 1;
    for (uint64_t i = 0; i < times; ++i)
        fio_text_add(report, "%s: Laying out IO file%s (%" PRIu64 " file%s / %s%" PRIu64 "MiB)\n", name,
                     files == 1 ? "" : "s", files, files == 1 ? "" : "s", files == 1 ? "" : "total ",
                     (job->total_size_bytes / times) >> 20);
}

/* At the first file that is made. */
static void prepare_file(void *context, const char *path, enum prepare_step step)
{
    struct fio_printer *printer = context;
    const struct fio_plan *plan = &printer->plan;
    const struct job *job = printer->laying_out;
    (void)path;
    if (step == PREPARE_KEEP || !job || printer->format != FIO_NORMAL)
        return;
    for (size_t i = 0; i < plan->count; ++i)
        if (strcmp(plan->jobs[i].target, job->target) == 0 && strcmp(plan->jobs[i].file_name, job->file_name) == 0) {
            add_layout(&printer->report, plan->units[i].given->name, job);
            break;
        }
    printer->laying_out = NULL;
    put_out(printer);
}

static void run_starting(void *context, const struct job *job)
{
    (void)job;
    begin(context);
    add_notes(context);
}

/* ---- latencies ---- */

static int latency_unit(double least, double most, double deviation)
{
    if (least > 2000000 && most > 99999999 && deviation > 1000000)
        return 2;
    return least > 2000 && most > 99999 && deviation > 1000 ? 1 : 0;
}

static void add_latency(struct fio_text *report, const char *label, const struct histogram *latency)
{
    char least[FIO_SHORT_BYTES], most[FIO_SHORT_BYTES];
    double deviation = histogram_stddev(latency);
    int unit = latency_unit((double)latency->min_ns, (double)latency->max_ns, deviation);
    fio_short(floor((double)latency->min_ns / unit_ns[unit]), 6, false, "", least, sizeof(least));
    fio_short(floor((double)latency->max_ns / unit_ns[unit]), 6, false, "", most, sizeof(most));
    fio_text_add(report, "    %s (%s): min=%s, max=%s, avg=%5.02f, stdev=%5.02f\n", label, unit_words[unit], least,
                 most, histogram_mean(latency) / unit_ns[unit], deviation / unit_ns[unit]);
}

/* Decimals that the longest of them needs. */
static int decimals_of(const struct real_list *list)
{
    int decimals = 0;
    for (uint32_t i = 0; i < list->count; ++i)
        for (double scaled = list->values[i] * pow(10, decimals);
             fabs(scaled - floor(scaled + 0.5)) > 1e-6 && decimals < 6;)
            scaled = list->values[i] * pow(10, ++decimals);
    return decimals;
}

static void add_percentiles(struct fio_text *report, const char *label, const struct histogram *latency,
                            const struct real_list *list)
{
    int decimals = decimals_of(list), width = 5, unit;
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < list->count; ++i) {
        uint64_t value = histogram_percentile(latency, list->values[i]);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    unit = most > 99999999 && least > 2000000 ? 2 : most > 99999 && least > 2000 ? 1 : 0;
    width = (int)fmax(width, floor(log10(fmax((double)most / unit_ns[unit], 1))) + 1);
    int per_line = 73 / (decimals + (decimals > 0) + width + 9);
    fio_text_add(report, "    %s percentiles (%s):\n     |", label, unit_words[unit]);
    for (uint32_t i = 0; i < list->count; ++i) {
        uint64_t value = histogram_percentile(latency, list->values[i]);
        bool last = i + 1 == list->count, full = (int)(i + 1) % (per_line < 1 ? 1 : per_line) == 0;
        fio_text_add(report, " %*.*fth=[%*.0f]%s", decimals + 3, decimals, list->values[i], width,
                     floor((double)value / unit_ns[unit]),
                     last   ? "\n"
                     : full ? ",\n     |"
                            : ",");
    }
}

static void add_latencies(struct fio_text *report, const struct fio_given *given, const struct histogram *latency)
{
    add_latency(report, "clat", latency);
    add_latency(report, " lat", latency);
    if (given->show_clat)
        add_percentiles(report, "clat", latency, &given->percentiles);
    if (given->show_lat)
        add_percentiles(report, "lat", latency, &given->percentiles);
}

/* ---- rates ---- */

static void add_rates(struct fio_text *report, const struct fio_side *side, double group_rate)
{
    struct fio_spread bytes = fio_spread_of(side->series.bytes, side->series.count);
    struct fio_spread ios = fio_spread_of(side->series.ios, side->series.count);
    bool large = bytes.mean > 1024.0 * 1024 * 1024;
    double unit = large ? 1024.0 * 1024 : 1024.0, share = group_rate > 0 ? 100 * bytes.mean / group_rate : 0;
    if (bytes.samples == 0)
        return;
    fio_text_add(report, "   bw (  %s/s): min=%5.0f, max=%5.0f, per=%3.2f%%, avg=%5.02f, stdev=%5.02f, samples=%zu\n",
                 large ? "MiB" : "KiB", floor(bytes.least / unit), floor(bytes.most / unit), share > 100 ? 100 : share,
                 bytes.mean / unit, bytes.deviation / unit, bytes.samples);
    fio_text_add(report, "   iops        : min=%5.0f, max=%5.0f, avg=%5.02f, stdev=%5.02f, samples=%zu\n",
                 floor(ios.least), floor(ios.most), ios.mean, ios.deviation, ios.samples);
}

static uint64_t ms_of(uint64_t ns)
{
    return (ns + NS_PER_MS / 2) / NS_PER_MS;
}

static void add_side(struct fio_text *report, const char *label, const struct fio_entry *entry,
                     const struct fio_side *side, double group_rate)
{
    char iops[FIO_SHORT_BYTES], binary[FIO_SHORT_BYTES], decimal[FIO_SHORT_BYTES], bytes[FIO_SHORT_BYTES];
    double rate = fio_rate((double)side->bytes, side->runtime_ns);
    if (side->latency.count == 0)
        return;
    fio_short(floor(fio_rate((double)side->latency.count, side->runtime_ns)), 4, false, "", iops, sizeof(iops));
    fio_short(rate, 4, true, "B/s", binary, sizeof(binary));
    fio_short(rate, 4, false, "B/s", decimal, sizeof(decimal));
    fio_short((double)side->bytes, 4, true, "B", bytes, sizeof(bytes));
    fio_text_add(report, "  %s: IOPS=%s, BW=%s (%s)(%s/%" PRIu64 "msec)%s\n", label, iops, binary, decimal, bytes,
                 ms_of(side->runtime_ns), strcmp(label, "write") == 0 ? "; 0 zone resets" : "");
    add_latencies(report, entry->first->given, &side->latency);
    add_rates(report, side, group_rate);
}

/* ---- where the latencies lie ---- */

struct buckets {
    struct fio_text *report;
    const char *unit;
    int on_line;
};

static void add_bucket(struct buckets *buckets, const char *bound, double percent)
{
    if (percent <= 0)
        return;
    if (buckets->on_line == 5) {
        fio_text_add(buckets->report, "\n");
        buckets->on_line = 0;
    }
    if (buckets->on_line == 0)
        fio_text_add(buckets->report, "  lat (%s)   : ", buckets->unit);
    fio_text_add(buckets->report, "%s%s=%3.2f%%", buckets->on_line ? ", " : "", bound, percent < 0.01 ? 0.01 : percent);
    ++buckets->on_line;
}

static void add_buckets(struct fio_text *report, const struct fio_entry *entry)
{
    uint64_t low = 0;
    for (int unit = 0; unit < 3; ++unit) {
        struct buckets buckets = {report, unit_words[unit], 0};
        for (int i = 0; i < FIO_BOUNDS; ++i) {
            char bound[16];
            uint64_t high = fio_bounds[i] * (uint64_t)unit_ns[unit];
            snprintf(bound, sizeof(bound), "%" PRIu32, fio_bounds[i]);
            add_bucket(&buckets, bound, fio_entry_share(entry, low, high));
            low = high;
        }
        if (unit == 2) {
            add_bucket(&buckets, "2000", fio_entry_share(entry, low, 2 * NS_PER_S));
            add_bucket(&buckets, ">=2000", fio_entry_share(entry, 2 * NS_PER_S, UINT64_MAX));
        }
        if (buckets.on_line)
            fio_text_add(report, "\n");
    }
}

/* ---- one entry ---- */

static void add_syncs(struct fio_text *report, const struct fio_entry *entry)
{
    if (entry->sync.count == 0)
        return;
    fio_text_add(report, "  fsync/fdatasync/sync_file_range:\n");
    add_latency(report, "sync", &entry->sync);
    add_percentiles(report, "sync", &entry->sync, &entry->first->given->percentiles);
}

static void add_end(struct fio_text *report, const struct fio_entry *entry)
{
    double busy = (double)(entry->busy_ns ? entry->busy_ns : 1);
    if (entry->cpu_known)
        fio_text_add(report, "  cpu          : usr=%3.2f%%, sys=%3.2f%%\n", 100 * (double)entry->cpu_user_ns / busy,
                     100 * (double)entry->cpu_system_ns / busy);
    if (entry->depth_one)
        fio_text_add(report,
                     "  IO depths    : 1=100.0%%, 2=0.0%%, 4=0.0%%, 8=0.0%%, 16=0.0%%, 32=0.0%%, >=64=0.0%%\n"
                     "     submit    : 0=0.0%%, 4=100.0%%, 8=0.0%%, 16=0.0%%, 32=0.0%%, 64=0.0%%, >=64=0.0%%\n"
                     "     complete  : 0=0.0%%, 4=100.0%%, 8=0.0%%, 16=0.0%%, 32=0.0%%, 64=0.0%%, >=64=0.0%%\n");
    fio_text_add(report,
                 "     issued rwts: total=%" PRIu64 ",%" PRIu64 ",0,%" PRIu64 " short=0,0,0,0 dropped=0,0,0,0\n"
                 "     latency   : target=0, window=0, percentile=100.00%%, depth=%" PRIu64 "\n",
                 entry->read.latency.count, entry->write.latency.count, entry->sync.count, entry->first->given->depth);
}

/* Of the group's reads or writes together. */
struct group {
    uint64_t bytes, longest_ns, shortest_ns, number;
    double least, most;
};

static struct group group_of(const struct fio_printer *printer, uint32_t number, bool writes)
{
    struct group group = {.number = number};
    for (size_t i = 0; i < printer->plan.entries; ++i) {
        const struct fio_entry *entry = &printer->entries[i];
        const struct fio_side *side = writes ? &entry->write : &entry->read;
        double rate = fio_rate((double)side->bytes, side->runtime_ns);
        if (!entry->first || entry->first->group != number || side->latency.count == 0)
            continue;
        bool first = group.bytes == 0;
        group.bytes += side->bytes;
        group.longest_ns = side->runtime_ns > group.longest_ns ? side->runtime_ns : group.longest_ns;
        group.shortest_ns = first || side->runtime_ns < group.shortest_ns ? side->runtime_ns : group.shortest_ns;
        group.least = first || rate < group.least ? rate : group.least;
        group.most = first || rate > group.most ? rate : group.most;
    }
    return group;
}

static double group_rate(const struct fio_printer *printer, uint32_t number, bool writes)
{
    struct group group = group_of(printer, number, writes);
    return fio_rate((double)group.bytes, group.longest_ns);
}

static void add_entry(struct fio_printer *printer, const struct fio_entry *entry)
{
    const struct fio_given *given = entry->first->given;
    struct fio_text *report = &printer->report;
    char when[FIO_WHEN_BYTES];
    fio_text_add(report, "%s: (groupid=%" PRIu32 ", jobs=%" PRIu64 "): err=%2d", given->name, entry->first->group,
                 entry->clones, entry->error_code);
    if (entry->error_code)
        fio_text_add(report, " (%s)", entry->error_text);
    fio_text_add(report, ": pid=%" PRIu32 ": %s\n", process_id(), fio_when(entry->wall_end_s, when, sizeof(when)));
    if (given->description)
        fio_text_add(report, "  Description  : [%s]\n", given->description);
    add_side(report, "read", entry, &entry->read, group_rate(printer, entry->first->group, false));
    add_side(report, "write", entry, &entry->write, group_rate(printer, entry->first->group, true));
    add_buckets(report, entry);
    add_syncs(report, entry);
    add_end(report, entry);
}

static void print_entries(struct fio_printer *printer)
{
    fio_text_add(&printer->report, "\n");
    for (size_t i = 0; i < printer->plan.entries; ++i)
        if (printer->entries[i].first)
            add_entry(printer, &printer->entries[i]);
}

/* ---- groups ---- */

static void add_range(struct fio_text *report, double least, double most, bool binary)
{
    char low[FIO_SHORT_BYTES], high[FIO_SHORT_BYTES];
    fio_text_add(report, "%s-%s", fio_short(least, 4, binary, "B/s", low, sizeof(low)),
                 fio_short(most, 4, binary, "B/s", high, sizeof(high)));
}

static void add_status(struct fio_text *report, const char *label, const struct group *group)
{
    char binary[FIO_SHORT_BYTES], decimal[FIO_SHORT_BYTES];
    double rate = fio_rate((double)group->bytes, group->longest_ns);
    if (group->bytes == 0)
        return;
    fio_text_add(report, "%7s: bw=%s (%s), ", label, fio_short(rate, 4, true, "B/s", binary, sizeof(binary)),
                 fio_short(rate, 4, false, "B/s", decimal, sizeof(decimal)));
    add_range(report, group->least, group->most, true);
    fio_text_add(report, " (");
    add_range(report, group->least, group->most, false);
    fio_text_add(report, "), io=%s (%s), run=%" PRIu64 "-%" PRIu64 "msec\n",
                 fio_short((double)group->bytes, 4, true, "B", binary, sizeof(binary)),
                 fio_short((double)group->bytes, 4, false, "B", decimal, sizeof(decimal)), ms_of(group->shortest_ns),
                 ms_of(group->longest_ns));
}

static void print_groups(struct fio_printer *printer)
{
    const struct fio_plan *plan = &printer->plan;
    for (uint32_t number = 0; plan->count && number <= plan->units[plan->count - 1].group; ++number) {
        struct group reads = group_of(printer, number, false), writes = group_of(printer, number, true);
        if (reads.bytes == 0 && writes.bytes == 0)
            continue;
        fio_text_add(&printer->report, "\nRun status group %" PRIu32 " (all jobs):\n", number);
        add_status(&printer->report, "READ", &reads);
        add_status(&printer->report, "WRITE", &writes);
    }
}

/* ---- the results, one after the other ---- */

/* Results come in the jobs' order, but one that failed has none. */
static struct fio_unit *unit_of(const struct fio_printer *printer, const struct job *job)
{
    const struct fio_plan *plan = &printer->plan;
    for (size_t i = 0; i < plan->count; ++i) {
        const struct job *ours = &plan->jobs[i];
        bool same = ours->mode == job->mode && ours->threads == job->threads &&
                    ours->block_size_bytes == job->block_size_bytes && (!ours->seed || ours->seed == job->seed) &&
                    strcmp(ours->target, job->target) == 0 && strcmp(ours->dir, job->dir) == 0 &&
                    strcmp(ours->file_name, job->file_name) == 0;
        if (same && !plan->units[i].done)
            return &plan->units[i];
    }
    return NULL;
}

/* The process's CPU time is this entry's alone if nothing of another entry ran beside it. */
static bool ran_alone(const struct fio_plan *plan, const struct fio_unit *unit)
{
    size_t first = (size_t)(unit - plan->units), end = first + 1;
    while (first > 0 && !plan->waits[first - 1])
        --first;
    while (end < plan->count && !plan->waits[end - 1])
        ++end;
    bool alone = true;
    for (size_t i = first; i < end; ++i)
        alone = alone && plan->units[i].entry == unit->entry;
    return alone;
}

static void run_done(void *context, const struct result *result)
{
    struct fio_printer *printer = context;
    struct fio_unit *unit = unit_of(printer, &result->job);
    if (!unit)
        return;
    unit->done = true;
    struct fio_entry *entry = &printer->entries[unit->entry];
    printer->failed = !fio_entry_add(entry, unit, result) || printer->failed;
    entry->cpu_known = ran_alone(&printer->plan, unit);
}

static bool put_all(struct fio_printer *printer, struct error *error)
{
    const struct fio_text *report = &printer->report;
    if (printer->failed || report->failed)
        return error_set(error, ERR_SYSTEM, "not enough memory for the report");
    if (printer->output)
        return path_write_text(printer->output, report->text ? report->text : "", report->used, error);
    put_out(printer);
    return true;
}

static bool all_done(void *context, struct error *error)
{
    struct fio_printer *printer = context;
    bool any = false;
    for (size_t i = 0; i < printer->plan.entries; ++i)
        any = any || printer->entries[i].first;
    if (!any || printer->reported)
        return true;
    printer->reported = true;
    if (printer->format != FIO_NORMAL) {
        fio_print_json(printer);
    } else {
        print_entries(printer);
        print_groups(printer);
    }
    return put_all(printer, error);
}

struct listener fio_listener(struct fio_printer *printer)
{
    return (struct listener){.context = printer,
                             .prepare_started = prepare_started,
                             .prepare_file = prepare_file,
                             .run_starting = run_starting,
                             .run_done = run_done,
                             .all_done = all_done};
}
