/* dialects/sysbench.h: sysbench's command line and layouts for fileio and for databases, in three versions.
 *
 *   sysbench.c           which test, which command, which version; the invocation
 *   sysbench_options.c   the table of options; command line and configuration file to option texts
 *   sysbench_job.c       option texts to a job
 *   sysbench_oltp.c      the same for databases: which test, the options, and back
 *   sysbench_write.c     a job to a command line
 *   sysbench_help.c      --help, --version, "fileio help"
 *   sysbench_print.c     what all layouts share: banner, header, prepare, cleanup, interval lines
 *   sysbench_figures.c   numbers and blocks of figures that reports share
 *   sysbench_oltp_print.c  what databases print of their own
 *   sysbench_print_04.c, _10.c, _11.c   the reports of 0.4.12, 1.0.20 and 1.1 (master) */
#ifndef DIALECTS_SYSBENCH_H
#define DIALECTS_SYSBENCH_H

#include "core/dialect.h"

extern const struct dialect dialect_sysbench;

enum sysbench_version { SYSBENCH_04, SYSBENCH_10, SYSBENCH_11, SYSBENCH_VERSIONS };

/* ---- options ---------------------------------------------------------------------------------------- */

enum option_form { FORM_BOOL, FORM_NUMBER, FORM_SIZE, FORM_TEXT, FORM_LIST, FORM_FILE };
enum option_group {
    GROUP_GENERAL,
    GROUP_RANDOM,
    GROUP_LOG,
    GROUP_OWN,
    GROUP_FILEIO,
    GROUP_OLTP,
    GROUP_OLTP_04,
    GROUP_DATABASE
};

struct sysbench_option {
    const char *name;
    enum option_form form;
    enum option_group group;
    const char *fallback;    /* the default, as text; NULL = none */
    const char *fallback_04; /* where 0.4 has another one, else NULL */
    const char *setting;     /* of the job, set from the text as it is; NULL = sysbench_job.c's matter, or no effect */
    const char *same_as;     /* an older name of that option; NULL = no */
    bool unsupported;        /* anything but the default is refused by this version; to support it: clear this
                                and name the setting */
    const char *help;
};

extern const struct sysbench_option sysbench_options[];
extern const size_t sysbench_options_count;
#define SYSBENCH_OPTIONS_MAX 192

/* One option as the user gave it. */
struct option_value {
    const char *name;     /* of the table, but an older one if that was used */
    const char *text;     /* NULL = not given; points into argv or the configuration file's text */
    uint32_t config_line; /* 0 = command line */
};

/* Everything on the command line and in the configuration file; the last of equal options, and the
 * command line before the file. */
struct sysbench_given {
    struct option_value values[SYSBENCH_OPTIONS_MAX]; /* in the order of sysbench_options */
    const char *words[2];                             /* test and command */
    uint32_t word_count;
    char replicas[TEXT_MAX]; /* of each --isobench-replica, with spaces between */
    const char *config_path; /* borrowed from argv */
    char *config_text;       /* owned */
};

bool sysbench_given_read(struct sysbench_given *given, int argc, char *const *argv, struct error *error);
void sysbench_given_done(struct sysbench_given *given);

/* '-' and '_' are the same; NULL when there is none. `bytes` of the name count. */
const struct sysbench_option *sysbench_option_find(const char *name, size_t bytes);
/* Its text as given, or NULL. The name must be one of the table's. */
const char *sysbench_given_text(const struct sysbench_given *given, const char *name);
/* The same, or the version's default. */
const char *sysbench_text(const struct sysbench_given *given, const char *name, enum sysbench_version version);
bool sysbench_is_on(const struct sysbench_given *given, const char *name); /* of a FORM_BOOL option */
const char *sysbench_fallback(const struct sysbench_option *option, enum sysbench_version version);
/* How to call the option in an error: "--file-num", "--file-num (line 3 of bench.cnf)". Returns out. */
char *sysbench_shown(const struct sysbench_given *given, const char *name, char *out, size_t out_bytes);

/* ---- what the layouts need to know besides the job ------------------------------------------------------ */

enum sysbench_limits { LIMITS_BOUNDED, LIMITS_ENDLESS };

struct sysbench_printer {
    FILE *out;
    enum sysbench_version version;
    uint64_t verbosity; /* 0 fatal, 1 alert, 2 warning, 3 notice, 4 info, 5 debug */
    bool debug;
    bool whole_paths; /* --file-dir was given: file names with their directory */
    bool threads_started;
    bool deprecated[8]; /* rows of sysbench_deprecated that were used */
    enum sysbench_limits limits;
    uint64_t events;          /* as asked for: 0 = no limit */
    uint64_t merged_requests; /* as asked for: 0 = none */
    double rw_ratio;
    const char *io_mode; /* "synchronous" */
    bool flag_sync, flag_dsync, flag_direct;
    bool random_from_clock; /* 0.4: --init-rng */
    bool begun_tables, parallel_tables;
    uint64_t threads;
    uint64_t seed;      /* as asked for: 0 = from the clock */
    uint64_t forced_ns; /* time limit + grace; 0 = no forced shutdown */
};

