#include "oltp/crew.h"

#include <stdlib.h>
#include <string.h>

#define TICK_NS (200 * NS_PER_MS)

bool crew_open(struct crew *crew, const struct oltp_setup *setup, uint64_t members, size_t packet_bytes,
               struct error *error)
{
    memset(crew, 0, sizeof(*crew));
    crew->setup = setup;
    crew->count = (uint32_t)members;
    crew->packet_bytes = packet_bytes;
    crew->talk = mutex_make();
    crew->members = calloc(crew->count, sizeof(*crew->members));
    bool good = crew->members && crew->talk;
    for (uint32_t i = 0; good && i < crew->count; ++i) {
        crew->members[i].crew = crew;
        crew->members[i].index = i;
        crew->members[i].packet = packet_bytes ? malloc(packet_bytes) : NULL;
        good = packet_bytes == 0 || crew->members[i].packet;
    }
    return good ? watch_make(&crew->watch, error)
                : error_set(error, ERR_SYSTEM, "not enough memory for %u connections", crew->count);
}

void crew_close(struct crew *crew)
{
    for (uint32_t i = 0; crew->members && i < crew->count; ++i) {
        crew->setup->driver->disconnect(crew->members[i].connection);
        free(crew->members[i].packet);
    }
    free(crew->members);
    if (crew->talk)
        mutex_free(crew->talk);
    watch_free(crew->watch);
    memset(crew, 0, sizeof(*crew));
}

/* ---- a member's side ---- */

bool crew_fail(struct member *member, const char *what)
{
    struct crew *crew = member->crew;
    mutex_lock(crew->talk);
    if (!atomic_load(&crew->stopping))
        error_set(&crew->error, ERR_SYSTEM, "%s%s%s", what, what[0] ? ": " : "", member->failure.text);
    atomic_store(&crew->stopping, true);
    mutex_unlock(crew->talk);
    return false;
}

bool crew_query(struct member *member, const char *sql, size_t bytes)
{
    struct db_reply reply;
    return member->crew->setup->driver->query(member->connection, sql, bytes, NULL, NULL, &reply, &member->failure);
}

bool crew_must(struct member *member, const char *what, const char *sql)
{
    return crew_query(member, sql, strlen(sql)) || crew_fail(member, what);
}

void crew_tell_step(struct member *member, const char *table, enum table_step step, uint64_t rows)
{
    const struct listener *listener = member->crew->setup->listener;
    if (!listener->table_step)
        return;
    mutex_lock(member->crew->talk);
    listener->table_step(listener->context, table, step, rows);
    mutex_unlock(member->crew->talk);
}

static bool ensure_connection(struct member *member)
{
    const struct oltp_setup *setup = member->crew->setup;
    struct db_target target = {
        .job = setup->job, .password = setup->password, .index = member->index, .may_create = false};
    return member->connection || setup->driver->connect(&target, &member->connection, &member->failure) ||
           crew_fail(member, "");
}

static void member_body(void *argument)
{
    struct member *member = argument;
    struct crew *crew = member->crew;
    const struct db_driver *driver = crew->setup->driver;
    if (driver->thread_start)
        driver->thread_start();
    for (;;) {
        uint64_t task = atomic_fetch_add(&crew->next, 1);
        if (task >= crew->tasks || !crew_goes_on(member) || !ensure_connection(member) ||
            !crew->task(member, task, crew->context))
            break;
    }
    if (driver->thread_stop)
        driver->thread_stop();
    atomic_fetch_sub(&crew->working, 1);
    watch_wake(crew->watch);
}

/* ---- the main thread's side ---- */

static void tick(struct crew *crew)
{
    if (!crew->tick)
        return;
    mutex_lock(crew->talk);
    crew->tick(crew->context);
    mutex_unlock(crew->talk);
}

static void wait_for_all(struct crew *crew)
{
    uint64_t until_ns = UINT64_MAX;
    while (atomic_load(&crew->working) > 0 && !crew->stuck) {
        enum watch_event event = watch_wait(crew->watch, TICK_NS);
        uint64_t now_ns = clock_now_ns(crew->setup->clock);
        if (event == WATCH_INTERRUPTED) {
            until_ns = crew->interrupted ? now_ns : now_ns + OLTP_PATIENCE_NS;
            crew->interrupted = true;
            atomic_store(&crew->stopping, true);
        } else if (event == WATCH_TIME) {
            tick(crew);
        }
        crew->stuck = now_ns >= until_ns;
    }
}

static bool settle(struct crew *crew, struct error *error)
{
    if (crew->stuck)
        return error_set(error, ERR_INTERRUPTED,
                         "interrupted, and the database does not answer: what it was told before it may still do");
    if (crew->error.kind != ERR_NONE)
        return error_set(error, crew->error.kind, "%s", crew->error.text);
    return !crew->interrupted || error_set(error, ERR_INTERRUPTED, "interrupted");
}

bool crew_work(struct crew *crew, bool (*task)(struct member *, uint64_t, void *), void (*tick_call)(void *),
               void *context, uint64_t tasks, struct error *error)
{
    uint32_t started = 0, wanted = tasks < crew->count ? (uint32_t)tasks : crew->count;
    crew->task = task;
    crew->tick = tick_call;
    crew->context = context;
    crew->tasks = tasks;
    atomic_store(&crew->next, 0);
    atomic_store(&crew->working, wanted);
    while (started < wanted && thread_start(&crew->members[started].thread, member_body, &crew->members[started],
                                            crew->setup->job->stack_size_bytes, error))
        ++started;
    if (started < wanted) {
        atomic_store(&crew->stopping, true);
        atomic_fetch_sub(&crew->working, wanted - started);
    }
    wait_for_all(crew);
    for (uint32_t i = 0; i < started && !crew->stuck; ++i)
        thread_join(crew->members[i].thread);
    return started == wanted && settle(crew, error);
}
