/* Runs on a database that is not there: which statements come, in which order, how they are counted, and what becomes
 * of a run whose server has conflicts, goes away or refuses. */
#include "core/settings.h"
#include "oltp/oltp.h"
#include "platform/compiler.h"
#include "tests/oltp/fake_driver.h"

#include <inttypes.h>
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
    struct result *result;
    struct error error;
    bool good;
};

static struct bench *bench_make(const char *workload)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->fake = fake_start();
    bench->clock = clock_system();
    job_init(&bench->job);
    bench->job.work = WORK_DATABASE;
    strcpy(bench->job.workload, workload);
    bench->job.events = 1;
    bench->job.time_ns = 0;
    bench->job.seed = 7;
    bench->job.distribution = DIST_UNIFORM;
    return bench;
}

static void run(struct bench *bench)
{
    static const struct listener silent;
    struct error error = ERROR_INIT;
    struct oltp_setup setup = {.job = &bench->job, .listener = &silent, .driver = &fake_driver, .clock = &bench->clock};
    bench->good = oltp_run(&setup, &bench->result, &error);
    bench->error = error;
    assert_int_equal(bench->fake->open, 0);
    assert_int_equal(bench->fake->statements_open, 0);
}

static void bench_free(struct bench *bench)
{
    result_free(bench->result);
    fake_stop();
    free(bench);
}

static uint64_t count(const struct bench *bench, enum op_class op)
{
    return bench->result->total.of[op].latency.count;
}

static uint64_t errors(const struct bench *bench, enum op_class op)
{
    return bench->result->total.of[op].errors;
}

/* ---- what is sent ---- */

/* The beginnings of the statements of one event, in order; NULL ends them. */
static void assert_sent(const struct bench *bench, const char *const *expected)
{
    const char *line = strstr(bench->fake->log, "SELECT MAX(id)"); /* the look before the run */
    assert_non_null(line);
    line += strcspn(line, "\n") + 1;
    for (; *line; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, "CONNECT", 7) == 0 || strncmp(line, "PREPARE", 7) == 0)
            continue;
        if (!*expected)
            fail_msg("one too many: %.60s", line);
        if (strncmp(line, *expected, strlen(*expected)) != 0)
            fail_msg("expected %s, sent %.60s", *expected, line);
        expected++;
    }
    assert_null(*expected);
}

#define POINT "SELECT c FROM sbtest1 WHERE id="
#define TEN_POINTS POINT, POINT, POINT, POINT, POINT, POINT, POINT, POINT, POINT, POINT
#define RANGES                                                                                                         \
    "SELECT c FROM sbtest1 WHERE id BETWEEN ", "SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ",                         \
        "SELECT c FROM sbtest1 WHERE id BETWEEN ", "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN "
#define UPDATE_K "UPDATE sbtest1 SET k=k+1 WHERE id="
#define UPDATE_C "UPDATE sbtest1 SET c='"
#define WRITES UPDATE_K, UPDATE_C, "DELETE FROM sbtest1 WHERE id=", "INSERT INTO sbtest1 (id, k, c, pad) VALUES ("

/* Queries of one event as sysbench 1.0.20 counts them, and what is sent. */
static const struct {
    const char *workload;
    uint64_t reads, writes, others;
    const char *sent[24];
} workloads[] = {
    {"oltp_read_write", 14, 4, 2, {"BEGIN", TEN_POINTS, RANGES, WRITES, "COMMIT"}},
    {"oltp_read_only", 14, 0, 2, {"BEGIN", TEN_POINTS, RANGES, "COMMIT"}},
    {"oltp_write_only", 0, 4, 2, {"BEGIN", WRITES, "COMMIT"}},
    {"oltp_point_select", 1, 0, 0, {POINT}},
    {"oltp_insert", 0, 1, 0, {"INSERT INTO sbtest1 (k, c, pad) VALUES ("}},
    {"oltp_delete", 0, 1, 0, {"DELETE FROM sbtest1 WHERE id="}},
    {"oltp_update_index", 0, 1, 0, {UPDATE_K}},
    {"oltp_update_non_index", 0, 1, 0, {UPDATE_C}},
    {"select_random_points", 1, 0, 0, {"SELECT id, k, c, pad FROM sbtest1 WHERE k IN ("}},
    {"select_random_ranges", 1, 0, 0, {"SELECT count(k) FROM sbtest1 WHERE k BETWEEN "}},
};

