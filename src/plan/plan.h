/* plan/plan.h: plan files: named jobs in an INI file, whose keys are the names of the settings table.
 *
 *   [global]              settings of all jobs; and interleave = yes, order_seed = N
 *   [name]                one job; threads = 1, 64 makes one for each value, and several such keys all combinations
 *   [oltp-name]           a job on a database (also any section that sets `workload`)
 *
 * `repeat` says how often each job is run. Settings that are lists themselves, or text of any kind, take commas as part
 * of their value. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "core/job.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_NAME_BYTES 160

struct plan_job {
    char name[PLAN_NAME_BYTES]; /* "rndrd-small.threads=64": also a file's name */
    struct job job;             /* its repeat is 1 */
    uint64_t repeat;
    uint32_t line;                   /* where its section begins */
    char asked_name[NAME_MAX_BYTES]; /* file_name or table_name as the plan has it */
    size_t layout; /* jobs of one number share their files or tables; each layout's have names of their own */
};

struct plan {
    const char *path; /* the caller's */
    char *text;       /* of the file */
    uint64_t hash;    /* of the text */
    bool interleave;
    uint64_t order_seed;
    struct plan_job *jobs;
    size_t job_count, job_room, layout_count;
};

/* One run of one job. */
struct plan_run {
    size_t job;
    uint64_t repetition; /* from 1 */
};

/* Reads and checks the whole file: every job must be one that can run. `directory` replaces every file job's `dir`;
 * NULL = as the plan says. An error names file, line and key. plan_free in any case. */
bool plan_read(struct plan *out, const char *path, const char *directory, struct error *error);
/* The same of text that is in memory, on the heap, which it takes over; `path` is its name for errors. */
bool plan_parse(struct plan *out, const char *path, char *text, const char *directory, struct error *error);
void plan_free(struct plan *plan);

/* All runs in order, for free(), their number in *count: job by job, or with `interleave` round by round, each round in
 * an order drawn anew, so that drift favours no job. `only`: jobs whose name matches (with * and ?); NULL = all. NULL
 * with an error when memory is short or none matches. */
struct plan_run *plan_runs(const struct plan *plan, const char *only, size_t *count, struct error *error);

bool plan_name_matches(const char *name, const char *pattern);

#endif
