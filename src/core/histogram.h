/* core/histogram.h: latency histogram in nanoseconds, constant memory, at most 1 % relative error from
 * 100 ns to 1 h (0.4 % by construction).
 *
 * Buckets are laid out as HdrHistogram does for 2 significant digits and a lowest value of 1 ns: exact below
 * 256 ns, then 128 equal buckets per power of two. Values above HISTOGRAM_HIGHEST_NS count in the last bucket. */
#ifndef CORE_HISTOGRAM_H
#define CORE_HISTOGRAM_H

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
    _Atomic uint64_t count, sum_ns, min_ns_plus_1, max_ns;
};

uint32_t histogram_bucket(uint64_t value_ns);      /* which bucket a value counts in */
uint64_t histogram_bucket_low(uint32_t bucket);    /* smallest value of the bucket */
uint64_t histogram_bucket_middle(uint32_t bucket); /* what stands for the bucket in figures */

void histogram_record(struct histogram *histogram, uint64_t value_ns);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* a −= b, for figures of the time between two snapshots; b must be an earlier snapshot of a. min and max
 * become bucket bounds within a's min and max. */
void histogram_subtract(struct histogram *a, const struct histogram *b);

void live_histogram_record(struct live_histogram *histogram, uint64_t value_ns);
void live_histogram_snapshot(struct live_histogram *histogram, struct histogram *out);    /* overwrites out */
void live_histogram_merge_into(struct live_histogram *histogram, struct histogram *into); /* adds */

/* percent 0…100; nearest-rank over buckets; always within min…max; 0 when empty. */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);
double histogram_mean(const struct histogram *histogram);
/* Population standard deviation, from bucket middles (Welford-free: two passes). */
double histogram_stddev(const struct histogram *histogram);

#endif
