/* checksum/host.h: one server as one thread sees it. */
#ifndef CHECKSUM_HOST_H
#define CHECKSUM_HOST_H

#include "checksum/checksum.h"
#include "checksum/text.h"
#include "db/replication.h"

#include <stdatomic.h>

struct host {
    const struct checksum_setup *setup;
    const struct db_place *place;
    struct db_connection *connection;
    struct db_replica_status status; /* of a replica */
    _Atomic bool *stopping;          /* Ctrl-C, or another thread failed */
};

/* Connects, and makes the session one in which texts of values mean the same on every server: UTC, no modes. */
bool host_open(struct host *host, const struct checksum_setup *setup, const struct db_place *place,
               _Atomic bool *stopping, struct error *error);
void host_close(struct host *host); /* all zero is fine */

/* Does this replica follow the source, and do both of its threads run? */
bool host_follows(struct host *replica, struct host *source, struct error *error);

/* Sends one text; the error names the host. */
bool host_query(struct host *host, const struct text *sql, db_row *row, void *context, struct db_reply *reply,
                struct error *error);
bool host_do(struct host *host, const char *sql, struct error *error);

/* Where the source's log ends. Does nothing where nobody replicates. `gtids`: for replicas that are not direct. */
bool host_position(struct host *source, bool gtids, struct db_position *out, struct error *error);
/* Waits until the replica has applied what lies before it. *lag_ns: how long that took. */
bool host_wait(struct host *replica, const struct db_position *position, uint64_t *lag_ns, struct error *error);

#endif
