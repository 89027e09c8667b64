#define _GNU_SOURCE
#include "platform/thread.h"

#include <inttypes.h>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>

#define CPUS_MAX 4096

bool thread_bind(uint32_t cpu, struct error *error)
{
    cpu_set_t *set = CPU_ALLOC(CPUS_MAX); /* a plain cpu_set_t ends at 1024 */
    size_t bytes = CPU_ALLOC_SIZE(CPUS_MAX);
    if (set == NULL)
        return error_set(error, ERR_SYSTEM, "no memory for a set of CPUs");
    CPU_ZERO_S(bytes, set);
    CPU_SET_S(cpu, bytes, set);
    int code = pthread_setaffinity_np(pthread_self(), bytes, set);
    CPU_FREE(set);
    if (code != 0)
        return error_set_os(error, code, "--cpus: cannot bind a thread to CPU %" PRIu32, cpu);
    return true;
}
#else
bool thread_bind(uint32_t cpu, struct error *error)
{
    return error_set(error, ERR_UNSUPPORTED, "--cpus: this system binds no thread to a CPU (asked for CPU %" PRIu32 ")",
                     cpu);
}
#endif

/* Timer slack is 50 µs (prctl(2), PR_SET_TIMERSLACK), and waking from an idle state comes on top. */
const uint64_t thread_sleep_late_ns = 100000;
