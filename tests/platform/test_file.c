#include "platform/compiler.h"
#include "platform/file.h"
#include "platform/memory.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096U
static const struct file_layer *const layer = &file_layer_system;

static const struct file_policy made = {.presence = FILE_EMPTIED, .writable = true};
static const struct file_policy made_direct = {.cache = CACHE_OFF, .presence = FILE_EMPTIED, .writable = true};
static const struct file_policy looked_at = {.presence = FILE_MUST_EXIST, .writable = false};

static void scratch_file(char out[PATH_BYTES], const char *name)
{
    char directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    scratch_directory(directory, "scratch_file");
    assert_true(path_join(out, directory, name, &error));
    assert_true(path_remove(out, &error));
}

static struct file *open_file(const char *path, const struct file_policy *policy)
{
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    if (!layer->open(&file, path, policy, &error))
        fail_msg("%s", error.text);
    return file;
}

/* NULL where the file system of the scratch directory cannot go without the cache. */
static struct file *open_direct(const char *path)
{
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    if (layer->open(&file, path, &made_direct, &error))
        return file;
    assert_int_equal(error.kind, ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "--cache=on"));
    print_message("not tried: %s\n", error.text);
    return NULL;
}

static void close_and_remove(struct file *file, const char *path)
{
    struct error error = ERROR_INIT;
    layer->close(file);
    assert_true(layer->remove(path, &error));
}

static uint64_t size_of(struct file *file)
{
    struct file_facts facts;
    struct error error = ERROR_INIT;
    assert_true(layer->facts(file, &facts, &error));
    return facts.size_bytes;
}

static void fill(uint8_t *buffer, size_t bytes, uint32_t seed)
{
    for (size_t i = 0; i < bytes; i++) {
        seed = seed * 1664525U + 1013904223U;
        buffer[i] = (uint8_t)(seed >> 24);
    }
}

static void a_file_that_is_not_there_is_named(void **state)
{
    char path[PATH_BYTES];
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "absent");
    assert_false(layer->open(&file, path, &looked_at, &error));
    assert_int_equal(error.kind, ERR_SYSTEM);
    assert_non_null(strstr(error.text, path));
    struct error other = ERROR_INIT;
    assert_false(layer->remove(path, &other));
    assert_non_null(strstr(other.text, path));
    layer->close(NULL);
}

static void a_file_that_must_be_new_is_not_taken_over(void **state)
{
    const struct file_policy must_be_new = {.presence = FILE_MUST_NOT_EXIST, .writable = true};
    char path[PATH_BYTES];
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "new");
    struct file *first = open_file(path, &must_be_new);
    assert_int_equal(layer->write_at(first, "precious", 8, 0), 8);
    assert_false(layer->open(&file, path, &must_be_new, &error));
    assert_int_equal(size_of(first), 8);
    close_and_remove(first, path);
}

static void an_emptied_file_is_empty_and_one_that_must_exist_is_not(void **state)
{
    const struct file_policy kept = {.presence = FILE_MUST_EXIST, .writable = true};
    char path[PATH_BYTES];
    (void)state;
    scratch_file(path, "emptied");
    struct file *file = open_file(path, &made);
    assert_int_equal(layer->write_at(file, "12345", 5, 0), 5);
    layer->close(file);
    file = open_file(path, &kept);
    assert_int_equal(size_of(file), 5);
    layer->close(file);
    file = open_file(path, &made);
    assert_int_equal(size_of(file), 0);
    close_and_remove(file, path);
}

static void a_file_to_be_made_must_be_writable(void **state)
{
    const struct file_policy wrong = {.presence = FILE_EMPTIED, .writable = false};
    char path[PATH_BYTES];
    struct file *file = NULL;
    struct error error = ERROR_INIT;
    enum path_kind kind;
    (void)state;
    scratch_file(path, "unwritable");
    assert_false(layer->open(&file, path, &wrong, &error));
    struct error other = ERROR_INIT;
    assert_true(path_look(path, &kind, NULL, &other));
    assert_int_equal(kind, PATH_ABSENT);
}

