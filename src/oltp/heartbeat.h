/* oltp/heartbeat.h: a number that grows, committed on the source again and again by a thread of its own, for whoever
 * looks how far a replica has come (core/replication.h has the formula). It stands in a table of its own, which is made
 * before and dropped after: isobench_heartbeat_<8 digits: the source's server_id><8 random ones>, in the job's database
 * or in a schema of the same name. The connection that commits it holds a lock of that name (GET_LOCK): what has that
 * source's id and nobody's lock was left by a run that was killed (oltp/leftovers.h). */
#ifndef OLTP_HEARTBEAT_H
#define OLTP_HEARTBEAT_H

#include "oltp/oltp.h"
#include "platform/thread.h"

#include <stdatomic.h>

#define HEARTBEAT_NAME "isobench_heartbeat_"
#define HEARTBEAT_NAME_BYTES 64
#define HEARTBEAT_SQL_BYTES 256

struct beat {
    uint64_t committed_ns; /* when the source's answer to its commit came */
    bool is_late;
};

struct heartbeat {
    const struct oltp_setup *setup;
    struct db_connection *connection; /* NULL after a loss */
    struct thread *thread;
    char name[HEARTBEAT_NAME_BYTES], table[2 * HEARTBEAT_NAME_BYTES];
    bool own_schema;
    char read_sql[HEARTBEAT_SQL_BYTES]; /* gives the number, as one row, or no row */
    _Atomic bool stopping;
    bool made; /* the table, or its schema, may be there */

    struct mutex *mutex; /* guards what follows, and what its readers put under it */
    struct beat *beats;  /* the i-th has number i + 1 */
    uint64_t count, room;
    uint64_t failed;
    bool is_late;              /* the next one: begun later than it was due by more than a heartbeat */
    struct db_failure failure; /* the last one */
};

/* On an open connection to the source, which the heartbeat then owns: makes the table, and with own_schema its schema
 * before it, and commits number 1. False with the error; heartbeat_done releases it in any case. */
bool heartbeat_init(struct heartbeat *heartbeat, const struct oltp_setup *setup, struct db_connection *source,
                    uint64_t source_id, bool own_schema, struct error *error);
bool heartbeat_start(struct heartbeat *heartbeat, struct error *error);
/* Ends the thread, if there is one. The connection is then the caller's to use. */
void heartbeat_stop(struct heartbeat *heartbeat);
/* Commits one more, for after heartbeat_stop. False with the failure noted. */
bool heartbeat_beat(struct heartbeat *heartbeat);
/* Drops what was made. False when it may still be there, with the reason in heartbeat->failure. */
bool heartbeat_drop(struct heartbeat *heartbeat);
void heartbeat_done(struct heartbeat *heartbeat); /* all zero is fine */

/* "SET autocommit=1" in effect: each statement commits by itself, whatever the server's default. */
bool heartbeat_prepare_session(const struct db_driver *driver, struct db_connection *connection,
                               struct db_failure *failure);

#endif
