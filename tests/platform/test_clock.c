#include "platform/clock.h"
#include "platform/compiler.h"
#include "platform/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_S UINT64_C(3600)
#define DAY_S (24 * HOUR_S)
#define YEAR_S (UINT64_C(36525) * DAY_S / 100)

/* ticks · 10^9 / ticks_per_s, one bit of ticks after the other: nothing in it can overflow. */
static uint64_t ns_by_doubling(uint64_t ticks, uint64_t ticks_per_s)
{
    uint64_t quotient = 0, rest = 0;
    for (uint32_t bit = 64; bit-- > 0;) {
        rest = rest * 2 + (ticks >> bit & 1) * NS_PER_S;
        quotient = quotient * 2 + rest / ticks_per_s;
        rest %= ticks_per_s;
    }
    return quotient;
}

static const uint64_t frequencies[] = {1, 1000, 3579545, 10000000, 14318180, 1000000000, 2400000000, 4000000000};
static const uint64_t uptimes_s[] = {0, HOUR_S, 30 * DAY_S, 100 * YEAR_S};

static void ticks_become_ns_exactly_at_any_uptime(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(frequencies); f++) {
        uint64_t frequency = frequencies[f];
        const uint64_t beyond[] = {0, 1, frequency / 3, frequency - 1};
        for (size_t u = 0; u < COUNT_OF(uptimes_s); u++) {
            for (size_t b = 0; b < COUNT_OF(beyond); b++) {
                uint64_t ticks = uptimes_s[u] * frequency + beyond[b];
                assert_int_equal(clock_ticks_to_ns(ticks, frequency), ns_by_doubling(ticks, frequency));
                assert_in_range(clock_ticks_to_ns(ticks, frequency), uptimes_s[u] * NS_PER_S,
                                uptimes_s[u] * NS_PER_S + NS_PER_S);
            }
        }
    }
}

static void ticks_of_a_fast_counter_do_not_overflow_near_its_end(void **state)
{
    (void)state;
    assert_int_equal(clock_ticks_to_ns(UINT64_MAX, UINT64_C(18000000000)),
                     ns_by_doubling(UINT64_MAX, UINT64_C(18000000000)));
    assert_int_equal(clock_ticks_to_ns(UINT64_MAX, NS_PER_S), UINT64_MAX);
}

/* A counter that reads these values, one after the other. */
struct script {
    const uint64_t *ticks;
    size_t next;
};

static uint64_t read_script(void *context)
{
    struct script *script = context;
    return script->ticks[script->next++];
}

static const struct {
    uint64_t ticks_per_s, ticks[2];
    uint64_t elapsed_ns, steps_back;
} steps[] = {
    {10000000, {500, 500}, 0, 0},
    {10000000, {500, 501}, 100, 0},
    {10000000, {500, 499}, 0, 1},                         /* back by a tick */
    {3579545, {7159090, 3579545}, 0, 1},                  /* back by a second */
    {1000000, {UINT32_MAX, 0}, 0, 1},                     /* wrapped at 32 bits */
    {NS_PER_S, {UINT64_C(5000000000), 4999920000}, 0, 1}, /* back by 0.08 ms */
    {2400000000, {0, 100 * YEAR_S * 2400000000}, 100 * YEAR_S *NS_PER_S, 0},
};

static void a_step_back_lasts_nothing_and_is_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        struct script script = {steps[i].ticks, 0};
        struct clock clock = {read_script, &script, steps[i].ticks_per_s, "script"};
        uint64_t steps_back = 0;
        uint64_t start_ns = clock_now_ns(&clock), end_ns = clock_now_ns(&clock);
        assert_int_equal(clock_elapsed_ns(start_ns, end_ns, &steps_back), steps[i].elapsed_ns);
        assert_int_equal(steps_back, steps[i].steps_back);
    }
}

/* What other tools have printed as their maximum: a step back of 0.08 ms, subtracted without looking. */
static void the_latency_of_584_years_is_a_step_back(void **state)
{
    uint64_t start_ns = UINT64_C(5000080000), end_ns = UINT64_C(5000000000), steps_back = 0;
    char wrong[32];
    (void)state;
    snprintf(wrong, sizeof wrong, "%.2f", (double)(end_ns - start_ns) / (double)NS_PER_MS);
    assert_int_equal(strncmp(wrong, "18446744073709.47", 17), 0);
    assert_int_equal(clock_elapsed_ns(start_ns, end_ns, &steps_back), 0);
    assert_int_equal(steps_back, 1);
}

static void steps_back_add_up(void **state)
{
    uint64_t steps_back = 0;
    (void)state;
    clock_elapsed_ns(2, 1, &steps_back);
    clock_elapsed_ns(1, 2, &steps_back);
    clock_elapsed_ns(9, 0, &steps_back);
    assert_int_equal(steps_back, 2);
}

