/* diskspd_read.c: DiskSpd's text report, of 2.0 to 2.2. Tables are read by their headings: columns come and go with -L
 * and -D. */
#include "core/dialect.h"
#include "dialects/diskspd.h"
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_MAX 12
#define NO_STATES                                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            NULL, NULL                                                                                                 \
        }                                                                                                              \
    }

static const struct line_rule rules[] = {
    {"^duration: {s}s", {TO_SETTING("time")}, NO_STATES},
    {"^warm up time: {s}s", {TO_SETTING("warmup")}, NO_STATES},
    {"^random seed: {n}", {TO_SETTING("seed")}, NO_STATES},
    {"^path: '{text}'$", {TO_SETTING("target")}, NO_STATES},
    {"^using software cache$", {TO_NOTHING}, {{"cache", "on"}}},
    {"^software cache disabled$", {TO_NOTHING}, {{"cache", "off"}}},
    {"^local software cache disabled, remote cache enabled$", {TO_NOTHING}, {{"cache", "off"}}},
    {"^using hardware write cache, writethrough off", {TO_NOTHING}, {{"through", "off"}}},
    {"^hardware and software write caches disabled, writethrough on", {TO_NOTHING}, {{"through", "data"}}},
    {"^hardware write cache disabled, writethrough on", {TO_NOTHING}, {{"through", "data"}}},
    {"^performing read test", {TO_NOTHING}, {{"read_percent", "100"}}},
    {"^performing write test", {TO_NOTHING}, {{"read_percent", "0"}}},
    {"^performing mix test (read/write ratio: {%}/{n})", {TO_SETTING("read_percent"), TO_NOTHING}, NO_STATES},
    {"^block size: {size}$", {TO_SETTING("block_size")}, NO_STATES},
    {"^number of outstanding I/O operations: {n}", {TO_SETTING("depth")}, NO_STATES},
    {"^number of outstanding I/O operations per thread: {n}", {TO_SETTING("depth")}, NO_STATES},
    {"^max file size: {size}", {TO_SETTING("total_size")}, NO_STATES},
    {"^thread count: {n}", {TO_SETTING("threads")}, NO_STATES},
    {"^actual test time: {s}s", {TO_FIGURE(FIGURE_ELAPSED_NS, OP_ALL)}, NO_STATES},
    {"^avg.| {n}%|", {TO_FIGURE(FIGURE_CPU_PERCENT, OP_ALL)}, NO_STATES},
};

/* ---- tables ---- */

struct table {
    int op;                      /* of the section: "Read IO", "Total IO" */
    char columns[CELLS_MAX][20]; /* of its heading */
    size_t column_count;
    bool in_latencies;
};

