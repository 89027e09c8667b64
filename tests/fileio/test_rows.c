/* How a run's rows hang together: latencies and their parts, threads and totals, CPUs and time. */
#include "core/settings.h"
#include "fileio/fileio.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096
#define EVENTS 400

struct bench {
    struct job job;
    struct listener listener;
    struct clock clock;
    struct fileio_setup setup;
};

static int bench_make(void **state)
{
    static struct bench bench;
    char dir[PATH_BYTES];
    struct error error = ERROR_INIT;
    memset(&bench, 0, sizeof(bench));
    job_init(&bench.job);
    scratch_directory(dir, "scratch_rows");
    scratch_clear_set(dir);
    snprintf(bench.job.dir, sizeof(bench.job.dir), "%.*s", (int)sizeof(bench.job.dir) - 1, dir);
    bench.job.total_size_bytes = 16 * BLOCK;
    bench.job.block_size_bytes = BLOCK;
    bench.job.mode = MODE_RNDRW;
    bench.job.sync_every = 0;
    bench.job.sync_at_end = false;
    bench.job.time_ns = 0;
    bench.job.events = EVENTS;
    bench.clock = clock_system();
    bench.setup = (struct fileio_setup){
        .job = &bench.job, .listener = &bench.listener, .layer = &file_layer_system, .clock = &bench.clock};
    *state = &bench;
    return fileio_prepare(&bench.setup, &error) ? 0 : -1;
}

static int bench_clear(void **state)
{
    struct error error = ERROR_INIT;
    return fileio_cleanup(&((struct bench *)*state)->setup, &error) ? 0 : -1;
}

static struct result *run(struct bench *bench)
{
    struct result *result = NULL;
    struct error error = ERROR_INIT;
    if (!fileio_run(&bench->setup, &result, &error))
        fail_msg("%s", error.text);
    return result;
}

static uint64_t sum_ns(const struct result *result, enum op_class op)
{
    return result->total.of[op].latency.sum_ns;
}

/* Far behind its rate, so that the wait is not next to nothing. */
static void latency_has_the_wait_or_only_the_service(void **state)
{
    static const struct {
        const char *engine;
        uint64_t depth;
        enum latency_from from;
    } rows[] = {{"sync", 1, LATENCY_FROM_DUE},
                {"sync", 1, LATENCY_FROM_START},
                {"uv", 4, LATENCY_FROM_DUE},
                {"uv", 4, LATENCY_FROM_START}};
    struct bench *bench = *state;
    bench->job.rate = 1e8;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(bench->job.engine, sizeof(bench->job.engine), "%s", rows[i].engine);
        bench->job.depth = rows[i].depth;
        bench->job.latency_from = rows[i].from;
        struct result *result = run(bench);
        uint64_t latency_ns = sum_ns(result, CLASS_READ) + sum_ns(result, CLASS_WRITE);
        uint64_t wait_ns = sum_ns(result, CLASS_QUEUE_WAIT), service_ns = sum_ns(result, CLASS_SERVICE);
        assert_int_equal(result->total.events, EVENTS);
        assert_true(wait_ns > 0);
        assert_int_equal(latency_ns, rows[i].from == LATENCY_FROM_DUE ? wait_ns + service_ns : service_ns);
        result_free(result);
    }
}

static void add(struct thread_class *sum, const struct thread_class *row)
{
    sum->count += row->count;
    sum->bytes += row->bytes;
    sum->latency_sum_ns += row->latency_sum_ns;
}

static void assert_is_total(const struct thread_class *sum, const struct class_tally *total)
{
    assert_true(sum->count > 0);
    assert_int_equal(sum->count, total->latency.count);
    assert_int_equal(sum->bytes, total->bytes);
    assert_int_equal(sum->latency_sum_ns, total->latency.sum_ns);
}

static void what_threads_read_and_wrote_adds_up_to_the_totals(void **state)
{
    struct bench *bench = *state;
    struct thread_class reads = {0}, writes = {0};
    bench->job.threads = 3;
    struct result *result = run(bench);
    for (uint32_t i = 0; i < 3; ++i) {
        add(&reads, &result->threads[i].read);
        add(&writes, &result->threads[i].write);
        assert_int_equal(result->threads[i].read.count + result->threads[i].write.count, result->threads[i].events);
    }
    assert_is_total(&reads, &result->total.of[CLASS_READ]);
    assert_is_total(&writes, &result->total.of[CLASS_WRITE]);
    result_free(result);
}

static double square(double value)
{
    return value * value;
}

/* One thread's spread is that of the run. */
static void a_thread_alone_has_the_spread_of_the_whole(void **state)
{
    struct bench *bench = *state;
    struct result *result = run(bench);
    double whole = square(histogram_stddev(&result->total.of[CLASS_READ].latency));
    assert_true(whole > 0);
    assert_true(result->threads[0].read.latency_variance_ns2 == whole);
    result_free(result);
}

static void the_cpus_fill_the_measured_part(void **state)
{
    struct bench *bench = *state;
    bench->job.events = 0;
    bench->job.time_ns = NS_PER_S / 2;
    struct result *result = run(bench);
    if (result->cpus_count == 0) {
        result_free(result);
        skip();
    }
    assert_int_equal(result->cpus_count, result->host.cpu_count);
    for (size_t i = 0; i < result->cpus_count; ++i) {
        const struct cpu_row *row = &result->cpus[i];
        assert_true(row->user_ns + row->system_ns + row->idle_ns <= result->elapsed_ns);
    }
    result_free(result);
}

#define with_bench(test) cmocka_unit_test_setup_teardown(test, bench_make, bench_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_bench(latency_has_the_wait_or_only_the_service),
        with_bench(what_threads_read_and_wrote_adds_up_to_the_totals),
        with_bench(a_thread_alone_has_the_spread_of_the_whole),
        with_bench(the_cpus_fill_the_measured_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
