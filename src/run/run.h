/* run/run.h: threads that make load, and the main thread that starts, times, watches and stops them.
 *
 * An engine brings a `struct load`: what each worker does. run_load starts job.threads workers, lets them
 * warm up, opens the measured part, takes the interval series and checkpoints, ends the run (time, events,
 * Ctrl-C, an error, a forced shutdown) and merges what the workers counted into a result.
 *
 * Workers record without locks: each has its own counters, which only it writes and the main thread reads. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "core/listener.h"
#include "core/random.h"
#include "core/result.h"
#include "platform/clock.h"
#include "platform/error.h"
#include "run/pacer.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct live_class {
    struct live_histogram latency;
    _Atomic uint64_t bytes, errors;
};

/* Read by every worker before every event, written by the main thread a few times in a run. */
struct run_signals {
    _Atomic uint64_t measure_from_ns; /* events that start earlier are warm-up and in no figure */
    _Atomic uint64_t stop_at_ns;      /* no event starts at or after this; 0 = stop now */
};

struct worker {
    const struct clock *clock;
    struct run_signals *signals;
    _Atomic uint64_t *events_taken; /* shared by all workers; NULL when job.events sets no limit */
    uint64_t events_limit;
    struct live_class *classes;    /* CLASS_COUNT of them */
    struct live_class *statements; /* load.statements_count of them */
    _Atomic uint64_t clock_steps_back;
    _Atomic uint64_t warm_events, warm_latency_ns; /* of the warm-up, for its steady-state rule */
    struct pacer *pacer;                           /* open loop; else NULL */
    _Atomic uint64_t in_flight;                    /* what a forced shutdown leaves behind */
    uint64_t measured_until_ns; /* stonewall: the end of its last measured operation, where its load went on after it */
    struct random random;
    uint32_t index;
    void *state; /* the engine's own */
};

struct load {
    void *context;
    const char *const *statements; /* a database run's kinds of statements, by name; NULL = none */
    size_t statements_count;       /* at most STATEMENTS_MAX */
    uint64_t patience_ns; /* after Ctrl-C, for what is in flight; then the run is cut off as if it came again; 0 = for
                             ever */
    /* On the worker's thread, before the start: makes what the worker needs. */
    bool (*init)(struct worker *worker, void *context, struct error *error);
    /* Makes load until worker_time_is_up or !worker_takes_event. false ends the whole run with that error. */
    bool (*loop)(struct worker *worker, void *context, struct error *error);
    /* After every worker's loop has ended, in the measured part: the syncs at the end. Not after Ctrl-C. May be NULL.
     */
    bool (*finish)(struct worker *worker, void *context, struct error *error);
    void (*done)(struct worker *worker, void *context); /* frees what init made; also after a failed init */
    /* On the conducting thread, for what looks on beside the load (replicas); may be NULL. The measured part begins at
     * that reading of the clock: */
    void (*measuring)(void *context, uint64_t at_ns);
    /* An interval has ended, before it is shown and kept; also for the last one, after the load: */
    void (*interval)(void *context, struct interval *interval);
};

static inline uint64_t worker_now_ns(const struct worker *worker)
{
    return clock_now_ns(worker->clock);
}

/* May nothing more start? now_ns is the worker's last clock reading. */
static inline bool worker_time_is_up(const struct worker *worker, uint64_t now_ns)
{
    return now_ns >= atomic_load_explicit(&worker->signals->stop_at_ns, memory_order_relaxed);
}

/* Does what starts next belong to the measured part? Asked once for each operation, with the reading that also
 * decides on its event, so that events and samples agree to the last one. */
static inline bool worker_measures(const struct worker *worker, uint64_t now_ns)
{
    return now_ns >= atomic_load_explicit(&worker->signals->measure_from_ns, memory_order_relaxed);
}

/* Until when nothing changes for what starts: the end of the warm-up or of the run, at most `most_ns` from now. The run
 * may be stopped earlier, so most_ns is how late a worker may see that. */
static inline uint64_t worker_next_turn_ns(const struct worker *worker, uint64_t now_ns, uint64_t most_ns)
{
    uint64_t turn_ns = now_ns + most_ns;
    uint64_t measure_ns = atomic_load_explicit(&worker->signals->measure_from_ns, memory_order_relaxed);
    uint64_t stop_ns = atomic_load_explicit(&worker->signals->stop_at_ns, memory_order_relaxed);
    if (measure_ns > now_ns && measure_ns < turn_ns)
        turn_ns = measure_ns;
    return stop_ns < turn_ns ? stop_ns : turn_ns;
}

/* Takes one of the job's events; false when all are taken. What is not measured takes none. */
static inline bool worker_takes_event(struct worker *worker, bool measured)
{
    if (!worker->events_taken || !measured)
        return true;
    return atomic_fetch_add_explicit(worker->events_taken, 1, memory_order_relaxed) < worker->events_limit;
}

/* One measured operation that ended well. */
static inline void worker_record(struct worker *worker, enum op_class op, uint64_t start_ns, uint64_t end_ns,
                                 uint64_t bytes)
{
    uint64_t steps_back = 0;
    live_histogram_record(&worker->classes[op].latency, clock_elapsed_ns(start_ns, end_ns, &steps_back));
    live_add(&worker->classes[op].bytes, bytes);
    if (steps_back)
        live_add(&worker->clock_steps_back, steps_back);
}

/* One measured statement of a database run, which is also counted as `op`: in both. */
static inline void worker_record_statement(struct worker *worker, uint32_t statement, enum op_class op,
                                           uint64_t start_ns, uint64_t end_ns)
{
    uint64_t steps_back = 0, latency_ns = clock_elapsed_ns(start_ns, end_ns, &steps_back);
    live_histogram_record(&worker->classes[op].latency, latency_ns);
    live_histogram_record(&worker->statements[statement].latency, latency_ns);
    if (steps_back)
        live_add(&worker->clock_steps_back, steps_back);
}

/* One that failed or was given up: counted, in no histogram. */
static inline void worker_record_error(struct worker *worker, enum op_class op)
{
    live_add(&worker->classes[op].errors, 1);
}

/* One operation of the warm-up that ended well. */
static inline void worker_warmed(struct worker *worker, uint64_t latency_ns)
{
    live_add(&worker->warm_events, 1);
    live_add(&worker->warm_latency_ns, latency_ns);
}

struct start_place; /* run/start_line.h */

/* Copied by run_load, but for the job, the place and what the contexts point to: after a forced shutdown those must
 * stay. */
struct run_setup {
    const struct job *job; /* checked, seed drawn */
    const struct listener *listener;
    const struct clock *clock;
    const struct load *load;
    struct start_place *place; /* among jobs that run together; NULL = alone */
};

/* Runs the load and fills `result` (made for the same job): all but host, target and what the engine adds.
 * False with `error`: a worker could not start or failed; result then holds what was measured until then.
 * When Ctrl-C cut it off, that is an error too, ERR_INTERRUPTED.
 * When result->forced is set, threads may still hang in the system: free nothing that they use, report, and
 * leave by process_exit_now. */
bool run_load(const struct run_setup *setup, struct result *result, struct error *error);

#endif
