#include "load/rows.h"

#include "core/random.h"
#include "platform/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK_ROWS 1024
#define BUFFER_BYTES ((size_t)1 << 18)
#define RECORD_BYTES_MAX ((size_t)64 << 20)
#define C_GROUPS 10
#define PAD_GROUPS 5
#define GROUP_DIGITS 11

/* ---- generated ---- */

static const struct rows_column generated[] = {
    {"id", true, false, 0}, {"k", true, false, 0}, {"c", false, false, 120}, {"pad", false, false, 60}};

static char *put_groups(struct random *random, int groups, char *to)
{
    for (int i = 0; i < groups; i++) {
        uint64_t digits = random_next(random);
        for (int k = 0; k < GROUP_DIGITS; k++, digits /= 10)
            *to++ = (char)('0' + digits % 10);
        if (i + 1 < groups)
            *to++ = '-';
    }
    return to;
}

/* Each row has a stream of its own, so that any part may begin anywhere. */
static void generate(struct rows_cursor *cursor)
{
    const struct rows_source *source = &cursor->rows->source;
    struct random random;
    random_init(&random, source->seed, cursor->next);
    int64_t k = (int64_t)random_below(&random, source->count) + 1;
    char *c_end = put_groups(&random, C_GROUPS, cursor->text), *pad_end = put_groups(&random, PAD_GROUPS, c_end);
    cursor->values[0] = (struct db_value){DB_VALUE_INT, (int64_t)cursor->next + 1, NULL, 0};
    cursor->values[1] = (struct db_value){DB_VALUE_INT, k, NULL, 0};
    cursor->values[2] = (struct db_value){DB_VALUE_TEXT, 0, cursor->text, (size_t)(c_end - cursor->text)};
    cursor->values[3] = (struct db_value){DB_VALUE_TEXT, 0, c_end, (size_t)(pad_end - c_end)};
}

/* ---- a file's records ---- */

static bool fill_buffer(struct rows_cursor *cursor, bool *is_end, struct error *error)
{
    const char *path = cursor->rows->source.path;
    if (cursor->used > 0)
        memmove(cursor->buffer, cursor->buffer + cursor->used, cursor->filled - cursor->used);
    cursor->filled -= cursor->used;
    cursor->used = 0;
    if (cursor->filled == cursor->room) {
        size_t room = cursor->room > 0 ? 2 * cursor->room : BUFFER_BYTES;
        char *buffer = room <= RECORD_BYTES_MAX ? realloc(cursor->buffer, room) : NULL;
        if (!buffer)
            return error_set(error, ERR_DATA,
                             "%.400s, line %" PRIu64 ": the row is longer than 32 MiB: is a quote not closed?", path,
                             cursor->line);
        cursor->buffer = buffer;
        cursor->room = room;
    }
    int64_t got = file_layer_system.read_at(cursor->file, cursor->buffer + cursor->filled,
                                            cursor->room - cursor->filled, cursor->offset);
    if (got < 0)
        return error_set_os(error, (int)-got, "%.400s cannot be read", path);
    cursor->filled += (size_t)got;
    cursor->offset += (uint64_t)got;
    *is_end = got == 0;
    return true;
}

/* The next record, into cursor->record. */
static bool take_record(struct rows_cursor *cursor, bool *end, struct error *error)
{
    const struct rows_source *source = &cursor->rows->source;
    bool is_end = false;
    for (;;) {
        size_t left = cursor->filled - cursor->used;
        enum csv_outcome outcome =
            left == 0 ? CSV_MORE
                      : csv_take(&source->form, cursor->buffer + cursor->used, left, is_end, &cursor->record);
        if (outcome == CSV_BAD)
            return error_set(error, ERR_DATA, "%.400s, line %" PRIu64 ": %s", source->path, cursor->line,
                             cursor->record.fault);
        if (outcome == CSV_ROW) {
            cursor->used += cursor->record.taken;
            return true;
        }
        *end = is_end;
        if (is_end)
            return true;
        if (!fill_buffer(cursor, &is_end, error))
            return false;
    }
}

static bool check_count(const struct rows_cursor *cursor, struct error *error)
{
    size_t found = cursor->record.count, wanted = cursor->rows->columns_count;
    return found == wanted ||
           error_set(error, ERR_DATA, "%.400s, line %" PRIu64 ": %zu value%s, and the first line has %zu",
                     cursor->rows->source.path, cursor->line, found, found == 1 ? "" : "s", wanted);
}

