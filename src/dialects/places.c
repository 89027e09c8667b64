#include "dialects/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t place_targets(const struct job *job)
{
    uint64_t count = job->target[0] != '\0';
    for (const char *at = job->target; *at; ++at)
        count += *at == ',';
    return count;
}

uint64_t place_count(const struct job *job)
{
    return job->target[0] ? place_targets(job) : job->files;
}

void place_name(const struct job *job, uint64_t index, char out[PLACE_BYTES])
{
    bool here = strcmp(job->dir, ".") == 0;
    const char *item = job->target;
    if (job->target[0] == '\0') {
        snprintf(out, PLACE_BYTES, "%s%s%s.%" PRIu64, here ? "" : job->dir, here ? "" : "/", job->file_name, index);
        return;
    }
    for (; index > 0; --index)
        item = strchr(item, ',') + 1;
    snprintf(out, PLACE_BYTES, "%.*s", (int)strcspn(item, ","), item);
}
