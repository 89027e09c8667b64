/* mysqlslap_sql.c: the statements: cut from texts, or generated. */
#include "dialects/mysqlslap.h"

#include "core/random.h"
#include "core/sql_cut.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define TABLE "t1"
#define CHAR_BYTES 126            /* of the 128 that a column takes */
#define COLUMN_BYTES 200          /* the longest that one column adds to any statement */
#define DATA_SEED UINT64_C(19680) /* rows and statements are the same in each run, as mysqlslap's are */
#define PRINTED_KEY "00000000-0000-0000-0000-000000000000"

/* ---- lists ---- */

static void free_list(struct script_list *list)
{
    free(list->items);
    *list = (struct script_list){0};
}

void slap_sql_done(struct slap_sql *sql)
{
    struct script *script = &sql->script;
    struct script_list *lists[] = {&script->greeting, &script->create, &script->load,
                                   &script->before,   &script->after,  &script->queries};
    for (size_t i = 0; i < COUNT_OF(lists); ++i)
        free_list(lists[i]);
    text_pool_done(&sql->texts);
}

/* Room grows at powers of two: a list's count says how much it has. */
bool slap_add(struct script_list *list, char *text)
{
    if (!text)
        return false;
    if ((list->count & (list->count - 1)) == 0) {
        size_t room = list->count ? 2 * list->count : 1;
        struct script_statement *more = realloc(list->items, room * sizeof(*more));
        if (!more)
            return false;
        list->items = more;
    }
    list->items[list->count++] = (struct script_statement){.sql = text};
    return true;
}

bool slap_cut_text(struct slap_sql *sql, struct script_list *list, const char *text, const char *delimiter)
{
    const struct sql_rules rules = {delimiter, true};
    struct sql_span span;
    while (sql_cut_next(&text, &rules, &span))
        if (!slap_add(list, text_pool_copy(&sql->texts, span.text, span.bytes)))
            return false;
    return true;
}

/* ---- engines ---- */

/* Any letter case, and any space between the words. */
static bool creates_table(const char *text)
{
    static const char *const words[] = {"create", "table"};
    for (size_t w = 0; w < COUNT_OF(words); ++w) {
        for (const char *letter = words[w]; *letter; ++letter, ++text)
            if ((*text | 0x20) != *letter)
                return false;
        if (*text == '\0' || !strchr(" \t\r\n`", *text))
            return false;
        text += strspn(text, " \t\r\n");
    }
    return true;
}

static char *with_engine(struct slap_sql *sql, const char *text, const char *engine)
{
    size_t bytes = strlen(text), name = strcspn(engine, ":");
    while (bytes > 0 && strchr("; \t\r\n", text[bytes - 1]))
        --bytes;
    size_t room = bytes + strlen(engine) + sizeof(" Engine =  ");
    char *out = malloc(room);
    if (out)
        snprintf(out, room, "%.*s Engine = %.*s%s%s", (int)bytes, text, (int)name, engine, engine[name] ? " " : "",
                 engine[name] ? engine + name + 1 : "");
    return text_pool_keep(&sql->texts, out);
}

bool slap_add_engine(struct slap_sql *sql, const struct script_list *create, const char *engine,
                     struct script_list *out)
{
    for (size_t i = 0; i < create->count; ++i) {
        char *text = (char *)(uintptr_t)create->items[i].sql;
        if (!slap_add(out, creates_table(text) ? with_engine(sql, text, engine) : text))
            return false;
    }
    return true;
}

/* ---- generating ---- */

static uint32_t kind_of(struct script *script, const char *name)
{
    for (uint32_t i = 0; i < script->kinds_count; ++i)
        if (strcmp(script->kinds[i], name) == 0)
            return i;
    script->kinds[script->kinds_count] = name;
    return (uint32_t)script->kinds_count++;
}

struct writer {
    struct slap_sql *sql;
    const struct slap_table *table;
    struct random random;
    char *text; /* the statement that is written */
    size_t used, room;
    bool separated; /* a comma comes before the next column */
};

static void put(struct writer *writer, const char *format, ...) PRINTF_LIKE(2, 3);

static void put(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(writer->text + writer->used, writer->room - writer->used, format, arguments);
    va_end(arguments);
    writer->used += (size_t)bytes;
}

static bool has_key(const struct slap_table *table)
{
    return table->autoincrement || table->guid;
}

/* The comma before a column that is not the first one. */
static void put_comma(struct writer *writer)
{
    if (writer->separated)
        put(writer, ",");
    writer->separated = true;
}

