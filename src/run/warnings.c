/* warnings.c: one function for each warning, and the table of them at the end. A text gives the figures that the
 * warning rests on and what to do about them. */
#include "run/warnings.h"

#include "core/cpu_list.h"
#include "core/units.h"
#include "run/trend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bounds, and why ------------------------------------------------------------------------------------- */

#define COLD_READ_SHARE 0.1    /* after drop_cache: few random reads of so little of the set are second ones (5 %) */
#define CLOCK_TIMES 5          /* a latency of so many clock steps or readings is off by up to a fifth */
#define CPU_FULL_SHARE 0.9     /* of all CPUs: the system needs some too */
#define THREAD_FULL_SHARE 0.95 /* of its threads' time: a thread that waits for a device has more to spare */
#define HOST_IDLE_SHARE 0.05   /* of all CPUs: hardly any time that more work could have had */
#define CLIENT_SHARE 0.1       /* of all CPUs: so much more could the server have had */
#define CPU_WAIT_SHARE 0.05    /* of the threads' time: so much longer are its latencies at least */
#define CPU_WAIT_LEAST_NS (10 * NS_PER_MS) /* a thread: less is the crowd at the start */
#define LITTLE_SHARE 0.05
#define LITTLE_LEAST_IOS 20      /* for each place in a queue: the way in and out costs half an IO, 2.5 % */
#define STARVED_VARIATION 0.25   /* of two threads: one did 1.7 times as much as the other */
#define STARVED_SHARE 0.25       /* of the mean: one among many hardly moves the variation */
#define STARVED_LEAST_EVENTS 100 /* a thread, in the mean: chance alone then makes 10 % */
#define RUN_TAILS 20             /* a run has room for so many of its p99.9 or longer one after the other */
#define TAIL_PERCENT 99.9
#define RUN_INTERVALS 3
#define OVERRUN_SHARE 0.1 /* of the time that was asked for */
#define OVERRUN_LEAST_NS NS_PER_S
#define STALL_LEAST_NS (900 * NS_PER_MS) /* an interval of a second may be a little shorter */
#define STALL_LEAST_EVENTS 20            /* that the rest of the run makes in such a time: by chance none in 5e8 */
#define RATE_REACHED_SHARE 0.99          /* of the target: what ends a run short costs less */
#define RATE_BACKLOG_EVENTS 2            /* that waited at once */
#define FAILED_TRIES_SHARE 0.05          /* of the transactions that were done */
#define END_SYNC_SHARE 0.1               /* of the load's time */
#define WHOLE_INTERVAL 0.9 /* the last interval is cut off where the load ended; shorter ones are left out */

/* ---- helpers --------------------------------------------------------------------------------------------- */

#define UNITS_TEXT 32

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static const struct histogram *latency_of(const struct result *result, enum op_class op)
{
    return &result->total.of[op].latency;
}

/* Classes of the load that are timed each by itself; a queue's wait may well be nothing. */
static const enum op_class timed_classes[] = {
    CLASS_READ, CLASS_WRITE, CLASS_SYNC, CLASS_DURABLE_WRITE, CLASS_TRANSACTION, CLASS_READ_QUERY, CLASS_WRITE_QUERY};

static uint64_t total_errors(const struct result *result)
{
    uint64_t errors = 0;
    for (int op = 0; op < CLASS_COUNT; ++op)
        errors += result->total.of[op].errors;
    return errors;
}

/* ---- the set --------------------------------------------------------------------------------------------- */

/* Of a set that was dropped from the cache, what is read for the first time comes from the device. */
static bool reads_are_first(const struct result *result, uint64_t used_bytes)
{
    const struct job *job = &result->job;
    double room = (double)used_bytes * (mode_is_sequential(job->mode) ? 1 : COLD_READ_SHARE);
    return job->drop_cache && result->warmup_ns == 0 && (double)result->total.of[CLASS_READ].bytes <= room;
}