static void a_directory_is_no_file(void **state)
{
    char path[PATH_BYTES];
    struct file *file = NULL;
    struct error error = ERROR_INIT, other = ERROR_INIT;
    (void)state;
    scratch_directory(path, "scratch_file");
    assert_false(layer->open(&file, path, &looked_at, &error));
    assert_non_null(strstr(error.text, "directory"));
    assert_false(layer->remove(path, &other));
    assert_int_equal(other.kind, ERR_USAGE);
}

static void bytes_come_back_from_where_they_were_written(void **state)
{
    static const enum file_through throughs[] = {THROUGH_OFF, THROUGH_DATA, THROUGH_FULL};
    char path[PATH_BYTES];
    uint8_t written[3][5000], read[5000];
    (void)state;
    for (size_t t = 0; t < COUNT_OF(throughs); t++) {
        struct file_policy policy = made;
        policy.through = throughs[t];
        scratch_file(path, "bytes");
        struct file *file = open_file(path, &policy);
        for (uint32_t i = 3; i-- > 0;) { /* backwards: over the end each time but the last two */
            fill(written[i], sizeof written[i], i + 1);
            assert_int_equal(layer->write_at(file, written[i], sizeof written[i], i * UINT64_C(10007)), 5000);
        }
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(layer->read_at(file, read, sizeof read, i * UINT64_C(10007)), 5000);
            assert_memory_equal(read, written[i], sizeof read);
        }
        assert_int_equal(layer->sync(file, true), 0);
        assert_int_equal(layer->sync(file, false), 0);
        close_and_remove(file, path);
    }
}

static void reading_past_the_end_is_short(void **state)
{
    char path[PATH_BYTES], read[100];
    (void)state;
    scratch_file(path, "short");
    struct file *file = open_file(path, &made);
    assert_int_equal(layer->write_at(file, "0123456789", 10, 0), 10);
    assert_int_equal(layer->read_at(file, read, sizeof read, 4), 6);
    assert_memory_equal(read, "456789", 6);
    assert_int_equal(layer->read_at(file, read, sizeof read, 10), 0);
    assert_int_equal(layer->read_at(file, read, sizeof read, UINT64_C(1) << 40), 0);
    close_and_remove(file, path);
}

static void a_read_only_file_cannot_be_written(void **state)
{
    char path[PATH_BYTES], read[4];
    (void)state;
    scratch_file(path, "read-only");
    struct file *file = open_file(path, &made);
    assert_int_equal(layer->write_at(file, "abcd", 4, 0), 4);
    layer->close(file);
    file = open_file(path, &looked_at);
    assert_true(layer->write_at(file, "efgh", 4, 0) < 0);
    assert_int_equal(layer->sync(file, false), 0);
    assert_int_equal(layer->read_at(file, read, 4, 0), 4);
    assert_memory_equal(read, "abcd", 4);
    close_and_remove(file, path);
}

static void the_size_can_be_moved_and_new_bytes_are_zeros(void **state)
{
    char path[PATH_BYTES];
    uint8_t read[BLOCK];
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "resized");
    struct file *file = open_file(path, &made);
    fill(read, sizeof read, 7);
    assert_int_equal(layer->write_at(file, read, sizeof read, 0), BLOCK);
    assert_true(layer->set_size(file, 100, &error));
    assert_int_equal(size_of(file), 100);
    assert_true(layer->set_size(file, 10 * BLOCK, &error));
    assert_int_equal(size_of(file), 10 * BLOCK);
    assert_int_equal(layer->read_at(file, read, sizeof read, 100), BLOCK); /* what was cut off is gone */
    for (size_t i = 0; i < sizeof read; i++)
        assert_int_equal(read[i], 0);
    close_and_remove(file, path);
}

