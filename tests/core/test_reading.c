#include "core/reading.h"

#include "core/settings.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns ---- */

static void patterns_capture_numbers_with_their_units(void **state)
{
    static const struct {
        const char *pattern, *line;
        double value, quantum;
    } rows[] = {
        {"^total time: {s}s", "    total time:                          1.0037s", 1003700000, 100000},
        {"^max: {ms}ms", "max: 18446744073709.47ms", 18446744073709470000.0, 10000},
        {"^{n}$", "  1234567  ", 1234567, 1},
        {"^{n}$", "1,234,567", 1234567, 1},
        {"^{n} k", "3.27 k", 3.27, 0.01},
        {"^{n}$", "1.5e3", 1500, 100},
        {"^{n}$", "-7", -7, 1},
        {"^{us}us", "12.5us", 12500, 100},
        {"^{MiB}MB", "59.92MB", 59.92 * 0x1p20, 0.01 * 0x1p20},
        {"^{MB} MB", "2 MB", 2e6, 1e6},
        {"^{kB} kB", "2.5 kB", 2500, 100},
        {"^{size} each", "24Mb each", 24 * 0x1p20, 0x1p20},
        {"^{size} each", "16 KiB each", 16384, 1024},
        {"^{size} each", "512 each", 512, 1},
        {"^{size}$", "9.0052Gb", 9.0052 * 0x1p30, 1e-4 * 0x1p30},
        {"^{time}$", "3.5ms", 3500000, 100000},
        {"^{time}$", "12us", 12000, 1000},
        {"^{time}$", "2", 2e9, 1e9},
        {"reads: {n}", "Timing cached reads: 5", 5, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct captured out[LINE_CAPTURES];
        size_t count = 0;
        if (!line_match(rows[i].pattern, rows[i].line, out, &count) || count != 1)
            fail_msg("%s does not match %s", rows[i].pattern, rows[i].line);
        if (fabs(out[0].value - rows[i].value) > 1e-9 * fabs(rows[i].value) ||
            fabs(out[0].quantum - rows[i].quantum) > 1e-9 * rows[i].quantum)
            fail_msg("%s in %s: %.17g, %.17g", rows[i].pattern, rows[i].line, out[0].value, out[0].quantum);
    }
}

static void what_is_no_number_does_not_match(void **state)
{
    static const char *const rows[][2] = {
        {"^{n}$", "inf"},
        {"^{n}$", "nan"},
        {"^{n}$", ""},
        {"^{n}$", "-"},
        {"^{n}$", "1 2"},
        {"^IOPS={n}", "IOPS=17,3k"},
        {"^IOPS={n}", "IOPS=1.003.835"},
        {"^IOPS={n}", "IOPS=3'835"},
        {"{n}th=[ {n}]", "99,5th=[ 141]"},
        {"^{n}$", "x1"},
        {"^{n}$", "0x10"},
        {"^a b", "ab c d"},
        {"^Total: {n}$", "Sub Total: 1"},
        {"^{text}$", ""},
        {"^min: {ms}ms", "min: 5s"},
        {"^{n} of {n}", "1 of"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct captured out[LINE_CAPTURES];
        if (line_match(rows[i][0], rows[i][1], out, NULL) && strcmp(rows[i][0], "^a b") != 0)
            fail_msg("%s matches %s", rows[i][0], rows[i][1]);
    }
}

static void text_goes_to_what_follows_in_the_pattern(void **state)
{
    struct captured out[LINE_CAPTURES];
    size_t count;
    (void)state;
    assert_true(
        line_match("^{n} threads reading from file {text}$", "8 threads reading from file C:\\a b.dat", out, &count));
    assert_int_equal(count, 2);
    assert_int_equal(out[1].length, 10);
    assert_memory_equal(out[1].at, "C:\\a b.dat", 10);
    assert_true(line_match("^--- {text} ({text}) end", "--- a (b) (c) end", out, &count));
    assert_int_equal(out[0].length, 1); /* as little as it can be */
    assert_memory_equal(out[1].at, "b) (c)", 6);
}

/* ---- readings ---- */

static struct reading *make_reading(struct readings *readings)
{
    struct error error = ERROR_INIT;
    struct transcript transcript = {.name = "a.txt"};
    struct reading *reading = readings_add(readings, "tool", &transcript, 41, &error);
    assert_non_null(reading);
    return reading;
}

static void rules_state_settings_and_collect_figures(void **state)
{
    static const struct line_rule rules[] = {
        {"^{n} threads of {size}, {s} s",
         {TO_SETTING("threads"), TO_SETTING("block_size"), TO_SETTING("time")},
         {{"cache", "off"}}},
        {"^{n} per second, 99th {ms} ms", {TO_FIGURE(FIGURE_PER_S, OP_ALL), TO_PERCENTILE(99, OP_ALL)}, {{NULL, NULL}}},
    };
    struct readings readings = {0};
    struct reading *reading = make_reading(&readings);
    (void)state;
    assert_string_equal(reading->source, "a.txt:42");
    assert_int_equal(reading_provenance(reading, "threads"), PROVENANCE_UNKNOWN);
    assert_true(reading_apply(reading, rules, COUNT_OF(rules), "8 threads of 4K, 2.5 s", 7));
    assert_true(reading_apply(reading, rules, COUNT_OF(rules), "1000.5 per second, 99th 3.25 ms", 8));
    assert_false(reading_apply(reading, rules, COUNT_OF(rules), "something else", 9));
    assert_int_equal(reading->job.threads, 8);
    assert_int_equal(reading->job.block_size_bytes, 4096);
    assert_int_equal(reading->job.time_ns, 2500000000);
    assert_int_equal(reading->job.cache, OS_CACHE_OFF);
    assert_int_equal(reading_provenance(reading, "cache"), PROVENANCE_STATED);
    const struct figure *rate = reading_figure(reading, FIGURE_PER_S, OP_ALL, 0),
                        *p99 = reading_figure(reading, FIGURE_PERCENTILE_NS, OP_ALL, 99);
    assert_non_null(rate);
    assert_non_null(p99);
    assert_true(rate->value == 1000.5 && rate->line == 9);
    assert_true(p99->value == 3250000 && p99->quantum == 10000);
    assert_string_equal(p99->text, "3.25");
    assert_null(reading_figure(reading, FIGURE_PERCENTILE_NS, OP_ALL, 95));
    readings_free(&readings);
}

static void what_is_stated_outweighs_defaults_and_commands(void **state)
{
    struct readings readings = {0};
    struct reading *reading = make_reading(&readings);
    struct job standard, job;
    (void)state;
    job_init(&standard);
    job = standard;
    job.threads = 4;
    job.depth = 16;
    reading_state(reading, "threads", "8");
    reading_suppose(reading, "threads", "2");
    reading_suppose(reading, "cache", "off");
    reading_take_job(reading, &job, &standard);
    assert_int_equal(reading->job.threads, 8);
    assert_int_equal(reading->job.depth, 16);
    assert_int_equal(reading_provenance(reading, "depth"), PROVENANCE_STATED);
    assert_int_equal(reading_provenance(reading, "cache"), PROVENANCE_DEFAULT);
    assert_int_equal(reading->job.cache, OS_CACHE_ON); /* the command line's default, which is better known */
    readings_free(&readings);
}

static void a_value_that_is_none_becomes_a_note(void **state)
{
    struct readings readings = {0};
    struct reading *reading = make_reading(&readings);
    (void)state;
    reading_state(reading, "threads", "0");
    assert_int_equal(reading->notes_count, 1);
    assert_int_equal(reading_provenance(reading, "threads"), PROVENANCE_UNKNOWN);
    for (int i = 0; i < 10; i++)
        reading_note(reading, "%d", i);
    assert_int_equal(reading->notes_count, COUNT_OF(reading->notes));
    readings_free(&readings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_capture_numbers_with_their_units),
        cmocka_unit_test(what_is_no_number_does_not_match),
        cmocka_unit_test(text_goes_to_what_follows_in_the_pattern),
        cmocka_unit_test(rules_state_settings_and_collect_figures),
        cmocka_unit_test(what_is_stated_outweighs_defaults_and_commands),
        cmocka_unit_test(a_value_that_is_none_becomes_a_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
