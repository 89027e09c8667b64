/* dialects/fio.h: fio's job files and command line, its report and its JSON.
 *
 *   fio.c          the dialect: words of the program itself, the invocation
 *   fio_lines.c    job files and the command line to keys and values, with the place of each
 *   fio_values.c   fio's sizes and times
 *   fio_options.c  the table of keys: keys and values to what is given for one job
 *   fio_job.c      what is given to jobs, the groups they run in, and who is reported with whom
 *   fio_figures.c  results to the figures of a report
 *   fio_text.c     text that grows, and numbers in fio's short form
 *   fio_print.c    the report for people
 *   fio_json.c     the report for scripts
 *   fio_write.c    a job to a command line */
#ifndef DIALECTS_FIO_H
#define DIALECTS_FIO_H

#include "core/dialect.h"

extern const struct dialect dialect_fio;

#define FIO_LINES_MAX 4096
#define FIO_UNITS_MAX 1024 /* jobs of isobench that one command line may become */
#define FIO_CLONES_MAX 100000
#define FIO_PERCENTILES_MAX 20
#define FIO_SEED 0xb1899bed /* where nothing is said: the same in every run */

/* ---- text ---- */

struct fio_text { /* all zero = empty */
    char *text;   /* NUL-terminated once something was added; for free() */
    size_t used, room;
    bool failed; /* memory was short */
};
void fio_text_add(struct fio_text *text, const char *format, ...) PRINTF_LIKE(2, 3);
/* At most `digits` of them: 13.2k, 146k; KiB, MiB with `binary`. Into out. */
char *fio_short(double value, int digits, bool binary, const char *unit, char *out, size_t out_bytes);
#define FIO_SHORT_BYTES 32
/* Local time, as in "Wed Dec  2 20:26:46 2026". Into out. */
char *fio_when(uint64_t wall_s, char *out, size_t out_bytes);
#define FIO_WHEN_BYTES 80

/* ---- keys and values ---- */

struct fio_line {
    const char *key, *value; /* value NULL = none was given */
    const char *file;        /* NULL = the command line */
    uint32_t line;
    uint32_t section;
};

struct fio_section {
    const char *name;
    bool global; /* its lines are for the jobs behind it */
    bool first;  /* of a job file that is not the first: waits for what is before it */
    const char *file;
    uint32_t line;
};

struct fio_lines {
    struct fio_line *lines;
    size_t count, room;
    struct fio_section *sections;
    size_t sections_count, sections_room;
    char **texts; /* owned: what the others point into */
    size_t texts_count;
};
/* Adds a job file's text, which it takes over. `only`: the sections to take, "name,name"; NULL = all. */
bool fio_lines_read(struct fio_lines *lines, const char *file, char *text, const char *only, struct error *error);
bool fio_lines_add_section(struct fio_lines *lines, const struct fio_section *section, struct error *error);
bool fio_lines_add(struct fio_lines *lines, const struct fio_line *line, struct error *error);
/* A copy that the lines own; NULL when memory is short. */
char *fio_lines_keep(struct fio_lines *lines, const char *text, size_t bytes);
void fio_lines_free(struct fio_lines *lines);
/* "job.fio:7" or "the command line", for errors. */
const char *fio_place(const char *file, uint32_t line, char *out, size_t out_bytes);

/* ---- values ---- */

/* "4k", "0x1000", "10m". *decimal: it is one of kib, mib …, which are 1000 and its powers to fio. */
bool fio_parse_bytes(const char *text, uint64_t *out, bool *decimal);
/* A number alone is in units of unit_ns. */
bool fio_parse_time(const char *text, uint64_t unit_ns, uint64_t *out_ns);

/* ---- what is given for one job ---- */

enum fio_rw { FIO_READ, FIO_WRITE, FIO_RW, FIO_RANDREAD, FIO_RANDWRITE, FIO_RANDRW };
enum fio_fallocate { FIO_FALLOCATE_UNSAID, FIO_FALLOCATE_NATIVE, FIO_FALLOCATE_NONE, FIO_FALLOCATE_TRUNCATE };
enum fio_files { FIO_FILES_TURN, FIO_FILES_RANDOM, FIO_FILES_SEQUENTIAL };

