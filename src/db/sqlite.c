/* SQLite: a file, no server. Each connection is one thread's, so the library's own locks are left out. */
#include "db/driver.h"
#include "db/drivers.h"

#include "core/random.h"
#include "platform/clock.h"
#include "platform/host.h"
#include "platform/path.h"
#include "platform/thread.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct connection {
    struct db_connection base;
    sqlite3 *handle;
    struct clock clock;
    struct random random;
    uint64_t pause_ns;              /* between two looks at a lock */
    uint64_t waiting_from_ns;       /* for the lock */
    uint64_t turn_from_ns, turn_ns; /* since when it had the lock as it liked; how long it may have it so */
    bool waited;                    /* in this turn */
};

struct statement {
    struct db_statement base;
    sqlite3_stmt *handle;
};

static struct connection *own(struct db_connection *connection)
{
    return (struct connection *)connection;
}

/* ---- failures ---- */

static const int conflicts[] = {SQLITE_BUSY, SQLITE_LOCKED, 0};

static const struct db_hint hints[] = {
    {SQLITE_FULL, NULL, "make room on the volume of --db-file"},
    {SQLITE_CANTOPEN, NULL,
     "--db-file must name a file that prepare has made, in a folder that may be written to; or the process has too "
     "many "
     "open files (ulimit -n)"},
    {SQLITE_NOTADB, NULL, "--db-file names a file of another kind; choose another name"},
    {SQLITE_READONLY, NULL, "--db-file and its folder must be writable"},
    {SQLITE_BUSY, NULL, "other connections hold the lock; raise --sqlite-busy-timeout or use fewer threads"},
    {SQLITE_CORRUPT, NULL, "the file is damaged: remove it and prepare the tables again"},
    {0, NULL, NULL},
};

static struct db_saying say(sqlite3 *handle, int code)
{
    return (struct db_saying){code & 0xff, NULL, handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code), hints};
}

static bool fail_sql(struct connection *connection, int code, const char *sql, size_t bytes, struct db_failure *failure)
{
    struct db_saying saying = say(connection->handle, code);
    const char *words = saying.words;
    bool no_table = saying.code == SQLITE_ERROR && strncmp(words, "no such table", 13) == 0;
    bool retried = db_is_retried(connection->base.job, saying.code, NULL, conflicts) ||
                   db_is_retried(connection->base.job, code, NULL, NULL);
    static const struct db_hint prepare_first[] = {
        {SQLITE_ERROR, NULL, "isobench oltp prepare makes the benchmark's own tables"}, {0, NULL, NULL}};
    char limit[128];
    const struct db_hint at_limit[] = {{SQLITE_IOERR, NULL, limit}, {0, NULL, NULL}};
    if (no_table)
        saying.hints = prepare_first;
    if (code == SQLITE_IOERR_WRITE && host_file_size_limit() != UINT64_MAX) { /* the library tells no more than that */
        snprintf(limit, sizeof(limit), "ulimit -f allows a file %" PRIu64 " bytes", host_file_size_limit());
        saying.hints = at_limit;
    }
    return db_fail_sql(failure, retried ? DB_CLASS_RETRY : DB_CLASS_FATAL, &saying, sql, bytes);
}

/* ---- the lock ---- */

/* SQLite has one writer and no queue: whoever looks while the lock is free has it. Its own way to wait looks ever more
 * seldom, up to 100 ms apart, and the writer that has the lock takes it again within microseconds, so that one
 * connection writes and the others starve. Here all look equally often, by chance within bounds; and a writer whose
 * turn is over gives way for a moment. A turn that nobody waited for makes the next ones longer. Turns are not shorter
 * because each change of writers empties the next one's page cache. */
#define PAUSE_EACH_NS (250 * UINT64_C(1000)) /* for each thread: together they look so often, whatever their number */
#define PAUSE_MOST_NS (100 * NS_PER_MS)
#define GIVE_WAY_NS (3 * PAUSE_EACH_NS)
#define TURN_NS (50 * NS_PER_MS)
#define TURN_MOST_NS NS_PER_S

static uint64_t lock_now_ns(const struct connection *connection)
{
    return clock_now_ns(&connection->clock);
}

