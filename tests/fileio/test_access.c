#include "core/settings.h"
#include "fileio/access.h"
#include "fileio/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct job make_job(enum mode mode, uint64_t files, uint64_t total_bytes, uint64_t block_bytes)
{
    struct job job;
    job_init(&job);
    job.mode = mode;
    job.files = files;
    job.total_size_bytes = total_bytes;
    job.block_size_bytes = block_bytes;
    return job;
}

static void start(struct access *access, struct access_thread *thread, struct random *random, const struct job *job)
{
    assert_true(access_init(access, job, files_used_bytes(job)));
    random_init(random, 42, 0);
    access_thread_init(thread, access, 0, random);
}

static void assert_inside(const struct job *job, const struct io *request)
{
    assert_true(request->file < job->files);
    assert_true(request->bytes > 0);
    assert_int_equal(request->bytes % job->block_size_bytes, 0);
    assert_int_equal(request->offset % (job->align_bytes ? job->align_bytes : job->block_size_bytes), 0);
    assert_true(request->offset + request->bytes <= job->total_size_bytes / job->files);
}

static void requests_are_whole_blocks_inside_one_file_whatever_the_sizes(void **state)
{
    static const struct {
        uint64_t files, total_bytes, block_bytes, merge, align_bytes;
    } rows[] = {{1, 16384, 16384, 1, 0},  {3, 1024000, 16384, 1, 0},        {128, 1000000, 64, 1, 0},
                {7, 1048576, 4096, 3, 0}, {10, 50000, 4096, 5, 512},        {4, UINT64_C(1) << 50, 1 << 20, 1, 0},
                {2, 100000, 1000, 7, 1},  {1, UINT64_C(5) << 40, 512, 1, 0}};
    static const enum mode modes[] = {MODE_SEQWR, MODE_SEQREWR, MODE_SEQRD, MODE_RNDRD, MODE_RNDWR, MODE_RNDRW};
    static const enum distribution distributions[] = {DIST_UNIFORM, DIST_SPECIAL, DIST_GAUSSIAN, DIST_PARETO,
                                                      DIST_ZIPFIAN};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows) * COUNT_OF(modes) * COUNT_OF(distributions); ++i) {
        size_t row = i % COUNT_OF(rows);
        struct job job = make_job(modes[i / COUNT_OF(rows) % COUNT_OF(modes)], rows[row].files, rows[row].total_bytes,
                                  rows[row].block_bytes);
        job.merge_blocks = rows[row].merge;
        job.align_bytes = mode_is_sequential(job.mode) ? 0 : rows[row].align_bytes;
        job.distribution = distributions[i / COUNT_OF(rows) / COUNT_OF(modes)];
        struct access access;
        struct access_thread thread;
        struct random random;
        start(&access, &thread, &random, &job);
        for (int n = 0; n < 2000; ++n) {
            struct io request;
            assert_true(access_next(&access, &thread, &request));
            assert_inside(&job, &request);
        }
        access_done(&access);
    }
}

static void a_sequential_pass_touches_every_block_once_in_order(void **state)
{
    struct job job = make_job(MODE_SEQRD, 3, 3 * 10 * 4096, 4096);
    struct access access;
    struct access_thread thread;
    struct random random;
    struct io request;
    (void)state;
    job.merge_blocks = 4;
    job.passes = 2;
    start(&access, &thread, &random, &job);
    for (int pass = 0; pass < 2; ++pass) {
        for (uint64_t block = 0; block < 30; block += request.bytes / 4096) {
            assert_true(access_next(&access, &thread, &request));
            assert_int_equal(request.file, block / 10);
            assert_int_equal(request.offset, block % 10 * 4096);
            assert_int_equal(request.bytes, (block % 10 == 8 ? 2 : 4) * 4096);
        }
    }
    assert_false(access_next(&access, &thread, &request));
    access_done(&access);
}