static void check_os_cache(struct result *result, const struct evidence *evidence, const char *code)
{
    const struct job *job = &result->job;
    char set[UNITS_TEXT], memory[UNITS_TEXT];
    bool reads = mode_reads(job->mode) && !reads_are_first(result, evidence->used_bytes);
    bool writes = mode_writes(job->mode) && !job->sync_each_write && job->through == WRITE_THROUGH_OFF;
    if (job->cache == OS_CACHE_OFF && strstr(result->host.os, ", Wine "))
        result_warn(
            result, code,
            "Wine does not pass --cache=off on to the system: what looks like the volume's speed is that of the "
            "OS cache; measure on Windows itself");
    if (job->cache != OS_CACHE_ON || evidence->used_bytes >= result->host.memory_bytes || (!reads && !writes))
        return;
    result_warn(result, code,
                "the OS cache is on and the working set of %s fits into the memory of %s: %s%s%s; use --cache=off, or "
                "a --total-size above the memory",
                units_bytes_human((double)evidence->used_bytes, set, sizeof(set)),
                units_bytes_human((double)result->host.memory_bytes, memory, sizeof(memory)),
                reads ? "reads need not touch the device" : "", reads && writes ? ", and " : "",
                writes ? "writes end in memory until a sync" : "");
}

static void check_unwritten(struct result *result, const struct evidence *evidence, const char *code)
{
    char never[UNITS_TEXT], set[UNITS_TEXT];
    if (!mode_reads(result->job.mode) || !evidence->written_known || evidence->written_bytes >= evidence->used_bytes)
        return;
    uint64_t missing_bytes = evidence->used_bytes - evidence->written_bytes;
    result_warn(result, code,
                "%s of the %s that are read (%.3g %%) were never written: such reads touch no device; run prepare with "
                "--fill=written",
                units_bytes_human((double)missing_bytes, never, sizeof(never)),
                units_bytes_human((double)evidence->used_bytes, set, sizeof(set)),
                share_of(missing_bytes, evidence->used_bytes) * 100);
}

static void check_compressible(struct result *result, const struct evidence *evidence, const char *code)
{
    const struct job *job = &result->job;
    (void)evidence;
    if (mode_writes(job->mode) && job->data == DATA_COUNT_UP)
        result_warn(result, code,
                    "each block written is the bytes 0 to 255 over and over: a device or file system that compresses, "
                    "or keeps equal blocks once, is faster than with real data");
    if (!mode_writes(job->mode) || (job->data != DATA_ZERO && job->compress_percent == 0))
        return;
    uint64_t zeros_percent = job->data == DATA_ZERO ? 100 : job->compress_percent;
    result_warn(result, code,
                "%" PRIu64 " %% of each block written is zeros: a device or file system that compresses or drops them "
                "is faster than with real data",
                zeros_percent);
}

/* ---- the clock ------------------------------------------------------------------------------------------- */

/* The lowest percentile that is shown; the median always is in a reader's mind. */
static double lowest_percentile(const struct job *job)
{
    double lowest = 50;
    for (uint32_t i = 0; i < job->percentiles.count; ++i)
        lowest = job->percentiles.values[i] < lowest ? job->percentiles.values[i] : lowest;
    return lowest;
}

static void check_resolution(struct result *result, const struct evidence *evidence, const char *code)
{
    const struct clock_facts *clock = &result->clock;
    double step_ns = fmax((double)clock->resolution_ns, clock->cost_ns), percent = lowest_percentile(&result->job);
    char value[UNITS_TEXT], resolution[UNITS_TEXT], bound[UNITS_TEXT];
    (void)evidence;
    for (size_t i = 0; i < COUNT_OF(timed_classes); ++i) {
        const struct histogram *latency = latency_of(result, timed_classes[i]);
        uint64_t value_ns = histogram_percentile(latency, percent);
        if (latency->count == 0 || (double)value_ns >= step_ns * CLOCK_TIMES)
            continue;
        result_warn(result, code,
                    "p%g of %s is %s, and the clock's resolution is %s and a reading takes %.0f ns: latencies below %s "
                    "are mostly clock",
                    percent, op_class_names[timed_classes[i]], units_time_human((double)value_ns, value, sizeof(value)),
                    units_time_human((double)clock->resolution_ns, resolution, sizeof(resolution)), clock->cost_ns,
                    units_time_human(step_ns * CLOCK_TIMES, bound, sizeof(bound)));
    }
}

