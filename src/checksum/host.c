#include "checksum/host.h"

#include "core/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SLICE_S 1 /* of a wait: Ctrl-C and a replica that stops are seen between them */

static const struct db_replication *replication(const struct host *host)
{
    return host->setup->driver->replication;
}

static bool fail(const struct host *host, const struct db_failure *failure, struct error *error)
{
    return error_set(error, ERR_SYSTEM, "%.200s: %s", host->place->name, failure->text);
}

bool host_do(struct host *host, const char *sql, struct error *error)
{
    struct db_reply reply;
    struct db_failure failure;
    return host->setup->driver->query(host->connection, sql, strlen(sql), NULL, NULL, &reply, &failure) ||
           fail(host, &failure, error);
}

bool host_query(struct host *host, const struct text *sql, db_row *row, void *context, struct db_reply *reply,
                struct error *error)
{
    struct db_failure failure;
    if (sql->failed)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    return host->setup->driver->query(host->connection, sql->text, sql->bytes, row, context, reply, &failure) ||
           fail(host, &failure, error);
}

bool host_open(struct host *host, const struct checksum_setup *setup, const struct db_place *place,
               _Atomic bool *stopping, struct error *error)
{
    struct db_target target = {.job = &place->job, .password = place->password, .index = 0, .may_create = false};
    struct db_failure failure;
    *host = (struct host){.setup = setup, .place = place, .stopping = stopping};
    if (!setup->driver->connect(&target, &host->connection, &failure))
        return fail(host, &failure, error);
    return host_do(host,
                   "SET SESSION time_zone='+00:00', sql_mode='NO_AUTO_VALUE_ON_ZERO', autocommit=1, "
                   "lc_time_names='en_US'",
                   error) &&
           host_do(host, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", error);
}

void host_close(struct host *host)
{
    if (host->connection)
        host->setup->driver->disconnect(host->connection);
    host->connection = NULL;
}

/* ---- replication ---- */

static bool refuse_stopped(const struct host *replica, struct error *error)
{
    const struct db_replica_status *status = &replica->status;
    return error_set(error, ERR_DATA,
                     "%.200s: replication is stopped (its %s thread does not run)%s%s: start it, or compare "
                     "what is there with --unrelated",
                     replica->place->name, status->applies ? "receiving" : "applying", status->trouble[0] ? ": " : "",
                     status->trouble);
}

static bool look(struct host *replica, uint64_t source_id, struct error *error)
{
    struct db_failure failure;
    if (!replication_settled_status(replication(replica), replica->connection, source_id, &replica->status, &failure))
        return fail(replica, &failure, error);
    if (!replica->status.is_replica)
        return error_set(error, ERR_USAGE,
                         "%.200s: it is no replica of any server; two copies that nobody replicates are "
                         "compared with --unrelated",
                         replica->place->name);
    return (replica->status.receives && replica->status.applies) || refuse_stopped(replica, error);
}

bool host_follows(struct host *replica, struct host *source, struct error *error)
{
    struct db_failure failure;
    struct db_position position;
    uint64_t id, own_id;
    if (!replication(source)->server_id(source->connection, &id, &failure))
        return fail(source, &failure, error);
    if (!replication(replica)->server_id(replica->connection, &own_id, &failure))
        return fail(replica, &failure, error);
    if (own_id == id)
        return error_set(error, ERR_USAGE, "%.200s is the source itself, by its server_id %" PRIu64,
                         replica->place->name, id);
    if (!look(replica, id, error) || !host_position(source, !replica->status.is_direct, &position, error))
        return false;
    return replica->status.is_direct || position.gtids[0] ||
           error_set(error, ERR_USAGE,
                     "%.200s: it follows another server than %.200s, and there are no GTIDs to tell how far "
                     "it has come",
                     replica->place->name, source->place->name);
}

bool host_position(struct host *source, bool gtids, struct db_position *out, struct error *error)
{
    struct db_failure failure;
    *out = (struct db_position){.file = ""};
    return source->setup->unrelated || replication(source)->position(source->connection, gtids, out, &failure) ||
           fail(source, &failure, error);
}

static bool refuse_late(const struct host *replica, struct error *error)
{
    char waited[32], behind[64] = "";
    if (replica->status.behind_s >= 0)
        snprintf(behind, sizeof(behind), " (it says %" PRId64 " s behind)", replica->status.behind_s);
    return error_set(error, ERR_DATA, "%.200s: it did not come up to the source within %s%s: --wait=TIME waits longer",
                     replica->place->name, units_time_human((double)replica->setup->wait_ns, waited, sizeof(waited)),
                     behind);
}

/* Still running, and time left? Called after a slice in which it did not come up. */
static bool may_go_on(struct host *replica, uint64_t since_ns, struct error *error)
{
    struct db_failure failure;
    struct db_replica_status now;
    uint64_t steps_back = 0;
    if (atomic_load(replica->stopping))
        return error_set(error, ERR_INTERRUPTED, "interrupted");
    if (!replication(replica)->status(replica->connection, 0, &now, &failure))
        return fail(replica, &failure, error);
    bool is_direct = replica->status.is_direct;
    replica->status = now;
    replica->status.is_direct = is_direct;
    if (!now.applies || !now.receives)
        return refuse_stopped(replica, error);
    return clock_elapsed_ns(since_ns, clock_now_ns(replica->setup->clock), &steps_back) < replica->setup->wait_ns ||
           refuse_late(replica, error);
}

bool host_wait(struct host *replica, const struct db_position *position, uint64_t *lag_ns, struct error *error)
{
    const struct clock *clock = replica->setup->clock;
    uint64_t since_ns = clock_now_ns(clock), steps_back = 0;
    bool reached = replica->setup->unrelated;
    struct db_failure failure;
    while (!reached) {
        if (!replication(replica)->wait(replica->connection, &replica->status, position, SLICE_S, &reached, &failure))
            return fail(replica, &failure, error);
        if (!reached && !may_go_on(replica, since_ns, error))
            return false;
    }
    *lag_ns = replica->setup->unrelated ? 0 : clock_elapsed_ns(since_ns, clock_now_ns(clock), &steps_back);
    return true;
}
