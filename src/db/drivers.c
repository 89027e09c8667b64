/* Those that the build found the libraries of; src/db/CMakeLists.txt says which. */
#include "db/drivers.h"

#include <stddef.h>

const struct db_driver *const db_drivers[] = {
    &sqlite_driver,
#ifdef DB_HAS_MYSQL
    &mysql_driver,
#endif
#ifdef DB_HAS_PGSQL
    &pgsql_driver,
#endif
    NULL,
};
