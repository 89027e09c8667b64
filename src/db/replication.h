/* db/replication.h: where a source stands in its log, and how far a replica has come. A driver that has it points to
 * one of these tables (db_driver.replication). */
#ifndef DB_REPLICATION_H
#define DB_REPLICATION_H

#include "db/db.h"

#define GTID_BYTES 4096

/* A moment in a source's binary log. */
struct db_position {
    char file[256];
    uint64_t offset;
    char gtids[GTID_BYTES]; /* "" unless asked for */
};

/* How a server follows one source. */
struct db_replica_status {
    bool is_replica; /* it follows somebody */
    bool is_direct;  /* … the source that was asked about, so that positions in its log can be waited for */
    bool by_gtid;    /* it asks for what comes after its GTIDs, not for a position in the log */
    bool receives, applies;
    bool connects;     /* it does not receive yet, but is about to ask the source */
    char channel[64];  /* of several sources: which */
    char trouble[256]; /* the server's last error; "" = none */
    int64_t behind_s;  /* as the server says it; -1 = it does not know */
};

struct db_replication {
    /* The server's own number, by which replicas know it. */
    bool (*server_id)(struct db_connection *connection, uint64_t *out, struct db_failure *failure);
    /* The end of the source's log now. `gtids`: with the set of transactions too. Fails without a log. */
    bool (*position)(struct db_connection *connection, bool gtids, struct db_position *out, struct db_failure *failure);
    /* Of several sources the one with this server_id, else the first. */
    bool (*status)(struct db_connection *connection, uint64_t source_id, struct db_replica_status *out,
                   struct db_failure *failure);
    /* Waits on the replica, at most about so many seconds (1…), until it has applied what lies before `position`: by
     * file and offset when status->is_direct, else by the set of transactions. *reached: it has. */
    bool (*wait)(struct db_connection *connection, const struct db_replica_status *status,
                 const struct db_position *position, uint32_t most_s, bool *reached, struct db_failure *failure);
};

/* replication->status, asked again for at most 5 s while the replica connects to its source without trouble: just
 * after START REPLICA it is neither stopped nor does it receive. */
bool replication_settled_status(const struct db_replication *replication, struct db_connection *connection,
                                uint64_t source_id, struct db_replica_status *out, struct db_failure *failure);

#endif
