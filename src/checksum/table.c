#include "checksum/table.h"

#include "db/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* How values of a type become text that stands for them exactly. */
enum form {
    FORM_NUMBER,
    FORM_FLOAT,  /* its text has six digits; as a double it is exact */
    FORM_MEMBER, /* BIT, ENUM, SET: the number behind it */
    FORM_WORD,   /* dates, addresses: nothing in it needs an escape */
    FORM_BYTES,
    FORM_TEXT, /* bytes in the column's character set */
};

static const struct {
    const char *type;
    enum form form;
    bool is_long; /* hashed by its own MD5, so that no text grows beyond max_allowed_packet */
} types[] = {
    {"tinyint", FORM_NUMBER, false},
    {"smallint", FORM_NUMBER, false},
    {"mediumint", FORM_NUMBER, false},
    {"int", FORM_NUMBER, false},
    {"bigint", FORM_NUMBER, false},
    {"decimal", FORM_NUMBER, false},
    {"double", FORM_NUMBER, false},
    {"year", FORM_NUMBER, false},
    {"float", FORM_FLOAT, false},
    {"bit", FORM_MEMBER, false},
    {"enum", FORM_MEMBER, false},
    {"set", FORM_MEMBER, false},
    {"binary", FORM_BYTES, false},
    {"varbinary", FORM_BYTES, false},
    {"tinyblob", FORM_BYTES, true},
    {"blob", FORM_BYTES, true},
    {"mediumblob", FORM_BYTES, true},
    {"longblob", FORM_BYTES, true},
    {"geometry", FORM_BYTES, true},
    {"point", FORM_BYTES, true},
    {"linestring", FORM_BYTES, true},
    {"polygon", FORM_BYTES, true},
    {"multipoint", FORM_BYTES, true},
    {"multilinestring", FORM_BYTES, true},
    {"multipolygon", FORM_BYTES, true},
    {"geometrycollection", FORM_BYTES, true},
    {"geomcollection", FORM_BYTES, true},
    {"vector", FORM_BYTES, true},
    {"char", FORM_TEXT, false},
    {"varchar", FORM_TEXT, false},
    {"tinytext", FORM_TEXT, true},
    {"text", FORM_TEXT, true},
    {"mediumtext", FORM_TEXT, true},
    {"longtext", FORM_TEXT, true},
    {"json", FORM_TEXT, true},
    {"date", FORM_WORD, false},
    {"datetime", FORM_WORD, false},
    {"timestamp", FORM_WORD, false},
    {"time", FORM_WORD, false},
    {"uuid", FORM_WORD, false},
    {"inet4", FORM_WORD, false},
    {"inet6", FORM_WORD, false},
};

/* SQL of the value as bytes: the same bytes wherever the value is the same. */
static void add_bytes(struct text *sql, const char *name, enum form form, bool is_long)
{
    static const char *const formats[] = {[FORM_NUMBER] = "CAST(%s AS BINARY)",
                                          [FORM_FLOAT] = "CAST(%s+0e0 AS BINARY)",
                                          [FORM_MEMBER] = "CAST(CAST(%s AS UNSIGNED) AS BINARY)",
                                          [FORM_WORD] = "CAST(%s AS BINARY)",
                                          [FORM_BYTES] = "CAST(%s AS BINARY)",
                                          [FORM_TEXT] = "CAST(%s AS BINARY)"};
    char text[1024];
    if (is_long)
        snprintf(text, sizeof(text), "MD5(%s)", name);
    else
        snprintf(text, sizeof(text), formats[form],
                 name); // NOLINT(clang-diagnostic-format-nonliteral): a table of ours
    text_add(sql, "CONCAT(LENGTH(%s),':',%s)", text, text);
}

static void add_literal(struct text *sql, const char *name, enum form form, const char *charset)
{
    switch (form) {
    case FORM_NUMBER:
        text_add(sql, "CAST(%s AS CHAR)", name);
        break;
    case FORM_FLOAT:
        text_add(sql, "CAST(%s+0e0 AS CHAR)", name);
        break;
    case FORM_MEMBER:
        text_add(sql, "CAST(CAST(%s AS UNSIGNED) AS CHAR)", name);
        break;
    case FORM_WORD:
        text_add(sql, "CONCAT('''',%s,'''')", name);
        break;
    case FORM_BYTES:
        text_add(sql, "CONCAT('x''',HEX(%s),'''')", name);
        break;
    case FORM_TEXT:
        text_add(sql, "CONCAT('_%s x''',HEX(%s),'''')", charset, name);
        break;
    }
}

