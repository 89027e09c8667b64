/* platform/queue.h: up to `depth` IOs in flight from one thread. A queue belongs to the thread that made it.
 *
 * submit hands IOs over; reap gives back those that have ended, each with its result. The caller owns
 * the struct io and its buffer and leaves both alone between submit and reap. */
#ifndef PLATFORM_QUEUE_H
#define PLATFORM_QUEUE_H

#include "platform/error.h"
#include "platform/file.h"

#include <stdbool.h>
#include <stdint.h>

enum io_op { IO_READ, IO_WRITE };

struct io {
    uint64_t offset;
    uint8_t *buffer; /* inside queue_options.buffers */
    uint32_t bytes;
    uint32_t file; /* index into queue_options.files */
    enum io_op op;
    int64_t result; /* set when reaped: bytes transferred (may be short), or −OS error */
    /* the caller's own; queues leave these alone */
    uint64_t due_ns, start_ns;
    bool measured; /* false in warm-up */
};

struct queue_options {
    uint32_t depth;                 /* at least 1 */
    const struct file_layer *layer; /* what opened the files */
    struct file *const *files;      /* stay open and in place until free */
    uint32_t file_count;
    uint64_t file_bytes; /* of each file from its start that will be touched (what mmap maps) */
    uint8_t *buffers;    /* one arena that holds every io.buffer */
    size_t buffers_bytes;
};

struct queue;

struct queue_engine {
    const char *name;
    const char *summary;     /* one line for help */
    uint32_t depth_max;      /* 1 for engines that complete inside submit */
    bool shares_files;       /* may several queues use one struct file? (a Windows handle has one port) */
    bool needs_system_files; /* reaches below the layer: works on file_layer_system only */
    /* Says whether this system lets the engine work, by trying it. */
    bool (*usable)(struct error *error);
    bool (*make)(struct queue **out, const struct queue_options *options, struct error *error);
    /* All or none; n is at most depth − in flight. An IO that fails at once is still reaped. */
    bool (*submit)(struct queue *queue, struct io *const *ios, uint32_t n, struct error *error);
    /* Up to `max` ended IOs. wait_ns: 0 only looks, UINT64_MAX waits for at least one, else at most so
     * long. Returns the count, or −1 with `error` filled. Never waits when nothing is in flight. */
    int32_t (*reap)(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error);
    /* Engines with depth_max 1: does one IO at once and returns its result, for callers that want neither submit nor
     * reap. NULL for the others. */
    int64_t (*transfer)(struct queue *queue, const struct io *io);
    /* Makes what was written to files[file] durable. Nothing may be in flight. 0, or an OS error. */
    int (*sync)(struct queue *queue, uint32_t file, bool data_only);
    void (*free)(struct queue *queue); /* NULL is fine; waits for what is in flight */
};

extern const struct queue_engine *const queue_engines[]; /* NULL-terminated; best first for a depth above 1 */
extern const struct queue_engine queue_engine_sync, queue_engine_uv, queue_engine_mmap; /* on every system */

/* By name; "auto" picks sync at depth 1, else the first of queue_engines that is usable for this depth
 * and layer. NULL with `error` naming those there are, or why the system refuses the one asked for. */
const struct queue_engine *queue_engine_pick(const char *name, uint32_t depth, const struct file_layer *layer,
                                             struct error *error);

#endif
