#include "platform/queue.h"
#include "win32/file_win32.h"

const struct queue_engine *const queue_engines[] = {&queue_engine_iocp, &queue_engine_uv, &queue_engine_sync,
                                                    &queue_engine_mmap, NULL};
