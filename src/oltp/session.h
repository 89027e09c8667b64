/* oltp/session.h: one thread's connection with its statements: opened, used, lost and opened anew. */
#ifndef OLTP_SESSION_H
#define OLTP_SESSION_H

#include "db/db.h"
#include "oltp/workload.h"
#include "platform/thread.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What came of a statement, or of a whole transaction. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_AGAIN, /* a conflict: from the transaction's start */
    OUTCOME_LOST,  /* the connection is gone */
    OUTCOME_FATAL,
    OUTCOME_OVER, /* the run ended before it was done */
};

/* So many connections are opened at a time: a server's queue of newcomers is short. */
#define DOORS 16

struct session {
    const struct plan *plan;
    struct worker *worker;
    const char *password;
    struct db_connection *connection;
    struct db_statement **statements; /* [slot × tables + table]; of prepared ones */
    struct db_failure failure;        /* the last one */
    size_t failed;                    /* the slot of the statement that it befell */
    char *text;                       /* a statement as text */
    size_t text_room;
    uint64_t now_ns; /* the last clock reading */
    bool measured;   /* does what is done now belong to the measured part? */
};

bool session_init(struct session *session, const struct plan *plan, struct worker *worker, const char *password);
void session_done(struct session *session); /* closes it too; all zero is fine */

/* Connects and prepares the statements. False with session.failure. */
bool session_open(struct session *session, struct mutex *door /* NULL = none to wait at */);
void session_close(struct session *session);

/* Closes it and opens it anew, at once or (after a loss) with pauses until job.reconnect_on_loss has passed; the sample
 * is CLASS_CONNECT's. Not OUTCOME_DONE: OVER when the run has ended meanwhile, LOST or FATAL with session.failure. */
enum outcome session_reopen(struct session *session);

/* Sends one statement with the values given, takes its whole answer, and counts it. */
enum outcome session_execute(struct session *session, enum statement_kind kind, uint64_t table,
                             const struct db_value *values, size_t count);
/* The same by a slot of the plan, as a script's statements have no kind; of a script that is prepared. */
enum outcome session_execute_slot(struct session *session, size_t slot, const struct db_value *values, size_t count);
/* The same for `bytes` of text that stands in `sql`. */
enum outcome session_send_slot(struct session *session, size_t slot, const char *sql, size_t bytes);
enum outcome session_send(struct session *session, enum statement_kind kind, const char *sql, size_t bytes);

#endif