/* A whole number of 64 bits in its shortest form. */
static bool to_integer(const struct db_value *value, int64_t *out)
{
    char text[24], again[24];
    if (value->text_bytes == 0 || value->text_bytes > 20)
        return false;
    memcpy(text, value->text, value->text_bytes);
    text[value->text_bytes] = '\0';
    *out = strtoll(text, NULL, 10);
    snprintf(again, sizeof(again), "%" PRId64, *out);
    return strcmp(text, again) == 0;
}

static void take_values(struct rows_cursor *cursor)
{
    const struct rows *rows = cursor->rows;
    for (size_t i = 0; i < cursor->record.count; i++) {
        struct db_value *value = &cursor->values[i];
        *value = cursor->record.values[i];
        if (rows->columns[i].is_integer && value->type == DB_VALUE_TEXT && to_integer(value, &value->number))
            value->type = DB_VALUE_INT;
    }
}

/* ---- cursors ---- */

bool rows_cursor_open(struct rows_cursor *cursor, const struct rows *rows, struct error *error)
{
    const struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, false};
    *cursor = (struct rows_cursor){.rows = rows, .line = 1};
    if (!rows->source.path)
        return true;
    cursor->room = BUFFER_BYTES;
    cursor->buffer = malloc(cursor->room);
    return cursor->buffer ? file_layer_system.open(&cursor->file, rows->source.path, &policy, error)
                          : error_set(error, ERR_SYSTEM, "not enough memory to read %.400s", rows->source.path);
}

void rows_cursor_close(struct rows_cursor *cursor)
{
    file_layer_system.close(cursor->file);
    free(cursor->buffer);
    csv_done(&cursor->record);
    *cursor = (struct rows_cursor){.rows = NULL};
}

bool rows_cursor_next(struct rows_cursor *cursor, bool *end, struct error *error)
{
    const struct rows *rows = cursor->rows;
    *end = !rows->source.path && cursor->next == rows->source.count;
    if (*end)
        return true;
    if (!rows->source.path) {
        generate(cursor);
    } else {
        if (!take_record(cursor, end, error))
            return false;
        if (*end)
            return true;
        if (!check_count(cursor, error))
            return false;
        take_values(cursor);
        cursor->line += cursor->record.lines;
    }
    cursor->next++;
    return true;
}

static void go_to(struct rows_cursor *cursor, const struct rows_mark *mark, uint64_t row)
{
    cursor->offset = mark->offset;
    cursor->line = mark->line;
    cursor->next = row;
    cursor->filled = cursor->used = 0;
}

bool rows_cursor_seek(struct rows_cursor *cursor, uint64_t row, struct error *error)
{
    const struct rows *rows = cursor->rows;
    bool end = false;
    if (!rows->source.path) {
        cursor->next = row;
        return true;
    }
    uint64_t mark = row / MARK_ROWS;
    if (mark >= rows->marks_count)
        mark = rows->marks_count - 1;
    go_to(cursor, &rows->marks[mark], mark * MARK_ROWS);
    while (cursor->next < row && !end)
        if (!rows_cursor_next(cursor, &end, error))
            return false;
    return true;
}

/* ---- the first reading ---- */

static bool add_mark(struct rows *rows, const struct rows_cursor *cursor, struct error *error)
{
    if (rows->marks_count == rows->marks_room) {
        size_t room = rows->marks_room ? 2 * rows->marks_room : 64;
        struct rows_mark *marks = realloc(rows->marks, room * sizeof(*marks));
        if (!marks)
            return error_set(error, ERR_SYSTEM, "not enough memory for %.400s", rows->source.path);
        rows->marks = marks;
        rows->marks_room = room;
    }
    rows->marks[rows->marks_count++] =
        (struct rows_mark){cursor->offset - (cursor->filled - cursor->used), cursor->line};
    return true;
}

static bool take_header(struct rows *rows, struct rows_cursor *cursor, struct error *error)
{
    for (size_t i = 0; i < cursor->record.count; i++) {
        const struct db_value *value = &cursor->record.values[i];
        if (value->type != DB_VALUE_TEXT || value->text_bytes == 0 || value->text_bytes >= NAME_MAX_BYTES)
            return error_set(error, ERR_DATA,
                             "%.400s, line %" PRIu64 ": name %zu of a column is empty or longer than 63 bytes",
                             rows->source.path, cursor->line, i + 1);
        snprintf(rows->columns[i].name, NAME_MAX_BYTES, "%.*s", (int)value->text_bytes, value->text);
    }
    cursor->line += cursor->record.lines;
    return true;
}

