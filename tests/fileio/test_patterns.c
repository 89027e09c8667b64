/* The order of requests: backward, in steps, from starts apart, following the one before, and each place once. What is
 * expected is worked out here in the plainest way, request by request. */
#include "core/settings.h"
#include "fileio/access.h"
#include "fileio/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096
#define THREADS_MAX 8
#define FILES_MAX 5
#define PLACES_MAX 4096

struct crew {
    struct access access;
    struct access_thread threads[THREADS_MAX];
    struct random randoms[THREADS_MAX];
};

static struct job make_job(enum mode mode, uint64_t files, uint64_t blocks_per_file, uint64_t threads)
{
    struct job job;
    job_init(&job);
    job.mode = mode;
    job.files = files;
    job.block_size_bytes = BLOCK;
    job.total_size_bytes = files * blocks_per_file * BLOCK;
    job.threads = threads;
    job.seed = 42;
    return job;
}

static void start(struct crew *crew, const struct job *job)
{
    struct error error = ERROR_INIT;
    if (!job_check(job, &error))
        fail_msg("%s", error.text);
    assert_true(access_init(&crew->access, job, files_used_bytes(job)));
    for (uint64_t i = 0; i < job->threads; ++i) {
        random_init(&crew->randoms[i], job->seed, i);
        access_thread_init(&crew->threads[i], &crew->access, i, &crew->randoms[i]);
    }
}

static bool take(struct crew *crew, uint64_t thread, struct io *out)
{
    bool more = access_next(&crew->access, &crew->threads[thread], out);
    if (more) {
        assert_true(out->file < crew->access.job->files);
        assert_true(out->bytes > 0 && out->bytes % BLOCK == 0);
        assert_true(out->offset + out->bytes <= crew->access.file_bytes);
    }
    return more;
}

/* The bytes of the set in one row: file after file. */
static uint64_t where(const struct crew *crew, const struct io *io)
{
    return io->file * crew->access.file_bytes + io->offset;
}

static uint64_t next(struct crew *crew, uint64_t thread)
{
    struct io request;
    assert_true(take(crew, thread, &request));
    return where(crew, &request);
}

static bool is_over(struct crew *crew, uint64_t thread)
{
    struct io request;
    return !take(crew, thread, &request);
}

/* What all threads, one after the other in turn, are given until their passes are done. */
static size_t take_all(const struct job *job, uint64_t *out, uint64_t *ended)
{
    struct crew crew;
    size_t count = 0;
    start(&crew, job);
    for (uint64_t over = 0; over < job->threads;) {
        over = 0;
        for (uint64_t i = 0; i < job->threads; ++i) {
            struct io request;
            if (!take(&crew, i, &request)) {
                ++over;
                continue;
            }
            assert_true(count < PLACES_MAX);
            if (ended)
                ended[count] = request.bytes;
            out[count++] = where(&crew, &request);
        }
    }
    access_done(&crew.access);
    return count;
}

/* ---- backward --------------------------------------------------------------------------------------------------- */

static void backward_is_forward_reversed(void **state)
{
    static uint64_t forward[PLACES_MAX], backward[PLACES_MAX], bytes[PLACES_MAX], back_bytes[PLACES_MAX];
    (void)state;
    for (uint64_t row = 0; row < FILES_MAX * THREADS_MAX * 3 * 2; ++row) {
        struct job job = make_job(MODE_SEQRD, row % FILES_MAX + 1, 13, row / FILES_MAX % THREADS_MAX + 1);
        job.file_choice = row / FILES_MAX / THREADS_MAX % 2 ? FILES_TURN : FILES_ALL;
        job.merge_blocks = row % 3 ? row % 3 + 1 : 1;
        job.step_bytes = job.merge_blocks == 1 ? row % 4 * BLOCK / 2 : 0;
        job.passes = 2;
        size_t count = take_all(&job, forward, bytes);
        job.direction = DIRECTION_BACKWARD;
        assert_int_equal(take_all(&job, backward, back_bytes), count);
        for (size_t i = 0; i < count; ++i) {
            assert_int_equal(backward[i], forward[count - 1 - i]);
            assert_int_equal(back_bytes[i], bytes[count - 1 - i]);
        }
    }
}

