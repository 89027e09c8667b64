/* fio_read.c: fio's human output, of fio 2 and 3. Its JSON: fio_read_json.c. */
#include "dialects/fio_read.h"
#include "platform/compiler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_MAX 64
#define OP_NONE (-2)
#define LINES_ABOVE 24 /* where the command is looked for */
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
    double block_bytes, depth; /* block_bytes 0 = of several sizes */
};

static void copy(char *out, size_t out_bytes, const struct captured *captured)
{
    snprintf(out, out_bytes, "%.*s", (int)(captured->length < out_bytes ? captured->length : out_bytes - 1),
             captured->at);
}

/* "(R) 16.0KiB-16.0KiB, (W) 4096B-4096B, (T) …", or "4K-4K/4K-4K/…" of fio 2: the size of what the job does, 0 when it
 * has several. */
static double block_of(const char *sizes, const char *rw)
{
    static const char *const patterns[] = {"(R) {size}-{size}, (W) {size}-{size}", "bs={size}-{size}/{size}-{size}"};
    struct captured c[LINE_CAPTURES];
    bool reads = !strstr(rw, "write"), writes = !strstr(rw, "read") || strcmp(rw, "readwrite") == 0;
    if (!line_match(patterns[0], sizes, c, NULL) && !line_match(patterns[1], sizes, c, NULL))
        return line_match("bs={size}-{size}/", sizes, c, NULL) && c[0].value == c[1].value ? c[0].value : 0;
    double low = c[writes && !reads ? 2 : 0].value;
    bool one =
        (!reads || (c[0].value == low && c[1].value == low)) && (!writes || (c[2].value == low && c[3].value == low));
    return one ? low : 0;
}

/* "t: (g=0): rw=randread, bs=(R) 16.0KiB-16.0KiB, (W) …, (T) …, ioengine=psync, iodepth=1" */
static bool take_job_line(struct job_line *out, const char *text)
{
    struct captured c[LINE_CAPTURES];
    if (!line_match("^{text}: (g={n}): rw={text}, bs={text}, ioengine={text}, iodepth={n}$", text, c, NULL))
        return false;
    copy(out->name, sizeof out->name, &c[0]);
    copy(out->rw, sizeof out->rw, &c[2]);
    copy(out->engine, sizeof out->engine, &c[4]);
    out->block_bytes = block_of(strstr(text, "bs="), out->rw);
    out->depth = c[5].value;
    return true;
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
    if (job->block_bytes > 0) {
        snprintf(number, sizeof number, "%.0f", job->block_bytes);
        reading_state(reading, "block_size", number);
    } else {
        reading_note(reading, "its IOs have several sizes: there is no block size to compare");
    }
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

/* What of an amount's letters is in 1000s where it was read in 1024s. */
static double decimal_scale(const struct captured *amount)
{
    static const char letters[] = "KMGT";
    double scale = 1;
    for (size_t i = 0; letters[i]; i++) {
        scale *= 1000.0 / 1024;
        if (memchr(amount->at, letters[i], amount->length) ||
            (letters[i] == 'K' && memchr(amount->at, 'k', amount->length)))
            return scale;
    }
    return 1;
}

/* "BW=206MiB/s (216MB/s)(617MiB/3001msec)"; with kb_base=1000 "BW=216MB/s (206MiB/s)(647MB/3001msec)". */
static void take_bandwidth(struct reading *reading, int op, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    bool is_decimal = line_match("BW={size}/s ({size}/s)", text, c, NULL) && c[0].at[c[0].length - 2] != 'i' &&
                      c[1].at[c[1].length - 2] == 'i';
    if (line_match("BW={size}/s", text, c, NULL)) {
        double scale = is_decimal ? decimal_scale(&c[0]) : 1;
        put(reading, FIGURE_BYTES_PER_S, op, 0, c[0].value * scale, c[0].quantum * scale, &c[0], line);
    }
    if (line_match(")({size}/{n}msec)", text, c, NULL)) {
        double scale = is_decimal ? decimal_scale(&c[0]) : 1;
        put(reading, FIGURE_BYTES, op, 0, c[0].value * scale, c[0].quantum * scale, &c[0], line);
        put(reading, FIGURE_ELAPSED_NS, OP_ALL, 0, c[1].value * 1e6, 1e6, &c[1], line);
    }
}

/* "read : io=4096.0MB, bw=235988KB/s, iops=58996, runt= 17773msec": fio 2, whose letters are 1024s. */
static bool take_old_class(struct reading *reading, int *op, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    bool reads = line_match("^read : io={size}, bw={size}/s, iops={n}", text, c, NULL);
    if (!reads && !line_match("^write: io={size}, bw={size}/s, iops={n}", text, c, NULL))
        return false;
    *op = reads ? CLASS_READ : CLASS_WRITE;
    put(reading, FIGURE_BYTES, *op, 0, c[0].value, c[0].quantum, &c[0], line);
    put(reading, FIGURE_BYTES_PER_S, *op, 0, c[1].value, c[1].quantum, &c[1], line);
    put(reading, FIGURE_PER_S, *op, 0, c[2].value * thousands(&c[2]), c[2].quantum * thousands(&c[2]), &c[2], line);
    if (line_match("runt= {n}msec", text, c, NULL))
        put(reading, FIGURE_ELAPSED_NS, OP_ALL, 0, c[0].value * 1e6, 1e6, &c[0], line);
    return true;
}

/* "read: IOPS=13.2k, BW=206MiB/s (216MB/s)(617MiB/3001msec)". Trims are no load of isobench's. */
static bool take_class(struct reading *reading, int *op, const char *text, size_t line)
{
    static const struct {
        const char *pattern;
        int op;
    } rows[] = {{"^read: IOPS={n}", CLASS_READ}, {"^write: IOPS={n}", CLASS_WRITE}, {"^trim: IOPS={n}", OP_NONE}};
    struct captured c[LINE_CAPTURES];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!line_match(rows[i].pattern, text, c, NULL))
            continue;
        *op = rows[i].op;
        if (*op == OP_NONE)
            return true;
        put(reading, FIGURE_PER_S, *op, 0, c[0].value * thousands(&c[0]), c[0].quantum * thousands(&c[0]), &c[0], line);
        take_bandwidth(reading, *op, text, line);
        return true;
    }
    return take_old_class(reading, op, text, line);
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
    if (!line_match("^lat ({text}): min= {n}", text, c, NULL))
        return false;
    if (op == OP_NONE)
        return true;
    double scale = unit_ns(&c[0]);
    static const char *const parts[] = {"min= {n}", "max= {n}", "avg= {n}", "stdev= {n}"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (line_match(parts[i], text, c, NULL))
            put(reading, kinds[i], op, 0, c[0].value * scale * thousands(&c[0]),
                c[0].quantum * scale * thousands(&c[0]), &c[0], line);
    return true;
}

