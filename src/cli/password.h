/* cli/password.h: the database's password, from where nobody else reads it: never an option of its own, which the list
 * of processes would show. */
#ifndef CLI_PASSWORD_H
#define CLI_PASSWORD_H

#include "core/dialect.h"

/* Each fills invocation->password. `value`: a variable's name; a file's, of which the first line counts. */
bool password_from_environment(struct invocation *invocation, const char *value, struct error *error);
bool password_from_file(struct invocation *invocation, const char *value, struct error *error);
/* Asks at the terminal. */
bool password_ask(char **out, struct error *error); /* into *out for free() */

#endif