/* As information_schema.COLUMNS tells it; NULLs are "". */
struct told {
    const char *name, *type, *full_type, *nullable, *charset, *collation, *extra;
};

/* MySQL 8.0.19 and later show integers without a width, and 8.0 calls utf8 by its new name. */
static char *make_definition(const struct told *told)
{
    struct text sql = {0};
    bool integer = strstr(told->type, "int") && !strstr(told->type, "point");
    const char *collation = told->collation;
    bool old_name = strncmp(collation, "utf8_", 5) == 0;
    if (integer)
        text_add(&sql, "%s%s%s", told->type, strstr(told->full_type, "unsigned") ? " unsigned" : "",
                 strstr(told->full_type, "zerofill") ? " zerofill" : "");
    else
        text_add(&sql, "%s", told->full_type);
    if (told->charset[0])
        text_add(&sql, " %s %s%s", strcmp(told->charset, "utf8") == 0 ? "utf8mb3" : told->charset,
                 old_name ? "utf8mb3_" : "", collation + (old_name ? 5 : 0));
    text_add(&sql, "%s", strcmp(told->nullable, "NO") == 0 ? " not null" : "");
    return sql.text;
}

struct builder {
    struct table *table;
    struct text hash;
    size_t room;
    bool failed;       /* memory */
    char unknown[160]; /* a type that is not known */
};

static void read_form(struct builder *builder, const struct told *told, enum form *form, bool *is_long)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strcmp(types[i].type, told->type) == 0) {
            *form = types[i].form;
            *is_long = types[i].is_long;
            return;
        }
    snprintf(builder->unknown, sizeof(builder->unknown), "%.60s of type %.60s", told->name, told->type);
}

static void add_column(struct builder *builder, const struct told *told)
{
    struct table *table = builder->table;
    struct column *column = &table->columns[table->columns_count++];
    struct text literal = {0};
    enum form form = FORM_BYTES;
    bool is_long = false, nullable = strcmp(told->nullable, "NO") != 0;
    const char *charset = told->charset[0] ? told->charset : "utf8mb4";
    read_form(builder, told, &form, &is_long);
    column->name = text_name(told->name);
    column->definition = make_definition(told);
    column->is_virtual = strstr(told->extra, "VIRTUAL") != NULL;
    column->is_made = column->is_virtual || strstr(told->extra, "STORED") || strstr(told->extra, "PERSISTENT");
    builder->failed |= !column->name || !column->definition;
    if (builder->failed)
        return;
    text_add(&literal, "%s%s%s", nullable ? "IF(ISNULL(" : "", nullable ? column->name : "",
             nullable ? "),'NULL'," : "");
    add_literal(&literal, column->name, form, charset);
    text_add(&literal, "%s", nullable ? ")" : "");
    column->literal = literal.text;
    builder->failed |= literal.failed;
    if (column->is_virtual)
        return;
    text_add(&builder->hash, "%s", builder->hash.bytes ? "," : "MD5(CONCAT(");
    if (nullable)
        text_add(&builder->hash, "IF(ISNULL(%s),'n',", column->name);
    add_bytes(&builder->hash, column->name, form, is_long);
    text_add(&builder->hash, "%s", nullable ? ")" : "");
}

static bool take_column(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct builder *builder = context;
    const char *texts[7];
    (void)bytes;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        texts[i] = i < columns && values[i] ? values[i] : "";
    struct told told = {texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], texts[6]};
    if (builder->table->columns_count == builder->room) {
        size_t room = builder->room * 2 + 16;
        struct column *more = realloc(builder->table->columns, room * sizeof(*more));
        builder->failed |= !more;
        if (!more)
            return false;
        memset(more + builder->room, 0, (room - builder->room) * sizeof(*more));
        builder->table->columns = more;
        builder->room = room;
    }
    add_column(builder, &told);
    return !builder->failed;
}

/* ---- the key ---- */

