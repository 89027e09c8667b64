/* sqlio_read.c: what SQLIO printed. It says nearly all of its settings; what it leaves out is a default (-o, -B, -L).
 */
#include "dialects/readers.h"
#include "dialects/sqlio.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <string.h>

#define LINES_ABOVE 8
#define NO_STATES                                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            NULL, NULL                                                                                                 \
        }                                                                                                              \
    }

static const struct line_rule rules[] = {
    {"^using system counter for latency timings, {n} counts per second",
     {TO_FIGURE(FIGURE_CLOCK_HZ, OP_ALL)},
     NO_STATES},
    {"^{n} thread reading for {s} secs from file {text}$",
     {TO_SETTING("threads"), TO_SETTING("time"), TO_SETTING("target")},
     {{"mode", "seqrd"}}},
    {"^{n} threads reading for {s} secs from file {text}$",
     {TO_SETTING("threads"), TO_SETTING("time"), TO_SETTING("target")},
     {{"mode", "seqrd"}}},
    {"^{n} thread writing for {s} secs to file {text}$",
     {TO_SETTING("threads"), TO_SETTING("time"), TO_SETTING("target")},
     {{"mode", "seqrewr"}}},
    {"^{n} threads writing for {s} secs to file {text}$",
     {TO_SETTING("threads"), TO_SETTING("time"), TO_SETTING("target")},
     {{"mode", "seqrewr"}}},
    {"^{n} threads reading for {s} secs from files {text}$",
     {TO_SETTING("threads"), TO_SETTING("time"), TO_NOTHING},
     {{"mode", "seqrd"}}},
    {"^{n} threads writing for {s} secs to files {text}$",
     {TO_SETTING("threads"), TO_SETTING("time"), TO_NOTHING},
     {{"mode", "seqrewr"}}},
    {"^using {KiB}KB sequential IOs", {TO_SETTING("block_size")}, {{"stripe_blocks", "0"}}},
    {"^enabling multiple I/Os per thread with {n} outstanding", {TO_SETTING("depth")}, NO_STATES},
    {"^buffering set to use hardware disk cache (but not file cache)",
     {TO_NOTHING},
     {{"cache", "off"}, {"through", "off"}}},
    {"^buffering set to not use file nor disk caches", {TO_NOTHING}, {{"cache", "off"}, {"through", "data"}}},
    {"^buffering set to use both file and disk caches", {TO_NOTHING}, {{"cache", "on"}, {"through", "off"}}},
    {"^buffering set to use file cache (but not", {TO_NOTHING}, {{"cache", "on"}, {"through", "data"}}},
    {"^need to expand by: {B} bytes", {TO_NOTHING}, {{"fill", "extended"}}},
    {"^expanding {text} ...", {TO_NOTHING}, {{"fill", "extended"}}},
    {"^IOs/sec: {n}", {TO_FIGURE(FIGURE_PER_S, OP_ALL)}, NO_STATES},
    {"^MBs/sec: {MiB}", {TO_FIGURE(FIGURE_BYTES_PER_S, OP_ALL)}, NO_STATES},
    {"^Min_Latency(ms): {ms}", {TO_FIGURE(FIGURE_MIN_NS, OP_ALL)}, NO_STATES},
    {"^Avg_Latency(ms): {ms}", {TO_FIGURE(FIGURE_MEAN_NS, OP_ALL)}, NO_STATES},
    {"^Max_Latency(ms): {ms}", {TO_FIGURE(FIGURE_MAX_NS, OP_ALL)}, NO_STATES},
};

/* "16KB random IOs" makes a random mode of the one that reading or writing stated. */
static bool take_random(struct reading *reading, const char *text)
{
    struct captured captured[LINE_CAPTURES];
    char size[32];
    if (!line_match("^using {KiB}KB random IOs", text, captured, NULL))
        return false;
    snprintf(size, sizeof size, "%.0f", captured[0].value);
    reading_state(reading, "block_size", size);
    reading_state(reading, "mode", mode_writes(reading->job.mode) ? "rndwr" : "rndrd");
    reading_state(reading, "stripe_blocks", "0");
    return true;
}

static bool take_stripe(struct reading *reading, const char *text)
{
    struct captured captured[LINE_CAPTURES];
    char number[32];
    if (!line_match("^using {KiB}KB IOs over {KiB}KB stripes with {n} IOs per run", text, captured, NULL) ||
        captured[0].value < 1)
        return false;
    snprintf(number, sizeof number, "%.0f", captured[0].value);
    reading_state(reading, "block_size", number);
    snprintf(number, sizeof number, "%.0f", captured[1].value / captured[0].value);
    reading_state(reading, "stripe_blocks", number);
    snprintf(number, sizeof number, "%.0f", captured[2].value);
    reading_state(reading, "stripe_rows", number);
    return true;
}

