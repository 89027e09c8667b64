/* core/host_sample.h: what the whole machine did between two moments: rates and shares from two readings of its
 * counters (platform/host_counters.h), and the series of them that a run's setting `sample` makes. */
#ifndef CORE_HOST_SAMPLE_H
#define CORE_HOST_SAMPLE_H

#include "platform/host_counters.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers that the system does not tell are NAN. */
static inline bool host_known(double value)
{
    return value == value; /* isnan() warns in mingw's headers */
}

struct host_device_sample {
    char name[HOST_DEVICE_NAME_BYTES];
    double read_iops, write_iops, read_bytes_per_s, write_bytes_per_s;
    double queue_depth;       /* requests in the device and its queue, mean over time */
    double utilization_share; /* of the time, with at least one of them */
};

/* The lists are the sample's own; host_sample_done releases them. */
struct host_sample {
    int64_t end_ns; /* since the measured part began: below 0 before it */
    uint64_t elapsed_ns;
    bool warmup; /* most of it lies before the measured part */
    double user_share, system_share, iowait_share, idle_share, other_share; /* of all CPUs; those known sum to 1 */
    double *cpu_busy_share; /* user and system, by the CPU's number; unknown where it was not online all the time */
    size_t cpus_count;
    double runnable_threads, waiting_threads, memory_available_bytes, page_cache_bytes, dirty_bytes; /* at its end */
    double context_switches_per_s, network_received_bytes_per_s, network_sent_bytes_per_s;
    double cpu_frequency_hz, throttled_per_s;
    double battery_share;
    enum tristate on_battery;
    struct host_device_sample *devices; /* that were there all the time and have ever done anything */
    size_t devices_count;
};

/* From `before` to `after`, which were read elapsed_ns apart; 0 makes every rate unknown. Counters that went back are
 * unknown too, unless they began again at their turn. Times of a CPU never go below 0: Linux' iowait may step back
 * (proc(5)). end_ns and warmup are left to the caller. False when memory is short. */
bool host_sample_between(const struct host_counters *before, const struct host_counters *after, uint64_t elapsed_ns,
                         struct host_sample *out);
bool host_sample_copy(const struct host_sample *from, struct host_sample *out); /* false when memory is short */
void host_sample_done(struct host_sample *sample);                              /* all zero is fine */

struct host_series {
    uint64_t interval_ns; /* 0 = nobody asked for samples */
    uint64_t cost_ns;     /* the time that taking one took, mean */
    struct host_sample *samples;
    size_t count;
};

/* Takes the sample over. False when memory is short: then it is released. */
bool host_series_add(struct host_series *series, struct host_sample *sample);
size_t host_series_cpus(const struct host_series *series); /* the most CPUs that a sample has */
void host_series_done(struct host_series *series);

#endif
