/* oltp/workload.h: what a transaction does, as tables: the kinds of statements, and for each workload which of them it
 * sends, how often and in which order. A plan is that for one job, worked out before the run. */
#ifndef OLTP_WORKLOAD_H
#define OLTP_WORKLOAD_H

#include "core/job.h"
#include "core/random.h"
#include "core/result.h"
#include "core/script.h"
#include "db/db.h"
#include "oltp/sql.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum statement_kind {
    STATEMENT_BEGIN,
    STATEMENT_POINT_SELECT,
    STATEMENT_SIMPLE_RANGE,
    STATEMENT_SUM_RANGE,
    STATEMENT_ORDER_RANGE,
    STATEMENT_DISTINCT_RANGE,
    STATEMENT_INDEX_UPDATE,
    STATEMENT_NON_INDEX_UPDATE,
    STATEMENT_DELETE,
    STATEMENT_INSERT, /* the row that was deleted, with a new content */
    STATEMENT_COMMIT,
    STATEMENT_ROLLBACK,   /* before a transaction is tried again */
    STATEMENT_NEW_ROW,    /* oltp_insert with ids of the server */
    STATEMENT_NEW_ROW_ID, /* … with ids of isobench */
    STATEMENT_RANDOM_POINTS,
    STATEMENT_RANDOM_RANGES,
    STATEMENT_BULK, /* many rows at once */
    STATEMENT_KINDS
};

#define STEPS_MAX 8
#define NO_SLOT UINT8_MAX

struct step { /* its statements have one table, so many times one after the other */
    enum statement_kind first, second;
    bool is_pair;
    uint64_t count;
};

struct plan {
    const struct job *job;
    const struct db_driver *driver;
    const struct script *script; /* what is sent instead of steps; NULL = none */
    bool transaction;            /* between BEGIN and COMMIT */
    bool writes, bulk, prepared;
    struct step steps[STEPS_MAX];
    size_t steps_count;
    uint64_t tables;                          /* that events are dealt over; of bulk_insert 1, the thread's own */
    struct picker rows;                       /* ids − 1 */
    struct sql_template sql[STATEMENT_KINDS]; /* of the kinds that are used */
    uint8_t slots[STATEMENT_KINDS];           /* their places among the statements of the result; NO_SLOT = not used */
    enum statement_kind kinds[STATEMENT_KINDS]; /* by slot */
    const char *names[STATEMENTS_MAX];
    size_t slots_count;
    size_t values_max; /* of one statement */
    size_t sql_bytes;  /* room for any statement as text */
};

/* False when the job's workload is unknown or memory is short. */
bool plan_make(struct plan *plan, const struct job *job, const struct db_driver *driver, struct error *error);
/* The same for a job whose statements come with it. A slot of the result is one of the script's kinds. */
void plan_of_script(struct plan *plan, const struct job *job, const struct db_driver *driver,
                    const struct script *script);
void plan_done(struct plan *plan); /* all zero is fine */
/* Statements with a table that each connection prepares. */
uint64_t plan_prepares(const struct plan *plan);

/* What one thread draws values from, and into. */
struct draw {
    const struct plan *plan;
    struct random *random;
    uint64_t thread;
    struct picker part; /* select_random_…: k − part_low within this thread's part of the rows */
    uint64_t part_low;
    uint64_t unique_next, unique_mask; /* oltp_insert without auto_inc */
    struct db_value *values;           /* plan.values_max */
    char c[C_BYTES], pad[PAD_BYTES];
};

bool draw_init(struct draw *draw, const struct plan *plan, struct random *random, uint64_t thread);
void draw_done(struct draw *draw); /* all zero is fine */

/* Fills draw.values for one statement; how many. The second of a pair has the row of the first. */
size_t draw_values(struct draw *draw, enum statement_kind kind);

static inline uint64_t draw_table(struct draw *draw)
{
    return draw->plan->tables > 1 ? random_below(draw->random, draw->plan->tables) : 0;
}

#endif
