#include "oltp/sql.h"

#include <stdlib.h>
#include <string.h>

#define GROUP_NUMBERS UINT64_C(100000000000) /* 10^GROUP_DIGITS */

static const char digit_pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434"
    "44546474849505152535455565758596061626364656667686970717273747576777879808182838485868788"
    "8990919293949596979899";

/* ---- templates ---- */

static void count_places(struct sql_template *sql)
{
    for (const char *at = sql->text; *at; ++at) {
        sql->tables += *at == '@';
        sql->values += *at == '?';
        ++sql->bytes;
    }
}

static void cut(struct sql_template *sql)
{
    const char *at = sql->text;
    for (;;) {
        size_t bytes = strcspn(at, "@?");
        sql->pieces[sql->count++] = (struct sql_piece){at, bytes, at[bytes]};
        if (at[bytes] == '\0')
            return;
        at += bytes + 1;
    }
}

bool sql_make(struct sql_template *sql, const char *text)
{
    size_t bytes = strlen(text) + 1;
    memset(sql, 0, sizeof(*sql));
    sql->text = malloc(bytes);
    if (!sql->text)
        return false;
    memcpy(sql->text, text, bytes);
    count_places(sql);
    sql->pieces = calloc(sql->tables + sql->values + 1, sizeof(*sql->pieces));
    if (!sql->pieces)
        return false;
    cut(sql);
    return true;
}

void sql_done(struct sql_template *sql)
{
    free(sql->text);
    free(sql->pieces);
    memset(sql, 0, sizeof(*sql));
}

size_t sql_room(const struct sql_template *sql, size_t text_bytes)
{
    return sql->bytes + sql->tables * TABLE_NAME_BYTES + sql->values * 24 + 2 * text_bytes + 1;
}

static size_t put_value(const struct db_value *values, size_t index, char *out)
{
    if (values)
        return db_literal(&values[index], out);
    *out = '?';
    return 1;
}

size_t sql_write(const struct sql_template *sql, const struct table_name *table, const struct db_value *values,
                 char *out)
{
    char *at = out;
    size_t value = 0;
    for (size_t i = 0; i < sql->count; ++i) {
        const struct sql_piece *piece = &sql->pieces[i];
        memcpy(at, piece->text, piece->bytes);
        at += piece->bytes;
        if (piece->place == '@') {
            memcpy(at, table->text, table->bytes);
            at += table->bytes;
        } else if (piece->place == '?') {
            at += put_value(values, value++, at);
        }
    }
    *at = '\0';
    return (size_t)(at - out);
}

/* ---- digits ---- */

size_t sql_number(uint64_t number, char *out)
{
    char digits[SQL_NUMBER_BYTES], *at = digits + sizeof(digits);
    for (; number >= 100; number /= 100)
        memcpy(at -= 2, digit_pairs + 2 * (number % 100), 2);
    if (number >= 10)
        memcpy(at -= 2, digit_pairs + 2 * number, 2);
    else
        *--at = (char)('0' + number);
    size_t bytes = (size_t)(digits + sizeof(digits) - at);
    memcpy(out, at, bytes);
    return bytes;
}

/* The upper part once, so that the rest are divisions of 32 bits. */
static void put_group(uint64_t number, char *out)
{
    uint32_t low = (uint32_t)(number % 100000000), high = (uint32_t)(number / 100000000);
    for (int i = 9; i >= 3; i -= 2, low /= 100)
        memcpy(out + i, digit_pairs + 2 * (low % 100), 2);
    memcpy(out + 1, digit_pairs + 2 * (high % 100), 2);
    out[0] = (char)('0' + high / 100);
}

void sql_groups(struct random *random, size_t groups, char *out)
{
    for (size_t i = 0; i < groups; ++i) {
        put_group(random_below(random, GROUP_NUMBERS), out);
        out += GROUP_DIGITS;
        if (i + 1 < groups)
            *out++ = '-';
    }
}
