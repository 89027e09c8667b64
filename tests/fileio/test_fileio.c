/* The file engine on real files, with faults where the system would have to be broken to show them. */
#include "core/settings.h"
#include "fileio/fileio.h"
#include "fileio/files.h"
#include "tests/fileio/faulty.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096

struct traced;

struct bench {
    struct job job;
    struct listener listener;
    struct clock clock;
    struct fileio_setup setup;
    struct error error;
    int kept, created, extended, removed, left, intervals, checkpoints;
    struct traced *traced;
    uint64_t checkpoint_events;
};

static void on_prepare_file(void *context, const char *path, enum prepare_step step)
{
    struct bench *bench = context;
    (void)path;
    bench->kept += step == PREPARE_KEEP;
    bench->created += step == PREPARE_CREATE;
    bench->extended += step == PREPARE_EXTEND;
}

static void on_cleanup_file(void *context, const char *path, enum cleanup_step step)
{
    struct bench *bench = context;
    (void)path;
    bench->removed += step == CLEANUP_REMOVED;
    bench->left += step == CLEANUP_LEFT;
}

static void on_interval(void *context, const struct job *job, const struct interval *interval)
{
    (void)job;
    (void)interval;
    ++((struct bench *)context)->intervals;
}

static void on_checkpoint(void *context, const struct result *since, uint64_t at_ns)
{
    struct bench *bench = context;
    (void)at_ns;
    ++bench->checkpoints;
    bench->checkpoint_events += since->total.events;
}

static const struct listener listening = {.prepare_file = on_prepare_file,
                                          .cleanup_file = on_cleanup_file,
                                          .run_interval = on_interval,
                                          .run_checkpoint = on_checkpoint};

/* 2 files of 16 blocks in a directory of their own; ends after 100 events. */
static int bench_make(void **state)
{
    static struct bench bench;
    char dir[PATH_BYTES];
    memset(&bench, 0, sizeof(bench));
    job_init(&bench.job);
    scratch_directory(dir, "scratch_fileio");
    scratch_clear_set(dir);
    assert_true(strlen(dir) < sizeof(bench.job.dir));
    memcpy(bench.job.dir, dir, strlen(dir) + 1);
    bench.job.files = 2;
    bench.job.total_size_bytes = 2 * 16 * BLOCK;
    bench.job.block_size_bytes = BLOCK;
    bench.job.mode = MODE_RNDRD;
    bench.job.time_ns = 0;
    bench.job.events = 100;
    bench.listener = listening;
    bench.listener.context = &bench;
    bench.clock = clock_system();
    bench.setup = (struct fileio_setup){
        .job = &bench.job, .listener = &bench.listener, .layer = &faulty_layer, .clock = &bench.clock};
    faulty_reset();
    *state = &bench;
    return 0;
}

static int bench_clear(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    faulty_reset();
    fileio_cleanup(&bench->setup, &error);
    return error.kind == ERR_NONE ? 0 : -1;
}

static void file_path(const struct bench *bench, uint64_t index, char path[PATH_BYTES])
{
    struct error error = ERROR_INIT;
    assert_true(files_path(path, &bench->job, index, &error));
}

static uint64_t file_size(const struct bench *bench, uint64_t index)
{
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    enum path_kind kind;
    uint64_t size_bytes = 0;
    file_path(bench, index, path);
    assert_true(path_look(path, &kind, &size_bytes, &error));
    return kind == PATH_ABSENT ? UINT64_MAX : size_bytes;
}

static void prepare(struct bench *bench)
{
    if (!fileio_prepare(&bench->setup, &bench->error))
        fail_msg("%s", bench->error.text);
}

static struct result *run(struct bench *bench)
{
    struct result *result = NULL;
    if (!fileio_run(&bench->setup, &result, &bench->error))
        fail_msg("%s", bench->error.text);
    assert_non_null(result);
    return result;
}

static void set(struct bench *bench, const char *name, const char *text)
{
    struct error error = ERROR_INIT;
    if (!job_set(&bench->job, setting_find(name), name, text, &error))
        fail_msg("%s", error.text);
}

static void write_foreign(const struct bench *bench, uint64_t index, size_t bytes)
{
    char path[PATH_BYTES];
    char *text = calloc(1, bytes + 1);
    struct error error = ERROR_INIT;
    file_path(bench, index, path);
    memset(text, 'f', bytes);
    assert_true(path_write_text(path, text, bytes, &error));
    free(text);
}

static void remove_foreign(const struct bench *bench, uint64_t index)
{
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    file_path(bench, index, path);
    assert_true(path_remove(path, &error));
}

static uint64_t count(const struct result *result, enum op_class op)
{
    return result->total.of[op].latency.count;
}

/* ---- prepare and cleanup -------------------------------------------------------------------------------------- */

static void prepare_makes_the_files_then_keeps_and_extends_them(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    assert_int_equal(bench->created, 2);
    assert_int_equal(file_size(bench, 0), 16 * BLOCK);
    assert_int_equal(file_size(bench, 1), 16 * BLOCK);
    prepare(bench);
    assert_int_equal(bench->kept, 2);
    bench->job.total_size_bytes *= 2;
    prepare(bench);
    assert_int_equal(bench->extended, 2);
    assert_int_equal(file_size(bench, 1), 32 * BLOCK);
}

