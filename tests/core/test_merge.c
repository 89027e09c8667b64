#include "core/merge.h"

#include "core/result_json.h"
#include "core/settings.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND NS_PER_S
#define STARTED (UINT64_C(1800000000) * SECOND)

static void set(struct job *job, const char *name, const char *text)
{
    struct error error = ERROR_INIT;
    if (!job_set(job, setting_find(name), name, text, &error))
        fail_msg("%s", error.text);
}

/* `step` makes its figures different from another's. It ran 3 s with an interval each. */
static struct result *make_part(uint64_t threads, uint64_t step)
{
    struct job job;
    char text[32];
    job_init(&job);
    set(&job, "mode", "rndrw");
    snprintf(text, sizeof text, "%u", (unsigned)threads);
    set(&job, "threads", text);
    struct result *part = result_make(&job);
    assert_non_null(part);
    part->measured = true;
    part->wall_start_ns = STARTED;
    part->load_ns = 3 * SECOND + step;
    part->elapsed_ns = 3 * SECOND + 2 * step;
    part->end_sync_ns = step;
    part->end_sync_count = 5 * step;
    part->cpu_user_ns = 6 * step;
    part->cpu_system_ns = 7 * step;
    part->cpu_wait_ns = 12 * step;
    part->warmup_ns = 8 * step;
    part->start_delay_max_ns = 9 * step;
    part->clock.resolution_ns = step;
    part->clock.cost_ns = (double)step;
    part->total.events = 10 * step;
    part->total.clock_steps_back = 11 * step;
    for (uint32_t op = 0; op < CLASS_COUNT; op++) {
        part->total.of[op].bytes = 100 * step + op;
        part->total.of[op].errors = 200 * step + op;
        for (uint64_t i = 0; i <= op; i++)
            histogram_record(&part->total.of[op].latency, 1000 * step + i);
    }
    for (uint64_t i = 0; i < threads; i++)
        part->threads[i] = (struct thread_row){.events = 100 * step + i,
                                               .busy_ns = 200 * step + i,
                                               .read = {10 * step + i, 20 * step + i, 30 * step + i, 0.5},
                                               .write = {40 * step + i, 50 * step + i, 60 * step + i, 0.25}};
    part->series = calloc(3, sizeof *part->series);
    assert_non_null(part->series);
    part->series_count = 3;
    for (uint64_t i = 0; i < 3; i++) {
        struct interval *row = &part->series[i];
        row->start_ns = i * SECOND;
        row->end_ns = (i + 1) * SECOND;
        row->latency_events = step + i;
        row->latency_sum_ns = 1000 * step;
        row->latency_percentile_ns = 20 * step;
        row->latency_max_ns = 30 * step;
        row->latency_cells[7] = step;
        row->latency_cells[9] = i;
        for (uint32_t op = 0; op < CLASS_COUNT; op++) {
            row->count[op] = 10 * step + i + op;
            row->bytes[op] = 20 * step + i + op;
            row->errors[op] = 30 * step + i + op;
        }
    }
    return part;
}

struct pair {
    struct result *a, *b;
    struct merge_part parts[2];
};

static struct pair make_pair(void)
{
    struct pair pair = {.a = make_part(2, 1), .b = make_part(3, 10)};
    pair.parts[0] = (struct merge_part){"a.json", pair.a};
    pair.parts[1] = (struct merge_part){"b.json", pair.b};
    return pair;
}

static void free_pair(struct pair *pair)
{
    result_free(pair->a);
    result_free(pair->b);
}

static struct result *merge_pair(struct pair *pair, bool force)
{
    struct error error = ERROR_INIT;
    struct result *merged;
    if (!results_merge(pair->parts, 2, force, &merged, &error))
        fail_msg("%s", error.text);
    free_pair(pair);
    return merged;
}

static const struct warning *warning_of(const struct result *result, const char *code)
{
    for (size_t i = 0; i < result->warnings_count; i++)
        if (strcmp(result->warnings[i].code, code) == 0)
            return &result->warnings[i];
    return NULL;
}

