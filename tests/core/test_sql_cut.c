#include "core/sql_cut.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define STATEMENTS_MOST 6

static void texts_are_cut_outside_of_quotes_and_comments(void **state)
{
    static const struct {
        const char *delimiter;
        bool mysql;
        const char *text;
        const char *statements[STATEMENTS_MOST];
    } rows[] = {
        {";", true, "select 1; select 2 ;", {"select 1", "select 2"}},
        {";", true, "", {NULL}},
        {";", true, " ;\n;; ", {NULL}},
        {";", true, "select ';', \"a;b\", `c;d`; x", {"select ';', \"a;b\", `c;d`", "x"}},
        {";", true, "select 'it''s;'; x", {"select 'it''s;'", "x"}},
        {";", true, "select 'it\\'s;'; x", {"select 'it\\'s;'", "x"}},
        {";", false, "select 'C:\\'; x", {"select 'C:\\'", "x"}},
        {";", true, "select `a\\`; x", {"select `a\\`", "x"}},
        {";",
         true,
         "-- one; two\nselect 1; # three; four\nselect 2",
         {"-- one; two\nselect 1", "# three; four\nselect 2"}},
        {";", true, "select 5--1; x", {"select 5--1", "x"}},
        {";", false, "select 5 --1; x\n; y", {"select 5 --1; x", "y"}},
        {";", false, "select 5 # 1; x", {"select 5 # 1", "x"}},
        {";", true, "/* a; b */ select 1; /* only; a comment */; -- and one more", {"/* a; b */ select 1"}},
        {";", true, "/*!40101 SET x=1 */; /*M!100100 SET y=1 */;", {"/*!40101 SET x=1 */", "/*M!100100 SET y=1 */"}},
        {";", true, "'text alone'; \"x\"", {"'text alone'", "\"x\""}},
        {"\n", true, "select 1\r\nselect 2;\n\n  \n", {"select 1", "select 2;"}},
        {"\n", true, "-- a comment\nselect 1", {"select 1"}},
        {"//", true, "begin x; y; end // z/2", {"begin x; y; end", "z/2"}},
        {";", true, "select 'never closed; x", {"select 'never closed; x"}},
        {";", true, "select /* never closed; x", {"select /* never closed; x"}},
        {";", true, "select 'a\\", {"select 'a\\"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const struct sql_rules rules = {rows[i].delimiter, rows[i].mysql};
        const char *at = rows[i].text;
        struct sql_span span;
        size_t count = 0;
        for (; sql_cut_next(&at, &rules, &span); ++count) {
            const char *wanted = count < STATEMENTS_MOST ? rows[i].statements[count] : NULL;
            if (!wanted || strlen(wanted) != span.bytes || memcmp(wanted, span.text, span.bytes) != 0)
                fail_msg("\"%s\": statement %d is \"%.*s\", not \"%s\"", rows[i].text, (int)count + 1, (int)span.bytes,
                         span.text, wanted ? wanted : "(none)");
        }
        if (count < STATEMENTS_MOST && rows[i].statements[count])
            fail_msg("\"%s\": there are only %d statements", rows[i].text, (int)count);
        assert_string_equal(at, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_cut_outside_of_quotes_and_comments)};
    return cmocka_run_group_tests_name("sql_cut", tests, NULL, NULL);
}
