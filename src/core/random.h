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

/* One step of splitmix64 (Steele, Lea and Flood, 2014; Vigna's constants): for seeds, not for loops. */
uint64_t random_splitmix64(uint64_t *state);
void random_init(struct random *random, uint64_t seed, uint64_t stream);
uint64_t random_next(struct random *random);
/* Uniform in [0, bound), without bias (Lemire's multiplication with rejection). bound > 0. */
uint64_t random_below(struct random *random, uint64_t bound);
double random_unit(struct random *random); /* [0, 1), 53 bits */

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
