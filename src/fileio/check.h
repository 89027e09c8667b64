/* fileio/check.h: what `fileio check` found. */
#ifndef FILEIO_CHECK_H
#define FILEIO_CHECK_H

#include "core/result.h"
#include "fileio/stamp.h"

#include <stdbool.h>
#include <stdint.h>

struct check_report {
    uint64_t blocks, acknowledged; /* of them, blocks with a durable write in the ledger */
    uint64_t counts[VERDICT_COUNT];
    uint64_t wrong;
    uint64_t read_bytes, elapsed_ns;
    bool from_cache; /* the system's cache could not be emptied nor left out */
    char ledger[TEXT_MAX];
    struct verify_finding findings[VERIFY_FINDINGS_MAX]; /* the first ones */
    size_t findings_count;
};

/* Text for free(); ends in a line feed. NULL when memory is short. */
char *check_to_json(const struct check_report *report);

#endif
