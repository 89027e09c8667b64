#include "core/random.h"

#include "platform/compiler.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- bits --------------------------------------------------------------------------------------------------- */

/* Increment and multipliers as published with splitmix64 (prng.di.unimi.it). */
uint64_t random_splitmix64(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ (mixed >> 31);
}

/* The seed is mixed before the stream's number is added: seeds 1 and 2 with streams 2 and 1 have nothing in
 * common. Four steps of splitmix64 are never all zero, which is the one state that xoshiro cannot leave. */
void random_init(struct random *random, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    state = random_splitmix64(&state) + stream;
    state = random_splitmix64(&state);
    for (size_t i = 0; i < COUNT_OF(random->state); i++)
        random->state[i] = random_splitmix64(&state);
}

double random_unit(struct random *random)
{
    return (double)(random_next(random) >> 11) / 9007199254740992.0; /* 2^53 */
}

/* ---- logarithm and exponential ------------------------------------------------------------------------------ */

/* The C library's log, exp and pow differ in the last bit from system to system, and a stream must not. These use
 * only operations that IEEE 754 rounds one way. One operation to a statement, where it matters: a compiler may
 * fuse a multiplication and an addition of the same expression, and that rounds differently. Error: some 1e-15 of
 * the result, growing with the size of an exponent; offsets need no more. */

#define LN_2 0.69314718055994530942
#define SQRT_HALF 0.70710678118654752440

static double polynomial(double x, const double *coefficients, size_t count)
{
    double sum = coefficients[0];
    for (size_t i = 1; i < count; i++) {
        sum *= x;
        sum += coefficients[i];
    }
    return sum;
}

/* log(1 + t) / t for 1 + t from √½ to √2: log(1 + t) = 2 artanh(t / (2 + t)), by artanh's power series. */
static double log_ratio_near_0(double t)
{
    static const double series[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                    1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
    double divisor = 2 + t;
    double ratio = t / divisor;
    return 2 * polynomial(ratio * ratio, series, COUNT_OF(series)) / divisor;
}

/* log x for x > 0. */
static double natural_log(double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent);
    if (mantissa < SQRT_HALF) {
        mantissa *= 2;
        exponent--;
    }
    double part = (mantissa - 1) * log_ratio_near_0(mantissa - 1);
    double whole = exponent * LN_2;
    return whole + part;
}

/* (e^t − 1) / t for |t| ≤ ½, by the power series. */
static double exp_ratio_near_0(double t)
{
    static const double series[] = {
        1 / 1307674368000.0, 1 / 87178291200.0, 1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0,
        1 / 3628800.0,       1 / 362880.0,      1 / 40320.0,      1 / 5040.0,      1 / 720.0,
        1 / 120.0,           1 / 24.0,          1 / 6.0,          1 / 2.0,         1.0};
    return polynomial(t, series, COUNT_OF(series));
}

static double natural_exp(double x)
{
    if (x > 710)
        return HUGE_VAL;
    if (x < -746)
        return 0;
    double doublings = floor(x / LN_2 + 0.5);
    double whole = doublings * LN_2;
    double rest = x - whole;
    double growth = rest * exp_ratio_near_0(rest);
    return ldexp(1 + growth, (int)doublings);
}

/* log(1 + t) / t and (e^t − 1) / t without loss where t is near 0, which is where an exponent is near 1. */
static double log_ratio(double t)
{
    return t > -0.25 && t < 0.375 ? log_ratio_near_0(t) : natural_log(1 + t) / t;
}

static double exp_ratio(double t)
{
    return t > -0.5 && t < 0.5 ? exp_ratio_near_0(t) : (natural_exp(t) - 1) / t;
}

/* ---- distributions ------------------------------------------------------------------------------------------ */

/* The whole part of `value`, kept below the bound whatever rounding did. */
static uint64_t offset_of(double value, uint64_t bound)
{
    if (!(value > 0))
        return 0;
    return value < (double)(bound - 1) ? (uint64_t)value : bound - 1;
}

static uint64_t pick_uniform(const struct picker *picker, struct random *random)
{
    return random_below(random, picker->bound);
}

static uint64_t at_least_1(uint64_t value)
{
    return value == 0 ? 1 : value;
}

/* Mean of several uniform numbers, in fixed point: each one is a fraction of 2^64, shortened by as many bits as
 * their sum may need on top. */
static uint64_t pick_gaussian(const struct picker *picker, struct random *random)
{
    uint64_t iterations = at_least_1(picker->iterations);
    uint32_t spare = bits_highest(iterations) + 1;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < iterations; i++)
        sum += random_next(random) >> spare;
    return multiply_high(sum / iterations << spare, picker->bound);
}

/* percent % of `whole`, rounded down, without leaving 64 bits. */
static uint64_t share_of(uint64_t whole, uint64_t percent)
{
    return whole / 100 * percent + whole % 100 * percent / 100;
}

