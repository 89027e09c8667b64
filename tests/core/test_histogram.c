#include "core/histogram.h"

#include "platform/compiler.h"
#include "platform/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#define HOUR_NS UINT64_C(3600000000000)

static const double percents[] = {0, 0.001, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100};

/* ---- helpers ------------------------------------------------------------------------------------------------ */

static struct histogram *make_histogram(void)
{
    return test_calloc(1, sizeof(struct histogram));
}

/* Latencies as they come: most near 100 µs, a long tail. The same list every time. */
static uint64_t latency(uint64_t i)
{
    uint64_t mixed = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t tail = mixed >> 58; /* 0…63 */
    return 50000 + (mixed >> 20) % 100000 + (tail == 0 ? (mixed >> 10) % 3000000000 : 0);
}

static void check_consistent(const struct histogram *h)
{
    uint64_t sum = 0, low = 0, high = 0;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if (h->counts[i] > 0 && sum == 0)
            low = i;
        high = h->counts[i] > 0 ? i : high;
        sum += h->counts[i];
    }
    assert_int_equal(h->count, sum);
    assert_int_equal(histogram_bucket(h->min_ns), low);
    assert_int_equal(histogram_bucket(h->max_ns), high);
    assert_true(h->min_ns <= h->max_ns);
    double mean = histogram_mean(h);
    assert_true(mean >= (double)h->min_ns * 0.99 && mean <= (double)h->max_ns * 1.01);
}

static void check_percentiles_rise_within_bounds(const struct histogram *h)
{
    uint64_t previous = h->min_ns;
    for (size_t i = 0; i < COUNT_OF(percents); i++) {
        uint64_t value = histogram_percentile(h, percents[i]);
        assert_true(value >= previous && value <= h->max_ns);
        previous = value;
    }
}

static bool is_near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

/* ---- buckets ------------------------------------------------------------------------------------------------ */

static void below_256_every_value_has_its_bucket(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 256; value++) {
        assert_int_equal(histogram_bucket(value), value);
        assert_int_equal(histogram_bucket_low(value), value);
        assert_int_equal(histogram_bucket_middle(value), value);
    }
}

static void buckets_follow_each_other_without_gap(void **state)
{
    (void)state;
    for (uint32_t bucket = 1; bucket < HISTOGRAM_BUCKETS; bucket++) {
        uint64_t low = histogram_bucket_low(bucket), middle = histogram_bucket_middle(bucket);
        assert_int_equal(histogram_bucket(low), bucket);
        assert_int_equal(histogram_bucket(middle), bucket);
        assert_int_equal(histogram_bucket(low - 1), bucket - 1);
    }
}

