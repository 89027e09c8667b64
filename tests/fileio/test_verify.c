/* A set that verify made: its ledger, runs that check what they read, and the check afterwards. Devices that say they
 * wrote and did not are played by the faulty layer. */
#include "core/settings.h"
#include "fileio/check.h"
#include "fileio/fileio.h"
#include "fileio/files.h"
#include "fileio/ledger.h"
#include "fileio/verify.h"
#include "tests/fileio/faulty.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096
#define FILES 2
#define FILE_BLOCKS 16

struct bench {
    struct job job;
    struct listener listener;
    struct clock clock;
    struct fileio_setup setup;
    struct error error;
    struct result *result; /* of the newest run */
    struct check_report report;
    int removed, left; /* by cleanup */
};

static void on_cleanup_file(void *context, const char *path, enum cleanup_step step)
{
    struct bench *bench = context;
    (void)path;
    bench->removed += step == CLEANUP_REMOVED;
    bench->left += step == CLEANUP_LEFT;
}

/* 2 files of 16 blocks in a directory of their own, made with verify. */
static int bench_make(void **state)
{
    static struct bench bench;
    char dir[PATH_BYTES];
    memset(&bench, 0, sizeof(bench));
    job_init(&bench.job);
    scratch_directory(dir, "scratch_verify");
    scratch_clear_set(dir);
    assert_true(strlen(dir) < sizeof(bench.job.dir));
    memcpy(bench.job.dir, dir, strlen(dir) + 1);
    bench.job.files = FILES;
    bench.job.total_size_bytes = FILES * FILE_BLOCKS * BLOCK;
    bench.job.block_size_bytes = BLOCK;
    bench.job.mode = MODE_RNDRW;
    bench.job.time_ns = 0;
    bench.job.events = 500;
    bench.job.verify = true;
    bench.listener = (struct listener){.context = &bench, .cleanup_file = on_cleanup_file};
    bench.clock = clock_system();
    bench.setup = (struct fileio_setup){
        .job = &bench.job, .listener = &bench.listener, .layer = &faulty_layer, .clock = &bench.clock};
    faulty_reset();
    if (!fileio_prepare(&bench.setup, &bench.error))
        fail_msg("%s", bench.error.text);
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

static void in_dir(const struct bench *bench, const char *name, char path[PATH_BYTES])
{
    struct error error = ERROR_INIT;
    assert_true(path_join(path, bench->job.dir, name, &error));
}

static bool is_there(const struct bench *bench, const char *name)
{
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    enum path_kind kind;
    in_dir(bench, name, path);
    assert_true(path_look(path, &kind, NULL, &error));
    return kind != PATH_ABSENT;
}

/* For free by result_free; NULL where the run did not begin. */
static struct result *run(struct bench *bench)
{
    bench->error = (struct error)ERROR_INIT;
    fileio_run(&bench->setup, &bench->result, &bench->error);
    return bench->result;
}

static void run_well(struct bench *bench)
{
    struct result *result = run(bench);
    if (bench->error.kind != ERR_NONE)
        fail_msg("%s", bench->error.text);
    assert_int_equal(result->verify.wrong, 0);
    result_free(result);
}

static void check(struct bench *bench)
{
    struct error error = ERROR_INIT;
    if (!fileio_check(&bench->setup, &bench->report, &error))
        fail_msg("%s", error.text);
    assert_int_equal(bench->report.blocks, FILES * FILE_BLOCKS);
}

static void assert_all_good(struct bench *bench)
{
    check(bench);
    assert_int_equal(bench->report.counts[VERDICT_GOOD], FILES * FILE_BLOCKS);
    assert_int_equal(bench->report.wrong, 0);
}

static void assert_error(const struct error *error, const char *words)
{
    if (!strstr(error->text, words))
        fail_msg("\"%s\" does not say \"%s\"", error->text, words);
}

static struct file *open_file(const struct bench *bench, uint64_t index)
{
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, true};
    struct file *file = NULL;
    assert_true(files_path(path, &bench->job, index, &error));
    assert_true(file_layer_system.open(&file, path, &policy, &error));
    return file;
}

