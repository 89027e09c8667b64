/* prepare, warmup and cleanup on a database that is not there. */
#include "core/settings.h"
#include "oltp/oltp.h"
#include "platform/compiler.h"
#include "tests/oltp/fake_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bench {
    struct fake *fake;
    struct job job;
    struct clock clock;
    struct listener listener;
    struct error error;
    uint64_t steps[TABLE_DROP + 1], told_rows, done_rows;
};

static void note_step(void *context, const char *table, enum table_step step, uint64_t rows)
{
    struct bench *bench = context;
    assert_non_null(table);
    bench->steps[step]++;
    if (step == TABLE_FILL)
        bench->told_rows += rows;
}

static void note_done(void *context, uint64_t rows, uint64_t elapsed_ns)
{
    (void)elapsed_ns;
    ((struct bench *)context)->done_rows = rows;
}

static struct bench *bench_make(void)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->fake = fake_start();
    bench->clock = clock_system();
    job_init(&bench->job);
    bench->job.work = WORK_DATABASE;
    bench->job.seed = 1;
    bench->listener = (struct listener){.context = bench, .table_step = note_step, .tables_done = note_done};
    return bench;
}

static bool act(struct bench *bench, bool (*action)(const struct oltp_setup *, struct error *))
{
    struct oltp_setup setup = {
        .job = &bench->job, .listener = &bench->listener, .driver = &fake_driver, .clock = &bench->clock};
    bool good = action(&setup, &bench->error);
    assert_int_equal(bench->fake->open, 0);
    return good;
}

static void bench_free(struct bench *bench)
{
    fake_stop();
    free(bench);
}

/* Each id of 1 … rows once in `table`, whichever statement brought it; and k within the table. */
static void assert_ids_once(const struct bench *bench, const char *table, uint64_t rows)
{
    char start[128], *seen = calloc(1, rows + 1);
    snprintf(start, sizeof start, "INSERT INTO %s (id, k, c, pad) VALUES ", table);
    for (const char *line = bench->fake->log; *line; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, start, strlen(start)) != 0)
            continue;
        const char *end = line + strcspn(line, "\n");
        for (const char *at = line + strlen(start); at < end; at = strstr(at, "')") + 3) {
            char *comma;
            unsigned long long id = strtoull(at + 1, &comma, 10), k = strtoull(comma + 1, NULL, 10);
            assert_in_range(id, 1, rows);
            assert_in_range(k, 1, bench->job.table_size);
            assert_int_equal(seen[id]++, 0);
        }
    }
    for (uint64_t id = 1; id <= rows; id++)
        assert_int_equal(seen[id], 1);
    free(seen);
}

/* So many tables, threads and rows that tables go to one connection each, or are shared. */
static void tables_get_their_rows_once(void **state)
{
    static const struct {
        uint64_t tables, threads, rows;
    } rows[] = {{1, 1, 1}, {1, 1, 10001}, {1, 4, 35000}, {2, 3, 15000}, {4, 2, 5000}, {5, 4, 100}, {3, 8, 10}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench *bench = bench_make();
        char table[64];
        bench->job.tables = rows[i].tables;
        bench->job.threads = rows[i].threads;
        bench->job.table_size = rows[i].rows;
        assert_true(act(bench, oltp_prepare));
        for (uint64_t t = 1; t <= rows[i].tables; t++) {
            snprintf(table, sizeof table, "sbtest%d", (int)t);
            assert_true(fake_has_table(table));
            assert_ids_once(bench, table, rows[i].rows);
        }
        assert_int_equal(bench->steps[TABLE_CREATE], rows[i].tables);
        assert_int_equal(bench->steps[TABLE_FILL], rows[i].tables);
        assert_int_equal(bench->steps[TABLE_INDEX], rows[i].tables);
        assert_int_equal(bench->told_rows, rows[i].tables * rows[i].rows);
        assert_int_equal(bench->done_rows, rows[i].tables * rows[i].rows);
        assert_int_equal(fake_count("CREATE INDEX k_"), rows[i].tables);
        bench_free(bench);
    }
}

static void conflicts_while_filling_are_made_good(void **state)
{
    struct bench *bench = bench_make();
    (void)state;
    bench->job.threads = 2;
    bench->job.table_size = 20000;
    bench->fake->rules[0] = (struct fake_rule){"COMMIT", 0, 2, DB_CLASS_RETRY};
    assert_true(act(bench, oltp_prepare));
    assert_int_equal(bench->done_rows, 20000);
    assert_int_equal(fake_count("ROLLBACK"), 2);
    bench_free(bench);
}

