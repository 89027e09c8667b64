#include "core/transcript.h"

#include "core/encoding.h"
#include "core/html_tag.h"
#include "core/number_form.h"
#include "platform/compiler.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define JOINED_LINES_MAX 12
#define WRAPPED_COLUMNS 70 /* a line that a terminal of 80 columns broke; dashes of the web made it shorter */

/* ---- text that grows ---- */

struct growing {
    char *text;
    size_t used, room;
};

static bool put_byte(struct growing *out, char byte)
{
    if (out->used + 1 >= out->room) {
        size_t room = out->room ? out->room * 2 : 4096;
        char *text = realloc(out->text, room);
        if (!text)
            return false;
        out->text = text;
        out->room = room;
    }
    out->text[out->used++] = byte;
    out->text[out->used] = '\0';
    return true;
}

static bool put_text(struct growing *out, const char *text)
{
    while (*text)
        if (!put_byte(out, *text++))
            return false;
    return true;
}

/* ---- what terminals and web pages add ---- */

/* What stands for what; the longer of two that begin alike comes first. */
static const struct {
    const char *from, *to;
} plain[] = {
    {"\xEF\xBB\xBF", ""}, /* byte order mark, between files that were put together */
    {"\xE2\x80\x98", "'"},  {"\xE2\x80\x99", "'"},   {"\xE2\x80\x9C", "\""}, {"\xE2\x80\x9D", "\""},
    {"\xE2\x80\x9E", "\""}, {"\xC2\xA0", " "},       {"\xE2\x80\xAF", " "},  {"\xE2\x80\x89", " "},
    {"\xE2\x80\x8B", ""},   {"\xE2\x80\xA6", "..."}, {"\xE2\x80\x90", "-"},  {"\xE2\x80\x91", "-"},
    {"\xE2\x88\x92", "-"},  {"&quot;", "\""},        {"&#8220;", "\""},      {"&#8221;", "\""},
    {"&#8216;", "'"},       {"&#8217;", "'"},        {"&lt;", "<"},          {"&gt;", ">"},
    {"&nbsp;", " "},        {"&amp;", "&"},
};

/* En and em dashes, which stand for "--" before a word and for "-" elsewhere. */
static const char *const dashes[] = {"\xE2\x80\x93", "\xE2\x80\x94", "&#8211;", "&#8212;", "&ndash;", "&mdash;"};

/* The length of `with` when `text` starts with it, else 0. */
static size_t start_length(const char *text, const char *with)
{
    size_t length = 0;
    while (with[length] && text[length] == with[length])
        length++;
    return with[length] ? 0 : length;
}

/* The length of an escape sequence at `text`; 0 when there is none. */
static size_t escape_length(const char *text)
{
    size_t length = 2;
    if (text[0] != '\x1B' || (text[1] != '[' && text[1] != ']' && text[1] != '(' && text[1] != ')'))
        return text[0] == '\x1B' && text[1] ? 2 : 0;
    if (text[1] == '(' || text[1] == ')')
        return text[2] ? 3 : 2;
    if (text[1] == ']') {
        while (text[length] && text[length] != '\a' && text[length] != '\n' && text[length] != '\x1B')
            length++;
        return length + (text[length] == '\a');
    }
    while (text[length] && (text[length] < '@' || text[length] > '~') && text[length] != '\n')
        length++;
    return length + (text[length] >= '@' && text[length] <= '~');
}

/* An option's dashes have a blank or nothing before them and a letter behind. */
static bool is_before_option(const struct growing *out, const char *behind)
{
    char before = out->used ? out->text[out->used - 1] : '\n';
    return isspace((unsigned char)before) && isalpha((unsigned char)*behind);
}

/* One sign that is not itself in the plain text, at `text`; its length, 0 when there is none. */
static size_t put_replaced(struct growing *out, const char *text, bool *good)
{
    size_t length = escape_length(text);
    if (length)
        return length;
    for (size_t i = 0; i < COUNT_OF(dashes); i++) {
        length = start_length(text, dashes[i]);
        if (!length)
            continue;
        *good = put_text(out, is_before_option(out, text + length) ? "--" : "-");
        return length;
    }
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        length = start_length(text, plain[i].from);
        if (!length)
            continue;
        *good = put_text(out, plain[i].to);
        return length;
    }
    return 0;
}

