#include "load/form.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define NUMBER_BYTES 24
#define VALUE_BYTES 32 /* a number, or quotes, or a length before it */

static const char escaped[] = "\t\n\r\\", letters[] = "tnr\\";

/* NULL for a byte that stands for itself. */
static const char *escape_of(char sign)
{
    return sign == '\t' || sign == '\n' || sign == '\r' || sign == '\\' ? strchr(escaped, sign) : NULL;
}

static size_t put_number(int64_t number, char *out)
{
    return (size_t)snprintf(out, NUMBER_BYTES, "%" PRId64, number);
}

/* ---- streams ---- */

static size_t put_escaped(const struct db_value *value, char *out)
{
    char *to = out;
    for (size_t i = 0; i < value->text_bytes; i++) {
        const char *escape = escape_of(value->text[i]);
        if (escape)
            *to++ = '\\';
        *to++ = escape ? letters[escape - escaped] : value->text[i];
    }
    return (size_t)(to - out);
}

size_t form_stream(const struct db_value *values, size_t count, char *out)
{
    char *to = out;
    for (size_t i = 0; i < count; i++) {
        if (values[i].type == DB_VALUE_NULL) {
            *to++ = '\\';
            *to++ = 'N';
        } else {
            to += values[i].type == DB_VALUE_INT ? put_number(values[i].number, to) : put_escaped(&values[i], to);
        }
        *to++ = i + 1 < count ? '\t' : '\n';
    }
    return (size_t)(to - out);
}

size_t form_stream_bytes(const struct db_value *values, size_t count)
{
    char number[NUMBER_BYTES];
    size_t bytes = count;
    for (size_t i = 0; i < count; i++) {
        bytes += values[i].type == DB_VALUE_NULL  ? 2
                 : values[i].type == DB_VALUE_INT ? put_number(values[i].number, number)
                                                  : values[i].text_bytes;
        for (size_t k = 0; values[i].type == DB_VALUE_TEXT && k < values[i].text_bytes; k++)
            bytes += escape_of(values[i].text[k]) != NULL;
    }
    return bytes;
}

/* ---- literals ---- */

size_t form_literals(const struct db_value *values, size_t count, char *out)
{
    char *to = out;
    for (size_t i = 0; i < count; i++) {
        *to++ = i == 0 ? '(' : ',';
        to += db_literal(&values[i], to);
    }
    *to++ = ')';
    return (size_t)(to - out);
}

size_t form_room(const struct db_value *values, size_t count)
{
    size_t room = 2;
    for (size_t i = 0; i < count; i++)
        room += VALUE_BYTES + 2 * (values[i].type == DB_VALUE_TEXT ? values[i].text_bytes : 0);
    return room;
}

/* ---- checksums ---- */

static bool is_digit(char sign)
{
    return sign >= '0' && sign <= '9';
}

/* A number without what does not change its value: sign + and -0, zeros before and behind. 0 bytes = no plain number.
 */
static size_t plain_number(const char *text, size_t bytes, char *out)
{
    size_t i = 0, whole = 0, used = 0, last = 0;
    bool negative = bytes > 0 && text[0] == '-', any = false;
    i += bytes > 0 && (text[0] == '-' || text[0] == '+');
    for (; i < bytes && text[i] == '0'; i++)
        any = true;
    if (negative)
        out[used++] = '-';
    for (; i < bytes && is_digit(text[i]); i++, whole++, any = true)
        out[used++] = text[i];
    if (whole == 0)
        out[used++] = '0';
    last = used;
    if (i < bytes && text[i] == '.') {
        out[used++] = text[i++];
        for (; i < bytes && is_digit(text[i]); i++, any = true) {
            out[used++] = text[i];
            if (text[i] != '0')
                last = used;
        }
    }
    if (!any || i < bytes)
        return 0;
    bool is_zero = whole == 0 && last == 1 + (size_t)negative;
    if (is_zero)
        out[0] = '0';
    return is_zero ? 1 : last;
}

/* The length goes first, so that no two rows are written the same. */
static size_t put_value(const struct db_value *value, bool loose, char *out)
{
    uint64_t bytes = UINT64_MAX;
    char *text = out + sizeof(bytes);
    if (value->type == DB_VALUE_INT)
        bytes = put_number(value->number, text);
    if (value->type == DB_VALUE_TEXT) {
        bytes = loose ? plain_number(value->text, value->text_bytes, text) : 0;
        if (bytes == 0 && value->text_bytes > 0)
            memcpy(text, value->text, value->text_bytes);
        bytes = bytes ? bytes : value->text_bytes;
    }
    memcpy(out, &bytes, sizeof(bytes));
    return sizeof(bytes) + (bytes == UINT64_MAX ? 0 : (size_t)bytes);
}

void form_add(struct form_sum *sum, const struct db_value *values, size_t count, bool loose, char *buffer)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += put_value(&values[i], loose, buffer + bytes);
    XXH128_hash_t hash = XXH3_128bits(buffer, bytes);
    sum->low += hash.low64;
    sum->high += hash.high64;
    sum->rows++;
}

bool form_same(const struct form_sum *a, const struct form_sum *b)
{
    return a->rows == b->rows && a->low == b->low && a->high == b->high;
}
