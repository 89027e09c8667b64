/* cli/native.h: isobench's own command line: options are the settings table's names. */
#ifndef CLI_NATIVE_H
#define CLI_NATIVE_H

#include "core/dialect.h"

/* `fileio prepare|run|cleanup --setting=value …` without the program's name; the shape of dialect.parse. */
extern const struct dialect native_dialect; /* called isobench; its command lines begin with fileio */

bool native_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error);

#endif