static void check_steps_back(struct result *result, const struct evidence *evidence, const char *code)
{
    (void)evidence;
    if (result->total.clock_steps_back > 0)
        result_warn(result, code,
                    "the clock %s stepped back %" PRIu64 " times between two readings; each counts as a latency of 0",
                    result->clock.name, result->total.clock_steps_back);
}

static void check_clamped(struct result *result, const struct evidence *evidence, const char *code)
{
    uint64_t above = 0, longest_ns = 0;
    char longest[UNITS_TEXT];
    (void)evidence;
    for (int op = 0; op < CLASS_COUNT; ++op) {
        const struct histogram *latency = latency_of(result, (enum op_class)op);
        if (latency->count == 0 || latency->max_ns <= HISTOGRAM_HIGHEST_NS)
            continue;
        above += latency->counts[HISTOGRAM_BUCKETS - 1];
        longest_ns = latency->max_ns > longest_ns ? latency->max_ns : longest_ns;
    }
    if (longest_ns > 0)
        result_warn(result, code,
                    "latencies reach %s and the histogram ends at 73 minutes: %" PRIu64 " operations are in its last "
                    "bucket, and percentiles among them are only lower bounds",
                    units_time_human((double)longest_ns, longest, sizeof(longest)), above);
}

/* ---- the client ------------------------------------------------------------------------------------------ */

static double cpus_busy(const struct result *result)
{
    return share_of(result->cpu_user_ns + result->cpu_system_ns, result->elapsed_ns);
}

static uint32_t cpus_usable(const struct result *result)
{
    uint32_t bound = cpu_list_count(result->job.cpus);
    return bound > 0 && bound < result->host.cpu_count ? bound : result->host.cpu_count;
}

/* Its threads' time in which they were ready and had no CPU; with the warm-up, as result->cpu_wait_ns is. */
static double cpu_wait_share(const struct result *result)
{
    uint64_t least_ns = result->job.threads * CPU_WAIT_LEAST_NS;
    if (result->cpu_wait_ns < least_ns)
        return 0;
    return share_of(result->cpu_wait_ns, (result->warmup_ns + result->load_ns) * result->job.threads);
}

/* Threads that keep many IOs in flight on a device have time to spare, unless they themselves are the limit. The
 * engine uv has its IO done by other threads. Of jobs that run together nobody knows whose the CPU time was. */
static bool threads_are_full(const struct result *result, const struct evidence *evidence)
{
    const struct job *job = &result->job;
    return !evidence->together && job->cache == OS_CACHE_OFF && job->depth > 1 && strcmp(job->engine, "uv") != 0 &&
           cpus_busy(result) >= THREAD_FULL_SHARE * (double)job->threads;
}

static bool is_database(const struct result *result)
{
    return result->job.work == WORK_DATABASE;
}

/* Share of the host's CPU time in which it had nothing to do; 1 where the system does not tell. */
static double idle_share(const struct result *result)
{
    uint64_t idle_ns = 0, all_ns = 0;
    for (size_t i = 0; i < result->cpus_count; ++i) {
        const struct cpu_row *cpu = &result->cpus[i];
        idle_ns += cpu->idle_ns;
        all_ns += cpu->user_ns + cpu->system_ns + cpu->idle_ns;
    }
    return all_ns ? share_of(idle_ns, all_ns) : 1;
}

/* The server is on the same machine, both want its CPUs, and there are none left. */
static bool client_competes(const struct result *result)
{
    return is_database(result) && strcmp(result->job.db_driver, "sqlite") != 0 &&
           idle_share(result) <= HOST_IDLE_SHARE && cpus_busy(result) >= CLIENT_SHARE * (double)result->host.cpu_count;
}

static const char *whose_limit(const struct result *result)
{
    if (!is_database(result))
        return "the CPUs and not the volume may set the limit";
    return strcmp(result->job.db_driver, "sqlite") == 0
               ? "SQLite works inside of it, and the CPUs set the limit, not the volume"
               : "the client and not the server may set the limit; run it on a machine of its own, or with more CPUs";
}

