/* core/dialect.h: one tool's language. parse makes a job of its command line; the listener prints what
 * happens in its layout. Adding a tool = one file in dialects/ and a row in dialects/dialects.c. */
#ifndef CORE_DIALECT_H
#define CORE_DIALECT_H

#include "core/command.h"
#include "core/job.h"
#include "core/listener.h"
#include "core/script.h"
#include "platform/error.h"

#include <stdio.h>

enum action {
    ACTION_PRINTED, /* help, version: all was printed by parse itself */
    ACTION_PREPARE,
    ACTION_RUN,
    ACTION_CLEANUP,
    ACTION_CHECK,  /* isobench's own: the files against the ledger of job.verify */
    ACTION_WARMUP, /* databases: read the tables once */
};

/* What a command line asks for. */
struct invocation {
    enum action action;
    struct job job;
    const struct job *further; /* to run besides `job`; they belong to the context */
    size_t further_count;
    bool together;     /* job and further run at the same time, each with threads of its own, measured from one moment;
                          else one after the other */
    const bool *waits; /* with together: waits[i] = further[i] begins only when all before it have ended, and what
                          follows it runs with it; NULL = none waits. Belongs to the context */
    bool lay_out;      /* before the first run the files are made as prepare makes them, targets too that are not there;
                          those that are too short and that `overwrite` names are filled up, and what they hold stays */
    const char *const
        *names; /* of job, then of each of further: for reports; they belong to the context; NULL = none */
    const struct script *scripts; /* of job, then of each of further: the statements of workload = "script"; they belong
                                     to the context; NULL = none */
    char *password;               /* of the database, on the heap; NULL = none was given. Wiped by invocation_free. */
    struct listener listener;     /* its context belongs to the dialect; invocation_free releases it */
    char json_path[TEXT_MAX];     /* "" = none, "-" = JSON alone on stdout */
    char metrics[TEXT_MAX];       /* of --openmetrics; "" = none */
    char overwrite[TEXT_MAX];     /* paths of job.target that may be written to, separated by commas */
    uint64_t extend_bytes; /* above 0: a target that is not there or too short is made longer, nothing is written; to
                              this length where the job names none */
    bool may_start_warm;   /* drop_cache on a system that cannot: a warning instead of an error */
    bool warnings_apart;   /* the layout has no place for warnings: they go to stderr, after it */
    bool replicas_apart;   /* the layout has no place for replicas: what is seen of them goes to stderr */
    bool show_job;         /* print the job as JSON instead of running it */
    bool own_spread;       /* the layout shows itself what the runs of one job have in common */
    bool warnings_once;    /* of a series: each kind of warning once, with the first run that has it */
    bool settle_between;   /* one after the other: what a run wrote is made durable, in no figure, before the next */
    bool remove_made;      /* targets that a run made are removed when all are over; others stay */
    bool foreign_files;    /* files of the right size that isobench did not make may be used (sysbench's own) */
    int forced_status;     /* exit status after a forced shutdown */
    /* Puts the tool's own names of options into an error that came later than parsing; NULL = it stays as it is. */
    void (*reword)(const struct job *job, struct error *error);
    void (*free_context)(void *context); /* NULL = nothing to free */
};

struct dialect {
    const char *name;    /* "sysbench": `isobench sysbench …`, and when the executable is called so */
    const char *summary; /* one line for help */
    /* argv without the program's and the dialect's name. Prints to `out` only what the tool prints. */
    bool (*parse)(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error);
    /* Writes `job`, which is that of `from` or one of its further ones, as a command line, as well as the tool can say
     * it; what it cannot say is found by reading it back. NULL = cannot. */
    bool (*write)(const struct invocation *from, const struct job *job, struct command *out, struct error *error);
    /* Reads such a command line back; `invocation` as parse fills it. NULL = parse does it, there is never a file. */
    bool (*read_back)(const struct command *command, struct invocation *invocation, struct error *error);
};

extern const struct dialect *const dialects[]; /* NULL-terminated */
const struct dialect *dialect_find(const char *name);
void invocation_free(struct invocation *invocation); /* what is in it; not itself */

#endif
