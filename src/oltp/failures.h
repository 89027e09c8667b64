/* oltp/failures.h: transactions that failed and were counted (on_error = count), or that ended the run, by kind of
 * failure. */
#ifndef OLTP_FAILURES_H
#define OLTP_FAILURES_H

#include "core/result.h"
#include "db/db.h"
#include "platform/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct failures {
    struct mutex *mutex;
    struct fault rows[FAULTS_MAX];
    size_t count;
    uint64_t total; /* those of kinds that have no row any more too */
};

bool failures_init(struct failures *failures); /* false when memory is short */
void failures_done(struct failures *failures); /* all zero is fine */

/* From any thread; takes a lock, which no transaction that goes well does. `statement`: its kind's name. */
void failures_note(struct failures *failures, const struct db_failure *failure, const char *statement);

#endif
