/* cli/side_job.h: a job, however somebody names it: a command line of any tool, a file with what a tool printed, a
 * result or a job as JSON. */
#ifndef CLI_SIDE_JOB_H
#define CLI_SIDE_JOB_H

#include "core/job.h"
#include "platform/error.h"

#include <stdbool.h>

/* Of a file with several runs, the first one's. */
bool side_job_read(const char *text, struct job *out, struct error *error);

#endif