static void threads_with_their_own_cursor_start_spread_and_each_make_the_passes(void **state)
{
    struct job job = make_job(MODE_SEQRD, 1, 100 * 4096, 4096);
    struct access access;
    struct random random;
    (void)state;
    job.threads = 4;
    job.passes = 1;
    job.cursor = CURSOR_THREAD;
    assert_true(access_init(&access, &job, files_used_bytes(&job)));
    random_init(&random, 1, 0);
    for (uint64_t index = 0; index < 4; ++index) {
        struct access_thread thread;
        struct io request;
        unsigned char seen[100] = {0};
        access_thread_init(&thread, &access, index, &random);
        for (int n = 0; n < 100; ++n) {
            assert_true(access_next(&access, &thread, &request));
            if (n == 0)
                assert_int_equal(request.offset, index * 25 * 4096);
            ++seen[request.offset / 4096];
        }
        assert_false(access_next(&access, &thread, &request));
        for (int n = 0; n < 100; ++n)
            assert_int_equal(seen[n], 1);
    }
    access_done(&access);
}

static uint64_t count_reads(struct job *job, int requests)
{
    struct access access;
    struct access_thread thread;
    struct random random;
    uint64_t reads = 0;
    start(&access, &thread, &random, job);
    for (int n = 0; n < requests; ++n) {
        struct io request;
        assert_true(access_next(&access, &thread, &request));
        reads += request.op == IO_READ;
    }
    access_done(&access);
    return reads;
}

static void a_balanced_mix_keeps_the_share_exactly(void **state)
{
    struct job job = make_job(MODE_RNDRW, 2, 1 << 20, 4096);
    (void)state;
    job.mix = MIX_BALANCED;
    job.read_percent = 60;
    assert_int_equal(count_reads(&job, 100), 60); /* what sysbench deals for a ratio of 1.5 */
    job.read_percent = 0;
    assert_int_equal(count_reads(&job, 100), 0);
    job.read_percent = 100;
    assert_int_equal(count_reads(&job, 100), 100);
}

static void a_random_mix_comes_near_the_share(void **state)
{
    struct job job = make_job(MODE_RNDRW, 2, 1 << 20, 4096);
    (void)state;
    job.read_percent = 70;
    assert_in_range(count_reads(&job, 10000), 6800, 7200);
    job.read_percent = 0;
    assert_int_equal(count_reads(&job, 1000), 0);
    job.read_percent = 100;
    assert_int_equal(count_reads(&job, 1000), 1000);
}

static void a_read_mode_reads_and_a_write_mode_writes(void **state)
{
    struct job job = make_job(MODE_RNDRD, 1, 1 << 20, 4096);
    (void)state;
    assert_int_equal(count_reads(&job, 100), 100);
    job.mode = MODE_RNDWR;
    assert_int_equal(count_reads(&job, 100), 0);
    job.mode = MODE_SEQREWR;
    assert_int_equal(count_reads(&job, 100), 0);
}

/* The same list must come out on Linux and on Windows: a seed names one load. */
static void a_seed_gives_these_offsets_on_every_system(void **state)
{
    static const uint64_t expected[2][6] = {{3381063680, 3765559296, 1921392640, 439484416, 3051610112, 189566976},
                                            {1098948608, 519385088, 1202954240, 610451456, 462782464, 992690176}};
    struct job job = make_job(MODE_RNDRD, 4, UINT64_C(4) << 30, 4096);
    struct access access;
    (void)state;
    assert_true(access_init(&access, &job, files_used_bytes(&job)));
    for (uint64_t stream = 0; stream < 2; ++stream) {
        struct access_thread thread;
        struct random random;
        random_init(&random, 42, stream);
        access_thread_init(&thread, &access, stream, &random);
        for (int n = 0; n < 6; ++n) {
            struct io request;
            assert_true(access_next(&access, &thread, &request));
            assert_int_equal(((uint64_t)request.file << 30) + request.offset, expected[stream][n]);
        }
    }
    access_done(&access);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_whole_blocks_inside_one_file_whatever_the_sizes),
        cmocka_unit_test(a_sequential_pass_touches_every_block_once_in_order),
        cmocka_unit_test(threads_with_their_own_cursor_start_spread_and_each_make_the_passes),
        cmocka_unit_test(a_balanced_mix_keeps_the_share_exactly),
        cmocka_unit_test(a_random_mix_comes_near_the_share),
        cmocka_unit_test(a_read_mode_reads_and_a_write_mode_writes),
        cmocka_unit_test(a_seed_gives_these_offsets_on_every_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
