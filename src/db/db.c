#include "db/driver.h"

#include "platform/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ---- */

const struct db_driver *db_driver_find(const char *name, struct error *error)
{
    static const char *const ways[][2] = {
        {"mysql",
         "install MariaDB Connector/C (Debian: libmariadb-dev) or libmysqlclient, and build with -DISO_MYSQL=ON"},
        {"pgsql", "install libpq (Debian: libpq-dev), and build with -DISO_PGSQL=ON"}};
    for (size_t i = 0; db_drivers[i]; i++)
        if (strcmp(db_drivers[i]->name, name) == 0)
            return db_drivers[i];
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        if (strcmp(ways[i][0], name) == 0)
            error_set(error, ERR_UNSUPPORTED, "--db-driver=%s: this isobench was built without it; %s", name,
                      ways[i][1]);
    error_set(error, ERR_USAGE, "--db-driver=%.40s: one of sqlite, mysql, pgsql", name);
    return NULL;
}

/* ---- failures ---- */

static bool is_word(const char *word, size_t bytes, int code, const char *sqlstate)
{
    char number[16];
    snprintf(number, sizeof(number), "%d", code);
    return (code != 0 && strlen(number) == bytes && memcmp(word, number, bytes) == 0) ||
           (sqlstate && sqlstate[0] && strlen(sqlstate) == bytes && memcmp(word, sqlstate, bytes) == 0);
}

bool db_is_retried(const struct job *job, int code, const char *sqlstate, const int *standard)
{
    const char *words = job->retry_errors;
    if (strcmp(words, "all") == 0)
        return true;
    if (strcmp(words, "auto") == 0) {
        for (; standard && *standard; standard++)
            if (*standard == code)
                return true;
        return false;
    }
    while (*words) {
        size_t bytes = strcspn(words, ", ");
        if (bytes > 0 && is_word(words, bytes, code, sqlstate))
            return true;
        words += bytes + (words[bytes] != '\0');
    }
    return false;
}

static const char *find_hint(const struct db_saying *saying)
{
    for (const struct db_hint *hint = saying->hints; hint && hint->text; hint++)
        if (hint->sqlstate ? saying->sqlstate && strcmp(hint->sqlstate, saying->sqlstate) == 0
                           : hint->code == saying->code)
            return hint->text;
    return NULL;
}

/* Appends to the text, as far as there is room. */
static void append(struct db_failure *failure, const char *format, ...) PRINTF_LIKE(2, 3);

static void append(struct db_failure *failure, const char *format, ...)
{
    size_t used = strlen(failure->text);
    va_list list;
    va_start(list, format);
    vsnprintf(failure->text + used, sizeof(failure->text) - used, format, list);
    va_end(list);
}

static void append_saying(struct db_failure *failure, const struct db_saying *saying)
{
    const char *hint = find_hint(saying), *words = saying->words ? saying->words : "";
    bool state = saying->sqlstate && saying->sqlstate[0];
    int length = (int)strcspn(words, "\r\n"); /* what comes after is a detail or a hint of the server's */
    append(failure, ": %.*s", length < 200 ? length : 200, words);
    if (saying->code || state)
        append(failure, " (");
    if (saying->code)
        append(failure, "%d", saying->code);
    if (state)
        append(failure, "%s%s", saying->code ? ", " : "", saying->sqlstate);
    if (saying->code || state)
        append(failure, ")");
    if (hint)
        append(failure, ": %s", hint);
}

static void begin(struct db_failure *failure, enum db_class class, const struct db_saying *saying)
{
    failure->class = class;
    failure->code = saying->code;
    snprintf(failure->sqlstate, sizeof(failure->sqlstate), "%.5s", saying->sqlstate ? saying->sqlstate : "");
    failure->text[0] = '\0';
}

bool db_fail(struct db_failure *failure, enum db_class class, const struct db_saying *saying, const char *format, ...)
{
    va_list list;
    begin(failure, class, saying);
    va_start(list, format);
    vsnprintf(failure->text, sizeof(failure->text) / 2, format, list);
    va_end(list);
    append_saying(failure, saying);
    return false;
}