static void known_values_are_in_hdr_histograms_buckets(void **state)
{
    static const struct {
        uint64_t value;
        uint32_t bucket;
    } rows[] = {{256, 256},
                {257, 256},
                {258, 257},
                {511, 383},
                {512, 384},
                {515, 384},
                {516, 385},
                {1000000, 1780},
                {HISTOGRAM_HIGHEST_NS, HISTOGRAM_BUCKETS - 1},
                {UINT64_MAX, HISTOGRAM_BUCKETS - 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(histogram_bucket(rows[i].value), rows[i].bucket);
}

static void check_error(uint64_t value)
{
    double middle = (double)histogram_bucket_middle(histogram_bucket(value));
    if (!is_near(middle, (double)value, 0.004))
        fail_msg("%llu ns stands as %.0f ns", (unsigned long long)value, middle);
}

static void error_is_within_one_percent_from_100_ns_to_1_h(void **state)
{
    (void)state;
    for (uint64_t value = 100; value < 100000; value++)
        check_error(value);
    for (uint64_t value = 100000; value <= HOUR_NS; value += value / 5003)
        check_error(value);
    for (uint32_t bucket = 100; histogram_bucket_low(bucket) <= HOUR_NS; bucket++) {
        check_error(histogram_bucket_low(bucket));
        check_error(histogram_bucket_low(bucket + 1) - 1);
    }
}

/* With samples on both sides, so that min and max cannot mend the figure. */
static void median_is_within_one_percent_from_100_ns_to_1_h(void **state)
{
    (void)state;
    struct histogram *h = make_histogram();
    for (uint64_t value = 100; value <= HOUR_NS; value += value / 97 + 1) {
        memset(h, 0, sizeof *h);
        histogram_record(h, 0);
        histogram_record(h, value);
        histogram_record(h, HISTOGRAM_HIGHEST_NS);
        assert_true(is_near((double)histogram_percentile(h, 50), (double)value, 0.01));
    }
    test_free(h);
}

/* ---- figures ------------------------------------------------------------------------------------------------ */

static void figures_of_an_empty_histogram_are_zero(void **state)
{
    (void)state;
    struct histogram *h = make_histogram(), *other = make_histogram();
    histogram_merge(h, other);
    histogram_subtract(h, other);
    for (size_t i = 0; i < COUNT_OF(percents); i++)
        assert_int_equal(histogram_percentile(h, percents[i]), 0);
    assert_true(histogram_mean(h) == 0 && histogram_stddev(h) == 0);
    assert_int_equal(h->count, 0);
    assert_int_equal(h->min_ns, 0);
    assert_int_equal(h->max_ns, 0);
    test_free(h);
    test_free(other);
}

static void percentile_of_one_sample_is_that_sample(void **state)
{
    static const uint64_t samples[] = {0, 1, 255, 12345, 999999937, HOUR_NS, 2 * HOUR_NS, UINT64_MAX};
    (void)state;
    struct histogram *h = make_histogram();
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        memset(h, 0, sizeof *h);
        histogram_record(h, samples[i]);
        for (size_t p = 0; p < COUNT_OF(percents); p++)
            assert_int_equal(histogram_percentile(h, percents[p]), samples[i]);
        assert_true(histogram_mean(h) == (double)samples[i]);
        assert_true(histogram_stddev(h) == 0);
    }
    test_free(h);
}

static void percentiles_take_the_nearest_rank(void **state)
{
    static const struct {
        double percent;
        uint64_t rank;
    } rows[] = {{0, 1},        {0.001, 1},    {0.1, 1},     {0.11, 2}, {1, 10},    {7, 70},
                {28, 280},     {50, 500},     {50.05, 501}, {57, 570}, {99, 990},  {99.9, 999},
                {99.91, 1000}, {99.99, 1000}, {100, 1000},  {-5, 1},   {250, 1000}};
    (void)state;
    struct histogram *h = make_histogram();
    for (uint64_t sample = 1; sample <= 1000; sample++)
        histogram_record(h, sample);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t value = histogram_percentile(h, rows[i].percent);
        if (histogram_bucket(value) != histogram_bucket(rows[i].rank))
            fail_msg("%g %% is %llu", rows[i].percent, (unsigned long long)value);
    }
    assert_int_equal(histogram_percentile(h, 0), 1);
    assert_int_equal(histogram_percentile(h, 100), 1000);
    test_free(h);
}

static void whole_ranks_stay_whole_at_any_count(void **state)
{
    static const uint64_t parts[] = {1, 3, 10, 70, 1000, 12345, 10000000};
    (void)state;
    struct histogram *h = make_histogram();
    h->min_ns = 10;
    h->max_ns = 20;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        h->count = parts[i] * 10000;
        for (uint64_t first = 1; first < 10000; first++) { /* hundredths of a percent that took 10 ns */
            h->counts[10] = parts[i] * first;
            h->counts[20] = parts[i] * (10000 - first);
            assert_int_equal(histogram_percentile(h, (double)first / 100), 10);
            assert_int_equal(histogram_percentile(h, (double)first / 100 + 0.001), 20);
        }
    }
    test_free(h);
}

