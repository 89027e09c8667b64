/* mysql.c: MySQL and MariaDB, by MySQL's libmysqlclient or MariaDB's Connector/C, whichever the build found. */
#include "db/mysql_driver.h"
#include "db/mysql_skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_PREPARABLE 1295

struct parameter {
    enum db_value_type type;
    int64_t number;
    char *text;
    unsigned long text_bytes, room;
    mysql_flag is_null;
};

struct statement {
    struct db_statement base;
    MYSQL_STMT *handle; /* NULL = the server cannot prepare it: sent as text each time */
    char *sql;          /* for errors */
    struct parameter *parameters;
    MYSQL_BIND *binds;
    size_t count;
    bool bound, has_rows;
    struct db_text text;
};

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

/* ---- prepared ---- */

static bool fail_prepared(const struct statement *statement, struct db_failure *failure)
{
    return mysql_fail_prepared(mysql_own(statement->base.connection), statement->handle, statement->sql, failure);
}

static void close_statement(struct db_statement *base)
{
    struct statement *statement = (struct statement *)base;
    if (!statement)
        return;
    if (statement->handle)
        mysql_stmt_close(statement->handle);
    for (size_t i = 0; statement->parameters && i < statement->count; i++)
        free(statement->parameters[i].text);
    free(statement->parameters);
    free(statement->binds);
    free(statement->sql);
    db_text_done(&statement->text);
    free(statement);
}

static bool copy_sql(struct statement *statement, const char *sql)
{
    size_t bytes = strlen(sql) + 1;
    statement->sql = malloc(bytes);
    if (statement->sql)
        memcpy(statement->sql, sql, bytes);
    return statement->sql != NULL;
}

static bool send_as_text_instead(struct statement *statement, struct db_failure *failure)
{
    mysql_stmt_close(statement->handle);
    statement->handle = NULL;
    return db_text_init(&statement->text, statement->sql) || db_no_memory(failure);
}

static bool prepare_handle(struct statement *statement, struct db_failure *failure)
{
    if (mysql_stmt_prepare(statement->handle, statement->sql, (unsigned long)strlen(statement->sql)) != 0)
        return mysql_stmt_errno(statement->handle) == NOT_PREPARABLE ? send_as_text_instead(statement, failure)
                                                                     : fail_prepared(statement, failure);
    statement->count = mysql_stmt_param_count(statement->handle);
    statement->has_rows = mysql_stmt_field_count(statement->handle) > 0;
    if (mysql_own(statement->base.connection)->may_skip)
        mysql_forget_names(statement->handle);
    statement->parameters = calloc(statement->count + 1, sizeof(*statement->parameters));
    statement->binds = calloc(statement->count + 1, sizeof(*statement->binds));
    return (statement->parameters && statement->binds) || db_no_memory(failure);
}

static bool prepare(struct db_connection *base, const char *sql, struct db_statement **out, struct db_failure *failure)
{
    struct statement *statement = calloc(1, sizeof(*statement));
    *out = NULL;
    if (!statement)
        return db_no_memory(failure);
    statement->base.connection = base;
    statement->handle = mysql_stmt_init(mysql_own(base)->handle);
    bool good =
        statement->handle && copy_sql(statement, sql) ? prepare_handle(statement, failure) : db_no_memory(failure);
    if (good)
        *out = &statement->base;
    else
        close_statement(&statement->base);
    return good;
}

/* ---- executing: binds are made with the first values, and again only when a type changes or a text grows ---- */

static bool fits(const struct parameter *parameter, const struct db_value *value)
{
    if (value->type == DB_VALUE_NULL)
        return true;
    return parameter->type == value->type && (value->type != DB_VALUE_TEXT || value->text_bytes <= parameter->room);
}

static bool make_room(struct parameter *parameter, const struct db_value *value)
{
    if (value->type != DB_VALUE_TEXT || value->text_bytes <= parameter->room)
        return true;
    size_t room = value->text_bytes < 128 ? 128 : value->text_bytes;
    char *text = realloc(parameter->text, room);
    if (!text)
        return false;
    parameter->text = text;
    parameter->room = (unsigned long)room;
    return true;
}