static void prepare_makes_a_file_of_another_fill_anew(void **state)
{
    struct bench *bench = *state;
    bench->job.fill = FILL_EXTENDED;
    prepare(bench);
    assert_int_equal(faulty.writes, 0);
    bench->job.fill = FILL_WRITTEN;
    prepare(bench);
    assert_int_equal(bench->created, 4);
    assert_int_equal(bench->kept, 0);
    assert_true(faulty.writes > 0);
}

static void prepare_refuses_a_file_it_did_not_make(void **state)
{
    struct bench *bench = *state;
    write_foreign(bench, 1, 100);
    assert_false(fileio_prepare(&bench->setup, &bench->error));
    assert_non_null(strstr(bench->error.text, "test_file.1"));
    assert_int_equal(file_size(bench, 0), UINT64_MAX);
    assert_int_equal(file_size(bench, 1), 100);
    remove_foreign(bench, 1);
}

static void prepare_keeps_a_foreign_file_of_the_right_size_when_told_so(void **state)
{
    struct bench *bench = *state;
    bench->setup.foreign_files = true;
    write_foreign(bench, 1, 16 * BLOCK);
    prepare(bench);
    assert_int_equal(bench->kept, 1);
    assert_int_equal(bench->created, 1);
    assert_true(fileio_cleanup(&bench->setup, &bench->error));
    assert_int_equal(bench->removed, 1);
    assert_int_equal(bench->left, 1);
    assert_int_equal(file_size(bench, 1), 16 * BLOCK);
    remove_foreign(bench, 1);
}

static void assert_run_fails(struct bench *bench, const char *expected)
{
    struct result *result = NULL;
    struct error error = ERROR_INIT;
    assert_false(fileio_run(&bench->setup, &result, &error));
    if (!strstr(error.text, expected))
        fail_msg("\"%s\" does not say \"%s\"", error.text, expected);
    result_free(result);
}

/* The name is isobench's and the manifest has it, but somebody put another file there. */
static void a_file_that_took_the_place_of_ours_is_not_ours(void **state)
{
    struct bench *bench = *state;
    char path[PATH_BYTES];
    prepare(bench);
    file_path(bench, 1, path);
    assert_true(path_remove(path, &bench->error));
    write_foreign(bench, 1, 16 * BLOCK);
    struct error refused = ERROR_INIT;
    assert_false(fileio_prepare(&bench->setup, &refused));
    assert_non_null(strstr(refused.text, "isobench did not make it"));
    bench->job.mode = MODE_RNDWR;
    assert_run_fails(bench, "isobench did not make this file");
    bench->job.mode = MODE_SEQWR;
    assert_run_fails(bench, "isobench did not make this file");
    assert_true(fileio_cleanup(&bench->setup, &bench->error));
    assert_int_equal(bench->removed, 1);
    assert_int_equal(bench->left, 1);
    assert_int_equal(file_size(bench, 1), 16 * BLOCK);
    remove_foreign(bench, 1);
}

static void a_foreign_file_that_was_written_anew_is_left_by_cleanup(void **state)
{
    struct bench *bench = *state;
    bench->setup.foreign_files = true;
    write_foreign(bench, 0, 16 * BLOCK);
    bench->job.mode = MODE_SEQWR;
    bench->job.events = 0;
    bench->job.passes = 1;
    struct result *result = run(bench);
    result_free(result);
    assert_true(fileio_cleanup(&bench->setup, &bench->error));
    assert_int_equal(bench->removed, 1);
    assert_int_equal(bench->left, 1);
    assert_int_equal(file_size(bench, 0), 16 * BLOCK);
    remove_foreign(bench, 0);
}

static void when_space_runs_out_prepare_removes_what_it_began(void **state)
{
    struct bench *bench = *state;
    faulty.writes_until_fault = 1; /* the second file's */
    faulty.write_answer = -os_error_no_space;
    assert_false(fileio_prepare(&bench->setup, &bench->error));
    assert_int_equal(bench->error.os_code, os_error_no_space);
    assert_non_null(strstr(bench->error.text, "test_file.1"));
    assert_int_equal(file_size(bench, 0), UINT64_MAX);
    assert_int_equal(file_size(bench, 1), UINT64_MAX);
    struct manifest manifest;
    struct error error = ERROR_INIT;
    assert_true(manifest_load(&manifest, &bench->job, &error));
    assert_int_equal(manifest.count, 0);
    manifest_done(&manifest);
}

static void when_extending_fails_the_files_are_cut_back(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.total_size_bytes *= 2;
    faulty.writes_until_fault = 1;
    faulty.write_answer = 0; /* a full disk may also just write nothing */
    assert_false(fileio_prepare(&bench->setup, &bench->error));
    assert_int_equal(file_size(bench, 0), 16 * BLOCK);
    assert_int_equal(file_size(bench, 1), 16 * BLOCK);
    bench->job.total_size_bytes /= 2;
    prepare(bench);
    assert_int_equal(bench->kept, 2);
}

static void a_short_write_in_prepare_goes_on_where_it_ended(void **state)
{
    struct bench *bench = *state;
    struct result *result;
    faulty.writes_until_fault = 0;
    faulty.write_answer = BLOCK; /* says one block of the chunk was written; the rest must follow */
    prepare(bench);
    assert_int_equal(faulty.writes, 3);
    result = run(bench);
    result_free(result);
}

