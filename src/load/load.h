/* load/load.h: how fast a table is loaded, way by way: streams (LOAD DATA LOCAL INFILE, COPY), multi-row inserts,
 * prepared inserts, a dump. Each combination of what is asked for is a step: the table is made, loaded by some
 * connections at once, measured, proved to hold every row, and dropped. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "core/result.h"
#include "db/db.h"
#include "load/rows.h"

#define LOAD_LIST_MAX 16
#define LOAD_NAME_BYTES 32
#define LOAD_PARTS_MAX 256
#define LOAD_COLUMNS_BYTES 4096

struct load_names {
    char names[LOAD_LIST_MAX][LOAD_NAME_BYTES];
    size_t count;
};

struct load_numbers {
    uint64_t numbers[LOAD_LIST_MAX];
    size_t count;
};

struct load_setup {
    struct job job; /* the db_… settings; the rest is set step by step */
    const char *password;
    const struct clock *clock;
    struct rows_source source;
    char table[NAME_MAX_BYTES];         /* a plain name: load_check */
    char replaced[NAME_MAX_BYTES];      /* a table of that name is dropped though isobench did not make it; "" = none */
    char columns[LOAD_COLUMNS_BYTES];   /* what stands within CREATE TABLE ( … ); "" = worked out from the rows */
    struct load_names ways;             /* none = all that the database has */
    struct load_names engines;          /* mysql; none = InnoDB */
    struct load_names flushes;          /* values of the setting that says when a commit is durable; none = as it is */
    struct load_numbers parts, commits; /* connections at once; rows of one transaction */
    bool only_counts;                   /* rows are counted and not read back */
    bool keeps;                         /* the last step's table stays */
    void *context;
    /* Before the first step: the rows are known. */
    void (*begin)(void *context, const struct rows *rows, size_t steps);
    /* One step is done; takes the result over. False = memory is short. */
    bool (*take)(void *context, struct result *result);
};

/* What a step's connection names itself: "InnoDB, infile in 4 parts". */
void load_step_name(const struct result *result, char *out, size_t out_bytes);

/* Fails with the first step that does; Ctrl-C: ERR_INTERRUPTED. The server's settings are as before, or the error says
 * which is not. */
bool load_run(struct load_setup *setup, struct error *error);

#endif
