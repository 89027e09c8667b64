#include "oltp/bulk.h"

#include "oltp/schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_BYTES (2 * SQL_NUMBER_BYTES + 4)
#define PACKET_BYTES (UINT64_C(512) << 10) /* sysbench's */
#define ALL_BYTES (UINT64_C(64) << 20)     /* of all threads */
#define LEAST_BYTES (UINT64_C(16) << 10)

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void table_of(const struct session *session, struct table_name *out)
{
    schema_table(session->plan->job, session->worker->index, out);
}

bool bulk_init(struct bulk *bulk, const struct session *session)
{
    struct table_name table;
    const struct plan *plan = session->plan;
    uint64_t share = ALL_BYTES / plan->job->threads, most = least(PACKET_BYTES, plan->driver->syntax->statement_bytes);
    memset(bulk, 0, sizeof(*bulk));
    bulk->room = (size_t)least(most, share > LEAST_BYTES ? share : LEAST_BYTES);
    bulk->packet = malloc(bulk->room + plan->sql_bytes);
    if (!bulk->packet)
        return false;
    table_of(session, &table);
    bulk->head = bulk->used = sql_write(&plan->sql[STATEMENT_BULK], &table, NULL, bulk->packet);
    return true;
}

void bulk_done(struct bulk *bulk)
{
    free(bulk->packet);
    bulk->packet = NULL;
}

/* ---- what the table has ---- */

static bool take_number(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    int64_t *out = context;
    (void)bytes;
    if (columns > 0 && values[0])
        *out = strtoll(values[0], NULL, 10);
    return true;
}

/* -1 for an empty table. */
static bool last_id(struct session *session, int64_t *out)
{
    char sql[TABLE_NAME_BYTES + 64];
    struct table_name table;
    struct db_reply reply;
    *out = 0; /* sysbench begins with 1 */
    table_of(session, &table);
    int bytes = snprintf(sql, sizeof(sql), "SELECT MAX(id) FROM %s", table.text);
    session->failed = session->plan->slots[STATEMENT_BULK];
    return session->plan->driver->query(session->connection, sql, (size_t)bytes, take_number, out, &reply,
                                        &session->failure);
}

bool bulk_start(struct bulk *bulk, struct session *session)
{
    int64_t last;
    if (!last_id(session, &last))
        return false;
    bulk->next_id = (uint64_t)(last + 1);
    return true;
}

/* ---- rows ---- */

/* Nobody else writes to this thread's table: if the last row of the packet is there, all of it is. */
static bool has_arrived(struct bulk *bulk, struct session *session)
{
    int64_t last;
    bool known = last_id(session, &last);
    return known && last + 1 == (int64_t)bulk->next_id;
}

enum outcome bulk_flush(struct bulk *bulk, struct session *session)
{
    if (bulk->used == bulk->head)
        return OUTCOME_DONE;
    if (!bulk->unsure || !has_arrived(bulk, session)) {
        enum outcome outcome = session_send(session, STATEMENT_BULK, bulk->packet, bulk->used);
        bulk->unsure = outcome == OUTCOME_LOST;
        if (outcome != OUTCOME_DONE)
            return outcome;
    }
    bulk->unsure = false;
    bulk->used = bulk->head;
    return OUTCOME_DONE;
}

enum outcome bulk_add_row(struct bulk *bulk, struct session *session)
{
    if (bulk->used + ROW_BYTES > bulk->room) {
        enum outcome outcome = bulk_flush(bulk, session);
        if (outcome != OUTCOME_DONE)
            return outcome;
    }
    char *at = bulk->packet + bulk->used;
    if (bulk->used > bulk->head)
        *at++ = ',';
    *at++ = '(';
    at += sql_number(bulk->next_id, at);
    *at++ = ',';
    at += sql_number(bulk->next_id++, at);
    *at++ = ')';
    bulk->used = (size_t)(at - bulk->packet);
    session->now_ns = worker_now_ns(session->worker);
    return OUTCOME_DONE;
}
