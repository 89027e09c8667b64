/* core/dialect.h: one tool's language. parse makes a job of its command line; the listener prints what
 * happens in its layout. Adding a tool = one file in dialects/ and a row in dialects/dialects.c. */
#ifndef CORE_DIALECT_H
#define CORE_DIALECT_H

#include "core/job.h"
#include "core/listener.h"
#include "platform/error.h"

#include <stdio.h>

enum action {
    ACTION_PRINTED, /* help, version: all was printed by parse itself */
    ACTION_PREPARE,
    ACTION_RUN,
    ACTION_CLEANUP,
};

/* What a command line asks for. */
struct invocation {
    enum action action;
    struct job job;
    struct listener listener; /* its context belongs to the dialect; invocation_free releases it */
    char json_path[TEXT_MAX]; /* "" = none, "-" = JSON alone on stdout */
    char overwrite[TEXT_MAX]; /* paths of job.target that may be written to, separated by commas */
    bool show_job;            /* print the job as JSON instead of running it */
    bool foreign_files;       /* files of the right size that isobench did not make may be used (sysbench's own) */
    int forced_status;        /* exit status after a forced shutdown */
    void (*free_context)(void *context); /* NULL = nothing to free */
};

struct dialect {
    const char *name;    /* "sysbench": `isobench sysbench …`, and when the executable is called so */
    const char *summary; /* one line for help */
    /* argv without the program's and the dialect's name. Prints to `out` only what the tool prints. */
    bool (*parse)(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error);
};

extern const struct dialect *const dialects[]; /* NULL-terminated */
const struct dialect *dialect_find(const char *name);

#endif
