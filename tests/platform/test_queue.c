#include "platform/clock.h"
#include "platform/compiler.h"
#include "platform/memory.h"
#include "platform/queue.h"
#include "platform/thread.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096U
#define BLOCKS 24U
#define DEPTH_MAX 8U

static const struct file_layer *const layer = &file_layer_system;

/* ---- one engine on two files, with all that it takes ---- */

struct rig {
    const struct queue_engine *engine;
    struct queue *queue;
    uint32_t depth;
    char paths[2][PATH_BYTES];
    struct file *files[2];
    uint8_t *buffers; /* one block per IO in flight, and one more */
    struct io ios[DEPTH_MAX];
};

static bool open_files(struct rig *rig, enum file_cache cache)
{
    static const char *const names[] = {"queue.0", "queue.1"};
    const struct file_policy policy = {.cache = cache, .presence = FILE_EMPTIED, .writable = true};
    char directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    scratch_directory(directory, "scratch_queue");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_true(path_join(rig->paths[i], directory, names[i], &error));
        if (!layer->open(&rig->files[i], rig->paths[i], &policy, &error)) {
            print_message("not tried: %s\n", error.text);
            assert_int_equal(error.kind, ERR_UNSUPPORTED);
            return false;
        }
        assert_true(layer->set_size(rig->files[i], BLOCKS * BLOCK, &error));
    }
    return true;
}

static struct queue_options options_of(struct rig *rig)
{
    return (struct queue_options){.depth = rig->depth,
                                  .layer = layer,
                                  .files = rig->files,
                                  .file_count = COUNT_OF(rig->files),
                                  .file_bytes = BLOCKS * BLOCK,
                                  .buffers = rig->buffers,
                                  .buffers_bytes = (rig->depth + 1) * BLOCK};
}

static void close_rig(struct rig *rig)
{
    struct error error = ERROR_INIT;
    rig->engine->free(rig->queue);
    for (size_t i = 0; i < COUNT_OF(rig->files); i++) {
        layer->close(rig->files[i]);
        assert_true(path_remove(rig->paths[i], &error));
    }
    memory_aligned_free(rig->buffers);
}

static bool open_rig(struct rig *rig, const struct queue_engine *engine, uint32_t depth, enum file_cache cache)
{
    struct error error = ERROR_INIT;
    *rig = (struct rig){.engine = engine, .depth = depth};
    rig->buffers = memory_aligned_make((depth + 1) * BLOCK, BLOCK);
    assert_non_null(rig->buffers);
    if (!open_files(rig, cache)) {
        close_rig(rig);
        return false;
    }
    struct queue_options options = options_of(rig);
    if (!engine->make(&rig->queue, &options, &error))
        fail_msg("%s", error.text);
    for (uint32_t i = 0; i < depth; i++)
        rig->ios[i] = (struct io){.buffer = rig->buffers + (size_t)i * BLOCK, .bytes = BLOCK};
    return true;
}

static void submit_one(struct rig *rig, struct io *io)
{
    struct error error = ERROR_INIT;
    io->result = INT64_MIN;
    assert_true(rig->engine->submit(rig->queue, &io, 1, &error));
}

static struct io *reap_one(struct rig *rig)
{
    struct io *done = NULL;
    struct error error = ERROR_INIT;
    assert_int_equal(rig->engine->reap(rig->queue, &done, 1, UINT64_MAX, &error), 1);
    assert_non_null(done);
    return done;
}

static int64_t do_one(struct rig *rig, struct io io)
{
    submit_one(rig, &io);
    assert_ptr_equal(reap_one(rig), &io);
    return io.result;
}

/* Every usable engine at each of its depths, on files with and without the OS cache. */
typedef void (*rig_test)(struct rig *rig, enum file_cache cache);

static void for_every_engine(rig_test test)
{
    static const uint32_t depths[] = {1, DEPTH_MAX};
    static const enum file_cache caches[] = {CACHE_ON, CACHE_OFF};
    for (size_t e = 0; queue_engines[e] != NULL; e++) {
        const struct queue_engine *engine = queue_engines[e];
        struct error error = ERROR_INIT;
        if (!engine->usable(&error)) {
            print_message("not tried: %s\n", error.text);
            continue;
        }
        for (size_t d = 0; d < COUNT_OF(depths) && depths[d] <= engine->depth_max; d++) {
            for (size_t c = 0; c < COUNT_OF(caches); c++) {
                struct rig rig;
                if (!open_rig(&rig, engine, depths[d], caches[c]))
                    continue;
                test(&rig, caches[c]);
                close_rig(&rig);
            }
        }
    }
}

