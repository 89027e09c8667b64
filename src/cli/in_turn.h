/* cli/in_turn.h: a listener for several jobs that run at the same time: passes everything on to another listener, one
 * call at a time. Only `request` comes from many threads as it is. */
#ifndef CLI_IN_TURN_H
#define CLI_IN_TURN_H

#include "core/listener.h"
#include "platform/thread.h"

struct in_turn {
    const struct listener *inner; /* members may be NULL */
    struct mutex *mutex;
};

/* With what the inner one has; its context is `in_turn`. */
struct listener in_turn_listener(struct in_turn *in_turn);

#endif
