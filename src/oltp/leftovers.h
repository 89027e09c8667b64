/* oltp/leftovers.h: heartbeats (oltp/heartbeat.h) that runs which were killed have left on a source. */
#ifndef OLTP_LEFTOVERS_H
#define OLTP_LEFTOVERS_H

#include "core/result.h"
#include "db/db.h"

/* Is it the name of a heartbeat on the server of that id? Others came by replication: dropped here, they would be
 * missing where they are written to. */
bool leftover_named(const char *name, uint64_t source_id);

/* Drops those that nobody holds the lock of: schemas, and tables in the connection's database if it has one. What
 * cannot be dropped, or cannot be looked for, is a warning of `result`. */
void leftovers_drop(const struct db_driver *driver, struct db_connection *source, uint64_t source_id, bool has_database,
                    struct result *result);

#endif
