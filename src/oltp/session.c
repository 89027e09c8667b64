#include "oltp/session.h"

#include "oltp/schema.h"

#include <stdlib.h>
#include <string.h>

#define PAUSE_FIRST_NS (10 * NS_PER_MS)
#define PAUSE_LAST_NS NS_PER_S
#define NAP_NS (50 * NS_PER_MS) /* how late the end of the run may be seen in a pause */

static const struct db_driver *driver_of(const struct session *session)
{
    return session->plan->driver;
}

bool session_init(struct session *session, const struct plan *plan, struct worker *worker, const char *password)
{
    memset(session, 0, sizeof(*session));
    session->plan = plan;
    session->worker = worker;
    session->password = password;
    session->text_room = plan->sql_bytes;
    session->text = malloc(session->text_room);
    session->statements = calloc(plan->slots_count * (size_t)plan->tables, sizeof(struct db_statement *));
    return session->text && session->statements;
}

void session_done(struct session *session)
{
    if (!session->plan)
        return;
    session_close(session);
    free(session->text);
    free(session->statements);
    memset(session, 0, sizeof(*session));
}

/* ---- opening ---- */

void session_close(struct session *session)
{
    size_t count = session->statements ? session->plan->slots_count * (size_t)session->plan->tables : 0;
    for (size_t i = 0; i < count; ++i) {
        driver_of(session)->close(session->statements[i]);
        session->statements[i] = NULL;
    }
    driver_of(session)->disconnect(session->connection);
    session->connection = NULL;
}

static bool prepare_query(struct session *session, const struct script_statement *query)
{
    session->failed = query->kind;
    return driver_of(session)->prepare(session->connection, query->sql, &session->statements[query->kind],
                                       &session->failure);
}

static bool prepare_script(struct session *session)
{
    const struct script *script = session->plan->script;
    for (size_t i = 0; script->is_prepared && i < script->queries.count; ++i)
        if (!prepare_query(session, &script->queries.items[i]))
            return false;
    return true;
}

/* `of_slot`: the statements of one slot, by table. */
static bool prepare_of_table(struct session *session, struct db_statement **of_slot, uint64_t table)
{
    const struct db_driver *driver = driver_of(session);
    if (table > 0 && driver->prepare_like)
        return driver->prepare_like(session->connection, session->text, of_slot[0], &of_slot[table], &session->failure);
    return driver->prepare(session->connection, session->text, &of_slot[table], &session->failure);
}

static bool prepare_kind(struct session *session, size_t slot)
{
    const struct plan *plan = session->plan;
    const struct sql_template *sql = &plan->sql[plan->kinds[slot]];
    uint64_t tables = sql->tables ? plan->tables : 1; /* BEGIN and COMMIT have none */
    session->failed = slot;
    for (uint64_t i = 0; i < tables; ++i) {
        struct table_name table;
        schema_table(plan->job, i, &table);
        sql_write(sql, &table, NULL, session->text);
        if (!prepare_of_table(session, &session->statements[slot * plan->tables], i))
            return false;
    }
    return true;
}

/* A rollback is rare and sent as text. */
static bool prepare_all(struct session *session)
{
    const struct plan *plan = session->plan;
    for (size_t slot = 0; plan->prepared && slot < plan->slots_count; ++slot)
        if (plan->kinds[slot] != STATEMENT_ROLLBACK && !prepare_kind(session, slot))
            return false;
    return true;
}

static bool connect_at(struct session *session, struct mutex *door)
{
    struct db_target target = {
        .job = session->plan->job, .password = session->password, .index = session->worker->index, .may_create = false};
    if (door)
        mutex_lock(door);
    bool good = driver_of(session)->connect(&target, &session->connection, &session->failure);
    if (door)
        mutex_unlock(door);
    return good;
}

static bool say(struct session *session, const char *sql)
{
    struct db_reply reply;
    return driver_of(session)->query(session->connection, sql, strlen(sql), NULL, NULL, &reply, &session->failure);
}

/* What a script says to a new connection. */
static bool greet(struct session *session)
{
    const struct script *script = session->plan->script;
    for (size_t i = 0; script && i < script->greeting.count; ++i)
        if (!say(session, script->greeting.items[i].sql))
            return false;
    return !script || script->commit_every == 0 || say(session, SCRIPT_NO_AUTOCOMMIT);
}

static bool get_ready(struct session *session)
{
    return greet(session) && (session->plan->script ? prepare_script(session) : prepare_all(session));
}

bool session_open(struct session *session, struct mutex *door)
{
    return connect_at(session, door) && get_ready(session);
}

/* ---- opening anew ---- */

static enum outcome outcome_of(const struct db_failure *failure)
{
    return failure->class == DB_CLASS_RETRY  ? OUTCOME_AGAIN
           : failure->class == DB_CLASS_LOST ? OUTCOME_LOST
                                             : OUTCOME_FATAL;
}

