/* iozone_read.c: iozone's matrix. Each figure of a row is a run of its own: a test on a file of so many kB in records
 * of so many. A test that was not run leaves blanks, so that the columns are found by their place. */
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_COLUMNS 16
#define RECORD_COLUMNS 8
#define VALUE_COLUMNS 9

/* The tests in the order of the columns, and the loads that they are. */
static const struct {
    const char *name, *mode;
    int op;
} tests[] = {{"write", "seqwr", CLASS_WRITE},        {"rewrite", "seqrewr", CLASS_WRITE},
             {"read", "seqrd", CLASS_READ},          {"reread", "seqrd", CLASS_READ},
             {"random read", "rndrd", CLASS_READ},   {"random write", "rndwr", CLASS_WRITE},
             {"backward read", "seqrd", CLASS_READ}, {"record rewrite", NULL, CLASS_WRITE},
             {"stride read", "seqrd", CLASS_READ},   {"fwrite", NULL, CLASS_WRITE},
             {"frewrite", NULL, CLASS_WRITE},        {"fread", NULL, CLASS_READ},
             {"freread", NULL, CLASS_READ}};

/* What the lines above a matrix say of all its runs. */
struct options {
    bool direct, sync, with_fsync;
};

static void take_option(struct options *options, const char *line)
{
    options->direct |= strstr(line, "O_DIRECT feature enabled") != NULL;
    options->sync |= strstr(line, "SYNC Mode.") != NULL;
    options->with_fsync |= strstr(line, "Include fsync in write timing") != NULL;
}

/* The number in `width` columns from `at`; 0 = blanks or none. */
static double column(const char *line, size_t at, size_t width)
{
    char text[32];
    size_t length = strlen(line);
    if (at >= length || width >= sizeof text)
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)width, line + at);
    char *end = text;
    double value = strtod(text, &end);
    return end != text && end[strspn(end, " ")] == '\0' && value > 0 ? value : 0;
}

static void state_run(struct reading *reading, const struct options *options, size_t test)
{
    char number[32];
    if (tests[test].mode)
        reading_state(reading, "mode", tests[test].mode);
    else
        reading_note(reading, "%s is no load that isobench makes", tests[test].name);
    reading_state(reading, "cache", options->direct ? "off" : "on");
    reading_state(reading, "through", options->sync ? "full" : "off");
    reading_state(reading, "sync_at_end", options->with_fsync ? "on" : "off");
    reading_suppose(reading, "threads", "1");
    reading_suppose(reading, "depth", "1");
    reading_suppose(reading, "files", "1");
    reading_suppose(reading, "fill", "written");
    reading_suppose(reading, "sync_every", "0");
    if (strcmp(tests[test].name, "backward read") == 0)
        reading_state(reading, "direction", "backward");
    if (strcmp(tests[test].name, "stride read") != 0)
        return;
    snprintf(number, sizeof number, "%.0f", 17.0 * (double)reading->job.block_size_bytes);
    reading_state(reading, "step", number);
}

static bool read_cell(const struct transcript *transcript, size_t line, const struct options *options, size_t test,
                      struct readings *out, struct error *error)
{
    const char *text = transcript->lines[line];
    size_t at = SIZE_COLUMNS + RECORD_COLUMNS + test * VALUE_COLUMNS;
    double value = column(text, at, VALUE_COLUMNS);
    struct reading *reading;
    char number[32];
    if (value <= 0)
        return true;
    reading = readings_add(out, "iozone", transcript, line, error);
    if (!reading)
        return false;
    snprintf(reading->name, sizeof reading->name, "%s", tests[test].name);
    snprintf(number, sizeof number, "%.0f", column(text, 0, SIZE_COLUMNS) * 1024);
    reading_state(reading, "total_size", number);
    snprintf(number, sizeof number, "%.0f", column(text, SIZE_COLUMNS, RECORD_COLUMNS) * 1024);
    reading_state(reading, "block_size", number);
    state_run(reading, options, test);
    struct figure figure = {.kind = FIGURE_BYTES_PER_S,
                            .op = tests[test].op,
                            .value = value * 1024,
                            .quantum = 1024,
                            .line = (uint32_t)line + 1};
    snprintf(figure.text, sizeof figure.text, "%.0f kB/s", value);
    return reading_add_figure(reading, &figure);
}

static bool is_heading(const char *line)
{
    return strstr(line, "reclen") && strstr(line, "rewrite") && strstr(line, "reread");
}

static bool read_iozone(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct options options = {false, false, false};
    bool inside = false;
    for (size_t i = 0; i < transcript->count; i++) {
        const char *line = transcript->lines[i];
        if (strstr(line, "Iozone: Performance Test") || strstr(line, "Run began:"))
            options = (struct options){false, false, false};
        take_option(&options, line);
        if (is_heading(line)) {
            inside = true;
            continue;
        }
        inside &= column(line, 0, SIZE_COLUMNS) > 0 && column(line, SIZE_COLUMNS, RECORD_COLUMNS) > 0;
        for (size_t test = 0; inside && test < COUNT_OF(tests); test++)
            if (!read_cell(transcript, i, &options, test, out, error))
                return false;
    }
    return true;
}

const struct reader iozone_reader = {"iozone", read_iozone};
