#include "core/settings.h"
#include "core/spread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* `count` reads of 1 MiB in one second, each of `latency_ns`. */
static struct result *make_run(uint64_t count, uint64_t latency_ns)
{
    struct job job;
    job_init(&job);
    struct result *run = result_make(&job);
    assert_non_null(run);
    run->load_ns = NS_PER_S;
    for (uint64_t i = 0; i < count; ++i)
        histogram_record(&run->total.of[CLASS_READ].latency, latency_ns);
    run->total.of[CLASS_READ].bytes = count << 20;
    return run;
}

static const struct spread *find(const struct spread *rows, size_t count, const char *figure)
{
    for (size_t i = 0; i < count; ++i) {
        if (rows[i].op == CLASS_READ && strcmp(rows[i].figure, figure) == 0)
            return &rows[i];
    }
    fail_msg("no row for %s", figure);
    return NULL;
}

static void median_range_and_deviation_are_of_the_runs(void **state)
{
    struct result *runs[] = {make_run(100, 200), make_run(130, 100), make_run(110, 150)};
    size_t count;
    struct spread *rows = spread_of_runs((const struct result *const *)runs, 3, &count);
    (void)state;
    assert_int_equal(count, 3 + 6); /* reads only: IOPS, MiB/s, mean and six percentiles */
    const struct spread *row = find(rows, count, "IOPS");
    assert_true(row->median == 110 && row->min == 100 && row->max == 130);
    assert_true(fabs(row->stddev - 15.275252) < 1e-6);
    assert_true(fabs(spread_percent(row) - 30.0 / 110 * 100) < 1e-9);
    row = find(rows, count, "p99");
    assert_true(row->is_time && row->median == 150 && row->min == 100 && row->max == 200);
    assert_true(find(rows, count, "MiB/s")->max == 130);
    free(rows);
    for (int i = 0; i < 3; ++i)
        result_free(runs[i]);
}

static void of_an_even_number_the_median_is_between_the_middle_two(void **state)
{
    struct result *runs[] = {make_run(100, 1), make_run(200, 1)};
    size_t count;
    struct spread *rows = spread_of_runs((const struct result *const *)runs, 2, &count);
    (void)state;
    assert_true(find(rows, count, "IOPS")->median == 150);
    free(rows);
    rows = spread_of_runs((const struct result *const *)runs, 1, &count);
    assert_true(find(rows, count, "IOPS")->median == 100 && find(rows, count, "IOPS")->stddev == 0);
    free(rows);
    result_free(runs[0]);
    result_free(runs[1]);
}

static void a_class_that_one_run_lacks_has_no_row(void **state)
{
    struct result *runs[] = {make_run(100, 1), make_run(0, 1)};
    size_t count;
    struct spread *rows = spread_of_runs((const struct result *const *)runs, 2, &count);
    (void)state;
    assert_int_equal(count, 0);
    free(rows);
    result_free(runs[0]);
    result_free(runs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_range_and_deviation_are_of_the_runs),
        cmocka_unit_test(of_an_even_number_the_median_is_between_the_middle_two),
        cmocka_unit_test(a_class_that_one_run_lacks_has_no_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
