#include "load/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void scan(struct rows *rows, const struct rows_source *source)
{
    struct error error = ERROR_INIT;
    struct stop stop = {.stopping = false};
    assert_true(watch_make(&stop.watch, &error));
    if (!rows_scan(rows, source, &stop, &error))
        fail_msg("%s", error.text);
    watch_free(stop.watch);
}

/* The rows from first to last − 1, added to `sum`. */
static void add_rows(const struct rows *rows, uint64_t first, uint64_t last, struct form_sum *sum)
{
    struct error error = ERROR_INIT;
    struct rows_cursor cursor;
    char buffer[4096];
    bool end = false;
    assert_true(rows_cursor_open(&cursor, rows, &error));
    assert_true(rows_cursor_seek(&cursor, first, &error));
    while (cursor.next < last) {
        assert_true(rows_cursor_next(&cursor, &end, &error));
        assert_false(end);
        assert_true(form_room(cursor.values, rows->columns_count) <= sizeof(buffer));
        form_add(sum, cursor.values, rows->columns_count, false, buffer);
    }
    rows_cursor_close(&cursor);
}

static void parts_make_all_rows_once(const struct rows *rows)
{
    static const uint64_t parts[] = {1, 2, 3, 7};
    uint64_t count = rows->sum.rows;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        struct form_sum sum = {0, 0, 0};
        for (uint64_t part = parts[i]; part-- > 0;) /* in another order than they stand */
            add_rows(rows, count * part / parts[i], count * (part + 1) / parts[i], &sum);
        assert_true(form_same(&sum, &rows->sum));
    }
}

static void generated_rows_depend_on_the_seed_alone(void **state)
{
    struct rows rows, again, other;
    (void)state;
    scan(&rows, &(struct rows_source){.count = 3000, .seed = 5});
    scan(&again, &(struct rows_source){.count = 3000, .seed = 5});
    scan(&other, &(struct rows_source){.count = 3000, .seed = 6});
    assert_int_equal(rows.sum.rows, 3000);
    assert_true(form_same(&rows.sum, &again.sum));
    assert_int_equal(rows.bytes, again.bytes);
    assert_false(form_same(&rows.sum, &other.sum));
    parts_make_all_rows_once(&rows);
    rows_done(&rows);
    rows_done(&again);
    rows_done(&other);
}

/* The same on every system: a row that a user may look for. */
static void a_generated_row_is_what_it_always_was(void **state)
{
    struct rows rows;
    struct error error = ERROR_INIT;
    struct rows_cursor cursor;
    bool end = false;
    (void)state;
    scan(&rows, &(struct rows_source){.count = 1000, .seed = 1});
    assert_true(rows_cursor_open(&cursor, &rows, &error));
    assert_true(rows_cursor_seek(&cursor, 999, &error));
    assert_true(rows_cursor_next(&cursor, &end, &error));
    assert_int_equal(cursor.values[0].number, 1000);
    assert_in_range(cursor.values[1].number, 1, 1000);
    assert_int_equal(cursor.values[2].text_bytes, 119);
    assert_int_equal(cursor.values[3].text_bytes, 59);
    char text[12] = "";
    memcpy(text, cursor.values[2].text, 11);
    assert_string_equal(text, "19054270379");
    assert_true(rows_cursor_next(&cursor, &end, &error));
    assert_true(end);
    rows_cursor_close(&cursor);
    rows_done(&rows);
}

