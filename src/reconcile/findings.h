/* reconcile/findings.h: figures that are impossible, doubtful or easily misread, each with its evidence. Each kind has
 * one function; docs/reconcile.md lists the codes. */
#ifndef RECONCILE_FINDINGS_H
#define RECONCILE_FINDINGS_H

#include "reconcile/sides.h"

struct finding {
    char code[NAME_MAX_BYTES]; /* "timer-overflow", stable, for scripts */
    char label;                /* of the side; 0 = of several */
    char source[TEXT_MAX];     /* file and line; "" = of several */
    char text[512];            /* what is wrong, with its evidence */
    char corrected[128];       /* the true value, where it can be told; else "" */
};

struct findings {
    struct finding *items;
    size_t count, room;
};

/* Looks at each run by itself, and at what the sides together show. False when memory is short. */
bool findings_make(const struct sides *sides, struct findings *out);
void findings_free(struct findings *findings);

#endif
