#include "reconcile/findings.h"

#include "core/settings.h"
#include "core/units.h"
#include "platform/clock.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

struct looking {
    struct findings *out;
    const struct side *side;
    const struct reading *run;
    bool good;
};

static struct finding *add(struct looking *looking, const char *code, uint32_t line, const char *format, ...)
    PRINTF_LIKE(4, 5);

static struct finding *add(struct looking *looking, const char *code, uint32_t line, const char *format, ...)
{
    static struct finding *const none = NULL;
    struct findings *out = looking->out;
    va_list list;
    if (out->count == out->room) {
        size_t room = out->room ? out->room * 2 : 16;
        struct finding *items = realloc(out->items, room * sizeof *items);
        if (!items) {
            looking->good = false;
            return none;
        }
        out->items = items;
        out->room = room;
    }
    struct finding *finding = &out->items[out->count++];
    memset(finding, 0, sizeof *finding);
    snprintf(finding->code, sizeof finding->code, "%s", code);
    finding->label = looking->side ? looking->side->label : 0;
    if (looking->run && line > 0) {
        const char *colon = strrchr(looking->run->source, ':');
        int length = colon ? (int)(colon - looking->run->source) : (int)strlen(looking->run->source);
        snprintf(finding->source, sizeof finding->source, "%.*s:%" PRIu32, length < 2000 ? length : 2000,
                 looking->run->source, line);
    } else if (looking->run) {
        snprintf(finding->source, sizeof finding->source, "%s", looking->run->source);
    }
    va_start(list, format);
    vsnprintf(finding->text, sizeof finding->text, format, list);
    va_end(list);
    return finding;
}

void findings_free(struct findings *findings)
{
    free(findings->items);
    memset(findings, 0, sizeof *findings);
}

/* ---- small helpers ---- */

static const char *time_text(double ns, char out[32])
{
    return units_time_human(ns, out, 32);
}

static bool is_known(const struct reading *run, const char *setting)
{
    return reading_provenance(run, setting) != PROVENANCE_UNKNOWN;
}

/* ---- clocks ---- */

/* The exact number of nanoseconds that the text of a latency shows, as far as its digits go: "18446744073709.47ms" is
 * 18446744073709470000. `unit_ns` is what the figure's value was scaled with. False when it does not fit. */
static bool exact_ns(const char *text, uint64_t unit_ns, uint64_t *out)
{
    uint64_t whole = 0, part = 0, scale = 1;
    bool point = false;
    for (; isdigit((unsigned char)*text) || *text == '.'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text == '.')
            point = true;
        else if (!point && whole > (UINT64_MAX - digit) / 10)
            return false;
        else if (!point)
            whole = whole * 10 + digit;
        else if (scale < unit_ns) {
            part = part * 10 + digit;
            scale *= 10;
        }
    }
    if (unit_ns > 0 && whole > UINT64_MAX / unit_ns)
        return false;
    *out = whole * unit_ns + part * (unit_ns / (scale < unit_ns ? scale : unit_ns));
    return true;
}

static uint64_t unit_of(const struct figure *figure, uint64_t *out)
{
    static const uint64_t units[] = {1, UINT64_C(1000), NS_PER_MS, NS_PER_S};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        uint64_t ns;
        if (exact_ns(figure->text, units[i], &ns) && fabs((double)ns / figure->value - 1) < 1e-6) {
            *out = ns;
            return units[i];
        }
    }
    *out = (uint64_t)figure->value;
    return 1;
}

static void look_at_overflow(struct looking *looking)
{
    static const char *const names[FIGURE_KINDS] = {
        [FIGURE_MIN_NS] = "minimum",           [FIGURE_MEAN_NS] = "average",   [FIGURE_MAX_NS] = "maximum",
        [FIGURE_PERCENTILE_NS] = "percentile", [FIGURE_SAMPLE_NS] = "latency", [FIGURE_SUM_NS] = "sum of latencies"};
    for (size_t i = 0; i < looking->run->figures_count; i++) {
        const struct figure *figure = &looking->run->figures[i];
        uint64_t ns;
        if (!figure_wrapped(figure) || figure->value > 18446744073709551616.0 * 1.0000001)
            continue;
        uint64_t unit = unit_of(figure, &ns), below_ns = 0 - ns; /* 2^64 − ns */
        const char *unit_name = unit == 1 ? "ns" : unit == UINT64_C(1000) ? "us" : unit == NS_PER_MS ? "ms" : "s";
        struct finding *finding =
            add(looking, "timer-overflow", figure->line,
                "the %s of %s %s is a time that went below zero in 64 bits: the clock went back between two readings "
                "(timers of several CPUs). It is in no statistics here, and the average that was printed holds it",
                names[figure->kind] ? names[figure->kind] : "figure", figure->text, unit_name);
        if (!finding)
            return;
        if (unit >= NS_PER_MS)
            snprintf(finding->corrected, sizeof finding->corrected, "-%.2f ms", (double)below_ns / (double)NS_PER_MS);
        else
            snprintf(finding->corrected, sizeof finding->corrected, "-%" PRIu64 " ns", below_ns);
    }
}

