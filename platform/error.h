/* platform/error.h: one error = a kind, the system's code and a sentence for a person.
 * A function that can fail takes a `struct error *` last (never NULL), fills it and returns false.
 * The first error wins: a second one on the same object is dropped. Printed once, in cli. */
#ifndef PLATFORM_ERROR_H
#define PLATFORM_ERROR_H

#include "platform/compiler.h"

#include <stdbool.h>
#include <stddef.h>

enum error_kind {
    ERR_NONE,
    ERR_USAGE,       /* the command line, a plan or a setting is wrong */
    ERR_SYSTEM,      /* the operating system refused; os_code says how */
    ERR_UNSUPPORTED, /* right, but this system or this build cannot do it */
    ERR_DATA,        /* a file's content or a measured figure is not what it must be */
    ERR_INTERRUPTED, /* Ctrl-C, before there was anything to report */
};

struct error {
    enum error_kind kind;
    int os_code; /* errno on POSIX, GetLastError() on Windows; 0 where there is none */
    char text[1024];
};

#define ERROR_INIT                                                                                                     \
    {                                                                                                                  \
        ERR_NONE, 0,                                                                                                   \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

/* Fills `error` if it holds nothing yet. Always returns false, so that a caller can `return error_set(...)`. */
bool error_set(struct error *error, enum error_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);

/* The same with kind ERR_SYSTEM; the system's own words and number for `os_code` are appended. */
bool error_set_os(struct error *error, int os_code, const char *format, ...) PRINTF_LIKE(3, 4);

/* The system's words for one of its codes, as "No such file or directory (errno 2)" or
 * "The system cannot find the file specified. (Windows error 2)". Always NUL-terminated. */
void os_error_text(int os_code, char *out, size_t out_bytes);

/* The system's code for a request that is not aligned or has an impossible argument
 * (EINVAL, ERROR_INVALID_PARAMETER) and for running out of space (ENOSPC, ERROR_DISK_FULL). */
extern const int os_error_invalid;
extern const int os_error_no_space;
/* A transfer that ended early though the file should have gone on (ENODATA/EIO-like, ERROR_HANDLE_EOF). */
extern const int os_error_short_transfer;

#endif
