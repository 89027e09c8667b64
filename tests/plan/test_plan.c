#include "plan/plan.h"

#include "core/settings.h"
#include "plan/estimate.h"
#include "plan/manifest.h"
#include "platform/compiler.h"
#include "platform/path.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *write_plan(const char *text, char path[PATH_BYTES])
{
    char directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    scratch_directory(directory, "scratch_plan");
    if (!path_join(path, directory, "plan.ini", &error) || !path_write_text(path, text, strlen(text), &error))
        fail_msg("%s", error.text);
    return path;
}

static struct plan read_plan(const char *text, char path[PATH_BYTES])
{
    struct plan plan;
    struct error error = ERROR_INIT;
    if (!plan_read(&plan, write_plan(text, path), NULL, &error))
        fail_msg("%s", error.text);
    return plan;
}

static const struct plan_job *job_named(const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->job_count; i++)
        if (strcmp(plan->jobs[i].name, name) == 0)
            return &plan->jobs[i];
    fail_msg("no job is called %s", name);
    return NULL;
}

/* ---- jobs ---- */

static void sections_are_jobs_and_global_is_for_all(void **state)
{
    char path[PATH_BYTES];
    struct plan plan = read_plan("; a comment\n[global]\nblock_size = 4K\ntables = 3\r\n\n[a]\nmode=rndrd\n"
                                 "[b]\nmode = seqwr\nblock_size = 64K\nrepeat = 3\n[oltp-c]\nthreads=2\n",
                                 path);
    (void)state;
    assert_int_equal(plan.job_count, 3);
    assert_int_equal(job_named(&plan, "a")->job.block_size_bytes, 4096);
    assert_int_equal(job_named(&plan, "a")->repeat, 1);
    assert_int_equal(job_named(&plan, "b")->job.block_size_bytes, 65536);
    assert_int_equal(job_named(&plan, "b")->job.mode, MODE_SEQWR);
    assert_int_equal(job_named(&plan, "b")->repeat, 3);
    assert_int_equal(job_named(&plan, "b")->job.repeat, 1);
    assert_int_equal(job_named(&plan, "b")->line, 8);
    assert_int_equal(job_named(&plan, "oltp-c")->job.work, WORK_DATABASE);
    assert_int_equal(job_named(&plan, "oltp-c")->job.tables, 3);
    assert_false(plan.interleave);
    plan_free(&plan);
}

static void lists_make_every_combination(void **state)
{
    char path[PATH_BYTES];
    struct plan plan = read_plan("[x]\nmode = rndrd, rndwr\nthreads = 1, 4,16\npercentiles = 50,99\n", path);
    (void)state;
    assert_int_equal(plan.job_count, 6);
    assert_int_equal(job_named(&plan, "x.mode=rndwr.threads=16")->job.threads, 16);
    assert_int_equal(job_named(&plan, "x.mode=rndwr.threads=16")->job.mode, MODE_RNDWR);
    assert_int_equal(job_named(&plan, "x.mode=rndrd.threads=1")->job.percentiles.count, 2);
    plan_free(&plan);
}

static void jobs_share_their_files_and_no_others(void **state)
{
    char path[PATH_BYTES];
    struct plan plan = read_plan("[global]\nmode=rndrd\n[a]\ntotal_size=1M\n[b]\ntotal_size=2M\n[c]\ntotal_size=1M\n"
                                 "threads=4\n[d]\ntotal_size=2M\nfiles=2\n[oltp-e]\n",
                                 path);
    (void)state;
    assert_int_equal(plan.layout_count, 4);
    assert_int_equal(job_named(&plan, "a")->layout, job_named(&plan, "c")->layout);
    assert_string_equal(job_named(&plan, "a")->job.file_name, job_named(&plan, "c")->job.file_name);
    for (size_t i = 0; i < plan.job_count; i++)
        for (size_t k = 0; k < i; k++)
            if (plan.jobs[i].layout != plan.jobs[k].layout && plan.jobs[i].job.work == plan.jobs[k].job.work)
                assert_string_not_equal(plan.jobs[i].job.file_name, plan.jobs[k].job.file_name);
    plan_free(&plan);
}

