#include "core/host_sample.h"

#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>

/* A counter that went back by nearly a whole turn began again; one that fell otherwise was put back to 0, as of a
 * device that went and came. */
#define LEAP_SHARE 16

static double difference(uint64_t before, uint64_t after, uint64_t turn)
{
    if (before == HOST_UNKNOWN || after == HOST_UNKNOWN)
        return NAN;
    if (after >= before)
        return (double)(after - before);
    if (before < turn && turn - before + after < turn / LEAP_SHARE)
        return (double)(turn - before + after);
    return NAN;
}

static double level(uint64_t value)
{
    return value == HOST_UNKNOWN ? NAN : (double)value;
}

static double over(double amount, double whole)
{
    return whole > 0 ? amount / whole : NAN;
}

/* ---- CPUs ---- */

struct cpu_spans {
    double user, system, iowait, idle, other; /* in ns; NAN = unknown */
};

static double span(uint64_t before, uint64_t after)
{
    if (before == HOST_UNKNOWN || after == HOST_UNKNOWN)
        return NAN;
    return after > before ? (double)(after - before) : 0;
}

static struct cpu_spans spans_of(const struct host_cpu_counters *before, const struct host_cpu_counters *after)
{
    return (struct cpu_spans){span(before->user_ns, after->user_ns), span(before->system_ns, after->system_ns),
                              span(before->iowait_ns, after->iowait_ns), span(before->idle_ns, after->idle_ns),
                              span(before->other_ns, after->other_ns)};
}

static double known_or_0(double value)
{
    return host_known(value) ? value : 0;
}

static double whole_of(const struct cpu_spans *spans)
{
    return known_or_0(spans->user) + known_or_0(spans->system) + known_or_0(spans->iowait) + known_or_0(spans->idle) +
           known_or_0(spans->other);
}

static void add(struct cpu_spans *sum, const struct cpu_spans *spans)
{
    sum->user += spans->user;
    sum->system += spans->system;
    sum->iowait += spans->iowait;
    sum->idle += spans->idle;
    sum->other += spans->other;
}

static const struct host_cpu_counters *find_cpu(const struct host_counters *counters, uint32_t number, size_t guess)
{
    if (guess < counters->cpus_count && counters->cpus[guess].number == number)
        return &counters->cpus[guess];
    for (size_t i = 0; i < counters->cpus_count; ++i)
        if (counters->cpus[i].number == number)
            return &counters->cpus[i];
    return NULL;
}

static size_t cpus_end(const struct host_counters *counters)
{
    size_t end = 0;
    for (size_t i = 0; i < counters->cpus_count; ++i)
        if (counters->cpus[i].number >= end)
            end = (size_t)counters->cpus[i].number + 1;
    return end;
}

static bool share_cpus(const struct host_counters *before, const struct host_counters *after, struct host_sample *out)
{
    struct cpu_spans sum = {0};
    size_t before_end = cpus_end(before), after_end = cpus_end(after);
    out->cpus_count = before_end > after_end ? before_end : after_end;
    out->cpu_busy_share = calloc(out->cpus_count + 1, sizeof *out->cpu_busy_share);
    if (!out->cpu_busy_share)
        return false;
    for (size_t i = 0; i < out->cpus_count; ++i)
        out->cpu_busy_share[i] = NAN;
    for (size_t i = 0; i < after->cpus_count; ++i) {
        const struct host_cpu_counters *cpu = &after->cpus[i], *earlier = find_cpu(before, cpu->number, i);
        if (!earlier)
            continue;
        struct cpu_spans spans = spans_of(earlier, cpu);
        out->cpu_busy_share[cpu->number] = over(spans.user + spans.system, whole_of(&spans));
        add(&sum, &spans);
    }
    double whole = whole_of(&sum);
    out->user_share = over(sum.user, whole);
    out->system_share = over(sum.system, whole);
    out->iowait_share = over(sum.iowait, whole);
    out->idle_share = over(sum.idle, whole);
    out->other_share = over(sum.other, whole);
    return true;
}

/* ---- devices ---- */

static const struct host_device_counters *find_device(const struct host_counters *counters, const char *name,
                                                      size_t guess)
{
    if (guess < counters->devices_count && strcmp(counters->devices[guess].name, name) == 0)
        return &counters->devices[guess];
    for (size_t i = 0; i < counters->devices_count; ++i)
        if (strcmp(counters->devices[i].name, name) == 0)
            return &counters->devices[i];
    return NULL;
}

static bool was_ever_used(const struct host_device_counters *device)
{
    return device->reads != 0 || device->writes != 0;
}

/* Its ticks may be a little longer than the time between two readings. */
static double at_most_1(double share)
{
    return share > 1 ? 1 : share;
}

