#include "checksum/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct text *sql, size_t more)
{
    size_t room = (sql->bytes + more + 1) * 2;
    if (sql->bytes + more < sql->room)
        return true;
    char *text = realloc(sql->text, room);
    if (!text)
        return false;
    sql->text = text;
    sql->room = room;
    return true;
}

void text_add(struct text *sql, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int bytes = vsnprintf(NULL, 0, format, list);
    if (bytes < 0 || !make_room(sql, (size_t)bytes))
        sql->failed = true;
    else
        sql->bytes += (size_t)vsnprintf(sql->text + sql->bytes, sql->room - sql->bytes, format, again);
    va_end(again);
    va_end(list);
}

bool list_grow(void **items, size_t *room, size_t used, size_t bytes)
{
    size_t larger = used * 2 + 16;
    if (used < *room)
        return true;
    void *more = realloc(*items, larger * bytes);
    if (!more)
        return false;
    *items = more;
    *room = larger;
    return true;
}

void text_clear(struct text *sql)
{
    sql->bytes = 0;
    sql->failed = false;
    if (sql->text)
        sql->text[0] = '\0';
}

void text_done(struct text *sql)
{
    free(sql->text);
    *sql = (struct text){0};
}

char *text_copy(const char *text, size_t bytes)
{
    char *copy = malloc(bytes + 1);
    if (copy) {
        memcpy(copy, text, bytes);
        copy[bytes] = '\0';
    }
    return copy;
}

char *text_name(const char *name)
{
    char *out = malloc(2 * strlen(name) + 3), *to = out;
    if (!out)
        return NULL;
    *to++ = '`';
    for (; *name; name++) {
        if (*name == '`')
            *to++ = '`';
        *to++ = *name;
    }
    strcpy(to, "`");
    return out;
}

void text_add_literal(struct text *sql, const char *text)
{
    text_add(sql, "_utf8mb4 x'");
    for (; *text; text++)
        text_add(sql, "%02x", (unsigned)(unsigned char)*text);
    text_add(sql, "'");
}

/* ---- literals for people ---- */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Writes what the hexadecimal digits stand for; false where that is not plain ASCII. */
static bool decode(const char *digits, size_t count, char *out)
{
    if (count % 2 != 0)
        return false;
    for (size_t i = 0; i < count; i += 2) {
        int byte = digit(digits[i]) * 16 + digit(digits[i + 1]);
        if (byte < ' ' || byte > '~' || byte == '\'' || byte == '\\')
            return false;
        *out++ = (char)byte;
    }
    return true;
}

/* Behind the x' of a literal whose digits may be read as ASCII; else NULL. */
static const char *digits_of(const char *literal)
{
    static const char *const beginnings[] = {"x'", "_utf8mb4 x'", "_utf8mb3 x'", "_utf8 x'", "_latin1 x'", "_ascii x'"};
    for (size_t i = 0; i < COUNT_OF(beginnings); i++)
        if (strncmp(literal, beginnings[i], strlen(beginnings[i])) == 0)
            return literal + strlen(beginnings[i]);
    return NULL;
}

/* To the comma behind it, or the end: quotes hold together, and there are no escapes in them. */
static size_t literal_bytes(const char *literal)
{
    bool quoted = false;
    size_t bytes = 0;
    for (; literal[bytes] && (quoted || literal[bytes] != ','); bytes++)
        quoted ^= literal[bytes] == '\'';
    return bytes;
}

char *text_readable(const char *literals)
{
    char *out = malloc(strlen(literals) + 1), *to = out;
    while (out && *literals) {
        size_t bytes = literal_bytes(literals);
        const char *digits = digits_of(literals), *end = literals + bytes;
        bool closed = digits && end > digits && end[-1] == '\'';
        size_t count = closed ? (size_t)(end - digits) - 1 : 0;
        if (closed && decode(digits, count, to + 1)) {
            *to = '\'';
            to += count / 2 + 1;
            *to++ = '\'';
        } else {
            memcpy(to, literals, bytes);
            to += bytes;
        }
        literals = end;
        if (*literals == ',')
            *to++ = *literals++;
    }
    if (out)
        *to = '\0';
    return out;
}
