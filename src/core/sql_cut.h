/* core/sql_cut.h: SQL text cut into its statements. What stands in quotes and comments cuts nothing. */
#ifndef CORE_SQL_CUT_H
#define CORE_SQL_CUT_H

#include <stdbool.h>
#include <stddef.h>

struct sql_rules {
    const char *delimiter; /* what stands between statements, at least one byte */
    bool mysql;            /* backslashes escape within quotes, and # begins a comment */
};

struct sql_span {
    const char *text; /* without space at its ends; not NUL-terminated */
    size_t bytes;
};

/* What lies behind the quoted text or comment that begins at `at` (a comment of one line ends before its line feed), or
 * the NUL where it is never closed; `at` itself where neither begins. */
const char *sql_skip(const char *at, const struct sql_rules *rules);

/* The next statement from *at on, which moves behind it. What is only space and comments is none; MySQL's comments that
 * it executes are some. False at the end. */
bool sql_cut_next(const char **at, const struct sql_rules *rules, struct sql_span *out);

#endif
