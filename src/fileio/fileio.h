/* fileio/fileio.h: the file benchmark: make the files, load them, remove them. */
#ifndef FILEIO_FILEIO_H
#define FILEIO_FILEIO_H

#include "core/job.h"
#include "core/listener.h"
#include "core/result.h"
#include "platform/clock.h"
#include "platform/error.h"
#include "platform/file.h"

#include <stdbool.h>

struct check_report; /* fileio/check.h */
struct start_place;  /* run/start_line.h */
struct set_locks;    /* fileio/set_locks.h */
struct made_files;   /* fileio/made.h */

struct fileio_setup {
    const struct job *job;           /* checked by job_check (run: job_check_run too) */
    const struct listener *listener; /* members may be NULL, the listener not */
    const struct file_layer *layer;
    const struct clock *clock;
    const char *overwrite; /* the paths of job.target that may be written to, separated by commas; NULL = none */
    uint64_t extend_bytes; /* above 0: targets that are not there or too short are made longer; to this length where
                              the job names none */
    bool may_start_warm;   /* drop_cache on a system that cannot: a warning instead of an error */
    bool foreign_files;    /* files of the right size that isobench did not make may be kept and loaded (sysbench's) */
    struct made_files *made; /* where targets that a run makes are noted; NULL = nowhere */
    /* of a run that is one of several at the same time; NULL and 0 = alone */
    struct start_place *place;
    struct set_locks *locks;
    uint64_t pool_threads; /* what the engine uv needs for all of them */
};

/* Makes the job's files, or keeps and extends those that are there. When it fails, or Ctrl-C comes, what it began
 * is undone: new files are removed, extended ones cut back. Never touches a file that isobench did not make. */
bool fileio_prepare(const struct fileio_setup *setup, struct error *error);

/* Loads them as the job says. *out is made whenever something was measured, also when it returns false with the
 * error that ended the run; the caller frees it with result_free (but see result->forced in run/run.h). */
bool fileio_run(const struct fileio_setup *setup, struct result **out, struct error *error);

/* Reads every block of a set that verify made and holds it against the set's ledger. True when all could be looked at,
 * whatever was found: report->wrong tells. */
bool fileio_check(const struct fileio_setup *setup, struct check_report *report, struct error *error);

/* Removes the set's files that isobench made, and tells the listener what it left. */
bool fileio_cleanup(const struct fileio_setup *setup, struct error *error);

#endif
