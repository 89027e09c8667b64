/* trend.c: two looks at a series.
 *
 * The line: Tukey's resistant line takes its slope from the medians of the first and the last third, so that a few
 * stalls do not tilt it. It counts when it moves by more than DRIFT_SHARE of the mean and by more than noise can. The
 * noise is estimated from the steps between neighbours: a drift or a step hardly shows in those (von Neumann, 1941;
 * here their median). For normal noise the difference of the two medians has the standard error 1.25 σ √(6 / n).
 *
 * Two levels: the sorted values are cut where both parts are closest to their means (Otsu's rule). The parts are
 * levels when both are large enough and far apart, also in their own spreads: the halves of a straight drift are 3.5
 * spreads apart, those of normal noise 2.6. One change from level to level is a step, more of them are two modes.
 *
 * Simulated with independent noise of 3 to 30 % (normal, uniform, exponential dips; normal with one stall in twenty):
 * each look cries in 1 % of the series of 10 values (2.5 % for the widest uniform noise) and in 0.5 % of those of 20,
 * 1.6 % where stalls of half the rate are the only noise. Of series with 3 % of noise and 20 values it finds a drift
 * or a step by 30 % in 99 %, going back and forth by 30 % in 95 %. */
#include "run/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRIFT_SHARE 0.10     /* of the mean; below that, runs differ anyway */
#define DRIFT_ERRORS 4.5     /* standard errors; of 9 values the noise itself is known to a third only */
#define MODES_APART 0.20     /* of the mean */
#define MODES_RARER 0.20     /* of the values: the smaller part has at least so many … */
#define MODES_LEAST 3        /* … and at least these: two stalls in ten intervals are no level */
#define MODES_SPREADS 6.5    /* the levels' distance in their mean standard deviation */
#define NORMAL_STEP 0.953873 /* median of |x − y| for x, y normal with σ = 1: 0.674490 √2 */

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += values[i];
    return sum / (double)count;
}

static double median_of(const double *sorted, size_t count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* Median of some values, sorted in `scratch`. */
static double median_by(double *scratch, const double *values, size_t count)
{
    memcpy(scratch, values, count * sizeof(*values));
    qsort(scratch, count, sizeof(*scratch), compare);
    return median_of(scratch, count);
}

/* ---- the line -------------------------------------------------------------------------------------------------- */

static double noise_of(double *scratch, const double *values, size_t count)
{
    for (size_t i = 0; i + 1 < count; ++i)
        scratch[i] = fabs(values[i + 1] - values[i]);
    qsort(scratch, count - 1, sizeof(*scratch), compare);
    return median_of(scratch, count - 1) / NORMAL_STEP;
}

static void find_drift(const double *values, size_t count, double *scratch, struct trend *out)
{
    size_t third = count / 3;
    double from = median_by(scratch, values, third), to = median_by(scratch, values + count - third, third);
    double error = 1.25 * noise_of(scratch, values, count) * sqrt(6.0 / (double)count);
    double moved = fabs(to - from);
    if (moved <= DRIFT_SHARE * mean_of(values, count) || moved <= DRIFT_ERRORS * error)
        return;
    out->kind = TREND_DRIFT;
    out->from = from;
    out->to = to;
}

/* ---- two levels ------------------------------------------------------------------------------------------------ */

struct cut {
    size_t lower; /* so many values of the sorted ones */
    double low, high;
};

/* The cut that leaves the largest part of the variance between the two parts: lower · upper · (high − low)². */
static struct cut best_cut(const double *sorted, size_t count, size_t least)
{
    struct cut best = {0, 0, 0};
    double most = -1, below = 0, all = mean_of(sorted, count) * (double)count;
    for (size_t lower = 1; lower + least <= count; ++lower) {
        below += sorted[lower - 1];
        double low = below / (double)lower, high = (all - below) / (double)(count - lower);
        double between = (double)lower * (double)(count - lower) * (high - low) * (high - low);
        if (lower < least || between <= most)
            continue;
        most = between;
        best = (struct cut){lower, low, high};
    }
    return best;
}

/* Standard deviation of the values about the mean of their own part; two means cost two degrees of freedom. */
static double spread_within(const double *sorted, size_t count, const struct cut *cut)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
        double away = sorted[i] - (i < cut->lower ? cut->low : cut->high);
        sum += away * away;
    }
    return sqrt(sum / (double)(count - 2));
}

static bool has_levels(const double *sorted, size_t count, struct cut *cut)
{
    size_t rarer = (size_t)ceil((double)count * MODES_RARER);
    *cut = best_cut(sorted, count, rarer < MODES_LEAST ? MODES_LEAST : rarer);
    double apart = cut->high - cut->low;
    return apart > MODES_APART * mean_of(sorted, count) && apart > MODES_SPREADS * spread_within(sorted, count, cut);
}

static void note_changes(const double *values, size_t count, const struct cut *cut, struct trend *out)
{
    double middle = (cut->low + cut->high) / 2;
    for (size_t i = 1; i < count; ++i) {
        if ((values[i] > middle) == (values[i - 1] > middle))
            continue;
        ++out->changes;
        out->step_index = i;
    }
    bool rises = values[count - 1] > middle;
    out->kind = out->changes == 1 ? TREND_STEP : TREND_TWO_MODES;
    out->from = rises ? cut->low : cut->high;
    out->to = rises ? cut->high : cut->low;
    out->low = cut->low;
    out->high = cut->high;
    out->low_count = cut->lower;
}

static bool find_levels(const double *values, size_t count, double *scratch, struct trend *out)
{
    struct cut cut;
    memcpy(scratch, values, count * sizeof(*values));
    qsort(scratch, count, sizeof(*scratch), compare);
    if (!has_levels(scratch, count, &cut))
        return false;
    note_changes(values, count, &cut, out);
    return true;
}

bool trend_find(const double *values, size_t count, struct trend *out)
{
    memset(out, 0, sizeof(*out));
    if (count < TREND_LEAST_VALUES || mean_of(values, count) <= 0)
        return true;
    double *scratch = malloc(count * sizeof(*scratch));
    if (!scratch)
        return false;
    if (!find_levels(values, count, scratch, out))
        find_drift(values, count, scratch, out);
    free(scratch);
    return true;
}