#define SHOWN_SQL 60

bool db_fail_sql(struct db_failure *failure, enum db_class class, const struct db_saying *saying, const char *sql,
                 size_t sql_bytes)
{
    begin(failure, class, saying);
    append(failure, "%.*s%s", (int)(sql_bytes < SHOWN_SQL ? sql_bytes : SHOWN_SQL), sql,
           sql_bytes > SHOWN_SQL ? "…" : "");
    append_saying(failure, saying);
    return false;
}

bool db_no_memory(struct db_failure *failure)
{
    *failure = (struct db_failure){.class = DB_CLASS_FATAL};
    append(failure, "not enough memory");
    return false;
}

void db_place(const char *host, const char *port, char out[PLACE_BYTES])
{
    bool brackets = port[0] && strchr(host, ':');
    snprintf(out, PLACE_BYTES, "%s%.120s%s%s%.15s", brackets ? "[" : "", host[0] ? host : "the server",
             brackets ? "]" : "", port[0] ? ":" : "", port);
}

#define TLS_FILE_BYTES ((size_t)16 << 20)

bool db_check_tls_files(const struct job *job, struct error *error)
{
    const struct {
        const char *option, *path;
    } files[] = {
        {"--db-tls-ca", job->db_tls_ca}, {"--db-tls-cert", job->db_tls_cert}, {"--db-tls-key", job->db_tls_key}};
    for (size_t i = 0; i < COUNT_OF(files) && job->db_tls != DB_TLS_OFF; ++i) {
        struct error cannot = ERROR_INIT;
        char *text = NULL;
        size_t bytes = 0;
        if (files[i].path[0] && !path_read_text(files[i].path, TLS_FILE_BYTES, &text, &bytes, &cannot))
            return error_set(error, ERR_USAGE, "%s: %s", files[i].option, cannot.text);
        free(text);
    }
    return true;
}

/* ---- lists and literals ---- */

void db_deal(const char *list, uint64_t index, char *out, size_t out_bytes)
{
    uint64_t count = 1;
    for (const char *at = list; *at; at++)
        count += *at == ',';
    for (index %= count; index > 0; index--)
        list = strchr(list, ',') + 1;
    size_t bytes = strcspn(list, ",");
    for (; bytes > 0 && *list == ' '; bytes--)
        list++;
    while (bytes > 0 && list[bytes - 1] == ' ')
        bytes--;
    snprintf(out, out_bytes, "%.*s", (int)bytes, list);
}

static size_t put_number(int64_t number, char *out)
{
    char digits[24];
    size_t used = 0, length = 0;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    if (number < 0)
        out[length++] = '-';
    do
        digits[used++] = (char)('0' + left % 10);
    while (left /= 10);
    while (used > 0)
        out[length++] = digits[--used];
    return length;
}

size_t db_literal_escaped(const struct db_value *value, bool backslash_escapes, char *out)
{
    static const char null_word[] = {'N', 'U', 'L', 'L'};
    char *at = out;
    if (value->type == DB_VALUE_NULL) {
        memcpy(out, null_word, sizeof(null_word));
        return sizeof(null_word);
    }
    if (value->type == DB_VALUE_INT)
        return put_number(value->number, out);
    *at++ = '\'';
    for (size_t i = 0; i < value->text_bytes; i++) {
        char sign = value->text[i];
        if (sign == '\'' || (sign == '\\' && backslash_escapes))
            *at++ = sign;
        *at++ = sign;
    }
    *at++ = '\'';
    return (size_t)(at - out);
}

size_t db_literal(const struct db_value *value, char *out)
{
    return db_literal_escaped(value, false, out);
}

size_t db_literal_room(const struct db_value *value)
{
    return value->type == DB_VALUE_TEXT ? 2 * value->text_bytes + 3 : 24;
}

/* ---- statements ---- */