static void backward_begins_at_the_last_block_and_starts_over_there(void **state)
{
    static const uint64_t expected[] = {3, 2, 1, 0, 3, 2};
    struct job job = make_job(MODE_SEQREWR, 1, 4, 1);
    struct crew crew;
    (void)state;
    job.direction = DIRECTION_BACKWARD;
    start(&crew, &job);
    for (size_t i = 0; i < COUNT_OF(expected); ++i)
        assert_int_equal(next(&crew, 0), expected[i] * BLOCK);
    access_done(&crew.access);
}

static void own_cursors_go_backward_from_places_that_are_spread(void **state)
{
    struct job job = make_job(MODE_SEQRD, 2, 4, 2);
    struct crew crew;
    (void)state;
    job.direction = DIRECTION_BACKWARD;
    job.cursor = CURSOR_THREAD;
    job.passes = 1;
    start(&crew, &job);
    for (uint64_t i = 0; i < 8; ++i) {
        assert_int_equal(next(&crew, 0), (7 - i) * BLOCK);
        assert_int_equal(next(&crew, 1), (11 - i) % 8 * BLOCK);
    }
    assert_true(is_over(&crew, 0) && is_over(&crew, 1));
    access_done(&crew.access);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static const uint64_t steps[] = {1, 512, BLOCK - 1, BLOCK, BLOCK + 512, 3 * BLOCK, 17 * BLOCK, 29 * BLOCK + 7};

static void a_step_goes_on_while_a_block_is_left_and_then_from_the_beginning(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT_OF(steps) * THREADS_MAX; ++row) {
        struct job job = make_job(MODE_SEQRD, 1, 30, row / COUNT_OF(steps) + 1);
        struct crew crew;
        uint64_t expected = 0;
        job.step_bytes = steps[row % COUNT_OF(steps)];
        start(&crew, &job);
        for (uint64_t i = 0; i < 1000; ++i) {
            assert_int_equal(next(&crew, i % job.threads), expected);
            expected += job.step_bytes;
            if (expected + BLOCK > UINT64_C(30) * BLOCK)
                expected = 0;
        }
        access_done(&crew.access);
    }
}

static void a_stepped_pass_goes_through_file_after_file(void **state)
{
    static uint64_t places[PLACES_MAX];
    (void)state;
    for (uint64_t files = 1; files <= FILES_MAX; ++files) {
        struct job job = make_job(MODE_SEQRD, files, 10, 3);
        size_t at = 0;
        job.step_bytes = 4 * BLOCK;
        job.passes = 1;
        assert_int_equal(take_all(&job, places, NULL), files * 3);
        for (uint64_t file = 0; file < files; ++file)
            for (uint64_t block = 0; block < 10; block += 4)
                assert_int_equal(places[at++], (file * 10 + block) * BLOCK);
    }
}

static void steps_of_a_file_of_ones_own_start_over_in_it(void **state)
{
    struct job job = make_job(MODE_SEQRD, 3, 10, 3);
    struct crew crew;
    (void)state;
    job.step_bytes = 4 * BLOCK;
    job.file_choice = FILES_OWN;
    start(&crew, &job);
    for (uint64_t i = 0; i < 30; ++i)
        assert_int_equal(next(&crew, i % 3), (i % 3 * 10 + i / 3 % 3 * 4) * BLOCK);
    access_done(&crew.access);
}

/* ---- starts apart ------------------------------------------------------------------------------------------------ */

