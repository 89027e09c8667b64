/* Axes: round ends that hold every value, and places that keep their order. */
#include "report/chart.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void linear_scale_starts_at_zero_and_ends_round_at_or_above_the_highest(void **state)
{
    static const struct {
        double high, end;
    } rows[] = {{0, 1}, {1, 1}, {7300, 8000}, {24480, 25000}, {103166, 120000}, {0.031, 0.04}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scale scale = scale_linear(rows[i].high, 170, 24);
        assert_true(scale.low == 0 && scale.high >= rows[i].high);
        assert_true(fabs(scale.high - rows[i].end) <= 1e-9 * rows[i].end);
    }
}

static void log_scale_ends_are_1_2_or_5_times_a_power_of_ten_around_the_values(void **state)
{
    static const struct {
        double low, high, from, to;
    } rows[] = {{120000, 252000, 100000, 500000}, {1000, 1000, 1000, 2000}, {0, 5, 1, 5}, {64, 4e9, 50, 5e9}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scale scale = scale_log(rows[i].low, rows[i].high, 170, 24);
        assert_true(fabs(scale.low - rows[i].from) <= 1e-9 * rows[i].from);
        assert_true(fabs(scale.high - rows[i].to) <= 1e-9 * rows[i].to);
    }
}

static void place_on_a_log_scale_is_the_same_for_equal_ratios(void **state)
{
    struct scale scale = {1, 1e4, 0, 400, true, 0};
    (void)state;
    assert_true(fabs(scale_at(&scale, 10) - 100) < 1e-9);
    assert_true(fabs(scale_at(&scale, 1000) - 300) < 1e-9);
    assert_true(scale_at(&scale, 0.5) == 0 && scale_at(&scale, 1e5) == 400); /* outside: at the edge */
}

static void line_breaks_where_a_value_is_not_told(void **state)
{
    const struct chart_point points[] = {{0, 1}, {1, 2}, {2, (double)NAN}, {3, 4}, {4, 5}};
    struct markup out = {0};
    (void)state;
    chart_line(&out, points, COUNT_OF(points), 1, "", true);
    char *text = markup_finish(&out);
    assert_non_null(strstr(text, "d=\"M0.0 1.0L1.0 2.0M3.0 4.0L4.0 5.0\""));
    assert_non_null(strstr(text, ">B</text>"));
    free(text);
}

static void one_point_is_a_dot(void **state)
{
    const struct chart_point point = {3, 4};
    struct markup out = {0};
    (void)state;
    chart_line(&out, &point, 1, 9, "", false);
    char *text = markup_finish(&out);
    assert_non_null(strstr(text, "<circle class=\"f1\" cx=\"3.0\" cy=\"4.0\""));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_scale_starts_at_zero_and_ends_round_at_or_above_the_highest),
        cmocka_unit_test(log_scale_ends_are_1_2_or_5_times_a_power_of_ten_around_the_values),
        cmocka_unit_test(place_on_a_log_scale_is_the_same_for_equal_ratios),
        cmocka_unit_test(line_breaks_where_a_value_is_not_told),
        cmocka_unit_test(one_point_is_a_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
