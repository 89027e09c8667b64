#include "platform/clock.h"
#include "platform/path.h"
#include "tests/dialects/tool_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MIB (UINT64_C(1) << 20)

static struct result *make_result(const struct job *job, uint64_t operations, double seconds)
{
    struct result *result = result_make(job);
    struct class_tally *tally = &result->total.of[CLASS_READ];
    tally->latency.count = operations;
    tally->bytes = operations * job->block_size_bytes;
    result->load_ns = (uint64_t)(seconds * (double)NS_PER_S);
    return result;
}

static void run(struct tool *tool, const struct job *job, uint64_t intervals, struct result *result)
{
    const struct listener *listener = &tool->invocation->listener;
    struct interval interval = {0};
    listener->run_starting(listener->context, job);
    for (uint64_t i = 0; listener->run_interval && i < intervals; ++i)
        listener->run_interval(listener->context, job, &interval);
    listener->run_done(listener->context, result);
    result_free(result);
}

/* ---- seeker ---- */

static void seeker_reads_sectors_at_random_for_30_seconds(void **state)
{
    static const char *const expected[] = {"target=/dev/sda1",  "mode=rndrd", "block_size=512", "time=30",
                                           "threads=1",         "cache=on",   "total_size=0",   "distribution=uniform",
                                           "report_interval=1", "depth=1",    "percentiles=",   NULL};
    static const char *const threads[] = {"threads=4", "time=5", NULL};
    (void)state;
    tool_expect("seeker", "/dev/sda1", NULL, expected);
    tool_expect("seeker", "--time=5 /dev/sda1 4", NULL, threads);
}

