/* run/trend.h: does a series of rates hold still? It may drift, make one step, or go back and forth between two
 * levels; then its mean says little. Built not to cry over noise: see trend.c for the rules and their reasons. */
#ifndef RUN_TREND_H
#define RUN_TREND_H

#include <stdbool.h>
#include <stddef.h>

#define TREND_LEAST_VALUES 9 /* three in each third: fewer have no median worth the name */

enum trend_kind { TREND_NONE, TREND_DRIFT, TREND_STEP, TREND_TWO_MODES };

struct trend {
    enum trend_kind kind;
    double from, to;   /* drift: medians of the first and the last third; step: means before and after it */
    double low, high;  /* two modes: the means of both */
    size_t low_count;  /* two modes: how many values are of the lower one */
    size_t changes;    /* two modes: how often the series went from one to the other */
    size_t step_index; /* step: the first value after it */
};

/* False when memory is short; fewer than TREND_LEAST_VALUES values have no trend. */
bool trend_find(const double *values, size_t count, struct trend *out);

#endif
