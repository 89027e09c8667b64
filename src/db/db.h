/* db/db.h: one contract for all databases. A driver is a table of functions; db_drivers lists those that this program
 * was built with. A connection, and all that is made from it, belongs to one thread at a time.
 *
 * What a server refuses is a struct db_failure, sorted into what a benchmark does about it: try again, connect again,
 * or end. What cannot be asked for at all (a driver that is not built in) is a struct error. */
#ifndef DB_DB_H
#define DB_DB_H

#include "core/job.h"
#include "core/result.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What to do about a failure. */
enum db_class {
    DB_CLASS_RETRY, /* a conflict (deadlock, lock wait, busy, serialization; job.retry_errors): from the transaction's
                       start. The server may or may not have rolled back: roll back first. */
    DB_CLASS_LOST,  /* the connection is gone */
    DB_CLASS_FATAL, /* anything else */
};

struct db_failure {
    enum db_class class;
    int code;         /* the server's or library's number; 0 = none */
    char sqlstate[6]; /* "" where there is none */
    char text[512];   /* one sentence for people: what was tried, the server's words, and what would be right where that
                         is known (wrong password, unknown database, too many connections, full disk) */
};

enum db_value_type { DB_VALUE_NULL, DB_VALUE_INT, DB_VALUE_TEXT };

struct db_value {
    enum db_value_type type;
    int64_t number;
    const char *text; /* not NUL-terminated */
    size_t text_bytes;
};

/* What a statement did. */
struct db_reply {
    bool has_rows;     /* it gave a result set, maybe an empty one */
    uint64_t rows;     /* of the result set */
    uint64_t affected; /* rows changed; 0 with a result set */
};

/* One row of a result set, as text; values[i] is NULL for SQL's NULL. False ends the reading early. */
typedef bool db_row(void *context, size_t columns, const char *const *values, const size_t *bytes);

/* Where to connect: the job's settings, and which of its hosts, ports and sockets. */
struct db_target {
    const struct job *job;
    const char *password; /* NULL = none; never copied into an error, a result or a log */
    uint64_t index;       /* connections are dealt over sockets, or over ports and then hosts, in turn */
    bool may_create;      /* a database that is a file is made if it is not there */
    bool may_stream;      /* `stream` will be used: MySQL's client has to say so when it connects */
};

/* Rows that are streamed into a table, as text: a tab between values, a line feed behind each row, \N for NULL, and
 * \t, \n, \r and \\ for what would else be one of these. LOAD DATA and COPY both read it as it is. */
struct db_stream {
    const char *table, *columns; /* as they stand in SQL: "t", "id, k" */
    /* Puts up to `room` bytes more into `out`, cut anywhere; returns how many, 0 = that was all, DB_STREAM_BROKEN = it
     * cannot go on: nothing of the stream stays in a table with transactions. */
    size_t (*next)(void *context, char *out, size_t room);
    void *context;
};
#define DB_STREAM_BROKEN SIZE_MAX
#define DB_STREAM_SQL_BYTES 8192 /* names of the table and of 64 columns, and the statement around them */

/* What the SQL of isobench's own tables needs to know. */
struct db_syntax {
    const char *auto_id;      /* type of an id column that the server fills: "INTEGER NOT NULL AUTO_INCREMENT" */
    const char *begin_write;  /* begins a transaction that will write: "BEGIN", "BEGIN IMMEDIATE" */
    const char *begin_read;   /* … that will not */
    bool zero_is_next_id;     /* an id of 0 is the next one, as sysbench gives it; else the column is left out */
    uint64_t last_id;         /* that an INTEGER column holds; 0 = any */
    bool has_engines;         /* CREATE TABLE takes ENGINE = … */
    bool index_in_table;      /* CREATE TABLE takes KEY name (column) */
    uint64_t statement_bytes; /* the longest multi-row INSERT to send */
    const char *true_numeric; /* NULL, or what makes SUM(k) an exact integer where it would not be */
    /* NULL, or what tells the server after which id its own numbering goes on, once rows came with ids; @ stands for
     * the table's name and ? for that id. PostgreSQL's sequences need it: "SELECT
     * setval(pg_get_serial_sequence('@','id'),?)". */
    const char *advance_ids;
    bool
        one_writer; /* only one connection writes at a time, so that more of them do not fill a table faster (sqlite) */
    uint32_t descriptors; /* open files of one connection; 0 = 1 */
    bool holds_answers;   /* the client library holds a whole answer in memory: big ones are fetched from a cursor */
    const char *stream;   /* what that server calls its streams of rows: "infile", "copy"; NULL = it has none */
};

