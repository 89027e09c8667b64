/* The difference of two moments of the host's CPUs. */
#include "run/cpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
    struct host_cpu from, to;
    uint64_t elapsed_ns;
    struct cpu_row row;
} cases[] = {
    {{100, 200, 300}, {150, 220, 330}, 100, {50, 20, 30}},
    /* a little less than the part, as ticks have it */
    {{100, 200, 300}, {150, 220, 320}, 100, {50, 20, 20}},
    /* more: its shares hold */
    {{0, 0, 0}, {100, 60, 40}, 100, {50, 30, 20}},
    {{0, 0, 0}, {0, 0, 10000000}, 1000, {0, 0, 1000}},
    /* a counter that went back counts nothing */
    {{100, 200, 300}, {150, 220, 299}, 100, {50, 20, 0}},
};

static void rows_are_what_was_added_and_never_more_than_the_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        struct host_cpu from_each = cases[i].from, to_each = cases[i].to;
        struct cpus from = {&from_each, 1}, to = {&to_each, 1};
        size_t count;
        struct cpu_row *row = cpus_between(&from, &to, cases[i].elapsed_ns, &count);
        assert_int_equal(count, 1);
        assert_int_equal(row->user_ns, cases[i].row.user_ns);
        assert_int_equal(row->system_ns, cases[i].row.system_ns);
        assert_int_equal(row->idle_ns, cases[i].row.idle_ns);
        assert_true(row->user_ns + row->system_ns + row->idle_ns <= cases[i].elapsed_ns);
        free(row);
    }
}

static void what_is_not_known_is_empty(void **state)
{
    struct host_cpu each[2] = {{1, 2, 3}, {1, 2, 3}}, more[2] = {{2, 3, 4}, {2, 3, 4}};
    struct cpus nothing = {0}, one = {each, 1}, two = {more, 2}, same = {each, 2};
    size_t count = 7;
    (void)state;
    assert_null(cpus_between(&nothing, &two, 100, &count));
    assert_int_equal(count, 0);
    assert_null(cpus_between(&two, &nothing, 100, &count));
    assert_null(cpus_between(&one, &two, 100, &count)); /* one came meanwhile */
    assert_null(cpus_between(&same, &same, 100, &count));
    assert_null(cpus_between(&two, &same, 100, &count)); /* looked at in the wrong order */
    assert_int_equal(count, 0);
}

static void looking_again_forgets_the_first_look(void **state)
{
    struct cpus cpus = {0};
    (void)state;
    cpus_look(&cpus);
    size_t count = cpus.count;
    cpus_look(&cpus);
    assert_int_equal(cpus.count, count);
    cpus_done(&cpus);
    assert_int_equal(cpus.count, 0);
    assert_null(cpus.each);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_what_was_added_and_never_more_than_the_time),
        cmocka_unit_test(what_is_not_known_is_empty),
        cmocka_unit_test(looking_again_forgets_the_first_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
