/* Which lag is a slope, and the search between two rates, on replicas whose capacity is known. */
#include "oltp/knee.h"

#include "platform/clock.h"
#include "platform/compiler.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define POINTS 40
#define BEAT_NS (100 * NS_PER_MS)

/* One interval a second; lag in seconds. */
static void put(struct replica_interval *series, size_t i, double lag_s)
{
    series[i] = (struct replica_interval){
        .start_ns = i * NS_PER_S, .end_ns = (i + 1) * NS_PER_S, .lag_ns = (uint64_t)(lag_s * 1e9)};
}

static bool grows(const struct replica_interval *series, size_t count)
{
    double slope;
    return lag_grows(series, count, BEAT_NS, &slope);
}

static void a_lag_that_grows_evenly_has_that_slope(void **state)
{
    struct replica_interval series[POINTS];
    (void)state;
    for (size_t i = 0; i < POINTS; i++)
        put(series, i, 0.25 * (double)i);
    assert_true(fabs(lag_slope(series, POINTS) - 0.25) < 1e-6);
    assert_true(grows(series, POINTS));
    assert_false(grows(series, 1));
    assert_false(grows(series, 0));
}

static void noise_and_spikes_are_no_slope(void **state)
{
    struct replica_interval series[POINTS];
    (void)state;
    for (size_t i = 0; i < POINTS; i++)
        put(series, i, 0.01 + 0.05 * (double)(i * 7 % 5));
    assert_false(grows(series, POINTS));
    for (size_t i = POINTS - 10; i < POINTS; i++)
        put(series, i, 4); /* a quarter of them, at the end where it looks most like a slope */
    assert_false(grows(series, POINTS));
    for (size_t i = 5; i < 15; i++)
        put(series, i, (double)(15 - i));
    assert_false(grows(series, POINTS - 10));
}

static void a_slope_that_heartbeats_cannot_tell_does_not_count(void **state)
{
    struct replica_interval series[POINTS];
    double slope;
    (void)state;
    for (size_t i = 0; i < POINTS; i++)
        put(series, i, 0.03 * (double)i);
    assert_false(grows(series, 8)); /* 0.21 s in 7 s, and three heartbeats are 0.3 s */
    assert_true(grows(series, 12));
    for (size_t i = 0; i < POINTS; i++)
        put(series, i, 0.015 * (double)i);
    assert_false(lag_grows(series, POINTS, BEAT_NS, &slope)); /* 0.6 s, but 1.5 % */
    assert_true(fabs(slope - 0.015) < 1e-6);
}

static void a_long_series_costs_no_more(void **state)
{
    static struct replica_interval series[5000];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(series); i++)
        put(series, i, 0.5 * (double)i);
    assert_true(fabs(lag_slope(series, COUNT_OF(series)) - 0.5) < 1e-6);
}

/* A replica that applies `capacity` per second, after a source that does `most`. */
static struct knee_search seek(double capacity, double most, size_t *steps)
{
    struct knee_search search = {.low = 10, .high = 2000, .precision = 5};
    *steps = 0;
    for (double rate; (rate = knee_next(&search)) > 0 && *steps < KNEE_STEPS_MAX; ++*steps) {
        struct knee_step step = {.rate = rate, .reached = fmin(rate, most)};
        step.falls_behind = step.reached > capacity;
        knee_take(&search, &step);
    }
    return search;
}

static void the_search_ends_close_to_the_capacity(void **state)
{
    static const double capacities[] = {11, 48, 300, 1999};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(capacities); i++) {
        size_t steps;
        struct knee_search search = seek(capacities[i], 1e6, &steps);
        assert_true(search.keeps_up <= capacities[i] && capacities[i] < search.falls_behind);
        assert_true(search.falls_behind - search.keeps_up <= 0.05 * search.falls_behind);
        assert_in_range(steps, 3, 12);
    }
}

static void where_there_is_no_knee_the_search_says_so(void **state)
{
    size_t steps;
    struct knee_search search = seek(5, 1e6, &steps);
    (void)state;
    assert_int_equal(steps, 1); /* too much from the start */
    assert_true(search.keeps_up == 0 && search.falls_behind == 10);
    search = seek(5000, 1e6, &steps);
    assert_int_equal(steps, 2); /* all rates are fine */
    assert_true(search.keeps_up == 2000 && search.falls_behind == 0);
    search = seek(5000, 300, &steps);
    assert_int_equal(steps, 2); /* … that the source can do */
    assert_true(search.keeps_up == 300 && search.falls_behind == 0);
}

static void a_source_that_cannot_do_the_rate_counts_by_what_it_did(void **state)
{
    size_t steps;
    struct knee_search search = seek(200, 300, &steps);
    (void)state;
    assert_true(search.keeps_up <= 200 && search.falls_behind > 200 && search.falls_behind <= 300);
    assert_true(search.falls_behind - search.keeps_up <= 0.05 * search.falls_behind);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lag_that_grows_evenly_has_that_slope),
        cmocka_unit_test(noise_and_spikes_are_no_slope),
        cmocka_unit_test(a_slope_that_heartbeats_cannot_tell_does_not_count),
        cmocka_unit_test(a_long_series_costs_no_more),
        cmocka_unit_test(the_search_ends_close_to_the_capacity),
        cmocka_unit_test(where_there_is_no_knee_the_search_says_so),
        cmocka_unit_test(a_source_that_cannot_do_the_rate_counts_by_what_it_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
