#include "dialects/fio.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool make_room(struct fio_text *text, size_t more)
{
    size_t room = text->room ? text->room : 4096;
    while (room < text->used + more + 1)
        room *= 2;
    if (room == text->room)
        return true;
    char *grown = realloc(text->text, room);
    if (!grown)
        return false;
    text->text = grown;
    text->room = room;
    return true;
}

void fio_text_add(struct fio_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text->failed = text->failed || bytes < 0 || !make_room(text, (size_t)bytes);
    if (text->failed)
        return;
    va_start(arguments, format);
    vsnprintf(text->text + text->used, text->room - text->used, format, arguments);
    va_end(arguments);
    text->used += (size_t)bytes;
}

/* Fractions appear only behind a prefix, and as many digits as are left for them. */
char *fio_short(double value, int digits, bool binary, const char *unit, char *out, size_t out_bytes)
{
    static const char *const prefixes[2][7] = {{"", "k", "M", "G", "T", "P", "E"},
                                               {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}};
    double limit = 1;
    int step = 0, whole = 1, decimals;
    for (int i = 0; i < digits; ++i)
        limit *= 10;
    while (value >= limit - 0.5 && step < 6) {
        value /= binary ? 1024 : 1000;
        ++step;
    }
    double rest = value;
    while (rest >= 10) {
        rest /= 10;
        ++whole;
    }
    decimals = step > 0 && digits - whole - 1 > 0 ? digits - whole - 1 : 0;
    snprintf(out, out_bytes, "%.*f%s%s", decimals, value, prefixes[binary][step], unit);
    return out;
}

/* The day has two places, which not every C library's strftime can do. */
char *fio_when(uint64_t wall_s, char *out, size_t out_bytes)
{
    time_t at = (time_t)wall_s;
    const struct tm *local = localtime(&at);
    char day[32] = "", rest[32] = "";
    out[0] = '\0';
    if (local && strftime(day, sizeof(day), "%a %b", local) && strftime(rest, sizeof(rest), "%H:%M:%S %Y", local))
        snprintf(out, out_bytes, "%s %2d %s", day, local->tm_mday, rest);
    return out;
}
