#include "reconcile/stats.h"

#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- simple figures ---- */

double stats_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : 0;
}

static double variance(const double *values, size_t count)
{
    double mean = stats_mean(values, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return count > 1 ? sum / (double)(count - 1) : 0;
}

double stats_stddev(const double *values, size_t count)
{
    return sqrt(variance(values, count));
}

double stats_geometric_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += log(values[i]);
    return count ? exp(sum / (double)count) : 0;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double stats_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* ---- Student's t ---- */

/* The continued fraction of the incomplete beta function, by the modified method of Lentz. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double result = d;
    for (int m = 1; m <= 300; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int step = 0; step < 2; step++) {
            double term = step ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            result *= c * d;
        }
        if (fabs(c * d - 1) < 1e-14)
            break;
    }
    return result;
}

static double beta_regular(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(|T| > t) */
static double t_tails(double t, double freedom)
{
    return beta_regular(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double stats_t_95(double freedom)
{
    double low = 0, high = 1e6;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if (t_tails(middle, freedom) > 0.05)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* ---- ratios ---- */

struct logs {
    double mean, variance, count;
};

static struct logs logs_of(const double *values, size_t count)
{
    struct logs out = {0, 0, (double)count};
    for (size_t i = 0; i < count; i++)
        out.mean += log(values[i]) / (double)count;
    for (size_t i = 0; i < count; i++)
        out.variance += (log(values[i]) - out.mean) * (log(values[i]) - out.mean);
    out.variance = count > 1 ? out.variance / (double)(count - 1) : 0;
    return out;
}

/* Hedges' correction keeps few values from looking surer than they are. */
static double effect_size(const struct logs *a, const struct logs *b)
{
    double freedom = a->count + b->count - 2;
    if (freedom < 1)
        return 0;
    double pooled = ((a->count - 1) * a->variance + (b->count - 1) * b->variance) / freedom;
    return pooled > 0 ? (b->mean - a->mean) / sqrt(pooled) * (1 - 3 / (4 * freedom - 1)) : 0;
}

static struct ratio unknown_interval(double value)
{
    return (struct ratio){value, 0, HUGE_VAL, false, 0};
}

struct ratio stats_ratio_welch(const double *a, size_t a_count, const double *b, size_t b_count)
{
    struct logs left = logs_of(a, a_count), right = logs_of(b, b_count);
    struct ratio out = unknown_interval(exp(right.mean - left.mean));
    if (a_count < 2 || b_count < 2)
        return out;
    double left_error = left.variance / left.count, right_error = right.variance / right.count;
    double error = left_error + right_error, half = 0;
    if (error > 0) {
        double freedom = error * error /
                         (left_error * left_error / (left.count - 1) + right_error * right_error / (right.count - 1));
        half = stats_t_95(freedom) * sqrt(error);
    }
    out.low = exp(right.mean - left.mean - half);
    out.high = exp(right.mean - left.mean + half);
    out.has_interval = true;
    out.effect_size = effect_size(&left, &right);
    return out;
}

static double resampled_mean(const double *logs, size_t count, struct random *random)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += logs[random_below(random, count)];
    return sum / (double)count;
}

static double *logarithms(const double *values, size_t count)
{
    double *out = malloc((count ? count : 1) * sizeof *out);
    for (size_t i = 0; out && i < count; i++)
        out[i] = log(values[i]);
    return out;
}

bool stats_ratio_bootstrap(const double *a, size_t a_count, const double *b, size_t b_count, size_t rounds,
                           uint64_t seed, struct ratio *out)
{
    double *left = logarithms(a, a_count), *right = logarithms(b, b_count), *means = malloc(rounds * sizeof *means);
    struct random random;
    bool good = left && right && means && rounds > 0;
    *out = stats_ratio_welch(a, a_count, b, b_count);
    if (good && a_count > 1 && b_count > 1) {
        random_init(&random, seed, 0);
        for (size_t i = 0; i < rounds; i++)
            means[i] = resampled_mean(right, b_count, &random) - resampled_mean(left, a_count, &random);
        qsort(means, rounds, sizeof *means, by_value);
        out->low = exp(means[(size_t)(0.025 * (double)(rounds - 1))]);
        out->high = exp(means[(size_t)(0.975 * (double)(rounds - 1))]);
    }
    free(left);
    free(right);
    free(means);
    return good;
}

bool stats_ratio_is_noise(const struct ratio *ratio)
{
    return ratio->has_interval && ratio->low <= 1 && ratio->high >= 1;
}

/* ---- the shape of a series ---- */

#define SERIES_MIN 10      /* shorter ones say nothing */
#define LEVELS_APART 2.0   /* the upper level is at least twice the lower */
#define LEVELS_EXPLAIN 0.8 /* of the variance: one hump, cut in the middle, gives 0.64 (normal) or 0.75 (even) */
#define LEVELS_SHARE 0.1   /* each has at least a tenth of the intervals */

static double *sorted_copy(const double *series, size_t count)
{
    double *out = malloc(count * sizeof *out);
    if (out) {
        memcpy(out, series, count * sizeof *out);
        qsort(out, count, sizeof *out, by_value);
    }
    return out;
}

/* The split that explains most of the variance. */
static struct two_levels best_split(const double *sorted, size_t count)
{
    struct two_levels best = {false, 0, 0, 0, 0};
    double total = 0, low_sum = 0, mean = stats_mean(sorted, count),
           spread = variance(sorted, count) * (double)(count - 1);
    for (size_t i = 0; i < count; i++)
        total += sorted[i];
    for (size_t i = 1; i < count && spread > 0; i++) {
        low_sum += sorted[i - 1];
        double low = low_sum / (double)i, high = (total - low_sum) / (double)(count - i);
        double between = (double)i * (low - mean) * (low - mean) + (double)(count - i) * (high - mean) * (high - mean);
        if (between / spread > best.explained)
            best = (struct two_levels){false, low, high, (double)i / (double)count, between / spread};
    }
    return best;
}

struct two_levels stats_two_levels(const double *series, size_t count)
{
    struct two_levels out = {false, 0, 0, 0, 0};
    double *sorted = count >= SERIES_MIN ? sorted_copy(series, count) : NULL;
    if (!sorted)
        return out;
    out = best_split(sorted, count);
    out.found = out.explained >= LEVELS_EXPLAIN && out.high >= LEVELS_APART * (out.low > 0 ? out.low : 1e-9) &&
                out.share_low >= LEVELS_SHARE && out.share_low <= 1 - LEVELS_SHARE;
    free(sorted);
    return out;
}

static double median_of(const double *series, size_t count)
{
    double *copy = sorted_copy(series, count), median = copy ? stats_median(copy, count) : 0;
    free(copy);
    return median;
}

#define DRIFT_Z 2.576 /* 99 % */
#define DRIFT_CHANGE 0.1

/* Mann's S over its standard deviation. Longer series are thinned: n² pairs. */
static double trend_z(const double *series, size_t count)
{
    size_t step = count / 600 + 1, n = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i += step, n++)
        for (size_t j = i + step; j < count; j += step)
            sum += (series[j] > series[i]) - (series[j] < series[i]);
    double deviation = sqrt((double)n * (double)(n - 1) * (2.0 * (double)n + 5) / 18);
    return deviation > 0 ? sum / deviation : 0;
}

struct drift stats_drift(const double *series, size_t count)
{
    struct drift out = {false, 0, 0};
    size_t third = count / 3;
    if (count < SERIES_MIN)
        return out;
    out.first = median_of(series, third);
    out.last = median_of(series + count - third, third);
    out.found = fabs(trend_z(series, count)) > DRIFT_Z && fabs(out.last - out.first) > DRIFT_CHANGE * out.first;
    return out;
}
