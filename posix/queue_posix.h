/* posix/queue_posix.h: the engine that Linux alone has; one of two files makes it, with or without liburing. */
#ifndef POSIX_QUEUE_POSIX_H
#define POSIX_QUEUE_POSIX_H

#include "platform/queue.h"

extern const struct queue_engine queue_engine_uring;
#define URING_NAME "uring"
#define URING_SUMMARY "io_uring, Linux' asynchronous IO"

#endif