static void cleanup_removes_more_files_than_the_job_names_if_isobench_made_them(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.files = 1;
    assert_true(fileio_cleanup(&bench->setup, &bench->error));
    assert_int_equal(bench->removed, 2);
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static void every_mode_does_what_its_name_says(void **state)
{
    static const enum mode modes[] = {MODE_SEQWR, MODE_SEQREWR, MODE_SEQRD, MODE_SEQRW,
                                      MODE_RNDRD, MODE_RNDWR,   MODE_RNDRW};
    struct bench *bench = *state;
    for (size_t i = 0; i < COUNT_OF(modes); ++i) {
        bench->job.mode = modes[i];
        prepare(bench);
        struct result *result = run(bench);
        uint64_t reads = count(result, CLASS_READ), writes = count(result, CLASS_WRITE);
        assert_int_equal(reads + writes, 100);
        assert_int_equal(result->total.events, 100);
        assert_true((reads > 0) == mode_reads(modes[i]));
        assert_true((writes > 0) == mode_writes(modes[i]));
        assert_int_equal(result->total.of[CLASS_READ].bytes, reads * BLOCK);
        assert_int_equal(result->total.of[CLASS_WRITE].bytes, writes * BLOCK);
        assert_int_equal(count(result, CLASS_END_SYNC), mode_writes(modes[i]) ? 2 : 0);
        assert_false(result->partial);
        result_free(result);
    }
}

static void a_sequential_write_of_one_pass_leaves_whole_files(void **state)
{
    struct bench *bench = *state;
    bench->job.mode = MODE_SEQWR;
    bench->job.events = 0;
    bench->job.passes = 1;
    struct result *result = run(bench); /* without prepare: it makes its files itself */
    assert_int_equal(count(result, CLASS_WRITE), 32);
    assert_int_equal(file_size(bench, 0), 16 * BLOCK);
    assert_int_equal(file_size(bench, 1), 16 * BLOCK);
    result_free(result);
}

/* What reached the engine of 2 files of 16 blocks, by block, and in which order where one thread asked. */
struct traced {
    unsigned count;
    unsigned seen[32];
    unsigned order[128];
};

static void on_request(void *context, const struct request *request)
{
    struct traced *traced = ((struct bench *)context)->traced;
    if (request->op != CLASS_READ && request->op != CLASS_WRITE)
        return;
    unsigned block = request->file * 16 + (unsigned)(request->offset / BLOCK);
    assert_int_equal(request->bytes, BLOCK);
    assert_true(request->offset % BLOCK == 0 && block < 32 && traced->count < 128);
    ++traced->seen[block];
    traced->order[traced->count++] = block;
}

/* Threads would have to take turns in on_request: one thread, with as much in flight as the row says. */
static void a_pass_of_each_pattern_reaches_the_files_in_its_order(void **state)
{
    static const struct {
        const char *settings[4][2];
        uint64_t depth;
        unsigned events, order[5];
    } rows[] = {
        {{{"mode", "seqrw"}}, 1, 32, {0, 1, 2, 3, 4}},
        {{{"mode", "seqrw"}, {"direction", "backward"}}, 1, 32, {31, 30, 29, 28, 27}},
        {{{"mode", "seqrd"}, {"step", "24K"}}, 1, 6, {0, 6, 12, 16, 22}},
        {{{"mode", "seqrewr"}, {"direction", "backward"}, {"step", "24K"}}, 1, 6, {28, 22, 16, 12, 6}},
        {{{"mode", "seqrd"}, {"cursor", "thread"}, {"cursor_start", "apart"}}, 4, 32, {0, 1, 2, 3, 4}},
        {{{"mode", "seqrd"}, {"cursor", "thread"}, {"direction", "backward"}, {"file_choice", "turn"}},
         1,
         32,
         {31, 15, 30, 14, 29}},
    };
    struct bench *bench = *state;
    struct job before = bench->job;
    prepare(bench);
    bench->listener.request = on_request;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct traced traced = {0};
        bench->traced = &traced;
        bench->job = before;
        for (size_t at = 0; at < COUNT_OF(rows[i].settings) && rows[i].settings[at][0]; ++at)
            set(bench, rows[i].settings[at][0], rows[i].settings[at][1]);
        set(bench, "engine", rows[i].depth > 1 ? "uv" : "sync");
        bench->job.depth = rows[i].depth;
        bench->job.events = 0;
        bench->job.passes = 1;
        struct result *result = run(bench);
        assert_int_equal(result->total.events, rows[i].events);
        assert_int_equal(traced.count, rows[i].events);
        for (size_t at = 0; at < COUNT_OF(rows[i].order); ++at)
            assert_int_equal(traced.order[at], rows[i].order[at]);
        result_free(result);
    }
}

