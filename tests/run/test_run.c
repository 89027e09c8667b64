/* Runs of a load that does nothing, on a clock that the test turns: each reading moves it on. */
#include "core/settings.h"
#include "platform/thread.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct toy {
    _Atomic uint64_t ticks; /* the clock, in ns */
    uint64_t step_ns;
    bool jumps_back; /* every third reading is 0.08 ms before the one it follows */
    _Atomic int made, freed, finished;
    int fail_init_of, fail_loop_of; /* a worker's number, or −1 */
    bool hang;                      /* after the loop, until released, or for a minute */
    atomic_bool released;
    struct job job;
    struct listener listener;
    int measuring, warming;
    uint64_t told_from_ns, told_until_ns, intervals; /* what the load was told of the measured part */
};

static uint64_t toy_ticks(void *context)
{
    struct toy *toy = context;
    uint64_t now_ns = atomic_fetch_add(&toy->ticks, toy->step_ns) + toy->step_ns;
    return toy->jumps_back && now_ns / toy->step_ns % 3 == 0 ? now_ns - toy->step_ns - 80000 : now_ns;
}

static bool toy_init(struct worker *worker, void *context, struct error *error)
{
    struct toy *toy = context;
    ++toy->made;
    if ((int)worker->index == toy->fail_init_of)
        return error_set(error, ERR_SYSTEM, "worker %u cannot start", worker->index);
    return true;
}

static bool toy_loop(struct worker *worker, void *context, struct error *error)
{
    struct toy *toy = context;
    uint64_t now_ns = worker_now_ns(worker);
    while (!worker_time_is_up(worker, now_ns)) {
        bool measured = worker_measures(worker, now_ns);
        if (!worker_takes_event(worker, measured))
            break;
        uint64_t start_ns = worker_now_ns(worker);
        now_ns = worker_now_ns(worker);
        if (measured)
            worker_record(worker, CLASS_READ, start_ns, now_ns, 10);
        if ((int)worker->index == toy->fail_loop_of)
            return error_set(error, ERR_SYSTEM, "worker %u broke down", worker->index);
    }
    if (toy->hang) {
        atomic_store(&worker->in_flight, 3);
        for (int ms = 0; ms < 60000 && !atomic_load(&toy->released); ++ms)
            thread_sleep_ns(NS_PER_S / 1000);
    }
    return true;
}

static bool toy_finish(struct worker *worker, void *context, struct error *error)
{
    struct toy *toy = context;
    (void)worker;
    (void)error;
    ++toy->finished;
    return true;
}

static void toy_done(struct worker *worker, void *context)
{
    struct toy *toy = context;
    (void)worker;
    ++toy->freed;
}

static void on_measuring(void *context, const struct job *job)
{
    (void)job;
    ++((struct toy *)context)->measuring;
}

static void on_warming(void *context, const struct job *job)
{
    (void)job;
    ++((struct toy *)context)->warming;
}

static void toy_measuring(void *context, uint64_t at_ns)
{
    struct toy *toy = context;
    toy->told_from_ns = at_ns;
    toy->told_until_ns = toy->intervals = 0; /* a test may run it again */
}

/* What it puts in is in the series. */
static void toy_interval(void *context, struct interval *interval)
{
    struct toy *toy = context;
    assert_int_equal(interval->start_ns, toy->told_until_ns);
    toy->told_until_ns = interval->end_ns;
    interval->replica_lag_ns = ++toy->intervals;
}

static int toy_make(void **state)
{
    static struct toy toy;
    memset(&toy, 0, sizeof(toy));
    toy.step_ns = 1000;
    toy.ticks = 1000000;
    toy.fail_init_of = toy.fail_loop_of = -1;
    toy.listener = (struct listener){.context = &toy, .run_measuring = on_measuring, .run_warming = on_warming};
    job_init(&toy.job);
    toy.job.time_ns = 0;
    toy.job.events = 1000;
    *state = &toy;
    return 0;
}