static void refuses(struct pair *pair, bool force, const char *why)
{
    struct error error = ERROR_INIT;
    struct result *merged;
    assert_false(results_merge(pair->parts, 2, force, &merged, &error));
    assert_null(merged);
    if (!strstr(error.text, why))
        fail_msg("\"%s\", not \"%s\"", error.text, why);
    free_pair(pair);
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static void counts_are_exact_sums_and_times_the_longest(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    struct result *merged = merge_pair(&pair, false);
    assert_int_equal(merged->job.threads, 5);
    assert_int_equal(merged->load_ns, 3 * SECOND + 10);
    assert_int_equal(merged->elapsed_ns, 3 * SECOND + 20);
    assert_int_equal(merged->end_sync_ns, 10);
    assert_int_equal(merged->end_sync_count, 55);
    assert_int_equal(merged->cpu_user_ns, 66);
    assert_int_equal(merged->cpu_system_ns, 77);
    assert_int_equal(merged->cpu_wait_ns, 132);
    assert_int_equal(merged->warmup_ns, 80);
    assert_int_equal(merged->start_delay_max_ns, 90);
    assert_int_equal(merged->total.events, 110);
    assert_int_equal(merged->total.clock_steps_back, 121);
    assert_int_equal(merged->clock.resolution_ns, 10);
    assert_true(merged->clock.cost_ns == 10);
    assert_true(merged->measured && !merged->partial && !merged->forced && !merged->steady_state_missed);
    result_free(merged);
}

static void histograms_keep_every_sample_and_the_exact_bounds(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    struct result *merged = merge_pair(&pair, false);
    for (uint32_t op = 0; op < CLASS_COUNT; op++) {
        const struct class_tally *tally = &merged->total.of[op];
        uint64_t each = op + 1, sum = 0;
        for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
            sum += tally->latency.counts[i];
        assert_int_equal(sum, 2 * each);
        assert_int_equal(tally->latency.count, 2 * each);
        assert_int_equal(tally->latency.min_ns, 1000);
        assert_int_equal(tally->latency.max_ns, 10000 + op);
        assert_int_equal(tally->latency.sum_ns, 11000 * each + op * each);
        assert_int_equal(tally->bytes, 1100 + 2 * op);
        assert_int_equal(tally->errors, 2200 + 2 * op);
    }
    result_free(merged);
}

static void thread_rows_stand_one_after_the_other(void **state)
{
    static const uint64_t events[] = {100, 101, 1000, 1001, 1002};
    (void)state;
    struct pair pair = make_pair();
    struct result *merged = merge_pair(&pair, false);
    for (size_t i = 0; i < COUNT_OF(events); i++) {
        assert_int_equal(merged->threads[i].events, events[i]);
        assert_int_equal(merged->threads[i].busy_ns, i < 2 ? 200 + i : 2000 + i - 2);
    }
    result_free(merged);
}

/* What is merged can be written, read, and merged again. */
static void a_merged_result_is_a_result(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct pair pair = make_pair();
    struct result *merged = merge_pair(&pair, false), *back, *again;
    char *text = result_to_json(merged);
    assert_non_null(text);
    if (!result_from_json(text, "merged.json", &back, &error))
        fail_msg("%s", error.text);
    assert_int_equal(back->job.threads, 5);
    assert_int_equal(back->total.of[CLASS_READ].latency.count, merged->total.of[CLASS_READ].latency.count);
    struct result *third = make_part(1, 100);
    struct merge_part parts[] = {{"merged.json", back}, {"c.json", third}};
    if (!results_merge(parts, 2, false, &again, &error))
        fail_msg("%s", error.text);
    assert_int_equal(again->job.threads, 6);
    assert_int_equal(again->total.events, 1110);
    free(text);
    result_free(merged);
    result_free(back);
    result_free(third);
    result_free(again);
}

static void how_a_part_ended_shows(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    pair.b->partial = pair.b->forced = pair.b->steady_state_missed = true;
    pair.b->unfinished = 4;
    struct result *merged = merge_pair(&pair, false);
    assert_true(merged->partial && merged->forced && merged->steady_state_missed);
    assert_int_equal(merged->unfinished, 4);
    result_free(merged);
}

static void a_sum_that_a_result_cannot_hold_is_refused(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    pair.a->total.of[CLASS_WRITE].bytes = pair.b->total.of[CLASS_WRITE].bytes = INT64_MAX;
    refuses(&pair, true, "the sum of the results' figures is more than a result can hold");
    pair = make_pair();
    pair.a->job.threads = 2;
    pair.b->job.threads = 99999;
    refuses(&pair, true, "the sum of the results' threads");
}

/* ---- machines --------------------------------------------------------------------------------------------------- */

static void what_all_hosts_have_alike_stays(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    strcpy(pair.a->host.os, "Debian 12");
    strcpy(pair.b->host.os, "Debian 12");
    strcpy(pair.a->host.cpu_model, "one");
    strcpy(pair.b->host.cpu_model, "other");
    pair.a->host.cpu_count = pair.b->host.cpu_count = 8;
    pair.a->host.memory_bytes = 1;
    pair.b->host.memory_bytes = 2;
    pair.a->target.rotational = TRI_NO;
    pair.b->target.rotational = TRI_YES;
    struct result *merged = merge_pair(&pair, false);
    assert_string_equal(merged->host.os, "Debian 12");
    assert_string_equal(merged->host.cpu_model, "several");
    assert_int_equal(merged->host.cpu_count, 8);
    assert_int_equal(merged->host.memory_bytes, 0);
    assert_int_equal(merged->target.rotational, TRI_UNKNOWN);
    result_free(merged);
}

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

static void jobs_that_differ_are_refused_with_each_difference(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    set(&pair.b->job, "block_size", "4K");
    set(&pair.b->job, "cache", "off");
    refuses(&pair, false,
            "the results are of different jobs: block_size is 16K in a.json and 4K in b.json; cache is on in a.json "
            "and off in b.json; --force merges them anyway");
}

static void force_makes_a_warning_of_it(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    set(&pair.b->job, "block_size", "4K");
    struct result *merged = merge_pair(&pair, true);
    const struct warning *warning = warning_of(merged, "merge-jobs");
    assert_non_null(warning);
    assert_non_null(strstr(warning->text, "block_size is 16K in a.json and 4K in b.json"));
    assert_int_equal(merged->job.block_size_bytes, 16384);
    result_free(merged);
}

static void where_a_host_put_its_load_does_not_matter(void **state)
{
    static const char *const rows[][2] = {{"dir", "/mnt/other"}, {"seed", "7"},         {"cpus", "0-1"},
                                          {"histogram", "on"},   {"percentiles", "50"}, {"file_name", "x"},
                                          {"target", "/dev/x"},  {"checkpoints", "1"}};
    (void)state;
    struct pair pair = make_pair();
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        set(&pair.b->job, rows[i][0], rows[i][1]);
    struct result *merged = merge_pair(&pair, false);
    assert_null(warning_of(merged, "merge-jobs"));
    result_free(merged);
}

static void rates_and_limits_over_all_threads_add_up(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    set(&pair.a->job, "rate", "100.5");
    set(&pair.b->job, "rate", "100.5");
    set(&pair.a->job, "events", "1000");
    set(&pair.b->job, "events", "1000");
    struct result *merged = merge_pair(&pair, false);
    assert_true(merged->job.rate == 201);
    assert_int_equal(merged->job.events, 2000);
    result_free(merged);
}

static void a_result_without_figures_is_refused(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    pair.b->measured = false;
    refuses(&pair, true, "b.json: has no figures");
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

static void loads_that_did_not_run_together_are_warned_of(void **state)
{
    static const struct {
        uint64_t later_ns;
        const char *evidence; /* NULL = no warning */
    } rows[] = {
        {0, NULL}, {SECOND / 5, NULL}, {2 * SECOND, "for 1.00 s of 3.00 s"}, {100 * SECOND, "for 0 ns of 3.00 s"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct pair pair = make_pair();
        pair.a->wall_start_ns += rows[i].later_ns;
        struct result *merged = merge_pair(&pair, false);
        const struct warning *warning = warning_of(merged, "merge-times");
        assert_int_equal(warning != NULL, rows[i].evidence != NULL);
        if (warning && rows[i].evidence && !strstr(warning->text, rows[i].evidence))
            fail_msg("row %u: %s", (unsigned)i, warning->text);
        assert_int_equal(merged->wall_start_ns, STARTED);
        result_free(merged);
    }
}

static void check_interval(const struct interval *row, uint64_t i, uint64_t steps, uint64_t parts)
{
    assert_int_equal(row->latency_events, steps + parts * i);
    assert_int_equal(row->latency_sum_ns, 1000 * steps);
    assert_int_equal(row->latency_cells[7], steps);
    assert_int_equal(row->latency_cells[9], parts * i);
    for (uint32_t op = 0; op < CLASS_COUNT; op++) {
        assert_int_equal(row->count[op], 10 * steps + parts * (i + op));
        assert_int_equal(row->bytes[op], 20 * steps + parts * (i + op));
        assert_int_equal(row->errors[op], 30 * steps + parts * (i + op));
    }
}

static void intervals_that_line_up_are_added(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    pair.b->wall_start_ns += SECOND / 10;
    struct result *merged = merge_pair(&pair, false);
    assert_null(warning_of(merged, "merge-series"));
    assert_int_equal(merged->series_count, 3);
    for (uint64_t i = 0; i < 3; i++) {
        const struct interval *row = &merged->series[i];
        check_interval(row, i, 11, 2);
        assert_int_equal(row->start_ns, i * SECOND);
        assert_int_equal(row->end_ns, (i + 1) * SECOND + SECOND / 10);
        assert_int_equal(row->latency_percentile_ns, 200);
        assert_int_equal(row->latency_max_ns, 300);
    }
    result_free(merged);
}

static void cells_are_dropped_where_one_part_has_none(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    memset(pair.a->series[1].latency_cells, 0, sizeof pair.a->series[1].latency_cells);
    struct result *merged = merge_pair(&pair, false);
    assert_int_equal(merged->series[0].latency_cells[7], 11);
    assert_int_equal(merged->series[1].latency_cells[7], 0);
    assert_int_equal(merged->series[1].latency_events, 11 + 2);
    result_free(merged);
}

static void a_host_that_began_whole_intervals_later_is_put_there(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    pair.a->wall_start_ns += 2 * SECOND; /* steps of a are 1 */
    struct result *merged = merge_pair(&pair, false);
    assert_int_equal(merged->series_count, 5);
    check_interval(&merged->series[1], 1, 10, 1);
    assert_int_equal(merged->series[2].latency_events, 10 + 2 + 1 + 0);
    check_interval(&merged->series[4], 2, 1, 1);
    assert_int_equal(merged->series[4].start_ns, 4 * SECOND);
    result_free(merged);
}

static void make_irregular(struct pair *pair, int how)
{
    switch (how) {
    case 0: /* in the middle of an interval */
        pair->b->wall_start_ns += SECOND / 2;
        break;
    case 1: /* not at the same time at all */
        pair->b->wall_start_ns += 100 * SECOND;
        break;
    case 2: /* intervals of its own */
        pair->b->series[1].start_ns += SECOND / 2;
        break;
    case 3:
        pair->b->series[2].end_ns += SECOND;
        break;
    default: /* no series */
        pair->b->series_count = 0;
        break;
    }
}

static void intervals_that_do_not_line_up_are_left_out_with_a_warning(void **state)
{
    (void)state;
    for (int how = 0; how <= 4; how++) {
        struct pair pair = make_pair();
        make_irregular(&pair, how);
        struct result *merged = merge_pair(&pair, false);
        assert_int_equal(merged->series_count, 0);
        assert_non_null(warning_of(merged, "merge-series"));
        result_free(merged);
    }
}

static void without_any_series_there_is_nothing_to_warn_of(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    pair.a->series_count = pair.b->series_count = 0;
    struct result *merged = merge_pair(&pair, false);
    assert_null(warning_of(merged, "merge-series"));
    result_free(merged);
}

/* ---- checkpoints, warnings, faults ------------------------------------------------------------------------------ */

static void parts_after_a_checkpoint_are_merged_if_all_have_one(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    pair.a->since_checkpoint = make_part(2, 3);
    struct error error = ERROR_INIT;
    struct result *merged;
    assert_true(results_merge(pair.parts, 2, false, &merged, &error));
    assert_null(merged->since_checkpoint);
    assert_non_null(warning_of(merged, "merge-checkpoint"));
    result_free(merged);
    pair.b->since_checkpoint = make_part(3, 4);
    merged = merge_pair(&pair, false);
    assert_null(warning_of(merged, "merge-checkpoint"));
    assert_int_equal(merged->since_checkpoint->total.events, 70);
    assert_int_equal(merged->since_checkpoint->threads[2].events, 400);
    assert_int_equal(merged->since_checkpoint->load_ns, 3 * SECOND + 4);
    result_free(merged);
}

static void each_warning_comes_with_its_file(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    result_warn(pair.a, "os-cache", "of a");
    result_warn(pair.b, "os-cache", "of b");
    struct result *merged = merge_pair(&pair, false);
    assert_int_equal(merged->warnings_count, 3);
    assert_string_equal(merged->warnings[0].code, "merged");
    assert_string_equal(merged->warnings[0].text,
                        "sums of 2 results: a.json (2 threads, 3.00 s), b.json (3 threads, 3.00 s)");
    assert_string_equal(merged->warnings[1].text, "a.json: of a");
    assert_string_equal(merged->warnings[2].code, "os-cache");
    assert_string_equal(merged->warnings[2].text, "b.json: of b");
    result_free(merged);
}

static void more_than_32_warnings_are_dropped(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    for (int i = 0; i < 20; i++) {
        char code[16];
        snprintf(code, sizeof code, "code-%d", i);
        result_warn(pair.a, code, "a");
        result_warn(pair.b, code, "b");
    }
    struct result *merged = merge_pair(&pair, false);
    assert_int_equal(merged->warnings_count, WARNINGS_MAX);
    result_free(merged);
}

static void add_fault(struct result *result, const char *operation, int os_code, uint64_t count)
{
    struct fault *fault = &result->faults[result->faults_count++];
    snprintf(fault->operation, sizeof fault->operation, "%s", operation);
    snprintf(fault->text, sizeof fault->text, "error");
    snprintf(fault->first, sizeof fault->first, "test_file.0 at 4096");
    fault->os_code = os_code;
    fault->count = count;
}

static void add_verification(struct result *result, uint64_t step)
{
    result->verify = (struct verification){.checked = 100 * step, .wrong = 10 * step, .findings_count = 10};
    for (size_t i = 0; i < 10; i++)
        result->verify.findings[i] = (struct verify_finding){.verdict = "torn", .file = "test_file.0", .offset = i};
}

static void verifications_add_up_and_findings_name_their_host(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    add_verification(pair.a, 1);
    add_verification(pair.b, 2);
    struct result *merged = merge_pair(&pair, false);
    assert_int_equal(merged->verify.checked, 300);
    assert_int_equal(merged->verify.wrong, 30);
    assert_int_equal(merged->verify.findings_count, VERIFY_FINDINGS_MAX);
    assert_string_equal(merged->verify.findings[9].file, "a.json: test_file.0");
    assert_string_equal(merged->verify.findings[10].file, "b.json: test_file.0");
    assert_int_equal(merged->verify.findings[11].offset, 1);
    result_free(merged);
}

static void faults_of_one_kind_add_up(void **state)
{
    (void)state;
    struct pair pair = make_pair();
    add_fault(pair.a, "read", 5, 3);
    add_fault(pair.b, "read", 5, 4);
    add_fault(pair.b, "write", 5, 1);
    add_fault(pair.b, "read", 6, 1);
    struct result *merged = merge_pair(&pair, false);
    assert_int_equal(merged->faults_count, 3);
    assert_int_equal(merged->faults[0].count, 7);
    assert_string_equal(merged->faults[0].first, "a.json: test_file.0 at 4096");
    assert_string_equal(merged->faults[1].operation, "write");
    assert_int_equal(merged->faults[2].os_code, 6);
    result_free(merged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_exact_sums_and_times_the_longest),
        cmocka_unit_test(histograms_keep_every_sample_and_the_exact_bounds),
        cmocka_unit_test(thread_rows_stand_one_after_the_other),
        cmocka_unit_test(a_merged_result_is_a_result),
        cmocka_unit_test(how_a_part_ended_shows),
        cmocka_unit_test(a_sum_that_a_result_cannot_hold_is_refused),
        cmocka_unit_test(what_all_hosts_have_alike_stays),
        cmocka_unit_test(jobs_that_differ_are_refused_with_each_difference),
        cmocka_unit_test(force_makes_a_warning_of_it),
        cmocka_unit_test(where_a_host_put_its_load_does_not_matter),
        cmocka_unit_test(rates_and_limits_over_all_threads_add_up),
        cmocka_unit_test(a_result_without_figures_is_refused),
        cmocka_unit_test(loads_that_did_not_run_together_are_warned_of),
        cmocka_unit_test(intervals_that_line_up_are_added),
        cmocka_unit_test(cells_are_dropped_where_one_part_has_none),
        cmocka_unit_test(a_host_that_began_whole_intervals_later_is_put_there),
        cmocka_unit_test(intervals_that_do_not_line_up_are_left_out_with_a_warning),
        cmocka_unit_test(without_any_series_there_is_nothing_to_warn_of),
        cmocka_unit_test(parts_after_a_checkpoint_are_merged_if_all_have_one),
        cmocka_unit_test(each_warning_comes_with_its_file),
        cmocka_unit_test(more_than_32_warnings_are_dropped),
        cmocka_unit_test(faults_of_one_kind_add_up),
        cmocka_unit_test(verifications_add_up_and_findings_name_their_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
