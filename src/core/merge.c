#include "core/merge.h"

#include "core/settings.h"
#include "core/units.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What results are merged from, and how far it went. */
struct merging {
    const struct merge_part *parts;
    size_t count;
    struct result *into;
    bool exact; /* false: a sum was beyond what a result's JSON can hold */
    struct error *error;
};

/* ---- sums ------------------------------------------------------------------------------------------------------- */

static void add(struct merging *merging, uint64_t *into, uint64_t amount)
{
    if (amount > INT64_MAX || *into > INT64_MAX - amount)
        merging->exact = false;
    else
        *into += amount;
}

static void take_larger(uint64_t *into, uint64_t value)
{
    if (value > *into)
        *into = value;
}

static void probe(struct merging *merging, uint64_t a, uint64_t b)
{
    add(merging, &a, b);
}

static void add_tally(struct merging *merging, struct tally *into, const struct tally *from)
{
    for (int op = 0; op < CLASS_COUNT; op++) {
        const struct class_tally *a = &into->of[op], *b = &from->of[op];
        probe(merging, a->bytes, b->bytes);
        probe(merging, a->errors, b->errors);
        probe(merging, a->latency.count, b->latency.count);
        probe(merging, a->latency.sum_ns, b->latency.sum_ns);
    }
    probe(merging, into->events, from->events);
    probe(merging, into->clock_steps_back, from->clock_steps_back);
    if (merging->exact)
        tally_merge(into, from);
}

/* What a whole run and the part after its last checkpoint have alike. `thread` is the first free row. */
static void add_figures(struct merging *merging, struct result *into, const struct result *from, uint64_t thread)
{
    if (thread == 0 || from->wall_start_ns < into->wall_start_ns) /* thread 0 is the first part's */
        into->wall_start_ns = from->wall_start_ns;
    take_larger(&into->elapsed_ns, from->elapsed_ns);
    take_larger(&into->load_ns, from->load_ns);
    take_larger(&into->end_sync_ns, from->end_sync_ns);
    add(merging, &into->end_sync_count, from->end_sync_count);
    add(merging, &into->unfinished, from->unfinished);
    add(merging, &into->cpu_user_ns, from->cpu_user_ns);
    add(merging, &into->cpu_system_ns, from->cpu_system_ns);
    add(merging, &into->cpu_wait_ns, from->cpu_wait_ns);
    add_tally(merging, &into->total, &from->total);
    memcpy(&into->threads[thread], from->threads, (size_t)from->job.threads * sizeof *from->threads);
}

static void add_verification(struct merging *merging, const struct merge_part *part)
{
    struct verification *into = &merging->into->verify;
    const struct verification *from = &part->result->verify;
    add(merging, &into->checked, from->checked);
    add(merging, &into->wrong, from->wrong);
    for (size_t i = 0; i < from->findings_count && into->findings_count < VERIFY_FINDINGS_MAX; i++) {
        struct verify_finding *finding = &into->findings[into->findings_count++];
        *finding = from->findings[i];
        snprintf(finding->file, sizeof finding->file, "%.100s: %.400s", part->name, from->findings[i].file);
    }
}

static void add_all(struct merging *merging)
{
    struct result *into = merging->into;
    uint64_t thread = 0;
    for (size_t i = 0; i < merging->count; i++) {
        const struct result *from = merging->parts[i].result;
        add_figures(merging, into, from, thread);
        if (into->since_checkpoint)
            add_figures(merging, into->since_checkpoint, from->since_checkpoint, thread);
        thread += from->job.threads;
        into->partial |= from->partial;
        into->forced |= from->forced;
        into->steady_state_missed |= from->steady_state_missed;
        take_larger(&into->warmup_ns, from->warmup_ns);
        take_larger(&into->start_delay_max_ns, from->start_delay_max_ns);
        add_verification(merging, &merging->parts[i]);
    }
}

/* ---- machines: what all have alike ----------------------------------------------------------------------------- */

#define TEXT_FACT(field)                                                                                               \
    {                                                                                                                  \
        true, offsetof(struct result, field), sizeof(((struct result *)0)->field)                                      \
    }
