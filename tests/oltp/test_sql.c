/* SQL put together from pieces: numbers, groups of digits, the tables' definitions. */
#include "core/settings.h"
#include "db/db.h"
#include "oltp/schema.h"
#include "oltp/sql.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct db_syntax mysql_like = {
    .auto_id = "INTEGER NOT NULL AUTO_INCREMENT", .has_engines = true, .index_in_table = true};
static const struct db_syntax plain = {.auto_id = "SERIAL"};

static void numbers_are_written_as_printf_does(void **state)
{
    static const uint64_t numbers[] = {0, 9, 10, 99, 100, 101, 999, 1000, 123456789, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        char expected[32], written[32];
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)numbers[i]);
        written[sql_number(numbers[i], written)] = '\0';
        assert_string_equal(written, expected);
    }
}

static void groups_have_sysbench_s_template(void **state)
{
    struct random random;
    char c[C_BYTES + 1];
    int of_digit[10] = {0};
    (void)state;
    assert_int_equal(C_BYTES, 119);
    assert_int_equal(PAD_BYTES, 59);
    random_init(&random, 1, 1);
    for (int n = 0; n < 1000; n++) {
        c[C_BYTES] = '!';
        sql_groups(&random, C_GROUPS, c);
        assert_int_equal(c[C_BYTES], '!');
        for (size_t i = 0; i < C_BYTES; i++) {
            if (i % 12 == 11)
                assert_int_equal(c[i], '-');
            else
                assert_in_range(c[i], '0', '9');
            if (i % 12 != 11)
                of_digit[c[i] - '0']++;
        }
    }
    for (int i = 0; i < 10; i++) /* 110000 digits: 11000 each, ± 5 % is ten deviations */
        assert_in_range(of_digit[i], 10450, 11550);
}

static void template_is_filled_in_order(void **state)
{
    struct sql_template sql;
    struct table_name table = {"t12", 3};
    char out[256];
    (void)state;
    assert_true(sql_make(&sql, "UPDATE @ SET c=? WHERE id=?"));
    struct db_value values[] = {{DB_VALUE_TEXT, 0, "ab", 2}, {DB_VALUE_INT, -7, NULL, 0}};
    size_t bytes = sql_write(&sql, &table, values, out);
    assert_string_equal(out, "UPDATE t12 SET c='ab' WHERE id=-7");
    assert_int_equal(bytes, strlen(out));
    sql_write(&sql, &table, NULL, out);
    assert_string_equal(out, "UPDATE t12 SET c=? WHERE id=?");
    assert_true(sql_room(&sql, 2) > strlen("UPDATE t12 SET c='ab' WHERE id=-9223372036854775808"));
    sql_done(&sql);
}

static struct job job_of(const char *workload)
{
    struct job job;
    job_init(&job);
    job.work = WORK_DATABASE;
    snprintf(job.workload, sizeof job.workload, "%s", workload);
    return job;
}

#define COLUMNS "k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL"

