/* Several runs of a load that does nothing, at the same time. */
#include "core/settings.h"
#include "platform/thread.h"
#include "run/run.h"
#include "run/start_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define JOBS 3
#define FOR_EVER (30 * NS_PER_S) /* what a test that failed would take */

struct racer {
    struct job job;
    struct start_place *place;
    struct thread *thread;
    struct result *result;
    struct error error;
    bool good;
    bool fail_init, fail_loop;
    _Atomic uint64_t measured_from_ns;
    _Atomic uint64_t first_ns; /* reading of its first event */
    _Atomic int loops, freed, measuring;
};

static struct racer racers[JOBS];
static const char *const names[JOBS] = {"anna", NULL, ""};

static bool racer_init(struct worker *worker, void *context, struct error *error)
{
    struct racer *racer = context;
    (void)worker;
    return !racer->fail_init || error_set(error, ERR_SYSTEM, "cannot start");
}

static bool racer_loop(struct worker *worker, void *context, struct error *error)
{
    struct racer *racer = context;
    uint64_t now_ns = worker_now_ns(worker);
    ++racer->loops;
    atomic_store(&racer->first_ns, now_ns);
    if (racer->fail_loop) {
        thread_sleep_ns(20 * NS_PER_MS);
        return error_set(error, ERR_SYSTEM, "broke down");
    }
    while (!worker_time_is_up(worker, now_ns)) {
        uint64_t start_ns = now_ns;
        bool measured = worker_measures(worker, start_ns);
        thread_sleep_ns(NS_PER_MS);
        now_ns = worker_now_ns(worker);
        if (measured)
            worker_record(worker, CLASS_READ, start_ns, now_ns, 10);
    }
    racer->measured_from_ns = atomic_load(&worker->signals->measure_from_ns);
    return true;
}

static void racer_done(struct worker *worker, void *context)
{
    (void)worker;
    ++((struct racer *)context)->freed;
}

static void on_measuring(void *context, const struct job *job)
{
    (void)job;
    ++((struct racer *)context)->measuring;
}

static void race(void *argument)
{
    struct racer *racer = argument;
    struct listener listener = {.context = racer, .run_measuring = on_measuring};
    struct load load = {.context = racer, .init = racer_init, .loop = racer_loop, .done = racer_done};
    struct clock clock = clock_system();
    struct run_setup setup = {&racer->job, &listener, &clock, &load, racer->place};
    racer->good = run_load(&setup, racer->result, &racer->error);
    start_place_leave(racer->place);
}

static int racers_make(void **state)
{
    (void)state;
    memset(racers, 0, sizeof(racers));
    for (int i = 0; i < JOBS; ++i) {
        job_init(&racers[i].job);
        racers[i].job.time_ns = NS_PER_S / 5;
        racers[i].result = NULL;
    }
    return 0;
}

static int racers_free(void **state)
{
    (void)state;
    for (int i = 0; i < JOBS; ++i)
        result_free(racers[i].result);
    return 0;
}

static void run_all(void)
{
    struct start_line *line = start_line_make(JOBS, 1, names);
    assert_non_null(line);
    for (uint32_t i = 0; i < JOBS; ++i) {
        racers[i].place = start_line_place(line, i);
        racers[i].result = result_make(&racers[i].job);
        assert_true(thread_start(&racers[i].thread, race, &racers[i], 0, &racers[i].error));
        start_line_await(line, i);
    }
    for (uint32_t i = 0; i < JOBS; ++i)
        thread_join(racers[i].thread);
    start_line_free(line);
}

static void jobs_begin_at_one_moment_and_end_at_their_own(void **state)
{
    (void)state;
    racers[1].job.time_ns = NS_PER_S / 2;
    racers[2].job.threads = 4;
    run_all();
    for (int i = 0; i < JOBS; ++i) {
        assert_true(racers[i].good);
        assert_int_equal(racers[i].measured_from_ns, racers[0].measured_from_ns);
        assert_true(racers[i].first_ns >= racers[0].measured_from_ns);
        assert_int_equal(racers[i].measuring, 1);
        assert_true(racers[i].result->load_ns >= racers[i].job.time_ns);
        assert_true(racers[i].result->total.of[CLASS_READ].latency.count > 0);
        assert_false(racers[i].result->partial);
    }
    assert_true(racers[0].result->load_ns < racers[1].result->load_ns);
}

static void each_job_has_a_warm_up_of_its_own(void **state)
{
    (void)state;
    racers[1].job.warmup_ns = NS_PER_S / 10;
    racers[2].job.warmup_ns = NS_PER_S / 4;
    run_all();
    for (int i = 0; i < JOBS; ++i) {
        assert_true(racers[i].good);
        assert_int_equal(racers[i].measured_from_ns - racers[0].measured_from_ns, racers[i].job.warmup_ns);
        assert_int_equal(racers[i].result->warmup_ns, racers[i].job.warmup_ns);
    }
}

static void a_job_that_cannot_begin_sends_all_home(void **state)
{
    (void)state;
    racers[1].fail_init = true;
    for (int i = 0; i < JOBS; ++i)
        racers[i].job.time_ns = FOR_EVER;
    run_all();
    assert_string_equal(racers[1].error.text, "cannot start");
    for (int i = 0; i < JOBS; ++i) {
        assert_false(racers[i].good);
        assert_int_equal(racers[i].loops, 0);
        assert_int_equal(racers[i].freed, 1);
        assert_false(racers[i].result->measured);
        if (i != 1)
            assert_string_equal(racers[i].error.text, "job 2 could not begin, so this one did not either");
    }
}

static void a_job_that_fails_in_its_load_ends_all(void **state)
{
    (void)state;
    racers[0].fail_loop = true;
    racers[1].job.time_ns = racers[2].job.time_ns = FOR_EVER;
    racers[2].job.warmup_ns = FOR_EVER;
    run_all();
    assert_string_equal(racers[0].error.text, "broke down");
    for (int i = 1; i < JOBS; ++i) {
        assert_false(racers[i].good);
        assert_string_equal(racers[i].error.text, "ended early, because job 1 anna failed");
        assert_true(racers[i].result->partial);
        assert_true(racers[i].result->load_ns < FOR_EVER);
    }
    assert_true(racers[1].result->measured);
    assert_true(racers[1].result->total.of[CLASS_READ].latency.count > 0);
    assert_false(racers[2].result->measured);
}

static void who_never_comes_keeps_nobody_waiting(void **state)
{
    struct start_line *line = start_line_make(2, 5, NULL);
    (void)state;
    racers[0].place = start_line_place(line, 0);
    racers[0].result = result_make(&racers[0].job);
    assert_true(thread_start(&racers[0].thread, race, &racers[0], 0, &racers[0].error));
    assert_true(start_line_await(line, 0));
    start_place_leave(start_line_place(line, 1)); /* its files could not be opened */
    assert_false(start_line_await(line, 1));
    thread_join(racers[0].thread);
    assert_string_equal(racers[0].error.text, "job 6 could not begin, so this one did not either");
    assert_true(start_place_sent_home(racers[0].place));
    assert_false(start_place_sent_home(start_line_place(line, 1)));
    start_line_free(line);
}

#define with_racers(test) cmocka_unit_test_setup_teardown(test, racers_make, racers_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_racers(jobs_begin_at_one_moment_and_end_at_their_own), with_racers(each_job_has_a_warm_up_of_its_own),
        with_racers(a_job_that_cannot_begin_sends_all_home),        with_racers(a_job_that_fails_in_its_load_ends_all),
        with_racers(who_never_comes_keeps_nobody_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