#define TICK_NS 15.625e6 /* of Windows' system time, 64 in a second */

/* Whether a percentile lies between 0 and the first tick, where such a clock has none. */
static bool is_finer_than_ticks(const struct reading *run)
{
    for (size_t i = 0; i < run->figures_count; i++) {
        const struct figure *figure = &run->figures[i];
        if (figure->kind == FIGURE_PERCENTILE_NS && figure->value > 0 && figure->value < 0.9 * TICK_NS)
            return true;
    }
    return false;
}

static void look_at_ticks(struct looking *looking)
{
    double mean_ns;
    if (!measure_of(looking->run, MEASURE_MEAN_NS, &mean_ns) || mean_ns > TICK_NS / 4 ||
        is_finer_than_ticks(looking->run))
        return;
    for (size_t i = 0; i < looking->run->figures_count; i++) {
        const struct figure *figure = &looking->run->figures[i];
        double ticks = figure->value / TICK_NS;
        if (figure->kind != FIGURE_PERCENTILE_NS || ticks < 0.9 || ticks > 4.2 ||
            fabs(ticks - round(ticks)) > 0.02 * ticks)
            continue;
        add(looking, "clock-tick", figure->line,
            "percentile %g is %.2f ms, %.0f tick%s of a clock of 15.6 ms, while the average is %.2f ms: such a clock "
            "measures 0 or a whole tick, and no percentile below it",
            figure->percent, figure->value / 1e6, round(ticks), round(ticks) > 1 ? "s" : "", mean_ns / 1e6);
    }
}

/* A time below one step of the clock that it was measured with. */
static bool look_at_clock(struct looking *looking, const struct figure *figure)
{
    const struct figure *clock = reading_figure(looking->run, FIGURE_CLOCK_HZ, OP_ALL, 0);
    double step_ns = clock && clock->value > 0 ? 1e9 / clock->value : 0;
    char step[32];
    if (looking->run->result || figure->value >= step_ns)
        return false; /* isobench's own runs have a warning of their own */
    return add(looking, "resolution", figure->line, "%s of %s is below the clock's resolution: one step of it is %s",
               figure->kind == FIGURE_MEAN_NS ? "an average" : "a percentile", figure->text,
               time_text(step_ns, step)) != NULL;
}

static void look_at_resolution(struct looking *looking)
{
    for (size_t i = 0; i < looking->run->figures_count; i++) {
        const struct figure *figure = &looking->run->figures[i];
        bool is_typical = figure->kind == FIGURE_MEAN_NS || figure->kind == FIGURE_PERCENTILE_NS;
        char quantum[32];
        if (!is_typical || figure->op != OP_ALL)
            continue;
        if (look_at_clock(looking, figure))
            return;
        if (figure->quantum <= 0 || figure->value > 3 * figure->quantum)
            continue;
        add(looking, "resolution", figure->line, "%s of %s: printed in steps of %s, so it may be off by %s of itself",
            figure->kind == FIGURE_MEAN_NS ? "an average" : "a percentile", figure->text,
            time_text(figure->quantum, quantum),
            figure->value > 0 ? figure->value < 2 * figure->quantum ? "half" : "a quarter" : "all");
        return; /* once per run */
    }
}

/* ---- figures that do not agree with each other ---- */

/* What the digits that were printed leave open, as a share of the figure: 0.03 may be 0.04. Of several classes the
 * coarsest. */
static double rounding_of(const struct reading *run, enum figure_kind kind)
{
    double coarsest = 0;
    for (size_t i = 0; i < run->figures_count; i++) {
        const struct figure *figure = &run->figures[i];
        if (figure->kind == kind && figure->value > 0 && figure->quantum / figure->value > coarsest)
            coarsest = figure->quantum / figure->value;
    }
    return coarsest;
}

