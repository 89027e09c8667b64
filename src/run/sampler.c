#include "run/sampler.h"

#include "platform/thread.h"
#include "platform/watch.h"

#include <stdatomic.h>
#include <stdlib.h>

#define NOT_YET UINT64_MAX
#define BEGIN_SHARE 16 /* of an interval: so late a sample may begin and still be one of the measured part */

struct sampler {
    struct clock clock;
    uint64_t interval_ns;
    struct host_probe *probe;
    struct watch *watch; /* the thread's own; a Ctrl-C ends its wait as it does all others, and is for others to heed */
    struct thread *thread;
    atomic_bool started, stopping;
    _Atomic uint64_t measure_from_ns; /* NOT_YET until it has come */

    /* of the thread alone, until it has ended */
    struct host_counters before, after;
    uint64_t before_ns, next_ns;
    uint64_t origin_ns; /* as measure_from_ns, once the thread has seen it */
    uint64_t readings, cost_sum_ns;

    struct mutex *mutex; /* what follows */
    struct host_series series;
};

/* ---- the thread ---- */

static uint64_t now_ns(const struct sampler *sampler)
{
    return clock_now_ns(&sampler->clock);
}

/* When it was read. */
static uint64_t read_into(struct sampler *sampler, struct host_counters *counters)
{
    uint64_t steps_back = 0, at_ns = now_ns(sampler);
    host_probe_read(sampler->probe, counters);
    sampler->cost_sum_ns += clock_elapsed_ns(at_ns, now_ns(sampler), &steps_back);
    ++sampler->readings;
    return at_ns;
}

static void keep(struct sampler *sampler, uint64_t after_ns)
{
    struct host_sample sample;
    uint64_t steps_back = 0;
    if (!host_sample_between(&sampler->before, &sampler->after,
                             clock_elapsed_ns(sampler->before_ns, after_ns, &steps_back), &sample))
        return; /* the samples have a gap then, which their times show */
    sample.end_ns = (int64_t)after_ns;
    mutex_lock(sampler->mutex);
    host_series_add(&sampler->series, &sample);
    mutex_unlock(sampler->mutex);
}

/* One sample ends, the next begins. */
static void take_sample(struct sampler *sampler)
{
    uint64_t after_ns = read_into(sampler, &sampler->after);
    keep(sampler, after_ns);
    struct host_counters spent = sampler->before;
    sampler->before = sampler->after;
    sampler->after = spent;
    sampler->before_ns = after_ns;
}

/* Is there one that lies in the measured part? */
static bool has_measured(const struct sampler *sampler)
{
    const struct host_series *series = &sampler->series;
    return series->count > 0 && (uint64_t)series->samples[series->count - 1].end_ns > sampler->origin_ns &&
           series->samples[series->count - 1].elapsed_ns >= sampler->interval_ns / 2;
}

static void take_last(struct sampler *sampler)
{
    uint64_t steps_back = 0;
    if (clock_elapsed_ns(sampler->before_ns, now_ns(sampler), &steps_back) >= sampler->interval_ns / 2 ||
        !has_measured(sampler))
        take_sample(sampler);
}

static void begin(struct sampler *sampler)
{
    sampler->before_ns = read_into(sampler, &sampler->before);
    sampler->next_ns = sampler->before_ns + sampler->interval_ns;
}

/* Once, when the measured part has come. Without a warm-up it begins with the first reading. */
static void heed_measured_part(struct sampler *sampler)
{
    uint64_t from_ns = atomic_load(&sampler->measure_from_ns);
    if (from_ns == NOT_YET || sampler->origin_ns != NOT_YET)
        return;
    bool begins_with_it = sampler->before_ns + sampler->interval_ns / BEGIN_SHARE >= from_ns;
    sampler->origin_ns = from_ns;
    sampler->next_ns = begins_with_it ? from_ns + sampler->interval_ns : from_ns;
}

/* Takes the sample that is due, if one is. */
static void take_turn(struct sampler *sampler)
{
    heed_measured_part(sampler);
    if (now_ns(sampler) >= sampler->next_ns)
        take_sample(sampler);
    while (sampler->next_ns <= sampler->before_ns)
        sampler->next_ns += sampler->interval_ns;
}

