#include "core/markup.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

static void text_is_never_markup(void **state)
{
    static const struct {
        const char *text, *escaped;
    } rows[] = {
        {"", ""},
        {"plain", "plain"},
        {"<script>alert('1')</script>", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"},
        {"a & b \"c\"", "a &amp; b &quot;c&quot;"},
        {"&lt;", "&amp;lt;"},
        {"caf\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x98\x80"},
        {"a\tb\nc\x01\x7F", "a b c  "},
        {"\xC2\x85", " "},                     /* a control character of two bytes */
        {"\xFFx", REPLACEMENT "x"},            /* no UTF-8 */
        {"\xC3", REPLACEMENT},                 /* cut off */
        {"\xE2\x86", REPLACEMENT REPLACEMENT}, /* … */
        {"\xC0\xBC", REPLACEMENT REPLACEMENT}, /* '<' in too many bytes */
        {"\xE0\x80\xBC", REPLACEMENT REPLACEMENT REPLACEMENT},
        {"\xED\xA0\x80", REPLACEMENT REPLACEMENT REPLACEMENT}, /* half of a pair of UTF-16 */
        {"\xE2\x80\xAEtxt.exe", REPLACEMENT "txt.exe"},        /* turns the direction of writing */
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct markup markup = {0};
        markup_text(&markup, rows[i].text);
        char *text = markup_finish(&markup);
        assert_string_equal(text, rows[i].escaped);
        free(text);
    }
}

static void what_is_added_stands_in_order_and_is_whole(void **state)
{
    struct markup markup = {0};
    size_t expected = 0;
    (void)state;
    for (int i = 0; i < 5000; i++) {
        markup_add(&markup, "<b>");
        markup_printf(&markup, "%04d", i);
        markup_text(&markup, "<");
        expected += strlen("<b>") + 4 + strlen("&lt;");
    }
    char *text = markup_finish(&markup);
    assert_int_equal(strlen(text), expected);
    assert_memory_equal(text, "<b>0000&lt;<b>0001", 17);
    assert_string_equal(text + expected - 11, "<b>4999&lt;");
    assert_null(markup.text);
    free(text);
}

static void longer_than_any_buffer_is_not_cut(void **state)
{
    struct markup markup = {0};
    char *long_text = malloc(100001);
    (void)state;
    assert_non_null(long_text);
    memset(long_text, 'x', 100000);
    long_text[100000] = '\0';
    markup_printf(&markup, "[%s]", long_text);
    char *text = markup_finish(&markup);
    assert_int_equal(strlen(text), 100002);
    free(text);
    free(long_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_never_markup),
        cmocka_unit_test(what_is_added_stands_in_order_and_is_whole),
        cmocka_unit_test(longer_than_any_buffer_is_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
