/* core/script.h: statements that come with a job instead of being made by its workload (workload = "script"): what each
 * connection sends, and what is done once before and after. A command line's reader makes it and owns it; the database
 * engine runs it. */
#ifndef CORE_SCRIPT_H
#define CORE_SCRIPT_H

#include "core/limits.h"
#include "core/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* workload = "script" in a job. */
#define SCRIPT_WORKLOAD "script"

/* Where the values of a statement's ? come from. */
struct script_text {
    const char *text;
    size_t bytes;
    int64_t number; /* of script_param.are_numbers */
};

struct script_param {
    const char *name;
    bool in_order;        /* one after the other, over all connections, and again from the first one; else picked */
    struct picker picker; /* of `count` */
    uint64_t count;       /* how many values there are */
    int64_t low;          /* the first one: they are whole numbers … */
    struct script_text *texts; /* … or these; NULL = the former */
    bool are_numbers;          /* each of the texts is a whole number, and sent as one */
};

struct script_statement {
    const char *sql;        /* NUL-terminated */
    const char *tail;       /* NULL, or what follows a key that is drawn each time and put behind `sql` */
    uint32_t kind;          /* which of script.kinds it is counted as */
    const uint32_t *params; /* for each ? of `sql`, which of script.params */
    size_t params_count;
    uint64_t weight;
};

struct script_list {
    struct script_statement *items;
    size_t count;
};

#define SCRIPT_KINDS_MAX 64

struct script {
    /* MySQL's schema; "" = none, the job's database is used as it is */
    char schema[NAME_MAX_BYTES];
    bool makes_schema;  /* made before the run and dropped after it */
    bool may_replace;   /* one of that name that isobench did not make is dropped too: the user named it for that */
    bool keeps_schema;  /* it stays after the run */
    bool connects_late; /* connections are opened, and closed, in the measured part */
    bool is_prepared;   /* each of `queries` is prepared on each connection, and is a kind of its own */
    struct script_list greeting;              /* on each connection, when it is open */
    struct script_list create, load;          /* once, in this order; then: */
    const char *keys_sql;                     /* NULL, or its first column gives the keys of statements with a tail */
    const char *before_system, *after_system; /* for the system's shell; NULL = none */
    struct script_list before, after;
    struct script_list queries; /* each connection sends these, from the first one, over and over … */
    uint64_t weights;           /* … or, above 0 (the sum of their weights), one drawn by weight each time */
    const struct script_param *params;
    size_t params_count;
    const char *kinds[SCRIPT_KINDS_MAX]; /* names of the result's rows; the last is for COMMIT where it is sent */
    size_t kinds_count;
    uint64_t total;        /* statements over all connections, dealt out as evenly as can be; 0 = the job says */
    uint64_t commit_every; /* 0 = each statement is its own transaction; else without autocommit, and one at the end */
};

/* What its connections say with commit_every; MySQL's. */
#define SCRIPT_NO_AUTOCOMMIT "SET AUTOCOMMIT=0"

#endif