static void a_directory_given_apart_is_that_of_every_job(void **state)
{
    char path[PATH_BYTES];
    struct plan plan;
    struct error error = ERROR_INIT;
    (void)state;
    write_plan("[global]\nmode=rndrd\n[a]\n[b]\ndir=/elsewhere\n", path);
    assert_true(plan_read(&plan, path, "/volume", &error));
    assert_string_equal(job_named(&plan, "a")->job.dir, "/volume");
    assert_string_equal(job_named(&plan, "b")->job.dir, "/volume");
    plan_free(&plan);
}

static void a_plan_from_an_editor_on_windows_is_read(void **state)
{
    char path[PATH_BYTES];
    struct plan plan = read_plan("\xEF\xBB\xBF; a mark, and CR and LF\r\n[a]\r\nmode = rndrd\r\n", path);
    (void)state;
    assert_int_equal(plan.job_count, 1);
    assert_int_equal(job_named(&plan, "a")->job.mode, MODE_RNDRD);
    plan_free(&plan);
}

/* ---- refusals ---- */

static void errors_name_file_line_and_key(void **state)
{
    static const char *const rows[][2] = {
        {"[a]\nmode=rndrd\nthreads=0\n", "plan.ini:3: threads=0"},
        {"[a]\nmode=rndrd\n\nthreds=1\n", "plan.ini:4: threds: no setting has that name; did you mean threads?"},
        {"[a]\nmode=rndrd\nmode=rndwr\n", "plan.ini:3: mode: stands twice"},
        {"mode=rndrd\n", "plan.ini:1: mode: stands before the first section"},
        {"[global]\nmode=rndrd\n", "no job is in it"},
        {"", "no job is in it"},
        {"[a]\nmode=rndrd\nthreads=1,x\n", "plan.ini:3: threads=x"},
        {"[a]\nmode=rndrd\nthreads=1,,2\n", "plan.ini:3: threads: a list"},
        {"[a]\nmode=rndrd\nthreads=1,\n", "plan.ini:3: threads: a list"},
        {"[a]\nmode=rndrd\nwork=database\n", "plan.ini:3: work"},
        {"[a]\nmode=rndrd\ntables=2\n", "plan.ini:3: tables: is for databases"},
        {"[oltp-a]\nfiles=2\n", "plan.ini:2: files: is for files"},
        {"[a]\nmode=rndrd\n[a]\nmode=rndrd\n", "plan.ini:3: a: another job has that name"},
        {"[a]\nrubbish\n", "plan.ini:2: is neither"},
        {"[a\nmode=rndrd\n", "plan.ini:1"},
        {"[a]\n", "plan.ini:1: a"}, /* no mode */
        {"[global]\ninterleave=maybe\n[a]\nmode=rndrd\n", "plan.ini:2: interleave: must be yes or no"},
        {"[global]\norder_seed=x\n[a]\nmode=rndrd\n", "plan.ini:2: order_seed"},
        {"[a/b]\nmode=rndrd\n", "plan.ini:1: a/b"},
        {"[a:b]\nmode=rndrd\n", "plan.ini:1: a:b: a section's name is part of a file's name"},
        {"[..]\nmode=rndrd\n", "plan.ini:1: ..: a section's name"},
        {"[]\nmode=rndrd\n", "plan.ini:1: a section's name"},
        {"[con]\nmode=rndrd\n", "plan.ini:1: con: a section's name"},
        {"[COM1.x]\nmode=rndrd\n", "plan.ini:1: COM1.x: a section's name"},
        {"[Read]\nmode=rndrd\n[read]\nmode=rndwr\n", "plan.ini:3: read: another job's name differs in capitals alone"},
        {"[a]\ninterleave=yes\n", "plan.ini:2: interleave: is of the whole plan: set it in [global]"},
    };
    char path[PATH_BYTES];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct plan plan;
        struct error error = ERROR_INIT;
        if (plan_read(&plan, write_plan(rows[i][0], path), NULL, &error))
            fail_msg("taken: %s", rows[i][0]);
        if (!strstr(error.text, rows[i][1]))
            fail_msg("%s: \"%s\" does not say \"%s\"", rows[i][0], error.text, rows[i][1]);
        plan_free(&plan);
    }
}

