#include "core/units.h"

#include "platform/compiler.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)
#define PIB (UINT64_C(1) << 50)
#define EIB (UINT64_C(1) << 60)

#define US_NS UINT64_C(1000)
#define MS_NS UINT64_C(1000000)
#define S_NS UINT64_C(1000000000)

/* No scale may be above 2^60: ten times a scale must fit into 64 bits (see fraction_of and decimal_in_unit). */
struct unit {
    const char *name;
    uint64_t scale;
};

/* In small letters; any case is read. */
static const struct unit byte_units[] = {
    {"", 1},      {"b", 1},    {"k", KIB},   {"kb", KIB},  {"kib", KIB}, {"m", MIB},   {"mb", MIB},
    {"mib", MIB}, {"g", GIB},  {"gb", GIB},  {"gib", GIB}, {"t", TIB},   {"tb", TIB},  {"tib", TIB},
    {"p", PIB},   {"pb", PIB}, {"pib", PIB}, {"e", EIB},   {"eb", EIB},  {"eib", EIB},
};

/* As they stand: the two spellings of µs are the micro sign and the Greek letter. */
static const struct unit time_units[] = {
    {"", S_NS},  {"ns", 1},        {"us", US_NS},      {"\xC2\xB5s", US_NS}, {"\xCE\xBCs", US_NS}, {"ms", MS_NS},
    {"s", S_NS}, {"m", 60 * S_NS}, {"min", 60 * S_NS}, {"h", 3600 * S_NS},   {"d", 86400 * S_NS},
};

/* For the exact forms, largest first. Minutes and hours are left out: 60, 90 and 120 are easier to compare than
 * 1m, 90 and 2m. */
static const struct unit byte_exact_units[] = {{"E", EIB}, {"P", PIB}, {"T", TIB}, {"G", GIB},
                                               {"M", MIB}, {"K", KIB}, {"", 1}};
static const struct unit time_exact_units[] = {{"", S_NS}, {"ms", MS_NS}, {"us", US_NS}, {"ns", 1}};

static const char *const byte_names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
static const char *const time_names[] = {"ns", "\xC2\xB5s", "ms", "s"};

/* ---- reading ------------------------------------------------------------------------------------------------ */

