#include "checksum/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void plain_text_is_shown_and_all_else_stays_as_it_is(void **state)
{
    static const char *const rows[][2] = {
        {"", ""},
        {"1", "1"},
        {"NULL,-1.5e3,'2024-01-01'", "NULL,-1.5e3,'2024-01-01'"},
        {"_latin1 x'4162'", "'Ab'"},
        {"1,_utf8mb4 x'4162',x'2C2C',NULL", "1,'Ab',',,',NULL"},
        {"x'',_ascii x''", "'',''"},
        {"_utf16 x'00410042'", "_utf16 x'00410042'"}, /* other bytes than it shows */
        {"_utf16 x'41424142'", "_utf16 x'41424142'"}, /* no ASCII, though its bytes look so */
        {"_latin1 x'E9'", "_latin1 x'E9'"},
        {"x'00'", "x'00'"},
        {"x'0A'", "x'0A'"},
        {"x'7F'", "x'7F'"},
        {"x'27'", "x'27'"}, /* a quote */
        {"x'5C'", "x'5C'"}, /* a backslash */
        {"x'4'", "x'4'"},
        {"x'4", "x'4"},
        {"x'", "x'"},
        {"'a,b',2", "'a,b',2"},
        {",,", ",,"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *out = text_readable(rows[i][0]);
        assert_non_null(out);
        assert_string_equal(out, rows[i][1]);
        free(out);
    }
}

static void names_are_quoted(void **state)
{
    static const char *const rows[][2] = {{"a", "`a`"}, {"", "``"}, {"`", "````"}, {"a`b`", "`a``b```"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *out = text_name(rows[i][0]);
        assert_non_null(out);
        assert_string_equal(out, rows[i][1]);
        free(out);
    }
}

static void a_text_grows_and_is_used_again(void **state)
{
    struct text text = {0};
    (void)state;
    for (int i = 0; i < 1000; i++)
        text_add(&text, "%d,", i);
    assert_int_equal(text.bytes, 3890);
    assert_int_equal(strlen(text.text), 3890);
    text_clear(&text);
    text_add_literal(&text, "a'");
    assert_string_equal(text.text, "_utf8mb4 x'6127'");
    assert_false(text.failed);
    text_done(&text);
    assert_null(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_is_shown_and_all_else_stays_as_it_is),
        cmocka_unit_test(names_are_quoted),
        cmocka_unit_test(a_text_grows_and_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
