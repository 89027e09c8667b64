/* cli/reconcile.h: `isobench reconcile FILE…`: what other tools printed, held against each other. */
#ifndef CLI_RECONCILE_H
#define CLI_RECONCILE_H

#include "core/reading.h"
#include "platform/error.h"

#define STATUS_SAME 0   /* one test, and no gap beyond the spread */
#define STATUS_DIFFER 1 /* another test, or a gap */
#define STATUS_INPUT 2  /* a wrong command line, or nothing in a file that can be read */

int command_reconcile(int argc, char *const *argv);

/* The runs in a file that any tool printed; `file` is its number among those that were given. `path` must outlive them.
 */
bool reconcile_read_file(const char *path, uint32_t file, struct readings *out, struct error *error);

#endif
