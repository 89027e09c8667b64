/* core/result_json.h: jobs and results as JSON (docs/result.md describes it); 64-bit integers stay exact. */
#ifndef CORE_RESULT_JSON_H
#define CORE_RESULT_JSON_H

#include "core/result.h"
#include "core/spread.h"
#include "platform/error.h"

#define RESULT_SCHEMA_VERSION 1

/* Text for free(); ends in a line feed. NULL when memory is short. */
char *result_to_json(const struct result *result);
/* Repeated runs of one job, at least one, and how far they lie apart: {"schema", "runs": [results], "spread": [rows]}.
 */
char *runs_to_json(const struct result *const *runs, size_t run_count, const struct spread *spreads,
                   size_t spread_count);
char *job_to_json(const struct job *job);

/* Reads what result_to_json wrote, histograms included. `name` is the file's, for errors. */
bool result_from_json(const char *text, const char *name, struct result **out, struct error *error);
/* All results of a document of either form: one run, or several. Calls `take` for each, which owns it from then on; false
 * from it ends the reading. */
bool results_from_json(const char *text, const char *name, bool (*take)(void *context, struct result *result),
                       void *context, struct error *error);
/* Every key must be a setting's name; missing ones keep their default. */
bool job_from_json(const char *text, const char *name, struct job *out, struct error *error);

#endif