static void mean_is_exact_and_deviation_near(void **state)
{
    (void)state;
    struct histogram *h = make_histogram();
    double sum = 0, squares = 0;
    uint64_t samples = 20000;
    for (uint64_t i = 0; i < samples; i++) {
        histogram_record(h, latency(i));
        sum += (double)latency(i);
    }
    double mean = sum / (double)samples;
    for (uint64_t i = 0; i < samples; i++)
        squares += ((double)latency(i) - mean) * ((double)latency(i) - mean);
    assert_true(is_near(histogram_mean(h), mean, 1e-12));
    assert_true(is_near(histogram_stddev(h), sqrt(squares / (double)samples), 0.01));
    check_consistent(h);
    check_percentiles_rise_within_bounds(h);
    test_free(h);
}

static void values_above_the_highest_count_in_the_last_bucket(void **state)
{
    (void)state;
    struct histogram *h = make_histogram();
    histogram_record(h, 1000);
    histogram_record(h, 2 * HOUR_NS);
    histogram_record(h, 3 * HOUR_NS);
    assert_int_equal(h->counts[HISTOGRAM_BUCKETS - 1], 2);
    assert_int_equal(h->max_ns, 3 * HOUR_NS);
    assert_int_equal(h->sum_ns, 1000 + 5 * HOUR_NS);
    check_percentiles_rise_within_bounds(h);
    assert_int_equal(histogram_percentile(h, 100), 3 * HOUR_NS);
    test_free(h);
}

/* ---- merging and subtracting -------------------------------------------------------------------------------- */

static void merged_parts_equal_the_whole(void **state)
{
    (void)state;
    struct histogram *whole = make_histogram(), *merged = make_histogram(), *part = make_histogram();
    for (uint64_t first = 0; first < 3000; first += 1000) {
        memset(part, 0, sizeof *part);
        for (uint64_t i = first; i < first + 1000; i++) {
            histogram_record(part, latency(i));
            histogram_record(whole, latency(i));
        }
        histogram_merge(merged, part);
    }
    memset(part, 0, sizeof *part);
    histogram_merge(merged, part); /* an empty one brings no minimum of 0 */
    assert_memory_equal(merged, whole, sizeof *whole);
    test_free(whole);
    test_free(merged);
    test_free(part);
}

static void difference_of_two_snapshots_is_the_time_between(void **state)
{
    (void)state;
    struct histogram *earlier = make_histogram(), *later = make_histogram(), *between = make_histogram();
    for (uint64_t i = 0; i < 5000; i++) {
        histogram_record(later, latency(i));
        histogram_record(i < 2000 ? earlier : between, latency(i));
    }
    histogram_subtract(later, earlier);
    assert_memory_equal(later->counts, between->counts, sizeof later->counts);
    assert_int_equal(later->count, 3000);
    assert_int_equal(later->sum_ns, between->sum_ns);
    assert_true(later->min_ns <= between->min_ns && later->max_ns >= between->max_ns);
    check_consistent(later);
    check_percentiles_rise_within_bounds(later);
    test_free(earlier);
    test_free(later);
    test_free(between);
}

static void difference_keeps_within_the_whole(void **state)
{
    (void)state;
    struct histogram *earlier = make_histogram(), *later = make_histogram();
    histogram_record(earlier, 500);
    histogram_record(later, 500);
    histogram_record(later, 1000001);
    histogram_subtract(later, earlier); /* the bucket goes on to 1 003 519 */
    assert_int_equal(later->max_ns, 1000001);
    assert_int_equal(later->min_ns, histogram_bucket_low(histogram_bucket(1000001)));
    histogram_subtract(later, later);
    assert_int_equal(later->count, 0);
    assert_int_equal(later->max_ns, 0);
    assert_int_equal(later->sum_ns, 0);
    test_free(earlier);
    test_free(later);
}

/* ---- live --------------------------------------------------------------------------------------------------- */

static struct live_histogram *make_live(void)
{
    return test_calloc(1, sizeof(struct live_histogram));
}

