/* fileio/access.h: which request comes next. Always whole blocks inside one file, whatever the sizes. */
#ifndef FILEIO_ACCESS_H
#define FILEIO_ACCESS_H

#include "core/job.h"
#include "core/random.h"
#include "core/result.h"
#include "fileio/shuffle.h"
#include "platform/queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct access_cursor {
    _Atomic uint64_t next;
    char apart[CACHE_LINE_BYTES - sizeof(uint64_t)];
};

struct access;
struct access_thread;

/* Fills in a request's file, its offset in the used part, and bytes. False when the passes are done. */
typedef bool access_draw(struct access *access, struct access_thread *thread, struct io *out);

/* Of one thread in one file: what an IO that follows goes on with. */
struct trail {
    uint64_t next; /* where it begins */
    enum io_op op; /* of the last random request */
};

/* Worked out once per run, read by all threads; only the cursors and each thread's trails change. */
struct access {
    const struct job *job;
    access_draw *draw;
    bool shared, one_file, mixed, backward;
    bool counted;       /* each request is one of a pass: sequential, or COVERAGE_ONCE */
    bool redraws;       /* another place is as good: random, and each IO on its own */
    bool plain;         /* random, uniform, one kind of operation: the shortest way */
    enum io_op only_op; /* when not mixed */
    uint64_t block_bytes, align_bytes;
    uint64_t step_bytes;      /* sequential, or following: from the start of one request to the next */
    uint64_t largest_bytes;   /* the longest request there will be */
    uint64_t file_bytes;      /* used of each file, whole blocks */
    uint64_t places_per_file; /* random: starting offsets in one file */
    uint64_t read_below;      /* not MIX_BALANCED: read when a random number is below */
    uint64_t random_below;    /* random_percent: the same */
    double reads_per_write;   /* MIX_BALANCED */
    struct picker picker;
    struct shuffle shuffle;        /* COVERAGE_ONCE: of the places that one cursor goes over, or of one file's */
    struct access_cursor *cursors; /* shared: one, or with FILES_OWN one for each file */
    struct trail *trails;          /* of each thread, in each of its files; NULL = all are random */
    size_t trails_each;            /* of one thread */
};

struct access_thread {
    struct random *random;
    uint64_t cursor, taken, reads, writes;
    uint64_t range;      /* own cursor: requests from `cursor` on before it starts over */
    uint64_t per_file;   /* counted: requests in one file; for own cursors that begin apart they differ */
    uint64_t per_pass;   /* of its cursor: over all files, or with FILES_OWN over one */
    uint64_t limit;      /* of its cursor; UINT64_MAX = no end */
    uint64_t lead_bytes; /* sequential: before the first request of each file */
    uint64_t pass, key;  /* COVERAGE_ONCE: the pass whose order the key names */
    uint64_t stream;     /* own cursor: makes its orders its own */
    struct trail *trails;
    uint32_t last_file; /* of the request before, for one that follows it */
    uint32_t own_file;  /* FILES_OWN */
    uint32_t next_file; /* random, FILES_TURN */
};

/* file_bytes: the used part of each file, at least one block (job_check has seen to it). False when memory is short. */
bool access_init(struct access *access, const struct job *job, uint64_t file_bytes);
void access_done(struct access *access); /* all zero is fine */
/* Threads with their own cursor start evenly spread over the files, or as far apart as the job says. */
void access_thread_init(struct access_thread *thread, const struct access *access, uint64_t index,
                        struct random *random);
/* Fills in the next request's file, offset, bytes and op. False when the job's passes are done. */
bool access_next(struct access *access, struct access_thread *thread, struct io *out);
/* access.redraws: another place for a request whose blocks are in use, in the same file where that is dealt. */
void access_redraw(const struct access *access, struct access_thread *thread, struct io *out);
/* Several at once, for a loop that must be short: up to `most`; 0 when the passes are done. Requests of a pass come
 * one at a time, since what a thread took and did not do would be missing from it. */
uint32_t access_next_batch(struct access *access, struct access_thread *thread, struct io *out, uint32_t most);

/* The longest request there will be. */
uint64_t access_largest_bytes(const struct job *job);

#endif