static const char *write_file(const char *text, size_t bytes)
{
    FILE *file = fopen("rows.csv", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    return "rows.csv";
}

static void a_file_can_be_read_from_any_row(void **state)
{
    size_t room = 1 << 20, used = 0;
    char *text = malloc(room);
    struct rows rows;
    (void)state;
    for (int i = 0; i < 9000; i++)
        used += (size_t)snprintf(text + used, room - used, "%d,\"a\n%d\",%*s\r\n", i, i % 10, i % 50, "x");
    write_file(text, used);
    scan(&rows, &(struct rows_source){.path = "rows.csv", .form = {',', false, NULL}});
    assert_int_equal(rows.sum.rows, 9000);
    assert_int_equal(rows.columns_count, 3);
    assert_true(rows.columns[0].is_integer);
    assert_false(rows.columns[1].is_integer);
    assert_int_equal(rows.columns[2].characters, 49);
    parts_make_all_rows_once(&rows);
    rows_done(&rows);
    free(text);
}

static void a_long_row_makes_its_own_room(void **state)
{
    static const char first[] = {'1', ',', '2', '\n'}, last[] = {',', '1', '\n'};
    size_t bytes = (size_t)3 << 19;
    char *text = malloc(bytes);
    struct rows rows;
    (void)state;
    memset(text, 'x', bytes);
    memcpy(text, first, sizeof first);
    memcpy(text + bytes - sizeof last, last, sizeof last);
    write_file(text, bytes);
    scan(&rows, &(struct rows_source){.path = "rows.csv", .form = {',', false, NULL}});
    assert_int_equal(rows.sum.rows, 2);
    assert_int_equal(rows.bytes, bytes);
    assert_int_equal(rows.columns[0].characters, bytes - 7);
    rows_done(&rows);
    free(text);
}

static void whole_numbers_are_those_that_read_the_same_again(void **state)
{
    static const struct {
        const char *text;
        bool is_integer;
    } files[] = {{"1\n-2\n9223372036854775807\n-9223372036854775808\n0\n", true},
                 {"1\n\\N\n", true},
                 {"\\N\n\\N\n", false},
                 {"1\n02\n", false},
                 {"1\n+2\n", false},
                 {"1\n-0\n", false},
                 {"1\n\n2\n", false},
                 {"1\n9223372036854775808\n", false},
                 {"1\n2.0\n", false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct rows rows;
        write_file(files[i].text, strlen(files[i].text));
        scan(&rows, &(struct rows_source){.path = "rows.csv", .form = {',', false, "\\N"}});
        if (rows.columns[0].is_integer != files[i].is_integer)
            fail_msg("%s", files[i].text);
        assert_int_equal(rows.bytes, strlen(files[i].text));
        rows_done(&rows);
    }
}

/* ---- forms ---- */

static struct db_value text_of(const char *text)
{
    return (struct db_value){DB_VALUE_TEXT, 0, text, strlen(text)};
}

static void a_row_is_written_as_each_way_wants_it(void **state)
{
    const struct db_value row[] = {
        {DB_VALUE_INT, -7, NULL, 0}, text_of("a\tb\nc\\d\r'\";"), {.type = DB_VALUE_NULL}, text_of("")};
    char out[256];
    (void)state;
    size_t bytes = form_stream(row, 4, out);
    out[bytes] = '\0';
    assert_string_equal(out, "-7\ta\\tb\\nc\\\\d\\r'\";\t\\N\t\n");
    assert_int_equal(form_stream_bytes(row, 4), bytes);
    assert_true(form_room(row, 4) >= bytes);
    bytes = form_literals(row, 4, out);
    out[bytes] = '\0';
    assert_string_equal(out, "(-7,'a\tb\nc\\d\r''\";',NULL,'')");
    assert_true(form_room(row, 4) >= bytes);
}

static bool same(const struct db_value *a, const struct db_value *b, size_t count, bool loose)
{
    struct form_sum first = {0, 0, 0}, second = {0, 0, 0};
    char buffer[512];
    form_add(&first, a, count, loose, buffer);
    form_add(&second, b, count, loose, buffer);
    return form_same(&first, &second);
}

static void the_checksum_sees_every_difference(void **state)
{
    const struct db_value ab_c[] = {text_of("ab"), text_of("c")}, a_bc[] = {text_of("a"), text_of("bc")},
                          empty[] = {text_of("")}, null[] = {{.type = DB_VALUE_NULL}};
    struct form_sum once = {0, 0, 0}, twice = {0, 0, 0}, other = {0, 0, 0};
    char buffer[512];
    (void)state;
    assert_false(same(ab_c, a_bc, 2, false));
    assert_false(same(empty, null, 1, false));
    form_add(&once, ab_c, 2, false, buffer);
    form_add(&twice, ab_c, 2, false, buffer);
    form_add(&twice, ab_c, 2, false, buffer);
    form_add(&other, ab_c, 2, false, buffer);
    form_add(&other, a_bc, 2, false, buffer);
    assert_false(form_same(&once, &twice));
    assert_false(form_same(&twice, &other)); /* a pair that is there twice does not cancel out */
}

static void loosely_numbers_count_by_their_value(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {{"1.50", "1.5", true},    {"007", "7", true},     {"+3", "3", true},   {"-0.00", "0", true},
                 {".5", "0.500", true},    {"5.", "5", true},      {"-01", "-1", true}, {"1", "-1", false},
                 {"10", "1", false},       {"1.5", "1.05", false}, {"-", "0", false},   {".", "0", false},
                 {"1.5x", "1.50x", false}, {"", "0", false},       {"0", "00.0", true}, {"100", "100.0", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        const struct db_value a = text_of(pairs[i].a), b = text_of(pairs[i].b);
        if (same(&a, &b, 1, true) != pairs[i].same)
            fail_msg("%s and %s", pairs[i].a, pairs[i].b);
        assert_false(same(&a, &b, 1, false));
    }
    const struct db_value number = {DB_VALUE_INT, 42, NULL, 0}, text = text_of("42");
    assert_true(same(&number, &text, 1, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_rows_depend_on_the_seed_alone),
        cmocka_unit_test(a_generated_row_is_what_it_always_was),
        cmocka_unit_test(a_file_can_be_read_from_any_row),
        cmocka_unit_test(a_long_row_makes_its_own_room),
        cmocka_unit_test(whole_numbers_are_those_that_read_the_same_again),
        cmocka_unit_test(a_row_is_written_as_each_way_wants_it),
        cmocka_unit_test(the_checksum_sees_every_difference),
        cmocka_unit_test(loosely_numbers_count_by_their_value),
    };
    return cmocka_run_group_tests_name("load_rows", tests, NULL, NULL);
}
