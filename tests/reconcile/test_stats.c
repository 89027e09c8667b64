#include "reconcile/stats.h"

#include "core/random.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static void assert_near(double value, double expected, double relative)
{
    if (fabs(value - expected) > relative * fabs(expected))
        fail_msg("%.12g is not %.12g", value, expected);
}

/* Published tables of Student's t, two-sided 5 %. */
static void the_t_of_the_tables(void **state)
{
    static const double rows[][2] = {{1, 12.706205}, {2, 4.302653},  {3, 3.182446},   {5, 2.570582},
                                     {10, 2.228139}, {30, 2.042272}, {120, 1.979930}, {1e6, 1.959966}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_near(stats_t_95(rows[i][0]), rows[i][1], 1e-5);
}

static void means_and_medians(void **state)
{
    double values[] = {4, 1, 16}, pair[] = {2, 1};
    (void)state;
    assert_near(stats_mean(values, 3), 7, 1e-12);
    assert_near(stats_geometric_mean(values, 3), 4, 1e-12);
    assert_near(stats_stddev(values, 3), sqrt(63), 1e-12);
    assert_near(stats_median(values, 3), 4, 1e-12);
    assert_near(stats_median(pair, 2), 1.5, 1e-12);
    assert_true(stats_stddev(pair, 1) == 0);
}

/* By hand: logs 0 and 2 h against 1 and 1 + 2 h … equal variances and counts: freedom is 2(n − 1). */
static void welch_of_equal_spreads_is_students(void **state)
{
    double a[] = {exp(0.0), exp(0.1), exp(0.2)}, b[] = {exp(1.0), exp(1.1), exp(1.2)};
    struct ratio ratio = stats_ratio_welch(a, 3, b, 3);
    double half = 2.776445 * sqrt(0.01 / 3 + 0.01 / 3);
    (void)state;
    assert_true(ratio.has_interval);
    assert_near(ratio.value, exp(1), 1e-9);
    assert_near(ratio.low, exp(1 - half), 1e-5);
    assert_near(ratio.high, exp(1 + half), 1e-5);
    assert_near(ratio.effect_size, 10 * (1 - 3.0 / 15), 1e-9);
    assert_false(stats_ratio_is_noise(&ratio));
}

static void one_value_has_no_interval(void **state)
{
    double a[] = {100}, b[] = {50, 51};
    struct ratio ratio = stats_ratio_welch(a, 1, b, 2);
    (void)state;
    assert_false(ratio.has_interval);
    assert_near(ratio.value, sqrt(50.0 * 51) / 100, 1e-12);
    assert_false(stats_ratio_is_noise(&ratio));
}

/* Irwin-Hall: twelve uniform numbers, less 6. */
static double normal(struct random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(random);
    return sum;
}

/* The interval must hold the truth 95 times in 100. */
static void intervals_hold_the_truth_as_often_as_they_say(void **state)
{
    struct random random;
    const int trials = 2000;
    int welch = 0, bootstrap = 0, bootstraps = 0;
    (void)state;
    random_init(&random, 7, 0);
    for (int t = 0; t < trials; t++) {
        double a[8], b[8];
        struct ratio ratio;
        for (int i = 0; i < 8; i++) {
            a[i] = 1000 * exp(0.05 * normal(&random));
            b[i] = 1200 * exp(0.15 * normal(&random));
        }
        ratio = stats_ratio_welch(a, 8, b, 8);
        welch += ratio.low <= 1.2 && 1.2 <= ratio.high;
        if (t % 10)
            continue;
        assert_true(stats_ratio_bootstrap(a, 8, b, 8, 1000, (uint64_t)t, &ratio));
        bootstrap += ratio.low <= 1.2 && 1.2 <= ratio.high;
        bootstraps++;
    }
    assert_in_range(welch, trials * 935 / 1000, trials * 965 / 1000);
    assert_in_range(bootstrap, bootstraps * 84 / 100, bootstraps); /* of eight values it is known to be narrow */
}

/* ---- series ---- */

static void burst_credits_are_two_levels(void **state)
{
    double series[60];
    struct random random;
    (void)state;
    random_init(&random, 3, 0);
    for (int i = 0; i < 60; i++)
        series[i] = (i < 20 ? 1230 : 127) * (1 + 0.05 * normal(&random));
    struct two_levels levels = stats_two_levels(series, 60);
    assert_true(levels.found);
    assert_near(levels.high, 1230, 0.05);
    assert_near(levels.low, 127, 0.05);
    assert_near(levels.share_low, 2.0 / 3, 0.01);
}

static void one_level_is_not_two(void **state)
{
    double series[200];
    struct random random;
    int found = 0;
    (void)state;
    random_init(&random, 5, 0);
    for (int t = 0; t < 100; t++) {
        for (int i = 0; i < 200; i++)
            series[i] = t % 2 ? 100 * (1 + 0.3 * normal(&random)) : 1 + 99 * random_unit(&random);
        found += stats_two_levels(series, 200).found;
    }
    assert_int_equal(found, 0);
    assert_false(stats_two_levels(series, 3).found);
    for (int i = 0; i < 20; i++)
        series[i] = i == 7 ? 5 : 100; /* one hiccup */
    assert_false(stats_two_levels(series, 20).found);
    for (int i = 0; i < 20; i++)
        series[i] = 42;
    assert_false(stats_two_levels(series, 20).found);
}

static void a_slope_is_drift_and_noise_is_none(void **state)
{
    double series[60];
    struct random random;
    int found = 0;
    (void)state;
    random_init(&random, 9, 0);
    for (int t = 0; t < 200; t++) {
        for (int i = 0; i < 60; i++)
            series[i] = 1000 * (1 + 0.1 * normal(&random));
        found += stats_drift(series, 60).found;
    }
    assert_in_range(found, 0, 4);
    for (int i = 0; i < 60; i++)
        series[i] = (1000 - 8 * i) * (1 + 0.05 * normal(&random));
    struct drift drift = stats_drift(series, 60);
    assert_true(drift.found);
    assert_true(drift.first > drift.last);
    assert_false(stats_drift(series, 4).found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_t_of_the_tables),
        cmocka_unit_test(means_and_medians),
        cmocka_unit_test(welch_of_equal_spreads_is_students),
        cmocka_unit_test(one_value_has_no_interval),
        cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
        cmocka_unit_test(burst_credits_are_two_levels),
        cmocka_unit_test(one_level_is_not_two),
        cmocka_unit_test(a_slope_is_drift_and_noise_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
