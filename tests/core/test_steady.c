#include "core/cpu_list.h"
#include "core/steady.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void values_are_steady_when_spread_and_slope_are_within_the_band(void **state)
{
    static const struct {
        double values[STEADY_INTERVALS];
        bool steady;
    } rows[] = {
        {{100, 100, 100, 100, 100}, true},    {{96, 104, 96, 104, 100}, true}, {{100, 100, 110, 100, 100}, false},
        {{97, 98.5, 100, 101.5, 103}, false}, /* each within 5 %, but it rises by 6 % */
        {{98, 99, 100, 101, 102}, true},      {{0, 0, 0, 0, 0}, false},        {{100, 99, 101, 100, 92}, false},
    };
    struct steady steady = {STEADY_IOPS, 0.05};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        assert_int_equal(steady_holds(&steady, rows[i].values), rows[i].steady);
}

static void a_list_of_cpus_names_each_in_turn(void **state)
{
    static const struct {
        const char *text;
        uint32_t count, at[4];
    } rows[] = {{"0", 1, {0}},    {"3,1", 2, {3, 1}}, {"0-2,8", 4, {0, 1, 2, 8}}, {"4095", 1, {4095}}, {"", 0, {0}},
                {"-1", 0, {0}},   {"1-", 0, {0}},     {"1,,2", 0, {0}},           {"2-1", 0, {0}},     {"4096", 0, {0}},
                {"1-2-3", 0, {0}}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        assert_int_equal(cpu_list_count(rows[i].text), rows[i].count);
        for (uint32_t n = 0; n < rows[i].count; ++n)
            assert_int_equal(cpu_list_at(rows[i].text, n), rows[i].at[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_steady_when_spread_and_slope_are_within_the_band),
        cmocka_unit_test(a_list_of_cpus_names_each_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