static void same_seed_gives_the_same_rows(void **state)
{
    char *logs[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct bench *bench = bench_make();
        bench->job.table_size = 500;
        bench->fake->only_executed = true;
        assert_true(act(bench, oltp_prepare));
        logs[i] = calloc(1, bench->fake->used + 1);
        memcpy(logs[i], bench->fake->log, bench->fake->used);
        bench_free(bench);
    }
    assert_string_equal(logs[0], logs[1]);
    free(logs[0]);
    free(logs[1]);
}

static void table_that_is_there_is_left_alone(void **state)
{
    struct bench *bench = bench_make();
    (void)state;
    bench->job.tables = 3;
    bench->job.table_size = 10;
    assert_true(act(bench, oltp_prepare));
    bench->job.tables = 5;
    assert_false(act(bench, oltp_prepare));
    assert_non_null(strstr(bench->error.text, "sbtest1 is there already"));
    assert_true(fake_has_table("sbtest3"));
    assert_false(fake_has_table("sbtest4"));
    assert_int_equal(fake_count("DROP"), 0);
    bench_free(bench);
}

static void failed_prepare_leaves_nothing(void **state)
{
    static const char *const failing[] = {"CREATE TABLE sbtest2", "INSERT INTO sbtest2", "CREATE INDEX k_2"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(failing) * 2; i++) {
        struct bench *bench = bench_make();
        bench->job.tables = 3;
        bench->job.threads = i % 2 ? 4 : 1;
        bench->job.table_size = 12000;
        bench->fake->rules[0] = (struct fake_rule){failing[i / 2], 0, 1, DB_CLASS_FATAL};
        assert_false(act(bench, oltp_prepare));
        assert_string_equal(bench->error.text, "sbtest2: as the test wants it");
        assert_false(fake_has_table("sbtest1"));
        assert_false(fake_has_table("sbtest2"));
        assert_false(fake_has_table("sbtest3"));
        bench_free(bench);
    }
}

static void tables_that_cannot_be_dropped_are_told(void **state)
{
    struct bench *bench = bench_make();
    (void)state;
    bench->job.table_size = 10;
    bench->fake->rules[0] = (struct fake_rule){"INSERT", 0, 1, DB_CLASS_FATAL};
    bench->fake->rules[1] = (struct fake_rule){"DROP", 0, 1, DB_CLASS_FATAL};
    assert_false(act(bench, oltp_prepare));
    assert_non_null(strstr(bench->error.text, "1 tables made by then could not be dropped again: run cleanup"));
    bench_free(bench);
}

static void inserts_with_own_ids_get_empty_tables(void **state)
{
    struct bench *bench = bench_make();
    (void)state;
    strcpy(bench->job.workload, "oltp_insert");
    bench->job.auto_inc = false;
    assert_true(act(bench, oltp_prepare));
    assert_true(fake_has_table("sbtest1"));
    assert_int_equal(fake_count("INSERT"), 0);
    bench_free(bench);
}

static void cleanup_drops_all_and_minds_none(void **state)
{
    struct bench *bench = bench_make();
    (void)state;
    bench->job.tables = 2;
    bench->job.table_size = 10;
    assert_true(act(bench, oltp_prepare));
    bench->job.tables = 4;
    assert_true(act(bench, oltp_cleanup));
    assert_false(fake_has_table("sbtest1"));
    assert_int_equal(fake_count("DROP TABLE IF EXISTS"), 4);
    assert_int_equal(bench->steps[TABLE_DROP], 4);
    bench_free(bench);
}

static void warmup_reads_each_table_and_its_index(void **state)
{
    struct bench *bench = bench_make();
    (void)state;
    bench->job.tables = 3;
    bench->job.threads = 2;
    assert_true(act(bench, oltp_warmup));
    assert_int_equal(fake_count("WHERE pad LIKE '%0%'"), 3);
    assert_int_equal(fake_count("WHERE CAST(k AS CHAR(12)) LIKE '%0%'"), 3);
    assert_int_equal(bench->steps[TABLE_WARM], 3);
    bench->fake->rules[0] = (struct fake_rule){"sbtest2", 0, 1, DB_CLASS_FATAL};
    assert_false(act(bench, oltp_warmup));
    assert_string_equal(bench->error.text, "sbtest2: as the test wants it");
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_get_their_rows_once),
        cmocka_unit_test(conflicts_while_filling_are_made_good),
        cmocka_unit_test(same_seed_gives_the_same_rows),
        cmocka_unit_test(table_that_is_there_is_left_alone),
        cmocka_unit_test(failed_prepare_leaves_nothing),
        cmocka_unit_test(tables_that_cannot_be_dropped_are_told),
        cmocka_unit_test(inserts_with_own_ids_get_empty_tables),
        cmocka_unit_test(cleanup_drops_all_and_minds_none),
        cmocka_unit_test(warmup_reads_each_table_and_its_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