#define NUMBER_FACT(field)                                                                                             \
    {                                                                                                                  \
        false, offsetof(struct result, field), sizeof(((struct result *)0)->field)                                     \
    }

static const struct fact {
    bool is_text;
    size_t offset, bytes;
} facts[] = {
    TEXT_FACT(host.os),
    TEXT_FACT(host.kernel),
    TEXT_FACT(host.cpu_model),
    TEXT_FACT(host.virtualization),
    TEXT_FACT(host.cloud),
    TEXT_FACT(host.instance_type),
    NUMBER_FACT(host.cpu_count),
    NUMBER_FACT(host.memory_bytes),
    NUMBER_FACT(host.page_bytes),
    TEXT_FACT(target.file_system),
    TEXT_FACT(target.mount_options),
    TEXT_FACT(target.mount_point),
    TEXT_FACT(target.device),
    TEXT_FACT(target.device_model),
    TEXT_FACT(target.ebs_volume_id),
    NUMBER_FACT(target.rotational),
    NUMBER_FACT(target.logical_sector_bytes),
    NUMBER_FACT(target.physical_sector_bytes),
    NUMBER_FACT(target.total_bytes),
    NUMBER_FACT(target.free_bytes),
    TEXT_FACT(clock.name),
    NUMBER_FACT(clock.ticks_per_s),
};

static bool is_same_fact(const struct fact *fact, const struct result *a, const struct result *b)
{
    const char *left = (const char *)a + fact->offset, *right = (const char *)b + fact->offset;
    return fact->is_text ? strcmp(left, right) == 0 : memcmp(left, right, fact->bytes) == 0;
}

static void unite_fact(struct merging *merging, const struct fact *fact)
{
    const struct result *first = merging->parts[0].result;
    char *into = (char *)merging->into + fact->offset;
    memcpy(into, (const char *)first + fact->offset, fact->bytes);
    for (size_t i = 1; i < merging->count; i++) {
        if (is_same_fact(fact, first, merging->parts[i].result))
            continue;
        memset(into, 0, fact->bytes); /* unknown */
        if (fact->is_text)
            snprintf(into, fact->bytes, "several");
        return;
    }
}

/* The coarsest clock bounds what the figures mean. */
static void unite_machines(struct merging *merging)
{
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        unite_fact(merging, &facts[i]);
    for (size_t i = 0; i < merging->count; i++) {
        const struct clock_facts *from = &merging->parts[i].result->clock;
        take_larger(&merging->into->clock.resolution_ns, from->resolution_ns);
        if (from->cost_ns > merging->into->clock.cost_ns)
            merging->into->clock.cost_ns = from->cost_ns;
    }
}

/* ---- jobs: what must be alike, and what adds up ----------------------------------------------------------------- */

/* Where each host's load goes and how it is shown, not what it is. Anything else, new settings too, must agree. */
static const char *const may_differ[] = {
    "target",      "dir",         "file_name",           "seed",           "threads",
    "stack_size",  "cpus",        "init_timeout",        "shutdown_grace", "report_interval",
    "checkpoints", "percentiles", "interval_percentile", "histogram",      "ledger",
    "sample",
};

static bool matters(const struct setting *setting)
{
    for (size_t i = 0; i < COUNT_OF(may_differ); i++)
        if (strcmp(may_differ[i], setting->name) == 0)
            return false;
    return true;
}

/* The first part whose job has another value than the first's, or 0. */
static size_t first_other(const struct merging *merging, const struct setting *setting)
{
    for (size_t i = 1; i < merging->count; i++)
        if (!setting_equal(&merging->parts[0].result->job, &merging->parts[i].result->job, setting))
            return i;
    return 0;
}

/* snprintf at the end of a text; what does not fit is cut off. */
static void append(char *out, size_t out_bytes, const char *format, ...) PRINTF_LIKE(3, 4);

static void append(char *out, size_t out_bytes, const char *format, ...)
{
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + used, out_bytes - used, format, arguments);
    va_end(arguments);
}