struct key_reader {
    struct table *table;
    char name[256];
    size_t columns[KEY_COLUMNS_MAX], count;
    bool usable, failed;
};

static size_t find_column(const struct table *table, const char *name)
{
    char *quoted = text_name(name);
    size_t at = 0;
    while (quoted && at < table->columns_count && strcmp(table->columns[at].name, quoted) != 0)
        at++;
    free(quoted);
    return at;
}

/* Keeps the key that was read last if it will do and none is there yet. */
static void end_key(struct key_reader *reader)
{
    struct table *table = reader->table;
    if (table->key_count > 0 || !reader->usable || reader->count == 0)
        return;
    memcpy(table->key, reader->columns, sizeof(table->key));
    table->key_count = reader->count;
    table->key_is_primary = strcmp(reader->name, "PRIMARY") == 0;
    table->key_name = text_name(reader->name);
    reader->failed |= !table->key_name;
}

/* Index, column, "YES" if it may be NULL, length of a prefix. */
static bool take_key_column(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct key_reader *reader = context;
    (void)bytes;
    if (columns < 4 || !values[0])
        return true;
    if (strcmp(values[0], reader->name) != 0) {
        end_key(reader);
        snprintf(reader->name, sizeof(reader->name), "%s", values[0]);
        reader->count = 0;
        reader->usable = true;
    }
    size_t at = values[1] ? find_column(reader->table, values[1]) : reader->table->columns_count;
    if (at == reader->table->columns_count || reader->count == KEY_COLUMNS_MAX || values[3] ||
        (values[2] && strcmp(values[2], "YES") == 0) || reader->table->columns[at].is_made)
        reader->usable = false;
    else
        reader->columns[reader->count++] = at;
    return true;
}

/* ---- all of it ---- */

static bool ask(const struct db_driver *driver, struct db_connection *connection, const struct table *table,
                const char *before, const char *after, db_row *row, void *context, struct db_failure *failure)
{
    struct text sql = {0};
    struct db_reply reply;
    text_add(&sql, "%s WHERE TABLE_SCHEMA=", before);
    text_add_literal(&sql, table->database);
    text_add(&sql, " AND TABLE_NAME=");
    text_add_literal(&sql, table->name);
    text_add(&sql, " %s", after);
    bool good = sql.failed ? db_no_memory(failure)
                           : driver->query(connection, sql.text, sql.bytes, row, context, &reply, failure);
    text_done(&sql);
    return good;
}

static bool read_columns(const struct db_driver *driver, struct db_connection *connection, struct table *table,
                         struct db_failure *failure)
{
    static const struct db_saying unsupported = {.words = "isobench does not know how to read that type"};
    struct builder builder = {.table = table};
    bool good =
        ask(driver, connection, table,
            "SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, CHARACTER_SET_NAME, COLLATION_NAME, EXTRA "
            "FROM information_schema.COLUMNS",
            "ORDER BY ORDINAL_POSITION", take_column, &builder, failure);
    text_add(&builder.hash, "))");
    table->row_hash = builder.hash.text;
    if (!good)
        return false;
    if (builder.failed || builder.hash.failed)
        return db_no_memory(failure);
    if (builder.unknown[0])
        return db_fail(failure, DB_CLASS_FATAL, &unsupported, "column %s", builder.unknown);
    static const struct db_saying hidden = {.words = "no column of it is shown to this user"};
    return table->columns_count > 0 || db_fail(failure, DB_CLASS_FATAL, &hidden, "table %s", table->quoted);
}

static bool read_key(const struct db_driver *driver, struct db_connection *connection, struct table *table,
                     struct db_failure *failure)
{
    struct key_reader reader = {.table = table};
    if (!ask(driver, connection, table,
             "SELECT INDEX_NAME, COLUMN_NAME, NULLABLE, SUB_PART FROM information_schema.STATISTICS",
             "AND NON_UNIQUE=0 AND INDEX_TYPE='BTREE' ORDER BY INDEX_NAME<>'PRIMARY', INDEX_NAME, SEQ_IN_INDEX",
             take_key_column, &reader, failure))
        return false;
    end_key(&reader);
    return !reader.failed || db_no_memory(failure);
}

struct engine {
    char *name;
};

