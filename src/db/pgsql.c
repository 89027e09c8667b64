/* pgsql.c: PostgreSQL, by libpq. */
#include "db/driver.h"
#include "db/drivers.h"
#include "platform/clock.h"

#include <libpq-fe.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct connection {
    struct db_connection base;
    PGconn *handle;
    uint64_t statements; /* made so far: their names are their numbers */
};

struct statement {
    struct db_statement base;
    char name[24];
    char *sql; /* for errors */
    size_t count;
    char (*numbers)[24]; /* values as text */
    const char **values;
    char **texts; /* copies with a NUL, where a value is text */
    size_t *rooms;
};

/* ---- failures ---- */

static const struct db_hint hints[] = {
    {0, "28P01", "look at --db-user and the password (--password-env, --password-file, --ask-password)"},
    {0, "28000", "look at --db-user, and at pg_hba.conf on the server"},
    {0, "3D000", "create the database, or give another --db-name"},
    {0, "42P01", "isobench oltp prepare makes the benchmark's own tables"},
    {0, "42P07", "cleanup removes it"},
    {0, "53300", "raise max_connections on the server, or use fewer connections"},
    {0, "53100", "the server's disk is full"},
    {0, "53200", "the server is out of memory"},
    {0, "42501", "grant the user rights on it"},
    {0, "08001", "is the server running, and --db-host, --db-port or --db-socket right?"},
    {0, NULL, NULL},
};

static bool is_loss(const char *sqlstate)
{
    static const char *const states[] = {"57P01", "57P02", "57P03", "57P05", "25P03", "25P04"};
    for (size_t i = 0; i < COUNT_OF(states); i++)
        if (strcmp(states[i], sqlstate) == 0)
            return true;
    return strncmp(sqlstate, "08", 2) == 0;
}

static enum db_class class_of(const struct connection *connection, const char *sqlstate)
{
    const struct job *job = connection->base.job;
    /* of two transactions that delete a row and insert it again, the second meets a unique violation (23505) here */
    bool conflict = strcmp(sqlstate, "40001") == 0 || strcmp(sqlstate, "40P01") == 0 || strcmp(sqlstate, "23505") == 0;
    if (PQstatus(connection->handle) == CONNECTION_BAD || is_loss(sqlstate))
        return DB_CLASS_LOST;
    if (strcmp(job->retry_errors, "auto") == 0)
        return conflict ? DB_CLASS_RETRY : DB_CLASS_FATAL;
    return db_is_retried(job, 0, sqlstate, NULL) ? DB_CLASS_RETRY : DB_CLASS_FATAL;
}

/* Before a connection stands, libpq tells words alone: of the server ("FATAL:  password authentication failed for …"),
 * of its own, or of the system. In other languages there is no hint. */
static const struct refusal {
    const char *words, *state;
    enum db_class class;
    const char *hint; /* NULL = that of the state */
} refusals[] = {{"starting up", "57P03", DB_CLASS_LOST, NULL},
                {"shutting down", "57P03", DB_CLASS_LOST, NULL},
                {"in recovery mode", "57P03", DB_CLASS_LOST, NULL},
                {"password authentication failed", "28P01", DB_CLASS_FATAL, NULL},
                {"no password supplied", "28P01", DB_CLASS_FATAL, NULL},
                {"no pg_hba.conf entry", "28000", DB_CLASS_FATAL, NULL},
                {"FATAL:  role ", "28000", DB_CLASS_FATAL, NULL},
                {"Peer authentication failed", "28000", DB_CLASS_FATAL, NULL},
                {"FATAL:  database ", "3D000", DB_CLASS_FATAL, NULL},
                {"too many clients", "53300", DB_CLASS_FATAL, NULL},
                {"remaining connection slots", "53300", DB_CLASS_FATAL, NULL},
                {"too many connections", "53300", DB_CLASS_FATAL, NULL},
                {"FATAL:", "", DB_CLASS_FATAL, NULL},
                {"SSL", "", DB_CLASS_FATAL, "look at the --db-tls settings, and whether the server has TLS"},
                {"certificate", "", DB_CLASS_FATAL, "look at the --db-tls settings, and whether the server has TLS"},
                {"oo many open files", "", DB_CLASS_FATAL, "raise the limit (ulimit -n), or use fewer connections"},
                {"", "08001", DB_CLASS_LOST, NULL}};

static const struct refusal *refusal_of(const char *words)
{
    const struct refusal *refusal = refusals;
    while (!strstr(words, refusal->words))
        refusal++;
    return refusal;
}