static void look_at_throughput(struct looking *looking)
{
    const struct reading *run = looking->run;
    double rate, bytes_per_s;
    if (run->job.work != WORK_FILES || run->result || !is_known(run, "block_size") ||
        !measure_of(run, MEASURE_RATE, &rate) || !measure_of(run, MEASURE_BYTES_PER_S, &bytes_per_s) || rate <= 0)
        return;
    double implied = rate * (double)run->job.block_size_bytes, off = bytes_per_s / implied;
    double slack = 0.012 + rounding_of(run, FIGURE_PER_S) + rounding_of(run, FIGURE_BYTES_PER_S);
    if (fabs(off - 1) < slack || run->job.merge_blocks > 1)
        return;
    if (fabs(off * 1e6 / 0x1p20 - 1) < 0.012 || fabs(off / (1e6 / 0x1p20) - 1) < 0.012) {
        add(looking, "units", 0, "its throughput fits its IO/s only if its MB are %s bytes",
            off > 1 ? "1 000 000" : "1 048 576");
        return;
    }
    add(looking, "throughput-mismatch", 0, "%.6g IO/s of %" PRIu64 " bytes are %.4g MiB/s, and it says %.4g MiB/s",
        rate, run->job.block_size_bytes, implied / 0x1p20, bytes_per_s / 0x1p20);
}

/* Tools whose MB are MiB. */
static void look_at_units(struct looking *looking)
{
    static const char *const tools[] = {"sqlio", "hdparm", "seeker"};
    const struct reading *run = looking->run;
    bool is_old = strcmp(run->tool, "sysbench") == 0 && strncmp(run->version, "0.", 2) == 0;
    const struct figure *figure = reading_figure(run, FIGURE_BYTES_PER_S, OP_ALL, 0);
    figure = figure ? figure : reading_figure(run, FIGURE_BYTES_PER_S, CLASS_READ, 0);
    for (size_t i = 0; i < COUNT_OF(tools); i++)
        is_old |= strcmp(run->tool, tools[i]) == 0;
    if (is_old && figure && run == looking->side->runs[0])
        add(looking, "mib-as-mb", figure->line,
            "%s prints MB and means MiB (1 048 576 bytes): %.2f MiB/s are %.2f MB/s", run->tool, figure->value / 0x1p20,
            figure->value / 1e6);
}

/* J. D. C. Little, "A proof for the queuing formula L = λW", Operations Research 9 (1961). */
static void look_at_concurrency(struct looking *looking)
{
    const struct reading *run = looking->run;
    double rate, mean_ns, allowed = (double)run->job.threads * (double)run->job.depth;
    if (!is_known(run, "threads") || !measure_of(run, MEASURE_RATE, &rate) ||
        !measure_of(run, MEASURE_MEAN_NS, &mean_ns) || mean_ns <= 0)
        return;
    if (run->job.work == WORK_DATABASE)
        allowed = (double)run->job.threads;
    else if (!is_known(run, "depth"))
        return;
    const struct figure *mean = reading_figure(run, FIGURE_MEAN_NS, OP_ALL, 0);
    double slack = mean ? mean->quantum / mean_ns : 0, in_flight = rate * mean_ns / (double)NS_PER_S;
    if (run->job.rate > 0)
        return; /* latency then holds the wait before the start */
    if (in_flight > allowed * (1.05 + slack))
        add(looking, "concurrency", mean ? mean->line : 0,
            "rate × mean latency says %.2f IOs were in flight, and %.0f are all there can be (threads × depth): one of "
            "the two figures is wrong",
            in_flight, allowed);
    else if (in_flight < allowed * (0.75 - slack) && slack < 0.25)
        add(looking, "idle-threads", mean ? mean->line : 0,
            "rate × mean latency says %.2f IOs were in flight of %.0f: for the rest of the time the threads did "
            "something "
            "else (the tool's own work, syncs, waiting for a CPU), which is in the rate and not in the latency",
            in_flight, allowed);
}

static void look_at_event_time(struct looking *looking)
{
    const struct reading *run = looking->run;
    const struct figure *sum = reading_figure(run, FIGURE_SUM_NS, OP_ALL, 0);
    double elapsed_ns, threads = (double)run->job.threads * (double)run->job.depth;
    if (!sum || figure_wrapped(sum) || !is_known(run, "threads") || run->job.rate > 0 ||
        !measure_of(run, MEASURE_ELAPSED_NS, &elapsed_ns) || sum->value <= threads * elapsed_ns * 1.02)
        return;
    add(looking, "event-time", sum->line,
        "the latencies add up to %.4g s, more than the %.4g s that %.0f thread%s had in %.4g s", sum->value / 1e9,
        threads * elapsed_ns / 1e9, threads, threads > 1 ? "s" : "", elapsed_ns / 1e9);
}

