#undef _GNU_SOURCE /* the strerror_r that fills its buffer, not the one that may return another */
#define _POSIX_C_SOURCE 200809L
#include "platform/error.h"

#include "platform/host.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The system has the same code for a file system's limit and for the process's own. */
static void add_file_limit(char *out, size_t out_bytes)
{
    uint64_t limit_bytes = host_file_size_limit();
    size_t used = strlen(out);
    if (limit_bytes != UINT64_MAX)
        snprintf(out + used, out_bytes - used, "; ulimit -f allows a file %" PRIu64 " bytes", limit_bytes);
}

void os_error_text(int os_code, char *out, size_t out_bytes)
{
    char words[200];
    if (strerror_r(os_code, words, sizeof words) != 0)
        snprintf(words, sizeof words, "Unknown error");
    snprintf(out, out_bytes, "%s (errno %d)", words, os_code);
    if (os_code == EFBIG)
        add_file_limit(out, out_bytes);
}

const int os_error_invalid = EINVAL;
const int os_error_no_space = ENOSPC;
const int os_error_short_transfer = ENODATA;
