/* core/encoding.h: text of other programs as UTF-8. PowerShell's `>` writes UTF-16 with a byte order mark, and so do
 * Windows' editors on request. */
#ifndef CORE_ENCODING_H
#define CORE_ENCODING_H

#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The text of `bytes` bytes, NUL-terminated, for free(); NULL when memory is short. UTF-16 is told by its mark, or
 * without one by its look; anything else stays as it is, but for UTF-8's own mark, which goes. A NUL becomes a blank.
 */
char *encoding_to_utf8(const void *data, size_t bytes);

/* path_read_text, and then in UTF-8. */
bool encoding_read_text(const char *path, size_t max_bytes, char **out, struct error *error);

#endif