/* "clat percentiles (usec):" and "lat percentiles (usec):" are latencies, of which lat is the whole one; what is below
 * "slat", "sync" and "clat prio" is not. *scale: 0 = pass over. */
static bool take_heading(struct reading *reading, int op, double *scale, const char *text)
{
    struct captured c[LINE_CAPTURES];
    size_t kept = 0;
    if (!line_match("^{text} percentiles ({text}):", text, c, NULL))
        return false;
    bool is_whole = c[0].length == 3 && strncmp(c[0].at, "lat", 3) == 0;
    *scale = is_whole || (c[0].length == 4 && strncmp(c[0].at, "clat", 4) == 0) ? unit_ns(&c[1]) : 0;
    for (size_t i = 0; is_whole && i < reading->figures_count; i++)
        if (reading->figures[i].kind != FIGURE_PERCENTILE_NS || reading->figures[i].op != op)
            reading->figures[kept++] = reading->figures[i];
    if (is_whole)
        reading->figures_count = kept;
    return true;
}

/* " | 99.00th=[  126], 99.50th=[  141]," below such a heading. */
static void take_percentiles(struct reading *reading, int op, double scale, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    while (scale > 0 && op != OP_NONE && line_match("{n}th=[ {n}]", text, c, NULL)) {
        put(reading, FIGURE_PERCENTILE_NS, op, c[0].value, c[1].value * scale, scale, &c[1], line);
        text = c[1].at + c[1].length;
    }
}

static void take_issued(struct reading *reading, const char *text, size_t line)
{
    struct captured c[LINE_CAPTURES];
    if (line_match("^issued : total=r={n}/w={n}/", text, c, NULL)) { /* fio 2 */
        put(reading, FIGURE_COUNT, CLASS_READ, 0, c[0].value, 1, &c[0], line);
        put(reading, FIGURE_COUNT, CLASS_WRITE, 0, c[1].value, 1, &c[1], line);
        return;
    }
    if (!line_match("^issued rwts: total={text} short", text, c, NULL))
        return;
    /* "39516,0,0,0": four numbers, whatever the commas look like */
    const char *at = c[0].at;
    unsigned long long reads = strtoull(at, NULL, 10), writes = strtoull(at + strcspn(at, ",") + 1, NULL, 10);
    put(reading, FIGURE_COUNT, CLASS_READ, 0, (double)reads, 1, &c[0], line);
    put(reading, FIGURE_COUNT, CLASS_WRITE, 0, (double)writes, 1, &c[0], line);
}

