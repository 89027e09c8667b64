/* What db.h promises, of one driver. Without arguments of sqlite; ISO_TEST_DB names another one as settings
 * ("db_driver=mysql;db_socket=/tmp/s"), ISO_TEST_PASSWORD its password: tests/db/servers.sh starts the servers. */
#include "core/settings.h"
#include "db/db.h"
#include "db/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LONG_BYTES 60000 /* a TEXT of MySQL has 64 KiB */

struct fixture {
    struct job job;
    const struct db_driver *driver;
    const char *password;
    struct db_connection *connection;
    struct db_failure failure;
    struct db_reply reply;
};

/* ---- set-up ---- */

static void set(struct job *job, const char *name, const char *value)
{
    struct error error = ERROR_INIT;
    if (!job_set(job, setting_find(name), name, value, &error))
        fail_msg("%s=%s: %s", name, value, error.text);
}

static void set_all(struct job *job, char *list)
{
    for (char *item = strtok(list, ";"); item; item = strtok(NULL, ";")) {
        char *value = strchr(item, '=');
        assert_non_null(value);
        *value++ = '\0';
        set(job, item, value);
    }
}

static bool connect_as(struct fixture *fixture, const struct job *job, const char *password, uint64_t index,
                       struct db_connection **out)
{
    struct db_target target = {
        .job = job, .password = password, .index = index, .may_create = true, .may_stream = true};
    return fixture->driver->connect(&target, out, &fixture->failure);
}

static struct db_connection *connect_again(struct fixture *fixture)
{
    struct db_connection *connection = NULL;
    if (!connect_as(fixture, &fixture->job, fixture->password, 0, &connection))
        fail_msg("%s", fixture->failure.text);
    return connection;
}

static bool ask(struct fixture *fixture, struct db_connection *connection, const char *sql)
{
    return fixture->driver->query(connection, sql, strlen(sql), NULL, NULL, &fixture->reply, &fixture->failure);
}

static void must(struct fixture *fixture, const char *sql)
{
    if (!ask(fixture, fixture->connection, sql))
        fail_msg("%s", fixture->failure.text);
}

static int make_fixture(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    struct error error = ERROR_INIT;
    const char *given = getenv("ISO_TEST_DB");
    char list[4096];
    job_init(&fixture->job);
    fixture->job.work = WORK_DATABASE;
    snprintf(list, sizeof(list), "%s", given ? given : "db_driver=sqlite;db_file=contract.sqlite");
    set_all(&fixture->job, list);
    fixture->password = getenv("ISO_TEST_PASSWORD");
    fixture->driver = db_driver_find(fixture->job.db_driver, &error);
    if (!fixture->driver)
        fail_msg("%s", error.text);
    if (fixture->driver->start && !fixture->driver->start(&error))
        fail_msg("%s", error.text);
    fixture->connection = connect_again(fixture);
    must(fixture, "DROP TABLE IF EXISTS t");
    must(fixture, "CREATE TABLE t (id INTEGER PRIMARY KEY, n BIGINT, c TEXT)");
    *state = fixture;
    return 0;
}

static int drop_fixture(void **state)
{
    struct fixture *fixture = *state;
    fixture->driver->disconnect(fixture->connection);
    free(fixture);
    return 0;
}

static bool is(const struct fixture *fixture, const char *driver)
{
    return strcmp(fixture->driver->name, driver) == 0;
}

static struct db_value number(int64_t value)
{
    return (struct db_value){DB_VALUE_INT, value, NULL, 0};
}

static struct db_value text(const char *value)
{
    return (struct db_value){DB_VALUE_TEXT, 0, value, strlen(value)};
}

static struct db_value nothing(void)
{
    return (struct db_value){DB_VALUE_NULL, 0, NULL, 0};
}

static struct db_statement *prepared(struct fixture *fixture, const char *sql)
{
    struct db_statement *statement = NULL;
    if (!fixture->driver->prepare(fixture->connection, sql, &statement, &fixture->failure))
        fail_msg("%s", fixture->failure.text);
    return statement;
}

