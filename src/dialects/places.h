/* dialects/places.h: the files and devices of a job one by one, whether it names them or has a set of files. */
#ifndef DIALECTS_PLACES_H
#define DIALECTS_PLACES_H

#include "core/job.h"

#include <stddef.h>
#include <stdint.h>

#define PLACE_BYTES (TEXT_MAX + NAME_MAX_BYTES + 32)

/* Targets that the job names, at least 1; 0 = it has a set of files. */
uint64_t place_targets(const struct job *job);
/* Targets, or files of the set. */
uint64_t place_count(const struct job *job);
/* The index-th of them, which must be below their number. */
void place_name(const struct job *job, uint64_t index, char out[PLACE_BYTES]);

#endif
