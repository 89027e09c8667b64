/* lane.c: the IO loop.
 *
 *   top up (next request → data → submit) → reap → record → …      until time, events or passes are used up
 *   when a sync is due: let what is in flight end, sync, go on. So no latency holds the time of another's sync. */
#include "fileio/lane.h"

#include "fileio/files.h"
#include "platform/memory.h"
#include "run/pacer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOLD_SLICE_NS (NS_PER_S / 10)
#define BLOCKED_NS ((uint64_t)20000) /* until the next look at blocks that are in use */
#define REDRAWS 16

/* ---- failures ------------------------------------------------------------------------------------------------ */

/* Ends the run with the failure in words, or counts it and lets the run go on. */
static bool failed(const struct lane *lane, const struct failure *failure, bool measured, struct error *error)
{
    struct fileio *fileio = lane->fileio;
    if (fileio->job->on_error == ON_ERROR_STOP)
        return fault_explain(failure, fileio->job, error);
    faults_note(&fileio->faults, failure, fileio->job);
    if (measured)
        live_add(&lane->worker->classes[failure->op].errors, 1);
    return true;
}

bool lane_io_failed(const struct lane *lane, const struct io *io, struct error *error)
{
    struct failure failure = {lane_class_of(io), io->file, io->bytes, io->offset, io->result};
    return failed(lane, &failure, io->measured, error);
}

/* ---- syncs --------------------------------------------------------------------------------------------------- */

static void trace(const struct lane *lane, uint32_t file, enum op_class op, uint64_t offset, uint32_t bytes)
{
    const struct listener *listener = lane->fileio->setup.listener;
    if (!lane->traced)
        return;
    struct request request = {lane->worker->index, file, op, offset, bytes};
    listener->request(listener->context, &request);
}

/* Nothing is in flight. */
static bool sync_one(struct lane *lane, uint32_t file, enum op_class op, struct error *error)
{
    struct worker *worker = lane->worker;
    struct verify_sync durable = {0};
    trace(lane, file, op, 0, 0);
    if (lane->verify)
        verify_sync_begins(lane->verify, file, &durable);
    bool measured = worker_measures(worker, lane->now_ns);
    uint64_t start_ns = worker_now_ns(worker);
    int os_code = lane->engine->sync(lane->queue, file, lane->fileio->job->sync_kind == SYNC_FDATASYNC);
    lane->now_ns = worker_now_ns(worker);
    if (lane->verify)
        verify_sync_ended(lane->verify, &durable, os_code == 0);
    if (os_code != 0) {
        struct failure failure = {op, file, 0, 0, -(int64_t)os_code};
        return failed(lane, &failure, measured, error);
    }
    if (measured)
        worker_record(worker, op, start_ns, lane->now_ns, 0);
    return true;
}

/* Where a latency begins: with the submission, or in open loop (unless that is a mere brake) when the event was due. */
static uint64_t begin_ns(const struct lane *lane, const struct io *io)
{
    return lane->from_due ? io->due_ns : io->start_ns;
}

/* The write and the sync that has just made it durable, as one. */
static void record_durable(const struct lane *lane, const struct io *io)
{
    if (io->measured)
        worker_record(lane->worker, CLASS_DURABLE_WRITE, begin_ns(lane, io), lane->now_ns, io->bytes);
}

/* One sync makes every owed write to its file durable. */
static bool sync_owed(struct lane *lane, struct error *error)
{
    while (lane->owed_count > 0) {
        uint32_t file = lane->owed[0]->file, kept = 0;
        if (!sync_one(lane, file, CLASS_SYNC, error))
            return false;
        for (uint32_t i = 0; i < lane->owed_count; ++i) {
            struct io *io = lane->owed[i];
            if (io->file != file) {
                lane->owed[kept++] = io;
                continue;
            }
            record_durable(lane, io);
            lane->idle[lane->idle_count++] = io;
        }
        lane->owed_count = kept;
    }
    return true;
}

/* ---- requests ------------------------------------------------------------------------------------------------ */

static uint32_t in_flight(const struct lane *lane)
{
    return lane->depth - lane->idle_count - lane->owed_count;
}

static bool claim_sync(struct lane *lane)
{
    lane->sync_due = series_claim(&lane->fileio->series, lane->fileio->job, &lane->sync_file);
    return lane->sync_due;
}

