/* cli/metrics.h: --openmetrics: a command line's runs, while they go, in a file or on a port (core/openmetrics.h). What
 * takes long is done by threads of its own: those that conduct runs only hand over their figures. */
#ifndef CLI_METRICS_H
#define CLI_METRICS_H

#include "core/dialect.h"
#include "platform/error.h"

struct metrics;

struct metrics_of_plan;
/* Where invocation->metrics says; *out is NULL where it says nothing. A file is written at once, and a port listens: so
 * that what cannot be ends the command before anything is run. `plan` is how the plan stands whose runs these are, NULL
 * for none. */
bool metrics_start(struct metrics **out, const struct invocation *invocation, const struct metrics_of_plan *plan,
                   struct error *error);
/* The listener to give to job `index`: `inner`, and one that looks at the run. Borrowed until metrics_free; it is
 * `inner` itself when metrics is NULL. */
const struct listener *metrics_listener(struct metrics *metrics, size_t index, const struct listener *inner);
/* A plan's runs, one after the other as job 0 of the invocation: how the plan stands, and which run comes now (number
 * of its job from 1). The names are borrowed until metrics_stop. NULL metrics are fine. */
void metrics_plan(struct metrics *metrics, const struct metrics_of_plan *plan);
void metrics_plan_run(struct metrics *metrics, uint32_t number, const char *name, uint64_t repetition,
                      const struct job *job);
/* All runs are over: the file gets the last figures, the port is closed. False when the last figures could not be
 * written. */
bool metrics_stop(struct metrics *metrics, struct error *error);
void metrics_free(struct metrics *metrics); /* after metrics_stop; NULL is fine */

/* Takes the value of --openmetrics into the invocation. */
bool metrics_set(struct invocation *invocation, const char *value, struct error *error);

#endif
