#include "core/result.h"
#include "dialects/sysbench.h"
#include "tests/dialects/sysbench_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS NS_PER_MS
#define BANNER "sysbench 1.0.20 (isobench " ISOBENCH_VERSION ")\n\n"
#define BANNER_04 "sysbench 0.4.12:  multi-threaded system evaluation benchmark (isobench " ISOBENCH_VERSION ")\n\n"
#define SMALL "--file-num=4 --file-total-size=8M "

static struct listener *listener_of(struct fixture *fixture)
{
    if (!fixture->good)
        fail_msg("%s", fixture->error.text);
    return &fixture->invocation->listener;
}

static void record(struct result *result, enum op_class op, uint64_t count, uint64_t latency_ns)
{
    for (uint64_t i = 0; i < count; ++i)
        histogram_record(&result->total.of[op].latency, latency_ns);
}

/* Two seconds of two threads (or as many as the job has): 600 reads of 1 ms, 400 writes of 2 ms, 40 periodic syncs of
 * 10 ms and 8 syncs at the end. */
static struct result *example(const struct job *job)
{
    struct result *result = result_make(job);
    assert_non_null(result);
    record(result, CLASS_READ, 600, 1 * MS);
    record(result, CLASS_WRITE, 400, 2 * MS);
    record(result, CLASS_SYNC, 40, 10 * MS);
    record(result, CLASS_END_SYNC, 8, 10 * MS);
    result->total.of[CLASS_READ].bytes = 600 * UINT64_C(16384);
    result->total.of[CLASS_WRITE].bytes = 400 * UINT64_C(16384);
    result->total.events = job->count_syncs ? 1040 : 1000;
    result->elapsed_ns = 2 * NS_PER_S;
    result->load_ns = 1920 * MS;
    for (uint64_t i = 0; i < job->threads; ++i) {
        result->threads[i].events = i % 2 ? 500 : 540;
        result->threads[i].busy_ns = i % 2 ? 800 * MS : 1000 * MS;
    }
    return result;
}

static void run_start(struct fixture *fixture)
{
    struct listener *listener = listener_of(fixture);
    const struct job *job = &fixture->invocation->job;
    listener->run_starting(listener->context, job);
    listener->run_opened(listener->context, job);
    if (job->warmup_ns)
        listener->run_warming(listener->context, job);
    listener->run_measuring(listener->context, job);
}

static void run_end(struct fixture *fixture)
{
    struct listener *listener = listener_of(fixture);
    struct result *result = example(&fixture->invocation->job);
    listener->run_done(listener->context, result);
    result_free(result);
}

/* What a whole run prints is `expected`. */
static void check_run(const char *line, const char *expected)
{
    struct fixture *fixture = fixture_make(line);
    run_start(fixture);
    run_end(fixture);
    assert_string_equal(fixture_text(fixture), expected);
    fixture_free(fixture);
}

/* What the start of a run prints holds `expected`, and not `absent` (NULL = not looked for). */
static void check_header(const char *line, const char *expected, const char *absent)
{
    struct fixture *fixture = fixture_make(line);
    run_start(fixture);
    const char *text = fixture_text(fixture);
    if (!strstr(text, expected) || (absent && strstr(text, absent)))
        fail_msg("%s: not the right header:\n%s", line, text);
    fixture_free(fixture);
}

/* ---- 1.0 --------------------------------------------------------------------------------------------------------- */

static const char report_10[] = "\n"
                                "File operations:\n"
                                "    reads/s:                      300.00\n"
                                "    writes/s:                     200.00\n"
                                "    fsyncs/s:                     24.00\n"
                                "\n"
                                "Throughput:\n"
                                "    read, MiB/s:                  4.69\n"
                                "    written, MiB/s:               3.12\n"
                                "\n"
                                "General statistics:\n"
                                "    total time:                          2.0000s\n"
                                "    total number of events:              1040\n"
                                "\n"
                                "Latency (ms):\n"
                                "         min:                                    1.00\n"
                                "         avg:                                    1.73\n"
                                "         max:                                   10.00\n"
                                "         95th percentile:                        2.00\n"
                                "         sum:                                 1800.00\n"
                                "\n"
                                "Threads fairness:\n"
                                "    events (avg/stddev):           520.0000/20.00\n"
                                "    execution time (avg/stddev):   0.9000/0.10\n"
                                "\n";

