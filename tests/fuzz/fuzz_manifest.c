/* The manifest beside the test files, which decides what cleanup removes. */
#include "tests/fuzz/fuzz.h"

#include "core/settings.h"
#include "fileio/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = ERROR_INIT, path_error = ERROR_INIT;
    struct job job;
    struct manifest manifest;
    char directory[PATH_BYTES], path[PATH_BYTES];
    scratch_directory(directory, "fuzz_manifest.tmp");
    job_init(&job);
    snprintf(job.dir, sizeof job.dir, "%.2000s", directory);
    FUZZ_REQUIRE(path_join(path, directory, "test_file.isobench.json", &path_error));
    fuzz_write(path, data, size);
    bool good = manifest_load(&manifest, &job, &error);
    fuzz_check_answer(good, &error);
    for (size_t i = 1; good && i < manifest.count; i++)
        FUZZ_REQUIRE(manifest.entries[i - 1].index < manifest.entries[i].index);
    for (size_t i = 0; good && i < manifest.count; i++)
        FUZZ_REQUIRE(manifest_find(&manifest, manifest.entries[i].index) == &manifest.entries[i]);
    if (good)
        manifest_done(&manifest);
    return 0;
}