static void overwrite(const struct bench *bench, uint64_t file, uint64_t offset, const void *bytes, size_t count)
{
    struct file *handle = open_file(bench, file);
    assert_int_equal(file_layer_system.write_at(handle, bytes, count, offset), count);
    file_layer_system.close(handle);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static void a_fresh_set_is_good_and_its_ledger_goes_with_it(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    assert_all_good(bench);
    assert_int_equal(bench->report.acknowledged, FILES * FILE_BLOCKS);
    assert_true(is_there(bench, "test_file.isobench.ledger"));
    assert_true(fileio_cleanup(&bench->setup, &error));
    assert_false(is_there(bench, "test_file.isobench.ledger"));
    assert_false(is_there(bench, "test_file.isobench.json"));
}

static void a_ledger_elsewhere_is_found_and_removed_through_the_manifest(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    char path[PATH_BYTES];
    in_dir(bench, "elsewhere.ledger", path);
    memcpy(bench->job.ledger, path, strlen(path) + 1);
    assert_true(fileio_prepare(&bench->setup, &error)); /* anew: the old one goes */
    assert_false(is_there(bench, "test_file.isobench.ledger"));
    bench->job.ledger[0] = '\0';
    run_well(bench);
    check(bench);
    assert_string_equal(bench->report.ledger, path);
    assert_true(fileio_cleanup(&bench->setup, &error));
    assert_false(is_there(bench, "elsewhere.ledger"));
}

static void a_file_that_is_no_ledger_is_neither_overwritten_nor_removed(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT, ignored = ERROR_INIT;
    char path[PATH_BYTES], *text = NULL;
    in_dir(bench, "precious.txt", path);
    memcpy(bench->job.ledger, path, strlen(path) + 1);
    assert_true(path_write_text(path, "precious", 8, &ignored));
    assert_false(fileio_prepare(&bench->setup, &error));
    assert_error(&error, "precious.txt is there and is not this set's ledger");
    run(bench);
    assert_error(&bench->error, "is not a ledger of isobench's verify");
    fileio_cleanup(&bench->setup, &ignored);
    assert_true(path_read_text(path, 100, &text, NULL, &ignored));
    assert_string_equal(text, "precious");
    free(text);
    path_remove(path, &ignored);
}

static void a_prepare_that_fails_leaves_neither_files_nor_ledger(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    assert_true(fileio_cleanup(&bench->setup, &error));
    faulty.writes_until_fault = 1;
    faulty.write_answer = -os_error_no_space;
    assert_false(fileio_prepare(&bench->setup, &error));
    assert_false(is_there(bench, "test_file.0"));
    assert_false(is_there(bench, "test_file.isobench.ledger"));
    assert_false(is_there(bench, "test_file.isobench.json"));
}

static void reading_without_a_ledger_is_refused(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    assert_true(fileio_cleanup(&bench->setup, &error));
    bench->job.verify = false;
    assert_true(fileio_prepare(&bench->setup, &error));
    bench->job.verify = true;
    assert_null(run(bench));
    assert_error(&bench->error, "prepare --verify");
    assert_false(fileio_check(&bench->setup, &bench->report, &error));
    assert_error(&error, "check needs the ledger");
}

static void a_set_without_a_ledger_gets_one_by_writing_it(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    assert_true(fileio_cleanup(&bench->setup, &error));
    bench->job.verify = false;
    assert_true(fileio_prepare(&bench->setup, &error));
    bench->job.verify = true;
    bench->job.mode = MODE_SEQREWR;
    bench->job.events = 10;
    run_well(bench);
    check(bench);
    assert_int_equal(bench->report.counts[VERDICT_GOOD], 10);
    assert_int_equal(bench->report.counts[VERDICT_UNWRITTEN], FILES * FILE_BLOCKS - 10);
    assert_int_equal(bench->report.acknowledged, 10);
}

/* What was acknowledged went with the old files: it must not be missed in the new ones. */
static void files_that_are_made_anew_owe_nothing_from_before(void **state)
{
    struct bench *bench = *state;
    bench->job.mode = MODE_SEQWR;
    bench->job.events = 4;
    run_well(bench);
    check(bench);
    assert_int_equal(bench->report.counts[VERDICT_GOOD], 4);
    assert_int_equal(bench->report.counts[VERDICT_UNWRITTEN], FILES * FILE_BLOCKS - 4);
    assert_int_equal(bench->report.wrong, 0);
}

static void writing_without_verify_drops_the_ledger_and_says_so(void **state)
{
    struct bench *bench = *state;
    bench->job.verify = false;
    bench->job.mode = MODE_RNDRD;
    run_well(bench);
    assert_true(is_there(bench, "test_file.isobench.ledger")); /* reading does it no harm */
    bench->job.mode = MODE_RNDWR;
    struct result *result = run(bench);
    bool said = false;
    for (size_t i = 0; i < result->warnings_count; ++i)
        said |= strcmp(result->warnings[i].code, "ledger-dropped") == 0;
    result_free(result);
    assert_true(said);
    assert_false(is_there(bench, "test_file.isobench.ledger"));
}

/* ---- the ledger -------------------------------------------------------------------------------------------------- */

static void open_ledger(struct bench *bench, struct ledger *ledger)
{
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    in_dir(bench, "test_file.isobench.ledger", path);
    if (!ledger_open(ledger, &file_layer_system, path, &bench->job, true, &error))
        fail_msg("%s", error.text);
}

static void what_was_acknowledged_is_there_after_it_was_opened_again(void **state)
{
    struct bench *bench = *state;
    struct ledger ledger;
    struct error error = ERROR_INIT;
    uint64_t run = 0, next = 0;
    open_ledger(bench, &ledger);
    uint64_t block = ledger_block(&ledger, 1, 3 * BLOCK), before = ledger_read(&ledger, block);
    assert_int_equal(block, FILE_BLOCKS + 3);
    assert_int_equal(before, generation_of(1, 1)); /* prepare's */
    assert_true(ledger_next_run(&ledger, &run, &error));
    ledger_acknowledge(&ledger, block, generation_of(run, 5));
    ledger_acknowledge(&ledger, block, generation_of(run, 4)); /* late; never back */
    ledger_close(&ledger);
    open_ledger(bench, &ledger);
    assert_int_equal(ledger_read(&ledger, block), generation_of(2, 5));
    assert_int_equal(ledger_read(&ledger, block - 1), before);
    assert_true(ledger_next_run(&ledger, &next, &error));
    assert_int_equal(next, run + 1);
    ledger_close(&ledger);
}

static void expect_refusal(struct bench *bench, const char *words)
{
    struct error error = ERROR_INIT;
    assert_false(fileio_check(&bench->setup, &bench->report, &error));
    assert_error(&error, words);
}

static void a_ledger_of_other_blocks_is_refused_by_name(void **state)
{
    struct bench *bench = *state;
    struct job job = bench->job;
    char path[PATH_BYTES];
    in_dir(bench, "test_file.isobench.ledger", path);
    memcpy(bench->job.ledger, path, strlen(path) + 1);
    bench->job.block_size_bytes = 2 * BLOCK;
    expect_refusal(bench, "--block-size 4096, and this job's is 8192");
    bench->job.block_size_bytes = BLOCK;
    bench->job.total_size_bytes *= 2;
    expect_refusal(bench, "--total-size");
    bench->job.files *= 2;
    expect_refusal(bench, "--files 2, and this job's is 4");
    bench->job = job;
    memcpy(bench->job.ledger, path, strlen(path) + 1);
    memcpy(bench->job.file_name, "other", 6);
    expect_refusal(bench, "--file-name");
    bench->job = job;
}

static void a_ledger_that_was_cut_or_damaged_is_refused(void **state)
{
    struct bench *bench = *state;
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, true};
    struct file *file = NULL;
    in_dir(bench, "test_file.isobench.ledger", path);
    assert_true(file_layer_system.open(&file, path, &policy, &error));
    assert_true(file_layer_system.set_size(file, 4096 + 8, &error));
    expect_refusal(bench, "it was cut");
    assert_int_equal(file_layer_system.write_at(file, "\0", 1, 16), 1); /* a set's number is odd */
    expect_refusal(bench, "is not a ledger");
    file_layer_system.close(file);
    assert_true(fileio_cleanup(&bench->setup, &error));
    assert_true(is_there(bench, "test_file.isobench.ledger")); /* it could be anybody's now */
    assert_int_equal(bench->removed, FILES);
    assert_int_equal(bench->left, 1);
    assert_true(path_remove(path, &error));
}

