/* cli/text_replicas.h: the parts of isobench's own layout (text.h) that are about a source's replicas. */
#ifndef CLI_TEXT_REPLICAS_H
#define CLI_TEXT_REPLICAS_H

#include "core/listener.h"

#include <stdio.h>

/* The end of an interval's line; nothing where no replica is looked at. */
void text_replicas_interval(FILE *out, const struct job *job, const struct interval *interval);
/* All wait for the replicas. */
void text_replicas_awaited(FILE *out, uint64_t waited_ns, uint64_t lag_ns);
void text_replicas_step(FILE *out, const struct knee_step *step);
void text_replicas_result(FILE *out, const struct result *result);

#endif
