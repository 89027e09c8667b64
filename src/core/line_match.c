/* core/line_match.c: the patterns of line rules. */
#include "core/reading.h"
#include "platform/clock.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES_MAX 512 /* no tool prints a longer one that has figures */

/* ---- numbers ---- */

static bool goes_on_as_number(const char *text)
{
    return (*text == ',' || *text == '.' || *text == '\'') && isdigit((unsigned char)text[1]);
}

/* Does a number that begins at `at` begin in the middle of one? */
static bool is_inside_number(const char *line, const char *at)
{
    return at > line && (isdigit((unsigned char)at[-1]) ||
                         (at > line + 1 && isdigit((unsigned char)at[-2]) && goes_on_as_number(at - 1)));
}

/* A decimal number at `text`: digits, a point and digits, an exponent. Its length; 0 when there is none. A comma is a
 * part of it in "1,234" where three digits follow, as some tools group them. What goes on behind it as a number does
 * (1.2.3, 1,5) is none: a part of it would be a wrong figure that looks right. */
static size_t number_length(const char *text)
{
    size_t length = text[0] == '-' || text[0] == '+', digits = 0;
    for (;; length++) {
        bool groups = text[length] == ',' && digits > 0 && isdigit((unsigned char)text[length + 1]) &&
                      isdigit((unsigned char)text[length + 2]) && isdigit((unsigned char)text[length + 3]) &&
                      !isdigit((unsigned char)text[length + 4]);
        if (!isdigit((unsigned char)text[length]) && !groups)
            break;
        digits += !groups;
    }
    if (text[length] == '.' && isdigit((unsigned char)text[length + 1]))
        for (length++; isdigit((unsigned char)text[length]); length++)
            digits++;
    if (digits == 0 || goes_on_as_number(text + length))
        return 0;
    if (text[length] == 'e' || text[length] == 'E') {
        size_t exponent = length + 1 + (text[length + 1] == '-' || text[length + 1] == '+');
        while (isdigit((unsigned char)text[exponent]))
            length = ++exponent;
    }
    return length;
}

/* strtod would follow the locale and take hexadecimal numbers; this is exact enough for figures that were rounded to
 * print them, and for integers below 2^64. */
static double parse_number(const char *text, size_t length, double *quantum)
{
    double value = 0, scale = 1;
    bool negative = text[0] == '-', point = false;
    size_t i = text[0] == '-' || text[0] == '+';
    int exponent = 0, sign = 1;
    for (; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.')
            point = true;
        if (!isdigit((unsigned char)text[i]))
            continue;
        value = value * 10 + (text[i] - '0');
        scale *= point ? 10 : 1;
    }
    if (i < length)
        for (i++; i < length; i++) {
            if (text[i] == '-')
                sign = -1;
            else if (isdigit((unsigned char)text[i]) && exponent < 400)
                exponent = exponent * 10 + (text[i] - '0');
        }
    double power = pow(10, sign * exponent);
    *quantum = power / scale;
    return (negative ? -value : value) / scale * power;
}

/* ---- units ---- */

static const struct unit {
    const char *name;
    double scale;
} units[] = {
    {"n", 1}, {"%", 1},      {"ns", 1},       {"us", 1e3},     {"ms", 1e6}, {"s", 1e9},  {"min", 60e9},
    {"B", 1}, {"KiB", 1024}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
};

struct suffix {
    const char *text; /* longer ones first */
    double scale;
};

static const struct suffix size_suffixes[] = {
    {"KiB", 1024},  {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"Kb", 1024},   {"Mb", 0x1p20},
    {"Gb", 0x1p30}, {"Tb", 0x1p40},  {"KB", 1024},    {"MB", 0x1p20},  {"GB", 0x1p30}, {"TB", 0x1p40},
    {"kB", 1024},   {"K", 1024},     {"k", 1024},     {"M", 0x1p20},   {"m", 0x1p20},  {"G", 0x1p30},
    {"g", 0x1p30},  {"T", 0x1p40},   {"b", 1},        {"B", 1},        {NULL, 1},
};

