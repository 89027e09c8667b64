#include "core/transcript.h"

#include "platform/compiler.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define JOINED_LINES_MAX 12
#define WRAPPED_COLUMNS 70 /* a line that a terminal of 80 columns broke; dashes of the web made it shorter */

/* ---- bytes to UTF-8 ---- */

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

static bool put_code(struct growing *out, uint32_t code)
{
    if (code < 0x80)
        return put_byte(out, (char)code);
    if (code < 0x800)
        return put_byte(out, (char)(0xC0 | code >> 6)) && put_byte(out, (char)(0x80 | (code & 0x3F)));
    if (code < 0x10000)
        return put_byte(out, (char)(0xE0 | code >> 12)) && put_byte(out, (char)(0x80 | (code >> 6 & 0x3F))) &&
               put_byte(out, (char)(0x80 | (code & 0x3F)));
    return put_byte(out, (char)(0xF0 | code >> 18)) && put_byte(out, (char)(0x80 | (code >> 12 & 0x3F))) &&
           put_byte(out, (char)(0x80 | (code >> 6 & 0x3F))) && put_byte(out, (char)(0x80 | (code & 0x3F)));
}

enum encoding { ENCODING_BYTES, ENCODING_UTF16_LE, ENCODING_UTF16_BE };

/* Text of tools is ASCII for the most part: every other byte of UTF-16 is then 0. */
static enum encoding guess_encoding(const unsigned char *data, size_t bytes)
{
    size_t even = 0, odd = 0, looked = bytes < 4096 ? bytes : 4096;
    if (bytes >= 2 && data[0] == 0xFF && data[1] == 0xFE)
        return ENCODING_UTF16_LE;
    if (bytes >= 2 && data[0] == 0xFE && data[1] == 0xFF)
        return ENCODING_UTF16_BE;
    for (size_t i = 0; i + 1 < looked; i += 2) {
        even += data[i] == 0;
        odd += data[i + 1] == 0;
    }
    if (looked >= 4 && odd * 4 > looked && even == 0)
        return ENCODING_UTF16_LE;
    return looked >= 4 && even * 4 > looked && odd == 0 ? ENCODING_UTF16_BE : ENCODING_BYTES;
}

static uint32_t unit_at(const unsigned char *data, size_t at, enum encoding encoding)
{
    return encoding == ENCODING_UTF16_LE ? (uint32_t)data[at] | (uint32_t)data[at + 1] << 8
                                         : (uint32_t)data[at + 1] | (uint32_t)data[at] << 8;
}

static bool from_utf16(struct growing *out, const unsigned char *data, size_t bytes, enum encoding encoding)
{
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        uint32_t code = unit_at(data, i, encoding);
        if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes) {
            uint32_t low = unit_at(data, i + 2, encoding);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += 2;
            }
        }
        if (!put_code(out, code ? code : ' '))
            return false;
    }
    return true;
}

static bool from_bytes(struct growing *out, const unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (!put_byte(out, data[i] ? (char)data[i] : ' '))
            return false;
    return true;
}

/* ---- what terminals and web pages add ---- */

/* What stands for what; the longer of two that begin alike comes first. */
static const struct {
    const char *from, *to;
} plain[] = {
    {"\xEF\xBB\xBF", ""}, /* byte order mark */
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

static bool make_plain(struct growing *out, const char *text)
{
    bool good = put_text(out, "");
    while (*text && good) {
        size_t length = put_replaced(out, text, &good);
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
        char *end = at + strcspn(at, "\n"), *next = *end ? end + 1 : end;
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        *end = '\0';
        out->lines[out->count] = at;
        at = next;
    }
    return true;
}

bool transcript_make(struct transcript *out, const char *name, const void *data, size_t bytes, struct error *error)
{
    struct growing decoded = {0}, cleaned = {0};
    enum encoding encoding = guess_encoding(data, bytes);
    memset(out, 0, sizeof *out);
    out->name = name;
    if (bytes > TRANSCRIPT_BYTES_MAX)
        return error_set(error, ERR_DATA, "%s: longer than 64 MiB; cut it to the runs that matter", name);
    bool good = put_text(&decoded, "") &&
                (encoding == ENCODING_BYTES ? from_bytes(&decoded, data, bytes)
                                            : from_utf16(&decoded, data, bytes, encoding)) &&
                make_plain(&cleaned, decoded.text ? decoded.text : "");
    free(decoded.text);
    out->text = cleaned.text ? cleaned.text : (good ? calloc(1, 1) : NULL);
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

/* ---- command lines ---- */

static bool is_wrapped(const char *line)
{
    return strlen(line) >= WRAPPED_COLUMNS || (*line && line[strlen(line) - 1] == '\\');
}

/* Adds line `at` to what is joined so far. A backslash at a line's end stands for a blank. */
static void append_line(const char *line, char *out, size_t out_bytes)
{
    size_t used = strlen(out), length = strlen(line);
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
