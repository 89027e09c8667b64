#include "fileio/shuffle.h"

#include <assert.h>

#define ROUNDS 8 /* even, so that the halves are at their own widths again */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

void shuffle_init(struct shuffle *shuffle, uint64_t count)
{
    unsigned bits = 0;
    assert(count > 0);
    while (bits < 64 && ((count - 1) >> bits) != 0)
        ++bits;
    shuffle->count = count;
    shuffle->left_bits = bits / 2;
    shuffle->right_bits = bits - bits / 2;
}

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return value & ((UINT64_C(1) << bits) - 1); /* a half has at most 32 */
}

/* splitmix64's output function (Steele, Lea and Flood, 2014). */
static uint64_t scatter(uint64_t mixed)
{
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* A Feistel network: whatever the round function, each round can be undone, so no two numbers get the same place. */
static uint64_t exchange(const struct shuffle *shuffle, uint64_t key, uint64_t number)
{
    unsigned left_bits = shuffle->left_bits, right_bits = shuffle->right_bits;
    uint64_t left = number >> right_bits, right = low_bits(number, right_bits);
    for (unsigned round = 0; round < ROUNDS; ++round) {
        uint64_t mixed = left ^ low_bits(scatter(key + right), left_bits);
        unsigned bits = left_bits;
        left = right;
        right = mixed;
        left_bits = right_bits;
        right_bits = bits;
        key += GOLDEN;
    }
    return left << right_bits | right;
}

/* The network permutes a power of two that is less than twice the count. Going on from a number that is too large ends
 * at one that is not, as the way is part of a circle through `index`; it takes less than two rounds of it on average
 * (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002: cycle walking). */
uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t key, uint64_t index)
{
    assert(index < shuffle->count);
    do
        index = exchange(shuffle, key, index);
    while (index >= shuffle->count);
    return index;
}
