/* sysbench_fixture.h: one command line through the sysbench dialect, with what it prints caught in a file. */
#ifndef TESTS_SYSBENCH_FIXTURE_H
#define TESTS_SYSBENCH_FIXTURE_H

#include "core/dialect.h"

#define FIXTURE_WORDS 24
#define FIXTURE_TEXT_BYTES 65536

struct fixture {
    FILE *out;
    struct invocation *invocation;
    struct error error;
    bool good;
    char path[1024];
    char text[FIXTURE_TEXT_BYTES]; /* what fixture_text read last */
};

/* Parses a command line whose words are separated by single blanks. */
struct fixture *fixture_make(const char *line);
void fixture_free(struct fixture *fixture);

/* All that was printed so far. */
const char *fixture_text(struct fixture *fixture);

/* A path in the tests' directory. Returns out. */
char *fixture_path(const char *name, char *out, size_t out_bytes);

#endif
