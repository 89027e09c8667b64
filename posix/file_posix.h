/* posix/file_posix.h: the inside of an open file, for the layer and for engines that go below it. */
#ifndef POSIX_FILE_POSIX_H
#define POSIX_FILE_POSIX_H

#include "platform/file.h"

#include <sys/stat.h>

struct file {
    int descriptor;
    bool cache_off, writable, is_device;
    uint32_t alignment_bytes; /* for CACHE_OFF */
    uint32_t takes_alignment; /* what transfers are held to: that, or 1 */
    char path[];
};

static inline bool file_takes(const struct file *file, const void *buffer, size_t bytes, uint64_t offset)
{
    return file_is_aligned(buffer, bytes, offset, file->takes_alignment);
}

/* What O_DIRECT asks of offset, length and address on this file. */
uint32_t file_direct_alignment(int descriptor, const struct stat *status);

/* What struct file_facts says, from the system. */
bool file_facts_read(const struct file *file, struct file_facts *out, struct error *error);

#endif
