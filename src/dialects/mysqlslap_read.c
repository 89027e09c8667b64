/* mysqlslap_read.c: what mysqlslap printed, as text or as CSV. It times how long all queries of all clients took,
 * several times over, and knows no latencies. */
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <string.h>

#define LINES_BELOW 10

static const struct line_rule rules[] = {
    {"^Running for engine {text}$", {TO_SETTING("table_engine")}, {{NULL, NULL}}},
    {"^Average number of seconds to run all queries: {s} seconds",
     {TO_FIGURE(FIGURE_ELAPSED_NS, OP_ALL)},
     {{NULL, NULL}}},
    {"^Number of clients running queries: {n}", {TO_SETTING("threads")}, {{NULL, NULL}}},
};

/* All clients' queries over the average time. */
static void put_rates(struct reading *reading, double queries, size_t line)
{
    const struct figure *elapsed = reading_figure(reading, FIGURE_ELAPSED_NS, OP_ALL, 0);
    struct figure count = {.kind = FIGURE_COUNT, .op = OP_ALL, .value = queries, .line = (uint32_t)line + 1};
    if (queries <= 0)
        return;
    reading_add_figure(reading, &count);
    if (!elapsed || elapsed->value <= 0)
        return;
    double elapsed_ns = elapsed->value;
    struct figure rate = {.kind = FIGURE_PER_S,
                          .op = OP_ALL,
                          .value = queries * 1e9 / elapsed_ns,
                          .quantum = queries * 1e9 / elapsed_ns * elapsed->quantum / elapsed_ns,
                          .line = (uint32_t)line + 1};
    reading_add_figure(reading, &rate);
}

static struct reading *begin(struct readings *out, const struct transcript *transcript, size_t line,
                             struct error *error)
{
    struct reading *reading = readings_add(out, "mysqlslap", transcript, line, error);
    if (!reading)
        return NULL;
    reading_state(reading, "work", "database");
    reading_suppose(reading, "db_driver", "mysql");
    return reading;
}

static bool read_text_run(const struct transcript *transcript, size_t at, struct readings *out, struct error *error)
{
    struct reading *reading = begin(out, transcript, at, error);
    struct captured captured[LINE_CAPTURES];
    if (!reading)
        return false;
    reading->partial = true;
    for (size_t i = at + 1; i < transcript->count && i <= at + LINES_BELOW && reading->partial; i++) {
        reading_apply(reading, rules, COUNT_OF(rules), transcript->lines[i], i);
        if (!line_match("^Average number of queries per client: {n}", transcript->lines[i], captured, NULL))
            continue;
        put_rates(reading, captured[0].value * (double)reading->job.threads, i);
        reading->partial = false;
    }
    return true;
}

#define CSV_CELLS 7

/* "innodb,mixed,0.046,0.042,0.052,1,100": engine, load, average, minimum, maximum, clients, queries per client. */
static bool cut_csv(const char *line, char cells[CSV_CELLS][NAME_MAX_BYTES])
{
    size_t count = 0;
    for (; count < CSV_CELLS; count++) {
        size_t length = strcspn(line, ",");
        if (length >= NAME_MAX_BYTES)
            return false;
        snprintf(cells[count], NAME_MAX_BYTES, "%.*s", (int)length, line);
        line += length;
        if (*line == '\0')
            break;
        line++;
    }
    return count == CSV_CELLS - 1 && *line == '\0';
}

static bool is_csv(const char *line, char cells[CSV_CELLS][NAME_MAX_BYTES], struct captured c[CSV_CELLS])
{
    if (!cut_csv(line, cells))
        return false;
    for (size_t i = 2; i < CSV_CELLS; i++) {
        struct captured one[LINE_CAPTURES];
        if (!line_match(i < 5 ? "^{s}$" : "^{n}$", cells[i], one, NULL))
            return false;
        c[i] = one[0];
    }
    return strchr(cells[2], '.') != NULL;
}

static bool read_csv_run(const struct transcript *transcript, size_t at, char cells[CSV_CELLS][NAME_MAX_BYTES],
                         const struct captured c[CSV_CELLS], struct readings *out, struct error *error)
{
    struct reading *reading = begin(out, transcript, at, error);
    struct figure elapsed = {.kind = FIGURE_ELAPSED_NS,
                             .op = OP_ALL,
                             .value = c[2].value,
                             .quantum = c[2].quantum,
                             .line = (uint32_t)at + 1};
    if (!reading)
        return false;
    if (cells[0][0])
        reading_state(reading, "table_engine", cells[0]);
    snprintf(reading->name, sizeof reading->name, "%s", cells[1]);
    reading_state(reading, "threads", cells[5]);
    snprintf(elapsed.text, sizeof elapsed.text, "%.40s", cells[2]);
    reading_add_figure(reading, &elapsed);
    put_rates(reading, c[5].value * c[6].value, at);
    return true;
}

static bool read_mysqlslap(const struct transcript *transcript, struct readings *out, struct error *error)
{
    for (size_t i = 0; i < transcript->count; i++) {
        char cells[CSV_CELLS][NAME_MAX_BYTES];
        struct captured c[CSV_CELLS];
        const char *line = transcript->lines[i];
        if (strcmp(line, "Benchmark") == 0 && !read_text_run(transcript, i, out, error))
            return false;
        if (is_csv(line, cells, c) && !read_csv_run(transcript, i, cells, c, out, error))
            return false;
    }
    return true;
}

const struct reader mysqlslap_reader = {"mysqlslap", read_mysqlslap};
