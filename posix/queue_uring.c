/* Linux' io_uring through liburing. One ring per queue; IOs of one submit go to the kernel in one call.
 * Files and the buffers' arena are registered with the ring where the kernel lets us: that spares work per IO. */
#define _GNU_SOURCE
#include "posix/queue_posix.h"

#include "platform/clock.h"
#include "platform/queue_shared.h"
#include "posix/file_posix.h"
#include "posix/small_file.h"

#include <errno.h>
#include <inttypes.h>
#include <liburing.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>

#define DEPTH_MAX 4096
#define KERNEL_BUSY_TRIES 10000
#define MEMORY_TRIES 50
#define REFILL_SHARE 16

struct queue {
    struct queue_options options;
    struct io_uring ring;
    bool files_registered, buffers_registered;
    uint32_t in_ring; /* handed to the kernel and not reaped */
    /* A ring of depth for IOs that the kernel never sees, because their alignment is wrong. */
    struct io **refused;
    uint32_t refused_first, refused_count;
};

/* ---- making a ring ---- */

/* Flags that newer kernels have, best first: completions are worked on when the thread asks for them (Linux 6.1), or
 * at least without interrupting it (5.19). The header of a liburing that knows them comes with code that looks at
 * IORING_SQ_TASKRUN. */
static const unsigned ring_flags[] = {
#if defined(IORING_SETUP_SINGLE_ISSUER) && defined(IORING_SETUP_DEFER_TASKRUN)
    IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
#endif
#if defined(IORING_SETUP_COOP_TASKRUN) && defined(IORING_SETUP_TASKRUN_FLAG)
    IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
#endif
    0,
};

/* 0 or −errno; kernels that do not know a flag say EINVAL. */
static int make_ring_once(struct io_uring *ring, uint32_t entries)
{
    int status = -EINVAL;
    for (size_t i = 0; i < COUNT_OF(ring_flags) && status == -EINVAL; i++)
        status = io_uring_queue_init(entries, ring, ring_flags[i]);
    return status;
}

/* The kernel gives the locked memory of a ring back some time after it is closed: short of it may be for a moment. */
static int make_ring(struct io_uring *ring, uint32_t entries)
{
    int status = make_ring_once(ring, entries);
    for (uint32_t i = 0; i < MEMORY_TRIES && status == -ENOMEM; i++) {
        nanosleep(&(struct timespec){.tv_nsec = NS_PER_MS}, NULL);
        status = make_ring_once(ring, entries);
    }
    return status;
}

static bool ring_refused(int code, struct error *error)
{
    if (code == EPERM || code == EACCES)
        error_set_os(error, code,
                     "io_uring is disabled on this system (kernel.io_uring_disabled or a container's "
                     "seccomp profile); take engine 'uv'");
    else if (code == ENOSYS)
        error_set_os(error, code, "this kernel has no io_uring (it came with Linux 5.1); take engine 'uv'");
    else if (code == ENOMEM)
        error_set_os(error, code,
                     "no memory for an io_uring; raise the limit of locked memory (ulimit -l), or take a "
                     "smaller depth");
    else
        error_set_os(error, code, "cannot make an io_uring");
    error->kind = ERR_UNSUPPORTED;
    return false;
}

static bool has_plain_reads(struct io_uring *ring)
{
    struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
    bool has = probe != NULL && io_uring_opcode_supported(probe, IORING_OP_READ) &&
               io_uring_opcode_supported(probe, IORING_OP_WRITE);
    if (probe != NULL)
        io_uring_free_probe(probe);
    return has;
}

static bool uring_usable(struct error *error)
{
    struct io_uring ring;
    int status = make_ring(&ring, 2);
    if (status < 0)
        return ring_refused(-status, error);
    bool usable = has_plain_reads(&ring);
    io_uring_queue_exit(&ring);
    return usable || error_set(error, ERR_UNSUPPORTED,
                               "this kernel's io_uring cannot read and write (it takes Linux 5.6); take engine 'uv'");
}

/* ---- making a queue ---- */

static bool register_files(struct queue *queue)
{
    const struct queue_options *options = &queue->options;
    int *descriptors = malloc(options->file_count * sizeof *descriptors);
    if (descriptors == NULL)
        return false;
    for (uint32_t i = 0; i < options->file_count; i++)
        descriptors[i] = options->files[i]->descriptor;
    bool registered = io_uring_register_files(&queue->ring, descriptors, options->file_count) == 0;
    free(descriptors);
    return registered;
}