static void look_at_order(struct looking *looking)
{
    const struct reading *run = looking->run;
    const struct figure *low = reading_figure(run, FIGURE_MIN_NS, OP_ALL, 0),
                        *high = reading_figure(run, FIGURE_MAX_NS, OP_ALL, 0);
    for (size_t i = 0; i < run->figures_count; i++) {
        const struct figure *figure = &run->figures[i];
        bool inside = figure->kind == FIGURE_MEAN_NS || figure->kind == FIGURE_PERCENTILE_NS;
        if (!inside || figure->op != OP_ALL || figure_wrapped(figure))
            continue;
        if (high && !figure_wrapped(high) && figure->value > high->value * 1.01 + high->quantum)
            add(looking, "above-maximum", figure->line, "%s of %s is above the maximum of %s",
                figure->kind == FIGURE_MEAN_NS ? "the average" : "a percentile", figure->text, high->text);
        if (low && !figure_wrapped(low) && figure->value < low->value * 0.99 - low->quantum)
            add(looking, "below-minimum", figure->line, "%s of %s is below the minimum of %s",
                figure->kind == FIGURE_MEAN_NS ? "the average" : "a percentile", figure->text, low->text);
    }
}

/* ---- how the run went ---- */

static void look_at_limits(struct looking *looking)
{
    const struct reading *run = looking->run;
    double count, elapsed_ns;
    char elapsed[32], asked[32];
    if (run->job.events == 0 || run->job.time_ns == 0 || !is_known(run, "events") || !is_known(run, "time") ||
        !measure_of(run, MEASURE_COUNT, &count) || !measure_of(run, MEASURE_ELAPSED_NS, &elapsed_ns))
        return;
    if (count < 0.99 * (double)run->job.events || elapsed_ns > 0.9 * (double)run->job.time_ns)
        return;
    add(looking, "request-limit", 0,
        "it ended after %s of the %s asked for, because its limit of %" PRIu64 " requests%s came first",
        time_text(elapsed_ns, elapsed), time_text((double)run->job.time_ns, asked), run->job.events,
        reading_provenance(run, "events") == PROVENANCE_DEFAULT ||
                (strcmp(run->tool, "sysbench") == 0 && run->job.events == 10000 && !strstr(run->command, "requests"))
            ? " (the tool's default)"
            : "");
}

static void look_at_threads(struct looking *looking)
{
    const struct reading *run = looking->run;
    const struct figure *mean = reading_figure(run, FIGURE_EVENTS_MEAN, OP_ALL, 0),
                        *stddev = reading_figure(run, FIGURE_EVENTS_STDDEV, OP_ALL, 0);
    double least = HUGE_VAL, sum = 0, count = 0;
    if (mean && stddev && mean->value > 0 && stddev->value > 0.3 * mean->value)
        add(looking, "starved-threads", stddev->line,
            "events per thread vary by %.0f %% (%s ± %s): some threads did most of the work, so latency of the others "
            "is "
            "hardly in the figures",
            100 * stddev->value / mean->value, mean->text, stddev->text);
    for (size_t i = 0; i < run->figures_count; i++) {
        if (run->figures[i].kind != FIGURE_THREAD_EVENTS)
            continue;
        least = run->figures[i].value < least ? run->figures[i].value : least;
        sum += run->figures[i].value;
        count++;
    }
    if (count > 1 && sum > 20 * count && least < 0.25 * sum / count)
        add(looking, "starved-threads", 0, "one thread had %.0f events where the mean is %.0f", least, sum / count);
}

/* Without an exponent. */
static const char *rate_text(double rate, char out[32])
{
    snprintf(out, 32, rate >= 1000 ? "%.0f" : "%.4g", rate);
    return out;
}

