/* run/pacer.h: open loop. Events are due at times that do not depend on how the system answers: each worker takes
 * the next due time, waits for it if it lies ahead, and counts the event's latency from it. Events that nobody has
 * taken yet wait in no list; they are the due times that lie in the past. */
#ifndef RUN_PACER_H
#define RUN_PACER_H

#include "core/job.h"
#include "core/random.h"
#include "platform/thread.h"

#include <stdbool.h>
#include <stdint.h>

struct pacer {
    struct mutex *mutex;
    enum arrival arrival;
    double mean_gap_ns;
    double next_ns; /* since start_ns, so that a double's 53 bits last for a hundred days at full precision */
    uint64_t start_ns;
    uint64_t restart_ns; /* end of the warm-up: what it left undone is dropped then */
    struct random random;
    uint64_t latest_start_ns; /* how long the event waited that was taken latest after it was due */
};

/* False when memory is short. */
bool pacer_init(struct pacer *pacer, const struct job *job);
void pacer_done(struct pacer *pacer); /* all zero is fine */
void pacer_start(struct pacer *pacer, uint64_t start_ns);
/* Due times before restart_ns that are still untaken when it has passed are left out. From the main thread. */
void pacer_restart(struct pacer *pacer, uint64_t restart_ns);
/* The next event's due time, on the clock of start_ns; any worker, any time. */
uint64_t pacer_take(struct pacer *pacer, uint64_t now_ns);

/* How many events are due at now_ns and not taken. Many of them are counted in part and estimated in part. */
uint64_t pacer_waiting(struct pacer *pacer, uint64_t now_ns);

/* Waits until due_ns, sleeping while that is safe and then watching the clock, since a sleep ends late. */
struct clock;
uint64_t pacer_wait(const struct clock *clock, uint64_t due_ns);

#endif