static void append_difference(const struct merging *merging, const struct setting *setting, size_t other, char *out,
                              size_t out_bytes)
{
    char a[TEXT_MAX], b[TEXT_MAX];
    job_get(&merging->parts[0].result->job, setting, a, sizeof a);
    job_get(&merging->parts[other].result->job, setting, b, sizeof b);
    append(out, out_bytes, "%s%s is %.40s in %.60s and %.40s in %.60s", out[0] ? "; " : "", setting->name,
           a[0] ? a : "not set", merging->parts[0].name, b[0] ? b : "not set", merging->parts[other].name);
}

static bool check_jobs(struct merging *merging, bool force)
{
    char differences[800] = "";
    for (size_t i = 0; i < settings_count; i++) {
        size_t other = matters(&settings[i]) ? first_other(merging, &settings[i]) : 0;
        if (other > 0)
            append_difference(merging, &settings[i], other, differences, sizeof differences);
    }
    if (differences[0] == '\0')
        return true;
    if (!force)
        return error_set(merging->error, ERR_DATA, "the results are of different jobs: %s; --force merges them anyway",
                         differences);
    result_warn(merging->into, "merge-jobs", "the jobs differ, so the sums are of unlike loads: %s", differences);
    return true;
}

static bool check_parts(const struct merging *merging)
{
    for (size_t i = 0; i < merging->count; i++)
        if (!merging->parts[i].result->measured)
            return error_set(merging->error, ERR_DATA,
                             "%s: has no figures: its run ended before the measured part; leave it out",
                             merging->parts[i].name);
    return true;
}

static bool refuse_sum(const struct merging *merging, const char *name)
{
    return error_set(merging->error, ERR_DATA, "the sum of the results' %s is more than a result can hold", name);
}