static uint64_t pick_special(const struct picker *picker, struct random *random)
{
    if (random_below(random, 100) >= picker->result_percent)
        return pick_gaussian(picker, random);
    uint64_t width = at_least_1(share_of(picker->bound, picker->special_percent));
    return (picker->bound - width) / 2 + random_below(random, width);
}

/* bound · u^(log h / log(1 − h)): a share 1 − h of the picks falls into the first h of the range, for every
 * such part of the part again. */
static uint64_t pick_pareto(const struct picker *picker, struct random *random)
{
    double unit = random_unit(random);
    if (unit <= 0)
        return 0;
    return offset_of((double)picker->bound * natural_exp(picker->exponent * natural_log(unit)), picker->bound);
}

/* Zipf by rejection inversion: W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from
 * monotone discrete distributions", ACM TOMACS 6 (3), 1996. The probability of rank k is h(k) = k^−s up to a
 * constant. H is an integral of h, so H's inverse of a uniform number is a real x with density h. x, rounded to
 * the rank k, is taken if H(k + ½) − H(x) is within a stretch of h(k); `zipf_cut` is a distance k − x for which
 * that is always so. Constant memory and time for any bound, and s = 1 needs no case of its own. */
static double zipf_weight(double s, double x)
{
    return natural_exp(-s * natural_log(x));
}

/* H(x) = (x^(1−s) − 1) / (1 − s), which is log x for s = 1. */
static double zipf_integral(double s, double x)
{
    double log_x = natural_log(x);
    return log_x * exp_ratio((1 - s) * log_x);
}

static double zipf_integral_inverse(double s, double y)
{
    double t = y * (1 - s);
    return t <= -1 ? HUGE_VAL : natural_exp(y * log_ratio(t)); /* −1: H's limit, which only rounding reaches */
}

static uint64_t pick_zipfian(const struct picker *picker, struct random *random)
{
    double s = picker->zipf_s, span = picker->zipf_image_low - picker->zipf_image_high;
    for (;;) {
        double step = random_unit(random) * span;
        double y = picker->zipf_image_high + step;
        double x = zipf_integral_inverse(s, y), rank = fmin(floor(x + 0.5), (double)picker->bound);
        if (rank - x <= picker->zipf_cut || y >= zipf_integral(s, rank + 0.5) - zipf_weight(s, rank))
            return offset_of(rank - 1, picker->bound);
    }
}

/* ---- preparing ---------------------------------------------------------------------------------------------- */

static void prepare_uniform(struct picker *picker, const struct job *job)
{
    (void)picker;
    (void)job;
}

static uint64_t percent_of(uint64_t value)
{
    return value > 100 ? 100 : value;
}

static void prepare_special(struct picker *picker, const struct job *job)
{
    picker->iterations = job->special_iterations;
    picker->special_percent = percent_of(job->special_percent);
    picker->result_percent = percent_of(job->special_result_percent);
}

static void prepare_gaussian(struct picker *picker, const struct job *job)
{
    picker->iterations = job->gaussian_iterations;
}

static void prepare_pareto(struct picker *picker, const struct job *job)
{
    assert(job->pareto_h > 0 && job->pareto_h < 1);
    picker->exponent = natural_log(job->pareto_h) / natural_log(1 - job->pareto_h);
}

static void prepare_zipfian(struct picker *picker, const struct job *job)
{
    double s = job->zipfian_exponent;
    assert(s >= 0);
    picker->zipf_s = s;
    picker->zipf_image_low = zipf_integral(s, 1.5) - 1;
    picker->zipf_image_high = zipf_integral(s, (double)picker->bound + 0.5);
    picker->zipf_cut = 2 - zipf_integral_inverse(s, zipf_integral(s, 2.5) - zipf_weight(s, 2));
}

static const struct {
    void (*prepare)(struct picker *picker, const struct job *job);
    uint64_t (*pick)(const struct picker *picker, struct random *random);
} distributions[] = {
    [DIST_UNIFORM] = {prepare_uniform, pick_uniform},    [DIST_SPECIAL] = {prepare_special, pick_special},
    [DIST_GAUSSIAN] = {prepare_gaussian, pick_gaussian}, [DIST_PARETO] = {prepare_pareto, pick_pareto},
    [DIST_ZIPFIAN] = {prepare_zipfian, pick_zipfian},
};

void picker_init(struct picker *picker, const struct job *job, uint64_t bound)
{
    assert(bound > 0 && (size_t)job->distribution < COUNT_OF(distributions));
    memset(picker, 0, sizeof *picker);
    picker->distribution = job->distribution;
    picker->bound = bound;
    distributions[job->distribution].prepare(picker, job);
}

uint64_t picker_pick(const struct picker *picker, struct random *random)
{
    return distributions[picker->distribution].pick(picker, random);
}
