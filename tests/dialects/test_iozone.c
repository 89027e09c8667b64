/* iozone: its command line, the series that it stands for, its layouts, and those read back. */
#include "tests/dialects/tool_fixture.h"

#include "core/reading.h"
#include "core/settings.h"
#include "core/transcript.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KIB UINT64_C(1024)

/* ---- the command line ---- */

static void options_become_settings(void **state)
{
    static const struct {
        const char *line, *expected[10];
    } rows[] = {
        {"-i 0 -i 1",
         {"target=iozone.tmp", "mode=seqwr", "total_size=512K", "block_size=4K", "passes=1", "threads=1", "time=0",
          "sync_at_end=off", "data=count-up"}},
        {"-i0 -s1m -r64 -f /x/y", {"target=/x/y", "total_size=1M", "block_size=64K", "mode=seqwr"}},
        {"-i 1 -s 100 -r 64", {"mode=seqrd", "total_size=64K", "block_size=64K"}}, /* whole records */
        {"-i 1 -s 2g -r 16m", {"total_size=2G", "block_size=16M"}},
        {"-ecI -i 0", {"sync_at_end=on", "close_at_end=on", "cache=off", "through=off"}},
        {"-o -i 0", {"through=full", "cache=on", "engine=auto"}},
        {"-B -i 0", {"engine=mmap"}},
        {"-i 2", {"mode=rndrd", "coverage=once", "passes=1"}},
        {"-i 3", {"mode=seqrd", "direction=backward"}},
        {"-i 4 -s 64k", {"mode=seqrewr", "total_size=4K", "passes=16"}},
        {"-i 5", {"mode=seqrd", "stripe_blocks=17", "stripe_rows=7", "total_size=512K"}},
        {"-i 5 -s 64k", {"mode=seqrd", "stripe_blocks=0", "total_size=4K", "passes=16"}},
        {"-i 5 -j 4", {"stripe_blocks=4", "stripe_rows=32"}},
        {"-i 9", {"mode=seqwr"}},
        {"-i 10", {"mode=seqrd"}},
        {"-t 2",
         {"target=iozone.DUMMY.0,iozone.DUMMY.1", "threads=2", "file_choice=own", "total_size=1M", "stonewall=on"}},
        {"-t 2 -x -f /x/y", {"target=/x/y.DUMMY.0,/x/y.DUMMY.1", "stonewall=off"}},
        {"-F a b -t 2 -s 8k", {"target=a.DUMMY.0,b.DUMMY.1", "total_size=16K"}},
        {"-t 1", {"target=iozone.DUMMY.0", "threads=1", "file_choice=all", "stonewall=off"}},
        {"-t 3 -i 8", {"mode=rndrd", "threads=2", "target=iozone.DUMMY.0,iozone.DUMMY.2", "total_size=1M"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        tool_expect("iozone", rows[i].line, NULL, rows[i].expected);
}

static void what_is_wrong_is_named(void **state)
{
    static const char *const rows[][2] = {
        {"-s 0", "-s 0 is not valid: it must be a whole number of kB"},
        {"-s -1", "-s -1 is not valid"},
        {"-s 1.5m", "-s 1.5m is not valid"},
        {"-s 18446744073709551616", "-s 18446744073709551616 is not valid"},
        {"-s 18446744073709551615g", "is not valid"},
        {"-s 1t", "-s 1t is not valid"},
        {"-r 17m", "from 1k to 16m"},
        {"-r k", "-r k is not valid"},
        {"-s", "-s needs a value"},
        {"-s 4 -r 8", "a record of 8k does not fit into a file of 4k"},
        {"-n 1m", "-n and -g bound what auto mode does: add -a, or give -s"},
        {"-q 1m", "-y and -q bound what auto mode does: add -a, or give -r"},
        {"-a -n 1m -s 1m", "-s says what to take: leave out -n and -g"},
        {"-a -n 1m -g 64k", "-n 1024k is more than -g 64k"},
        {"-a -g 32k", "no file size lies within these bounds"},
        {"-z", "-z is of auto mode: add -a"},
        {"-a -t 2", "-a and -t exclude each other"},
        {"-i 13", "from 0 to 12"},
        {"-i x", "-i x is not valid"},
        {"-i 6", "-i 6 is not supported: fwrite"},
        {"-i 7", "-i 7 is not supported: fread"},
        {"-i 11", "-i 11 is not supported: pwritev"},
        {"-i 12", "-i 12 is not supported: preadv"},
        {"-i 8", "-i 8 mixes processes that read and processes that write: it needs -t"},
        {"-t 2 -i 4", "-i 4 and -t exclude each other"},
        {"-t 0", "-t 0 is not valid: it must be a whole number from 1 to 256"},
        {"-t 257", "from 1 to 256"},
        {"-t 256", "the names of all files have more than 2047 bytes"},
        {"-t 2 -F a", "-F names 1 files for the 2 processes of -t"},
        {"-F a b", "-F names a file for each process of -t; -f names the only one"},
        {"-t 2 -f x -F a b", "-f and -F exclude each other"},
        {"-f a,b", "it must have no comma"},
        {"-B -I", "-B and -I exclude each other"},
        {"-B -o", "-B and -o exclude each other"},
        {"-B -c", "-B and -c exclude each other"},
        {"-r 1 -s 1 -j 0", "-j 0 is not valid"},
        {"-+p 50", "-+p is not supported: none of the options that begin with -+ is"},
        {"-a+", "-a+ is not supported"},
        {"-A", "iozone -A is not supported: it is old"},
        {"-aO", "iozone -O is not supported: figures are in kB/s alone"},
        {"-Z", "iozone -Z is not supported"},
        {"-1", "iozone has no option -1"},
        {"-", "- is no option"},
        {"file", "file is no option of iozone"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        tool_refuse("iozone", rows[i][0], NULL, rows[i][1]);
}

/* ---- the series ---- */

static const struct job *job_at(const struct tool *tool, size_t index)
{
    return index == 0 ? &tool->invocation->job : &tool->invocation->further[index - 1];
}

static struct tool *taken(const char *line)
{
    struct tool *tool = tool_make("iozone", line, NULL);
    if (!tool->good)
        fail_msg("iozone %s: %s", line, tool->error.text);
    return tool;
}

static void auto_mode_is_every_record_in_every_file_with_every_test(void **state)
{
    static const enum mode modes[] = {MODE_SEQWR, MODE_SEQREWR, MODE_SEQRD,   MODE_SEQRD, MODE_RNDRD,
                                      MODE_RNDWR, MODE_SEQRD,   MODE_SEQREWR, MODE_SEQRD};
    struct tool *tool = taken("-a");
    size_t count = tool->invocation->further_count + 1, at = 0;
    (void)state;
    for (uint64_t size = 64; size <= 512 * KIB; size *= 2)
        for (uint64_t record = size < 32 * KIB ? 4 : 64; record <= size && record <= 16 * KIB; record *= 2)
            for (size_t i = 0; i < COUNT_OF(modes); ++i, ++at) {
                assert_true(at < count);
                assert_int_equal(job_at(tool, at)->mode, modes[i]);
                assert_int_equal(job_at(tool, at)->block_size_bytes, record * KIB);
                assert_int_equal(job_at(tool, at)->total_size_bytes, (i == 7 ? record : size) * KIB *
                                                                         (i == 8 && size / record <= 17 ? record : 1) /
                                                                         (i == 8 && size / record <= 17 ? size : 1));
            }
    assert_int_equal(at, count);
    assert_false(tool->invocation->together);
    tool_free(tool);
}

static void bounds_and_lists_choose_the_rows(void **state)
{
    static const struct {
        const char *line;
        size_t rows;
    } cases[] = {
        {"-a -i 1 -n 64k -g 256k", 5 + 6 + 7},
        {"-a -i 1 -n 64k -g 256k -y 8k -q 32k", 9},
        {"-a -i 1 -s 64m", 9},       /* from 64k on */
        {"-a -i 1 -s 64m -z", 13},   /* all records */
        {"-a -i 1 -s 64m -r 4k", 1}, /* what is asked for is done */
        {"-i 1 -s 64k -s 1m -r 4k -r 32k", 4},
        {"-a -i 1 -s 64k -s 1m -r 4k -r 128k", 3}, /* what does not fit is left out */
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        struct tool *tool = taken(cases[i].line);
        assert_int_equal((tool->invocation->further_count + 1) / 2, cases[i].rows); /* read and reread */
        tool_free(tool);
    }
}

static void the_mixed_test_is_two_jobs_at_the_same_time(void **state)
{
    struct tool *tool = taken("-t 3 -i 0 -i 8");
    (void)state;
    assert_true(tool->invocation->together);
    assert_int_equal(tool->invocation->further_count, 3);
    const bool *waits = tool->invocation->waits;
    assert_true(waits[0] && waits[1] && !waits[2]);
    assert_int_equal(job_at(tool, 2)->mode, MODE_RNDRD);
    assert_int_equal(job_at(tool, 2)->threads, 2);
    assert_int_equal(job_at(tool, 3)->mode, MODE_RNDWR);
    assert_int_equal(job_at(tool, 3)->threads, 1);
    assert_string_equal(job_at(tool, 3)->target, "iozone.DUMMY.1");
    tool_free(tool);
}

static void files_that_are_made_are_removed_but_with_w(void **state)
{
    struct tool *tool = taken("-i 0 -f x");
    (void)state;
    assert_true(tool->invocation->remove_made);
    assert_true(tool->invocation->settle_between);
    assert_string_equal(tool->invocation->overwrite, "x");
    tool_free(tool);
    tool = taken("-i 1 -f x -w");
    assert_false(tool->invocation->remove_made);
    assert_string_equal(tool->invocation->overwrite, "");
    tool_free(tool);
}

/* ---- the layouts ---- */

/* One run of a job whose thread i moved (share of i) of its part in ms × (i + 1) milliseconds. */
static void run(struct tool *tool, size_t index, double ms, double end_ms)
{
    const struct job *job = job_at(tool, index);
    const struct listener *listener = &tool->invocation->listener;
    struct result *result = result_make(job);
    struct error error = ERROR_INIT;
    uint64_t each = job->total_size_bytes / job->threads * job->passes;
    assert_non_null(result);
    result->measured = true;
    for (uint64_t i = 0; i < job->threads; ++i) {
        struct thread_class *of = mode_writes(job->mode) ? &result->threads[i].write : &result->threads[i].read;
        of->bytes = each;
        result->threads[i].busy_ns = (uint64_t)(ms * (double)(i + 1) * 1e6);
        result->threads[i].end_ns = (uint64_t)(end_ms * 1e6);
    }
    result->load_ns = (uint64_t)(ms * (double)job->threads * 2e6);
    result->elapsed_ns = result->load_ns + (uint64_t)(end_ms * 1e6);
    listener->run_starting(listener->context, job);
    listener->run_done(listener->context, result);
    result_free(result);
    if (index == tool->invocation->further_count)
        assert_true(listener->all_done(listener->context, &error));
}

static const char *behind_banner(const char *text)
{
    const char *at = strstr(text, "File stride size set to");
    assert_non_null(at);
    return strchr(at, '\n') + 1;
}

#define HEADING                                                                                                        \
    "                                                                random    random     bkwd    record    stride  "  \
    "                                  \n"                                                                             \
    "              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read   "   \
    "fwrite frewrite    fread  freread"

static void a_row_has_a_hole_of_its_width_for_each_test_that_was_not_run(void **state)
{
    struct tool *tool = taken("-e -I -s 100M -r 1024k -i 0 -i 2");
    (void)state;
    run(tool, 0, 200, 50);
    run(tool, 1, 250, 0);
    run(tool, 2, 500, 0);
    run(tool, 3, 250, 0);
    const char *text = tool_text(tool);
    assert_non_null(strstr(text, "\tInclude fsync in write timing\n\tO_DIRECT feature enabled\n"
                                 "\tFile size set to 102400 kB\n\tRecord Size 1024 kB\n"
                                 "\tCommand line used: iozone -e -I -s 100M -r 1024k -i 0 -i 2\n"
                                 "\tOutput is in kBytes/sec\n"));
    assert_string_equal(behind_banner(text),
                        HEADING "\n          102400    1024   409600   409600                     204800   409600"
                                "                                                               \n"
                                "\niozone test complete.\n");
    tool_free(tool);
}

static void without_e_and_c_what_comes_at_the_end_is_in_no_figure(void **state)
{
    struct tool *tool = taken("-s 1m -r 4k -i 1");
    (void)state;
    run(tool, 0, 1, 9);
    run(tool, 1, 1, 9);
    assert_non_null(strstr(tool_text(tool), "            1024       4                    1024000  1024000"));
    tool_free(tool);
}

static void pwrite_and_pread_have_columns_when_they_are_asked_for(void **state)
{
    struct tool *tool = taken("-s 1m -r 4k -i 9 -i 10");
    (void)state;
    for (size_t i = 0; i < 4; ++i)
        run(tool, i, (double)(i + 1), 0);
    char expected[1024];
    snprintf(expected, sizeof(expected), "%s   pwrite repwrite    pread  repread\n%16d%8d%117s%9d%9d%9d%9d\n%s",
             HEADING, 1024, 4, "", 1024000, 512000, 341333, 256000, "\niozone test complete.\n");
    assert_string_equal(behind_banner(tool_text(tool)), expected);
    tool_free(tool);
}

static void the_report_has_a_table_for_each_test(void **state)
{
    struct tool *tool = taken("-R -a -i 1 -s 4k -s 8k -r 4k -r 8k");
    (void)state;
    for (size_t i = 0; i < 6; ++i)
        run(tool, i, 0.01 * (double)(i + 1), 0);
    const char *report = strstr(tool_text(tool), "iozone test complete.");
    assert_non_null(report);
    assert_string_equal(report, "iozone test complete.\nExcel output is below:\n"
                                "\n\"Reader report\"\n        \"4\"  \"8\"  \n\"4\"   400000 \n"
                                "\"8\"   266666  160000 \n"
                                "\n\"Re-Reader report\"\n        \"4\"  \"8\"  \n\"4\"   200000 \n"
                                "\"8\"   200000  133333 \n");
    tool_free(tool);
}

static void throughput_mode_tells_of_children_and_parent(void **state)
{
    struct tool *tool = taken("-t 2 -s 1m -r 64k -i 1 -R");
    (void)state;
    run(tool, 0, 10, 0);
    run(tool, 1, 20, 0);
    assert_string_equal(behind_banner(tool_text(tool)),
                        "\tThroughput test with 2 processes\n"
                        "\tEach process writes a 1024 kByte file in 64 kByte records\n"
                        "\n\tChildren see throughput for  2 readers \t\t=  153600.00 kB/sec\n"
                        "\tParent sees throughput for  2 readers \t\t=   51200.00 kB/sec\n"
                        "\tMin throughput per process \t\t\t=   51200.00 kB/sec \n"
                        "\tMax throughput per process \t\t\t=  102400.00 kB/sec\n"
                        "\tAvg throughput per process \t\t\t=   76800.00 kB/sec\n"
                        "\tMin xfer \t\t\t\t\t=    1024.00 kB\n"
                        "\n\tChildren see throughput for 2 re-readers \t=   76800.00 kB/sec\n"
                        "\tParent sees throughput for 2 re-readers \t=   25600.00 kB/sec\n"
                        "\tMin throughput per process \t\t\t=   25600.00 kB/sec \n"
                        "\tMax throughput per process \t\t\t=   51200.00 kB/sec\n"
                        "\tAvg throughput per process \t\t\t=   38400.00 kB/sec\n"
                        "\tMin xfer \t\t\t\t\t=    1024.00 kB\n"
                        "\n\n\n\"Throughput report Y-axis is type of test X-axis is number of processes\"\n"
                        "\"Record size = 64 kBytes \"\n\"Output is in kBytes/sec\"\n\n"
                        "\"           Read \"  153600.00 \n\n"
                        "\"        Re-read \"   76800.00 \n\n\niozone test complete.\n");
    tool_free(tool);
}

static void a_series_that_was_cut_off_is_not_complete(void **state)
{
    struct tool *tool = taken("-s 1m -r 4k -i 1");
    struct error error = ERROR_INIT;
    (void)state;
    run(tool, 0, 1, 0);
    assert_true(tool->invocation->listener.all_done(tool->invocation->listener.context, &error));
    assert_null(strstr(tool_text(tool), "complete"));
    tool_free(tool);
}

/* ---- read back ---- */

static void read_back(struct tool *tool, struct readings *out)
{
    struct transcript transcript;
    struct error error = ERROR_INIT;
    const char *text = tool_text(tool);
    assert_true(transcript_make(&transcript, "iozone.txt", text, strlen(text), &error));
    if (!readings_find(&transcript, out, &error))
        fail_msg("%s", error.text);
    transcript_free(&transcript);
}

/* Named files are counted by their names. */
static uint64_t targets_of(const struct job *job)
{
    uint64_t count = 1;
    for (const char *at = job->target; (at = strchr(at, ',')); ++at)
        ++count;
    return count;
}

/* Each setting that the reader tells is that of the job, and each figure that of its run. */
static void check_readings(const char *line)
{
    struct tool *tool = taken(line);
    struct readings readings = {0};
    for (size_t i = 0; i <= tool->invocation->further_count; ++i)
        run(tool, i, (double)(i + 1), 0);
    read_back(tool, &readings);
    assert_int_equal(readings.count, tool->invocation->further_count + 1);
    for (size_t i = 0; i < readings.count; ++i) {
        const struct reading *reading = readings.items[i];
        const struct job *job = job_at(tool, i);
        for (size_t k = 0; k < settings_count; ++k) {
            char there[TEXT_MAX], here[TEXT_MAX];
            if (reading_provenance(reading, settings[k].name) == PROVENANCE_UNKNOWN)
                continue;
            job_get(&reading->job, &settings[k], there, sizeof(there));
            job_get(job, &settings[k], here, sizeof(here));
            if (strcmp(settings[k].name, "files") == 0)
                snprintf(here, sizeof(here), "%" PRIu64, targets_of(job));
            if (strcmp(there, here) != 0)
                fail_msg("iozone %s: %s of %s is %s, read as %s", line, settings[k].name, reading->name, here, there);
        }
        const struct figure *figure =
            reading_figure(reading, FIGURE_BYTES_PER_S, mode_writes(job->mode) ? CLASS_WRITE : CLASS_READ, 0);
        uint64_t each_bytes = job->total_size_bytes / job->threads * job->passes;
        double sum = 0;
        for (uint64_t t = 0; t < job->threads; ++t)
            sum += (double)each_bytes / ((double)(i + 1) * (double)(t + 1) / 1e3);
        assert_non_null(figure);
        assert_true(figure->value <= sum + figure->quantum && figure->value >= sum - figure->quantum);
    }
    readings_free(&readings);
    tool_free(tool);
}

static void what_is_printed_is_read_back_to_the_same_figures(void **state)
{
    (void)state;
    check_readings("-s 1m -r 4k -i 0 -i 1 -i 2 -i 3 -i 4 -i 5");
    check_readings("-s 64k -r 4k -i 0 -i 5 -i 9 -i 10 -o -I -e");
    check_readings("-a -n 64k -g 128k");
    check_readings("-s 64k -r 4k -w -j 3 -i 5");
    check_readings("-s 64k -r 4k -w -j 16 -i 5"); /* no more records than a stride has */
    check_readings("-s 65k -r 8k -i 0 -i 4 -c");  /* the last record is not whole */
    check_readings("-s 64k -r 4k -i 0 -i 1 -B");
    check_readings("-t 1 -s 64k -r 4k -i 0 -i 5 -j 3");
    check_readings("-t 2 -s 64k -r 4k -w -i 5 -j 3");
    check_readings("-t 3 -s 1m -r 4k -i 0 -i 1 -i 2 -i 3 -i 5 -i 9 -i 10");
    check_readings("-t 2 -x -c -e -s 64k -r 8k -i 0 -i 3");
}

/* ---- said again ---- */

static void jobs_say_themselves_again(void **state)
{
    static const char *const lines[] = {"-i 0 -s 512 -r 4 -f iozone.tmp",    "-i 1 -w -r 16 -s 1024 -f x",
                                        "-i 2 -w -r 4 -s 512 -I -f x",       "-i 3 -w -r 4 -s 512 -c -f x",
                                        "-i 5 -w -j 3 -r 4 -s 512 -f x",     "-i 0 -w -t 2 -r 8 -s 64 -o -e -F a b",
                                        "-i 1 -w -t 2 -x -r 8 -s 64 -F a b", "-i 0 -r 4 -s 64 -B -f x"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); ++i) {
        struct tool *tool = taken(lines[i]);
        struct command *command = calloc(1, sizeof(*command));
        struct invocation *again = calloc(1, sizeof(*again));
        struct error error = ERROR_INIT;
        if (!command || !again) {
            fail_msg("%s", "not enough memory");
            return;
        }
        assert_true(dialect_find("iozone")->write(tool->invocation, &tool->invocation->job, command, &error));
        assert_true(dialect_find("iozone")->parse(command->argc, command->argv, tool->out, again, &error));
        for (size_t k = 0; k < settings_count; ++k)
            if (!setting_equal(&tool->invocation->job, &again->job, &settings[k]))
                fail_msg("iozone %s: %s is lost", lines[i], settings[k].name);
        invocation_free(again);
        free(again);
        free(command);
        tool_free(tool);
    }
}

static void help_and_version_are_printed(void **state)
{
    struct tool *tool = tool_make("iozone", "-h", NULL);
    (void)state;
    assert_true(tool->good && tool->invocation->action == ACTION_PRINTED);
    assert_non_null(strstr(tool_text(tool), "usage: iozone"));
    tool_free(tool);
    tool = tool_make("iozone", "-v", NULL);
    assert_true(tool->good && tool->invocation->action == ACTION_PRINTED);
    tool_free(tool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_become_settings),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(auto_mode_is_every_record_in_every_file_with_every_test),
        cmocka_unit_test(bounds_and_lists_choose_the_rows),
        cmocka_unit_test(the_mixed_test_is_two_jobs_at_the_same_time),
        cmocka_unit_test(files_that_are_made_are_removed_but_with_w),
        cmocka_unit_test(a_row_has_a_hole_of_its_width_for_each_test_that_was_not_run),
        cmocka_unit_test(without_e_and_c_what_comes_at_the_end_is_in_no_figure),
        cmocka_unit_test(pwrite_and_pread_have_columns_when_they_are_asked_for),
        cmocka_unit_test(the_report_has_a_table_for_each_test),
        cmocka_unit_test(throughput_mode_tells_of_children_and_parent),
        cmocka_unit_test(a_series_that_was_cut_off_is_not_complete),
        cmocka_unit_test(what_is_printed_is_read_back_to_the_same_figures),
        cmocka_unit_test(jobs_say_themselves_again),
        cmocka_unit_test(help_and_version_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
