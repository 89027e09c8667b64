/* oltp/sql.h: SQL with places for a table's name and for values, cut into pieces once, so that a statement is put
 * together without a search, a printf or an allocation. */
#ifndef OLTP_SQL_H
#define OLTP_SQL_H

#include "core/random.h"
#include "db/db.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_NAME_BYTES (NAME_MAX_BYTES + 24)
#define SQL_NUMBER_BYTES 21 /* the longest number, with its sign */
#define C_GROUPS 10
#define PAD_GROUPS 5
#define GROUP_DIGITS 11
#define C_BYTES (C_GROUPS * (GROUP_DIGITS + 1) - 1)
#define PAD_BYTES (PAD_GROUPS * (GROUP_DIGITS + 1) - 1)

struct table_name {
    char text[TABLE_NAME_BYTES]; /* NUL-terminated */
    size_t bytes;
};

struct sql_piece {
    const char *text; /* what stands before the place */
    size_t bytes;
    char place; /* '@' the table's name, '?' the next value, 0 = none, at the end */
};

struct sql_template {
    char *text;
    struct sql_piece *pieces;
    size_t count, values, tables, bytes; /* bytes: of the text */
};

/* In `text` @ stands for the table's name and ? for a value. False when memory is short. */
bool sql_make(struct sql_template *sql, const char *text);
void sql_done(struct sql_template *sql); /* all zero is fine */

/* Room that sql_write needs for values of `text_bytes` together, with a NUL. */
size_t sql_room(const struct sql_template *sql, size_t text_bytes);

/* Writes the statement with a NUL; returns its bytes without it. `values` NULL leaves each ? as it is. */
size_t sql_write(const struct sql_template *sql, const struct table_name *table, const struct db_value *values,
                 char *out);

/* Decimal digits, without a NUL; how many. */
size_t sql_number(uint64_t number, char *out);

/* Groups of 11 random digits with '-' between them: C_BYTES for C_GROUPS, PAD_BYTES for PAD_GROUPS; no NUL. */
void sql_groups(struct random *random, size_t groups, char *out);

#endif
