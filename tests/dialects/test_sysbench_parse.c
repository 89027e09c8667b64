#include "core/settings.h"
#include "dialects/sysbench.h"
#include "tests/dialects/sysbench_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RUN "fileio --file-test-mode=rndrw run"

static const char *value_of(const struct fixture *fixture, const char *setting, char *out)
{
    assert_non_null(setting_find(setting));
    job_get(&fixture->invocation->job, setting_find(setting), out, TEXT_MAX);
    return out;
}

struct expected {
    const char *setting, *value;
};

static void check_values(const char *line, const struct expected *expected, size_t count)
{
    char value[TEXT_MAX];
    struct fixture *fixture = fixture_make(line);
    assert_string_equal(fixture->error.text, "");
    assert_true(fixture->good);
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(value_of(fixture, expected[i].setting, value), expected[i].value) != 0)
            fail_msg("%s: %s is %s, not %s", line, expected[i].setting, value, expected[i].value);
    }
    fixture_free(fixture);
}

static void defaults_are_those_of_1_0(void **state)
{
    static const struct expected expected[] = {
        {"files", "128"},
        {"total_size", "2G"},
        {"block_size", "16K"},
        {"mode", "rndrw"},
        {"threads", "1"},
        {"time", "10"},
        {"events", "0"},
        {"passes", "0"},
        {"sync_every", "100"},
        {"sync_at_end", "on"},
        {"sync_each_write", "off"},
        {"sync_kind", "fsync"},
        {"count_syncs", "on"},
        {"mix", "balanced"},
        {"sync_counts", "requests"},
        {"cursor", "shared"},
        {"engine", "sync"},
        {"depth", "1"},
        {"read_percent", "60"},
        {"distribution", "uniform"},
        {"data", "random"},
        {"percentiles", "95"},
        {"seed", "0"},
        {"merge_blocks", "1"},
        {"cache", "on"},
        {"through", "off"},
        {"shutdown_grace", "none"},
        {"file_name", "test_file"},
        {"init_timeout", "30"},
        {"report_interval", "0"},
        {"dir", "."},
        {"stack_size", "0"},
    };
    (void)state;
    check_values(RUN, expected, COUNT_OF(expected));
}

static void defaults_of_the_old_form_are_those_of_0_4(void **state)
{
    static const struct expected expected[] = {
        {"events", "10000"}, {"time", "0"}, {"count_syncs", "off"}, {"passes", "0"}, {"seed", "1"}};
    (void)state;
    check_values("--test=fileio --file-test-mode=rndrd run", expected, COUNT_OF(expected));
    check_values("--sysbench-version=0.4 fileio --file-test-mode=rndrd run", expected, COUNT_OF(expected));
}

static void sequential_run_of_0_4_is_one_pass(void **state)
{
    static const struct expected expected[] = {{"passes", "1"}, {"events", "0"}, {"time", "0"}};
    (void)state;
    check_values("--test=fileio --file-test-mode=seqrd run", expected, COUNT_OF(expected));
}

static void seed_of_0_4_comes_from_the_clock_with_init_rng(void **state)
{
    static const struct expected clock[] = {{"seed", "0"}}, given[] = {{"seed", "42"}};
    (void)state;
    check_values("--test=fileio --init-rng=on --file-test-mode=rndrd run", clock, 1);
    check_values("--test=fileio --init-rng=on --seed-rng=42 --file-test-mode=rndrd run", given, 1);
    check_values("fileio --rand-seed=42 --file-test-mode=rndrd run", given, 1);
}

static void old_names_mean_the_new_ones(void **state)
{
    static const struct expected expected[] = {{"threads", "16"}, {"time", "300"}, {"events", "7"}};
    (void)state;
    check_values("--test=fileio --num-threads=16 --max-time=300 --max-requests=7 --file-test-mode=rndrw run", expected,
                 COUNT_OF(expected));
    check_values("fileio --num_threads=16 --max_time=300 --max_requests=7 --file-test-mode=rndrw run", expected,
                 COUNT_OF(expected));
}

static void options_stand_anywhere_and_the_last_wins(void **state)
{
    static const struct expected expected[] = {{"threads", "4"}, {"files", "3"}, {"block_size", "4K"}};
    (void)state;
    check_values("--threads=2 fileio --file_num=9 run --num-threads=3 --threads=4 --file-num=3 --file-block_size=4k "
                 "--file-test-mode=rndrd",
                 expected, COUNT_OF(expected));
}