static void check_client_cpu(struct result *result, const struct evidence *evidence, const char *code)
{
    double busy = cpus_busy(result), waited = cpu_wait_share(result);
    uint32_t cpus = evidence->together ? result->host.cpu_count : cpus_usable(result);
    if (cpus > 0 && busy >= CPU_FULL_SHARE * cpus)
        result_warn(result, code, "isobench itself kept %.3g of %" PRIu32 " CPUs busy: %s", busy, cpus,
                    whose_limit(result));
    else if (client_competes(result))
        result_warn(result, code,
                    "this machine's CPUs were idle only %.1f %% of the time and isobench kept %.3g of them busy: a "
                    "server here has to share them with its client; run the client on another machine",
                    idle_share(result) * 100, busy);
    else if (waited > CPU_WAIT_SHARE)
        result_warn(
            result, code,
            "isobench's threads were ready and waited for a CPU %.3g %% of their time: latencies hold that wait; use "
            "fewer threads or a machine with less else to do",
            waited * 100);
    else if (threads_are_full(result, evidence))
        result_warn(result, code,
                    "%" PRIu64 " thread%s kept %.3g CPUs busy: the threads and not the volume may set the limit; use "
                    "more --threads",
                    result->job.threads, result->job.threads == 1 ? "" : "s", busy);
}

/* Sum of the latencies over the time, which is IOPS times their mean: how many were under way at once (Little, "A
 * Proof for the Queuing Formula L = λW", 1961). A durable write covers its write and its sync. */
static double mean_under_way(const struct result *result)
{
    double sum_ns = (double)latency_of(result, CLASS_READ)->sum_ns;
    if (is_database(result)) /* connections are opened between two transactions, or within one */
        return (double)(latency_of(result, CLASS_TRANSACTION)->sum_ns +
                        (result->job.reconnect_every ? latency_of(result, CLASS_CONNECT)->sum_ns : 0)) /
               (double)result->load_ns;
    if (result->job.sync_each_write)
        sum_ns += (double)latency_of(result, CLASS_DURABLE_WRITE)->sum_ns;
    else
        sum_ns += (double)latency_of(result, CLASS_WRITE)->sum_ns + (double)latency_of(result, CLASS_SYNC)->sum_ns;
    return sum_ns / (double)result->load_ns;
}

static void check_little(struct result *result, const struct evidence *evidence, const char *code)
{
    const struct job *job = &result->job;
    bool of_tables = is_database(result);
    double places = (double)job->threads * (of_tables ? 1 : (double)job->depth), seen = mean_under_way(result);
    /* what a run that was cut short had under way took time and has no latency; failed operations of files take time
     * and have no latency; rows of bulk_insert are gathered between packets */
    if (evidence->connects || job->rate > 0 || job->think_time_ns > 0 || result->partial ||
        (of_tables ? strcmp(job->workload, "bulk_insert") == 0 || result->faults_count > 0
                   : total_errors(result) > 0) ||
        (double)result->total.events < places * LITTLE_LEAST_IOS || fabs(seen - places) <= LITTLE_SHARE * places)
        return;
    result_warn(result, code, "%s x mean latency is %.3g and %s is %.0f (%+.1f %%): %s",
                of_tables ? "transactions/s" : "IOPS", seen, of_tables ? "the number of threads" : "threads x depth",
                places, (seen / places - 1) * 100,
                seen < places ? "the rest of the threads' time went into isobench's own work between two operations, "
                                "or into queues that were not full"
                              : "latencies are longer than the time that they were in");
}

struct spread {
    double mean, variation; /* coefficient of variation: standard deviation / mean */
    uint64_t fewest_at;
};

