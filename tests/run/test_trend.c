/* Series of known make: noise alone, drifts, steps, two levels. The noise is drawn with a fixed seed. */
#include "core/random.h"
#include "platform/compiler.h"
#include "run/trend.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LONGEST 300
#define SERIES 200 /* drawn for each row */

static double noise(struct random *random)
{
    double sum = -6; /* of twelve uniform numbers: close to normal, standard deviation 1 */
    for (int i = 0; i < 12; ++i)
        sum += random_unit(random);
    return sum;
}

/* Shapes: the level at position `at` from 0 to 1, moved by `size`. */
static double flat(double at, double size)
{
    (void)at;
    (void)size;
    return 1;
}

static double ramp(double at, double size)
{
    return 1 - size * at;
}

static double step(double at, double size)
{
    return at < 0.4 ? 1 : 1 - size;
}

static double late_step(double at, double size)
{
    return at < 0.75 ? 1 : 1 + size;
}

static double waves(double at, double size)
{
    return (int)(at * 5) % 2 ? 1 : 1 - size;
}

static double hump(double at, double size)
{
    return at > 0.4 && at < 0.6 ? 1 + size : 1;
}

static double stalls(double at, double size)
{
    return (at > 0.25 && at < 0.35) || (at > 0.75 && at < 0.85) ? 1 - size : 1;
}

static const struct {
    const char *name;
    double (*shape)(double at, double size);
    double size, noise;
    size_t count;
    enum trend_kind kind;
    double at_least, at_most; /* share of the series that are said to be of that kind */
} rows[] = {
    {"steady, 10 values", flat, 0, 0.05, 10, TREND_NONE, 0.96, 1},
    {"steady, 60 values", flat, 0, 0.05, 60, TREND_NONE, 0.99, 1},
    {"noisy, 10 values", flat, 0, 0.2, 10, TREND_NONE, 0.95, 1},
    {"noisy, 60 values", flat, 0, 0.2, 60, TREND_NONE, 0.98, 1},
    {"noisy, 300 values", flat, 0, 0.3, 300, TREND_NONE, 0.99, 1},
    {"drift within the band", ramp, 0.08, 0.01, 60, TREND_NONE, 0.99, 1},
    {"drift, 20 values", ramp, 0.3, 0.03, 20, TREND_DRIFT, 0.95, 1},
    {"drift, 60 values", ramp, 0.3, 0.05, 60, TREND_DRIFT, 0.99, 1},
    {"rise, 300 values", ramp, -0.3, 0.1, 300, TREND_DRIFT, 0.99, 1},
    {"drift without noise", ramp, 0.3, 0, 10, TREND_DRIFT, 1, 1},
    {"step, 10 values", step, 0.4, 0.03, 10, TREND_STEP, 0.98, 1},
    {"step, 60 values", step, 0.4, 0.03, 60, TREND_STEP, 0.99, 1},
    {"late step", late_step, 0.4, 0.03, 60, TREND_STEP, 0.99, 1},
    {"two levels, 20 values", waves, 0.4, 0.03, 20, TREND_TWO_MODES, 0.98, 1},
    {"two levels, 300 values", waves, 0.4, 0.03, 300, TREND_TWO_MODES, 0.98, 1},
    {"levels close to each other", waves, 0.1, 0.01, 60, TREND_TWO_MODES, 0, 0.02},
    {"one high stretch is no drift", hump, 0.5, 0.03, 60, TREND_DRIFT, 0, 0.02},
    {"one high stretch is two levels", hump, 0.5, 0.03, 60, TREND_TWO_MODES, 0.98, 1},
    {"two stalls are no level", stalls, 0.5, 0.03, 10, TREND_TWO_MODES, 0, 0.02},
    {"too few values", ramp, 0.9, 0, TREND_LEAST_VALUES - 1, TREND_NONE, 1, 1},
};

static double share_of_kind(size_t row, struct random *random)
{
    size_t hits = 0;
    for (int n = 0; n < SERIES; ++n) {
        double values[LONGEST];
        struct trend trend;
        for (size_t i = 0; i < rows[row].count; ++i)
            values[i] = fmax(0, rows[row].shape((double)i / (double)rows[row].count, rows[row].size) +
                                    rows[row].noise * noise(random));
        assert_true(trend_find(values, rows[row].count, &trend));
        hits += trend.kind == rows[row].kind;
    }
    return (double)hits / SERIES;
}

static void kinds_of_series_are_told_apart(void **state)
{
    struct random random;
    size_t wrong = 0;
    (void)state;
    random_init(&random, 1, 0);
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        double share = share_of_kind(i, &random);
        if (share >= rows[i].at_least && share <= rows[i].at_most)
            continue;
        print_error("%s: %.3f of the series, not %.2f to %.2f\n", rows[i].name, share, rows[i].at_least,
                    rows[i].at_most);
        ++wrong;
    }
    assert_int_equal(wrong, 0);
}

static void drift_gives_medians_of_outer_thirds(void **state)
{
    const double values[] = {30, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 1};
    struct trend trend;
    (void)state;
    assert_true(trend_find(values, COUNT_OF(values), &trend));
    assert_int_equal(trend.kind, TREND_DRIFT);
    assert_true(trend.from == 13 && trend.to == 25);
}

static void step_gives_place_and_levels(void **state)
{
    const double values[] = {5, 5, 5, 5, 9, 9, 9, 9, 9, 9};
    struct trend trend;
    (void)state;
    assert_true(trend_find(values, COUNT_OF(values), &trend));
    assert_int_equal(trend.kind, TREND_STEP);
    assert_int_equal(trend.step_index, 4);
    assert_true(trend.from == 5 && trend.to == 9);
}

static void two_modes_give_levels_shares_and_changes(void **state)
{
    const double values[] = {5, 5, 9, 9, 9, 9, 5, 9, 9, 9};
    struct trend trend;
    (void)state;
    assert_true(trend_find(values, COUNT_OF(values), &trend));
    assert_int_equal(trend.kind, TREND_TWO_MODES);
    assert_true(trend.low == 5 && trend.high == 9);
    assert_int_equal(trend.low_count, 3);
    assert_int_equal(trend.changes, 3);
}

static void constant_and_empty_series_have_no_trend(void **state)
{
    const double values[12] = {0};
    const double same[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    struct trend trend;
    (void)state;
    assert_true(trend_find(values, 0, &trend));
    assert_int_equal(trend.kind, TREND_NONE);
    assert_true(trend_find(values, COUNT_OF(values), &trend));
    assert_int_equal(trend.kind, TREND_NONE);
    assert_true(trend_find(same, COUNT_OF(same), &trend));
    assert_int_equal(trend.kind, TREND_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_series_are_told_apart),
        cmocka_unit_test(drift_gives_medians_of_outer_thirds),
        cmocka_unit_test(step_gives_place_and_levels),
        cmocka_unit_test(two_modes_give_levels_shares_and_changes),
        cmocka_unit_test(constant_and_empty_series_have_no_trend),
    };
    return cmocka_run_group_tests_name("trend", tests, NULL, NULL);
}