/* The server's own words, without where they were said. */
static const char *words_of(const char *text)
{
    const char *marks[] = {"FATAL:  ", "ERROR:  "};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        const char *at = strstr(text, marks[i]);
        if (at)
            return at + strlen(marks[i]);
    }
    return text;
}

/* Clears the answer. */
static bool fail(const struct connection *connection, PGresult *result, const char *sql, size_t bytes,
                 struct db_failure *failure)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *words = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    struct db_saying saying = {0, state ? state : "", words ? words : words_of(PQerrorMessage(connection->handle)),
                               hints};
    db_fail_sql(failure, class_of(connection, saying.sqlstate), &saying, sql, bytes);
    PQclear(result);
    return false;
}

/* ---- connecting ---- */

static bool check(const struct job *job, struct error *error)
{
    if (job->db_compression)
        return error_set(error, ERR_UNSUPPORTED, "--db-compression: PostgreSQL does not compress");
    if (job->db_protocol == DB_PROTOCOL_PIPE)
        return error_set(error, ERR_UNSUPPORTED, "--db-protocol=pipe: PostgreSQL has none; use tcp or socket");
    if (job->db_protocol == DB_PROTOCOL_TCP && job->db_socket[0])
        return error_set(error, ERR_USAGE, "--db-socket and --db-protocol=tcp: one of them");
    if (job->db_defaults_file[0])
        return error_set(error, ERR_UNSUPPORTED, "--db-defaults-file: option files are of the mysql driver");
    if (job->db_tls_cipher[0])
        return error_set(error, ERR_UNSUPPORTED,
                         "--db-tls-cipher: libpq takes what the server picks (ssl_ciphers there)");
    return db_check_tls_files(job, error);
}

static void quiet(void *context, const char *message)
{
    (void)context;
    (void)message;
}

