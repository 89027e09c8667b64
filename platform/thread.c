#include "platform/thread.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define POOL_THREADS_MAX 1024                       /* libuv cuts off there too */
#define SLEEP_STEP_NS (UINT64_C(3600) * 1000000000) /* libuv adds the time of day to it: it must not wrap */

struct thread {
    uv_thread_t handle;
};

bool thread_start(struct thread **out, void (*body)(void *), void *argument, uint64_t stack_bytes, struct error *error)
{
    if (stack_bytes > SIZE_MAX)
        return error_set(error, ERR_USAGE, "a thread's stack of %" PRIu64 " bytes does not fit in memory", stack_bytes);
    struct thread *thread = malloc(sizeof *thread);
    if (thread == NULL)
        return error_set(error, ERR_SYSTEM, "no memory for a thread");
    uv_thread_options_t options = {.flags = stack_bytes > 0 ? UV_THREAD_HAS_STACK_SIZE : UV_THREAD_NO_FLAGS,
                                   .stack_size = (size_t)stack_bytes};
    int status = uv_thread_create_ex(&thread->handle, &options, body, argument);
    if (status != 0) {
        free(thread);
        return error_set(error, ERR_SYSTEM, "cannot start a thread: %s; take fewer threads or a smaller stack",
                         uv_strerror(status));
    }
    *out = thread;
    return true;
}

void thread_join(struct thread *thread)
{
    uv_thread_join(&thread->handle);
    free(thread);
}

struct mutex {
    uv_mutex_t handle;
};

struct mutex *mutex_make(void)
{
    struct mutex *mutex = malloc(sizeof *mutex);
    if (mutex != NULL && uv_mutex_init(&mutex->handle) != 0) {
        free(mutex);
        return NULL;
    }
    return mutex;
}

void mutex_lock(struct mutex *mutex)
{
    uv_mutex_lock(&mutex->handle);
}

void mutex_unlock(struct mutex *mutex)
{
    uv_mutex_unlock(&mutex->handle);
}

void mutex_free(struct mutex *mutex)
{
    if (mutex == NULL)
        return;
    uv_mutex_destroy(&mutex->handle);
    free(mutex);
}

/* Each thread is woken by a post of its own. With a condition they would come through its mutex one after the other,
 * each waiting for a CPU behind those that came before and compute already: of 500 most would never start. */
struct gate {
    uv_sem_t wakes;
    _Atomic bool open;
    _Atomic uint32_t waiting;
};

struct gate *gate_make(void)
{
    struct gate *gate = calloc(1, sizeof *gate);
    if (gate == NULL)
        return NULL;
    if (uv_sem_init(&gate->wakes, 0) != 0) {
        free(gate);
        return NULL;
    }
    return gate;
}

/* Who comes while it is being opened either sees that or is counted; a post too many stays unused. */
void gate_wait(struct gate *gate)
{
    atomic_fetch_add(&gate->waiting, 1);
    if (!atomic_load(&gate->open))
        uv_sem_wait(&gate->wakes);
}

void gate_open(struct gate *gate)
{
    atomic_store(&gate->open, true);
    for (uint32_t i = atomic_load(&gate->waiting); i > 0; i--)
        uv_sem_post(&gate->wakes);
}

void gate_free(struct gate *gate)
{
    if (gate == NULL)
        return;
    uv_sem_destroy(&gate->wakes);
    free(gate);
}

/* uv_sleep counts in milliseconds. A condition that nobody signals times out after nanoseconds; on Windows it
 * cuts them to milliseconds too, so that the rest of the last one is spent looking at the clock. */
void thread_sleep_ns(uint64_t ns)
{
    uint64_t start_ns = uv_hrtime(), slept_ns = 0;
    uv_mutex_t mutex;
    uv_cond_t never;
    if (uv_mutex_init(&mutex) != 0)
        return;
    if (uv_cond_init(&never) == 0) {
        uv_mutex_lock(&mutex);
        for (; slept_ns < ns; slept_ns = uv_hrtime() - start_ns)
            uv_cond_timedwait(&never, &mutex, ns - slept_ns < SLEEP_STEP_NS ? ns - slept_ns : SLEEP_STEP_NS);
        uv_mutex_unlock(&mutex);
        uv_cond_destroy(&never);
    }
    uv_mutex_destroy(&mutex);
}

void thread_pool_size(uint32_t threads)
{
    uint32_t size = threads < 1 ? 1 : threads > POOL_THREADS_MAX ? POOL_THREADS_MAX : threads;
    char text[64];
    snprintf(text, sizeof text, "UV_THREADPOOL_SIZE=%" PRIu32, size);
    uv_os_setenv("UV_THREADPOOL_SIZE", strchr(text, '=') + 1);
#ifdef _MAX_ENV
    /* libuv reads the size with getenv (src/threadpool.c). A C library with _MAX_ENV answers from a copy of its
     * own, which uv_os_setenv does not reach. */
    _putenv(text);
#endif
}
