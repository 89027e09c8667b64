#include "core/histogram.h"

#include "platform/compiler.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HALF_BITS HISTOGRAM_HALF_BITS
#define HALF HISTOGRAM_HALF

_Static_assert(HISTOGRAM_BUCKETS == (42 - HALF_BITS + 1) * HALF, "the last bucket ends at HISTOGRAM_HIGHEST_NS");

/* ---- buckets ------------------------------------------------------------------------------------------------ */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* `low` wins should it be above `high`. */
static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return larger(low, smaller(value, high));
}

static uint32_t bucket_shift(uint32_t bucket)
{
    return bucket < HALF ? 0 : bucket / HALF - 1;
}

void histogram_cells(const struct histogram *histogram, uint64_t out[LATENCY_CELLS])
{
    memset(out, 0, LATENCY_CELLS * sizeof(*out));
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        out[i / LATENCY_CELL_BUCKETS] += histogram->counts[i];
}

uint64_t histogram_bucket_low(uint32_t bucket)
{
    uint32_t shift = bucket_shift(bucket);
    return (uint64_t)(bucket - shift * HALF) << shift;
}

uint64_t histogram_bucket_middle(uint32_t bucket)
{
    return histogram_bucket_low(bucket) + ((UINT64_C(1) << bucket_shift(bucket)) >> 1);
}

/* Largest value of the bucket; the last one has no end. */
static uint64_t bucket_high(uint32_t bucket)
{
    return bucket + 1 < HISTOGRAM_BUCKETS ? histogram_bucket_low(bucket + 1) - 1 : UINT64_MAX;
}

/* ---- figures that agree with the buckets --------------------------------------------------------------------- */

/* All of a histogram but its buckets. */
struct figures {
    uint64_t count, sum_ns, min_ns, max_ns;
};

/* What the buckets alone say about the figures. */
struct extent {
    uint64_t count, sum_low_ns, sum_high_ns;
    uint32_t first, last; /* that hold samples */
};

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply_saturating(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* `samples` > 0; buckets come in rising order. */
static void extent_add(struct extent *extent, uint32_t bucket, uint64_t samples)
{
    if (extent->count == 0)
        extent->first = bucket;
    extent->last = bucket;
    extent->count += samples;
    extent->sum_low_ns = add_saturating(extent->sum_low_ns, multiply_saturating(samples, histogram_bucket_low(bucket)));
    extent->sum_high_ns = add_saturating(extent->sum_high_ns, multiply_saturating(samples, bucket_high(bucket)));
}

/* The counters of a live histogram are read one after the other while samples arrive, so sum, min and max may
 * know of a sample that the buckets do not, or the reverse. The buckets are right; the others are moved as
 * little as it takes to agree with them. */
static struct figures settle(const struct extent *extent, uint64_t sum_ns, uint64_t min_ns, uint64_t max_ns)
{
    struct figures figures = {0};
    if (extent->count == 0)
        return figures;
    figures.count = extent->count;
    figures.sum_ns = clamp(sum_ns, extent->sum_low_ns, extent->sum_high_ns);
    figures.min_ns = clamp(min_ns, histogram_bucket_low(extent->first), bucket_high(extent->first));
    figures.max_ns = clamp(max_ns, histogram_bucket_low(extent->last), bucket_high(extent->last));
    figures.max_ns = larger(figures.max_ns, figures.min_ns);
    return figures;
}

static void add_figures(struct histogram *into, const struct figures *from)
{
    if (from->count == 0)
        return;
    into->min_ns = into->count == 0 ? from->min_ns : smaller(into->min_ns, from->min_ns);
    into->max_ns = larger(into->max_ns, from->max_ns);
    into->count += from->count;
    into->sum_ns += from->sum_ns;
}

/* ---- plain -------------------------------------------------------------------------------------------------- */

void histogram_record(struct histogram *histogram, uint64_t value_ns)
{
    struct figures sample = {1, value_ns, value_ns, value_ns};
    histogram->counts[histogram_bucket(value_ns)]++;
    add_figures(histogram, &sample);
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    struct figures figures = {from->count, from->sum_ns, from->min_ns, from->max_ns};
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->counts[i] += from->counts[i];
    add_figures(into, &figures);
}

void histogram_subtract(struct histogram *a, const struct histogram *b)
{
    struct extent extent = {0};
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        a->counts[i] -= smaller(b->counts[i], a->counts[i]);
        if (a->counts[i] > 0)
            extent_add(&extent, i, a->counts[i]);
    }
    /* The least and the largest of this time are not known. Moved into the buckets, those of the whole time are the
     * tightest bounds. */
    struct figures figures = settle(&extent, a->sum_ns - smaller(b->sum_ns, a->sum_ns), a->min_ns, a->max_ns);
    a->count = figures.count;
    a->sum_ns = figures.sum_ns;
    a->min_ns = figures.min_ns;
    a->max_ns = figures.max_ns;
}

