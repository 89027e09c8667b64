/* cli/native.h: isobench's own command line: options are the settings table's names. */
#ifndef CLI_NATIVE_H
#define CLI_NATIVE_H

#include "core/dialect.h"
#include "core/settings.h"

/* Takes `fileio prepare|run|check|cleanup --setting=value …` and `oltp [WORKLOAD] prepare|warmup|run|cleanup …`,
 * without the program's name. */
extern const struct dialect native_dialect; /* called isobench */

/* Is `word` the first of such a command line? */
bool native_takes(const char *word);
/* The i-th of these words; NULL behind the last. */
const char *native_command(size_t i);

/* A setting as its option gives it: each --replica adds one. */
bool native_set(struct job *job, const struct setting *setting, const char *shown, const char *value,
                struct error *error);

#endif