/* A tag of HTML; lines that it ends or begins and that have an end of their own get no other. */
static size_t put_tag(struct growing *out, const char *text, bool *good)
{
    char stands_for = '\0';
    size_t length = html_tag_length(text, &stands_for);
    bool is_end = stands_for == '\n' &&
                  (text[length] == '\n' || text[length] == '\r' || out->used == 0 || out->text[out->used - 1] == '\n');
    if (length && stands_for && !is_end)
        *good = put_byte(out, stands_for);
    return length;
}

/* The marks before a line that a mail or a forum quotes. */
static size_t quote_length(const struct growing *out, const char *text)
{
    size_t length = 0;
    if (out->used > 0 && out->text[out->used - 1] != '\n')
        return 0;
    while (text[length] == '>' && (text[length + 1] == ' ' || text[length + 1] == '>'))
        length += text[length + 1] == ' ' ? 2 : 1;
    return length;
}

static bool make_plain(struct growing *out, const char *text)
{
    bool good = put_text(out, "");
    while (*text && good) {
        size_t length = quote_length(out, text);
        if (!length)
            length = put_tag(out, text, &good);
        if (!length)
            length = put_replaced(out, text, &good);
        if (length) {
            text += length;
            continue;
        }
        if (*text == '\r') /* one that stands alone begins the line anew, as progress figures do */
            good = text[1] == '\n' || put_byte(out, '\n');
        else
            good = put_byte(out, *text);
        text++;
    }
    return good;
}

/* ---- lines ---- */

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* Not strcspn: the sanitizers' one looks at all of the text for each line. */
static const char *line_end(const char *text)
{
    while (*text && *text != '\n')
        text++;
    return text;
}

/* Lines are cut from a copy that stands behind the array, in the same piece of memory. */
static bool make_lines(struct transcript *out)
{
    size_t room = count_lines(out->text), bytes = strlen(out->text) + 1;
    out->lines = malloc(room * sizeof *out->lines + bytes);
    if (!out->lines)
        return false;
    char *at = (char *)(out->lines + room);
    memcpy(at, out->text, bytes);
    for (out->count = 0; out->count < room; out->count++) {
        char *end = (char *)line_end(at), *next = *end ? end + 1 : end;
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        *end = '\0';
        out->lines[out->count] = at;
        at = next;
    }
    return number_form_make_plain(out->lines, out->count, &out->decimal_commas);
}

bool transcript_make(struct transcript *out, const char *name, const void *data, size_t bytes, struct error *error)
{
    struct growing cleaned = {0};
    memset(out, 0, sizeof *out);
    out->name = name;
    if (bytes > TRANSCRIPT_BYTES_MAX)
        return error_set(error, ERR_DATA, "%s: longer than 64 MiB; cut it to the runs that matter", name);
    char *decoded = encoding_to_utf8(data, bytes);
    bool good = decoded && make_plain(&cleaned, decoded);
    free(decoded);
    out->text = cleaned.text ? cleaned.text : calloc(1, 1);
    if (good && out->text && make_lines(out))
        return true;
    transcript_free(out);
    return error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", name);
}

void transcript_free(struct transcript *transcript)
{
    free(transcript->text);
    free(transcript->lines);
    transcript->text = NULL;
    transcript->lines = NULL;
    transcript->count = 0;
}

/* ---- lines that a terminal broke ---- */

#define TERMINAL_COLUMNS_MIN 72

