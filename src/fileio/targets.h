/* fileio/targets.h: the set of files as a run opens it. */
#ifndef FILEIO_TARGETS_H
#define FILEIO_TARGETS_H

#include "fileio/fileio.h"

struct targets {
    const struct file_layer *layer;
    struct file **files;
    uint32_t count;
};

/* What the first look at the files tells. */
struct targets_facts {
    uint32_t alignment_bytes; /* the strictest of all files */
    uint64_t size_bytes, written_bytes;
    bool written_known;
    struct error kept_cache; /* why the system could not drop the cache, where the setup takes that */
};

/* Looks at every file before a run, and for MODE_SEQWR makes them anew: ours to load? there? long enough? right for
 * --cache=off? Each no is an error that names the file or option. Drops their cached pages if the job says so. */
bool targets_check(const struct fileio_setup *setup, struct targets_facts *out, struct error *error);

/* Opens all files of the checked set with the job's policy. */
bool targets_open(struct targets *targets, const struct fileio_setup *setup, struct error *error);
void targets_close(struct targets *targets); /* never opened (all zero) is fine */

#endif
