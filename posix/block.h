/* posix/block.h: what Linux' /sys says about a block device. On other systems all of it stays unknown. */
#ifndef POSIX_BLOCK_H
#define POSIX_BLOCK_H

#include "platform/host.h"

#include <stdint.h>

struct block_facts {
    char name[64]; /* "nvme0n1p1"; "" = there is no such device */
    char model[128], serial[64];
    enum tristate rotational;
    uint32_t logical_sector_bytes, physical_sector_bytes; /* 0 = unknown */
};

/* `root` is put before /sys ("" but for tests). A partition's facts are its disk's, but for the name. */
void block_facts_from(const char *root, uint32_t major_number, uint32_t minor_number, struct block_facts *out);

#endif
