#include "core/settings.h"
#include "platform/clock.h"
#include "run/pacer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void start(struct pacer *pacer, enum arrival arrival)
{
    struct job job;
    job_init(&job);
    job.rate = 1000;
    job.seed = 5;
    job.arrival = arrival;
    assert_true(pacer_init(pacer, &job));
    pacer_start(pacer, NS_PER_S);
}

static void events_that_are_due_and_not_taken_wait(void **state)
{
    struct pacer pacer;
    (void)state;
    start(&pacer, ARRIVAL_UNIFORM);
    assert_int_equal(pacer_waiting(&pacer, NS_PER_S - 1), 0);
    assert_int_equal(pacer_waiting(&pacer, NS_PER_S), 1);
    assert_int_equal(pacer_waiting(&pacer, NS_PER_S + 10 * NS_PER_MS), 11);
    for (int i = 0; i < 4; i++)
        pacer_take(&pacer, NS_PER_S + 10 * NS_PER_MS);
    assert_int_equal(pacer_waiting(&pacer, NS_PER_S + 10 * NS_PER_MS), 7);
    pacer_done(&pacer);
}

/* Counting draws no number that the workers would have got. */
static void as_many_wait_as_are_taken_then(void **state)
{
    struct pacer pacer;
    uint64_t now_ns = 3 * NS_PER_S, taken = 0;
    (void)state;
    start(&pacer, ARRIVAL_POISSON);
    uint64_t waiting = pacer_waiting(&pacer, now_ns);
    assert_in_range(waiting, 1500, 2500);
    while (pacer_take(&pacer, now_ns) <= now_ns)
        taken++;
    assert_int_equal(taken, waiting);
    assert_int_equal(pacer_waiting(&pacer, now_ns), 0);
    pacer_done(&pacer);
}

static void a_long_queue_is_estimated(void **state)
{
    struct pacer pacer;
    (void)state;
    start(&pacer, ARRIVAL_POISSON);
    assert_in_range(pacer_waiting(&pacer, 1001 * NS_PER_S), 980000, 1020000);
    pacer_done(&pacer);
}

static void what_the_warm_up_left_does_not_wait(void **state)
{
    struct pacer pacer;
    (void)state;
    start(&pacer, ARRIVAL_UNIFORM);
    pacer_restart(&pacer, 2 * NS_PER_S);
    assert_int_equal(pacer_waiting(&pacer, 2 * NS_PER_S + 2 * NS_PER_MS), 3);
    pacer_done(&pacer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_that_are_due_and_not_taken_wait),
        cmocka_unit_test(as_many_wait_as_are_taken_then),
        cmocka_unit_test(a_long_queue_is_estimated),
        cmocka_unit_test(what_the_warm_up_left_does_not_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
