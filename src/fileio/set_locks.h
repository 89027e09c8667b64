/* fileio/set_locks.h: the locks of several jobs of one process that run at the same time. They are one user of a set:
 * what one of them keeps others from, its fellows may do. Not for two threads at once; all are released together. */
#ifndef FILEIO_SET_LOCKS_H
#define FILEIO_SET_LOCKS_H

#include "core/job.h"
#include "platform/error.h"

#include <stdbool.h>

struct set_locks;

struct set_locks *set_locks_make(void);       /* NULL when memory is short */
void set_locks_free(struct set_locks *locks); /* NULL is fine; releases them */

/* As files_lock, for one more job. A verifying job trusts in nobody else's writing, so it shares with no fellow. */
bool set_locks_take(struct set_locks *locks, const struct job *job, bool alone, struct error *error);

#endif
