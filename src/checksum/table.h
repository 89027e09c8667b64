/* checksum/table.h: what must be known of a table to read it in chunks: its columns, its key, and the SQL of a row's
 * hash and of its values as literals. */
#ifndef CHECKSUM_TABLE_H
#define CHECKSUM_TABLE_H

#include "checksum/text.h"
#include "db/db.h"

#include <stdbool.h>
#include <stddef.h>

#define KEY_COLUMNS_MAX 16 /* MySQL's and MariaDB's own limit is 16, or 32 */

struct column {
    char *name;       /* in backquotes */
    char *definition; /* "int unsigned not null", "varchar(20) utf8mb4 utf8mb4_general_ci": equal where two agree */
    char *literal;    /* SQL whose value is the column's value as a literal, exact to the last bit */
    bool is_virtual;  /* worked out from the others: neither hashed nor written */
    bool is_made;     /* the server makes its value: not written */
};

struct table {
    char *database, *name;
    char *quoted; /* `database`.`name` */
    char *engine;
    struct column *columns;
    size_t columns_count;
    size_t key[KEY_COLUMNS_MAX]; /* of columns */
    size_t key_count;            /* 0 = it has none: no unique key without NULLs */
    bool key_is_primary;
    char *key_name; /* in backquotes */
    char *row_hash; /* SQL: 32 hexadecimal digits */
};

/* `database` and `name` are copied. False with failure; table_done releases it in any case. */
bool table_read(const struct db_driver *driver, struct db_connection *connection, const char *database,
                const char *name, struct table *out, struct db_failure *failure);
void table_done(struct table *table); /* all zero is fine */

/* Do both have the same columns? If not, `note` says which differs and how. */
bool table_same_columns(const struct table *source, const struct table *replica, char *note, size_t note_bytes);

/* "`a`,`b`": the key's columns. */
void table_add_key(const struct table *table, struct text *out);
/* SQL whose value is the row's values as literals with commas between, of what can be written; or of the key. */
void table_add_literals(const struct table *table, bool key_only, struct text *out);
/* "`a`,`b`": the columns that can be written. */
void table_add_written(const struct table *table, struct text *out);

#endif
