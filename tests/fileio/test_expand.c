/* Targets that are made longer before a run, and a cache that cannot be dropped. */
#include "core/settings.h"
#include "fileio/expand.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096

struct bench {
    struct job job;
    struct listener listener;
    struct file_layer layer;
    struct clock clock;
    struct fileio_setup setup;
    struct error error;
    char path[PATH_BYTES];
    uint64_t have_bytes, want_bytes;
    int started, done;
};

static void on_started(void *context, const char *path, uint64_t have_bytes, uint64_t want_bytes)
{
    struct bench *bench = context;
    assert_string_equal(path, bench->path);
    bench->have_bytes = have_bytes;
    bench->want_bytes = want_bytes;
    ++bench->started;
}

static void on_done(void *context, const char *path)
{
    struct bench *bench = context;
    assert_string_equal(path, bench->path);
    ++bench->done;
}

static int bench_make(void **state)
{
    static struct bench bench;
    struct error error = ERROR_INIT;
    char directory[PATH_BYTES];
    memset(&bench, 0, sizeof(bench));
    scratch_directory(directory, "scratch_expand");
    assert_true(path_join(bench.path, directory, "target", &error));
    assert_true(path_remove(bench.path, &error));
    job_init(&bench.job);
    assert_true(strlen(bench.path) < sizeof(bench.job.target));
    strcpy(bench.job.target, bench.path);
    bench.job.total_size_bytes = 0;
    bench.job.block_size_bytes = BLOCK;
    bench.job.mode = MODE_RNDRD;
    bench.job.time_ns = 0;
    bench.job.events = 20;
    bench.listener = (struct listener){.context = &bench, .expand_started = on_started, .expand_done = on_done};
    bench.layer = file_layer_system;
    bench.clock = clock_system();
    bench.setup = (struct fileio_setup){.job = &bench.job,
                                        .listener = &bench.listener,
                                        .layer = &bench.layer,
                                        .clock = &bench.clock,
                                        .extend_bytes = 8 * BLOCK};
    *state = &bench;
    return 0;
}

static int bench_clear(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    return path_remove(bench->path, &error) ? 0 : -1;
}

static uint64_t size_of_target(const struct bench *bench)
{
    struct error error = ERROR_INIT;
    enum path_kind kind;
    uint64_t bytes = 0;
    assert_true(path_look(bench->path, &kind, &bytes, &error));
    return kind == PATH_ABSENT ? UINT64_MAX : bytes;
}

static void write_target(const struct bench *bench, const char *text)
{
    struct error error = ERROR_INIT;
    assert_true(path_write_text(bench->path, text, strlen(text), &error));
}

static void expand(struct bench *bench)
{
    if (!targets_expand(&bench->setup, &bench->error))
        fail_msg("%s", bench->error.text);
}

static void a_target_that_is_not_there_is_made_with_the_given_length(void **state)
{
    struct bench *bench = *state;
    expand(bench);
    assert_int_equal(size_of_target(bench), 8 * BLOCK);
    assert_int_equal(bench->started, 1);
    assert_int_equal(bench->done, 1);
    assert_int_equal(bench->have_bytes, 0);
    assert_int_equal(bench->want_bytes, 8 * BLOCK);
}

static void the_job_s_size_goes_before_the_given_length(void **state)
{
    struct bench *bench = *state;
    bench->job.total_size_bytes = 3 * BLOCK;
    bench->job.start_bytes = BLOCK;
    expand(bench);
    assert_int_equal(size_of_target(bench), 4 * BLOCK);
}

static void what_a_short_target_holds_stays(void **state)
{
    struct bench *bench = *state;
    char *text = NULL;
    size_t bytes = 0;
    write_target(bench, "to be kept");
    expand(bench);
    assert_int_equal(bench->have_bytes, 10);
    assert_true(path_read_text(bench->path, 100 * BLOCK, &text, &bytes, &bench->error));
    assert_int_equal(bytes, 8 * BLOCK);
    assert_string_equal(text, "to be kept"); /* zeros follow */
    free(text);
}