static void run_of_1_0_has_its_layout(void **state)
{
    char expected[4096];
    (void)state;
    snprintf(expected, sizeof(expected),
             BANNER "Running the test with following options:\n"
                    "Number of threads: 2\n"
                    "Initializing random number generator from current time\n"
                    "\n"
                    "\n"
                    "Extra file open flags: (none)\n"
                    "4 files, 2MiB each\n"
                    "8MiB total file size\n"
                    "Block size 16KiB\n"
                    "Number of IO requests: 0\n"
                    "Read/Write ratio for combined random IO test: 1.50\n"
                    "Periodic FSYNC enabled, calling fsync() each 100 requests.\n"
                    "Calling fsync() at the end of test, Enabled.\n"
                    "Using synchronous I/O mode\n"
                    "Doing random r/w test\n"
                    "Initializing worker threads...\n"
                    "\n"
                    "Threads started!\n"
                    "\n"
                    "%s",
             report_10);
    check_run("fileio " SMALL "--threads=2 --file-test-mode=rndrw run", expected);
}

static void header_of_1_0_names_every_option(void **state)
{
    (void)state;
    check_header("fileio " SMALL "--threads=2 --file-test-mode=seqwr --report-interval=0.5 --report-checkpoints=2,1 "
                 "--rand-seed=42 --forced-shutdown=3 --file-merged-requests=4 --file-io-mode=async "
                 "--file-extra-flags=direct,sync --warmup-time=5 --debug run",
                 BANNER "Running the test with following options:\n"
                        "Number of threads: 2\n"
                        "Warmup time: 5s\n"
                        "Report intermediate results every 0.5 second(s)\n"
                        "Report checkpoint(s) at 1, 2 seconds\n"
                        "Debug mode enabled.\n"
                        "\n"
                        "Initializing random number generator from seed (42).\n"
                        "\n"
                        "Forcing shutdown in 13 seconds\n"
                        "\n"
                        "Extra file open flags: sync directio\n"
                        "4 files, 2MiB each\n"
                        "8MiB total file size\n"
                        "Block size 16KiB\n"
                        "Merging requests up to 64KiB for sequential IO.\n"
                        "Periodic FSYNC enabled, calling fsync() each 100 requests.\n"
                        "Calling fsync() at the end of test, Enabled.\n"
                        "Using asynchronous I/O mode\n"
                        "Doing sequential write (creation) test\n"
                        "Initializing worker threads...\n"
                        "\n"
                        "Threads started!\n"
                        "\n"
                        "Warming up for 5 seconds...\n"
                        "\n",
                 "Number of IO requests");
}

static void header_words_follow_mode_and_syncs(void **state)
{
    static const struct {
        const char *options, *expected, *absent;
    } rows[] = {
        {"--file-test-mode=seqrd", "Doing sequential read test\n", "Merging"},
        {"--file-test-mode=seqrewr", "Doing sequential rewrite test\n", "Read/Write ratio"},
        {"--file-test-mode=rndrd", "Doing random read test\n", NULL},
        {"--file-test-mode=rndwr", "Doing random write test\n", NULL},
        {"--file-test-mode=rndrd --events=7", "Number of IO requests: 7\n", NULL},
        {"--file-test-mode=rndrw --file-rw-ratio=3", "combined random IO test: 3.00\n", NULL},
        {"--file-test-mode=rndrw --file-io-mode=mmap", "Using fast mmaped I/O mode\n", NULL},
        {"--file-test-mode=rndwr --file-fsync-freq=0", "1.50\nCalling fsync() at the end of test, Enabled.\n",
         "Periodic"},
        {"--file-test-mode=rndwr --file-fsync-end=off", "100 requests.\nUsing synchronous I/O mode\n",
         "at the end of test"},
        {"--file-test-mode=rndwr --file-fsync-all", "Calling fsync() after each write operation.\n", "Periodic"},
        {"--file-test-mode=rndrd --file-total-size=1000K --file-num=3", "3 files, 333.33KiB each\n1000KiB total", NULL},
        {"--file-test-mode=rndrd --file-extra-flags=dsync", "Extra file open flags: dsync \n", NULL},
        {"--file-test-mode=rndrd --num-threads=2 --max-time=3",
         "WARNING: --num-threads is deprecated, use --threads instead\n"
         "WARNING: --max-time is deprecated, use --time instead\n" BANNER,
         NULL},
        {"--file-test-mode=rndrd --num-threads=1 --max-requests=0", BANNER, "WARNING"},
        {"--file-test-mode=rndrd --time=0",
         "WARNING: Both event and time limits are disabled, running an endless test\n" BANNER, NULL},
        {"--file-test-mode=rndrd --time=0", "Number of IO requests: 0\n", NULL},
        {"--file-test-mode=rndrd --time=1 --forced-shutdown", "Forcing shutdown in 1.05 seconds\n", NULL},
    };
    char line[512];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(line, sizeof(line), "fileio %s run", rows[i].options);
        check_header(line, rows[i].expected, rows[i].absent);
    }
}

