#include "fileio/access.h"

#include <math.h>
#include <stdlib.h>

static uint64_t passes_limit(const struct job *job, uint64_t per_pass)
{
    return job->passes == 0 || job->passes > UINT64_MAX / per_pass ? UINT64_MAX : job->passes * per_pass;
}

/* With stripes: each of their blocks in each of the rows. */
static uint64_t requests_in_file(const struct access *access, const struct job *job)
{
    if (job->stripe_blocks > 0)
        return job->stripe_blocks * job->stripe_rows;
    return (access->blocks_per_file + job->merge_blocks - 1) / job->merge_blocks;
}

bool access_init(struct access *access, const struct job *job, uint64_t file_bytes)
{
    bool own = job->file_choice == FILES_OWN;
    access->job = job;
    access->sequential = mode_is_sequential(job->mode);
    access->one_file = job->files == 1;
    access->shared = job->cursor == CURSOR_SHARED;
    access->mixed = mode_reads(job->mode) && mode_writes(job->mode);
    access->plain = !access->sequential && !access->mixed && job->distribution == DIST_UNIFORM &&
                    job->file_choice == FILES_ALL && job->start_bytes == 0;
    access->only_op = mode_reads(job->mode) ? IO_READ : IO_WRITE;
    access->block_bytes = job->block_size_bytes;
    access->align_bytes = job->align_bytes ? job->align_bytes : job->block_size_bytes;
    access->blocks_per_file = file_bytes / job->block_size_bytes;
    access->places_per_file = (file_bytes - job->block_size_bytes) / access->align_bytes + 1;
    access->requests_per_file = requests_in_file(access, job);
    access->requests_per_pass = access->requests_per_file * (own ? 1 : job->files);
    access->requests_limit = passes_limit(job, access->requests_per_pass);
    access->read_below = job->read_percent >= 100 ? UINT64_MAX : (uint64_t)ldexp(job->read_percent / 100, 64);
    access->reads_per_write = job->read_percent >= 100 ? INFINITY : job->read_percent / (100 - job->read_percent);
    picker_init(&access->picker, job, access->places_per_file * (job->file_choice == FILES_ALL ? job->files : 1));
    access->cursors = calloc(own ? (size_t)job->files : 1, sizeof(*access->cursors));
    return access->cursors != NULL;
}

void access_done(struct access *access)
{
    free(access->cursors);
    access->cursors = NULL;
}

/* whole × index / count without overflow */
static uint64_t share(uint64_t whole, uint64_t index, uint64_t count)
{
    return whole / count * index + whole % count * index / count;
}

/* A thread's part of each stripe: its blocks from the thread's first up to the next thread's first. */
static void take_columns(struct access_thread *thread, const struct job *job, uint64_t index, uint64_t count)
{
    uint64_t first = share(job->stripe_blocks, index, count), end = share(job->stripe_blocks, index + 1, count);
    uint64_t files = job->file_choice == FILES_OWN ? 1 : job->files;
    thread->cursor = first * job->stripe_rows * files;
    thread->range = (end > first ? end - first : 1) * job->stripe_rows * files;
}

void access_thread_init(struct access_thread *thread, const struct access *access, uint64_t index,
                        struct random *random)
{
    const struct job *job = access->job;
    uint64_t count = job->threads;
    thread->random = random;
    thread->taken = thread->reads = thread->writes = 0;
    thread->own_file = thread->next_file = (uint32_t)(index % job->files);
    if (job->file_choice == FILES_OWN) { /* index and count are then among the threads of the file */
        count = (count - thread->own_file + job->files - 1) / job->files;
        index /= job->files;
    }
    thread->cursor = share(access->requests_per_pass, index, count);
    thread->range = access->requests_per_pass;
    if (job->stripe_blocks > 0)
        take_columns(thread, job, index, count);
}

/* Balanced: reads and writes keep to the ratio from the first request on, as sysbench deals them. */
static bool mixed_reads(const struct access *access, const struct access_thread *thread)
{
    if (access->job->mix == MIX_RANDOM)
        return random_next(thread->random) < access->read_below;
    return (double)(thread->reads + 1) / (double)(thread->writes + 1) < access->reads_per_write;
}

static enum io_op choose_op(const struct access *access, struct access_thread *thread)
{
    if (!access->mixed)
        return access->only_op;
    bool reads = mixed_reads(access, thread);
    if (reads)
        ++thread->reads;
    else
        ++thread->writes;
    return reads ? IO_READ : IO_WRITE;
}

