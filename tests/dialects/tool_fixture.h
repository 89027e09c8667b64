/* tool_fixture.h: one command line through a dialect, with what it prints caught in a file. */
#ifndef TESTS_TOOL_FIXTURE_H
#define TESTS_TOOL_FIXTURE_H

#include "core/dialect.h"

#define TOOL_TEXT_BYTES 16384

struct tool {
    FILE *out;
    struct invocation *invocation;
    struct command *command; /* the words, and SQLIO's parameter file */
    struct error error;
    bool good;
    char path[1024];
    char text[TOOL_TEXT_BYTES]; /* what tool_text read last */
};

/* Parses a line whose words are separated by single blanks. `params` is what the parameter file of -F holds; NULL = the
 * line is parsed as it is. */
struct tool *tool_make(const char *name, const char *line, const char *params);
void tool_free(struct tool *tool);
/* All that was printed so far. */
const char *tool_text(struct tool *tool);
/* The setting of the job as text. */
const char *tool_setting(const struct tool *tool, const char *setting, char out[TEXT_MAX]);

/* "setting=value" for each, and the end of the list is NULL. */
void tool_expect(const char *name, const char *line, const char *params, const char *const *expected);
/* The line is refused with an error that has this part. */
void tool_refuse(const char *name, const char *line, const char *params, const char *part);

#endif
