/* What POSIX file systems and io_uring do, and Windows does otherwise. */
#define _GNU_SOURCE
#include "platform/clock.h"
#include "platform/compiler.h"
#include "platform/queue.h"
#include "posix/file_posix.h"
#include "posix/queue_posix.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define BLOCK 4096U
static const struct file_layer *const layer = &file_layer_system;
static const struct file_policy made = {.presence = FILE_EMPTIED, .writable = true};

static void scratch_file(char out[PATH_BYTES], const char *name)
{
    char directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    scratch_directory(directory, "scratch_file_posix");
    assert_true(path_join(out, directory, name, &error));
    assert_true(path_remove(out, &error));
}

static struct file *make_file(char path[PATH_BYTES], const char *name)
{
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    scratch_file(path, name);
    if (!layer->open(&file, path, &made, &error))
        fail_msg("%s", error.text);
    return file;
}

static void close_and_remove(struct file *file, const char *path)
{
    struct error error = ERROR_INIT;
    layer->close(file);
    assert_true(layer->remove(path, &error));
}

/* Holes cost nothing here; NTFS would write zeros up to there. */
static void offsets_go_beyond_4_gib(void **state)
{
    const uint64_t offset = (UINT64_C(5) << 30) + 123;
    char path[PATH_BYTES], read[8];
    struct file_facts facts;
    struct error error = ERROR_INIT;
    (void)state;
    struct file *file = make_file(path, "large");
    if (layer->write_at(file, "far away", 8, offset) == -EFBIG)
        skip();
    assert_int_equal(layer->read_at(file, read, 8, offset), 8);
    assert_memory_equal(read, "far away", 8);
    assert_int_equal(layer->read_at(file, read, 8, 123), 8); /* where it were if offsets lost their upper half */
    assert_memory_equal(read, "\0\0\0\0\0\0\0", 8);
    assert_true(layer->facts(file, &facts, &error));
    assert_int_equal(facts.size_bytes, offset + 8);
    close_and_remove(file, path);
}

static uint64_t written_bytes(struct file *file)
{
    struct file_facts facts;
    struct error error = ERROR_INIT;
    assert_true(layer->facts(file, &facts, &error));
    if (!facts.written_known)
        skip();
    return facts.written_bytes;
}

static void only_what_was_written_counts_as_written(void **state)
{
    static uint8_t blocks[64 * BLOCK];
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    memset(blocks, 'w', sizeof blocks);
    struct file *file = make_file(path, "written");
    assert_true(layer->set_size(file, 1024 * BLOCK, &error));
    assert_int_equal(written_bytes(file), 0); /* extended */
    assert_true(layer->allocate(file, 1024 * BLOCK, &error));
    assert_int_equal(written_bytes(file), 0); /* reserved */
    assert_int_equal(layer->write_at(file, blocks, sizeof blocks, 256 * BLOCK), sizeof blocks);
    assert_in_range(written_bytes(file), sizeof blocks, 2 * sizeof blocks); /* dirty in the cache */
    assert_int_equal(layer->write_at(file, blocks, sizeof blocks, 800 * BLOCK), sizeof blocks);
    assert_int_equal(layer->sync(file, false), 0);
    assert_in_range(written_bytes(file), 2 * sizeof blocks, 4 * sizeof blocks);
    close_and_remove(file, path);
}

/* More pieces than one question to the system answers. */
static void a_file_of_many_pieces_is_counted_to_its_end(void **state)
{
    enum { PIECES = 300 };
    uint8_t block[BLOCK] = "piece";
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    struct file *file = make_file(path, "pieces");
    assert_true(layer->set_size(file, PIECES * UINT64_C(65536), &error));
    for (uint32_t i = 0; i < PIECES; i++)
        assert_int_equal(layer->write_at(file, block, BLOCK, i * UINT64_C(65536)), BLOCK);
    assert_in_range(written_bytes(file), PIECES * BLOCK, PIECES * 2 * BLOCK);
    close_and_remove(file, path);
}

