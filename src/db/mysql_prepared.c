/* Statements that the server has prepared, or that are sent as text instead. */
#include "db/mysql_driver.h"
#include "db/mysql_skip.h"

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

/* What a statement needs on this side. The library takes 9 KB for each handle, so statements that differ in their table
 * alone have one together: the server knows each by its own number, which is put into the handle before it is used. */
struct shape {
    uint64_t users; /* statements that have it */
    MYSQL_STMT *handle;
    struct parameter *parameters;
    MYSQL_BIND *binds;
    size_t count;
    bool has_rows, is_bound;
    uint64_t binding; /* how often values were bound */
};

struct statement {
    struct db_statement base;
    struct shape *shape; /* NULL = the server cannot prepare it: sent as text each time */
    unsigned long id;    /* the server's, where the handle is shared */
    uint64_t sent;       /* the binding whose types the server knows of it */
    char *sql;           /* for errors */
    struct db_text text;
};

/* ---- one handle for several statements of the server ---- */

/* Connector/C's headers describe the handle; libmysqlclient's handles stay one for each statement. */
#if IS_CONNECTOR_C

#define MAY_SHARE (MARIADB_PACKAGE_VERSION_ID >= 30000 && MARIADB_PACKAGE_VERSION_ID < 40000)

static unsigned long id_of(const MYSQL_STMT *handle)
{
    return handle->stmt_id;
}

/* As if it were new: else the library would close what it has prepared before. What is refused leaves those usable. */
static bool prepare_once_more(MYSQL_STMT *handle, const char *sql)
{
    handle->state = MYSQL_STMT_INITTED;
    if (mysql_stmt_prepare(handle, sql, (unsigned long)strlen(sql)) == 0)
        return true;
    handle->state = MYSQL_STMT_PREPARED;
    return false;
}

static void aim(MYSQL_STMT *handle, unsigned long id, bool sends_types)
{
    handle->stmt_id = id;
    handle->send_types_to_server = sends_types;
}

#else

#define MAY_SHARE false

static unsigned long id_of(const MYSQL_STMT *handle)
{
    (void)handle;
    return 0;
}

static bool prepare_once_more(MYSQL_STMT *handle, const char *sql)
{
    (void)handle;
    (void)sql;
    return false;
}

static void aim(MYSQL_STMT *handle, unsigned long id, bool sends_types)
{
    (void)handle;
    (void)id;
    (void)sends_types;
}

#endif

/* ---- making and closing ---- */

static bool fail_prepared(const struct statement *statement, struct db_failure *failure)
{
    return mysql_fail_prepared(mysql_own(statement->base.connection), statement->shape->handle, statement->sql,
                               failure);
}

static void leave_shape(struct shape *shape)
{
    if (!shape || --shape->users > 0)
        return;
    if (shape->handle)
        mysql_stmt_close(shape->handle);
    for (size_t i = 0; shape->parameters && i < shape->count; i++)
        free(shape->parameters[i].text);
    free(shape->parameters);
    free(shape->binds);
    free(shape);
}

