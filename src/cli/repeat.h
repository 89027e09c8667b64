/* cli/repeat.h: runs of one job, one after the other, and what they have in common. */
#ifndef CLI_REPEAT_H
#define CLI_REPEAT_H

#include "core/result.h"
#include "core/spread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct repeat {
    struct result **runs;
    size_t count, room;
};

/* Room for job.repeat runs; false when memory is short. */
bool repeat_init(struct repeat *repeat, size_t room);
void repeat_done(struct repeat *repeat); /* frees the runs too */

/* The table of spreads, for people. */
void repeat_print(FILE *out, const struct spread *spreads, size_t count, size_t runs);

#endif
