/* core/hdr_log.c: the log format, as the reference implementation's HistogramLogWriter and HistogramLogReader
 * describe it:
 *
 *   #[StartTime: 1441812279.474 (seconds since epoch), …]      lines that begin with # are comments but for this
 *   "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"          optional
 *   Tag=read,0.127,1.007,2.769,HISTFAAA…                       seconds, seconds, the highest value, base64 */
#include "core/hdr_log.h"

#include "core/units.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---------------------------------------------------------------------------------------------------- */

#define HEAD_BYTES 512
#define LINE_BYTES (HDR_TEXT_BYTES + 256)

static double seconds(uint64_t ns)
{
    return (double)ns / (double)NS_PER_S;
}

static size_t put_head(char *out, const struct result *result)
{
    return (size_t)snprintf(
        out, HEAD_BYTES,
        "#[Logged with isobench %s: latencies in nanoseconds]\n"
        "#[Histogram log format version 1.3]\n"
        "#[StartTime: %.3f (seconds since epoch)]\n"
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n",
        result->version, seconds(result->wall_start_ns));
}

/* The highest value stands in milliseconds, as the reference writes it of nanoseconds. The syncs at the end have
 * their own time after the load's. */
static bool put_line(char *out, size_t *used, const struct result *result, enum op_class op, struct error *error)
{
    const struct histogram *latency = &result->total.of[op].latency;
    bool at_end = op == CLASS_END_SYNC;
    int bytes =
        snprintf(out, LINE_BYTES, "Tag=%s,%.3f,%.3f,%.3f,", op_class_names[op], at_end ? seconds(result->load_ns) : 0.0,
                 seconds(at_end ? result->end_sync_ns : result->load_ns), (double)latency->max_ns / 1e6);
    if (!hdr_encode(latency, out + bytes, error))
        return false;
    strcat(out + bytes, "\n");
    *used = strlen(out);
    return true;
}

char *hdr_log_of_result(const struct result *result, struct error *error)
{
    char *text = malloc(HEAD_BYTES + CLASS_COUNT * (size_t)LINE_BYTES + 1);
    if (!text) {
        error_set(error, ERR_SYSTEM, "not enough memory for the histograms");
        return NULL;
    }
    size_t at = put_head(text, result), used = 0;
    for (int op = 0; op < CLASS_COUNT; op++, at += used) {
        used = 0;
        if (result->total.of[op].latency.count > 0 && !put_line(text + at, &used, result, (enum op_class)op, error)) {
            free(text);
            return NULL;
        }
    }
    return text;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

struct span {
    const char *at;
    size_t bytes;
};

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static struct span trim(struct span span)
{
    while (span.bytes > 0 && is_blank(span.at[0]))
        span.at++, span.bytes--;
    while (span.bytes > 0 && is_blank(span.at[span.bytes - 1]))
        span.bytes--;
    return span;
}

/* Takes what stands before the next `end` (or everything) off the front of `rest`. */
static struct span take_until(struct span *rest, char end)
{
    const char *found = rest->bytes > 0 ? memchr(rest->at, end, rest->bytes) : NULL;
    struct span taken = {rest->at, found ? (size_t)(found - rest->at) : rest->bytes};
    size_t gone = taken.bytes + (found ? 1 : 0);
    rest->at += gone;
    rest->bytes -= gone;
    return taken;
}

static bool starts_with(struct span span, const char *text)
{
    return span.bytes >= strlen(text) && memcmp(span.at, text, strlen(text)) == 0;
}

struct reading {
    struct hdr_log *log;
    uint64_t unit_ns;
    char where[512]; /* "run.hlog: line 3" */
    struct error *error;
};

static bool refuse(const struct reading *reading, const char *what)
{
    return error_set(reading->error, ERR_DATA, "%s: %s", reading->where, what);
}

/* Times are only looked at: all lines of a tag count alike. */
static bool is_number(struct span span)
{
    char text[64];
    double value;
    span = trim(span);
    if (span.bytes >= sizeof text)
        return false;
    memcpy(text, span.at, span.bytes);
    text[span.bytes] = '\0';
    return units_parse_real(text, &value);
}

static bool take_tag(const struct reading *reading, struct span *line, char out[NAME_MAX_BYTES])
{
    static const char mark[] = "Tag=";
    out[0] = '\0';
    if (!starts_with(*line, mark))
        return true;
    struct span tag = take_until(line, ',');
    tag.at += sizeof mark - 1;
    tag.bytes -= sizeof mark - 1;
    if (tag.bytes >= NAME_MAX_BYTES || memchr(tag.at, '\0', tag.bytes))
        return refuse(reading, "the tag must be a text of at most 63 bytes");
    memcpy(out, tag.at, tag.bytes);
    out[tag.bytes] = '\0';
    return true;
}

/* A line with commas has its times first. */
static bool take_times(const struct reading *reading, struct span *line)
{
    if (!memchr(line->at, ',', line->bytes))
        return true;
    for (int i = 0; i < 3; i++)
        if (!is_number(take_until(line, ',')))
            return refuse(reading, "must be [Tag=TEXT,]start,length,maximum,histogram with numbers of seconds");
    return true;
}

static struct hdr_tag *tag_for(const struct reading *reading, const char *tag)
{
    struct hdr_log *log = reading->log;
    for (size_t i = 0; i < log->count; i++)
        if (strcmp(log->tags[i].tag, tag) == 0)
            return &log->tags[i];
    if (log->count == HDR_TAGS_MAX) {
        refuse(reading, "this is the 65th tag; at most 64 are read");
        return NULL;
    }
    struct hdr_tag *tags = realloc(log->tags, (log->count + 1) * sizeof *tags);
    if (!tags) {
        error_set(reading->error, ERR_SYSTEM, "%s: not enough memory", reading->where);
        return NULL;
    }
    log->tags = tags;
    memset(&tags[log->count], 0, sizeof *tags);
    strcpy(tags[log->count].tag, tag);
    return &tags[log->count++];
}

static bool add_line(const struct reading *reading, struct span line)
{
    char name[NAME_MAX_BYTES];
    struct histogram latency;
    if (!take_tag(reading, &line, name) || !take_times(reading, &line))
        return false;
    line = trim(line);
    if (!hdr_decode(line.at, line.bytes, reading->unit_ns, reading->where, &latency, reading->error))
        return false;
    struct hdr_tag *tag = tag_for(reading, name);
    if (!tag)
        return false;
    if (latency.count > INT64_MAX - tag->latency.count || latency.sum_ns > UINT64_MAX - tag->latency.sum_ns)
        return refuse(reading, "with it there are more samples than 64 bits can count");
    histogram_merge(&tag->latency, &latency);
    tag->lines++;
    return true;
}

bool hdr_log_add(struct hdr_log *log, const char *text, size_t bytes, const char *name, uint64_t unit_ns,
                 struct error *error)
{
    struct reading reading = {.log = log, .unit_ns = unit_ns, .error = error};
    struct span rest = {text, bytes};
    uint64_t histograms = 0;
    for (uint64_t number = 1; rest.bytes > 0; number++) {
        struct span line = trim(take_until(&rest, '\n'));
        if (line.bytes == 0 || line.at[0] == '#' || starts_with(line, "\"StartTimestamp\""))
            continue;
        snprintf(reading.where, sizeof reading.where, "%.400s: line %" PRIu64, name, number);
        if (!add_line(&reading, line))
            return false;
        histograms++;
    }
    return histograms > 0 || error_set(error, ERR_DATA, "%s: holds no histogram", name);
}

void hdr_log_done(struct hdr_log *log)
{
    free(log->tags);
    memset(log, 0, sizeof *log);
}