static struct spread spread_of(const struct result *result)
{
    uint64_t threads = result->job.threads;
    struct spread spread = {0, 0, 0};
    double squares = 0;
    for (uint64_t i = 0; i < threads; ++i) {
        spread.mean += (double)result->threads[i].events / (double)threads;
        spread.fewest_at = result->threads[i].events < result->threads[spread.fewest_at].events ? i : spread.fewest_at;
    }
    for (uint64_t i = 0; i < threads; ++i) {
        double away = (double)result->threads[i].events - spread.mean;
        squares += away * away;
    }
    spread.variation = spread.mean > 0 ? sqrt(squares / (double)threads) / spread.mean : 0;
    return spread;
}

/* In open loop whoever is free takes the next event: uneven shares harm nobody. */
static void check_starved(struct result *result, const struct evidence *evidence, const char *code)
{
    struct spread spread = spread_of(result);
    (void)evidence;
    if (result->job.rate > 0 || spread.mean < STARVED_LEAST_EVENTS)
        return;
    uint64_t fewest = result->threads[spread.fewest_at].events;
    if (spread.variation > STARVED_VARIATION || (double)fewest < STARVED_SHARE * spread.mean)
        result_warn(result, code,
                    "thread %" PRIu64 " did %" PRIu64 " events and the mean of the threads is %.0f (coefficient of "
                    "variation %.2f): they did not get equal shares",
                    spread.fewest_at, fewest, spread.mean, spread.variation);
}

/* Open loop: did the system keep up? */
static void check_rate(struct result *result, const struct evidence *evidence, const char *code)
{
    double reached = (double)result->total.events * 1e9 / (double)result->load_ns;
    double late_s = (double)result->start_delay_max_ns / 1e9;
    (void)evidence;
    /* without a backlog it is the arrivals' own chance (poisson) or the end of a short run */
    if (result->job.rate > 0 && reached < result->job.rate * RATE_REACHED_SHARE &&
        late_s * result->job.rate >= RATE_BACKLOG_EVENTS)
        result_warn(result, code,
                    "target not reached: %.1f of %.1f events/s; the latest event began %.3g s after it was due, with "
                    "about %.0f waiting behind it",
                    reached, result->job.rate, late_s, late_s * result->job.rate);
}

/* ---- the length of the run ------------------------------------------------------------------------------- */

static enum op_class longest_tail(const struct result *result, uint64_t *tail_ns)
{
    enum op_class longest = CLASS_READ;
    *tail_ns = 0;
    for (size_t i = 0; i < COUNT_OF(timed_classes); ++i) {
        uint64_t ns = histogram_percentile(latency_of(result, timed_classes[i]), TAIL_PERCENT);
        if (ns > *tail_ns) {
            *tail_ns = ns;
            longest = timed_classes[i];
        }
    }
    return longest;
}

static void check_short_run(struct result *result, const struct evidence *evidence, const char *code)
{
    uint64_t tail_ns, interval_ns = result->job.report_interval_ns;
    enum op_class op = longest_tail(result, &tail_ns);
    char load[UNITS_TEXT], tail[UNITS_TEXT], interval[UNITS_TEXT];
    (void)evidence;
    units_time_human((double)result->load_ns, load, sizeof(load));
    if ((double)result->load_ns < RUN_TAILS * (double)tail_ns)
        result_warn(
            result, code,
            "%s is less than %d times the p99.9 of %s, %s: a few slow operations decide the figures; run longer", load,
            RUN_TAILS, op_class_names[op], units_time_human((double)tail_ns, tail, sizeof(tail)));
    if ((double)result->load_ns < RUN_INTERVALS * (double)interval_ns)
        result_warn(result, code, "%s is less than %d intervals of %s: the series says nothing; run longer", load,
                    RUN_INTERVALS, units_time_human((double)interval_ns, interval, sizeof(interval)));
}

/* What was under way when the time was over hung: a server or a device that stood still. */
static void check_overrun(struct result *result, const struct evidence *evidence, const char *code)
{
    uint64_t time_ns = result->job.time_ns, load_ns = result->load_ns;
    char asked[UNITS_TEXT], load[UNITS_TEXT];
    (void)evidence;
    if (time_ns == 0 || load_ns < time_ns + OVERRUN_LEAST_NS || (double)load_ns < (1 + OVERRUN_SHARE) * (double)time_ns)
        return;
    result_warn(result, code,
                "--time was %s and the last operation ended after %s: until then something stood still, and rates are "
                "of all that time; look at the series",
                units_time_human((double)time_ns, asked, sizeof(asked)),
                units_time_human((double)load_ns, load, sizeof(load)));
}