/* As DiskSpd goes: on by a step, and when no block is left, to what the base has beyond whole steps. */
static void threads_begin_apart_and_keep_to_their_own_places(void **state)
{
    static const uint64_t strides[] = {0, 1, 512, BLOCK, 3 * BLOCK + 100, 4 * BLOCK};
    (void)state;
    for (size_t row = 0; row < COUNT_OF(steps) * COUNT_OF(strides) * THREADS_MAX; ++row) {
        struct job job = make_job(MODE_SEQRD, 1, 30, row % THREADS_MAX + 1);
        struct crew crew;
        job.cursor = CURSOR_THREAD;
        job.cursor_start = CURSORS_APART;
        job.thread_stride_bytes = strides[row / THREADS_MAX % COUNT_OF(strides)];
        job.step_bytes = steps[row / THREADS_MAX / COUNT_OF(strides)];
        start(&crew, &job);
        for (uint64_t thread = 0; thread < job.threads; ++thread) {
            uint64_t base = thread * job.thread_stride_bytes, expected = base;
            for (int i = 0; i < 300; ++i) {
                assert_int_equal(next(&crew, thread), expected);
                expected += job.step_bytes;
                if (expected + BLOCK > UINT64_C(30) * BLOCK)
                    expected = base % job.step_bytes;
            }
        }
        access_done(&crew.access);
    }
}

static void a_pass_of_a_thread_that_begins_apart_is_all_it_can_reach(void **state)
{
    struct job job = make_job(MODE_SEQRD, 1, 10, 2);
    struct crew crew;
    (void)state;
    job.cursor = CURSOR_THREAD;
    job.cursor_start = CURSORS_APART;
    job.thread_stride_bytes = 2 * BLOCK + BLOCK / 2; /* the second never gets to the last half block */
    job.passes = 1;
    start(&crew, &job);
    for (uint64_t i = 0; i < 10; ++i)
        assert_int_equal(next(&crew, 0), i * BLOCK);
    assert_true(is_over(&crew, 0));
    for (uint64_t i = 0; i < 9; ++i)
        assert_int_equal(next(&crew, 1), (i + 2) % 9 * BLOCK + BLOCK / 2);
    assert_true(is_over(&crew, 1));
    access_done(&crew.access);
}

static void among_several_files_threads_begin_apart_in_the_first_or_in_their_own(void **state)
{
    struct job job = make_job(MODE_SEQRD, 2, 10, 4);
    struct crew crew;
    (void)state;
    job.cursor = CURSOR_THREAD;
    job.cursor_start = CURSORS_APART;
    job.thread_stride_bytes = 3 * BLOCK;
    start(&crew, &job);
    for (uint64_t i = 0; i < 40; ++i)
        assert_int_equal(next(&crew, i % 4), (i % 4 * 3 + i / 4) % 20 * BLOCK);
    access_done(&crew.access);
    job.file_choice = FILES_TURN;
    start(&crew, &job);
    for (uint64_t i = 0; i < 40; ++i)
        assert_int_equal(next(&crew, i % 4), (i / 4 % 2 * 10 + (i % 4 * 3 + i / 8) % 10) * BLOCK);
    access_done(&crew.access);
    job.file_choice = FILES_OWN; /* threads 0 and 2 in the first */
    start(&crew, &job);
    for (uint64_t i = 0; i < 40; ++i)
        assert_int_equal(next(&crew, i % 4), (i % 2 * 10 + (i % 4 / 2 * 3 + i / 4) % 10) * BLOCK);
    access_done(&crew.access);
}

/* A thread's own columns of a stripe are its share of a pass. */
static void a_pass_over_stripes_is_over_when_each_thread_has_done_its_columns(void **state)
{
    static uint64_t places[PLACES_MAX];
    struct job job = make_job(MODE_SEQRD, 1, 20, 2);
    unsigned seen[20] = {0};
    (void)state;
    job.stripe_blocks = 5;
    job.stripe_rows = 4;
    job.cursor = CURSOR_THREAD;
    job.passes = 3;
    assert_int_equal(take_all(&job, places, NULL), 60);
    for (size_t i = 0; i < 60; ++i)
        ++seen[places[i] / BLOCK];
    for (size_t i = 0; i < 20; ++i)
        assert_int_equal(seen[i], 3);
}

