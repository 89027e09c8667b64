#define _GNU_SOURCE
#include "posix/host_posix.h"

#include "platform/clock.h"
#include "posix/small_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <uv.h>

#define SMALL_FILE_BYTES 16384 /* of /proc/cpuinfo the first processor is enough */

/* ---- text files ---- */

/* Copies what follows the key at the start of a line, up to the line's end. */
static bool find_line(const char *text, const char *key, char *out, size_t out_bytes)
{
    size_t key_bytes = strlen(key);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, key_bytes) == 0) {
            const char *value = line + key_bytes;
            snprintf(out, out_bytes, "%.*s", (int)strcspn(value, "\n"), value);
            return true;
        }
    }
    return false;
}

/* "model name\t: AMD EPYC" */
static bool find_cpu_line(const char *text, const char *key, char *out, size_t out_bytes)
{
    char line[2048];
    if (!find_line(text, key, line, sizeof line))
        return false;
    const char *colon = strchr(line, ':');
    if (colon == NULL)
        return false;
    snprintf(out, out_bytes, "%s", colon + 1 + strspn(colon + 1, " \t"));
    return true;
}

/* ---- system and processor ---- */

/* os-release(5): PRETTY_NAME="Debian GNU/Linux 12 (bookworm)" */
static void read_os(const char *root, struct host_facts *out)
{
    char text[SMALL_FILE_BYTES], name[sizeof out->os];
    if (!small_file_read(text, sizeof text, "%s/etc/os-release", root) &&
        !small_file_read(text, sizeof text, "%s/usr/lib/os-release", root))
        return;
    if (!find_line(text, "PRETTY_NAME=", name, sizeof name))
        return;
    size_t quote = name[0] == '"' || name[0] == '\'', length = strlen(name);
    if (quote && length > 1 && name[length - 1] == name[0])
        name[length - 1] = '\0';
    snprintf(out->os, sizeof out->os, "%s", name + quote);
}

/* Arm's cpuinfo names no model; boards do in the device tree. */
static void read_cpu_model(const char *root, const char *cpuinfo, struct host_facts *out)
{
    if (!find_cpu_line(cpuinfo, "model name", out->cpu_model, sizeof out->cpu_model))
        small_file_read(out->cpu_model, sizeof out->cpu_model, "%s/proc/device-tree/model", root);
}

/* ---- virtual machines and clouds ---- */

struct dmi {
    char sys_vendor[128], product_name[128], bios_version[128], chassis_asset_tag[128];
};

static void read_dmi(const char *root, struct dmi *out)
{
    small_file_read(out->sys_vendor, sizeof out->sys_vendor, "%s/sys/class/dmi/id/sys_vendor", root);
    small_file_read(out->product_name, sizeof out->product_name, "%s/sys/class/dmi/id/product_name", root);
    small_file_read(out->bios_version, sizeof out->bios_version, "%s/sys/class/dmi/id/bios_version", root);
    small_file_read(out->chassis_asset_tag, sizeof out->chassis_asset_tag, "%s/sys/class/dmi/id/chassis_asset_tag",
                    root);
}

/* A needle matches anywhere in its field; NULL matches all. */
struct dmi_rule {
    const char *sys_vendor, *product_name, *bios_version, *chassis_asset_tag;
    const char *name;
};

static bool holds(const char *text, const char *needle)
{
    return needle == NULL || strstr(text, needle) != NULL;
}

static const char *apply_rules(const struct dmi *dmi, const struct dmi_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct dmi_rule *rule = &rules[i];
        if (holds(dmi->sys_vendor, rule->sys_vendor) && holds(dmi->product_name, rule->product_name) &&
            holds(dmi->bios_version, rule->bios_version) && holds(dmi->chassis_asset_tag, rule->chassis_asset_tag))
            return rule->name;
    }
    return "";
}

/* Bare-metal instances carry their cloud's names too, without a hypervisor. */
static const struct dmi_rule virtualization_rules[] = {
    {"Amazon EC2", ".metal", NULL, NULL, "none"},
    {NULL, "HVM domU", NULL, NULL, "xen"},
    {"Xen", NULL, NULL, NULL, "xen"},
    {"Amazon EC2", NULL, NULL, NULL, "kvm"},
    {"Google", "Google Compute Engine", NULL, NULL, "kvm"},
    {"QEMU", NULL, NULL, NULL, "kvm"},
    {NULL, "KVM", NULL, NULL, "kvm"},
    {NULL, "OpenStack", NULL, NULL, "kvm"},
    {"Microsoft Corporation", "Virtual Machine", NULL, NULL, "hyper-v"},
    {"VMware", NULL, NULL, NULL, "vmware"},
    {"innotek", NULL, NULL, NULL, "virtualbox"},
    {NULL, "VirtualBox", NULL, NULL, "virtualbox"},
    {"Parallels", NULL, NULL, NULL, "parallels"},
};