static void each_option_reaches_its_setting(void **state)
{
    static const struct {
        const char *option;
        struct expected expected;
    } rows[] = {
        {"--threads=8", {"threads", "8"}},
        {"--events=50", {"events", "50"}},
        {"--time=2.5", {"time", "2.5"}},
        {"--warmup-time=3", {"warmup", "3"}},
        {"--thread-stack-size=128K", {"stack_size", "128K"}},
        {"--thread-init-timeout=5", {"init_timeout", "5"}},
        {"--report-interval=0.5", {"report_interval", "0.5"}},
        {"--report-checkpoints=3,1", {"checkpoints", "1,3"}},
        {"--percentile=50,95,99.9", {"percentiles", "50,95,99.9"}},
        {"--percentile=99.9,50", {"interval_percentile", "99.9"}},
        {"--percentile=0", {"percentiles", ""}},
        {"--histogram", {"histogram", "on"}},
        {"--histogram=off", {"histogram", "off"}},
        {"--file-dir=/some/where", {"dir", "/some/where"}},
        {"--file-total-size=1G", {"total_size", "1G"}},
        {"--file-test-mode=seqrewr", {"mode", "seqrewr"}},
        {"--file-io-mode=async", {"engine", "auto"}},
        {"--file-io-mode=async", {"depth", "128"}},
        {"--file-io-mode=mmap", {"engine", "mmap"}},
        {"--file-io-mode=fastmmap", {"engine", "mmap"}},
        {"--file-io-mode=slowmmap", {"depth", "1"}},
        {"--file-extra-flags=direct", {"cache", "off"}},
        {"--file-extra-flags=sync", {"through", "full"}},
        {"--file-extra-flags=dsync", {"through", "data"}},
        {"--file-extra-flags=sync,direct", {"cache", "off"}},
        {"--file-extra-flags=dsync,sync,direct", {"through", "full"}},
        {"--file-extra-flags=", {"cache", "on"}},
        {"--file-fsync-freq=0", {"sync_every", "0"}},
        {"--file-fsync-all", {"sync_each_write", "on"}},
        {"--file-fsync-all", {"sync_every", "0"}},
        {"--file-fsync-all=on", {"sync_at_end", "off"}},
        {"--file-fsync-end=off", {"sync_at_end", "off"}},
        {"--file-fsync-mode=fdatasync", {"sync_kind", "fdatasync"}},
        {"--file-merged-requests=4", {"merge_blocks", "4"}},
        {"--file-rw-ratio=3", {"read_percent", "75"}},
        {"--file-rw-ratio=0", {"read_percent", "0"}},
        {"--forced-shutdown", {"shutdown_grace", "0.5"}},
        {"--forced-shutdown=20%", {"shutdown_grace", "2"}},
        {"--forced-shutdown=7", {"shutdown_grace", "7"}},
        {"--forced-shutdown=off", {"shutdown_grace", "none"}},
    };
    char line[256];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(line, sizeof(line), "fileio --file-test-mode=rndrw %s run", rows[i].option);
        check_values(line, &rows[i].expected, 1);
    }
}

static void backlog_is_the_depth_of_async_alone(void **state)
{
    static const struct expected deep[] = {{"depth", "16"}}, flat[] = {{"depth", "1"}};
    (void)state;
    check_values("fileio --file-io-mode=async --file-async-backlog=16 --file-test-mode=rndrd run", deep, 1);
    check_values("fileio --file-async-backlog=16 --file-test-mode=rndrd run", flat, 1);
}

static void forced_shutdown_counts_only_after_a_time_limit(void **state)
{
    static const struct expected expected[] = {{"shutdown_grace", "none"}};
    (void)state;
    check_values("fileio --time=0 --events=9 --forced-shutdown=7 --file-test-mode=rndrd run", expected, 1);
}

static void options_without_effect_are_accepted(void **state)
{
    static const char *const options[] = {
        "--debug",
        "--debug=off",
        "--validate=off",
        "--rate=0",
        "--tx-rate=0",
        "--luajit-cmd=off",
        "--rand-type=pareto",
        "--rand-type=zipfian",
        "--rand-spec-iter=1",
        "--rand-spec-pct=2",
        "--rand-spec-res=3",
        "--rand-pareto-h=0.3",
        "--rand-zipfian-exp=0.9",
        "--verbosity=5",
        "--db-driver=pgsql",
        "--db-ps-mode=disable",
        "--db-debug",
        "--mysql-host=a,b",
        "--mysql-port=1,2",
        "--mysql-password=",
        "--mysql-ssl=REQUIRED",
        "--mysql-ignore-errors=all",
        "--mysql-dry-run",
        "--pgsql-port=5433",
        "--tx-jitter=0",
        "--init-rng=off",
        "--seed-rng=0",
        "--version=off",
        "--help=off",
        "--mysql-table-engine=innodb",
        "--test=fileio",
        "--pgsql-sslmode=prefer",
    };
    char line[256];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(options); ++i) {
        snprintf(line, sizeof(line), RUN " %s", options[i]);
        check_values(line, NULL, 0);
    }
}

