#include "oltp/heartbeat.h"

#include "core/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAP_NS (20 * NS_PER_MS) /* the end is seen between two */

static uint64_t now_ns(const struct heartbeat *heartbeat)
{
    return clock_now_ns(heartbeat->setup->clock);
}

static bool tell(const struct db_driver *driver, struct db_connection *connection, const char *sql,
                 struct db_failure *failure)
{
    struct db_reply reply;
    return driver->query(connection, sql, strlen(sql), NULL, NULL, &reply, failure);
}

bool heartbeat_prepare_session(const struct db_driver *driver, struct db_connection *connection,
                               struct db_failure *failure)
{
    return tell(driver, connection, "SET SESSION autocommit=1", failure);
}

/* ---- one beat ---- */

/* False when memory is short: then the number is as if it had failed. */
static bool note_commit(struct heartbeat *heartbeat, uint64_t at_ns)
{
    mutex_lock(heartbeat->mutex);
    bool fits = heartbeat->count < heartbeat->room;
    if (!fits) {
        uint64_t room = heartbeat->room ? heartbeat->room * 2 : 1024;
        struct beat *more = realloc(heartbeat->beats, room * sizeof(*more));
        fits = more != NULL;
        if (more) {
            heartbeat->beats = more;
            heartbeat->room = room;
        }
    }
    if (fits)
        heartbeat->beats[heartbeat->count++] = (struct beat){.committed_ns = at_ns, .is_late = heartbeat->is_late};
    mutex_unlock(heartbeat->mutex);
    return fits;
}

/* So that nobody takes it for something left. A server that knows no such locks gives none, and has nothing taken away
 * from it either. */
static void take_lock(const struct heartbeat *heartbeat)
{
    char sql[HEARTBEAT_SQL_BYTES];
    struct db_failure ignored;
    snprintf(sql, sizeof(sql), "DO GET_LOCK('%s', 0)", heartbeat->name);
    tell(heartbeat->setup->driver, heartbeat->connection, sql, &ignored);
}

static bool connect_again(struct heartbeat *heartbeat, struct db_failure *failure)
{
    const struct oltp_setup *setup = heartbeat->setup;
    struct db_target target = {.job = setup->job, .password = setup->password};
    if (heartbeat->connection)
        return true;
    if (!setup->driver->connect(&target, &heartbeat->connection, failure) ||
        !heartbeat_prepare_session(setup->driver, heartbeat->connection, failure))
        return false;
    take_lock(heartbeat);
    return true;
}

static bool note_failure(struct heartbeat *heartbeat, const struct db_failure *failure)
{
    mutex_lock(heartbeat->mutex);
    ++heartbeat->failed;
    heartbeat->failure = *failure;
    mutex_unlock(heartbeat->mutex);
    if (failure->class == DB_CLASS_LOST) {
        heartbeat->setup->driver->disconnect(heartbeat->connection);
        heartbeat->connection = NULL;
    }
    return false;
}

/* REPLACE, so that it applies on a replica whatever is there. A number whose commit failed is used again: it may have
 * come through all the same. */
bool heartbeat_beat(struct heartbeat *heartbeat)
{
    char sql[HEARTBEAT_SQL_BYTES];
    struct db_failure failure = {.text = "not enough memory"};
    snprintf(sql, sizeof(sql), "REPLACE INTO %s VALUES (1, %" PRIu64 ")", heartbeat->table, heartbeat->count + 1);
    bool good = connect_again(heartbeat, &failure) &&
                tell(heartbeat->setup->driver, heartbeat->connection, sql, &failure) &&
                note_commit(heartbeat, now_ns(heartbeat));
    return good || note_failure(heartbeat, &failure);
}

/* ---- the thread ---- */

static void nap_until(const struct heartbeat *heartbeat, uint64_t due_ns)
{
    uint64_t at_ns;
    while (!atomic_load(&heartbeat->stopping) && (at_ns = now_ns(heartbeat)) < due_ns)
        thread_sleep_ns(due_ns - at_ns < NAP_NS ? due_ns - at_ns : NAP_NS);
}

