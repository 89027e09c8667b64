/* cli/query.h: `isobench query`: the user's own statements, with parameters, over a ladder of connection counts. */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "core/dialect.h"
#include "core/text_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const struct dialect query_dialect; /* `isobench query …`, argv without both */

#define QUERY_STEPS_MAX 256
#define QUERY_PARAMS_MAX 64

struct query { /* the listener's context */
    FILE *out;
    struct text_pool texts;
    char *sql;                            /* of all --sql, with ";" between */
    const char *params[QUERY_PARAMS_MAX]; /* of each --params, as given */
    size_t params_count;
    const char *weights; /* NULL = all the same */
    uint64_t connections[QUERY_STEPS_MAX];
    size_t steps;
    struct job *further;
    struct script *scripts; /* all the same one */
    struct script_param values[QUERY_PARAMS_MAX];
    struct script script;
    bool titled;
};

/* ---- query_sql.c ---- */

/* Cuts query.sql into statements, replaces each :NAME by a ?, and makes the script. `job`: its driver's rules and its
 * distribution's settings. */
bool query_make_script(struct query *query, const struct job *job, struct error *error);

/* ---- query_print.c ---- */

struct listener query_listener(struct query *query);

#endif