/* ---- data ---- */

static void fill_block(uint8_t *block, uint32_t file, uint32_t index)
{
    uint32_t seed = file * 1000U + index;
    for (size_t i = 0; i < BLOCK; i++) {
        seed = seed * 1664525U + 1013904223U;
        block[i] = (uint8_t)(seed >> 24);
    }
}

/* due_ns is the test's own: it counts how often an IO was given back. */
static void check_block(struct io *io)
{
    uint8_t expected[BLOCK];
    assert_int_equal(++io->due_ns, 1);
    assert_int_equal(io->result, BLOCK);
    if (io->op == IO_READ) {
        fill_block(expected, io->file, (uint32_t)(io->offset / BLOCK));
        assert_memory_equal(io->buffer, expected, BLOCK);
    }
}

/* The n-th of all blocks; n jumps about in the two files. */
static void aim(struct io *io, enum io_op op, uint32_t n)
{
    uint32_t place = n * 7 % BLOCKS;
    io->op = op;
    io->due_ns = 0;
    io->file = n < BLOCKS ? 0 : 1;
    io->offset = (uint64_t)place * BLOCK;
    if (op == IO_WRITE)
        fill_block(io->buffer, io->file, place);
    else
        memset(io->buffer, 0xEE, BLOCK);
}

/* All blocks of both files once, with as many in flight as the queue takes, submitted in bunches. */
static void do_all_blocks(struct rig *rig, enum io_op op)
{
    struct io *free_ios[DEPTH_MAX], *done[DEPTH_MAX];
    struct error error = ERROR_INIT;
    uint32_t free_count = rig->depth, submitted = 0, ended = 0;
    for (uint32_t i = 0; i < rig->depth; i++)
        free_ios[i] = &rig->ios[i];
    while (ended < 2 * BLOCKS) {
        uint32_t n = free_count < 2 * BLOCKS - submitted ? free_count : 2 * BLOCKS - submitted;
        for (uint32_t i = 0; i < n; i++)
            aim(free_ios[i], op, submitted + i);
        assert_true(rig->engine->submit(rig->queue, free_ios, n, &error));
        submitted += n;
        free_count -= n;
        int32_t reaped = rig->engine->reap(rig->queue, done, rig->depth, UINT64_MAX, &error);
        assert_in_range(reaped, 1, rig->depth);
        for (int32_t i = 0; i < reaped; i++) {
            check_block(done[i]);
            free_ios[free_count++] = done[i];
        }
        ended += (uint32_t)reaped;
    }
    assert_int_equal(free_count, rig->depth);
}

static void write_and_read_back(struct rig *rig, enum file_cache cache)
{
    (void)cache;
    do_all_blocks(rig, IO_WRITE);
    assert_int_equal(rig->engine->sync(rig->queue, 0, true), 0);
    assert_int_equal(rig->engine->sync(rig->queue, 1, false), 0);
    do_all_blocks(rig, IO_READ);
}

static void blocks_come_back_as_they_were_written(void **state)
{
    (void)state;
    for_every_engine(write_and_read_back);
}

static void read_at_the_end(struct rig *rig, enum file_cache cache)
{
    struct io io = {.buffer = rig->buffers, .bytes = 2 * BLOCK, .op = IO_READ, .file = 1};
    (void)cache;
    io.offset = (BLOCKS - 1) * BLOCK;
    assert_int_equal(do_one(rig, io), BLOCK);
    io.offset = BLOCKS * BLOCK;
    assert_int_equal(do_one(rig, io), 0);
    io.offset = UINT64_C(1) << 40;
    assert_int_equal(do_one(rig, io), 0);
}

static void reading_past_the_end_is_short(void **state)
{
    (void)state;
    for_every_engine(read_at_the_end);
}

