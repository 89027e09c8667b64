/* fileio/series.h: periodic syncs, dealt over all threads: after every `sync_every` requests each file is synced once,
 * one file after the other, by whichever thread comes next. */
#ifndef FILEIO_SERIES_H
#define FILEIO_SERIES_H

#include "core/job.h"
#include "core/result.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct series { /* all zero = nothing counted yet */
    _Atomic uint64_t requests;
    _Atomic uint64_t left; /* files of the series that is under way */
    _Atomic bool dirty;    /* written since the last series */
};

/* Counts one request; starts a series when it is time and something was written. */
void series_count(struct series *series, const struct job *job, enum op_class op);
/* Takes the next file of a series that is under way; false when there is none. */
bool series_claim(struct series *series, const struct job *job, uint32_t *file);

#endif
