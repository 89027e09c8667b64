/* mysql.c: MySQL and MariaDB, by MySQL's libmysqlclient or MariaDB's Connector/C, whichever the build found. */
#include "db/driver.h"
#include "db/drivers.h"
#include "platform/clock.h"

#include <errmsg.h>
#include <mysql.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MARIADB_PACKAGE_VERSION
#define IS_CONNECTOR_C 1
typedef my_bool flag_type;
#else
#define IS_CONNECTOR_C 0
typedef bool flag_type;
#endif

#define NOT_PREPARABLE 1295

struct connection {
    struct db_connection base;
    MYSQL *handle;
};

struct parameter {
    enum db_value_type type;
    int64_t number;
    char *text;
    unsigned long text_bytes, room;
    flag_type is_null;
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

/* ---- failures ---- */

static const struct db_hint hints[] = {
    {1040, NULL, "raise max_connections on the server, or lower --threads"},
    {1203, NULL, "raise max_user_connections on the server, or lower --threads"},
    {1226, NULL, "raise the user's limit on the server, or lower --threads"},
    {1044, NULL, "grant the user rights on the database, or give another --db-name"},
    {1045, NULL, "look at --db-user and the password (--password-env, --password-file, --ask-password)"},
    {1698, NULL, "this user logs in by the socket alone: give another --db-user"},
    {1049, NULL, "create the database, or give another --db-name"},
    {1146, NULL, "prepare makes the tables"},
    {1021, NULL, "the server's disk is full"},
    {1114, NULL, "the table, or the server's disk, is full"},
    {1135, NULL, "the server cannot make a thread more: lower --threads"},
    {1153, NULL, "raise max_allowed_packet on the server"},
    {1050, NULL, "cleanup removes it"},
    {2002, NULL, "is the server running, and --db-socket or --db-host right?"},
    {2003, NULL, "is the server running, and --db-host and --db-port right?"},
    {2005, NULL, "look at --db-host"},
    {2026, NULL, "look at the --db-tls settings"},
    {2047, NULL, "--db-protocol is one that this system does not have"},
    {2059, NULL, "the client library lacks the plugin: use another account, or set its plugin folder"},
    {0, NULL, NULL},
};

/* The server or the way to it is gone; a new connection may help. */
static bool is_loss(int code)
{
    static const int codes[] = {
        CR_SERVER_GONE_ERROR, CR_SERVER_LOST, 2055, 1053, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 3169, 4031};
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (codes[i] == code)
            return true;
    return false;
}

static enum db_class class_of(const struct job *job, int code, const char *sqlstate)
{
    static const int conflicts[] = {1213, 1205, 1020, 0};
    if (is_loss(code))
        return DB_CLASS_LOST;
    return db_is_retried(job, code, sqlstate, conflicts) ? DB_CLASS_RETRY : DB_CLASS_FATAL;
}

static bool fail_saying(const struct connection *connection, const struct db_saying *saying, const char *sql,
                        size_t bytes, struct db_failure *failure)
{
    return db_fail_sql(failure, class_of(connection->base.job, saying->code, saying->sqlstate), saying, sql, bytes);
}

static bool fail(const struct connection *connection, const char *sql, size_t bytes, struct db_failure *failure)
{
    struct db_saying saying = {(int)mysql_errno(connection->handle), mysql_sqlstate(connection->handle),
                               mysql_error(connection->handle), hints};
    return fail_saying(connection, &saying, sql, bytes, failure);
}

static bool fail_statement(const struct statement *statement, struct db_failure *failure)
{
    struct db_saying saying = {(int)mysql_stmt_errno(statement->handle), mysql_stmt_sqlstate(statement->handle),
                               mysql_stmt_error(statement->handle), hints};
    return fail_saying((const struct connection *)statement->base.connection, &saying, statement->sql,
                       strlen(statement->sql), failure);
}

/* ---- start ---- */

static bool start(struct error *error)
{
    return mysql_library_init(0, NULL, NULL) == 0 ||
           error_set(error, ERR_SYSTEM, "db_driver=mysql: the client library does not start");
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

static bool check(const struct job *job, struct error *error)
{
    if (IS_CONNECTOR_C && job->db_tls == DB_TLS_VERIFY_CA)
        return error_set(error, ERR_UNSUPPORTED,
                         "db_tls=verify-ca: this build's client library (MariaDB) verifies the server's name too; use "
                         "verify-identity");
    return true;
}

/* ---- connecting ---- */

static void set_protocol(MYSQL *handle, const struct job *job, const char *host, const char *port)
{
    static const enum mysql_protocol_type types[] = {MYSQL_PROTOCOL_DEFAULT, MYSQL_PROTOCOL_TCP, MYSQL_PROTOCOL_SOCKET,
                                                     MYSQL_PROTOCOL_PIPE};
    unsigned type = types[job->db_protocol];
    /* the library would take localhost for the socket whatever port is named */
    if (job->db_protocol == DB_PROTOCOL_AUTO && port[0] && !job->db_socket[0] && strcmp(host, "localhost") == 0)
        type = MYSQL_PROTOCOL_TCP;
    if (type != MYSQL_PROTOCOL_DEFAULT)
        mysql_options(handle, MYSQL_OPT_PROTOCOL, &type);
}

static const char *given(const char *text)
{
    return text[0] ? text : NULL;
}

static void set_tls(MYSQL *handle, const struct job *job)
{
    if (job->db_tls == DB_TLS_OFF) {
#if !IS_CONNECTOR_C
        unsigned off = SSL_MODE_DISABLED;
        mysql_options(handle, MYSQL_OPT_SSL_MODE, &off);
#endif
        return;
    }
    mysql_options(handle, MYSQL_OPT_SSL_CA, given(job->db_tls_ca));
    mysql_options(handle, MYSQL_OPT_SSL_CERT, given(job->db_tls_cert));
    mysql_options(handle, MYSQL_OPT_SSL_KEY, given(job->db_tls_key));
    mysql_options(handle, MYSQL_OPT_SSL_CIPHER, given(job->db_tls_cipher));
#if IS_CONNECTOR_C
    my_bool on = 1, verify = job->db_tls >= DB_TLS_VERIFY_CA;
    mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &on);
    mysql_options(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
#else
    static const unsigned modes[] = {SSL_MODE_DISABLED, SSL_MODE_PREFERRED, SSL_MODE_REQUIRED, SSL_MODE_VERIFY_CA,
                                     SSL_MODE_VERIFY_IDENTITY};
    mysql_options(handle, MYSQL_OPT_SSL_MODE, &modes[job->db_tls]);
#endif
}

static void set_options(MYSQL *handle, const struct job *job)
{
    unsigned seconds = (unsigned)((job->db_connect_timeout_ns + NS_PER_S - 1) / NS_PER_S), local_infile = 0;
    mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
    mysql_options(handle, MYSQL_OPT_LOCAL_INFILE, &local_infile);
    if (job->db_compression)
        mysql_options(handle, MYSQL_OPT_COMPRESS, NULL);
    if (job->db_defaults_file[0]) {
        mysql_options(handle, MYSQL_READ_DEFAULT_FILE, job->db_defaults_file);
        mysql_options(handle, MYSQL_READ_DEFAULT_GROUP, job->db_defaults_group);
    }
    set_tls(handle, job);
}

/* Where this connection goes, as text; "" = what the library or the option file says. */
struct place {
    char host[256], port[16], socket[TEXT_MAX];
};

static uint64_t items(const char *list)
{
    uint64_t count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

static void find_place(const struct db_target *target, struct place *out)
{
    const struct job *job = target->job;
    db_deal(job->db_socket, target->index, out->socket, sizeof(out->socket));
    db_deal(job->db_port, target->index, out->port, sizeof(out->port));
    db_deal(job->db_host, target->index / items(job->db_port), out->host, sizeof(out->host));
    if (out->socket[0])
        snprintf(out->host, sizeof(out->host), "localhost");
}

/* With an option file, what the job leaves at its default is the file's to say. */
static const char *unless_default(const struct job *job, const char *text, const char *standard)
{
    return text[0] == '\0' || (job->db_defaults_file[0] && strcmp(text, standard) == 0) ? NULL : text;
}

static void disconnect(struct db_connection *base)
{
    struct connection *connection = (struct connection *)base;
    if (!connection)
        return;
    if (connection->handle)
        mysql_close(connection->handle);
    free(connection);
}

static bool fail_connect(const struct connection *connection, const struct place *place, struct db_failure *failure)
{
    struct db_saying saying = {(int)mysql_errno(connection->handle), mysql_sqlstate(connection->handle),
                               mysql_error(connection->handle), hints};
    enum db_class class = class_of(connection->base.job, saying.code, saying.sqlstate);
    const char *where = place->socket[0] ? place->socket : place->host;
    bool port = !place->socket[0] && place->port[0];
    return db_fail(failure, class == DB_CLASS_RETRY ? DB_CLASS_FATAL : class, &saying, "cannot connect to %.120s%s%s",
                   where[0] ? where : "the server", port ? ":" : "", port ? place->port : "");
}

static bool is_encrypted_as_asked(struct connection *connection, struct db_failure *failure)
{
    struct db_saying saying = {2026, "HY000", "the server offers no TLS", hints};
    if (connection->base.job->db_tls < DB_TLS_REQUIRED || mysql_get_ssl_cipher(connection->handle))
        return true;
    return db_fail(failure, DB_CLASS_FATAL, &saying, "cannot connect with --db-tls");
}

static bool open_connection(struct connection *connection, const struct db_target *target, struct db_failure *failure)
{
    const struct job *job = target->job;
    struct place place;
    find_place(target, &place);
    set_options(connection->handle, job);
    set_protocol(connection->handle, job, place.host, place.port);
    if (!mysql_real_connect(connection->handle, unless_default(job, place.host, "localhost"),
                            unless_default(job, job->db_user, "sbtest"), target->password,
                            unless_default(job, job->db_name, "sbtest"), (unsigned)strtoul(place.port, NULL, 10),
                            given(place.socket), 0))
        return fail_connect(connection, &place, failure);
    return is_encrypted_as_asked(connection, failure);
}

static bool connect(const struct db_target *target, struct db_connection **out, struct db_failure *failure)
{
    struct connection *connection = calloc(1, sizeof(*connection));
    *out = NULL;
    if (!connection)
        return db_no_memory(failure);
    connection->base = (struct db_connection){&mysql_driver, target->job};
    connection->handle = mysql_init(NULL);
    bool good = connection->handle ? open_connection(connection, target, failure) : db_no_memory(failure);
    if (good)
        *out = &connection->base;
    else
        disconnect(&connection->base);
    return good;
}

/* ---- text ---- */

#define COLUMNS_MAX 64

static void hand_over_rows(MYSQL_RES *result, db_row *row, void *context)
{
    unsigned columns = mysql_num_fields(result);
    columns = columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
    for (MYSQL_ROW values; (values = mysql_fetch_row(result)) != NULL;) {
        const unsigned long *lengths = mysql_fetch_lengths(result);
        size_t bytes[COLUMNS_MAX];
        for (unsigned i = 0; i < columns; i++)
            bytes[i] = lengths[i];
        if (!row(context, columns, (const char *const *)values, bytes))
            return;
    }
}

static bool query(struct db_connection *base, const char *sql, size_t bytes, db_row *row, void *context,
                  struct db_reply *reply, struct db_failure *failure)
{
    struct connection *connection = (struct connection *)base;
    MYSQL *handle = connection->handle;
    if (mysql_real_query(handle, sql, (unsigned long)bytes) != 0)
        return fail(connection, sql, bytes, failure);
    *reply = (struct db_reply){.has_rows = mysql_field_count(handle) > 0};
    if (!reply->has_rows) {
        reply->affected = mysql_affected_rows(handle);
        return true;
    }
    MYSQL_RES *result = mysql_store_result(handle);
    if (!result)
        return fail(connection, sql, bytes, failure);
    reply->rows = mysql_num_rows(result);
    if (row)
        hand_over_rows(result, row, context);
    mysql_free_result(result);
    return true;
}

/* ---- prepared ---- */

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
                                                                     : fail_statement(statement, failure);
    statement->count = mysql_stmt_param_count(statement->handle);
    statement->has_rows = mysql_stmt_field_count(statement->handle) > 0;
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
    statement->handle = mysql_stmt_init(((struct connection *)base)->handle);
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
           fail_statement(statement, failure);
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

/* Reads every row of the answer and looks at none: nothing is bound, so nothing is converted or copied. */
static bool take_rows(struct statement *statement, struct db_reply *reply, struct db_failure *failure)
{
    int status;
    while ((status = mysql_stmt_fetch(statement->handle)) == 0 || status == MYSQL_DATA_TRUNCATED)
        reply->rows++;
    bool good = status == MYSQL_NO_DATA || fail_statement(statement, failure);
    mysql_stmt_free_result(statement->handle);
    return good;
}

static bool execute_text(struct statement *statement, const struct db_value *values, size_t count,
                         struct db_reply *reply, struct db_failure *failure)
{
    size_t bytes = db_text_fill(&statement->text, values, count, true);
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
        return fail_statement(statement, failure);
    *reply = (struct db_reply){.has_rows = statement->has_rows};
    if (statement->has_rows)
        return take_rows(statement, reply, failure);
    reply->affected = mysql_stmt_affected_rows(statement->handle);
    return true;
}

/* ---- facts ---- */

static bool ask_one(struct db_connection *base, const char *sql, struct db_one_value *out, struct db_failure *failure)
{
    struct db_reply reply;
    *out = (struct db_one_value){{0}, false};
    return query(base, sql, strlen(sql), db_take_one, out, &reply, failure);
}

static bool facts(struct db_connection *base, struct server_facts *out, struct db_failure *failure)
{
    static const char sql[] =
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', "
        "'innodb_buffer_pool_size', 'innodb_log_file_size', 'innodb_redo_log_capacity', 'innodb_flush_method', "
        "'innodb_doublewrite', 'innodb_page_size', 'innodb_io_capacity', 'innodb_autoinc_lock_mode', "
        "'innodb_file_per_table', 'transaction_isolation', 'tx_isolation', 'max_connections', 'thread_handling', "
        "'thread_cache_size', 'table_open_cache', 'open_files_limit', 'query_cache_type', 'performance_schema', "
        "'max_prepared_stmt_count', 'max_allowed_packet', 'default_storage_engine', 'binlog_format', "
        "'key_buffer_size', "
        "'aria_pagecache_buffer_size', 'read_only')";
    struct connection *connection = (struct connection *)base;
    struct db_one_value version;
    struct db_reply reply;
    const char *cipher = mysql_get_ssl_cipher(connection->handle);
    memset(out, 0, sizeof(*out));
    if (!ask_one(base, "SELECT VERSION()", &version, failure))
        return false;
    snprintf(out->product, sizeof(out->product), "%s", strstr(version.text, "MariaDB") ? "MariaDB" : "MySQL");
    snprintf(out->version, sizeof(out->version), "%.127s", version.text);
    snprintf(out->client, sizeof(out->client), "%s %s", IS_CONNECTOR_C ? "MariaDB Connector/C" : "libmysqlclient",
             mysql_get_client_info());
    snprintf(out->tls, sizeof(out->tls), "%.63s", cipher ? cipher : "");
    return query(base, sql, sizeof(sql) - 1, db_take_variable, out, &reply, failure);
}

static bool ask_number(struct db_connection *base, const char *sql, uint64_t *out)
{
    struct db_one_value one;
    struct db_failure ignored;
    if (!ask_one(base, sql, &one, &ignored) || !one.found)
        return false;
    *out = strtoull(one.text, NULL, 10);
    return true;
}

static bool room(struct db_connection *base, uint64_t connections, struct error *error)
{
    uint64_t most = 0;
    if (ask_number(base, "SELECT @@GLOBAL.max_connections", &most) && most > 0 && connections > most)
        return error_set(error, ERR_USAGE,
                         "--threads=%" PRIu64 ": the server takes %" PRIu64
                         " connections; raise max_connections there, or lower --threads",
                         connections, most);
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
                                       .check = check,
                                       .connect = connect,
                                       .disconnect = disconnect,
                                       .query = query,
                                       .prepare = prepare,
                                       .close = close_statement,
                                       .execute = execute,
                                       .facts = facts,
                                       .room = room};
