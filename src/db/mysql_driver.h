/* db/mysql_driver.h: what the files of the mysql driver share. */
#ifndef DB_MYSQL_DRIVER_H
#define DB_MYSQL_DRIVER_H

#include "db/driver.h"
#include "db/drivers.h"
#include "db/replication.h"

#include <errmsg.h>
#include <mysql.h>

#ifdef MARIADB_PACKAGE_VERSION
#define IS_CONNECTOR_C 1 /* MariaDB's; else MySQL's libmysqlclient */
typedef my_bool mysql_flag;
#else
#define IS_CONNECTOR_C 0
typedef bool mysql_flag;
#endif

struct mysql_connection {
    struct db_connection base;
    MYSQL *handle;
    bool may_skip; /* mysql_skip.h */
};

static inline struct mysql_connection *mysql_own(struct db_connection *connection)
{
    return (struct mysql_connection *)connection;
}

/* ---- mysql_failure.c ---- */

enum db_class mysql_class(const struct job *job, int code, const char *sqlstate);
extern const struct db_hint mysql_hints[];
/* What the connection said last. */
struct db_saying mysql_saying(MYSQL *handle);
/* Of a statement sent as text, or of a prepared one. Always return false. */
bool mysql_fail(const struct mysql_connection *connection, const char *sql, size_t bytes, struct db_failure *failure);
bool mysql_fail_prepared(const struct mysql_connection *connection, MYSQL_STMT *statement, const char *sql,
                         struct db_failure *failure);

/* ---- mysql_connect.c ---- */

bool mysql_check(const struct job *job, struct error *error);
bool mysql_connect_to(const struct db_target *target, struct db_connection **out, struct db_failure *failure);
void mysql_disconnect(struct db_connection *connection);

/* ---- mysql_prepared.c ---- */

bool mysql_prepared_make(struct db_connection *base, const char *sql, struct db_statement **out,
                         struct db_failure *failure);
bool mysql_prepared_like(struct db_connection *base, const char *sql, struct db_statement *like,
                         struct db_statement **out, struct db_failure *failure);
void mysql_prepared_close(struct db_statement *base);
bool mysql_prepared_execute(struct db_statement *base, const struct db_value *values, size_t count,
                            struct db_reply *reply, struct db_failure *failure);

/* ---- mysql_stream.c ---- */

/* Takes away what the library would do by itself when a server asks for a file: read it. Once per connection. */
void mysql_refuse_files(MYSQL *handle);
bool mysql_stream(struct db_connection *connection, const struct db_stream *rows, struct db_reply *reply,
                  struct db_failure *failure);

/* ---- mysql_facts.c ---- */

bool mysql_facts(struct db_connection *connection, struct server_facts *out, struct db_failure *failure);
bool mysql_room(struct db_connection *connection, uint64_t connections, uint64_t statements_each, struct error *error);

/* ---- mysql_replication.c ---- */

extern const struct db_replication mysql_replication;

#endif
