#include "run/pacer.h"

#include "platform/clock.h"

#include <math.h>
#include <string.h>

#define PACER_STREAM (UINT64_MAX - 1) /* a random stream that no worker has */

bool pacer_init(struct pacer *pacer, const struct job *job)
{
    memset(pacer, 0, sizeof(*pacer));
    pacer->arrival = job->arrival;
    pacer->mean_gap_ns = (double)NS_PER_S / job->rate;
    random_init(&pacer->random, job->seed, PACER_STREAM);
    pacer->mutex = mutex_make();
    return pacer->mutex != NULL;
}

void pacer_done(struct pacer *pacer)
{
    if (pacer->mutex)
        mutex_free(pacer->mutex);
    pacer->mutex = NULL;
}

void pacer_start(struct pacer *pacer, uint64_t start_ns)
{
    pacer->start_ns = start_ns;
}

void pacer_restart(struct pacer *pacer, uint64_t restart_ns)
{
    mutex_lock(pacer->mutex);
    pacer->restart_ns = restart_ns;
    pacer->latest_start_ns = 0;
    mutex_unlock(pacer->mutex);
}

/* Poisson arrivals have exponential gaps; 1 − u is never 0. */
static double gap_ns(struct pacer *pacer)
{
    return pacer->arrival == ARRIVAL_UNIFORM ? pacer->mean_gap_ns
                                             : -log(1 - random_unit(&pacer->random)) * pacer->mean_gap_ns;
}

uint64_t pacer_take(struct pacer *pacer, uint64_t now_ns)
{
    mutex_lock(pacer->mutex);
    if (now_ns >= pacer->restart_ns && pacer->start_ns + (uint64_t)pacer->next_ns < pacer->restart_ns) {
        pacer->start_ns = pacer->restart_ns;
        pacer->next_ns = 0;
    }
    uint64_t due_ns = pacer->start_ns + (uint64_t)pacer->next_ns;
    pacer->next_ns += gap_ns(pacer);
    if (now_ns > due_ns && now_ns - due_ns > pacer->latest_start_ns)
        pacer->latest_start_ns = now_ns - due_ns;
    mutex_unlock(pacer->mutex);
    return due_ns;
}

uint64_t pacer_wait(const struct clock *clock, uint64_t due_ns)
{
    uint64_t now_ns = clock_now_ns(clock);
    while (now_ns < due_ns) {
        uint64_t left_ns = due_ns - now_ns;
        if (left_ns > thread_sleep_late_ns)
            thread_sleep_ns(left_ns - thread_sleep_late_ns);
        now_ns = clock_now_ns(clock);
    }
    return now_ns;
}