static void execute(struct fixture *fixture, struct db_statement *statement, const struct db_value *values,
                    size_t count)
{
    if (!fixture->driver->execute(statement, values, count, &fixture->reply, &fixture->failure))
        fail_msg("%s", fixture->failure.text);
}

/* ---- rows ---- */

struct seen {
    size_t rows, columns, limit;
    char *values[8]; /* of all rows, one after the other; NULL = SQL's */
    size_t count;
};

static bool keep(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct seen *seen = context;
    seen->rows++;
    seen->columns = columns;
    for (size_t i = 0; i < columns && seen->count < 8; ++i) {
        char *copy = values[i] ? calloc(bytes[i] + 1, 1) : NULL;
        if (copy)
            memcpy(copy, values[i], bytes[i]);
        seen->values[seen->count++] = copy;
    }
    return seen->rows != seen->limit;
}

static void forget(struct seen *seen)
{
    for (size_t i = 0; i < seen->count; ++i)
        free(seen->values[i]);
    memset(seen, 0, sizeof(*seen));
}

static void read_rows(struct fixture *fixture, const char *sql, struct seen *seen)
{
    if (!fixture->driver->query(fixture->connection, sql, strlen(sql), keep, seen, &fixture->reply, &fixture->failure))
        fail_msg("%s", fixture->failure.text);
}

/* ---- text ---- */

static void text_counts_rows_and_changes(void **state)
{
    struct fixture *fixture = *state;
    must(fixture, "INSERT INTO t (id, n) VALUES (1, 10), (2, 20), (3, 30)");
    assert_false(fixture->reply.has_rows);
    assert_int_equal(fixture->reply.affected, 3);
    must(fixture, "UPDATE t SET n = n + 1 WHERE id > 1");
    assert_int_equal(fixture->reply.affected, 2);
    must(fixture, "SELECT id FROM t");
    assert_true(fixture->reply.has_rows);
    assert_int_equal(fixture->reply.rows, 3);
    assert_int_equal(fixture->reply.affected, 0);
    must(fixture, "SELECT id FROM t WHERE id > 100");
    assert_true(fixture->reply.has_rows);
    assert_int_equal(fixture->reply.rows, 0);
    must(fixture, "BEGIN");
    assert_false(fixture->reply.has_rows);
    assert_int_equal(fixture->reply.affected, 0);
    must(fixture, "DELETE FROM t WHERE id = 2");
    assert_int_equal(fixture->reply.affected, 1);
    must(fixture, "COMMIT");
    assert_int_equal(fixture->reply.affected, 0);
}

static void rows_come_as_text_with_null(void **state)
{
    struct fixture *fixture = *state;
    struct seen seen = {0};
    must(fixture, "INSERT INTO t VALUES (1, -7, 'a''b'), (2, NULL, '')");
    read_rows(fixture, "SELECT n, c FROM t ORDER BY id", &seen);
    assert_int_equal(seen.rows, 2);
    assert_int_equal(seen.columns, 2);
    assert_string_equal(seen.values[0], "-7");
    assert_string_equal(seen.values[1], "a'b");
    assert_null(seen.values[2]);
    assert_string_equal(seen.values[3], "");
    forget(&seen);
}

static void reading_may_end_early(void **state)
{
    struct fixture *fixture = *state;
    struct seen seen = {.limit = 1};
    must(fixture, "INSERT INTO t (id) VALUES (1), (2), (3)");
    read_rows(fixture, "SELECT id FROM t ORDER BY id", &seen);
    assert_int_equal(seen.rows, 1);
    forget(&seen);
    must(fixture, "SELECT id FROM t");
    assert_int_equal(fixture->reply.rows, 3);
}

static void text_is_sent_as_long_as_it_says(void **state)
{
    struct fixture *fixture = *state;
    const char sql[] = "SELECT 1 nonsense that is not sent (";
    assert_true(fixture->driver->query(fixture->connection, sql, strlen("SELECT 1"), NULL, NULL, &fixture->reply,
                                       &fixture->failure));
    assert_int_equal(fixture->reply.rows, 1);
}

