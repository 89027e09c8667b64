/* posix/host_posix.h: host facts from the files of /proc, /sys and /etc under any root, so that tests can
 * show other machines. `root` is put before these names: "" is this machine. */
#ifndef POSIX_HOST_POSIX_H
#define POSIX_HOST_POSIX_H

#include "platform/host.h"
#include "platform/host_counters.h"

#include <stdint.h>

/* os, cpu_model, virtualization, cloud and instance_type; the rest stays 0 and "". */
void host_measure_from(const char *root, struct host_facts *out);

/* Every CPU of /proc/stat, whose ticks are so long; see host_cpus. */
size_t host_cpus_from(const char *root, uint64_t tick_ns, struct host_cpu **out);

/* One of its lines; false for "cpu ", the sum of all, and for what is no CPU. */
bool host_cpu_line(const char *line, uint64_t tick_ns, struct host_cpu_counters *out);

/* All that host_probe_read tells. */
void host_counters_from(const char *root, uint64_t tick_ns, struct host_counters *out);

/* The mount that holds the absolute path: file system, options, mount point and device. False when
 * /proc/self/mountinfo names none. Its device's number goes to the last two. */
bool host_mount_from(const char *root, const char *path, struct target_facts *out, uint32_t *major_number,
                     uint32_t *minor_number);

/* What /sys tells about that device: model, EBS volume, rotational, sectors; and its name if none is known yet. */
void host_device_from(const char *root, uint32_t major_number, uint32_t minor_number, struct target_facts *out);

#endif
