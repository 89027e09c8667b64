#include "core/settings.h"
#include "db/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void lists_are_dealt_in_turn(void **state)
{
    static const struct {
        const char *list;
        uint64_t index;
        const char *expected;
    } rows[] = {{"", 0, ""},       {"", 7, ""},       {"a", 0, "a"},       {"a", 5, "a"}, {"a,b,c", 0, "a"},
                {"a,b,c", 2, "c"}, {"a,b,c", 3, "a"}, {" a , b ", 1, "b"}, {"a,", 1, ""}, {"a,b,c", 1000001, "c"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char out[16];
        db_deal(rows[i].list, rows[i].index, out, sizeof(out));
        assert_string_equal(out, rows[i].expected);
    }
}

static void errors_to_retry_are_those_of_the_list(void **state)
{
    static const int standard[] = {1213, 1205, 0};
    static const struct {
        const char *list;
        int code;
        const char *sqlstate;
        bool expected;
    } rows[] = {{"auto", 1213, "40001", true},
                {"auto", 1205, NULL, true},
                {"auto", 1062, "23000", false},
                {"all", 1062, "23000", true},
                {"1062", 1062, NULL, true},
                {"1062", 1213, NULL, false},
                {"1213, 1062", 1062, "", true},
                {"106", 1062, NULL, false},
                {"10622", 1062, NULL, false},
                {"40P01", 0, "40P01", true},
                {"40001,40P01", 0, "40P01", true},
                {"40001", 0, "40P01", false},
                {"", 1213, "40001", false},
                {"0", 0, "", false},
                {",,", 0, "", false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct job job;
        job_init(&job);
        strcpy(job.retry_errors, rows[i].list);
        assert_int_equal(db_is_retried(&job, rows[i].code, rows[i].sqlstate, standard), rows[i].expected);
    }
}

static void a_driver_that_is_not_there_tells_how_to_get_it(void **state)
{
    struct error error = ERROR_INIT;
    (void)state;
    assert_non_null(db_driver_find("sqlite", &error));
    assert_null(db_driver_find("oracle", &error));
    assert_non_null(strstr(error.text, "oracle"));
    for (size_t i = 0; i < 2; ++i) {
        static const char *const names[] = {"mysql", "pgsql"};
        struct error missing = ERROR_INIT;
        if (!db_driver_find(names[i], &missing))
            assert_non_null(strstr(missing.text, "-DISO_"));
    }
}

static void text_is(const char *sql, const struct db_value *values, size_t count, bool backslashes,
                    const char *expected)
{
    struct db_text text = {0};
    assert_true(db_text_init(&text, sql));
    for (int round = 0; round < 2; ++round) {
        size_t bytes = db_text_fill(&text, values, count, backslashes);
        assert_int_equal(bytes, strlen(expected));
        assert_memory_equal(text.out, expected, bytes);
    }
    db_text_done(&text);
}

static void values_are_put_into_text(void **state)
{
    const struct db_value values[] = {{DB_VALUE_INT, INT64_MIN, NULL, 0}, {DB_VALUE_TEXT, 0, "it's a \\ ?", 10}, {0}};
    (void)state;
    text_is("SELECT 1", NULL, 0, true, "SELECT 1");
    text_is("INSERT INTO t VALUES (?, ?, ?)", values, 3, false,
            "INSERT INTO t VALUES (-9223372036854775808, 'it''s a \\ ?', NULL)");
    text_is("?,?,?;", values, 3, true, "-9223372036854775808,'it''s a \\\\ ?',NULL;");
    text_is("SELECT '?', \"?\", `?` -- ?\n, /* ? */ ?", values, 1, true,
            "SELECT '?', \"?\", `?` -- ?\n, /* ? */ -9223372036854775808");
}

static void places_for_values_are_counted(void **state)
{
    (void)state;
    assert_int_equal(db_count_values(""), 0);
    assert_int_equal(db_count_values("SELECT ? + ?"), 2);
    assert_int_equal(db_count_values("SELECT 'it''s ?', ?"), 1);
    assert_int_equal(db_count_values("SELECT '?"), 0);
    assert_int_equal(db_count_values("SELECT 1 -- ?"), 0);
}

static void statements_are_told_apart(void **state)
{
    static const struct {
        const char *sql;
        bool one;
    } rows[] = {{"", true},
                {"SELECT 1", true},
                {"SELECT 1;", true},
                {"SELECT 1 ; \n;", true},
                {"SELECT ';'", true},
                {"SELECT 1; SELECT 2", false},
                {"SELECT ';';x", false},
                {"SELECT 1; -- end", false},
                {"SELECT 1 -- ;\n", true},
                {"SELECT 1; /* a */ ; b", false},
                {"SELECT /* ; */ 1", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        assert_int_equal(db_is_one_statement(rows[i].sql, strlen(rows[i].sql)), rows[i].one);
}

static void failures_are_one_sentence(void **state)
{
    static const struct db_hint hints[] = {{7, NULL, "do this"}, {0, "40001", "do that"}, {0, NULL, NULL}};
    struct db_saying saying = {7, "HY000", "it went wrong\nDETAIL: more\n", hints};
    struct db_failure failure;
    (void)state;
    assert_false(db_fail(&failure, DB_CLASS_LOST, &saying, "cannot %s", "go"));
    assert_string_equal(failure.text, "cannot go: it went wrong (7, HY000): do this");
    assert_int_equal(failure.class, DB_CLASS_LOST);
    assert_int_equal(failure.code, 7);
    assert_string_equal(failure.sqlstate, "HY000");
    saying = (struct db_saying){0, "40001", "no", hints};
    char sql[200];
    memset(sql, 'x', sizeof(sql));
    assert_false(db_fail_sql(&failure, DB_CLASS_RETRY, &saying, sql, sizeof(sql)));
    assert_string_equal(strchr(failure.text, ':'), ": no (40001): do that");
    assert_true(strlen(failure.text) < 120);
}

static void a_server_is_named_with_its_port(void **state)
{
    char place[PLACE_BYTES];
    (void)state;
    db_place("db1", "3307", place);
    assert_string_equal(place, "db1:3307");
    db_place("::1", "3307", place);
    assert_string_equal(place, "[::1]:3307");
    db_place("::1", "", place);
    assert_string_equal(place, "::1");
    db_place("/run/mysqld.sock", "", place);
    assert_string_equal(place, "/run/mysqld.sock");
    db_place("", "", place);
    assert_string_equal(place, "the server");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_dealt_in_turn),
        cmocka_unit_test(errors_to_retry_are_those_of_the_list),
        cmocka_unit_test(a_driver_that_is_not_there_tells_how_to_get_it),
        cmocka_unit_test(values_are_put_into_text),
        cmocka_unit_test(places_for_values_are_counted),
        cmocka_unit_test(statements_are_told_apart),
        cmocka_unit_test(failures_are_one_sentence),
        cmocka_unit_test(a_server_is_named_with_its_port),
    };
    return cmocka_run_group_tests_name("db", tests, NULL, NULL);
}
