#include "oltp/knee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 200 /* of a slope, which takes their square */
#define REACHED 0.95   /* of the rate: below, the source could not do it */

/* ---- the slope ---- */

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare_reals);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double slope_between(const struct replica_interval *a, const struct replica_interval *b)
{
    double lag_ns = (double)b->lag_ns - (double)a->lag_ns;
    return lag_ns / (double)(b->end_ns - a->end_ns);
}

double lag_slope(const struct replica_interval *series, size_t count)
{
    size_t step = (count + POINTS_MAX - 1) / POINTS_MAX, pairs = 0;
    double *slopes = malloc((size_t)POINTS_MAX * (POINTS_MAX - 1) / 2 * sizeof(*slopes)), found = 0;
    for (size_t i = 0; slopes && i < count; i += step)
        for (size_t j = i + step; j < count; j += step)
            if (series[j].end_ns > series[i].end_ns)
                slopes[pairs++] = slope_between(&series[i], &series[j]);
    if (pairs > 0)
        found = median(slopes, pairs);
    free(slopes);
    return found;
}

bool lag_grows(const struct replica_interval *series, size_t count, uint64_t heartbeat_ns, double *slope)
{
    *slope = lag_slope(series, count);
    if (count < 2)
        return false;
    double span_ns = (double)(series[count - 1].end_ns - series[0].end_ns);
    return *slope >= KNEE_SLOPE && *slope * span_ns >= KNEE_HEARTBEATS * (double)heartbeat_ns;
}

/* ---- the search ---- */

double knee_next(const struct knee_search *search)
{
    double low = search->keeps_up, high = search->falls_behind;
    if (search->done)
        return 0;
    if (low == 0)
        return high == 0 ? search->low : 0; /* the lowest rate is too much already */
    if (high == 0)
        return search->high;
    return (high - low) * 100 <= search->precision * high ? 0 : sqrt(low * high);
}

void knee_take(struct knee_search *search, const struct knee_step *step)
{
    bool capped = step->reached < step->rate * REACHED;
    double level = capped ? step->reached : step->rate;
    if (step->falls_behind)
        search->falls_behind = level;
    else if (level > search->keeps_up)
        search->keeps_up = level;
    else
        search->done = true; /* the source does no more than that */
    search->done = search->done || (!step->falls_behind && step->rate >= search->high) ||
                   (search->falls_behind > 0 && search->falls_behind <= search->keeps_up);
}

/* ---- the runs ---- */

struct climb {
    const struct oltp_setup *setup;
    struct listener listener;
    struct knee_search search;
    struct lag_knee knee;
    struct result *best;
};

static struct knee_step measure(const struct result *result)
{
    struct knee_step step = {.rate = result->job.rate, .slope = -HUGE_VAL};
    double seconds = (double)result->load_ns / 1e9;
    step.reached = seconds > 0 ? (double)result->total.of[CLASS_TRANSACTION].latency.count / seconds : 0;
    for (size_t i = 0; i < result->replication->rows_count; ++i) {
        const struct replica_row *row = &result->replication->rows[i];
        double slope;
        bool grows = lag_grows(row->series, row->series_count, result->job.heartbeat_ns, &slope);
        step.falls_behind = step.falls_behind || grows;
        step.slope = slope > step.slope ? slope : step.slope;
        uint64_t lag_ns = row->series_count ? row->series[row->series_count - 1].lag_ns : 0;
        step.lag_end_ns = lag_ns > step.lag_end_ns ? lag_ns : step.lag_end_ns;
    }
    return step;
}

static void note_step(struct climb *climb, const struct knee_step *step)
{
    struct lag_knee *knee = &climb->knee;
    const struct listener *listener = climb->setup->listener;
    knee->steps[knee->steps_count++] = *step;
    if (step->falls_behind)
        knee->falls_behind = step->reached;
    else if (step->reached > knee->keeps_up)
        knee->keeps_up = step->reached;
    knee_take(&climb->search, step);
    if (listener->run_step)
        listener->run_step(listener->context, step);
}

/* The one result that is kept. */
static void keep_best(struct climb *climb, struct result *result, bool falls_behind)
{
    bool better = !climb->best || !falls_behind;
    struct result *worse = better ? climb->best : result;
    climb->best = better ? result : climb->best;
    result_free(worse);
}

/* After the first step, what all have in common is not told again. */
static bool try_rate(struct climb *climb, double rate, bool *goes_on, struct error *error)
{
    struct job job = *climb->setup->job;
    struct oltp_setup setup = *climb->setup;
    struct result *result = NULL;
    job.rate = rate;
    setup.job = &job;
    setup.listener = &climb->listener;
    *goes_on = false;
    bool good = oltp_run(&setup, &result, error);
    if (!good || result->partial || !result->replication) {
        if (result) { /* threads of a forced shutdown may still look at it */
            result_free(climb->best);
            climb->best = result;
        }
        return good;
    }
    struct knee_step step = measure(result);
    note_step(climb, &step);
    keep_best(climb, result, step.falls_behind);
    climb->listener.run_opened = NULL;
    *goes_on = climb->knee.steps_count < KNEE_STEPS_MAX;
    return true;
}

bool knee_run(const struct oltp_setup *setup, struct result **out, struct error *error)
{
    struct climb climb = {
        .setup = setup, .listener = *setup->listener, .search = {.precision = setup->job->knee_precision}};
    bool good = true, goes_on = true;
    *out = NULL;
    if (setup->place)
        return error_set(error, ERR_UNSUPPORTED, "--find-lag-knee: not with jobs that run at the same time");
    if (!job_knee_bounds(setup->job, &climb.search.low, &climb.search.high))
        return error_set(error, ERR_USAGE, "--find-lag-knee=%s: give LOW:HIGH", setup->job->find_lag_knee);
    for (double rate; good && goes_on && (rate = knee_next(&climb.search)) > 0;)
        good = try_rate(&climb, rate, &goes_on, error);
    *out = climb.best;
    if (climb.best && climb.best->replication)
        climb.best->replication->knee = climb.knee;
    return good;
}
