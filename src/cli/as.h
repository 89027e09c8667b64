/* cli/as.h: what every tool's command line takes beside its own words, and the same load as another tool says it. */
#ifndef CLI_AS_H
#define CLI_AS_H

#include "core/dialect.h"

/* Values point into argv; NULL = not given. */
struct extras {
    bool show_job;
    const char *as, *json, *metrics;
};

/* Takes --as TOOL (or --as=TOOL) out of the `*argc` words of argv, and with `all` --show-job, --json=FILE and
 * --openmetrics=FILE|PORT too. What
 * is left goes to words, its number to *argc. */
bool extras_take(struct extras *extras, bool all, int *argc, char *const *argv, char **words, struct error *error);

/* Prints the invocation's jobs as command lines of the tool called `tool`, one after the other, and after each a note
 * for every setting that has an effect there and comes back differently when the line is read again. */
bool as_print(const char *tool, const struct invocation *from, FILE *out, struct error *error);

#endif
