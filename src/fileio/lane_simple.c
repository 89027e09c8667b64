/* lane_simple.c: what a cached read costs the program itself is decided here. Requests are drawn some at a time and
 * samples recorded some at a time, so that between two IOs there is next to nothing: little enough (a few
 * nanoseconds, less than a clock reading takes) that the end of one read is taken for the start of the next. */
#include "fileio/lane.h"

#define BATCH 64
#define SETTLE_NS NS_PER_MS /* samples wait no longer: intervals and checkpoints must see them */

struct batch {
    struct io ios[BATCH];
    uint64_t elapsed_ns[BATCH];
    uint32_t count, at; /* drawn, and how many of them are done */
    uint32_t settled;   /* of those done, recorded */
    uint64_t settle_at_ns;
    bool measured; /* those done and not settled all are, or all are not */
};

static void warmed(struct worker *worker, const struct batch *batch)
{
    for (uint32_t i = batch->settled; i < batch->at; ++i)
        worker_warmed(worker, batch->elapsed_ns[i]);
}

/* From `from` on, those of one operation. Returns where they end. */
static uint32_t end_of_alike(const struct batch *batch, uint32_t from, uint64_t *bytes)
{
    uint32_t to = from;
    for (*bytes = 0; to < batch->at && batch->ios[to].op == batch->ios[from].op; ++to)
        *bytes += batch->ios[to].bytes;
    return to;
}

static uint32_t record_alike(const struct lane *lane, const struct batch *batch, uint32_t from)
{
    struct live_class *of = &lane->worker->classes[lane_class_of(&batch->ios[from])];
    uint64_t bytes = 0;
    uint32_t to = batch->at;
    if (lane->fileio->access.plain)
        bytes = (uint64_t)(to - from) * batch->ios[from].bytes;
    else
        to = end_of_alike(batch, from, &bytes);
    live_histogram_record_many(&of->latency, batch->elapsed_ns + from, to - from);
    live_add(&of->bytes, bytes);
    return to;
}

static void settle(const struct lane *lane, struct batch *batch)
{
    if (!batch->measured)
        warmed(lane->worker, batch);
    for (uint32_t i = batch->settled; batch->measured && i < batch->at;)
        i = record_alike(lane, batch, i);
    batch->settled = batch->at;
}

/* What has to be looked at now and then: records what is done, draws anew when nothing is left, and says how long the
 * inner loop may go on without looking. False when the run or its passes are over. */
static bool refresh(struct lane *lane, struct batch *batch, uint64_t now_ns)
{
    struct worker *worker = lane->worker;
    settle(lane, batch);
    if (worker_time_is_up(worker, now_ns))
        return false;
    bool measured = worker_measures(worker, now_ns);
    if (batch->measured && !measured)
        worker->measured_until_ns = now_ns;
    batch->measured = measured;
    batch->settle_at_ns = worker_next_turn_ns(worker, now_ns, SETTLE_NS);
    if (batch->at < batch->count)
        return true;
    batch->count = access_next_batch(&lane->fileio->access, &lane->access, batch->ios, BATCH);
    batch->at = batch->settled = 0;
    return batch->count > 0;
}

/* The IO at batch->at has failed: what was done before it is recorded, and it is left behind. */
static bool skip_failed(struct lane *lane, struct batch *batch, int64_t result, struct error *error)
{
    struct io *io = &batch->ios[batch->at];
    settle(lane, batch);
    io->result = result;
    io->measured = batch->measured;
    batch->settled = ++batch->at;
    return lane_io_failed(lane, io, error);
}

enum outcome { OUTCOME_GO_ON, OUTCOME_USED_UP, OUTCOME_FAILED };

/* From batch->at on, until the batch is done, its time is up, no event is left or an IO fails (*result is its). */
static enum outcome run_batch(struct lane *lane, struct batch *batch, const struct clock *clock, int64_t *result)
{
    struct worker *worker = lane->worker;
    struct queue *queue = lane->queue;
    int64_t (*transfer)(struct queue *, const struct io *) = lane->engine->transfer;
    uint64_t now_ns = clock_now_ns(clock), settle_at_ns = batch->settle_at_ns, steps_back = 0;
    uint32_t at = batch->at, count = batch->count;
    enum outcome outcome = OUTCOME_GO_ON;
    do {
        const struct io *io = &batch->ios[at];
        if (!worker_takes_event(worker, batch->measured)) {
            outcome = OUTCOME_USED_UP;
            break;
        }
        if (io->op == IO_WRITE) {
            lane_fill(lane, io);
            now_ns = clock_now_ns(clock);
        }
        uint64_t start_ns = now_ns;
        int64_t answer = transfer(queue, io);
        now_ns = clock_now_ns(clock);
        if (answer != (int64_t)io->bytes) {
            *result = answer;
            outcome = OUTCOME_FAILED;
            break;
        }
        batch->elapsed_ns[at] = clock_elapsed_ns(start_ns, now_ns, &steps_back);
    } while (++at < count && now_ns < settle_at_ns);
    batch->at = at;
    lane->now_ns = now_ns;
    live_add(&worker->clock_steps_back, steps_back);
    return outcome;
}

static bool loop(struct lane *lane, struct batch *batch, struct error *error)
{
    const struct clock clock = *lane->worker->clock;
    while (refresh(lane, batch, lane->now_ns)) {
        int64_t result = 0;
        enum outcome outcome = run_batch(lane, batch, &clock, &result);
        if (outcome == OUTCOME_USED_UP)
            break;
        if (outcome == OUTCOME_FAILED && !skip_failed(lane, batch, result, error))
            return false;
    }
    return true;
}

bool lane_loop_simple(struct lane *lane, struct error *error)
{
    struct batch batch = {.measured = worker_measures(lane->worker, lane->now_ns)};
    for (uint32_t i = 0; i < BATCH; ++i)
        batch.ios[i].buffer = lane->ios[0].buffer;
    atomic_store_explicit(&lane->worker->in_flight, 1, memory_order_relaxed);
    bool good = loop(lane, &batch, error);
    settle(lane, &batch);
    atomic_store_explicit(&lane->worker->in_flight, 0, memory_order_relaxed);
    return good;
}