/* With room for all columns. */
static bool begin(struct writer *writer, const char *text)
{
    const struct slap_table *table = writer->table;
    writer->room = (size_t)(table->ints + table->chars + table->secondary_indexes + 2) * COLUMN_BYTES;
    writer->text = text_pool_keep(&writer->sql->texts, malloc(writer->room));
    writer->used = 0;
    writer->separated = false;
    if (!writer->text)
        return false;
    put(writer, "%s", text);
    return true;
}

/* Gives back what it does not need: there may be many statements. The text moves only if it is the last one kept. */
static bool end(struct writer *writer, struct script_list *list, const char *tail, const char *kind)
{
    struct text_pool *texts = &writer->sql->texts;
    char *smaller = realloc(writer->text, writer->used + 1);
    if (smaller)
        texts->items[texts->count - 1] = writer->text = smaller;
    if (!slap_add(list, writer->text))
        return false;
    list->items[list->count - 1].tail = tail;
    if (kind)
        list->items[list->count - 1].kind = kind_of(&writer->sql->script, kind);
    return true;
}

static void put_number(struct writer *writer)
{
    put(writer, "%" PRIu64, random_below(&writer->random, UINT64_C(1) << 31));
}

static void put_letters(struct writer *writer)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    char text[CHAR_BYTES + 1];
    for (size_t i = 0; i < CHAR_BYTES; ++i)
        text[i] = letters[random_below(&writer->random, sizeof(letters) - 1)];
    text[CHAR_BYTES] = '\0';
    put(writer, "'%s'", text);
}

static bool add_table(struct writer *writer, struct script_list *list)
{
    const struct slap_table *table = writer->table;
    if (!begin(writer, "CREATE TABLE `" TABLE "` ("))
        return false;
    if (has_key(table)) {
        put_comma(writer);
        put(writer, "%s", table->guid ? "id varchar(36) primary key" : "id serial");
    }
    for (uint64_t i = 0; i < table->secondary_indexes; ++i) {
        put_comma(writer);
        put(writer, "id%" PRIu64 " varchar(36) unique key", i);
    }
    for (uint64_t i = 1; i <= table->ints; ++i) {
        put_comma(writer);
        put(writer, "intcol%" PRIu64 " INT(32)", i);
        if (table->ints_indexed)
            put(writer, ", INDEX(intcol%" PRIu64 ")", i);
        else
            put(writer, " ");
    }
    for (uint64_t i = 1; i <= table->chars; ++i) {
        put_comma(writer);
        put(writer, "charcol%" PRIu64 " VARCHAR(128)", i);
        if (table->chars_indexed)
            put(writer, ", INDEX(charcol%" PRIu64 ") ", i);
    }
    put(writer, ")");
    return end(writer, list, NULL, NULL);
}

static bool add_insert(struct writer *writer, struct script_list *list, const char *kind)
{
    const struct slap_table *table = writer->table;
    if (!begin(writer, "INSERT INTO " TABLE " VALUES ("))
        return false;
    if (has_key(table)) {
        put_comma(writer);
        put(writer, "%s", table->guid ? "uuid()" : "NULL");
    }
    for (uint64_t i = 0; i < table->secondary_indexes; ++i) {
        put_comma(writer);
        put(writer, "uuid()");
    }
    for (uint64_t i = 0; i < table->ints; ++i) {
        put_comma(writer);
        put_number(writer);
    }
    for (uint64_t i = 0; i < table->chars; ++i) {
        put_comma(writer);
        put_letters(writer);
    }
    put(writer, ")");
    return end(writer, list, NULL, kind);
}

/* A key, between quotes, comes between the text and its tail. */
static bool end_by_key(struct writer *writer, struct script_list *list, const char *kind)
{
    put(writer, " WHERE id =  '");
    return end(writer, list, "'", kind);
}

static bool add_update(struct writer *writer, struct script_list *list)
{
    const struct slap_table *table = writer->table;
    if (!begin(writer, "UPDATE " TABLE " SET "))
        return false;
    for (uint64_t i = 1; i <= table->ints; ++i) {
        put_comma(writer);
        put(writer, "intcol%" PRIu64 " = ", i);
        put_number(writer);
    }
    for (uint64_t i = 1; i <= table->chars; ++i) {
        put_comma(writer);
        put(writer, "charcol%" PRIu64 " = ", i);
        put_letters(writer);
    }
    return has_key(table) ? end_by_key(writer, list, "update") : end(writer, list, NULL, "update");
}

