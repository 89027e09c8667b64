#include "platform/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void a_new_error_holds_nothing(void **state)
{
    struct error error = ERROR_INIT;
    (void)state;
    assert_int_equal(error.kind, ERR_NONE);
    assert_int_equal(error.os_code, 0);
    assert_string_equal(error.text, "");
}

static void an_error_is_kept_and_false_returned(void **state)
{
    struct error error = ERROR_INIT;
    (void)state;
    assert_false(error_set(&error, ERR_USAGE, "--threads=%d: must be %s", -1, "positive"));
    assert_int_equal(error.kind, ERR_USAGE);
    assert_int_equal(error.os_code, 0);
    assert_string_equal(error.text, "--threads=-1: must be positive");
}

static void the_first_error_wins(void **state)
{
    struct error error = ERROR_INIT;
    (void)state;
    error_set(&error, ERR_DATA, "first");
    assert_false(error_set(&error, ERR_USAGE, "second"));
    assert_false(error_set_os(&error, os_error_invalid, "third"));
    assert_int_equal(error.kind, ERR_DATA);
    assert_int_equal(error.os_code, 0);
    assert_string_equal(error.text, "first");
}

static void a_system_error_brings_the_systems_words_and_number(void **state)
{
    struct error error = ERROR_INIT;
    char words[256], expected[512], number[32];
    (void)state;
    assert_false(error_set_os(&error, os_error_no_space, "cannot write '%s'", "x.dat"));
    assert_int_equal(error.kind, ERR_SYSTEM);
    assert_int_equal(error.os_code, os_error_no_space);
    os_error_text(os_error_no_space, words, sizeof words);
    snprintf(expected, sizeof expected, "cannot write 'x.dat': %s", words);
    assert_string_equal(error.text, expected);
    snprintf(number, sizeof number, " %d)", os_error_no_space);
    assert_non_null(strstr(words, number));
    assert_true(strlen(words) > strlen(number) + 10);
}

static void a_long_sentence_is_cut_and_ended(void **state)
{
    char name[2000];
    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int os = 0; os < 2; os++) {
        struct error error = ERROR_INIT;
        if (os)
            error_set_os(&error, os_error_invalid, "'%s'", name);
        else
            error_set(&error, ERR_USAGE, "'%s'", name);
        assert_int_equal(strlen(error.text), sizeof error.text - 1);
    }
}

static void an_unknown_code_has_words_too(void **state)
{
    char words[256];
    (void)state;
    os_error_text(123456789, words, sizeof words);
    assert_non_null(strstr(words, "123456789"));
}

static void words_are_cut_to_the_room_there_is(void **state)
{
    char words[8] = "zzzzzzz";
    (void)state;
    os_error_text(os_error_invalid, words, 5);
    assert_int_equal(strlen(words), 4);
    assert_int_equal(words[5], 'z');
}

static void the_named_codes_are_three(void **state)
{
    (void)state;
    assert_true(os_error_invalid > 0 && os_error_no_space > 0 && os_error_short_transfer > 0);
    assert_true(os_error_invalid != os_error_no_space && os_error_no_space != os_error_short_transfer &&
                os_error_invalid != os_error_short_transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_error_holds_nothing),
        cmocka_unit_test(an_error_is_kept_and_false_returned),
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(a_system_error_brings_the_systems_words_and_number),
        cmocka_unit_test(a_long_sentence_is_cut_and_ended),
        cmocka_unit_test(an_unknown_code_has_words_too),
        cmocka_unit_test(words_are_cut_to_the_room_there_is),
        cmocka_unit_test(the_named_codes_are_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