static bool run_toy(struct toy *toy, struct result **out, struct error *error)
{
    struct load load = {.context = toy,
                        .init = toy_init,
                        .loop = toy_loop,
                        .finish = toy_finish,
                        .done = toy_done,
                        .measuring = toy_measuring,
                        .interval = toy_interval};
    struct clock clock = {toy_ticks, toy, NS_PER_S, "toy"};
    struct run_setup setup = {.job = &toy->job, .listener = &toy->listener, .clock = &clock, .load = &load};
    *out = result_make(&toy->job);
    assert_non_null(*out);
    return run_load(&setup, *out, error);
}

static void events_are_counted_exactly_over_all_threads(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.threads = 5;
    assert_true(run_toy(toy, &result, &error));
    assert_int_equal(result->total.events, 1000);
    assert_int_equal(result->total.of[CLASS_READ].bytes, 10000);
    assert_int_equal(toy->made, 5);
    assert_int_equal(toy->finished, 5);
    assert_int_equal(toy->freed, 5);
    assert_int_equal(toy->measuring, 1);
    assert_int_equal(toy->warming, 0);
    assert_false(result->partial);
    result_free(result);
}

static void no_event_starts_after_the_time_limit(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.events = 0;
    toy->job.time_ns = 3000 * 1000; /* three readings an event of 1 µs each: about 1 000 events */
    assert_true(run_toy(toy, &result, &error));
    assert_in_range(result->total.events, 500, 1501);
    assert_true(result->load_ns >= toy->job.time_ns);
    result_free(result);
}

static void warm_up_events_are_not_counted(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.warmup_ns = 100 * 1000;
    assert_true(run_toy(toy, &result, &error));
    assert_int_equal(result->total.events, 1000);
    assert_int_equal(toy->warming, 1);
    assert_int_equal(toy->measuring, 1);
    assert_int_equal(result->warmup_ns, 100 * 1000);
    result_free(result);
}

static void the_load_is_told_of_the_measured_part_and_of_each_interval(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.warmup_ns = 100 * 1000;
    toy->job.events = 0;
    toy->job.time_ns = 40 * NS_PER_MS;
    toy->job.report_interval_ns = 10 * NS_PER_MS;
    assert_true(run_toy(toy, &result, &error));
    assert_true(toy->told_from_ns >= 1000000 + 100 * 1000);
    assert_true(result->series_count >= 1);
    assert_int_equal(toy->intervals, result->series_count);
    assert_int_equal(toy->told_until_ns, result->series[result->series_count - 1].end_ns);
    for (size_t i = 0; i < result->series_count; ++i)
        assert_int_equal(result->series[i].replica_lag_ns, i + 1);
    result_free(result);
}

static void a_clock_that_steps_back_gives_zero_and_is_counted(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->step_ns = 200000;
    toy->jumps_back = true; /* read as unsigned, −0.08 ms is the famous maximum of 18446744073709.47 ms */
    assert_true(run_toy(toy, &result, &error));
    assert_true(result->total.clock_steps_back > 0);
    assert_true(result->total.of[CLASS_READ].latency.max_ns <= 4 * toy->step_ns);
    assert_int_equal(result->total.of[CLASS_READ].latency.min_ns, 0);
    result_free(result);
}

static void a_worker_that_cannot_start_ends_the_run_before_it_begins(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.threads = 4;
    toy->fail_init_of = 2;
    assert_false(run_toy(toy, &result, &error));
    assert_string_equal(error.text, "worker 2 cannot start");
    assert_int_equal(toy->freed, 4);
    assert_int_equal(toy->finished, 0);
    assert_false(result->measured);
    result_free(result);
}

static void a_worker_that_fails_stops_all_and_leaves_a_partial_result(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.threads = 3;
    toy->job.events = 0; /* nothing else would end it */
    toy->fail_loop_of = 1;
    assert_false(run_toy(toy, &result, &error));
    assert_string_equal(error.text, "worker 1 broke down");
    assert_true(result->partial);
    assert_true(result->measured);
    assert_int_equal(toy->finished, 0);
    assert_int_equal(toy->freed, 3);
    result_free(result);
}

