/* The same load in another tool's words: the whole text, with its notes. */
#include "cli/as.h"
#include "cli/native.h"
#include "core/settings.h"
#include "tests/dialects/tool_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *tool_name, const char *line, const char *params, const char *to, const char *expected)
{
    struct tool *tool = tool_make(tool_name, line, params);
    struct error error = ERROR_INIT;
    if (!tool->good)
        fail_msg("%s %s: %s", tool_name, line, tool->error.text);
    if (!as_print(to, tool->invocation, tool->out, &error))
        fail_msg("%s %s --as %s: %s", tool_name, line, to, error.text);
    assert_string_equal(tool_text(tool), expected);
    tool_free(tool);
}

#define PUBLISHED "-kR -s300 -dc -b16 -frandom -Fparam.txt"
#define PUBLISHED_PARAMS "testfile.dat 1 0x0 3072\n"

static void the_published_sqlio_line_becomes_the_other_tools(void **state)
{
    (void)state;
    check("sqlio", PUBLISHED, PUBLISHED_PARAMS, "sqlio",
          "sqlio -kR -t1 -s300 -frandom -b16 -BN -Fparam.txt\n# param.txt: c:testfile.dat 1 0x0 3072\n");
    check("sqlio", PUBLISHED, PUBLISHED_PARAMS, "isobench",
          "isobench fileio run --target=c:testfile.dat --total-size=3G --fill=extended --mode=rndrd --cache=off "
          "--through=data --sync-at-end=off --time=300 --percentiles= --extend-targets=64M\n");
    check("sqlio", PUBLISHED, PUBLISHED_PARAMS, "sysbench",
          "sysbench fileio --threads=1 --time=300 --percentile=0 --file-num=1 --file-block-size=16384 "
          "--file-total-size=3G --file-test-mode=rndrd --file-fsync-freq=0 --file-fsync-end=off "
          "--file-extra-flags=direct,dsync run\n"
          "# note: target is c:testfile.dat, which sysbench cannot say: there it is test_file.0\n"
          "# note: fill is extended, which sysbench cannot say: there it is written\n"
          "# note: files that are not there or too short are not made by sysbench in a run\n");
}

static void the_published_sysbench_line_becomes_the_other_tools(void **state)
{
    static const char line[] = "--test=fileio --file-total-size=3G --file-test-mode=rndrd --max-time=300 run";
    (void)state;
    check("sysbench", line, NULL, "sqlio",
          "sqlio -kR -t1 -s300 -frandom -b16 -BY -Fparam.txt\n# param.txt: test_file.0 1 0x0 3072\n"
          "# note: target is a set of files, which sqlio cannot say: there it is test_file.0\n"
          "# note: files is 128, which sqlio cannot say: there it is 1\n"
          "# note: fill is written, which sqlio cannot say: there it is extended\n"
          "# note: seed is 1, which sqlio cannot say: there it is 0\n"
          "# note: events is 10000, which sqlio cannot say: there it is 0\n"
          "# note: percentiles is 95, which sqlio cannot say: there it is empty\n");
    check("sysbench", line, NULL, "isobench",
          "isobench fileio run --files=128 --total-size=3G --mode=rndrd --mix=balanced --seed=1 --engine=sync "
          "--sync-every=100 --sync-counts=requests --time=300 --events=10000 --percentiles=95\n");
}

static void prepare_and_cleanup_are_carried_too(void **state)
{
    (void)state;
    check("sysbench", "fileio --file-num=2 --file-total-size=1M prepare", NULL, "sysbench",
          "sysbench fileio --threads=1 --time=10 --file-num=2 --file-block-size=16384 --file-total-size=1M prepare\n");
    check("sysbench", "fileio --file-num=2 --file-total-size=1M cleanup", NULL, "isobench",
          "isobench fileio cleanup --files=2 --total-size=1M --mix=balanced --engine=sync --sync-every=100 "
          "--sync-counts=requests --count-syncs=on --percentiles=95\n");
}