static const struct suffix time_suffixes[] = {
    {"nsec", 1},        {"usec", 1e3}, {"msec", 1e6}, {"sec", 1e9}, {"ns", 1},     {"us", 1e3},
    {"\xC2\xB5s", 1e3}, {"ms", 1e6},   {"s", 1e9},    {"m", 60e9},  {"h", 3600e9}, {NULL, 1e9},
};

static const struct suffix *find_suffix(const struct suffix *suffixes, const char *text)
{
    while (suffixes->text && strncmp(suffixes->text, text, strlen(suffixes->text)) != 0)
        suffixes++;
    return suffixes;
}

/* ---- captures ---- */

struct matching {
    const char *at; /* in the line */
    struct captured *out;
    size_t count;
};

static bool capture_number(struct matching *matching, const char *name)
{
    struct captured *captured = &matching->out[matching->count];
    size_t length = number_length(matching->at);
    double scale = 1;
    if (length == 0)
        return false;
    captured->at = matching->at;
    captured->is_number = true;
    captured->value = parse_number(matching->at, length, &captured->quantum);
    matching->at += length;
    if (strcmp(name, "size") == 0 || strcmp(name, "time") == 0) {
        const struct suffix *suffixes = name[0] == 's' ? size_suffixes : time_suffixes;
        const struct suffix *suffix = find_suffix(suffixes, matching->at + (*matching->at == ' '));
        scale = suffix->scale;
        if (suffix->text)
            matching->at += (*matching->at == ' ') + strlen(suffix->text);
    }
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (strcmp(name, units[i].name) == 0)
            scale = units[i].scale;
    captured->value *= scale;
    captured->quantum *= scale;
    captured->length = (size_t)(matching->at - captured->at);
    matching->count++;
    return true;
}

static bool match_from(const char *pattern, struct matching *matching);

/* As short as it can be. */
static bool capture_text(struct matching *matching, const char *rest)
{
    struct captured *captured = &matching->out[matching->count++];
    struct matching start = *matching;
    for (size_t length = 1; start.at[length - 1]; length++) {
        *matching = start;
        *captured = (struct captured){start.at, length, 0, 0, false};
        matching->at += length;
        if ((*rest || start.at[length] == '\0') && match_from(rest, matching))
            return true;
    }
    return false;
}

static bool capture(const char **pattern, struct matching *matching, bool *done)
{
    char name[8];
    size_t length = strcspn(*pattern + 1, "}");
    if (length >= sizeof name || matching->count == LINE_CAPTURES)
        return false;
    memcpy(name, *pattern + 1, length);
    name[length] = '\0';
    *pattern += length + 2;
    if (strcmp(name, "text") != 0)
        return capture_number(matching, name);
    *done = true;
    return capture_text(matching, *pattern);
}

/* Takes the pattern from here to its end. */
static bool match_from(const char *pattern, struct matching *matching)
{
    bool done = false;
    while (*pattern) {
        if (*pattern == '{') {
            if (!capture(&pattern, matching, &done))
                return false;
            if (done)
                return true;
            continue;
        }
        if (*pattern == '$' && pattern[1] == '\0')
            return matching->at[strspn(matching->at, " \t")] == '\0';
        if (*pattern == ' ') {
            matching->at += strspn(matching->at, " \t");
        } else {
            if (*matching->at != *pattern)
                return false;
            matching->at++;
        }
        pattern++;
    }
    return true;
}

bool line_match(const char *pattern, const char *line, struct captured out[LINE_CAPTURES], size_t *count)
{
    bool anchored = *pattern == '^';
    if (strlen(line) > LINE_BYTES_MAX)
        return false;
    pattern += anchored;
    line += strspn(line, " \t");
    for (const char *begin = line;; line++) {
        struct matching matching = {line, out, 0};
        if (!(*pattern == '{' && is_inside_number(begin, line)) && match_from(pattern, &matching)) {
            if (count)
                *count = matching.count;
            return true;
        }
        if (anchored || *line == '\0')
            return false;
    }
}