static void verbosity_decides_what_is_printed(void **state)
{
    struct fixture *quiet = fixture_make("fileio " SMALL "--num-threads=2 --verbosity=1 --file-test-mode=rndrw run");
    (void)state;
    run_start(quiet);
    run_end(quiet);
    assert_string_equal(fixture_text(quiet), "");
    fixture_free(quiet);

    struct fixture *warning = fixture_make("fileio --num-threads=2 --verbosity=2 --file-test-mode=rndrw run");
    run_start(warning);
    run_end(warning);
    assert_string_equal(fixture_text(warning), "WARNING: --num-threads is deprecated, use --threads instead\n");
    fixture_free(warning);
}

static void verbosity_4_says_why_the_run_ended(void **state)
{
    static const struct {
        const char *options, *expected;
    } rows[] = {
        {"--time=1",
         "Threads started!\n\nTime limit exceeded, exiting...\n(last message repeated 1 times)\nDone.\n\n\nFile"},
        {"--events=1040", "Event limit exceeded, exiting...\n(last message repeated 1 times)\nDone.\n\n\nFile"},
        {"--time=100", "Threads started!\n\nDone.\n\n\nFile"},
        {"--time=1 --threads=1", "Time limit exceeded, exiting...\nDone.\n\n\nFile"},
    };
    char line[256];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(line, sizeof(line), "fileio --threads=2 --verbosity=4 --file-test-mode=rndrw %s run", rows[i].options);
        struct fixture *fixture = fixture_make(line);
        run_start(fixture);
        run_end(fixture);
        if (!strstr(fixture_text(fixture), rows[i].expected))
            fail_msg("%s:\n%s", line, fixture->text);
        fixture_free(fixture);
    }
}

static void percentiles_have_a_line_each(void **state)
{
    static const struct {
        const char *list, *expected;
    } rows[] = {
        {"0", "\n         percentile stats:               disabled\n         sum:"},
        {"1", "\n          1th percentile:                        1.00\n"},
        {"100", "\n        100th percentile:                       10.00\n"},
        {"50,99.9", "\n         50th percentile:                        1.00\n"
                    "       99.9th percentile:                        9.99\n"
                    "         sum:"},
    };
    char line[256];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(line, sizeof(line), "fileio --threads=2 --percentile=%s --file-test-mode=rndrw run", rows[i].list);
        struct fixture *fixture = fixture_make(line);
        run_end(fixture);
        if (!strstr(fixture_text(fixture), rows[i].expected))
            fail_msg("%s:\n%s", line, fixture->text);
        fixture_free(fixture);
    }
}

