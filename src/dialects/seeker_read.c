/* seeker_read.c: what seeker and hdparm's timings printed. */
#include "core/dialect.h"
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <string.h>

#define NO_STATES                                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            NULL, NULL                                                                                                 \
        }                                                                                                              \
    }

/* ---- seeker ---- */

static const struct line_rule seeker_rules[] = {
    {"^Benchmarking {text} [{MiB}MB], wait {s} seconds",
     {TO_SETTING("target"), TO_SETTING("total_size"), TO_SETTING("time")},
     NO_STATES},
    {"^Benchmarking {text} [{n} blocks, {n} bytes,",
     {TO_SETTING("target"), TO_NOTHING, TO_SETTING("total_size")},
     NO_STATES},
    {"^[{n} threads]", {TO_SETTING("threads")}, NO_STATES},
    {"^Wait {s} seconds", {TO_SETTING("time")}, NO_STATES},
    {"^Results: {n} seeks/second, {ms} ms random access time",
     {TO_FIGURE(FIGURE_PER_S, OP_ALL), TO_FIGURE(FIGURE_MEAN_NS, OP_ALL)},
     NO_STATES},
};

/* All of seeker's defaults, from the dialect itself. */
static void take_defaults(struct reading *reading, const char *program, char *const *words, size_t count)
{
    struct job standard;
    if (reading_parse_command(reading, dialect_find(program), count, words, &standard))
        reading_take_job(reading, &standard, &standard);
    reading->command[0] = '\0'; /* made up */
}

static bool read_seeker(const struct transcript *transcript, struct readings *out, struct error *error)
{
    static char name[] = "device";
    char *const words[] = {name};
    struct captured captured[LINE_CAPTURES];
    for (size_t at = 0; at < transcript->count; at++) {
        struct reading *reading;
        if (!line_match("^Benchmarking {text} [{n}MB], wait", transcript->lines[at], captured, NULL) &&
            !line_match("^Benchmarking {text} [{n} blocks,", transcript->lines[at], captured, NULL))
            continue;
        reading = readings_add(out, "seeker", transcript, at, error);
        if (!reading)
            return false;
        if (at > 0 && line_match("^Seeker v{text},", transcript->lines[at - 1], captured, NULL))
            snprintf(reading->version, sizeof reading->version, "%.*s", (int)captured[0].length % 60, captured[0].at);
        for (size_t i = at; i < at + 6 && i < transcript->count && !reading->figures_count; i++)
            reading_apply(reading, seeker_rules, COUNT_OF(seeker_rules), transcript->lines[i], i);
        reading->partial = !reading->figures_count;
        take_defaults(reading, "seeker", words, 1);
    }
    return true;
}

const struct reader seeker_reader = {"seeker", read_seeker};

/* ---- hdparm ---- */

/* "216 MB in 3.01 seconds = 71.68 MB/sec"; hdparm's MB are 1 048 576 bytes. */
static bool take_timing(struct reading *reading, const char *text, size_t line)
{
    static const struct line_rule rule = {"reads: {MiB} MB in {s} seconds = {MiB} MB/sec",
                                          {TO_FIGURE(FIGURE_BYTES, CLASS_READ), TO_FIGURE(FIGURE_ELAPSED_NS, OP_ALL),
                                           TO_FIGURE(FIGURE_BYTES_PER_S, CLASS_READ)},
                                          NO_STATES};
    static const struct line_rule slow = {"reads: {MiB} MB in {s} seconds = {KiB} kB/sec",
                                          {TO_FIGURE(FIGURE_BYTES, CLASS_READ), TO_FIGURE(FIGURE_ELAPSED_NS, OP_ALL),
                                           TO_FIGURE(FIGURE_BYTES_PER_S, CLASS_READ)},
                                          NO_STATES};
    return reading_apply(reading, &rule, 1, text, line) || reading_apply(reading, &slow, 1, text, line);
}

/* The device stands on a line of its own before: "/dev/sda1:". */
static void take_device(struct reading *reading, const struct transcript *transcript, size_t at)
{
    struct captured captured[LINE_CAPTURES];
    char name[TEXT_MAX];
    for (size_t up = 1; up <= 4 && up <= at; up++) {
        if (!line_match("^/{text}:$", transcript->lines[at - up], captured, NULL))
            continue;
        snprintf(name, sizeof name, "/%.*s", (int)captured[0].length, captured[0].at);
        reading_state(reading, "target", name);
        return;
    }
}

static bool read_hdparm(const struct transcript *transcript, struct readings *out, struct error *error)
{
    static char buffered[] = "-t", cached[] = "-T", name[] = "device";
    for (size_t at = 0; at < transcript->count; at++) {
        const char *line = transcript->lines[at];
        bool disk = strstr(line, "Timing buffered disk reads:") != NULL;
        bool direct = strstr(line, "Timing O_DIRECT disk reads:") != NULL;
        char *const words[] = {disk || direct ? buffered : cached, name};
        struct reading *reading;
        if (!disk && !direct && !strstr(line, "Timing cached reads:"))
            continue;
        reading = readings_add(out, "hdparm", transcript, at, error);
        if (!reading)
            return false;
        snprintf(reading->name, sizeof reading->name, "%s", words[0]);
        take_device(reading, transcript, at);
        reading->partial = !take_timing(reading, line, at);
        if (direct)
            reading_state(reading, "cache", "off");
        take_defaults(reading, "hdparm", words, 2);
    }
    return true;
}

const struct reader hdparm_reader = {"hdparm", read_hdparm};
