/* platform/watch.h: one way to wait for a thread that conducts others: for a time, for a wake from another thread, or
 * for Ctrl-C. Built on a libuv loop. While one exists, SIGINT and SIGTERM (Ctrl-C, Ctrl-Break and a closing console on
 * Windows) do not kill the process: they end the wait. Several threads may have one each; a Ctrl-C ends the wait of
 * all. The same signal within a tenth of a second is the same Ctrl-C. */
#ifndef PLATFORM_WATCH_H
#define PLATFORM_WATCH_H

#include "platform/error.h"

#include <stdbool.h>
#include <stdint.h>

struct watch;
enum watch_event { WATCH_TIME, WATCH_WOKEN, WATCH_INTERRUPTED };

bool watch_make(struct watch **out, struct error *error);
/* At most wait_ns (UINT64_MAX: no limit; granularity 1 ms). A wake that came before is not lost. */
enum watch_event watch_wait(struct watch *watch, uint64_t wait_ns);
void watch_wake(struct watch *watch); /* from any thread */
void watch_free(struct watch *watch); /* NULL is fine; the signals are as before */

#endif
