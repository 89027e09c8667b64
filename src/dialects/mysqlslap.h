/* dialects/mysqlslap.h: mysqlslap, as MySQL 8 and MariaDB have it. What its files share. */
#ifndef DIALECTS_MYSQLSLAP_H
#define DIALECTS_MYSQLSLAP_H

#include "core/dialect.h"
#include "core/histogram.h"
#include "core/script.h"
#include "core/text_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

extern const struct dialect dialect_mysqlslap;

/* ---- mysqlslap_options.c: words and option files ---- */

enum slap_option {
    SLAP_HELP,
    SLAP_AUTO,
    SLAP_ADD_AUTOINCREMENT,
    SLAP_EXECUTE_NUMBER,
    SLAP_GUID_PRIMARY,
    SLAP_LOAD_TYPE,
    SLAP_SECONDARY_INDEXES,
    SLAP_UNIQUE_QUERY_NUMBER,
    SLAP_UNIQUE_WRITE_NUMBER,
    SLAP_WRITE_NUMBER,
    SLAP_COMMIT,
    SLAP_COMPRESS,
    SLAP_COMPRESSION_ALGORITHMS,
    SLAP_CONCURRENCY,
    SLAP_CREATE,
    SLAP_CREATE_SCHEMA,
    SLAP_CSV,
    SLAP_DELIMITER,
    SLAP_DETACH,
    SLAP_ENGINE,
    SLAP_HOST,
    SLAP_INIT_COMMAND,
    SLAP_ITERATIONS,
    SLAP_NO_DROP,
    SLAP_CHAR_COLS,
    SLAP_INT_COLS,
    SLAP_NUMBER_OF_QUERIES,
    SLAP_ONLY_PRINT,
    SLAP_PASSWORD,
    SLAP_PORT,
    SLAP_POST_QUERY,
    SLAP_POST_SYSTEM,
    SLAP_PRE_QUERY,
    SLAP_PRE_SYSTEM,
    SLAP_PROTOCOL,
    SLAP_QUERY,
    SLAP_SILENT,
    SLAP_SOCKET,
    SLAP_SQL_MODE,
    SLAP_SSL,
    SLAP_SSL_CA,
    SLAP_SSL_CERT,
    SLAP_SSL_CIPHER,
    SLAP_SSL_KEY,
    SLAP_SSL_MODE,
    SLAP_SSL_VERIFY,
    SLAP_USER,
    SLAP_VERBOSE,
    SLAP_VERSION,
    SLAP_DROP_SCHEMA, /* isobench's own */
    SLAP_HEARTBEAT,
    SLAP_HEARTBEAT_SCHEMA,
    SLAP_LATENCY,
    SLAP_REPLICA,
    SLAP_REPLICA_WAIT,
    SLAP_REPORT_INTERVAL,
    SLAP_SEED,
    SLAP_VERIFY_REPLICA,
    SLAP_OPTIONS
};

struct slap_given {
    /* The last one given, of SLAP_REPLICA all of them with spaces between; NULL = none. Of a switch: "1" or "0". */
    const char *text[SLAP_OPTIONS];
    unsigned verbose;
    struct text_pool texts;
};

bool slap_given_read(struct slap_given *given, int argc, char *const *argv, struct error *error);
void slap_given_done(struct slap_given *given);
const char *slap_option_name(enum slap_option option);
bool slap_is_on(const struct slap_given *given, enum slap_option option);
void slap_print_help(FILE *out);

/* ---- mysqlslap_files.c: option files become words ---- */

/* Takes the options that say which files (they stand first), reads those, and gives the words of their groups; `*used`:
 * how many of argv that took. */
bool slap_files_read(int argc, char *const *argv, struct text_pool *words, int *used, bool *print_only,
                     struct error *error);

/* ---- mysqlslap_sql.c: statements ---- */

enum slap_load { SLAP_MIXED, SLAP_UPDATE, SLAP_WRITE, SLAP_KEY, SLAP_READ };

/* The generated table, its rows and the statements on it. They are the same in each run. */
struct slap_table {
    uint64_t ints, chars, secondary_indexes, unique_queries, unique_writes, writes;
    bool ints_indexed, chars_indexed, autoincrement, guid;
    enum slap_load load;
};

/* All that a command line's scripts have in common, and the strings they are made of. */
struct slap_sql {
    struct script script;
    struct text_pool texts;
};
void slap_sql_done(struct slap_sql *sql); /* all zero is fine */

/* False when memory is short. */
bool slap_add(struct script_list *list, char *text /* of slap_sql.texts; NULL = no memory */);
/* Adds the text's statements, cut at `delimiter`. */
bool slap_cut_text(struct slap_sql *sql, struct script_list *list, const char *text, const char *delimiter);
bool slap_generate(struct slap_sql *sql, const struct slap_table *table);
/* Each of the queries becomes a kind of its own, where there is room, else all of them one. */
bool slap_name_queries(struct slap_sql *sql);
/* The same with "Engine = …" behind each CREATE TABLE; `engine`: "memory", or "memory:max_rows=10". */
bool slap_add_engine(struct slap_sql *sql, const struct script_list *create, const char *engine,
                     struct script_list *out);
/* One run, and (after the last one of an engine, as mysqlslap prints it) the end of its schema. */
void slap_print_drop(FILE *out, const struct script *script);
void slap_print_script(FILE *out, const struct script *script, uint64_t connections);

/* ---- mysqlslap_job.c: the invocation ---- */

#define SLAP_LIST_MAX 256

struct slap { /* the listener's context */
    struct slap_given given;
    struct slap_sql sql;
    FILE *out;
    struct job *further;
    struct script *scripts;                          /* of all jobs */
    char (*labels)[NAME_MAX_BYTES * 2];              /* the same */
    const char **names;                              /* the same */
    char engines[SLAP_LIST_MAX][NAME_MAX_BYTES * 2]; /* as given, with their options */
    struct script_list creates[SLAP_LIST_MAX];       /* for each engine */
    uint64_t clients[SLAP_LIST_MAX];
    size_t engines_count, clients_count, jobs_count;
    const char *load_name; /* as CSV has it */
    bool is_csv, is_silent, shows_latency, only_prints;
    unsigned verbose;
    char csv_path[TEXT_MAX]; /* "" = stdout */
    char *csv_text;          /* what goes into that file */
    bool csv_failed;
    size_t csv_bytes;
    /* of the job that runs */
    uint64_t runs, sum_ns, min_ns, max_ns;
    struct histogram latencies;
};

bool slap_job_make(struct slap *slap, struct invocation *invocation, struct error *error);
void slap_reword(const struct job *job, struct error *error);
void slap_free(void *context);

/* ---- mysqlslap_print.c ---- */

struct listener slap_listener(struct slap *slap);

#endif
