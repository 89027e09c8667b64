#include "load/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct csv_form csv = {',', false, "\\N"}, blank = {',', false, ""}, tsv = {'\t', true, NULL};

/* Values with | between and ^ for NULL. */
static void show(const struct csv_record *record, char *out)
{
    *out = '\0';
    for (size_t i = 0; i < record->count; i++) {
        strcat(out, i ? "|" : "");
        if (record->values[i].type == DB_VALUE_NULL)
            strcat(out, "^");
        else
            strncat(out, record->values[i].text, record->values[i].text_bytes);
    }
}

static const struct {
    const struct csv_form *form;
    const char *text, *shown;
    size_t left; /* bytes behind the record */
    uint64_t lines;
} records[] = {
    {&csv, "a,b\nc", "a|b", 1, 1},
    {&csv, "a,b\r\nc", "a|b", 1, 1},
    {&csv, "a,b", "a|b", 0, 0},
    {&csv, "a,", "a|", 0, 0},
    {&csv, ",\n", "|", 0, 1},
    {&csv, "\nx", "", 1, 1},
    {&csv, "\"a,b\",\"c \"\"d\"\"\"\n", "a,b|c \"d\"", 0, 1},
    {&csv, "\"two\nlines\r\n\",x\ny", "two\nlines\r\n|x", 1, 3},
    {&csv, "\\N,\"\\N\",\\n\n", "^|\\N|\\n", 0, 1},
    {&csv, "a\rb\n", "a\rb", 0, 1},
    {&csv, "a\r", "a\r", 0, 0},
    {&blank, "a,,\"\",", "a|^||^", 0, 0},
    {&tsv, "a\tb c\n", "a|b c", 0, 1},
    {&tsv, "a\\tb\\\\\\n\t\\N\t\\Nx\r\n", "a\tb\\\n|^|Nx", 0, 1},
    {&tsv, "\"a\"\t\t'\n", "\"a\"||'", 0, 1},
    {&tsv, "a\\\nb\n", "a\nb", 0, 2},
};

static void records_are_taken_as_they_are_meant(void **state)
{
    char shown[64];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        struct csv_record record = {.text = NULL};
        size_t bytes = strlen(records[i].text);
        if (csv_take(records[i].form, records[i].text, bytes, true, &record) != CSV_ROW)
            fail_msg("%s: %s", records[i].text, record.fault);
        show(&record, shown);
        assert_string_equal(shown, records[i].shown);
        assert_int_equal(bytes - record.taken, records[i].left);
        assert_int_equal(record.lines, records[i].lines);
        csv_done(&record);
    }
}

/* Whatever the bytes at hand, a record is given whole or not at all. */
static void a_record_that_is_cut_wants_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        size_t whole = strlen(records[i].text) - records[i].left;
        if (records[i].text[whole - 1] != '\n')
            continue;
        for (size_t bytes = 1; bytes < whole; bytes++) {
            struct csv_record record = {.text = NULL};
            assert_int_equal(csv_take(records[i].form, records[i].text, bytes, false, &record), CSV_MORE);
            csv_done(&record);
        }
    }
}

static void what_is_no_record_says_why(void **state)
{
    static const struct {
        const struct csv_form *form;
        const char *text, *fault;
        size_t bytes;
    } rows[] = {{&csv, "\"a\nb", "not closed", 4},
                {&csv, "\"a\"b\n", "behind a closing quote", 5},
                {&csv, "a\"b\"\n", "does not begin", 5},
                {&tsv, "a\\", "backslash", 2},
                {&csv, "a\0b\n", "NUL", 4},
                {&tsv, "a\\0b\n", "NUL", 5},
                {&csv, "a\xC3(\n", "UTF-8", 4},
                {&csv, "\xC0\x80\n", "UTF-8", 3},
                {&csv, "\xED\xA0\x80\n", "UTF-8", 4},
                {&csv, "\xF4\x90\x80\x80\n", "UTF-8", 5},
                {&csv, "\xE2\x82\n", "UTF-8", 3}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct csv_record record = {.text = NULL};
        assert_int_equal(csv_take(rows[i].form, rows[i].text, rows[i].bytes, true, &record), CSV_BAD);
        if (!strstr(record.fault, rows[i].fault))
            fail_msg("'%s' and not '%s'", record.fault, rows[i].fault);
        csv_done(&record);
    }
}

static void more_values_than_a_driver_hands_back_are_refused(void **state)
{
    struct csv_record record = {.text = NULL};
    char text[CSV_FIELDS_MAX + 2];
    (void)state;
    memset(text, ',', sizeof(text));
    assert_int_equal(csv_take(&csv, text, CSV_FIELDS_MAX - 1, true, &record), CSV_ROW);
    assert_int_equal(record.count, CSV_FIELDS_MAX);
    assert_int_equal(csv_take(&csv, text, CSV_FIELDS_MAX, true, &record), CSV_BAD);
    text[CSV_FIELDS_MAX] = '\n';
    assert_int_equal(csv_take(&csv, text, CSV_FIELDS_MAX + 1, true, &record), CSV_BAD);
    csv_done(&record);
}

static void characters_are_counted_and_not_bytes(void **state)
{
    static const char text[] = "aé日😀";
    (void)state;
    assert_int_equal(csv_characters(text, sizeof(text) - 1), 4);
    assert_int_equal(csv_characters(text, 0), 0);
    assert_true(csv_characters(text, 2) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_taken_as_they_are_meant),
        cmocka_unit_test(a_record_that_is_cut_wants_more),
        cmocka_unit_test(what_is_no_record_says_why),
        cmocka_unit_test(more_values_than_a_driver_hands_back_are_refused),
        cmocka_unit_test(characters_are_counted_and_not_bytes),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