/* A number in a line of /proc/self/status, "VmPin:	      36 kB" (proc(5)); 0 when there is no such line. */
static uint64_t status_number(const char *status, const char *key, int base)
{
    const char *line = strstr(status, key);
    return line != NULL ? strtoull(line + strlen(key), NULL, base) : 0;
}

/* Buffers may take half of the memory that this user may lock: on kernels that count rings as locked memory too, the
 * rings of other threads need the rest, and fail without it. CAP_IPC_LOCK stands above the limit. */
static bool may_lock(size_t bytes)
{
    char status[4096];
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return true;
    if (!small_file_read(status, sizeof status, "/proc/self/status"))
        return false;
    if (status_number(status, "CapEff:", 16) >> CAP_IPC_LOCK & 1)
        return true;
    return status_number(status, "VmPin:", 10) * 1024 + bytes <= limit.rlim_cur / 2;
}

/* The kernel has a limit of its own, 1 GiB. */
static bool register_buffers(struct queue *queue)
{
    struct iovec arena = {.iov_base = queue->options.buffers, .iov_len = queue->options.buffers_bytes};
    return arena.iov_len > 0 && may_lock(arena.iov_len) && io_uring_register_buffers(&queue->ring, &arena, 1) == 0;
}

static bool uring_make(struct queue **out, const struct queue_options *options, struct error *error)
{
    if (!queue_options_check(&queue_engine_uring, options, error))
        return false;
    struct queue *queue = calloc(1, sizeof *queue);
    struct io **refused = calloc(options->depth, sizeof(struct io *));
    int status = queue == NULL || refused == NULL ? -ENOMEM : make_ring(&queue->ring, options->depth);
    if (status < 0) {
        free(refused);
        free(queue);
        return ring_refused(-status, error);
    }
    queue->options = *options;
    queue->refused = refused;
    queue->files_registered = register_files(queue);
    queue->buffers_registered = register_buffers(queue);
    *out = queue;
    return true;
}

/* ---- submitting ---- */

static bool is_in_arena(const struct queue_options *options, const struct io *io)
{
    uintptr_t start = (uintptr_t)options->buffers, at = (uintptr_t)io->buffer;
    return at >= start && at - start <= options->buffers_bytes && options->buffers_bytes - (at - start) >= io->bytes;
}

static void prepare(const struct queue *queue, struct io_uring_sqe *entry, struct io *io)
{
    int file = queue->files_registered ? (int)io->file : queue->options.files[io->file]->descriptor;
    bool fixed = queue->buffers_registered && is_in_arena(&queue->options, io);
    if (io->op == IO_READ && fixed)
        io_uring_prep_read_fixed(entry, file, io->buffer, io->bytes, io->offset, 0);
    else if (io->op == IO_READ)
        io_uring_prep_read(entry, file, io->buffer, io->bytes, io->offset);
    else if (fixed)
        io_uring_prep_write_fixed(entry, file, io->buffer, io->bytes, io->offset, 0);
    else
        io_uring_prep_write(entry, file, io->buffer, io->bytes, io->offset);
    if (queue->files_registered)
        io_uring_sqe_set_flags(entry, IOSQE_FIXED_FILE);
    io_uring_sqe_set_data(entry, io);
}

/* Hands all prepared entries over. The kernel takes fewer than it is given when one of them is wrong, and none
 * for a moment when it is short of memory. */
static bool hand_over(struct queue *queue, struct error *error)
{
    uint32_t tries = 0;
    while (io_uring_sq_ready(&queue->ring) > 0) {
        int taken = io_uring_submit(&queue->ring);
        if (taken > 0) {
            queue->in_ring += (uint32_t)taken;
        } else if (taken < 0 && taken != -EINTR && taken != -EAGAIN && taken != -EBUSY) {
            return error_set_os(error, -taken, "io_uring does not take the IOs");
        } else {
            if (++tries == KERNEL_BUSY_TRIES)
                return error_set_os(error, taken < 0 ? -taken : EAGAIN, "io_uring stays too busy to take the IOs");
            sched_yield();
        }
    }
    return true;
}

static void refuse(struct queue *queue, struct io *io)
{
    io->result = -EINVAL;
    queue->refused[(queue->refused_first + queue->refused_count++) % queue->options.depth] = io;
}

