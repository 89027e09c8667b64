/* dialects/iozone.h: the command line and the layouts of iozone 3.
 *
 *   iozone.c           the dialect: what is given, the invocation
 *   iozone_options.c   the table of options, and those that are refused
 *   iozone_steps.c     the table of tests, in the order of the matrix and of throughput mode
 *   iozone_job.c       the series: a job for each file size, record size and test
 *   iozone_write.c     a job to a command line
 *   iozone_print.c     the matrix, and the report of throughput mode
 *   iozone_report.c    the report for spreadsheets
 *   iozone_read.c      what iozone printed, as readings */
#ifndef DIALECTS_IOZONE_H
#define DIALECTS_IOZONE_H

#include "core/dialect.h"

extern const struct dialect dialect_iozone;

#define IOZONE_LIST_MAX 64         /* sizes or records on one command line */
#define IOZONE_PROCESSES_MAX 256   /* as in iozone */
#define IOZONE_RECORD_KB_MAX 16384 /* as in iozone */
#define IOZONE_DEFAULT_SIZE_KB 512 /* of -s */
#define IOZONE_STRIDE 17           /* of -j */
#define IOZONE_RUNS_MAX 16384      /* of one command line */

/* ---- tests ---- */

enum iozone_step_id {
    STEP_WRITE,
    STEP_REWRITE,
    STEP_READ,
    STEP_REREAD,
    STEP_RANDOM_READ,
    STEP_RANDOM_WRITE,
    STEP_BACKWARD,
    STEP_RECORD,
    STEP_STRIDE,
    STEP_FWRITE, /* stdio's are columns alone */
    STEP_FREWRITE,
    STEP_FREAD,
    STEP_FREREAD,
    STEP_PLAIN_COLUMNS, /* so many the matrix always has */
    STEP_PWRITE = STEP_PLAIN_COLUMNS,
    STEP_REPWRITE,
    STEP_PREAD,
    STEP_REPREAD,
    STEP_COLUMNS,
    STEP_MIXED = STEP_COLUMNS, /* throughput mode alone */
    STEP_COUNT
};

struct iozone_step {
    uint32_t test;      /* of -i */
    const char *name;   /* of the run */
    const char *report; /* of the spreadsheet's: "Re-writer" */
    const char *crowd;  /* in throughput mode, with the tabs behind it; NULL = not there */
    const char *chart;  /* the same in its report */
    bool padded;        /* its number of processes has two places */
    enum mode mode;     /* MODE_UNSET: no load that isobench makes */
};

extern const struct iozone_step iozone_steps[STEP_COUNT];
extern const enum iozone_step_id iozone_crowd_order[]; /* of throughput mode */
extern const size_t iozone_crowd_count;

/* ---- what is given ---- */

struct iozone_sizes { /* of files or records, in kB */
    uint64_t list[IOZONE_LIST_MAX];
    size_t count;       /* 0 = none is given */
    uint64_t low, high; /* of auto mode; 0 = not given */
};

struct iozone_given {
    bool automatic, all_records;             /* -a, -z */
    bool direct, sync, mapped;               /* -I, -o, -B */
    bool with_flush, with_close;             /* -e, -c */
    bool excel, keeps, no_wall, pthreads;    /* -R, -w, -x, -T */
    struct iozone_sizes files, records;      /* -s -n -g, -r -y -q */
    uint64_t processes;                      /* -t; 0 = no throughput mode */
    uint64_t stride;                         /* -j */
    uint32_t tests;                          /* bit for each -i; 0 = all */
    const char *file;                        /* -f; NULL = not given; into argv as all names are */
    const char *names[IOZONE_PROCESSES_MAX]; /* -F */
    size_t name_count;
    const char *excel_path;      /* -b; NULL = not given */
    char option_lines[TEXT_MAX]; /* what iozone says of its options, in their order */
    char command_line[TEXT_MAX];
};

bool iozone_options_read(struct iozone_given *given, int argc, char *const *argv, struct error *error);

/* ---- the series ---- */

struct iozone_row {
    uint64_t size_kb, record_kb;
};

struct iozone_run {
    size_t row;
    enum iozone_step_id step;
    bool first_of_row, last_of_row;
    bool half;       /* of the mixed test: the readers; the writers, which run with them, come next */
    double kb_per_s; /* below 0: not done yet */
};

struct iozone {
    FILE *out;
    struct iozone_given given;
    struct iozone_row *rows;
    size_t row_count;
    struct iozone_run *runs;
    struct job *jobs; /* of runs */
    bool *waits;      /* of jobs, from the second on */
    const char **names;
    size_t count, done;
    bool begun;
    struct iozone_crowd { /* of the run that is done, or of the half that waits for the other */
        uint64_t processes, bytes, least_bytes, elapsed_ns;
        double sum, least, most; /* kB/s */
    } crowd;
};

/* The file of the index-th process, or the only one. */
void iozone_file_name(const struct iozone_given *given, uint64_t index, char *out, size_t out_bytes);
/* Fills the rows, the runs and their jobs, and what of the invocation depends on them. */
bool iozone_job_make(struct iozone *iozone, struct invocation *invocation, struct error *error);
void iozone_free(void *context);
bool iozone_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error);

struct listener iozone_listener(struct iozone *iozone);
void iozone_print_usage(FILE *out);
/* After the last run: on `out` if -R asks for it, and to the file of -b. */
bool iozone_report(const struct iozone *iozone, struct error *error);

#endif
