#include "fileio/access.h"

#include <math.h>
#include <stdlib.h>

#define NOWHERE UINT64_MAX /* of a trail: nothing to follow yet */

/* ---- once per run --------------------------------------------------------------------------------------------- */

static access_draw draw_step, draw_stripe, draw_place, draw_following, draw_once;

static access_draw *choose_draw(const struct job *job)
{
    if (mode_is_sequential(job->mode))
        return job->stripe_blocks > 0 ? draw_stripe : draw_step;
    if (job->coverage == COVERAGE_ONCE)
        return draw_once;
    return job->random_percent < 100 ? draw_following : draw_place;
}

/* A random number is below it in so many percent of the cases. */
static uint64_t threshold(double percent)
{
    return percent >= 100 ? UINT64_MAX : (uint64_t)ldexp(percent / 100, 64);
}

static void set_kind(struct access *access, const struct job *job)
{
    access->draw = choose_draw(job);
    access->one_file = job->files == 1;
    access->shared = job->cursor == CURSOR_SHARED;
    access->backward = job->direction == DIRECTION_BACKWARD;
    access->mixed = mode_reads(job->mode) && mode_writes(job->mode);
    access->only_op = mode_reads(job->mode) ? IO_READ : IO_WRITE;
    access->counted = access->draw != draw_place && access->draw != draw_following;
    access->redraws = access->draw == draw_place;
    access->plain = access->redraws && !access->mixed && job->distribution == DIST_UNIFORM &&
                    job->file_choice == FILES_ALL && job->start_bytes == 0;
}

/* Whole cache lines for each thread, and none that it shares with another's. */
static bool make_trails(struct access *access, const struct job *job)
{
    const size_t line = CACHE_LINE_BYTES / sizeof(*access->trails);
    size_t used = job->file_choice == FILES_TURN ? (size_t)job->files : 1;
    access->trails = NULL;
    if (access->draw != draw_following)
        return true;
    access->trails_each = (used + line - 1) / line * line + line;
    access->trails = calloc((size_t)job->threads, access->trails_each * sizeof(*access->trails));
    return access->trails != NULL;
}

bool access_init(struct access *access, const struct job *job, uint64_t file_bytes)
{
    bool all = job->file_choice == FILES_ALL;
    access->job = job;
    set_kind(access, job);
    access->block_bytes = job->block_size_bytes;
    access->align_bytes = job->align_bytes ? job->align_bytes : job->block_size_bytes;
    access->largest_bytes = access_largest_bytes(job);
    access->step_bytes = job->step_bytes ? job->step_bytes : access->largest_bytes;
    access->file_bytes = file_bytes;
    access->places_per_file = (file_bytes - job->block_size_bytes) / access->align_bytes + 1;
    access->read_below = threshold(job->read_percent);
    access->random_below = threshold(job->random_percent);
    access->reads_per_write = job->read_percent >= 100 ? INFINITY : job->read_percent / (100 - job->read_percent);
    picker_init(&access->picker, job, access->places_per_file * (all ? job->files : 1));
    shuffle_init(&access->shuffle, access->places_per_file * (all ? job->files : 1));
    access->cursors = calloc(job->file_choice == FILES_OWN ? (size_t)job->files : 1, sizeof(*access->cursors));
    if (access->cursors && make_trails(access, job))
        return true;
    access_done(access);
    return false;
}

void access_done(struct access *access)
{
    free(access->cursors);
    free(access->trails);
    access->cursors = NULL;
    access->trails = NULL;
}

uint64_t access_largest_bytes(const struct job *job)
{
    return job->block_size_bytes * (mode_is_sequential(job->mode) ? job->merge_blocks : 1);
}

/* ---- once per thread ------------------------------------------------------------------------------------------ */

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

/* Stripes: each of their blocks in each of the rows. Else what is left behind the lead, in steps of which the last may
 * be shorter, down to a block. */
static uint64_t requests_in_file(const struct access *access, uint64_t lead_bytes)
{
    const struct job *job = access->job;
    if (access->draw == draw_once)
        return access->places_per_file;
    if (access->draw == draw_stripe)
        return job->stripe_blocks * job->stripe_rows;
    return (access->file_bytes - access->block_bytes - lead_bytes) / access->step_bytes + 1;
}

