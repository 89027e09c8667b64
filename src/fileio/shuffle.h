/* fileio/shuffle.h: the numbers below `count` in a random order, without a table of them: a keyed permutation, so that
 * each number comes once whoever asks for which place. A test's order, not a cipher. */
#ifndef FILEIO_SHUFFLE_H
#define FILEIO_SHUFFLE_H

#include <stdint.h>

struct shuffle {
    uint64_t count;
    unsigned left_bits, right_bits; /* together they hold count − 1 */
};

void shuffle_init(struct shuffle *shuffle, uint64_t count); /* count > 0 */
/* What stands at place `index` (< count) of the order that the key names. The same on every system. */
uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t key, uint64_t index);

#endif
