#define _GNU_SOURCE
#include "platform/clock.h"

#include <stddef.h>
#include <time.h>

static uint64_t read_monotonic(void *context)
{
    (void)context;
#ifdef __APPLE__
    return clock_gettime_nsec_np(CLOCK_UPTIME_RAW); /* CLOCK_MONOTONIC counts microseconds there */
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
#endif
}

struct clock clock_system(void)
{
#ifdef __APPLE__
    const char *name = "CLOCK_UPTIME_RAW";
#else
    const char *name = "CLOCK_MONOTONIC";
#endif
    return (struct clock){.read_ticks = read_monotonic, .context = NULL, .ticks_per_s = NS_PER_S, .name = name};
}