static uint64_t passes_limit(const struct job *job, uint64_t per_pass)
{
    return job->passes == 0 || job->passes > UINT64_MAX / per_pass ? UINT64_MAX : job->passes * per_pass;
}

/* Where the cursor of the index-th of `count` threads begins. A base that is no multiple of the step shifts all that
 * the thread touches, also after it starts over, as in DiskSpd. */
static void set_out(struct access_thread *thread, const struct access *access, uint64_t index, uint64_t count)
{
    const struct job *job = access->job;
    uint64_t files = job->file_choice == FILES_OWN ? 1 : job->files;
    uint64_t base_bytes = job->cursor_start == CURSORS_APART && !access->shared ? index * job->thread_stride_bytes : 0;
    thread->lead_bytes = base_bytes % access->step_bytes;
    thread->per_file = requests_in_file(access, thread->lead_bytes);
    thread->per_pass = thread->range = thread->per_file * files;
    if (access->draw == draw_once)
        thread->cursor = job->file_choice == FILES_TURN ? thread->next_file : 0;
    else if (job->cursor_start == CURSORS_SPREAD)
        thread->cursor = share(thread->per_pass, index, count);
    else
        thread->cursor = base_bytes / access->step_bytes * (job->file_choice == FILES_TURN ? files : 1);
    if (access->draw == draw_stripe)
        take_columns(thread, job, index, count);
    thread->limit = passes_limit(job, access->shared ? thread->per_pass : thread->range);
}

static void forget_trails(struct access_thread *thread, const struct access *access, uint64_t index)
{
    thread->trails = access->trails ? access->trails + index * access->trails_each : NULL;
    for (size_t i = 0; thread->trails && i < access->trails_each; ++i)
        thread->trails[i].next = NOWHERE;
}

void access_thread_init(struct access_thread *thread, const struct access *access, uint64_t index,
                        struct random *random)
{
    const struct job *job = access->job;
    uint64_t count = job->threads;
    thread->random = random;
    thread->taken = thread->reads = thread->writes = 0;
    thread->own_file = thread->next_file = thread->last_file = (uint32_t)(index % job->files);
    thread->pass = thread->limit = UINT64_MAX;
    thread->stream = access->shared ? 0 : index + 1;
    thread->lead_bytes = 0;
    forget_trails(thread, access, index);
    if (job->file_choice == FILES_OWN) { /* index and count are then among the threads of the file */
        count = (count - thread->own_file + job->files - 1) / job->files;
        index /= job->files;
    }
    if (access->counted)
        set_out(thread, access, index, count);
}

/* ---- reads and writes ----------------------------------------------------------------------------------------- */