void mysql_prepared_close(struct db_statement *base)
{
    struct statement *statement = (struct statement *)base;
    if (!statement)
        return;
    leave_shape(statement->shape);
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

static bool make_shape(struct statement *statement)
{
    struct shape *shape = statement->shape = calloc(1, sizeof(*shape));
    if (!shape)
        return false;
    shape->users = 1;
    shape->handle = mysql_stmt_init(mysql_own(statement->base.connection)->handle);
    return shape->handle != NULL;
}

static bool send_as_text_instead(struct statement *statement, struct db_failure *failure)
{
    leave_shape(statement->shape);
    statement->shape = NULL;
    return db_text_init(&statement->text, statement->sql) || db_no_memory(failure);
}

static bool prepare_handle(struct statement *statement, struct db_failure *failure)
{
    struct shape *shape = statement->shape;
    if (statement->base.connection->job->db_statements == DB_STATEMENTS_TEXT)
        return send_as_text_instead(statement, failure);
    if (mysql_stmt_prepare(shape->handle, statement->sql, (unsigned long)strlen(statement->sql)) != 0)
        return mysql_stmt_errno(shape->handle) == NOT_PREPARABLE ? send_as_text_instead(statement, failure)
                                                                 : fail_prepared(statement, failure);
    shape->count = mysql_stmt_param_count(shape->handle);
    shape->has_rows = mysql_stmt_field_count(shape->handle) > 0;
    statement->id = id_of(shape->handle);
    if (mysql_own(statement->base.connection)->may_skip)
        mysql_forget_names(shape->handle);
    shape->parameters = calloc(shape->count + 1, sizeof(*shape->parameters));
    shape->binds = calloc(shape->count + 1, sizeof(*shape->binds));
    return (shape->parameters && shape->binds) || db_no_memory(failure);
}

static struct statement *begin_statement(struct db_connection *base, const char *sql, struct db_failure *failure)
{
    struct statement *statement = calloc(1, sizeof(*statement));
    if (statement) {
        statement->base.connection = base;
        if (copy_sql(statement, sql))
            return statement;
    }
    mysql_prepared_close((struct db_statement *)statement);
    db_no_memory(failure);
    return NULL;
}

static bool end_statement(struct statement *statement, bool good, struct db_statement **out)
{
    if (good)
        *out = &statement->base;
    else
        mysql_prepared_close(&statement->base);
    return good;
}

bool mysql_prepared_make(struct db_connection *base, const char *sql, struct db_statement **out,
                         struct db_failure *failure)
{
    struct statement *statement = begin_statement(base, sql, failure);
    *out = NULL;
    return statement &&
           end_statement(statement, make_shape(statement) ? prepare_handle(statement, failure) : db_no_memory(failure),
                         out);
}

static bool prepare_shared(struct statement *statement, struct shape *shape, struct db_failure *failure)
{
    statement->shape = shape;
    ++shape->users;
    if (!prepare_once_more(shape->handle, statement->sql))
        return fail_prepared(statement, failure);
    statement->id = id_of(shape->handle);
    shape->is_bound = false; /* the library has forgotten it */
    if (mysql_own(statement->base.connection)->may_skip)
        mysql_forget_names(shape->handle);
    return true;
}

bool mysql_prepared_like(struct db_connection *base, const char *sql, struct db_statement *like,
                         struct db_statement **out, struct db_failure *failure)
{
    struct shape *shape = ((struct statement *)like)->shape;
    if (!shape || !MAY_SHARE)
        return mysql_prepared_make(base, sql, out, failure);
    struct statement *statement = begin_statement(base, sql, failure);
    *out = NULL;
    return statement && end_statement(statement, prepare_shared(statement, shape, failure), out);
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
    if (value->type != DB_VALUE_TEXT || (parameter->text && value->text_bytes <= parameter->room))
        return true; /* an empty text needs some too: without an address it would be NULL */
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
    struct shape *shape = statement->shape;
    for (size_t i = 0; i < shape->count; i++) {
        struct parameter *parameter = &shape->parameters[i];
        MYSQL_BIND *bind = &shape->binds[i];
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
    shape->is_bound = true;
    ++shape->binding;
    return shape->count == 0 || mysql_stmt_bind_param(shape->handle, shape->binds) == 0 ||
           fail_prepared(statement, failure);
}

static bool put_values(struct statement *statement, const struct db_value *values, struct db_failure *failure)
{
    const struct shape *shape = statement->shape;
    bool rebinds = !shape->is_bound;
    for (size_t i = 0; i < shape->count; i++)
        rebinds |= !fits(&shape->parameters[i], &values[i]);
    if (rebinds && !bind(statement, values, failure))
        return false;
    for (size_t i = 0; i < shape->count; i++) {
        struct parameter *parameter = &shape->parameters[i];
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
    MYSQL_STMT *handle = statement->shape->handle;
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
    MYSQL_STMT *handle = statement->shape->handle;
    bool all = false;
    int status = 0;
    do {
        if (connection->may_skip)
            reply->rows += mysql_skip_prepared(handle, &all);
        if (all)
            return true;
        status = mysql_stmt_fetch(handle);
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
    return mysql_driver.query(statement->base.connection, statement->text.out, bytes, NULL, NULL, reply, failure);
}

bool mysql_prepared_execute(struct db_statement *base, const struct db_value *values, size_t count,
                            struct db_reply *reply, struct db_failure *failure)
{
    struct statement *statement = (struct statement *)base;
    struct shape *shape = statement->shape;
    if (!shape)
        return execute_text(statement, values, count, reply, failure);
    if (!put_values(statement, values, failure))
        return false;
    if (shape->users > 1)
        aim(shape->handle, statement->id, statement->sent != shape->binding);
    if (mysql_stmt_execute(shape->handle) != 0)
        return fail_prepared(statement, failure);
    statement->sent = shape->binding;
    *reply = (struct db_reply){.has_rows = shape->has_rows};
    if (shape->has_rows)
        return take_rows(statement, reply, failure);
    reply->affected = mysql_stmt_affected_rows(shape->handle);
    return true;
}
