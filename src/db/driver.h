/* db/driver.h: what the drivers share: failures in words, and statements as text. */
#ifndef DB_DRIVER_H
#define DB_DRIVER_H

#include "db/db.h"
#include "platform/compiler.h"

#include <stdarg.h>

/* ---- failures ---- */

/* What would be right after one of the server's errors; a table of them ends with an entry without text. */
struct db_hint {
    int code;             /* 0 = by sqlstate */
    const char *sqlstate; /* NULL = by code */
    const char *text;     /* ": " goes before it */
};

/* What a server said; the words may end in a newline, which is cut. */
struct db_saying {
    int code;
    const char *sqlstate; /* NULL or "" = none */
    const char *words;
    const struct db_hint *hints;
};

/* Fills `failure` with "<what was tried>: <words> (<code>, <sqlstate>): <hint>". Always returns false. */
bool db_fail(struct db_failure *failure, enum db_class class, const struct db_saying *saying, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* The same for a statement, of which the beginning is shown. */
bool db_fail_sql(struct db_failure *failure, enum db_class class, const struct db_saying *saying, const char *sql,
                 size_t sql_bytes);
bool db_no_memory(struct db_failure *failure);

/* A server in words: "host", "host:port", "[::1]:port", a socket, "the server" when there is none. */
#define PLACE_BYTES 160
void db_place(const char *host, const char *port, char out[PLACE_BYTES]);

/* The job's files for TLS can be read, unless it goes without. The libraries' own words name no file. */
bool db_check_tls_files(const struct job *job, struct error *error);

/* ---- text ---- */

/* As db_literal; with backslash_escapes for servers that take a backslash for the start of an escape. */
size_t db_literal_escaped(const struct db_value *value, bool backslash_escapes, char *out);
/* Room that a value's literal may need. */
size_t db_literal_room(const struct db_value *value);

/* How many ? stand for values: outside of quotes and comments. */
size_t db_count_values(const char *sql);
/* The next ? from `sql` on, or the NUL at its end. */
const char *db_next_value(const char *sql);

/* Is there one statement only? A semicolon may end it. */
bool db_is_one_statement(const char *sql, size_t bytes);
/* What is said when there are more. Always returns false. */
bool db_refuse_several(struct db_failure *failure);

/* A statement that is sent as text each time, with its values put in. */
struct db_text {
    char *sql; /* with ? */
    size_t sql_bytes;
    char *out; /* of db_text_fill */
    size_t out_room;
};
bool db_text_init(struct db_text *text, const char *sql); /* false when memory is short */
void db_text_done(struct db_text *text);                  /* all zero is fine */
/* The text with its values, in text->out; its bytes, or 0 when memory is short. Allocates only when it grows. */
size_t db_text_fill(struct db_text *text, const struct db_value *values, size_t count, bool backslash_escapes);

/* ---- facts ---- */

/* Adds a variable, as long as there is room. */
void db_add_variable(struct server_facts *facts, const char *name, const char *value);

/* Adds the row of an answer whose columns are name and value. For db_driver.query. */
bool db_take_variable(void *context, size_t columns, const char *const *values, const size_t *bytes);
/* Keeps the first value of the first row, as text. For db_driver.query; all zero before. */
struct db_one_value {
    char text[256];
    bool found;
};
bool db_take_one(void *context, size_t columns, const char *const *values, const size_t *bytes);

#endif