struct db_connection { /* first member of each driver's own */
    const struct db_driver *driver;
    const struct job *job; /* as in the target; outlives the connection */
};

struct db_statement { /* the same */
    struct db_connection *connection;
};

struct db_replication;

struct db_driver {
    const char *name; /* as job.db_driver */
    const struct db_syntax *syntax;
    /* Before the first connection, again before each further job (only the first time does something), never by two
     * threads at once; stop, if at all, after the last. May be NULL. */
    bool (*start)(struct error *error);
    void (*stop)(void);
    /* On each thread that will use connections, before and after. May be NULL. */
    void (*thread_start)(void);
    void (*thread_stop)(void);
    /* False when the job asks for what this driver cannot do (TLS for sqlite, a pipe on Linux); names the option. */
    bool (*check)(const struct job *job, struct error *error);
    bool (*connect)(const struct db_target *target, struct db_connection **out, struct db_failure *failure);
    void (*disconnect)(struct db_connection *connection); /* NULL is fine; statements must be closed before */
    /* Of databases that are files, else NULL. Will connecting with may_create make it? And its removal, with what the
     * library keeps beside it, once nothing is connected; for who made it. */
    bool (*is_absent)(const struct job *job);
    void (*discard)(const struct job *job);
    /* Sends text as it is and takes the whole answer; `row` may be NULL. Several statements in one text are refused. */
    bool (*query)(struct db_connection *connection, const char *sql, size_t sql_bytes, db_row *row, void *context,
                  struct db_reply *reply, struct db_failure *failure);
    /* `sql` has ? for values. A server that cannot prepare it (MySQL's error 1295), or a job that says so (mysql only),
     * makes a statement that is sent as text each time; the caller does not see the difference. */
    bool (*prepare)(struct db_connection *connection, const char *sql, struct db_statement **out,
                    struct db_failure *failure);
    /* The same for the text of `like`, an open statement, with another table of the same columns: both may have one
     * memory on this side. Its close is not told to the server, which has it until the connection ends. NULL = there is
     * nothing to share. */
    bool (*prepare_like)(struct db_connection *connection, const char *sql, struct db_statement *like,
                         struct db_statement **out, struct db_failure *failure);
    void (*close)(struct db_statement *statement); /* NULL is fine */
    /* Takes the whole answer. `values`: as many as the statement has ?. */
    bool (*execute)(struct db_statement *statement, const struct db_value *values, size_t count, struct db_reply *reply,
                    struct db_failure *failure);
    /* One stream is one transaction. A row that the server would leave out or change is a failure, as any other is;
     * rows before it stay in a table without transactions. NULL where syntax->stream is. */
    bool (*stream)(struct db_connection *connection, const struct db_stream *rows, struct db_reply *reply,
                   struct db_failure *failure);
    /* Product, version, client library, TLS, and the variables that matter for a figure (flush at commit, buffer pool,
     * sync_binlog, page size, journal mode …). Fails only when the connection does. */
    bool (*facts)(struct db_connection *connection, struct server_facts *out, struct db_failure *failure);
    /* Does the server take so many connections, with so many prepared statements each? Names the limit and how to raise
     * it. */
    bool (*room)(struct db_connection *connection, uint64_t connections, uint64_t statements_each, struct error *error);
    const struct db_replication *replication; /* db/replication.h; NULL = this driver knows no replicas */
};

extern const struct db_driver *const db_drivers[]; /* NULL-terminated */

/* NULL with the error filled, which tells how to build with that driver. */
const struct db_driver *db_driver_find(const char *name, struct error *error);

/* Is `code` (or `sqlstate`) among job.retry_errors? `standard`: the driver's own codes for "auto", 0-terminated. */
bool db_is_retried(const struct job *job, int code, const char *sqlstate, const int *standard);

/* The index-th of a comma-separated list, in turn, into out. "" for an empty list. */
void db_deal(const char *list, uint64_t index, char *out, size_t out_bytes);

/* Fills in a value's SQL literal, quoted and escaped for that driver; returns the bytes written, without a NUL. `out`
 * has room for 2 × text_bytes + 3, or 24. */
size_t db_literal(const struct db_value *value, char *out);

#endif
