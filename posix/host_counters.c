/* The machine's counters: /proc and /sys of Linux (proc(5), the kernel's Documentation/admin-guide/iostats.rst and
 * Documentation/ABI/testing/sysfs-class-power). */
#define _GNU_SOURCE
#include "platform/host_counters.h"

#include "platform/clock.h"
#include "platform/path.h"
#include "posix/host_posix.h"
#include "posix/small_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR_BYTES 512 /* of diskstats, whatever the device's own are */
#define KIB UINT64_C(1024)
#define TURN_32 (UINT64_C(1) << 32)

/* ---- line by line ---- */

struct lines {
    const char *root;
    uint64_t tick_ns;
    struct host_counters *out;
    bool cards; /* a network card was seen: then other interfaces are no longer counted */
};

/* Of any length: the line of the interrupts is very long on large machines. */
static void each_line(struct lines *lines, const char *file_name, void (*take)(struct lines *, const char *line))
{
    char path[PATH_BYTES], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s%s", lines->root, file_name);
    FILE *file = fopen(path, "re");
    while (file != NULL && getline(&line, &room, file) >= 0)
        take(lines, line);
    free(line);
    if (file != NULL)
        fclose(file);
}

/* The number that follows `key` at the line's start, times `unit`. */
static void take_number(const char *line, const char *key, uint64_t unit, uint64_t *out)
{
    size_t length = strlen(key);
    uint64_t value;
    if (strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNu64, &value) == 1)
        *out = value * unit;
}

static bool exists(const char *format, const char *root, const char *name)
{
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, format, root, name);
    return length < PATH_BYTES && access(path, F_OK) == 0;
}

/* ---- CPUs and memory ---- */

static void take_stat(struct lines *lines, const char *line)
{
    struct host_cpu_counters cpu;
    if (host_cpu_line(line, lines->tick_ns, &cpu)) {
        struct host_cpu_counters *row = host_counters_add_cpu(lines->out, cpu.number);
        if (row != NULL)
            *row = cpu;
        return;
    }
    take_number(line, "ctxt ", 1, &lines->out->context_switches);
    take_number(line, "procs_running ", 1, &lines->out->runnable_threads);
}

/* The thread that reads it is one of those that run. */
static void leave_out_this_thread(struct host_counters *out)
{
    if (out->runnable_threads != HOST_UNKNOWN && out->runnable_threads > 0)
        --out->runnable_threads;
}

struct memory_parts {
    uint64_t cached, buffers, dirty, writeback;
};

/* a + b, or unknown where one is. */
static uint64_t sum(uint64_t a, uint64_t b)
{
    return a == HOST_UNKNOWN || b == HOST_UNKNOWN ? HOST_UNKNOWN : a + b;
}

static void read_memory(const char *root, struct host_counters *out)
{
    struct memory_parts parts = {HOST_UNKNOWN, HOST_UNKNOWN, HOST_UNKNOWN, HOST_UNKNOWN};
    char text[8192];
    small_file_read(text, sizeof text, "%s/proc/meminfo", root);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        take_number(line, "MemAvailable:", KIB, &out->memory_available_bytes);
        take_number(line, "Cached:", KIB, &parts.cached);
        take_number(line, "Buffers:", KIB, &parts.buffers);
        take_number(line, "Dirty:", KIB, &parts.dirty);
        take_number(line, "Writeback:", KIB, &parts.writeback);
    }
    out->page_cache_bytes = sum(parts.cached, parts.buffers);
    out->dirty_bytes = sum(parts.dirty, parts.writeback);
}

/* Means and sums over the CPUs that tell. */
static void read_speed(const char *root, struct host_counters *out)
{
    uint64_t khz_sum = 0, told = 0;
    char text[32];
    for (size_t i = 0; i < out->cpus_count; ++i) {
        uint32_t cpu = out->cpus[i].number;
        if (small_file_read(text, sizeof text, "%s/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", root, cpu) &&
            strtoull(text, NULL, 10) > 0) {
            khz_sum += strtoull(text, NULL, 10);
            ++told;
        }
        if (small_file_read(text, sizeof text, "%s/sys/devices/system/cpu/cpu%u/thermal_throttle/core_throttle_count",
                            root, cpu))
            out->throttles = (out->throttles == HOST_UNKNOWN ? 0 : out->throttles) + strtoull(text, NULL, 10);
    }
    if (told > 0)
        out->cpu_frequency_hz = khz_sum * 1000 / told;
}

/* ---- devices ---- */

/* "major minor name reads merged sectors ms writes merged sectors ms in-flight busy-ms queue-ms …" */
static bool parse_device(const char *line, struct host_device_counters *out)
{
    uint64_t read_sectors, write_sectors, busy_ms, queue_ms;
    if (sscanf(line,
               "%*u %*u %63s %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %*u %" SCNu64 " %" SCNu64,
               out->name, &out->reads, &read_sectors, &out->writes, &write_sectors, &busy_ms, &queue_ms) < 7)
        return false;
    out->read_bytes = read_sectors * SECTOR_BYTES;
    out->write_bytes = write_sectors * SECTOR_BYTES;
    out->busy_ns = busy_ms * NS_PER_MS;
    out->queue_ns = queue_ms * NS_PER_MS;
    out->count_turn = sizeof(long) == 4 ? TURN_32 : 0; /* unsigned long */
    out->time_turn_ns = TURN_32 * NS_PER_MS;           /* printed as unsigned int */
    return true;
}

