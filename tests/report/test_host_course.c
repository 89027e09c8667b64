/* Samples of the host, as a result tells them. */
#include "report/host_course.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE(end, rest) "{\"end_ns\": " #end ", \"elapsed_ns\": 1000000000, " rest "}"
#define CPU                                                                                                            \
    "\"cpu\": {\"user_share\": 0.2, \"system_share\": 0.1, \"iowait_share\": 0.05, \"idle_share\": 0.6, "              \
    "\"other_share\": 0.05}"
#define DEVICE(name, bytes, busy)                                                                                      \
    "{\"name\": \"" name "\", \"read_bytes_per_s\": " #bytes ", \"write_bytes_per_s\": 0, \"queue_depth\": 2.5, "      \
    "\"utilization_share\": " #busy "}"
#define RUN(samples) "{\"host_series\": {\"interval_ns\": 1000000000, \"cpus\": 2, \"samples\": [" samples "]}}"

static void read_one(const char *text, struct host_course *out)
{
    struct error error = ERROR_INIT;
    memset(out, 0, sizeof *out);
    assert_true(host_course_read(text, out, 1, &error));
}

static bool is_untold(double value)
{
    return !(fabs(value) <= DBL_MAX);
}

static void shares_and_the_device_that_moved_most_are_read(void **state)
{
    struct host_course series;
    (void)state;
    read_one(RUN(SAMPLE(1000000000, CPU ", \"devices\": [" DEVICE("sda", 10, 0.1) ", " DEVICE(
                                        "sdb", 30, 0.9) "]") "," SAMPLE(2000000000, CPU
                                                                        ", \"devices\": [" DEVICE("sdb", 30, 0.8) "]")),
             &series);
    assert_int_equal(series.count, 2);
    assert_string_equal(series.device, "sdb");
    assert_true(fabs(series.samples[0].cpu_busy - 0.35) < 1e-9 && series.samples[1].end_s == 2);
    assert_true(series.samples[0].device_busy == 0.9 && series.samples[1].device_queue == 2.5);
    host_course_free(&series);
}

static void what_is_null_or_absent_is_not_told(void **state)
{
    struct host_course series;
    (void)state;
    read_one(RUN(SAMPLE(1000000000, "\"runnable_threads\": null")), &series);
    assert_int_equal(series.count, 1);
    assert_true(is_untold(series.samples[0].runnable) && is_untold(series.samples[0].cpu_busy));
    assert_true(is_untold(series.samples[0].device_busy) && series.device[0] == '\0');
    host_course_free(&series);
}

static void warmup_is_in_no_sample(void **state)
{
    struct host_course series;
    (void)state;
    read_one(RUN(SAMPLE(1000000000, "\"warmup\": true") "," SAMPLE(3000000000, CPU)), &series);
    assert_int_equal(series.count, 1);
    assert_true(series.samples[0].end_s == 3);
    host_course_free(&series);
}

static void each_run_of_a_document_has_its_own(void **state)
{
    struct host_course series[3] = {{{0}, NULL, 0}};
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(host_course_read("{\"runs\": [{}, " RUN(SAMPLE(1000000000, CPU)) "]}", series, 3, &error));
    assert_int_equal(series[0].count, 0);
    assert_int_equal(series[1].count, 1);
    assert_int_equal(series[2].count, 0);
    host_course_free(&series[1]);
}

static void what_is_of_another_form_has_no_samples(void **state)
{
    static const char *const texts[] = {"",
                                        "\"host_series\"",
                                        "{\"host_series\": 3}",
                                        "{\"host_series\": {\"samples\": {\"a\": 1}}}",
                                        "{\"host_series\": {\"samples\": [3, \"x\"]}}",
                                        "{\"host_series\": {\"samples\": [{\"devices\": 3}]}"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct host_course series;
        read_one(texts[i], &series);
        assert_int_equal(series.count, 0);
        host_course_free(&series);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_and_the_device_that_moved_most_are_read),
        cmocka_unit_test(what_is_null_or_absent_is_not_told),
        cmocka_unit_test(warmup_is_in_no_sample),
        cmocka_unit_test(each_run_of_a_document_has_its_own),
        cmocka_unit_test(what_is_of_another_form_has_no_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