static void do_misaligned(struct rig *rig, enum file_cache cache)
{
    static const struct {
        uint32_t buffer, bytes, offset;
    } off_by[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {256, 256, 256}};
    if (cache == CACHE_ON || strcmp(rig->engine->name, "mmap") == 0)
        return; /* a map is the cache */
    for (size_t i = 0; i < COUNT_OF(off_by); i++) {
        for (int write = 0; write < 2; write++) {
            struct io io = {.buffer = rig->buffers + off_by[i].buffer,
                            .bytes = BLOCK - off_by[i].bytes,
                            .offset = off_by[i].offset,
                            .op = write ? IO_WRITE : IO_READ};
            assert_int_equal(do_one(rig, io), -(int64_t)os_error_invalid);
        }
    }
    struct io right = {.buffer = rig->buffers, .bytes = BLOCK, .op = IO_READ};
    assert_int_equal(do_one(rig, right), BLOCK);
}

static void without_the_cache_misaligned_io_is_refused(void **state)
{
    (void)state;
    for_every_engine(do_misaligned);
}

/* Half of them wrong: none of the others may be lost over it. */
static void mix_misaligned(struct rig *rig, enum file_cache cache)
{
    struct io *ios[DEPTH_MAX], *done[DEPTH_MAX];
    struct error error = ERROR_INIT;
    bool checked = cache == CACHE_OFF && strcmp(rig->engine->name, "mmap") != 0;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < rig->depth; i++) {
            rig->ios[i].op = IO_READ;
            rig->ios[i].offset = i % 2 == 0 ? 1 : 0;
            rig->ios[i].due_ns = 0;
            ios[i] = &rig->ios[i];
        }
        assert_true(rig->engine->submit(rig->queue, ios, rig->depth, &error));
        for (uint32_t ended = 0; ended < rig->depth;) {
            int32_t n = rig->engine->reap(rig->queue, done, 3, UINT64_MAX, &error);
            assert_in_range(n, 1, 3);
            for (int32_t i = 0; i < n; i++) {
                bool wrong = checked && done[i]->offset == 1;
                assert_int_equal(done[i]->result, wrong ? -(int64_t)os_error_invalid : (int64_t)BLOCK);
                assert_int_equal(++done[i]->due_ns, 1); /* each comes back once */
            }
            ended += (uint32_t)n;
        }
    }
}

static void refused_io_leaves_the_others_alone(void **state)
{
    (void)state;
    for_every_engine(mix_misaligned);
}

/* ---- waiting ---- */

static void reap_nothing(struct rig *rig, enum file_cache cache)
{
    static const uint64_t waits_ns[] = {0, 1, UINT64_MAX};
    struct io *done;
    struct error error = ERROR_INIT;
    (void)cache;
    for (size_t i = 0; i < COUNT_OF(waits_ns); i++) {
        assert_int_equal(rig->engine->reap(rig->queue, &done, 1, waits_ns[i], &error), 0);
        assert_true(rig->engine->submit(rig->queue, NULL, 0, &error));
    }
    submit_one(rig, &rig->ios[0]);
    assert_int_equal(rig->engine->reap(rig->queue, &done, 0, UINT64_MAX, &error), 0);
    assert_ptr_equal(reap_one(rig), &rig->ios[0]);
    assert_int_equal(rig->engine->reap(rig->queue, &done, 1, UINT64_MAX, &error), 0);
}

static void with_nothing_in_flight_nobody_waits(void **state)
{
    (void)state;
    for_every_engine(reap_nothing);
}

/* Looking again and again, and waiting a little each time, get there too. */
static void poll_one(struct rig *rig, enum file_cache cache)
{
    static const uint64_t waits_ns[] = {0, 1, 2 * NS_PER_MS};
    (void)cache;
    for (size_t i = 0; i < COUNT_OF(waits_ns); i++) {
        struct io *done = NULL;
        struct error error = ERROR_INIT;
        int32_t n = 0;
        submit_one(rig, &rig->ios[0]);
        while (n == 0)
            n = rig->engine->reap(rig->queue, &done, 1, waits_ns[i], &error);
        assert_int_equal(n, 1);
        assert_ptr_equal(done, &rig->ios[0]);
        assert_int_equal(done->result, BLOCK);
    }
}

