#include "db/mysql_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSAFE_FOR_BINLOG 1592 /* about the binary log's format, not about a row */
#define NO_FILE 2

/* ---- files that a server asks for ---- */

static int refuse_init(void **context, const char *name, void *given)
{
    (void)name;
    *context = given;
    return 1;
}

static int refuse_read(void *context, char *out, unsigned room)
{
    (void)context;
    (void)out;
    (void)room;
    return -1;
}

static void end(void *context)
{
    (void)context;
}

static int refuse_error(void *context, char *out, unsigned room)
{
    (void)context;
    snprintf(out, room, "the server asked for a file, and gets none");
    return NO_FILE;
}

void mysql_refuse_files(MYSQL *handle)
{
    mysql_set_local_infile_handler(handle, refuse_init, refuse_read, end, refuse_error, NULL);
}

/* ---- rows in the place of a file ---- */

struct sending {
    const struct db_stream *rows;
    bool broken; /* libraries do not agree on whether a read that fails makes the statement fail */
};

static int begin_rows(void **context, const char *name, void *given)
{
    (void)name;
    *context = given;
    return 0;
}

static int next_rows(void *context, char *out, unsigned room)
{
    struct sending *sending = context;
    const struct db_stream *rows = sending->rows;
    size_t bytes = rows->next(rows->context, out, room < INT32_MAX ? room : INT32_MAX);
    sending->broken |= bytes == DB_STREAM_BROKEN;
    return sending->broken ? -1 : (int)bytes;
}

static int rows_error(void *context, char *out, unsigned room)
{
    (void)context;
    snprintf(out, room, "the client gave up");
    return NO_FILE;
}

/* ---- what the server did not take as it came ---- */

struct complaint {
    int code;
    char text[256];
};

static bool take_complaint(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct complaint *out = context;
    (void)bytes;
    int code = columns >= 3 && values[1] ? atoi(values[1]) : 0;
    if (code == 0 || code == UNSAFE_FOR_BINLOG)
        return true;
    out->code = code;
    snprintf(out->text, sizeof(out->text), "%s", values[2] ? values[2] : "");
    return false;
}

/* With LOCAL the server makes warnings of what is an error elsewhere: rows left out, values cut. */
static bool took_all(struct mysql_connection *connection, const char *sql, size_t bytes, struct db_failure *failure)
{
    static const char ask[] = "SHOW WARNINGS";
    struct complaint complaint = {0};
    struct db_reply reply;
    if (mysql_warning_count(connection->handle) == 0)
        return true;
    if (!mysql_driver.query(&connection->base, ask, sizeof(ask) - 1, take_complaint, &complaint, &reply, failure))
        return false;
    struct db_saying saying = {complaint.code, NULL, complaint.text, mysql_hints};
    return complaint.code == 0 || db_fail_sql(failure, DB_CLASS_FATAL, &saying, sql, bytes);
}

static bool plain(struct mysql_connection *connection, const char *sql, struct db_failure *failure)
{
    struct db_reply ignored;
    return mysql_driver.query(&connection->base, sql, strlen(sql), NULL, NULL, &ignored, failure);
}

static bool send_rows(struct mysql_connection *connection, const struct db_stream *rows, const char *sql, size_t bytes,
                      struct db_reply *reply, struct db_failure *failure)
{
    struct sending sending = {rows, false};
    mysql_set_local_infile_handler(connection->handle, begin_rows, next_rows, end, rows_error, &sending);
    bool good = mysql_real_query(connection->handle, sql, (unsigned long)bytes) == 0;
    mysql_refuse_files(connection->handle);
    if (good && sending.broken) {
        struct db_saying saying = {0, NULL, "the client gave up", NULL};
        return db_fail_sql(failure, DB_CLASS_FATAL, &saying, sql, bytes);
    }
    if (!good)
        return mysql_fail(connection, sql, bytes, failure);
    *reply = (struct db_reply){.affected = mysql_affected_rows(connection->handle)};
    return took_all(connection, sql, bytes, failure);
}

/* In a transaction of its own: rows that were sent before it broke off, or that the server changed, must not stay. */
bool mysql_stream(struct db_connection *base, const struct db_stream *rows, struct db_reply *reply,
                  struct db_failure *failure)
{
    struct mysql_connection *connection = mysql_own(base);
    struct db_failure ignored;
    char sql[DB_STREAM_SQL_BYTES];
    /* 09, 5c and 0a: a backslash in quotes means another thing with NO_BACKSLASH_ESCAPES */
    int length =
        snprintf(sql, sizeof(sql),
                 "LOAD DATA LOCAL INFILE 'rows' INTO TABLE %s CHARACTER SET utf8mb4 FIELDS TERMINATED BY x'09' "
                 "ESCAPED BY x'5c' LINES TERMINATED BY x'0a' (%s)",
                 rows->table, rows->columns);
    if (length < 0 || (size_t)length >= sizeof(sql))
        return db_no_memory(failure);
    if (!plain(connection, "BEGIN", failure))
        return false;
    if (send_rows(connection, rows, sql, (size_t)length, reply, failure) && plain(connection, "COMMIT", failure))
        return true;
    if (failure->class != DB_CLASS_LOST)
        plain(connection, "ROLLBACK", &ignored);
    return false;
}