static void with_coverage_once_passes_end_the_run_and_touch_each_block_so_often(void **state)
{
    static const struct {
        const char *engine;
        uint64_t depth;
        enum mode mode;
    } rows[] = {{"sync", 1, MODE_RNDRD}, {"sync", 1, MODE_RNDRW}, {"uv", 8, MODE_RNDWR}};
    struct bench *bench = *state;
    prepare(bench);
    bench->listener.request = on_request;
    bench->job.coverage = COVERAGE_ONCE;
    bench->job.events = 0;
    bench->job.passes = 3;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct traced traced = {0};
        bench->traced = &traced;
        set(bench, "engine", rows[i].engine);
        bench->job.depth = rows[i].depth;
        bench->job.mode = rows[i].mode;
        struct result *result = run(bench);
        assert_int_equal(result->total.events, 96);
        for (size_t block = 0; block < 32; ++block)
            assert_int_equal(traced.seen[block], 3);
        assert_memory_not_equal(traced.order, traced.order + 32, 32 * sizeof(traced.order[0]));
        result_free(result);
    }
}

/* Without anybody who traces: the short loop, and several threads at one cursor or at their own. */
static void with_coverage_once_threads_share_a_pass_or_make_their_own(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.coverage = COVERAGE_ONCE;
    bench->job.events = 0;
    bench->job.passes = 3;
    for (uint64_t threads = 1; threads <= 4; ++threads) {
        bench->job.threads = threads;
        bench->job.cursor = CURSOR_SHARED;
        struct result *result = run(bench);
        assert_int_equal(count(result, CLASS_READ), 96);
        result_free(result);
        bench->job.cursor = CURSOR_THREAD;
        result = run(bench);
        assert_int_equal(count(result, CLASS_READ), 96 * threads);
        result_free(result);
    }
}

/* Verify lets no two requests at one block; these patterns may not draw another and have to wait. */
static void patterns_that_may_not_draw_anew_come_to_their_end_with_verify(void **state)
{
    static const char *const rows[][3][2] = {
        {{"mode", "rndrw"}, {"coverage", "once"}, {"passes", "3"}},
        {{"mode", "rndrw"}, {"random_percent", "30"}, {"events", "96"}},
        {{"mode", "seqrw"}, {"direction", "backward"}, {"passes", "3"}},
        {{"mode", "seqrw"}, {"data", "count-up"}, {"passes", "3"}},
    };
    struct bench *bench = *state;
    struct job before = bench->job;
    bench->setup.layer = &file_layer_system;
    before.verify = true;
    before.events = 0;
    bench->job = before;
    prepare(bench);
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        bench->job = before;
        bench->job.threads = 3;
        bench->job.depth = 4;
        set(bench, "engine", "uv");
        for (size_t at = 0; at < COUNT_OF(rows[i]); ++at)
            set(bench, rows[i][at][0], rows[i][at][1]);
        struct result *result = run(bench);
        assert_int_equal(result->total.events, 96);
        assert_true(result->verify.checked > 0);
        result_free(result);
    }
}

static void count_up_writes_the_bytes_0_to_255_over_and_over(void **state)
{
    struct bench *bench = *state;
    static const enum mode modes[] = {MODE_UNSET, MODE_SEQWR, MODE_RNDWR}; /* unset: as prepare makes it */
    bench->job.data = DATA_COUNT_UP;
    for (size_t i = 0; i < COUNT_OF(modes); ++i) {
        char path[PATH_BYTES];
        char *text = NULL;
        size_t bytes = 0;
        bench->job.mode = modes[i];
        if (modes[i] == MODE_UNSET)
            prepare(bench);
        else
            result_free(run(bench));
        file_path(bench, 0, path);
        assert_true(path_read_text(path, 1 << 20, &text, &bytes, &bench->error));
        assert_int_equal(bytes, 16 * BLOCK);
        for (size_t at = 0; at < bytes; ++at)
            assert_int_equal((unsigned char)text[at], at % 256);
        free(text);
    }
    bench->job.mode = MODE_RNDRD;
    prepare(bench);
    assert_int_equal(bench->kept, 0); /* the sequential write left its files open to doubt */
    prepare(bench);
    assert_int_equal(bench->kept, 2); /* the manifest knows that kind of data */
}

static void events_are_exact_whatever_the_threads_and_depth(void **state)
{
    static const struct {
        const char *engine;
        uint64_t threads, depth;
    } rows[] = {{"sync", 1, 1}, {"sync", 7, 1}, {"uv", 1, 8}, {"uv", 3, 4}, {"auto", 2, 16}};
    struct bench *bench = *state;
    bench->setup.layer = &file_layer_system;
    prepare(bench);
    bench->job.mode = MODE_RNDRW;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(bench->job.engine, sizeof(bench->job.engine), "%s", rows[i].engine);
        bench->job.threads = rows[i].threads;
        bench->job.depth = rows[i].depth;
        struct result *result = run(bench);
        uint64_t events = 0;
        assert_int_equal(result->total.events, 100);
        for (uint64_t thread = 0; thread < rows[i].threads; ++thread)
            events += result->threads[thread].events;
        assert_int_equal(events, 100);
        assert_string_not_equal(result->job.engine, "auto");
        result_free(result);
    }
}

static void what_was_written_is_real_data(void **state)
{
    struct bench *bench = *state;
    char path[PATH_BYTES];
    char *text = NULL;
    size_t bytes = 0;
    prepare(bench);
    file_path(bench, 0, path);
    assert_true(path_read_text(path, 1 << 20, &text, &bytes, &bench->error));
    assert_int_equal(bytes, 16 * BLOCK);
    for (int block = 1; block < 16; ++block)
        assert_memory_not_equal(text, text + block * BLOCK, BLOCK);
    free(text);
}