static void every_run_of_several_gets_its_line(void **state)
{
    (void)state;
    check("hdparm", "-tT no-such-device", NULL, "isobench",
          "isobench fileio run --target=no-such-device --total-size=2M --block-size=2M --mode=seqrd --time=2 "
          "--warmup=0.1 --percentiles=\n"
          "isobench fileio run --target=no-such-device --block-size=2M --mode=seqrd --passes=1 --drop-cache=on "
          "--time=3 --percentiles=\n"
          "# note: where the system cannot drop its cache, isobench does not run\n");
    check("hdparm", "-tT no-such-device", NULL, "hdparm", "hdparm -T no-such-device\nhdparm -t no-such-device\n");
    check("seeker", "x", NULL, "sqlio",
          "sqlio -kR -t1 -s30 -frandom -b1 -BY x\n"
          "# note: block_size is 512, which sqlio cannot say: there it is 1K\n"
          "# note: fill is written, which sqlio cannot say: there it is extended\n"
          "# note: report_interval is 1, which sqlio cannot say: there it is 0\n");
    check("seeker", "x 3", NULL, "seeker", "seeker x 3\n");
}

static void jobs_that_run_together_or_wait_are_said_so(void **state)
{
    static const char line[] =
        "--rw=randread --size=1m --runtime=1 --time_based --name=a --name=b --name=c --stonewall "
        "--name=d --stonewall --name=e";
    static const char groups[] = "# note: lines 1 to 2 are one load: start them at the same time\n"
                                 "# note: line 3 begins when all before it have ended\n"
                                 "# note: lines 4 to 5 are one load: start them at the same time, when all before them "
                                 "have ended\n";
    struct tool *tool = tool_make("fio", line, NULL);
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(tool->good);
    assert_true(as_print("diskspd", tool->invocation, tool->out, &error));
    const char *text = tool_text(tool);
    assert_true(strlen(text) > strlen(groups));
    assert_string_equal(text + strlen(text) - strlen(groups), groups);
    tool_free(tool);
}

static void clones_are_threads_of_one_job(void **state)
{
    (void)state;
    check("fio", "--name=a --rw=randread --norandommap --filename=x --size=1m --io_size=64k --randrepeat=0 --numjobs=4",
          NULL, "seeker",
          "seeker x 4\n"
          "# note: total_size is 1M, which seeker cannot say: there it is 0\n"
          "# note: block_size is 4K, which seeker cannot say: there it is 512\n"
          "# note: drop_cache is on, which seeker cannot say: there it is off\n"
          "# note: time is 0, which seeker cannot say: there it is 30\n"
          "# note: events is 64, which seeker cannot say: there it is 0\n"
          "# note: report_interval is 0, which seeker cannot say: there it is 1\n"
          "# note: percentiles is 1,5,10,20,30,40,50,60,70,80,90,95,99,99.5,99.9,99.95,99.99, which seeker cannot say: "
          "there "
          "it is empty\n"
          "# note: files that are not there or too short are not made by seeker in a run\n");
}

