/* core/listener.h: how an engine tells a dialect what goes on. A dialect fills in what its layout shows;
 * NULL members are skipped. All but `request` are called from the thread that called the engine, or (jobs that run
 * together) one at a time. */
#ifndef CORE_LISTENER_H
#define CORE_LISTENER_H

#include "core/job.h"
#include "core/result.h"
#include "platform/error.h"

struct prepare_progress {
    uint64_t done_bytes, total_bytes, elapsed_ns;
};

struct table_progress {
    uint64_t done_rows, total_rows, elapsed_ns; /* over all tables */
};

enum table_step { TABLE_CREATE, TABLE_FILL, TABLE_INDEX, TABLE_WARM, TABLE_DROP };

enum prepare_step { PREPARE_CREATE, PREPARE_EXTEND, PREPARE_KEEP };
enum cleanup_step { CLEANUP_REMOVED, CLEANUP_ABSENT, CLEANUP_LEFT /* not made by isobench */ };

/* One request, for traces. */
struct request {
    uint32_t thread, file;
    enum op_class op;
    uint64_t offset;
    uint32_t bytes;
};

/* A run as it stands, for whoever watches it beside the layout. */
enum run_phase { PHASE_STARTING, PHASE_WARMING, PHASE_MEASURING, PHASE_DONE };
struct live_figures {
    const struct job *job;
    enum run_phase phase;
    uint64_t measured_ns;       /* length of the measured part until now */
    const struct tally *total;  /* of the measured part until now */
    struct host_sample *newest; /* of job.sample; NULL = none yet. The watcher may take it over, and empties it then */
};

/* Asked for its own sake, not by a layout: each interval from the start of the load, and when the run is done. From the
 * thread that conducts the run: what takes long belongs elsewhere. */
struct live_watcher {
    void *context;
    uint64_t interval_ns;
    void (*look)(void *context, const struct live_figures *figures);
};

/* A database run's replicas, beside a layout that has no place for them. From the thread that conducts the run. */
struct replica_watcher {
    void *context;
    /* An interval of the run has ended, also where the layout shows none: job.report_interval, or a second. */
    void (*interval)(void *context, const struct job *job, const struct interval *interval);
    /* Once in such a time: all wait for the replicas, since `waited_ns`, and the slowest is so far behind. */
    void (*awaited)(void *context, const struct job *job, uint64_t waited_ns, uint64_t lag_ns);
};

struct listener {
    void *context;
    const struct live_watcher *live;        /* NULL = nobody */
    const struct replica_watcher *replicas; /* the same */
    /* prepare and cleanup */
    void (*prepare_started)(void *context, const struct job *job);
    void (*prepare_file)(void *context, const char *path, enum prepare_step step);
    void (*prepare_progress)(void *context, const struct prepare_progress *progress);
    void (*prepare_done)(void *context, uint64_t written_bytes, uint64_t elapsed_ns);
    void (*cleanup_started)(void *context, const struct job *job);
    void (*cleanup_file)(void *context, const char *path, enum cleanup_step step);
    /* databases: tables are made, filled, read or dropped; `rows` of TABLE_FILL: how many it gets */
    void (*table_step)(void *context, const char *table, enum table_step step, uint64_t rows);
    void (*table_progress)(void *context, const struct table_progress *progress);
    void (*tables_done)(void *context, uint64_t rows, uint64_t elapsed_ns);
    /* a target that is not there or too short is made longer before a run; nothing is written into it */
    void (*expand_started)(void *context, const char *path, uint64_t have_bytes, uint64_t want_bytes);
    void (*expand_done)(void *context, const char *path);
    /* run */
    void (*run_starting)(void *context, const struct job *job); /* seed drawn, engine picked; nothing opened yet */
    void (*run_opened)(void *context, const struct job *job);   /* files are open and right; threads come next */
    void (*run_warming)(void *context, const struct job *job);
    void (*run_measuring)(void *context, const struct job *job); /* threads run, the measured part begins */
    void (*run_interval)(void *context, const struct job *job, const struct interval *interval);
    /* one rate of find_lag_knee was tried */
    void (*run_step)(void *context, const struct knee_step *step);
    /* `since` covers the time since the previous checkpoint (elapsed_ns too). Owned by the engine. */
    void (*run_checkpoint)(void *context, const struct result *since, uint64_t at_ns);
    void (*run_done)(void *context, const struct result *result);
    /* Jobs that ran together: after the run_done of each that has figures, if any has. The results of all, in the order
     * of the jobs; one may be without figures (measured is false: Ctrl-C in its warm-up). */
    void (*runs_done)(void *context, const struct result *const *results, size_t count);
    /* All of a command line's runs are over, whatever came of them: the last call. False: the report, or a part of it,
     * could not be given. */
    bool (*all_done)(void *context, struct error *error);
    /* From the worker's thread, before each operation; slows the run, for traces only. */
    void (*request)(void *context, const struct request *request);
};

#endif