static bool add_select(struct writer *writer, struct script_list *list, bool by_key)
{
    const struct slap_table *table = writer->table;
    if (!begin(writer, "SELECT "))
        return false;
    for (uint64_t i = 1; i <= table->ints; ++i) {
        put_comma(writer);
        put(writer, "intcol%" PRIu64, i);
    }
    for (uint64_t i = 1; i <= table->chars; ++i) {
        put_comma(writer);
        put(writer, "charcol%" PRIu64, i);
    }
    put(writer, " FROM " TABLE);
    return by_key ? end_by_key(writer, list, "select") : end(writer, list, NULL, "select");
}

/* One more than was asked for, as mysqlslap has it. */
static bool add_queries(struct writer *writer, struct script_list *list)
{
    const struct slap_table *table = writer->table;
    bool good = true;
    for (uint64_t i = 0; good && i <= table->unique_queries; ++i)
        switch (table->load) {
        case SLAP_WRITE:
            good = add_insert(writer, list, "insert");
            break;
        case SLAP_UPDATE:
            good = add_update(writer, list);
            break;
        case SLAP_KEY:
        case SLAP_READ:
            good = add_select(writer, list, table->load == SLAP_KEY);
            break;
        case SLAP_MIXED:
            good = i % 2 == 0 ? add_insert(writer, list, "insert") : add_select(writer, list, has_key(table));
            break;
        }
    return good;
}

/* One less than was asked for, again as mysqlslap has it; `unique_writes` of them differ. */
static bool add_rows(struct writer *writer, struct script_list *list)
{
    const struct slap_table *table = writer->table;
    for (uint64_t i = 0; i + 1 < table->writes; ++i)
        if (i < table->unique_writes ? !add_insert(writer, list, NULL)
                                     : !slap_add(list, (char *)(uintptr_t)list->items[i - table->unique_writes].sql))
            return false;
    return true;
}

bool slap_generate(struct slap_sql *sql, const struct slap_table *table)
{
    struct writer writer = {.sql = sql, .table = table};
    struct script *script = &sql->script;
    random_init(&writer.random, DATA_SEED, 0);
    return add_table(&writer, &script->create) && add_rows(&writer, &script->load) &&
           add_queries(&writer, &script->queries);
}

bool slap_name_queries(struct slap_sql *sql)
{
    struct script *script = &sql->script;
    bool apart = script->queries.count > 1 && script->queries.count < SCRIPT_KINDS_MAX;
    script->kinds_count = apart ? script->queries.count : 1;
    script->kinds[0] = "query";
    for (size_t i = 0; apart && i < script->queries.count; ++i) {
        char name[32];
        snprintf(name, sizeof(name), "query %zu", i + 1);
        script->queries.items[i].kind = (uint32_t)i;
        script->kinds[i] = text_pool_copy(&sql->texts, name, strlen(name));
        if (!script->kinds[i])
            return false;
    }
    return true;
}

/* ---- printing ---- */

static void print_list(FILE *out, const struct script_list *list)
{
    for (size_t i = 0; i < list->count; ++i)
        fprintf(out, "%s;\n", list->items[i].sql);
}

static void print_client(FILE *out, const struct script *script, uint64_t statements)
{
    print_list(out, &script->greeting);
    if (script->commit_every > 0)
        fputs(SCRIPT_NO_AUTOCOMMIT ";\n", out);
    for (uint64_t i = 0; script->queries.count > 0 && i < statements; ++i) {
        const struct script_statement *statement = &script->queries.items[i % script->queries.count];
        fprintf(out, "%s%s%s;\n", statement->sql, statement->tail ? PRINTED_KEY : "",
                statement->tail ? statement->tail : "");
        if (script->commit_every > 0 && (i + 1) % script->commit_every == 0)
            fputs("COMMIT;\n", out);
    }
    if (script->commit_every > 0)
        fputs("COMMIT;\n", out);
}

void slap_print_drop(FILE *out, const struct script *script)
{
    if (script->makes_schema && !script->keeps_schema)
        fprintf(out, "DROP SCHEMA IF EXISTS `%s`;\n", script->schema);
}

void slap_print_script(FILE *out, const struct script *script, uint64_t connections)
{
    slap_print_drop(out, script);
    if (script->makes_schema)
        fprintf(out, "CREATE SCHEMA `%s`;\nuse %s;\n", script->schema, script->schema);
    print_list(out, &script->create);
    print_list(out, &script->load);
    print_list(out, &script->before);
    for (uint64_t i = 0; i < connections; ++i)
        print_client(out, script, script->total / connections + (i < script->total % connections));
    print_list(out, &script->after);
}
