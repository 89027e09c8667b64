/* The engine that hands each IO to libuv's work pool: read and write calls on other threads, everywhere. */
#include "platform/queue_shared.h"

#include "platform/clock.h"

#include <stdlib.h>
#include <uv.h>

/* One IO at work. Requests that are free form a list. */
struct request {
    uv_work_t work;
    struct queue *queue;
    struct io *io;
    struct request *next_free;
};

struct queue {
    struct queue_options options;
    uv_loop_t loop;
    uv_timer_t timer;
    struct request *free_requests;
    struct io **ended; /* a ring of depth: those done and not reaped, the oldest at ended_first */
    uint32_t ended_first, ended_count;
    uint32_t working;
    bool timed_out;
    struct request requests[];
};

static bool pool_usable(struct error *error)
{
    (void)error;
    return true;
}

/* On a thread of the pool. */
static void work(uv_work_t *handle)
{
    struct request *request = handle->data;
    request->io->result = queue_transfer(&request->queue->options, request->io);
}

/* On the queue's own thread, from uv_run. */
static void after_work(uv_work_t *handle, int status)
{
    (void)status; /* nothing is ever cancelled */
    struct request *request = handle->data;
    struct queue *queue = request->queue;
    queue->ended[(queue->ended_first + queue->ended_count++) % queue->options.depth] = request->io;
    queue->working--;
    request->next_free = queue->free_requests;
    queue->free_requests = request;
}

/* A timer may fire before the loop looks for events, which would then block: hence uv_stop. */
static void on_timer(uv_timer_t *timer)
{
    struct queue *queue = timer->data;
    queue->timed_out = true;
    uv_stop(&queue->loop);
}

static bool start_loop(struct queue *queue, struct error *error)
{
    int status = uv_loop_init(&queue->loop);
    if (status != 0)
        return error_set(error, ERR_SYSTEM, "engine 'uv' cannot make an event loop: %s", uv_strerror(status));
    uv_timer_init(&queue->loop, &queue->timer);
    queue->timer.data = queue;
    for (uint32_t i = 0; i < queue->options.depth; i++) {
        struct request *request = &queue->requests[i];
        request->queue = queue;
        request->work.data = request;
        request->next_free = queue->free_requests;
        queue->free_requests = request;
    }
    return true;
}

static bool pool_make(struct queue **out, const struct queue_options *options, struct error *error)
{
    if (!queue_options_check(&queue_engine_uv, options, error))
        return false;
    struct queue *queue = calloc(1, sizeof *queue + options->depth * sizeof queue->requests[0]);
    struct io **ended = calloc(options->depth, sizeof(struct io *));
    if (queue != NULL && ended != NULL) {
        queue->options = *options;
        queue->ended = ended;
        if (start_loop(queue, error)) {
            *out = queue;
            return true;
        }
    } else {
        error_set(error, ERR_SYSTEM, "no memory for a queue");
    }
    free(ended);
    free(queue);
    return false;
}

static bool pool_submit(struct queue *queue, struct io *const *ios, uint32_t n, struct error *error)
{
    (void)error; /* uv_queue_work refuses a missing callback alone */
    for (uint32_t i = 0; i < n; i++) {
        struct request *request = queue->free_requests;
        queue->free_requests = request->next_free;
        request->io = ios[i];
        queue->working++;
        uv_queue_work(&queue->loop, &request->work, work, after_work);
    }
    return true;
}

static void wait_for_one(struct queue *queue, uint64_t wait_ns)
{
    if (wait_ns == 0) {
        uv_run(&queue->loop, UV_RUN_NOWAIT);
        return;
    }
    queue->timed_out = false;
    if (wait_ns != UINT64_MAX) {
        uv_update_time(&queue->loop);
        uv_timer_start(&queue->timer, on_timer, wait_ns / NS_PER_MS + (wait_ns % NS_PER_MS > 0), 0);
    }
    while (queue->ended_count == 0 && !queue->timed_out)
        uv_run(&queue->loop, UV_RUN_ONCE);
    uv_timer_stop(&queue->timer);
}

static int32_t pool_reap(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error)
{
    (void)error;
    if (max == 0)
        return 0;
    if (queue->ended_count == 0 && queue->working > 0)
        wait_for_one(queue, wait_ns);
    uint32_t count = 0;
    while (count < max && queue->ended_count > 0) {
        done[count++] = queue->ended[queue->ended_first];
        queue->ended_first = (queue->ended_first + 1) % queue->options.depth;
        queue->ended_count--;
    }
    return (int32_t)count;
}

static int pool_sync(struct queue *queue, uint32_t file, bool data_only)
{
    return queue->options.layer->sync(queue->options.files[file], data_only);
}

static void pool_free(struct queue *queue)
{
    if (queue == NULL)
        return;
    uv_close((uv_handle_t *)&queue->timer, NULL);
    uv_run(&queue->loop, UV_RUN_DEFAULT); /* ends when nothing works any more */
    uv_loop_close(&queue->loop);
    free(queue->ended);
    free(queue);
}

const struct queue_engine queue_engine_uv = {
    .name = "uv",
    .summary = "read and write calls on libuv's work pool, on every system",
    .depth_max = 1024, /* libuv's pool has no more threads */
    .shares_files = true,
    .needs_system_files = false,
    .usable = pool_usable,
    .make = pool_make,
    .submit = pool_submit,
    .reap = pool_reap,
    .sync = pool_sync,
    .free = pool_free,
};
