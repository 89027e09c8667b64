/* fileio/lane.h: one thread's IO: keeps up to `depth` requests in flight, times each, and syncs when it is due. */
#ifndef FILEIO_LANE_H
#define FILEIO_LANE_H

#include "fileio/access.h"
#include "fileio/data.h"
#include "fileio/faults.h"
#include "fileio/fileio.h"
#include "fileio/series.h"
#include "fileio/targets.h"
#include "fileio/verify.h"
#include "platform/queue.h"
#include "run/run.h"

/* One run of the file engine: what all its lanes share. */
struct fileio {
    struct fileio_setup setup;
    const struct job *job; /* as run; in the result */
    struct path_lock *lock;
    const struct queue_engine *engine;
    struct targets shared; /* opened once when the engine can share files */
    struct targets_facts facts;
    struct access access;
    struct data data;
    struct series series;
    struct faults faults;
    struct verify *verify;           /* NULL = off */
    char dropped_ledger[PATH_BYTES]; /* of the set, since this run writes without verify; "" = none */
    uint64_t key_base;               /* makes this run's data differ from any earlier run's */
};

/* One thread of it. Inside of the room: lane.c has the general loop, lane_simple.c the short one. */
struct lane {
    struct fileio *fileio;
    struct worker *worker;
    const struct queue_engine *engine;
    struct queue *queue;
    struct targets own; /* when the engine cannot share files */
    struct access_thread access;
    struct io *ios;    /* one per depth */
    struct io **idle;  /* stack of those not in flight */
    struct io **batch; /* to submit, and as reaped */
    struct io **owed;  /* written, to be synced before they count as durable */
    uint8_t *buffers;
    uint32_t depth, idle_count, owed_count;
    bool series, counted;  /* periodic syncs, and whether they are events */
    bool paced, open_loop; /* events may have to wait; for their due time, not for a pause */
    bool from_due;         /* open loop: latencies count from when events were due */
    bool durable;          /* each write is synced */
    bool walled;           /* the measured part may end before the load does */
    bool traced;
    bool has_due;
    bool exhausted; /* nothing new starts */
    bool sync_due;
    uint32_t sync_file;
    uint64_t now_ns; /* last clock reading */
    uint64_t next_key;
    uint64_t hold_ns; /* too early until then; 0 = no */
    uint64_t due_ns, burst_left, pause_until_ns;
    struct verify *verify; /* NULL = off */
    bool blocked;          /* a request waits for blocks that are in use: */
    struct io blocked_io;
};

static inline enum op_class lane_class_of(const struct io *io)
{
    return io->op == IO_READ ? CLASS_READ : CLASS_WRITE;
}

/* What is written is made before the clock is read. */
static inline void lane_fill(struct lane *lane, const struct io *io)
{
    const struct fileio *fileio = lane->fileio;
    data_fill(&fileio->data, io->buffer, io->bytes, lane->next_key);
    lane->next_key += io->bytes / fileio->job->block_size_bytes;
}

/* io->result is not what it should be: ends the run with the failure in words, or counts it and lets the run go on. */
bool lane_io_failed(const struct lane *lane, const struct io *io, struct error *error);

/* The loop for one IO at a time on an engine that does it at once, with nothing else to do. */
bool lane_loop_simple(struct lane *lane, struct error *error);

extern const struct load fileio_load_template; /* context is to be set to a struct fileio */

#endif
