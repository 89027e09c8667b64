#define _GNU_SOURCE
#include "posix/block.h"

#include "platform/path.h"
#include "posix/small_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LAYERS_MAX 4 /* a logical volume on an encrypted device on a disk, and one more */

/* The last part of what the link points to. */
static void read_name(const char *link, char *out, size_t out_bytes)
{
    char target[PATH_BYTES];
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0)
        return;
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    snprintf(out, out_bytes, "%.*s", (int)(out_bytes - 1), slash != NULL ? slash + 1 : target);
    for (char *at = out; *at != '\0'; at++) {
        if (*at == '!') /* /sys writes it for the '/' of names such as "cciss/c0d0" */
            *at = '/';
    }
}

/* SCSI and NVMe have both under device/, virtio has its serial in the disk's own directory. */
static void read_identity(const char *disk, struct block_facts *out)
{
    small_file_read(out->model, sizeof out->model, "%s/device/model", disk);
    if (!small_file_read(out->serial, sizeof out->serial, "%s/device/serial", disk))
        small_file_read(out->serial, sizeof out->serial, "%s/serial", disk);
}

/* The one device below a mapped one, as "8:1"; false when there is none or more than one. */
static bool only_slave(const char *disk, uint32_t *major_number, uint32_t *minor_number)
{
    char path[PATH_BYTES + 16], numbers[32] = "";
    snprintf(path, sizeof path, "%s/slaves", disk);
    DIR *directory = opendir(path);
    if (directory == NULL)
        return false;
    uint32_t slaves = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        slaves++;
        small_file_read(numbers, sizeof numbers, "%s/%s/dev", path, entry->d_name);
    }
    closedir(directory);
    return slaves == 1 && sscanf(numbers, "%" SCNu32 ":%" SCNu32, major_number, minor_number) == 2;
}

static bool find_disk(const char *root, uint32_t major_number, uint32_t minor_number, char disk[PATH_BYTES], char *name,
                      size_t name_bytes)
{
    char partition[PATH_BYTES + 16];
    snprintf(disk, PATH_BYTES, "%s/sys/dev/block/%" PRIu32 ":%" PRIu32, root, major_number, minor_number);
    if (access(disk, F_OK) != 0)
        return false;
    read_name(disk, name, name_bytes);
    snprintf(partition, sizeof partition, "%s/partition", disk);
    if (access(partition, F_OK) == 0)
        snprintf(disk + strlen(disk), PATH_BYTES - strlen(disk), "/..");
    return true;
}

static enum tristate read_rotational(const char *disk)
{
    char text[8];
    if (!small_file_read(text, sizeof text, "%s/queue/rotational", disk))
        return TRI_UNKNOWN;
    return strcmp(text, "0") == 0 ? TRI_NO : TRI_YES;
}

void block_facts_from(const char *root, uint32_t major_number, uint32_t minor_number, struct block_facts *out)
{
    char disk[PATH_BYTES], ignored[sizeof out->name];
    memset(out, 0, sizeof *out);
    if (!find_disk(root, major_number, minor_number, disk, out->name, sizeof out->name))
        return;
    out->rotational = read_rotational(disk);
    out->logical_sector_bytes = (uint32_t)small_file_number("%s/queue/logical_block_size", disk);
    out->physical_sector_bytes = (uint32_t)small_file_number("%s/queue/physical_block_size", disk);
    read_identity(disk, out);
    for (uint32_t layer = 0; layer < LAYERS_MAX && out->model[0] == '\0' && out->serial[0] == '\0'; layer++) {
        if (!only_slave(disk, &major_number, &minor_number) ||
            !find_disk(root, major_number, minor_number, disk, ignored, sizeof ignored))
            return;
        read_identity(disk, out);
    }
}
