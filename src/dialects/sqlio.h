/* dialects/sqlio.h: the command line, the parameter file and the layout of SQLIO v1.5.SG.
 *
 *   sqlio.c           the dialect: what is given, the job, the invocation
 *   sqlio_options.c   the table of options, as `-kR`
 *   sqlio_params.c    the parameter file: one pool of threads per line
 *   sqlio_job.c       what is given to a job
 *   sqlio_write.c     a job to a command line and a parameter file
 *   sqlio_print.c     the layout */
#ifndef DIALECTS_SQLIO_H
#define DIALECTS_SQLIO_H

#include "core/dialect.h"

extern const struct dialect dialect_sqlio;

#define SQLIO_FILES_MAX 256
#define SQLIO_THREADS_MAX 256
#define SQLIO_NAME_MAX 256
#define SQLIO_STRIPE_BLOCKS 64 /* of -f, by default */
#define SQLIO_RUN_BLOCKS 64    /* of -i */

enum sqlio_pattern { SQLIO_STRIPE, SQLIO_RANDOM, SQLIO_SEQUENTIAL };

/* One line of the parameter file. */
struct sqlio_pool {
    const char *path; /* into the file's text */
    uint64_t threads, mask, size_mb;
    uint32_t line;
};

/* The command line as it stands, and the parameter file. */
struct sqlio_given {
    bool writes, latency, one_run; /* -kW, -L, -v1.1.1 */
    uint64_t threads, seconds, block_kb, first_block, outstanding, stripe_blocks, run_blocks;
    enum sqlio_pattern pattern;
    char buffering;            /* N Y H S; 0 = not given */
    char cpus[NAME_MAX_BYTES]; /* -p and -a, as job.cpus */
    const char *drives, *raw;  /* -d, -R; NULL = not given; into argv as all names are */
    const char *names[SQLIO_FILES_MAX];
    size_t name_count;
    const char *param_path;
    struct sqlio_pool pools[SQLIO_FILES_MAX];
    size_t pool_count;
    char *param_text;     /* owned; cut into pieces */
    char shown[TEXT_MAX]; /* the files' names as SQLIO shows them, separated by commas */
};

bool sqlio_options_read(struct sqlio_given *given, int argc, char *const *argv, struct error *error);
/* Cuts param_text into given->pools. */
bool sqlio_params_read(struct sqlio_given *given, struct error *error);
/* Fills the invocation's job and what depends on it; and given->shown. */
bool sqlio_job_make(struct sqlio_given *given, struct invocation *invocation, struct error *error);
bool sqlio_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error);

/* A whole number from low to high. `shown` is the option as written, for the error. */
bool sqlio_number(const char *shown, const char *text, uint64_t low, uint64_t high, uint64_t *out, struct error *error);
/* Decimal, or hexadecimal after 0x. */
bool sqlio_mask(const char *shown, const char *text, uint64_t *out, struct error *error);
/* The CPUs of a mask as a list: "0-3,8". */
void sqlio_mask_cpus(uint64_t mask, char *out, size_t out_bytes);

struct sqlio_printer {
    FILE *out;
    struct sqlio_given given;
    uint64_t ticks_per_s; /* of the clock */
    bool begun;
};

struct listener sqlio_listener(struct sqlio_printer *printer);
void sqlio_print_usage(FILE *out);

#endif
