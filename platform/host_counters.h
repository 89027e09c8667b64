/* platform/host_counters.h: what the whole machine has done until one moment, whoever did it: counters that only grow,
 * and levels as they are now. Two of these make a sample (core/host_sample.h). What the system does not tell is
 * HOST_UNKNOWN, never a 0. */
#ifndef PLATFORM_HOST_COUNTERS_H
#define PLATFORM_HOST_COUNTERS_H

#include "platform/error.h"
#include "platform/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_UNKNOWN UINT64_MAX

/* One logical CPU that is online; a CPU keeps its number. */
struct host_cpu_counters {
    uint32_t number;
    uint64_t user_ns, system_ns; /* system: interrupts too */
    uint64_t iowait_ns;          /* idle, and a thread of this CPU waits for IO; Windows has no such state */
    uint64_t idle_ns;            /* without iowait */
    uint64_t other_ns;           /* taken away by the hypervisor; Windows does not tell */
};

/* One whole device: no partitions. Those that have never done any IO may be among them. */
#define HOST_DEVICE_NAME_BYTES 64
struct host_device_counters {
    char name[HOST_DEVICE_NAME_BYTES]; /* "nvme0n1", "0 C:" */
    uint64_t reads, writes, read_bytes, write_bytes;
    uint64_t queue_ns; /* of all requests together: the time from their submission to their end */
    uint64_t busy_ns;  /* with at least one request in flight */
    /* Where the system's own counters begin again at 0: those of reads and writes, and the two times. 0 = never. */
    uint64_t count_turn, time_turn_ns;
};

struct host_counters {
    struct host_cpu_counters *cpus;
    struct host_device_counters *devices;
    size_t cpus_count, cpus_room, devices_count, devices_room;
    /* levels */
    uint64_t runnable_threads; /* that run, without the one that asks, or are ready to */
    uint64_t waiting_threads;  /* ready, and without a CPU */
    uint64_t memory_available_bytes, page_cache_bytes;
    uint64_t dirty_bytes; /* of the page cache: not yet on a device */
    uint64_t cpu_frequency_hz;
    uint64_t battery_percent;
    enum tristate on_battery;
    /* counters */
    uint64_t context_switches;
    uint64_t network_received_bytes, network_sent_bytes; /* of all network cards, or else of all but the loopback */
    uint64_t throttles;                                  /* times that a CPU was slowed down because of its heat */
};

/* What has to be looked up once; used by one thread at a time. */
struct host_probe;
/* False when memory is short or the system tells nothing at all. May take a moment. */
bool host_probe_open(struct host_probe **out, struct error *error);
/* Fills *out, which is all zero before the first time and host_counters_done releases. What cannot be read is unknown,
 * or not among the CPUs and devices. */
void host_probe_read(struct host_probe *probe, struct host_counters *out);
void host_probe_close(struct host_probe *probe); /* NULL is fine */

/* For the files that fill it. Empties it and makes everything unknown. */
void host_counters_clear(struct host_counters *counters);
/* One row more, with every counter unknown; NULL when memory is short. */
struct host_cpu_counters *host_counters_add_cpu(struct host_counters *counters, uint32_t number);
struct host_device_counters *host_counters_add_device(struct host_counters *counters);
void host_counters_done(struct host_counters *counters); /* all zero is fine */

#endif
