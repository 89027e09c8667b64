#include "posix/queue_posix.h"

#include <stddef.h>

const struct queue_engine *const queue_engines[] = {
    &queue_engine_uring, &queue_engine_uv, &queue_engine_sync, &queue_engine_mmap, NULL,
};
