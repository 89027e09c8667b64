/* cli/together.h: jobs that run at the same time, each with threads of its own. */
#ifndef CLI_TOGETHER_H
#define CLI_TOGETHER_H

#include "cli/engine.h"

/* What came of one of them. */
struct together {
    struct result *result; /* the caller's, for result_free; NULL = it never began */
    struct error error;
    bool good;
    bool sent_home; /* it ended because another one failed; the error names that one */
};

/* Runs `count` of the jobs of the errand's invocation, from `first` on; `out` is one of each. They get ready one after
 * the other, then all begin at one moment, each warms up and ends as it is set. One that fails ends all; Ctrl-C too.
 * The listener's run_done and runs_done are left to the caller. After a forced shutdown (result->forced) threads may
 * hang in the system, as in run/run.h. */
void together_run(const struct errand *errand, size_t first, size_t count, struct together *out);

#endif