/* Columns of the line at `text`: bytes of UTF-8 that begin a character. */
static size_t columns_of(const char *text)
{
    size_t columns = 0;
    for (; *text && *text != '\n'; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}

static size_t widest_line(const char *text)
{
    size_t widest = 0;
    for (const char *end; *text; text = *end ? end + 1 : end) {
        size_t columns = columns_of(text);
        end = line_end(text);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

bool transcript_unwrap(const struct transcript *from, struct transcript *out, size_t **origins)
{
    size_t widest = widest_line(from->text), line = 0;
    memset(out, 0, sizeof *out);
    *origins = NULL;
    if (widest < TERMINAL_COLUMNS_MIN)
        return false;
    out->name = from->name;
    out->text = malloc(strlen(from->text) + 2);
    *origins = calloc(from->count + 2, sizeof **origins);
    char *to = out->text;
    size_t made = 0;
    for (const char *at = from->text, *end; to && *origins && *at; at = *end ? end + 1 : end, line++) {
        bool goes_on = columns_of(at) == widest;
        end = line_end(at);
        memcpy(to, at, (size_t)(end - at));
        to += end - at;
        if (!goes_on) {
            *to++ = '\n';
            (*origins)[++made] = line + 1;
        }
    }
    if (to)
        *to = '\0';
    if (to && *origins && make_lines(out))
        return true;
    transcript_free(out);
    free(*origins);
    *origins = NULL;
    return false;
}

/* ---- JSON among other text ---- */

/* Behind the brace that closes the one at `text`; braces in strings are text. */
static const char *object_end(const char *text)
{
    size_t depth = 0;
    bool inside = false;
    for (; *text; text++) {
        if (inside && *text == '\\' && text[1])
            text++;
        else if (*text == '"')
            inside = !inside;
        else if (!inside && *text == '{')
            depth++;
        else if (!inside && *text == '}' && --depth == 0)
            return text + 1;
    }
    return text;
}

static bool holds(const struct transcript_object *object, const char *needed)
{
    size_t length = strlen(needed);
    const char *end = object->at + object->bytes;
    for (const char *at = object->at; (size_t)(end - at) >= length; at++) {
        at = memchr(at, needed[0], (size_t)(end - at) - length + 1);
        if (!at)
            return false;
        if (memcmp(at, needed, length) == 0)
            return true;
    }
    return false;
}

bool transcript_next_object(const struct transcript *transcript, const char *needed, struct transcript_object *object)
{
    const char *at = object->at ? object->at : transcript->text, *from = at + object->bytes;
    for (; at < from; at++)
        object->line += *at == '\n';
    for (; *at; at++) {
        const char *start = at + strspn(at, " \t");
        if (*start == '{') {
            object->at = start;
            object->bytes = (size_t)(object_end(start) - start);
            if (holds(object, needed))
                return true;
            for (; at < object->at + object->bytes; at++)
                object->line += *at == '\n';
        }
        at = line_end(at);
        if (*at == '\0')
            break;
        object->line++;
    }
    return false;
}

/* ---- command lines ---- */

static bool is_wrapped(const char *line)
{
    return strlen(line) >= WRAPPED_COLUMNS || (*line && line[strlen(line) - 1] == '\\');
}

/* Adds line `at` to what is joined so far. A backslash at a line's end stands for a blank. */
static void append_line(const char *line, char *out, size_t out_bytes)
{
    size_t used = strlen(out), indent = strspn(out, " \t");
    while (used && indent > 0 && isblank((unsigned char)*line)) { /* the whole text is indented, not this word */
        line++;
        indent--;
    }
    size_t length = strlen(line);
    if (used && out[used - 1] == '\\')
        out[used - 1] = ' ';
    if (length >= out_bytes - used)
        length = out_bytes - used - 1;
    memcpy(out + used, line, length);
    out[used + length] = '\0';
}

/* The last place where the program's name stands with words behind it. */
static const char *find_program(const char *text, const char *program)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, program)) != NULL; at++) {
        const char *behind = at + strlen(program);
        behind += start_length(behind, ".exe");
        if (*behind == ' ' && (at == text || at[-1] != '-'))
            found = behind + strspn(behind, " ");
    }
    return found;
}

static bool holds_word(const char *words, const char *needed)
{
    size_t length = needed ? strlen(needed) : 0;
    if (!needed)
        return true;
    for (const char *at = words; (at = strstr(at, needed)) != NULL; at++)
        if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

bool transcript_command(const struct transcript *transcript, size_t at, const char *program, const char *needed,
                        char *out, size_t out_bytes, size_t *last)
{
    out[0] = '\0';
    for (size_t line = at; line < transcript->count && line < at + JOINED_LINES_MAX; line++) {
        append_line(transcript->lines[line], out, out_bytes);
        const char *words = find_program(out, program);
        if (words && holds_word(words, needed)) {
            memmove(out, words, strlen(words) + 1);
            *last = line;
            return true;
        }
        if (!is_wrapped(transcript->lines[line]))
            return false;
    }
    return false;
}

size_t transcript_split(char *text, char **words, size_t room)
{
    size_t count = 0;
    char *to = text, quote = '\0';
    bool inside = false;
    for (; *text; text++) {
        if (!quote && (*text == '|' || *text == '>' || *text == ';' || (*text == '&' && text[1] == '&')))
            break;
        if (!quote && isspace((unsigned char)*text)) {
            if (inside)
                *to++ = '\0';
            inside = false;
            continue;
        }
        if (!inside && count == room)
            break;
        if (!inside)
            words[count++] = to;
        inside = true;
        if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? '\0' : *text;
        else
            *to++ = *text;
    }
    *to = '\0';
    return count;
}
