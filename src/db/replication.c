#include "db/replication.h"

#include "platform/clock.h"
#include "platform/thread.h"

#define NAP_NS (50 * NS_PER_MS)
#define CONNECTS_NS (5 * NS_PER_S)

bool replication_settled_status(const struct db_replication *replication, struct db_connection *connection,
                                uint64_t source_id, struct db_replica_status *out, struct db_failure *failure)
{
    for (uint64_t waited_ns = 0;; waited_ns += NAP_NS) {
        if (!replication->status(connection, source_id, out, failure))
            return false;
        if (!out->connects || out->trouble[0] || waited_ns >= CONNECTS_NS)
            return true;
        thread_sleep_ns(NAP_NS);
    }
}
