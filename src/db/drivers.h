/* db/drivers.h: the drivers, each one file with one table of functions; those that are built in stand in drivers.c. */
#ifndef DB_DRIVERS_H
#define DB_DRIVERS_H

#include "db/db.h"

extern const struct db_driver sqlite_driver, mysql_driver, pgsql_driver;

#endif
