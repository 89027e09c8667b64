/* reconcile/differ.h: in which settings two jobs differ, and which way each is known to push the figures. */
#ifndef RECONCILE_DIFFER_H
#define RECONCILE_DIFFER_H

#include "core/settings.h"
#include "reconcile/sides.h"

struct difference {
    const struct setting *setting;
    enum provenance a, b;
    int push; /* of the rate: +1 raises that of b, −1 that of a, 0 neither or not known */
    const char *why;
};

#define DIFFERENCES_MAX 192

/* Settings that have an effect on at least one of the jobs and differ, those that weigh most first; a setting that is
 * unknown on one side is among the unknown ones and not here. Returns their number. */
size_t differences_of(const struct side *a, const struct side *b, struct difference out[DIFFERENCES_MAX]);

/* The same of two jobs that are known in full. */
size_t job_differences(const struct job *a, const struct job *b, struct difference out[DIFFERENCES_MAX]);

/* Settings with an effect that one of the sides does not tell. */
size_t unknowns_of(const struct side *a, const struct side *b, struct difference out[DIFFERENCES_MAX]);

/* Does the setting decide what kind of test it is? One that does and is unknown leaves the verdict open. */
bool setting_is_vital(const struct setting *setting);

#endif
