/* plan/estimate.h: how long a plan's runs will take: what the jobs say, and what runs and files of this call have taken
 * until now. */
#ifndef PLAN_ESTIMATE_H
#define PLAN_ESTIMATE_H

#include "plan/manifest.h"

struct estimate {
    const struct plan *plan;
    double *took_s;           /* per job: its newest run; 0 = none yet */
    bool *counted;            /* per layout: while all is added up */
    double beyond_load_s;     /* of all runs: what they took beyond their load */
    size_t runs;              /* that went into it */
    double files_s, tables_s; /* that the making of these took */
    double files_bytes, rows;
};

/* False when memory is short; estimate_done in any case. */
bool estimate_init(struct estimate *out, const struct plan *plan);
void estimate_done(struct estimate *estimate);

void estimate_note_run(struct estimate *estimate, size_t job, double seconds); /* without the making of its files */
void estimate_note_layout(struct estimate *estimate, size_t job, double seconds);

/* Seconds that the open ones of runs[first…] will take, with the making of their files and tables but for those in
 * made[layout]. *at_least: one of them has no time limit and has not been run yet, so that it counts as nothing. */
double estimate_left(const struct estimate *estimate, const struct manifest *runs, size_t first, const bool *made,
                     bool *at_least);

#endif
