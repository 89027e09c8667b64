/* Jobs that run at the same time tell one listener, one call at a time. */
#include "cli/in_turn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define THREADS 4
#define CALLS 200

struct heard {
    _Atomic int inside;
    int overlaps, intervals, starts, requests;
};

/* Slow enough that calls would overlap. */
static void dwell(struct heard *heard)
{
    heard->overlaps += atomic_fetch_add(&heard->inside, 1) > 0;
    thread_sleep_ns(20000);
    atomic_fetch_sub(&heard->inside, 1);
}

static void on_starting(void *context, const struct job *job)
{
    (void)job;
    dwell(context);
    ++((struct heard *)context)->starts;
}

static void on_interval(void *context, const struct job *job, const struct interval *interval)
{
    (void)job;
    assert_int_equal(interval->end_ns, 7);
    dwell(context);
    ++((struct heard *)context)->intervals;
}

static void on_request(void *context, const struct request *request)
{
    (void)request;
    ++((struct heard *)context)->requests;
}

static void tell(void *argument)
{
    const struct listener *listener = argument;
    const struct interval interval = {.end_ns = 7};
    for (int i = 0; i < CALLS; ++i) {
        listener->run_starting(listener->context, NULL);
        listener->run_interval(listener->context, NULL, &interval);
    }
}

static void calls_of_many_threads_come_one_at_a_time(void **state)
{
    struct heard heard = {0};
    struct listener inner = {.context = &heard, .run_starting = on_starting, .run_interval = on_interval};
    struct in_turn in_turn = {&inner, mutex_make()};
    struct listener listener = in_turn_listener(&in_turn);
    struct thread *threads[THREADS];
    struct error error = ERROR_INIT;
    (void)state;
    for (int i = 0; i < THREADS; ++i)
        assert_true(thread_start(&threads[i], tell, &listener, 0, &error));
    for (int i = 0; i < THREADS; ++i)
        thread_join(threads[i]);
    assert_int_equal(heard.overlaps, 0);
    assert_int_equal(heard.starts, THREADS * CALLS);
    assert_int_equal(heard.intervals, THREADS * CALLS);
    mutex_free(in_turn.mutex);
}

static void what_nobody_listens_to_is_not_told(void **state)
{
    struct heard heard = {0};
    struct listener inner = {.context = &heard, .request = on_request};
    struct in_turn in_turn = {&inner, NULL};
    struct listener listener = in_turn_listener(&in_turn);
    (void)state;
    assert_null(listener.run_starting);
    assert_null(listener.run_interval);
    assert_null(listener.run_checkpoint);
    listener.request(listener.context, NULL); /* it takes no turn: it comes from the threads that work */
    assert_int_equal(heard.requests, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_many_threads_come_one_at_a_time),
        cmocka_unit_test(what_nobody_listens_to_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
