/* checksum/range.h: a range of a table's rows in the order of its key: its checksum, its rows' hashes, its middle. */
#ifndef CHECKSUM_RANGE_H
#define CHECKSUM_RANGE_H

#include "checksum/host.h"
#include "checksum/table.h"

#include <string.h>

struct key {                       /* as literals */
    char *values[KEY_COLUMNS_MAX]; /* all NULL = none: the range is open there */
};
void key_free(struct key *key);
bool key_copy(struct key *out, const struct key *from); /* false when memory is short */

struct range {
    struct key after, upto; /* rows above the one, up to and with the other */
};
void range_free(struct range *range);

struct sum {
    uint64_t count, time_ns;
    char checksum[40];
};
static inline bool sum_equal(const struct sum *a, const struct sum *b)
{
    return a->count == b->count && strcmp(a->checksum, b->checksum) == 0;
}

/* " WHERE …", or nothing for all of the table. */
void range_add_condition(const struct table *table, const struct range *range, struct text *out);

bool range_sum(struct host *host, const struct table *table, const struct range *range, struct sum *out,
               struct error *error);

/* The key of the range's rows-th row into *out; all NULL when there are fewer rows. For key_free. */
bool range_nth(struct host *host, const struct table *table, const struct range *range, uint64_t rows, struct key *out,
               struct error *error);

/* Each row's key and hash, in no order. */
struct hashed_row {
    char *key; /* "7,'x'" */
    char hash[40];
};
struct hashed_rows {
    struct hashed_row *items;
    size_t count, room;
};
/* Sorted by key. hashed_rows_free in any case. */
bool range_rows(struct host *host, const struct table *table, const struct range *range, struct hashed_rows *out,
                struct error *error);
void hashed_rows_free(struct hashed_rows *rows);

#endif
