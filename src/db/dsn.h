/* db/dsn.h: one server in one word of a command line, beside the job's own --db-… settings:
 *
 *   host=10.0.0.6,port=3307,user=check,password-env=PW     keys are the --db-… settings without "db-"
 *   mysql://check@10.0.0.6:3307/shop?tls=required           the same as an address; %XX stands for any byte
 *
 * What it does not say is taken from another place, but for host, port and socket. A password is never in it: its key
 * is password-env (a variable's name) or password-file (the first line counts). */
#ifndef DB_DSN_H
#define DB_DSN_H

#include "core/job.h"
#include "platform/error.h"

#include <stdbool.h>

struct db_place {
    struct job job;      /* the db_… settings */
    char *password;      /* NULL = none */
    char name[TEXT_MAX]; /* for people: "10.0.0.6:3307", or the socket */
};

/* Reads `text`; `option` ("--replica") begins each error. db_place_done releases it, also after a failure. */
bool db_place_parse(struct db_place *out, const char *option, const char *text, const struct db_place *standard,
                    struct error *error);
/* Writes the name that the job's host, port and socket make. */
void db_place_name(struct db_place *place);
void db_place_done(struct db_place *place); /* all zero is fine */

/* A password from where nobody else reads it, into *out for free(), in place of what is there. `option` begins an
 * error. */
bool db_password_from_environment(char **out, const char *option, const char *variable, struct error *error);
bool db_password_from_file(char **out, const char *path, struct error *error);
bool db_password_keep(char **out, const char *text, size_t bytes, struct error *error);

#endif