/* ---- random and following ---------------------------------------------------------------------------------------- */

static void with_no_percent_random_all_but_the_first_follow(void **state)
{
    (void)state;
    for (uint64_t files = 1; files <= FILES_MAX; ++files) {
        struct job job = make_job(MODE_RNDRD, files, 7, 2);
        struct crew crew;
        job.random_percent = 0;
        start(&crew, &job);
        for (uint64_t thread = 0; thread < 2; ++thread) {
            uint64_t last = next(&crew, thread), file = last / (7 * BLOCK);
            for (int i = 0; i < 30; ++i) {
                uint64_t expected = (last + BLOCK) % (7 * BLOCK) + file * 7 * BLOCK;
                last = next(&crew, thread);
                assert_int_equal(last, expected);
            }
        }
        access_done(&crew.access);
    }
}

/* How many of `count` requests of one thread do not follow the one before it in its file. */
static uint64_t count_scattered(struct job *job, uint64_t count)
{
    struct crew crew;
    uint64_t expected[FILES_MAX], scattered = 0, last_file = 0;
    memset(expected, 0xff, sizeof(expected));
    start(&crew, job);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t place = next(&crew, 0), file = place / crew.access.file_bytes;
        bool same = job->file_choice == FILES_TURN || file == last_file;
        scattered += !same || place != expected[file];
        uint64_t after = place % crew.access.file_bytes + crew.access.step_bytes;
        expected[file] = file * crew.access.file_bytes + (after + BLOCK > crew.access.file_bytes ? 0 : after);
        last_file = file;
        if (job->file_choice == FILES_TURN)
            assert_int_equal(file, i % job->files);
    }
    access_done(&crew.access);
    return scattered;
}

static void so_many_percent_are_random_and_the_others_follow(void **state)
{
    static const double percents[] = {0, 1, 30, 50, 90, 99.5};
    static const enum file_choice choices[] = {FILES_ALL, FILES_TURN, FILES_OWN};
    (void)state;
    for (size_t row = 0; row < COUNT_OF(percents) * COUNT_OF(choices) * FILES_MAX; ++row) {
        struct job job = make_job(row % 2 ? MODE_RNDRD : MODE_RNDRW, row % FILES_MAX + 1, 10000, FILES_MAX);
        job.random_percent = percents[row / FILES_MAX % COUNT_OF(percents)];
        job.file_choice = choices[row / FILES_MAX / COUNT_OF(percents)];
        job.step_bytes = row % 3 * BLOCK;
        double share = (double)count_scattered(&job, 20000) / 200;
        assert_true(share > job.random_percent - 2 && share < job.random_percent + 2);
    }
}

/* ---- each place once ----------------------------------------------------------------------------------------------
 */

struct once {
    uint64_t files, blocks, threads;
    enum file_choice choice;
    enum cursor cursor;
};

static struct job make_once(const struct once *once, uint64_t passes)
{
    struct job job = make_job(MODE_RNDRD, once->files, once->blocks, once->threads);
    job.file_choice = once->choice;
    job.cursor = once->cursor;
    job.coverage = COVERAGE_ONCE;
    job.passes = passes;
    return job;
}

static struct once once_of(uint64_t row)
{
    static const uint64_t blocks[] = {1, 2, 3, 5, 8, 64, 65, 100};
    static const enum file_choice choices[] = {FILES_ALL, FILES_TURN, FILES_OWN};
    struct once once = {row % FILES_MAX + 1, blocks[row / FILES_MAX % COUNT_OF(blocks)], 0, FILES_ALL, CURSOR_SHARED};
    row = row / FILES_MAX / COUNT_OF(blocks);
    once.threads = row % THREADS_MAX + 1;
    once.choice = choices[row / THREADS_MAX % COUNT_OF(choices)];
    once.cursor = row / THREADS_MAX / COUNT_OF(choices) % 2 ? CURSOR_THREAD : CURSOR_SHARED;
    if (once.choice == FILES_OWN && once.threads < once.files)
        once.threads = once.files;
    return once;
}

