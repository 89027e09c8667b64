/* tests/fuzz/fuzz.h: what the fuzz targets share. Each is a file with one LLVMFuzzerTestOneInput: libFuzzer calls it
 * in a build with ISO_FUZZ (scripts/fuzz.sh), replay_main.c in every other. A wrong answer ends the program. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "tests/scratch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_REQUIRE(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A copy with a NUL behind it, for free(). */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* Without the flush to the device that path_write_text does. */
static inline void fuzz_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    FUZZ_REQUIRE(file != NULL);
    FUZZ_REQUIRE(fwrite(data, 1, size, file) == size);
    FUZZ_REQUIRE(fclose(file) == 0);
}

/* For what nobody reads, such as help; for fclose. Each target has a folder of its own: two programs that call tmpfile
 * at once may get the same name in Windows' library. */
static inline FILE *fuzz_output(const char *folder)
{
    struct error error = ERROR_INIT;
    char path[PATH_BYTES];
    FUZZ_REQUIRE(path_join(path, folder, "output", &error));
    FILE *file = fopen(path, "w");
    FUZZ_REQUIRE(file != NULL);
    return file;
}

/* An answer is yes without an error, or no with one that says something. */
static inline void fuzz_check_answer(bool good, const struct error *error)
{
    FUZZ_REQUIRE(good == (error->kind == ERR_NONE));
    FUZZ_REQUIRE(good || error->text[0] != '\0');
}

#endif
