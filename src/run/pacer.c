#include "run/pacer.h"

#include "platform/clock.h"

#include <math.h>
#include <string.h>

#define PACER_STREAM (UINT64_MAX - 1) /* a random stream that no worker has */
#define WAITING_COUNTED 100000        /* more are estimated: counting takes time in which nothing else is watched */

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

static uint64_t next_due_ns(const struct pacer *pacer)
{
    return pacer->start_ns + (uint64_t)pacer->next_ns;
}

/* Leaves out what the warm-up left undone. */
static void skip_warmup(struct pacer *pacer, uint64_t now_ns)
{
    if (now_ns >= pacer->restart_ns && next_due_ns(pacer) < pacer->restart_ns) {
        pacer->start_ns = pacer->restart_ns;
        pacer->next_ns = 0;
    }
}

uint64_t pacer_take(struct pacer *pacer, uint64_t now_ns)
{
    mutex_lock(pacer->mutex);
    skip_warmup(pacer, now_ns);
    uint64_t due_ns = next_due_ns(pacer);
    pacer->next_ns += gap_ns(pacer);
    if (now_ns > due_ns && now_ns - due_ns > pacer->latest_start_ns)
        pacer->latest_start_ns = now_ns - due_ns;
    mutex_unlock(pacer->mutex);
    return due_ns;
}

/* On a copy, so that workers wait for a moment only; its random numbers give the gaps that they will get. */
uint64_t pacer_waiting(struct pacer *pacer, uint64_t now_ns)
{
    uint64_t count = 0;
    mutex_lock(pacer->mutex);
    struct pacer ahead = *pacer;
    mutex_unlock(pacer->mutex);
    skip_warmup(&ahead, now_ns);
    while (next_due_ns(&ahead) <= now_ns && count < WAITING_COUNTED) {
        ahead.next_ns += gap_ns(&ahead);
        ++count;
    }
    uint64_t due_ns = next_due_ns(&ahead);
    return due_ns > now_ns ? count : count + (uint64_t)((double)(now_ns - due_ns) / ahead.mean_gap_ns);
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