/* Azure's tag is the same on all of its machines; Hyper-V at home does not have it. */
static const struct dmi_rule cloud_rules[] = {
    {"Amazon EC2", NULL, NULL, NULL, "aws"},
    {NULL, NULL, "amazon", NULL, "aws"},
    {NULL, NULL, NULL, "7783-7084-3265-9085-8269-3286-77", "azure"},
    {NULL, "Google Compute Engine", NULL, NULL, "gcp"},
    {"Alibaba Cloud", NULL, NULL, NULL, "alibaba"},
    {"DigitalOcean", NULL, NULL, NULL, "digitalocean"},
    {"Hetzner", NULL, NULL, NULL, "hetzner"},
    {NULL, NULL, NULL, "OracleCloud", "oracle"},
};

/* Machines without DMI: the hypervisor's own directory, or the clock that it offers its guests. */
static const char *virtualization_without_dmi(const char *root, const char *cpuinfo)
{
    static const char *const clocks[][2] = {{"kvm-clock", "kvm"}, {"hyperv", "hyper-v"}, {"xen", "xen"}};
    char text[2048];
    if (small_file_read(text, sizeof text, "%s/sys/hypervisor/type", root) && strcmp(text, "xen") == 0)
        return "xen";
    small_file_read(text, sizeof text, "%s/sys/devices/system/clocksource/clocksource0/available_clocksource", root);
    for (size_t i = 0; i < COUNT_OF(clocks); i++) {
        if (strstr(text, clocks[i][0]) != NULL)
            return clocks[i][1];
    }
    /* x86 has a flag for it; without flags nothing is known. */
    char flags[2048];
    if (!find_cpu_line(cpuinfo, "flags", flags, sizeof flags))
        return "";
    return strstr(flags, " hypervisor") != NULL ? "other" : "none";
}

static void read_virtualization(const char *root, const char *cpuinfo, struct host_facts *out)
{
    struct dmi dmi;
    read_dmi(root, &dmi);
    const char *name = apply_rules(&dmi, virtualization_rules, COUNT_OF(virtualization_rules));
    if (name[0] == '\0')
        name = virtualization_without_dmi(root, cpuinfo);
    snprintf(out->virtualization, sizeof out->virtualization, "%s", name);
    snprintf(out->cloud, sizeof out->cloud, "%s", apply_rules(&dmi, cloud_rules, COUNT_OF(cloud_rules)));
    if (strcmp(dmi.sys_vendor, "Amazon EC2") == 0)
        snprintf(out->instance_type, sizeof out->instance_type, "%.*s", (int)sizeof out->instance_type - 1,
                 dmi.product_name);
}

void host_measure_from(const char *root, struct host_facts *out)
{
    char cpuinfo[SMALL_FILE_BYTES];
    memset(out, 0, sizeof *out);
    small_file_read(cpuinfo, sizeof cpuinfo, "%s/proc/cpuinfo", root);
    read_os(root, out);
    read_cpu_model(root, cpuinfo, out);
    read_virtualization(root, cpuinfo, out);
}

/* ---- this machine ---- */

static void read_kernel(struct host_facts *out)
{
    uv_utsname_t name;
    if (uv_os_uname(&name) != 0)
        return;
    snprintf(out->kernel, sizeof out->kernel, "%.32s %.64s %.28s", name.sysname, name.release, name.machine);
    if (out->os[0] == '\0')
        snprintf(out->os, sizeof out->os, "%.40s %.80s", name.sysname, name.release);
}

static void read_cpu_model_by_uv(struct host_facts *out)
{
    uv_cpu_info_t *cpus;
    int count;
    if (uv_cpu_info(&cpus, &count) != 0)
        return;
    if (count > 0 && cpus[0].model != NULL && strcmp(cpus[0].model, "unknown") != 0)
        snprintf(out->cpu_model, sizeof out->cpu_model, "%s", cpus[0].model);
    uv_free_cpu_info(cpus, count);
}

void host_measure(struct host_facts *out)
{
    host_measure_from("", out);
    read_kernel(out);
    if (out->cpu_model[0] == '\0')
        read_cpu_model_by_uv(out);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN), page_bytes = sysconf(_SC_PAGESIZE);
    out->cpu_count = cpus > 0 ? (uint32_t)cpus : 0;
    out->page_bytes = page_bytes > 0 ? (uint32_t)page_bytes : 0;
    out->memory_bytes = uv_get_total_memory();
}

static uint64_t timeval_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_usec * 1000;
}

void host_cpu_time(uint64_t *user_ns, uint64_t *system_ns)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    *user_ns = timeval_ns(usage.ru_utime);
    *system_ns = timeval_ns(usage.ru_stime);
}

/* Time on a CPU, time waiting for one, times it got one (Linux, Documentation/scheduler/sched-stats.rst). The file of
 * the whole process counts its first thread alone. Three zeros: the kernel does not keep them. */
bool host_run_wait(uint64_t *wait_ns)
{
    char text[128];
    uint64_t run_ns = 0;
    return small_file_read(text, sizeof text, "/proc/thread-self/schedstat") &&
           sscanf(text, "%" SCNu64 " %" SCNu64, &run_ns, wait_ns) == 2 && run_ns > 0;
}

uint64_t host_open_files_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return UINT64_MAX;
    struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    if (limit.rlim_cur != limit.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0)
        limit = raised;
    return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
}

uint64_t host_file_size_limit(void)
{
    struct rlimit limit;
    bool known = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return known ? (uint64_t)limit.rlim_cur : UINT64_MAX;
}
