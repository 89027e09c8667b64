/* oltp/lane.h: the loop of one thread: take the next event, send its statements, try again where the server asks for
 * it, record. */
#ifndef OLTP_LANE_H
#define OLTP_LANE_H

#include "oltp/failures.h"
#include "oltp/oltp.h"
#include "oltp/session.h"
#include "oltp/stage.h"
#include "oltp/workload.h"
#include "run/run.h"

struct replicas;

/* One run, shared by its threads. */
struct oltp {
    struct oltp_setup setup;
    const struct job *job; /* the result's: its seed is drawn */
    struct plan plan;
    struct failures failures;
    struct stage stage; /* of a script */
    struct mutex *doors[DOORS];
    struct replicas *replicas; /* oltp/replicas.h; NULL = none is looked at */
};

/* Its context is a struct oltp; the statements are the plan's. */
struct load lane_load(struct oltp *oltp);

#endif
