/* reconcile/compare.h: sets of results (of hosts, volumes, days) side by side: a row for each job that more than one
 * set has run, and how each set stands against the first. */
#ifndef RECONCILE_COMPARE_H
#define RECONCILE_COMPARE_H

#include "core/reading.h"
#include "core/settings.h"
#include "reconcile/sides.h"

#include <stdio.h>

/* One job in one set. */
struct cell {
    size_t runs;                    /* 0 = the set has not run it */
    double mean, median;            /* of the measure */
    double geometric_mean;          /* what ratios are of; the mean, if a run has none above 0 */
    double spread;                  /* (max − min) / mean, in percent */
    struct ratio ratio;             /* to the baseline's cell; of the first set 1 */
    bool has_ratio, is_significant; /* with three runs or more on both sides: 1 is outside of the interval */
};

struct compare_row {
    char job[256]; /* "rndrd 16K, 4 threads, cache off": what it is, and what tells it from the others */
    const struct reading *example;
    struct cell *cells; /* one per set */
};

struct comparison {
    enum measure measure;
    const char *const *sets; /* their names; the caller's */
    size_t set_count, baseline;
    struct compare_row *rows;
    size_t row_count;
    struct total { /* of each set against the baseline, over the jobs that both have */
        size_t jobs;
        double geometric_mean, best, worst; /* of the ratios; of latencies, the best is the lowest */
        size_t best_row, worst_row;
    } * totals;
};

/* Readings carry the number of their set in `file`; they and `sets` must outlive it. Runs whose jobs are equal but for
 * places and seeds are one row. False with an error when memory is short or no run has the measure. */
bool compare_make(const struct readings *readings, const char *const *sets, size_t set_count, size_t baseline,
                  enum measure measure, struct comparison *out, struct error *error);
void compare_free(struct comparison *comparison);

/* Are these two runs of one row? */
bool compare_is_same_job(const struct reading *a, const struct reading *b);
/* Would they be, if this setting were equal in both? Their names are not asked. */
bool compare_is_same_but(const struct job *a, const struct job *b, const struct setting *free_one);

void compare_print(const struct comparison *all, FILE *out);
void compare_markdown(const struct comparison *all, FILE *out);
void compare_csv(const struct comparison *all, FILE *out);
char *compare_to_json(const struct comparison *all); /* for free(); NULL when memory is short */

#endif