static void the_series_sums_to_the_totals(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_RNDRW;
    bench->job.events = 0;
    bench->job.time_ns = NS_PER_S / 2;
    bench->job.report_interval_ns = NS_PER_S / 10;
    struct result *result = run(bench);
    for (int op = 0; op < CLASS_COUNT; ++op) {
        uint64_t sum = 0, bytes = 0;
        for (size_t i = 0; i < result->series_count; ++i) {
            sum += result->series[i].count[op];
            bytes += result->series[i].bytes[op];
        }
        assert_int_equal(sum, count(result, (enum op_class)op));
        assert_int_equal(bytes, result->total.of[op].bytes);
    }
    for (size_t i = 0; i < result->series_count; ++i) {
        uint64_t cells = 0;
        for (int cell = 0; cell < LATENCY_CELLS; ++cell)
            cells += result->series[i].latency_cells[cell];
        assert_int_equal(cells, result->series[i].latency_events);
    }
    assert_true(bench->intervals >= 1 && bench->intervals < (int)result->series_count + 1);
    assert_true(result->elapsed_ns >= bench->job.time_ns);
    result_free(result);
}

static void checkpoints_and_the_rest_sum_to_the_totals(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.events = 0;
    bench->job.time_ns = NS_PER_S / 2;
    bench->job.checkpoints.count = 2;
    bench->job.checkpoints.values[0] = 0.1;
    bench->job.checkpoints.values[1] = 0.3;
    struct result *result = run(bench);
    assert_int_equal(bench->checkpoints, 2);
    assert_non_null(result->since_checkpoint);
    assert_int_equal(bench->checkpoint_events + result->since_checkpoint->total.events, result->total.events);
    result_free(result);
}

static void warm_up_is_outside_every_figure(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    faulty_reset();
    bench->job.warmup_ns = NS_PER_S / 10;
    struct result *result = run(bench);
    assert_int_equal(result->total.events, 100);
    assert_true(faulty.reads > 100);
    assert_int_equal(result->warmup_ns, bench->job.warmup_ns);
    result_free(result);
}

static uint64_t busy_ns(const struct result *result)
{
    struct histogram all;
    tally_events_latency(&result->total, &result->job, &all);
    return all.sum_ns;
}

static void threads_rows_agree_with_the_histograms(void **state)
{
    struct bench *bench = *state;
    uint64_t sum_ns = 0;
    prepare(bench);
    bench->job.threads = 3;
    struct result *result = run(bench);
    for (int i = 0; i < 3; ++i)
        sum_ns += result->threads[i].busy_ns;
    assert_int_equal(sum_ns, busy_ns(result));
    result_free(result);
}

/* ---- syncs ---------------------------------------------------------------------------------------------------------
 */

static void syncs_follow_the_policy(void **state)
{
    static const struct {
        uint64_t every, writes, syncs, end_syncs, durable;
        bool counted, each, at_end;
    } rows[] = {
        {0, 100, 0, 2, 0, false, false, true},    {0, 100, 0, 0, 0, false, false, false},
        {10, 100, 20, 2, 0, false, false, true},  /* 2 files, every 10 writes; none are events */
        {10, 84, 16, 2, 0, true, false, true},    /* as events they take their share of the 100 */
        {0, 100, 100, 0, 100, false, true, true}, /* after each write */
    };
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_RNDWR;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        bench->job.sync_every = rows[i].every;
        bench->job.count_syncs = rows[i].counted;
        bench->job.sync_each_write = rows[i].each;
        bench->job.sync_at_end = rows[i].at_end;
        struct result *result = run(bench);
        assert_int_equal(result->total.events, 100);
        assert_int_equal(count(result, CLASS_WRITE), rows[i].writes);
        assert_int_equal(count(result, CLASS_SYNC), rows[i].syncs);
        assert_int_equal(count(result, CLASS_END_SYNC), rows[i].end_syncs);
        assert_int_equal(count(result, CLASS_DURABLE_WRITE), rows[i].durable);
        result_free(result);
    }
}

static void with_depth_each_write_is_synced_before_it_counts_as_durable(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_RNDWR;
    bench->job.sync_each_write = true;
    bench->job.depth = 8;
    snprintf(bench->job.engine, sizeof(bench->job.engine), "uv");
    struct result *result = run(bench);
    assert_int_equal(count(result, CLASS_WRITE), 100);
    assert_int_equal(count(result, CLASS_DURABLE_WRITE), 100);
    assert_in_range(count(result, CLASS_SYNC), 1, 100); /* one sync serves all writes to its file */
    assert_true(result->total.of[CLASS_DURABLE_WRITE].latency.sum_ns >= result->total.of[CLASS_WRITE].latency.sum_ns);
    result_free(result);
}

static void a_mixed_run_counts_requests_or_writes_for_its_syncs(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_RNDRW;
    bench->job.mix = MIX_BALANCED;
    bench->job.sync_every = 20;
    struct result *result = run(bench);
    assert_int_equal(count(result, CLASS_SYNC), 40 / 20 * 2);
    result_free(result);
    bench->job.sync_counts = SYNC_COUNTS_REQUESTS;
    result = run(bench);
    assert_int_equal(count(result, CLASS_SYNC), 100 / 20 * 2);
    result_free(result);
}

/* ---- refusing and failing
 * -------------------------------------------------------------------------------------------- */

