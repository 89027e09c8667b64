#include "checksum/sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Foreign keys are not looked at: a row that is replaced by itself would take its children along. */
static const char session[] =
    "SET SESSION binlog_format='STATEMENT', foreign_key_checks=0, innodb_lock_wait_timeout=10";
static const char shown_session[] =
    "SET SESSION time_zone='+00:00', sql_mode='NO_AUTO_VALUE_ON_ZERO', binlog_format='STATEMENT', foreign_key_checks=0";
static const char isolation[] = "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ"; /* as statements need it */

/* ---- one row ---- */

struct row_now {
    char *values; /* literals; NULL = no such row */
    char hash[40];
    bool found;
};

static bool take_row(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct row_now *row = context;
    (void)bytes;
    row->found = true;
    if (columns == 2 && values[0] && values[1]) {
        row->values = text_readable(values[0]);
        snprintf(row->hash, sizeof(row->hash), "%s", values[1]);
    }
    return false;
}

static void add_where(const struct table *table, const char *key, struct text *out)
{
    text_add(out, " WHERE (");
    table_add_key(table, out);
    text_add(out, ")=(%s)", key);
}

static bool read_row(struct host *source, const struct table *table, const char *key, bool lock, struct row_now *out,
                     struct error *error)
{
    struct text sql = {0};
    struct db_reply reply;
    *out = (struct row_now){.values = NULL};
    text_add(&sql, "SELECT ");
    table_add_literals(table, false, &sql);
    text_add(&sql, ",%s FROM %s", table->row_hash, table->quoted);
    add_where(table, key, &sql);
    text_add(&sql, "%s", lock ? " FOR UPDATE" : "");
    bool good = host_query(source, &sql, take_row, out, &reply, error);
    text_done(&sql);
    return good &&
           (!out->found || out->values ||
            error_set(error, ERR_DATA, "%s: the row %.200s is longer than max_allowed_packet: raise it on the source",
                      table->quoted, key));
}

static void make_statement(const struct table *table, const char *key, const struct row_now *row, struct text *out)
{
    text_clear(out);
    if (row->found) {
        text_add(out, "REPLACE INTO %s (", table->quoted);
        table_add_written(table, out);
        text_add(out, ") VALUES (%s)", row->values);
    } else {
        text_add(out, "DELETE FROM %s", table->quoted);
        add_where(table, key, out);
    }
}

/* ---- showing ---- */

static void show(const struct checksum_setup *setup, const char *sql)
{
    if (setup->statement)
        setup->statement(setup->context, sql);
}

void sync_show_session(const struct checksum_setup *setup)
{
    show(setup, "SET NAMES utf8mb4");
    show(setup, shown_session);
    show(setup, isolation);
}

static void add_use(const struct table *table, struct text *out)
{
    char *name = text_name(table->database);
    text_clear(out);
    text_add(out, "USE %s", name ? name : "");
    out->failed |= !name;
    free(name);
}

bool sync_show(struct host *source, const struct repair *repair, uint64_t *statements, struct error *error)
{
    struct text sql = {0};
    bool good = true;
    add_use(repair->table, &sql);
    if (!sql.failed)
        show(source->setup, sql.text);
    show(source->setup, "BEGIN");
    for (size_t i = 0; good && i < repair->count; i++) {
        struct row_now row;
        good = read_row(source, repair->table, repair->keys[i], false, &row, error);
        if (good) {
            make_statement(repair->table, repair->keys[i], &row, &sql);
            good = !sql.failed || error_set(error, ERR_SYSTEM, "not enough memory");
        }
        if (good)
            show(source->setup, sql.text);
        *statements += good;
        free(row.values);
    }
    show(source->setup, "COMMIT");
    text_done(&sql);
    return good;
}

/* ---- executing ---- */

bool sync_prepare(struct host *source, struct error *error)
{
    return host_do(source, session, error) && host_do(source, isolation, error);
}

static bool refuse_change(const struct table *table, const char *key, const char *what, struct error *error)
{
    return error_set(error, ERR_DATA, "%s: the row (%.200s) %s; what its chunk did was rolled back", table->quoted, key,
                     what);
}

/* The row is locked, and where there is none the gap is, so that nobody can put one there before the DELETE. */
static bool repair_row(struct host *source, const struct table *table, const char *key, struct error *error)
{
    struct text sql = {0};
    struct row_now before = {.values = NULL}, after = {.values = NULL};
    struct db_reply reply = {.affected = 0};
    bool good = read_row(source, table, key, true, &before, error);
    if (good) {
        make_statement(table, key, &before, &sql);
        good = host_query(source, &sql, NULL, NULL, &reply, error);
    }
    good = good && read_row(source, table, key, true, &after, error);
    if (good && (before.found != after.found || strcmp(before.hash, after.hash) != 0))
        good = refuse_change(table, key, "would not have stayed the same on the source", error);
    if (good && !before.found && reply.affected > 0)
        good = refuse_change(table, key, "came to be on the source meanwhile", error);
    free(before.values);
    free(after.values);
    text_done(&sql);
    return good;
}

/* A table without transactions is locked as a whole. */
static bool lock(struct host *source, const struct table *table, bool *locked, struct error *error)
{
    struct text sql = {0};
    struct db_reply reply;
    *locked = strcmp(table->engine, "InnoDB") != 0;
    if (!*locked)
        return host_do(source, "BEGIN", error);
    text_add(&sql, "LOCK TABLES %s WRITE", table->quoted);
    bool good = host_query(source, &sql, NULL, NULL, &reply, error);
    text_done(&sql);
    return good;
}

bool sync_execute(struct host *source, const struct repair *repair, uint64_t *statements, struct error *error)
{
    struct text sql = {0};
    struct db_reply reply;
    struct error ignored = ERROR_INIT;
    bool locked = false;
    add_use(repair->table, &sql); /* a replica that filters by database goes by the one in use */
    bool good = host_query(source, &sql, NULL, NULL, &reply, error) && lock(source, repair->table, &locked, error);
    for (size_t i = 0; good && i < repair->count; i++) {
        good = !atomic_load(source->stopping) || error_set(error, ERR_INTERRUPTED, "interrupted");
        good = good && repair_row(source, repair->table, repair->keys[i], error);
        *statements += good;
    }
    if (good)
        good = host_do(source, "COMMIT", error);
    else
        host_do(source, "ROLLBACK", &ignored);
    if (locked)
        host_do(source, "UNLOCK TABLES", &ignored);
    text_done(&sql);
    return good;
}

/* ---- what cannot be ---- */

static bool take_number(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    (void)bytes;
    if (columns > 0 && values[0])
        *(uint64_t *)context = strtoull(values[0], NULL, 10);
    return false;
}

bool sync_allows(struct host *host, const struct table *table, struct error *error)
{
    struct text sql = {0};
    struct db_reply reply;
    uint64_t triggers = 0;
    if (!table->key_is_primary)
        return error_set(error, ERR_USAGE, "%s: it has no primary key, so its rows cannot be repaired one by one",
                         table->quoted);
    text_add(&sql, "SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA=");
    text_add_literal(&sql, table->database);
    text_add(&sql, " AND EVENT_OBJECT_TABLE=");
    text_add_literal(&sql, table->name);
    bool good = host_query(host, &sql, take_number, &triggers, &reply, error);
    text_done(&sql);
    if (!good || triggers == 0)
        return good;
    return error_set(error, ERR_USAGE,
                     "%s: it has triggers on %.200s, which statements of a sync would fire: repair it by hand",
                     table->quoted, host->place->name);
}