#define ONCE_ROWS (FILES_MAX * 8 * THREADS_MAX * 3 * 2)

/* How often one pass of all threads comes to each block of this file. */
static uint64_t visits(const struct once *once, uint64_t file)
{
    uint64_t crew = once->choice != FILES_OWN ? once->threads : (once->threads - file + once->files - 1) / once->files;
    return once->cursor == CURSOR_THREAD ? crew : 1;
}

static void each_place_comes_once_in_each_pass(void **state)
{
    static uint64_t places[PLACES_MAX * 4];
    (void)state;
    for (uint64_t row = 0; row < ONCE_ROWS; ++row) {
        struct once once = once_of(row);
        struct job job = make_once(&once, 2);
        unsigned seen[FILES_MAX * 100] = {0};
        if (once.cursor == CURSOR_THREAD && once.threads * once.files * once.blocks * 2 > PLACES_MAX)
            continue;
        size_t count = take_all(&job, places, NULL);
        for (size_t i = 0; i < count; ++i)
            ++seen[places[i] / BLOCK];
        for (uint64_t block = 0; block < once.files * once.blocks; ++block)
            assert_int_equal(seen[block], 2 * visits(&once, block / once.blocks));
    }
}

/* Not only after two passes: none comes a second time before all have come. */
static void none_comes_again_before_all_have_come(void **state)
{
    (void)state;
    for (uint64_t row = 0; row < ONCE_ROWS; ++row) {
        struct once once = once_of(row);
        struct job job = make_once(&once, 0);
        struct crew crew;
        uint64_t per_pass = once.files * once.blocks;
        if (once.choice == FILES_OWN)
            continue;
        start(&crew, &job);
        for (int pass = 0; pass < 3; ++pass) {
            unsigned char seen[FILES_MAX * 100] = {0};
            for (uint64_t i = 0; i < per_pass; ++i) {
                uint64_t block = next(&crew, once.cursor == CURSOR_THREAD ? 0 : i % once.threads) / BLOCK;
                assert_int_equal(seen[block]++, 0);
                if (once.choice == FILES_TURN)
                    assert_int_equal(block / once.blocks, i % once.files);
            }
        }
        access_done(&crew.access);
    }
}

static void a_pass_has_the_order_of_its_seed_and_number(void **state)
{
    static uint64_t first[PLACES_MAX], again[PLACES_MAX], other[PLACES_MAX];
    const struct once once = {3, 100, 1, FILES_ALL, CURSOR_SHARED};
    struct job job = make_once(&once, 2);
    size_t same_as_pass = 0, same_as_seed = 0, rises = 0;
    (void)state;
    assert_int_equal(take_all(&job, first, NULL), 600);
    take_all(&job, again, NULL);
    assert_memory_equal(first, again, 600 * sizeof(first[0]));
    job.seed = 43;
    take_all(&job, other, NULL);
    for (size_t i = 0; i < 300; ++i) {
        same_as_pass += first[i] == first[i + 300];
        same_as_seed += first[i] == other[i];
        rises += first[i + 1] > first[i];
    }
    assert_true(same_as_pass < 10 && same_as_seed < 10); /* one is what chance gives */
    assert_in_range(rises, 110, 190);
}

static void threads_with_own_cursors_have_orders_of_their_own(void **state)
{
    const struct once once = {1, 100, 2, FILES_ALL, CURSOR_THREAD};
    struct job job = make_once(&once, 1);
    struct crew crew;
    uint64_t same = 0;
    (void)state;
    start(&crew, &job);
    for (int i = 0; i < 100; ++i)
        same += next(&crew, 0) == next(&crew, 1);
    assert_true(same < 10);
    assert_true(is_over(&crew, 0) && is_over(&crew, 1));
    access_done(&crew.access);
}

