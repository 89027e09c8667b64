#include "cli/password.h"

#include "platform/path.h"
#include "platform/process.h"

#include <stdlib.h>
#include <string.h>

#define PASSWORD_BYTES 1024

static bool keep(struct invocation *invocation, const char *text, size_t bytes, struct error *error)
{
    char *copy = malloc(bytes + 1);
    if (!copy)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    free(invocation->password);
    invocation->password = copy;
    return true;
}

bool password_from_environment(struct invocation *invocation, const char *value, struct error *error)
{
    const char *text = value[0] ? getenv(value) : NULL;
    return text ? keep(invocation, text, strlen(text), error)
                : error_set(error, ERR_USAGE, "--password-env=%.60s: the environment has no such variable", value);
}

bool password_from_file(struct invocation *invocation, const char *value, struct error *error)
{
    char *text = NULL;
    if (!path_read_text(value, PASSWORD_BYTES, &text, NULL, error))
        return false;
    bool good = keep(invocation, text, strcspn(text, "\r\n"), error);
    memset(text, 0, strlen(text));
    free(text);
    return good;
}

bool password_ask(struct invocation *invocation, struct error *error)
{
    char text[PASSWORD_BYTES];
    bool good =
        process_ask_secret("Password: ", text, sizeof text, error) && keep(invocation, text, strlen(text), error);
    memset(text, 0, sizeof text);
    return good;
}
