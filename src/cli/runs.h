/* cli/runs.h: all runs of a command line: each job as often as it says, one job after the other or all at the same
 * time; then one JSON document of them all. */
#ifndef CLI_RUNS_H
#define CLI_RUNS_H

#include "cli/engine.h"

/* Prints what there is to print, errors too. The exit status: of several jobs the worst. Does not return after a forced
 * shutdown. */
int runs_carry_out(const struct errand *errand);

#endif
