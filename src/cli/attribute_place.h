/* cli/attribute_place.h: where the jobs of a walk are loaded: sets of files or tables that are made for it, one for
 * each way to make them, and removed at its end. */
#ifndef CLI_ATTRIBUTE_PLACE_H
#define CLI_ATTRIBUTE_PLACE_H

#include "cli/engine.h"
#include "cli/side_job.h"

#define PLACES_MAX 64

struct place {
    struct job job; /* what it was made for */
    bool made;
};

struct places {
    const char *dir; /* of files, and of SQLite's; the caller's */
    const struct clock *clock;
    const struct side_job *from, *to; /* the caller's */
    struct invocation *invocation;
    struct place *items;
    size_t count;
};

/* Can the two be walked, and makes them loads of places of their own, that all take the same time. An error names the
 * option. */
bool places_settle(struct side_job *from, struct side_job *to, struct error *error);

/* The rest of the fields is the caller's. False when memory is short; places_free in any case. */
bool places_init(struct places *places, struct error *error);
/* Gives the job the name of its place, which is made if it is not there. */
bool places_ready(struct places *places, struct job *job, struct error *error);
/* To run such a job. */
struct errand places_errand(struct places *places, const struct job *job);
/* Removes all that was made. */
void places_free(struct places *places);

#endif