/* ---- claims and acknowledgements ------------------------------------------------------------------------------------
 */

struct claims {
    struct verify *verify;
    uint8_t buffer[4 * BLOCK];
};

static struct io request(struct claims *claims, enum io_op op, uint64_t first, uint32_t blocks)
{
    return (struct io){.op = op,
                       .file = (uint32_t)(first / FILE_BLOCKS),
                       .offset = first % FILE_BLOCKS * BLOCK,
                       .bytes = blocks * BLOCK,
                       .result = (int64_t)blocks * BLOCK,
                       .buffer = claims->buffer};
}

static void claims_make(struct bench *bench, struct claims *claims)
{
    struct error error = ERROR_INIT;
    if (!verify_make(&claims->verify, &bench->setup, &error))
        fail_msg("%s", error.text);
}

static void a_block_in_flight_cannot_be_claimed(void **state)
{
    struct bench *bench = *state;
    struct claims claims;
    claims_make(bench, &claims);
    struct io three = request(&claims, IO_WRITE, 4, 3), last = request(&claims, IO_WRITE, 6, 1);
    struct io before = request(&claims, IO_READ, 2, 2), across = request(&claims, IO_READ, 3, 2);
    struct io elsewhere = request(&claims, IO_WRITE, FILE_BLOCKS + 4, 1);
    assert_true(verify_claim(claims.verify, &three));
    assert_false(verify_claim(claims.verify, &last));
    assert_false(verify_claim(claims.verify, &across));
    assert_true(verify_claim(claims.verify, &before)); /* so the refused one left nothing behind */
    assert_true(verify_claim(claims.verify, &elsewhere));
    verify_seal(claims.verify, &three, 0);
    verify_ended(claims.verify, &three);
    assert_true(verify_claim(claims.verify, &last));
    verify_free(claims.verify);
}

