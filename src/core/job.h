/* core/job.h: what load to make. A flat record of settings that are independent of each other; it knows no
 * tool, no operating system and no command line. Every field but the lists' counts has one row in the
 * settings table (core/settings.h), which is where its name, unit, default and help stand. Copy by assignment. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include "core/limits.h"

#include <stdbool.h>
#include <stdint.h>

enum fill { FILL_WRITTEN, FILL_ALLOCATED, FILL_EXTENDED };
enum data_kind { DATA_RANDOM, DATA_ZERO };
enum mode { MODE_SEQWR, MODE_SEQREWR, MODE_SEQRD, MODE_RNDRD, MODE_RNDWR, MODE_RNDRW, MODE_UNSET };
enum mix { MIX_RANDOM, MIX_BALANCED };
enum cursor { CURSOR_SHARED, CURSOR_THREAD };
enum file_choice { FILES_ALL, FILES_TURN, FILES_OWN };
enum distribution { DIST_UNIFORM, DIST_SPECIAL, DIST_GAUSSIAN, DIST_PARETO, DIST_ZIPFIAN };
enum os_cache { OS_CACHE_ON, OS_CACHE_OFF };
enum write_through { WRITE_THROUGH_OFF, WRITE_THROUGH_DATA, WRITE_THROUGH_FULL };
enum sync_kind { SYNC_FSYNC, SYNC_FDATASYNC };
enum arrival { ARRIVAL_UNIFORM, ARRIVAL_POISSON };
enum on_error { ON_ERROR_STOP, ON_ERROR_COUNT };
enum sync_counts { SYNC_COUNTS_WRITES, SYNC_COUNTS_REQUESTS };

struct real_list {
    uint32_t count;
    double values[LIST_MAX];
};

struct job {
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
    double read_percent; /* MODE_RNDRW */
    enum mix mix;
    enum cursor cursor;
    enum file_choice file_choice;
    uint64_t start_bytes;   /* where in each target the part that is used begins */
    uint64_t stripe_blocks; /* sequential modes: blocks from one IO to the next; 0 = the next block follows */
    uint64_t stripe_rows;   /* IOs before the pattern starts over one block later */
    uint64_t merge_blocks;  /* sequential modes: one request is up to so many blocks */
    uint64_t align_bytes;   /* random offsets are multiples of this; 0 = block size */
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

    /* load */
    uint64_t threads;
    uint64_t stack_size_bytes; /* 0 = system's default */
    double rate;               /* events per second over all threads, open loop; 0 = closed loop */
    enum arrival arrival;
    uint64_t think_time_ns; /* closed loop: pause of a thread after every `burst` of its IOs */
    uint64_t burst;
    char cpus[NAME_MAX_BYTES]; /* "0-3,8": thread i stays on the (i mod n)th; "" = anywhere */

    /* stop; at least one of time, events, passes bounds a run */
    uint64_t time_ns;                  /* 0 = no limit */
    uint64_t events;                   /* 0 = no limit */
    uint64_t passes;                   /* sequential: over all files; 0 = no limit */
    uint64_t warmup_ns;                /* with steady_state: at most so long */
    char steady_state[NAME_MAX_BYTES]; /* "iops:5%": warm-up ends when this holds; "" = after warmup_ns */
    uint64_t repeat;                   /* runs, one after the other */
    enum on_error on_error;
    uint64_t shutdown_grace_ns; /* after the time limit; NO_GRACE = wait for ever */
    uint64_t init_timeout_ns;

    /* reading */
    bool count_syncs;             /* periodic syncs are events: they use up `events` and are latency samples */
    uint64_t report_interval_ns;  /* 0 = none */
    struct real_list checkpoints; /* seconds */
    struct real_list percentiles;
    double interval_percentile;
    bool histogram;
    bool verify;           /* blocks carry a stamp, and what is read is held against it */
    char ledger[TEXT_MAX]; /* with verify: the file of what is durable; "" = beside the files */
};

#define NO_GRACE UINT64_MAX

bool mode_reads(enum mode mode), mode_writes(enum mode mode), mode_is_sequential(enum mode mode);

#endif