static void reaping_without_waiting_ends_too(void **state)
{
    (void)state;
    for_every_engine(poll_one);
}

static void free_in_flight(struct rig *rig, enum file_cache cache)
{
    uint8_t expected[BLOCK];
    struct error error = ERROR_INIT;
    (void)cache;
    for (uint32_t i = 0; i < rig->depth; i++) {
        aim(&rig->ios[i], IO_WRITE, i);
        submit_one(rig, &rig->ios[i]);
    }
    rig->engine->free(rig->queue);
    struct queue_options options = options_of(rig);
    rig->queue = NULL;
    for (uint32_t i = 0; i < rig->depth; i++) {
        fill_block(expected, 0, i * 7 % BLOCKS);
        assert_int_equal(layer->read_at(rig->files[0], rig->buffers, BLOCK, i * 7 % BLOCKS * BLOCK), BLOCK);
        assert_memory_equal(rig->buffers, expected, BLOCK);
    }
    if (rig->engine->shares_files)
        assert_true(rig->engine->make(&rig->queue, &options, &error));
}

static void freeing_waits_for_what_is_in_flight(void **state)
{
    (void)state;
    for_every_engine(free_in_flight);
    for (size_t i = 0; queue_engines[i] != NULL; i++)
        queue_engines[i]->free(NULL);
}

static void share_files(struct rig *rig, enum file_cache cache)
{
    struct queue *first = rig->queue, *second;
    struct queue_options options = options_of(rig);
    struct error error = ERROR_INIT;
    (void)cache;
    if (!rig->engine->shares_files)
        return;
    assert_true(rig->engine->make(&second, &options, &error));
    struct io io = {.buffer = rig->buffers, .bytes = BLOCK, .op = IO_WRITE};
    fill_block(rig->buffers, 0, 5);
    assert_int_equal(do_one(rig, io), BLOCK);
    rig->queue = second;
    memset(rig->buffers, 0, BLOCK);
    io.op = IO_READ;
    assert_int_equal(do_one(rig, io), BLOCK);
    fill_block(rig->buffers + BLOCK, 0, 5);
    assert_memory_equal(rig->buffers, rig->buffers + BLOCK, BLOCK);
    rig->queue = first;
    rig->engine->free(second);
}

static void queues_may_share_files_where_the_engine_says_so(void **state)
{
    (void)state;
    for_every_engine(share_files);
}

static void transfer_at_once(struct rig *rig, enum file_cache cache)
{
    struct io io = {.buffer = rig->buffers, .bytes = BLOCK, .op = IO_WRITE, .file = 1};
    (void)cache;
    if (rig->engine->depth_max > 1) {
        assert_null(rig->engine->transfer);
        return;
    }
    fill_block(rig->buffers, 1, 0);
    assert_int_equal(rig->engine->transfer(rig->queue, &io), BLOCK);
    memset(rig->buffers, 0, BLOCK);
    io.op = IO_READ;
    assert_int_equal(rig->engine->transfer(rig->queue, &io), BLOCK);
    io.result = BLOCK;
    check_block(&io);
}

static void engines_of_depth_1_transfer_at_once(void **state)
{
    (void)state;
    for_every_engine(transfer_at_once);
}

/* ---- a slow file ---- */

/* A file whose reads wait at a gate. */
struct file {
    struct gate *gate;
};

static int64_t read_slowly(struct file *file, void *buffer, size_t bytes, uint64_t offset)
{
    (void)offset;
    gate_wait(file->gate);
    memset(buffer, 's', bytes);
    return (int64_t)bytes;
}

static const struct file_layer slow_layer = {.name = "slow", .read_at = read_slowly};