static void lock_init(struct connection *connection, uint64_t index)
{
    uint64_t pause_ns = PAUSE_EACH_NS * connection->base.job->threads;
    connection->clock = clock_system();
    connection->pause_ns = pause_ns < PAUSE_MOST_NS ? pause_ns : PAUSE_MOST_NS;
    connection->turn_ns = TURN_NS;
    random_init(&connection->random, connection->base.job->seed, index);
}

static void lock_pause(struct connection *connection)
{
    uint64_t least_ns = connection->pause_ns / 2;
    thread_sleep_ns(least_ns + random_below(&connection->random, least_ns));
}

/* SQLite calls it when the lock is another's. 0 = waited long enough. */
static int lock_wait(void *context, int tries)
{
    struct connection *connection = context;
    uint64_t now_ns = lock_now_ns(connection), ignored = 0;
    if (tries == 0)
        connection->waiting_from_ns = now_ns;
    if (clock_elapsed_ns(connection->waiting_from_ns, now_ns, &ignored) >= connection->base.job->sqlite_busy_timeout_ns)
        return 0;
    connection->waited = true;
    lock_pause(connection);
    return 1;
}

/* Before a statement that takes the lock. */
static void lock_take_turns(struct connection *connection)
{
    uint64_t now_ns = lock_now_ns(connection), ignored = 0;
    if (connection->waited) {
        connection->waited = false;
        connection->turn_from_ns = now_ns;
        connection->turn_ns = TURN_NS;
    } else if (clock_elapsed_ns(connection->turn_from_ns, now_ns, &ignored) >= connection->turn_ns) {
        thread_sleep_ns(GIVE_WAY_NS);
        connection->turn_from_ns = lock_now_ns(connection);
        connection->turn_ns = connection->turn_ns < TURN_MOST_NS / 2 ? 2 * connection->turn_ns : TURN_MOST_NS;
    }
}

/* ---- statements ---- */

/* Steps through the whole answer. Returns SQLite's code, SQLITE_DONE when all went well. */
static int take_rows(sqlite3_stmt *handle, db_row *row, void *context, struct db_reply *reply)
{
    int code, columns = sqlite3_column_count(handle);
    while ((code = sqlite3_step(handle)) == SQLITE_ROW) {
        reply->rows++;
        if (!row)
            continue;
        const char *values[64];
        size_t bytes[64];
        int shown = columns < 64 ? columns : 64;
        for (int i = 0; i < shown; ++i) {
            values[i] = (const char *)sqlite3_column_text(handle, i);
            bytes[i] = (size_t)sqlite3_column_bytes(handle, i);
        }
        if (!row(context, (size_t)shown, values, bytes))
            return SQLITE_DONE;
    }
    return code;
}

/* sqlite3_changes keeps the last statement's count through those that change nothing; the total does not. */
static int run(struct connection *connection, sqlite3_stmt *handle, db_row *row, void *context, struct db_reply *reply)
{
    sqlite3 *database = connection->handle;
    bool takes_lock =
        connection->base.job->threads > 1 && sqlite3_get_autocommit(database) && !sqlite3_stmt_readonly(handle);
    if (takes_lock)
        lock_take_turns(connection);
    int before = sqlite3_total_changes(database);
    reply->has_rows = sqlite3_column_count(handle) > 0;
    reply->rows = 0;
    int code = take_rows(handle, row, context, reply);
    reply->affected = reply->has_rows ? 0 : (uint64_t)(unsigned)(sqlite3_total_changes(database) - before);
    if (takes_lock && (code & 0xff) == SQLITE_BUSY)
        lock_pause(connection); /* the caller will try again at once */
    return code;
}

static bool query(struct db_connection *connection, const char *sql, size_t sql_bytes, db_row *row, void *context,
                  struct db_reply *reply, struct db_failure *failure)
{
    sqlite3 *database = own(connection)->handle;
    sqlite3_stmt *handle = NULL;
    if (!db_is_one_statement(sql, sql_bytes))
        return db_refuse_several(failure);
    int code = sqlite3_prepare_v2(database, sql, (int)sql_bytes, &handle, NULL);
    if (code == SQLITE_OK)
        code = run(own(connection), handle, row, context, reply);
    bool good = code == SQLITE_DONE || fail_sql(own(connection), code, sql, sql_bytes, failure);
    sqlite3_finalize(handle);
    return good;
}