/* Balanced: reads and writes keep to the ratio from the first request on, as sysbench deals them. */
static bool mixed_reads(const struct access *access, const struct access_thread *thread)
{
    if (access->job->mix != MIX_BALANCED)
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

/* ---- requests of a pass --------------------------------------------------------------------------------------- */

/* The next request's number in the order of its cursor, and how often the cursor has started over; false when the
 * passes are done. */
static bool take_index(struct access *access, struct access_thread *thread, uint64_t *index, uint64_t *pass)
{
    uint64_t ticket;
    if (access->shared) {
        bool own = access->job->file_choice == FILES_OWN;
        struct access_cursor *cursor = &access->cursors[own ? thread->own_file : 0];
        ticket = atomic_fetch_add_explicit(&cursor->next, 1, memory_order_relaxed);
        *index = ticket % thread->per_pass;
        *pass = ticket / thread->per_pass;
    } else {
        ticket = thread->taken++;
        *index = (thread->cursor + ticket % thread->range) % thread->per_pass;
        *pass = ticket / thread->range;
    }
    return ticket < thread->limit;
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
    *index = whole % thread->per_file;
    return (uint32_t)(whole / thread->per_file);
}

static bool draw_step(struct access *access, struct access_thread *thread, struct io *out)
{
    uint64_t index, pass;
    if (!take_index(access, thread, &index, &pass))
        return false;
    if (access->backward)
        index = thread->per_pass - 1 - index;
    out->file = split_index(access, thread, &index);
    out->offset = thread->lead_bytes + index * access->step_bytes;
    uint64_t left_bytes = access->file_bytes - out->offset;
    out->bytes =
        (uint32_t)(left_bytes >= access->largest_bytes ? access->largest_bytes
                                                       : left_bytes / access->block_bytes * access->block_bytes);
    return true;
}

static bool draw_stripe(struct access *access, struct access_thread *thread, struct io *out)
{
    const struct job *job = access->job;
    uint64_t index, pass;
    if (!take_index(access, thread, &index, &pass))
        return false;
    out->file = split_index(access, thread, &index);
    out->offset = (index % job->stripe_rows * job->stripe_blocks + index / job->stripe_rows) * access->block_bytes;
    out->bytes = (uint32_t)access->block_bytes;
    return true;
}

/* Where the pick-th place of all files lies. */
static void access_place(const struct access *access, uint64_t pick, struct io *out)
{
    uint64_t file = access->one_file ? 0 : pick / access->places_per_file;
    out->file = (uint32_t)file;
    out->offset = (pick - file * access->places_per_file) * access->align_bytes;
    out->bytes = (uint32_t)access->block_bytes;
}

/* Each pass has an order of its own, and so has each thread with a cursor of its own. */
static void turn_over(struct access_thread *thread, const struct job *job, uint64_t pass)
{
    uint64_t state = job->seed;
    state = random_splitmix64(&state) + thread->stream;
    state = random_splitmix64(&state) + pass;
    thread->key = random_splitmix64(&state);
    thread->pass = pass;
}

static bool draw_once(struct access *access, struct access_thread *thread, struct io *out)
{
    uint64_t index, pass, key;
    uint32_t file = 0;
    if (!take_index(access, thread, &index, &pass))
        return false;
    if (pass != thread->pass)
        turn_over(thread, access->job, pass);
    if (access->job->file_choice != FILES_ALL)
        file = split_index(access, thread, &index);
    key = thread->key + file;
    access_place(access, shuffle_at(&access->shuffle, random_splitmix64(&key), index), out);
    if (access->job->file_choice != FILES_ALL)
        out->file = file;
    return true;
}

/* ---- random requests ------------------------------------------------------------------------------------------ */

static bool draw_place(struct access *access, struct access_thread *thread, struct io *out)
{
    access_place(access, picker_pick(&access->picker, thread->random), out);
    if (access->job->file_choice == FILES_OWN)
        out->file = thread->own_file;
    if (access->job->file_choice != FILES_TURN)
        return true;
    out->file = thread->next_file;
    thread->next_file = (uint32_t)((thread->next_file + 1) % access->job->files);
    return true;
}

/* A step behind the thread's last in that file; from the file's beginning when no block is left there. */
static void follow(const struct access *access, uint64_t trail, struct io *out)
{
    out->offset = trail > access->file_bytes - access->block_bytes ? 0 : trail;
    out->bytes = (uint32_t)access->block_bytes;
}

static bool draw_following(struct access *access, struct access_thread *thread, struct io *out)
{
    bool turn = access->job->file_choice == FILES_TURN;
    struct trail *trail = &thread->trails[turn ? thread->next_file : 0];
    bool scatters = random_next(thread->random) < access->random_below;
    if (scatters || trail->next == NOWHERE) {
        draw_place(access, thread, out);
        trail->op = out->op;
    } else {
        follow(access, trail->next, out);
        out->op = access->job->mix == MIX_RUNS ? trail->op : out->op;
        out->file = turn ? thread->next_file : thread->last_file;
        thread->next_file = (uint32_t)((thread->next_file + 1) % access->job->files);
    }
    thread->last_file = out->file;
    trail->next = out->offset + access->step_bytes;
    return true;
}

/* ---- the next request ----------------------------------------------------------------------------------------- */

bool access_next(struct access *access, struct access_thread *thread, struct io *out)
{
    out->op = choose_op(access, thread);
    if (access->redraws) /* the most frequent, so without a call */
        draw_place(access, thread, out);
    else if (!access->draw(access, thread, out))
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
    if (access->counted)
        most = 1;
    for (uint32_t i = 0; i < most; ++i) {
        if (!access_next(access, thread, &out[i]))
            return i;
    }
    return most;
}
