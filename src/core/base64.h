/* core/base64.h: bytes as text, RFC 4648's base64 with its standard alphabet and padding. */
#ifndef CORE_BASE64_H
#define CORE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Letters that so many bytes take, without a NUL. */
#define BASE64_LENGTH(bytes) (((bytes) + 2) / 3 * 4)

/* Writes BASE64_LENGTH(bytes) letters and a NUL. */
void base64_encode(const uint8_t *from, size_t bytes, char *out);
/* Into `out`, which has room for length / 4 * 3 bytes. False if `text` is not such a text; nothing may stand
 * around it. */
bool base64_decode(const char *text, size_t length, uint8_t *out, size_t *bytes);

#endif