static void write_one(struct claims *claims, uint64_t block, bool good)
{
    struct io io = request(claims, IO_WRITE, block, 1);
    assert_true(verify_claim(claims->verify, &io));
    verify_seal(claims->verify, &io, 0);
    io.result = good ? BLOCK : -1;
    verify_ended(claims->verify, &io);
}

static uint64_t acknowledged(struct bench *bench, uint64_t block)
{
    struct ledger ledger;
    open_ledger(bench, &ledger);
    uint64_t generation = ledger_read(&ledger, block);
    ledger_close(&ledger);
    return generation;
}

static void a_sync_acknowledges_what_had_ended_before_it_began(void **state)
{
    struct bench *bench = *state;
    struct claims claims;
    struct verify_sync sync;
    claims_make(bench, &claims);
    write_one(&claims, 1, true);
    write_one(&claims, 1, true);
    write_one(&claims, FILE_BLOCKS + 1, true);
    verify_sync_begins(claims.verify, 0, &sync);
    write_one(&claims, 1, true);
    write_one(&claims, 2, true);
    assert_int_equal(acknowledged(bench, 1), generation_of(1, 1)); /* not yet */
    verify_sync_ended(claims.verify, &sync, true);
    assert_int_equal(acknowledged(bench, 1), generation_of(2, 2));
    assert_int_equal(acknowledged(bench, 2), generation_of(1, 1));
    assert_int_equal(acknowledged(bench, FILE_BLOCKS + 1), generation_of(1, 1)); /* the other file */
    verify_sync_begins(claims.verify, 0, &sync);
    verify_sync_ended(claims.verify, &sync, true);
    assert_int_equal(acknowledged(bench, 1), generation_of(2, 3));
    assert_int_equal(acknowledged(bench, 2), generation_of(2, 1));
    verify_free(claims.verify);
}

