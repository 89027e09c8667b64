/* platform/host.h: facts about the machine, the volume under test and the CPU time used. No network. */
#ifndef PLATFORM_HOST_H
#define PLATFORM_HOST_H

#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_facts {
    char os[128];     /* "Debian GNU/Linux 12 (bookworm)", "Windows 10.0.19045" */
    char kernel[128]; /* "Linux 6.1.0 x86_64" */
    char cpu_model[128];
    char virtualization[64]; /* "kvm", "xen", "hyper-v", "vmware", "none"; "" = unknown */
    char cloud[64];          /* "aws", "azure", "gcp"; "" = none or unknown; from DMI/SMBIOS */
    char instance_type[64];  /* "m5.large" where DMI/SMBIOS tells it; else "" */
    uint32_t cpu_count;      /* logical CPUs that are online */
    uint64_t memory_bytes;
    uint32_t page_bytes;
};

enum tristate { TRI_UNKNOWN, TRI_NO, TRI_YES };

struct target_facts {
    char file_system[32];    /* "ext4", "NTFS" */
    char mount_options[512]; /* Linux's options, Windows' volume flags in words */
    char mount_point[256];
    char device[128];       /* "/dev/nvme0n1p1", "\\\\?\\Volume{…}\\" */
    char device_model[128]; /* "Amazon Elastic Block Store", "Samsung SSD 980" */
    char ebs_volume_id[64]; /* "vol-0123…" where the NVMe serial carries it */
    enum tristate rotational;
    uint32_t logical_sector_bytes, physical_sector_bytes; /* 0 = unknown */
    uint64_t total_bytes, free_bytes;                     /* of the file system */
};

/* Both leave "" and 0 where the system does not tell. host_measure never fails; host_target fails only when
 * the path does not exist. */
void host_measure(struct host_facts *out);
bool host_target(const char *path, struct target_facts *out, struct error *error);

/* For a device that is to be written: fails, naming why, when it is mounted or otherwise in use. A regular file is
 * free. */
bool host_device_is_free(const char *path, struct error *error);

/* The computer's name, as its own network settings have it; "" where the system does not tell. */
#define HOST_NAME_BYTES 256
void host_name(char out[HOST_NAME_BYTES]);

/* CPU time of this process since its start. */
void host_cpu_time(uint64_t *user_ns, uint64_t *system_ns);

/* What one CPU that is online has done since the system's start, whoever used it. Interrupts count as system, waiting
 * for IO as idle; what a hypervisor took away is in none. The system counts in ticks of up to 1/64 s. */
struct host_cpu {
    uint64_t user_ns, system_ns, idle_ns;
};

/* One for each, in the system's order, for free(); how many. 0 and NULL where the system does not tell. */
size_t host_cpus(struct host_cpu **out);

/* How long the calling thread has been ready to run and had no CPU, since its start. False where the system does not
 * tell. */
bool host_run_wait(uint64_t *wait_ns);

/* Open files this process may have at once, after raising the limit as far as it goes; UINT64_MAX = no limit. */
uint64_t host_open_files_limit(void);

/* Bytes that this process may let a file grow to (ulimit -f); UINT64_MAX = no limit. A write beyond it is an error. */
uint64_t host_file_size_limit(void);

/* Ways to a server on this host, beside TCP. */
extern const bool host_has_unix_sockets, host_has_named_pipes;

#endif
