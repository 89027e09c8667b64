/* The times of each CPU: /proc/stat has them, and libuv asks other systems. libuv's own reading of /proc/stat leaves
 * out what matters here: waiting for IO and soft interrupts. */
#define _GNU_SOURCE
#include "posix/host_posix.h"

#include "platform/clock.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

/* "cpu0 user nice system idle iowait irq softirq steal guest guest_nice"; a guest's time is in user and nice too
 * (proc(5)). Old kernels end the line earlier. */
bool host_cpu_line(const char *line, uint64_t tick_ns, struct host_cpu_counters *out)
{
    uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
    uint32_t number;
    if (strncmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9') /* scanf would skip white space */
        return false;
    if (sscanf(line,
               "cpu%" SCNu32 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64,
               &number, &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal) < 5)
        return false;
    *out = (struct host_cpu_counters){number,           (user + nice) * tick_ns, (system + irq + softirq) * tick_ns,
                                      iowait * tick_ns, idle * tick_ns,          steal * tick_ns};
    return true;
}

static bool append(struct host_cpu **list, size_t *count, size_t *room, const struct host_cpu *cpu)
{
    if (*count == *room) {
        size_t more = *room ? *room * 2 : 16;
        struct host_cpu *moved = realloc(*list, more * sizeof *moved);
        if (moved == NULL)
            return false;
        *list = moved;
        *room = more;
    }
    (*list)[(*count)++] = *cpu;
    return true;
}

/* The first line is the sum of all; the CPUs follow it and end with the first line that is none of them. */
static bool read_cpus(FILE *file, uint64_t tick_ns, struct host_cpu **list, size_t *count)
{
    char line[512];
    struct host_cpu_counters cpu;
    size_t room = 0;
    bool good = fgets(line, sizeof line, file) != NULL;
    while (good && fgets(line, sizeof line, file) != NULL && host_cpu_line(line, tick_ns, &cpu))
        good = append(list, count, &room, &(struct host_cpu){cpu.user_ns, cpu.system_ns, cpu.idle_ns + cpu.iowait_ns});
    return good;
}

size_t host_cpus_from(const char *root, uint64_t tick_ns, struct host_cpu **out)
{
    char name[PATH_BYTES];
    size_t count = 0;
    *out = NULL;
    snprintf(name, sizeof name, "%s/proc/stat", root);
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return 0;
    bool good = read_cpus(file, tick_ns, out, &count);
    fclose(file);
    if (good && count > 0)
        return count;
    free(*out);
    *out = NULL;
    return 0;
}

static size_t cpus_by_uv(struct host_cpu **out)
{
    uv_cpu_info_t *cpus;
    int count;
    *out = NULL;
    if (uv_cpu_info(&cpus, &count) != 0)
        return 0;
    struct host_cpu *list = calloc((size_t)count + 1, sizeof *list);
    for (int i = 0; list != NULL && i < count; i++)
        list[i] = (struct host_cpu){(cpus[i].cpu_times.user + cpus[i].cpu_times.nice) * NS_PER_MS,
                                    (cpus[i].cpu_times.sys + cpus[i].cpu_times.irq) * NS_PER_MS,
                                    cpus[i].cpu_times.idle * NS_PER_MS};
    uv_free_cpu_info(cpus, count);
    *out = list;
    return list != NULL ? (size_t)count : 0;
}

/* On Linux libuv would read the same file, which is not there then. */
size_t host_cpus(struct host_cpu **out)
{
    long ticks_per_s = sysconf(_SC_CLK_TCK);
    size_t count = ticks_per_s > 0 ? host_cpus_from("", NS_PER_S / (uint64_t)ticks_per_s, out) : 0;
    return count > 0 ? count : cpus_by_uv(out);
}
