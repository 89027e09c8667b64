/* load/rows.h: the rows to load: those of a file, or generated ones. They are read once before the first step, so that
 * a file that is wrong is refused with its line, and then again by each part of each step from where it begins. */
#ifndef LOAD_ROWS_H
#define LOAD_ROWS_H

#include "core/limits.h"
#include "load/csv.h"
#include "load/form.h"
#include "load/stop.h"

#define ROWS_COLUMNS_MAX CSV_FIELDS_MAX

struct rows_source {
    const char *path; /* NULL = generated: id 1 … count, k within them, c and pad as sysbench's tables have */
    uint64_t count;   /* generated */
    uint64_t seed;    /* the same seed makes the same rows, whatever the number of parts */
    struct csv_form form;
    bool has_header; /* the first line names the columns */
    bool loose;      /* see form_add */
};

struct rows_column {
    char name[NAME_MAX_BYTES];
    bool is_integer; /* every value is a whole number of 64 bits, in its shortest form */
    bool has_null;
    uint64_t characters; /* of the longest text */
};

struct rows_mark { /* where every so-many-th row begins */
    uint64_t offset, line;
};

struct rows {
    struct rows_source source;
    size_t columns_count;
    struct rows_column columns[ROWS_COLUMNS_MAX];
    uint64_t bytes; /* of all rows as a stream has them */
    struct form_sum sum;
    struct rows_mark *marks;
    size_t marks_count, marks_room;
};

/* Reads them all. rows_done releases them, also after a failure. */
bool rows_scan(struct rows *rows, const struct rows_source *source, struct stop *stop, struct error *error);
void rows_done(struct rows *rows); /* all zero is fine */

/* One reader of them; several may read at the same time. */
struct rows_cursor {
    const struct rows *rows;
    struct file *file;
    char *buffer;
    size_t room, filled, used;
    uint64_t offset; /* in the file, of the buffer's end */
    uint64_t line;   /* of the next record, from 1 */
    uint64_t next;   /* row, from 0 */
    struct csv_record record;
    struct db_value values[ROWS_COLUMNS_MAX]; /* of the row that was read last */
    char text[256];                           /* generated */
};

bool rows_cursor_open(struct rows_cursor *cursor, const struct rows *rows, struct error *error);
void rows_cursor_close(struct rows_cursor *cursor); /* all zero is fine */
/* The next row read will be that one, from 0. */
bool rows_cursor_seek(struct rows_cursor *cursor, uint64_t row, struct error *error);
/* Reads a row into cursor->values, valid until the next call. *end: there was none. */
bool rows_cursor_next(struct rows_cursor *cursor, bool *end, struct error *error);

#endif
