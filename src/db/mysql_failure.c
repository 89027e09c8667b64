#include "db/mysql_driver.h"

#include <string.h>

#define INFILE_OFF                                                                                                     \
    "the server's variable local_infile is off: SET GLOBAL local_infile = 1 there, or load in another way"

const struct db_hint mysql_hints[] = {
    {1020, NULL, "another session changed the row"},
    {1021, NULL, "make room on the server's disk"},
    {1040, NULL, "raise max_connections on the server, or use fewer connections"},
    {1044, NULL, "grant the user rights on the database, or give another --db-name"},
    {1045, NULL, "look at --db-user and the password (--password-env, --password-file, --ask-password)"},
    {1046, NULL, "give --db-name"},
    {1049, NULL, "create the database, or give another --db-name"},
    {1050, NULL, "cleanup removes it"},
    {1114, NULL, "the table, or the server's disk, is full"},
    {1130, NULL, "make a user on the server that may come from this host"},
    {1135, NULL, "the server cannot make one more thread: use fewer connections"},
    {1142, NULL, "grant the user rights on the table"},
    {1146, NULL, "isobench oltp prepare makes the benchmark's own tables"},
    {1148, NULL, INFILE_OFF},
    {1153, NULL, "raise max_allowed_packet on the server"},
    {1203, NULL, "raise max_user_connections on the server, or use fewer connections"},
    {1226, NULL, "raise the user's limit on the server, or use fewer connections"},
    {1290, NULL, "the server is set so that it cannot: look at its read_only"},
    {1461, NULL, "raise max_prepared_stmt_count on the server, or use --db-statements=text"},
    {1524, NULL, "the server lacks the plugin that the account logs in by: give another --db-user"},
    {1698, NULL, "this user logs in by the socket and its own account alone: give another --db-user"},
    {2001, NULL, "error 24 = too many open files: raise the limit (ulimit -n), or use fewer connections"},
    {2002, NULL, "is the server running, and --db-socket, or --db-host and --db-port, right?"},
    {2003, NULL, "is the server running, and --db-host and --db-port right?"},
    {2004, NULL, "error 24 = too many open files: raise the limit (ulimit -n), or use fewer connections"},
    {2005, NULL, "look at --db-host"},
    {2017, NULL, "is the server running with a named pipe, and --db-socket its name?"},
    {2026, NULL, "look at the --db-tls settings, and whether the server has TLS"},
    {2047, NULL, "--db-protocol is one that this system does not have"},
    {2058, NULL,
     "the client library lacks the plugin that the account logs in by; MARIADB_PLUGIN_DIR or LIBMYSQL_PLUGIN_DIR "
     "can name its folder, or give another --db-user"},
    {2059, NULL,
     "the client library lacks the plugin that the account logs in by; MARIADB_PLUGIN_DIR or LIBMYSQL_PLUGIN_DIR "
     "can name its folder, or give another --db-user"},
    {2061, NULL, "the account's plugin wants TLS (--db-tls=required), or another --db-user"},
    {3948, NULL, INFILE_OFF},
    {4166, NULL, INFILE_OFF},
    {3159, NULL, "the server takes connections with TLS alone: --db-tls=required"},
    {0, NULL, NULL},
};

/* The server or the way to it is gone; a new connection may help. */
static bool is_loss(int code)
{
    static const int codes[] = {
        1053,                         /* shutdown in progress */
        1077, 1079, 1080,             /* shutdown */
        1152, 1184,                   /* aborted connection */
        1158, 1159, 1160, 1161,       /* network */
        1927,                         /* killed (MariaDB) */
        3169,                         /* killed (MySQL) */
        4031,                         /* the server's time-out for idle clients */
        2002, 2003, 2006, 2011, 2013, /* the client library's */
        2055,
    };
    for (size_t i = 0; i < COUNT_OF(codes); ++i)
        if (codes[i] == code)
            return true;
    return false;
}

enum db_class mysql_class(const struct job *job, int code, const char *sqlstate)
{
    static const int conflicts[] = {1213, 1205, 1020, 0}; /* deadlock, lock wait, row changed: as in sysbench */
    if (is_loss(code))
        return DB_CLASS_LOST;
    return db_is_retried(job, code, sqlstate, conflicts) ? DB_CLASS_RETRY : DB_CLASS_FATAL;
}

static bool fail(const struct mysql_connection *connection, const struct db_saying *saying, const char *sql,
                 size_t bytes, struct db_failure *failure)
{
    struct db_saying said = *saying;
    enum db_class class = mysql_class(connection->base.job, said.code, said.sqlstate);
    if (said.code == CR_SSL_CONNECTION_ERROR) { /* TLS stood already: the server went, and no setting is wrong */
        class = DB_CLASS_LOST;
        said.hints = NULL;
    }
    return db_fail_sql(failure, class, &said, sql, bytes);
}

struct db_saying mysql_saying(MYSQL *handle)
{
    return (struct db_saying){(int)mysql_errno(handle), mysql_sqlstate(handle), mysql_error(handle), mysql_hints};
}

bool mysql_fail(const struct mysql_connection *connection, const char *sql, size_t bytes, struct db_failure *failure)
{
    struct db_saying saying = mysql_saying(connection->handle);
    return fail(connection, &saying, sql, bytes, failure);
}

/* An error amid the rows is with Connector/C the connection's alone. */
bool mysql_fail_prepared(const struct mysql_connection *connection, MYSQL_STMT *statement, const char *sql,
                         struct db_failure *failure)
{
    struct db_saying saying = {(int)mysql_stmt_errno(statement), mysql_stmt_sqlstate(statement),
                               mysql_stmt_error(statement), mysql_hints};
    if (saying.code == 0)
        saying = mysql_saying(connection->handle);
    return fail(connection, &saying, sql, strlen(sql), failure);
}
