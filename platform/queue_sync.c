/* The engine whose IO is done when submit returns: one pread or pwrite at a time. */
#include "platform/queue_shared.h"

#include <stdlib.h>

struct queue {
    struct file *const *files;
    int64_t (*read_at)(struct file *file, void *buffer, size_t bytes, uint64_t offset);
    struct queue_options options;
    struct io *ended; /* not reaped yet; NULL = none */
};

static bool sync_usable(struct error *error)
{
    (void)error;
    return true;
}

static bool sync_make(struct queue **out, const struct queue_options *options, struct error *error)
{
    if (!queue_options_check(&queue_engine_sync, options, error))
        return false;
    struct queue *queue = malloc(sizeof *queue);
    if (queue == NULL)
        return error_set(error, ERR_SYSTEM, "no memory for a queue");
    *queue = (struct queue){.files = options->files, .read_at = options->layer->read_at, .options = *options};
    *out = queue;
    return true;
}

static int64_t sync_transfer(struct queue *queue, const struct io *io)
{
    if (io->op == IO_READ)
        return queue->read_at(queue->files[io->file], io->buffer, io->bytes, io->offset);
    return queue_transfer(&queue->options, io);
}

static bool sync_submit(struct queue *queue, struct io *const *ios, uint32_t n, struct error *error)
{
    (void)error;
    if (n == 0)
        return true;
    ios[0]->result = queue_transfer(&queue->options, ios[0]);
    queue->ended = ios[0];
    return true;
}

static int32_t sync_reap(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error)
{
    (void)wait_ns;
    (void)error;
    return queue_reap_in_place(&queue->ended, done, max);
}

static int sync_sync(struct queue *queue, uint32_t file, bool data_only)
{
    return queue->options.layer->sync(queue->options.files[file], data_only);
}

static void sync_free(struct queue *queue)
{
    free(queue);
}

const struct queue_engine queue_engine_sync = {
    .name = "sync",
    .summary = "one read or write call at a time and per thread",
    .depth_max = 1,
    .shares_files = true,
    .needs_system_files = false,
    .usable = sync_usable,
    .make = sync_make,
    .submit = sync_submit,
    .reap = sync_reap,
    .transfer = sync_transfer,
    .sync = sync_sync,
    .free = sync_free,
};