/* Samples below which a percentile is the maximum. The small share keeps 1000 enough for 99.9, which is no exact
 * double. */
static double samples_needed(double percent)
{
    return percent < 100 ? ceil(100 / (100 - percent) * (1 - 1e-9)) : 0;
}

/* The lowest percentile of the job that so few samples cannot tell; 0 when they tell all. */
static double first_untold(const struct job *job, uint64_t samples)
{
    for (uint32_t i = 0; i < job->percentiles.count && samples > 0; ++i) {
        if ((double)samples < samples_needed(job->percentiles.values[i]))
            return job->percentiles.values[i];
    }
    return 0;
}

static void check_few_samples(struct result *result, const struct evidence *evidence, const char *code)
{
    char list[384] = "";
    (void)evidence;
    for (size_t i = 0; i < COUNT_OF(timed_classes); ++i) {
        uint64_t samples = latency_of(result, timed_classes[i])->count;
        double percent = first_untold(&result->job, samples);
        size_t used = strlen(list);
        if (percent > 0)
            snprintf(list + used, sizeof(list) - used, "%s%s from p%g on (%" PRIu64 " samples of %.0f)",
                     used ? ", " : "", op_class_names[timed_classes[i]], percent, samples, samples_needed(percent));
    }
    if (list[0])
        result_warn(result, code, "too few samples, these percentiles are only the maximum: %s; run longer", list);
}

static void check_end_sync(struct result *result, const struct evidence *evidence, const char *code)
{
    char load[UNITS_TEXT], sync[UNITS_TEXT];
    (void)evidence;
    if (result->end_sync_count == 0 || (double)result->end_sync_ns <= END_SYNC_SHARE * (double)result->load_ns)
        return;
    result_warn(result, code,
                "after %s of load the syncs at the end took %s more (%.3g %%): part of what was written was not on "
                "the device before, and IOPS and MiB/s are of the load alone",
                units_time_human((double)result->load_ns, load, sizeof(load)),
                units_time_human((double)result->end_sync_ns, sync, sizeof(sync)),
                share_of(result->end_sync_ns, result->load_ns) * 100);
}

static void check_steady_state(struct result *result, const struct evidence *evidence, const char *code)
{
    char warmup[UNITS_TEXT];
    (void)evidence;
    if (result->steady_state_missed)
        result_warn(result, code, "%s did not come within the warm-up of %s", result->job.steady_state,
                    units_time_human((double)result->warmup_ns, warmup, sizeof(warmup)));
}

/* ---- the series ------------------------------------------------------------------------------------------ */

/* Length of an interval without the syncs at the end. */
static uint64_t load_part_ns(const struct result *result, const struct interval *interval)
{
    uint64_t end_ns = interval->end_ns < result->load_ns ? interval->end_ns : result->load_ns;
    return end_ns > interval->start_ns ? end_ns - interval->start_ns : 0;
}

/* Events per second of all whole intervals, for free(). */
static double *series_rates(const struct result *result, size_t *count)
{
    double *rates = malloc((result->series_count + 1) * sizeof(*rates));
    *count = 0;
    for (size_t i = 0; rates && i < result->series_count; ++i) {
        const struct interval *interval = &result->series[i];
        uint64_t ns = load_part_ns(result, interval);
        if (ns > 0 && (double)ns >= WHOLE_INTERVAL * (double)load_part_ns(result, &result->series[0]))
            rates[(*count)++] = (double)interval->latency_events * 1e9 / (double)ns;
    }
    return rates;
}

/* In open loop the job sets the rate. */
static struct trend series_trend(const struct result *result, size_t *count)
{
    struct trend trend = {TREND_NONE, 0, 0, 0, 0, 0, 0, 0};
    double *rates = result->job.rate > 0 ? NULL : series_rates(result, count);
    if (rates)
        trend_find(rates, *count, &trend);
    free(rates);
    return trend;
}