/* isdigit and tolower ask the locale; these do not. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char small_letter(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static const char *skip_digits(const char *text)
{
    while (is_digit(*text))
        text++;
    return text;
}

/* The digits in [text, end) as a number; none of them is 0. False on overflow. */
static bool digits_value(const char *text, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    for (; text < end; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

/* scale × 0.d1d2…, false if that is not whole. Working from the last digit, every step must be whole if the
 * result is, and none leaves 64 bits. */
static bool fraction_of(uint64_t scale, const char *text, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    while (end > text) {
        uint64_t tenfold = (uint64_t)(*--end - '0') * scale + value;
        if (tenfold % 10 != 0)
            return false;
        value = tenfold / 10;
    }
    *out = value;
    return true;
}

static bool names_match(const char *text, const char *name, bool any_case)
{
    while (*name != '\0' && (any_case ? small_letter(*text) : *text) == *name)
        text++, name++;
    return *text == *name;
}

static const struct unit *find_unit(const char *text, const struct unit *units, size_t count, bool any_case)
{
    for (size_t i = 0; i < count; i++)
        if (names_match(text, units[i].name, any_case))
            return &units[i];
    return NULL;
}

/* 12, 1.5 or .5: *whole_end is behind the whole part, *end behind all. False if there is no such number. */
static bool find_number(const char *text, const char **whole_end, const char **end)
{
    *whole_end = *end = skip_digits(text);
    if (**end != '.')
        return *end > text;
    *end = skip_digits(*whole_end + 1);
    return *end > *whole_end + 1;
}

static bool parse_scaled(const char *text, const struct unit *units, size_t count, bool any_case, uint64_t *out)
{
    const char *whole_end, *end;
    uint64_t whole, fraction = 0;
    if (!find_number(text, &whole_end, &end) || !digits_value(text, whole_end, &whole))
        return false;
    const struct unit *unit = find_unit(end, units, count, any_case);
    if (unit == NULL)
        return false;
    if (end > whole_end && !fraction_of(unit->scale, whole_end + 1, end, &fraction))
        return false;
    if (whole > (UINT64_MAX - fraction) / unit->scale)
        return false;
    *out = whole * unit->scale + fraction;
    return true;
}

bool units_parse_count(const char *text, uint64_t *out)
{
    const char *end = skip_digits(text);
    return end > text && *end == '\0' && digits_value(text, end, out);
}

bool units_parse_bytes(const char *text, uint64_t *out)
{
    return parse_scaled(text, byte_units, COUNT_OF(byte_units), true, out);
}

bool units_parse_time_ns(const char *text, uint64_t *out)
{
    return parse_scaled(text, time_units, COUNT_OF(time_units), false, out);
}

/* Whether `text` is [+-]number[e[+-]digits]. strtod alone also takes blanks, hexadecimal, "inf" and "nan". */
static bool is_decimal(const char *text)
{
    const char *whole_end, *end;
    text += *text == '+' || *text == '-';
    if (!find_number(text, &whole_end, &end))
        return false;
    if (small_letter(*end) == 'e') /* that digits follow is for strtod to see */
        end = skip_digits(end + 1 + (end[1] == '+' || end[1] == '-'));
    return *end == '\0';
}

/* strtod's decimal point is the locale's. The program never calls setlocale, so that is "C" for good; were it
 * not, strtod would stop at the point and the text be refused, never misread. */
bool units_parse_real(const char *text, double *out)
{
    if (!is_decimal(text))
        return false;
    char *end;
    double value = strtod(text, &end);
    if (*end != '\0' || fabs(value) > DBL_MAX)
        return false;
    *out = value;
    return true;
}

/* ---- writing exactly ---------------------------------------------------------------------------------------- */

/* The longest decimal: 20 digits of 2^64, a point, and 60 digits for a 2^-60th. */
#define DECIMAL_BYTES 96

/* value ÷ unit as an exact decimal with the unit's name behind. Every scale is a product of twos and fives, so
 * the digits end. Returns the length. */
static size_t decimal_in_unit(uint64_t value, const struct unit *unit, char out[DECIMAL_BYTES])
{
    size_t length = (size_t)snprintf(out, DECIMAL_BYTES, "%llu", (unsigned long long)(value / unit->scale));
    uint64_t rest = value % unit->scale;
    if (rest > 0)
        out[length++] = '.';
    for (; rest > 0; rest = rest * 10 % unit->scale)
        out[length++] = (char)('0' + rest * 10 / unit->scale);
    for (const char *c = unit->name; *c != '\0'; c++)
        out[length++] = *c;
    out[length] = '\0';
    return length;
}

/* The shortest of all units' forms; of two as short the one in the smaller unit, which is the rounder: 10ms
 * rather than 0.01, 1536 rather than 1.5K. */
static char *shortest_exact(uint64_t value, const struct unit *units, size_t count, char *out, size_t out_bytes)
{
    char best[DECIMAL_BYTES], candidate[DECIMAL_BYTES];
    size_t best_length = DECIMAL_BYTES;
    for (size_t i = 0; i < count; i++) {
        size_t length = decimal_in_unit(value, &units[i], candidate);
        if (length <= best_length) {
            best_length = length;
            memcpy(best, candidate, length + 1);
        }
    }
    snprintf(out, out_bytes, "%s", best);
    return out;
}

char *units_bytes_exact(uint64_t bytes, char *out, size_t out_bytes)
{
    return shortest_exact(bytes, byte_exact_units, COUNT_OF(byte_exact_units), out, out_bytes);
}

char *units_time_exact(uint64_t ns, char *out, size_t out_bytes)
{
    return shortest_exact(ns, time_exact_units, COUNT_OF(time_exact_units), out, out_bytes);
}

/* Up to here every whole number is a double, and people write it out: 100000, not 1e+05. */
#define WRITTEN_OUT 1e15

/* 17 significant digits always read back the same (IEEE 754 double). */
char *units_real_exact(double value, char *out, size_t out_bytes)
{
    char text[64];
    if (fabs(value) < WRITTEN_OUT && floor(value) == value) {
        snprintf(out, out_bytes, "%.0f", value);
        return out;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    snprintf(out, out_bytes, "%s", text);
    return out;
}

/* ---- writing for people ------------------------------------------------------------------------------------- */

/* Whole numbers as they are, others with three significant digits; the limits are those of the rounded figure. */
static int decimals_shown(double magnitude)
{
    if (magnitude == floor(magnitude) || magnitude >= 99.95)
        return 0;
    return magnitude >= 9.995 ? 1 : 2;
}

static char *human(double value, double step, const char *const *names, size_t count, char *out, size_t out_bytes)
{
    size_t unit = 0;
    for (; unit + 1 < count && fabs(value) >= step - 0.5; unit++) /* 1023.7 KiB is 1.00 MiB, not 1024 KiB */
        value /= step;
    snprintf(out, out_bytes, "%.*f %s", decimals_shown(fabs(value)), value, names[unit]);
    return out;
}

char *units_bytes_human(double bytes, char *out, size_t out_bytes)
{
    return human(bytes, 1024, byte_names, COUNT_OF(byte_names), out, out_bytes);
}

char *units_time_human(double ns, char *out, size_t out_bytes)
{
    return human(ns, 1000, time_names, COUNT_OF(time_names), out, out_bytes);
}