static uint64_t items(const char *list)
{
    uint64_t count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

/* libpq takes the folder of the socket, and its port is part of the file's name: "/run/postgresql/.s.PGSQL.5432". */
static void split_socket(char *host, char port[16])
{
    static const char mark[] = "/.s.PGSQL.";
    char *file = strstr(host, mark);
    if (!file)
        return;
    snprintf(port, 16, "%.15s", file + strlen(mark));
    *file = '\0';
}

/* A socket's folder stands where a host would; "" is libpq's own choice of a socket. */
static void find_place(const struct db_target *target, char host[TEXT_MAX], char port[16])
{
    const struct job *job = target->job;
    host[0] = '\0';
    db_deal(job->db_port, target->index, port, 16);
    if (job->db_socket[0])
        db_deal(job->db_socket, target->index, host, TEXT_MAX);
    else if (job->db_protocol != DB_PROTOCOL_SOCKET)
        db_deal(job->db_host, target->index / items(job->db_port), host, TEXT_MAX);
    split_socket(host, port);
}

struct parameters {
    const char *keys[20], *values[20];
    size_t count;
};

/* Empty ones are libpq's to fill. */
static void put(struct parameters *parameters, const char *key, const char *value)
{
    if (!value || !value[0])
        return;
    parameters->keys[parameters->count] = key;
    parameters->values[parameters->count++] = value;
}

static PGconn *open_handle(const struct db_target *target, const char *host, const char *port)
{
    static const char *const tls[] = {"disable", "prefer", "require", "verify-ca", "verify-full"};
    const struct job *job = target->job;
    struct parameters parameters = {.count = 0};
    char seconds[24];
    uint64_t timeout_s = (job->db_connect_timeout_ns + NS_PER_S - 1) / NS_PER_S;
    snprintf(seconds, sizeof(seconds), "%" PRIu64, timeout_s < 2 ? 2 : timeout_s); /* 1 means 2 there */
    put(&parameters, "host", host);
    put(&parameters, "port", port);
    put(&parameters, "user", job->db_user);
    put(&parameters, "password", target->password);
    put(&parameters, "dbname", job->db_name);
    put(&parameters, "connect_timeout", seconds);
    put(&parameters, "sslmode", tls[job->db_tls]);
    put(&parameters, "sslrootcert", job->db_tls_ca);
    put(&parameters, "sslcert", job->db_tls_cert);
    put(&parameters, "sslkey", job->db_tls_key);
    put(&parameters, "gssencmode", "disable"); /* else it is tried first, each time */
    put(&parameters, "application_name", "isobench");
    put(&parameters, "client_encoding", "UTF8");
    return PQconnectdbParams(parameters.keys, parameters.values, 0);
}

static void disconnect(struct db_connection *base)
{
    if (!base)
        return;
    PQfinish(((struct connection *)base)->handle);
    free(base);
}

static bool fail_connect(struct connection *connection, const char *host, const char *port, struct db_failure *failure)
{
    const char *text = PQerrorMessage(connection->handle);
    const struct refusal *refusal = refusal_of(text);
    const struct db_hint own[] = {{0, refusal->state, refusal->hint}, {0, NULL, NULL}};
    struct db_saying saying = {0, refusal->state, words_of(text), refusal->hint ? own : hints};
    char where[PLACE_BYTES];
    db_place(host, port, where);
    return db_fail(failure, refusal->class, &saying, "cannot connect to %s", where);
}

static bool connect(const struct db_target *target, struct db_connection **out, struct db_failure *failure)
{
    struct connection *connection = calloc(1, sizeof(*connection));
    char host[TEXT_MAX], port[16];
    *out = NULL;
    if (!connection)
        return db_no_memory(failure);
    find_place(target, host, port);
    connection->base = (struct db_connection){&pgsql_driver, target->job};
    connection->handle = open_handle(target, host, port);
    bool good = connection->handle && PQstatus(connection->handle) == CONNECTION_OK;
    if (good) {
        PQsetNoticeProcessor(connection->handle, quiet, NULL);
        *out = &connection->base;
        return true;
    }
    if (connection->handle)
        fail_connect(connection, host, port, failure);
    else
        db_no_memory(failure);
    disconnect(&connection->base);
    return false;
}

/* ---- answers ---- */

static bool is_good(const PGresult *result, bool *has_rows)
{
    ExecStatusType status = PQresultStatus(result);
    *has_rows = status == PGRES_TUPLES_OK;
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY;
}

#define COLUMNS_MAX 64

static void hand_over_rows(const PGresult *result, db_row *row, void *context)
{
    int columns = PQnfields(result) > COLUMNS_MAX ? COLUMNS_MAX : PQnfields(result);
    for (int r = 0; r < PQntuples(result); r++) {
        const char *values[COLUMNS_MAX];
        size_t bytes[COLUMNS_MAX];
        for (int c = 0; c < columns; c++) {
            values[c] = PQgetisnull(result, r, c) ? NULL : PQgetvalue(result, r, c);
            bytes[c] = (size_t)PQgetlength(result, r, c);
        }
        if (!row(context, (size_t)columns, values, bytes))
            return;
    }
}

/* Clears the answer. */
static bool take(struct connection *connection, PGresult *result, const char *sql, size_t bytes, db_row *row,
                 void *context, struct db_reply *reply, struct db_failure *failure)
{
    *reply = (struct db_reply){0};
    if (!result || !is_good(result, &reply->has_rows))
        return fail(connection, result, sql, bytes, failure);
    if (reply->has_rows)
        reply->rows = (uint64_t)PQntuples(result);
    else
        reply->affected = strtoull(PQcmdTuples(result), NULL, 10);
    if (reply->has_rows && row)
        hand_over_rows(result, row, context);
    PQclear(result);
    return true;
}

/* ---- text ---- */

static bool query(struct db_connection *base, const char *sql, size_t bytes, db_row *row, void *context,
                  struct db_reply *reply, struct db_failure *failure)
{
    struct connection *connection = (struct connection *)base;
    char *copy = NULL;
    if (!db_is_one_statement(sql, bytes))
        return db_refuse_several(failure);
    if (strlen(sql) != bytes) { /* libpq takes it up to its NUL */
        copy = malloc(bytes + 1);
        if (!copy)
            return db_no_memory(failure);
        memcpy(copy, sql, bytes);
        copy[bytes] = '\0';
    }
    PGresult *result = PQexec(connection->handle, copy ? copy : sql);
    free(copy);
    return take(connection, result, sql, bytes, row, context, reply, failure);
}

/* ---- prepared ---- */

static void close_statement(struct db_statement *base)
{
    struct statement *statement = (struct statement *)base;
    if (!statement)
        return;
    for (size_t i = 0; statement->texts && i < statement->count; i++)
        free(statement->texts[i]);
    free(statement->texts);
    free(statement->rooms);
    free(statement->values);
    free(statement->numbers);
    free(statement->sql);
    free(statement); /* the server drops it with the connection */
}

/* ? becomes $1, $2 … */
static char *numbered(const char *sql, size_t count)
{
    char *out = malloc(strlen(sql) + 12 * count + 1), *to = out;
    for (size_t i = 1; out && i <= count; i++) {
        const char *mark = db_next_value(sql);
        memcpy(to, sql, (size_t)(mark - sql));
        to += mark - sql;
        to += sprintf(to, "$%zu", i);
        sql = mark + 1;
    }
    if (out)
        strcpy(to, sql);
    return out;
}

static bool make_room(struct statement *statement, const char *sql)
{
    size_t room = statement->count + 1;
    statement->sql = malloc(strlen(sql) + 1);
    statement->numbers = calloc(room, sizeof(*statement->numbers));
    statement->values = calloc(room, sizeof(*statement->values));
    statement->texts = calloc(room, sizeof(*statement->texts));
    statement->rooms = calloc(room, sizeof(*statement->rooms));
    if (statement->sql)
        strcpy(statement->sql, sql);
    return statement->sql && statement->numbers && statement->values && statement->texts && statement->rooms;
}

static bool prepare(struct db_connection *base, const char *sql, struct db_statement **out, struct db_failure *failure)
{
    struct connection *connection = (struct connection *)base;
    struct statement *statement = calloc(1, sizeof(*statement));
    struct db_reply reply;
    *out = NULL;
    if (!statement)
        return db_no_memory(failure);
    statement->base.connection = base;
    statement->count = db_count_values(sql);
    snprintf(statement->name, sizeof(statement->name), "s%" PRIu64, ++connection->statements);
    char *text = make_room(statement, sql) ? numbered(sql, statement->count) : NULL;
    bool good = text ? take(connection, PQprepare(connection->handle, statement->name, text, 0, NULL), sql, strlen(sql),
                            NULL, NULL, &reply, failure)
                     : db_no_memory(failure);
    free(text);
    if (good)
        *out = &statement->base;
    else
        close_statement(&statement->base);
    return good;
}

static bool put_text(struct statement *statement, size_t i, const struct db_value *value)
{
    if (value->text_bytes + 1 > statement->rooms[i]) {
        char *text = realloc(statement->texts[i], value->text_bytes + 128);
        if (!text)
            return false;
        statement->texts[i] = text;
        statement->rooms[i] = value->text_bytes + 128;
    }
    memcpy(statement->texts[i], value->text, value->text_bytes);
    statement->texts[i][value->text_bytes] = '\0';
    statement->values[i] = statement->texts[i];
    return true;
}

static bool put_values(struct statement *statement, const struct db_value *values)
{
    for (size_t i = 0; i < statement->count; i++) {
        if (values[i].type == DB_VALUE_TEXT) {
            if (!put_text(statement, i, &values[i]))
                return false;
            continue;
        }
        statement->values[i] = values[i].type == DB_VALUE_INT ? statement->numbers[i] : NULL;
        if (values[i].type == DB_VALUE_INT)
            statement->numbers[i][db_literal(&values[i], statement->numbers[i])] = '\0';
    }
    return true;
}

static bool execute(struct db_statement *base, const struct db_value *values, size_t count, struct db_reply *reply,
                    struct db_failure *failure)
{
    struct statement *statement = (struct statement *)base;
    struct connection *connection = (struct connection *)base->connection;
    (void)count;
    if (!put_values(statement, values))
        return db_no_memory(failure);
    PGresult *result =
        PQexecPrepared(connection->handle, statement->name, (int)statement->count, statement->values, NULL, NULL, 0);
    return take(connection, result, statement->sql, strlen(statement->sql), NULL, NULL, reply, failure);
}

/* ---- streams ---- */

#define STREAM_BYTES 65536

/* False when the connection is gone. */
static bool send_rows(struct connection *connection, const struct db_stream *rows, bool *broken)
{
    static const char given_up[] = "the client gave up";
    char *buffer = malloc(STREAM_BYTES);
    size_t bytes = buffer ? 1 : DB_STREAM_BROKEN;
    bool good = true;
    while (good && bytes > 0 && bytes != DB_STREAM_BROKEN) {
        bytes = rows->next(rows->context, buffer, STREAM_BYTES);
        if (bytes > 0 && bytes != DB_STREAM_BROKEN)
            good = PQputCopyData(connection->handle, buffer, (int)bytes) == 1;
    }
    free(buffer);
    *broken = bytes == DB_STREAM_BROKEN;
    return good && PQputCopyEnd(connection->handle, *broken ? given_up : NULL) == 1;
}

/* What the server refuses it says after the end, also when it has not read all. */
static bool stream(struct db_connection *base, const struct db_stream *rows, struct db_reply *reply,
                   struct db_failure *failure)
{
    struct connection *connection = (struct connection *)base;
    char sql[DB_STREAM_SQL_BYTES];
    bool broken = false;
    int bytes = snprintf(sql, sizeof(sql), "COPY %s (%s) FROM STDIN", rows->table, rows->columns);
    if (bytes < 0 || (size_t)bytes >= sizeof(sql))
        return db_no_memory(failure);
    PGresult *result = PQexec(connection->handle, sql);
    if (PQresultStatus(result) != PGRES_COPY_IN)
        return fail(connection, result, sql, (size_t)bytes, failure);
    PQclear(result);
    bool sent = send_rows(connection, rows, &broken);
    result = PQgetResult(connection->handle);
    bool good = take(connection, result, sql, (size_t)bytes, NULL, NULL, reply, failure);
    while ((result = PQgetResult(connection->handle)))
        PQclear(result);
    if (good && !sent)
        return fail(connection, NULL, sql, (size_t)bytes, failure);
    return good;
}

/* ---- facts ---- */

static bool facts(struct db_connection *base, struct server_facts *out, struct db_failure *failure)
{
    static const char sql[] =
        "SELECT name, current_setting(name) FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', "
        "'wal_sync_method', 'full_page_writes', 'shared_buffers', 'effective_cache_size', 'work_mem', 'wal_buffers', "
        "'max_wal_size', 'checkpoint_timeout', 'checkpoint_completion_target', 'wal_level', 'max_connections', "
        "'block_size', 'autovacuum', 'jit', 'default_transaction_isolation', 'commit_delay', 'huge_pages', "
        "'random_page_cost', 'effective_io_concurrency', 'data_checksums')";
    const struct connection *connection = (const struct connection *)base;
    const char *version = PQparameterStatus(connection->handle, "server_version");
    const char *protocol = PQsslInUse(connection->handle) ? PQsslAttribute(connection->handle, "protocol") : NULL;
    const char *cipher = protocol ? PQsslAttribute(connection->handle, "cipher") : NULL;
    struct db_reply reply;
    memset(out, 0, sizeof(*out));
    snprintf(out->product, sizeof(out->product), "PostgreSQL");
    snprintf(out->version, sizeof(out->version), "%.127s", version ? version : "");
    snprintf(out->client, sizeof(out->client), "libpq %d.%d", PQlibVersion() / 10000, PQlibVersion() % 10000);
    if (protocol)
        snprintf(out->tls, sizeof(out->tls), "%.20s %.40s", protocol, cipher ? cipher : "");
    return query(base, sql, sizeof(sql) - 1, db_take_variable, out, &reply, failure);
}

static bool take_two(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    uint64_t *out = context;
    (void)bytes;
    for (size_t i = 0; i < 2 && i < columns; ++i)
        out[i] = values[i] ? strtoull(values[i], NULL, 10) : 0;
    return false;
}

/* The connection that asks is closed before they come. */
static bool room(struct db_connection *base, uint64_t connections, uint64_t statements_each, struct error *error)
{
    static const char sql[] = "SELECT current_setting('max_connections')::int - "
                              "current_setting('superuser_reserved_connections')::int, "
                              "(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND "
                              "pid <> pg_backend_pid())";
    uint64_t most_used[2] = {0, 0};
    (void)statements_each; /* it keeps as many as its memory holds */
    struct db_reply reply;
    struct db_failure ignored;
    if (!query(base, sql, sizeof(sql) - 1, take_two, most_used, &reply, &ignored) || most_used[0] == 0 ||
        connections + most_used[1] <= most_used[0])
        return true; /* or it is found out by connecting */
    return error_set(error, ERR_USAGE,
                     "%" PRIu64 " connections are needed, and the server takes %" PRIu64
                     " (max_connections, without those for administrators), of which %" PRIu64
                     " are in use: raise it in its postgresql.conf, or use fewer connections",
                     connections, most_used[0], most_used[1]);
}

static const struct db_syntax syntax = {
    .auto_id = "SERIAL",
    .begin_write = "BEGIN",
    .begin_read = "BEGIN",
    .last_id = INT32_MAX,
    .statement_bytes = 1024 * 1024,
    .advance_ids = "SELECT setval(pg_get_serial_sequence('@','id'),?)",
    .holds_answers = true,
    .stream = "copy",
};

const struct db_driver pgsql_driver = {.name = "pgsql",
                                       .syntax = &syntax,
                                       .check = check,
                                       .connect = connect,
                                       .disconnect = disconnect,
                                       .query = query,
                                       .prepare = prepare,
                                       .close = close_statement,
                                       .execute = execute,
                                       .stream = stream,
                                       .facts = facts,
                                       .room = room};