/* What a tool wrote for itself must come back whole, so there is no note. */
static void a_tool_says_its_own_loads_without_a_note(void **state)
{
    static const struct {
        const char *tool, *line, *params;
    } rows[] = {
        {"sqlio", "-kW -t4 -f64 -i8 -aR0x5 -S3 a b", NULL},
        {"sqlio", "-kR -s300 -dC -frandom -b16 -o8 -BH -LS -Fparam.txt testfile.dat", "testfile.dat 2 0x0 100\n"},
        {"sqlio", "-kR -t3 -fsequential -o8 -BS -p2 a b c", NULL},
        {"sqlio", "-kW -frandom -o2 -b64 -Fparam.txt", "a 2 0x0 64\nb 2 0x0 64\n"},
        {"sqlio", "-RD,12 -kR -frandom", NULL},
        {"sqlio", "-a0x8 -kR -frandom -LS", NULL},
        {"sqlio", "-f64 -Fparam.txt", "a 3\nb 3\n"},
        {"sysbench", "fileio --file-test-mode=rndrw --file-rw-ratio=0.37 --file-fsync-all --forced-shutdown=5 run",
         NULL},
        {"sysbench", "fileio --file-test-mode=seqwr --file-io-mode=async --file-extra-flags=direct,sync run", NULL},
        {"sysbench", "fileio --file-test-mode=seqrd --file-io-mode=mmap --file-merged-requests=4 --percentile=0 run",
         NULL},
        {"sysbench", "fileio --file-test-mode=rndwr --file-dir=x --file-fsync-mode=fdatasync --histogram run", NULL},
        {"sysbench", "fileio --file-test-mode=rndwr --rand-seed=7 --report-interval=2 --events=50 run", NULL},
        {"hdparm", "-t --direct --offset 3 no-such-device", NULL},
        {"seeker", "--time=7 x 4", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        static const char *const targets[] = {NULL, "isobench"};
        for (size_t to = 0; to < COUNT_OF(targets); ++to) {
            struct tool *tool = tool_make(rows[i].tool, rows[i].line, rows[i].params);
            struct error error = ERROR_INIT;
            if (!tool->good)
                fail_msg("%s %s: %s", rows[i].tool, rows[i].line, tool->error.text);
            if (!as_print(targets[to] ? targets[to] : rows[i].tool, tool->invocation, tool->out, &error))
                fail_msg("%s %s: %s", rows[i].tool, rows[i].line, error.text);
            if (strstr(tool_text(tool), "# note: ") && !strstr(tool->text, "drop its cache"))
                fail_msg("%s %s: %s", rows[i].tool, rows[i].line, tool->text);
            tool_free(tool);
        }
    }
}

/* A job in which every setting differs from its default and has an effect comes back whole, or with a note. */
static void a_setting_that_a_tool_cannot_say_gets_a_note(void **state)
{
    static const struct {
        const char *setting, *value;
    } rows[] = {{"rate", "100"},           {"distribution", "zipfian"},
                {"think_time", "1ms"},     {"warmup", "5"},
                {"on_error", "count"},     {"repeat", "3"},
                {"data", "zero"},          {"compress_percent", "50"},
                {"align", "512"},          {"sync_every", "10"},
                {"cpus", "0,70"},          {"seed", "9"},
                {"stack_size", "1M"},      {"checkpoints", "5"},
                {"drop_cache", "on"},      {"shutdown_grace", "5"},
                {"sync_each_write", "on"}, {"steady_state", "iops:5%"},
                {"init_timeout", "60"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct tool *tool = tool_make("sqlio", "-kW -frandom a", NULL);
        struct error error = ERROR_INIT;
        char note[128];
        assert_true(job_set(&tool->invocation->job, setting_find(rows[i].setting), "x", rows[i].value, &error));
        assert_true(as_print("sqlio", tool->invocation, tool->out, &error));
        snprintf(note, sizeof(note), "# note: %s is ", rows[i].setting);
        if (!strstr(tool_text(tool), note))
            fail_msg("no note about %s in: %s", rows[i].setting, tool->text);
        tool_free(tool);
    }
}

static void settings_without_an_effect_get_none(void **state)
{
    static const char *const settings_of_writes[][2] = {{"sync_every", "10"},   {"data", "zero"},
                                                        {"through", "full"},    {"sync_at_end", "on"},
                                                        {"read_percent", "10"}, {"pareto_h", "0.5"},
                                                        {"merge_blocks", "4"},  {"cursor", "thread"},
                                                        {"stripe_rows", "3"},   {"file_choice", "turn"},
                                                        {"arrival", "poisson"}, {"burst", "8"},
                                                        {"file_name", "other"}, {"interval_percentile", "50"},
                                                        {"engine", "sync"}};
    struct tool *tool = tool_make("sqlio", "-kR -BY -frandom a", NULL);
    struct error error = ERROR_INIT;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(settings_of_writes); ++i)
        assert_true(job_set(&tool->invocation->job, setting_find(settings_of_writes[i][0]), "x",
                            settings_of_writes[i][1], &error));
    tool->invocation->job.through = WRITE_THROUGH_OFF; /* -BS would say it */
    assert_true(as_print("sqlio", tool->invocation, tool->out, &error));
    assert_string_equal(tool_text(tool), "sqlio -kR -t1 -s30 -frandom -b2 -BY a\n");
    tool_free(tool);
}

static void what_cannot_be_said_at_all_is_refused(void **state)
{
    static const struct {
        const char *tool, *line, *to, *part;
    } rows[] = {{"sysbench", "fileio prepare", "sqlio", "sqlio makes its files when it runs"},
                {"sysbench", "fileio prepare", "seeker", "seeker reads what is there"},
                {"sysbench", "fileio cleanup", "hdparm", "hdparm reads what is there"},
                {"sqlio", "-frandom a", "dd",
                 "--as dd: no command line can be written for that; one of isobench, "
                 "sysbench, sqlio, "}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct tool *tool = tool_make(rows[i].tool, rows[i].line, NULL);
        struct error error = ERROR_INIT;
        assert_true(tool->good);
        assert_false(as_print(rows[i].to, tool->invocation, tool->out, &error));
        if (!strstr(error.text, rows[i].part))
            fail_msg("%s", error.text);
        assert_string_equal(tool_text(tool), "");
        tool_free(tool);
    }
}

static void the_extra_words_are_taken_from_anywhere(void **state)
{
    char *argv[] = {"-kR", "--as", "sysbench", "--json=x.json", "-frandom", "--show-job", "a"}, *words[8];
    char *last[] = {"a", "--as"}, *glued[] = {"--as=sqlio", "--show-job"}, *empty[] = {"--json="};
    int argc = (int)COUNT_OF(argv);
    struct extras extras;
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(extras_take(&extras, true, &argc, argv, words, &error));
    assert_int_equal(argc, 3);
    assert_string_equal(words[0], "-kR");
    assert_string_equal(words[2], "a");
    assert_true(extras.show_job);
    assert_string_equal(extras.as, "sysbench");
    assert_string_equal(extras.json, "x.json");

    argc = 2;
    assert_true(extras_take(&extras, false, &argc, glued, words, &error));
    assert_int_equal(argc, 1);
    assert_string_equal(extras.as, "sqlio");
    assert_false(extras.show_job); /* isobench's own command line knows it */

    argc = 2;
    assert_false(extras_take(&extras, true, &argc, last, words, &error));
    assert_non_null(strstr(error.text, "--as: name the tool"));
    error.kind = ERR_NONE;
    argc = 1;
    assert_false(extras_take(&extras, true, &argc, empty, words, &error));
    assert_non_null(strstr(error.text, "--json= is not valid"));
}

static void words_with_blanks_are_quoted(void **state)
{
    struct tool *tool = tool_make("sqlio", "-frandom a", NULL);
    struct error error = ERROR_INIT;
    (void)state;
    strcpy(tool->invocation->job.target, "C:\\My Files\\test.dat");
    assert_true(as_print("sqlio", tool->invocation, tool->out, &error));
    assert_string_equal(tool_text(tool), "sqlio -kR -t1 -s30 -frandom -b2 -BN \"C:\\My Files\\test.dat\"\n");
    tool_free(tool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_sqlio_line_becomes_the_other_tools),
        cmocka_unit_test(the_published_sysbench_line_becomes_the_other_tools),
        cmocka_unit_test(prepare_and_cleanup_are_carried_too),
        cmocka_unit_test(every_run_of_several_gets_its_line),
        cmocka_unit_test(jobs_that_run_together_or_wait_are_said_so),
        cmocka_unit_test(clones_are_threads_of_one_job),
        cmocka_unit_test(a_tool_says_its_own_loads_without_a_note),
        cmocka_unit_test(a_setting_that_a_tool_cannot_say_gets_a_note),
        cmocka_unit_test(settings_without_an_effect_get_none),
        cmocka_unit_test(what_cannot_be_said_at_all_is_refused),
        cmocka_unit_test(the_extra_words_are_taken_from_anywhere),
        cmocka_unit_test(words_with_blanks_are_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