static void a_pipe_is_not_opened(void **state)
{
    char path[PATH_BYTES];
    struct file *file = NULL;
    struct error error = ERROR_INIT, other = ERROR_INIT;
    const struct file_policy looked_at = {.presence = FILE_MUST_EXIST};
    (void)state;
    scratch_file(path, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(layer->open(&file, path, &looked_at, &error)); /* and does not wait for a writer */
    assert_non_null(strstr(error.text, path));
    assert_false(layer->remove(path, &other));
    assert_int_equal(unlink(path), 0);
}

static void a_link_stays_a_link_when_text_is_written(void **state)
{
    char target[PATH_BYTES], link_path[PATH_BYTES], *text = NULL;
    struct stat status;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(target, "link-target");
    scratch_file(link_path, "link");
    assert_true(path_write_text(target, "a longer text", 13, &error));
    assert_int_equal(symlink("link-target", link_path), 0);
    assert_true(path_write_text(link_path, "through", 7, &error));
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(path_read_text(target, 100, &text, NULL, &error));
    assert_string_equal(text, "through");
    free(text);
    assert_true(path_remove(link_path, &error));
    assert_true(path_remove(target, &error));
}

static void assert_nothing_beside(const char *path)
{
    char beside[PATH_BYTES + 32];
    struct error error = ERROR_INIT;
    enum path_kind kind;
    snprintf(beside, sizeof beside, "%s.tmp-%d", path, (int)getpid());
    assert_true(path_look(beside, &kind, NULL, &error));
    assert_int_equal(kind, PATH_ABSENT);
}

/* A disk that gets full, as this process sees it: files end at 10 bytes. */
static void text_that_cannot_be_written_leaves_the_old_one(void **state)
{
    char path[PATH_BYTES], *text = NULL;
    struct rlimit limit, small;
    struct error error = ERROR_INIT, other = ERROR_INIT;
    (void)state;
    scratch_file(path, "kept");
    assert_true(path_write_text(path, "old", 3, &error));
    assert_nothing_beside(path);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 10;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = path_write_text(path, "longer than ten bytes", 21, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    assert_false(written);
    assert_int_equal(error.os_code, EFBIG);
    assert_nothing_beside(path);
    assert_true(path_read_text(path, 100, &text, NULL, &other));
    assert_string_equal(text, "old");
    free(text);
    assert_true(path_remove(path, &other));
}

/* tmpfs takes anything with O_DIRECT: a refusal there is our own. */
static void misaligned_io_is_refused_where_the_system_takes_it(void **state)
{
    const struct file_policy direct = {.cache = CACHE_OFF, .presence = FILE_EMPTIED, .writable = true};
    char path[PATH_BYTES];
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    snprintf(path, sizeof path, "/dev/shm/isobench-test-%d", (int)getpid());
    if (!layer->open(&file, path, &direct, &error)) {
        print_message("not tried: %s\n", error.text);
        skip();
    }
    assert_int_equal(layer->write_at(file, "odd", 3, 1), -EINVAL);
    close_and_remove(file, path);
}

static void system_codes_are_errno(void **state)
{
    char path[PATH_BYTES];
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    const struct file_policy looked_at = {.presence = FILE_MUST_EXIST};
    (void)state;
    scratch_file(path, "absent");
    assert_false(layer->open(&file, path, &looked_at, &error));
    assert_int_equal(error.os_code, ENOENT);
    assert_non_null(strstr(error.text, "(errno 2)"));
    assert_int_equal(os_error_invalid, EINVAL);
    assert_int_equal(os_error_no_space, ENOSPC);
    struct file *written = make_file(path, "read-only");
    layer->close(written);
    assert_true(layer->open(&written, path, &looked_at, &error));
    assert_int_equal(layer->write_at(written, "x", 1, 0), -EBADF);
    close_and_remove(written, path);
}

/* A pipe that nobody has written to is a file whose reads take as long as one likes. */
static void io_uring_waits_no_longer_than_asked(void **state)
{
    const struct queue_engine *engine = &queue_engine_uring;
    struct clock clock = clock_system();
    uint8_t buffer[8];
    int ends[2];
    struct io io = {.buffer = buffer, .bytes = sizeof buffer, .op = IO_READ}, *submitted = &io, *done = NULL;
    struct queue *queue;
    struct error error = ERROR_INIT;
    (void)state;
    if (!engine->usable(&error)) {
        print_message("not tried: %s\n", error.text);
        skip();
    }
    struct file *file = calloc(1, sizeof *file + 1), *files[] = {file};
    assert_non_null(file);
    assert_int_equal(pipe(ends), 0);
    file->descriptor = ends[0];
    file->takes_alignment = 1;
    const struct queue_options options = {
        .depth = 1, .layer = layer, .files = files, .file_count = 1, .buffers = buffer, .buffers_bytes = sizeof buffer};
    assert_true(engine->make(&queue, &options, &error));
    assert_true(engine->submit(queue, &submitted, 1, &error));
    assert_int_equal(engine->reap(queue, &done, 1, 0, &error), 0);
    for (uint64_t wait_ns = 1; wait_ns < 40 * NS_PER_MS; wait_ns *= 20) {
        uint64_t start_ns = clock_now_ns(&clock);
        assert_int_equal(engine->reap(queue, &done, 1, wait_ns, &error), 0);
        assert_true(clock_now_ns(&clock) - start_ns >= wait_ns);
    }
    assert_int_equal(write(ends[1], "12345", 5), 5);
    assert_int_equal(engine->reap(queue, &done, 1, UINT64_MAX, &error), 1);
    assert_ptr_equal(done, &io);
    assert_int_equal(io.result, 5);
    engine->free(queue);
    close(ends[0]);
    close(ends[1]);
    free(file);
}

/* Buffers that are registered with the ring are told from those that are not. */
static void io_uring_takes_a_buffer_outside_of_its_arena(void **state)
{
    const struct queue_engine *engine = &queue_engine_uring;
    uint8_t arena[2 * BLOCK], outside[8] = "";
    char path[PATH_BYTES];
    struct io io = {.buffer = outside, .bytes = sizeof outside, .op = IO_READ}, *submitted = &io, *done = NULL;
    struct queue *queue;
    struct error error = ERROR_INIT;
    (void)state;
    if (!engine->usable(&error)) {
        print_message("not tried: %s\n", error.text);
        skip();
    }
    struct file *file = make_file(path, "outside"), *files[] = {file};
    assert_int_equal(layer->write_at(file, "outside", 8, 0), 8);
    const struct queue_options options = {
        .depth = 1, .layer = layer, .files = files, .file_count = 1, .buffers = arena, .buffers_bytes = sizeof arena};
    assert_true(engine->make(&queue, &options, &error));
    assert_true(engine->submit(queue, &submitted, 1, &error));
    assert_int_equal(engine->reap(queue, &done, 1, UINT64_MAX, &error), 1);
    assert_int_equal(io.result, 8);
    assert_string_equal((char *)outside, "outside");
    engine->free(queue);
    close_and_remove(file, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_go_beyond_4_gib),
        cmocka_unit_test(only_what_was_written_counts_as_written),
        cmocka_unit_test(a_file_of_many_pieces_is_counted_to_its_end),
        cmocka_unit_test(a_pipe_is_not_opened),
        cmocka_unit_test(a_link_stays_a_link_when_text_is_written),
        cmocka_unit_test(text_that_cannot_be_written_leaves_the_old_one),
        cmocka_unit_test(misaligned_io_is_refused_where_the_system_takes_it),
        cmocka_unit_test(system_codes_are_errno),
        cmocka_unit_test(io_uring_waits_no_longer_than_asked),
        cmocka_unit_test(io_uring_takes_a_buffer_outside_of_its_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