static void a_run_without_files_says_to_prepare(void **state)
{
    assert_run_fails(*state, "run prepare");
}

static void a_file_that_is_too_short_is_named_with_both_sizes(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.total_size_bytes *= 2;
    assert_run_fails(bench, "test_file.0 has 64 KiB and the job needs 128 KiB");
}

static void a_foreign_file_is_read_but_never_written(void **state)
{
    struct bench *bench = *state;
    write_foreign(bench, 0, 16 * BLOCK);
    write_foreign(bench, 1, 16 * BLOCK);
    result_free(run(bench));
    bench->job.mode = MODE_RNDWR;
    assert_run_fails(bench, "isobench did not make this file");
    bench->job.mode = MODE_SEQWR;
    assert_run_fails(bench, "isobench did not make this file");
    assert_int_equal(file_size(bench, 0), 16 * BLOCK);
    assert_int_equal(faulty.writes, 0);
    remove_foreign(bench, 0);
    remove_foreign(bench, 1);
}

static void a_failed_read_ends_the_run_and_names_file_and_offset(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_SEQRD;
    faulty.reads_until_fault = 17;
    faulty.read_answer = -os_error_invalid;
    assert_run_fails(bench, "test_file.1: cannot read 4096 bytes at offset 4096");
}

static void a_short_read_ends_the_run(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_SEQRD;
    faulty.reads_until_fault = 3;
    faulty.read_answer = 100;
    assert_run_fails(bench, "offset 12288 ended after 100");
}

static void a_failed_run_still_gives_what_was_measured(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    prepare(bench);
    faulty.reads_until_fault = 50;
    faulty.read_answer = -os_error_invalid;
    assert_false(fileio_run(&bench->setup, &result, &bench->error));
    assert_non_null(result);
    assert_true(result->partial);
    assert_int_equal(count(result, CLASS_READ), 50);
    result_free(result);
}

static void a_failed_sync_ends_the_run(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_RNDWR;
    bench->job.sync_every = 10;
    faulty.syncs_until_fault = 1;
    faulty.sync_answer = os_error_no_space;
    assert_run_fails(bench, "test_file.1: cannot sync");
}

static void a_failed_sync_at_the_end_is_not_hidden(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.mode = MODE_RNDWR;
    faulty.syncs_until_fault = 1;
    faulty.sync_answer = os_error_no_space;
    assert_run_fails(bench, "test_file.1: cannot sync");
}

static void a_block_that_the_device_does_not_take_is_refused_before_the_run(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.cache = OS_CACHE_OFF;
    bench->job.block_size_bytes = 1000;
    assert_run_fails(bench, "--block-size=1000: with --cache=off the device takes multiples of");
    assert_int_equal(faulty.reads, 0);
}

/* ---- counted failures
 * ------------------------------------------------------------------------------------------------ */

static void counted_failures_are_named_and_the_run_goes_on(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    prepare(bench);
    bench->job.on_error = ON_ERROR_COUNT;
    bench->job.mode = MODE_SEQRD;
    faulty.reads_until_fault = 17;
    faulty.read_answer = -os_error_invalid;
    assert_false(fileio_run(&bench->setup, &result, &bench->error));
    assert_non_null(strstr(bench->error.text, "1 operations failed; the first: "));
    assert_non_null(result);
    assert_false(result->partial);
    assert_int_equal(count(result, CLASS_READ), 99);
    assert_int_equal(result->total.of[CLASS_READ].errors, 1);
    assert_int_equal(result->faults_count, 1);
    assert_int_equal(result->faults[0].os_code, os_error_invalid);
    assert_int_equal(result->faults[0].count, 1);
    assert_string_equal(result->faults[0].operation, "read");
    assert_non_null(strstr(result->faults[0].first, "test_file.1: cannot read 4096 bytes at offset 4096"));
    result_free(result);
}

static void failures_of_several_kinds_have_a_row_each(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    prepare(bench);
    faulty_reset();
    bench->job.on_error = ON_ERROR_COUNT;
    bench->job.mode = MODE_RNDRW;
    bench->job.mix = MIX_BALANCED;
    bench->job.sync_every = 10;
    faulty.reads_until_fault = faulty.writes_until_fault = faulty.syncs_until_fault = 1;
    faulty.read_answer = 100;
    faulty.write_answer = -os_error_no_space;
    faulty.sync_answer = os_error_invalid;
    assert_false(fileio_run(&bench->setup, &result, &bench->error));
    assert_int_equal(result->faults_count, 3);
    assert_int_equal(result->total.of[CLASS_READ].errors, 1);
    assert_int_equal(result->total.of[CLASS_WRITE].errors, 1);
    assert_int_equal(result->total.of[CLASS_SYNC].errors, 1);
    assert_int_equal(result->total.events, 98);
    result_free(result);
}

static void a_failed_write_with_depth_is_counted_once_and_its_slot_goes_on(void **state)
{
    struct bench *bench = *state;
    struct result *result = NULL;
    prepare(bench);
    faulty_reset();
    bench->job.on_error = ON_ERROR_COUNT;
    bench->job.mode = MODE_RNDWR;
    bench->job.depth = 4;
    bench->job.sync_each_write = true;
    snprintf(bench->job.engine, sizeof(bench->job.engine), "uv");
    faulty.writes_until_fault = 5;
    faulty.write_answer = -os_error_no_space;
    assert_false(fileio_run(&bench->setup, &result, &bench->error));
    assert_int_equal(count(result, CLASS_WRITE), 99);
    assert_int_equal(count(result, CLASS_DURABLE_WRITE), 99);
    assert_int_equal(result->total.of[CLASS_WRITE].errors, 1);
    result_free(result);
}