static void what_powershell_writes_is_the_same_plan(void **state)
{
    static const char plain[] = "[a]\nmode=rndrd\n";
    char path[PATH_BYTES], wide[2 * sizeof plain] = "\xFF\xFE";
    struct plan plan = read_plan(plain, path), same;
    struct error error = ERROR_INIT;
    (void)state;
    for (size_t i = 0; i + 1 < sizeof plain; i++)
        wide[2 + 2 * i] = plain[i];
    assert_true(path_write_text(path, wide, sizeof wide, &error));
    assert_true(plan_read(&same, path, NULL, &error));
    assert_int_equal(same.job_count, 1);
    assert_string_equal(same.jobs[0].name, "a");
    assert_true(same.hash == plan.hash);
    plan_free(&plan);
    plan_free(&same);
}

static void names_that_only_look_like_a_device_are_taken(void **state)
{
    char path[PATH_BYTES];
    struct plan plan = read_plan("[global]\nmode=rndrd\n[console]\n[com]\n[lpt12]\n[read com1]\n[\xC3\xA4]\n", path);
    (void)state;
    assert_int_equal(plan.job_count, 5);
    plan_free(&plan);
}

static void a_line_that_is_too_long_is_refused_whole(void **state)
{
    char text[1600] = "[a]\nmode=rndrd\ndir=", path[PATH_BYTES];
    struct plan plan;
    struct error error = ERROR_INIT;
    (void)state;
    memset(text + strlen(text), 'x', 1400);
    assert_false(plan_read(&plan, write_plan(text, path), NULL, &error));
    assert_non_null(strstr(error.text, "plan.ini:3: the line is too long"));
    plan_free(&plan);
}

/* ---- runs ---- */

static struct plan_run *runs_of(const struct plan *plan, const char *only, size_t *count)
{
    struct error error = ERROR_INIT;
    struct plan_run *runs = plan_runs(plan, only, count, &error);
    if (!runs)
        fail_msg("%s", error.text);
    return runs;
}

static void every_repetition_is_a_run_in_any_order(void **state)
{
    static const char *const orders[] = {"no", "yes"};
    (void)state;
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        char text[256], path[PATH_BYTES];
        size_t count, seen[5][3] = {{0}};
        snprintf(text, sizeof text, "[global]\nmode=rndrd\ninterleave=%s\nrepeat=3\n[x]\nthreads=1,2,3,4,5\n",
                 orders[o]);
        struct plan plan = read_plan(text, path);
        struct plan_run *runs = runs_of(&plan, NULL, &count);
        assert_int_equal(count, 15);
        for (size_t i = 0; i < count; i++)
            seen[runs[i].job][runs[i].repetition - 1]++;
        for (size_t i = 0; i < 15; i++)
            assert_int_equal(seen[i / 3][i % 3], 1);
        for (size_t i = 1; i < count; i++) /* rounds one after the other, or repetitions of one job */
            assert_true(o ? runs[i].repetition >= runs[i - 1].repetition : runs[i].job >= runs[i - 1].job);
        free(runs);
        plan_free(&plan);
    }
}

static void each_round_has_an_order_of_its_own_and_a_seed_repeats_it(void **state)
{
    static const char text[] =
        "[global]\nmode=rndrd\ninterleave=yes\nrepeat=6\norder_seed=7\n[x]\nthreads=1,2,3,4,5,6\n";
    char path[PATH_BYTES];
    size_t count, again_count, unlike = 0;
    struct plan plan = read_plan(text, path), other = read_plan(text, path);
    struct plan_run *runs = runs_of(&plan, NULL, &count), *again = runs_of(&other, NULL, &again_count);
    (void)state;
    assert_int_equal(count, 36);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(runs[i].job, again[i].job);
        unlike += i >= 6 && runs[i].job != runs[i - 6].job;
    }
    assert_true(unlike > 10);
    free(runs);
    free(again);
    plan_free(&plan);
    plan_free(&other);
}

static void only_picks_by_name(void **state)
{
    char path[PATH_BYTES];
    size_t count;
    struct error error = ERROR_INIT;
    struct plan plan = read_plan("[read]\nmode=rndrd\nthreads=1,16\ntime=7\n[write]\nmode=rndwr\nwarmup=2\n", path);
    struct plan_run *runs = runs_of(&plan, "read.*", &count);
    (void)state;
    assert_int_equal(count, 2);
    free(runs);
    runs = runs_of(&plan, "wr?te", &count);
    assert_int_equal(count, 1);
    free(runs);
    assert_null(plan_runs(&plan, "none*", &count, &error));
    assert_non_null(strstr(error.text, "--only=none*"));
    plan_free(&plan);
}