static bool uring_submit(struct queue *queue, struct io *const *ios, uint32_t n, struct error *error)
{
    for (uint32_t i = 0; i < n; i++) {
        struct io *io = ios[i];
        if (!file_takes(queue->options.files[io->file], io->buffer, io->bytes, io->offset)) {
            refuse(queue, io);
            continue;
        }
        /* There is always room: at most depth are in flight, and each call leaves the submission ring empty. */
        struct io_uring_sqe *entry = io_uring_get_sqe(&queue->ring);
        if (entry == NULL)
            return error_set(error, ERR_SYSTEM, "io_uring has no room: more than %" PRIu32 " IOs are in flight",
                             queue->options.depth);
        prepare(queue, entry, io);
    }
    return hand_over(queue, error);
}

/* ---- reaping ---- */

static uint32_t take_refused(struct queue *queue, struct io **done, uint32_t max)
{
    uint32_t count = 0;
    for (; count < max && queue->refused_count > 0; count++) {
        done[count] = queue->refused[queue->refused_first];
        queue->refused_first = (queue->refused_first + 1) % queue->options.depth;
        queue->refused_count--;
    }
    return count;
}

static uint32_t take_ended(struct queue *queue, struct io **done, uint32_t max)
{
    uint32_t count = take_refused(queue, done, max);
    struct io_uring_cqe *completion;
    while (count < max && io_uring_peek_cqe(&queue->ring, &completion) == 0) {
        struct io *io = io_uring_cqe_get_data(completion);
        io->result = completion->res;
        done[count++] = io;
        io_uring_cqe_seen(&queue->ring, completion);
        queue->in_ring--;
    }
    return count;
}

/* Until something ended or the time is over; 0 or −errno. A signal ends a wait that has a limit early, which
 * reap's contract allows. */
static int wait_for_one(struct queue *queue, uint64_t wait_ns)
{
    struct io_uring_cqe *completion;
    int status;
    if (wait_ns == UINT64_MAX) {
        do
            status = io_uring_wait_cqe(&queue->ring, &completion);
        while (status == -EINTR || status == -EAGAIN);
        return status;
    }
    struct __kernel_timespec limit = {.tv_sec = (int64_t)(wait_ns / NS_PER_S),
                                      .tv_nsec = (long long)(wait_ns % NS_PER_S)};
    status = io_uring_wait_cqe_timeout(&queue->ring, &completion, &limit);
    return status == -ETIME || status == -EINTR || status == -EAGAIN ? 0 : status;
}

static int32_t uring_reap(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error)
{
    uint32_t count = take_ended(queue, done, max);
    if (count > 0 || max == 0 || wait_ns == 0 || queue->in_ring == 0)
        return (int32_t)count;
    int status = wait_for_one(queue, wait_ns);
    if (status < 0) {
        error_set_os(error, -status, "cannot wait for io_uring");
        return -1;
    }
    /* The device is what we wait for: its freed places are filled a few at a time, or its queue runs low meanwhile. */
    uint32_t few = queue->options.depth < 2 * REFILL_SHARE ? 1 : queue->options.depth / REFILL_SHARE;
    return (int32_t)take_ended(queue, done, few < max ? few : max);
}

static int uring_sync(struct queue *queue, uint32_t file, bool data_only)
{
    return queue->options.layer->sync(queue->options.files[file], data_only);
}

static void uring_free(struct queue *queue)
{
    if (queue == NULL)
        return;
    struct io *done[16];
    struct error ignored = ERROR_INIT;
    while (queue->in_ring > 0 && uring_reap(queue, done, COUNT_OF(done), UINT64_MAX, &ignored) >= 0)
        ;
    if (queue->buffers_registered)
        io_uring_unregister_buffers(&queue->ring); /* unlocks them now; closing the ring does so some time later */
    io_uring_queue_exit(&queue->ring);
    free(queue->refused);
    free(queue);
}

const struct queue_engine queue_engine_uring = {
    .name = URING_NAME,
    .summary = URING_SUMMARY,
    .depth_max = DEPTH_MAX,
    .shares_files = true,
    .needs_system_files = true,
    .usable = uring_usable,
    .make = uring_make,
    .submit = uring_submit,
    .reap = uring_reap,
    .sync = uring_sync,
    .free = uring_free,
};
