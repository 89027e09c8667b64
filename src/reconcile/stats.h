/* reconcile/stats.h: how sure a difference is. Rates and latencies are compared as ratios, so all of it works on
 * logarithms: a ratio of 2 one way and of 1/2 the other way are the same distance.
 *
 * Sources: B. L. Welch, "The generalization of Student's problem when several different population variances are
 * involved", Biometrika 34 (1947); F. E. Satterthwaite, Biometrics Bulletin 2 (1946), for the degrees of freedom; the
 * incomplete beta function by Lentz's continued fraction (Abramowitz and Stegun 26.5.8); B. Efron, "Bootstrap methods",
 * Annals of Statistics 7 (1979); H. B. Mann, Econometrica 13 (1945) and M. G. Kendall, Rank Correlation Methods, for
 * the test of drift; N. Otsu, IEEE Trans. SMC 9 (1979), for the split of a series in two. */
#ifndef RECONCILE_STATS_H
#define RECONCILE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* b over a. Without at least two values on one of the sides the interval is not known: low = 0, high = infinity. */
struct ratio {
    double value;     /* of the geometric means */
    double low, high; /* 95 % confidence */
    bool has_interval;
    double effect_size; /* Hedges' g of the logarithms: 0.2 small, 0.8 large; 0 where there is no spread */
};

double stats_mean(const double *values, size_t count);
double stats_stddev(const double *values, size_t count); /* of the sample, n − 1; 0 for fewer than two */
double stats_geometric_mean(const double *values, size_t count);
double stats_median(double *values, size_t count); /* sorts them */

/* All values must be above 0. */
struct ratio stats_ratio_welch(const double *a, size_t a_count, const double *b, size_t b_count);
/* The same interval from `rounds` resamples (1 000 and more): no normal distribution is assumed. `seed` makes it
 * repeatable. Returns false when memory is short. */
bool stats_ratio_bootstrap(const double *a, size_t a_count, const double *b, size_t b_count, size_t rounds,
                           uint64_t seed, struct ratio *out);
/* Is 1 inside? Never true without an interval. */
bool stats_ratio_is_noise(const struct ratio *ratio);

/* The t for which P(|T| <= t) = 0.95 with `freedom` degrees of freedom. */
double stats_t_95(double freedom);

/* A series in two levels that it jumps between, as burst credits of a cloud volume make it. */
struct two_levels {
    bool found;
    double low, high; /* means of the two */
    double share_low; /* of the intervals */
    double explained; /* share of the variance that the split explains, 0 to 1 */
};
struct two_levels stats_two_levels(const double *series, size_t count);

/* Does it go up or down over time? By ranks, so that a single outlier does not matter. */
struct drift {
    bool found;         /* at the 99 % level, and by at least 10 % from the first third to the last */
    double first, last; /* medians of the first and last third */
};
struct drift stats_drift(const double *series, size_t count);

#endif