static void files_in_turn_have_orders_of_their_own(void **state)
{
    const struct once once = {2, 100, 1, FILES_TURN, CURSOR_SHARED};
    struct job job = make_once(&once, 1);
    struct crew crew;
    uint64_t same = 0;
    (void)state;
    start(&crew, &job);
    for (int i = 0; i < 100; ++i) {
        uint64_t place = next(&crew, 0);
        same += place + 100 * BLOCK == next(&crew, 0);
    }
    assert_true(same < 10);
    access_done(&crew.access);
}

static void threads_that_visit_files_in_turn_begin_at_different_ones(void **state)
{
    const struct once once = {3, 10, 5, FILES_TURN, CURSOR_THREAD};
    struct job job = make_once(&once, 1);
    struct crew crew;
    (void)state;
    start(&crew, &job);
    for (uint64_t i = 0; i < 30; ++i)
        for (uint64_t thread = 0; thread < 5; ++thread)
            assert_int_equal(next(&crew, thread) / crew.access.file_bytes, (thread + i) % 3);
    for (uint64_t thread = 0; thread < 5; ++thread)
        assert_true(is_over(&crew, thread));
    access_done(&crew.access);
}

/* The same list must come out on Linux and on Windows: a seed names one load. */
static void a_seed_gives_these_places_on_every_system(void **state)
{
    static const uint64_t once_blocks[] = {551, 502, 543, 3, 180, 259, 567, 743},
                          followed_blocks[] = {876, 102, 103, 286, 677, 280, 716, 717};
    const struct once once = {2, 500, 1, FILES_ALL, CURSOR_SHARED};
    struct job job = make_once(&once, 0);
    struct crew crew;
    (void)state;
    start(&crew, &job);
    for (size_t i = 0; i < COUNT_OF(once_blocks); ++i)
        assert_int_equal(next(&crew, 0) / BLOCK, once_blocks[i]);
    access_done(&crew.access);
    job.coverage = COVERAGE_ANY;
    job.random_percent = 50;
    start(&crew, &job);
    for (size_t i = 0; i < COUNT_OF(followed_blocks); ++i)
        assert_int_equal(next(&crew, 0) / BLOCK, followed_blocks[i]);
    access_done(&crew.access);
}

static void requests_of_a_pass_are_given_one_at_a_time(void **state)
{
    const struct once once = {1, 10, 1, FILES_ALL, CURSOR_SHARED};
    struct job job = make_once(&once, 1);
    struct crew crew;
    struct io requests[8];
    (void)state;
    start(&crew, &job);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(access_next_batch(&crew.access, &crew.threads[0], requests, 8), 1);
    assert_int_equal(access_next_batch(&crew.access, &crew.threads[0], requests, 8), 0);
    access_done(&crew.access);
}

