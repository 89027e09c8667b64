/* Which file an IO goes to, stripes, and where in a target the used part begins. */
#include "core/settings.h"
#include "fileio/access.h"
#include "fileio/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096
#define THREADS_MAX 8

struct crew {
    struct access access;
    struct access_thread threads[THREADS_MAX];
    struct random random;
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
    return job;
}

static void start(struct crew *crew, const struct job *job)
{
    assert_true(access_init(&crew->access, job, files_used_bytes(job)));
    random_init(&crew->random, 42, 0);
    for (uint64_t i = 0; i < job->threads; ++i)
        access_thread_init(&crew->threads[i], &crew->access, i, &crew->random);
}

/* The file and block of the thread's next request as file × 1000 + block. */
static uint64_t next(struct crew *crew, uint32_t thread)
{
    struct io request;
    assert_true(access_next(&crew->access, &crew->threads[thread], &request));
    assert_int_equal(request.bytes, BLOCK);
    assert_int_equal(request.offset % BLOCK, 0);
    return request.file * UINT64_C(1000) + request.offset / BLOCK;
}

static bool is_over(struct crew *crew, uint32_t thread)
{
    struct io request;
    return !access_next(&crew->access, &crew->threads[thread], &request);
}

static void expect(struct crew *crew, uint32_t thread, const uint64_t *places, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(next(crew, thread), places[i]);
}

#define EXPECT(crew, thread, ...)                                                                                      \
    expect(crew, thread, (const uint64_t[]){__VA_ARGS__}, COUNT_OF(((const uint64_t[]){__VA_ARGS__})))

static void in_turn_a_sequence_goes_on_in_each_file(void **state)
{
    struct job job = make_job(MODE_SEQRD, 3, 2, 2);
    struct crew crew;
    (void)state;
    job.file_choice = FILES_TURN;
    job.passes = 2;
    start(&crew, &job);
    EXPECT(&crew, 0, 0, 1000);
    EXPECT(&crew, 1, 2000, 1);
    EXPECT(&crew, 0, 1001, 2001);
    EXPECT(&crew, 1, 0, 1000, 2000, 1, 1001, 2001);
    assert_true(is_over(&crew, 0));
    access_done(&crew.access);
}

static void in_turn_random_places_visit_file_after_file(void **state)
{
    struct job job = make_job(MODE_RNDRD, 3, 5, 2);
    struct crew crew;
    unsigned seen[15] = {0};
    (void)state;
    job.file_choice = FILES_TURN;
    start(&crew, &job);
    for (uint64_t i = 0; i < 300; ++i) {
        uint64_t at = next(&crew, 0), other = next(&crew, 1);
        assert_int_equal(at / 1000, i % 3);
        assert_int_equal(other / 1000, (i + 1) % 3); /* threads begin at different files */
        assert_true(at % 1000 < 5);
        ++seen[at / 1000 * 5 + at % 1000];
    }
    for (size_t i = 0; i < COUNT_OF(seen); ++i)
        assert_true(seen[i] > 0);
    access_done(&crew.access);
}

static void a_thread_with_its_own_file_leaves_the_others_alone(void **state)
{
    struct job job = make_job(MODE_RNDRD, 2, 5, 4);
    struct crew crew;
    (void)state;
    job.file_choice = FILES_OWN;
    start(&crew, &job);
    for (uint32_t i = 0; i < 400; ++i)
        assert_int_equal(next(&crew, i % 4) / 1000, i % 2);
    access_done(&crew.access);
}

static void threads_of_one_file_share_its_sequence(void **state)
{
    struct job job = make_job(MODE_SEQRD, 2, 3, 4);
    struct crew crew;
    (void)state;
    job.file_choice = FILES_OWN;
    job.passes = 1;
    start(&crew, &job);
    EXPECT(&crew, 0, 0, 1);
    EXPECT(&crew, 1, 1000);
    EXPECT(&crew, 2, 2);
    assert_true(is_over(&crew, 0) && is_over(&crew, 2));
    EXPECT(&crew, 3, 1001, 1002);
    assert_true(is_over(&crew, 1));
    access_done(&crew.access);
}

