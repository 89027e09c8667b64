/* cli/side_job.h: a job, however somebody names it: a command line of any tool, a file with what a tool printed, a
 * result or a job as JSON. */
#ifndef CLI_SIDE_JOB_H
#define CLI_SIDE_JOB_H

#include "core/job.h"
#include "platform/error.h"

#include <stdbool.h>

struct side_job {
    struct job job;
    char *password; /* of the database, where the command line has one; else NULL */
};

/* Of a file with several runs, the first one's. side_job_free in any case. */
bool side_job_read(const char *text, struct side_job *out, struct error *error);
void side_job_free(struct side_job *side); /* wipes the password */

#endif