/* Open loop: the next event's due time, taken once and kept until it is started. */
static uint64_t open_loop_hold(struct lane *lane, struct io *io)
{
    if (!lane->has_due) {
        lane->due_ns = pacer_take(lane->worker->pacer, lane->now_ns);
        lane->has_due = true;
    }
    io->due_ns = lane->due_ns;
    return lane->due_ns;
}

/* Closed loop: after each burst the lane lets all end and pauses. */
static uint64_t think_hold(struct lane *lane)
{
    if (lane->burst_left > 0)
        return 0;
    if (in_flight(lane) > 0)
        return UINT64_MAX;
    if (lane->pause_until_ns == 0)
        lane->pause_until_ns = lane->now_ns + lane->fileio->job->think_time_ns;
    return lane->pause_until_ns;
}

/* When the next event may start, if that is not now: hold_ns is set then (UINT64_MAX: when one has ended). */
static bool must_hold(struct lane *lane, struct io *io)
{
    uint64_t from_ns = lane->open_loop ? open_loop_hold(lane, io) : think_hold(lane);
    lane->hold_ns = from_ns > lane->now_ns ? from_ns : 0;
    return lane->hold_ns > 0;
}

static void leave_hold(struct lane *lane)
{
    lane->has_due = false;
    lane->pause_until_ns = 0;
    lane->burst_left = lane->burst_left > 0 ? lane->burst_left - 1 : lane->fileio->job->burst - 1;
}

/* Verify lets no two operations work on one block: a random request is drawn anew, then it has to wait, as one of a
 * sequence or a pass has to at once. */
static bool claim(struct lane *lane, struct io *io)
{
    const struct access *access = &lane->fileio->access;
    lane->blocked = !verify_claim(lane->verify, io);
    for (int i = 0; lane->blocked && access->redraws && i < REDRAWS; ++i) {
        access_redraw(access, &lane->access, io);
        lane->blocked = !verify_claim(lane->verify, io);
    }
    if (!lane->blocked)
        return true;
    lane->blocked_io = *io;
    lane->hold_ns = lane->now_ns + BLOCKED_NS;
    return false;
}

/* Its blocks are its own; only its data is missing. */
static void make_ready(struct lane *lane, struct io *io)
{
    struct fileio *fileio = lane->fileio;
    if (io->op == IO_WRITE)
        lane_fill(lane, io);
    if (lane->verify && io->op == IO_WRITE)
        verify_seal(lane->verify, io, lane->worker->index);
    trace(lane, io->file, lane_class_of(io), io->offset, io->bytes);
    if (lane->series)
        series_count(&fileio->series, fileio->job, lane_class_of(io));
}

/* The request that waits, on an IO that is idle now. */
static bool try_again(struct lane *lane, struct io *io)
{
    uint8_t *buffer = io->buffer;
    *io = lane->blocked_io;
    io->buffer = buffer;
    if (!claim(lane, io))
        return false;
    make_ready(lane, io);
    return true;
}

/* The next request, or false when none may start now: it is too early, a sync is due, or the run is used up. */
static bool next_request(struct lane *lane, struct io *io)
{
    struct fileio *fileio = lane->fileio;
    struct worker *worker = lane->worker;
    lane->exhausted = worker_time_is_up(worker, lane->now_ns);
    if (lane->exhausted || (lane->series && !lane->counted && claim_sync(lane)))
        return false;
    if (lane->blocked)
        return try_again(lane, io);
    if (lane->paced && must_hold(lane, io))
        return false;
    io->measured = worker_measures(worker, lane->open_loop ? io->due_ns : lane->now_ns);
    lane->exhausted = !worker_takes_event(worker, io->measured);
    if (lane->exhausted)
        return false;
    if (lane->paced)
        leave_hold(lane);
    if (lane->series && lane->counted && claim_sync(lane))
        return false;
    lane->exhausted = !access_next(&fileio->access, &lane->access, io);
    if (lane->exhausted || (lane->verify && !claim(lane, io)))
        return false;
    make_ready(lane, io);
    return true;
}

static bool top_up(struct lane *lane, struct error *error)
{
    uint32_t count = 0;
    while (lane->idle_count > 0 && !lane->exhausted && !lane->sync_due && lane->owed_count == 0) {
        struct io *io = lane->idle[lane->idle_count - 1];
        if (!next_request(lane, io))
            break;
        --lane->idle_count;
        lane->batch[count++] = io;
    }
    if (count == 0)
        return true;
    uint64_t start_ns = worker_now_ns(lane->worker);
    for (uint32_t i = 0; i < count; ++i)
        lane->batch[i]->start_ns = start_ns;
    return lane->engine->submit(lane->queue, lane->batch, count, error);
}

