/* oltp/crew.h: connections that work off numbered tasks side by side: tables to make, to read, to drop. The main thread
 * only waits, for the end, for Ctrl-C and to show progress. */
#ifndef OLTP_CREW_H
#define OLTP_CREW_H

#include "db/db.h"
#include "oltp/oltp.h"
#include "platform/thread.h"
#include "platform/watch.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct crew;

struct member {
    struct crew *crew;
    uint32_t index;
    struct thread *thread;
    struct db_connection *connection; /* opened with its first task */
    struct db_failure failure;
    char *packet; /* crew.packet_bytes */
};

struct crew {
    const struct oltp_setup *setup;
    struct member *members;
    uint32_t count;
    size_t packet_bytes;
    struct watch *watch;
    struct mutex *talk; /* one at a time to the listener; and guards `error` */
    _Atomic bool stopping;
    bool interrupted;
    bool stuck; /* after Ctrl-C members did not come to an end: they may still look at all of this, so free nothing */
    struct error error;

    /* one piece of work */
    bool (*task)(struct member *member, uint64_t index, void *context); /* false with crew_fail or when stopping */
    void (*tick)(void *context);                                        /* from the main thread; may be NULL */
    void *context;
    uint64_t tasks;
    _Atomic uint64_t next;
    _Atomic uint32_t working;
};

/* The driver is started by the caller. False when memory is short, with the error filled. */
bool crew_open(struct crew *crew, const struct oltp_setup *setup, uint64_t members, size_t packet_bytes,
               struct error *error);
void crew_close(struct crew *crew); /* all zero is fine */

/* Works off tasks 0 … tasks − 1. False when one failed or Ctrl-C came; after that members that do not answer for
 * OLTP_PATIENCE_NS, or until Ctrl-C comes again, are left behind (crew.stuck). */
bool crew_work(struct crew *crew, bool (*task)(struct member *, uint64_t, void *), void (*tick)(void *), void *context,
               uint64_t tasks, struct error *error);

/* ---- for tasks ---- */

static inline bool crew_goes_on(const struct member *member)
{
    return !atomic_load_explicit(&member->crew->stopping, memory_order_relaxed);
}

/* Ends the work with the member's failure, as that of `what`. Always false. */
bool crew_fail(struct member *member, const char *what);
/* Sends one text. False with member.failure. */
bool crew_query(struct member *member, const char *sql, size_t bytes);
/* The same, and ends the work when it fails. */
bool crew_must(struct member *member, const char *what, const char *sql);
void crew_tell_step(struct member *member, const char *table, enum table_step step, uint64_t rows);

#endif