static const struct {
    const char *line, *said;
} wrong_lines[] = {
    {"fileio run", "--file-test-mode"},
    {"fileio --file-test-mode=foo run", "--file-test-mode=foo"},
    {"fileio --file-test-mode=seqrw run", "--file-test-mode=seqrw: sysbench has no such mode"},
    {"fileio --file-test-mode=seqrw prepare", "--file-test-mode=seqrw"},
    {"fileio", "needs a command"},
    {"fileio bogus", "unknown command 'bogus'"},
    {"fileio run extra", "\"extra\" is one word too many"},
    {"fileio a b", "\"b\" is one word too many; right is: sysbench [options] TEST COMMAND"},
    {"cpu run", "sysbench test 'cpu' is not supported; supported: fileio"},
    {"--test=cpu run", "sysbench test 'cpu' is not supported"},
    {"oltp_read_writes prepare", "'oltp_read_writes'"},
    {"run", "sysbench [options] fileio run"},
    {"--threads=4", "no test is named"},
    {"--test=cpu fileio run", "two tests"},
    {"--sysbench-version=2 " RUN, "--sysbench-version=2"},
    {RUN " --bogus=1", "--bogus"},
    {RUN " --file-nun=1", "did you mean --file-num?"},
    {RUN " --file-num", "--file-num needs a value"},
    {RUN " --file-num=0", "--file-num"},
    {RUN " --file-num=-1", "--file-num=-1"},
    {RUN " --threads=x", "--threads=x"},
    {RUN " --threads=0", "--threads"},
    {RUN " --threads=", "--threads"},
    {RUN " --num-threads=x", "--num-threads=x"},
    {RUN " --num-threads=0", "--num-threads=0"},
    {RUN " --time=-1", "--time=-1"},
    {RUN " --file-total-size=0", "--file-total-size"},
    {RUN " --file-total-size=10X", "--file-total-size=10X"},
    {RUN " --file-total-size=1G1", "--file-total-size=1G1"},
    {RUN " --file-total-size=99999999999999999999", "--file-total-size=99999999999999999999"},
    {RUN " --file-total-size=0x10", "--file-total-size=0x10"},
    {RUN " --file-total-size=1K --file-num=10", "--file-total-size=1K over --file-num=10"},
    {RUN " --file-block-size=0", "--file-block-size"},
    {RUN " --file-io-mode=foo", "--file-io-mode=foo"},
    {RUN " --file-io-mode=async --file-async-backlog=0", "--file-async-backlog=0"},
    {RUN " --file-io-mode=mmap --file-extra-flags=direct", "--file-extra-flags=direct"},
    {RUN " --file-extra-flags=foo", "--file-extra-flags=foo"},
    {RUN " --file-extra-flags=sync,,direct", "--file-extra-flags"},
    {RUN " --file-extra-flags=direct --file-block-size=1000", "--file-extra-flags=direct"},
    {RUN " --file-fsync-mode=foo", "--file-fsync-mode=foo"},
    {RUN " --file-fsync-freq=-1", "--file-fsync-freq=-1"},
    {RUN " --file-fsync-all=perhaps", "--file-fsync-all=perhaps"},
    {RUN " --file-merged-requests=-1", "--file-merged-requests=-1"},
    {RUN " --file-rw-ratio=-1", "--file-rw-ratio=-1"},
    {RUN " --file-rw-ratio=abc", "--file-rw-ratio=abc"},
    {RUN " --percentile=101", "--percentile"},
    {RUN " --percentile=abc", "--percentile=abc"},
    {RUN " --percentile=0 --histogram", "--percentile=0"},
    {RUN " --report-checkpoints=abc", "--report-checkpoints=abc"},
    {RUN " --forced-shutdown=abc", "--forced-shutdown=abc"},
    {RUN " --forced-shutdown=%", "--forced-shutdown=%"},
    {RUN " --verbosity=6", "--verbosity=6"},
    {RUN " --rand-type=foo", "--rand-type=foo"},
    {RUN " --rand-spec-iter=foo", "--rand-spec-iter=foo"},
    {RUN " --debug=maybe", "--debug=maybe"},
    {RUN " --validate --file-block-size=32", "--file-block-size=32: --validate needs blocks of 64 bytes"},
    {RUN " --rate=fast", "--rate=fast"},
    {RUN " --tx-jitter=10", "--tx-jitter=10 is not supported"},
    {RUN " --json=", "--json="},
    {RUN " --config-file=no-such-file.cnf", "no-such-file.cnf"},
};

