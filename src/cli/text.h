/* cli/text.h: isobench's own layout: progress, interval lines and the result, for people. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "core/listener.h"

#include <stdio.h>

/* Prints to `out`; bars instead of lines when `terminal`. The context is for free(). False when memory is short. */
bool text_listener(struct listener *listener, FILE *out, bool terminal);

void text_result(FILE *out, const struct result *result);
/* "  p95 1.20 ms" of an interval; without events there is none. */
void text_interval_percentile(FILE *out, const struct job *job, const struct interval *interval);
/* One cell of a table: `words` to the right in 16 columns. */
void text_cell(FILE *out, const char *words);

/* One line for each block that was not what it must be. */
void text_findings(FILE *out, const struct verify_finding *findings, size_t count);

#endif
