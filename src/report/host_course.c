#include "report/host_course.h"

#include "platform/compiler.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number_in(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* The device that moved most bytes over all samples: that of the test, or the one that disturbed it. */
static const char *busiest_device(const json_t *samples)
{
    const char *busiest = "";
    double most = 0;
    json_t *devices = json_object(), *sample, *device, *sum;
    size_t i, k;
    const char *name;
    json_array_foreach(samples, i, sample)
    {
        json_array_foreach(json_object_get(sample, "devices"), k, device)
        {
            double bytes = number_in(device, "read_bytes_per_s") + number_in(device, "write_bytes_per_s");
            name = json_string_value(json_object_get(device, "name"));
            if (!name || !(bytes > 0))
                continue;
            sum = json_object_get(devices, name);
            json_object_set_new(devices, name, json_real(bytes + (sum ? json_real_value(sum) : 0)));
            if (json_real_value(json_object_get(devices, name)) > most) {
                most = json_real_value(json_object_get(devices, name));
                busiest = name; /* the sample's own text, which stays */
            }
        }
    }
    json_decref(devices);
    return busiest;
}

static const json_t *find_device(const json_t *sample, const char *name)
{
    json_t *device;
    size_t i;
    json_array_foreach(json_object_get(sample, "devices"), i, device)
    {
        const char *own = json_string_value(json_object_get(device, "name"));
        if (own && strcmp(own, name) == 0)
            return device;
    }
    return NULL;
}

static struct host_point read_sample(const json_t *object, const char *device_name)
{
    const json_t *cpu = json_object_get(object, "cpu"), *device = find_device(object, device_name);
    return (struct host_point){
        .end_s = number_in(object, "end_ns") / 1e9,
        .cpu_busy = 1 - number_in(cpu, "idle_share") - number_in(cpu, "iowait_share"),
        .cpu_iowait = number_in(cpu, "iowait_share"),
        .runnable = number_in(object, "runnable_threads"),
        .dirty_bytes = number_in(object, "dirty_bytes"),
        .page_cache_bytes = number_in(object, "page_cache_bytes"),
        .network_bytes_per_s =
            number_in(object, "network_received_bytes_per_s") + number_in(object, "network_sent_bytes_per_s"),
        .frequency_hz = number_in(object, "cpu_frequency_hz"),
        .throttled_per_s = number_in(object, "throttled_per_s"),
        .battery = number_in(object, "battery_share"),
        .device_busy = number_in(device, "utilization_share"),
        .device_queue = number_in(device, "queue_depth"),
    };
}

static bool read_one(const json_t *run, struct host_course *out)
{
    const json_t *samples = json_object_get(json_object_get(run, "host_series"), "samples");
    const char *device = busiest_device(samples);
    json_t *sample;
    size_t i;
    if (json_array_size(samples) == 0)
        return true;
    out->samples = calloc(json_array_size(samples), sizeof *out->samples);
    if (!out->samples)
        return false;
    snprintf(out->device, sizeof out->device, "%s", device);
    json_array_foreach(samples, i, sample)
    {
        struct host_point one = read_sample(sample, device);
        if (!json_is_true(json_object_get(sample, "warmup")) && one.end_s >= 0)
            out->samples[out->count++] = one;
    }
    return true;
}

bool host_course_read(const char *text, struct host_course *out, size_t count, struct error *error)
{
    bool good = true;
    if (count == 0 || !strstr(text, "\"host_series\""))
        return true;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *runs = json_object_get(root, "runs");
    for (size_t i = 0; good && i < count; i++)
        good = read_one(json_is_array(runs) ? json_array_get(runs, i) : i == 0 ? root : NULL, &out[i]);
    json_decref(root);
    return good || error_set(error, ERR_SYSTEM, "not enough memory for the samples of the host");
}

void host_course_free(struct host_course *series)
{
    free(series->samples);
    memset(series, 0, sizeof *series);
}