static void wrong_lines_are_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong_lines); ++i) {
        struct fixture *fixture = fixture_make(wrong_lines[i].line);
        if (fixture->good || !strstr(fixture->error.text, wrong_lines[i].said))
            fail_msg("%s: \"%s\" does not say \"%s\"", wrong_lines[i].line, fixture->error.text, wrong_lines[i].said);
        assert_string_equal(fixture_text(fixture), "");
        fixture_free(fixture);
    }
}

static void actions_follow_the_command(void **state)
{
    static const struct {
        const char *line;
        enum action action;
    } rows[] = {
        {RUN, ACTION_RUN},
        {"fileio prepare", ACTION_PREPARE},
        {"--test=fileio prepare", ACTION_PREPARE},
        {"fileio cleanup", ACTION_CLEANUP},
        {"fileio --test=fileio cleanup", ACTION_CLEANUP},
        {"fileio help", ACTION_PRINTED},
        {"--test=fileio help", ACTION_PRINTED},
        {"--help", ACTION_PRINTED},
        {"--version", ACTION_PRINTED},
        {"", ACTION_PRINTED},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct fixture *fixture = fixture_make(rows[i].line);
        assert_string_equal(fixture->error.text, "");
        assert_int_equal(fixture->invocation->action, rows[i].action);
        fixture_free(fixture);
    }
}

static void invocation_holds_what_is_no_setting(void **state)
{
    struct fixture *fixture = fixture_make(RUN " --json=out.json --show-job");
    (void)state;
    assert_true(fixture->good);
    assert_string_equal(fixture->invocation->json_path, "out.json");
    assert_true(fixture->invocation->show_job);
    assert_true(fixture->invocation->foreign_files);
    assert_int_equal(fixture->invocation->forced_status, 2);
    fixture_free(fixture);
}

static void run_without_limits_has_practically_none(void **state)
{
    struct fixture *fixture = fixture_make(RUN " --time=0");
    (void)state;
    assert_true(fixture->good);
    assert_true(fixture->invocation->job.events >= UINT64_C(1) << 50);
    fixture_free(fixture);
}

static void request_trace_is_for_debug_alone(void **state)
{
    struct fixture *quiet = fixture_make(RUN " --verbosity=5");
    assert_null(quiet->invocation->listener.request);
    fixture_free(quiet);
    struct fixture *debug = fixture_make(RUN " --debug");
    (void)state;
    assert_non_null(debug->invocation->listener.request);
    fixture_free(debug);
}

/* ---- configuration file ---------------------------------------------------------------------------------------- */

static void with_config(const char *config, const char *options, char *line, size_t line_bytes)
{
    char path[512];
    FILE *file = fopen(fixture_path("sysbench-test.cnf", path, sizeof(path)), "wb");
    assert_non_null(file);
    fputs(config, file);
    fclose(file);
    snprintf(line, line_bytes, "--config-file=%s %s", path, options);
}

static void config_file_sets_options_of_the_test_too(void **state)
{
    static const struct expected expected[] = {{"threads", "3"},    {"files", "4"},       {"mode", "rndrd"},
                                               {"time", "1"},       {"total_size", "8M"}, {"sync_each_write", "on"},
                                               {"block_size", "4K"}};
    char line[1024];
    (void)state;
    with_config("# a comment\n"
                "\n"
                "threads = 3\r\n"
                "file-num=4 # of test files\n"
                "file_test_mode='rndrd'\n"
                "file-total-size=\"8M\" # quoted\n"
                "file-fsync-all\n"
                "max-time=1\n"
                "file-block-size=4K",
                "fileio run", line, sizeof(line));
    check_values(line, expected, COUNT_OF(expected));
}

static void command_line_wins_over_the_config_file(void **state)
{
    static const struct expected expected[] = {{"threads", "7"}, {"files", "4"}};
    char line[1024];
    (void)state;
    with_config("threads=3\nfile-num=4\n", RUN " --threads=7", line, sizeof(line));
    check_values(line, expected, COUNT_OF(expected));
}

static void wrong_lines_of_a_config_file_are_named(void **state)
{
    static const struct {
        const char *config, *said;
    } rows[] = {
        {"threads=3\nbogus=1\n", "line 2 of "}, {"\nthreads=x\n", "--threads (line 2 of "},
        {"threads='3\n", "line 1 of "},         {"threads='3' 4\n", "line 1 of "},
        {"config-file=other\n", "line 1 of "},
    };
    char line[1024];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        with_config(rows[i].config, RUN, line, sizeof(line));
        struct fixture *fixture = fixture_make(line);
        if (fixture->good || !strstr(fixture->error.text, rows[i].said))
            fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].config, fixture->error.text, rows[i].said);
        fixture_free(fixture);
    }
}

