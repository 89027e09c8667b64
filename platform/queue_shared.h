/* platform/queue_shared.h: what queue engines have in common. Only for the files of the engines. */
#ifndef PLATFORM_QUEUE_SHARED_H
#define PLATFORM_QUEUE_SHARED_H

#include "platform/queue.h"

/* For make: is the depth one that the engine can hold, and is its layer one that it can reach? */
bool queue_options_check(const struct queue_engine *engine, const struct queue_options *options, struct error *error);

/* Performs one IO through the layer, as its result says. */
int64_t queue_transfer(const struct queue_options *options, const struct io *io);

/* For engines whose IO is done when submit returns: hands back the one that has ended, if there is one. */
static inline int32_t queue_reap_in_place(struct io **ended, struct io **done, uint32_t max)
{
    if (*ended == NULL || max == 0)
        return 0;
    done[0] = *ended;
    *ended = NULL;
    return 1;
}

#endif
