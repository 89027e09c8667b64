/* lane.c: the IO loop.
 *
 *   top up (next request → data → submit) → reap → record → …      until time, events or passes are used up
 *   when a sync is due: let what is in flight end, sync, go on. So no latency holds the time of another's sync. */
#include "fileio/lane.h"

#include "fileio/files.h"
#include "platform/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lane {
    struct fileio *fileio;
    struct worker *worker;
    const struct queue_engine *engine;
    struct queue *queue;
    struct targets own; /* when the engine cannot share files */
    struct access_thread access;
    struct io *ios;    /* one per depth */
    struct io **idle;  /* stack of those not in flight */
    struct io **batch; /* to submit, and as reaped */
    struct io **owed;  /* written, to be synced before they count as durable */
    uint8_t *buffers;
    uint32_t depth, idle_count, owed_count;
    bool series, counted; /* periodic syncs, and whether they are events */
    bool traced;
    bool exhausted; /* nothing new starts */
    bool sync_due;
    uint32_t sync_file;
    uint64_t now_ns; /* last clock reading */
    uint64_t next_key;
};

/* ---- errors ------------------------------------------------------------------------------------------------ */

static bool io_failed(const struct lane *lane, const struct io *io, struct error *error)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    const char *verb = io->op == IO_READ ? "read" : "write";
    if (!files_path(path, lane->fileio->job, io->file, &ignored))
        path[0] = '\0';
    if (io->result < 0)
        return error_set_os(error, (int)-io->result, "%s: cannot %s %" PRIu32 " bytes at offset %" PRIu64, path, verb,
                            io->bytes, io->offset);
    return error_set(error, ERR_DATA, "%s: %s of %" PRIu32 " bytes at offset %" PRIu64 " ended after %" PRId64, path,
                     verb, io->bytes, io->offset, io->result);
}

static bool sync_failed(const struct lane *lane, uint32_t file, int os_code, struct error *error)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    if (!files_path(path, lane->fileio->job, file, &ignored))
        path[0] = '\0';
    return error_set_os(error, os_code, "%s: cannot sync", path);
}

/* ---- syncs --------------------------------------------------------------------------------------------------- */

/* Counts one request; starts a series when it is time and something was written. */
static void series_count(struct fileio *fileio, enum op_class op)
{
    struct sync_series *series = &fileio->series;
    const struct job *job = fileio->job;
    uint64_t none = 0;
    if (op == CLASS_WRITE && !atomic_load_explicit(&series->dirty, memory_order_relaxed))
        atomic_store_explicit(&series->dirty, true, memory_order_relaxed);
    if (op != CLASS_WRITE && job->sync_counts == SYNC_COUNTS_WRITES)
        return;
    uint64_t count = atomic_fetch_add_explicit(&series->requests, 1, memory_order_relaxed) + 1;
    if (count % job->sync_every != 0 || !atomic_exchange_explicit(&series->dirty, false, memory_order_relaxed))
        return;
    atomic_compare_exchange_strong(&series->left, &none, job->files);
}

/* Takes the next file of a series that is under way. */
static bool series_claim(struct lane *lane)
{
    struct sync_series *series = &lane->fileio->series;
    uint64_t left = atomic_load_explicit(&series->left, memory_order_relaxed);
    while (left > 0) {
        if (atomic_compare_exchange_weak(&series->left, &left, left - 1)) {
            lane->sync_file = (uint32_t)(lane->fileio->job->files - left);
            lane->sync_due = true;
            return true;
        }
    }
    return false;
}

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
    trace(lane, file, op, 0, 0);
    bool measured = worker_measures(worker, lane->now_ns);
    uint64_t start_ns = worker_now_ns(worker);
    int os_code = lane->engine->sync(lane->queue, file, lane->fileio->job->sync_kind == SYNC_FDATASYNC);
    lane->now_ns = worker_now_ns(worker);
    if (os_code != 0)
        return sync_failed(lane, file, os_code, error);
    if (measured)
        worker_record(worker, op, start_ns, lane->now_ns, 0);
    return true;
}