static void space_is_reserved_or_the_error_says_that_it_cannot_be(void **state)
{
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "allocated");
    struct file *file = open_file(path, &made);
    if (layer->allocate(file, 100 * BLOCK, &error)) {
        assert_int_equal(size_of(file), 100 * BLOCK);
    } else {
        assert_int_equal(error.kind, ERR_UNSUPPORTED);
        assert_non_null(strstr(error.text, path));
        assert_non_null(strstr(error.text, "--fill=written"));
    }
    close_and_remove(file, path);
}

static void the_cache_is_dropped_or_the_error_says_that_it_cannot_be(void **state)
{
    char path[PATH_BYTES];
    uint8_t written[BLOCK], read[BLOCK];
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "dropped");
    struct file *file = open_file(path, &made);
    fill(written, sizeof written, 3);
    assert_int_equal(layer->write_at(file, written, sizeof written, 0), BLOCK);
    if (!layer->drop_cache(file, &error)) {
        assert_int_equal(error.kind, ERR_UNSUPPORTED);
        assert_non_null(strstr(error.text, path));
    }
    assert_int_equal(layer->read_at(file, read, sizeof read, 0), BLOCK);
    assert_memory_equal(read, written, BLOCK);
    close_and_remove(file, path);
}

static void facts_are_plausible(void **state)
{
    char path[PATH_BYTES];
    struct file_facts facts;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "facts");
    struct file *file = open_file(path, &made);
    assert_int_equal(layer->write_at(file, "12345", 5, 0), 5);
    assert_int_equal(layer->sync(file, false), 0);
    assert_true(layer->facts(file, &facts, &error));
    assert_int_equal(facts.size_bytes, 5);
    assert_false(facts.is_device);
    assert_in_range(facts.alignment_bytes, 512, 1 << 20);
    assert_int_equal(facts.alignment_bytes & (facts.alignment_bytes - 1), 0);
    assert_int_equal(facts.logical_sector_bytes % 512, 0);
    assert_true(facts.physical_sector_bytes >= facts.logical_sector_bytes);
    assert_int_equal(facts.written_bytes, facts.written_known ? 5 : 0);
    close_and_remove(file, path);
}

/* What is off by 1 of offset, length and address. */
static const struct {
    uint32_t buffer, bytes, offset;
} misalignments[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {256, 0, 0}, {0, 256, 0}, {0, 0, 256}};

static void without_the_cache_misaligned_io_is_refused(void **state)
{
    char path[PATH_BYTES];
    uint8_t *memory = memory_aligned_make(4 * BLOCK, BLOCK);
    (void)state;
    assert_non_null(memory);
    scratch_file(path, "direct");
    struct file *file = open_direct(path);
    if (file == NULL) {
        memory_aligned_free(memory);
        skip();
    }
    fill(memory, 2 * BLOCK, 9);
    assert_int_equal(layer->write_at(file, memory, 2 * BLOCK, 0), 2 * BLOCK);
    for (size_t i = 0; i < COUNT_OF(misalignments); i++) {
        uint8_t *buffer = memory + 2 * BLOCK + misalignments[i].buffer;
        size_t bytes = BLOCK - misalignments[i].bytes;
        assert_int_equal(layer->read_at(file, buffer, bytes, misalignments[i].offset), -(int64_t)os_error_invalid);
        assert_int_equal(layer->write_at(file, buffer, bytes, misalignments[i].offset), -(int64_t)os_error_invalid);
    }
    assert_int_equal(layer->read_at(file, memory + 2 * BLOCK, 2 * BLOCK, 0), 2 * BLOCK);
    assert_memory_equal(memory, memory + 2 * BLOCK, 2 * BLOCK);
    assert_int_equal(layer->read_at(file, memory, 2 * BLOCK, BLOCK), BLOCK); /* short at the end */
    close_and_remove(file, path);
    memory_aligned_free(memory);
}

