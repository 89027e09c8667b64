#include "platform/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
{
    if (error->kind != ERR_NONE)
        return false;
    error->kind = kind;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_os(struct error *error, int os_code, const char *format, ...)
{
    if (error->kind != ERR_NONE)
        return false;
    error->kind = ERR_SYSTEM;
    error->os_code = os_code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    char words[256];
    os_error_text(os_code, words, sizeof words);
    size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, ": %s", words);
    return false;
}
