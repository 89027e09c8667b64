/* core/merge.h: several results as one, as for several hosts that ran the same job at the same time. */
#ifndef CORE_MERGE_H
#define CORE_MERGE_H

#include "core/result.h"
#include "platform/error.h"

struct merge_part {
    const char *name; /* the file's, for warnings and errors */
    const struct result *result;
};

/* Counts, bytes, errors and histograms are exact sums, threads stand one after the other, the measured time is the
 * longest. Intervals are added where they line up; a percentile of an interval is then the highest of the parts'.
 * Settings are the first part's, but threads, rate and events are sums. Refuses results without figures, and
 * those whose jobs differ in what matters unless `force`, which makes a warning of it. Needs one part or more. */
bool results_merge(const struct merge_part *parts, size_t count, bool force, struct result **out, struct error *error);

#endif