static void look_at_series(struct looking *looking)
{
    const struct reading *run = looking->run;
    struct two_levels levels = stats_two_levels(run->series, run->series_count);
    struct drift drift = stats_drift(run->series, run->series_count);
    char from[32], to[32];
    if (levels.found)
        add(looking, "two-levels", 0,
            "the rate jumps between %s and %s per second (%.0f %% of the time low): burst credits, a cache that fills, "
            "or another load. One average of both describes neither",
            rate_text(levels.low, from), rate_text(levels.high, to), 100 * levels.share_low);
    else if (drift.found)
        add(looking, "drift", 0, "the rate goes from %s to %s per second while it runs: it had not settled",
            rate_text(drift.first, from), rate_text(drift.last, to));
}

static void look_at_fill(struct looking *looking)
{
    const struct reading *run = looking->run;
    if (!run->result && run->job.work == WORK_FILES && run->job.fill == FILL_EXTENDED && mode_reads(run->job.mode) &&
        reading_provenance(run, "fill") == PROVENANCE_STATED && run->job.target[0] != '\0')
        add(looking, "never-written", 0,
            "the file was made longer without being written just before: reads of such ranges return zeros without "
            "touching the disk, so this rate is not that of the disk");
}

static void look_at_device(struct looking *looking)
{
    const struct result *result = looking->run->result;
    double rate;
    /* virtual disks call themselves rotating whatever they are */
    if (!result || result->target.rotational != TRI_YES || strcmp(result->host.virtualization, "none") != 0 ||
        mode_is_sequential(result->job.mode) || !measure_of(looking->run, MEASURE_RATE, &rate))
        return;
    double in_flight = (double)result->job.threads * (double)result->job.depth;
    if (rate > 400 && result->job.work == WORK_FILES)
        add(looking, "impossible-rate", 0,
            "%.0f random IO/s with %.0f in flight: a disk that turns gives 80 to 400, so a cache answered", rate,
            in_flight);
}

/* No device answers one IO at a time so fast, or moves so much: the fastest of 2026 take about 5 µs, and the widest
 * slot of one (PCIe 5.0 × 16) has 63 GB/s. */
#define DEVICE_LATENCY_MIN_NS 2e3
#define DEVICE_BYTES_PER_S_MAX 64e9

static void look_at_memory(struct looking *looking)
{
    const struct reading *run = looking->run;
    char text[32];
    double rate, bytes_per_s, in_flight = (double)run->job.threads * (double)run->job.depth;
    if (run->job.work != WORK_FILES || run->job.cache != OS_CACHE_OFF || !is_known(run, "cache"))
        return;
    bool counted = is_known(run, "threads") && is_known(run, "depth") && measure_of(run, MEASURE_RATE, &rate);
    if (counted && rate * DEVICE_LATENCY_MIN_NS > 1e9 * in_flight)
        add(looking, "impossible-rate", 0,
            "%s IO/s with %.0f in flight is one each %.2g us, around the OS cache: no device is so fast, so memory "
            "or "
            "a range that was never written answered",
            rate_text(rate, text), in_flight, in_flight / rate * 1e6);
    else if (measure_of(run, MEASURE_BYTES_PER_S, &bytes_per_s) && bytes_per_s > DEVICE_BYTES_PER_S_MAX)
        add(looking, "impossible-rate", 0,
            "%.4g GB/s around the OS cache: no device has so wide a slot, so memory or a range that was never written "
            "answered",
            bytes_per_s / 1e9);
}

/* isobench's own result knows of more. */
static void look_at_warnings(struct looking *looking)
{
    const struct result *result = looking->run->result;
    for (size_t i = 0; result && i < result->warnings_count; i++)
        add(looking, result->warnings[i].code, 0, "%s", result->warnings[i].text);
}

static void look_at_rest(struct looking *looking)
{
    for (size_t i = 0; i < looking->run->notes_count; i++)
        add(looking, "reading", 0, "%s", looking->run->notes[i]);
    if (looking->run->partial)
        add(looking, "partial", 0, "the run did not end as it should, or its output is cut off: %s",
            looking->run->figures_count ? "what is here may be of a part of it" : "it has no figures");
}

/* ---- what several show together ---- */

#define CACHE_GAP 8.0

/* The same load on a set that is so much smaller gives so much more: it fits a cache. */
static bool is_same_but_size(const struct job *a, const struct job *b)
{
    return a->work == WORK_FILES && b->work == WORK_FILES && a->mode == b->mode && a->threads == b->threads &&
           a->block_size_bytes == b->block_size_bytes && a->depth == b->depth && a->cache == b->cache;
}

static double rate_of_side(struct looking *looking, const struct side *side)
{
    double *values = calloc(side->run_count + 1, sizeof *values);
    size_t count = values ? side_values(side, MEASURE_RATE, values) : 0;
    looking->good &= values != NULL;
    double rate = count ? stats_geometric_mean(values, count) : 0;
    free(values);
    return rate;
}

