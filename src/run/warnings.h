/* run/warnings.h: what could mislead a reader of a result, each with its evidence. docs/warnings.md says what the codes
 * mean; they are stable. To add one: a function and a row in warnings.c, a section there. */
#ifndef RUN_WARNINGS_H
#define RUN_WARNINGS_H

#include "core/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a result does not hold. */
struct evidence {
    uint64_t used_bytes;    /* working set: the part of all files that the run may touch */
    uint64_t written_bytes; /* of the files, ever, as it was before the run */
    bool written_known;     /* false where the system cannot tell */
    bool connects;          /* each connection was opened, and closed, in the measured part */
    bool together;          /* other jobs ran at the same time: the process's CPU time is not this job's alone */
};

/* Once, when all figures are in. */
void warnings_add(struct result *result, const struct evidence *evidence);

/* The codes one by one; NULL past the last. */
const char *warnings_code(size_t index);

#endif
