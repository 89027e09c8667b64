/* platform/clock.h: time as uint64_t nanoseconds from one monotonic counter.
 * Durations are made by clock_elapsed_ns alone and never go below zero. */
#ifndef PLATFORM_CLOCK_H
#define PLATFORM_CLOCK_H

#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

/* A counter that goes up `ticks_per_s` times a second. Tests inject their own. */
struct clock {
    uint64_t (*read_ticks)(void *context);
    void *context;
    uint64_t ticks_per_s;
    const char *name; /* "CLOCK_MONOTONIC", "QueryPerformanceCounter" */
};

/* The system's monotonic counter: CLOCK_MONOTONIC, or QueryPerformanceCounter. It does not go on
 * while the machine sleeps on Linux; on Windows it does. Never fails. */
struct clock clock_system(void);

/* Whole seconds and the remainder are converted apart, so that nothing overflows for
 * `ticks_per_s` up to 18 GHz and 584 years of uptime. ticks_per_s must not be 0. */
static inline uint64_t clock_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_s)
{
    return ticks / ticks_per_s * NS_PER_S + ticks % ticks_per_s * NS_PER_S / ticks_per_s;
}

static inline uint64_t clock_now_ns(const struct clock *clock)
{
    uint64_t ticks = clock->read_ticks(clock->context);
    return clock->ticks_per_s == NS_PER_S ? ticks : clock_ticks_to_ns(ticks, clock->ticks_per_s);
}

/* end − start, or 0 when the clock stepped back, which is counted in *steps_back. */
static inline uint64_t clock_elapsed_ns(uint64_t start_ns, uint64_t end_ns, uint64_t *steps_back)
{
    if (end_ns >= start_ns)
        return end_ns - start_ns;
    ++*steps_back;
    return 0;
}

struct clock_facts {
    char name[32];
    uint64_t ticks_per_s;
    uint64_t resolution_ns; /* smallest step seen between two readings, at least 1 */
    double cost_ns;         /* time of one reading, mean of many */
};

/* Measures the clock; takes a few milliseconds. */
void clock_measure(const struct clock *clock, struct clock_facts *out);

/* Wall clock: nanoseconds since 1970-01-01 UTC. For dates in results, never for durations. */
uint64_t clock_wall_ns(void);

#endif
