#include "cli/password.h"

#include "db/dsn.h"
#include "platform/process.h"

#include <string.h>

#define PASSWORD_BYTES 1024

bool password_from_environment(struct invocation *invocation, const char *value, struct error *error)
{
    return db_password_from_environment(&invocation->password, "--password-env", value, error);
}

bool password_from_file(struct invocation *invocation, const char *value, struct error *error)
{
    return db_password_from_file(&invocation->password, value, error);
}

bool password_ask(char **out, struct error *error)
{
    char text[PASSWORD_BYTES];
    bool good =
        process_ask_secret("Password: ", text, sizeof text, error) && db_password_keep(out, text, strlen(text), error);
    memset(text, 0, sizeof text);
    return good;
}
