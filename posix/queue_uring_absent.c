/* The twin of queue_uring.c for builds without liburing: it says so. */
#include "posix/queue_posix.h"

static bool absent_usable(struct error *error)
{
    return error_set(error, ERR_UNSUPPORTED,
                     "engine '" URING_NAME "' is not there: isobench was built without liburing; take engine 'uv'");
}

static bool absent_make(struct queue **out, const struct queue_options *options, struct error *error)
{
    (void)out;
    (void)options;
    return absent_usable(error);
}

/* Without a queue nobody calls the rest. */
static bool absent_submit(struct queue *queue, struct io *const *ios, uint32_t n, struct error *error)
{
    (void)queue;
    (void)ios;
    (void)n;
    return absent_usable(error);
}

static int32_t absent_reap(struct queue *queue, struct io **done, uint32_t max, uint64_t wait_ns, struct error *error)
{
    (void)queue;
    (void)done;
    (void)max;
    (void)wait_ns;
    absent_usable(error);
    return -1;
}

static int absent_sync(struct queue *queue, uint32_t file, bool data_only)
{
    (void)queue;
    (void)file;
    (void)data_only;
    return os_error_invalid;
}

static void absent_free(struct queue *queue)
{
    (void)queue;
}

const struct queue_engine queue_engine_uring = {
    .name = URING_NAME,
    .summary = URING_SUMMARY,
    .depth_max = 4096,
    .shares_files = true,
    .needs_system_files = true,
    .usable = absent_usable,
    .make = absent_make,
    .submit = absent_submit,
    .reap = absent_reap,
    .sync = absent_sync,
    .free = absent_free,
};