static bool is_partition(const char *root, const char *device_name)
{
    char name[HOST_DEVICE_NAME_BYTES];
    snprintf(name, sizeof name, "%s", device_name);
    for (char *slash = name; (slash = strchr(slash, '/')) != NULL;) /* as sysfs has "cciss/c0d0" */
        *slash = '!';
    return exists("%s/sys/class/block/%s/partition", root, name);
}

static void take_device(struct lines *lines, const char *line)
{
    struct host_device_counters device = {0};
    if (!parse_device(line, &device) || is_partition(lines->root, device.name))
        return;
    struct host_device_counters *row = host_counters_add_device(lines->out);
    if (row != NULL)
        *row = device;
}

/* ---- network ---- */

/* "  eth0: received packets errs drop fifo frame compressed multicast sent …" */
static void take_interface(struct lines *lines, const char *line)
{
    char name[64];
    uint64_t received, sent;
    struct host_counters *out = lines->out;
    if (sscanf(line, " %63[^: ]: %" SCNu64 " %*u %*u %*u %*u %*u %*u %*u %" SCNu64, name, &received, &sent) != 3 ||
        strcmp(name, "lo") == 0)
        return;
    bool is_card = exists("%s/sys/class/net/%s/device", lines->root, name);
    if (lines->cards && !is_card)
        return;
    if (out->network_received_bytes == HOST_UNKNOWN || (is_card && !lines->cards))
        out->network_received_bytes = out->network_sent_bytes = 0;
    out->network_received_bytes += received;
    out->network_sent_bytes += sent;
    lines->cards = is_card;
}

/* ---- power ---- */

static uint64_t level_of(const char *root, const char *name, const char *now, const char *full)
{
    uint64_t most = small_file_number("%s/sys/class/power_supply/%s/%s", root, name, full);
    uint64_t level = small_file_number("%s/sys/class/power_supply/%s/%s", root, name, now);
    return most == 0 ? HOST_UNKNOWN : level >= most ? 100 : level * 100 / most;
}

/* The first battery stands for all. */
static void read_battery(const char *root, const char *name, struct host_counters *out)
{
    char text[32];
    if (out->battery_percent != HOST_UNKNOWN)
        return;
    out->battery_percent = level_of(root, name, "energy_now", "energy_full");
    if (out->battery_percent == HOST_UNKNOWN)
        out->battery_percent = level_of(root, name, "charge_now", "charge_full");
    if (out->battery_percent == HOST_UNKNOWN &&
        small_file_read(text, sizeof text, "%s/sys/class/power_supply/%s/capacity", root, name))
        out->battery_percent = strtoull(text, NULL, 10);
    if (small_file_read(text, sizeof text, "%s/sys/class/power_supply/%s/status", root, name) &&
        strcmp(text, "Unknown") != 0)
        out->on_battery = strcmp(text, "Discharging") == 0 ? TRI_YES : TRI_NO;
}

/* A mouse's battery has the scope Device. */
static void read_supply(const char *root, const char *name, struct host_counters *out)
{
    char type[32], scope[32];
    small_file_read(type, sizeof type, "%s/sys/class/power_supply/%s/type", root, name);
    small_file_read(scope, sizeof scope, "%s/sys/class/power_supply/%s/scope", root, name);
    if (strcmp(type, "Battery") == 0 && strcmp(scope, "Device") != 0)
        read_battery(root, name, out);
}

static void read_power(const char *root, struct host_counters *out)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/sys/class/power_supply", root);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.')
            read_supply(root, entry->d_name, out);
    if (directory != NULL)
        closedir(directory);
}

/* ---- all of it ---- */

void host_counters_from(const char *root, uint64_t tick_ns, struct host_counters *out)
{
    struct lines lines = {root, tick_ns, out, false};
    host_counters_clear(out);
    each_line(&lines, "/proc/stat", take_stat);
    leave_out_this_thread(out);
    each_line(&lines, "/proc/diskstats", take_device);
    each_line(&lines, "/proc/net/dev", take_interface);
    read_memory(root, out);
    read_speed(root, out);
    read_power(root, out);
}

struct host_probe {
    uint64_t tick_ns;
};

bool host_probe_open(struct host_probe **out, struct error *error)
{
    long ticks_per_s = sysconf(_SC_CLK_TCK);
    if (ticks_per_s <= 0 || access("/proc/stat", R_OK) != 0)
        return error_set(error, ERR_UNSUPPORTED, "not supported: the host's figures, as this system has no /proc/stat");
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return error_set(error, ERR_SYSTEM, "not enough memory for the host's figures");
    (*out)->tick_ns = NS_PER_S / (uint64_t)ticks_per_s;
    return true;
}

void host_probe_read(struct host_probe *probe, struct host_counters *out)
{
    host_counters_from("", probe->tick_ns, out);
}

void host_probe_close(struct host_probe *probe)
{
    free(probe);
}