/* ---- runs ---- */

static bool is_head(const char *text, struct captured c[LINE_CAPTURES])
{
    return line_match("^{text}: (groupid={n}, jobs={n}): err= {n}", text, c, NULL);
}

/* IOPS are printed with three or four digits, and cut: 13.2k may be 13 167. The count and the time are exact. */
static void refine_rates(struct reading *reading)
{
    const struct figure *elapsed = reading_figure(reading, FIGURE_ELAPSED_NS, OP_ALL, 0);
    for (size_t i = 0; elapsed && elapsed->value > 0 && i < reading->figures_count; i++) {
        struct figure *rate = &reading->figures[i];
        const struct figure *count = reading_figure(reading, FIGURE_COUNT, rate->op, 0);
        double exact = rate->kind == FIGURE_PER_S && count ? count->value * 1e9 / elapsed->value : -1;
        if (exact >= 0 && fabs(exact - rate->value) <= rate->quantum) {
            rate->value = exact;
            rate->quantum = 1e6 / elapsed->value * exact; /* of a millisecond */
        }
    }
}

/* The output has the pattern, the sizes, the engine and the depth; where its first lines were cut off they are open. */
static void forget_job(struct reading *reading)
{
    static const char *const printed[] = {"mode", "block_size", "engine", "depth"};
    for (size_t i = 0; i < COUNT_OF(printed); i++)
        reading_forget(reading, printed[i]);
}

static void take_command(struct reading *reading, const struct transcript *transcript, size_t begin)
{
    char text[TEXT_MAX], *words[COMMAND_WORDS_MAX];
    size_t above = begin > LINES_ABOVE ? begin - LINES_ABOVE : 0, used = 0;
    size_t count = reading_find_command(transcript, above, begin, "fio", NULL, text, words);
    if (count > 0 && words[0][0] != '-' && !strchr(words[0], '.'))
        count = 0; /* "fio runs …" in a sentence */
    for (size_t i = 0; i < count && used < sizeof reading->command; i++)
        used += (size_t)snprintf(reading->command + used, sizeof reading->command - used, "%s%s", used ? " " : "",
                                 words[i]);
    fio_suppose(reading, count, words);
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
        if (take_heading(reading, op, &scale, line))
            continue;
        if (!take_class(reading, &op, line, i) && !take_latency(reading, op, line, i))
            take_percentiles(reading, op, scale, line, i);
        take_issued(reading, line, i);
    }
    reading->partial = !reading->figures_count || head[3].value > 0;
    refine_rates(reading);
    take_command(reading, transcript, begin);
    if (!job)
        forget_job(reading);
    else if (job->block_bytes <= 0)
        reading_forget(reading, "block_size");
    return true;
}

static bool read_fio(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct job_line *jobs = calloc(JOBS_MAX, sizeof *jobs);
    size_t job_count = 0, first = out->count;
    char version[NAME_MAX_BYTES] = "";
    struct fio_group before = {NULL, 0};
    struct captured c[LINE_CAPTURES];
    bool good = jobs || error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", transcript->name);
    for (size_t i = 0; good && i < transcript->count; i++) {
        const char *line = transcript->lines[i];
        if (strncmp(line, "Run status group", 16) == 0)
            before.reading = NULL;
        if (job_count < JOBS_MAX && take_job_line(&jobs[job_count], line))
            job_count++;
        else if (line_match("^fio-{text}$", line, c, NULL))
            copy(version, sizeof version, &c[0]);
        else if (is_head(line, c)) {
            char name[128];
            double group = c[1].value;
            copy(name, sizeof name, &c[0]);
            good = read_run(transcript, i, c, find_job(jobs, job_count, name), out, error);
            if (good)
                fio_join_clones(out, &before, group);
        }
    }
    for (size_t i = first; i < out->count; i++)
        snprintf(out->items[i]->version, sizeof out->items[i]->version, "%s", version);
    free(jobs);
    return good;
}

const struct reader fio_reader = {"fio", read_fio};
