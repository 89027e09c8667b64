/* core/host_sample_json.c: samples of the host to and from a result's JSON. */
#include "core/host_sample.h"
#include "core/json_fields.h"
#include "platform/compiler.h"

#include <stdlib.h>

#define SAMPLE(group, key, kind, field) JSON_FIELD(group, key, kind, struct host_sample, field)
#define GAUGE(field) SAMPLE(NULL, #field, GAUGE, field)
#define DEVICE(field) JSON_FIELD(NULL, #field, GAUGE, struct host_device_sample, field)

static const struct json_field series_fields[] = {
    JSON_FIELD(NULL, "interval_ns", UINT, struct host_series, interval_ns),
    JSON_FIELD(NULL, "cost_ns", UINT, struct host_series, cost_ns),
};

static const struct json_field sample_fields[] = {
    SAMPLE(NULL, "end_ns", INT, end_ns),
    SAMPLE(NULL, "elapsed_ns", UINT, elapsed_ns),
    SAMPLE("cpu", "user_share", GAUGE, user_share),
    SAMPLE("cpu", "system_share", GAUGE, system_share),
    SAMPLE("cpu", "iowait_share", GAUGE, iowait_share),
    SAMPLE("cpu", "idle_share", GAUGE, idle_share),
    SAMPLE("cpu", "other_share", GAUGE, other_share),
    GAUGE(runnable_threads),
    GAUGE(waiting_threads),
    GAUGE(memory_available_bytes),
    GAUGE(page_cache_bytes),
    GAUGE(dirty_bytes),
    GAUGE(context_switches_per_s),
    GAUGE(network_received_bytes_per_s),
    GAUGE(network_sent_bytes_per_s),
    GAUGE(cpu_frequency_hz),
    GAUGE(throttled_per_s),
    GAUGE(battery_share),
    SAMPLE(NULL, "on_battery", TRUTH, on_battery),
};

static const struct json_field device_fields[] = {
    JSON_FIELD(NULL, "name", TEXT, struct host_device_sample, name),
    DEVICE(read_iops),
    DEVICE(write_iops),
    DEVICE(read_bytes_per_s),
    DEVICE(write_bytes_per_s),
    DEVICE(queue_depth),
    DEVICE(utilization_share),
};

/* ---- writing ---- */

static json_t *of_devices(const struct host_sample *sample, bool *ok)
{
    json_t *array = json_array();
    for (size_t i = 0; i < sample->devices_count; ++i) {
        json_t *row = json_object();
        json_write_fields(row, device_fields, COUNT_OF(device_fields), &sample->devices[i], ok);
        json_append(array, row, ok);
    }
    return array;
}

static json_t *of_sample(const struct host_sample *sample, bool *ok)
{
    json_t *object = json_object(), *busy = json_array();
    for (size_t i = 0; i < sample->cpus_count; ++i)
        json_append(busy, json_of_gauge(sample->cpu_busy_share[i]), ok);
    json_write_fields(object, sample_fields, COUNT_OF(sample_fields), sample, ok);
    if (sample->warmup)
        json_put(object, "warmup", json_true(), ok);
    json_put(object, "cpu_busy_share", busy, ok);
    json_put(object, "devices", of_devices(sample, ok), ok);
    return object;
}

json_t *json_of_host_series(const struct host_series *series, bool *ok)
{
    json_t *object = json_object(), *samples = json_array();
    for (size_t i = 0; i < series->count; ++i)
        json_append(samples, of_sample(&series->samples[i], ok), ok);
    json_write_fields(object, series_fields, COUNT_OF(series_fields), series, ok);
    json_put(object, "cpus", json_of_uint(host_series_cpus(series)), ok);
    json_put(object, "samples", samples, ok);
    return object;
}

/* ---- reading ---- */

static bool refuse_memory(const struct json_place *place)
{
    return error_set(place->error, ERR_SYSTEM, "%s: not enough memory to read it", place->file);
}

static bool read_busy(const struct json_place *place, const json_t *array, struct host_sample *out)
{
    size_t count = json_array_size(array);
    out->cpu_busy_share = calloc(count + 1, sizeof *out->cpu_busy_share);
    if (!out->cpu_busy_share)
        return refuse_memory(place);
    for (; out->cpus_count < count; ++out->cpus_count)
        if (!json_read_gauge(place, "cpu_busy_share", json_array_get(array, out->cpus_count),
                             &out->cpu_busy_share[out->cpus_count]))
            return false;
    return true;
}

static bool read_devices(const struct json_place *place, const json_t *array, struct host_sample *out)
{
    size_t count = json_array_size(array);
    out->devices = calloc(count + 1, sizeof *out->devices);
    if (!out->devices)
        return refuse_memory(place);
    for (; out->devices_count < count; ++out->devices_count) {
        struct json_place inner = json_place_at(place, "devices", out->devices_count);
        if (!json_read_fields(&inner, json_array_get(array, out->devices_count), device_fields, COUNT_OF(device_fields),
                              &out->devices[out->devices_count]))
            return false;
    }
    return true;
}

static bool read_sample(const struct json_place *place, const json_t *object, struct host_sample *out)
{
    const json_t *busy = json_array_in(place, object, "cpu_busy_share");
    const json_t *devices = busy ? json_array_in(place, object, "devices") : NULL;
    out->warmup = json_is_true(json_object_get(object, "warmup"));
    return devices && json_read_fields(place, object, sample_fields, COUNT_OF(sample_fields), out) &&
           read_busy(place, busy, out) && read_devices(place, devices, out);
}

bool json_read_host_series(const struct json_place *place, const json_t *object, struct host_series *out)
{
    const json_t *samples = json_array_in(place, object, "samples");
    if (!samples || !json_read_fields(place, object, series_fields, COUNT_OF(series_fields), out))
        return false;
    if (out->interval_ns == 0)
        return json_refuse(place, "interval_ns", "must be above 0");
    for (size_t i = 0; i < json_array_size(samples); ++i) {
        struct json_place inner = json_place_at(place, "samples", i);
        struct host_sample sample = {0};
        bool good = read_sample(&inner, json_array_get(samples, i), &sample);
        if (!good)
            host_sample_done(&sample);
        else if (!host_series_add(out, &sample))
            good = refuse_memory(place);
        if (!good)
            return false;
    }
    return true;
}
