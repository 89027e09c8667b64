/* Runs as OpenMetrics' text; tests/cli/openmetrics.py holds it against a parser of others. */
#include "core/openmetrics.h"

#include "core/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct metrics_of_job *make_job(const char *name)
{
    struct metrics_of_job *of = calloc(1, sizeof *of);
    assert_non_null(of);
    of->number = 1;
    of->name = name;
    job_init(&of->job);
    for (int op = 0; op < CLASS_COUNT; ++op)
        of->per_s[op] = NAN;
    return of;
}

static bool has_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
        if ((at == text || at[-1] == '\n') && at[length] == '\n')
            return true;
    return false;
}

#define HAS(text, line)                                                                                                \
    do {                                                                                                               \
        if (!has_line(text, line))                                                                                     \
            fail_msg("no line %s", line);                                                                              \
    } while (0)

static void names_stand_in_quotes_whatever_they_hold(void **state)
{
    struct metrics_of_job *of = make_job("a \"b\" \\ c\nd");
    char *text = openmetrics_text(of, 1, NULL, NULL);
    (void)state;
    assert_non_null(strstr(text, "name=\"a \\\"b\\\" \\\\ c\\nd\",work=\"files\""));
    assert_string_equal(text + strlen(text) - 6, "# EOF\n");
    free(text);
    free(of);
}

static void a_plans_runs_carry_their_name_and_repetition(void **state)
{
    struct metrics_of_job *of = make_job("read.threads=4");
    struct metrics_of_plan plan = {.name = "C:\\quick.ini", .open = 3, .done = 2, .failed = 1, .left_s = 12.5};
    of->number = 2;
    of->repetition = 3;
    char *text = openmetrics_text(of, 1, &plan, NULL);
    (void)state;
    HAS(text, "isobench_plan_info{plan=\"C:\\\\quick.ini\"} 1");
    HAS(text, "isobench_plan_runs{state=\"open\"} 3");
    HAS(text, "isobench_plan_runs{state=\"failed\"} 1");
    HAS(text, "isobench_plan_left_seconds 12.5");
    HAS(text, "isobench_threads{job=\"2\",name=\"read.threads=4\",repetition=\"3\"} 1");
    assert_non_null(strstr(text, "isobench_job_info{job=\"2\",name=\"read.threads=4\",repetition=\"3\",work="));
    free(text);
    text = openmetrics_text(of, 0, &plan, NULL);
    assert_null(strstr(text, "job=\""));
    free(text);
    free(of);
}

static void what_is_not_known_is_not_there(void **state)
{
    struct metrics_of_job *of = make_job("");
    char *text = openmetrics_text(of, 1, NULL, NULL);
    (void)state;
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "isobench_operations_per_second{"));
    assert_null(strstr(text, "isobench_latency_quantile_seconds{"));
    assert_null(strstr(text, "isobench_host"));
    assert_null(strstr(text, "queue_wait"));
    assert_null(strstr(text, "transaction"));
    HAS(text, "isobench_phase{job=\"1\",isobench_phase=\"starting\"} 1");
    HAS(text, "isobench_operations_total{job=\"1\",class=\"read\"} 0");
    HAS(text, "isobench_latency_seconds_bucket{job=\"1\",class=\"read\",le=\"+Inf\"} 0");
    free(text);
    struct host_sample sample = {.user_share = NAN, .dirty_bytes = NAN, .runnable_threads = 3};
    text = openmetrics_text(of, 1, NULL, &sample);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "dirty"));
    HAS(text, "isobench_host_runnable_threads 3");
    free(text);
    free(of);
}

static void buckets_count_all_that_is_not_above_their_bound(void **state)
{
    struct metrics_of_job *of = make_job("");
    struct histogram *latency = &of->total.of[CLASS_WRITE].latency;
    (void)state;
    histogram_record(latency, 999);     /* below 1 µs */
    histogram_record(latency, 100);     /* the same */
    histogram_record(latency, 3000000); /* 3 ms */
    histogram_record(latency, 200000000000);
    char *text = openmetrics_text(of, 1, NULL, NULL);
    HAS(text, "isobench_latency_seconds_bucket{job=\"1\",class=\"write\",le=\"1e-06\"} 2");
    HAS(text, "isobench_latency_seconds_bucket{job=\"1\",class=\"write\",le=\"0.002\"} 2");
    HAS(text, "isobench_latency_seconds_bucket{job=\"1\",class=\"write\",le=\"0.005\"} 3");
    HAS(text, "isobench_latency_seconds_bucket{job=\"1\",class=\"write\",le=\"100.0\"} 3");
    HAS(text, "isobench_latency_seconds_bucket{job=\"1\",class=\"write\",le=\"+Inf\"} 4");
    HAS(text, "isobench_latency_seconds_count{job=\"1\",class=\"write\"} 4");
    HAS(text, "isobench_latency_seconds_sum{job=\"1\",class=\"write\"} 200.003001099");
    free(text);
    free(of);
}

static void a_family_stands_together_over_all_jobs(void **state)
{
    struct metrics_of_job *first = make_job("x"), *jobs = calloc(2, sizeof *jobs);
    (void)state;
    jobs[0] = jobs[1] = *first;
    jobs[1].number = 2;
    char *text = openmetrics_text(jobs, 2, NULL, NULL);
    const char *type = strstr(text, "# TYPE isobench_operations counter\n");
    assert_non_null(type);
    assert_null(strstr(type + 1, "# TYPE isobench_operations counter\n"));
    const char *second = strstr(type, "isobench_operations_total{job=\"2\""), *next = strstr(type + 1, "# TYPE");
    assert_true(second && next && second < next);
    free(text);
    free(jobs);
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_in_quotes_whatever_they_hold),
        cmocka_unit_test(a_plans_runs_carry_their_name_and_repetition),
        cmocka_unit_test(what_is_not_known_is_not_there),
        cmocka_unit_test(buckets_count_all_that_is_not_above_their_bound),
        cmocka_unit_test(a_family_stands_together_over_all_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