/* The old names that 1.0 warns about, in the order in which it does; NULL-terminated. */
extern const char *const sysbench_deprecated[];

/* ---- option texts to a job ------------------------------------------------------------------------------ */

/* Fills job and printer from what was given for the test of that name. `action` decides what must be there. */
bool sysbench_job_make(const struct sysbench_given *given, const char *test, enum sysbench_version version,
                       enum action action, struct job *job, struct sysbench_printer *printer, struct error *error);

/* Everything that makes a job. */
struct making {
    const struct sysbench_given *given;
    enum sysbench_version version;
    struct job *job;
    struct sysbench_printer *printer;
    struct error *error;
    const char *workload; /* NULL = fileio */
    bool script;          /* the tests of 0.5, which are scripts, with tables that have numbers */
};
const char *making_text(const struct making *making, const char *name);
/* "--name=text is not valid: it must be <right>"; always false. */
bool making_refuse(const struct making *making, const char *name, const char *right);
bool making_set(const struct making *making, const char *option, const char *setting, const char *text);

/* ---- databases ------------------------------------------------------------------------------------------------ */

/* The workload of a test's name: "oltp_read_write", also as a script's path ("/x/oltp_read_write.lua"); "oltp" is
 * 0.4's. NULL = none. */
const char *sysbench_workload(const char *test);
/* Is it one of 0.5's scripts by its name ("/x/oltp.lua"), or by options that 0.4 has not? */
bool sysbench_is_script(const char *test, const struct sysbench_given *given);
/* What is not a setting under another name, and what sysbench fixes for these tests. job->work says that it is one. */
bool sysbench_oltp_make(const struct making *making);
void sysbench_oltp_write(const struct job *job, struct command *out);
/* The password that was given for the job's driver, or NULL. */
const char *sysbench_password(const struct sysbench_given *given, const struct job *job);
/* Hides every password that was given, also those of drivers that the job does not use. */
void sysbench_hide_passwords(const struct sysbench_given *given);
/* Does sysbench have that option in the test of that workload? Options of all tests belong to each. */
bool sysbench_workload_has(const char *workload, const struct sysbench_option *option);

/* Puts sysbench's names of options into an error about a database. */
void sysbench_reword(const struct job *job, struct error *error);

/* A job as sysbench would say it. */
bool sysbench_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error);

/* ---- printing --------------------------------------------------------------------------------------------- */

void sysbench_print_banner(FILE *out, enum sysbench_version version);
void sysbench_print_usage(FILE *out, enum sysbench_version version);
void sysbench_print_version(FILE *out, enum sysbench_version version);
void sysbench_print_fileio_help(FILE *out, enum sysbench_version version);
void sysbench_print_oltp_help(FILE *out, const char *test, enum sysbench_version version);

/* Callbacks for the version's layout; the context is the printer. */
struct listener sysbench_listener(struct sysbench_printer *printer);

/* One version's report: `part` is what it covers, total_ns the time since the start. */
void sysbench_report_04(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns);
void sysbench_report_10(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns);
void sysbench_report_11(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns);

/* Of databases. */
void sysbench_print_oltp_header(const struct sysbench_printer *printer, const struct job *job);
void sysbench_print_oltp_interval(const struct sysbench_printer *printer, const struct job *job,
                                  const struct interval *interval);
void sysbench_report_oltp(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns);
void sysbench_print_table_step(const struct sysbench_printer *printer, const char *table, enum table_step step,
                               uint64_t rows);
/* The end of a report of 0.4: "Test execution summary". */
void sysbench_print_summary_04(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns);

/* What the reports share. */
struct sysbench_counts {
    double seconds; /* that the counts cover; never 0 */
    uint64_t reads, writes, syncs, read_bytes, written_bytes;
};
struct sysbench_counts sysbench_count(const struct result *part);
/* The "Latency (ms)" block of 1.0 and 1.1. */
/* With an empty line behind it; nothing where the run was not cut off. */
void sysbench_print_unfinished(const struct sysbench_printer *printer, const struct result *part);
void sysbench_print_latency(const struct sysbench_printer *printer, const struct result *part);
/* The latency of all events as a bar chart, before a report. */
void sysbench_print_histogram(const struct sysbench_printer *printer, const struct result *part);
/* The "Threads fairness" block of 0.4 and 1.0, with the blank line after it. */
void sysbench_print_fairness(const struct sysbench_printer *printer, const struct result *part);
/* "95", "99.9". Returns out. */
char *sysbench_percent(double percent, char *out, size_t out_bytes);
/* Five significant digits with the version's unit: "333.33KiB" in 1.0, "93.75Mb" in 0.4. Returns out. */
char *sysbench_size(enum sysbench_version version, double bytes, char *out, size_t out_bytes);

#endif