struct fio_given {
    const char *name, *description, *file; /* file and line: where its section begins */
    uint32_t line, section;
    enum fio_rw rw;
    uint64_t block_bytes, size_bytes, filesize_bytes, io_bytes, offset_bytes, align_bytes;
    uint64_t ios, loops, clones;
    bool thread;
    char ioengine[NAME_MAX_BYTES];
    uint64_t depth;
    bool direct;
    enum write_through through;
    uint64_t fsync, fdatasync;
    bool end_fsync;
    uint64_t read_percent;
    uint64_t rate_ios, rate_bytes;
    bool poisson;
    uint64_t think_ns, think_blocks;
    uint64_t time_ns, ramp_ns;
    bool time_based;
    enum distribution distribution;
    double zipf_theta, pareto_h, normal_percent;
    uint64_t seed;
    bool repeatable, any_place; /* randrepeat, norandommap */
    uint64_t files, open_files;
    enum fio_files file_order;
    char directory[TEXT_MAX], targets[TEXT_MAX]; /* targets: separated by commas */
    bool group_reporting, new_group, waits;
    struct real_list percentiles;
    bool show_clat, show_lat;
    bool overwrite, invalidate, zeros;
    enum fio_fallocate fallocate;
    uint64_t compress_percent;
    char cpus[NAME_MAX_BYTES];
    bool split_cpus;
};
void fio_given_init(struct fio_given *given);
bool fio_given_take(struct fio_given *given, const struct fio_line *line, struct fio_text *notes, struct error *error);
/* Does the key stand alone, as group_reporting does? */
bool fio_key_stands_alone(const char *key);

/* ---- jobs ---- */

/* One of isobench's jobs, which stands for `clones` of fio's processes. */
struct fio_unit {
    const struct fio_given *given;
    uint64_t clones;
    uint32_t group, entry; /* fio's groupid; who is reported with whom */
    bool done;
};

struct fio_plan {
    struct fio_given *given; /* by job section */
    size_t given_count;
    struct job *jobs;
    struct fio_unit *units; /* of each job */
    bool *waits;            /* units[i + 1] waits for all before it */
    const char **names;     /* of each job */
    size_t count, entries;
};
bool fio_plan_make(struct fio_plan *plan, const struct fio_lines *lines, struct fio_text *notes, struct error *error);
void fio_plan_free(struct fio_plan *plan);
bool fio_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error);

/* ---- figures ---- */

struct fio_series {
    double *ios, *bytes; /* per second, of each interval */
    size_t count;
};

struct fio_side { /* reads, or writes */
    struct histogram latency;
    uint64_t bytes, runtime_ns;
    struct fio_series series;
};

/* What is reported as one. */
struct fio_entry {
    const struct fio_unit *first; /* NULL = nothing of it has run */
    uint64_t clones;
    struct fio_side read, write;
    struct histogram sync;
    uint64_t elapsed_ns, busy_ns, wall_end_s;
    int error_code; /* of the first IO that failed */
    uint64_t cpu_user_ns, cpu_system_ns;
    bool cpu_known; /* the process did nothing else */
    bool depth_one; /* one IO at a time: its depth is known */
    char error_text[256];
};

struct fio_spread {
    double least, most, mean, deviation;
    size_t samples;
};
struct fio_spread fio_spread_of(const double *values, size_t count);
/* Adds a result to the entry it belongs to. False when memory is short. */
bool fio_entry_add(struct fio_entry *entry, const struct fio_unit *unit, const struct result *result);
void fio_entry_done(struct fio_entry *entry);
/* Percent of the samples from low_ns to below high_ns. */
double fio_entry_share(const struct fio_entry *entry, uint64_t low_ns, uint64_t high_ns);
double fio_rate(double amount, uint64_t runtime_ns);

/* ---- reports ---- */

enum fio_format { FIO_NORMAL, FIO_JSON, FIO_JSON_PLUS };

struct fio_printer {
    FILE *out;
    const char *output; /* --output; NULL = out */
    enum fio_format format;
    struct fio_lines lines;
    struct fio_plan plan;
    struct fio_entry *entries;
    struct fio_text notes, report;
    const struct job *laying_out; /* whose files are being made, until that was said */
    bool begun, noted, failed, reported;
};

extern const uint32_t fio_bounds[]; /* of the latency buckets: 2, 4, 10 … 1000 */
#define FIO_BOUNDS 10

struct listener fio_listener(struct fio_printer *printer);
void fio_print_json(struct fio_printer *printer); /* adds the document to the report */
void fio_print_usage(FILE *out);

#endif