/* ---- how long ---- */

struct timing {
    struct plan plan;
    struct plan_run *runs;
    struct manifest manifest;
    struct estimate estimate;
    enum run_state states[16];
    bool made[16], at_least;
};

static void timing_make(struct timing *timing, const char *text)
{
    char path[PATH_BYTES];
    memset(timing, 0, sizeof *timing);
    timing->plan = read_plan(text, path);
    timing->runs = runs_of(&timing->plan, NULL, &timing->manifest.run_count);
    timing->manifest.runs = timing->runs;
    timing->manifest.states = timing->states;
    assert_true(timing->manifest.run_count <= COUNT_OF(timing->states));
    assert_true(estimate_init(&timing->estimate, &timing->plan));
}

static void timing_free(struct timing *timing)
{
    estimate_done(&timing->estimate);
    free(timing->runs);
    plan_free(&timing->plan);
}

static double left(struct timing *timing, size_t first)
{
    return estimate_left(&timing->estimate, &timing->manifest, first, timing->made, &timing->at_least);
}

static void time_left_is_of_the_open_runs_and_learns_from_the_others(void **state)
{
    struct timing timing;
    (void)state;
    timing_make(&timing, "[global]\nmode=rndrd\nrepeat=2\ntotal_size=1G\n[a]\ntime=7\n[b]\ntime=10\nwarmup=2\n");
    assert_true(left(&timing, 0) > 38 && left(&timing, 0) < 45); /* and one gibibyte of files */
    assert_false(timing.at_least);
    timing.made[0] = true;
    assert_true(left(&timing, 0) > 38 && left(&timing, 0) < 39);
    timing.states[0] = RUN_DONE;
    estimate_note_run(&timing.estimate, timing.runs[0].job, 8);
    assert_true(left(&timing, 1) == 7 + 12 + 12 + 3); /* each one second beyond its load */
    timing.states[2] = RUN_DONE;
    assert_true(left(&timing, 1) == 7 + 12 + 2);
    timing.made[0] = false;
    estimate_note_layout(&timing.estimate, 0, 100);
    assert_true(left(&timing, 1) == 7 + 12 + 2 + 100);
    timing_free(&timing);
}

static void a_run_without_a_time_limit_counts_as_it_took_before(void **state)
{
    struct timing timing;
    (void)state;
    timing_make(&timing, "[a]\nmode=rndrd\ntime=0\nevents=100\nrepeat=3\n");
    timing.made[0] = true;
    assert_true(left(&timing, 0) == 0 && timing.at_least);
    timing.states[0] = RUN_DONE;
    estimate_note_run(&timing.estimate, 0, 4);
    assert_true(left(&timing, 1) == 8 && !timing.at_least);
    timing_free(&timing);
}

static void tables_take_time_too(void **state)
{
    struct timing timing;
    (void)state;
    timing_make(&timing, "[oltp-a]\ntables=10\ntable_size=1000000\ntime=10\n");
    assert_true(left(&timing, 0) > 60);
    estimate_note_layout(&timing.estimate, 0, 5);
    assert_true(left(&timing, 0) > 15 && left(&timing, 0) < 16);
    timing_free(&timing);
}