static void a_wait_is_no_longer_than_asked(void **state)
{
    struct clock clock = clock_system();
    struct file file = {gate_make()}, *files[] = {&file};
    uint8_t buffer[4] = "";
    struct io io = {.buffer = buffer, .bytes = 4, .op = IO_READ}, *submitted = &io, *done = NULL;
    struct queue *queue;
    struct error error = ERROR_INIT;
    const struct queue_engine *engine = &queue_engine_uv;
    const struct queue_options options = {
        .depth = 2, .layer = &slow_layer, .files = files, .file_count = 1, .buffers = buffer, .buffers_bytes = 4};
    (void)state;
    assert_true(engine->make(&queue, &options, &error));
    assert_true(engine->submit(queue, &submitted, 1, &error));
    assert_int_equal(engine->reap(queue, &done, 1, 0, &error), 0);
    for (uint64_t wait_ns = 1; wait_ns < 40 * NS_PER_MS; wait_ns *= 20) {
        uint64_t start_ns = clock_now_ns(&clock);
        assert_int_equal(engine->reap(queue, &done, 1, wait_ns, &error), 0);
        assert_true(clock_now_ns(&clock) - start_ns + NS_PER_MS >= wait_ns);
    }
    gate_open(file.gate);
    assert_int_equal(engine->reap(queue, &done, 1, UINT64_MAX, &error), 1);
    assert_ptr_equal(done, &io);
    assert_memory_equal(buffer, "ssss", 4);
    engine->free(queue);
    gate_free(file.gate);
}

/* ---- making and picking ---- */

static void a_map_of_a_file_that_is_too_short_is_not_made(void **state)
{
    struct rig rig;
    struct error error = ERROR_INIT, other = ERROR_INIT;
    struct queue *queue;
    (void)state;
    assert_true(open_rig(&rig, &queue_engine_mmap, 1, CACHE_ON));
    struct queue_options options = options_of(&rig);
    options.file_bytes++;
    assert_false(queue_engine_mmap.make(&queue, &options, &error));
    assert_int_equal(error.kind, ERR_DATA);
    assert_non_null(strstr(error.text, "98305"));
    options.file_bytes = 0;
    assert_false(queue_engine_mmap.make(&queue, &options, &other));
    assert_int_equal(other.kind, ERR_USAGE);
    close_rig(&rig);
}

static void a_map_cannot_be_written_past_its_end(void **state)
{
    struct rig rig;
    (void)state;
    assert_true(open_rig(&rig, &queue_engine_mmap, 1, CACHE_ON));
    struct io io = {.buffer = rig.buffers, .bytes = 2 * BLOCK, .offset = (BLOCKS - 1) * BLOCK, .op = IO_WRITE};
    assert_int_equal(do_one(&rig, io), BLOCK);
    io.offset = BLOCKS * BLOCK;
    assert_int_equal(do_one(&rig, io), 0);
    close_rig(&rig);
}

static void an_engine_makes_no_queue_deeper_than_it_can(void **state)
{
    (void)state;
    for (size_t e = 0; queue_engines[e] != NULL; e++) {
        const struct queue_engine *engine = queue_engines[e];
        const uint32_t wrong[] = {0, engine->depth_max + 1};
        for (size_t i = 0; i < COUNT_OF(wrong); i++) {
            struct queue *queue;
            struct error error = ERROR_INIT;
            const struct queue_options options = {.depth = wrong[i], .layer = layer, .file_bytes = 1};
            assert_false(engine->make(&queue, &options, &error));
            assert_true(error.kind == ERR_USAGE || error.kind == ERR_UNSUPPORTED);
            assert_non_null(strstr(error.text, engine->name));
        }
    }
}

static bool is_usable(const struct queue_engine *engine)
{
    struct error error = ERROR_INIT;
    return engine->usable(&error);
}

static void auto_picks_sync_at_depth_1_and_the_best_above(void **state)
{
    struct error error = ERROR_INIT;
    size_t best = 0;
    (void)state;
    assert_ptr_equal(queue_engine_pick("auto", 1, layer, &error), &queue_engine_sync);
    while (queue_engines[best]->depth_max < 2 || !is_usable(queue_engines[best]))
        best++;
    assert_ptr_equal(queue_engine_pick("auto", 2, layer, &error), queue_engines[best]);
    assert_ptr_equal(queue_engine_pick("auto", 1, &slow_layer, &error), &queue_engine_sync);
    assert_ptr_equal(queue_engine_pick("auto", 2, &slow_layer, &error), &queue_engine_uv);
    assert_int_equal(error.kind, ERR_NONE); /* not what engines said that were passed over */
    assert_null(queue_engine_pick("auto", UINT32_MAX, layer, &error));
    assert_non_null(strstr(error.text, "4294967295"));
}

