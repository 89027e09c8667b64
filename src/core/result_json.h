/* core/result_json.h: jobs and results as JSON (docs/result.md describes it); 64-bit integers stay exact. */
#ifndef CORE_RESULT_JSON_H
#define CORE_RESULT_JSON_H

#include "core/result.h"
#include "core/spread.h"
#include "platform/error.h"

#define RESULT_SCHEMA_VERSION 1

/* Text for free(); ends in a line feed. NULL when memory is short. */
char *result_to_json(const struct result *result);
/* One job of a document with several runs. */
struct job_runs {
    uint32_t number;  /* of the job, from 1 */
    const char *name; /* "" = none */
    const struct result *const *runs;
    size_t run_count;             /* at least one; more with `repeat` */
    const struct spread *spreads; /* how far they lie apart */
    size_t spread_count;
};

/* One document of all, at least one job: {"schema", "together", "runs": [results], "spread": [rows]}. `together`: the
 * jobs ran at the same time. */
char *runs_to_json(const struct job_runs *jobs, size_t job_count, bool together);
char *job_to_json(const struct job *job);

/* Reads what result_to_json wrote, histograms included. `name` is the file's, for errors. */
bool result_from_json(const char *text, const char *name, struct result **out, struct error *error);
/* All results of a document of either form: one run, or several. Calls `take` for each, which owns it from then on;
 * false from it ends the reading. */
bool results_from_json(const char *text, const char *name, bool (*take)(void *context, struct result *result),
                       void *context, struct error *error);
/* Every key must be a setting's name; missing ones keep their default. */
bool job_from_json(const char *text, const char *name, struct job *out, struct error *error);

#endif
