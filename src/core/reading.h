/* core/reading.h: one run of any tool, as it is told by what the tool printed: the settings, each with how sure it is,
 * and the figures, each with the text it was printed as. isobench's own results become readings too, so that whoever
 * compares knows no tool.
 *
 * A tool's reader is a table of line_rules and what little the table cannot say. */
#ifndef CORE_READING_H
#define CORE_READING_H

#include "core/job.h"
#include "core/result.h"
#include "core/transcript.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a setting of a reading is known. */
enum provenance {
    PROVENANCE_UNKNOWN, /* the job holds isobench's default there, which means nothing */
    PROVENANCE_DEFAULT, /* the output does not say it; it is the tool's documented default */
    PROVENANCE_STATED,  /* printed, or given on the command line */
};

enum figure_kind {
    FIGURE_COUNT,       /* operations */
    FIGURE_BYTES,       /* transferred */
    FIGURE_PER_S,       /* operations per second */
    FIGURE_BYTES_PER_S, /* */
    FIGURE_MIN_NS,      /* latency: */
    FIGURE_MEAN_NS,     /* */
    FIGURE_MAX_NS,      /* */
    FIGURE_STDDEV_NS,   /* */
    FIGURE_PERCENTILE_NS,
    FIGURE_SAMPLE_NS,     /* of one operation, printed by itself */
    FIGURE_SUM_NS,        /* of all operations' latencies, over all threads */
    FIGURE_ELAPSED_NS,    /* the measured part */
    FIGURE_ERRORS,        /* operations that failed or were tried again */
    FIGURE_CPU_PERCENT,   /* of the whole host */
    FIGURE_CLOCK_HZ,      /* of the clock that latencies were taken with */
    FIGURE_THREAD_EVENTS, /* events of one thread: `thread` */
    FIGURE_EVENTS_MEAN,   /* events per thread */
    FIGURE_EVENTS_STDDEV, /* … */
    FIGURE_KINDS
};

/* All events of a run, beside the classes of enum op_class. */
#define OP_ALL (-1)

struct figure {
    enum figure_kind kind;
    int op;         /* an enum op_class, or OP_ALL */
    double percent; /* FIGURE_PERCENTILE_NS */
    uint32_t thread;
    double value;   /* in the kind's unit; as printed, even where that is impossible */
    double quantum; /* one unit of the last digit that was printed, in the same unit; 0 = exact */
    char text[48];  /* as printed: "18446744073709.47ms" */
    uint32_t line;  /* counted from 1; 0 = not from text */
};

#define READING_SETTINGS_MAX 192

struct reading {
    const char *tool;             /* the reader's name for it */
    char version[NAME_MAX_BYTES]; /* "" = not told */
    char source[TEXT_MAX];        /* file and line: "laptop.txt:24" */
    char name[128];               /* of the run, where the tool gives one (a job of fio, a test of iozone) */
    char command[TEXT_MAX];       /* the words behind the tool's name, where the text has them; "" = not found */
    struct job job;
    uint8_t provenance[READING_SETTINGS_MAX]; /* enum provenance of settings[i] */
    struct figure *figures;
    size_t figures_count, figures_room;
    double *series; /* events per second, interval by interval */
    size_t series_count, series_room;
    uint32_t line;         /* where it begins */
    uint32_t file;         /* which of the files that were given, from 0; set by whoever reads several */
    bool partial;          /* the tool did not end, or says that it was cut off */
    struct result *result; /* of isobench's own runs: all there is; else NULL */
    char notes[4][256];    /* what the reader could not understand or had to suppose */
    size_t notes_count;
};

struct readings {
    struct reading **items;
    size_t count, room;
};

struct reader {
    const char *tool;
    /* Adds a reading for each run of its tool that the text holds; none is no error. False when memory is short, or
     * when a figure that must be a number is none (the error names file and line). */
    bool (*read)(const struct transcript *transcript, struct readings *out, struct error *error);
};

extern const struct reader *const readers[]; /* NULL-terminated; dialects/readers.c */

/* All runs that any reader finds, in the order of the text. None at all is an error that lists the tools. */
bool readings_find(const struct transcript *transcript, struct readings *out, struct error *error);
/* The same of a file's bytes; `name` is the file's and must outlive the readings, `file` goes into each. */
bool readings_find_in(const char *name, const void *data, size_t bytes, uint32_t file, struct readings *out,
                      struct error *error);
void readings_free(struct readings *readings);
/* Takes back what readings_add gave last. */
void readings_drop_last(struct readings *readings);

/* A new reading, owned by `out`, for a run that begins at line `at` (from 0). Every setting is unknown. NULL when
 * memory is short. */
struct reading *readings_add(struct readings *out, const char *tool, const struct transcript *transcript, size_t at,
                             struct error *error);
