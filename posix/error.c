#undef _GNU_SOURCE /* the strerror_r that fills its buffer, not the one that may return another */
#define _POSIX_C_SOURCE 200809L
#include "platform/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void os_error_text(int os_code, char *out, size_t out_bytes)
{
    char words[200];
    if (strerror_r(os_code, words, sizeof words) != 0)
        snprintf(words, sizeof words, "Unknown error");
    snprintf(out, out_bytes, "%s (errno %d)", words, os_code);
}

const int os_error_invalid = EINVAL;
const int os_error_no_space = ENOSPC;
const int os_error_short_transfer = ENODATA;
