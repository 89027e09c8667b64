/* dialects/diskspd.h: the command line of DiskSpd 2, and its text and XML layouts.
 *
 *   diskspd.c           the dialect: what is given, the jobs, the invocation
 *   diskspd_options.c   the table of options, as `-b8K`
 *   diskspd_job.c       what is given to one job for each target; they run together
 *   diskspd_write.c     a job to a command line
 *   diskspd_figures.c   the rows and sums that both layouts show
 *   diskspd_print.c     the text
 *   diskspd_xml.c       the XML, through libxml2
 *   diskspd_read.c, diskspd_read_xml.c   readers of both */
#ifndef DIALECTS_DISKSPD_H
#define DIALECTS_DISKSPD_H

#include "core/dialect.h"
#include "core/histogram.h"

extern const struct dialect dialect_diskspd;

#define DISKSPD_TARGETS_MAX 256
#define DISKSPD_CPUS_MAX 256
#define DISKSPD_BLOCK_BYTES 65536 /* of -b, by default */
#define DISKSPD_INTERVAL_MS 1000  /* of -D */
#define DISKSPD_SEVERAL_TARGETS "several targets: the figures are of all of them, the settings those that all have"
#define DISKSPD_DOT_EVERY 65536 /* of -P */

/* The command line as it stands. Numbers that were not given have DiskSpd's defaults, or 0 where it has none. */
struct diskspd_given {
    uint64_t block_bytes;
    uint64_t base_bytes, range_bytes, end_bytes; /* -B base:range, -f */
    uint64_t create_bytes;                       /* -c */
    uint64_t align_bytes, random_percent;        /* -r, -rs */
    uint64_t stride_bytes, thread_stride_bytes;  /* -s, -T */
    uint64_t duration_s, warmup_s, cooldown_s;
    uint64_t threads, all_threads;         /* -t, -F */
    uint64_t outstanding, all_outstanding; /* -o, -O */
    uint64_t write_percent;
    uint64_t rate, burst, think_ms; /* -g, -i, -j */
    uint64_t interval_ms, dot_every;
    uint64_t seed;         /* as job.seed: one more than DiskSpd's; 0 = drawn */
    uint64_t buffer_bytes; /* -Z<size> */
    enum data_kind data;
    bool random, mixed, sequential, interlocked; /* -r, -rs, -s, -si */
    bool rate_in_ios, threads_given;
    bool uncached, cache_given, through, mapped;
    bool latency, interval, unbound, verbose, xml, profile_only;
    uint16_t cpus[DISKSPD_CPUS_MAX]; /* -a */
    size_t cpu_count;
    const char *targets[DISKSPD_TARGETS_MAX]; /* into argv */
    size_t target_count;
    char command_line[TEXT_MAX]; /* cut where it is longer */
};

bool diskspd_options_read(struct diskspd_given *given, int argc, char *const *argv, struct error *error);
/* A size as DiskSpd writes it: whole bytes, or with K, M, G, T, or b for blocks. All of the text; above 64 bits false.
 */
bool diskspd_size(const char *text, uint64_t block_bytes, uint64_t *out);
void diskspd_print_usage(FILE *out);

/* Fills job number `index`, that of the index-th target. */
bool diskspd_job_make(const struct diskspd_given *given, size_t index, struct job *job, struct error *error);
bool diskspd_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error);

/* ---- figures ---- */

/* IOs of some threads in some classes. */
struct diskspd_sum {
    uint64_t count, bytes;
    double latency_ns, latency_squares_ns2; /* sums over all IOs */
};
double diskspd_mean_ms(const struct diskspd_sum *sum);   /* 0 when there is none, as for the next */
double diskspd_stddev_ms(const struct diskspd_sum *sum); /* of the population */

enum diskspd_section { DISKSPD_TOTAL, DISKSPD_READ, DISKSPD_WRITE, DISKSPD_SECTIONS };

/* What one thread did at its target. */
void diskspd_sum_thread(const struct thread_row *row, enum diskspd_section section, struct diskspd_sum *add_to);
/* The latencies of one result's IOs. */
void diskspd_merge_latency(const struct result *result, enum diskspd_section section, struct histogram *add_to);

/* The runs of one command line: one for each target. */
struct diskspd_runs {
    const struct result *const *results;
    size_t count;
};
double diskspd_seconds(const struct diskspd_runs *runs); /* the longest measured part */
uint64_t diskspd_threads(const struct diskspd_runs *runs);
/* Length of the run's target; the part that is used where the system does not tell. */
uint64_t diskspd_file_bytes(const struct result *result);

/* One of -D's intervals over all of the runs, in IOs per second. */
struct diskspd_bucket {
    double seconds, reads, writes;
};
/* How many intervals all of the runs have in full. */
size_t diskspd_buckets(const struct diskspd_runs *runs);
struct diskspd_bucket diskspd_bucket_at(const struct diskspd_runs *runs, size_t index);
/* Standard deviation of their IOs per second, of the population. */
double diskspd_iops_stddev(const struct diskspd_runs *runs, enum diskspd_section section);

/* Where the CPUs' time went, in percent; index = count of the CPUs for the average of all. */
struct diskspd_cpu {
    double usage, user, kernel, idle;
};
struct diskspd_cpu diskspd_cpu_at(const struct result *result, size_t index);
size_t diskspd_processors(const struct result *result);

/* "2026/12/02 20:15:00 UTC" */
void diskspd_time_text(uint64_t wall_ns, char *out, size_t out_bytes);

/* ---- layouts ---- */

struct diskspd_printer {
    FILE *out;
    struct diskspd_given given;
    struct job *further; /* owned: of the targets after the first */
    size_t further_count;
    uint64_t done, dots; /* of -P */
    bool lost;           /* a report that could not be written */
};

struct listener diskspd_listener(struct diskspd_printer *printer);

/* `job` is that of the first target, as run or as given. */
void diskspd_print_profile(FILE *out, const struct diskspd_given *given, const struct job *job);
void diskspd_print_runs(FILE *out, const struct diskspd_given *given, const struct diskspd_runs *runs);
/* False when memory is short; then nothing was written. */
bool diskspd_xml_profile(FILE *out, const struct diskspd_given *given, const struct job *job);
bool diskspd_xml_runs(FILE *out, const struct diskspd_given *given, const struct diskspd_runs *runs);
/* XML holds UTF-8, and of the control characters only those of a line: anything else in `text` becomes '?'. */
void diskspd_xml_clean(char *text);

#endif
