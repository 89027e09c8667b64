/* table.c: the table of a step, in each database's SQL. Its comment says that isobench made it. */
#include "load/inner.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MARK "made by isobench load"
#define VARCHAR_MAX 16383        /* characters of 4 bytes in a row of 65535 bytes */
#define VARCHARS_BYTES_MAX 60000 /* all of a row */

struct sql {
    char *out;
    size_t room, used;
};

static void put(struct sql *sql, const char *format, ...) PRINTF_LIKE(2, 3);

static void put(struct sql *sql, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int bytes = vsnprintf(sql->out + sql->used, sql->room - sql->used, format, list);
    va_end(list);
    sql->used += bytes < 0 ? sql->room : (size_t)bytes;
    if (sql->used >= sql->room)
        sql->used = sql->room - 1; /* full: seen by whoever asks for its room */
}

static bool fits(const struct sql *sql, struct error *error)
{
    return sql->used < sql->room - 1 ||
           error_set(error, ERR_USAGE, "the table's definition is longer than %zu bytes: give shorter names",
                     sql->room);
}

static void put_name(struct sql *sql, const struct load *load, const char *name)
{
    char quote = load_is(load, "mysql") ? '`' : '"';
    put(sql, "%c", quote);
    for (; *name; name++) {
        if (*name == quote)
            put(sql, "%c", quote);
        put(sql, "%c", *name);
    }
    put(sql, "%c", quote);
}

/* ---- is it there, and whose is it ---- */

/* A kind and a mark, one value: "t made by …". The kind of a table is t. */
static const char *look_sql(const struct load *load)
{
    if (load_is(load, "mysql"))
        return "SELECT CONCAT(IF(TABLE_TYPE = 'BASE TABLE', 't ', 'x '), COALESCE(TABLE_COMMENT, '')) FROM "
               "information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '%s'";
    if (load_is(load, "pgsql"))
        return "SELECT CASE relkind WHEN 'r' THEN 't ' ELSE 'x ' END || COALESCE(obj_description(oid, 'pg_class'), '') "
               "FROM pg_class WHERE oid = to_regclass('%s')";
    return "SELECT CASE type WHEN 'table' THEN 't ' ELSE 'x ' END || CASE WHEN sql LIKE '%%/* " MARK
           " */%%' THEN '" MARK "' ELSE '' END FROM sqlite_master WHERE lower(name) = lower('%s')";
}

static bool look(struct load *load, char found[LOAD_VALUE_BYTES], struct error *error)
{
    char sql[1024];
    snprintf(sql, sizeof(sql), look_sql(load), load->setup->table);
    return load_ask(load, sql, found, error);
}

bool table_refuse(struct load *load, struct error *error)
{
    char found[LOAD_VALUE_BYTES];
    const struct load_setup *setup = load->setup;
    if (!look(load, found, error))
        return false;
    if (found[0] == '\0' || strncmp(found, "t " MARK, strlen("t " MARK)) == 0)
        return true;
    if (found[0] != 't')
        return error_set(error, ERR_USAGE, "%s is there and is no table: choose another --table", setup->table);
    return strcmp(setup->replaced, setup->table) == 0 ||
           error_set(error, ERR_USAGE,
                     "table %s is there, and isobench did not make it: it was left alone. Choose another --table, or "
                     "let it be dropped with all its rows by --replace=%s",
                     setup->table, setup->table);
}

bool table_drop(struct load *load, struct error *error)
{
    char sql[128];
    snprintf(sql, sizeof(sql), "DROP TABLE IF EXISTS %s", load->setup->table);
    return load_query(load, sql, NULL, NULL, error);
}

/* ---- how it is made ---- */

/* With VARCHARs as long as their texts a row could become too long; then all texts are LONGTEXT. */
static bool has_long_texts(const struct rows *rows)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < rows->columns_count; i++)
        bytes += rows->columns[i].is_integer ? 8 : 4 * rows->columns[i].characters + 2;
    return bytes > VARCHARS_BYTES_MAX;
}

static void put_type(struct sql *sql, const struct load *load, const struct rows_column *column)
{
    uint64_t characters = column->characters ? column->characters : 1;
    if (column->is_integer)
        put(sql, " BIGINT");
    else if (!load_is(load, "mysql"))
        put(sql, " TEXT");
    else if (has_long_texts(&load->rows) || characters > VARCHAR_MAX)
        put(sql, " LONGTEXT");
    else
        put(sql, " VARCHAR(%" PRIu64 ")", characters);
    if (!column->has_null)
        put(sql, " NOT NULL");
}