static bool make_job(const struct merging *merging, struct job *job)
{
    double threads = 0, rate = 0, events = 0;
    *job = merging->parts[0].result->job;
    for (size_t i = 0; i < merging->count; i++) {
        const struct job *from = &merging->parts[i].result->job;
        threads += (double)from->threads;
        rate += from->rate;
        events += (double)from->events;
    }
    if (threads > setting_find("threads")->high)
        return refuse_sum(merging, "threads");
    if (rate > setting_find("rate")->high)
        return refuse_sum(merging, "rate");
    if (events > setting_find("events")->high)
        return refuse_sum(merging, "events");
    job->threads = (uint64_t)threads;
    job->rate = rate;
    job->events = 0; /* beyond 2^53 the doubles above are too coarse to keep */
    for (size_t i = 0; i < merging->count; i++)
        job->events += merging->parts[i].result->job.events;
    return true;
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

/* Since the first part's start: wall times themselves are beyond what a double holds to the nanosecond. */
static double offset_ns(const struct merging *merging, const struct result *part)
{
    return (double)(part->wall_start_ns - merging->into->wall_start_ns);
}

static void warn_of_times(struct merging *merging)
{
    double first_end = INFINITY, last_start = 0, longest = (double)merging->into->load_ns;
    char together[32], whole[32];
    for (size_t i = 0; i < merging->count; i++) {
        const struct result *part = merging->parts[i].result;
        double start = offset_ns(merging, part);
        last_start = fmax(last_start, start);
        first_end = fmin(first_end, start + (double)part->load_ns);
    }
    double overlap = fmax(first_end - last_start, 0);
    if (overlap >= 0.9 * longest)
        return;
    result_warn(merging->into, "merge-times",
                "by the hosts' clocks the loads ran together for %s of %s: the sums are not what they reach at once",
                units_time_human(overlap, together, sizeof together), units_time_human(longest, whole, sizeof whole));
}

/* ---- series ----------------------------------------------------------------------------------------------------- */

#define INTERVAL_DEFAULT_NS NS_PER_S /* of a series that nobody asked for */

static double interval_ns(const struct merging *merging)
{
    uint64_t asked_ns = merging->parts[0].result->job.report_interval_ns;
    return (double)(asked_ns > 0 ? asked_ns : INTERVAL_DEFAULT_NS);
}

/* How many intervals after the first part's start this one began, if that is a whole number but for a quarter. */
static bool shift_of(const struct merging *merging, const struct result *part, size_t *shift)
{
    double intervals = offset_ns(merging, part) / interval_ns(merging), whole = floor(intervals + 0.5);
    if (fabs(intervals - whole) > 0.25 || whole > (double)part->series_count)
        return false;
    *shift = (size_t)whole;
    return true;
}

static bool is_regular(const struct merging *merging, const struct result *part)
{
    for (size_t i = 0; i < part->series_count; i++) {
        double due_ns = (double)i * interval_ns(merging), late_ns = (double)part->series[i].start_ns - due_ns;
        double length_ns = (double)part->series[i].end_ns - (double)part->series[i].start_ns;
        if (fabs(late_ns) > interval_ns(merging) / 4 || length_ns > interval_ns(merging) * 1.25)
            return false;
    }
    return part->series_count > 0;
}

/* The rows that all parts together take; 0 when they do not line up. */
static size_t rows_needed(const struct merging *merging)
{
    size_t rows = 0;
    for (size_t i = 0; i < merging->count; i++) {
        const struct result *part = merging->parts[i].result;
        size_t shift;
        if (!is_regular(merging, part) || !shift_of(merging, part, &shift))
            return 0;
        if (shift + part->series_count > rows)
            rows = shift + part->series_count;
    }
    return rows;
}

static void add_interval(struct merging *merging, struct interval *into, const struct interval *from, uint64_t offset)
{
    uint64_t start_ns = offset, end_ns = offset;
    add(merging, &start_ns, from->start_ns);
    add(merging, &end_ns, from->end_ns);
    if (into->end_ns == 0 || start_ns < into->start_ns)
        into->start_ns = start_ns;
    take_larger(&into->end_ns, end_ns);
    for (int op = 0; op < CLASS_COUNT; op++) {
        add(merging, &into->count[op], from->count[op]);
        add(merging, &into->bytes[op], from->bytes[op]);
        add(merging, &into->errors[op], from->errors[op]);
    }
    add(merging, &into->latency_sum_ns, from->latency_sum_ns);
    add(merging, &into->latency_events, from->latency_events);
    for (uint32_t i = 0; i < LATENCY_CELLS; i++)
        add(merging, &into->latency_cells[i], from->latency_cells[i]);
    take_larger(&into->latency_percentile_ns, from->latency_percentile_ns);
    take_larger(&into->latency_max_ns, from->latency_max_ns);
}

/* A part of an older version has no cells: those of the others are then not all. */
static void drop_incomplete_cells(struct interval *interval)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < LATENCY_CELLS; i++)
        sum += interval->latency_cells[i];
    if (sum != interval->latency_events)
        memset(interval->latency_cells, 0, sizeof interval->latency_cells);
}

static void add_series(struct merging *merging)
{
    for (size_t i = 0; i < merging->count; i++) {
        const struct result *part = merging->parts[i].result;
        size_t shift = 0;
        shift_of(merging, part, &shift);
        for (size_t row = 0; row < part->series_count; row++)
            add_interval(merging, &merging->into->series[shift + row], &part->series[row],
                         part->wall_start_ns - merging->into->wall_start_ns);
    }
    for (size_t row = 0; row < merging->into->series_count; row++)
        drop_incomplete_cells(&merging->into->series[row]);
}

static bool has_any_series(const struct merging *merging)
{
    for (size_t i = 0; i < merging->count; i++)
        if (merging->parts[i].result->series_count > 0)
            return true;
    return false;
}

static bool merge_series(struct merging *merging)
{
    size_t rows = rows_needed(merging);
    if (rows == 0) {
        if (has_any_series(merging))
            result_warn(merging->into, "merge-series",
                        "the results' intervals do not line up in time, so the series is left out");
        return true;
    }
    merging->into->series = calloc(rows, sizeof *merging->into->series);
    if (!merging->into->series)
        return error_set(merging->error, ERR_SYSTEM, "not enough memory for the merged series");
    merging->into->series_count = rows;
    add_series(merging);
    return true;
}

