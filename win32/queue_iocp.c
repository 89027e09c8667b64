/* Engine `iocp`: overlapped IO with one completion port per queue. A handle stays with its first port until it is
 * closed, so every queue needs files of its own. */
#include "platform/clock.h"
#include "platform/queue_shared.h"
#include "win32/file_win32.h"

#include <timeapi.h>

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

/* A timed wait ends up to one timer tick late; with the timer set to 1 ms, ticks are so long at most. The rest of
 * a wait is spent looking. */
#define TIMER_MS 1U
#define LATE_MS 2U

struct slot {
    OVERLAPPED overlapped; /* first: the port hands this address back */
    struct io *io;
    struct slot *next; /* in the free list or in the ready list */
    bool in_flight;
};

struct target {
    HANDLE handle;
    uint32_t alignment_bytes;
    bool skips_port; /* IOs that end inside ReadFile or WriteFile put no packet into the port */
};

struct queue {
    struct queue_options options;
    struct clock clock;
    HANDLE port;
    struct target *targets;
    struct slot *slots;
    struct slot *free_slots;
    struct slot *ready, **ready_end; /* ended inside submit, first one first */
    OVERLAPPED_ENTRY *entries;
    uint32_t in_flight; /* packets that will come */
    bool timer_set;
};

/* --- slots --- */

static struct slot *take_slot(struct queue *queue, struct io *io)
{
    struct slot *slot = queue->free_slots;
    assert(slot != NULL && "more IOs in flight than the queue's depth");
    queue->free_slots = slot->next;
    slot->io = io;
    slot->overlapped = (OVERLAPPED){0};
    slot->overlapped.Offset = (DWORD)io->offset;
    slot->overlapped.OffsetHigh = (DWORD)(io->offset >> 32);
    return slot;
}

static struct io *give_back(struct queue *queue, struct slot *slot)
{
    slot->next = queue->free_slots;
    queue->free_slots = slot;
    return slot->io;
}

static void add_ready(struct queue *queue, struct slot *slot)
{
    slot->next = NULL;
    *queue->ready_end = slot;
    queue->ready_end = &slot->next;
}

static uint32_t take_ready(struct queue *queue, struct io **done, uint32_t max)
{
    uint32_t count = 0;
    while (count < max && queue->ready != NULL) {
        struct slot *slot = queue->ready;
        queue->ready = slot->next;
        if (queue->ready == NULL)
            queue->ready_end = &queue->ready;
        done[count++] = give_back(queue, slot);
    }
    return count;
}

/* --- make and free --- */

static void iocp_free(struct queue *queue);

static bool iocp_usable(struct error *error)
{
    HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 1);
    if (port == NULL)
        return error_set_os(error, (int)GetLastError(), "cannot make a completion port");
    CloseHandle(port);
    return true;
}

/* Skipping packets is safe for files; the documentation's caution is about sockets with old providers
 * (SetFileCompletionNotificationModes function). */
static bool attach(struct queue *queue, struct target *target, const struct file *file, struct error *error)
{
    target->handle = file->handle;
    target->alignment_bytes = file->alignment_bytes;
    if (CreateIoCompletionPort(file->handle, queue->port, 0, 0) == NULL)
        return error_set_os(error, (int)GetLastError(),
                            "cannot attach '%s' to a completion port; a file that another queue has used cannot be "
                            "attached again and must be opened anew",
                            file->path);
    target->skips_port = SetFileCompletionNotificationModes(file->handle, FILE_SKIP_COMPLETION_PORT_ON_SUCCESS);
    return true;
}

static bool attach_all(struct queue *queue, struct error *error)
{
    for (uint32_t i = 0; i < queue->options.file_count; ++i)
        if (!attach(queue, &queue->targets[i], queue->options.files[i], error))
            return false;
    return true;
}

static bool allocate_parts(struct queue *queue)
{
    uint32_t depth = queue->options.depth;
    queue->slots = calloc(depth, sizeof *queue->slots);
    queue->entries = calloc(depth, sizeof *queue->entries);
    queue->targets = calloc((size_t)queue->options.file_count + 1, sizeof *queue->targets);
    if (queue->slots == NULL || queue->entries == NULL || queue->targets == NULL)
        return false;
    for (uint32_t i = 0; i < depth; ++i)
        give_back(queue, &queue->slots[i]);
    return true;
}

static struct queue *make_empty(const struct queue_options *options)
{
    struct queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return NULL;
    queue->options = *options;
    queue->clock = clock_system();
    queue->ready_end = &queue->ready;
    if (allocate_parts(queue))
        return queue;
    iocp_free(queue);
    return NULL;
}

static bool iocp_make(struct queue **out, const struct queue_options *options, struct error *error)
{
    if (!queue_options_check(&queue_engine_iocp, options, error))
        return false;
    struct queue *queue = make_empty(options);
    if (queue == NULL)
        return error_set_os(error, ERROR_NOT_ENOUGH_MEMORY, "cannot make a queue of depth %u", options->depth);
    queue->port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 1);
    bool ok = queue->port != NULL || error_set_os(error, (int)GetLastError(), "cannot make a completion port");
    if (ok && attach_all(queue, error)) {
        *out = queue;
        return true;
    }
    iocp_free(queue);
    return false;
}

/* --- submit --- */

static void finish_now(struct queue *queue, struct slot *slot, int64_t result)
{
    slot->io->result = result;
    add_ready(queue, slot);
}

/* An IO that fails inside the call puts no packet into the port; one that succeeds inside it does unless
 * the handle skips those. */