static void several_statements_are_refused(void **state)
{
    struct fixture *fixture = *state;
    static const char *const texts[] = {"INSERT INTO t (id) VALUES (1); INSERT INTO t (id) VALUES (2)",
                                        "SELECT ';'; DELETE FROM t"};
    for (size_t i = 0; i < 2; ++i) {
        assert_false(ask(fixture, fixture->connection, texts[i]));
        assert_int_equal(fixture->failure.class, DB_CLASS_FATAL);
    }
    must(fixture, "SELECT id FROM t");
    assert_int_equal(fixture->reply.rows, 0);
    must(fixture, "INSERT INTO t (id, c) VALUES (1, 'a;b');"); /* one statement, with its semicolon */
    assert_int_equal(fixture->reply.affected, 1);
}

/* ---- prepared ---- */

static void each_type_of_value_arrives(void **state)
{
    struct fixture *fixture = *state;
    char *large = malloc(LONG_BYTES + 1);
    memset(large, 'x', LONG_BYTES);
    large[LONG_BYTES] = '\0';
    const struct db_value rows[][3] = {{number(1), number(INT64_MAX), text("it's \\ \"q\" ?")},
                                       {number(2), nothing(), text("")},
                                       {number(3), number(INT64_MIN), text(large)},
                                       {number(4), number(0), nothing()}};
    struct db_statement *statement = prepared(fixture, "INSERT INTO t (id, n, c) VALUES (?, ?, ?)");
    for (size_t i = 0; i < 4; ++i) {
        execute(fixture, statement, rows[i], 3);
        assert_false(fixture->reply.has_rows);
        assert_int_equal(fixture->reply.affected, 1);
    }
    fixture->driver->close(statement);
    struct seen seen = {0};
    read_rows(fixture, "SELECT n, c FROM t ORDER BY id", &seen);
    assert_string_equal(seen.values[0], "9223372036854775807");
    assert_string_equal(seen.values[1], "it's \\ \"q\" ?");
    assert_null(seen.values[2]);
    assert_string_equal(seen.values[3], "");
    assert_string_equal(seen.values[4], "-9223372036854775808");
    assert_string_equal(seen.values[5], large);
    assert_string_equal(seen.values[6], "0");
    assert_null(seen.values[7]);
    forget(&seen);
    free(large);
}

static void an_empty_text_that_comes_first_is_no_null(void **state)
{
    struct fixture *fixture = *state;
    const struct db_value row[3] = {number(1), number(2), text("")};
    struct db_statement *statement = prepared(fixture, "INSERT INTO t (id, n, c) VALUES (?, ?, ?)");
    struct seen seen = {0};
    execute(fixture, statement, row, 3);
    fixture->driver->close(statement);
    read_rows(fixture, "SELECT n, c FROM t", &seen);
    assert_string_equal(seen.values[1], "");
    forget(&seen);
}

static void prepared_statements_count_too(void **state)
{
    struct fixture *fixture = *state;
    must(fixture, "INSERT INTO t (id, n, c) VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')");
    struct db_statement *range = prepared(fixture, "SELECT c FROM t WHERE id BETWEEN ? AND ? ORDER BY c");
    struct db_statement *update = prepared(fixture, "UPDATE t SET n = n + 1 WHERE id = ?");
    for (int round = 0; round < 3; ++round) {
        const struct db_value two[] = {number(2), number(9)}, none[] = {number(7), number(9)}, one[] = {number(3)};
        execute(fixture, range, two, 2);
        assert_true(fixture->reply.has_rows);
        assert_int_equal(fixture->reply.rows, 2);
        assert_int_equal(fixture->reply.affected, 0);
        execute(fixture, update, one, 1);
        assert_false(fixture->reply.has_rows);
        assert_int_equal(fixture->reply.affected, 1);
        execute(fixture, range, none, 2);
        assert_true(fixture->reply.has_rows);
        assert_int_equal(fixture->reply.rows, 0);
    }
    fixture->driver->close(range);
    fixture->driver->close(update);
    fixture->driver->close(NULL);
}