/* ---- open loop and think time
 * ------------------------------------------------------------------------------------------ */

static void an_open_loop_starts_no_event_before_it_is_due(void **state)
{
    static const struct {
        const char *engine;
        uint64_t threads, depth;
        enum arrival arrival;
    } rows[] = {{"sync", 1, 1, ARRIVAL_UNIFORM}, {"sync", 3, 1, ARRIVAL_POISSON}, {"uv", 1, 4, ARRIVAL_UNIFORM}};
    struct bench *bench = *state;
    prepare(bench);
    bench->job.rate = 1000;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(bench->job.engine, sizeof(bench->job.engine), "%s", rows[i].engine);
        bench->job.threads = rows[i].threads;
        bench->job.depth = rows[i].depth;
        bench->job.arrival = rows[i].arrival;
        struct result *result = run(bench);
        assert_int_equal(count(result, CLASS_READ), 100);
        assert_int_equal(count(result, CLASS_QUEUE_WAIT), 100);
        assert_int_equal(count(result, CLASS_SERVICE), 100);
        assert_int_equal(result->total.of[CLASS_READ].latency.sum_ns,
                         result->total.of[CLASS_QUEUE_WAIT].latency.sum_ns +
                             result->total.of[CLASS_SERVICE].latency.sum_ns);
        if (rows[i].arrival == ARRIVAL_UNIFORM) /* the 100th is due 99 ms after the first */
            assert_true(result->load_ns >= 99 * NS_PER_MS);
        result_free(result);
    }
}

static bool has_warning(const struct result *result, const char *code)
{
    for (size_t i = 0; i < result->warnings_count; ++i) {
        if (strcmp(result->warnings[i].code, code) == 0)
            return true;
    }
    return false;
}

static void a_rate_that_is_not_reached_is_said_and_the_queue_is_in_the_latency(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.rate = 1e9; /* no system does that */
    bench->job.events = 2000;
    struct result *result = run(bench);
    assert_int_equal(result->total.events, 2000);
    assert_true(has_warning(result, "rate-not-reached"));
    assert_true(result->start_delay_max_ns > 0);
    assert_true(result->total.of[CLASS_QUEUE_WAIT].latency.sum_ns > result->total.of[CLASS_SERVICE].latency.sum_ns);
    result_free(result);
}

static void a_backlog_of_the_warm_up_is_dropped_when_it_ends(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.rate = 1e8;
    bench->job.warmup_ns = NS_PER_S / 5;
    bench->job.events = 10;
    struct result *result = run(bench);
    /* due times of the warm-up lie far behind; those of the measured part begin with it */
    assert_true(result->total.of[CLASS_QUEUE_WAIT].latency.max_ns < NS_PER_S / 10);
    result_free(result);
}

static void a_thread_pauses_after_each_burst(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.events = 9;
    bench->job.burst = 3;
    bench->job.think_time_ns = 20 * NS_PER_MS;
    struct result *result = run(bench);
    assert_true(result->load_ns >= 2 * bench->job.think_time_ns);
    assert_true(result->total.of[CLASS_READ].latency.sum_ns < result->load_ns);
    result_free(result);
    bench->job.depth = 3;
    snprintf(bench->job.engine, sizeof(bench->job.engine), "uv");
    result = run(bench);
    assert_int_equal(result->total.events, 9);
    assert_true(result->load_ns >= 2 * bench->job.think_time_ns);
    result_free(result);
}

static void a_steady_state_ends_the_warm_up_or_its_absence_is_said(void **state)
{
    struct bench *bench = *state;
    prepare(bench);
    bench->job.warmup_ns = NS_PER_S;
    bench->job.report_interval_ns = NS_PER_S / 50;
    snprintf(bench->job.steady_state, sizeof(bench->job.steady_state), "iops:100%%");
    struct result *result = run(bench);
    assert_int_equal(result->total.events, 100);
    assert_false(result->steady_state_missed);
    assert_true(result->warmup_ns < NS_PER_S);
    result_free(result);
    snprintf(bench->job.steady_state, sizeof(bench->job.steady_state), "iops:0.0001%%");
    bench->job.warmup_ns = NS_PER_S / 4;
    result = run(bench);
    assert_true(result->steady_state_missed);
    assert_true(has_warning(result, "no-steady-state"));
    assert_int_equal(result->total.events, 100);
    result_free(result);
}

/* ---- explicit targets
 * --------------------------------------------------------------------------------------------------- */

static void name_targets(struct bench *bench)
{
    char first[PATH_BYTES], second[PATH_BYTES];
    file_path(bench, 0, first);
    file_path(bench, 1, second);
    snprintf(bench->job.target, sizeof(bench->job.target), "%.900s,%.900s", first, second);
    bench->job.total_size_bytes = 0;
}