/* What lies behind a quoted text or a comment that begins here; `sql` itself where neither does. */
static const char *skip_quoted(const char *sql, const char *end)
{
    size_t left = (size_t)(end - sql);
    if (*sql == '\'' || *sql == '"' || *sql == '`') {
        const char *close = memchr(sql + 1, *sql, left - 1);
        return close ? close + 1 : end; /* a doubled quote is two texts side by side, which comes to the same */
    }
    if (left >= 2 && sql[0] == '-' && sql[1] == '-') {
        const char *close = memchr(sql, '\n', left);
        return close ? close : end;
    }
    if (left >= 2 && sql[0] == '/' && sql[1] == '*') {
        for (sql += 2; sql + 1 < end; sql++)
            if (sql[0] == '*' && sql[1] == '/')
                return sql + 2;
        return end;
    }
    return sql;
}

/* The next such character that is SQL's own, or the end. */
static const char *find_outside(const char *sql, const char *end, char wanted)
{
    while (sql < end && *sql != wanted) {
        const char *behind = skip_quoted(sql, end);
        sql = behind == sql ? sql + 1 : behind;
    }
    return sql;
}

const char *db_next_value(const char *sql)
{
    return find_outside(sql, sql + strlen(sql), '?');
}

size_t db_count_values(const char *sql)
{
    size_t count = 0;
    for (sql = db_next_value(sql); *sql; sql = db_next_value(sql + 1))
        count++;
    return count;
}

bool db_is_one_statement(const char *sql, size_t bytes)
{
    const char *end = sql + bytes;
    if (!memchr(sql, ';', bytes))
        return true;
    sql = find_outside(sql, end, ';');
    while (sql < end && strchr(" \t\r\n;", *sql))
        sql++;
    return sql == end;
}

bool db_refuse_several(struct db_failure *failure)
{
    *failure = (struct db_failure){.class = DB_CLASS_FATAL};
    append(failure, "several statements in one text: send them one at a time");
    return false;
}

bool db_text_init(struct db_text *text, const char *sql)
{
    size_t bytes = strlen(sql);
    *text = (struct db_text){.sql = malloc(bytes + 1), .sql_bytes = bytes};
    if (text->sql)
        memcpy(text->sql, sql, bytes + 1);
    return text->sql != NULL;
}

void db_text_done(struct db_text *text)
{
    free(text->sql);
    free(text->out);
    *text = (struct db_text){0};
}

static bool make_room(struct db_text *text, const struct db_value *values, size_t count)
{
    size_t room = text->sql_bytes + 1;
    for (size_t i = 0; i < count; i++)
        room += db_literal_room(&values[i]);
    if (room <= text->out_room)
        return true;
    char *out = realloc(text->out, room);
    if (!out)
        return false;
    text->out = out;
    text->out_room = room;
    return true;
}

size_t db_text_fill(struct db_text *text, const struct db_value *values, size_t count, bool backslash_escapes)
{
    const char *from = text->sql;
    if (!make_room(text, values, count))
        return 0;
    char *to = text->out;
    for (size_t i = 0; i < count; i++) {
        const char *mark = db_next_value(from);
        memcpy(to, from, (size_t)(mark - from));
        to += mark - from;
        to += db_literal_escaped(&values[i], backslash_escapes, to);
        from = mark + (*mark == '?');
    }
    size_t rest = strlen(from);
    memcpy(to, from, rest + 1);
    return (size_t)(to - text->out) + rest;
}

/* ---- facts ---- */

void db_add_variable(struct server_facts *facts, const char *name, const char *value)
{
    if (facts->variables_count == SERVER_VARIABLES_MAX)
        return;
    struct server_variable *variable = &facts->variables[facts->variables_count++];
    snprintf(variable->name, sizeof(variable->name), "%.63s", name);
    snprintf(variable->value, sizeof(variable->value), "%.255s", value ? value : "");
}

bool db_take_variable(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    (void)bytes;
    if (columns >= 2 && values[0])
        db_add_variable(context, values[0], values[1]);
    return true;
}

bool db_take_one(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct db_one_value *one = context;
    if (columns == 0 || one->found)
        return false;
    one->found = true;
    if (values[0])
        snprintf(one->text, sizeof(one->text), "%.*s", (int)(bytes[0] < 255 ? bytes[0] : 255), values[0]);
    return false;
}
