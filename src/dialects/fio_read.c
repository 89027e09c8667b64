/* fio_read.c: fio's human output, of fio 2 and 3. Its JSON: fio_read_json.c. */
#include "dialects/fio_read.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_MAX 64
#define NO_STATES                                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            NULL, NULL                                                                                                 \
        }                                                                                                              \
    }

/* ---- what both forms say of a job ---- */

void fio_state_mode(struct reading *reading, const char *rw)
{
    static const char *const rows[][2] = {{"read", "seqrd"},      {"write", "seqrewr"}, {"randread", "rndrd"},
                                          {"randwrite", "rndwr"}, {"rw", "seqrw"},      {"readwrite", "seqrw"},
                                          {"randrw", "rndrw"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(rw, rows[i][0]) == 0) {
            reading_state(reading, "mode", rows[i][1]);
            return;
        }
    reading_note(reading, "rw=%.40s is no load that isobench makes", rw);
}

void fio_state_engine(struct reading *reading, const char *engine)
{
    static const char *const rows[][2] = {
        {"sync", "sync"},      {"psync", "sync"},   {"vsync", "sync"},      {"pvsync", "sync"}, {"pvsync2", "sync"},
        {"io_uring", "uring"}, {"libaio", "uring"}, {"windowsaio", "iocp"}, {"mmap", "mmap"},   {"posixaio", "uv"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(engine, rows[i][0]) == 0) {
            reading_state(reading, "engine", rows[i][1]);
            return;
        }
    reading_note(reading, "ioengine=%.40s has no counterpart here", engine);
}

/* ---- the lines before a run: what the jobs are ---- */

struct job_line {
    char name[128], rw[32], engine[32];
    double block_bytes, depth;
};

static void copy(char *out, size_t out_bytes, const struct captured *captured)
{
    snprintf(out, out_bytes, "%.*s", (int)(captured->length < out_bytes ? captured->length : out_bytes - 1),
             captured->at);
}

/* "t: (g=0): rw=randread, bs=(R) 16.0KiB-16.0KiB, (W) …, (T) …, ioengine=psync, iodepth=1"; of fio 2
 * "bs=4K-4K/4K-4K/…". */
static bool take_job_line(struct job_line *out, const char *text)
{
    static const char *const patterns[] = {
        "^{text}: (g={n}): rw={text}, bs=(R) {size}-{text}, ioengine={text}, iodepth={n}$",
        "^{text}: (g={n}): rw={text}, bs={size}-{text}, ioengine={text}, iodepth={n}$"};
    struct captured c[LINE_CAPTURES];
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        if (!line_match(patterns[i], text, c, NULL))
            continue;
        copy(out->name, sizeof out->name, &c[0]);
        copy(out->rw, sizeof out->rw, &c[2]);
        copy(out->engine, sizeof out->engine, &c[5]);
        out->block_bytes = c[3].value;
        out->depth = c[6].value;
        return true;
    }
    return false;
}

static const struct job_line *find_job(const struct job_line *jobs, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(jobs[i].name, name) == 0)
            return &jobs[i];
    return NULL;
}

static void state_job(struct reading *reading, const struct job_line *job)
{
    char number[32];
    fio_state_mode(reading, job->rw);
    fio_state_engine(reading, job->engine);
    snprintf(number, sizeof number, "%.0f", job->block_bytes);
    reading_state(reading, "block_size", number);
    snprintf(number, sizeof number, "%.0f", job->depth);
    reading_state(reading, "depth", number);
}

/* ---- the figures ---- */

static double thousands(const struct captured *number)
{
    char sign = number->at[number->length];
    return sign == 'k' ? 1e3 : sign == 'M' ? 1e6 : 1;
}

static void put(struct reading *reading, enum figure_kind kind, int op, double percent, double value, double quantum,
                const struct captured *shown, size_t line)
{
    struct figure figure = {
        .kind = kind, .op = op, .percent = percent, .value = value, .quantum = quantum, .line = (uint32_t)line + 1};
    snprintf(figure.text, sizeof figure.text, "%.*s", (int)(shown->length < 40 ? shown->length : 40), shown->at);
    reading_add_figure(reading, &figure);
}

/* "read: IOPS=13.2k, BW=206MiB/s (216MB/s)(617MiB/3001msec)"; the first bandwidth is in 1024s, whatever its letter. */
static bool take_class(struct reading *reading, int *op, const char *text, size_t line)
{
    static const struct {
        const char *pattern;
        int op;
    } rows[] = {{"^read: IOPS={n}", CLASS_READ}, {"^write: IOPS={n}", CLASS_WRITE}};
    struct captured c[LINE_CAPTURES];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!line_match(rows[i].pattern, text, c, NULL))
            continue;
        *op = rows[i].op;
        put(reading, FIGURE_PER_S, *op, 0, c[0].value * thousands(&c[0]), c[0].quantum * thousands(&c[0]), &c[0], line);
        if (line_match("BW={size}/s", text, c, NULL))
            put(reading, FIGURE_BYTES_PER_S, *op, 0, c[0].value, c[0].quantum, &c[0], line);
        if (line_match(")({size}/{n}msec)", text, c, NULL)) {
            put(reading, FIGURE_BYTES, *op, 0, c[0].value, c[0].quantum, &c[0], line);
            put(reading, FIGURE_ELAPSED_NS, OP_ALL, 0, c[1].value * 1e6, 1e6, &c[1], line);
        }
        return true;
    }
    return false;
}

