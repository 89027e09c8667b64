#include "core/settings.h"
#include "fileio/files.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct job make_job(void)
{
    struct job job;
    char dir[PATH_BYTES];
    job_init(&job);
    scratch_directory(dir, "scratch_files");
    assert_true(strlen(dir) < sizeof(job.dir));
    strcpy(job.dir, dir);
    return job;
}

static void put(struct manifest *manifest, uint64_t index, uint64_t bytes)
{
    struct manifest_entry *entry = manifest_put(manifest, index);
    assert_non_null(entry);
    *entry = (struct manifest_entry){index, bytes, FILL_ALLOCATED, DATA_ZERO, 30, true, {7000 + index, 123456789}};
}

static void sizes_are_whole_blocks(void **state)
{
    struct job job = make_job();
    (void)state;
    job.files = 3;
    job.total_size_bytes = 1000 * 1024;
    job.block_size_bytes = 16384;
    assert_int_equal(files_each_bytes(&job), 344064); /* what sysbench makes of it */
    assert_int_equal(files_used_bytes(&job), 327680);
}

static void a_manifest_comes_back_as_it_was_saved(void **state)
{
    struct job job = make_job();
    struct manifest saved, loaded;
    struct error error = ERROR_INIT;
    static const uint64_t order[] = {5, 0, 11, 2, 10};
    (void)state;
    assert_true(manifest_load(&saved, &job, &error));
    for (size_t i = 0; i < COUNT_OF(order); ++i)
        put(&saved, order[i], order[i] * 1000);
    assert_true(manifest_save(&saved, &error));
    assert_true(manifest_load(&loaded, &job, &error));
    assert_int_equal(loaded.count, COUNT_OF(order));
    for (size_t i = 0; i < COUNT_OF(order); ++i) {
        const struct manifest_entry *entry = manifest_find(&loaded, order[i]);
        assert_non_null(entry);
        assert_int_equal(entry->bytes, order[i] * 1000);
        assert_int_equal(entry->fill, FILL_ALLOCATED);
        assert_int_equal(entry->data, DATA_ZERO);
        assert_int_equal(entry->compress_percent, 30);
        assert_true(entry->complete);
        assert_int_equal(entry->identity.number, 7000 + order[i]);
        assert_int_equal(entry->identity.born_ns, 123456789);
    }
    assert_null(manifest_find(&loaded, 3));
    manifest_done(&saved);
    manifest_done(&loaded);
}

static void a_manifest_with_nothing_left_is_removed(void **state)
{
    struct job job = make_job();
    struct manifest manifest;
    struct error error = ERROR_INIT;
    enum path_kind kind;
    (void)state;
    assert_true(manifest_load(&manifest, &job, &error));
    put(&manifest, 1, 10);
    assert_true(manifest_save(&manifest, &error));
    while (manifest.count)
        manifest_remove(&manifest, manifest.entries[0].index);
    manifest_remove(&manifest, 77);
    assert_true(manifest_save(&manifest, &error));
    assert_true(path_look(manifest.path, &kind, NULL, &error));
    assert_int_equal(kind, PATH_ABSENT);
    manifest_done(&manifest);
}

static void a_broken_manifest_is_an_error_that_names_it(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "{}",
        "{\"files\": 3}",
        "{\"files\": [{\"name\": \"../../etc/passwd\", \"bytes\": 1, \"fill\": \"written\", \"data\": \"random\", "
        "\"compress_percent\": 0}]}",
        "{\"files\": [{\"name\": \"test_file.1x\", \"bytes\": 1, \"fill\": \"written\", \"data\": \"random\", "
        "\"compress_percent\": 0}]}",
        "{\"files\": [{\"name\": \"test_file.1\", \"bytes\": -1, \"fill\": \"written\", \"data\": \"random\", "
        "\"compress_percent\": 0}]}",
        "{\"files\": [{\"name\": \"test_file.1\", \"bytes\": 1, \"fill\": \"poured\", \"data\": \"random\", "
        "\"compress_percent\": 0}]}",
        "{\"files\": [3]}",
    };
    struct job job = make_job();
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(path_join(path, job.dir, "test_file.isobench.json", &error));
    for (size_t i = 0; i < COUNT_OF(texts); ++i) {
        struct manifest manifest;
        struct error broken = ERROR_INIT;
        assert_true(path_write_text(path, texts[i], strlen(texts[i]), &error));
        assert_false(manifest_load(&manifest, &job, &broken));
        assert_int_equal(broken.kind, ERR_DATA);
        assert_non_null(strstr(broken.text, "test_file.isobench.json"));
    }
    assert_true(path_remove(path, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_whole_blocks),
        cmocka_unit_test(a_manifest_comes_back_as_it_was_saved),
        cmocka_unit_test(a_manifest_with_nothing_left_is_removed),
        cmocka_unit_test(a_broken_manifest_is_an_error_that_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
