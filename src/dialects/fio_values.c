/* fio_values.c: fio's numbers. Its prefixes are 1024 and its powers, with or without a "b" behind them; written with
 * "ib" they are 1000 and its powers, which is the other way round than everywhere else (its kb_base=1024). */
#include "dialects/fio.h"

#include "core/units.h"
#include "platform/clock.h"

#include <string.h>

static char lower(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
}

static bool is_word(const char *text, const char *word)
{
    while (*word && lower(*text) == *word) {
        ++text;
        ++word;
    }
    return *text == '\0' && *word == '\0';
}

static int digit_of(char letter)
{
    const char *digits = "0123456789abcdef", *at = letter ? strchr(digits, lower(letter)) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Digits at the start of `text`; *rest is what is behind them. */
static bool parse_whole(const char *text, uint64_t *out, const char **rest)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint64_t base = hex ? 16 : 10;
    const char *at = hex ? text + 2 : text, *start = at;
    *out = 0;
    for (int digit = digit_of(*at); digit >= 0 && (uint64_t)digit < base; digit = digit_of(*at)) {
        if (*out > (UINT64_MAX - (uint64_t)digit) / base)
            return false;
        *out = *out * base + (uint64_t)digit;
        ++at;
    }
    *rest = at;
    return at > start;
}

static bool multiply(uint64_t *value, uint64_t by)
{
    if (by && *value > UINT64_MAX / by)
        return false;
    *value *= by;
    return true;
}

bool fio_parse_bytes(const char *text, uint64_t *out, bool *decimal)
{
    static const char letters[] = "kmgtp";
    const char *unit, *letter;
    *decimal = false;
    if (!parse_whole(text, out, &unit))
        return false;
    if (*unit == '\0' || is_word(unit, "b"))
        return true;
    letter = strchr(letters, lower(*unit));
    if (!letter || (unit[1] && !is_word(unit + 1, "b") && !is_word(unit + 1, "ib")))
        return false;
    *decimal = is_word(unit + 1, "ib");
    for (long i = 0; i <= letter - letters; ++i)
        if (!multiply(out, *decimal ? 1000 : 1024))
            return false;
    return true;
}

bool fio_parse_time(const char *text, uint64_t unit_ns, uint64_t *out_ns)
{
    static const struct {
        const char *word;
        uint64_t ns;
    } units[] = {{"d", 86400 * NS_PER_S}, {"h", 3600 * NS_PER_S}, {"m", 60 * NS_PER_S},     {"s", NS_PER_S},
                 {"ms", NS_PER_MS},       {"msec", NS_PER_MS},    {"us", NS_PER_MS / 1000}, {"usec", NS_PER_MS / 1000}};
    const char *unit;
    if (!parse_whole(text, out_ns, &unit))
        return false;
    if (*unit == '\0')
        return multiply(out_ns, unit_ns);
    for (size_t i = 0; i < COUNT_OF(units); ++i)
        if (is_word(unit, units[i].word))
            return multiply(out_ns, units[i].ns);
    return false;
}