/* Each file has a line of its own; total_size is of all of them. */
static bool take_size(struct reading *reading, const char *text)
{
    struct captured captured[LINE_CAPTURES];
    bool is_further = reading_provenance(reading, "total_size") == PROVENANCE_STATED;
    char size[32];
    if (!line_match("^using specified size: {MiB} MB for file: {text}$", text, captured, NULL) &&
        !line_match("^using current size: {MiB} MB for file: {text}$", text, captured, NULL))
        return false;
    snprintf(size, sizeof size, "%.0f", captured[0].value + (is_further ? (double)reading->job.total_size_bytes : 0));
    reading_state(reading, "total_size", size);
    return true;
}

/* "from files a, b and c": threads of the command line work on all of them, those of a parameter file on one each. */
static void take_files(struct reading *reading, const char *text, bool has_params)
{
    const char *at = strstr(text, "secs from files ");
    char list[TEXT_MAX] = "";
    size_t used = 0;
    at = at ? at : strstr(text, "secs to files ");
    if (!at)
        return;
    at = strstr(at, "files ") + 6;
    while (*at && used + 1 < sizeof list) {
        size_t cut = strncmp(at, " and ", 5) == 0 ? 5 : strncmp(at, ", ", 2) == 0 ? 2 : 0;
        list[used++] = cut ? ',' : *at;
        at += cut ? cut : 1;
    }
    reading_state(reading, "target", list);
    reading_state(reading, "file_choice", has_params ? "own" : "turn");
}

/* A part of a list: "1  2 78": the whole percent of each millisecond is in no figure, the layout rounds it. */
static void take_line(struct reading *reading, const char *text, size_t line)
{
    if (!take_random(reading, text) && !take_stripe(reading, text) && !take_size(reading, text))
        reading_apply(reading, rules, COUNT_OF(rules), text, line);
}

/* What the output does not say is as SQLIO has it without options; `-kR` is given, for one of the two must be. */
static void suppose_defaults(struct reading *reading)
{
    static char reads[] = "-kR", random[] = "-frandom", file[] = "testfile.dat";
    char *const words[] = {reads, random, file};
    struct job standard;
    char command[sizeof reading->command];
    memcpy(command, reading->command, sizeof command);
    if (reading_parse_command(reading, &dialect_sqlio, COUNT_OF(words), words, &standard))
        reading_take_job(reading, &standard, &standard);
    if (reading_provenance(reading, "fill") != PROVENANCE_STATED)
        reading_forget(reading, "fill");               /* the file was there */
    memcpy(reading->command, command, sizeof command); /* those words were made up */
}

/* The words as they stand: the parameter file they name is not here. */
static void note_command(struct reading *reading, const struct transcript *transcript, size_t after, size_t begin)
{
    char text[TEXT_MAX], *words[COMMAND_WORDS_MAX];
    size_t used = 0, count = reading_find_command(transcript, after, begin, "sqlio", NULL, text, words);
    for (size_t i = 0; i < count && used < sizeof reading->command; i++)
        used += (size_t)snprintf(reading->command + used, sizeof reading->command - used, "%s%s", used ? " " : "",
                                 words[i]);
}

static bool read_run(const struct transcript *transcript, size_t after, size_t begin, size_t end, struct readings *out,
                     struct error *error)
{
    struct reading *reading = readings_add(out, "sqlio", transcript, begin, error);
    if (!reading)
        return false;
    line_match("^sqlio v{text}$", transcript->lines[begin], (struct captured[LINE_CAPTURES]){{0}}, NULL);
    snprintf(reading->version, sizeof reading->version, "%.60s", strstr(transcript->lines[begin], "sqlio v") + 7);
    bool has_params = false;
    for (size_t i = begin; i < end; i++) {
        has_params = has_params || strncmp(transcript->lines[i], "parameter file used:", 20) == 0;
        take_line(reading, transcript->lines[i], i);
        take_files(reading, transcript->lines[i], has_params);
    }
    reading->partial = !reading_figure(reading, FIGURE_PER_S, OP_ALL, 0);
    suppose_defaults(reading);
    note_command(reading, transcript, begin > after + LINES_ABOVE ? begin - LINES_ABOVE : after, begin);
    return true;
}

static bool begins(const char *line)
{
    return line_match("^sqlio v1.{text}$", line, (struct captured[LINE_CAPTURES]){{0}}, NULL);
}

static bool read_sqlio(const struct transcript *transcript, struct readings *out, struct error *error)
{
    size_t after = 0;
    for (size_t begin = 0, end; begin < transcript->count; begin++) {
        if (!begins(transcript->lines[begin]))
            continue;
        for (end = begin + 1; end < transcript->count && !begins(transcript->lines[end]);)
            end++;
        if (!read_run(transcript, after, begin, end, out, error))
            return false;
        after = begin + 1;
    }
    return true;
}

const struct reader sqlio_reader = {"sqlio", read_sqlio};
