/* The volume under a path: its mount from /proc/self/mountinfo, its device from /sys. */
#define _GNU_SOURCE
#include "posix/host_posix.h"

#include "platform/path.h"
#include "posix/block.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif
#ifdef __APPLE__
#include <sys/mount.h>
#include <sys/param.h>
#endif

/* ---- mountinfo ---- */

/* One line of it: "36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/root rw,barrier" (proc(5)). */
struct mount {
    uint32_t major_number, minor_number;
    const char *point, *options, *file_system, *source, *super_options;
};

/* Space, tab, line feed and backslash stand as octal numbers there: "\040". */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        unsigned code;
        if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
            *to++ = (char)code;
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* Cuts the line into words; between the sixth and the "-" there are optional ones. */
static bool parse_mount(char *line, struct mount *out)
{
    char *words[6], *rest = line;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        words[i] = strtok_r(rest, " \n", &rest);
        if (words[i] == NULL)
            return false;
    }
    if (sscanf(words[2], "%" SCNu32 ":%" SCNu32, &out->major_number, &out->minor_number) != 2)
        return false;
    for (char *word; (word = strtok_r(NULL, " \n", &rest)) != NULL && strcmp(word, "-") != 0;)
        ;
    char *file_system = strtok_r(NULL, " \n", &rest), *source = strtok_r(NULL, " \n", &rest);
    if (file_system == NULL || source == NULL)
        return false;
    const char *super_options = strtok_r(NULL, " \n", &rest);
    unescape(words[4]);
    unescape(source);
    out->point = words[4];
    out->options = words[5];
    out->file_system = file_system;
    out->source = source;
    out->super_options = super_options != NULL ? super_options : "";
    return true;
}

static bool is_under(const char *path, const char *point)
{
    size_t length = strlen(point);
    if (length > 0 && point[length - 1] == '/')
        length--;
    return strncmp(path, point, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool has_option(const char *options, const char *option, size_t bytes)
{
    for (const char *at = options; (at = strstr(at, option)) != NULL; at++) {
        if ((at == options || at[-1] == ',') && (at[bytes] == ',' || at[bytes] == '\0'))
            return true;
    }
    return false;
}

/* The mount's own options, then those of its file system that are not said yet (its "ro" or "rw" among them). */
static void join_options(const struct mount *mount, char *out, size_t out_bytes)
{
    char options[sizeof((struct target_facts *)0)->mount_options], *rest = options;
    snprintf(out, out_bytes, "%s", mount->options);
    snprintf(options, sizeof options, "%s", mount->super_options);
    for (char *option; (option = strtok_r(rest, ",", &rest)) != NULL;) {
        size_t used = strlen(out);
        if (!has_option(mount->options, option, strlen(option)))
            snprintf(out + used, out_bytes - used, ",%s", option);
    }
}

static void take_mount(const struct mount *mount, struct target_facts *out)
{
    snprintf(out->file_system, sizeof out->file_system, "%s", mount->file_system);
    snprintf(out->mount_point, sizeof out->mount_point, "%s", mount->point);
    join_options(mount, out->mount_options, sizeof out->mount_options);
    /* "/dev/root" names no device: it is what the kernel says of the one it started from. */
    bool is_device = strncmp(mount->source, "/dev/", 5) == 0 && strcmp(mount->source, "/dev/root") != 0;
    snprintf(out->device, sizeof out->device, "%s", is_device ? mount->source : "");
}

bool host_mount_from(const char *root, const char *path, struct target_facts *out, uint32_t *major_number,
                     uint32_t *minor_number)
{
    char name[PATH_BYTES], *line = NULL;
    size_t line_bytes = 0, best = 0;
    bool found = false;
    snprintf(name, sizeof name, "%s/proc/self/mountinfo", root);
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return false;
    while (getline(&line, &line_bytes, file) > 0) {
        struct mount mount;
        if (!parse_mount(line, &mount) || !is_under(path, mount.point) || strlen(mount.point) < best)
            continue;
        /* Of two at one place the later one covers the earlier. */
        best = strlen(mount.point);
        found = true;
        take_mount(&mount, out);
        *major_number = mount.major_number;
        *minor_number = mount.minor_number;
    }
    free(line);
    fclose(file);
    return found;
}

/* ---- device ---- */

/* EBS volumes have their number as the NVMe serial, without the dash: "vol0123456789abcdef0". */
static void read_ebs_volume(const char *serial, char *out, size_t out_bytes)
{
    if (strncmp(serial, "vol", 3) == 0)
        snprintf(out, out_bytes, "vol-%s", serial + 3 + (serial[3] == '-'));
}

void host_device_from(const char *root, uint32_t major_number, uint32_t minor_number, struct target_facts *out)
{
    struct block_facts block;
    block_facts_from(root, major_number, minor_number, &block);
    if (out->device[0] == '\0' && block.name[0] != '\0')
        snprintf(out->device, sizeof out->device, "/dev/%s", block.name);
    snprintf(out->device_model, sizeof out->device_model, "%s", block.model);
    read_ebs_volume(block.serial, out->ebs_volume_id, sizeof out->ebs_volume_id);
    out->rotational = block.rotational;
    out->logical_sector_bytes = block.logical_sector_bytes;
    out->physical_sector_bytes = block.physical_sector_bytes;
}

static void device_numbers(dev_t device, uint32_t *major_number, uint32_t *minor_number)
{
#ifdef __linux__
    *major_number = major(device);
    *minor_number = minor(device);
#else
    (void)device;
    *major_number = *minor_number = 0;
#endif
}

/* Some file systems (btrfs) have a number of their own that is no device's: the device's node then knows it. */
static void find_device(uint32_t major_number, uint32_t minor_number, struct target_facts *out)
{
    struct stat status;
    if (major_number == 0 && out->device[0] != '\0' && stat(out->device, &status) == 0 && S_ISBLK(status.st_mode))
        device_numbers(status.st_rdev, &major_number, &minor_number);
    host_device_from("", major_number, minor_number, out);
}

/* ---- this machine ---- */

static void read_space(const char *path, struct target_facts *out)
{
    struct statvfs space;
    if (statvfs(path, &space) != 0)
        return;
    out->total_bytes = (uint64_t)space.f_blocks * space.f_frsize;
    out->free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
}

static void read_mount(const char *path, struct target_facts *out)
{
#ifdef __APPLE__
    struct statfs mount;
    if (statfs(path, &mount) != 0)
        return;
    snprintf(out->file_system, sizeof out->file_system, "%s", mount.f_fstypename);
    snprintf(out->mount_point, sizeof out->mount_point, "%s", mount.f_mntonname);
    snprintf(out->device, sizeof out->device, "%s", mount.f_mntfromname);
#else
    uint32_t major_number, minor_number;
    if (host_mount_from("", path, out, &major_number, &minor_number))
        find_device(major_number, minor_number, out);
#endif
}

bool host_target(const char *path, struct target_facts *out, struct error *error)
{
    memset(out, 0, sizeof *out);
    struct stat status;
    char *resolved = realpath(path, NULL);
    if (resolved == NULL || stat(resolved, &status) != 0) {
        error_set_os(error, errno, "cannot find '%s'", path);
        free(resolved);
        return false;
    }
    if (S_ISBLK(status.st_mode)) {
        uint32_t major_number, minor_number;
        snprintf(out->device, sizeof out->device, "%s", resolved);
        device_numbers(status.st_rdev, &major_number, &minor_number);
        host_device_from("", major_number, minor_number, out);
    } else {
        read_space(resolved, out);
        read_mount(resolved, out);
    }
    free(resolved);
    return true;
}
