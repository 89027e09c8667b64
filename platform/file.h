/* platform/file.h: positioned IO on one file or device, the same on every system.
 *
 * Offsets and lengths are bytes. With CACHE_OFF, offset, length and the buffer's address must be
 * multiples of file_facts.alignment_bytes: the layer checks that itself on every system (some file
 * systems and Wine accept what real devices refuse) and answers −os_error_invalid.
 * Paths are UTF-8 everywhere; on Windows paths over 260 characters work.
 * One struct file may be used by several threads at once. */
#ifndef PLATFORM_FILE_H
#define PLATFORM_FILE_H

#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file;

enum file_cache { CACHE_ON, CACHE_OFF };                       /* O_DIRECT / FILE_FLAG_NO_BUFFERING */
enum file_through { THROUGH_OFF, THROUGH_DATA, THROUGH_FULL }; /* −, O_DSYNC, O_SYNC / FILE_FLAG_WRITE_THROUGH */
enum file_presence {
    FILE_MUST_EXIST,
    FILE_MUST_NOT_EXIST, /* create; fail if something of that name is there */
    FILE_EMPTIED,        /* create or cut to 0 bytes: only where the caller knows the file is ours */
};

struct file_policy {
    enum file_cache cache;
    enum file_through through;
    enum file_presence presence;
    bool writable; /* false: opened read only, so that read-only media work */
};

struct file_facts {
    uint64_t size_bytes;
    uint64_t written_bytes;   /* how much of it was ever written; see written_known */
    bool written_known;       /* false where the system cannot tell */
    uint32_t alignment_bytes; /* for CACHE_OFF: offset, length and address */
    uint32_t logical_sector_bytes, physical_sector_bytes;
    bool is_device; /* a block device or volume, not a regular file */
};

/* How engines reach files. Real files, and fakes that fail on demand, look the same to them. */
struct file_layer {
    const char *name;
    bool (*open)(struct file **out, const char *path, const struct file_policy *policy, struct error *error);
    /* Bytes transferred (fewer than asked at the end of the file or of the space), or −OS error. */
    int64_t (*read_at)(struct file *file, void *buffer, size_t bytes, uint64_t offset);
    int64_t (*write_at)(struct file *file, const void *buffer, size_t bytes, uint64_t offset);
    /* fsync, fdatasync / FlushFileBuffers (data only where the system has it). 0, or an OS error. */
    int (*sync)(struct file *file, bool data_only);
    /* Lets the device begin with what was written to this range, without waiting for it. Only a hint; may be NULL. */
    void (*start_writeback)(struct file *file, uint64_t offset, uint64_t bytes);
    /* Moves the end of the file; what is beyond the old end reads as zeros and was never written. */
    bool (*set_size)(struct file *file, uint64_t bytes, struct error *error);
    /* Reserves space for the first `bytes` bytes and makes the file that long, without writing. */
    bool (*allocate)(struct file *file, uint64_t bytes, struct error *error);
    /* Drops this file's clean pages from the OS cache; dirty ones are written first. */
    bool (*drop_cache)(struct file *file, struct error *error);
    bool (*facts)(struct file *file, struct file_facts *out, struct error *error);
    /* Maps the first `bytes` bytes shared; *out stays valid until unmap. */
    bool (*map)(struct file *file, size_t bytes, void **out, struct error *error);
    /* Writes a mapped range back to the device. 0, or an OS error. */
    int (*map_sync)(struct file *file, void *address, size_t bytes);
    void (*unmap)(struct file *file, void *address, size_t bytes);
    void (*close)(struct file *file); /* NULL is fine */
    bool (*remove)(const char *path, struct error *error);
};

extern const struct file_layer file_layer_system;

/* True when offset, length and address all are multiples of `alignment` (a power of two). */
static inline bool file_is_aligned(const void *buffer, size_t bytes, uint64_t offset, uint32_t alignment)
{
    return (((uint64_t)(uintptr_t)buffer | bytes | offset) & (alignment - 1U)) == 0;
}

#endif
