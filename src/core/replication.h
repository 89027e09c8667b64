/* core/replication.h: what a database run saw of the source's replicas. Part of a result.
 *
 * The lag is measured by heartbeats: isobench commits a growing number on the source and reads it on each replica, all
 * times by its own monotonic clock, so that no server's clock matters. For heartbeat n
 *
 *     delay(n) = end of the first read on the replica that shows n or later − return of the commit of n on the source
 *
 * (0 where the replica shows it before the source's answer came). The lag at a moment is the delay of the newest
 * heartbeat that has arrived or, if that is more, the age of the oldest that has not: the time since its commit. */
#ifndef CORE_REPLICATION_H
#define CORE_REPLICATION_H

#include "core/histogram.h"
#include "core/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct server_facts;

/* One replica in one interval of the series. */
struct replica_interval {
    uint64_t start_ns, end_ns; /* as in the series */
    uint64_t lag_ns;           /* at its end */
    uint64_t lag_max_ns;       /* the most that was seen in it */
    uint64_t heartbeats;       /* that arrived in it */
    uint64_t behind_s;         /* the server's own Seconds_Behind, as last asked */
    bool behind_known;         /* it said a number */
    bool reachable, receives, applies;
};

struct replica_row {
    char name[TEXT_MAX]; /* for people: "10.0.0.6:3307" */
    char channel[64];    /* of several sources: which */
    bool is_direct;      /* it follows the source itself, not through another server */
    bool by_gtid;        /* … by GTIDs, not by positions in the log */
    struct server_facts *server;
    struct histogram delay;       /* of the heartbeats of the measured part that arrived */
    uint64_t heartbeats, missing; /* of the measured part: that arrived, and that did not */
    uint64_t lag_max_ns;
    uint64_t behind_max_s;
    bool caught_up;       /* all of the load was there in the end */
    uint64_t catch_up_ns; /* from the end of the load until then, or until isobench waited no more */
    uint64_t stops;       /* times that a thread of the replica was seen to stop */
    uint64_t losses;      /* times that the replica did not answer */
    char trouble[512];    /* the last that it said of either; "" = none */
    struct replica_interval *series;
    size_t series_count, series_room;
};

/* One rate that --find-lag-knee tried. */
struct knee_step {
    double rate, reached; /* asked for, and done: transactions/s */
    double slope;         /* of the lag: seconds per second, of the replica where it is greatest */
    uint64_t lag_end_ns;
    bool falls_behind;
};
#define KNEE_STEPS_MAX 40

struct lag_knee {
    double keeps_up;     /* the highest rate at which all replicas kept up, as reached; 0 = none did */
    double falls_behind; /* the lowest at which one did not; 0 = none was found */
    struct knee_step steps[KNEE_STEPS_MAX];
    size_t steps_count;
};

/* One table on one replica that is not as on the source. */
struct replica_finding {
    char table[NAME_MAX_BYTES], replica[256], verdict[32], note[512];
    uint64_t rows; /* that differ, where they could be told */
};
#define REPLICA_FINDINGS_MAX 16

/* What came of job.verify_replica. */
struct replica_check {
    /* "same", "differ", "unknown"; "nothing" = all are of an engine that keeps no rows; "" = not asked for, or not come
     * to */
    char verdict[16];
    uint64_t tables, chunks, rows;
    uint64_t compared_rows; /* on the source */
    uint64_t blackholes;    /* of the tables, those of the source's engine BLACKHOLE, which keeps no rows */
    struct replica_finding findings[REPLICA_FINDINGS_MAX];
    size_t findings_count; /* the first ones */
};

struct replication {
    uint64_t heartbeats;      /* committed in the measured part */
    uint64_t late;            /* of these, begun later than they were due by more than a heartbeat */
    uint64_t failed;          /* not committed: the source refused or was lost */
    char trouble[512];        /* why the last one failed */
    struct replica_row *rows; /* in the order of job.replica */
    size_t rows_count;
    struct lag_knee knee;
    struct replica_check check;
};

/* All zero but for its rows. NULL when memory is short. */
struct replication *replication_make(size_t replicas);
void replication_free(struct replication *replication); /* NULL is fine */
/* Adds one to the row's series. False when memory is short. */
bool replica_row_add(struct replica_row *row, const struct replica_interval *interval);

#endif
