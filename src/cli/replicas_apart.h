/* cli/replicas_apart.h: what a run sees of its replicas, on stderr, for layouts that have no place for it: a line each
 * interval, and how they stand when it is over. */
#ifndef CLI_REPLICAS_APART_H
#define CLI_REPLICAS_APART_H

#include "core/dialect.h"

struct replicas_apart { /* of the run that goes on; all zero before the first */
    const struct invocation *invocation;
    size_t index;
    struct replica_watcher watcher;
    struct listener listener;
};

/* The listener to give to job `index`: `inner`, and one that looks at its replicas. Borrowed until the next call. */
const struct listener *replicas_apart_listener(struct replicas_apart *apart, const struct invocation *invocation,
                                               size_t index, const struct listener *inner);
void replicas_apart_done(const struct replicas_apart *apart, const struct result *result);

#endif