/* After a sync that failed the system may have dropped the pages: the next one succeeds and says nothing of them. */
static void what_a_failed_sync_was_for_is_never_acknowledged(void **state)
{
    struct bench *bench = *state;
    struct claims claims;
    struct verify_sync sync;
    claims_make(bench, &claims);
    write_one(&claims, 1, true);
    verify_sync_begins(claims.verify, 0, &sync);
    verify_sync_ended(claims.verify, &sync, false);
    verify_sync_begins(claims.verify, 0, &sync);
    verify_sync_ended(claims.verify, &sync, true);
    assert_int_equal(acknowledged(bench, 1), generation_of(1, 1));
    verify_free(claims.verify);
}

static void a_failed_write_is_not_acknowledged_nor_held_against_a_read(void **state)
{
    struct bench *bench = *state;
    struct claims claims;
    struct verify_sync sync;
    struct verification report = {0};
    claims_make(bench, &claims);
    write_one(&claims, 1, true);
    write_one(&claims, 1, false);
    verify_sync_begins(claims.verify, 0, &sync);
    verify_sync_ended(claims.verify, &sync, true);
    assert_int_equal(acknowledged(bench, 1), generation_of(1, 1));
    struct io io = request(&claims, IO_READ, 1, 1); /* the buffer has what failed: it may have come through */
    assert_true(verify_claim(claims.verify, &io));
    verify_ended(claims.verify, &io);
    verify_report(claims.verify, &report);
    assert_int_equal(report.checked, 1);
    assert_int_equal(report.wrong, 0);
    write_one(&claims, 1, true);
    verify_sync_begins(claims.verify, 0, &sync);
    verify_sync_ended(claims.verify, &sync, true);
    assert_int_equal(acknowledged(bench, 1), generation_of(2, 3)); /* above the one that failed */
    verify_free(claims.verify);
}

static void write_through_is_acknowledged_at_once(void **state)
{
    struct bench *bench = *state;
    struct claims claims;
    bench->job.through = WRITE_THROUGH_DATA;
    claims_make(bench, &claims);
    write_one(&claims, 1, true);
    assert_int_equal(acknowledged(bench, 1), generation_of(2, 1));
    verify_free(claims.verify);
}

/* ---- runs ----------------------------------------------------------------------------------------------------------
 */

static void runs_that_mix_threads_engines_and_syncs_find_nothing_wrong(void **state)
{
    static const struct {
        const char *engine;
        uint64_t threads, depth, sync_every;
        bool sync_each_write;
    } rows[] = {{"sync", 1, 1, 0, false},
                {"sync", 3, 1, 7, false},
                {"uv", 2, 4, 7, false},
                {"mmap", 2, 1, 7, false},
                {"uv", 2, 4, 0, true}};
    struct bench *bench = *state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        snprintf(bench->job.engine, sizeof(bench->job.engine), "%s", rows[i].engine);
        bench->job.threads = rows[i].threads;
        bench->job.depth = rows[i].depth;
        bench->job.sync_every = rows[i].sync_every;
        bench->job.sync_each_write = rows[i].sync_each_write;
        run_well(bench);
        assert_all_good(bench); /* synced at the end, or after each write */
    }
}

/* More requests at once than there are blocks: they draw again, wait, and all come through. */
static void a_crowd_on_few_blocks_waits_its_turn(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    assert_true(fileio_cleanup(&bench->setup, &error));
    bench->job.files = 1;
    bench->job.total_size_bytes = 3 * BLOCK;
    assert_true(fileio_prepare(&bench->setup, &error));
    snprintf(bench->job.engine, sizeof(bench->job.engine), "uv");
    bench->job.threads = 3;
    bench->job.depth = 4;
    struct result *result = run(bench);
    assert_string_equal(bench->error.text, "");
    assert_int_equal(result->total.events, 500);
    assert_true(result->verify.checked > 0);
    result_free(result);
    bench->job.mode = MODE_SEQREWR;
    bench->job.merge_blocks = 2;
    run_well(bench);
    assert_true(fileio_check(&bench->setup, &bench->report, &error));
    assert_int_equal(bench->report.counts[VERDICT_GOOD], 3);
}

