/* core/openmetrics.h: runs as they stand, in the text format of OpenMetrics 1.0 (its specification, "Data Model" and
 * "Text format"), which Prometheus reads. */
#ifndef CORE_OPENMETRICS_H
#define CORE_OPENMETRICS_H

#include "core/job.h"
#include "core/listener.h"
#include "core/result.h"

#include <stdbool.h>
#include <stddef.h>

/* One job of a command line. */
struct metrics_of_job {
    uint32_t number;     /* from 1 */
    const char *name;    /* "" = none */
    uint64_t repetition; /* of a plan's run: it and the name are then labels of each sample; 0 = of no plan */
    struct job job;
    enum run_phase phase;
    uint64_t measured_ns;
    struct tally total;
    double per_s[CLASS_COUNT]; /* over the last interval; NAN = none yet */
};

/* The plan that the runs are of. */
struct metrics_of_plan {
    const char *name;
    size_t open, done, failed; /* runs; the one that goes on is open */
    double left_s;
};

#define OPENMETRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* For free(); NULL when memory is short. `plan`, and `host` (the newest sample): NULL = none. */
char *openmetrics_text(const struct metrics_of_job *jobs, size_t count, const struct metrics_of_plan *plan,
                       const struct host_sample *host);

#endif