static void a_target_is_read_as_it_is_and_written_only_when_named_for_that(void **state)
{
    struct bench *bench = *state;
    struct job before = bench->job;
    write_foreign(bench, 0, 16 * BLOCK);
    write_foreign(bench, 1, 20 * BLOCK);
    name_targets(bench);
    bench->job.files = 1; /* what --files says does not count */
    struct result *result = run(bench);
    assert_int_equal(result->job.files, 2);
    assert_int_equal(result->job.total_size_bytes, 2 * 16 * BLOCK);
    result_free(result);
    bench->job.mode = MODE_RNDWR;
    assert_run_fails(bench, "would be written to and its data lost: say --overwrite-target=");
    char first[PATH_BYTES];
    assert_true(files_path(first, &bench->job, 0, &bench->error));
    bench->setup.overwrite = first; /* the other is not named */
    assert_run_fails(bench, "would be written to and its data lost");
    bench->setup.overwrite = bench->job.target;
    result = run(bench);
    assert_int_equal(count(result, CLASS_WRITE), 100);
    result_free(result);
    struct error error = ERROR_INIT;
    assert_false(fileio_prepare(&bench->setup, &error));
    struct error second = ERROR_INIT;
    assert_false(fileio_cleanup(&bench->setup, &second));
    bench->job = before;
    remove_foreign(bench, 0);
    remove_foreign(bench, 1);
}

static void a_target_that_is_absent_empty_or_nameless_is_refused(void **state)
{
    struct bench *bench = *state;
    struct job before = bench->job;
    write_foreign(bench, 0, 16 * BLOCK);
    write_foreign(bench, 1, 0);
    name_targets(bench);
    assert_run_fails(bench, "the shortest has 0 bytes");
    snprintf(bench->job.target, sizeof(bench->job.target), "no-such-file");
    assert_run_fails(bench, "no-such-file");
    snprintf(bench->job.target, sizeof(bench->job.target), "a,,b");
    assert_run_fails(bench, "");
    bench->job = before;
    remove_foreign(bench, 0);
    remove_foreign(bench, 1);
}

#define with_bench(test) cmocka_unit_test_setup_teardown(test, bench_make, bench_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_bench(prepare_makes_the_files_then_keeps_and_extends_them),
        with_bench(prepare_makes_a_file_of_another_fill_anew),
        with_bench(prepare_refuses_a_file_it_did_not_make),
        with_bench(prepare_keeps_a_foreign_file_of_the_right_size_when_told_so),
        with_bench(a_file_that_took_the_place_of_ours_is_not_ours),
        with_bench(a_foreign_file_that_was_written_anew_is_left_by_cleanup),
        with_bench(when_space_runs_out_prepare_removes_what_it_began),
        with_bench(when_extending_fails_the_files_are_cut_back),
        with_bench(a_short_write_in_prepare_goes_on_where_it_ended),
        with_bench(cleanup_removes_more_files_than_the_job_names_if_isobench_made_them),
        with_bench(every_mode_does_what_its_name_says),
        with_bench(a_sequential_write_of_one_pass_leaves_whole_files),
        with_bench(a_pass_of_each_pattern_reaches_the_files_in_its_order),
        with_bench(with_coverage_once_passes_end_the_run_and_touch_each_block_so_often),
        with_bench(with_coverage_once_threads_share_a_pass_or_make_their_own),
        with_bench(patterns_that_may_not_draw_anew_come_to_their_end_with_verify),
        with_bench(count_up_writes_the_bytes_0_to_255_over_and_over),
        with_bench(events_are_exact_whatever_the_threads_and_depth),
        with_bench(what_was_written_is_real_data),
        with_bench(the_series_sums_to_the_totals),
        with_bench(checkpoints_and_the_rest_sum_to_the_totals),
        with_bench(warm_up_is_outside_every_figure),
        with_bench(threads_rows_agree_with_the_histograms),
        with_bench(syncs_follow_the_policy),
        with_bench(with_depth_each_write_is_synced_before_it_counts_as_durable),
        with_bench(a_mixed_run_counts_requests_or_writes_for_its_syncs),
        with_bench(a_run_without_files_says_to_prepare),
        with_bench(a_file_that_is_too_short_is_named_with_both_sizes),
        with_bench(a_foreign_file_is_read_but_never_written),
        with_bench(a_failed_read_ends_the_run_and_names_file_and_offset),
        with_bench(a_short_read_ends_the_run),
        with_bench(a_failed_run_still_gives_what_was_measured),
        with_bench(a_failed_sync_ends_the_run),
        with_bench(a_failed_sync_at_the_end_is_not_hidden),
        with_bench(a_block_that_the_device_does_not_take_is_refused_before_the_run),
        with_bench(counted_failures_are_named_and_the_run_goes_on),
        with_bench(failures_of_several_kinds_have_a_row_each),
        with_bench(a_failed_write_with_depth_is_counted_once_and_its_slot_goes_on),
        with_bench(an_open_loop_starts_no_event_before_it_is_due),
        with_bench(a_rate_that_is_not_reached_is_said_and_the_queue_is_in_the_latency),
        with_bench(a_backlog_of_the_warm_up_is_dropped_when_it_ends),
        with_bench(a_thread_pauses_after_each_burst),
        with_bench(a_steady_state_ends_the_warm_up_or_its_absence_is_said),
        with_bench(a_target_is_read_as_it_is_and_written_only_when_named_for_that),
        with_bench(a_target_that_is_absent_empty_or_nameless_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