static void every_workload_sends_its_statements_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(workloads) * 2; i++) {
        size_t row = i / 2;
        struct bench *bench = bench_make(workloads[row].workload);
        bench->job.db_statements = i % 2 ? DB_STATEMENTS_PREPARED : DB_STATEMENTS_TEXT;
        run(bench);
        assert_true(bench->good);
        assert_sent(bench, workloads[row].sent);
        assert_int_equal(fake_count("PREPARE") > 0, i % 2);
        assert_int_equal(count(bench, CLASS_READ_QUERY), workloads[row].reads);
        assert_int_equal(count(bench, CLASS_WRITE_QUERY), workloads[row].writes);
        assert_int_equal(count(bench, CLASS_OTHER_QUERY), workloads[row].others);
        assert_int_equal(count(bench, CLASS_TRANSACTION), 1);
        assert_int_equal(bench->result->total.events, 1);
        bench_free(bench);
    }
}

static void statements_add_up_to_the_queries(void **state)
{
    struct bench *bench = bench_make("oltp_read_write");
    uint64_t all = 0;
    (void)state;
    bench->job.events = 50;
    bench->job.threads = 4;
    run(bench);
    assert_true(bench->good);
    for (size_t i = 0; i < bench->result->statements_count; i++)
        all += bench->result->statements[i].tally.latency.count;
    assert_int_equal(all, 20 * 50);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 50);
    assert_string_equal(bench->result->statements[1].name, "point_select");
    assert_string_equal(bench->result->statements[1].sql, "SELECT c FROM sbtest1 WHERE id=?");
    bench_free(bench);
}

static void settings_say_how_many_of_each(void **state)
{
    static const char *const sent[] = {POINT, POINT, UPDATE_C, UPDATE_C, UPDATE_C, NULL};
    struct bench *bench = bench_make("oltp_read_write");
    (void)state;
    bench->job.skip_trx = true;
    bench->job.range_selects = false;
    bench->job.point_selects = 2;
    bench->job.index_updates = bench->job.delete_inserts = 0;
    bench->job.non_index_updates = 3;
    run(bench);
    assert_true(bench->good);
    assert_sent(bench, sent);
    bench_free(bench);
}

static void nothing_to_send_is_refused(void **state)
{
    struct bench *bench = bench_make("oltp_update_index");
    (void)state;
    bench->job.index_updates = 0;
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "oltp_update_index"));
    assert_null(bench->result);
    bench_free(bench);
}

/* The number behind `start` in each line that begins so. */
static size_t numbers_after(const struct bench *bench, const char *start, int64_t *out, size_t most)
{
    size_t found = 0;
    for (const char *line = bench->fake->log; *line && found < most; line += strcspn(line, "\n") + 1)
        if (strncmp(line, start, strlen(start)) == 0)
            out[found++] = strtoll(line + strlen(start), NULL, 10);
    return found;
}

