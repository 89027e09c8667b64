/* core/histogram.h: latency histogram in nanoseconds, constant memory, at most 1 % relative error from
 * 100 ns to 1 h (0.4 % by construction).
 *
 * Buckets are laid out as HdrHistogram does for 2 significant digits and a lowest value of 1 ns: exact below
 * 256 ns, then 128 equal buckets per power of two. Values above HISTOGRAM_HIGHEST_NS count in the last bucket. */
#ifndef CORE_HISTOGRAM_H
#define CORE_HISTOGRAM_H

#include "platform/compiler.h"

#include <stdatomic.h>
#include <stdint.h>

#define HISTOGRAM_BUCKETS 4608 /* (35 + 1) × 128: up to 2^42 ns = 73 minutes */
#define HISTOGRAM_HIGHEST_NS ((UINT64_C(1) << 42) - 1)

/* Plain: for one thread, for merging and for reading figures. All zero bytes = empty. */
struct histogram {
    uint64_t counts[HISTOGRAM_BUCKETS];
    uint64_t count, sum_ns;
    uint64_t min_ns, max_ns; /* exact; 0 when empty */
};

/* Live: one thread records, any thread may take a snapshot. All zero bytes = empty. */
struct live_histogram {
    _Atomic uint64_t counts[HISTOGRAM_BUCKETS];
    _Atomic uint64_t sum_ns, min_ns_plus_1, max_ns; /* the number of samples is in the buckets */
};

/* Which bucket a value counts in. Buckets per power of two, and the power below which every value has a bucket of its
 * own: with 128 = 2^7 buckets for 2^k … 2^(k+1) a bucket is 2^(k−7) wide, so its middle is at most 1/256 of the value
 * away. */
#define HISTOGRAM_HALF_BITS 7
#define HISTOGRAM_HALF (1U << HISTOGRAM_HALF_BITS)

static inline uint32_t histogram_bucket(uint64_t value_ns)
{
    uint64_t value = value_ns < HISTOGRAM_HIGHEST_NS ? value_ns : HISTOGRAM_HIGHEST_NS;
    uint32_t shift = bits_highest(value | (2 * HISTOGRAM_HALF - 1)) - HISTOGRAM_HALF_BITS;
    return shift * HISTOGRAM_HALF + (uint32_t)(value >> shift);
}

/* Coarser, for one histogram per interval of a long run: four cells for each power of two (from 256 ns on), each of so
 * many buckets. */
#define LATENCY_CELL_BUCKETS 32
#define LATENCY_CELLS (HISTOGRAM_BUCKETS / LATENCY_CELL_BUCKETS)
void histogram_cells(const struct histogram *histogram, uint64_t out[LATENCY_CELLS]);

uint64_t histogram_bucket_low(uint32_t bucket);    /* smallest value of the bucket */
uint64_t histogram_bucket_middle(uint32_t bucket); /* what stands for the bucket in figures */

void histogram_record(struct histogram *histogram, uint64_t value_ns);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* a −= b, for figures of the time between two snapshots; b must be an earlier snapshot of a. min and max
 * become bucket bounds within a's min and max. */
void histogram_subtract(struct histogram *a, const struct histogram *b);

/* Adds to a counter that the calling thread alone writes: a load and a store are enough, and far cheaper than a
 * locked addition. */
static inline void live_add(_Atomic uint64_t *counter, uint64_t amount)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + amount, memory_order_relaxed);
}

/* Here, so that the loop of a worker holds it without a call. */
static inline void live_histogram_record(struct live_histogram *histogram, uint64_t value_ns)
{
    live_add(&histogram->counts[histogram_bucket(value_ns)], 1);
    live_add(&histogram->sum_ns, value_ns);
    /* empty is 0, and 0 − 1 is above everything */
    if (value_ns < atomic_load_explicit(&histogram->min_ns_plus_1, memory_order_relaxed) - 1)
        atomic_store_explicit(&histogram->min_ns_plus_1, value_ns + 1, memory_order_relaxed);
    if (value_ns > atomic_load_explicit(&histogram->max_ns, memory_order_relaxed))
        atomic_store_explicit(&histogram->max_ns, value_ns, memory_order_relaxed);
}

void live_histogram_snapshot(struct live_histogram *histogram, struct histogram *out); /* overwrites out */
/* The same for several samples, with all figures but the buckets in registers. */
static inline void live_histogram_record_many(struct live_histogram *histogram, const uint64_t *values_ns,
                                              uint32_t count)
{
    uint64_t sum_ns = 0, below_min = atomic_load_explicit(&histogram->min_ns_plus_1, memory_order_relaxed) - 1;
    uint64_t max_ns = atomic_load_explicit(&histogram->max_ns, memory_order_relaxed);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value_ns = values_ns[i];
        live_add(&histogram->counts[histogram_bucket(value_ns)], 1);
        sum_ns += value_ns;
        below_min = value_ns < below_min ? value_ns : below_min;
        max_ns = value_ns > max_ns ? value_ns : max_ns;
    }
    live_add(&histogram->sum_ns, sum_ns);
    atomic_store_explicit(&histogram->min_ns_plus_1, below_min + 1, memory_order_relaxed);
    atomic_store_explicit(&histogram->max_ns, max_ns, memory_order_relaxed);
}

/* Adds what it holds to `into`; returns how many samples that were and, in *sum_ns (may be NULL), their sum. */
uint64_t live_histogram_merge_into(struct live_histogram *histogram, struct histogram *into, uint64_t *sum_ns);

/* percent 0…100; nearest-rank over buckets; always within min…max; 0 when empty. */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);
double histogram_mean(const struct histogram *histogram);
/* Population standard deviation, from bucket middles (Welford-free: two passes). */
double histogram_stddev(const struct histogram *histogram);

#endif
