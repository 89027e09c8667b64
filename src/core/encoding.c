#include "core/encoding.h"

#include "platform/path.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As UTF-8 at `out`: one to four bytes. Their end. */
static char *put_code(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *out++ = (char)(0xE0 | code >> 12);
        } else {
            *out++ = (char)(0xF0 | code >> 18);
            *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *out++ = (char)(0x80 | (code & 0x3F));
    return out;
}

enum encoding { ENCODING_BYTES, ENCODING_UTF16_LE, ENCODING_UTF16_BE };

/* Text of tools is ASCII for the most part: every other byte of UTF-16 is then 0. */
static enum encoding guess_encoding(const unsigned char *data, size_t bytes)
{
    size_t even = 0, odd = 0, looked = bytes < 4096 ? bytes : 4096;
    if (bytes >= 2 && data[0] == 0xFF && data[1] == 0xFE)
        return ENCODING_UTF16_LE;
    if (bytes >= 2 && data[0] == 0xFE && data[1] == 0xFF)
        return ENCODING_UTF16_BE;
    for (size_t i = 0; i + 1 < looked; i += 2) {
        even += data[i] == 0;
        odd += data[i + 1] == 0;
    }
    if (looked >= 4 && odd * 4 > looked && even == 0)
        return ENCODING_UTF16_LE;
    return looked >= 4 && even * 4 > looked && odd == 0 ? ENCODING_UTF16_BE : ENCODING_BYTES;
}

static uint32_t unit_at(const unsigned char *data, size_t at, enum encoding encoding)
{
    return encoding == ENCODING_UTF16_LE ? (uint32_t)data[at] | (uint32_t)data[at + 1] << 8
                                         : (uint32_t)data[at + 1] | (uint32_t)data[at] << 8;
}

/* Two bytes become three at most. */
static void from_utf16(char *out, const unsigned char *data, size_t bytes, enum encoding encoding)
{
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        uint32_t code = unit_at(data, i, encoding);
        if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes) {
            uint32_t low = unit_at(data, i + 2, encoding);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += 2;
            }
        }
        if (code != 0xFEFF || i > 0)
            out = put_code(out, code ? code : ' ');
    }
    *out = '\0';
}

static void from_bytes(char *out, const unsigned char *data, size_t bytes)
{
    size_t at = bytes >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (; at < bytes; at++)
        *out++ = data[at] ? (char)data[at] : ' ';
    *out = '\0';
}

char *encoding_to_utf8(const void *data, size_t bytes)
{
    enum encoding encoding = guess_encoding(data, bytes);
    char *out = malloc(bytes / 2 * 3 + 2);
    if (out && encoding == ENCODING_BYTES)
        from_bytes(out, data, bytes);
    else if (out)
        from_utf16(out, data, bytes, encoding);
    return out;
}

bool encoding_read_text(const char *path, size_t max_bytes, char **out, struct error *error)
{
    char *data;
    size_t bytes;
    if (!path_read_text(path, max_bytes, &data, &bytes, error))
        return false;
    *out = encoding_to_utf8(data, bytes);
    free(data);
    return *out || error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", path);
}
