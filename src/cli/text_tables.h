/* cli/text_tables.h: the parts of isobench's own layout (text.h) that databases have. */
#ifndef CLI_TEXT_TABLES_H
#define CLI_TEXT_TABLES_H

#include "core/listener.h"

#include <stdio.h>

void text_tables_opened(FILE *out, const struct job *job);
void text_tables_interval(FILE *out, const struct job *job, const struct interval *interval);
/* Above the table of latencies: what a database's user asks first. */
void text_tables_rates(FILE *out, const struct result *result);
/* Below it: each kind of statement. */
void text_tables_statements(FILE *out, const struct result *result);
void text_tables_server(FILE *out, const struct result *result);
/* "creating sbtest1"; nothing where the progress says it. */
void text_tables_step(FILE *out, const char *table, enum table_step step, uint64_t rows);

#endif
