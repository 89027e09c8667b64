/* proof.c: every row is in the table once, and how much room they take. */
#include "load/inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_ROWS 1024   /* read between two looks for Ctrl-C */
#define FETCH_ROWS 10000 /* that a client library holds at a time */

static bool ask_number(struct load *load, const char *sql, uint64_t *out, struct error *error)
{
    char text[LOAD_VALUE_BYTES];
    if (!load_ask(load, sql, text, error))
        return false;
    *out = strtoull(text, NULL, 10);
    return true;
}

/* ---- rows ---- */

struct reading_back {
    struct load *load;
    struct form_sum sum;
    char *buffer;
    size_t room;
    bool failed;
};

static bool take_row(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct reading_back *back = context;
    struct db_value row[ROWS_COLUMNS_MAX];
    for (size_t i = 0; i < columns; i++)
        row[i] = (struct db_value){values[i] ? DB_VALUE_TEXT : DB_VALUE_NULL, 0, values[i], values[i] ? bytes[i] : 0};
    size_t room = form_room(row, columns);
    if (room > back->room) {
        char *buffer = realloc(back->buffer, 2 * room);
        back->failed |= !buffer;
        if (!buffer)
            return false;
        back->buffer = buffer;
        back->room = 2 * room;
    }
    form_add(&back->sum, row, columns, back->load->rows.source.loose, back->buffer);
    return back->sum.rows % LOOK_ROWS != 0 || stop_goes_on(&back->load->stop);
}

/* Some client libraries hold a whole answer in memory: those are given it in pieces. */
static bool read_in_pieces(struct reading_back *back, const char *select, struct error *error)
{
    char sql[LOAD_SQL_BYTES + 64], fetch[64];
    uint64_t before = UINT64_MAX;
    snprintf(sql, sizeof(sql), "DECLARE isobench_rows NO SCROLL CURSOR FOR %s", select);
    snprintf(fetch, sizeof(fetch), "FETCH FORWARD %d FROM isobench_rows", FETCH_ROWS);
    bool good = load_query(back->load, "BEGIN", NULL, NULL, error) && load_query(back->load, sql, NULL, NULL, error);
    while (good && before != back->sum.rows && !back->failed && !back->load->stop.interrupted) {
        before = back->sum.rows;
        good = load_query(back->load, fetch, take_row, back, error);
    }
    return good && load_query(back->load, "COMMIT", NULL, NULL, error);
}

static bool read_back(struct load *load, struct form_sum *out, struct error *error)
{
    struct reading_back back = {.load = load};
    char sql[LOAD_SQL_BYTES];
    snprintf(sql, sizeof(sql), "SELECT %s FROM %s", load->columns, load->setup->table);
    bool good = load->driver->syntax->holds_answers ? read_in_pieces(&back, sql, error)
                                                    : load_query(load, sql, take_row, &back, error);
    free(back.buffer);
    *out = back.sum;
    if (good && back.failed)
        return error_set(error, ERR_SYSTEM, "not enough memory to read the rows back");
    return good && (!load->stop.interrupted || error_set(error, ERR_INTERRUPTED, "interrupted"));
}

static bool check_count(struct load *load, uint64_t wanted, const char *why, struct error *error)
{
    char sql[128];
    uint64_t found = 0;
    snprintf(sql, sizeof(sql), "SELECT COUNT(*) FROM %s", load->setup->table);
    return ask_number(load, sql, &found, error) &&
           (found == wanted ||
            error_set(error, ERR_DATA, "table %s has %" PRIu64 " rows after the load, and not %" PRIu64 "%s",
                      load->setup->table, found, wanted, why));
}

static bool check_sum(struct load *load, struct error *error)
{
    struct form_sum found;
    const struct rows *rows = &load->rows;
    if (!read_back(load, &found, error))
        return false;
    return form_same(&rows->sum, &found) ||
           error_set(
               error, ERR_DATA, "table %s has the %" PRIu64 " rows, but their values are not those that were sent%s",
               load->setup->table, rows->sum.rows,
               load->setup->columns[0] ? ": were they changed, or does a type of --columns write them in another way "
                                         "(--verify=count counts them only)?"
                                       : "");
}

