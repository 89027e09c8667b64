/* What a series of runs needs: targets that are made anew and removed in the end, closes in the time, and a measured
 * part that ends with the first thread. */
#include "fileio/made.h"

#include "core/settings.h"
#include "fileio/fileio.h"
#include "platform/thread.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096
#define BLOCKS 64 /* of each file */

struct bench {
    struct job job;
    struct listener listener;
    struct clock clock;
    struct file_layer layer;
    struct fileio_setup setup;
    struct made_files made;
    struct error error;
    struct result *result;
    char paths[2][PATH_BYTES];
};

/* ---- a layer that tells what was asked of it, and one of whose files is slow ---- */

static struct {
    struct file *_Atomic slow; /* reads of it take until `quick_reads` have been made */
    char slow_path[PATH_BYTES];
    _Atomic int64_t quick_reads, slow_reads, open_files, closes_in_run;
} seen;

static bool seen_open(struct file **out, const char *path, const struct file_policy *policy, struct error *error)
{
    bool good = file_layer_system.open(out, path, policy, error);
    if (good)
        ++seen.open_files;
    if (good && strcmp(path, seen.slow_path) == 0)
        atomic_store(&seen.slow, *out);
    return good;
}

static void seen_close(struct file *file)
{
    if (file)
        --seen.open_files;
    file_layer_system.close(file);
}

/* From its second read on, a slow file waits until the quick one is read to its end and a while longer. */
static int64_t seen_read(struct file *file, void *buffer, size_t bytes, uint64_t offset)
{
    bool slow = file == atomic_load(&seen.slow);
    if (slow && ++seen.slow_reads > 2)
        while (atomic_load(&seen.quick_reads) < BLOCKS)
            thread_sleep_ns(NS_PER_MS);
    if (slow && atomic_load(&seen.slow_reads) > 2)
        thread_sleep_ns(2 * NS_PER_MS);
    int64_t answer = file_layer_system.read_at(file, buffer, bytes, offset);
    if (!slow)
        ++seen.quick_reads;
    return answer;
}

/* ---- the bench ---- */

static void remove_file(const char *path)
{
    struct error error = ERROR_INIT;
    path_remove(path, &error);
}

static int bench_make(void **state)
{
    static struct bench bench;
    char dir[PATH_BYTES];
    memset(&bench, 0, sizeof(bench));
    memset(&seen, 0, sizeof(seen));
    scratch_directory(dir, "scratch_made");
    path_join(bench.paths[0], dir, "one.dat", &bench.error);
    path_join(bench.paths[1], dir, "two.dat", &bench.error);
    remove_file(bench.paths[0]);
    remove_file(bench.paths[1]);
    job_init(&bench.job);
    snprintf(bench.job.target, sizeof(bench.job.target), "%.1000s,%.1000s", bench.paths[0], bench.paths[1]);
    bench.job.mode = MODE_SEQWR;
    bench.job.block_size_bytes = BLOCK;
    bench.job.total_size_bytes = 2 * BLOCK * BLOCKS;
    bench.job.threads = 2;
    bench.job.file_choice = FILES_OWN;
    bench.job.passes = 1;
    bench.job.time_ns = 0;
    bench.clock = clock_system();
    bench.layer = file_layer_system;
    bench.layer.open = seen_open;
    bench.layer.close = seen_close;
    bench.layer.read_at = seen_read;
    bench.setup = (struct fileio_setup){.job = &bench.job,
                                        .listener = &bench.listener,
                                        .layer = &bench.layer,
                                        .clock = &bench.clock,
                                        .overwrite = "",
                                        .made = &bench.made};
    *state = &bench;
    return 0;
}

static int bench_free(void **state)
{
    struct bench *bench = *state;
    result_free(bench->result);
    made_files_done(&bench->made);
    remove_file(bench->paths[0]);
    remove_file(bench->paths[1]);
    return 0;
}

static bool run(struct bench *bench)
{
    result_free(bench->result);
    bench->result = NULL;
    bench->error = (struct error)ERROR_INIT;
    return job_check_run(&bench->job, &bench->error) && fileio_run(&bench->setup, &bench->result, &bench->error);
}

/* Never NULL, which a checker cannot know. */
static const struct result *must_run(struct bench *bench)
{
    static const struct result none;
    if (!run(bench))
        fail_msg("%s", bench->error.text);
    return bench->result ? bench->result : &none;
}

static uint64_t length_of(const char *path)
{
    struct error error = ERROR_INIT;
    enum path_kind kind;
    uint64_t bytes = 0;
    assert_true(path_look(path, &kind, &bytes, &error));
    return kind == PATH_FILE ? bytes : UINT64_MAX;
}

static void put(const char *path)
{
    struct error error = ERROR_INIT;
    assert_true(path_write_text(path, "precious", 8, &error));
}

/* ---- targets that are made anew ---- */

static void targets_that_a_run_made_are_noted_and_removed(void **state)
{
    struct bench *bench = *state;
    must_run(bench);
    assert_int_equal(bench->made.count, 2);
    assert_int_equal(length_of(bench->paths[1]), BLOCK * BLOCKS);
    bench->setup.overwrite = bench->job.target;
    must_run(bench); /* anew, but not made by this one */
    assert_int_equal(bench->made.count, 2);
    assert_true(fileio_settle(&bench->setup, &bench->error));
    assert_true(made_files_remove(&bench->made, &file_layer_system, &bench->error));
    assert_true(length_of(bench->paths[0]) == UINT64_MAX && length_of(bench->paths[1]) == UINT64_MAX);
}

