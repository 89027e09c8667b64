/* core/spread.h: how far repeated runs of one job lie apart, figure by figure. */
#ifndef CORE_SPREAD_H
#define CORE_SPREAD_H

#include "core/result.h"

#include <stddef.h>

struct spread {
    enum op_class op;
    char figure[32]; /* "IOPS", "MiB/s", "mean", "p99" */
    bool is_time;    /* nanoseconds */
    double median, min, max;
    double stddev; /* of the sample: n − 1 */
};

/* One row for each class that every run has, and each of IOPS, MiB/s, mean and the job's percentiles. Rows for
 * free(), their number in *count; NULL when memory is short. The median of an even number is the mean of the middle
 * two. At least one run. */
struct spread *spread_of_runs(const struct result *const *runs, size_t run_count, size_t *count);
/* (max − min) / median in percent; 0 when the median is 0. */
double spread_percent(const struct spread *spread);

#endif