static void merged_reads_are_checked_block_by_block(void **state)
{
    struct bench *bench = *state;
    uint8_t garbage[1] = {0};
    overwrite(bench, 1, 5 * BLOCK + 100, garbage, 1);
    bench->job.mode = MODE_SEQRD;
    bench->job.merge_blocks = 4;
    bench->job.events = 0;
    bench->job.passes = 1;
    struct result *result = run(bench);
    assert_int_equal(result->verify.checked, FILES * FILE_BLOCKS);
    assert_int_equal(result->verify.wrong, 1);
    assert_string_equal(result->verify.findings[0].verdict, "torn");
    assert_int_equal(result->verify.findings[0].offset, 5 * BLOCK);
    assert_non_null(strstr(result->verify.findings[0].file, "test_file.1"));
    assert_error(&bench->error, "1 of 32 blocks read back wrong");
    assert_error(&bench->error, "test_file.1, offset 20480");
    result_free(result);
}

/* A run over and over the same blocks reads each soon after it was written. */
static void a_device_that_lies_is_caught_by_the_run(void **state)
{
    struct bench *bench = *state;
    for (int trick = TRICK_DROP; trick <= TRICK_TEAR; ++trick) {
        faulty_reset();
        faulty.trick = (enum faulty_trick)trick;
        faulty.writes_until_trick = 40;
        bench->job.seed = 1; /* which reads the block before it is written again */
        bench->job.read_percent = 90;
        bench->job.events = 3000;
        struct result *result = run(bench);
        assert_non_null(result);
        if (result->verify.wrong == 0)
            fail_msg("trick %d was not seen in %d reads", trick, (int)result->verify.checked);
        assert_int_equal(bench->error.kind, ERR_DATA);
        result_free(result);
    }
}

static void rewrite_once(struct bench *bench, enum faulty_trick trick)
{
    bench->job.mode = MODE_SEQREWR;
    bench->job.events = 0;
    bench->job.passes = 1;
    faulty.trick = trick;
    faulty.writes_until_trick = 5;
    run_well(bench); /* it reads nothing, so it sees nothing */
    check(bench);
}

static void a_write_that_never_came_is_stale(void **state)
{
    struct bench *bench = *state;
    rewrite_once(bench, TRICK_DROP);
    assert_int_equal(bench->report.wrong, 1);
    assert_int_equal(bench->report.counts[VERDICT_STALE], 1);
    assert_int_equal(bench->report.findings[0].offset, 5 * BLOCK);
    assert_string_equal(bench->report.findings[0].expected, "generation 2.1 or newer");
}

static void a_write_to_the_wrong_place_is_seen_at_both(void **state)
{
    struct bench *bench = *state;
    rewrite_once(bench, TRICK_MISDIRECT);
    assert_int_equal(bench->report.wrong, 2);
    assert_int_equal(bench->report.counts[VERDICT_STALE], 1);
    assert_int_equal(bench->report.counts[VERDICT_MISPLACED], 1);
    assert_int_equal(bench->report.findings[0].offset, 4 * BLOCK);
    assert_non_null(strstr(bench->report.findings[0].found, "offset 20480"));
}

static void half_a_write_is_torn(void **state)
{
    struct bench *bench = *state;
    rewrite_once(bench, TRICK_TEAR);
    assert_int_equal(bench->report.wrong, 1);
    assert_int_equal(bench->report.counts[VERDICT_TORN], 1);
    assert_non_null(strstr(bench->report.findings[0].found, "from byte 2048 on of generation 1.1"));
}

static void a_run_without_syncs_promises_nothing(void **state)
{
    struct bench *bench = *state;
    bench->job.mode = MODE_SEQREWR;
    bench->job.events = 0;
    bench->job.passes = 1;
    bench->job.sync_at_end = false;
    run_well(bench);
    check(bench);
    assert_int_equal(bench->report.counts[VERDICT_NEWER], FILES * FILE_BLOCKS);
    assert_int_equal(bench->report.wrong, 0);
}