static void only_requests_that_stand_alone_may_be_drawn_anew(void **state)
{
    static const struct {
        enum mode mode;
        enum coverage coverage;
        double random_percent;
        bool redraws, plain;
    } rows[] = {{MODE_RNDRD, COVERAGE_ANY, 100, true, true},
                {MODE_RNDRW, COVERAGE_ANY, 100, true, false},
                {MODE_RNDRD, COVERAGE_ONCE, 100, false, false},
                {MODE_RNDRD, COVERAGE_ANY, 50, false, false},
                {MODE_SEQRW, COVERAGE_ANY, 100, false, false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct job job = make_job(rows[i].mode, 1, 4, 1);
        struct crew crew;
        job.coverage = rows[i].coverage;
        job.random_percent = rows[i].random_percent;
        start(&crew, &job);
        assert_int_equal(crew.access.redraws, rows[i].redraws);
        assert_int_equal(crew.access.plain, rows[i].plain);
        access_done(&crew.access);
    }
}

/* ---- sequential reads and writes ----------------------------------------------------------------------------------
 */

static void a_sequential_mix_goes_on_whatever_the_operation(void **state)
{
    static const enum mix mixes[] = {MIX_RANDOM, MIX_BALANCED};
    (void)state;
    for (size_t row = 0; row < COUNT_OF(mixes) * 11; ++row) {
        struct job job = make_job(MODE_SEQRW, 2, 50, 1);
        struct crew crew;
        uint64_t tenths = row / COUNT_OF(mixes), expected = tenths * 1000, reads = 0;
        job.read_percent = (double)tenths * 10;
        job.mix = mixes[row % COUNT_OF(mixes)];
        start(&crew, &job);
        for (uint64_t i = 0; i < 10000; ++i) {
            struct io request;
            assert_true(take(&crew, 0, &request));
            assert_int_equal(where(&crew, &request), i % 100 * BLOCK);
            reads += request.op == IO_READ;
        }
        if (job.mix == MIX_BALANCED || tenths == 0 || tenths == 10)
            assert_in_range(reads, expected - (tenths > 0), expected);
        else
            assert_in_range(reads, expected - 200, expected + 200);
        access_done(&crew.access);
    }
}

/* As in DiskSpd's -rs with -w: where files are taken in turn, each has its own. */
static void those_that_follow_do_what_the_random_one_did(void **state)
{
    for (uint32_t files = 1; files <= 3; files += 2) {
        struct job job = make_job(MODE_RNDRW, files, 1000, 1);
        struct crew crew;
        struct io request, before[3] = {0};
        uint64_t reads = 0, turns = 0, followed = 0, torn = 0;
        job.random_percent = 20;
        job.read_percent = 50;
        job.mix = MIX_RUNS;
        job.file_choice = FILES_TURN;
        start(&crew, &job);
        for (uint32_t i = 0; i < 20000; ++i) {
            assert_true(take(&crew, 0, &request));
            struct io *last = &before[request.file];
            bool follows = i >= files && request.offset == last->offset + BLOCK;
            followed += follows;
            turns += i >= files && request.op != last->op;
            reads += request.op == IO_READ;
            torn += follows && request.op != last->op;
            *last = request;
        }
        assert_in_range(torn, 0, 12); /* a random one lies behind the one before once in 1000 times */
        assert_in_range(followed, 15000, 17000);
        assert_in_range(turns, 1500, 2500);
        assert_in_range(reads, 8500, 11500);
        access_done(&crew.access);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_is_forward_reversed),
        cmocka_unit_test(backward_begins_at_the_last_block_and_starts_over_there),
        cmocka_unit_test(own_cursors_go_backward_from_places_that_are_spread),
        cmocka_unit_test(a_step_goes_on_while_a_block_is_left_and_then_from_the_beginning),
        cmocka_unit_test(a_stepped_pass_goes_through_file_after_file),
        cmocka_unit_test(steps_of_a_file_of_ones_own_start_over_in_it),
        cmocka_unit_test(threads_begin_apart_and_keep_to_their_own_places),
        cmocka_unit_test(a_pass_of_a_thread_that_begins_apart_is_all_it_can_reach),
        cmocka_unit_test(among_several_files_threads_begin_apart_in_the_first_or_in_their_own),
        cmocka_unit_test(a_pass_over_stripes_is_over_when_each_thread_has_done_its_columns),
        cmocka_unit_test(with_no_percent_random_all_but_the_first_follow),
        cmocka_unit_test(so_many_percent_are_random_and_the_others_follow),
        cmocka_unit_test(those_that_follow_do_what_the_random_one_did),
        cmocka_unit_test(each_place_comes_once_in_each_pass),
        cmocka_unit_test(none_comes_again_before_all_have_come),
        cmocka_unit_test(a_pass_has_the_order_of_its_seed_and_number),
        cmocka_unit_test(threads_with_own_cursors_have_orders_of_their_own),
        cmocka_unit_test(files_in_turn_have_orders_of_their_own),
        cmocka_unit_test(threads_that_visit_files_in_turn_begin_at_different_ones),
        cmocka_unit_test(a_seed_gives_these_places_on_every_system),
        cmocka_unit_test(requests_of_a_pass_are_given_one_at_a_time),
        cmocka_unit_test(only_requests_that_stand_alone_may_be_drawn_anew),
        cmocka_unit_test(a_sequential_mix_goes_on_whatever_the_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