static bool bind(struct statement *statement, const struct db_value *values, struct db_failure *failure)
{
    for (size_t i = 0; i < statement->count; i++) {
        struct parameter *parameter = &statement->parameters[i];
        MYSQL_BIND *bind = &statement->binds[i];
        if (!make_room(parameter, &values[i]))
            return db_no_memory(failure);
        if (values[i].type != DB_VALUE_NULL)
            parameter->type = values[i].type;
        bool text = parameter->type == DB_VALUE_TEXT;
        memset(bind, 0, sizeof(*bind));
        bind->buffer_type = text ? MYSQL_TYPE_STRING : MYSQL_TYPE_LONGLONG;
        bind->buffer = text ? (void *)parameter->text : (void *)&parameter->number;
        bind->buffer_length = text ? parameter->room : sizeof(parameter->number);
        bind->length = text ? &parameter->text_bytes : NULL;
        bind->is_null = &parameter->is_null;
    }
    statement->bound = true;
    return statement->count == 0 || mysql_stmt_bind_param(statement->handle, statement->binds) == 0 ||
           fail_prepared(statement, failure);
}

static bool put_values(struct statement *statement, const struct db_value *values, struct db_failure *failure)
{
    bool rebinds = !statement->bound;
    for (size_t i = 0; i < statement->count; i++)
        rebinds |= !fits(&statement->parameters[i], &values[i]);
    if (rebinds && !bind(statement, values, failure))
        return false;
    for (size_t i = 0; i < statement->count; i++) {
        struct parameter *parameter = &statement->parameters[i];
        parameter->is_null = values[i].type == DB_VALUE_NULL;
        if (values[i].type == DB_VALUE_INT)
            parameter->number = values[i].number;
        if (values[i].type != DB_VALUE_TEXT)
            continue;
        memcpy(parameter->text, values[i].text, values[i].text_bytes);
        parameter->text_bytes = (unsigned long)values[i].text_bytes;
    }
    return true;
}

/* A procedure's further answers. */
static bool drop_further_rows(struct statement *statement)
{
    MYSQL_STMT *handle = statement->handle;
    int status = -1, fetched = 0;
    while ((status = mysql_stmt_next_result(handle)) == 0)
        while (mysql_stmt_field_count(handle) > 0 && (fetched = mysql_stmt_fetch(handle)) != MYSQL_NO_DATA)
            if (fetched == 1)
                return false;
    return status <= 0;
}

/* Reads every row of the answer and looks at none: nothing is bound, so nothing is converted or copied. What the
 * connection has read so far is skipped; the library's fetch then brings more, and so on. */
static bool take_rows(struct statement *statement, struct db_reply *reply, struct db_failure *failure)
{
    const struct mysql_connection *connection = mysql_own(statement->base.connection);
    bool all = false;
    int status = 0;
    do {
        if (connection->may_skip)
            reply->rows += mysql_skip_prepared(statement->handle, &all);
        if (all)
            return true;
        status = mysql_stmt_fetch(statement->handle);
        reply->rows += status == 0 || status == MYSQL_DATA_TRUNCATED;
    } while (status == 0 || status == MYSQL_DATA_TRUNCATED);
    bool good = status == MYSQL_NO_DATA && (!mysql_more_results(connection->handle) || drop_further_rows(statement));
    return good || fail_prepared(statement, failure);
}

static bool execute_text(struct statement *statement, const struct db_value *values, size_t count,
                         struct db_reply *reply, struct db_failure *failure)
{
    const MYSQL *handle = mysql_own(statement->base.connection)->handle;
    bool backslash_escapes = (handle->server_status & SERVER_STATUS_NO_BACKSLASH_ESCAPES) == 0;
    size_t bytes = db_text_fill(&statement->text, values, count, backslash_escapes);
    if (bytes == 0)
        return db_no_memory(failure);
    return query(statement->base.connection, statement->text.out, bytes, NULL, NULL, reply, failure);
}

static bool execute(struct db_statement *base, const struct db_value *values, size_t count, struct db_reply *reply,
                    struct db_failure *failure)
{
    struct statement *statement = (struct statement *)base;
    if (!statement->handle)
        return execute_text(statement, values, count, reply, failure);
    if (!put_values(statement, values, failure))
        return false;
    if (mysql_stmt_execute(statement->handle) != 0)
        return fail_prepared(statement, failure);
    *reply = (struct db_reply){.has_rows = statement->has_rows};
    if (statement->has_rows)
        return take_rows(statement, reply, failure);
    reply->affected = mysql_stmt_affected_rows(statement->handle);
    return true;
}

static const struct db_syntax syntax = {.auto_id = "INTEGER NOT NULL AUTO_INCREMENT",
                                        .begin_write = "BEGIN",
                                        .begin_read = "BEGIN",
                                        .has_engines = true,
                                        .index_in_table = true,
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
                                       .prepare = prepare,
                                       .close = close_statement,
                                       .execute = execute,
                                       .facts = mysql_facts,
                                       .room = mysql_room};