static void any_statement_of_a_transaction_can_be_prepared(void **state)
{
    struct fixture *fixture = *state;
    const char *const texts[] = {fixture->driver->syntax->begin_write, "ROLLBACK", fixture->driver->syntax->begin_read,
                                 "COMMIT"};
    struct db_statement *statements[4];
    for (size_t i = 0; i < 4; ++i)
        statements[i] = prepared(fixture, texts[i]);
    execute(fixture, statements[0], NULL, 0);
    must(fixture, "INSERT INTO t (id) VALUES (1)");
    execute(fixture, statements[1], NULL, 0);
    execute(fixture, statements[2], NULL, 0);
    must(fixture, "SELECT id FROM t");
    assert_int_equal(fixture->reply.rows, 0);
    execute(fixture, statements[3], NULL, 0);
    for (size_t i = 0; i < 4; ++i)
        fixture->driver->close(statements[i]);
}

static struct db_statement *prepared_like(struct fixture *fixture, const char *sql, struct db_statement *like)
{
    struct db_statement *statement = NULL;
    if (!fixture->driver->prepare_like(fixture->connection, sql, like, &statement, &fixture->failure))
        fail_msg("%s", fixture->failure.text);
    return statement;
}

/* Statements that share their memory: each goes to its own table, whatever the one before had for values. */
static void statements_alike_go_each_to_its_own_table(void **state)
{
    struct fixture *fixture = *state;
    const struct db_value rows[][3] = {{number(1), number(10), text("a")},
                                       {number(2), nothing(), text("a text that is longer than the ones before it")},
                                       {number(3), text("30"), nothing()},
                                       {number(4), number(40), text("")}};
    const char *const expected = "1/10/a 2/-/a text that is longer than the ones before it 3/30/- 4/40/ ";
    if (!fixture->driver->prepare_like) {
        skip();
        return;
    }
    must(fixture, "DROP TABLE IF EXISTS u, v");
    must(fixture, "CREATE TABLE u (id INTEGER PRIMARY KEY, n BIGINT, c TEXT)");
    must(fixture, "CREATE TABLE v (id INTEGER PRIMARY KEY, n BIGINT, c TEXT)");
    struct db_statement *inserts[3], *reads[3];
    inserts[0] = prepared(fixture, "INSERT INTO t (id, n, c) VALUES (?, ?, ?)");
    inserts[1] = prepared_like(fixture, "INSERT INTO u (id, n, c) VALUES (?, ?, ?)", inserts[0]);
    inserts[2] = prepared_like(fixture, "INSERT INTO v (id, n, c) VALUES (?, ?, ?)", inserts[1]);
    reads[0] = prepared(fixture, "SELECT id, c FROM t WHERE id <= ?");
    reads[1] = prepared_like(fixture, "SELECT id, c FROM u WHERE id <= ?", reads[0]);
    reads[2] = prepared_like(fixture, "SELECT id, c FROM v WHERE id <= ?", reads[0]);
    struct db_statement *none = NULL; /* what is refused leaves the others as they are */
    assert_false(fixture->driver->prepare_like(fixture->connection, "INSERT INTO not_there (id, n, c) VALUES (?, ?, ?)",
                                               inserts[0], &none, &fixture->failure));
    assert_null(none);
    assert_non_null(strstr(fixture->failure.text, "not_there"));
    for (size_t i = 0; i < 4; ++i) /* t has one row at the end, u two, v four */
        for (size_t table = 0; table < 3; ++table)
            if (i < (size_t)1 << table)
                execute(fixture, inserts[table], rows[i], 3);
    for (size_t round = 0; round < 6; ++round) {
        const struct db_value all[] = {number(9)};
        execute(fixture, reads[round % 3], all, 1);
        assert_int_equal(fixture->reply.rows, 1 << round % 3);
    }
    assert_false(fixture->driver->execute(inserts[1], rows[0], 3, &fixture->reply, &fixture->failure));
    assert_non_null(strstr(fixture->failure.text, "INSERT INTO u")); /* not another's */
    struct db_one_value seen = {{0}, false};
    const char *sql = "SELECT GROUP_CONCAT(id, '/', COALESCE(n, '-'), '/', COALESCE(c, '-'), ' ' ORDER BY id "
                      "SEPARATOR '') FROM v";
    assert_true(fixture->driver->query(fixture->connection, sql, strlen(sql), db_take_one, &seen, &fixture->reply,
                                       &fixture->failure));
    assert_string_equal(seen.text, expected);
    for (size_t i = 0; i < 3; ++i) { /* the first goes first: others still have what it shared */
        fixture->driver->close(inserts[i]);
        fixture->driver->close(reads[i]);
        if (i < 2)
            execute(fixture, reads[2], (const struct db_value[]){number(9)}, 1);
    }
    must(fixture, "DROP TABLE u, v");
}

