/* ioping_read.c: what ioping printed. It has one request in flight, random reads over the whole target unless its
 * options say otherwise, and a pause between two that its output does not tell. */
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <string.h>

#define LINES_BELOW 6
#define LINES_ABOVE 24 /* where the command is looked for */

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

/* A count or a rate with "k" or "M" behind it, or nothing. */
static void scale_count(struct captured *number, const struct captured *unit)
{
    double scale = word_scale(unit->at, unit->length);
    number->value *= scale;
    number->quantum *= scale;
}

/* "28.6 k requests completed in 2.84 s, 111.7 MiB read, 10.1 k iops, 39.3 MiB/s", each "k " only where it is needed. */
static bool take_totals(struct reading *reading, const char *text, size_t line)
{
    struct captured count[LINE_CAPTURES], took[LINE_CAPTURES], rate[LINE_CAPTURES], unit[LINE_CAPTURES];
    bool writes = line_match(" written, {n}", text, rate, NULL);
    if (!line_match("^{n} {text} completed in {n} {text}, {n} {text} ", text, took, NULL) ||
        (!writes && !line_match(" read, {n}", text, rate, NULL)) || !line_match(" iops, {n} {text}$", text, unit, NULL))
        return false;
    count[0] = took[0];
    if (line_match("^{n} {text} requests completed", text, count, NULL))
        scale_count(&count[0], &count[1]);
    if (line_match(writes ? " written, {n} {text} iops," : " read, {n} {text} iops,", text, rate, NULL))
        scale_count(&rate[0], &rate[1]);
    int op = writes ? CLASS_WRITE : CLASS_READ;
    put(reading, FIGURE_COUNT, op, &count[0], NULL, line);
    put(reading, FIGURE_SUM_NS, OP_ALL, &took[2], &took[3], line);
    put(reading, FIGURE_PER_S, OP_ALL, &rate[0], NULL, line);
    put(reading, FIGURE_BYTES_PER_S, op, &unit[0], &unit[1], line);
    reading_suppose(reading, "mode", writes ? "rndwr" : "rndrd");
    return true;
}

static void take_line(struct reading *reading, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    if (take_totals(reading, text, line) ||
        !line_match("^min/avg/max/mdev = {n} {text} / {n} {text} / {n} {text} / {n} {text}$", text, c, NULL))
        return;
    put(reading, FIGURE_MIN_NS, OP_ALL, &c[0], &c[1], line);
    put(reading, FIGURE_MEAN_NS, OP_ALL, &c[2], &c[3], line);
    put(reading, FIGURE_MAX_NS, OP_ALL, &c[4], &c[5], line);
    put(reading, FIGURE_STDDEV_NS, OP_ALL, &c[6], &c[7], line);
}

/* What the command line above says and the output does not: -D, -L, -R, -S. */
static void take_command(struct reading *reading, const struct transcript *transcript, size_t begin)
{
    char text[TEXT_MAX], *words[COMMAND_WORDS_MAX];
    size_t above = begin;
    while (above > 0 && begin - above < LINES_ABOVE && !strstr(transcript->lines[above - 1], "ioping statistics"))
        above--;
    size_t count = reading_find_command(transcript, above, begin, "ioping", NULL, text, words);
    bool writes = reading->job.mode == MODE_RNDWR;
    for (size_t i = 0; i < count; i++) {
        const char *word = words[i];
        bool is_letters = word[0] == '-' && word[1] != '-';
        if (strcmp(word, "-direct") == 0 || (is_letters && strchr(word, 'D')))
            reading_state(reading, "cache", "off");
        if (is_letters && strchr(word, 'L'))
            reading_state(reading, "mode", writes ? "seqrewr" : "seqrd");
        if (strcmp(word, "-s") == 0 && i + 1 < count && reading_provenance(reading, "block_size") != PROVENANCE_STATED)
            reading_state(reading, "block_size", words[i + 1]);
    }
    if (count == 0) { /* -D and -L leave no trace in what ioping prints */
        reading_forget(reading, "cache");
        reading_note(reading, "no command line stands above it: with -D it went around the OS cache, with -L it was "
                              "sequential, and neither is printed");
    }
}

/* "4 KiB <<< . (ext4 /dev/vda 252.0 GiB): request=1 …" above the statistics tells the size of a request. */
static void take_size(struct reading *reading, const struct transcript *transcript, size_t at)
{
    struct captured c[LINE_CAPTURES];
    char size[32];
    for (size_t up = 1; up <= 4 && up <= at; up++) {
        if (!line_match("^{n} {text} <<< {text} (", transcript->lines[at - up], c, NULL) &&
            !line_match("^{n} {text} >>> {text} (", transcript->lines[at - up], c, NULL))
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
        reading->partial = !reading_figure(reading, FIGURE_PER_S, OP_ALL, 0);
        reading_suppose(reading, "threads", "1");
        reading_suppose(reading, "depth", "1");
        reading_suppose(reading, "cache", "on");
        take_command(reading, transcript, at);
        reading_note(reading, "ioping pauses between two requests (1 s by default, 0 with -R), which its output does "
                              "not tell; its rate counts the requests alone");
    }
    return true;
}

const struct reader ioping_reader = {"ioping", read_ioping};