static void a_target_that_was_there_is_written_when_it_is_named_and_stays(void **state)
{
    struct bench *bench = *state;
    put(bench->paths[0]);
    assert_false(run(bench));
    assert_non_null(strstr(bench->error.text, "its data lost"));
    assert_int_equal(length_of(bench->paths[0]), 8);
    bench->setup.overwrite = bench->job.target;
    must_run(bench);
    assert_int_equal(length_of(bench->paths[0]), BLOCK * BLOCKS);
    assert_true(made_files_remove(&bench->made, &file_layer_system, &bench->error));
    assert_int_equal(length_of(bench->paths[0]), BLOCK * BLOCKS);
    assert_true(length_of(bench->paths[1]) == UINT64_MAX);
}

static void a_file_that_took_the_name_of_one_that_was_made_stays(void **state)
{
    struct bench *bench = *state;
    char held[PATH_BYTES + 8];
    must_run(bench);
    snprintf(held, sizeof(held), "%s.held", bench->paths[0]);
    remove_file(held);
    assert_int_equal(rename(bench->paths[0], held), 0); /* its number stays taken */
    put(bench->paths[0]);
    assert_true(made_files_remove(&bench->made, &file_layer_system, &bench->error));
    assert_int_equal(length_of(bench->paths[0]), 8);
    remove_file(held);
}

static void a_folder_is_no_target_to_make(void **state)
{
    struct bench *bench = *state;
    char dir[PATH_BYTES];
    scratch_directory(dir, "scratch_made");
    snprintf(bench->job.target, sizeof(bench->job.target), "%.1000s", dir);
    bench->setup.overwrite = bench->job.target;
    assert_false(run(bench));
    assert_non_null(strstr(bench->error.text, "neither a file nor a block device"));
}

/* ---- what comes at the end ---- */

static void every_file_is_closed_once_and_its_time_counts(void **state)
{
    struct bench *bench = *state;
    bench->job.close_at_end = true;
    bench->job.sync_at_end = false;
    const struct result *result = must_run(bench);
    assert_int_equal(seen.open_files, 0);
    assert_true(result->end_sync_ns > 0);
    assert_true(result->elapsed_ns == result->load_ns + result->end_sync_ns);
    assert_true(result->threads[0].end_ns > 0 && result->threads[1].end_ns > 0);
    bench->job.close_at_end = false;
    bench->setup.overwrite = bench->job.target;
    result = must_run(bench);
    assert_int_equal(seen.open_files, 0);
    assert_int_equal(result->end_sync_ns, 0);
}

/* ---- the measured part ends with the first thread ---- */

static const struct result *read_both(struct bench *bench, bool stonewall)
{
    must_run(bench);
    bench->job.mode = MODE_SEQRD;
    bench->job.stonewall = stonewall;
    snprintf(seen.slow_path, sizeof(seen.slow_path), "%s", bench->paths[1]);
    const struct result *result = must_run(bench);
    assert_int_equal(seen.quick_reads, BLOCKS);
    assert_int_equal(seen.slow_reads, BLOCKS); /* to the end all the same */
    return result;
}

static void behind_the_stonewall_nothing_is_measured(void **state)
{
    struct bench *bench = *state;
    const struct result *result = read_both(bench, true);
    assert_int_equal(result->threads[0].read.count, BLOCKS);
    assert_in_range(result->threads[1].read.count, 0, 3); /* the one that was under way too */
    assert_int_equal(result->total.of[CLASS_READ].latency.count,
                     result->threads[0].read.count + result->threads[1].read.count);
    assert_true(result->load_ns < (uint64_t)(BLOCKS - 4) * 2 * NS_PER_MS); /* what came behind takes so long */
    assert_false(result->partial);
}

static void without_a_stonewall_all_is_measured(void **state)
{
    struct bench *bench = *state;
    const struct result *result = read_both(bench, false);
    assert_int_equal(result->threads[1].read.count, BLOCKS);
    assert_true(result->load_ns >= (uint64_t)(BLOCKS - 4) * 2 * NS_PER_MS);
}

static void each_queue_engine_has_the_stonewall(void **state)
{
    struct bench *bench = *state;
    snprintf(bench->job.engine, sizeof(bench->job.engine), "uv");
    const struct result *result = read_both(bench, true);
    assert_int_equal(result->threads[0].read.count, BLOCKS);
    assert_in_range(result->threads[1].read.count, 0, 3);
    assert_true(result->load_ns < (uint64_t)(BLOCKS - 4) * 2 * NS_PER_MS);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, bench_make, bench_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(targets_that_a_run_made_are_noted_and_removed),
        BENCH_TEST(a_target_that_was_there_is_written_when_it_is_named_and_stays),
        BENCH_TEST(a_file_that_took_the_name_of_one_that_was_made_stays),
        BENCH_TEST(a_folder_is_no_target_to_make),
        BENCH_TEST(every_file_is_closed_once_and_its_time_counts),
        BENCH_TEST(behind_the_stonewall_nothing_is_measured),
        BENCH_TEST(without_a_stonewall_all_is_measured),
        BENCH_TEST(each_queue_engine_has_the_stonewall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