/* The first record says how many columns there are, and what they are called. */
static bool begin_file(struct rows *rows, struct rows_cursor *cursor, struct error *error)
{
    static const char mark[] = "\xEF\xBB\xBF";
    bool end = false;
    if (!fill_buffer(cursor, &end, error))
        return false;
    if (cursor->filled >= 3 && memcmp(cursor->buffer, mark, 3) == 0)
        cursor->used = 3;
    size_t start = cursor->used;
    if (!take_record(cursor, &end, error))
        return false;
    if (end)
        return error_set(error, ERR_DATA, "%.400s is empty: there is nothing to load", rows->source.path);
    rows->columns_count = cursor->record.count;
    for (size_t i = 0; i < rows->columns_count; i++) {
        rows->columns[i].is_integer = true;
        snprintf(rows->columns[i].name, NAME_MAX_BYTES, "c%zu", i + 1);
    }
    if (rows->source.has_header)
        return take_header(rows, cursor, error);
    go_to(cursor, &(struct rows_mark){start, 1}, 0);
    return true;
}

/* While a column may still be of integers, its values come as such where they are. */
static void note_values(struct rows *rows, const struct rows_cursor *cursor, bool *any)
{
    for (size_t i = 0; rows->source.path && i < rows->columns_count; i++) {
        const struct db_value *value = &cursor->record.values[i];
        struct rows_column *column = &rows->columns[i];
        column->has_null |= value->type == DB_VALUE_NULL;
        if (value->type == DB_VALUE_NULL)
            continue;
        any[i] = true;
        uint64_t characters = csv_characters(value->text, value->text_bytes);
        column->characters = characters > column->characters ? characters : column->characters;
        column->is_integer &= cursor->values[i].type == DB_VALUE_INT;
    }
}

static bool add_row(struct rows *rows, const struct rows_cursor *cursor, char **buffer, size_t *room)
{
    size_t needed = form_room(cursor->values, rows->columns_count);
    if (needed > *room) {
        char *more = realloc(*buffer, 2 * needed);
        if (!more)
            return false;
        *buffer = more;
        *room = 2 * needed;
    }
    rows->bytes += form_stream_bytes(cursor->values, rows->columns_count);
    form_add(&rows->sum, cursor->values, rows->columns_count, rows->source.loose, *buffer);
    return true;
}

static bool scan(struct rows *rows, struct rows_cursor *cursor, struct stop *stop, struct error *error)
{
    bool end = false, any[ROWS_COLUMNS_MAX] = {false}, good = true;
    char *buffer = NULL;
    size_t room = 0;
    while (good && !end) {
        if (cursor->next % MARK_ROWS == 0)
            good = stop_goes_on(stop) ? !rows->source.path || add_mark(rows, cursor, error)
                                      : error_set(error, ERR_INTERRUPTED, "interrupted");
        good = good && rows_cursor_next(cursor, &end, error);
        if (!good || end)
            break;
        note_values(rows, cursor, any);
        good = add_row(rows, cursor, &buffer, &room) || error_set(error, ERR_SYSTEM, "not enough memory for the rows");
    }
    free(buffer);
    for (size_t i = 0; rows->source.path && i < rows->columns_count; i++)
        rows->columns[i].is_integer &= any[i];
    if (good && rows->sum.rows == 0)
        return error_set(error, ERR_DATA, "%.400s has no rows: there is nothing to load", rows->source.path);
    return good;
}

bool rows_scan(struct rows *rows, const struct rows_source *source, struct stop *stop, struct error *error)
{
    struct rows_cursor cursor;
    *rows = (struct rows){.source = *source};
    if (!source->path) {
        rows->columns_count = COUNT_OF(generated);
        memcpy(rows->columns, generated, sizeof(generated));
    }
    bool good = rows_cursor_open(&cursor, rows, error) && (!source->path || begin_file(rows, &cursor, error)) &&
                scan(rows, &cursor, stop, error);
    rows_cursor_close(&cursor);
    return good;
}

void rows_done(struct rows *rows)
{
    free(rows->marks);
    *rows = (struct rows){.marks = NULL};
}