static void check_drift(struct result *result, const struct evidence *evidence, const char *code)
{
    size_t count = 0;
    struct trend trend = series_trend(result, &count);
    double percent = trend.from > 0 ? (trend.to / trend.from - 1) * 100 : 0;
    char at[UNITS_TEXT];
    (void)evidence;
    if (trend.kind == TREND_DRIFT)
        result_warn(result, code,
                    "the rate drifted from %.5g events/s in the first third to %.5g in the last (%+.1f %%, %zu "
                    "intervals): the figures depend on the length of the run; use --warmup or --steady-state",
                    trend.from, trend.to, percent, count);
    if (trend.kind == TREND_STEP)
        result_warn(result, code,
                    "the rate stepped from %.5g to %.5g events/s after %s (%+.1f %%): the figures depend on the length "
                    "of the run; use --warmup or --steady-state",
                    trend.from, trend.to,
                    units_time_human((double)result->series[trend.step_index].start_ns, at, sizeof(at)), percent);
}

struct stall {
    uint64_t from_ns, to_ns; /* the longest */
    uint64_t all_ns;         /* of all */
};

/* Times without the end of any event, in whole intervals. */
static struct stall find_stall(const struct result *result)
{
    struct stall stall = {0, 0, 0};
    uint64_t from_ns = 0, to_ns = 0;
    for (size_t i = 0; i <= result->series_count; ++i) {
        const struct interval *interval = i < result->series_count ? &result->series[i] : NULL;
        if (interval && interval->latency_events == 0 && load_part_ns(result, interval) > 0) {
            to_ns = interval->start_ns + load_part_ns(result, interval);
            continue;
        }
        uint64_t span_ns = to_ns > from_ns ? to_ns - from_ns : 0;
        if (span_ns > stall.to_ns - stall.from_ns)
            stall = (struct stall){from_ns, to_ns, stall.all_ns};
        stall.all_ns += span_ns >= STALL_LEAST_NS ? span_ns : 0;
        from_ns = interval ? interval->end_ns : 0;
    }
    return stall;
}

/* Between bursts nothing is to end. */
static void check_stall(struct result *result, const struct evidence *evidence, const char *code)
{
    struct stall stall = find_stall(result);
    char from[UNITS_TEXT], to[UNITS_TEXT], all[UNITS_TEXT];
    (void)evidence;
    if (stall.all_ns == 0 || stall.all_ns >= result->load_ns || result->job.think_time_ns > 0)
        return;
    double rate = (double)result->total.events * 1e9 / (double)(result->load_ns - stall.all_ns);
    if (rate * (double)(stall.to_ns - stall.from_ns) < STALL_LEAST_EVENTS * 1e9)
        return;
    result_warn(
        result, code,
        "nothing ended from %s to %s of the run (%s in all): the mean rate of %.5g events/s holds that time, and "
        "without it was %.5g; look at the series, and give no mean without this",
        units_time_human((double)stall.from_ns, from, sizeof(from)),
        units_time_human((double)stall.to_ns, to, sizeof(to)), units_time_human((double)stall.all_ns, all, sizeof(all)),
        (double)result->total.events * 1e9 / (double)result->load_ns, rate);
}

static void check_two_modes(struct result *result, const struct evidence *evidence, const char *code)
{
    size_t count = 0;
    struct trend trend = series_trend(result, &count);
    (void)evidence;
    if (trend.kind == TREND_TWO_MODES)
        result_warn(result, code,
                    "the rate had two levels, about %.5g events/s in %zu intervals and %.5g in %zu, and changed %zu "
                    "times: the mean lies between them and was hardly ever seen",
                    trend.low, trend.low_count, trend.high, count - trend.low_count, trend.changes);
}

/* ---- databases ------------------------------------------------------------------------------------------ */

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

static bool same_word(const char *a, const char *b)
{
    for (; *a && lower(*a) == lower(*b); ++a, ++b)
        continue;
    return lower(*a) == lower(*b);
}