/* ---- warnings and faults ---------------------------------------------------------------------------------------- */

static void warn_of_merging(struct merging *merging)
{
    char names[400] = "", time[32];
    for (size_t i = 0; i < merging->count; i++) {
        const struct result *part = merging->parts[i].result;
        append(names, sizeof names, "%s%.80s (%" PRIu64 " thread%s, %s)", i ? ", " : "", merging->parts[i].name,
               part->job.threads, part->job.threads == 1 ? "" : "s",
               units_time_human((double)part->load_ns, time, sizeof time));
    }
    result_warn(merging->into, "merged", "sums of %zu results: %s", merging->count, names);
}

/* One code may stand once for each file, so that none hides another's. */
static void add_warnings(struct merging *merging, const struct merge_part *part)
{
    struct result *into = merging->into;
    for (size_t i = 0; i < part->result->warnings_count && into->warnings_count < WARNINGS_MAX; i++) {
        const struct warning *from = &part->result->warnings[i];
        struct warning *warning = &into->warnings[into->warnings_count++];
        memcpy(warning->code, from->code, sizeof warning->code);
        snprintf(warning->text, sizeof warning->text, "%.100s: %.400s", part->name, from->text);
    }
}

static struct fault *find_fault(struct result *into, const struct fault *like)
{
    for (size_t i = 0; i < into->faults_count; i++) {
        struct fault *fault = &into->faults[i];
        if (fault->os_code == like->os_code && strcmp(fault->operation, like->operation) == 0 &&
            strcmp(fault->text, like->text) == 0)
            return fault;
    }
    return NULL;
}

static void add_faults(struct merging *merging, const struct merge_part *part)
{
    struct result *into = merging->into;
    for (size_t i = 0; i < part->result->faults_count; i++) {
        const struct fault *from = &part->result->faults[i];
        struct fault *fault = find_fault(into, from);
        if (fault) {
            add(merging, &fault->count, from->count);
        } else if (into->faults_count < FAULTS_MAX) {
            fault = &into->faults[into->faults_count++];
            *fault = *from;
            snprintf(fault->first, sizeof fault->first, "%.100s: %.400s", part->name, from->first);
        }
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static bool make_since_checkpoint(struct merging *merging)
{
    size_t have = 0;
    for (size_t i = 0; i < merging->count; i++)
        have += merging->parts[i].result->since_checkpoint != NULL;
    if (have > 0 && have < merging->count)
        result_warn(merging->into, "merge-checkpoint",
                    "only %zu of the %zu results have a part after a checkpoint, so it is left out", have,
                    merging->count);
    if (have < merging->count)
        return true;
    merging->into->since_checkpoint = result_make(&merging->into->job);
    return merging->into->since_checkpoint ||
           error_set(merging->error, ERR_SYSTEM, "not enough memory for the merged result");
}

static bool merge_all(struct merging *merging, bool force)
{
    merging->into->measured = true;
    warn_of_merging(merging);
    if (!check_jobs(merging, force) || !make_since_checkpoint(merging))
        return false;
    add_all(merging);
    unite_machines(merging);
    warn_of_times(merging);
    if (!merge_series(merging))
        return false;
    for (size_t i = 0; i < merging->count; i++) {
        add_warnings(merging, &merging->parts[i]);
        add_faults(merging, &merging->parts[i]);
    }
    return merging->exact || refuse_sum(merging, "figures");
}

bool results_merge(const struct merge_part *parts, size_t count, bool force, struct result **out, struct error *error)
{
    struct merging merging = {.parts = parts, .count = count, .exact = true, .error = error};
    struct job job;
    *out = NULL;
    if (!check_parts(&merging) || !make_job(&merging, &job))
        return false;
    merging.into = result_make(&job);
    if (!merging.into)
        return error_set(error, ERR_SYSTEM, "not enough memory for the merged result");
    if (!merge_all(&merging, force)) {
        result_free(merging.into);
        return false;
    }
    *out = merging.into;
    return true;
}
