/* cli/completion.h: `isobench completion bash|zsh|powershell`: what a shell loads to complete isobench's command lines.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/help_book.h"

#include <stdio.h>

int command_completion(int argc, char *const *argv);

/* One shell's script. */
void completion_bash(const struct help_book *book, FILE *out);
void completion_zsh(const struct help_book *book, FILE *out);
void completion_powershell(const struct help_book *book, FILE *out);

/* A chapter's summary, or the first sentence of its page. */
const char *completion_summary(const struct help_chapter *chapter, char *out, size_t out_bytes);

#endif
