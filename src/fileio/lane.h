/* fileio/lane.h: one thread's IO: keeps up to `depth` requests in flight, times each, and syncs when it is due. */
#ifndef FILEIO_LANE_H
#define FILEIO_LANE_H

#include "fileio/access.h"
#include "fileio/data.h"
#include "fileio/faults.h"
#include "fileio/fileio.h"
#include "fileio/series.h"
#include "fileio/targets.h"
#include "platform/queue.h"
#include "run/run.h"

/* One run of the file engine: what all its lanes share. */
struct fileio {
    struct fileio_setup setup;
    const struct job *job; /* as run; in the result */
    const struct queue_engine *engine;
    struct targets shared; /* opened once when the engine can share files */
    struct targets_facts facts;
    struct access access;
    struct data data;
    struct series series;
    struct faults faults;
    uint64_t key_base; /* makes this run's data differ from any earlier run's */
};

extern const struct load fileio_load_template; /* context is to be set to a struct fileio */

#endif