static void an_engine_is_picked_by_its_name_or_says_why_not(void **state)
{
    (void)state;
    for (size_t i = 0; queue_engines[i] != NULL; i++) {
        struct error error = ERROR_INIT;
        const struct queue_engine *picked = queue_engine_pick(queue_engines[i]->name, 1, layer, &error);
        if (is_usable(queue_engines[i])) {
            assert_ptr_equal(picked, queue_engines[i]);
        } else {
            assert_null(picked);
            assert_non_null(strstr(error.text, queue_engines[i]->name));
        }
    }
}

static void an_unknown_engine_is_answered_with_those_there_are(void **state)
{
    struct error error = ERROR_INIT;
    (void)state;
    assert_null(queue_engine_pick("warp", 1, layer, &error));
    assert_int_equal(error.kind, ERR_USAGE);
    assert_non_null(strstr(error.text, "'warp'"));
    assert_non_null(strstr(error.text, "auto"));
    for (size_t i = 0; queue_engines[i] != NULL; i++)
        assert_non_null(strstr(error.text, queue_engines[i]->name));
}

static bool is_listed(const char *name)
{
    for (size_t i = 0; queue_engines[i] != NULL; i++) {
        if (strcmp(queue_engines[i]->name, name) == 0)
            return true;
    }
    return false;
}

static void an_engine_of_another_system_is_said_to_be_there(void **state)
{
    static const char *const engines[][2] = {{"iocp", "on Windows only"}, {"uring", "on Linux only"}};
    size_t elsewhere = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(engines); i++) {
        struct error error = ERROR_INIT;
        if (is_listed(engines[i][0]))
            continue;
        elsewhere++;
        assert_null(queue_engine_pick(engines[i][0], 8, layer, &error));
        assert_int_equal(error.kind, ERR_UNSUPPORTED);
        assert_non_null(strstr(error.text, engines[i][1]));
        assert_non_null(strstr(error.text, "sync"));
    }
    assert_int_equal(elsewhere, 1);
}

static void a_depth_that_an_engine_cannot_hold_is_refused(void **state)
{
    struct error error = ERROR_INIT;
    (void)state;
    assert_null(queue_engine_pick("sync", 2, layer, &error));
    assert_int_equal(error.kind, ERR_USAGE);
    assert_non_null(strstr(error.text, "'sync'"));
    assert_non_null(strstr(error.text, "depth 2"));
}

static void an_engine_below_the_layer_refuses_another_layer(void **state)
{
    (void)state;
    for (size_t i = 0; queue_engines[i] != NULL; i++) {
        struct error error = ERROR_INIT;
        if (!queue_engines[i]->needs_system_files)
            continue;
        assert_null(queue_engine_pick(queue_engines[i]->name, 1, &slow_layer, &error));
        assert_int_equal(error.kind, ERR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "slow"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_back_as_they_were_written),
        cmocka_unit_test(reading_past_the_end_is_short),
        cmocka_unit_test(without_the_cache_misaligned_io_is_refused),
        cmocka_unit_test(refused_io_leaves_the_others_alone),
        cmocka_unit_test(with_nothing_in_flight_nobody_waits),
        cmocka_unit_test(reaping_without_waiting_ends_too),
        cmocka_unit_test(freeing_waits_for_what_is_in_flight),
        cmocka_unit_test(queues_may_share_files_where_the_engine_says_so),
        cmocka_unit_test(engines_of_depth_1_transfer_at_once),
        cmocka_unit_test(a_wait_is_no_longer_than_asked),
        cmocka_unit_test(a_map_of_a_file_that_is_too_short_is_not_made),
        cmocka_unit_test(a_map_cannot_be_written_past_its_end),
        cmocka_unit_test(an_engine_makes_no_queue_deeper_than_it_can),
        cmocka_unit_test(auto_picks_sync_at_depth_1_and_the_best_above),
        cmocka_unit_test(an_engine_is_picked_by_its_name_or_says_why_not),
        cmocka_unit_test(an_unknown_engine_is_answered_with_those_there_are),
        cmocka_unit_test(an_engine_of_another_system_is_said_to_be_there),
        cmocka_unit_test(a_depth_that_an_engine_cannot_hold_is_refused),
        cmocka_unit_test(an_engine_below_the_layer_refuses_another_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
