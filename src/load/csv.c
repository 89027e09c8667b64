#include "load/csv.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    const struct csv_form *form;
    const char *at, *end;
    bool is_end;
    struct csv_record *out;
    char *to; /* behind what was written of the value */
};

static enum csv_outcome bad(struct reading *reading, const char *fault)
{
    reading->out->fault = fault;
    return CSV_BAD;
}

/* ---- one value: it ends before a separator, a line ending or the end ---- */

/* The bytes of a line ending here, 0 = none. */
static size_t line_ending(const struct reading *reading)
{
    size_t left = (size_t)(reading->end - reading->at);
    if (left >= 1 && reading->at[0] == '\n')
        return 1;
    return left >= 2 && reading->at[0] == '\r' && reading->at[1] == '\n' ? 2 : 0;
}

static bool value_ends(const struct reading *reading)
{
    return reading->at == reading->end || *reading->at == reading->form->separator || line_ending(reading) > 0;
}

/* At the end of the bytes a \r could be the first half of a line ending. */
static bool needs_more(const struct reading *reading)
{
    return !reading->is_end &&
           (reading->at == reading->end || (reading->at + 1 == reading->end && *reading->at == '\r'));
}

static enum csv_outcome take_quoted(struct reading *reading)
{
    for (reading->at++;; reading->at++) {
        const char *quote = memchr(reading->at, '"', (size_t)(reading->end - reading->at));
        if (!quote)
            return reading->is_end ? bad(reading, "a quote is opened and not closed") : CSV_MORE;
        for (; reading->at < quote; reading->at++) {
            reading->out->lines += *reading->at == '\n';
            *reading->to++ = *reading->at;
        }
        reading->at++;
        if (needs_more(reading))
            return CSV_MORE;
        if (value_ends(reading))
            return CSV_ROW;
        if (*reading->at != '"')
            return bad(reading, "text stands behind a closing quote (a quote in a value is doubled)");
        *reading->to++ = '"';
    }
}

static enum csv_outcome take_plain(struct reading *reading)
{
    for (; !needs_more(reading); *reading->to++ = *reading->at++) {
        if (value_ends(reading))
            return CSV_ROW;
        if (*reading->at == '"')
            return bad(reading, "a quote stands in a value that does not begin with one");
    }
    return CSV_MORE;
}

static char unescaped(char letter)
{
    static const char letters[] = "tnrbvfZ", meant[] = "\t\n\r\b\v\f\032";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return letter == '0' ? '\0' : found ? meant[found - letters] : letter;
}

static enum csv_outcome take_escaped(struct reading *reading, bool *is_null)
{
    const char *start = reading->at;
    for (; !needs_more(reading); reading->at++) {
        if (value_ends(reading)) {
            *is_null = reading->at - start == 2 && memcmp(start, "\\N", 2) == 0;
            return CSV_ROW;
        }
        if (*reading->at != '\\') {
            *reading->to++ = *reading->at;
            continue;
        }
        if (++reading->at == reading->end)
            return reading->is_end ? bad(reading, "the file ends in a backslash") : CSV_MORE;
        reading->out->lines += *reading->at == '\n';
        *reading->to++ = unescaped(*reading->at);
    }
    return CSV_MORE;
}

/* ---- a record ---- */

static enum csv_outcome take_value(struct reading *reading)
{
    struct csv_record *out = reading->out;
    bool is_null = false, is_quoted = !reading->form->backslash && reading->at < reading->end && *reading->at == '"';
    char *start = reading->to;
    enum csv_outcome outcome = reading->form->backslash ? take_escaped(reading, &is_null)
                               : is_quoted              ? take_quoted(reading)
                                                        : take_plain(reading);
    if (outcome != CSV_ROW)
        return outcome;
    if (out->count == CSV_FIELDS_MAX)
        return bad(reading, "it has more than 64 values");
    size_t bytes = (size_t)(reading->to - start);
    if (csv_characters(start, bytes) == UINT64_MAX)
        return bad(reading, "a value is not UTF-8, or has a NUL byte");
    const char *null_text = reading->form->null_text;
    is_null |= !is_quoted && null_text && strlen(null_text) == bytes && memcmp(start, null_text, bytes) == 0;
    out->values[out->count++] =
        is_null ? (struct db_value){.type = DB_VALUE_NULL} : (struct db_value){DB_VALUE_TEXT, 0, start, bytes};
    return CSV_ROW;
}

static enum csv_outcome take_record(struct reading *reading)
{
    for (;; reading->at++) {
        if (needs_more(reading))
            return CSV_MORE;
        enum csv_outcome outcome = take_value(reading);
        if (outcome != CSV_ROW)
            return outcome;
        if (reading->at == reading->end || line_ending(reading) > 0)
            return CSV_ROW;
    }
}

enum csv_outcome csv_take(const struct csv_form *form, const char *text, size_t bytes, bool is_end,
                          struct csv_record *out)
{
    if (bytes > out->room) { /* what is taken out of a record is no longer than it */
        char *room = realloc(out->text, bytes);
        if (!room) {
            out->fault = "there is not enough memory for it";
            return CSV_BAD;
        }
        out->text = room;
        out->room = bytes;
    }
    struct reading reading = {form, text, text + bytes, is_end, out, out->text};
    out->count = out->taken = 0;
    out->lines = 0;
    enum csv_outcome outcome = take_record(&reading);
    if (outcome != CSV_ROW)
        return outcome;
    size_t ending = line_ending(&reading);
    out->lines += ending > 0;
    out->taken = (size_t)(reading.at - text) + ending;
    return CSV_ROW;
}

void csv_done(struct csv_record *record)
{
    free(record->text);
    *record = (struct csv_record){.text = NULL};
}

/* ---- UTF-8 (RFC 3629) ---- */

/* Bytes of the character there; 0 = none. */
static size_t character(const unsigned char *at, size_t left)
{
    static const struct {
        unsigned char first, last, second_first, second_last;
        size_t bytes;
    } forms[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
                 {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
                 {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (*at < forms[i].first || *at > forms[i].last)
            continue;
        bool good = left >= forms[i].bytes && at[1] >= forms[i].second_first && at[1] <= forms[i].second_last;
        for (size_t k = 2; good && k < forms[i].bytes; k++)
            good = (at[k] & 0xC0) == 0x80;
        return good ? forms[i].bytes : 0;
    }
    return 0;
}

uint64_t csv_characters(const char *text, size_t bytes)
{
    uint64_t count = 0;
    for (size_t i = 0; i < bytes; count++) {
        unsigned char byte = (unsigned char)text[i];
        size_t step = byte == 0 ? 0 : byte < 0x80 ? 1 : character((const unsigned char *)text + i, bytes - i);
        if (step == 0)
            return UINT64_MAX;
        i += step;
    }
    return count;
}