static bool prepare(struct db_connection *connection, const char *sql, struct db_statement **out,
                    struct db_failure *failure)
{
    struct statement *statement = calloc(1, sizeof(*statement));
    if (!statement)
        return db_no_memory(failure);
    statement->base.connection = connection;
    int code =
        sqlite3_prepare_v3(own(connection)->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement->handle, NULL);
    bool single = db_is_one_statement(sql, strlen(sql));
    if (code == SQLITE_OK && single) {
        *out = &statement->base;
        return true;
    }
    if (code == SQLITE_OK)
        db_refuse_several(failure);
    else
        fail_sql(own(connection), code, sql, strlen(sql), failure);
    sqlite3_finalize(statement->handle);
    free(statement);
    return false;
}

static void close_statement(struct db_statement *statement)
{
    if (!statement)
        return;
    sqlite3_finalize(((struct statement *)statement)->handle);
    free(statement);
}

static int bind(sqlite3_stmt *handle, int at, const struct db_value *value)
{
    switch (value->type) {
    case DB_VALUE_INT:
        return sqlite3_bind_int64(handle, at, value->number);
    case DB_VALUE_TEXT:
        return sqlite3_bind_text(handle, at, value->text, (int)value->text_bytes, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(handle, at);
    }
}

static bool execute(struct db_statement *base, const struct db_value *values, size_t count, struct db_reply *reply,
                    struct db_failure *failure)
{
    sqlite3_stmt *handle = ((struct statement *)base)->handle;
    int code = SQLITE_OK;
    for (size_t i = 0; i < count && code == SQLITE_OK; ++i)
        code = bind(handle, (int)i + 1, &values[i]);
    if (code == SQLITE_OK)
        code = run(own(base->connection), handle, NULL, NULL, reply);
    bool good = code == SQLITE_DONE ||
                fail_sql(own(base->connection), code, sqlite3_sql(handle), strlen(sqlite3_sql(handle)), failure);
    sqlite3_reset(handle);
    return good;
}

/* ---- connections ---- */

/* Its count of memory is behind one lock for all threads, and nobody here asks for it. The library refuses this when it
 * is in use already, which is fine. */
static bool start(struct error *error)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int code = sqlite3_initialize();
    if (code != SQLITE_OK)
        return error_set(error, ERR_SYSTEM, "SQLite cannot start: %s", sqlite3_errstr(code));
    return sqlite3_threadsafe() != 0 ||
           error_set(error, ERR_UNSUPPORTED,
                     "this SQLite library was built without threads (SQLITE_THREADSAFE=0): use another one");
}

static bool check(const struct job *job, struct error *error)
{
    if (job->db_file[0] == '\0')
        return error_set(error, ERR_USAGE, "--db-file: give the name of the database's file");
    if (job->db_tls >= DB_TLS_REQUIRED)
        return error_set(error, ERR_USAGE, "--db-tls: sqlite has no connection over a network to encrypt");
    if (job->db_compression)
        return error_set(error, ERR_USAGE, "--db-compression: sqlite has no connection over a network to compress");
    if (job->db_defaults_file[0])
        return error_set(error, ERR_USAGE, "--db-defaults-file: option files are of the mysql driver");
    return true;
}

static const char *const journals[] = {"WAL", "DELETE", "TRUNCATE", "MEMORY"};

static bool set_journal(struct connection *connection, struct db_failure *failure)
{
    char sql[64];
    struct db_one_value mode = {0};
    struct db_reply reply;
    const char *wanted = journals[connection->base.job->sqlite_journal];
    int bytes = snprintf(sql, sizeof(sql), "PRAGMA journal_mode=%s", wanted);
    if (!query(&connection->base, sql, (size_t)bytes, db_take_one, &mode, &reply, failure))
        return false;
    if (sqlite3_stricmp(mode.text, wanted) == 0)
        return true;
    struct db_saying saying = {0, NULL, "another journal mode than asked for is in use", NULL};
    return db_fail(failure, DB_CLASS_FATAL, &saying,
                   "--sqlite-journal=%s: the database stays at %s; WAL needs a file on a local file system", wanted,
                   mode.text);
}

