/* oltp/oltp.h: the database benchmark: make the tables, load them, remove them. The tables and the statements are those
 * of sysbench, so that tables made by either serve both. */
#ifndef OLTP_OLTP_H
#define OLTP_OLTP_H

#include "core/job.h"
#include "core/listener.h"
#include "core/result.h"
#include "core/script.h"
#include "db/db.h"
#include "platform/clock.h"
#include "platform/error.h"

#include <stdbool.h>

/* After Ctrl-C so long is waited for what a server is doing still; then it is left behind. */
#define OLTP_PATIENCE_NS (5 * NS_PER_S)

struct start_place;

struct oltp_setup {
    const struct job *job;           /* checked by job_check (run: job_check_run too) */
    const struct listener *listener; /* members may be NULL, the listener not */
    const struct db_driver *driver;
    const char *password; /* NULL = none */
    const struct clock *clock;
    const struct script *script; /* of workload = "script"; else NULL. It outlives the run. */
    /* With job.verify_replica, once the replicas have all of the load and while a script's schema still stands: are its
     * tables the same there? False with the error that the run then ends with. NULL = the caller does it. */
    bool (*verify)(void *context, struct result *result, struct error *error);
    void *verify_context;
    struct start_place *place; /* among jobs that run together (run/start_line.h); NULL = alone */
};

/* Creates and fills the job's tables with job.threads connections, several tables at a time. A table that is there
 * already is an error, and nothing of it is touched; tables that this call made are dropped again when it fails or
 * Ctrl-C comes. */
bool oltp_prepare(const struct oltp_setup *setup, struct error *error);

/* Reads the tables once, so that the server has them in memory. */
bool oltp_warmup(const struct oltp_setup *setup, struct error *error);

/* Runs the workload. *out is made whenever something was measured, also when it returns false with the error that ended
 * the run; the caller frees it with result_free (but see result->forced in run/run.h). */
bool oltp_run(const struct oltp_setup *setup, struct result **out, struct error *error);

/* Drops the job's tables; one that is not there is no error. */
bool oltp_cleanup(const struct oltp_setup *setup, struct error *error);

#endif
