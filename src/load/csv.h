/* load/csv.h: records of a text file, one at a time: CSV (RFC 4180: values may stand in quotes, a quote in them is
 * doubled, line breaks in them are data) and TSV as databases write it (backslash escapes, \N). Either kind of line
 * ending. */
#ifndef LOAD_CSV_H
#define LOAD_CSV_H

#include "db/db.h"

#define CSV_FIELDS_MAX 64 /* as many as a driver hands back */

struct csv_form {
    char separator;
    bool backslash;        /* TSV: escapes and no quotes; else quotes and no escapes */
    const char *null_text; /* a value without quotes that reads so is NULL; TSV has \N beside it */
};

struct csv_record {
    struct db_value values[CSV_FIELDS_MAX]; /* NULL or text, which lies in `text` */
    size_t count;
    char *text;
    size_t room;
    size_t taken;      /* bytes of the record, with its line ending */
    uint64_t lines;    /* line endings in them */
    const char *fault; /* of CSV_BAD: what is wrong */
};

enum csv_outcome {
    CSV_ROW,
    CSV_MORE, /* it does not end in these bytes: call again with more of them */
    CSV_BAD,
};

/* The record at the start of `text`, bytes > 0. `is_end`: nothing comes behind. */
enum csv_outcome csv_take(const struct csv_form *form, const char *text, size_t bytes, bool is_end,
                          struct csv_record *out);
void csv_done(struct csv_record *record); /* all zero is fine */

/* Characters of a text; UINT64_MAX when it is not UTF-8 or has a NUL byte. */
uint64_t csv_characters(const char *text, size_t bytes);

#endif