static void tables_of_1_0_are_sysbench_s(void **state)
{
    char sql[SCHEMA_SQL_BYTES];
    struct job job = job_of("oltp_read_write");
    (void)state;
    schema_create(&job, &mysql_like, 2, sql);
    assert_string_equal(sql, "CREATE TABLE sbtest3 (id INTEGER NOT NULL AUTO_INCREMENT, " COLUMNS
                             ", PRIMARY KEY (id)) ENGINE = innodb");
    assert_true(schema_index(&job, &mysql_like, 2, 0, sql));
    assert_string_equal(sql, "CREATE INDEX k_3 ON sbtest3(k)");
    assert_false(schema_index(&job, &mysql_like, 2, 1, sql));
    job.auto_inc = false;
    job.secondary = true;
    strcpy(job.table_options, "ROW_FORMAT=DYNAMIC");
    schema_create(&job, &mysql_like, 0, sql);
    assert_string_equal(sql, "CREATE TABLE sbtest1 (id INTEGER NOT NULL, " COLUMNS
                             ", KEY xid (id)) ENGINE = innodb ROW_FORMAT=DYNAMIC");
    schema_create(&job, &plain, 0, sql);
    assert_string_equal(sql, "CREATE TABLE sbtest1 (id INTEGER NOT NULL, " COLUMNS ") ROW_FORMAT=DYNAMIC");
    assert_true(schema_index(&job, &plain, 0, 0, sql));
    assert_string_equal(sql, "CREATE INDEX xid_1 ON sbtest1(id)");
    assert_true(schema_index(&job, &plain, 0, 1, sql));
    assert_string_equal(sql, "CREATE INDEX k_1 ON sbtest1(k)");
    strcpy(job.table_name, "other"); /* beside tables of the usual name */
    assert_true(schema_index(&job, &plain, 1, 1, sql));
    assert_string_equal(sql, "CREATE INDEX k_other2 ON other2(k)");
    strcpy(job.table_name, "sbtest");
    job.create_secondary = false;
    assert_false(schema_index(&job, &mysql_like, 0, 0, sql));
}

static void table_of_0_4_has_no_number(void **state)
{
    char sql[SCHEMA_SQL_BYTES];
    struct job job = job_of("oltp_read_write");
    (void)state;
    job.table_form = TABLE_FORM_0_4;
    job.tables = 7;
    assert_int_equal(schema_tables(&job), 1);
    schema_create(&job, &mysql_like, 0, sql);
    assert_string_equal(sql, "CREATE TABLE sbtest (id INTEGER UNSIGNED NOT NULL AUTO_INCREMENT, k INTEGER UNSIGNED "
                             "DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT "
                             "NULL, PRIMARY KEY (id), KEY k (k)) ENGINE = innodb");
    assert_false(schema_index(&job, &mysql_like, 0, 0, sql));
    schema_create(&job, &plain, 0, sql);
    assert_string_equal(sql, "CREATE TABLE sbtest (id SERIAL, " COLUMNS ", PRIMARY KEY (id))");
    assert_true(schema_index(&job, &plain, 0, 0, sql));
    assert_string_equal(sql, "CREATE INDEX k ON sbtest(k)");
}

static void bulk_insert_has_a_table_for_each_thread(void **state)
{
    char sql[SCHEMA_SQL_BYTES];
    struct job job = job_of("bulk_insert");
    (void)state;
    job.threads = 5;
    assert_int_equal(schema_tables(&job), 5);
    assert_int_equal(schema_rows(&job), 0);
    schema_create(&job, &plain, 4, sql);
    assert_string_equal(sql,
                        "CREATE TABLE sbtest5 (id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id))");
    assert_false(schema_index(&job, &plain, 0, 0, sql));
}

static void rows_stay_within_their_room(void **state)
{
    struct job job = job_of("oltp_read_write");
    struct row_maker maker;
    struct random random;
    char row[SCHEMA_ROW_BYTES + 1];
    (void)state;
    random_init(&random, 1, 1);
    job.table_size = 4000000000u;
    row_maker_init(&maker, &job);
    for (int i = 0; i < 1000; i++) {
        row[SCHEMA_ROW_BYTES] = '!';
        size_t bytes = row_make(&maker, &random, UINT64_MAX, row);
        assert_true(bytes <= SCHEMA_ROW_BYTES);
        assert_int_equal(row[SCHEMA_ROW_BYTES], '!');
        assert_memory_equal(row, "(18446744073709551615,", 22);
        assert_memory_equal(row + bytes - 2, "')", 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_as_printf_does), cmocka_unit_test(groups_have_sysbench_s_template),
        cmocka_unit_test(template_is_filled_in_order),        cmocka_unit_test(tables_of_1_0_are_sysbench_s),
        cmocka_unit_test(table_of_0_4_has_no_number),         cmocka_unit_test(bulk_insert_has_a_table_for_each_thread),
        cmocka_unit_test(rows_stay_within_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
