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

#endif