static int ascending(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

static void ids_are_those_of_the_table(void **state)
{
    int64_t ids[2000];
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->job.events = 2000;
    bench->job.table_size = 10;
    run(bench);
    size_t found = numbers_after(bench, POINT, ids, COUNT_OF(ids));
    assert_int_equal(found, 2000);
    qsort(ids, found, sizeof *ids, ascending);
    assert_int_equal(ids[0], 1);
    assert_int_equal(ids[1999], 10);
    bench_free(bench);
}

static void inserted_row_is_the_one_that_was_deleted(void **state)
{
    int64_t deleted[100], inserted[100];
    struct bench *bench = bench_make("oltp_write_only");
    (void)state;
    bench->job.events = 100;
    run(bench);
    assert_int_equal(numbers_after(bench, "DELETE FROM sbtest1 WHERE id=", deleted, 100), 100);
    assert_int_equal(numbers_after(bench, "INSERT INTO sbtest1 (id, k, c, pad) VALUES (", inserted, 100), 100);
    assert_memory_equal(deleted, inserted, sizeof deleted);
    bench_free(bench);
}

static void own_ids_are_unique_over_all_threads(void **state)
{
    static int64_t ids[20000];
    struct bench *bench = bench_make("oltp_insert");
    (void)state;
    bench->job.auto_inc = false;
    bench->job.threads = 3;
    bench->job.events = COUNT_OF(ids);
    bench->job.skip_trx = true;
    run(bench);
    size_t found = numbers_after(bench, "INSERT INTO sbtest1 (id, k, c, pad) VALUES (", ids, COUNT_OF(ids));
    assert_int_equal(found, COUNT_OF(ids));
    qsort(ids, found, sizeof *ids, ascending);
    for (size_t i = 1; i < found; i++)
        assert_true(ids[i - 1] < ids[i]);
    assert_true(ids[0] >= INT32_MIN && ids[found - 1] <= INT32_MAX);
    bench_free(bench);
}

static void tables_get_equal_shares(void **state)
{
    char name[64];
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->job.tables = 4;
    bench->job.events = 4000;
    run(bench);
    for (int i = 1; i <= 4; i++) {
        snprintf(name, sizeof name, "FROM sbtest%d WHERE id=", i);
        assert_in_range(fake_count(name), 850, 1150);
    }
    bench_free(bench);
}

static void random_points_are_of_the_threads_part(void **state)
{
    int64_t first[500];
    struct bench *bench = bench_make("select_random_points");
    (void)state;
    bench->job.threads = 2;
    bench->job.tables = 3; /* only the first is asked */
    bench->job.events = 500;
    bench->job.table_size = 100;
    run(bench);
    assert_true(bench->good);
    size_t found = numbers_after(bench, "SELECT id, k, c, pad FROM sbtest1 WHERE k IN (", first, COUNT_OF(first));
    assert_int_equal(found, 500);
    for (size_t i = 0; i < found; i++)
        assert_in_range(first[i], 1, 100);
    bench_free(bench);
}

/* ---- what goes wrong ---- */

static void conflict_begins_the_transaction_anew(void **state)
{
    static const char *const sent[] = {"BEGIN",  UPDATE_K, UPDATE_C, "ROLLBACK", "BEGIN", UPDATE_K,
                                       UPDATE_C, "DELETE", "INSERT", "COMMIT",   NULL};
    struct bench *bench = bench_make("oltp_write_only");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"SET c=", 0, 1, DB_CLASS_RETRY};
    bench->fake->only_executed = true;
    bench->job.db_statements = DB_STATEMENTS_TEXT;
    run(bench);
    assert_true(bench->good);
    assert_sent(bench, sent);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 1);
    assert_int_equal(errors(bench, CLASS_TRANSACTION), 1);
    assert_int_equal(count(bench, CLASS_WRITE_QUERY), 5); /* those of the try that failed were done too */
    bench_free(bench);
}

static void conflict_at_commit_begins_it_anew(void **state)
{
    struct bench *bench = bench_make("oltp_write_only");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"COMMIT", 0, 3, DB_CLASS_RETRY};
    run(bench);
    assert_true(bench->good);
    assert_int_equal(fake_count("BEGIN") - fake_count("PREPARE BEGIN"), 4);
    assert_int_equal(fake_count("ROLLBACK"), 3);
    assert_int_equal(errors(bench, CLASS_TRANSACTION), 3);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 1);
    bench_free(bench);
}

static void endless_conflicts_end_with_the_time(void **state)
{
    struct bench *bench = bench_make("oltp_write_only");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"SET k=", 0, 1000000000, DB_CLASS_RETRY};
    bench->job.events = 0;
    bench->job.time_ns = NS_PER_S / 5;
    run(bench);
    assert_true(bench->good);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 0);
    assert_true(errors(bench, CLASS_TRANSACTION) > 0);
    bench_free(bench);
}

static void loss_ends_the_run_with_its_figures(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"WHERE id=", 5, 1000, DB_CLASS_LOST};
    bench->fake->rules[0].after += 1; /* PREPARE has it too, but is not looked up by it */
    bench->job.events = 100;
    bench->job.threads = 3;
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "lost"));
    assert_non_null(strstr(bench->error.text, "as the test wants it"));
    assert_non_null(strstr(bench->error.text, "--reconnect-on-loss"));
    assert_non_null(bench->result);
    assert_true(bench->result->partial);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 6);
    bench_free(bench);
}

static void loss_is_made_good_when_asked(void **state)
{
    struct bench *bench = bench_make("oltp_write_only");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"SET c=", 0, 1, DB_CLASS_LOST};
    bench->fake->rules[1] = (struct fake_rule){"CONNECT", 2, 2, DB_CLASS_FATAL}; /* a server that is starting up */
    bench->job.reconnect_on_loss_ns = 20 * NS_PER_S;
    bench->job.events = 3;
    run(bench);
    assert_true(bench->good);
    assert_int_equal(count(bench, CLASS_CONNECT), 1);
    assert_int_equal(errors(bench, CLASS_CONNECT), 2);
    assert_int_equal(fake_count("ROLLBACK"), 0);
    assert_int_equal(fake_count("PREPARE BEGIN"), 2);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 3);
    assert_int_equal(errors(bench, CLASS_TRANSACTION), 1);
    bench_free(bench);
}

