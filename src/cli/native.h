/* cli/native.h: isobench's own command line: options are the settings table's names. */
#ifndef CLI_NATIVE_H
#define CLI_NATIVE_H

#include "core/dialect.h"

/* Takes `fileio prepare|run|check|cleanup --setting=value …` and `oltp [WORKLOAD] prepare|warmup|run|cleanup …`,
 * without the program's name. */
extern const struct dialect native_dialect; /* called isobench */

/* Is `word` the first of such a command line? */
bool native_takes(const char *word);

#endif