/* Where the pick-th place of all files lies. */
static void access_place(const struct access *access, uint64_t pick, struct io *out)
{
    uint64_t file = access->one_file ? 0 : pick / access->places_per_file;
    out->file = (uint32_t)file;
    out->offset = (pick - file * access->places_per_file) * access->align_bytes;
    out->bytes = (uint32_t)access->block_bytes;
}

/* The next request's number in the order of its cursor; false when the passes are done. */
static bool take_index(struct access *access, struct access_thread *thread, uint64_t *index)
{
    uint64_t ticket;
    if (access->shared) {
        bool own = access->job->file_choice == FILES_OWN;
        struct access_cursor *cursor = &access->cursors[own ? thread->own_file : 0];
        ticket = atomic_fetch_add_explicit(&cursor->next, 1, memory_order_relaxed);
        *index = ticket % access->requests_per_pass;
    } else {
        ticket = thread->taken++;
        *index = (thread->cursor + ticket % thread->range) % access->requests_per_pass;
    }
    return ticket < access->requests_limit;
}

/* Which file the index-th request goes to; *index becomes its number within that file. */
static uint32_t split_index(const struct access *access, const struct access_thread *thread, uint64_t *index)
{
    const struct job *job = access->job;
    uint64_t whole = *index;
    switch (job->file_choice) {
    case FILES_OWN:
        return thread->own_file;
    case FILES_TURN:
        *index = whole / job->files;
        return (uint32_t)(whole % job->files);
    case FILES_ALL:
        break;
    }
    *index = whole % access->requests_per_file;
    return (uint32_t)(whole / access->requests_per_file);
}

static bool step(struct access *access, struct access_thread *thread, struct io *out)
{
    const struct job *job = access->job;
    uint64_t index, merge = job->merge_blocks;
    if (!take_index(access, thread, &index))
        return false;
    out->file = split_index(access, thread, &index);
    uint64_t first_block =
        job->stripe_blocks ? index % job->stripe_rows * job->stripe_blocks + index / job->stripe_rows : index * merge;
    uint64_t blocks = access->blocks_per_file - first_block;
    out->offset = first_block * access->block_bytes;
    out->bytes = (uint32_t)((blocks < merge ? blocks : merge) * access->block_bytes);
    return true;
}

static void place(const struct access *access, struct access_thread *thread, struct io *out)
{
    access_place(access, picker_pick(&access->picker, thread->random), out);
    if (access->job->file_choice == FILES_OWN)
        out->file = thread->own_file;
    if (access->job->file_choice != FILES_TURN)
        return;
    out->file = thread->next_file;
    thread->next_file = (uint32_t)((thread->next_file + 1) % access->job->files);
}

bool access_next(struct access *access, struct access_thread *thread, struct io *out)
{
    out->op = choose_op(access, thread);
    if (!access->sequential)
        place(access, thread, out);
    else if (!step(access, thread, out))
        return false;
    out->offset += access->job->start_bytes;
    return true;
}

void access_redraw(const struct access *access, struct access_thread *thread, struct io *out)
{
    uint32_t file = out->file;
    access_place(access, picker_pick(&access->picker, thread->random), out);
    if (access->job->file_choice != FILES_ALL)
        out->file = file;
    out->offset += access->job->start_bytes;
}

/* The stream is kept in registers. */
static uint32_t plain_batch(const struct access *access, struct access_thread *thread, struct io *out, uint32_t most)
{
    struct random random = *thread->random;
    uint64_t bound = access->picker.bound;
    for (uint32_t i = 0; i < most; ++i) {
        access_place(access, random_below(&random, bound), &out[i]);
        out[i].op = access->only_op;
    }
    *thread->random = random;
    return most;
}

uint32_t access_next_batch(struct access *access, struct access_thread *thread, struct io *out, uint32_t most)
{
    if (access->plain)
        return plain_batch(access, thread, out, most);
    if (access->sequential)
        most = 1;
    for (uint32_t i = 0; i < most; ++i) {
        if (!access_next(access, thread, &out[i]))
            return i;
    }
    return most;
}

uint64_t access_largest_bytes(const struct job *job)
{
    return job->block_size_bytes * (mode_is_sequential(job->mode) ? job->merge_blocks : 1);
}