static void server_that_stays_away_ends_the_run(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"WHERE id=", 0, 1, DB_CLASS_LOST};
    bench->fake->rules[1] = (struct fake_rule){"CONNECT", 2, 1000000, DB_CLASS_LOST};
    bench->job.reconnect_on_loss_ns = NS_PER_S / 10;
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "--reconnect-on-loss=0.1:"));
    assert_true(errors(bench, CLASS_CONNECT) >= 2);
    bench_free(bench);
}

/* Not a run that went well: for a part of its time there was nothing to measure. */
static void time_that_passes_without_a_server_is_told(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"WHERE id=", 5, 1, DB_CLASS_LOST};
    bench->fake->rules[1] = (struct fake_rule){"CONNECT", 2, 1000000, DB_CLASS_LOST};
    bench->job.reconnect_on_loss_ns = 60 * NS_PER_S;
    bench->job.events = 0;
    bench->job.time_ns = NS_PER_S / 2;
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "not back when the run was over: as the test wants it"));
    assert_true(bench->result->partial);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 5);
    bench_free(bench);
}

static void refusal_ends_the_run(void **state)
{
    struct bench *bench = bench_make("oltp_write_only");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"INSERT", 2, 1, DB_CLASS_FATAL};
    bench->job.events = 10;
    run(bench);
    assert_false(bench->good);
    assert_string_equal(bench->error.text, "insert: as the test wants it");
    assert_int_equal(bench->result->faults_count, 1);
    assert_string_equal(bench->result->faults[0].operation, "insert");
    assert_string_equal(bench->result->faults[0].text, "as the test wants it");
    assert_int_equal(count(bench, CLASS_TRANSACTION), 2);
    bench_free(bench);
}

static void refusals_are_counted_when_asked(void **state)
{
    struct bench *bench = bench_make("oltp_write_only");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"INSERT", 2, 3, DB_CLASS_FATAL};
    bench->job.events = 10;
    bench->job.on_error = ON_ERROR_COUNT;
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "3 transactions failed"));
    assert_int_equal(count(bench, CLASS_TRANSACTION), 7);
    assert_int_equal(errors(bench, CLASS_TRANSACTION), 3);
    assert_int_equal(fake_count("ROLLBACK"), 3);
    assert_int_equal(bench->result->faults_count, 1);
    assert_int_equal(bench->result->faults[0].count, 3);
    assert_int_equal(bench->result->faults[0].os_code, 42);
    bench_free(bench);
}

static void refused_connection_is_told_once(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"CONNECT", 5, 1000, DB_CLASS_FATAL};
    bench->job.threads = 20;
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "of 20: as the test wants it"));
    assert_null(strchr(bench->error.text, '\n'));
    bench_free(bench);
}

static void missing_table_is_told_before_the_run(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->fake->rules[0] = (struct fake_rule){"MAX(id)", 0, 1, DB_CLASS_FATAL};
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "sbtest1"));
    assert_non_null(strstr(bench->error.text, "prepare"));
    bench_free(bench);
}

static void small_table_is_warned_of(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->fake->max_id = 99;
    bench->job.table_size = 100;
    run(bench);
    assert_true(bench->good);
    assert_string_equal(bench->result->warnings[0].code, "rows-missing");
    bench_free(bench);
}

/* ---- when ---- */

static void connections_are_renewed(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->job.events = 10;
    bench->job.reconnect_every = 3;
    run(bench);
    assert_true(bench->good);
    assert_int_equal(count(bench, CLASS_CONNECT), 3);
    assert_int_equal(bench->fake->connected, 2 + 3);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 10);
    bench_free(bench);
}

static void open_loop_counts_from_when_it_was_due(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->job.events = 20;
    bench->job.rate = 1000;
    run(bench);
    assert_true(bench->good);
    assert_int_equal(count(bench, CLASS_QUEUE_WAIT), 20);
    assert_int_equal(count(bench, CLASS_SERVICE), 20);
    assert_true(bench->result->total.of[CLASS_TRANSACTION].latency.sum_ns ==
                bench->result->total.of[CLASS_QUEUE_WAIT].latency.sum_ns +
                    bench->result->total.of[CLASS_SERVICE].latency.sum_ns);
    assert_true(bench->result->load_ns >= 18 * NS_PER_MS);
    bench_free(bench);
}

static void warm_up_is_in_no_figure(void **state)
{
    struct bench *bench = bench_make("oltp_point_select");
    (void)state;
    bench->job.events = 5;
    bench->job.warmup_ns = 50 * NS_PER_MS;
    run(bench);
    assert_true(bench->good);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 5);
    assert_int_equal(count(bench, CLASS_READ_QUERY), 5);
    assert_true(fake_count(POINT) > 5 + 1);
    bench_free(bench);
}

/* ---- bulk_insert ---- */

