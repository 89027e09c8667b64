/* The engine that copies from and to mapped files: page faults do the IO, inside submit. */
#include "platform/memory.h"
#include "platform/queue_shared.h"

#include <inttypes.h>
#include <stdlib.h>

struct queue {
    struct queue_options options;
    struct io *ended; /* not reaped yet; NULL = none */
    uint32_t mapped;  /* so many of maps are there */
    uint8_t *maps[];  /* one per file */
};

static bool mmap_usable(struct error *error)
{
    (void)error;
    return true;
}

static void mmap_free(struct queue *queue)
{
    if (queue == NULL)
        return;
    const struct queue_options *options = &queue->options;
    for (uint32_t i = 0; i < queue->mapped; i++)
        options->layer->unmap(options->files[i], queue->maps[i], (size_t)options->file_bytes);
    free(queue);
}

/* Touching a page past the end of a file kills the process (SIGBUS), so that its size is looked at before. */
static bool map_file(struct queue *queue, uint32_t index, struct error *error)
{
    const struct queue_options *options = &queue->options;
    struct file_facts facts;
    if (!options->layer->facts(options->files[index], &facts, error))
        return false;
    if (facts.size_bytes < options->file_bytes)
        return error_set(error, ERR_DATA,
                         "engine 'mmap': file %" PRIu32 " has %" PRIu64 " bytes and must have %" PRIu64
                         "; prepare the files again",
                         index, facts.size_bytes, options->file_bytes);
    void *address;
    if (!options->layer->map(options->files[index], (size_t)options->file_bytes, &address, error))
        return false;
    queue->maps[index] = address;
    return true;
}

static bool mmap_make(struct queue **out, const struct queue_options *options, struct error *error)
{
    if (!queue_options_check(&queue_engine_mmap, options, error))
        return false;
    if (options->file_bytes == 0 || options->file_bytes > SIZE_MAX)
        return error_set(error, ERR_USAGE, "engine 'mmap' cannot map files of %" PRIu64 " bytes", options->file_bytes);
    struct queue *queue = malloc(sizeof *queue + options->file_count * sizeof queue->maps[0]);
    if (queue == NULL)
        return error_set(error, ERR_SYSTEM, "no memory for a queue");
    *queue = (struct queue){.options = *options};
    for (; queue->mapped < options->file_count; queue->mapped++) {
        if (!map_file(queue, queue->mapped, error)) {
            mmap_free(queue);
            return false;
        }
    }
    *out = queue;
    return true;
}

/* The mapped range is all there is: what goes past it is short, as at the end of a file. */
static int64_t copy(struct queue *queue, const struct io *io)
{
    uint64_t end = queue->options.file_bytes;
    if (io->offset >= end)
        return 0;
    size_t bytes = io->bytes < end - io->offset ? io->bytes : (size_t)(end - io->offset);
    uint8_t *mapped = queue->maps[io->file] + (size_t)io->offset;
    bool copied = io->op == IO_READ ? memory_copy_mapped(io->buffer, mapped, bytes)
                                    : memory_copy_mapped(mapped, io->buffer, bytes);
    return copied ? (int64_t)bytes : -os_error_short_transfer;
}

static bool mmap_submit(struct queue *queue, struct io *const *ios, uint32_t n, struct error *error)
{
    (void)error;
    if (n == 0)
        return true;
    ios[0]->result = copy(queue, ios[0]);
    queue->ended = ios[0];
    return true;
}

static int32_t mmap_reap(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error)
{
    (void)wait_ns;
    (void)error;
    return queue_reap_in_place(&queue->ended, done, max);
}

static int mmap_sync(struct queue *queue, uint32_t file, bool data_only)
{
    (void)data_only; /* a mapped range is written back as a whole */
    const struct queue_options *options = &queue->options;
    return options->layer->map_sync(options->files[file], queue->maps[file], (size_t)options->file_bytes);
}

const struct queue_engine queue_engine_mmap = {
    .name = "mmap",
    .summary = "copies from and to the mapped files, through the OS cache",
    .depth_max = 1,
    .shares_files = true,
    .needs_system_files = false,
    .usable = mmap_usable,
    .make = mmap_make,
    .submit = mmap_submit,
    .reap = mmap_reap,
    .transfer = copy,
    .sync = mmap_sync,
    .free = mmap_free,
};