static size_t cut(const char *text, char cells[CELLS_MAX][20])
{
    size_t count = 0;
    while (count < CELLS_MAX) {
        size_t length = strcspn(text, "|"), used = 0;
        const char *at = text + strspn(text, " \t");
        for (; at < text + length && used < 19; at++)
            cells[count][used++] = *at;
        while (used > 0 && isspace((unsigned char)cells[count][used - 1]))
            used--;
        cells[count++][used] = '\0';
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return count;
}

static void put(struct reading *reading, enum figure_kind kind, int op, double percent, const char *cell,
                const char *pattern, size_t line)
{
    struct captured captured[LINE_CAPTURES];
    struct figure figure = {.kind = kind, .op = op, .percent = percent, .line = (uint32_t)line + 1};
    if (!line_match(pattern, cell, captured, NULL))
        return; /* N/A */
    figure.value = captured[0].value;
    figure.quantum = captured[0].quantum;
    snprintf(figure.text, sizeof figure.text, "%.47s", cell);
    reading_add_figure(reading, &figure);
}

/* "total:   4096 | 1 | …": each cell under the heading of its column; the first heading holds "thread |" as well. */
static void take_totals(struct reading *reading, const struct table *table, const char *text, size_t line)
{
    static const struct {
        const char *column;
        enum figure_kind kind;
        const char *pattern;
    } rows[] = {{"bytes", FIGURE_BYTES, "^{n}$"},         {"I/Os", FIGURE_COUNT, "^{n}$"},
                {"MiB/s", FIGURE_BYTES_PER_S, "^{MiB}$"}, {"MB/s", FIGURE_BYTES_PER_S, "^{MiB}$"},
                {"I/O per s", FIGURE_PER_S, "^{n}$"},     {"AvgLat", FIGURE_MEAN_NS, "^{ms}$"},
                {"LatStdDev", FIGURE_STDDEV_NS, "^{ms}$"}};
    char cells[CELLS_MAX][20];
    size_t count = cut(text + strlen("total:"), cells);
    for (size_t i = 0; i < count && i + 1 < table->column_count; i++)
        for (size_t r = 0; r < COUNT_OF(rows); r++)
            if (strcmp(table->columns[i + 1], rows[r].column) == 0)
                put(reading, rows[r].kind, table->op, 0, cells[i], rows[r].pattern, line);
}

/* "99th", "5-nines", "min": which percentile a row is; −1 = none. */
static double percent_of(const char *row)
{
    struct captured captured[LINE_CAPTURES];
    if (strcmp(row, "min") == 0 || strcmp(row, "max") == 0)
        return row[1] == 'i' ? 0 : 100;
    if (line_match("^{n}th$", row, captured, NULL))
        return captured[0].value;
    if (!line_match("^{n}-nines$", row, captured, NULL))
        return -1;
    double percent = 0, digit = 90;
    for (int i = 0; i < (int)captured[0].value && i < 12; i++, digit /= 10)
        percent += digit;
    return percent;
}

static void take_latency(struct reading *reading, const char *text, size_t line)
{
    static const int ops[] = {CLASS_READ, CLASS_WRITE, OP_ALL};
    char cells[CELLS_MAX][20];
    size_t count = cut(text, cells);
    double percent = percent_of(cells[0]);
    if (percent < 0)
        return;
    for (size_t i = 0; i < COUNT_OF(ops) && i + 1 < count; i++)
        put(reading,
            percent <= 0     ? FIGURE_MIN_NS
            : percent >= 100 ? FIGURE_MAX_NS
                             : FIGURE_PERCENTILE_NS,
            ops[i], percent, cells[i + 1], "^{ms}$", line);
}

static void take_table_line(struct reading *reading, struct table *table, const char *text, size_t line)
{
    static const struct {
        const char *title;
        int op;
    } sections[] = {{"Total IO", OP_ALL}, {"Read IO", CLASS_READ}, {"Write IO", CLASS_WRITE}};
    text += strspn(text, " \t");
    for (size_t i = 0; i < COUNT_OF(sections); i++)
        if (strcmp(text, sections[i].title) == 0) {
            table->op = sections[i].op;
            table->in_latencies = false;
        }
    if (strncmp(text, "thread |", 8) == 0)
        table->column_count = cut(text, table->columns);
    else if (strncmp(text, "total:", 6) == 0 && table->column_count > 0)
        take_totals(reading, table, text, line);
    else if (strncmp(text, "%-ile |", 7) == 0)
        table->in_latencies = true;
    else if (table->in_latencies && strchr(text, '|'))
        take_latency(reading, text, line);
}

/* ---- pattern of access ---- */

/* A distance of one block is what 0 stands for. */
static void state_distance(struct reading *reading, const char *setting, double bytes)
{
    char number[32];
    snprintf(number, sizeof number, "%.0f", bytes == (double)reading->job.block_size_bytes ? 0.0 : bytes);
    reading_state(reading, setting, number);
}

static bool take_mixed_pattern(struct reading *reading, const char *text)
{
    static const char pattern[] = "^using mixed random/sequential I/O ({n}% random) (alignment/stride: {size})";
    struct captured captured[LINE_CAPTURES];
    char percent[32];
    if (!line_match(pattern, text, captured, NULL))
        return false;
    snprintf(percent, sizeof percent, "%.0f", captured[0].value);
    reading_state(reading, "mode", "rndrw");
    reading_state(reading, "random_percent", percent);
    state_distance(reading, "align", captured[1].value);
    state_distance(reading, "step", captured[1].value);
    return true;
}

static void take_pattern(struct reading *reading, const char *text)
{
    static const struct {
        const char *pattern;
        bool random;
        const char *setting;
    } rows[] = {{"^using random I/O (alignment: {size})", true, "align"},
                {"^using sequential I/O (stride: {size})", false, "step"},
                {"^using interlocked sequential I/O (stride: {size})", false, "step"}};
    struct captured captured[LINE_CAPTURES];
    if (take_mixed_pattern(reading, text))
        return;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!line_match(rows[i].pattern, text, captured, NULL))
            continue;
        state_distance(reading, rows[i].setting, captured[0].value);
        reading_state(reading, "mode", rows[i].random ? "rndrw" : "seqrw");
        return;
    }
}