/* ---- check ----------------------------------------------------------------------------------------------------------
 */

static void a_file_that_was_cut_or_is_gone_is_lost_from_there_on(void **state)
{
    struct bench *bench = *state;
    struct error error = ERROR_INIT;
    char path[PATH_BYTES];
    struct file *file = open_file(bench, 0);
    assert_true(file_layer_system.set_size(file, 10 * BLOCK, &error));
    file_layer_system.close(file);
    check(bench);
    assert_int_equal(bench->report.counts[VERDICT_LOST], FILE_BLOCKS - 10);
    assert_int_equal(bench->report.findings[0].offset, 10 * BLOCK);
    assert_string_equal(bench->report.findings[0].found, "the file ends before it");
    assert_true(files_path(path, &bench->job, 1, &error));
    assert_true(path_remove(path, &error));
    check(bench);
    assert_int_equal(bench->report.counts[VERDICT_LOST], 2 * FILE_BLOCKS - 10);
    assert_int_equal(bench->report.findings_count, VERIFY_FINDINGS_MAX);
}

static void a_block_that_cannot_be_read_is_named_and_the_rest_checked(void **state)
{
    struct bench *bench = *state;
    faulty.bad_offset = 6 * BLOCK + 1;
    faulty.read_answer = -os_error_invalid;
    check(bench);
    assert_int_equal(bench->report.counts[VERDICT_GOOD], FILES * (FILE_BLOCKS - 1));
    assert_int_equal(bench->report.counts[VERDICT_UNREADABLE], FILES);
    assert_int_equal(bench->report.wrong, FILES);
    assert_int_equal(bench->report.findings[1].offset, 6 * BLOCK);
    assert_non_null(strstr(bench->report.findings[1].file, "test_file.1"));
}

static void check_as_json_names_each_finding(void **state)
{
    struct bench *bench = *state;
    overwrite(bench, 1, 7 * BLOCK, "x", 1);
    check(bench);
    char *text = check_to_json(&bench->report);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"wrong\": 1"));
    assert_non_null(strstr(text, "\"alien\": 1"));
    assert_non_null(strstr(text, "\"offset\": 28672"));
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_make, bench_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_fresh_set_is_good_and_its_ledger_goes_with_it),
        TEST(a_ledger_elsewhere_is_found_and_removed_through_the_manifest),
        TEST(a_file_that_is_no_ledger_is_neither_overwritten_nor_removed),
        TEST(a_prepare_that_fails_leaves_neither_files_nor_ledger),
        TEST(reading_without_a_ledger_is_refused),
        TEST(a_set_without_a_ledger_gets_one_by_writing_it),
        TEST(files_that_are_made_anew_owe_nothing_from_before),
        TEST(writing_without_verify_drops_the_ledger_and_says_so),
        TEST(what_was_acknowledged_is_there_after_it_was_opened_again),
        TEST(a_ledger_of_other_blocks_is_refused_by_name),
        TEST(a_ledger_that_was_cut_or_damaged_is_refused),
        TEST(a_block_in_flight_cannot_be_claimed),
        TEST(a_sync_acknowledges_what_had_ended_before_it_began),
        TEST(what_a_failed_sync_was_for_is_never_acknowledged),
        TEST(a_failed_write_is_not_acknowledged_nor_held_against_a_read),
        TEST(write_through_is_acknowledged_at_once),
        TEST(runs_that_mix_threads_engines_and_syncs_find_nothing_wrong),
        TEST(a_crowd_on_few_blocks_waits_its_turn),
        TEST(merged_reads_are_checked_block_by_block),
        TEST(a_device_that_lies_is_caught_by_the_run),
        TEST(a_write_that_never_came_is_stale),
        TEST(a_write_to_the_wrong_place_is_seen_at_both),
        TEST(half_a_write_is_torn),
        TEST(a_run_without_syncs_promises_nothing),
        TEST(a_file_that_was_cut_or_is_gone_is_lost_from_there_on),
        TEST(a_block_that_cannot_be_read_is_named_and_the_rest_checked),
        TEST(check_as_json_names_each_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
