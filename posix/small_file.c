#define _POSIX_C_SOURCE 200809L
#include "posix/small_file.h"

#include "platform/path.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void trim(char *text)
{
    size_t start = 0, end = strlen(text);
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    text[end] = '\0';
    while (isspace((unsigned char)text[start]))
        start++;
    memmove(text, text + start, end - (start < end ? start : end) + 1);
}

static bool read_file(const char *path, char *out, size_t out_bytes)
{
    out[0] = '\0';
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    size_t used = 0;
    ssize_t got = 0;
    while (used < out_bytes - 1 && (got = read(file, out + used, out_bytes - 1 - used)) > 0)
        used += (size_t)got;
    close(file);
    out[used] = '\0';
    trim(out);
    return got >= 0;
}

static bool read_formatted(char *out, size_t out_bytes, const char *format, va_list arguments)
{
    char path[PATH_BYTES];
    out[0] = '\0';
    int length = vsnprintf(path, sizeof path, format, arguments);
    return length >= 0 && length < PATH_BYTES && read_file(path, out, out_bytes);
}

bool small_file_read(char *out, size_t out_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool read = read_formatted(out, out_bytes, format, arguments);
    va_end(arguments);
    return read;
}

uint64_t small_file_number(const char *format, ...)
{
    char text[32];
    va_list arguments;
    va_start(arguments, format);
    bool read = read_formatted(text, sizeof text, format, arguments);
    va_end(arguments);
    return read ? strtoull(text, NULL, 10) : 0;
}
