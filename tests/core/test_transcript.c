#include "core/transcript.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct transcript make(const char *data, size_t bytes)
{
    struct transcript transcript;
    struct error error = ERROR_INIT;
    if (!transcript_make(&transcript, "x.txt", data, bytes, &error))
        fail_msg("%s", error.text);
    return transcript;
}

static void every_form_of_text_becomes_the_same_lines(void **state)
{
    static const struct {
        const char *name, *data;
        size_t bytes;
    } rows[] = {
        {"plain", "one --two\n\"three\"", 17},
        {"windows", "one --two\r\n\"three\"\r\n", 20},
        {"old mac", "one --two\r\"three\"", 17},
        {"blanks at the end", "one --two  \t\n\"three\" ", 22},
        {"en dash", "one \xE2\x80\x93two\n\"three\"", 19},
        {"em dash", "one \xE2\x80\x94two\n\"three\"", 19},
        {"curly quotes", "one --two\n\xE2\x80\x9Cthree\xE2\x80\x9D", 21},
        {"entities", "one &#8211;two\n&quot;three&quot;", 32},
        {"fixed blank", "one\xC2\xA0--two\n\"three\"", 18},
        {"colours", "\x1B[1;31mone\x1B[0m --two\n\"three\"", 28},
        {"title", "\x1B]0;shell\aone --two\n\"three\"", 27},
        {"mark", "\xEF\xBB\xBFone --two\n\"three\"", 20},
        {"UTF-16 little", "\xFF\xFEo\0n\0e\0 \0-\0-\0t\0w\0o\0\r\0\n\0\"\0t\0h\0r\0e\0e\0\"\0", 38},
        {"UTF-16 big", "\xFE\xFF\0o\0n\0e\0 \0-\0-\0t\0w\0o\0\n\0\"\0t\0h\0r\0e\0e\0\"", 36},
        {"UTF-16 without a mark", "o\0n\0e\0 \0-\0-\0t\0w\0o\0\n\0\"\0t\0h\0r\0e\0e\0\"\0", 34},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct transcript transcript = make(rows[i].data, rows[i].bytes);
        if (transcript.count < 2 || strcmp(transcript.lines[0], "one --two") != 0 ||
            strcmp(transcript.lines[1], "\"three\"") != 0)
            fail_msg("%s: [%s] [%s]", rows[i].name, transcript.lines[0],
                     transcript.count > 1 ? transcript.lines[1] : "");
        transcript_free(&transcript);
    }
}