bool proof_take(struct load *load, struct result *result, struct error *error)
{
    char *out = result->load.verified;
    if (strcmp(result->job.table_engine, "BLACKHOLE") == 0) {
        snprintf(out, sizeof(result->load.verified), "nothing: it keeps no row");
        return check_count(load, 0, ": a black hole keeps none", error);
    }
    snprintf(out, sizeof(result->load.verified), load->setup->only_counts ? "count" : "count, checksum");
    return check_count(load, load->rows.sum.rows, "", error) && (load->setup->only_counts || check_sum(load, error));
}

/* ---- room ---- */

/* The file's length where the user may see it (PROCESS); else the pages of data and index. */
static bool mysql_size(struct load *load, struct result *result, struct error *error)
{
    static const char *const files[] = {"INNODB_SYS_TABLESPACES", "INNODB_TABLESPACES"};
    const char *table = load->setup->table;
    struct error ignored = ERROR_INIT;
    char sql[512];
    uint64_t data = 0, file = 0;
    load_query(load, "SET SESSION information_schema_stats_expiry = 0", NULL, NULL, &ignored); /* MySQL 8 alone */
    snprintf(sql, sizeof(sql), "ANALYZE TABLE %s", table);
    if (!load_query(load, sql, NULL, NULL, error))
        return false;
    snprintf(sql, sizeof(sql),
             "SELECT INDEX_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '%s'",
             table);
    if (!ask_number(load, sql, &result->load.index_bytes, error))
        return false;
    snprintf(sql, sizeof(sql),
             "SELECT DATA_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '%s'",
             table);
    if (!ask_number(load, sql, &data, error))
        return false;
    for (size_t i = 0; file == 0 && strcmp(result->job.table_engine, "InnoDB") == 0 && i < COUNT_OF(files); i++) {
        struct error unseen = ERROR_INIT;
        snprintf(sql, sizeof(sql), "SELECT FILE_SIZE FROM information_schema.%s WHERE NAME = CONCAT(DATABASE(), '/%s')",
                 files[i], table);
        ask_number(load, sql, &file, &unseen);
    }
    result->load.index_known = true;
    result->load.disk_bytes = file ? file : data + result->load.index_bytes;
    return true;
}

static bool pgsql_size(struct load *load, struct result *result, struct error *error)
{
    char sql[256];
    snprintf(sql, sizeof(sql), "SELECT pg_total_relation_size(to_regclass('%s'))", load->setup->table);
    if (!ask_number(load, sql, &result->load.disk_bytes, error))
        return false;
    snprintf(sql, sizeof(sql), "SELECT pg_indexes_size(to_regclass('%s'))", load->setup->table);
    return result->load.index_known = ask_number(load, sql, &result->load.index_bytes, error);
}

static bool sqlite_pages(struct load *load, uint64_t *out, struct error *error)
{
    return ask_number(load, "SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count", out,
                      error);
}

bool proof_before(struct load *load, struct error *error)
{
    return !load_is(load, "sqlite") || sqlite_pages(load, &load->pages_before, error);
}

/* Pages that are in use now and were not before. What of it is index only some builds of SQLite tell (dbstat). */
static bool sqlite_size(struct load *load, struct result *result, struct error *error)
{
    struct error untold = ERROR_INIT;
    uint64_t pages = 0, page_bytes = 0;
    char sql[256];
    if (!sqlite_pages(load, &pages, error) || !ask_number(load, "PRAGMA page_size", &page_bytes, error))
        return false;
    result->load.disk_bytes = (pages > load->pages_before ? pages - load->pages_before : 0) * page_bytes;
    snprintf(sql, sizeof(sql),
             "SELECT COALESCE(SUM(pgsize), 0) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE type = "
             "'index' AND tbl_name = '%s')",
             load->setup->table);
    result->load.index_known = ask_number(load, sql, &result->load.index_bytes, &untold);
    return true;
}

bool proof_size(struct load *load, struct result *result, struct error *error)
{
    if (load_is(load, "mysql"))
        return mysql_size(load, result, error);
    return load_is(load, "pgsql") ? pgsql_size(load, result, error) : sqlite_size(load, result, error);
}