/* The write and the sync that has just made it durable, as one. */
static void record_durable(const struct lane *lane, const struct io *io)
{
    if (io->measured)
        worker_record(lane->worker, CLASS_DURABLE_WRITE, io->start_ns, lane->now_ns, io->bytes);
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

static void dress(struct lane *lane, struct io *io, const struct access_request *request)
{
    struct fileio *fileio = lane->fileio;
    io->file = request->file;
    io->offset = request->offset;
    io->bytes = request->bytes;
    io->op = request->op == CLASS_READ ? IO_READ : IO_WRITE;
    if (request->op == CLASS_WRITE) {
        data_fill(&fileio->data, io->buffer, io->bytes, lane->next_key);
        lane->next_key += io->bytes / fileio->job->block_size_bytes;
    }
    trace(lane, request->file, request->op, request->offset, request->bytes);
    if (lane->series)
        series_count(fileio, request->op);
}

/* The next request, or false when none may start now: a sync is due, or the run is used up. */
static bool next_request(struct lane *lane, struct io *io)
{
    struct fileio *fileio = lane->fileio;
    struct worker *worker = lane->worker;
    struct access_request request;
    lane->exhausted = worker_time_is_up(worker, lane->now_ns);
    if (lane->exhausted || (lane->series && !lane->counted && series_claim(lane)))
        return false;
    io->measured = worker_measures(worker, lane->now_ns);
    lane->exhausted = !worker_takes_event(worker, io->measured);
    if (lane->exhausted || (lane->series && lane->counted && series_claim(lane)))
        return false;
    lane->exhausted = !access_next(&fileio->access, &lane->access, &request);
    if (lane->exhausted)
        return false;
    dress(lane, io, &request);
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
        return io_failed(lane, io, error);
    if (io->measured)
        worker_record(lane->worker, io->op == IO_READ ? CLASS_READ : CLASS_WRITE, io->start_ns, lane->now_ns,
                      io->bytes);
    return true;
}

static uint32_t in_flight(const struct lane *lane)
{
    return lane->depth - lane->idle_count - lane->owed_count;
}

static bool reap(struct lane *lane, struct error *error)
{
    int32_t count = lane->engine->reap(lane->queue, lane->batch, lane->depth, UINT64_MAX, error);
    if (count < 0)
        return false;
    lane->now_ns = worker_now_ns(lane->worker);
    for (int32_t i = 0; i < count; ++i) {
        struct io *io = lane->batch[i];
        if (!note_end(lane, io, error))
            return false;
        if (io->op == IO_WRITE && lane->fileio->job->sync_each_write)
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

/* The general way: any depth, any engine. */
static bool loop_queued(struct lane *lane, struct error *error)
{
    for (;;) {
        if (!top_up(lane, error))
            return false;
        atomic_store_explicit(&lane->worker->in_flight, in_flight(lane), memory_order_relaxed);
        if (in_flight(lane) > 0) {
            if (!reap(lane, error))
                return false;
        } else if (lane->owed_count > 0) {
            if (!sync_owed(lane, error))
                return false;
        } else if (!lane->sync_due) {
            return true;
        } else if (!sync_series(lane, error)) {
            return false;
        }
    }
}

/* The same for one IO at a time on an engine that does it at once: no bookkeeping between two clock readings. */
static bool loop_in_place(struct lane *lane, struct error *error)
{
    struct io *io = &lane->ios[0];
    bool durable = lane->fileio->job->sync_each_write;
    atomic_store_explicit(&lane->worker->in_flight, 1, memory_order_relaxed);
    for (;;) {
        if (!next_request(lane, io)) {
            if (!lane->sync_due)
                break;
            if (!sync_series(lane, error))
                return false;
            continue;
        }
        io->start_ns = worker_now_ns(lane->worker);
        io->result = lane->engine->transfer(lane->queue, io);
        lane->now_ns = worker_now_ns(lane->worker);
        if (!note_end(lane, io, error))
            return false;
        if (durable && io->op == IO_WRITE) {
            if (!sync_one(lane, io->file, CLASS_SYNC, error))
                return false;
            record_durable(lane, io);
        }
    }
    atomic_store_explicit(&lane->worker->in_flight, 0, memory_order_relaxed);
    return true;
}

static bool loop(struct worker *worker, void *context, struct error *error)
{
    struct lane *lane = worker->state;
    (void)context;
    lane->now_ns = worker_now_ns(worker);
    return lane->depth == 1 && lane->engine->transfer ? loop_in_place(lane, error) : loop_queued(lane, error);
}

/* Each file once: dealt over the lanes, after all lanes' last write. */
static bool finish(struct worker *worker, void *context, struct error *error)
{
    struct lane *lane = worker->state;
    const struct job *job = ((const struct fileio *)context)->job;
    if (!job->sync_at_end || !mode_writes(job->mode) || job->sync_each_write)
        return true;
    for (uint64_t file = worker->index; file < job->files; file += job->threads) {
        if (!sync_one(lane, (uint32_t)file, CLASS_END_SYNC, error))
            return false;
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
    options->file_bytes = files_used_bytes(fileio->job);
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
    lane->traced = fileio->setup.listener->request != NULL;
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

const struct load fileio_load_template = {NULL, init, loop, finish, done};