static void patterns_match_as_in_a_shell(void **state)
{
    static const struct {
        const char *name, *pattern;
        bool matches;
    } rows[] = {{"abc", "abc", true}, {"abc", "a*", true},      {"abc", "*c", true},    {"abc", "*b*", true},
                {"abc", "a?c", true}, {"abc", "b*", false},     {"abc", "a?", false},   {"abc", "", false},
                {"", "*", true},      {"aXbXc", "a*X*c", true}, {"abc", "abcd", false}, {"aab", "*ab", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (plan_name_matches(rows[i].name, rows[i].pattern) != rows[i].matches)
            fail_msg("%s, %s", rows[i].name, rows[i].pattern);
}

/* ---- manifests ---- */

static void a_manifest_is_read_as_it_was_written(void **state)
{
    char path[PATH_BYTES], file[RUN_FILE_BYTES];
    struct plan plan = read_plan("[a]\nmode=rndrd\nrepeat=2\n[b]\nmode=seqrd\n", path);
    enum run_state states[] = {RUN_DONE, RUN_FAILED, RUN_OPEN};
    struct error error = ERROR_INIT;
    (void)state;
    struct manifest manifest = {.plan = &plan,
                                .states = states,
                                .host = {.os = "An OS <1>", .cpu_count = 8, .memory_bytes = UINT64_C(1) << 40},
                                .host_name = "db-7",
                                .tags = {"volume=gp3", "note=a b"},
                                .tag_count = 2};
    struct plan_run *runs = plan_runs(&plan, NULL, &manifest.run_count, &error);
    manifest.runs = runs;
    char *text = manifest_to_json(&manifest);
    struct manifest_facts facts;
    assert_non_null(text);
    if (!manifest_read(text, "manifest.json", &facts, &error))
        fail_msg("%s", error.text);
    assert_string_equal(facts.plan, path);
    assert_string_equal(facts.host_name, "db-7");
    assert_string_equal(facts.host.os, "An OS <1>");
    assert_int_equal(facts.host.cpu_count, 8);
    assert_true(facts.host.memory_bytes == UINT64_C(1) << 40);
    assert_string_equal(facts.tags, "volume=gp3, note=a b");
    assert_int_equal(facts.run_count, 3);
    for (size_t i = 0; i < 3; i++) {
        manifest_run_file(&manifest, i, file);
        assert_string_equal(facts.runs[i].file, file);
        assert_string_equal(facts.runs[i].job, plan.jobs[runs[i].job].name);
        assert_int_equal(facts.runs[i].state, states[i]);
    }
    manifest_facts_free(&facts);
    free(text);
    free(runs);
    plan_free(&plan);
}

static void what_is_no_manifest_is_refused_with_its_place(void **state)
{
#define HOST                                                                                                           \
    "\"host\":{\"name\":\"\",\"os\":\"\",\"kernel\":\"\",\"cpu_model\":\"\",\"cpu_count\":1,\"memory_bytes\":1,"       \
    "\"virtualization\":\"\",\"cloud\":\"\",\"instance_type\":\"\"},"
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"", "m.json"},
        {"[]", "m.json"},
        {"{}", "plan"},
        {"{\"plan\":\"p\"}", "host"},
        {"{\"plan\":\"p\"," HOST "\"tags\":{\"a\":1},\"runs\":[]}", "tags"},
        {"{\"plan\":\"p\"," HOST "\"tags\":{}}", "runs"},
        {"{\"plan\":\"p\"," HOST "\"tags\":{},\"runs\":[{\"job\":\"j\",\"file\":\"f\",\"state\":\"gone\"}]}",
         "runs[0].state"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct manifest_facts facts;
        struct error error = ERROR_INIT;
        if (manifest_read(rows[i].text, "m.json", &facts, &error) || !strstr(error.text, rows[i].words))
            fail_msg("%s: %s", rows[i].text, error.text);
        manifest_facts_free(&facts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_jobs_and_global_is_for_all),
        cmocka_unit_test(lists_make_every_combination),
        cmocka_unit_test(jobs_share_their_files_and_no_others),
        cmocka_unit_test(a_directory_given_apart_is_that_of_every_job),
        cmocka_unit_test(errors_name_file_line_and_key),
        cmocka_unit_test(a_plan_from_an_editor_on_windows_is_read),
        cmocka_unit_test(what_powershell_writes_is_the_same_plan),
        cmocka_unit_test(names_that_only_look_like_a_device_are_taken),
        cmocka_unit_test(a_line_that_is_too_long_is_refused_whole),
        cmocka_unit_test(every_repetition_is_a_run_in_any_order),
        cmocka_unit_test(each_round_has_an_order_of_its_own_and_a_seed_repeats_it),
        cmocka_unit_test(only_picks_by_name),
        cmocka_unit_test(time_left_is_of_the_open_runs_and_learns_from_the_others),
        cmocka_unit_test(a_run_without_a_time_limit_counts_as_it_took_before),
        cmocka_unit_test(tables_take_time_too),
        cmocka_unit_test(patterns_match_as_in_a_shell),
        cmocka_unit_test(a_manifest_is_read_as_it_was_written),
        cmocka_unit_test(what_is_no_manifest_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