static void put_columns(struct sql *sql, const struct load *load)
{
    const struct rows *rows = &load->rows;
    if (load->setup->columns[0]) {
        put(sql, "%s", load->setup->columns);
        return;
    }
    for (size_t i = 0; i < rows->columns_count; i++) {
        put(sql, "%s", i ? ", " : "");
        put_name(sql, load, rows->columns[i].name);
        put_type(sql, load, &rows->columns[i]);
    }
    if (!rows->source.path)
        put(sql, ", PRIMARY KEY (id)%s", load_is(load, "mysql") ? ", KEY k (k)" : "");
}

bool table_describe(struct load *load, const char *engine, struct error *error)
{
    struct sql sql = {load->created, sizeof(load->created), 0};
    put(&sql, "CREATE TABLE %s (%s", load->setup->table, load_is(load, "sqlite") ? "/* " MARK " */ " : "");
    put_columns(&sql, load);
    put(&sql, ")");
    if (load_is(load, "mysql"))
        put(&sql, " ENGINE=%s DEFAULT CHARSET=utf8mb4 COMMENT='" MARK "'", engine);
    return fits(&sql, error);
}

static bool make_index(struct load *load, struct error *error)
{
    char sql[256];
    if (load->rows.source.path || load->setup->columns[0] || load_is(load, "mysql"))
        return true;
    snprintf(sql, sizeof(sql), "CREATE INDEX %s_k ON %s (k)", load->setup->table, load->setup->table);
    return load_query(load, sql, NULL, NULL, error);
}

static bool mark_table(struct load *load, struct error *error)
{
    char sql[256];
    if (!load_is(load, "pgsql"))
        return true;
    snprintf(sql, sizeof(sql), "COMMENT ON TABLE %s IS '" MARK "'", load->setup->table);
    return load_query(load, sql, NULL, NULL, error);
}

bool table_make(struct load *load, struct error *error)
{
    bool in_one = load_is(load, "pgsql"); /* never without its mark */
    if ((in_one && !load_query(load, "BEGIN", NULL, NULL, error)) ||
        !load_query(load, load->created, NULL, NULL, error) || !mark_table(load, error) || !make_index(load, error) ||
        (in_one && !load_query(load, "COMMIT", NULL, NULL, error)))
        return false;
    return table_note_columns(load, error);
}

/* ---- its columns ---- */

struct names {
    struct sql sql;
    const struct load *load;
    size_t count;
};

static bool take_name(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct names *names = context;
    (void)bytes;
    if (columns == 0 || !values[0])
        return true;
    put(&names->sql, "%s", names->count++ ? ", " : "");
    put_name(&names->sql, names->load, values[0]);
    return true;
}

static const char *columns_sql(const struct load *load)
{
    if (load_is(load, "sqlite"))
        return "SELECT name FROM pragma_table_info('%s') ORDER BY cid";
    return load_is(load, "mysql")
               ? "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() "
                 "AND TABLE_NAME = '%s' ORDER BY ORDINAL_POSITION"
               : "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('%s') AND attnum > 0 "
                 "AND NOT attisdropped ORDER BY attnum";
}

/* The file's own names if it has them, else all of the table's. */
bool table_note_columns(struct load *load, struct error *error)
{
    const struct rows *rows = &load->rows;
    char sql[512];
    struct names names = {{load->columns, sizeof(load->columns), 0}, load, 0};
    if (rows->source.has_header || !load->setup->columns[0]) {
        for (size_t i = 0; i < rows->columns_count; i++)
            take_name(&names, 1, (const char *const[]){rows->columns[i].name}, NULL);
        return fits(&names.sql, error);
    }
    snprintf(sql, sizeof(sql), columns_sql(load), load->setup->table);
    if (!load_query(load, sql, take_name, &names, error) || !fits(&names.sql, error))
        return false;
    return names.count == rows->columns_count ||
           error_set(error, ERR_USAGE,
                     "--columns: the table has %zu columns and the rows have %zu values: name those that they are for "
                     "in the file's first line (--header)",
                     names.count, rows->columns_count);
}
