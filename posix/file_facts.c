/* Size, alignment and written part of an open file. What is asked of Linux alone answers "unknown" elsewhere. */
#define _GNU_SOURCE
#include "posix/file_posix.h"

#include "posix/block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/sysmacros.h>
#endif
#ifdef __APPLE__
#include <sys/disk.h>
#endif

#define ALIGNMENT_MIN 512
#define ALIGNMENT_MAX 4096 /* also where nothing is known: right for every disk sold */

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Alignment as the kernel tells it (Linux 6.1 and later, statx(2), STATX_DIOALIGN); 0 when it does not. */
static uint32_t alignment_from_statx(int descriptor)
{
#ifdef STATX_DIOALIGN
    struct statx facts;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &facts) != 0 || !(facts.stx_mask & STATX_DIOALIGN))
        return 0;
    return facts.stx_dio_mem_align > facts.stx_dio_offset_align ? facts.stx_dio_mem_align : facts.stx_dio_offset_align;
#else
    (void)descriptor;
    return 0;
#endif
}

static void read_sectors(int descriptor, const struct stat *status, uint32_t *logical, uint32_t *physical)
{
    *logical = *physical = 0;
#ifdef __linux__
    if (S_ISBLK(status->st_mode)) {
        int logical_size = 0;
        unsigned physical_size = 0;
        if (ioctl(descriptor, BLKSSZGET, &logical_size) == 0)
            *logical = (uint32_t)logical_size;
        if (ioctl(descriptor, BLKPBSZGET, &physical_size) == 0)
            *physical = physical_size;
        return;
    }
    struct block_facts block;
    block_facts_from("", major(status->st_dev), minor(status->st_dev), &block);
    *logical = block.logical_sector_bytes;
    *physical = block.physical_sector_bytes;
#else
    (void)descriptor;
    (void)status;
#endif
}

uint32_t file_direct_alignment(int descriptor, const struct stat *status)
{
    uint32_t alignment = alignment_from_statx(descriptor), physical;
    if (alignment == 0)
        read_sectors(descriptor, status, &alignment, &physical);
    if (!is_power_of_two(alignment))
        return ALIGNMENT_MAX;
    return alignment < ALIGNMENT_MIN ? ALIGNMENT_MIN : alignment;
}

static bool device_size(int descriptor, uint64_t *bytes)
{
#if defined(__linux__)
    return ioctl(descriptor, BLKGETSIZE64, bytes) == 0;
#elif defined(__APPLE__)
    uint32_t block_bytes;
    uint64_t blocks;
    if (ioctl(descriptor, DKIOCGETBLOCKSIZE, &block_bytes) != 0 || ioctl(descriptor, DKIOCGETBLOCKCOUNT, &blocks) != 0)
        return false;
    *bytes = block_bytes * blocks;
    return true;
#else
    off_t end = lseek(descriptor, 0, SEEK_END);
    *bytes = (uint64_t)end;
    return end >= 0;
#endif
}

#ifdef FS_IOC_FIEMAP
#define EXTENTS_AT_ONCE 128

/* Bytes of an extent below the end of the file, if they were written. One that waits for its place on the disk
 * (DELALLOC) holds written data too. */
static uint64_t written_in_extent(const struct fiemap_extent *extent, uint64_t size_bytes)
{
    if ((extent->fe_flags & FIEMAP_EXTENT_UNWRITTEN) || extent->fe_logical >= size_bytes)
        return 0;
    uint64_t rest = size_bytes - extent->fe_logical;
    return extent->fe_length < rest ? extent->fe_length : rest;
}
#endif

/* Adds up written extents (Linux, Documentation/filesystems/fiemap.rst). FIEMAP_FLAG_SYNC writes the file's dirty
 * pages first: an extent that is reserved and dirty still counts as unwritten. */
static bool written_by_fiemap(int descriptor, uint64_t size_bytes, uint64_t *written)
{
#ifdef FS_IOC_FIEMAP
    struct fiemap *map = malloc(sizeof *map + EXTENTS_AT_ONCE * sizeof map->fm_extents[0]);
    bool known = map != NULL, last = false;
    for (uint64_t start = 0; known && !last && start < size_bytes;) {
        *map = (struct fiemap){.fm_start = start,
                               .fm_length = size_bytes - start,
                               .fm_flags = start == 0 ? FIEMAP_FLAG_SYNC : 0,
                               .fm_extent_count = EXTENTS_AT_ONCE};
        known = ioctl(descriptor, FS_IOC_FIEMAP, map) == 0;
        last = map->fm_mapped_extents == 0;
        for (uint32_t i = 0; known && i < map->fm_mapped_extents; i++) {
            const struct fiemap_extent *extent = &map->fm_extents[i];
            *written += written_in_extent(extent, size_bytes);
            start = extent->fe_logical + extent->fe_length;
            last = (extent->fe_flags & FIEMAP_EXTENT_LAST) != 0;
        }
    }
    free(map);
    return known;
#else
    (void)descriptor;
    (void)size_bytes;
    (void)written;
    return false;
#endif
}

/* Adds up what is not a hole. File systems that cannot tell call all of it data: `blocks_bytes`, the space
 * taken, then gives them away. */
static bool written_by_seeking(int descriptor, uint64_t size_bytes, uint64_t blocks_bytes, uint64_t *written)
{
#ifdef SEEK_DATA
    for (off_t at = 0; (uint64_t)at < size_bytes;) {
        off_t data = lseek(descriptor, at, SEEK_DATA);
        if (data < 0 && errno == ENXIO)
            break;
        off_t hole = data < 0 ? data : lseek(descriptor, data, SEEK_HOLE);
        if (data < 0 || hole < 0)
            return false;
        *written += (uint64_t)(hole - data);
        at = hole;
    }
    return *written < size_bytes || blocks_bytes >= size_bytes;
#else
    (void)descriptor;
    (void)size_bytes;
    (void)blocks_bytes;
    (void)written;
    return false;
#endif
}

static void read_written(const struct file *file, const struct stat *status, struct file_facts *out)
{
    uint64_t written = 0;
    out->written_known = written_by_fiemap(file->descriptor, out->size_bytes, &written);
    if (!out->written_known) {
        written = 0;
        out->written_known =
            written_by_seeking(file->descriptor, out->size_bytes, (uint64_t)status->st_blocks * 512, &written);
    }
    out->written_bytes = out->written_known ? written : 0;
}

bool file_facts_read(const struct file *file, struct file_facts *out, struct error *error)
{
    memset(out, 0, sizeof *out);
    struct stat status;
    if (fstat(file->descriptor, &status) != 0)
        return error_set_os(error, errno, "cannot ask for the size of '%s'", file->path);
    out->is_device = file->is_device;
    out->alignment_bytes = file->alignment_bytes;
    read_sectors(file->descriptor, &status, &out->logical_sector_bytes, &out->physical_sector_bytes);
    if (!file->is_device) {
        out->size_bytes = (uint64_t)status.st_size;
        read_written(file, &status, out);
    } else if (!device_size(file->descriptor, &out->size_bytes)) {
        return error_set_os(error, errno, "cannot ask for the size of the device '%s'", file->path);
    }
    return true;
}
