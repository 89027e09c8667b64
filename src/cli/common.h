/* cli/common.h: what the commands share: options of the form --name=value, result files, output and errors. */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include "core/result.h"
#include "platform/error.h"

/* What stands behind "--name=" if `word` begins so, else NULL. */
const char *common_value(const char *word, const char *name);

/* The value of the option at argv[*at]: behind '=', or the next word, where *at then is; "" if it is missing. NULL when
 * that word is not the option called `name` ("--out"). */
const char *common_take(int argc, char *const *argv, int *at, const char *name);

/* Reads a result file; result_free releases it. NULL with the error filled. */
struct result *common_read_result(const char *path, struct error *error);

/* Writes `text` to the file, or to stdout when `path` is "-". */
bool common_write(const char *path, const char *text, struct error *error);

/* On stderr, one line each: for layouts that have no place for them. `whose` is "" or begins each: "job 2: ". */
void common_print_warning(const char *whose, const struct warning *warning);
/* On stderr, if there is one. */
void common_print_error(const struct error *error);
void common_print_error_of(const char *whose, const struct error *error);

/* What a command that came to this error, or to none, ends with: `usage_status` where its words are wrong. */
int common_status(const struct error *error, int usage_status);

#endif