/* Records one that has ended. */
static bool note_end(const struct lane *lane, const struct io *io, struct error *error)
{
    if (io->result != (int64_t)io->bytes)
        return lane_io_failed(lane, io, error);
    if (io->measured && lane->walled)
        lane->worker->measured_until_ns = lane->now_ns;
    if (!io->measured)
        worker_warmed(lane->worker, lane->now_ns - io->start_ns);
    else
        worker_record(lane->worker, lane_class_of(io), begin_ns(lane, io), lane->now_ns, io->bytes);
    if (lane->open_loop && io->measured) {
        worker_record(lane->worker, CLASS_QUEUE_WAIT, io->due_ns, io->start_ns, 0);
        worker_record(lane->worker, CLASS_SERVICE, io->start_ns, lane->now_ns, 0);
    }
    return true;
}

/* A write that went well and is to be synced by itself. */
static bool owes_sync(const struct lane *lane, const struct io *io)
{
    return lane->durable && io->op == IO_WRITE && io->result == (int64_t)io->bytes;
}

static bool reap(struct lane *lane, struct error *error)
{
    uint64_t wait_ns = UINT64_MAX;
    if (lane->hold_ns > 0 && lane->hold_ns < UINT64_MAX)
        wait_ns = lane->hold_ns > lane->now_ns ? lane->hold_ns - lane->now_ns : 0;
    int32_t count = lane->engine->reap(lane->queue, lane->batch, lane->depth, wait_ns, error);
    if (count < 0)
        return false;
    lane->now_ns = worker_now_ns(lane->worker);
    for (int32_t i = 0; i < count; ++i) {
        struct io *io = lane->batch[i];
        if (lane->verify)
            verify_ended(lane->verify, io);
        if (!note_end(lane, io, error))
            return false;
        if (owes_sync(lane, io))
            lane->owed[lane->owed_count++] = io;
        else
            lane->idle[lane->idle_count++] = io;
    }
    return true;
}

static bool sync_series(struct lane *lane, struct error *error)
{
    lane->sync_due = false;
    return sync_one(lane, lane->sync_file, CLASS_SYNC, error);
}

/* Nothing is in flight and it is too early for the next event. In slices, so that the end of the run is seen. */
static void sit_out(struct lane *lane)
{
    uint64_t slice_ns = lane->now_ns + HOLD_SLICE_NS;
    lane->now_ns = pacer_wait(lane->worker->clock, lane->hold_ns < slice_ns ? lane->hold_ns : slice_ns);
    lane->hold_ns = 0;
}

/* The general way: any depth, any engine. */
static bool loop_queued(struct lane *lane, struct error *error)
{
    for (;;) {
        lane->hold_ns = 0;
        if (!top_up(lane, error))
            return false;
        atomic_store_explicit(&lane->worker->in_flight, in_flight(lane), memory_order_relaxed);
        if (in_flight(lane) > 0) {
            if (!reap(lane, error))
                return false;
        } else if (lane->owed_count > 0) {
            if (!sync_owed(lane, error))
                return false;
        } else if (lane->hold_ns > 0) {
            sit_out(lane);
        } else if (!lane->sync_due) {
            return true;
        } else if (!sync_series(lane, error)) {
            return false;
        }
    }
}

static bool is_simple(const struct lane *lane)
{
    return lane->depth == 1 && lane->engine->transfer && !lane->series && !lane->paced && !lane->traced &&
           !lane->durable && !lane->verify;
}

static bool loop(struct worker *worker, void *context, struct error *error)
{
    struct lane *lane = worker->state;
    (void)context;
    lane->now_ns = worker_now_ns(worker);
    if (lane->walled && !worker_measures(worker, lane->now_ns))
        worker->measured_until_ns = lane->now_ns;
    return is_simple(lane) ? lane_loop_simple(lane, error) : loop_queued(lane, error);
}

/* Nothing uses it any more: where lanes share the files, this one is dealt to this lane alone. */
static void close_one(struct lane *lane, uint32_t file)
{
    struct targets *targets = lane->fileio->engine->shares_files ? &lane->fileio->shared : &lane->own;
    targets->layer->close(targets->files[file]);
    targets->files[file] = NULL;
}