static void a_target_that_is_long_enough_is_left_alone(void **state)
{
    struct bench *bench = *state;
    expand(bench);
    bench->started = 0;
    bench->job.total_size_bytes = 2 * BLOCK;
    expand(bench);
    bench->job.total_size_bytes = 0;
    bench->setup.extend_bytes = 100 * BLOCK; /* for targets without a block only */
    expand(bench);
    assert_int_equal(bench->started, 0);
    assert_int_equal(size_of_target(bench), 8 * BLOCK);
}

static void without_leave_nothing_is_made(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    bench->setup.extend_bytes = 0;
    expand(bench);
    assert_int_equal(size_of_target(bench), UINT64_MAX);
    assert_false(fileio_run(&bench->setup, &result, &bench->error));
    assert_null(result);
    assert_int_equal(size_of_target(bench), UINT64_MAX);
}

/* As a full disk does it: the end has moved a part of the way. */
static bool set_size_in_part(struct file *file, uint64_t bytes, struct error *error)
{
    if (bytes < 8 * BLOCK)
        return file_layer_system.set_size(file, bytes, error);
    return file_layer_system.set_size(file, 5 * BLOCK, error) && error_set_os(error, os_error_no_space, "full");
}

static void a_failure_leaves_things_as_they_were(void **state)
{
    struct bench *bench = *state;
    bench->layer.set_size = set_size_in_part;
    assert_false(targets_expand(&bench->setup, &bench->error));
    assert_non_null(strstr(bench->error.text, "full"));
    assert_int_equal(size_of_target(bench), UINT64_MAX);
    write_target(bench, "to be kept");
    bench->error.kind = ERR_NONE;
    assert_false(targets_expand(&bench->setup, &bench->error));
    assert_int_equal(size_of_target(bench), 10);
    assert_int_equal(bench->done, 0);
}

static void a_run_on_a_made_target_reads_it(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    if (!fileio_run(&bench->setup, &result, &bench->error))
        fail_msg("%s", bench->error.text);
    assert_int_equal(result->total.of[CLASS_READ].latency.count, 20);
    assert_int_equal(result->job.total_size_bytes, 8 * BLOCK);
    result_free(result);
}

static bool no_drop(struct file *file, struct error *error)
{
    (void)file;
    return error_set(error, ERR_UNSUPPORTED, "no way to drop it here");
}

static bool has_warning(const struct result *result, const char *code)
{
    for (size_t i = 0; i < result->warnings_count; ++i)
        if (strcmp(result->warnings[i].code, code) == 0)
            return true;
    return false;
}

static void a_cache_that_cannot_be_dropped_is_an_error_or_a_warning(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    bench->layer.drop_cache = no_drop;
    bench->job.drop_cache = true;
    assert_false(fileio_run(&bench->setup, &result, &bench->error));
    assert_non_null(strstr(bench->error.text, "no way to drop it here"));
    bench->error.kind = ERR_NONE;
    bench->setup.may_start_warm = true;
    if (!fileio_run(&bench->setup, &result, &bench->error))
        fail_msg("%s", bench->error.text);
    assert_true(has_warning(result, "cache-kept"));
    result_free(result);
}

static void a_start_past_the_end_is_refused(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    expand(bench);
    bench->setup.extend_bytes = 0;
    bench->job.start_bytes = 8 * BLOCK;
    assert_false(fileio_run(&bench->setup, &result, &bench->error));
    assert_non_null(strstr(bench->error.text, "--start"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_target_that_is_not_there_is_made_with_the_given_length, bench_make,
                                        bench_clear),
        cmocka_unit_test_setup_teardown(the_job_s_size_goes_before_the_given_length, bench_make, bench_clear),
        cmocka_unit_test_setup_teardown(what_a_short_target_holds_stays, bench_make, bench_clear),
        cmocka_unit_test_setup_teardown(a_target_that_is_long_enough_is_left_alone, bench_make, bench_clear),
        cmocka_unit_test_setup_teardown(without_leave_nothing_is_made, bench_make, bench_clear),
        cmocka_unit_test_setup_teardown(a_failure_leaves_things_as_they_were, bench_make, bench_clear),
        cmocka_unit_test_setup_teardown(a_run_on_a_made_target_reads_it, bench_make, bench_clear),
        cmocka_unit_test_setup_teardown(a_cache_that_cannot_be_dropped_is_an_error_or_a_warning, bench_make,
                                        bench_clear),
        cmocka_unit_test_setup_teardown(a_start_past_the_end_is_refused, bench_make, bench_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
