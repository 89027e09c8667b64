#include "fileio/access.h"

#include <math.h>

static uint64_t passes_limit(const struct job *job, uint64_t per_pass)
{
    return job->passes == 0 || job->passes > UINT64_MAX / per_pass ? UINT64_MAX : job->passes * per_pass;
}

void access_init(struct access *access, const struct job *job, uint64_t file_bytes)
{
    access->job = job;
    access->sequential = mode_is_sequential(job->mode);
    access->one_file = job->files == 1;
    access->shared = job->cursor == CURSOR_SHARED;
    access->mixed = mode_reads(job->mode) && mode_writes(job->mode);
    access->only_op = mode_reads(job->mode) ? CLASS_READ : CLASS_WRITE;
    access->block_bytes = job->block_size_bytes;
    access->align_bytes = job->align_bytes ? job->align_bytes : job->block_size_bytes;
    access->blocks_per_file = file_bytes / job->block_size_bytes;
    access->places_per_file = (file_bytes - job->block_size_bytes) / access->align_bytes + 1;
    access->requests_per_file = (access->blocks_per_file + job->merge_blocks - 1) / job->merge_blocks;
    access->requests_per_pass = access->requests_per_file * job->files;
    access->requests_limit = passes_limit(job, access->requests_per_pass);
    access->read_below = job->read_percent >= 100 ? UINT64_MAX : (uint64_t)ldexp(job->read_percent / 100, 64);
    access->reads_per_write = job->read_percent >= 100 ? INFINITY : job->read_percent / (100 - job->read_percent);
    picker_init(&access->picker, job, access->places_per_file * job->files);
    atomic_store(&access->shared_cursor, 0);
}

void access_thread_init(struct access_thread *thread, const struct access *access, uint64_t index,
                        struct random *random)
{
    uint64_t per_pass = access->requests_per_pass, threads = access->job->threads;
    thread->random = random;
    thread->taken = thread->reads = thread->writes = 0;
    /* index × per_pass / threads without overflow */
    thread->cursor = per_pass / threads * index + per_pass % threads * index / threads;
}

/* Balanced: reads and writes keep to the ratio from the first request on, as sysbench deals them. */
static bool mixed_reads(const struct access *access, const struct access_thread *thread)
{
    if (access->job->mix == MIX_RANDOM)
        return random_next(thread->random) < access->read_below;
    return (double)(thread->reads + 1) / (double)(thread->writes + 1) < access->reads_per_write;
}

static enum op_class choose_op(const struct access *access, struct access_thread *thread)
{
    if (!access->mixed)
        return access->only_op;
    bool reads = mixed_reads(access, thread);
    if (reads)
        ++thread->reads;
    else
        ++thread->writes;
    return reads ? CLASS_READ : CLASS_WRITE;
}

static void place(const struct access *access, struct access_thread *thread, struct access_request *out)
{
    uint64_t pick = access->picker.distribution == DIST_UNIFORM ? random_below(thread->random, access->picker.bound)
                                                                : picker_pick(&access->picker, thread->random);
    uint64_t file = access->one_file ? 0 : pick / access->places_per_file;
    out->file = (uint32_t)file;
    out->offset = (pick - file * access->places_per_file) * access->align_bytes;
    out->bytes = (uint32_t)access->block_bytes;
}

static bool step(struct access *access, struct access_thread *thread, struct access_request *out)
{
    uint64_t ticket, index;
    if (access->shared) {
        ticket = index = atomic_fetch_add_explicit(&access->shared_cursor, 1, memory_order_relaxed);
    } else {
        ticket = thread->taken++;
        index = thread->cursor + ticket;
    }
    if (ticket >= access->requests_limit)
        return false;
    index %= access->requests_per_pass;
    uint64_t merge = access->job->merge_blocks;
    uint64_t first_block = index % access->requests_per_file * merge;
    uint64_t blocks = access->blocks_per_file - first_block;
    out->file = (uint32_t)(index / access->requests_per_file);
    out->offset = first_block * access->block_bytes;
    out->bytes = (uint32_t)((blocks < merge ? blocks : merge) * access->block_bytes);
    return true;
}

bool access_next(struct access *access, struct access_thread *thread, struct access_request *out)
{
    out->op = choose_op(access, thread);
    if (access->sequential)
        return step(access, thread, out);
    place(access, thread, out);
    return true;
}

uint64_t access_largest_bytes(const struct job *job)
{
    return job->block_size_bytes * (mode_is_sequential(job->mode) ? job->merge_blocks : 1);
}