/* MySQL cannot prepare it and it is sent as text instead. */
static void what_cannot_be_prepared_is_sent_as_text(void **state)
{
    struct fixture *fixture = *state;
    if (!is(fixture, "mysql"))
        skip();
    struct db_statement *statement = prepared(fixture, "LOCK TABLES t READ");
    execute(fixture, statement, NULL, 0);
    must(fixture, "UNLOCK TABLES");
    fixture->driver->close(statement);
}

static void a_statement_goes_on_after_an_error(void **state)
{
    struct fixture *fixture = *state;
    struct db_statement *insert = prepared(fixture, "INSERT INTO t (id, c) VALUES (?, ?)");
    const struct db_value one[] = {number(1), text("a")}, two[] = {number(2), text("a longer text than before")};
    execute(fixture, insert, one, 2);
    bool is_conflict = strcmp(fixture->driver->name, "pgsql") == 0; /* as two transactions meet it there */
    assert_false(fixture->driver->execute(insert, one, 2, &fixture->reply, &fixture->failure));
    assert_int_equal(fixture->failure.class, is_conflict ? DB_CLASS_RETRY : DB_CLASS_FATAL);
    assert_non_null(strstr(fixture->failure.text, "INSERT INTO t"));
    execute(fixture, insert, two, 2);
    fixture->driver->close(insert);
    must(fixture, "SELECT id FROM t");
    assert_int_equal(fixture->reply.rows, 2);
}

/* ---- failures ---- */

static void a_missing_table_is_fatal_and_says_what_to_do(void **state)
{
    struct fixture *fixture = *state;
    struct db_statement *statement = NULL;
    assert_false(ask(fixture, fixture->connection, "SELECT id FROM not_there"));
    assert_int_equal(fixture->failure.class, DB_CLASS_FATAL);
    assert_non_null(strstr(fixture->failure.text, "not_there"));
    assert_non_null(strstr(fixture->failure.text, "prepare"));
    assert_null(strchr(fixture->failure.text, '\n'));
    bool made =
        fixture->driver->prepare(fixture->connection, "SELECT id FROM not_there", &statement, &fixture->failure);
    assert_false(made);
    assert_non_null(strstr(fixture->failure.text, "prepare"));
    must(fixture, "SELECT id FROM t");
}