static void a_forced_shutdown_does_not_wait_for_hanging_threads(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.threads = 2;
    toy->job.events = 0;
    toy->job.time_ns = 1000 * 1000;
    toy->job.shutdown_grace_ns = 1000 * 1000;
    toy->hang = true;
    assert_true(run_toy(toy, &result, &error));
    assert_true(result->forced);
    assert_true(result->partial);
    assert_int_equal(result->unfinished, 6);
    assert_int_equal(toy->freed, 0);
    /* the run is left to the process's end, as the contract says; so are its threads, which come to their end now */
    atomic_store(&toy->released, true);
    thread_sleep_ns(NS_PER_S / 2);
}

/* On the system's clock: the sampler waits as long as the run does. */
static void samples_cover_the_run_and_are_counted_from_its_measured_part(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct load load = {.context = toy, .init = toy_init, .loop = toy_loop, .done = toy_done};
    struct clock clock = clock_system();
    struct run_setup setup = {.job = &toy->job, .listener = &toy->listener, .clock = &clock, .load = &load};
    toy->job.events = 0;
    toy->job.time_ns = 1000 * NS_PER_MS;
    toy->job.warmup_ns = 500 * NS_PER_MS;
    toy->job.sample_ns = 200 * NS_PER_MS;
    struct result *result = result_make(&toy->job);
    assert_true(run_load(&setup, result, &error));
    const struct host_series *series = &result->host_series;
    uint64_t warm_ns = 0, measured_ns = 0;
    assert_int_equal(series->interval_ns, toy->job.sample_ns);
    assert_true(series->cost_ns > 0);
    for (size_t i = 0; i < series->count; ++i) {
        const struct host_sample *sample = &series->samples[i];
        *(sample->warmup ? &warm_ns : &measured_ns) += sample->elapsed_ns;
        assert_true(sample->cpus_count > 0);
        if (i > 0)
            assert_int_equal(sample->end_ns - series->samples[i - 1].end_ns, sample->elapsed_ns);
    }
    assert_true(series->samples[0].warmup);
    assert_false(series->samples[series->count - 1].warmup);
    /* all of it but for a last one of less than half an interval, or for what a busy machine makes of a border */
    assert_true(warm_ns >= toy->job.warmup_ns / 2);
    assert_true(measured_ns >= toy->job.time_ns / 2);
    assert_true(series->samples[series->count - 1].end_ns > (int64_t)toy->job.time_ns / 2);
    result_free(result);
}

static void a_run_shorter_than_an_interval_has_one_sample(void **state)
{
    struct toy *toy = *state;
    struct error error = ERROR_INIT;
    struct result *result;
    toy->job.sample_ns = 3600 * NS_PER_S;
    assert_true(run_toy(toy, &result, &error));
    assert_int_equal(result->host_series.count, 1);
    assert_false(result->host_series.samples[0].warmup);
    result_free(result);
    toy->job.sample_ns = 0;
    assert_true(run_toy(toy, &result, &error));
    assert_int_equal(result->host_series.interval_ns, 0);
    result_free(result);
}

static void each_thread_has_its_own_random_stream_of_the_seed(void **state)
{
    struct random first, again, other;
    (void)state;
    random_init(&first, 5, 0);
    random_init(&again, 5, 0);
    random_init(&other, 5, 1);
    for (int i = 0; i < 10; ++i) {
        uint64_t value = random_next(&first);
        assert_int_equal(value, random_next(&again));
        assert_true(value != random_next(&other));
    }
}

#define with_toy(test) cmocka_unit_test_setup(test, toy_make)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_toy(events_are_counted_exactly_over_all_threads),
        with_toy(no_event_starts_after_the_time_limit),
        with_toy(warm_up_events_are_not_counted),
        with_toy(the_load_is_told_of_the_measured_part_and_of_each_interval),
        with_toy(a_clock_that_steps_back_gives_zero_and_is_counted),
        with_toy(a_worker_that_cannot_start_ends_the_run_before_it_begins),
        with_toy(a_worker_that_fails_stops_all_and_leaves_a_partial_result),
        with_toy(samples_cover_the_run_and_are_counted_from_its_measured_part),
        with_toy(a_run_shorter_than_an_interval_has_one_sample),
        cmocka_unit_test(each_thread_has_its_own_random_stream_of_the_seed),
        with_toy(a_forced_shutdown_does_not_wait_for_hanging_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