/* Each file once: dealt over the lanes, after all lanes' last write. */
static bool finish(struct worker *worker, void *context, struct error *error)
{
    struct lane *lane = worker->state;
    const struct job *job = ((const struct fileio *)context)->job;
    bool syncs = job->sync_at_end && mode_writes(job->mode) && !job->sync_each_write;
    for (uint64_t file = worker->index; file < job->files; file += job->threads) {
        if (syncs && !sync_one(lane, (uint32_t)file, CLASS_END_SYNC, error))
            return false;
        if (job->close_at_end)
            close_one(lane, (uint32_t)file);
    }
    return true;
}

/* ---- making and freeing ---------------------------------------------------------------------------------------- */

static bool make_buffers(struct lane *lane, struct queue_options *options)
{
    const struct fileio *fileio = lane->fileio;
    uint32_t alignment = fileio->facts.alignment_bytes > 4096 ? fileio->facts.alignment_bytes : 4096;
    size_t each = (size_t)((access_largest_bytes(fileio->job) + alignment - 1) / alignment * alignment);
    options->buffers_bytes = each * lane->depth;
    options->buffers = lane->buffers = memory_aligned_make(options->buffers_bytes, alignment);
    lane->ios = calloc(lane->depth, sizeof(*lane->ios));
    lane->idle = calloc(lane->depth, sizeof(struct io *));
    lane->batch = calloc(lane->depth, sizeof(struct io *));
    lane->owed = calloc(lane->depth, sizeof(struct io *));
    if (!lane->buffers || !lane->ios || !lane->idle || !lane->batch || !lane->owed)
        return false;
    for (uint32_t i = 0; i < lane->depth; ++i) {
        lane->ios[i].buffer = lane->buffers + i * each;
        lane->idle[lane->depth - 1 - i] = &lane->ios[i];
    }
    lane->idle_count = lane->depth;
    return true;
}

static bool make_queue(struct lane *lane, struct queue_options *options, struct error *error)
{
    struct fileio *fileio = lane->fileio;
    const struct targets *targets = &fileio->shared;
    if (!fileio->engine->shares_files) {
        if (!targets_open(&lane->own, &fileio->setup, error))
            return false;
        targets = &lane->own;
    }
    options->depth = lane->depth;
    options->layer = fileio->setup.layer;
    options->files = targets->files;
    options->file_count = targets->count;
    options->file_bytes = files_end_bytes(fileio->job);
    return lane->engine->make(&lane->queue, options, error);
}

static bool init(struct worker *worker, void *context, struct error *error)
{
    struct fileio *fileio = context;
    struct queue_options options = {0};
    struct lane *lane = calloc(1, sizeof(*lane));
    worker->state = lane;
    if (!lane)
        return error_set(error, ERR_SYSTEM, "not enough memory for thread %" PRIu32, worker->index);
    lane->fileio = fileio;
    lane->worker = worker;
    lane->engine = fileio->engine;
    lane->depth = (uint32_t)fileio->job->depth;
    lane->series = fileio->job->sync_every > 0;
    lane->counted = fileio->job->count_syncs;
    lane->open_loop = fileio->job->rate > 0;
    lane->from_due = lane->open_loop && fileio->job->latency_from == LATENCY_FROM_DUE;
    lane->paced = lane->open_loop || fileio->job->think_time_ns > 0;
    lane->burst_left = fileio->job->burst;
    lane->durable = fileio->job->sync_each_write;
    lane->walled = fileio->job->stonewall;
    lane->traced = fileio->setup.listener->request != NULL;
    lane->verify = fileio->verify;
    lane->next_key = fileio->key_base + ((uint64_t)worker->index << 40);
    access_thread_init(&lane->access, &fileio->access, worker->index, &worker->random);
    if (!make_buffers(lane, &options))
        return error_set(error, ERR_SYSTEM,
                         "not enough memory for the buffers of thread %" PRIu32 ": lower --threads, "
                         "--depth or --block-size",
                         worker->index);
    return make_queue(lane, &options, error);
}

static void done(struct worker *worker, void *context)
{
    struct lane *lane = worker->state;
    (void)context;
    if (!lane)
        return;
    if (lane->queue)
        lane->engine->free(lane->queue);
    targets_close(&lane->own);
    memory_aligned_free(lane->buffers);
    free(lane->ios);
    free(lane->idle);
    free(lane->batch);
    free(lane->owed);
    free(lane);
}

const struct load fileio_load_template = {.init = init, .loop = loop, .finish = finish, .done = done};