/* Two transactions want one row, or one file, in the way that each driver calls a conflict. */
static void start_conflict(struct fixture *fixture, struct db_connection *other)
{
    if (is(fixture, "mysql"))
        must(fixture, "SET SESSION innodb_lock_wait_timeout = 1");
    must(fixture, is(fixture, "pgsql") ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN");
    must(fixture, "SELECT id FROM t");
    assert_true(ask(fixture, other, fixture->driver->syntax->begin_write));
    assert_true(ask(fixture, other, "UPDATE t SET n = 5 WHERE id = 1"));
    if (is(fixture, "pgsql"))
        assert_true(ask(fixture, other, "COMMIT"));
}

static enum db_class conflict(struct fixture *fixture, const char *retry_errors)
{
    struct db_connection *other = NULL;
    fixture->driver->disconnect(fixture->connection);
    set(&fixture->job, "sqlite_busy_timeout", "0");
    set(&fixture->job, "retry_errors", retry_errors);
    fixture->connection = connect_again(fixture);
    must(fixture, "DELETE FROM t");
    must(fixture, "INSERT INTO t (id, n) VALUES (1, 1)");
    other = connect_again(fixture);
    start_conflict(fixture, other);
    struct db_statement *update = prepared(fixture, "UPDATE t SET n = ? WHERE id = 1");
    const struct db_value values[] = {number(6)};
    assert_false(fixture->driver->execute(update, values, 1, &fixture->reply, &fixture->failure));
    enum db_class class = fixture->failure.class;
    fixture->driver->close(update);
    must(fixture, "ROLLBACK");
    if (!is(fixture, "pgsql"))
        assert_true(ask(fixture, other, "ROLLBACK"));
    fixture->driver->disconnect(other);
    must(fixture, "UPDATE t SET n = 7 WHERE id = 1");
    return class;
}

static void conflicts_are_tried_again(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(conflict(fixture, "auto"), DB_CLASS_RETRY);
    assert_int_equal(conflict(fixture, "all"), DB_CLASS_RETRY);
    assert_int_equal(conflict(fixture, "99999"), DB_CLASS_FATAL);
    const char *code = is(fixture, "mysql") ? "7, 1205" : is(fixture, "pgsql") ? "40001" : "5";
    assert_int_equal(conflict(fixture, code), DB_CLASS_RETRY);
}

static void a_lost_connection_is_told_and_can_be_made_anew(void **state)
{
    struct fixture *fixture = *state;
    char sql[128];
    struct seen seen = {0};
    bool mysql = is(fixture, "mysql");
    if (is(fixture, "sqlite"))
        skip();
    struct db_statement *statement = prepared(fixture, "SELECT id FROM t WHERE id = ?");
    const struct db_value values[] = {number(1)};
    struct db_connection *other = connect_again(fixture);
    read_rows(fixture, mysql ? "SELECT CONNECTION_ID()" : "SELECT pg_backend_pid()", &seen);
    snprintf(sql, sizeof(sql), mysql ? "KILL %s" : "SELECT pg_terminate_backend(%s, 5000)", seen.values[0]);
    forget(&seen);
    assert_true(ask(fixture, other, sql));
    assert_false(fixture->driver->execute(statement, values, 1, &fixture->reply, &fixture->failure));
    assert_int_equal(fixture->failure.class, DB_CLASS_LOST);
    assert_false(ask(fixture, fixture->connection, "SELECT 1"));
    assert_int_equal(fixture->failure.class, DB_CLASS_LOST);
    fixture->driver->close(statement);
    fixture->driver->disconnect(fixture->connection);
    fixture->driver->disconnect(other);
    fixture->connection = connect_again(fixture);
    must(fixture, "SELECT 1");
}

/* ---- streams ---- */

struct piecewise { /* a text in pieces that cut its rows anywhere */
    const char *text;
    size_t at, step, broken_at; /* broken_at 0 = never */
};

static size_t next_piece(void *context, char *out, size_t room)
{
    struct piecewise *from = context;
    size_t left = strlen(from->text) - from->at, bytes = left < from->step ? left : from->step;
    if (from->broken_at > 0 && from->at >= from->broken_at)
        return DB_STREAM_BROKEN;
    bytes = bytes < room ? bytes : room;
    memcpy(out, from->text + from->at, bytes);
    from->at += bytes;
    return bytes;
}

static bool stream_text(struct fixture *fixture, const char *rows, size_t step, size_t broken_at)
{
    struct piecewise from = {rows, 0, step, broken_at};
    struct db_stream stream = {"t", "id, n, c", next_piece, &from};
    return fixture->driver->stream(fixture->connection, &stream, &fixture->reply, &fixture->failure);
}

static void skip_without_streams(const struct fixture *fixture)
{
    assert_true((fixture->driver->stream == NULL) == (fixture->driver->syntax->stream == NULL));
    if (!fixture->driver->stream)
        skip();
}

static void streamed_rows_arrive_however_they_are_cut(void **state)
{
    static const char rows[] = "1\t-7\ta\\tb\\nc\\\\d\\r'\";\n2\t\\N\t\n3\t9223372036854775807\t\\N\n";
    struct fixture *fixture = *state;
    skip_without_streams(fixture);
    for (size_t step = 1; step < sizeof(rows) + 1; step += 5) {
        struct seen seen = {0};
        must(fixture, "DELETE FROM t");
        if (!stream_text(fixture, rows, step, 0))
            fail_msg("%s", fixture->failure.text);
        assert_int_equal(fixture->reply.affected, 3);
        read_rows(fixture, "SELECT n, c FROM t ORDER BY id", &seen);
        assert_int_equal(seen.rows, 3);
        assert_string_equal(seen.values[0], "-7");
        assert_string_equal(seen.values[1], "a\tb\nc\\d\r'\";");
        assert_null(seen.values[2]);
        assert_string_equal(seen.values[3], "");
        assert_string_equal(seen.values[4], "9223372036854775807");
        assert_null(seen.values[5]);
        forget(&seen);
    }
    assert_true(stream_text(fixture, "", 1, 0));
    assert_int_equal(fixture->reply.affected, 0);
}

/* Each with a row that is fine before it. */
static void a_row_that_would_be_lost_or_changed_fails_the_stream(void **state)
{
    static const char *const texts[] = {"1\t1\ta\n1\t2\tb\n", "1\t1\ta\n2\tmany\tb\n", "1\t1\ta\n2\t2\n",
                                        "1\t1\ta\n2\t2\tb\tc\n", "1\t1\ta\n2\t99999999999999999999\tb\n"};
    struct fixture *fixture = *state;
    skip_without_streams(fixture);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        must(fixture, "DELETE FROM t");
        assert_false(stream_text(fixture, texts[i], 100, 0));
        assert_int_not_equal(fixture->failure.class, DB_CLASS_LOST);
        assert_true(fixture->failure.code != 0 || fixture->failure.sqlstate[0]);
        must(fixture, "SELECT id FROM t");
        assert_int_equal(fixture->reply.rows, 0);
    }
}

