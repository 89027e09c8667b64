/* fileio/access.h: which request comes next. Always whole blocks inside one file, whatever the sizes. */
#ifndef FILEIO_ACCESS_H
#define FILEIO_ACCESS_H

#include "core/job.h"
#include "core/random.h"
#include "core/result.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Worked out once per run, read by all threads; only `shared_cursor` changes. */
struct access {
    const struct job *job;
    bool sequential, shared, one_file, mixed;
    enum op_class only_op; /* when not mixed */
    uint64_t block_bytes, align_bytes;
    uint64_t blocks_per_file;
    uint64_t places_per_file;   /* random: starting offsets in one file */
    uint64_t requests_per_file; /* sequential: requests of up to merge_blocks */
    uint64_t requests_per_pass; /* over all files */
    uint64_t requests_limit;    /* passes × requests_per_pass; UINT64_MAX = none. Per thread with CURSOR_THREAD */
    uint64_t read_below;        /* MIX_RANDOM: read when a random number is below */
    double reads_per_write;     /* MIX_BALANCED */
    struct picker picker;
    _Atomic uint64_t shared_cursor;
};

struct access_thread {
    struct random *random;
    uint64_t cursor, taken, reads, writes;
};

struct access_request {
    uint64_t offset;
    uint32_t file, bytes;
    enum op_class op; /* CLASS_READ or CLASS_WRITE */
};

/* file_bytes: size of each file, at least one block (job_check has seen to it). */
void access_init(struct access *access, const struct job *job, uint64_t file_bytes);
/* Threads with their own cursor start evenly spread over the files. */
void access_thread_init(struct access_thread *thread, const struct access *access, uint64_t index,
                        struct random *random);
/* False when the job's passes are done. */
bool access_next(struct access *access, struct access_thread *thread, struct access_request *out);
/* The longest request there will be. */
uint64_t access_largest_bytes(const struct job *job);

#endif
