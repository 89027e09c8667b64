/* dialects/fio_read.h: what the readers of fio's two forms share.
 *
 *   fio_read.c          the report for people, of fio 2 and 3
 *   fio_read_json.c     the report for scripts
 *   fio_read_command.c  options to a job
 *   fio_read_clones.c   processes of one job that are reported one by one */
#ifndef DIALECTS_FIO_READ_H
#define DIALECTS_FIO_READ_H

#include "dialects/readers.h"

/* fio's words for a pattern and an engine as settings; those that have no counterpart become notes. */
void fio_state_mode(struct reading *reading, const char *rw);
void fio_state_engine(struct reading *reading, const char *engine);

/* The job called `name` of such a command line, as of one process. An error when the line names a job file, has a key
 * that isobench does not know, or no such job. */
bool fio_job_of(const char *name, size_t count, char *const *words, struct job *out, struct error *error);

/* What the report does not tell comes from those words, or without them (count 0) from fio's defaults; what neither
 * tells stays open. */
void fio_suppose(struct reading *reading, size_t count, char *const *words);

/* The run that was read before, and its group. All zeros before the first. */
struct fio_group {
    struct reading *reading;
    double group;
};

/* Adds the run that was read last to the one before where both are processes of one job. */
void fio_join_clones(struct readings *out, struct fio_group *before, double group);

#endif