static void look_at_cached_set(struct looking *looking, const struct side *small, const struct side *large)
{
    char small_size[32], large_size[32], fast_text[32], slow_text[32];
    double fast = rate_of_side(looking, small), slow = rate_of_side(looking, large);
    if (slow <= 0 || fast < CACHE_GAP * slow)
        return;
    looking->side = small;
    looking->run = small->runs[0];
    add(looking, "cached-set", 0,
        "%s give %s IO/s where %s of the same load give %s: the small set fits a cache (of the system, the "
        "host or the device), and its figure is not the disk's",
        units_bytes_human((double)small->job->total_size_bytes, small_size, sizeof small_size),
        rate_text(fast, fast_text),
        units_bytes_human((double)large->job->total_size_bytes, large_size, sizeof large_size),
        rate_text(slow, slow_text));
}

static void look_at_pairs(struct looking *looking, const struct sides *sides)
{
    for (size_t i = 0; i < sides->count; i++)
        for (size_t k = 0; k < sides->count; k++) {
            const struct side *a = &sides->items[i], *b = &sides->items[k];
            if (is_same_but_size(a->job, b->job) && a->job->total_size_bytes > 0 &&
                a->job->total_size_bytes < b->job->total_size_bytes)
                look_at_cached_set(looking, a, b);
        }
}

/* What a command line asks for counts where the output does not tell; what neither tells is not known: 0. */
static double length_of(const struct side *side)
{
    double ns;
    if (measure_of(side->runs[0], MEASURE_ELAPSED_NS, &ns))
        return ns;
    return reading_provenance(side->runs[0], "time") == PROVENANCE_UNKNOWN ? 0 : (double)side->runs[0]->job.time_ns;
}

static void look_at_lengths(struct looking *looking, const struct sides *sides)
{
    const struct side *a = &sides->items[0];
    for (size_t i = 1; i < sides->count; i++) {
        const struct side *b = &sides->items[i];
        double left = length_of(a), right = length_of(b);
        char one[32], other[32];
        if (left <= 0 || right <= 0 || (left < 5 * right && right < 5 * left))
            continue;
        looking->side = NULL;
        looking->run = NULL;
        add(looking, "length", 0,
            "%c ran for %s, %c for %s: in a short run the start weighs most (caches, credits, boost clocks)", a->label,
            time_text(left, one), b->label, time_text(right, other));
    }
}

/* Repetitions of one job that are not of one kind: the first on a fresh file, a volume that ran out of credits. */
static void look_at_repetitions(struct looking *looking, const struct side *side)
{
    double *values = calloc(side->run_count + 1, sizeof *values);
    size_t count = values ? side_values(side, MEASURE_RATE, values) : 0;
    double low = HUGE_VAL, high = 0;
    looking->good &= values != NULL;
    for (size_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    looking->side = side;
    looking->run = side->runs[0];
    if (count > 1 && high > 2 * low)
        add(looking, "unlike-runs", 0,
            "the %zu runs of this job give from %.5g to %.5g per second: they did not meet the same volume (credits, a "
            "cache, a file that was just made), so their mean describes none of them",
            count, low, high);
    free(values);
}

/* ---- all ---- */

static void look_at_run(struct looking *looking)
{
    static void (*const looks[])(struct looking *) = {
        look_at_overflow,    look_at_limits,     look_at_fill,     look_at_ticks,
        look_at_concurrency, look_at_event_time, look_at_order,    look_at_throughput,
        look_at_threads,     look_at_series,     look_at_device,   look_at_memory,
        look_at_resolution,  look_at_units,      look_at_warnings, look_at_rest};
    for (size_t i = 0; i < COUNT_OF(looks); i++)
        looks[i](looking);
}

bool findings_make(const struct sides *sides, struct findings *out)
{
    struct looking looking = {out, NULL, NULL, true};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sides->count; i++)
        for (size_t r = 0; r < sides->items[i].run_count; r++) {
            looking.side = &sides->items[i];
            looking.run = sides->items[i].runs[r];
            look_at_run(&looking);
        }
    for (size_t i = 0; i < sides->count; i++)
        look_at_repetitions(&looking, &sides->items[i]);
    look_at_pairs(&looking, sides);
    if (sides->count > 0)
        look_at_lengths(&looking, sides);
    return looking.good;
}
