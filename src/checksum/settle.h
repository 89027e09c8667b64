/* checksum/settle.h: a range on the source held against a replica's, until it is sure what to call it. */
#ifndef CHECKSUM_SETTLE_H
#define CHECKSUM_SETTLE_H

#include "checksum/range.h"

struct checker { /* one thread's connections */
    const struct checksum_setup *setup;
    struct host source;
    struct host *replicas; /* setup->replicas_count */
    bool *takes_part;      /* which of them have the table */
};

struct look { /* at one replica */
    struct sum sum;
    uint64_t lag_ns;
    enum verdict_of_chunk verdict;
};

/* Reads the range once, on the source and on each replica that takes part: CHUNK_SAME, CHUNK_DIFFERS, or CHUNK_FLUX
 * when the source changed meanwhile. */
bool settle_look(struct checker *checker, const struct table *table, const struct range *range, struct sum *source,
                 struct look *looks, struct error *error);

struct found_row {
    char *key; /* literals: "7,'x'" */
    enum row_difference kind;
    char source[40], replica[40]; /* hashes; "" where there is no row */
};
struct found_rows {
    struct found_row *items;
    size_t count, room;
};
void found_rows_free(struct found_rows *rows);

/* A range that did not look the same on one replica: looks again, halves it where it still does not, down to the rows.
 * The rows that differ are added to `out`; a table without a key has none. */
bool settle_range(struct checker *checker, size_t replica, const struct table *table, const struct range *range,
                  struct found_rows *out, enum verdict_of_chunk *verdict, struct error *error);

#endif