static void alignment_is_of_address_length_and_offset(void **state)
{
    (void)state;
    assert_true(file_is_aligned((void *)(uintptr_t)8192, 512, UINT64_C(1) << 40, 512));
    assert_false(file_is_aligned((void *)(uintptr_t)8193, 512, 512, 512));
    assert_false(file_is_aligned((void *)(uintptr_t)8192, 511, 512, 512));
    assert_false(file_is_aligned((void *)(uintptr_t)8192, 512, (UINT64_C(1) << 40) + 256, 512));
    assert_true(file_is_aligned((void *)(uintptr_t)1, 3, 7, 1));
}

static void what_is_written_through_a_map_is_in_the_file(void **state)
{
    char path[PATH_BYTES], read[5];
    void *map = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "mapped");
    struct file *file = open_file(path, &made);
    assert_true(layer->set_size(file, 3 * BLOCK, &error));
    assert_int_equal(layer->write_at(file, "there", 5, 2 * BLOCK), 5);
    assert_true(layer->map(file, 3 * BLOCK, &map, &error));
    assert_memory_equal((uint8_t *)map + 2 * BLOCK, "there", 5);
    memcpy((uint8_t *)map + 1000, "hello", 5);
    assert_int_equal(layer->map_sync(file, map, 3 * BLOCK), 0);
    layer->unmap(file, map, 3 * BLOCK);
    assert_int_equal(layer->read_at(file, read, 5, 1000), 5);
    assert_memory_equal(read, "hello", 5);
    layer->close(file);
    file = open_file(path, &looked_at);
    assert_true(layer->map(file, BLOCK, &map, &error)); /* read only */
    assert_memory_equal((uint8_t *)map + 1000, "hello", 5);
    layer->unmap(file, map, BLOCK);
    close_and_remove(file, path);
}

static void names_may_be_long_and_in_any_script(void **state)
{
    char long_name[250], path[PATH_BYTES], read[3];
    const char *const names[] = {"pr\xC3\xBC"
                                 "fung \xE6\x97\xA5\xE6\x9C\xAC.dat",
                                 long_name};
    (void)state;
    memset(long_name, 'n', sizeof long_name - 1); /* with its directory over Windows' 260 characters */
    long_name[sizeof long_name - 1] = '\0';
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        scratch_file(path, names[i]);
        struct file *file = open_file(path, &made);
        assert_int_equal(layer->write_at(file, "abc", 3, 0), 3);
        layer->close(file);
        file = open_file(path, &looked_at);
        assert_int_equal(layer->read_at(file, read, 3, 0), 3);
        close_and_remove(file, path);
    }
}

static void aligned_memory_is_aligned_and_zero(void **state)
{
    (void)state;
    for (size_t alignment = 16; alignment <= 65536; alignment *= 4) {
        uint8_t *memory = memory_aligned_make(10000, alignment);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory & (alignment - 1), 0);
        for (size_t i = 0; i < 10000; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xff, 10000);
        memory_aligned_free(memory);
    }
    memory_aligned_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_not_there_is_named),
        cmocka_unit_test(a_file_that_must_be_new_is_not_taken_over),
        cmocka_unit_test(an_emptied_file_is_empty_and_one_that_must_exist_is_not),
        cmocka_unit_test(a_file_to_be_made_must_be_writable),
        cmocka_unit_test(a_directory_is_no_file),
        cmocka_unit_test(bytes_come_back_from_where_they_were_written),
        cmocka_unit_test(reading_past_the_end_is_short),
        cmocka_unit_test(a_read_only_file_cannot_be_written),
        cmocka_unit_test(the_size_can_be_moved_and_new_bytes_are_zeros),
        cmocka_unit_test(space_is_reserved_or_the_error_says_that_it_cannot_be),
        cmocka_unit_test(the_cache_is_dropped_or_the_error_says_that_it_cannot_be),
        cmocka_unit_test(facts_are_plausible),
        cmocka_unit_test(without_the_cache_misaligned_io_is_refused),
        cmocka_unit_test(alignment_is_of_address_length_and_offset),
        cmocka_unit_test(what_is_written_through_a_map_is_in_the_file),
        cmocka_unit_test(names_may_be_long_and_in_any_script),
        cmocka_unit_test(aligned_memory_is_aligned_and_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
