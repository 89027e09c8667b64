/* db/mysql_skip.h: rows that nobody looks at, passed over where they lie. The client libraries copy and parse each row,
 * which takes more than all else a benchmark's client does. MariaDB's Connector/C keeps what it has read from the
 * socket in a buffer that its headers describe; whole rows there are counted and skipped, and the library goes on
 * behind them. What does not look as expected is left to the library. With libmysqlclient nothing is skipped. */
#ifndef DB_MYSQL_SKIP_H
#define DB_MYSQL_SKIP_H

#include "db/mysql_driver.h"

/* Is that connection's buffer to be understood? Not with compression. */
bool mysql_may_skip(MYSQL *handle);

/* After a prepared statement was executed and gives rows: how many were skipped. *all: its end was reached too, and the
 * statement is as after a mysql_stmt_fetch that found no more. */
uint64_t mysql_skip_prepared(MYSQL_STMT *statement, bool *all);
/* After a statement was prepared: the names of its columns, which Connector/C would copy at each execution. */
void mysql_forget_names(MYSQL_STMT *statement);
/* After mysql_use_result: the end is left to mysql_fetch_row. */
uint64_t mysql_skip_text(MYSQL *handle);

#endif