/* ---- live --------------------------------------------------------------------------------------------------- */

static uint64_t peek(_Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Only the buckets between minimum and maximum are looked at: a thousand threads have a dozen histograms each, and
 * reading what was never written would take memory for it, and most of the time that a snapshot takes. A sample whose
 * minimum or maximum is not noted yet is in the next snapshot. */
uint64_t live_histogram_merge_into(struct live_histogram *histogram, struct histogram *into, uint64_t *sum_ns)
{
    struct extent extent = {0};
    uint64_t min_ns = peek(&histogram->min_ns_plus_1) - 1, max_ns = peek(&histogram->max_ns);
    uint32_t last = histogram_bucket(max_ns);
    for (uint32_t i = histogram_bucket(min_ns); i <= last; i++) {
        uint64_t samples = peek(&histogram->counts[i]);
        if (samples == 0)
            continue;
        into->counts[i] += samples;
        extent_add(&extent, i, samples);
    }
    struct figures figures = settle(&extent, peek(&histogram->sum_ns), min_ns, max_ns);
    add_figures(into, &figures);
    if (sum_ns)
        *sum_ns = figures.sum_ns;
    return figures.count;
}

void live_histogram_snapshot(struct live_histogram *histogram, struct histogram *out)
{
    memset(out, 0, sizeof *out);
    live_histogram_merge_into(histogram, out, NULL);
}

/* ---- figures ------------------------------------------------------------------------------------------------ */

/* Nearest rank: the smallest whole number ≥ percent/100 · count, from 1 to count. 99.9 is not a binary number:
 * a product that is whole but for rounding counts as whole, or 99.9 % of 1000 would be the 1000th. */
static uint64_t nearest_rank(double percent, uint64_t count)
{
    double rank = percent * (double)count / 100;
    double whole = floor(rank + 0.5);
    if (fabs(rank - whole) > 1e-14 * rank)
        whole = ceil(rank);
    if (whole >= (double)count)
        return count;
    return whole < 1 ? 1 : (uint64_t)whole;
}

static uint32_t bucket_of_rank(const struct histogram *histogram, uint64_t rank)
{
    uint32_t bucket = 0;
    for (uint64_t seen = histogram->counts[0]; seen < rank && bucket + 1 < HISTOGRAM_BUCKETS;)
        seen += histogram->counts[++bucket];
    return bucket;
}

static uint64_t middle_within(const struct histogram *histogram, uint32_t bucket)
{
    return clamp(histogram_bucket_middle(bucket), histogram->min_ns, histogram->max_ns);
}

uint64_t histogram_percentile(const struct histogram *histogram, double percent)
{
    if (histogram->count == 0 || !(percent > 0))
        return histogram->min_ns;
    if (percent >= 100)
        return histogram->max_ns;
    return middle_within(histogram, bucket_of_rank(histogram, nearest_rank(percent, histogram->count)));
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : (double)histogram->sum_ns / (double)histogram->count;
}

double histogram_stddev(const struct histogram *histogram)
{
    double mean = histogram_mean(histogram), squares = 0;
    if (histogram->count == 0)
        return 0;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        double distance = (double)middle_within(histogram, i) - mean;
        squares += (double)histogram->counts[i] * distance * distance;
    }
    return sqrt(squares / (double)histogram->count);
}
