#include "platform/host_counters.h"

#include <stdlib.h>

void host_counters_clear(struct host_counters *counters)
{
    struct host_counters kept = *counters;
    *counters = (struct host_counters){
        .cpus = kept.cpus,
        .devices = kept.devices,
        .cpus_room = kept.cpus_room,
        .devices_room = kept.devices_room,
        .runnable_threads = HOST_UNKNOWN,
        .waiting_threads = HOST_UNKNOWN,
        .memory_available_bytes = HOST_UNKNOWN,
        .page_cache_bytes = HOST_UNKNOWN,
        .dirty_bytes = HOST_UNKNOWN,
        .cpu_frequency_hz = HOST_UNKNOWN,
        .battery_percent = HOST_UNKNOWN,
        .on_battery = TRI_UNKNOWN,
        .context_switches = HOST_UNKNOWN,
        .network_received_bytes = HOST_UNKNOWN,
        .network_sent_bytes = HOST_UNKNOWN,
        .throttles = HOST_UNKNOWN,
    };
}

/* Room for one row more. */
static bool grow(void **rows, size_t row_bytes, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 16;
    void *moved = realloc(*rows, more * row_bytes);
    if (moved == NULL)
        return false;
    *rows = moved;
    *room = more;
    return true;
}

struct host_cpu_counters *host_counters_add_cpu(struct host_counters *counters, uint32_t number)
{
    void *rows = counters->cpus;
    if (!grow(&rows, sizeof *counters->cpus, counters->cpus_count, &counters->cpus_room))
        return NULL;
    counters->cpus = rows;
    struct host_cpu_counters *cpu = &counters->cpus[counters->cpus_count++];
    *cpu = (struct host_cpu_counters){number, HOST_UNKNOWN, HOST_UNKNOWN, HOST_UNKNOWN, HOST_UNKNOWN, HOST_UNKNOWN};
    return cpu;
}

struct host_device_counters *host_counters_add_device(struct host_counters *counters)
{
    void *rows = counters->devices;
    if (!grow(&rows, sizeof *counters->devices, counters->devices_count, &counters->devices_room))
        return NULL;
    counters->devices = rows;
    struct host_device_counters *device = &counters->devices[counters->devices_count++];
    *device = (struct host_device_counters){.reads = HOST_UNKNOWN,
                                            .writes = HOST_UNKNOWN,
                                            .read_bytes = HOST_UNKNOWN,
                                            .write_bytes = HOST_UNKNOWN,
                                            .queue_ns = HOST_UNKNOWN,
                                            .busy_ns = HOST_UNKNOWN};
    return device;
}

void host_counters_done(struct host_counters *counters)
{
    free(counters->cpus);
    free(counters->devices);
    *counters = (struct host_counters){0};
}