static double unit_ns(const struct captured *unit)
{
    return strncmp(unit->at, "nsec", 4) == 0 ? 1 : strncmp(unit->at, "usec", 4) == 0 ? 1e3 : 1e6;
}

/* "lat (usec): min=24, max=9873, avg=75.55, stdev=52.10": whole latencies; clat and slat are parts of them. */
static bool take_latency(struct reading *reading, int op, const char *text, size_t line)
{
    static const enum figure_kind kinds[] = {FIGURE_MIN_NS, FIGURE_MAX_NS, FIGURE_MEAN_NS, FIGURE_STDDEV_NS};
    struct captured c[LINE_CAPTURES];
    if (!line_match("^lat ({text}): min={n}", text, c, NULL))
        return false;
    double scale = unit_ns(&c[0]);
    static const char *const parts[] = {"min={n}", "max={n}", "avg={n}", "stdev={n}"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (line_match(parts[i], text, c, NULL))
            put(reading, kinds[i], op, 0, c[0].value * scale * thousands(&c[0]),
                c[0].quantum * scale * thousands(&c[0]), &c[0], line);
    return true;
}

/* " | 99.00th=[  126], 99.50th=[  141]," below "clat percentiles (usec):". */
static void take_percentiles(struct reading *reading, int op, double scale, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    while (line_match("{n}th=[ {n}]", text, c, NULL)) {
        put(reading, FIGURE_PERCENTILE_NS, op, c[0].value, c[1].value * scale, scale, &c[1], line);
        text = c[1].at + c[1].length;
    }
}

static void take_issued(struct reading *reading, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    if (!line_match("^issued rwts: total={n}", text, c, NULL))
        return;
    /* "39516,0,0,0": a comma before three digits would group them, but these stand for four numbers */
    const char *at = c[0].at;
    unsigned long long reads = strtoull(at, NULL, 10), writes = strtoull(at + strcspn(at, ",") + 1, NULL, 10);
    put(reading, FIGURE_COUNT, CLASS_READ, 0, (double)reads, 1, &c[0], line);
    put(reading, FIGURE_COUNT, CLASS_WRITE, 0, (double)writes, 1, &c[0], line);
}

/* ---- runs ---- */

static bool is_head(const char *text, struct captured c[LINE_CAPTURES])
{
    return line_match("^{text}: (groupid={n}, jobs={n}): err= {n}:", text, c, NULL);
}

/* fio's defaults, from the dialect itself; sizes, times and direct=1 are in no line of the output. */
static void suppose_defaults(struct reading *reading)
{
    static const char *const silent[] = {"total_size", "time", "passes",     "cache",
                                         "warmup",     "rate", "think_time", "sync_every"};
    static char name[] = "--name=x", rw[] = "--rw=randread", size[] = "--size=1M";
    char *const words[] = {name, rw, size};
    const struct dialect *dialect = dialect_find("fio");
    struct reading *aside = calloc(1, sizeof *aside);
    struct job standard;
    if (aside && dialect && reading_parse_command(aside, dialect, COUNT_OF(words), words, &standard))
        reading_take_job(reading, &standard, &standard);
    free(aside);
    for (size_t i = 0; i < COUNT_OF(silent); i++)
        reading_forget(reading, silent[i]);
    if (mode_is_sequential(reading->job.mode))
        reading_suppose(reading, "coverage", "any");
}

static bool read_run(const struct transcript *transcript, size_t begin, const struct captured head[LINE_CAPTURES],
                     const struct job_line *job, struct readings *out, struct error *error)
{
    struct reading *reading = readings_add(out, "fio", transcript, begin, error);
    struct captured c[LINE_CAPTURES];
    char number[32];
    int op = OP_ALL;
    double scale = 0;
    if (!reading)
        return false;
    copy(reading->name, sizeof reading->name, &head[0]);
    snprintf(number, sizeof number, "%.0f", head[2].value);
    reading_state(reading, "threads", number);
    if (job)
        state_job(reading, job);
    for (size_t i = begin + 1; i < transcript->count && !is_head(transcript->lines[i], c); i++) {
        const char *line = transcript->lines[i];
        if (strncmp(line, "Run status group", 16) == 0)
            break;
        if (line_match("^{text} percentiles ({text}):", line, c, NULL))
            scale = unit_ns(&c[1]);
        else if (!take_class(reading, &op, line, i) && !take_latency(reading, op, line, i))
            take_percentiles(reading, op, scale, line, i);
        take_issued(reading, line, i);
    }
    reading->partial = !reading->figures_count;
    suppose_defaults(reading);
    return true;
}

static bool read_fio(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct job_line *jobs = calloc(JOBS_MAX, sizeof *jobs);
    size_t job_count = 0, first = out->count;
    char version[NAME_MAX_BYTES] = "";
    struct captured c[LINE_CAPTURES];
    bool good = jobs || error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", transcript->name);
    for (size_t i = 0; good && i < transcript->count; i++) {
        const char *line = transcript->lines[i];
        if (job_count < JOBS_MAX && take_job_line(&jobs[job_count], line))
            job_count++;
        else if (line_match("^fio-{text}$", line, c, NULL))
            copy(version, sizeof version, &c[0]);
        else if (is_head(line, c)) {
            char name[128];
            copy(name, sizeof name, &c[0]);
            good = read_run(transcript, i, c, find_job(jobs, job_count, name), out, error);
        }
    }
    for (size_t i = first; i < out->count; i++)
        snprintf(out->items[i]->version, sizeof out->items[i]->version, "%s", version);
    free(jobs);
    return good;
}

const struct reader fio_reader = {"fio", read_fio};