static bool set_up(struct connection *connection, struct db_failure *failure)
{
    char sql[64];
    struct db_reply reply;
    const struct job *job = connection->base.job;
    sqlite3_extended_result_codes(connection->handle, 1);
    sqlite3_busy_handler(connection->handle, lock_wait, connection);
    int bytes = snprintf(sql, sizeof(sql), "PRAGMA synchronous=%d", (int)job->sqlite_synchronous);
    return set_journal(connection, failure) &&
           query(&connection->base, sql, (size_t)bytes, NULL, NULL, &reply, failure);
}

static void disconnect(struct db_connection *connection)
{
    if (!connection)
        return;
    sqlite3_close(own(connection)->handle);
    free(connection);
}

static bool connect(const struct db_target *target, struct db_connection **out, struct db_failure *failure)
{
    struct connection *connection = calloc(1, sizeof(*connection));
    if (!connection)
        return db_no_memory(failure);
    connection->base.driver = &sqlite_driver;
    connection->base.job = target->job;
    lock_init(connection, target->index);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (target->may_create ? SQLITE_OPEN_CREATE : 0);
    int code = sqlite3_open_v2(target->job->db_file, &connection->handle, flags, NULL);
    if (code == SQLITE_OK && set_up(connection, failure)) {
        *out = &connection->base;
        return true;
    }
    if (code != SQLITE_OK) {
        struct db_saying saying = say(connection->handle, code);
        db_fail(failure, DB_CLASS_FATAL, &saying, "--db-file=%.120s cannot be opened", target->job->db_file);
    }
    disconnect(&connection->base);
    return false;
}

static bool is_absent(const struct job *job)
{
    enum path_kind kind = PATH_ABSENT;
    struct error ignored = ERROR_INIT;
    return path_look(job->db_file, &kind, NULL, &ignored) && kind == PATH_ABSENT;
}

static void discard(const struct job *job)
{
    static const char *const beside[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < COUNT_OF(beside); ++i) {
        char path[PATH_BYTES];
        struct error ignored = ERROR_INIT;
        snprintf(path, sizeof(path), "%s%s", job->db_file, beside[i]);
        path_remove(path, &ignored);
    }
}

/* ---- facts ---- */

static bool facts(struct db_connection *connection, struct server_facts *out, struct db_failure *failure)
{
    static const char *const pragmas[] = {"journal_mode", "synchronous",        "page_size",  "cache_size", "mmap_size",
                                          "locking_mode", "wal_autocheckpoint", "temp_store", "encoding"};
    memset(out, 0, sizeof(*out));
    snprintf(out->product, sizeof(out->product), "SQLite");
    snprintf(out->version, sizeof(out->version), "%s", sqlite3_libversion());
    snprintf(out->client, sizeof(out->client), "SQLite %s", sqlite3_libversion());
    for (size_t i = 0; i < COUNT_OF(pragmas); ++i) {
        char sql[64];
        struct db_one_value value = {0};
        struct db_reply reply;
        int bytes = snprintf(sql, sizeof(sql), "PRAGMA %s", pragmas[i]);
        if (!query(connection, sql, (size_t)bytes, db_take_one, &value, &reply, failure))
            return false;
        if (value.found)
            db_add_variable(out, pragmas[i], value.text);
    }
    char busy_ms[32]; /* the library does not know of it: lock_wait does the waiting */
    snprintf(busy_ms, sizeof(busy_ms), "%" PRIu64, connection->job->sqlite_busy_timeout_ns / NS_PER_MS);
    db_add_variable(out, "busy_timeout", busy_ms);
    return true;
}

static const struct db_syntax syntax = {.auto_id = "INTEGER NOT NULL",
                                        .begin_write = "BEGIN IMMEDIATE",
                                        .begin_read = "BEGIN",
                                        .statement_bytes = 256 * 1024,
                                        .one_writer = true,
                                        .descriptors = 3};

const struct db_driver sqlite_driver = {.name = "sqlite",
                                        .syntax = &syntax,
                                        .start = start,
                                        .check = check,
                                        .connect = connect,
                                        .disconnect = disconnect,
                                        .is_absent = is_absent,
                                        .discard = discard,
                                        .query = query,
                                        .prepare = prepare,
                                        .close = close_statement,
                                        .execute = execute,
                                        .facts = facts};