/* Settings of a server with which a commit that was acknowledged may be lost. */
static const struct {
    const char *product, *variable, *value; /* product NULL: any */
} lossy_settings[] = {
    {NULL, "innodb_flush_log_at_trx_commit", "0"},
    {NULL, "innodb_flush_log_at_trx_commit", "2"},
    {NULL, "synchronous_commit", "off"},
    {NULL, "fsync", "off"},
    {"SQLite", "synchronous", "0"},
    {"SQLite", "synchronous", "off"},
    {"SQLite", "synchronous", "1"},
    {"SQLite", "synchronous", "normal"},
};

static bool is_lossy(const struct server_facts *server, const struct server_variable *variable)
{
    for (size_t i = 0; i < COUNT_OF(lossy_settings); ++i)
        if (strcmp(variable->name, lossy_settings[i].variable) == 0 &&
            same_word(variable->value, lossy_settings[i].value) &&
            (!lossy_settings[i].product || strcmp(server->product, lossy_settings[i].product) == 0))
            return true;
    return false;
}

static void check_lossy_commit(struct result *result, const struct evidence *evidence, const char *code)
{
    const struct server_facts *server = &result->server;
    (void)evidence;
    for (size_t i = 0; i < server->variables_count && latency_of(result, CLASS_WRITE_QUERY)->count > 0; ++i) {
        if (is_lossy(server, &server->variables[i]))
            result_warn(result, code,
                        "the server has %.60s=%.60s: a commit does not wait until it is on the device and can be lost "
                        "with power; writes are faster than where it has to",
                        server->variables[i].name, server->variables[i].value);
    }
}

static void check_failed_tries(struct result *result, const struct evidence *evidence, const char *code)
{
    uint64_t tries = result->total.of[CLASS_TRANSACTION].errors, done = latency_of(result, CLASS_TRANSACTION)->count;
    (void)evidence;
    if (is_database(result) && (double)tries > FAILED_TRIES_SHARE * (double)done)
        result_warn(result, code,
                    "%" PRIu64 " tries failed for %" PRIu64
                    " transactions that were done: latencies hold what was done "
                    "again, and queries/s counts it; use more tables or rows, or fewer threads, if that is not what "
                    "you measure",
                    tries, done);
}

/* Not those of reconnect_every. */
static void check_lost_connections(struct result *result, const struct evidence *evidence, const char *code)
{
    uint64_t opened = latency_of(result, CLASS_CONNECT)->count, first = evidence->connects ? result->job.threads : 0;
    if (is_database(result) && opened > first && result->job.reconnect_every == 0)
        result_warn(result, code,
                    "connections were lost %" PRIu64 " times and opened anew: the figures hold the time without a "
                    "server; look at the series",
                    opened - first);
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

static const struct {
    const char *code;
    void (*check)(struct result *result, const struct evidence *evidence, const char *code);
} checks[] = {
    {"os-cache", check_os_cache},
    {"unwritten", check_unwritten},
    {"compressible-data", check_compressible},
    {"short-vs-resolution", check_resolution},
    {"clock-steps", check_steps_back},
    {"latency-clamped", check_clamped},
    {"client-cpu", check_client_cpu},
    {"rate-not-reached", check_rate},
    {"littles-law", check_little},
    {"starved-thread", check_starved},
    {"short-run", check_short_run},
    {"overrun", check_overrun},
    {"stall", check_stall},
    {"few-samples", check_few_samples},
    {"end-sync", check_end_sync},
    {"no-steady-state", check_steady_state},
    {"drift", check_drift},
    {"two-modes", check_two_modes},
    {"lossy-commit", check_lossy_commit},
    {"failed-tries", check_failed_tries},
    {"lost-connections", check_lost_connections},
};

void warnings_add(struct result *result, const struct evidence *evidence)
{
    if (!result->measured || result->load_ns == 0)
        return;
    for (size_t i = 0; i < COUNT_OF(checks); ++i)
        checks[i].check(result, evidence, checks[i].code);
}

const char *warnings_code(size_t index)
{
    return index < COUNT_OF(checks) ? checks[index].code : NULL;
}