static struct host_device_sample device_between(const struct host_device_counters *before,
                                                const struct host_device_counters *after, double elapsed_ns)
{
    double elapsed_s = elapsed_ns / (double)NS_PER_S;
    struct host_device_sample sample = {
        .read_iops = over(difference(before->reads, after->reads, after->count_turn), elapsed_s),
        .write_iops = over(difference(before->writes, after->writes, after->count_turn), elapsed_s),
        .read_bytes_per_s = over(difference(before->read_bytes, after->read_bytes, 0), elapsed_s),
        .write_bytes_per_s = over(difference(before->write_bytes, after->write_bytes, 0), elapsed_s),
        .queue_depth = over(difference(before->queue_ns, after->queue_ns, after->time_turn_ns), elapsed_ns),
        .utilization_share =
            at_most_1(over(difference(before->busy_ns, after->busy_ns, after->time_turn_ns), elapsed_ns)),
    };
    memcpy(sample.name, after->name, sizeof sample.name);
    return sample;
}

static bool rate_devices(const struct host_counters *before, const struct host_counters *after, double elapsed_ns,
                         struct host_sample *out)
{
    out->devices = calloc(after->devices_count + 1, sizeof *out->devices);
    if (!out->devices)
        return false;
    for (size_t i = 0; i < after->devices_count; ++i) {
        const struct host_device_counters *device = &after->devices[i], *earlier = find_device(before, device->name, i);
        if (earlier && was_ever_used(device))
            out->devices[out->devices_count++] = device_between(earlier, device, elapsed_ns);
    }
    return true;
}

/* ---- all of it ---- */

bool host_sample_between(const struct host_counters *before, const struct host_counters *after, uint64_t elapsed_ns,
                         struct host_sample *out)
{
    double elapsed_s = (double)elapsed_ns / (double)NS_PER_S;
    *out = (struct host_sample){
        .elapsed_ns = elapsed_ns,
        .runnable_threads = level(after->runnable_threads),
        .waiting_threads = level(after->waiting_threads),
        .memory_available_bytes = level(after->memory_available_bytes),
        .page_cache_bytes = level(after->page_cache_bytes),
        .dirty_bytes = level(after->dirty_bytes),
        .context_switches_per_s = over(difference(before->context_switches, after->context_switches, 0), elapsed_s),
        .network_received_bytes_per_s =
            over(difference(before->network_received_bytes, after->network_received_bytes, 0), elapsed_s),
        .network_sent_bytes_per_s =
            over(difference(before->network_sent_bytes, after->network_sent_bytes, 0), elapsed_s),
        .cpu_frequency_hz = level(after->cpu_frequency_hz),
        .throttled_per_s = over(difference(before->throttles, after->throttles, 0), elapsed_s),
        .battery_share = level(after->battery_percent) / 100,
        .on_battery = after->on_battery,
    };
    if (share_cpus(before, after, out) && rate_devices(before, after, (double)elapsed_ns, out))
        return true;
    host_sample_done(out);
    return false;
}

static void *copy_of(const void *rows, size_t count, size_t row_bytes)
{
    void *copy = calloc(count + 1, row_bytes);
    if (copy && count > 0)
        memcpy(copy, rows, count * row_bytes);
    return copy;
}

bool host_sample_copy(const struct host_sample *from, struct host_sample *out)
{
    *out = *from;
    out->cpu_busy_share = copy_of(from->cpu_busy_share, from->cpus_count, sizeof *from->cpu_busy_share);
    out->devices = copy_of(from->devices, from->devices_count, sizeof *from->devices);
    if (out->cpu_busy_share && out->devices)
        return true;
    host_sample_done(out);
    return false;
}

void host_sample_done(struct host_sample *sample)
{
    free(sample->cpu_busy_share);
    free(sample->devices);
    *sample = (struct host_sample){0};
}

bool host_series_add(struct host_series *series, struct host_sample *sample)
{
    struct host_sample *more = realloc(series->samples, (series->count + 1) * sizeof *more);
    if (!more) {
        host_sample_done(sample);
        return false;
    }
    series->samples = more;
    series->samples[series->count++] = *sample;
    return true;
}

size_t host_series_cpus(const struct host_series *series)
{
    size_t most = 0;
    for (size_t i = 0; i < series->count; ++i)
        if (series->samples[i].cpus_count > most)
            most = series->samples[i].cpus_count;
    return most;
}

void host_series_done(struct host_series *series)
{
    for (size_t i = 0; i < series->count; ++i)
        host_sample_done(&series->samples[i]);
    free(series->samples);
    *series = (struct host_series){0};
}
