/* mysql.c: MySQL and MariaDB, by MySQL's libmysqlclient or MariaDB's Connector/C, whichever the build found. */
#include "db/mysql_driver.h"
#include "db/mysql_skip.h"

/* ---- start ---- */

static bool start(struct error *error)
{
    return mysql_library_init(0, NULL, NULL) == 0 ||
           error_set(error, ERR_SYSTEM, "--db-driver=mysql: the client library does not start");
}

static void stop(void)
{
    mysql_library_end();
}

static void thread_start(void)
{
    mysql_thread_init();
}

static void thread_stop(void)
{
    mysql_thread_end();
}

/* ---- text ---- */

#define COLUMNS_MAX 64

/* False when the reader wants no more. */
static bool hand_over(MYSQL_RES *result, MYSQL_ROW values, db_row *row, void *context)
{
    unsigned columns = mysql_num_fields(result);
    const unsigned long *lengths = mysql_fetch_lengths(result);
    size_t bytes[COLUMNS_MAX];
    columns = columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
    for (unsigned i = 0; i < columns; ++i)
        bytes[i] = lengths[i];
    return row(context, columns, (const char *const *)values, bytes);
}

/* Rows are taken one by one as they come, and kept nowhere. */
static bool take_answer(struct mysql_connection *connection, db_row *row, void *context, struct db_reply *reply)
{
    MYSQL *handle = connection->handle;
    MYSQL_RES *result = mysql_use_result(handle);
    if (!result)
        return mysql_errno(handle) == 0;
    for (bool more = true; more;) {
        if (!row && connection->may_skip)
            reply->rows += mysql_skip_text(handle);
        MYSQL_ROW values = mysql_fetch_row(result);
        more = values != NULL;
        reply->rows += more;
        if (more && row && !hand_over(result, values, row, context))
            row = NULL;
    }
    bool good = mysql_errno(handle) == 0;
    mysql_free_result(result);
    return good;
}

/* A procedure's further answers. */
static bool drop_further_answers(struct mysql_connection *connection)
{
    struct db_reply ignored = {0};
    int status = -1;
    while (mysql_more_results(connection->handle) && (status = mysql_next_result(connection->handle)) == 0)
        if (!take_answer(connection, NULL, NULL, &ignored))
            return false;
    return status <= 0;
}

static bool query(struct db_connection *base, const char *sql, size_t bytes, db_row *row, void *context,
                  struct db_reply *reply, struct db_failure *failure)
{
    struct mysql_connection *connection = mysql_own(base);
    MYSQL *handle = connection->handle;
    if (mysql_real_query(handle, sql, (unsigned long)bytes) != 0)
        return mysql_fail(connection, sql, bytes, failure);
    *reply = (struct db_reply){.has_rows = mysql_field_count(handle) > 0};
    bool good = true;
    if (reply->has_rows)
        good = take_answer(connection, row, context, reply);
    else
        reply->affected = mysql_affected_rows(handle);
    return (good && drop_further_answers(connection)) || mysql_fail(connection, sql, bytes, failure);
}

static const struct db_syntax syntax = {.auto_id = "INTEGER NOT NULL AUTO_INCREMENT",
                                        .begin_write = "BEGIN",
                                        .begin_read = "BEGIN",
                                        .zero_is_next_id = true,
                                        .last_id = INT32_MAX,
                                        .has_engines = true,
                                        .index_in_table = true,
                                        .stream = "infile",
                                        .statement_bytes = 512 * 1024}; /* a server's smallest usual packet is 1 MiB */

const struct db_driver mysql_driver = {.name = "mysql",
                                       .syntax = &syntax,
                                       .start = start,
                                       .stop = stop,
                                       .thread_start = thread_start,
                                       .thread_stop = thread_stop,
                                       .check = mysql_check,
                                       .connect = mysql_connect_to,
                                       .disconnect = mysql_disconnect,
                                       .query = query,
                                       .prepare = mysql_prepared_make,
                                       .prepare_like = mysql_prepared_like,
                                       .close = mysql_prepared_close,
                                       .execute = mysql_prepared_execute,
                                       .stream = mysql_stream,
                                       .facts = mysql_facts,
                                       .room = mysql_room,
                                       .replication = &mysql_replication};