static void numbers_are_written_as_tools_print_them(void **state)
{
    static const struct {
        const char *text, *first;
    } rows[] = {
        {"IOs/sec: 3.835,39", "IOs/sec: 3835.39"},
        {"IOs/sec: 3'835.39", "IOs/sec: 3835.39"},
        {"IOs/sec: 3 835.39", "IOs/sec: 3835.39"},
        {"IOs/sec: 3 835,39", "IOs/sec: 3835.39"},
        {"IOs/sec: 1.003.835,3", "IOs/sec: 1003835.3"},
        {"IOs/sec: 421,88", "IOs/sec: 421.88"},
        {"IOs/sec: 3,835.39", "IOs/sec: 3,835.39"}, /* line_match takes it */
        {"max 9,712\navg 0,002", "max 9.712"},
        {"max 9.712\navg 0,02", "max 9712"},
        {"max 9,712\navg 0.002", "max 9,712"},
        {"max 9,712\n\navg 0.002\nmin 0,002", "max 9,712"},
        {"max 9,712", "max 9,712"},
        {"max 9.712", "max 9.712"},
        {"sysbench 1.0.20 on 10.0.0.1", "sysbench 1.0.20 on 10.0.0.1"},
        {"issued rwts: total=39516,588,0,0 short=0,0,0,0", "issued rwts: total=39516,588,0,0 short=0,0,0,0"},
        {"fio --percentile_list=50,9 -R 1,5", "fio --percentile_list=50,9 -R 1,5"},
        {"{\"cpus\": [0,2]}", "{\"cpus\": [0,2]}"},
        {"%:100  0  0 12", "%:100  0  0 12"},
        {"1.5.SG, v1,5", "1.5.SG, v1,5"},
        {"512 128 7", "512 128 7"},
        {"512 128", "512 128"},
        {"number of events:   28 702", "number of events:   28702"},
        {"events: 1 028 702", "events: 1028702"},
        {"ms: 0  1  2 100", "ms: 0  1  2 100"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct transcript transcript = make(rows[i].text, strlen(rows[i].text));
        if (strcmp(transcript.lines[0], rows[i].first) != 0)
            fail_msg("%s: [%s] and not [%s]", rows[i].text, transcript.lines[0], rows[i].first);
        transcript_free(&transcript);
    }
}

static void a_dash_that_begins_no_option_is_one(void **state)
{
    static const char text[] = "3\xE2\x80\x93"
                               "5 and a \xE2\x80\x93 b \xE2\x80\x93"
                               "2";
    struct transcript transcript = make(text, strlen(text));
    (void)state;
    assert_string_equal(transcript.lines[0], "3-5 and a - b -2");
    transcript_free(&transcript);
}

static void nothing_and_half_a_character_are_text_too(void **state)
{
    static const struct {
        const char *data;
        size_t bytes;
    } rows[] = {{"", 0},      {"\xFF\xFE", 2},   {"\xFF\xFEx", 3}, {"\x1B", 1},
                {"\x1B[", 2}, {"\0\0\0\0\0", 5}, {"\xE2\x80", 2}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct transcript transcript = make(rows[i].data, rows[i].bytes);
        assert_true(transcript.count >= 1);
        transcript_free(&transcript);
    }
}

/* ---- command lines ---- */

static void commands_are_found_behind_prompts_and_over_lines(void **state)
{
    static const struct {
        const char *text, *program, *needed, *words;
        size_t last;
    } rows[] = {
        {"$ sysbench --test=fileio run", "sysbench", "run", "--test=fileio run", 0},
        {"C:\\x>sqlio.exe -kR f", "sqlio", NULL, "-kR f", 0},
        {"/opt/sysbench-0.4/sysbench --max-time=3 run", "sysbench", "run", "--max-time=3 run", 0},
        {"sysbench --a=1 \\\n  --b=2 run\nout", "sysbench", "run", "--a=1    --b=2 run", 1},
        {"C:MessAroundsysbench-0.4.12sysbench-0.4.12sysbenchRelWithDebInfo>sysbench.e\n"
         "xe \xE2\x80\x93test=fileio \xE2\x80\x93"
         "file-total-size=3G run",
         "sysbench", "run", "--test=fileio --file-total-size=3G run", 1},
        {"sysbench 0.4: multi-threaded", "sysbench", "run", NULL, 0},
        {"mysysbench run", "sysbench", "run", "run", 0},
        {"sysbench", "sysbench", "run", NULL, 0},
        {"sysbench runs", "sysbench", "run", NULL, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct transcript transcript = make(rows[i].text, strlen(rows[i].text));
        char out[256];
        size_t last = 99;
        bool found = transcript_command(&transcript, 0, rows[i].program, rows[i].needed, out, sizeof out, &last);
        if (found != (rows[i].words != NULL) || (found && (strcmp(out, rows[i].words) != 0 || last != rows[i].last)))
            fail_msg("%s: [%s] %u", rows[i].text, found ? out : "none", (unsigned)last);
        transcript_free(&transcript);
    }
}

static void a_command_is_split_as_a_shell_does(void **state)
{
    char text[] = "-a \"b c\"  'd \"e' f\"g\"h | tee x";
    char *words[8];
    (void)state;
    assert_int_equal(transcript_split(text, words, 8), 4);
    assert_string_equal(words[0], "-a");
    assert_string_equal(words[1], "b c");
    assert_string_equal(words[2], "d \"e");
    assert_string_equal(words[3], "fgh");
    char redirected[] = "run>out.txt", many[] = "a b c";
    assert_int_equal(transcript_split(redirected, words, 8), 1);
    assert_string_equal(words[0], "run");
    assert_int_equal(transcript_split(many, words, 2), 2);
    assert_string_equal(words[1], "b");
}

static void lines_of_the_widest_width_go_on_in_the_next(void **state)
{
    char wide[81] = "", text[400];
    size_t *origins;
    struct transcript joined, transcript;
    (void)state;
    memset(wide, 'x', 80);
    snprintf(text, sizeof text, "first\n%s\n%s\nend\nlast", wide, wide);
    transcript = make(text, strlen(text));
    assert_true(transcript_unwrap(&transcript, &joined, &origins));
    assert_int_equal(joined.count, 4); /* the text ends in a line feed */
    assert_string_equal(joined.lines[0], "first");
    assert_int_equal(strlen(joined.lines[1]), 163);
    assert_string_equal(joined.lines[2], "last");
    assert_int_equal(origins[1], 1);
    assert_int_equal(origins[2], 4);
    transcript_free(&joined);
    free(origins);
    transcript_free(&transcript);
    transcript = make("narrow\n", 7);
    assert_false(transcript_unwrap(&transcript, &joined, &origins));
    assert_null(origins);
    transcript_free(&transcript);
}

static void json_is_found_among_other_text(void **state)
{
    static const char text[] = "$ cat a {x}\n{\"key\": \"}\\\"{\"}\n$ cat b\n {\"other\": {\n}}\n{\"key\": [{}\n";
    struct transcript transcript = make(text, strlen(text));
    struct transcript_object object = {0};
    (void)state;
    assert_true(transcript_next_object(&transcript, "\"key\"", &object));
    assert_int_equal(object.line, 1);
    assert_int_equal(object.bytes, strlen("{\"key\": \"}\\\"{\"}"));
    assert_true(transcript_next_object(&transcript, "\"key\"", &object));
    assert_int_equal(object.line, 5);
    assert_string_equal(object.at, "{\"key\": [{}\n"); /* without its end: all that is left */
    assert_int_equal(object.bytes, strlen(object.at));
    assert_false(transcript_next_object(&transcript, "\"key\"", &object));
    transcript_free(&transcript);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_text_becomes_the_same_lines),
        cmocka_unit_test(numbers_are_written_as_tools_print_them),
        cmocka_unit_test(a_dash_that_begins_no_option_is_one),
        cmocka_unit_test(nothing_and_half_a_character_are_text_too),
        cmocka_unit_test(commands_are_found_behind_prompts_and_over_lines),
        cmocka_unit_test(a_command_is_split_as_a_shell_does),
        cmocka_unit_test(lines_of_the_widest_width_go_on_in_the_next),
        cmocka_unit_test(json_is_found_among_other_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