/* One for isobench's own result, which it takes over, also when it fails. */
bool readings_add_result(struct readings *out, const char *source, struct result *result, struct error *error);

/* isobench's own JSON, of one run or of several, on its own or among other text; anything else has no run of it. The
 * shape of reader.read. */
bool readings_from_json(const struct transcript *transcript, struct readings *out, struct error *error);

/* ---- what readers use ---- */

/* Sets a setting by its name, as job_set does; a value that it refuses becomes a note and stays unknown. */
void reading_state(struct reading *reading, const char *setting, const char *text);
/* The same for a tool's documented default; does nothing where the output stated one. */
void reading_suppose(struct reading *reading, const char *setting, const char *text);
/* Takes all settings from what the tool's own command line says: those that differ from `standard`, the job of the
 * tool's defaults, are stated, the others defaults. What was stated before stays. */
void reading_take_job(struct reading *reading, const struct job *job, const struct job *standard);
/* What neither the output nor a default of the tool tells. */
void reading_forget(struct reading *reading, const char *setting);
enum provenance reading_provenance(const struct reading *reading, const char *setting);
void reading_note(struct reading *reading, const char *format, ...) PRINTF_LIKE(2, 3);

bool reading_add_figure(struct reading *reading, const struct figure *figure);
bool reading_add_interval(struct reading *reading, double per_s);
/* The first of that kind; `percent` matters for percentiles alone. NULL = not told. */
const struct figure *reading_figure(const struct reading *reading, enum figure_kind kind, int op, double percent);

/* ---- line rules ----
 *
 * A pattern is text in which one blank stands for any blanks, and a word in braces captures:
 *   {n}                        a number (1e6, 12.5, 10000; "inf" and "nan" are none)
 *   {ns} {us} {ms} {s} {min}   a time in that unit, in nanoseconds
 *   {B} {KiB} {MiB} {GiB} {kB} {MB} {GB}   an amount in that unit, in bytes
 *   {size}                     a number with a suffix: 24Mb, 16Kb, 3Gb, 512, 4KiB, 2048K: 1024 each, in bytes
 *   {time}                     a number with a suffix: 12us, 3.5ms, 10s, 2m
 *   {%}                        a number
 *   {text}                     anything up to what follows in the pattern, at least one sign
 * A pattern that begins with ^ must begin where the line begins (after blanks); one that ends in $ must end there.
 * What is captured goes to the rule's targets in order. */
enum target_kind { TARGET_NONE, TARGET_SETTING, TARGET_FIGURE, TARGET_VERSION, TARGET_NAME };

struct line_target {
    enum target_kind kind;
    const char *setting; /* TARGET_SETTING */
    enum figure_kind figure;
    int op;
    double percent;
};

#define TO_NOTHING                                                                                                     \
    {                                                                                                                  \
        TARGET_NONE, NULL, FIGURE_COUNT, 0, 0                                                                          \
    }
#define TO_SETTING(name)                                                                                               \
    {                                                                                                                  \
        TARGET_SETTING, name, FIGURE_COUNT, 0, 0                                                                       \
    }
#define TO_FIGURE(figure, op)                                                                                          \
    {                                                                                                                  \
        TARGET_FIGURE, NULL, figure, op, 0                                                                             \
    }
#define TO_PERCENTILE(percent, op)                                                                                     \
    {                                                                                                                  \
        TARGET_FIGURE, NULL, FIGURE_PERCENTILE_NS, op, percent                                                         \
    }
#define TO_VERSION                                                                                                     \
    {                                                                                                                  \
        TARGET_VERSION, NULL, FIGURE_COUNT, 0, 0                                                                       \
    }
#define TO_NAME                                                                                                        \
    {                                                                                                                  \
        TARGET_NAME, NULL, FIGURE_COUNT, 0, 0                                                                          \
    }

#define LINE_CAPTURES 8

struct line_rule {
    const char *pattern;
    struct line_target targets[LINE_CAPTURES];
    struct { /* settings that the line states by being there */
        const char *setting, *text;
    } states[3];
};

struct captured {
    const char *at; /* into the line */
    size_t length;  /* with the unit, where the pattern has it */
    double value;   /* in base units; 0 for {text} */
    double quantum; /* one unit of its last digit, in base units */
    bool is_number;
};

/* Does the line match? Captures into out[0 …], their number in *count (may be NULL). */
bool line_match(const char *pattern, const char *line, struct captured out[LINE_CAPTURES], size_t *count);

/* Tries the rules in order; the first that matches is applied. True when one matched. `line` counts from 0. */
bool reading_apply(struct reading *reading, const struct line_rule *rules, size_t rule_count, const char *text,
                   size_t line);

#endif
