/* reconcile/reconcile.h: two printed results, and whether the volumes differ or the tests do: a table in one set of
 * units, the settings that differ, findings, and a verdict. */
#ifndef RECONCILE_RECONCILE_H
#define RECONCILE_RECONCILE_H

#include "core/dialect.h"
#include "reconcile/align.h"
#include "reconcile/differ.h"
#include "reconcile/findings.h"
#include "reconcile/sides.h"

#include <stdio.h>

enum verdict {
    VERDICT_SAME_WITHIN_SPREAD, /* one test, and the gap is not larger than the runs' own spread */
    VERDICT_SAME_TEST,          /* one test; what ran it differs */
    VERDICT_OTHER_TEST,         /* settings differ */
    VERDICT_UNKNOWN,            /* a setting that decides is not told */
};

/* One side against the first. */
struct pair {
    const struct side *a, *b;
    struct ratio ratios[MEASURES];
    bool has_ratio[MEASURES];
    bool has_enough; /* repetitions of both, for their intervals to say something */
    struct difference differences[DIFFERENCES_MAX], unknowns[DIFFERENCES_MAX];
    size_t difference_count, unknown_count;
    enum verdict verdict;
    struct alignment *alignment; /* of VERDICT_OTHER_TEST; else NULL */
};

struct reconciliation {
    struct sides sides;
    struct pair *pairs; /* sides.count − 1 */
    struct findings findings;
};

/* Readings stay the caller's and must outlive it. An error when there are not two sides, or memory is short. */
bool reconcile_make(const struct readings *readings, const struct dialect *native, struct reconciliation *out,
                    struct error *error);
void reconcile_free(struct reconciliation *reconciliation);

void reconcile_print(const struct reconciliation *all, FILE *out);
/* Text for free(); NULL when memory is short. docs/reconcile.md has the keys. */
char *reconcile_to_json(const struct reconciliation *all);

/* "one test, …": one sentence, into `out`, which is returned. */
char *verdict_text(const struct pair *pair, char *out, size_t out_bytes);
const char *verdict_name(enum verdict verdict); /* "same-within-spread", for scripts */

#endif
