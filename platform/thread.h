/* platform/thread.h: threads, a mutex and waiting, through libuv. */
#ifndef PLATFORM_THREAD_H
#define PLATFORM_THREAD_H

#include "platform/error.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;
/* stack_bytes 0 = the system's default. The thread must be joined; join frees it. */
bool thread_start(struct thread **out, void (*body)(void *), void *argument, uint64_t stack_bytes, struct error *error);
void thread_join(struct thread *thread);

struct mutex;
struct mutex *mutex_make(void); /* NULL when memory is short */
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);
void mutex_free(struct mutex *mutex);

/* A gate that opens once for all: threads wait at it until somebody opens it. */
struct gate;
struct gate *gate_make(void); /* NULL when memory is short */
void gate_wait(struct gate *gate);
void gate_open(struct gate *gate);
void gate_free(struct gate *gate);

/* Sleeps about so long; may wake late, never early by more than the clock's resolution. */
void thread_sleep_ns(uint64_t ns);
/* How late a sleep may well end on this system: who must be punctual sleeps shorter by this and watches the clock. */
extern const uint64_t thread_sleep_late_ns;

/* Binds the calling thread to one CPU, numbered from 0 over all CPUs that are online (on Windows over all processor
 * groups). */
bool thread_bind(uint32_t cpu, struct error *error);

/* libuv's work pool (engine `uv`) has this many threads from its first use on. 1…1024. */
void thread_pool_size(uint32_t threads);

#endif