static bool take_engine(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct engine *engine = context;
    if (columns > 0 && values[0] && !engine->name)
        engine->name = text_copy(values[0], bytes[0]);
    return false;
}

static bool read_engine(const struct db_driver *driver, struct db_connection *connection, struct table *table,
                        struct db_failure *failure)
{
    struct engine engine = {NULL};
    if (!ask(driver, connection, table, "SELECT ENGINE FROM information_schema.TABLES", "", take_engine, &engine,
             failure))
        return false;
    table->engine = engine.name ? engine.name : text_copy("?", 1);
    return table->engine || db_no_memory(failure);
}

static bool name_it(struct table *table, const char *database, const char *name)
{
    struct text sql = {0};
    char *quoted_database = text_name(database), *quoted_name = text_name(name);
    table->database = text_copy(database, strlen(database));
    table->name = text_copy(name, strlen(name));
    if (quoted_database && quoted_name)
        text_add(&sql, "%s.%s", quoted_database, quoted_name);
    free(quoted_database);
    free(quoted_name);
    table->quoted = sql.text;
    return table->database && table->name && table->quoted && !sql.failed;
}

bool table_read(const struct db_driver *driver, struct db_connection *connection, const char *database,
                const char *name, struct table *out, struct db_failure *failure)
{
    *out = (struct table){0};
    if (!name_it(out, database, name))
        return db_no_memory(failure);
    return read_engine(driver, connection, out, failure) && read_columns(driver, connection, out, failure) &&
           read_key(driver, connection, out, failure);
}

void table_done(struct table *table)
{
    for (size_t i = 0; i < table->columns_count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].definition);
        free(table->columns[i].literal);
    }
    free(table->columns);
    free(table->database);
    free(table->name);
    free(table->quoted);
    free(table->engine);
    free(table->key_name);
    free(table->row_hash);
    *table = (struct table){0};
}

/* ---- comparing ---- */

static bool same_key(const struct table *a, const struct table *b)
{
    return a->key_count == b->key_count && memcmp(a->key, b->key, a->key_count * sizeof(a->key[0])) == 0;
}

bool table_same_columns(const struct table *source, const struct table *replica, char *note, size_t note_bytes)
{
    size_t most = source->columns_count > replica->columns_count ? source->columns_count : replica->columns_count;
    for (size_t i = 0; i < most; i++) {
        const struct column *a = i < source->columns_count ? &source->columns[i] : NULL;
        const struct column *b = i < replica->columns_count ? &replica->columns[i] : NULL;
        if (a && b && strcmp(a->name, b->name) == 0 && strcmp(a->definition, b->definition) == 0)
            continue;
        snprintf(
            note, note_bytes,
            "the columns differ, so that rows cannot be compared: column %zu is %.60s %.80s on the source and %.60s "
            "%.80s on the replica",
            i + 1, a ? a->name : "absent", a ? a->definition : "", b ? b->name : "absent", b ? b->definition : "");
        return false;
    }
    if (same_key(source, replica))
        return true;
    snprintf(note, note_bytes, "the keys differ: the source reads by %.60s, the replica has %.60s",
             source->key_name ? source->key_name : "none", replica->key_name ? replica->key_name : "none");
    return false;
}

/* ---- SQL ---- */

void table_add_key(const struct table *table, struct text *out)
{
    for (size_t i = 0; i < table->key_count; i++)
        text_add(out, "%s%s", i ? "," : "", table->columns[table->key[i]].name);
}

void table_add_literals(const struct table *table, bool key_only, struct text *out)
{
    size_t count = key_only ? table->key_count : table->columns_count;
    bool first = true;
    text_add(out, "CONCAT(");
    for (size_t i = 0; i < count; i++) {
        const struct column *column = &table->columns[key_only ? table->key[i] : i];
        if (column->is_made)
            continue;
        text_add(out, "%s%s", first ? "" : ",',',", column->literal);
        first = false;
    }
    text_add(out, ")");
}

void table_add_written(const struct table *table, struct text *out)
{
    bool first = true;
    for (size_t i = 0; i < table->columns_count; i++) {
        if (table->columns[i].is_made)
            continue;
        text_add(out, "%s%s", first ? "" : ",", table->columns[i].name);
        first = false;
    }
}
