/* core/random.h: one random stream per thread, the same on every system for the same seed. */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include "core/job.h"

#include <stdint.h>

/* xoshiro256** 1.0 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2018), seeded by
 * splitmix64 over the seed and the thread's number alone. */
struct random {
    uint64_t state[4];
};

void random_init(struct random *random, uint64_t seed, uint64_t stream);
uint64_t random_next(struct random *random);
/* Uniform in [0, bound), without modulo bias visible below 2^-64·bound (Lemire's multiply). bound > 0. */
uint64_t random_below(struct random *random, uint64_t bound);
double random_unit(struct random *random); /* [0, 1), 53 bits */

/* What a distribution needs, worked out once before the loop. */
struct picker {
    enum distribution distribution;
    uint64_t bound;
    uint64_t iterations, special_percent, result_percent;
    double exponent;                                                      /* pareto: log h / log(1 − h) */
    double zipf_s, zipf_hx0, zipf_himage_low, zipf_himage_high, zipf_cut; /* rejection inversion; see random.c */
};

/* Offsets in [0, bound) as job's distribution settings say. */
void picker_init(struct picker *picker, const struct job *job, uint64_t bound);
uint64_t picker_pick(const struct picker *picker, struct random *random);

#endif