static void a_live_histogram_counts_as_a_plain_one(void **state)
{
    (void)state;
    struct live_histogram *live = make_live();
    struct histogram *plain = make_histogram(), *snapshot = make_histogram();
    memset(snapshot, 0xA5, sizeof *snapshot); /* to be overwritten */
    live_histogram_snapshot(live, snapshot);
    assert_memory_equal(snapshot, plain, sizeof *plain);
    for (uint64_t i = 0; i < 3000; i++) {
        live_histogram_record(live, latency(i));
        histogram_record(plain, latency(i));
    }
    for (uint64_t i = 0; i < 100; i++) { /* a new least or a new largest one each time, by one */
        uint64_t value = i % 2 == 0 ? 40000 - i / 2 : HOUR_NS + i / 2;
        live_histogram_record(live, value);
        histogram_record(plain, value);
    }
    live_histogram_snapshot(live, snapshot);
    assert_memory_equal(snapshot, plain, sizeof *plain);
    uint64_t sum_ns = 0, merged = live_histogram_merge_into(live, snapshot, &sum_ns);
    assert_int_equal(2 * merged, snapshot->count);
    assert_int_equal(2 * sum_ns, snapshot->sum_ns);
    histogram_merge(plain, plain);
    assert_memory_equal(snapshot, plain, sizeof *plain);
    test_free(live);
    test_free(plain);
    test_free(snapshot);
}

static void a_live_histogram_takes_the_extremes(void **state)
{
    static const uint64_t samples[] = {0, 1, HISTOGRAM_HIGHEST_NS, 2 * HOUR_NS, UINT64_MAX - 1, UINT64_MAX};
    (void)state;
    struct live_histogram *live = make_live();
    struct histogram *snapshot = make_histogram();
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        memset(live, 0, sizeof *live);
        live_histogram_record(live, samples[i]);
        live_histogram_snapshot(live, snapshot);
        assert_int_equal(snapshot->count, 1);
        assert_int_equal(snapshot->min_ns, samples[i]);
        assert_int_equal(snapshot->max_ns, samples[i]);
        assert_int_equal(snapshot->sum_ns, samples[i]);
    }
    test_free(live);
    test_free(snapshot);
}

/* The states in which a snapshot can catch the writer: a sample is in some of the counters and not in others. */
static void a_snapshot_amid_a_recording_agrees_with_itself(void **state)
{
    (void)state;
    struct live_histogram *live = make_live();
    struct histogram *snapshot = make_histogram();
    atomic_store(&live->counts[histogram_bucket(5000)], 1); /* the bucket alone: not seen yet */
    live_histogram_snapshot(live, snapshot);
    assert_int_equal(snapshot->count, 0);
    atomic_store(&live->min_ns_plus_1, 5001);
    live_histogram_snapshot(live, snapshot);
    assert_int_equal(snapshot->count, 0);
    atomic_store(&live->max_ns, 5000); /* all but the sum */
    live_histogram_snapshot(live, snapshot);
    check_consistent(snapshot);
    assert_int_equal(snapshot->count, 1);
    assert_int_equal(histogram_bucket(snapshot->sum_ns), histogram_bucket(5000));
    live_histogram_record(live, 5001);
    atomic_store(&live->min_ns_plus_1, 11); /* a sample of 10 and one of 10^6, everywhere but in the buckets */
    atomic_store(&live->max_ns, 1000000);
    atomic_store(&live->sum_ns, 1010011);
    live_histogram_snapshot(live, snapshot);
    check_consistent(snapshot);
    assert_int_equal(snapshot->count, 2);
    test_free(live);
    test_free(snapshot);
}

struct writer {
    struct live_histogram *live;
    uint64_t samples;
};

static void write_samples(void *argument)
{
    struct writer *writer = argument;
    for (uint64_t i = 0; i < writer->samples; i++)
        live_histogram_record(writer->live, latency(i));
}

