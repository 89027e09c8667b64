/* fileio/data.h: what is written. Incompressible by default and different in every block, made at about the
 * speed of memory: one block of random bytes is kept and mixed anew with a key for each block written. Other kinds of
 * data are the same in every block. */
#ifndef FILEIO_DATA_H
#define FILEIO_DATA_H

#include "core/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct data {
    enum data_kind kind;
    uint64_t *base; /* random words or the bytes to repeat, base_bytes of them; NULL for zeros */
    size_t base_bytes;
    size_t block_bytes;
    size_t random_bytes; /* of each block; the rest is zeros (compress_percent) */
};

/* Blocks of block_bytes. False when memory is short. Read-only afterwards, so threads may share it. */
bool data_init(struct data *data, const struct job *job, size_t block_bytes, uint64_t seed);
void data_done(struct data *data);
/* Fills `bytes` (a whole number of blocks) with blocks keyed key, key + 1, … Equal keys give equal blocks.
 * DATA_COUNT_UP: each block begins with the byte 0. */
void data_fill(const struct data *data, uint8_t *buffer, size_t bytes, uint64_t key);

#endif
