/* ioping_read.c: what ioping printed. It has one request in flight, random reads over the whole target unless its
 * options say otherwise, and a pause between two that its output does not tell. */
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <string.h>

#define LINES_BELOW 6

/* "1.22 ms", "3.27 k": numbers that carry their unit as a word. */
static double word_scale(const char *word, size_t length)
{
    static const struct {
        const char *word;
        double scale;
    } rows[] = {{"ns", 1},         {"us", 1e3},   {"ms", 1e6},     {"s", 1e9},      {"min", 60e9},   {"hour", 3600e9},
                {"k", 1e3},        {"M", 1e6},    {"G", 1e9},      {"B/s", 1},      {"KiB/s", 1024}, {"MiB/s", 0x1p20},
                {"GiB/s", 0x1p30}, {"KiB", 1024}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"B", 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strlen(rows[i].word) == length && strncmp(rows[i].word, word, length) == 0)
            return rows[i].scale;
    return 0;
}

static void put(struct reading *reading, enum figure_kind kind, int op, const struct captured *number,
                const struct captured *unit, size_t line)
{
    double scale = unit ? word_scale(unit->at, unit->length) : 1;
    struct figure figure = {.kind = kind,
                            .op = op,
                            .value = number->value * scale,
                            .quantum = number->quantum * scale,
                            .line = (uint32_t)line + 1};
    const char *end = unit ? unit->at + unit->length : number->at + number->length;
    if (scale <= 0)
        return;
    snprintf(figure.text, sizeof figure.text, "%.*s", (int)(end - number->at < 40 ? end - number->at : 40), number->at);
    reading_add_figure(reading, &figure);
}

static void take_line(struct reading *reading, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    if (line_match("^{n} requests completed in {n} {text}, {text} read, {n} k iops, {n} {text}$", text, c, NULL)) {
        c[4].value *= 1e3;
        c[4].quantum *= 1e3;
    } else if (!line_match("^{n} requests completed in {n} {text}, {text} read, {n} iops, {n} {text}$", text, c,
                           NULL)) {
        if (!line_match("^min/avg/max/mdev = {n} {text} / {n} {text} / {n} {text} / {n} {text}$", text, c, NULL))
            return;
        put(reading, FIGURE_MIN_NS, OP_ALL, &c[0], &c[1], line);
        put(reading, FIGURE_MEAN_NS, OP_ALL, &c[2], &c[3], line);
        put(reading, FIGURE_MAX_NS, OP_ALL, &c[4], &c[5], line);
        put(reading, FIGURE_STDDEV_NS, OP_ALL, &c[6], &c[7], line);
        return;
    }
    put(reading, FIGURE_COUNT, CLASS_READ, &c[0], NULL, line);
    put(reading, FIGURE_SUM_NS, OP_ALL, &c[1], &c[2], line);
    put(reading, FIGURE_PER_S, OP_ALL, &c[4], NULL, line);
    put(reading, FIGURE_BYTES_PER_S, CLASS_READ, &c[5], &c[6], line);
}

/* "4 KiB <<< . (ext4 /dev/vda 252.0 GiB): request=1 …" above the statistics tells the size of a request. */
static void take_size(struct reading *reading, const struct transcript *transcript, size_t at)
{
    struct captured c[LINE_CAPTURES];
    char size[32];
    for (size_t up = 1; up <= 4 && up <= at; up++) {
        if (!line_match("^{n} {text} <<< {text} (", transcript->lines[at - up], c, NULL))
            continue;
        snprintf(size, sizeof size, "%.0f", c[0].value * word_scale(c[1].at, c[1].length));
        reading_state(reading, "block_size", size);
        return;
    }
}

static bool read_ioping(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct captured captured[LINE_CAPTURES];
    for (size_t at = 0; at < transcript->count; at++) {
        struct reading *reading;
        char target[TEXT_MAX];
        if (!line_match("^--- {text} ({text}) ioping statistics ---", transcript->lines[at], captured, NULL))
            continue;
        reading = readings_add(out, "ioping", transcript, at, error);
        if (!reading)
            return false;
        snprintf(target, sizeof target, "%.*s", (int)captured[0].length, captured[0].at);
        reading_state(reading, "target", target);
        take_size(reading, transcript, at);
        for (size_t i = at + 1; i < transcript->count && i <= at + LINES_BELOW; i++)
            take_line(reading, transcript->lines[i], i);
        reading_suppose(reading, "mode", "rndrd");
        reading_suppose(reading, "threads", "1");
        reading_suppose(reading, "depth", "1");
        reading_suppose(reading, "cache", "on");
        reading_note(reading, "ioping pauses between two requests (1 s by default, 0 with -R), which its output does "
                              "not tell; its rate counts the requests alone");
    }
    return true;
}

const struct reader ioping_reader = {"ioping", read_ioping};