/* Reads alone and writes alone are modes of their own. */
static void settle_mode(struct reading *reading)
{
    bool random = !mode_is_sequential(reading->job.mode);
    if (reading_provenance(reading, "mode") == PROVENANCE_UNKNOWN ||
        reading_provenance(reading, "read_percent") == PROVENANCE_UNKNOWN)
        return;
    if (reading->job.read_percent >= 100)
        reading_state(reading, "mode", random ? "rndrd" : "seqrd");
    else if (reading->job.read_percent <= 0)
        reading_state(reading, "mode", random ? "rndwr" : "seqrewr");
    else if (reading->job.random_percent < 100)
        reading_state(reading, "mix", "runs");
}

/* ---- runs ---- */

/* The report says most of what a command line does that isobench refuses; what it does not say stays open. */
static void forget_silent(struct reading *reading, const struct job *standard)
{
    static const char *const silent[] = {"rate", "think_time", "start", "data", "thread_stride", "cursor_start"};
    reading_take_job(reading, standard, standard);
    for (size_t i = 0; i < COUNT_OF(silent); i++)
        if (reading_provenance(reading, silent[i]) != PROVENANCE_STATED)
            reading_forget(reading, silent[i]);
}

/* The report repeats the command line, which says what the report does not. */
static void take_command(struct reading *reading, const char *line)
{
    static char reads[] = "-w0", target[] = "testfile.dat";
    char *const plain[] = {reads, target};
    char text[TEXT_MAX], *words[COMMAND_WORDS_MAX];
    struct job standard, job;
    const char *at = strstr(line, "Command Line:");
    const struct dialect *dialect = dialect_find("diskspd");
    struct reading *aside = calloc(1, sizeof *aside);
    snprintf(text, sizeof text, "%s", at ? at + strlen("Command Line:") : "");
    size_t count = transcript_split(text, words, COMMAND_WORDS_MAX);
    bool known = dialect && aside && reading_parse_command(aside, dialect, COUNT_OF(plain), plain, &standard);
    free(aside);
    if (known && count > 1 && reading_parse_command(reading, dialect, count - 1, words + 1, &job))
        reading_take_job(reading, &job, &standard);
    else if (known)
        forget_silent(reading, &standard);
}

/* The command line gives all targets the same settings, and the figures are of all of them. */
static void note_targets(struct reading *reading, const struct transcript *transcript, size_t begin, size_t end)
{
    struct captured captured[LINE_CAPTURES];
    size_t targets = 0;
    for (size_t i = begin; i < end; i++)
        targets += line_match("^path: '{text}'$", transcript->lines[i], captured, NULL);
    if (targets < 2)
        return;
    reading_note(reading, DISKSPD_SEVERAL_TARGETS);
    reading_forget(reading, "files");
    reading_forget(reading, "total_size");
}

static bool begins(const char *line)
{
    return strncmp(line + strspn(line, " \t"), "Command Line:", 13) == 0;
}

static bool read_run(const struct transcript *transcript, size_t begin, size_t end, struct readings *out,
                     struct error *error)
{
    struct reading *reading = readings_add(out, "diskspd", transcript, begin, error);
    struct table table = {.op = OP_ALL};
    if (!reading)
        return false;
    for (size_t i = begin; i < end; i++) {
        const char *line = transcript->lines[i];
        take_pattern(reading, line);
        reading_apply(reading, rules, COUNT_OF(rules), line, i);
        take_table_line(reading, &table, line, i);
    }
    settle_mode(reading);
    reading->partial = !reading_figure(reading, FIGURE_PER_S, OP_ALL, 0);
    take_command(reading, transcript->lines[begin]);
    note_targets(reading, transcript, begin, end);
    return true;
}

static bool read_diskspd(const struct transcript *transcript, struct readings *out, struct error *error)
{
    for (size_t begin = 0, end; begin < transcript->count; begin++) {
        if (!begins(transcript->lines[begin]))
            continue;
        for (end = begin + 1; end < transcript->count && !begins(transcript->lines[end]);)
            end++;
        if (!read_run(transcript, begin, end, out, error))
            return false;
    }
    return true;
}

const struct reader diskspd_reader = {"diskspd", read_diskspd};
