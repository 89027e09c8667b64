/* dialects/phrases.h: errors about a job's settings in the words of the tool that is spoken. */
#ifndef DIALECTS_PHRASES_H
#define DIALECTS_PHRASES_H

#include "core/job.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>

struct phrase {
    const char *ours, *theirs; /* "--block-size", "-b" */
};

/* Puts `theirs` in the place of every `ours`; a longer `ours` stands before a shorter one that begins it. */
void phrases_replace(const struct phrase *phrases, size_t count, const char *text, char *out, size_t out_bytes);

/* job_check_run, or job_check, with the error in those phrases. */
bool phrases_check_job(const struct phrase *phrases, size_t count, const struct job *job, bool to_run,
                       struct error *error);

#endif
