/* fileio/lane.h: one thread's IO: keeps up to `depth` requests in flight, times each, and syncs when it is due. */
#ifndef FILEIO_LANE_H
#define FILEIO_LANE_H

#include "fileio/access.h"
#include "fileio/data.h"
#include "fileio/fileio.h"
#include "fileio/targets.h"
#include "platform/queue.h"
#include "run/run.h"

/* Periodic syncs, dealt over all lanes: after every `sync_every` requests each file is synced once, one file after
 * the other, by whichever lane comes next. */
struct sync_series {
    _Atomic uint64_t requests;
    _Atomic uint64_t left; /* files of the series that is under way */
    _Atomic bool dirty;    /* written since the last series */
};

/* One run of the file engine: what all its lanes share. */
struct fileio {
    struct fileio_setup setup;
    const struct job *job; /* as run; in the result */
    const struct queue_engine *engine;
    struct targets shared; /* opened once when the engine can share files */
    struct targets_facts facts;
    struct access access;
    struct data data;
    struct sync_series series;
    uint64_t key_base; /* makes this run's data differ from any earlier run's */
};

extern const struct load fileio_load_template; /* context is to be set to a struct fileio */

#endif
