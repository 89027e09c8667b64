/* oltp/knee.h: at which rate does a replica begin to fall behind? Runs in open loop at one rate after the other, each
 * for job.time, and bisects between one at which all replicas keep up and one at which one does not.
 *
 * A replica that applies c transactions per second while r > c are committed falls behind by 1 − c / r seconds each
 * second, for as long as that lasts: its lag has a slope, where a pause of any kind is a spike. The slope is the median
 * of the slopes between every two intervals of a step (Theil 1950, Sen 1968: "Estimates of the regression coefficient
 * based on Kendall's tau"), which a spike in less than 29 % of the intervals does not move. A replica falls behind when
 * it is at least KNEE_SLOPE and the lag has grown by at least KNEE_HEARTBEATS heartbeats by it: what the lag is seen
 * with. */
#ifndef OLTP_KNEE_H
#define OLTP_KNEE_H

#include "oltp/oltp.h"

#define KNEE_SLOPE 0.02 /* seconds per second: 2 % more than it can apply */
#define KNEE_HEARTBEATS 3

/* Seconds per second; 0 of less than two intervals. Of long series every n-th interval counts. */
double lag_slope(const struct replica_interval *series, size_t count);
/* `slope`: set to the above. */
bool lag_grows(const struct replica_interval *series, size_t count, uint64_t heartbeat_ns, double *slope);

struct knee_search { /* all zero but for the first three */
    double low, high, precision;
    double keeps_up, falls_behind; /* so far: as asked for, or as reached where that was less; 0 = none */
    bool done;
};
/* The next rate to try; 0 = the search is over. */
double knee_next(const struct knee_search *search);
void knee_take(struct knee_search *search, const struct knee_step *step);

/* As oltp_run, but for many runs: *out is that of the highest rate at which all kept up (of none: the lowest rate's),
 * and its replication.knee has all steps; after a failure it is the run that failed. */
bool knee_run(const struct oltp_setup *setup, struct result **out, struct error *error);

#endif
