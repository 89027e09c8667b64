/* load/inner.h: what the files of this room share. */
#ifndef LOAD_INNER_H
#define LOAD_INNER_H

#include "load/load.h"
#include "platform/thread.h"

#include <string.h>

#define LOAD_SQL_BYTES 16384

/* ---- connections (load.c) ---- */

struct load {
    struct load_setup *setup;
    const struct db_driver *driver;
    struct rows rows;
    struct stop stop;
    struct db_connection *main;
    char columns[DB_STREAM_SQL_BYTES / 2]; /* the table's, as they stand in an INSERT */
    char created[LOAD_SQL_BYTES];          /* CREATE TABLE of the step */
    uint64_t pages_before;                 /* sqlite: pages in use before the table was made */
    struct {
        char before[LOAD_NAME_BYTES];
        bool changed;
    } flush;
};

/* A connection as every step's is: strict, UTC, no backslash escapes. */
bool load_connect(struct load *load, const struct job *job, uint64_t index, struct db_connection **out,
                  struct db_failure *failure);
bool load_query(struct load *load, const char *sql, db_row *row, void *context, struct error *error);
/* The first value of the first row, "" for none and for NULL. */
#define LOAD_VALUE_BYTES 512
bool load_ask(struct load *load, const char *sql, char out[LOAD_VALUE_BYTES], struct error *error);
static inline bool load_is(const struct load *load, const char *driver)
{
    return strcmp(load->driver->name, driver) == 0;
}

/* ---- the table (table.c, proof.c) ---- */

/* Fails when it is there, isobench did not make it, and it is not named as replaced. */
bool table_refuse(struct load *load, struct error *error);
/* Writes load->created; `engine` NULL = the driver has none. */
bool table_describe(struct load *load, const char *engine, struct error *error);
/* Makes it, marked as isobench's, with its indexes, and notes its columns. */
bool table_make(struct load *load, struct error *error);
/* load->columns: those that the rows' values are for. The table must be there, unless they were worked out. */
bool table_note_columns(struct load *load, struct error *error);
/* If it is there, and then it may be: table_refuse was asked before. */
bool table_drop(struct load *load, struct error *error);

/* Before the table is made: what proof_size takes away. */
bool proof_before(struct load *load, struct error *error);
/* Fails unless every row is there once. Notes in result->load what was proved. */
bool proof_take(struct load *load, struct result *result, struct error *error);
/* Size on disk, and what of it is index. */
bool proof_size(struct load *load, struct result *result, struct error *error);

/* ---- when a commit is durable (flush.c) ---- */

/* Of an engine without such a setting there is nothing to set. */
bool flush_concerns(const struct load *load, const char *engine);
bool flush_check(const struct load *load, struct error *error);
/* Before a step; `value` "" leaves it. *out: what it then is. */
bool flush_set(struct load *load, struct job *job, const char *value, char out[LOAD_NAME_BYTES], struct error *error);
/* What was changed on the server is as before; what is not is added to the error. */
void flush_restore(struct load *load, struct error *error);

/* ---- ways (ways.c, dump.c) ---- */

struct step {
    struct load *load;
    const struct way *way;
    struct job job; /* for its connections */
    const char *engine, *flush;
    uint64_t commit_rows; /* 0 = the way knows no such thing */
    struct part *parts;
    uint32_t parts_count;
    struct gate *gate;
    struct mutex *lock; /* of `error` */
    struct error error;
    _Atomic uint32_t ready, working;
    uint64_t start_ns;
};

/* One connection's share: rows first … last − 1. */
struct part {
    struct step *step;
    uint32_t index;
    uint64_t first, last;
    struct thread *thread;
    struct db_connection *connection;
    struct db_statement *statement;
    struct rows_cursor cursor;
    char *text; /* of a statement, or of a row */
    size_t text_room, text_bytes, text_taken;
    struct db_failure failure;
    struct class_tally statements, transactions;
    uint64_t rows, retries, end_ns;
};

struct way {
    const char *name;
    const char *driver; /* the only one that has it; NULL = all */
    bool streams;       /* the driver's stream, whose name it goes by */
    bool commits;       /* transactions of so many rows */
    bool makes_table;
    bool is_alone;   /* one part */
    const char *sql; /* for people: what it sends */
    bool (*run)(struct part *part);
};

const struct way *way_find(const struct load *load, const char *name);
const struct way *way_at(size_t index); /* NULL past the last */
const char *way_name(const struct load *load, const struct way *way);

/* Ends all parts with the failure, or with an error of the rows. Always false. */
bool part_fail(struct part *part);
bool part_fail_error(struct part *part, const struct error *error);
static inline bool part_goes_on(const struct part *part)
{
    return !atomic_load_explicit(&part->step->load->stop.stopping, memory_order_relaxed);
}
/* Sends a text that changes rows, and notes how long that took. */
bool part_insert(struct part *part, const char *sql, size_t bytes);
bool part_query(struct part *part, const char *sql);
/* part->text has that much room at least. */
bool part_make_room(struct part *part, size_t bytes);
/* The next row, into part->cursor.values; fails past the last. */
bool part_next_row(struct part *part);
/* Writes INSERT … VALUES with as many of the next `rows` rows as are to go into one statement into part->text; how many
 * it took, 0 = it failed. Begins with a row that part->cursor already has, if *has_row. */
uint64_t part_gather(struct part *part, uint64_t rows, bool *has_row);
bool dump_run(struct part *part);

/* One step from the table's making to its proof. */
bool step_run(struct step *step, struct result *result, struct error *error);

#endif