static void interval_line_is_that_of_1_0(void **state)
{
    struct fixture *fixture = fixture_make("fileio --report-interval=2 --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    struct interval interval = {
        .start_ns = 2 * NS_PER_S, .end_ns = 4 * NS_PER_S, .latency_percentile_ns = 31 * MS / 1000};
    (void)state;
    interval.bytes[CLASS_READ] = UINT64_C(300) << 20;
    interval.bytes[CLASS_WRITE] = UINT64_C(1) << 20;
    interval.count[CLASS_SYNC] = 7;
    listener->run_interval(listener->context, &fixture->invocation->job, &interval);
    assert_string_equal(fixture_text(fixture), "[ 4s ] reads: 150.00 MiB/s writes: 0.50 MiB/s fsyncs: 3.50/s latency "
                                               "(ms,95%): 0.031\n");
    fixture_free(fixture);
}

static void fractional_interval_shows_its_moment(void **state)
{
    struct fixture *fixture = fixture_make("fileio --report-interval=0.5 --percentile=99.9 --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    struct interval interval = {.start_ns = NS_PER_S, .end_ns = 1500 * MS};
    (void)state;
    listener->run_interval(listener->context, &fixture->invocation->job, &interval);
    assert_string_equal(fixture_text(fixture), "[ 1.50s ] reads: 0.00 MiB/s writes: 0.00 MiB/s fsyncs: 0.00/s latency "
                                               "(ms,99.9%): 0.000\n");
    fixture_free(fixture);
}

static void checkpoint_is_a_full_report(void **state)
{
    struct fixture *fixture = fixture_make("fileio --threads=2 --report-checkpoints=2,9 --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    struct result *since = example(&fixture->invocation->job);
    char expected[2048];
    (void)state;
    listener->run_checkpoint(listener->context, since, 2 * NS_PER_S);
    result_free(since);
    snprintf(expected, sizeof(expected), "[ 2s ] Checkpoint report:\n%s", report_10);
    assert_string_equal(fixture_text(fixture), expected);
    fixture_free(fixture);
}

static void report_after_a_checkpoint_covers_the_rest(void **state)
{
    struct fixture *fixture = fixture_make("fileio --threads=2 --report-checkpoints=2 --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    struct result *result = example(&fixture->invocation->job), *since = example(&fixture->invocation->job);
    (void)state;
    record(result, CLASS_READ, 5000, 1 * MS);
    result->total.events += 5000;
    result->elapsed_ns = 4 * NS_PER_S;
    result->since_checkpoint = since;
    listener->run_done(listener->context, result);
    const char *text = fixture_text(fixture);
    assert_non_null(strstr(text, "reads/s:                      300.00\n"));
    assert_non_null(strstr(text, "total time:                          4.0000s\n"));
    assert_non_null(strstr(text, "total number of events:              1040\n"));
    result->since_checkpoint = NULL;
    result_free(since);
    result_free(result);
    fixture_free(fixture);
}

static void run_without_events_prints_zeros(void **state)
{
    struct fixture *fixture = fixture_make("fileio --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    struct result *result = result_make(&fixture->invocation->job);
    (void)state;
    assert_non_null(result);
    listener->run_done(listener->context, result);
    const char *text = fixture_text(fixture);
    assert_non_null(strstr(text, "    reads/s:                      0.00\n"));
    assert_non_null(strstr(text, "         min:                                    0.00\n"));
    assert_non_null(strstr(text, "         95th percentile:                        0.00\n"));
    result_free(result);
    fixture_free(fixture);
}

static void histogram_rows_rise_and_hold_every_event(void **state)
{
    struct fixture *fixture = fixture_make("fileio --threads=2 --histogram --file-test-mode=rndrw run");
    static const char head[] = "Latency histogram (values are in milliseconds)\n"
                               "       value  ------------- distribution ------------- count\n";
    double value, last = 0;
    unsigned long long count, sum = 0;
    (void)state;
    run_end(fixture);
    const char *text = fixture_text(fixture);
    assert_true(strncmp(text, head, strlen(head)) == 0);
    assert_non_null(strstr(text, " |**************************************** 600\n"));
    assert_non_null(strstr(text, " |***************************              400\n"));
    assert_non_null(strstr(text, " |***                                      40\n \n\nFile operations:\n"));
    for (const char *row = text + strlen(head); strncmp(row, " \n", 2) != 0; row = strchr(row, '\n') + 1) {
        assert_int_equal(sscanf(row, "%lf |", &value), 1);
        assert_int_equal(sscanf(row + 14 + 40, "%llu", &count), 1);
        assert_true(value > last);
        last = value;
        sum += count;
    }
    assert_true(sum == 1040);
    fixture_free(fixture);
}

static void forced_end_is_told(void **state)
{
    struct fixture *fixture = fixture_make("fileio --threads=2 --verbosity=4 --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    struct result *result = example(&fixture->invocation->job);
    (void)state;
    const char *after = strstr(report_10, "General");
    result->forced = result->partial = true;
    result->unfinished = 2;
    result->job.time_ns = result->load_ns;
    listener->run_done(listener->context, result);
    const char *text = fixture_text(fixture);
    assert_non_null(strstr(text, "FATAL: The --max-time limit has expired, forcing shutdown...\n"));
    assert_non_null(strstr(text, " 3.12\n\nNumber of unfinished transactions on forced shutdown: 2\n\nGeneral"));
    assert_non_null(strstr(text, after));
    assert_null(strstr(text, "Done."));
    result_free(result);
    fixture_free(fixture);
}

static void debug_prints_requests_and_threads(void **state)
{
    struct fixture *fixture = fixture_make("fileio --threads=2 --debug --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    static const struct request requests[] = {{0, 1, CLASS_READ, 98304, 16384},
                                              {1, 2, CLASS_WRITE, UINT64_C(5) << 32, 4096},
                                              {1, 3, CLASS_SYNC, 0, 0},
                                              {0, 0, CLASS_END_SYNC, 0, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(requests); ++i)
        listener->request(listener->context, &requests[i]);
    assert_string_equal(fixture_text(fixture),
                        "DEBUG: Executing request, operation: 1, file_id: 1, pos: 98304, size: 16384\n"
                        "DEBUG: Executing request, operation: 2, file_id: 2, pos: 21474836480, size: 4096\n"
                        "DEBUG: Executing request, operation: 3, file_id: 3, pos: 0, size: 0\n");
    run_end(fixture);
    assert_non_null(strstr(fixture_text(fixture),
                           "DEBUG: Verbose per-thread statistics:\n"
                           "\n"
                           "DEBUG:     thread #  0: avg: 0.0019s  events: 540\n"
                           "DEBUG:                  total time taken by event execution: 1.0000s\n"
                           "DEBUG:     thread #  1: avg: 0.0016s  events: 500\n"
                           "DEBUG:                  total time taken by event execution: 0.8000s\n"));
    fixture_free(fixture);
}

/* ---- 1.1 -----------------------------------------------------------------------------------------------------------
 */

static void report_of_1_1_has_iops_and_no_totals(void **state)
{
    struct fixture *fixture =
        fixture_make("fileio --sysbench-version=1.1 --threads=2 --file-test-mode=rndrw --num-threads=2 run");
    (void)state;
    run_end(fixture);
    assert_string_equal(fixture_text(fixture), "\n"
                                               "Throughput:\n"
                                               "         read:  IOPS=300.00 4.69 MiB/s (4.92 MB/s)\n"
                                               "         write: IOPS=200.00 3.12 MiB/s (3.28 MB/s)\n"
                                               "         fsync: IOPS=24.00\n"
                                               "\n"
                                               "Latency (ms):\n"
                                               "         min:                                    1.00\n"
                                               "         avg:                                    1.73\n"
                                               "         max:                                   10.00\n"
                                               "         95th percentile:                        2.00\n"
                                               "         sum:                                 1800.00\n"
                                               "\n");
    fixture_free(fixture);
    check_header("fileio --sysbench-version=1.1 --num-threads=2 --file-test-mode=rndrw run",
                 "sysbench 1.1.0 (isobench " ISOBENCH_VERSION ")\n\nRunning", "WARNING");
}

/* ---- 0.4 -----------------------------------------------------------------------------------------------------------
 */

static void run_of_0_4_has_its_layout(void **state)
{
    (void)state;
    check_run("--test=fileio " SMALL "--num-threads=2 --max-time=1 --file-test-mode=rndrw run",
              BANNER_04 "Running the test with following options:\n"
                        "Number of threads: 2\n"
                        "\n"
                        "Extra file open flags: 0\n"
                        "4 files, 2Mb each\n"
                        "8Mb total file size\n"
                        "Block size 16Kb\n"
                        "Number of random requests for random IO: 10000\n"
                        "Read/Write ratio for combined random IO test: 1.50\n"
                        "Periodic FSYNC enabled, calling fsync() each 100 requests.\n"
                        "Calling fsync() at the end of test, Enabled.\n"
                        "Using synchronous I/O mode\n"
                        "Doing random r/w test\n"
                        "Threads started!\n"
                        "Time limit exceeded, exiting...\n"
                        "(last message repeated 1 times)\n"
                        "Done.\n"
                        "\n"
                        "Operations performed:  600 Read, 400 Write, 48 Other = 1048 Total\n"
                        "Read 9.375Mb  Written 6.25Mb  Total transferred 15.625Mb  (7.8125Mb/sec)\n"
                        "  500.00 Requests/sec executed\n"
                        "\n"
                        "Test execution summary:\n"
                        "    total time:                          2.0000s\n"
                        "    total number of events:              1000\n"
                        "    total time taken by event execution: 1.4000\n"
                        "    per-request statistics:\n"
                        "         min:                                  1.00ms\n"
                        "         avg:                                  1.40ms\n"
                        "         max:                                  2.00ms\n"
                        "         approx.  95 percentile:               2.00ms\n"
                        "\n"
                        "Threads fairness:\n"
                        "    events (avg/stddev):           520.0000/20.00\n"
                        "    execution time (avg/stddev):   0.9000/0.10\n"
                        "\n");
}

static void header_of_0_4_follows_its_options(void **state)
{
    (void)state;
    check_header("--test=fileio --init-rng=on --file-extra-flags=direct --max-requests=0 --max-time=9 "
                 "--file-test-mode=rndrd run",
                 "Number of threads: 1\n"
                 "Initializing random number generator from timer.\n"
                 "\n"
                 "\n"
                 "Extra file open flags: 16384\n"
                 "128 files, 16Mb each\n"
                 "2Gb total file size\n"
                 "Block size 16Kb\n"
                 "Number of random requests for random IO: 0\n",
                 "WARNING");
    check_header("--test=fileio --file-merged-requests=2 --file-test-mode=seqrd run",
                 "Block size 16Kb\nMerging requests  up to 32Kb for sequential IO.\nPeriodic", "Number of random");
}

static void end_of_0_4_without_events_has_no_percentile(void **state)
{
    struct fixture *fixture = fixture_make("--test=fileio --file-test-mode=rndrw run");
    struct listener *listener = listener_of(fixture);
    struct result *result = result_make(&fixture->invocation->job);
    (void)state;
    assert_non_null(result);
    listener->run_done(listener->context, result);
    assert_null(strstr(fixture_text(fixture), "percentile"));
    assert_non_null(strstr(fixture->text, "Read 0b  Written 0b  Total transferred 0b  (0b/sec)\n"));
    assert_non_null(strstr(fixture->text, "         min:                                  0.00ms\n"));
    result_free(result);
    fixture_free(fixture);
}

/* ---- prepare and cleanup -------------------------------------------------------------------------------------------
 */

static void prepare_of_1_0_names_each_file(void **state)
{
    struct fixture *fixture = fixture_make("fileio " SMALL "prepare");
    struct listener *listener = listener_of(fixture);
    (void)state;
    listener->prepare_started(listener->context, &fixture->invocation->job);
    listener->prepare_file(listener->context, "test_file.0", PREPARE_CREATE);
    listener->prepare_file(listener->context, "./test_file.1", PREPARE_KEEP);
    listener->prepare_file(listener->context, ".\\test_file.2", PREPARE_EXTEND);
    listener->prepare_done(listener->context, 8 << 20, 40 * MS);
    assert_string_equal(fixture_text(fixture), BANNER "4 files, 2048Kb each, 8Mb total\n"
                                                      "Creating files for the test...\n"
                                                      "Extra file open flags: (none)\n"
                                                      "Creating file test_file.0\n"
                                                      "Reusing existing file test_file.1\n"
                                                      "Extending existing file test_file.2\n"
                                                      "8388608 bytes written in 0.04 seconds (200.00 MiB/sec).\n");
    fixture_free(fixture);
}

static void prepare_that_wrote_nothing_says_so(void **state)
{
    struct fixture *fixture = fixture_make("fileio --file-num=3 --file-total-size=1000K --file-dir=some prepare");
    struct listener *listener = listener_of(fixture);
    (void)state;
    listener->prepare_started(listener->context, &fixture->invocation->job);
    listener->prepare_file(listener->context, "some/test_file.0", PREPARE_KEEP);
    listener->prepare_done(listener->context, 0, 0);
    assert_string_equal(fixture_text(fixture), BANNER "3 files, 333Kb each, 0Mb total\n"
                                                      "Creating files for the test...\n"
                                                      "Extra file open flags: (none)\n"
                                                      "Reusing existing file some/test_file.0\n"
                                                      "No bytes written.\n");
    fixture_free(fixture);
}

static void prepare_of_0_4_is_two_lines(void **state)
{
    struct fixture *fixture = fixture_make("--test=fileio " SMALL "prepare");
    struct listener *listener = listener_of(fixture);
    (void)state;
    listener->prepare_started(listener->context, &fixture->invocation->job);
    listener->prepare_file(listener->context, "test_file.0", PREPARE_CREATE);
    listener->prepare_done(listener->context, 8 << 20, 40 * MS);
    assert_string_equal(fixture_text(fixture), BANNER_04 "4 files, 2048Kb each, 8Mb total\n"
                                                         "Creating files for the test...\n");
    fixture_free(fixture);
}

static void cleanup_names_what_it_left(void **state)
{
    struct fixture *fixture = fixture_make("fileio " SMALL "cleanup");
    struct listener *listener = listener_of(fixture);
    (void)state;
    listener->cleanup_started(listener->context, &fixture->invocation->job);
    listener->cleanup_file(listener->context, "test_file.0", CLEANUP_REMOVED);
    listener->cleanup_file(listener->context, "test_file.1", CLEANUP_ABSENT);
    listener->cleanup_file(listener->context, "test_file.2", CLEANUP_LEFT);
    assert_string_equal(fixture_text(fixture),
                        BANNER "Removing test files...\n"
                               "WARNING: test_file.2 was not made by isobench and is left in place\n");
    fixture_free(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_of_1_0_has_its_layout),
        cmocka_unit_test(header_of_1_0_names_every_option),
        cmocka_unit_test(header_words_follow_mode_and_syncs),
        cmocka_unit_test(verbosity_decides_what_is_printed),
        cmocka_unit_test(verbosity_4_says_why_the_run_ended),
        cmocka_unit_test(percentiles_have_a_line_each),
        cmocka_unit_test(interval_line_is_that_of_1_0),
        cmocka_unit_test(fractional_interval_shows_its_moment),
        cmocka_unit_test(checkpoint_is_a_full_report),
        cmocka_unit_test(report_after_a_checkpoint_covers_the_rest),
        cmocka_unit_test(run_without_events_prints_zeros),
        cmocka_unit_test(histogram_rows_rise_and_hold_every_event),
        cmocka_unit_test(forced_end_is_told),
        cmocka_unit_test(debug_prints_requests_and_threads),
        cmocka_unit_test(report_of_1_1_has_iops_and_no_totals),
        cmocka_unit_test(run_of_0_4_has_its_layout),
        cmocka_unit_test(header_of_0_4_follows_its_options),
        cmocka_unit_test(end_of_0_4_without_events_has_no_percentile),
        cmocka_unit_test(prepare_of_1_0_names_each_file),
        cmocka_unit_test(prepare_that_wrote_nothing_says_so),
        cmocka_unit_test(prepare_of_0_4_is_two_lines),
        cmocka_unit_test(cleanup_names_what_it_left),
    };
    return cmocka_run_group_tests_name("sysbench_print", tests, NULL, NULL);
}
