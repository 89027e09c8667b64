/* run/snapshot.h: all that the workers have counted at one moment, and the difference of two such moments. */
#ifndef RUN_SNAPSHOT_H
#define RUN_SNAPSHOT_H

#include "core/result.h"
#include "run/run.h"

#include <stdbool.h>
#include <stdint.h>

struct snapshot {
    uint64_t at_ns;
    uint32_t threads;
    struct tally *total;
    struct thread_row *rows;
};

/* Nothing counted yet. False when memory is short. */
bool snapshot_init(struct snapshot *snapshot, uint32_t threads);
void snapshot_done(struct snapshot *snapshot); /* all zero is fine */

/* Empties it, to be filled by one snapshot_add for each worker. */
void snapshot_begin(struct snapshot *snapshot, uint64_t now_ns);
void snapshot_add(struct snapshot *snapshot, struct worker *worker, const struct job *job);
/* What one worker counted in one class, added to `into`. */
void snapshot_add_class(struct class_tally *into, struct live_class *from);
void snapshot_thread_class(struct thread_class *out, struct live_class *from);
void snapshot_copy(struct snapshot *to, const struct snapshot *from);
void snapshot_swap(struct snapshot *a, struct snapshot *b);

/* What happened between two: `from` is emptied of its figures on the way, and times are given since origin_ns. */
struct interval snapshot_interval(struct snapshot *from, const struct snapshot *to, const struct job *job,
                                  uint64_t origin_ns);
/* The same as a result of its own; NULL when memory is short. */
struct result *snapshot_since(const struct snapshot *from, const struct snapshot *to, const struct job *job);

#endif