static void assert_rows_once(const struct bench *bench, int64_t rows)
{
    int64_t expected = 1;
    for (const char *line = bench->fake->log; *line; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, "INSERT", 6) != 0)
            continue;
        for (const char *at = line; (at = strchr(at, '(')) && at < line + strcspn(line, "\n"); at++)
            if (at[1] != 'i') /* (id, k) */
                assert_int_equal(strtoll(at + 1, NULL, 10), expected++);
    }
    assert_int_equal(expected, rows + 1);
}

static void bulk_rows_are_events_and_packets_are_queries(void **state)
{
    struct bench *bench = bench_make("bulk_insert");
    (void)state;
    bench->fake->empty = true;
    bench->job.events = 20000;
    run(bench);
    assert_true(bench->good);
    assert_int_equal(count(bench, CLASS_TRANSACTION), 20000);
    assert_in_range(count(bench, CLASS_WRITE_QUERY), 3, 8);
    assert_int_equal(count(bench, CLASS_WRITE_QUERY), fake_count("INSERT"));
    assert_rows_once(bench, 20000);
    bench_free(bench);
}

/* The packet that was under way when the connection went is sent again, unless the table has it. */
static void bulk_packet_is_neither_lost_nor_doubled(void **state)
{
    (void)state;
    for (int arrived = 0; arrived < 2; arrived++) {
        struct bench *bench = bench_make("bulk_insert");
        bench->fake->empty = true;
        bench->fake->arrived = arrived;
        bench->fake->rules[0] = (struct fake_rule){"INSERT", 1, 1, DB_CLASS_LOST};
        bench->job.reconnect_on_loss_ns = NS_PER_S;
        bench->job.events = 20000;
        run(bench);
        assert_true(bench->good);
        assert_int_equal(count(bench, CLASS_CONNECT), 1);
        int packets = fake_count("INSERT");
        assert_int_equal(count(bench, CLASS_WRITE_QUERY), packets - 1);
        if (arrived)
            assert_rows_once(bench, 20000);
        bench_free(bench);
    }
}

/* Rows that are gathered still have nowhere to go. */
static void bulk_run_that_ends_without_a_server_says_so(void **state)
{
    struct bench *bench = bench_make("bulk_insert");
    (void)state;
    bench->fake->empty = true;
    bench->fake->rules[0] = (struct fake_rule){"INSERT", 0, 1, DB_CLASS_LOST};
    bench->fake->rules[1] = (struct fake_rule){"CONNECT", 2, 1000000, DB_CLASS_LOST};
    bench->job.reconnect_on_loss_ns = 60 * NS_PER_S;
    bench->job.events = 0;
    bench->job.time_ns = NS_PER_S / 2;
    run(bench);
    assert_false(bench->good);
    assert_non_null(strstr(bench->error.text, "lost"));
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_sends_its_statements_in_order),
        cmocka_unit_test(statements_add_up_to_the_queries),
        cmocka_unit_test(settings_say_how_many_of_each),
        cmocka_unit_test(nothing_to_send_is_refused),
        cmocka_unit_test(ids_are_those_of_the_table),
        cmocka_unit_test(inserted_row_is_the_one_that_was_deleted),
        cmocka_unit_test(own_ids_are_unique_over_all_threads),
        cmocka_unit_test(tables_get_equal_shares),
        cmocka_unit_test(random_points_are_of_the_threads_part),
        cmocka_unit_test(conflict_begins_the_transaction_anew),
        cmocka_unit_test(conflict_at_commit_begins_it_anew),
        cmocka_unit_test(endless_conflicts_end_with_the_time),
        cmocka_unit_test(loss_ends_the_run_with_its_figures),
        cmocka_unit_test(loss_is_made_good_when_asked),
        cmocka_unit_test(server_that_stays_away_ends_the_run),
        cmocka_unit_test(time_that_passes_without_a_server_is_told),
        cmocka_unit_test(refusal_ends_the_run),
        cmocka_unit_test(refusals_are_counted_when_asked),
        cmocka_unit_test(refused_connection_is_told_once),
        cmocka_unit_test(missing_table_is_told_before_the_run),
        cmocka_unit_test(small_table_is_warned_of),
        cmocka_unit_test(connections_are_renewed),
        cmocka_unit_test(open_loop_counts_from_when_it_was_due),
        cmocka_unit_test(warm_up_is_in_no_figure),
        cmocka_unit_test(bulk_rows_are_events_and_packets_are_queries),
        cmocka_unit_test(bulk_packet_is_neither_lost_nor_doubled),
        cmocka_unit_test(bulk_run_that_ends_without_a_server_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
