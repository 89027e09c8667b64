#include "core/markup.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for so many bytes more and a NUL. */
static bool make_room(struct markup *markup, size_t bytes)
{
    if (markup->is_short || markup->used + bytes < markup->room)
        return !markup->is_short;
    size_t room = 2 * markup->room + bytes + 4096;
    char *text = realloc(markup->text, room);
    markup->is_short = text == NULL;
    if (!text)
        return false;
    markup->text = text;
    markup->room = room;
    return true;
}

static void put_bytes(struct markup *markup, const char *bytes, size_t count)
{
    if (!make_room(markup, count))
        return;
    memcpy(markup->text + markup->used, bytes, count);
    markup->used += count;
    markup->text[markup->used] = '\0';
}

void markup_add(struct markup *markup, const char *text)
{
    put_bytes(markup, text, strlen(text));
}

void markup_printf(struct markup *markup, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int bytes = vsnprintf(NULL, 0, format, list);
    if (bytes > 0 && make_room(markup, (size_t)bytes)) {
        vsnprintf(markup->text + markup->used, (size_t)bytes + 1, format, again);
        markup->used += (size_t)bytes;
    }
    va_end(again);
    va_end(list);
}

/* ---- escaping ---- */

/* The bytes of the UTF-8 sign that begins here, and the sign; 0 = none does (The Unicode Standard, table 3-7). */
static size_t read_sign(const unsigned char *text, uint32_t *sign)
{
    static const struct {
        unsigned char mask, lead;
        size_t bytes;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 1, 0}, {0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if ((text[0] & forms[i].mask) != forms[i].lead)
            continue;
        *sign = text[0] & (unsigned char)~forms[i].mask;
        for (size_t k = 1; k < forms[i].bytes; k++) {
            if ((text[k] & 0xC0) != 0x80)
                return 0;
            *sign = *sign << 6 | (text[k] & 0x3FU);
        }
        bool is_sign = *sign >= forms[i].least && *sign <= 0x10FFFF && (*sign < 0xD800 || *sign > 0xDFFF);
        return is_sign ? forms[i].bytes : 0;
    }
    return 0;
}

static bool turns_direction(uint32_t sign)
{
    return (sign >= 0x202A && sign <= 0x202E) || (sign >= 0x2066 && sign <= 0x2069);
}

static const char *entity_of(uint32_t sign)
{
    static const struct {
        uint32_t sign;
        const char *entity;
    } rows[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].sign == sign)
            return rows[i].entity;
    return sign < ' ' || (sign >= 0x7F && sign < 0xA0) ? " " : turns_direction(sign) ? "\xEF\xBF\xBD" : NULL;
}

void markup_text(struct markup *markup, const char *text)
{
    while (*text) {
        uint32_t sign = 0;
        size_t bytes = read_sign((const unsigned char *)text, &sign);
        const char *entity = bytes == 0 ? "\xEF\xBF\xBD" : entity_of(sign);
        if (entity)
            markup_add(markup, entity);
        else
            put_bytes(markup, text, bytes);
        text += bytes ? bytes : 1;
    }
}

char *markup_finish(struct markup *markup)
{
    char *text = markup->text;
    if (!markup->is_short && !text)
        text = calloc(1, 1);
    if (markup->is_short) {
        free(text);
        text = NULL;
    }
    memset(markup, 0, sizeof *markup);
    return text;
}
