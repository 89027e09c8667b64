/* core/random.h: one random stream per thread, the same on every system for the same seed. */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include "core/job.h"
#include "platform/compiler.h"

#include <stdint.h>

/* xoshiro256** 1.0 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2018), seeded by
 * splitmix64 over the seed and the thread's number alone. */
struct random {
    uint64_t state[4];
};

/* One step of splitmix64 (Steele, Lea and Flood, 2014; Vigna's constants): for seeds, not for loops. */
uint64_t random_splitmix64(uint64_t *state);
void random_init(struct random *random, uint64_t seed, uint64_t stream);
double random_unit(struct random *random); /* [0, 1), 53 bits */

/* Here, so that a worker's loop holds them without a call: the next 64 bits, and a number in [0, bound), bound > 0. */
static inline uint64_t random_rotate_left(uint64_t value, unsigned bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static inline uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = random_rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = random_rotate_left(s[3], 45);
    return result;
}

/* Lemire, "Fast Random Integer Generation in an Interval", 2019. A 64-bit number times the bound is a fixed-point
 * number whose whole part is the result; drawing again where the fraction is below 2^64 mod bound removes the
 * last bias, and the division for that is reached only once in 2^64 / bound calls. */
static inline uint64_t random_below(struct random *random, uint64_t bound)
{
    uint64_t bits = random_next(random);
    if (bits * bound < bound) {
        uint64_t surplus = (0 - bound) % bound;
        while (bits * bound < surplus)
            bits = random_next(random);
    }
    return multiply_high(bits, bound);
}

/* What a distribution needs, worked out once before the loop. */
struct picker {
    enum distribution distribution;
    uint64_t bound;
    uint64_t iterations, special_percent, result_percent;
    double exponent;                                          /* pareto: log h / log(1 − h) */
    double zipf_s, zipf_image_low, zipf_image_high, zipf_cut; /* rejection inversion; see random.c */
};

/* Offsets in [0, bound) as job's distribution settings say. */
void picker_init(struct picker *picker, const struct job *job, uint64_t bound);
uint64_t picker_pick(const struct picker *picker, struct random *random);

#endif