/* ---- table and help ------------------------------------------------------------------------------------------------
 */

static void every_row_of_the_table_is_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        const struct sysbench_option *option = &sysbench_options[i];
        assert_ptr_equal(sysbench_option_find(option->name, strlen(option->name)), option);
        if (option->setting && !setting_find(option->setting))
            fail_msg("--%s: there is no setting %s", option->name, option->setting);
        if (option->same_as)
            assert_non_null(sysbench_option_find(option->same_as, strlen(option->same_as)));
        if (option->unsupported)
            assert_non_null(option->fallback);
    }
}

static void help_lists_every_option_that_has_an_effect(void **state)
{
    struct fixture *usage = fixture_make("--help"), *test = NULL;
    char name[64];
    (void)state;
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        const struct sysbench_option *option = &sysbench_options[i];
        snprintf(name, sizeof(name), "\n  --%s", option->name);
        if (option->group <= GROUP_OWN && !strstr(fixture_text(usage), name))
            fail_msg("--help does not show --%s", option->name);
    }
    fixture_free(usage);
    test = fixture_make("fileio help");
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        snprintf(name, sizeof(name), "\n  --%s", sysbench_options[i].name);
        if (sysbench_options[i].group == GROUP_FILEIO && !strstr(fixture_text(test), name))
            fail_msg("fileio help does not show --%s", sysbench_options[i].name);
    }
    assert_non_null(strstr(fixture_text(test), "\n  --file-num=N                  "));
    assert_non_null(strstr(fixture_text(test), "\n  --file-fsync-end[=on|off]     "));
    assert_non_null(strstr(fixture_text(test), " [16384]\n"));
    fixture_free(test);
}

static void version_is_that_of_the_language_and_ours(void **state)
{
    static const struct {
        const char *line, *text;
    } rows[] = {
        {"--version", "sysbench 1.0.20 (isobench " ISOBENCH_VERSION ")\n"},
        {"--version --sysbench-version=1.1", "sysbench 1.1.0 (isobench " ISOBENCH_VERSION ")\n"},
        {"--version --sysbench-version=0.4.12", "sysbench 0.4.12 (isobench " ISOBENCH_VERSION ")\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct fixture *fixture = fixture_make(rows[i].line);
        assert_string_equal(fixture_text(fixture), rows[i].text);
        fixture_free(fixture);
    }
}

static void dialects_are_found_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(dialect_find("sysbench"), &dialect_sysbench);
    assert_null(dialect_find("sysbenc"));
}

static int remove_config(void **state)
{
    char path[512];
    (void)state;
    remove(fixture_path("sysbench-test.cnf", path, sizeof(path)));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_1_0),
        cmocka_unit_test(defaults_of_the_old_form_are_those_of_0_4),
        cmocka_unit_test(sequential_run_of_0_4_is_one_pass),
        cmocka_unit_test(seed_of_0_4_comes_from_the_clock_with_init_rng),
        cmocka_unit_test(old_names_mean_the_new_ones),
        cmocka_unit_test(options_stand_anywhere_and_the_last_wins),
        cmocka_unit_test(each_option_reaches_its_setting),
        cmocka_unit_test(backlog_is_the_depth_of_async_alone),
        cmocka_unit_test(forced_shutdown_counts_only_after_a_time_limit),
        cmocka_unit_test(options_without_effect_are_accepted),
        cmocka_unit_test(wrong_lines_are_refused_by_name),
        cmocka_unit_test(actions_follow_the_command),
        cmocka_unit_test(invocation_holds_what_is_no_setting),
        cmocka_unit_test(run_without_limits_has_practically_none),
        cmocka_unit_test(request_trace_is_for_debug_alone),
        cmocka_unit_test(config_file_sets_options_of_the_test_too),
        cmocka_unit_test(command_line_wins_over_the_config_file),
        cmocka_unit_test(wrong_lines_of_a_config_file_are_named),
        cmocka_unit_test(every_row_of_the_table_is_sound),
        cmocka_unit_test(help_lists_every_option_that_has_an_effect),
        cmocka_unit_test(version_is_that_of_the_language_and_ours),
        cmocka_unit_test(dialects_are_found_by_name),
    };
    return cmocka_run_group_tests_name("sysbench_parse", tests, NULL, remove_config);
}