static void a_stream_that_breaks_off_leaves_no_row(void **state)
{
    struct fixture *fixture = *state;
    skip_without_streams(fixture);
    assert_false(stream_text(fixture, "1\t1\ta\n2\t2\tb\n", 6, 6));
    assert_int_equal(fixture->failure.class, DB_CLASS_FATAL);
    must(fixture, "SELECT id FROM t");
    assert_int_equal(fixture->reply.rows, 0);
    assert_true(stream_text(fixture, "1\t1\ta\n", 100, 0));
    must(fixture, "SELECT id FROM t");
    assert_int_equal(fixture->reply.rows, 1);
}

/* A file that is there: the statement would load it if the client library gave it. */
static void no_file_of_the_client_is_ever_sent(void **state)
{
    struct fixture *fixture = *state;
    if (!is(fixture, "mysql"))
        skip();
    FILE *file = fopen("secret.txt", "wb");
    assert_non_null(file);
    assert_true(fputs("1\t2\tsecret\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_false(ask(fixture, fixture->connection, "LOAD DATA LOCAL INFILE 'secret.txt' INTO TABLE t"));
    fixture->connection = (fixture->driver->disconnect(fixture->connection), connect_again(fixture));
    must(fixture, "SELECT id FROM t");
    assert_int_equal(fixture->reply.rows, 0);
    remove("secret.txt");
}

/* ---- facts ---- */

static const char *variable(const struct server_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->variables_count; ++i)
        if (strcmp(facts->variables[i].name, name) == 0)
            return facts->variables[i].value;
    return NULL;
}

static void facts_name_server_and_variables(void **state)
{
    struct fixture *fixture = *state;
    struct server_facts facts;
    assert_true(fixture->driver->facts(fixture->connection, &facts, &fixture->failure));
    assert_true(facts.product[0] && facts.version[0] && facts.client[0]);
    const char *one = is(fixture, "mysql")   ? "innodb_flush_log_at_trx_commit"
                      : is(fixture, "pgsql") ? "synchronous_commit"
                                             : "journal_mode";
    assert_non_null(variable(&facts, one));
    if (is(fixture, "pgsql")) /* a number and a unit of 8 kB, as pg_settings has them, would read as 80 MiB */
        assert_string_equal(variable(&facts, "shared_buffers"), "64MB"); /* tests/servers.sh */
    assert_true(facts.variables_count < SERVER_VARIABLES_MAX);
    must(fixture, "SELECT 1");
}

static void room_is_there_for_one_and_not_for_a_million(void **state)
{
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    if (!fixture->driver->room) {
        skip();
        return; /* not reached, which a checker cannot know */
    }
    assert_true(fixture->driver->room(fixture->connection, 1, 1, &error));
    assert_false(fixture->driver->room(fixture->connection, 1000000, 1, &error));
    assert_non_null(strstr(error.text, "max_connections"));
    if (!is(fixture, "mysql"))
        return;
    error = (struct error)ERROR_INIT;
    assert_false(fixture->driver->room(fixture->connection, 2, UINT32_MAX, &error));
    assert_non_null(strstr(error.text, "max_prepared_stmt_count"));
}

/* ---- a file ---- */

static void sqlite_makes_no_file_unless_it_may(void **state)
{
    struct fixture *fixture = *state;
    struct db_connection *connection = NULL;
    if (!is(fixture, "sqlite"))
        skip();
    struct job job = fixture->job;
    set(&job, "db_file", "not-there.sqlite");
    struct db_target target = {.job = &job, .password = NULL, .index = 0, .may_create = false};
    assert_false(fixture->driver->connect(&target, &connection, &fixture->failure));
    assert_non_null(strstr(fixture->failure.text, "not-there.sqlite"));
    set(&job, "db_file", "no-such-folder/x.sqlite");
    assert_false(connect_as(fixture, &job, NULL, 0, &connection));
    assert_non_null(strstr(fixture->failure.text, "--db-file"));
}

static void sqlite_settings_are_in_use(void **state)
{
    static const struct {
        const char *setting, *value, *pragma, *expected;
    } rows[] = {{"sqlite_journal", "wal", "journal_mode", "wal"},
                {"sqlite_journal", "truncate", "journal_mode", "truncate"},
                {"sqlite_journal", "memory", "journal_mode", "memory"},
                {"sqlite_journal", "delete", "journal_mode", "delete"},
                {"sqlite_synchronous", "off", "synchronous", "0"},
                {"sqlite_synchronous", "normal", "synchronous", "1"},
                {"sqlite_synchronous", "full", "synchronous", "2"},
                {"sqlite_synchronous", "extra", "synchronous", "3"},
                {"sqlite_busy_timeout", "1.5", "busy_timeout", "1500"}};
    struct fixture *fixture = *state;
    if (!is(fixture, "sqlite"))
        skip();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        struct server_facts facts;
        fixture->driver->disconnect(fixture->connection);
        set(&fixture->job, rows[i].setting, rows[i].value);
        fixture->connection = connect_again(fixture);
        assert_true(fixture->driver->facts(fixture->connection, &facts, &fixture->failure));
        assert_string_equal(variable(&facts, rows[i].pragma), rows[i].expected);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(text_counts_rows_and_changes),
        TEST(rows_come_as_text_with_null),
        TEST(reading_may_end_early),
        TEST(text_is_sent_as_long_as_it_says),
        TEST(several_statements_are_refused),
        TEST(each_type_of_value_arrives),
        TEST(an_empty_text_that_comes_first_is_no_null),
        TEST(prepared_statements_count_too),
        TEST(any_statement_of_a_transaction_can_be_prepared),
        TEST(statements_alike_go_each_to_its_own_table),
        TEST(what_cannot_be_prepared_is_sent_as_text),
        TEST(a_statement_goes_on_after_an_error),
        TEST(a_missing_table_is_fatal_and_says_what_to_do),
        TEST(conflicts_are_tried_again),
        TEST(a_lost_connection_is_told_and_can_be_made_anew),
        TEST(streamed_rows_arrive_however_they_are_cut),
        TEST(a_row_that_would_be_lost_or_changed_fails_the_stream),
        TEST(a_stream_that_breaks_off_leaves_no_row),
        TEST(no_file_of_the_client_is_ever_sent),
        TEST(facts_name_server_and_variables),
        TEST(room_is_there_for_one_and_not_for_a_million),
        TEST(sqlite_makes_no_file_unless_it_may),
        TEST(sqlite_settings_are_in_use),
    };
    return cmocka_run_group_tests_name("db_contract", tests, NULL, NULL);
}
