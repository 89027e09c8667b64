/* core/hdr_log.h: HdrHistogram's log format: a text file with one histogram a line, each with its time and, where
 * there are several kinds, a tag. Our kinds are the classes of operations. */
#ifndef CORE_HDR_LOG_H
#define CORE_HDR_LOG_H

#include "core/hdr.h"
#include "core/result.h"

/* A log with a line for each class that has operations, in nanoseconds. Text for free(); NULL with the error
 * filled when it cannot be made. */
char *hdr_log_of_result(const struct result *result, struct error *error);

#define HDR_TAGS_MAX 64

/* All histograms of one tag, in one. */
struct hdr_tag {
    char tag[NAME_MAX_BYTES]; /* "" = lines without one */
    uint64_t lines;
    struct histogram latency;
};

struct hdr_log {
    struct hdr_tag *tags; /* in the order in which they came up; owned */
    size_t count;
};

/* Adds what `text` (`bytes` long, named `name` in errors) holds: a log, or histograms in base64 alone, one a line.
 * All zero bytes is an empty log; hdr_log_done also after a failure. `unit_ns` as hdr_decode has it. */
bool hdr_log_add(struct hdr_log *log, const char *text, size_t bytes, const char *name, uint64_t unit_ns,
                 struct error *error);
void hdr_log_done(struct hdr_log *log);

#endif
