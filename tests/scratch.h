/* tests/scratch.h: a directory of its own for a test that touches files. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "platform/error.h"
#include "platform/path.h"

#include <stdio.h>
#include <stdlib.h>

/* Makes <ISO_TEST_DIR or .>/<name> and puts its path into out; ends the program when that fails. Files of earlier
 * runs may be in it: a test names and removes its own. */
static inline void scratch_directory(char out[PATH_BYTES], const char *name)
{
    struct error error = ERROR_INIT;
    const char *base = getenv("ISO_TEST_DIR");
    if (!path_join(out, base && base[0] ? base : ".", name, &error) || !path_make_directory(out, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
}

/* Removes what a test that failed once may have left of a set: <directory>/test_file.0 … 3 and what stands beside them.
 */
static inline void scratch_clear_set(const char *directory)
{
    static const char *const names[] = {"test_file.0",
                                        "test_file.1",
                                        "test_file.2",
                                        "test_file.3",
                                        "test_file.isobench.json",
                                        "test_file.isobench.lock",
                                        "test_file.isobench.ledger"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        char path[PATH_BYTES];
        struct error error = ERROR_INIT;
        if (path_join(path, directory, names[i], &error))
            path_remove(path, &error);
    }
}

#endif