static void own_cursors_in_own_files_start_spread(void **state)
{
    struct job job = make_job(MODE_SEQRD, 2, 6, 5); /* three threads at file 0, two at file 1 */
    struct crew crew;
    (void)state;
    job.file_choice = FILES_OWN;
    job.cursor = CURSOR_THREAD;
    start(&crew, &job);
    EXPECT(&crew, 0, 0, 1);
    EXPECT(&crew, 2, 2, 3);
    EXPECT(&crew, 4, 4, 5, 0);
    EXPECT(&crew, 1, 1000, 1001);
    EXPECT(&crew, 3, 1003, 1004, 1005, 1000);
    access_done(&crew.access);
}

/* SQLIO's readme: with 4 blocks to a stripe and 3 rows, 0 4 8, then 1 5 9, and so on. */
static void a_stripe_goes_down_the_rows_and_then_one_block_on(void **state)
{
    struct job job = make_job(MODE_SEQRD, 1, 20, 1);
    struct crew crew;
    (void)state;
    job.stripe_blocks = 4;
    job.stripe_rows = 3;
    job.passes = 2;
    start(&crew, &job);
    for (int pass = 0; pass < 2; ++pass)
        EXPECT(&crew, 0, 0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11);
    assert_true(is_over(&crew, 0));
    access_done(&crew.access);
}

static void threads_share_out_the_blocks_of_a_stripe(void **state)
{
    struct job job = make_job(MODE_SEQREWR, 1, 15, 2);
    struct crew crew;
    (void)state;
    job.stripe_blocks = 5;
    job.stripe_rows = 2;
    job.cursor = CURSOR_THREAD;
    start(&crew, &job);
    EXPECT(&crew, 0, 0, 5, 1, 6, 0, 5);             /* blocks 0 and 1 */
    EXPECT(&crew, 1, 2, 7, 3, 8, 4, 9, 2, 7, 3, 8); /* blocks 2 to 4 */
    access_done(&crew.access);
}

static void stripes_over_several_files_go_in_turn(void **state)
{
    struct job job = make_job(MODE_SEQRD, 2, 8, 2);
    struct crew crew;
    (void)state;
    job.stripe_blocks = 4;
    job.stripe_rows = 2;
    job.cursor = CURSOR_THREAD;
    job.file_choice = FILES_TURN;
    start(&crew, &job);
    EXPECT(&crew, 0, 0, 1000, 4, 1004, 1, 1001, 5, 1005, 0);
    EXPECT(&crew, 1, 2, 1002, 6, 1006, 3, 1003, 7, 1007, 2);
    access_done(&crew.access);
}

static void the_used_part_begins_at_start(void **state)
{
    static const enum mode modes[] = {MODE_SEQRD, MODE_RNDRD, MODE_RNDRW};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(modes); ++i) {
        struct job job = make_job(modes[i], 1, 4, 1);
        struct crew crew;
        unsigned seen[4] = {0};
        strcpy(job.target, "x");
        job.start_bytes = 100 * BLOCK;
        start(&crew, &job);
        for (int n = 0; n < 200; ++n) {
            uint64_t block = next(&crew, 0);
            assert_in_range(block, 100, 103);
            ++seen[block - 100];
        }
        for (size_t n = 0; n < COUNT_OF(seen); ++n)
            assert_true(seen[n] > 0);
        access_done(&crew.access);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_turn_a_sequence_goes_on_in_each_file),
        cmocka_unit_test(in_turn_random_places_visit_file_after_file),
        cmocka_unit_test(a_thread_with_its_own_file_leaves_the_others_alone),
        cmocka_unit_test(threads_of_one_file_share_its_sequence),
        cmocka_unit_test(own_cursors_in_own_files_start_spread),
        cmocka_unit_test(a_stripe_goes_down_the_rows_and_then_one_block_on),
        cmocka_unit_test(threads_share_out_the_blocks_of_a_stripe),
        cmocka_unit_test(stripes_over_several_files_go_in_turn),
        cmocka_unit_test(the_used_part_begins_at_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
