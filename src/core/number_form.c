#include "core/number_form.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum mark { MARK_NONE, MARK_POINT, MARK_COMMA }; /* before a fraction */

static bool is_digit(char sign)
{
    return isdigit((unsigned char)sign) != 0;
}

/* ---- one number ---- */

struct number {
    size_t length;
    char group, fraction; /* the signs between thousands and before the fraction; 0 = none */
    enum mark shows;      /* what a fraction has before it here; MARK_NONE: cannot be told */
    bool is_open;         /* 3,835 or 3.835: a group or a fraction; `group` has the sign */
};

/* A sign between thousands, a blank among them, with three digits behind it and no fourth. */
static bool is_group(const char *at)
{
    return (*at == ',' || *at == '.' || *at == '\'' || *at == ' ') && is_digit(at[1]) && is_digit(at[2]) &&
           is_digit(at[3]) && !is_digit(at[4]);
}

/* Behind the groups that have the sign of the first one. */
static size_t skip_groups(const char *text, size_t at, struct number *number, size_t *groups)
{
    if (at > 3 || !is_group(text + at))
        return at;
    number->group = text[at];
    for (; text[at] == number->group && is_group(text + at); at += 4)
        (*groups)++;
    return at;
}

static size_t skip_fraction(const char *text, size_t at, struct number *number)
{
    if ((text[at] != '.' && text[at] != ',') || !is_digit(text[at + 1]) || text[at] == number->group)
        return at;
    number->fraction = text[at];
    do
        at++;
    while (is_digit(text[at]));
    return at;
}

/* "events: 28 702": all that stands behind a label is one number. */
static bool is_value(const char *line, const char *at)
{
    while (at > line && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at > line && at[-1] == ':';
}

/* The number that begins at `text`, which is in `line`. False when it is none, or a list or a version. */
static bool look_at(const char *line, const char *text, struct number *out)
{
    size_t whole = strspn(text, "0123456789"), groups = 0, at;
    memset(out, 0, sizeof *out);
    if (whole == 0)
        return false;
    bool leads_zero = text[0] == '0';
    at = leads_zero ? whole : skip_groups(text, whole, out, &groups);
    at = skip_fraction(text, at, out);
    if (out->group == ' ' && !out->fraction && (text[at] || !is_value(line, text))) { /* two numbers */
        at = whole;
        out->group = 0;
    }
    out->length = at;
    if ((text[at] == ',' || text[at] == '.' || text[at] == '\'') && is_digit(text[at + 1]))
        return false;
    out->is_open = !out->fraction && groups == 1 && (out->group == ',' || out->group == '.');
    if (out->fraction)
        out->shows = out->fraction == ',' ? MARK_COMMA : MARK_POINT;
    else if (out->group && groups > 1)
        out->shows = out->group == ',' ? MARK_POINT : MARK_NONE;
    return true;
}

/* A number is a word, or stands behind what words are cut with. */
static bool may_begin(const char *line, size_t at)
{
    return is_digit(line[at]) && (at == 0 || strchr(" \t=([:/|\"", line[at - 1]) != NULL);
}

/* ---- lines ---- */

/* Options' values are lists as often as numbers; what has braces or tags is data. */
static bool is_for_people(const char *line)
{
    for (const char *at = line; (at = strchr(at, '-')) != NULL; at++)
        if ((at == line || at[-1] == ' ') && (isalpha((unsigned char)at[1]) || (at[1] == '-' && at[2])))
            return false;
    return strpbrk(line, "{}") == NULL;
}

/* What the numbers of a line show together; of both, points: versions are numbers too. */
static enum mark mark_of(const char *line)
{
    enum mark found = MARK_NONE;
    struct number number;
    for (size_t i = 0; line[i]; i++) {
        if (!may_begin(line, i) || !look_at(line, line + i, &number))
            continue;
        if (number.shows == MARK_POINT)
            return MARK_POINT;
        found = number.shows != MARK_NONE ? number.shows : found;
    }
    return found;
}

/* Copies the number without its groups' signs, its fraction behind a point. Returns the end of what was written. */
static char *write_plain(char *to, const char *from, const struct number *number, bool commas)
{
    bool as_it_is = !commas && number->fraction != ',' && (number->group == ',' || number->group == '.');
    for (size_t i = 0; i < number->length; i++) {
        if (is_digit(from[i]) || as_it_is)
            *to++ = from[i];
        else if (from[i] == number->fraction || (number->is_open && from[i] == ','))
            *to++ = '.';
    }
    return to;
}

static bool rewrite(char *line, bool commas)
{
    char *to = line;
    bool changed = false;
    struct number number;
    char before = ' ';
    for (const char *from = line; *from;) {
        bool begins = is_digit(*from) && (from == line || strchr(" \t=([:/|\"", before) != NULL);
        if (!begins || !look_at(line, from, &number)) {
            before = *from;
            *to++ = *from++;
            continue;
        }
        changed = changed || number.fraction == ',' || (commas && number.is_open);
        to = write_plain(to, from, &number, commas);
        from += number.length;
        before = '0';
    }
    *to = '\0';
    return changed;
}

/* above[i]: the nearest line at or above line i that shows a mark; `count` = none. */
static void find_above(char *const *lines, size_t count, size_t *above, unsigned char *marks)
{
    for (size_t i = 0; i < count; i++) {
        marks[i] = (unsigned char)(is_for_people(lines[i]) ? mark_of(lines[i]) : MARK_NONE);
        above[i] = marks[i] != MARK_NONE ? i : i > 0 ? above[i - 1] : count;
    }
}

bool number_form_make_plain(char **lines, size_t count, size_t *commas)
{
    size_t *above = malloc((count + 1) * sizeof *above), below = count;
    unsigned char *marks = malloc(count + 1);
    bool good = above && marks;
    *commas = 0;
    if (good)
        find_above(lines, count, above, marks);
    for (size_t i = count; good && i-- > 0;) {
        below = marks[i] != MARK_NONE ? i : below;
        bool use_below = above[i] == count || (below < count && below - i < i - above[i]);
        size_t shows = use_below ? below : above[i];
        if (is_for_people(lines[i]))
            *commas += rewrite(lines[i], shows < count && marks[shows] == MARK_COMMA);
    }
    free(above);
    free(marks);
    return good;
}