static void body(void *argument)
{
    struct heartbeat *heartbeat = argument;
    const struct db_driver *driver = heartbeat->setup->driver;
    uint64_t interval_ns = heartbeat->setup->job->heartbeat_ns, due_ns = now_ns(heartbeat) + interval_ns;
    if (driver->thread_start)
        driver->thread_start();
    for (nap_until(heartbeat, due_ns); !atomic_load(&heartbeat->stopping); nap_until(heartbeat, due_ns)) {
        uint64_t at_ns = now_ns(heartbeat);
        heartbeat->is_late = at_ns > due_ns + interval_ns;
        due_ns = heartbeat->is_late ? at_ns : due_ns;
        heartbeat_beat(heartbeat);
        due_ns += interval_ns;
    }
    if (driver->thread_stop)
        driver->thread_stop();
}

bool heartbeat_start(struct heartbeat *heartbeat, struct error *error)
{
    return thread_start(&heartbeat->thread, body, heartbeat, 0, error);
}

void heartbeat_stop(struct heartbeat *heartbeat)
{
    atomic_store(&heartbeat->stopping, true);
    if (heartbeat->thread)
        thread_join(heartbeat->thread);
    heartbeat->thread = NULL;
}

/* ---- the table ---- */

static void name_table(struct heartbeat *heartbeat, uint64_t source_id)
{
    struct random random;
    random_init(&random, clock_wall_ns(), now_ns(heartbeat));
    snprintf(heartbeat->name, sizeof(heartbeat->name), HEARTBEAT_NAME "%08" PRIx32 "%08" PRIx32, (uint32_t)source_id,
             (uint32_t)random_next(&random));
    snprintf(heartbeat->table, sizeof(heartbeat->table), "%s%s%s", heartbeat->own_schema ? heartbeat->name : "",
             heartbeat->own_schema ? "." : "", heartbeat->name);
    snprintf(heartbeat->read_sql, sizeof(heartbeat->read_sql), "SELECT beat FROM %s WHERE id = 1", heartbeat->table);
}

static bool make_schema(struct heartbeat *heartbeat, struct db_failure *failure)
{
    char sql[HEARTBEAT_SQL_BYTES];
    snprintf(sql, sizeof(sql), "CREATE SCHEMA %s", heartbeat->name);
    heartbeat->made = tell(heartbeat->setup->driver, heartbeat->connection, sql, failure);
    return heartbeat->made;
}

static bool make_table(struct heartbeat *heartbeat, struct db_failure *failure)
{
    char sql[HEARTBEAT_SQL_BYTES];
    const struct db_driver *driver = heartbeat->setup->driver;
    snprintf(sql, sizeof(sql), "CREATE TABLE %s (id INT PRIMARY KEY, beat BIGINT UNSIGNED NOT NULL) ENGINE=InnoDB",
             heartbeat->table);
    if (!heartbeat_prepare_session(driver, heartbeat->connection, failure))
        return false;
    take_lock(heartbeat);
    if ((heartbeat->own_schema && !make_schema(heartbeat, failure)) ||
        !tell(driver, heartbeat->connection, sql, failure))
        return false;
    return heartbeat->made = true;
}

bool heartbeat_init(struct heartbeat *heartbeat, const struct oltp_setup *setup, struct db_connection *source,
                    uint64_t source_id, bool own_schema, struct error *error)
{
    *heartbeat =
        (struct heartbeat){.setup = setup, .connection = source, .mutex = mutex_make(), .own_schema = own_schema};
    if (!heartbeat->mutex)
        return error_set(error, ERR_SYSTEM, "not enough memory for heartbeats");
    name_table(heartbeat, source_id);
    return (make_table(heartbeat, &heartbeat->failure) && heartbeat_beat(heartbeat)) ||
           error_set(error, ERR_SYSTEM, "--replica: no heartbeat on the source: %s", heartbeat->failure.text);
}

bool heartbeat_drop(struct heartbeat *heartbeat)
{
    char sql[HEARTBEAT_SQL_BYTES];
    if (!heartbeat->made)
        return true;
    snprintf(sql, sizeof(sql), "DROP %s %s", heartbeat->own_schema ? "SCHEMA" : "TABLE", heartbeat->name);
    heartbeat->made = !(connect_again(heartbeat, &heartbeat->failure) &&
                        tell(heartbeat->setup->driver, heartbeat->connection, sql, &heartbeat->failure));
    return !heartbeat->made;
}

void heartbeat_done(struct heartbeat *heartbeat)
{
    if (heartbeat->connection)
        heartbeat->setup->driver->disconnect(heartbeat->connection);
    if (heartbeat->mutex)
        mutex_free(heartbeat->mutex);
    free(heartbeat->beats);
    *heartbeat = (struct heartbeat){.count = 0};
}
