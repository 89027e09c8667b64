/* fileio/access.h: which request comes next. Always whole blocks inside one file, whatever the sizes. */
#ifndef FILEIO_ACCESS_H
#define FILEIO_ACCESS_H

#include "core/job.h"
#include "core/random.h"
#include "core/result.h"
#include "platform/queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct access_cursor {
    _Atomic uint64_t next;
    char apart[CACHE_LINE_BYTES - sizeof(uint64_t)];
};

/* Worked out once per run, read by all threads; only the cursors change. */
struct access {
    const struct job *job;
    bool sequential, shared, one_file, mixed;
    bool plain;         /* random, uniform, one kind of operation: the shortest way */
    enum io_op only_op; /* when not mixed */
    uint64_t block_bytes, align_bytes;
    uint64_t blocks_per_file;
    uint64_t places_per_file;   /* random: starting offsets in one file */
    uint64_t requests_per_file; /* sequential: requests of up to merge_blocks */
    uint64_t requests_per_pass; /* of one cursor: over all files, or with FILES_OWN over one */
    uint64_t requests_limit;    /* of one cursor: passes × requests_per_pass; UINT64_MAX = none */
    uint64_t read_below;        /* MIX_RANDOM: read when a random number is below */
    double reads_per_write;     /* MIX_BALANCED */
    struct picker picker;
    struct access_cursor *cursors; /* CURSOR_SHARED: one, or with FILES_OWN one for each file */
};

struct access_thread {
    struct random *random;
    uint64_t cursor, taken, reads, writes;
    uint64_t range;     /* own cursor: requests from `cursor` on before it starts over */
    uint32_t own_file;  /* FILES_OWN */
    uint32_t next_file; /* random, FILES_TURN */
};

/* file_bytes: the used part of each file, at least one block (job_check has seen to it). False when memory is short. */
bool access_init(struct access *access, const struct job *job, uint64_t file_bytes);
void access_done(struct access *access); /* all zero is fine */
/* Threads with their own cursor start evenly spread over the files. */
void access_thread_init(struct access_thread *thread, const struct access *access, uint64_t index,
                        struct random *random);
/* Fills in the next request's file, offset, bytes and op. False when the job's passes are done. */
bool access_next(struct access *access, struct access_thread *thread, struct io *out);
/* Random: another place for a request whose blocks are in use, in the same file where that is dealt. */
void access_redraw(const struct access *access, struct access_thread *thread, struct io *out);
/* Several at once, for a loop that must be short: up to `most`; 0 when the passes are done. A shared cursor gives one
 * at a time, since what a thread took and did not do would be missing from the pass. */
uint32_t access_next_batch(struct access *access, struct access_thread *thread, struct io *out, uint32_t most);

/* The longest request there will be. */
uint64_t access_largest_bytes(const struct job *job);

#endif