static void wait_for_next(struct sampler *sampler)
{
    uint64_t at_ns = now_ns(sampler);
    watch_wait(sampler->watch, sampler->next_ns > at_ns ? sampler->next_ns - at_ns : 0);
}

static void body(void *argument)
{
    struct sampler *sampler = argument;
    while (!atomic_load(&sampler->started) && !atomic_load(&sampler->stopping))
        watch_wait(sampler->watch, UINT64_MAX);
    if (!atomic_load(&sampler->started))
        return;
    begin(sampler);
    while (!atomic_load(&sampler->stopping)) {
        wait_for_next(sampler);
        if (!atomic_load(&sampler->stopping))
            take_turn(sampler);
    }
    sampler->origin_ns = atomic_load(&sampler->measure_from_ns);
    take_last(sampler);
}

/* ---- who conducts it ---- */

bool sampler_make(struct sampler **out, const struct clock *clock, uint64_t interval_ns, struct error *error)
{
    struct sampler *sampler = calloc(1, sizeof *sampler);
    *out = sampler;
    if (!sampler)
        return error_set(error, ERR_SYSTEM, "not enough memory for --sample");
    sampler->clock = *clock;
    sampler->interval_ns = interval_ns;
    sampler->origin_ns = NOT_YET;
    atomic_store(&sampler->measure_from_ns, NOT_YET);
    sampler->mutex = mutex_make();
    if (!sampler->mutex)
        return error_set(error, ERR_SYSTEM, "not enough memory for --sample");
    if (!host_probe_open(&sampler->probe, error) || !watch_make(&sampler->watch, error))
        return false;
    host_probe_read(sampler->probe, &sampler->before); /* the first one may load libraries */
    return thread_start(&sampler->thread, body, sampler, 0, error);
}

void sampler_start(struct sampler *sampler)
{
    atomic_store(&sampler->started, true);
    watch_wake(sampler->watch);
}

void sampler_measure_from(struct sampler *sampler, uint64_t from_ns)
{
    atomic_store(&sampler->measure_from_ns, from_ns);
    watch_wake(sampler->watch);
}

void sampler_stop(struct sampler *sampler)
{
    if (!sampler || !sampler->thread)
        return;
    atomic_store(&sampler->stopping, true);
    watch_wake(sampler->watch);
    thread_join(sampler->thread);
    sampler->thread = NULL;
}

bool sampler_newest(struct sampler *sampler, struct host_sample *out)
{
    mutex_lock(sampler->mutex);
    const struct host_series *series = &sampler->series;
    bool there = series->count > 0 && host_sample_copy(&series->samples[series->count - 1], out);
    mutex_unlock(sampler->mutex);
    return there;
}

/* Of a run that never came to its measured part all is warm-up, counted from its end. */
static void count_from(struct host_series *series, uint64_t origin_ns)
{
    if (origin_ns == NOT_YET && series->count > 0)
        origin_ns = (uint64_t)series->samples[series->count - 1].end_ns;
    for (size_t i = 0; i < series->count; ++i) {
        struct host_sample *sample = &series->samples[i];
        sample->end_ns -= (int64_t)origin_ns;
        sample->warmup = sample->end_ns < (int64_t)(sample->elapsed_ns / 2);
    }
}

void sampler_take(struct sampler *sampler, struct host_series *out)
{
    *out = sampler->series;
    sampler->series = (struct host_series){0};
    out->interval_ns = sampler->interval_ns;
    out->cost_ns = sampler->readings ? sampler->cost_sum_ns / sampler->readings : 0;
    count_from(out, sampler->origin_ns);
}

void sampler_free(struct sampler *sampler)
{
    if (!sampler)
        return;
    sampler_stop(sampler);
    host_series_done(&sampler->series);
    host_counters_done(&sampler->before);
    host_counters_done(&sampler->after);
    host_probe_close(sampler->probe);
    watch_free(sampler->watch);
    mutex_free(sampler->mutex);
    free(sampler);
}