static void seeker_names_what_is_wrong(void **state)
{
    static const char *const rows[][2] = {
        {"--time=5", "no device is named"},          {"/dev/sda 0", "0 is not valid: it must be a whole number from 1"},
        {"/dev/sda -1", "seeker has no option -1"},  {"/dev/sda x", "x is not valid"},
        {"/dev/sda 1 2", "2 is one word too many"},  {"--time=0 a", "--time=0 is not valid"},
        {"--time=1.5 a", "--time=1.5 is not valid"}, {"a,b", "'a,b' is not valid"},
        {"-x a", "seeker has no option -x"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        tool_refuse("seeker", rows[i][0], NULL, rows[i][1]);
}

static void the_published_seeker_output_comes_out_as_it_was(void **state)
{
    struct tool *tool = tool_make("seeker", "/dev/sda1", NULL);
    struct job *job = &tool->invocation->job;
    (void)state;
    job->total_size_bytes = 1025 * MIB;
    run(tool, job, 29, make_result(job, 8340, 30));
    assert_string_equal(tool_text(tool),
                        "Seeker v2.0, 2007-01-15, http://www.linuxinsight.com/how_fast_is_your_disk.html\n"
                        "Benchmarking /dev/sda1 [1025MB], wait 30 seconds..............................\n"
                        "Results: 278 seeks/second, 3.60 ms random access time\n");
    tool_free(tool);
}

static void seeker_with_threads_prints_as_version_3(void **state)
{
    struct tool *tool = tool_make("seeker", "--time=3 no-such-device 2", NULL);
    struct job *job = &tool->invocation->job;
    const struct listener *listener = &tool->invocation->listener;
    (void)state;
    job->total_size_bytes = UINT64_C(5000000000) / 512 * 512;
    for (uint32_t i = 0; i < 6; ++i) {
        struct request request = {.thread = i % 2, .op = CLASS_READ, .offset = (i + 2) * 512, .bytes = 512};
        listener->request(listener->context, &request);
    }
    run(tool, job, 5, make_result(job, 4000, 3));
    assert_string_equal(tool_text(tool),
                        "Seeker v3.0, 2009-06-17, http://www.linuxinsight.com/how_fast_is_your_disk.html\n"
                        "Benchmarking no-such-device [9765625 blocks, 5000000000 bytes, 5 GB, 5000 MB, 4 GiB, 4768 "
                        "MiB]\n[0 logical sector size, 0 physical sector size]\n[2 threads]\nWait 3 seconds...\n"
                        "Results: 1333 seeks/second, 0.750 ms random access time (1024 < offsets < 3584)\n");
    tool_free(tool);
}

static void a_seeker_that_was_stopped_adds_no_dots_and_none_without_a_seek(void **state)
{
    struct tool *tool = tool_make("seeker", "x", NULL);
    struct job *job = &tool->invocation->job;
    struct result *result = make_result(job, 0, 2);
    (void)state;
    result->partial = true;
    run(tool, job, 2, result);
    assert_non_null(strstr(tool_text(tool), "wait 30 seconds..\n"));
    assert_null(strstr(tool->text, "Results"));
    tool_free(tool);
}

/* ---- hdparm ---- */

static void hdparm_t_reads_from_the_start_and_T_the_same_again(void **state)
{
    static const char *const buffered[] = {
        "target=no-such-device", "mode=seqrd", "block_size=2M", "time=3",   "passes=1",
        "drop_cache=on",         "cache=on",   "total_size=0",  "warmup=0", NULL};
    static const char *const cached[] = {"mode=seqrd",     "block_size=2M", "time=2",   "passes=0",
                                         "drop_cache=off", "total_size=2M", "cache=on", NULL};
    static const char *const direct[] = {"cache=off", "drop_cache=off", "start=3G", NULL};
    (void)state;
    tool_expect("hdparm", "-t no-such-device", NULL, buffered);
    tool_expect("hdparm", "-T no-such-device", NULL, cached);
    tool_expect("hdparm", "-tT no-such-device", NULL, cached); /* -T comes first */
    tool_expect("hdparm", "--direct --offset 3 -t no-such-device", NULL, direct);
}

static void hdparm_names_what_is_wrong(void **state)
{
    static const char *const rows[][2] = {
        {"-t", "no device is named"},
        {"x", "nothing to do: give -t, -T or both"},
        {"-tX x", "hdparm -X is not supported"},
        {"-I x", "hdparm -I is not supported"},
        {"--security-erase x", "hdparm --security-erase is not supported"},
        {"-t --offset x", "--offset x is not valid"},
        {"-t --offset -1 x", "--offset -1 is not valid"},
        {"-t --offset", "--offset --offset is not valid"},
        {"-t a,b", "'a,b' is not valid"},
        {"- x", "- is no device"},
        {"-t hdparm-printed.txt", "hdparm-printed.txt has 0 bytes: hdparm reads 2 MiB"}};
    (void)state;
    size_t count = getenv("ISO_TEST_DIR") ? COUNT_OF(rows) - 1 : COUNT_OF(rows); /* the last is the fixture's file */
    for (size_t i = 0; i < count; ++i)
        tool_refuse("hdparm", rows[i][0], NULL, rows[i][1]);
}

static void hdparm_output_of_both_timings_is_that_of_9_65(void **state)
{
    struct tool *tool = tool_make("hdparm", "-tT no-such-a no-such-b", NULL);
    const struct job *further = tool->invocation->further;
    (void)state;
    assert_int_equal(tool->invocation->further_count, 3);
    run(tool, &tool->invocation->job, 0, make_result(&tool->invocation->job, 15299, 1.96));
    run(tool, &further[0], 0, make_result(&further[0], 512, 2.02));
    run(tool, &further[1], 0, make_result(&further[1], 15299, 1.96));
    run(tool, &further[2], 0, make_result(&further[2], 108, 3.01));
    assert_string_equal(tool_text(tool), "\nno-such-a:\n"
                                         " Timing cached reads:   30598 MB in  1.96 seconds = 15611.22 MB/sec\n"
                                         " Timing buffered disk reads: 1024 MB in  2.02 seconds = 506.93 MB/sec\n"
                                         "\nno-such-b:\n"
                                         " Timing cached reads:   30598 MB in  1.96 seconds = 15611.22 MB/sec\n"
                                         " Timing buffered disk reads: 216 MB in  3.01 seconds =  71.76 MB/sec\n");
    tool_free(tool);
}

static void hdparm_direct_and_slow_devices_have_their_words(void **state)
{
    struct tool *tool = tool_make("hdparm", "-t --direct no-such-device", NULL);
    (void)state;
    run(tool, &tool->invocation->job, 0, make_result(&tool->invocation->job, 32, 0.02));
    run(tool, &tool->invocation->job, 0, make_result(&tool->invocation->job, 1, 4));
    assert_string_equal(tool_text(tool), "\nno-such-device:\n"
                                         " Timing O_DIRECT disk reads:  64 MB in  0.02 seconds = 3200.00 MB/sec\n"
                                         " Timing O_DIRECT disk reads:   2 MB in  4.00 seconds = 512.00 kB/sec\n");
    tool_free(tool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeker_reads_sectors_at_random_for_30_seconds),
        cmocka_unit_test(seeker_names_what_is_wrong),
        cmocka_unit_test(the_published_seeker_output_comes_out_as_it_was),
        cmocka_unit_test(seeker_with_threads_prints_as_version_3),
        cmocka_unit_test(a_seeker_that_was_stopped_adds_no_dots_and_none_without_a_seek),
        cmocka_unit_test(hdparm_t_reads_from_the_start_and_T_the_same_again),
        cmocka_unit_test(hdparm_names_what_is_wrong),
        cmocka_unit_test(hdparm_output_of_both_timings_is_that_of_9_65),
        cmocka_unit_test(hdparm_direct_and_slow_devices_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
