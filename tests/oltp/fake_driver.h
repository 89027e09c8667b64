/* A database that is not there: it notes what it is told, knows which tables exist, and fails where a test says so. */
#ifndef TESTS_OLTP_FAKE_DRIVER_H
#define TESTS_OLTP_FAKE_DRIVER_H

#include "db/db.h"

#define FAKE_LOG_BYTES (16 << 20)
#define FAKE_RULES 4

struct fake_rule {
    const char *in; /* a part of the statement; "CONNECT" = connecting, "PREPARE" = preparing; NULL = no rule */
    int after;      /* so many of them go well first */
    int times;      /* then so many fail, 0 = none */
    enum db_class class;
};

struct fake {
    char *log; /* one line for each statement, with its values; "PREPARE …" and "CONNECT" too */
    size_t used;
    char *tables[64];
    unsigned long long max_id, last_id;
    struct fake_rule rules[FAKE_RULES];
    int open, connected, statements_open; /* connections now, and ever */
    bool only_executed;                   /* the log has no CONNECT and PREPARE */
    bool empty;                           /* the largest id is that of the last INSERT that went well */
    bool arrived;                         /* … or failed */
};

extern const struct db_driver fake_driver;
/* One at a time: the driver's functions have no other way to it. */
struct fake *fake_start(void);
void fake_stop(void);
bool fake_has_table(const char *name);
int fake_count(const char *in); /* lines of the log with that part */

#endif
