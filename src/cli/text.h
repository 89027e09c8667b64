/* cli/text.h: isobench's own layout: progress, interval lines and the result, for people. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "core/listener.h"

#include <stdio.h>

/* Prints to `out`; bars instead of lines when `terminal`. The context is for free(). False when memory is short. */
bool text_listener(struct listener *listener, FILE *out, bool terminal);

void text_result(FILE *out, const struct result *result);

#endif
