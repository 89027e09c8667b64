/* oltp/schema.h: the tables, as sysbench makes them: 1.0's <name>1 … <name>N, 0.4's one table without a number, and
 * those of bulk_insert, one for each thread. */
#ifndef OLTP_SCHEMA_H
#define OLTP_SCHEMA_H

#include "core/job.h"
#include "db/db.h"
#include "oltp/sql.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHEMA_SQL_BYTES (TEXT_MAX + 1024)

bool schema_is_bulk(const struct job *job); /* the tables of bulk_insert */
uint64_t schema_tables(const struct job *job);
/* Rows that prepare puts into each table: none where the workload gives ids that could meet those. */
uint64_t schema_rows(const struct job *job);

/* Name of the index-th table, from 0. */
void schema_table(const struct job *job, uint64_t index, struct table_name *out);

void schema_create(const struct job *job, const struct db_syntax *syntax, uint64_t index, char out[SCHEMA_SQL_BYTES]);
void schema_drop(const struct job *job, uint64_t index, bool may_be_missing, char out[SCHEMA_SQL_BYTES]);

/* The step-th index that is made when the table is filled. False past the last. */
bool schema_index(const struct job *job, const struct db_syntax *syntax, uint64_t index, uint32_t step,
                  char out[SCHEMA_SQL_BYTES]);

/* The step-th query that reads the whole table, or its index, into memory. False past the last. */
bool schema_warm(const struct job *job, uint64_t index, uint32_t step, char out[SCHEMA_SQL_BYTES]);

/* One row of a table, as it stands after VALUES; returns its bytes, at most SCHEMA_ROW_BYTES. */
#define SCHEMA_ROW_BYTES (2 * SQL_NUMBER_BYTES + C_BYTES + PAD_BYTES + 16)
struct row_maker {
    bool is_0_4;
    struct picker k; /* of the rows, from 0 */
};
void row_maker_init(struct row_maker *maker, const struct job *job);
size_t row_make(const struct row_maker *maker, struct random *random, uint64_t id, char *out);

#endif
