#include "checksum/range.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

void key_free(struct key *key)
{
    for (size_t i = 0; i < KEY_COLUMNS_MAX; i++)
        free(key->values[i]);
    *key = (struct key){{NULL}};
}

bool key_copy(struct key *out, const struct key *from)
{
    *out = (struct key){{NULL}};
    bool good = true;
    for (size_t i = 0; i < KEY_COLUMNS_MAX && from->values[i]; i++) {
        out->values[i] = text_copy(from->values[i], strlen(from->values[i]));
        good = good && out->values[i];
    }
    if (!good)
        key_free(out);
    return good;
}

void range_free(struct range *range)
{
    key_free(&range->after);
    key_free(&range->upto);
}

/* ---- conditions ---- */

/* (a,b) > (1,2) as (a>=1 AND (a>1 OR (a=1 AND (b>2)))): servers find the range of an index by that form only. */
static void add_bound(const struct table *table, const struct key *key, char sign, bool inclusive, struct text *out)
{
    size_t last = table->key_count - 1;
    text_add(out, "(");
    if (last > 0)
        text_add(out, "%s%c=%s AND ", table->columns[table->key[0]].name, sign, key->values[0]);
    for (size_t i = 0; i < last; i++) {
        const char *name = table->columns[table->key[i]].name;
        text_add(out, "(%s%c%s OR (%s=%s AND ", name, sign, key->values[i], name, key->values[i]);
    }
    text_add(out, "%s%c%s%s", table->columns[table->key[last]].name, sign, inclusive ? "=" : "", key->values[last]);
    for (size_t i = 0; i < last; i++)
        text_add(out, "))");
    text_add(out, ")");
}

void range_add_condition(const struct table *table, const struct range *range, struct text *out)
{
    if (range->after.values[0]) {
        text_add(out, " WHERE ");
        add_bound(table, &range->after, '>', false, out);
    }
    if (range->upto.values[0]) {
        text_add(out, "%s", range->after.values[0] ? " AND " : " WHERE ");
        add_bound(table, &range->upto, '<', true, out);
    }
}

static void add_from(const struct table *table, const struct range *range, struct text *out)
{
    text_add(out, " FROM %s", table->quoted);
    if (table->key_name)
        text_add(out, " FORCE INDEX (%s)", table->key_name);
    range_add_condition(table, range, out);
}

/* ---- checksums ---- */

struct sum_reader {
    struct sum *sum;
    uint64_t hashed;
    bool found;
};

static bool take_sum(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct sum_reader *reader = context;
    (void)bytes;
    if (columns < 3 || !values[0] || !values[1] || !values[2])
        return false;
    reader->found = true;
    reader->sum->count = strtoull(values[0], NULL, 10);
    reader->hashed = strtoull(values[1], NULL, 10);
    snprintf(reader->sum->checksum, sizeof(reader->sum->checksum), "%s", values[2]);
    return false;
}

/* The inner LIMIT keeps the servers from merging the two SELECTs, which would work out each hash three times. */
bool range_sum(struct host *host, const struct table *table, const struct range *range, struct sum *out,
               struct error *error)
{
    struct text sql = {0};
    struct sum_reader reader = {.sum = out};
    struct db_reply reply;
    uint64_t steps_back = 0;
    *out = (struct sum){.count = 0};
    text_add(
        &sql,
        "SELECT COUNT(*), COUNT(h), "
        "LOWER(CONCAT(LPAD(CONV(BIT_XOR(CAST(CONV(SUBSTR(h,1,16),16,10) AS UNSIGNED)),10,16),16,'0'),"
        "LPAD(CONV(COALESCE(SUM(CAST(CONV(SUBSTR(h,17),16,10) AS UNSIGNED)),0) %% 18446744073709551616,10,16),16,'0')))"
        " FROM (SELECT %s AS h",
        table->row_hash);
    add_from(table, range, &sql);
    text_add(&sql, " LIMIT 18446744073709551615) AS hashes");
    uint64_t start_ns = clock_now_ns(host->setup->clock);
    bool good = host_query(host, &sql, take_sum, &reader, &reply, error);
    out->time_ns = clock_elapsed_ns(start_ns, clock_now_ns(host->setup->clock), &steps_back);
    text_done(&sql);
    if (!good)
        return false;
    return (reader.found && reader.hashed == out->count) ||
           error_set(error, ERR_DATA, "%.200s: %s: some rows have no checksum: raise max_allowed_packet on the server",
                     host->place->name, table->quoted);
}

/* ---- keys of rows ---- */

struct nth_reader {
    struct key *key;
    bool failed;
};

static bool take_nth(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct nth_reader *reader = context;
    for (size_t i = 0; i < columns && i < KEY_COLUMNS_MAX; i++) {
        reader->key->values[i] = values[i] ? text_copy(values[i], bytes[i]) : NULL;
        reader->failed |= !reader->key->values[i];
    }
    return false;
}

bool range_nth(struct host *host, const struct table *table, const struct range *range, uint64_t rows, struct key *out,
               struct error *error)
{
    struct text sql = {0};
    struct nth_reader reader = {.key = out};
    struct db_reply reply;
    *out = (struct key){{NULL}};
    text_add(&sql, "SELECT ");
    for (size_t i = 0; i < table->key_count; i++)
        text_add(&sql, "%s%s", i ? "," : "", table->columns[table->key[i]].literal);
    add_from(table, range, &sql);
    text_add(&sql, " ORDER BY ");
    table_add_key(table, &sql);
    text_add(&sql, " LIMIT %" PRIu64 ",1", rows - 1);
    bool good = host_query(host, &sql, take_nth, &reader, &reply, error) &&
                (!reader.failed || error_set(error, ERR_SYSTEM, "not enough memory"));
    text_done(&sql);
    return good;
}

/* ---- rows ---- */

struct rows_reader {
    struct hashed_rows *rows;
    bool failed;
};

static bool take_row(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct rows_reader *reader = context;
    struct hashed_rows *rows = reader->rows;
    if (!list_grow((void **)&rows->items, &rows->room, rows->count, sizeof(*rows->items)))
        return !(reader->failed = true);
    struct hashed_row *row = &rows->items[rows->count];
    row->key = columns == 2 && values[0] && values[1] ? text_readable(values[0]) : NULL;
    (void)bytes;
    reader->failed |= !row->key;
    if (!row->key)
        return false;
    snprintf(row->hash, sizeof(row->hash), "%s", values[1]);
    rows->count++;
    return true;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct hashed_row *)a)->key, ((const struct hashed_row *)b)->key);
}

bool range_rows(struct host *host, const struct table *table, const struct range *range, struct hashed_rows *out,
                struct error *error)
{
    struct text sql = {0};
    struct rows_reader reader = {.rows = out};
    struct db_reply reply;
    *out = (struct hashed_rows){NULL};
    text_add(&sql, "SELECT ");
    table_add_literals(table, true, &sql);
    text_add(&sql, ",%s", table->row_hash);
    add_from(table, range, &sql);
    bool good = host_query(host, &sql, take_row, &reader, &reply, error) &&
                (!reader.failed || error_set(error, ERR_SYSTEM,
                                             "%.200s: %s: rows could not be read whole: raise "
                                             "max_allowed_packet on the server, or memory is short here",
                                             host->place->name, table->quoted));
    text_done(&sql);
    if (good && out->count > 0)
        qsort(out->items, out->count, sizeof(*out->items), by_key);
    return good;
}

void hashed_rows_free(struct hashed_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->items[i].key);
    free(rows->items);
    *rows = (struct hashed_rows){NULL};
}
