#include "run/snapshot.h"

#include <stdlib.h>
#include <string.h>

bool snapshot_init(struct snapshot *snapshot, uint32_t threads)
{
    snapshot->at_ns = 0;
    snapshot->threads = threads;
    snapshot->total = calloc(1, sizeof(*snapshot->total));
    snapshot->rows = calloc(threads, sizeof(*snapshot->rows));
    return snapshot->total && snapshot->rows;
}

void snapshot_done(struct snapshot *snapshot)
{
    free(snapshot->total);
    free(snapshot->rows);
}

void snapshot_begin(struct snapshot *snapshot, uint64_t now_ns)
{
    snapshot->at_ns = now_ns;
    memset(snapshot->total, 0, sizeof(*snapshot->total));
    memset(snapshot->rows, 0, snapshot->threads * sizeof(*snapshot->rows));
}

/* Is an operation of this class an event? */
static bool class_is_event(const struct job *job, uint32_t op)
{
    switch (op) {
    case CLASS_READ:
    case CLASS_TRANSACTION:
        return true;
    case CLASS_WRITE:
        return !job->sync_each_write;
    case CLASS_DURABLE_WRITE:
        return job->sync_each_write;
    case CLASS_SYNC:
        return job->count_syncs && !job->sync_each_write;
    default:
        return false;
    }
}

static uint64_t add_class(struct class_tally *into, struct live_class *from, uint64_t *sum_ns)
{
    into->bytes += atomic_load_explicit(&from->bytes, memory_order_relaxed);
    into->errors += atomic_load_explicit(&from->errors, memory_order_relaxed);
    return live_histogram_merge_into(&from->latency, &into->latency, sum_ns);
}

void snapshot_add_class(struct class_tally *into, struct live_class *from)
{
    uint64_t sum_ns = 0;
    add_class(into, from, &sum_ns);
}

static void add_to_row(struct class_tally *into, struct live_class *from, bool is_event, struct thread_row *row)
{
    uint64_t sum_ns = 0, count = add_class(into, from, &sum_ns);
    if (is_event) {
        row->events += count;
        row->busy_ns += sum_ns;
    }
}

/* One thread's own figures; once, at the end: the spread needs all of its buckets. */
void snapshot_thread_class(struct thread_class *out, struct live_class *from)
{
    struct class_tally tally;
    memset(&tally, 0, sizeof(tally));
    snapshot_add_class(&tally, from);
    double stddev_ns = histogram_stddev(&tally.latency);
    *out = (struct thread_class){tally.latency.count, tally.bytes, tally.latency.sum_ns, stddev_ns * stddev_ns};
}

void snapshot_add(struct snapshot *snapshot, struct worker *worker, const struct job *job)
{
    struct thread_row *row = &snapshot->rows[worker->index];
    for (uint32_t op = 0; op < CLASS_COUNT; ++op)
        add_to_row(&snapshot->total->of[op], &worker->classes[op], class_is_event(job, op), row);
    snapshot->total->clock_steps_back += atomic_load(&worker->clock_steps_back);
    snapshot->total->events += row->events;
}

void snapshot_copy(struct snapshot *to, const struct snapshot *from)
{
    to->at_ns = from->at_ns;
    *to->total = *from->total;
    memcpy(to->rows, from->rows, from->threads * sizeof(*to->rows));
}

void snapshot_swap(struct snapshot *a, struct snapshot *b)
{
    struct snapshot kept = *a;
    *a = *b;
    *b = kept;
}

/* to − from, into `from`: an interval is taken each second and a tally is large, so it is not copied. */
static void difference(struct class_tally *from, const struct class_tally *to)
{
    struct class_tally later;
    if (to->latency.count == 0 && to->errors == 0)
        return;
    later = *to;
    later.bytes -= from->bytes;
    later.errors -= from->errors;
    histogram_subtract(&later.latency, &from->latency);
    *from = later;
}

struct interval snapshot_interval(struct snapshot *from, const struct snapshot *to, const struct job *job,
                                  uint64_t origin_ns)
{
    struct interval interval = {.start_ns = from->at_ns - origin_ns, .end_ns = to->at_ns - origin_ns};
    struct histogram events;
    for (uint32_t op = 0; op < CLASS_COUNT; ++op) {
        struct class_tally *of = &from->total->of[op];
        difference(of, &to->total->of[op]);
        interval.count[op] = of->latency.count;
        interval.bytes[op] = of->bytes;
        interval.errors[op] = of->errors;
    }
    tally_events_latency(from->total, job, &events);
    interval.latency_sum_ns = events.sum_ns;
    interval.latency_events = events.count;
    interval.latency_percentile_ns = histogram_percentile(&events, job->interval_percentile);
    interval.latency_max_ns = events.max_ns;
    histogram_cells(&events, interval.latency_cells);
    return interval;
}

struct result *snapshot_since(const struct snapshot *from, const struct snapshot *to, const struct job *job)
{
    struct result *since = result_make(job);
    if (!since)
        return NULL;
    since->total = *to->total;
    tally_subtract(&since->total, from->total);
    since->elapsed_ns = since->load_ns = to->at_ns - from->at_ns;
    for (uint32_t i = 0; i < to->threads; ++i) {
        since->threads[i].events = to->rows[i].events - from->rows[i].events;
        since->threads[i].busy_ns = to->rows[i].busy_ns - from->rows[i].busy_ns;
    }
    return since;
}
