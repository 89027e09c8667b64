/* oltp/stage.h: what a script wants done once around a run: its schema made, filled and dropped again, statements and
 * shell commands before and after. One connection does it all, and stays open during the run. What all connections of
 * the script share stands here too. */
#ifndef OLTP_STAGE_H
#define OLTP_STAGE_H

#include "core/text_pool.h"
#include "oltp/crew.h"
#include "oltp/oltp.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A table that says whose the schema is: what a run that was killed has left behind may be dropped by the next one. */
#define STAGE_MARK "isobench_made_this"

struct stage { /* all zero = not begun */
    struct oltp_setup setup;
    struct job job; /* the setup's; without the database where the script makes one */
    const struct script *script;
    struct result *result;
    struct crew crew; /* of one */
    bool made;        /* the schema is there because of this run */
    struct text_pool keys;
    _Atomic uint64_t *cursors; /* of each parameter of the script */
};

/* Looks at the server (its facts go into `result`), checks that it takes the run's connections, and does all that comes
 * before them. What it made is dropped again when it fails or Ctrl-C comes. `setup`, its script and `result` outlive
 * the stage. */
bool stage_begin(struct stage *stage, const struct oltp_setup *setup, struct result *result, struct error *error);
/* All that comes after; `good`: the run went well, else only the schema is dropped. False with `error`, where none is
 * in it yet. */
bool stage_end(struct stage *stage, bool good, struct error *error);
void stage_done(struct stage *stage); /* all zero is fine */

/* How often it was asked before, over all connections. */
static inline uint64_t stage_next(struct stage *stage, uint32_t param)
{
    return atomic_fetch_add_explicit(&stage->cursors[param], 1, memory_order_relaxed);
}

#endif