static bool time_is_up(struct session *session)
{
    session->now_ns = worker_now_ns(session->worker);
    return worker_time_is_up(session->worker, session->now_ns);
}

/* Whatever a server says while it starts, it is asked again; but once it has let us in, a statement that it refuses is
 * refused. */
static enum outcome try_to_open(struct session *session)
{
    uint64_t start_ns = worker_now_ns(session->worker);
    bool connected = connect_at(session, NULL), good = connected && get_ready(session);
    session->now_ns = worker_now_ns(session->worker);
    if (session->measured && good)
        worker_record(session->worker, CLASS_CONNECT, start_ns, session->now_ns, 0);
    else if (session->measured)
        worker_record_error(session->worker, CLASS_CONNECT);
    if (good)
        return OUTCOME_DONE;
    return connected && session->failure.class == DB_CLASS_FATAL ? OUTCOME_FATAL : OUTCOME_LOST;
}

/* Half of it by chance, so that a thousand threads do not come back as one. False when the run has ended. */
static bool pause_for(struct session *session, uint64_t pause_ns)
{
    uint64_t until_ns = session->now_ns + pause_ns / 2 + random_below(&session->worker->random, pause_ns / 2);
    while (!time_is_up(session)) {
        if (session->now_ns >= until_ns)
            return true;
        uint64_t left_ns = until_ns - session->now_ns;
        thread_sleep_ns(left_ns < NAP_NS ? left_ns : NAP_NS);
    }
    return false;
}

enum outcome session_reopen(struct session *session)
{
    uint64_t lost_ns = worker_now_ns(session->worker), pause_ns = PAUSE_FIRST_NS;
    for (;;) {
        session_close(session);
        enum outcome outcome = try_to_open(session);
        if (outcome != OUTCOME_LOST)
            return outcome;
        uint64_t ignored = 0;
        if (clock_elapsed_ns(lost_ns, session->now_ns, &ignored) >= session->plan->job->reconnect_on_loss_ns)
            return OUTCOME_LOST;
        if (!pause_for(session, pause_ns))
            return OUTCOME_OVER;
        pause_ns = pause_ns < PAUSE_LAST_NS / 2 ? 2 * pause_ns : PAUSE_LAST_NS;
    }
}

/* ---- statements ---- */

static enum op_class class_of(const struct db_reply *reply)
{
    return reply->has_rows ? CLASS_READ_QUERY : reply->affected > 0 ? CLASS_WRITE_QUERY : CLASS_OTHER_QUERY;
}

static enum outcome note(struct session *session, size_t slot, bool good, const struct db_reply *reply,
                         uint64_t start_ns)
{
    struct worker *worker = session->worker;
    session->now_ns = worker_now_ns(worker);
    if (good) {
        if (session->measured)
            worker_record_statement(worker, (uint32_t)slot, class_of(reply), start_ns, session->now_ns);
        return OUTCOME_DONE;
    }
    session->failed = slot;
    if (session->measured)
        live_add(&worker->statements[slot].errors, 1);
    return outcome_of(&session->failure);
}

enum outcome session_send_slot(struct session *session, size_t slot, const char *sql, size_t bytes)
{
    struct db_reply reply;
    uint64_t start_ns = worker_now_ns(session->worker);
    bool good = driver_of(session)->query(session->connection, sql, bytes, NULL, NULL, &reply, &session->failure);
    return note(session, slot, good, &reply, start_ns);
}

enum outcome session_send(struct session *session, enum statement_kind kind, const char *sql, size_t bytes)
{
    return session_send_slot(session, session->plan->slots[kind], sql, bytes);
}

static enum outcome send_values(struct session *session, enum statement_kind kind, uint64_t table,
                                const struct db_value *values)
{
    struct table_name name;
    const struct sql_template *sql = &session->plan->sql[kind];
    if (sql->tables)
        schema_table(session->plan->job, table, &name);
    size_t bytes = sql_write(sql, &name, values, session->text);
    return session_send(session, kind, session->text, bytes);
}

static enum outcome execute(struct session *session, size_t slot, struct db_statement *statement,
                            const struct db_value *values, size_t count)
{
    struct db_reply reply;
    uint64_t start_ns = worker_now_ns(session->worker);
    bool good = driver_of(session)->execute(statement, values, count, &reply, &session->failure);
    return note(session, slot, good, &reply, start_ns);
}

enum outcome session_execute(struct session *session, enum statement_kind kind, uint64_t table,
                             const struct db_value *values, size_t count)
{
    const struct plan *plan = session->plan;
    size_t slot = plan->slots[kind];
    struct db_statement *statement = session->statements[slot * plan->tables + table];
    return statement ? execute(session, slot, statement, values, count) : send_values(session, kind, table, values);
}

enum outcome session_execute_slot(struct session *session, size_t slot, const struct db_value *values, size_t count)
{
    return execute(session, slot, session->statements[slot], values, count);
}
