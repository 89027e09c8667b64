/* load/stop.h: Ctrl-C, and the end of all threads when one has failed. */
#ifndef LOAD_STOP_H
#define LOAD_STOP_H

#include "platform/watch.h"

#include <stdatomic.h>
#include <stdbool.h>

struct stop {
    struct watch *watch;
    _Atomic bool stopping; /* for every thread to look at */
    bool interrupted;      /* by Ctrl-C */
};

/* Looks for a Ctrl-C without waiting: the main thread does, now and then in long work. False when it is to end. */
static inline bool stop_goes_on(struct stop *stop)
{
    if (watch_wait(stop->watch, 0) == WATCH_INTERRUPTED) {
        stop->interrupted = true;
        atomic_store(&stop->stopping, true);
    }
    return !atomic_load(&stop->stopping);
}

#endif
