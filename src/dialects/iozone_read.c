/* iozone_read.c: what iozone printed. In the matrix each figure of a row is a run of its own: a test on a file of so
 * many kB in records of so many. A test that was not run leaves blanks, so that the columns are found by their place.
 * In throughput mode a run is a block of lines, which begins with what the children saw. */
#include "core/settings.h"
#include "dialects/iozone.h"
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_COLUMNS 16
#define RECORD_COLUMNS 8
#define VALUE_COLUMNS 9

/* What the lines above say of all runs that follow. */
struct options {
    bool direct, sync, with_fsync, with_close, mapped, no_wall, other_unit;
    double stride;
    double processes, size_kb, record_kb; /* of throughput mode; 0 = not told */
};

static double number_behind(const char *line, const char *words)
{
    const char *at = strstr(line, words);
    double value = at ? strtod(at + strlen(words), NULL) : 0;
    return value > 0 && value < 1e15 ? value : 0;
}

static void take_number(const char *line, const char *words, double *out)
{
    double value = number_behind(line, words);
    *out = value > 0 ? value : *out;
}

static void take_option(struct options *options, const char *line)
{
    options->direct |= strstr(line, "O_DIRECT feature enabled") != NULL;
    options->sync |= strstr(line, "SYNC Mode.") != NULL;
    options->with_fsync |= strstr(line, "Include fsync in write timing") != NULL;
    options->with_close |= strstr(line, "Include close in write timing") != NULL;
    options->mapped |= strstr(line, "Using mmap files") != NULL;
    options->no_wall |= strstr(line, "Stonewall disabled") != NULL;
    options->other_unit |= strstr(line, "Output is in ") != NULL && strstr(line, "ytes/sec") == NULL;
    take_number(line, "File stride size set to ", &options->stride);
    take_number(line, "Throughput test with ", &options->processes);
    if (strstr(line, "Each process writes a ")) {
        options->size_kb = number_behind(line, "Each process writes a ");
        options->record_kb = number_behind(line, "file in ");
    }
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

/* ---- one run ---- */

struct run {
    enum iozone_step_id step;
    double processes, size_kb, record_kb;
};

static void state_number(struct reading *reading, const char *setting, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", value);
    reading_state(reading, setting, text);
}

static void state_mode(struct reading *reading, const struct run *run)
{
    struct job job;
    char text[NAME_MAX_BYTES];
    job_init(&job);
    job.mode = iozone_steps[run->step].mode;
    job_get(&job, setting_find("mode"), text, sizeof text);
    if (job.mode == MODE_UNSET)
        reading_note(reading, "%s is no load that isobench makes", iozone_steps[run->step].name);
    else if (run->step == STEP_MIXED)
        reading_note(reading, "half of the processes read and the others write");
    else
        reading_state(reading, "mode", text);
}

/* The same record each time: as iozone_job.c has it. */
static void state_one_record(struct reading *reading, const struct run *run, double records)
{
    state_number(reading, "total_size", run->record_kb * run->processes * 1024);
    state_number(reading, "passes", records);
}

static void state_access(struct reading *reading, const struct options *options, const struct run *run)
{
    double records = run->record_kb > 0 ? (double)(uint64_t)(run->size_kb / run->record_kb) : 0;
    double stride = options->stride > 0 ? options->stride : IOZONE_STRIDE;
    state_number(reading, "block_size", run->record_kb * 1024);
    state_number(reading, "total_size", records * run->record_kb * run->processes * 1024);
    reading_suppose(reading, "time", "0");
    reading_suppose(reading, "passes", "1");
    if (!mode_is_sequential(iozone_steps[run->step].mode) && iozone_steps[run->step].mode != MODE_UNSET)
        reading_suppose(reading, "coverage", "once");
    if (run->step == STEP_BACKWARD)
        reading_state(reading, "direction", "backward");
    if (run->step == STEP_RECORD || (run->step == STEP_STRIDE && records <= stride)) {
        state_one_record(reading, run, records);
    } else if (run->step == STEP_STRIDE) {
        state_number(reading, "stripe_blocks", stride);
        state_number(reading, "stripe_rows", (double)(uint64_t)(records / stride));
    }
}

static void state_rest(struct reading *reading, const struct options *options, const struct run *run)
{
    bool crowd = run->processes > 1;
    state_number(reading, "threads", run->processes);
    reading_suppose(reading, "depth", "1");
    state_number(reading, "files", run->processes);
    if (crowd)
        reading_suppose(reading, "file_choice", "own");
    reading_suppose(reading, "stonewall", crowd && !options->no_wall ? "on" : "off");
    reading_suppose(reading, "data", "count-up");
    reading_suppose(reading, "sync_every", "0");
    reading_state(reading, "cache", options->direct ? "off" : "on");
    reading_state(reading, "through", options->sync ? "full" : "off");
    reading_state(reading, "sync_at_end", options->with_fsync ? "on" : "off");
    reading_state(reading, "close_at_end", options->with_close ? "on" : "off");
    if (options->mapped)
        reading_state(reading, "engine", "mmap");
}

static bool add_run(const struct transcript *transcript, size_t line, const struct options *options,
                    const struct run *run, double kb_per_s, double quantum_kb, struct readings *out,
                    struct error *error)
{
    const struct iozone_step *step = &iozone_steps[run->step];
    struct reading *reading = readings_add(out, "iozone", transcript, line, error);
    bool writes = run->step == STEP_FWRITE || run->step == STEP_FREWRITE || mode_writes(step->mode);
    if (!reading)
        return false;
    snprintf(reading->name, sizeof reading->name, "%s", step->name);
    state_mode(reading, run);
    state_access(reading, options, run);
    state_rest(reading, options, run);
    struct figure figure = {.kind = FIGURE_BYTES_PER_S,
                            .op = run->step == STEP_MIXED ? OP_ALL : (writes ? CLASS_WRITE : CLASS_READ),
                            .value = kb_per_s * 1024,
                            .quantum = quantum_kb * 1024,
                            .line = (uint32_t)line + 1};
    snprintf(figure.text, sizeof figure.text, "%.*f kB/s", quantum_kb < 1 ? 2 : 0, kb_per_s);
    return reading_add_figure(reading, &figure);
}

/* ---- the matrix ---- */

static bool is_heading(const char *line)
{
    return strstr(line, "reclen") && strstr(line, "rewrite") && strstr(line, "reread");
}

static bool read_row(const struct transcript *transcript, size_t line, const struct options *options,
                     struct readings *out, struct error *error)
{
    const char *text = transcript->lines[line];
    struct run run = {STEP_WRITE, 1, column(text, 0, SIZE_COLUMNS), column(text, SIZE_COLUMNS, RECORD_COLUMNS)};
    for (int step = 0; step < STEP_COLUMNS; step++) {
        double value = column(text, SIZE_COLUMNS + RECORD_COLUMNS + (size_t)step * VALUE_COLUMNS, VALUE_COLUMNS);
        run.step = (enum iozone_step_id)step;
        if (value > 0 && !add_run(transcript, line, options, &run, value, 1, out, error))
            return false;
    }
    return true;
}

/* ---- throughput mode ---- */

/* The test whose name stands at `text`; false when there is none. */
static bool find_crowd(const char *text, enum iozone_step_id *out)
{
    for (size_t i = 0; i < iozone_crowd_count; i++) {
        const char *crowd = iozone_steps[iozone_crowd_order[i]].crowd;
        size_t length = strcspn(crowd, "\t");
        *out = iozone_crowd_order[i];
        if (strncmp(text, crowd, length - 1) == 0 && isspace((unsigned char)text[length - 1]))
            return true;
    }
    return false;
}

static bool read_crowd(const struct transcript *transcript, size_t line, const struct options *options,
                       struct readings *out, struct error *error)
{
    static const char words[] = "Children see throughput for ";
    const char *at = strstr(transcript->lines[line], words), *equals = at ? strchr(at, '=') : NULL;
    struct run run = {STEP_WRITE, 0, options->size_kb, options->record_kb};
    char *end = NULL;
    if (!equals || options->size_kb <= 0 || options->record_kb <= 0)
        return true;
    run.processes = strtod(at + strlen(words), &end);
    double value = strtod(equals + 1, NULL);
    if (!(run.processes >= 1) || run.processes > 1e6 || !(value > 0) || !find_crowd(end + strspn(end, " "), &run.step))
        return true;
    return add_run(transcript, line, options, &run, value, 0.01, out, error);
}

static bool read_iozone(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct options options = {0};
    bool inside = false;
    for (size_t i = 0; i < transcript->count; i++) {
        const char *line = transcript->lines[i];
        if (strstr(line, "Iozone: Performance Test") || strstr(line, "Run began:"))
            options = (struct options){0};
        take_option(&options, line);
        if (is_heading(line)) {
            inside = true;
            continue;
        }
        inside = inside && column(line, 0, SIZE_COLUMNS) > 0 && column(line, SIZE_COLUMNS, RECORD_COLUMNS) > 0;
        if (options.other_unit)
            continue; /* operations per second, or microseconds: no figure that is read here */
        if (inside ? !read_row(transcript, i, &options, out, error) : !read_crowd(transcript, i, &options, out, error))
            return false;
    }
    return true;
}

const struct reader iozone_reader = {"iozone", read_iozone};
