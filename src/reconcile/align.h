/* reconcile/align.h: the command lines that make two sides the same test, each in its own tool's words, found by
 * writing a job in one tool's words, reading it back, and so on until both say the same. */
#ifndef RECONCILE_ALIGN_H
#define RECONCILE_ALIGN_H

#include "core/command.h"
#include "core/dialect.h"
#include "reconcile/differ.h"

struct alignment {
    bool found;            /* both tools can say one job */
    struct command a, b;   /* empty where the tool's command line cannot be written */
    struct command native; /* isobench's own, for that job */
    bool prepares;         /* the two make their files in different ways: this makes them for both, written in full */
    struct command prepare;
    char rest[512]; /* without `found`: the settings in which the two still differ, or why there is none */
};

/* Starts from the first side's job. `native` is isobench's own language. NULL with an error when memory is short; the
 * caller frees it with free(). */
struct alignment *alignment_make(const struct side *a, const struct side *b, const struct dialect *native,
                                 struct error *error);

#endif
