#include "reconcile/sides.h"

#include "core/relevance.h"
#include "core/settings.h"
#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>

const struct measure_form measure_forms[MEASURES] = {
    [MEASURE_RATE] = {"IO/s", "/s", "rate_per_s", 1, true, true},
    [MEASURE_BYTES_PER_S] = {"throughput", "MiB/s", "bytes_per_s", 0x1p20, true, true},
    [MEASURE_MEAN_NS] = {"latency mean", "ms", "mean_ns", 1e6, false, true},
    [MEASURE_P50_NS] = {"latency p50", "ms", "p50_ns", 1e6, false, true},
    [MEASURE_P95_NS] = {"latency p95", "ms", "p95_ns", 1e6, false, true},
    [MEASURE_P99_NS] = {"latency p99", "ms", "p99_ns", 1e6, false, true},
    [MEASURE_MAX_NS] = {"latency max", "ms", "max_ns", 1e6, false, true},
    [MEASURE_COUNT] = {"IOs", "", "count", 1, true, false},
    [MEASURE_ELAPSED_NS] = {"measured for", "s", "elapsed_ns", 1e9, true, false},
};

/* ---- one run ---- */

bool figure_wrapped(const struct figure *figure)
{
    bool is_latency = figure->kind == FIGURE_MIN_NS || figure->kind == FIGURE_MAX_NS ||
                      figure->kind == FIGURE_MEAN_NS || figure->kind == FIGURE_SAMPLE_NS ||
                      figure->kind == FIGURE_PERCENTILE_NS || figure->kind == FIGURE_SUM_NS;
    return is_latency && figure->value >= 0x1p63;
}

static bool value_of(const struct reading *run, enum figure_kind kind, int op, double percent, double *out)
{
    const struct figure *figure = reading_figure(run, kind, op, percent);
    if (!figure || figure_wrapped(figure))
        return false;
    *out = figure->value;
    return true;
}

/* Of reads and writes together, where the tool tells them apart. */
static bool sum_of_classes(const struct reading *run, enum figure_kind kind, double *out)
{
    double reads = 0, writes = 0;
    bool has_reads = value_of(run, kind, CLASS_READ, 0, &reads),
         has_writes = value_of(run, kind, CLASS_WRITE, 0, &writes);
    *out = reads + writes;
    return has_reads || has_writes;
}

static bool amount_of(const struct reading *run, enum figure_kind kind, double *out)
{
    if (run->job.work == WORK_DATABASE)
        return value_of(run, kind, CLASS_TRANSACTION, 0, out) || value_of(run, kind, OP_ALL, 0, out);
    return sum_of_classes(run, kind, out) || value_of(run, kind, OP_ALL, 0, out);
}

static bool rate_of(const struct reading *run, double *out)
{
    double count, elapsed_ns, bytes_per_s;
    if (amount_of(run, FIGURE_PER_S, out))
        return true;
    if (amount_of(run, FIGURE_COUNT, &count) && value_of(run, FIGURE_ELAPSED_NS, OP_ALL, 0, &elapsed_ns) &&
        elapsed_ns > 0) {
        *out = count * (double)NS_PER_S / elapsed_ns;
        return true;
    }
    if (run->job.work != WORK_FILES || !amount_of(run, FIGURE_BYTES_PER_S, &bytes_per_s) ||
        reading_provenance(run, "block_size") == PROVENANCE_UNKNOWN)
        return false;
    *out = bytes_per_s / (double)run->job.block_size_bytes;
    return true;
}

static bool throughput_of(const struct reading *run, double *out)
{
    double rate;
    if (run->job.work != WORK_FILES)
        return false;
    if (amount_of(run, FIGURE_BYTES_PER_S, out))
        return true;
    if (!rate_of(run, &rate) || reading_provenance(run, "block_size") == PROVENANCE_UNKNOWN)
        return false;
    *out = rate * (double)run->job.block_size_bytes;
    return true;
}

/* Of reads and writes together: what N averages and maxima tell of all; percentiles tell nothing. */
static bool join_latencies(const struct reading *run, enum figure_kind kind, double reads, double writes, double *out)
{
    double read_count, write_count;
    if (kind == FIGURE_MAX_NS) {
        *out = reads > writes ? reads : writes;
        return true;
    }
    if (kind != FIGURE_MEAN_NS || !value_of(run, FIGURE_COUNT, CLASS_READ, 0, &read_count) ||
        !value_of(run, FIGURE_COUNT, CLASS_WRITE, 0, &write_count) || read_count + write_count <= 0)
        return false;
    *out = (reads * read_count + writes * write_count) / (read_count + write_count);
    return true;
}

