/* posix/small_file.h: one-line files, as /proc and /sys have them. */
#ifndef POSIX_SMALL_FILE_H
#define POSIX_SMALL_FILE_H

#include "platform/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The start of the file whose name the format makes, without white space at both ends. False and "" when it
 * cannot be read. */
bool small_file_read(char *out, size_t out_bytes, const char *format, ...) PRINTF_LIKE(3, 4);
/* The same as a decimal number; 0 when there is none. */
uint64_t small_file_number(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