/* Goes up by `step` once in `readings` readings. */
struct stairs {
    uint64_t ticks, step, readings, read;
};

static uint64_t read_stairs(void *context)
{
    struct stairs *stairs = context;
    if (++stairs->read % stairs->readings == 0)
        stairs->ticks += stairs->step;
    return stairs->ticks;
}

static const struct {
    uint64_t ticks_per_s, step, readings, resolution_ns;
    double cost_ns;
} clocks[] = {
    {10000000, 1, 1, 100, 100},                /* a counter of 10 MHz, read as fast as it ticks */
    {10000000, 1, 5, 100, 20},                 /* the same, read faster */
    {1000000000, 15625000, 3000, 15625000, 0}, /* a counter of 1 GHz that moves 64 times a second */
    {3579545, 1, 1, 279, 279},
    {4000000000, 1, 1, 1, 0.25}, /* finer than a nanosecond counts as one */
};

static void a_clock_is_measured_as_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(clocks); i++) {
        struct stairs stairs = {0, clocks[i].step, clocks[i].readings, 0};
        struct clock clock = {read_stairs, &stairs, clocks[i].ticks_per_s, "stairs"};
        struct clock_facts facts;
        clock_measure(&clock, &facts);
        assert_string_equal(facts.name, "stairs");
        assert_int_equal(facts.ticks_per_s, clocks[i].ticks_per_s);
        assert_int_equal(facts.resolution_ns, clocks[i].resolution_ns);
        if (clocks[i].cost_ns > 0)
            assert_in_range((uint64_t)(facts.cost_ns * 1000), (uint64_t)(clocks[i].cost_ns * 980),
                            (uint64_t)(clocks[i].cost_ns * 1020));
    }
}

static void a_clock_that_stands_still_has_the_resolution_of_its_tick(void **state)
{
    struct stairs stairs = {42, 0, 1, 0};
    struct clock clock = {read_stairs, &stairs, 14318180, "a name that is longer than the facts have room for"};
    struct clock_facts facts;
    (void)state;
    clock_measure(&clock, &facts);
    assert_int_equal(facts.resolution_ns, 69);
    assert_true(facts.cost_ns <= 0);
    assert_int_equal(strlen(facts.name), sizeof facts.name - 1);
}

static void a_clock_that_steps_back_is_measured_by_its_steps_forward(void **state)
{
    struct stairs stairs = {UINT64_C(1) << 40, UINT64_MAX - 9, 2, 0}; /* adding it goes back by 10 */
    struct clock clock = {read_stairs, &stairs, 1000000, "backwards"};
    struct clock_facts facts;
    (void)state;
    clock_measure(&clock, &facts);
    assert_int_equal(facts.resolution_ns, 1000);
    assert_true(facts.cost_ns <= 0);
}

static void the_system_clock_goes_on_and_not_back(void **state)
{
    struct clock clock = clock_system();
    uint64_t steps_back = 0, start_ns = clock_now_ns(&clock), last_ns = start_ns;
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t now_ns = clock_now_ns(&clock);
        clock_elapsed_ns(last_ns, now_ns, &steps_back);
        last_ns = now_ns;
    }
    thread_sleep_ns(20 * NS_PER_MS);
    assert_true(clock_now_ns(&clock) > start_ns);
    assert_int_equal(steps_back, 0);
}

static void the_system_clock_is_finer_than_a_millisecond(void **state)
{
    struct clock clock = clock_system();
    struct clock_facts facts;
    (void)state;
    clock_measure(&clock, &facts);
    assert_string_equal(facts.name, clock.name);
    assert_in_range(facts.resolution_ns, 1, NS_PER_MS);
    assert_true(facts.cost_ns > 0);
}

static void the_wall_clock_is_in_this_century(void **state)
{
    (void)state;
    assert_in_range(clock_wall_ns() / NS_PER_S / YEAR_S, 50, 130); /* 2020 to 2100 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_become_ns_exactly_at_any_uptime),
        cmocka_unit_test(ticks_of_a_fast_counter_do_not_overflow_near_its_end),
        cmocka_unit_test(a_step_back_lasts_nothing_and_is_counted),
        cmocka_unit_test(the_latency_of_584_years_is_a_step_back),
        cmocka_unit_test(steps_back_add_up),
        cmocka_unit_test(a_clock_is_measured_as_it_is),
        cmocka_unit_test(a_clock_that_stands_still_has_the_resolution_of_its_tick),
        cmocka_unit_test(a_clock_that_steps_back_is_measured_by_its_steps_forward),
        cmocka_unit_test(the_system_clock_goes_on_and_not_back),
        cmocka_unit_test(the_system_clock_is_finer_than_a_millisecond),
        cmocka_unit_test(the_wall_clock_is_in_this_century),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