/* Snapshots until all samples are in; each must agree with itself and go on from the one before. */
static void watch_until(struct live_histogram *live, uint64_t samples)
{
    struct histogram *now = make_histogram(), *before = make_histogram(), *between = make_histogram();
    do {
        *before = *now;
        live_histogram_snapshot(live, now);
        if (now->count > 0)
            check_consistent(now);
        check_percentiles_rise_within_bounds(now);
        *between = *now;
        histogram_subtract(between, before);
        assert_int_equal(between->count, now->count - before->count);
        if (between->count > 0)
            check_consistent(between);
    } while (now->count < samples);
    test_free(now);
    test_free(between);
    test_free(before);
}

static void snapshots_during_recording_agree_with_themselves(void **state)
{
    (void)state;
    struct writer writer = {make_live(), 300000};
    struct histogram *snapshot = make_histogram(), *plain = make_histogram();
    struct thread *thread;
    struct error error = ERROR_INIT;
    assert_true(thread_start(&thread, write_samples, &writer, 0, &error));
    watch_until(writer.live, writer.samples);
    thread_join(thread);
    live_histogram_snapshot(writer.live, snapshot);
    for (uint64_t i = 0; i < writer.samples; i++)
        histogram_record(plain, latency(i));
    assert_memory_equal(snapshot, plain, sizeof *plain);
    test_free(writer.live);
    test_free(snapshot);
    test_free(plain);
}

static void cells_are_quarters_of_powers_of_two_and_hold_every_sample(void **state)
{
    static const struct {
        uint64_t value, cell;
    } rows[] = {
        {0, 0}, {31, 0}, {32, 1}, {255, 7}, {256, 8}, {319, 8}, {320, 9}, {512, 12}, {UINT64_MAX, LATENCY_CELLS - 1}};
    uint64_t cells[LATENCY_CELLS], sum = 0;
    (void)state;
    struct histogram *h = make_histogram();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        memset(h, 0, sizeof *h);
        histogram_record(h, rows[i].value);
        histogram_cells(h, cells);
        assert_int_equal(cells[rows[i].cell], 1);
    }
    memset(h, 0, sizeof *h);
    for (uint64_t i = 0; i < 10000; i++)
        histogram_record(h, latency(i));
    histogram_cells(h, cells);
    for (uint32_t i = 0; i < LATENCY_CELLS; i++)
        sum += cells[i];
    assert_int_equal(sum, 10000);
    test_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_256_every_value_has_its_bucket),
        cmocka_unit_test(buckets_follow_each_other_without_gap),
        cmocka_unit_test(known_values_are_in_hdr_histograms_buckets),
        cmocka_unit_test(error_is_within_one_percent_from_100_ns_to_1_h),
        cmocka_unit_test(median_is_within_one_percent_from_100_ns_to_1_h),
        cmocka_unit_test(figures_of_an_empty_histogram_are_zero),
        cmocka_unit_test(percentile_of_one_sample_is_that_sample),
        cmocka_unit_test(percentiles_take_the_nearest_rank),
        cmocka_unit_test(whole_ranks_stay_whole_at_any_count),
        cmocka_unit_test(mean_is_exact_and_deviation_near),
        cmocka_unit_test(cells_are_quarters_of_powers_of_two_and_hold_every_sample),
        cmocka_unit_test(values_above_the_highest_count_in_the_last_bucket),
        cmocka_unit_test(merged_parts_equal_the_whole),
        cmocka_unit_test(difference_of_two_snapshots_is_the_time_between),
        cmocka_unit_test(difference_keeps_within_the_whole),
        cmocka_unit_test(a_live_histogram_counts_as_a_plain_one),
        cmocka_unit_test(a_live_histogram_takes_the_extremes),
        cmocka_unit_test(a_snapshot_amid_a_recording_agrees_with_itself),
        cmocka_unit_test(snapshots_during_recording_agree_with_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
