/* checksum/checksum.h: are the tables of a source and of its replicas the same? Tables are read in chunks, in the order
 * of a key; the servers work out a checksum of each chunk; chunks that differ are narrowed down to the rows. What
 * differs can be repaired by statements on the source that change nothing there and replicate.
 *
 * The checksum of a set of rows: each row is written as one text, a column as <bytes>:<value>, or n for NULL; the MD5
 * of it is h. The set's checksum is the XOR of the upper halves of all h, and beside it the sum modulo 2^64 of the
 * lower halves; with it goes the number of rows. It does not depend on the order of the rows. Taking MD5 for random,
 * two sets that differ have the same checksum with a chance of 2^-128.
 *
 * Nothing is called the same or different that moved while it was read. The source's chunk is read, then the replica is
 * let come up to the source's log as it was then, and is read. Unless the log has not grown meanwhile, the source is
 * read again: only when it still says the same does the comparison count. What differs must do so in two such readings,
 * or in four while the log grows, row for row; what keeps moving is "in flux". */
#ifndef CHECKSUM_CHECKSUM_H
#define CHECKSUM_CHECKSUM_H

#include "db/db.h"
#include "db/dsn.h"
#include "platform/clock.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict_of_chunk {
    CHUNK_SOURCE, /* the source's own row */
    CHUNK_SAME,
    CHUNK_DIFFERS,
    CHUNK_MISSING, /* the table is not on that replica */
    CHUNK_FOREIGN, /* … and not on the source */
    CHUNK_FLUX,    /* changed each time it was read */
    CHUNK_UNKNOWN, /* could not be compared; the note says why */
    CHUNK_VERDICTS,
};
extern const char *const checksum_verdicts[CHUNK_VERDICTS];

/* One chunk on one server. Texts are borrowed from the report. */
struct checksum_row {
    const char *database, *table, *engine, *host;
    uint64_t chunk; /* 1…; 0 = the table was not read */
    uint64_t count, time_ns;
    uint64_t lag_ns;    /* how long the replica took to come up to the source */
    uint64_t differing; /* rows */
    char checksum[40];
    enum verdict_of_chunk verdict;
    bool repaired;  /* it differed, and was found the same after a sync */
    char note[512]; /* "" = none */
};

enum row_difference { ROW_CHANGED, ROW_MISSING, ROW_EXTRA };
extern const char *const checksum_differences[];

/* One row that differs. */
struct checksum_difference {
    const char *database, *table, *host;
    char *key; /* "(`id`) = (7)" */
    enum row_difference kind;
};

struct listing;

struct checksum_report {
    struct listing *listing; /* owns the names */
    struct checksum_row *rows;
    size_t rows_count, rows_room;
    struct checksum_difference *differences;
    size_t differences_count, differences_room;
    uint64_t tables, chunks;
    uint64_t statements, repaired; /* of a sync: written, and rows found the same after it */
};

enum checksum_sync { SYNC_NONE, SYNC_PRINT, SYNC_EXECUTE };

struct checksum_setup {
    const struct db_driver *driver; /* with replication */
    const struct db_place *source, *replicas;
    size_t replicas_count;
    const char *databases, *tables, *ignored; /* lists with ','; "" = all, all, none; a table is "name" or "db.name" */
    uint64_t chunk_time_ns;
    uint64_t chunk_rows; /* 0 = as many as take chunk_time_ns */
    uint64_t wait_ns;    /* for a replica to come up */
    uint32_t threads;
    bool unrelated; /* nobody replicates: two copies, compared as they are */
    enum checksum_sync sync;
    const struct clock *clock;
    void *context; /* of these, which may be NULL; called one at a time */
    void (*chunk)(void *context, const struct checksum_row *rows, size_t count); /* one chunk on each server */
    void (*difference)(void *context, const struct checksum_difference *difference);
    void (*statement)(void *context, const char *sql); /* without ';' */
    void (*remark)(void *context, const char *text);   /* a table that a sync leaves alone, and why */
};

/* False with an error when the check could not be done to its end: a server that refuses, a replica that is stopped or
 * does not come up, Ctrl-C. *out holds what was found until then; checksum_free releases it. */
bool checksum_run(const struct checksum_setup *setup, struct checksum_report *out, struct error *error);
void checksum_free(struct checksum_report *report);

/* The worst that was found: CHUNK_DIFFERS (also for missing and foreign), CHUNK_UNKNOWN (also for flux), CHUNK_SAME. */
enum verdict_of_chunk checksum_verdict(const struct checksum_report *report);

/* For free(); NULL when memory is short. */
char *checksum_to_json(const struct checksum_setup *setup, const struct checksum_report *report, const char *status);

#endif
