/* iozone_report.c: the report for spreadsheets: a table for each test in the matrix, a list in throughput mode. It is
 * text in both places; the file of -b is a binary one in iozone, with the same cells. */
#include "dialects/iozone.h"

#include "platform/compiler.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t used, room;
    bool failed; /* memory is short */
};

static void add(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct text *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof(piece), format, arguments);
    va_end(arguments);
    size_t needed = text->used + (size_t)length + 1;
    if (length < 0 || (size_t)length >= sizeof(piece) || text->failed)
        return;
    if (needed > text->room) {
        char *more = realloc(text->bytes, needed * 2);
        text->failed = !more;
        if (!more)
            return;
        text->bytes = more;
        text->room = needed * 2;
    }
    memcpy(text->bytes + text->used, piece, (size_t)length + 1);
    text->used += (size_t)length;
}

/* ---- the matrix ---- */

/* All records there are, ascending and each once; into list, which has room for all rows. */
static size_t collect_records(const struct iozone *iozone, uint64_t *list)
{
    size_t count = 0;
    for (size_t i = 0; i < iozone->row_count; ++i) {
        uint64_t record = iozone->rows[i].record_kb;
        size_t at = 0;
        while (at < count && list[at] < record)
            ++at;
        if (at < count && list[at] == record)
            continue;
        memmove(list + at + 1, list + at, (count - at) * sizeof(*list));
        list[at] = record;
        ++count;
    }
    return count;
}

static const struct iozone_run *find_run(const struct iozone *iozone, enum iozone_step_id step, uint64_t size_kb,
                                         uint64_t record_kb)
{
    for (size_t i = 0; i < iozone->count; ++i) {
        const struct iozone_row *row = &iozone->rows[iozone->runs[i].row];
        if (iozone->runs[i].step == step && row->size_kb == size_kb && row->record_kb == record_kb)
            return &iozone->runs[i];
    }
    return NULL;
}

/* Cells are found by their place: one that was left out, with others behind it, is 0 in iozone too. */
static void add_line(struct text *text, const struct iozone *iozone, enum iozone_step_id step, uint64_t size_kb,
                     const uint64_t *records, size_t count)
{
    size_t last = 0;
    for (size_t i = 0; i < count; ++i)
        if (find_run(iozone, step, size_kb, records[i]))
            last = i + 1;
    add(text, "\"%" PRIu64 "\"  ", size_kb);
    for (size_t i = 0; i < last; ++i) {
        const struct iozone_run *run = find_run(iozone, step, size_kb, records[i]);
        add(text, " %.0f ", run ? run->kb_per_s : 0.0);
    }
    add(text, "\n");
}

static void add_table(struct text *text, const struct iozone *iozone, enum iozone_step_id step, const uint64_t *records,
                      size_t count)
{
    add(text, "\n\"%s report\"\n        ", iozone_steps[step].report);
    for (size_t i = 0; i < count; ++i)
        add(text, "\"%" PRIu64 "\"  ", records[i]);
    add(text, "\n");
    for (size_t i = 0; i < iozone->row_count; ++i) {
        bool again = false; /* sizes come in their order, but -s may name one twice */
        for (size_t k = 0; k < i; ++k)
            again = again || iozone->rows[k].size_kb == iozone->rows[i].size_kb;
        if (!again)
            add_line(text, iozone, step, iozone->rows[i].size_kb, records, count);
    }
}

static void add_tables(struct text *text, const struct iozone *iozone)
{
    uint64_t *records = calloc(iozone->row_count + 1, sizeof(*records));
    text->failed = text->failed || !records;
    size_t count = records ? collect_records(iozone, records) : 0;
    for (int step = 0; records && step < STEP_COLUMNS; ++step)
        for (size_t i = 0; i < iozone->count; ++i)
            if ((int)iozone->runs[i].step == step) {
                add_table(text, iozone, (enum iozone_step_id)step, records, count);
                break;
            }
    free(records);
}

/* ---- throughput mode ---- */

static void add_chart(struct text *text, const struct iozone *iozone, size_t row)
{
    add(text, "\"Throughput report Y-axis is type of test X-axis is number of processes\"\n");
    add(text, "\"Record size = %" PRIu64 " kBytes \"\n\"Output is in kBytes/sec\"\n\n", iozone->rows[row].record_kb);
    for (size_t i = 0; i < iozone->count; ++i) {
        const struct iozone_run *run = &iozone->runs[i];
        if (run->row == row && !run->half)
            add(text, "\"%15s \" %10.2f \n\n", iozone_steps[run->step].chart, run->kb_per_s);
    }
}

static void make(struct text *text, const struct iozone *iozone)
{
    if (iozone->given.processes == 0) {
        add_tables(text, iozone);
        return;
    }
    for (size_t row = 0; row < iozone->row_count; ++row)
        add_chart(text, iozone, row);
}

static void print(const struct iozone *iozone, const char *text)
{
    bool crowds = iozone->given.processes > 0, excel = iozone->given.excel;
    fputs(crowds ? "\n\n\n" : "\n", iozone->out);
    if (crowds && excel)
        fprintf(iozone->out, "%s\n", text);
    fputs("iozone test complete.\n", iozone->out);
    if (!crowds && excel)
        fprintf(iozone->out, "Excel output is below:\n%s", text);
    fflush(iozone->out);
}

bool iozone_report(const struct iozone *iozone, struct error *error)
{
    const char *path = iozone->given.excel_path;
    struct text text = {0};
    if (iozone->given.excel || path)
        make(&text, iozone);
    print(iozone, text.bytes ? text.bytes : "");
    bool good = !text.failed || error_set(error, ERR_SYSTEM, "not enough memory for the report");
    good = good && (!path || path_write_text(path, text.bytes ? text.bytes : "", text.used, error));
    free(text.bytes);
    return good;
}