/* Of all events; where a tool has only one class, that is all. */
static bool latency_of(const struct reading *run, enum figure_kind kind, double percent, double *out)
{
    double reads = 0, writes = 0;
    if (value_of(run, kind, OP_ALL, percent, out))
        return true;
    if (run->job.work == WORK_DATABASE)
        return value_of(run, kind, CLASS_TRANSACTION, percent, out);
    bool has_reads = value_of(run, kind, CLASS_READ, percent, &reads),
         has_writes = value_of(run, kind, CLASS_WRITE, percent, &writes);
    *out = has_reads ? reads : writes;
    return has_reads && has_writes ? join_latencies(run, kind, reads, writes, out) : has_reads || has_writes;
}

bool measure_of(const struct reading *run, enum measure measure, double *out)
{
    *out = 0;
    switch (measure) {
    case MEASURE_RATE:
        return rate_of(run, out);
    case MEASURE_BYTES_PER_S:
        return throughput_of(run, out);
    case MEASURE_MEAN_NS:
        return latency_of(run, FIGURE_MEAN_NS, 0, out);
    case MEASURE_P50_NS:
        return latency_of(run, FIGURE_PERCENTILE_NS, 50, out);
    case MEASURE_P95_NS:
        return latency_of(run, FIGURE_PERCENTILE_NS, 95, out);
    case MEASURE_P99_NS:
        return latency_of(run, FIGURE_PERCENTILE_NS, 99, out);
    case MEASURE_MAX_NS:
        return latency_of(run, FIGURE_MAX_NS, 0, out);
    case MEASURE_COUNT:
        return amount_of(run, FIGURE_COUNT, out);
    case MEASURE_ELAPSED_NS:
        return value_of(run, FIGURE_ELAPSED_NS, OP_ALL, 0, out);
    case MEASURES:
        break;
    }
    return false;
}

/* ---- sides ---- */

/* The seed is drawn anew for each repetition. */
static bool is_of_the_run(const struct setting *setting)
{
    return strcmp(setting->name, "seed") == 0;
}

static bool is_repetition(const struct reading *a, const struct reading *b)
{
    if (a->file != b->file || strcmp(a->tool, b->tool) != 0 || strcmp(a->name, b->name) != 0)
        return false;
    for (size_t i = 0; i < settings_count; i++)
        if (!is_of_the_run(&settings[i]) && setting_concerns(&settings[i], a->job.work) &&
            !setting_equal(&a->job, &b->job, &settings[i]))
            return false;
    return true;
}

static struct side *find_side(struct sides *sides, const struct reading *run)
{
    for (size_t i = 0; i < sides->count; i++)
        if (is_repetition(sides->items[i].runs[0], run))
            return &sides->items[i];
    return NULL;
}

bool sides_make(const struct readings *readings, struct sides *out)
{
    size_t room = readings->count ? readings->count : 1;
    out->count = 0;
    out->items = calloc(room, sizeof *out->items);
    for (size_t i = 0; out->items && i < readings->count; i++) {
        struct side *side = find_side(out, readings->items[i]);
        if (!side) {
            side = &out->items[out->count++];
            side->label = (char)('A' + (out->count - 1) % 26);
            side->job = &readings->items[i]->job;
            side->runs = calloc(room, sizeof(struct reading *));
        }
        if (!side->runs) {
            sides_free(out);
            return false;
        }
        side->runs[side->run_count++] = readings->items[i];
    }
    return out->items != NULL;
}

void sides_free(struct sides *sides)
{
    for (size_t i = 0; i < sides->count; i++)
        free(sides->items[i].runs);
    free(sides->items);
    sides->items = NULL;
    sides->count = 0;
}

enum provenance side_provenance(const struct side *side, size_t setting)
{
    return (enum provenance)side->runs[0]->provenance[setting];
}

size_t side_values(const struct side *side, enum measure measure, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < side->run_count; i++)
        if (measure_of(side->runs[i], measure, &out[count]) && out[count] > 0)
            count++;
    return count;
}

bool sides_ratio(const struct side *a, const struct side *b, enum measure measure, struct ratio *out)
{
    double *values = calloc(a->run_count + b->run_count, sizeof *values);
    size_t left = values ? side_values(a, measure, values) : 0,
           right = values ? side_values(b, measure, values + left) : 0;
    bool good = left > 0 && right > 0;
    if (good)
        *out = stats_ratio_welch(values, left, values + left, right);
    free(values);
    return good;
}

struct range {
    double low, high, mean;
};

static struct range range_of(const struct side *side)
{
    struct range out = {0, 0, 0};
    double *values = calloc(side->run_count, sizeof *values);
    size_t count = values ? side_values(side, MEASURE_RATE, values) : 0;
    for (size_t i = 0; i < count; i++) {
        out.low = i == 0 || values[i] < out.low ? values[i] : out.low;
        out.high = values[i] > out.high ? values[i] : out.high;
    }
    out.mean = stats_mean(values, count);
    free(values);
    return out;
}

double side_spread_percent(const struct side *side)
{
    struct range range = range_of(side);
    return range.mean > 0 ? 100 * (range.high - range.low) / range.mean : 0;
}

bool sides_overlap(const struct side *a, const struct side *b)
{
    struct range left = range_of(a), right = range_of(b);
    return left.low <= right.high && right.low <= left.high;
}