static void start(struct queue *queue, struct io *io)
{
    struct slot *slot = take_slot(queue, io);
    const struct target *target = &queue->targets[io->file];
    if (!file_is_aligned(io->buffer, io->bytes, io->offset, target->alignment_bytes)) {
        finish_now(queue, slot, -(int64_t)os_error_invalid);
        return;
    }
    bool reading = io->op == IO_READ;
    bool ended = reading ? ReadFile(target->handle, io->buffer, io->bytes, NULL, &slot->overlapped)
                         : WriteFile(target->handle, io->buffer, io->bytes, NULL, &slot->overlapped);
    DWORD code = ended ? ERROR_SUCCESS : GetLastError();
    if (code == ERROR_IO_PENDING || (ended && !target->skips_port)) {
        slot->in_flight = true;
        ++queue->in_flight;
        return;
    }
    finish_now(queue, slot, file_win32_answer(ended, reading, (DWORD)slot->overlapped.InternalHigh, code));
}

static bool iocp_submit(struct queue *queue, struct io *const *ios, uint32_t n, struct error *error)
{
    (void)error;
    for (uint32_t i = 0; i < n; ++i)
        start(queue, ios[i]);
    return true;
}

/* --- reap --- */

static void finish_packet(struct queue *queue, struct slot *slot)
{
    DWORD moved = 0;
    struct io *io = slot->io;
    HANDLE handle = queue->targets[io->file].handle;
    bool ok = GetOverlappedResult(handle, &slot->overlapped, &moved, FALSE);
    io->result = file_win32_answer(ok, io->op == IO_READ, moved, ok ? ERROR_SUCCESS : GetLastError());
    slot->in_flight = false;
    --queue->in_flight;
}

/* Packets that are there or come within wait_ms: their number, 0 when time is up, −1 on an error. */
static int32_t take_packets(struct queue *queue, struct io **done, uint32_t max, DWORD wait_ms, struct error *error)
{
    ULONG count = 0;
    if (max > queue->options.depth)
        max = queue->options.depth;
    if (!GetQueuedCompletionStatusEx(queue->port, queue->entries, max, &count, wait_ms, FALSE)) {
        DWORD code = GetLastError();
        if (code == WAIT_TIMEOUT)
            return 0;
        error_set_os(error, (int)code, "cannot read from the completion port");
        return -1;
    }
    for (ULONG i = 0; i < count; ++i) {
        struct slot *slot = (struct slot *)queue->entries[i].lpOverlapped;
        finish_packet(queue, slot);
        done[i] = give_back(queue, slot);
    }
    return (int32_t)count;
}

static int32_t wait_packets(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error)
{
    uint64_t start_ns = clock_now_ns(&queue->clock), ignored = 0, ms = wait_ns / NS_PER_MS;
    int32_t count = 0;
    if (ms > LATE_MS) {
        if (!queue->timer_set)
            queue->timer_set = timeBeginPeriod(TIMER_MS) == TIMERR_NOERROR;
        ms = ms - LATE_MS < INFINITE ? ms - LATE_MS : INFINITE - 1;
        count = take_packets(queue, done, max, (DWORD)ms, error);
    }
    while (count == 0) {
        count = take_packets(queue, done, max, 0, error);
        if (count != 0 || clock_elapsed_ns(start_ns, clock_now_ns(&queue->clock), &ignored) >= wait_ns)
            break;
        YieldProcessor();
    }
    return count;
}

static int32_t iocp_reap(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error)
{
    uint32_t ready = take_ready(queue, done, max);
    int32_t count = 0;
    if (ready == max || queue->in_flight == 0)
        return (int32_t)ready;
    if (ready > 0 || wait_ns == 0)
        count = take_packets(queue, done + ready, max - ready, 0, error);
    else if (wait_ns == UINT64_MAX)
        count = take_packets(queue, done, max, INFINITE, error);
    else
        count = wait_packets(queue, done, max, wait_ns, error);
    return count < 0 ? -1 : (int32_t)ready + count;
}

static int iocp_sync(struct queue *queue, uint32_t file, bool data_only)
{
    return queue->options.layer->sync(queue->options.files[file], data_only);
}

/* --- free --- */

static void cancel_all(struct queue *queue)
{
    for (uint32_t i = 0; i < queue->options.depth; ++i) {
        struct slot *slot = &queue->slots[i];
        if (slot->in_flight)
            CancelIoEx(queue->targets[slot->io->file].handle, &slot->overlapped);
    }
}

/* False: the port is broken; the system may still write to the slots, which must then stay. */
static bool drain(struct queue *queue)
{
    while (queue->in_flight > 0) {
        ULONG count = 0;
        if (!GetQueuedCompletionStatusEx(queue->port, queue->entries, queue->options.depth, &count, INFINITE, FALSE))
            return false;
        queue->in_flight -= count;
    }
    return true;
}

static void iocp_free(struct queue *queue)
{
    if (queue == NULL)
        return;
    if (queue->in_flight > 0) {
        cancel_all(queue);
        if (!drain(queue))
            return;
    }
    if (queue->port != NULL)
        CloseHandle(queue->port);
    if (queue->timer_set)
        timeEndPeriod(TIMER_MS);
    free(queue->targets);
    free(queue->entries);
    free(queue->slots);
    free(queue);
}

const struct queue_engine queue_engine_iocp = {
    .name = "iocp",
    .summary = "overlapped IO and a completion port (Windows)",
    .depth_max = 4096,
    .shares_files = false,
    .needs_system_files = true,
    .usable = iocp_usable,
    .make = iocp_make,
    .submit = iocp_submit,
    .reap = iocp_reap,
    .sync = iocp_sync,
    .free = iocp_free,
};
