#include "cli/common.h"

#include "cli/cli.h"
#include "core/result_json.h"
#include "platform/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESULT_BYTES_MAX ((size_t)1 << 30)

const char *common_value(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

const char *common_take(int argc, char *const *argv, int *at, const char *name)
{
    if (strcmp(argv[*at], name) != 0)
        return common_value(argv[*at], name);
    return *at + 1 < argc ? argv[++*at] : "";
}

struct result *common_read_result(const char *path, struct error *error)
{
    struct result *result = NULL;
    char *text = NULL;
    if (path_read_text(path, RESULT_BYTES_MAX, &text, NULL, error))
        result_from_json(text, path, &result, error);
    free(text);
    return result;
}

bool common_write(const char *path, const char *text, struct error *error)
{
    if (strcmp(path, "-") != 0)
        return path_write_text(path, text, strlen(text), error);
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return true;
    return error_set(error, ERR_SYSTEM, "cannot write to stdout");
}

void common_print_warning(const char *whose, const struct warning *warning)
{
    fflush(stdout);
    fprintf(stderr, "isobench: warning: %s%s: %s\n", whose, warning->code, warning->text);
}

void common_print_error_of(const char *whose, const struct error *error)
{
    if (error->kind == ERR_NONE)
        return;
    fflush(stdout);
    fprintf(stderr, "isobench: %s%s\n", whose, error->text);
}

void common_print_error(const struct error *error)
{
    common_print_error_of("", error);
}

int common_status(const struct error *error, int usage_status)
{
    switch (error->kind) {
    case ERR_NONE:
        return STATUS_OK;
    case ERR_USAGE:
        return usage_status;
    case ERR_INTERRUPTED:
        return STATUS_INTERRUPTED;
    default:
        return STATUS_FAILED;
    }
}
