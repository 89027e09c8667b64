#include "platform/clock.h"

#include <stdio.h>
#include <uv.h>

/* Enough steps to see the smallest; a bound on the readings for counters that step every few milliseconds. */
#define STEPS_WANTED 1000
#define READINGS_MAX 2000000
#define COST_READINGS 10000

/* The smallest step between two readings in ticks; 0 when the counter did not move. */
static uint64_t smallest_step(const struct clock *clock)
{
    uint64_t smallest = 0, last = clock->read_ticks(clock->context);
    uint32_t steps = 0;
    for (uint32_t reading = 0; reading < READINGS_MAX && steps < STEPS_WANTED; reading++) {
        uint64_t now = clock->read_ticks(clock->context);
        if (now > last) {
            steps++;
            if (smallest == 0 || now - last < smallest)
                smallest = now - last;
        }
        last = now;
    }
    return smallest;
}

static double reading_cost_ns(const struct clock *clock)
{
    uint64_t steps_back = 0;
    uint64_t start_ns = clock_now_ns(clock), end_ns = start_ns;
    for (uint32_t reading = 0; reading < COST_READINGS; reading++)
        end_ns = clock_now_ns(clock);
    return (double)clock_elapsed_ns(start_ns, end_ns, &steps_back) / COST_READINGS;
}

void clock_measure(const struct clock *clock, struct clock_facts *out)
{
    *out = (struct clock_facts){.ticks_per_s = clock->ticks_per_s};
    snprintf(out->name, sizeof out->name, "%s", clock->name);
    uint64_t ticks = smallest_step(clock);
    /* A counter that never moved cannot be finer than one of its ticks. */
    out->resolution_ns = clock_ticks_to_ns(ticks > 0 ? ticks : 1, clock->ticks_per_s);
    if (out->resolution_ns == 0)
        out->resolution_ns = 1;
    out->cost_ns = reading_cost_ns(clock);
}

uint64_t clock_wall_ns(void)
{
    uv_timeval64_t now;
    if (uv_gettimeofday(&now) != 0 || now.tv_sec < 0)
        return 0;
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_usec * 1000;
}
