/* core/steady.h: has the load settled? The rule of "iops:5%": over the last 5 intervals every value is within 5 % of
 * their mean, and so is the change that the least-squares line through them makes from first to last. (SNIA's
 * Solid State Storage Performance Test Specification has the same two conditions, with 20 % and 10 %.) */
#ifndef CORE_STEADY_H
#define CORE_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#define STEADY_INTERVALS 5

enum steady_metric { STEADY_IOPS, STEADY_LATENCY };

struct steady {
    enum steady_metric metric;
    double band; /* 0.05 for 5 % */
};

/* "iops:5%", "latency:10%". False when it is neither. */
bool steady_parse(const char *text, struct steady *out);
/* Of the STEADY_INTERVALS newest values, oldest first. */
bool steady_holds(const struct steady *steady, const double values[STEADY_INTERVALS]);

#endif
