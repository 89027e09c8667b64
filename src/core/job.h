/* core/job.h: what load to make. A flat record of settings that are independent of each other; it knows no
 * tool, no operating system and no command line. Every field but the lists' counts has one row in the
 * settings table (core/settings.h), which is where its name, unit, default and help stand. Copy by assignment. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include "core/limits.h"

#include <stdbool.h>
#include <stdint.h>

enum work { WORK_FILES, WORK_DATABASE };
enum fill { FILL_WRITTEN, FILL_ALLOCATED, FILL_EXTENDED };
enum data_kind { DATA_RANDOM, DATA_ZERO, DATA_COUNT_UP };
enum mode { MODE_SEQWR, MODE_SEQREWR, MODE_SEQRD, MODE_RNDRD, MODE_RNDWR, MODE_RNDRW, MODE_SEQRW, MODE_UNSET };
enum mix { MIX_RANDOM, MIX_BALANCED, MIX_RUNS };
enum cursor { CURSOR_SHARED, CURSOR_THREAD };
enum cursor_start { CURSORS_SPREAD, CURSORS_APART };
enum direction { DIRECTION_FORWARD, DIRECTION_BACKWARD };
enum coverage { COVERAGE_ANY, COVERAGE_ONCE };
enum file_choice { FILES_ALL, FILES_TURN, FILES_OWN };
enum distribution { DIST_UNIFORM, DIST_SPECIAL, DIST_GAUSSIAN, DIST_PARETO, DIST_ZIPFIAN };
enum os_cache { OS_CACHE_ON, OS_CACHE_OFF };
enum write_through { WRITE_THROUGH_OFF, WRITE_THROUGH_DATA, WRITE_THROUGH_FULL };
enum sync_kind { SYNC_FSYNC, SYNC_FDATASYNC };
enum latency_from { LATENCY_FROM_DUE, LATENCY_FROM_START };
enum db_protocol { DB_PROTOCOL_AUTO, DB_PROTOCOL_TCP, DB_PROTOCOL_SOCKET, DB_PROTOCOL_PIPE };
enum db_tls { DB_TLS_OFF, DB_TLS_PREFERRED, DB_TLS_REQUIRED, DB_TLS_VERIFY_CA, DB_TLS_VERIFY_IDENTITY };
enum db_statements { DB_STATEMENTS_TEXT, DB_STATEMENTS_PREPARED };
enum sqlite_journal { SQLITE_JOURNAL_WAL, SQLITE_JOURNAL_DELETE, SQLITE_JOURNAL_TRUNCATE, SQLITE_JOURNAL_MEMORY };
enum sqlite_synchronous { SQLITE_SYNC_OFF, SQLITE_SYNC_NORMAL, SQLITE_SYNC_FULL, SQLITE_SYNC_EXTRA };
enum table_form { TABLE_FORM_1_0, TABLE_FORM_0_4 };
enum arrival { ARRIVAL_UNIFORM, ARRIVAL_POISSON };
enum on_error { ON_ERROR_STOP, ON_ERROR_COUNT };
enum sync_counts { SYNC_COUNTS_WRITES, SYNC_COUNTS_REQUESTS };

struct real_list {
    uint32_t count;
    double values[LIST_MAX];
};

struct job {
    enum work work; /* which engine; settings of the other one have no meaning (setting_concerns) */

    /* target */
    char target[TEXT_MAX]; /* files or devices that are there, separated by ','; "" = the set <dir>/<file_name>.N */
    char dir[TEXT_MAX];
    char file_name[NAME_MAX_BYTES]; /* files are <dir>/<file_name>.0 … */
    uint64_t files;
    uint64_t total_size_bytes; /* over all files; with target, 0 = as long as the shortest of them */
    uint64_t block_size_bytes;
    enum data_kind data;
    uint64_t compress_percent; /* of each block that is zeros */
    enum fill fill;

    /* access */
    enum mode mode;
    double read_percent; /* MODE_RNDRW, MODE_SEQRW */
    enum mix mix;
    enum cursor cursor;
    enum cursor_start cursor_start; /* CURSOR_THREAD: evenly spread over the files, or thread i at i × thread_stride */
    uint64_t thread_stride_bytes;   /* CURSORS_APART: 0 = all begin at the same place */
    enum direction direction;       /* sequential modes */
    uint64_t step_bytes;            /* sequential modes: from the start of one IO to the next; 0 = the next follows */
    double random_percent;          /* random modes: so many IOs are random, the others follow the one before */
    enum file_choice file_choice;
    uint64_t start_bytes;   /* where in each target the part that is used begins */
    uint64_t stripe_blocks; /* sequential modes: blocks from one IO to the next; 0 = the next block follows */
    uint64_t stripe_rows;   /* IOs before the pattern starts over one block later */
    uint64_t merge_blocks;  /* sequential modes: one request is up to so many blocks */
    uint64_t align_bytes;   /* random offsets are multiples of this; 0 = block size */
    enum coverage coverage; /* DIST_UNIFORM: any place each time, or each place once before any comes again */
    uint64_t passes;        /* sequential, or COVERAGE_ONCE: over all files; ends the run; 0 = no limit */

    /* random: of files' offsets and of tables' rows */
    enum distribution distribution;
    uint64_t special_iterations, special_percent, special_result_percent;
    uint64_t gaussian_iterations;
    double pareto_h, zipfian_exponent;
    uint64_t seed; /* 0 = taken from the clock at start; the result holds the one used */

    /* path to the device */
    char engine[NAME_MAX_BYTES];
    uint64_t depth;
    enum os_cache cache;
    enum write_through through;
    bool drop_cache; /* start cold: the files' cached pages are dropped before the run */
    enum sync_kind sync_kind;
    uint64_t sync_every; /* 0 = never */
    enum sync_counts sync_counts;
    bool sync_each_write;
    bool sync_at_end;
    bool close_at_end; /* every file, in the elapsed time too */
    bool count_syncs;  /* periodic syncs are events: they use up `events` and are latency samples */

    /* database: which one, and the way to it. The password is no setting: struct db_secret has it. */
    char db_driver[NAME_MAX_BYTES];
    char db_file[TEXT_MAX];       /* sqlite */
    char db_host[TEXT_MAX];       /* several, separated by ',': dealt to threads in turn */
    char db_port[NAME_MAX_BYTES]; /* the same; "" = the driver's */
    char db_socket[TEXT_MAX];     /* the same; a named pipe on Windows; "" = the driver's */
    enum db_protocol db_protocol;
    char db_user[NAME_MAX_BYTES];
    char db_name[NAME_MAX_BYTES];
    char db_defaults_file[TEXT_MAX]; /* mysql option file; "" = none is read */
    char db_defaults_group[NAME_MAX_BYTES];
    enum db_tls db_tls;
    char db_tls_ca[TEXT_MAX], db_tls_cert[TEXT_MAX], db_tls_key[TEXT_MAX], db_tls_cipher[TEXT_MAX];
    bool db_compression;
    enum db_statements db_statements;
    uint64_t db_connect_timeout_ns, db_answer_timeout_ns;
    char retry_errors[TEXT_MAX];   /* "auto" = the driver's conflicts; else codes separated by ',', or "all" */
    uint64_t reconnect_on_loss_ns; /* a lost connection is tried again for so long; 0 = it ends the run */
    enum sqlite_journal sqlite_journal;
    enum sqlite_synchronous sqlite_synchronous;
    uint64_t sqlite_busy_timeout_ns;

    /* workload: the tables, and what a transaction does */
    char workload[NAME_MAX_BYTES];
    char table_name[NAME_MAX_BYTES]; /* tables are <table_name>1 …; TABLE_FORM_0_4: one, <table_name> itself */
    enum table_form table_form;
    uint64_t tables, table_size;       /* rows of each */
    char table_engine[NAME_MAX_BYTES]; /* mysql */
    char table_options[TEXT_MAX];      /* put after CREATE TABLE ( … ) */
    bool auto_inc, secondary, create_secondary;
    uint64_t point_selects, simple_ranges, sum_ranges, order_ranges, distinct_ranges;
    bool range_selects;
    uint64_t range_size;
    uint64_t index_updates, non_index_updates, delete_inserts;
    bool skip_trx;
    uint64_t random_points, number_of_ranges, delta;
    uint64_t reconnect_every; /* events of a connection before it is opened anew; 0 = never */

    /* replication: of the database that the load goes to */
    char replica[TEXT_MAX]; /* DSNs (db/dsn.h) with spaces between; "" = none is looked at */
    uint64_t heartbeat_ns, replica_wait_ns;
    char heartbeat_schema[NAME_MAX_BYTES]; /* where its table is; "" = the run's database, or one of its own */
    bool verify_replica;
    char find_lag_knee[NAME_MAX_BYTES]; /* "LOW:HIGH", transactions per second; "" = no search */
    double knee_precision;              /* percent */

    /* load */
    uint64_t threads;
    uint64_t stack_size_bytes; /* 0 = system's default */
    double rate;               /* events per second over all threads, open loop; 0 = closed loop */
    enum arrival arrival;
    enum latency_from latency_from; /* open loop */
    uint64_t think_time_ns;         /* closed loop: pause of a thread after every `burst` of its IOs */
    uint64_t burst;
    char cpus[NAME_MAX_BYTES]; /* "0-3,8": thread i stays on the (i mod n)th; "" = anywhere */

    /* stop; at least one of time, events, passes bounds a run */
    uint64_t time_ns;                  /* 0 = no limit */
    uint64_t events;                   /* 0 = no limit */
    uint64_t warmup_ns;                /* with steady_state: at most so long */
    char steady_state[NAME_MAX_BYTES]; /* "iops:5%": warm-up ends when this holds; "" = after warmup_ns */
    bool stonewall;                    /* with passes: the first thread that is through ends the measured part of all */
    uint64_t repeat;                   /* runs, one after the other */
    enum on_error on_error;
    uint64_t shutdown_grace_ns; /* after the time limit; NO_GRACE = wait for ever */
    uint64_t init_timeout_ns;

    /* reading */
    uint64_t report_interval_ns;  /* 0 = none */
    uint64_t sample_ns;           /* between two samples of the host; 0 = none */
    struct real_list checkpoints; /* seconds */
    struct real_list percentiles;
    double interval_percentile;
    bool histogram;

    /* verify */
    bool verify;           /* blocks carry a stamp, and what is read is held against it */
    char ledger[TEXT_MAX]; /* with verify: the file of what is durable; "" = beside the files */
};

#define NO_GRACE UINT64_MAX

/* The two rates of find_lag_knee; false when it is no LOW:HIGH. */
bool job_knee_bounds(const struct job *job, double *low, double *high);

bool mode_reads(enum mode mode), mode_writes(enum mode mode), mode_is_sequential(enum mode mode);

#endif
