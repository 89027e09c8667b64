/* core/result.h: what happened. Knows no tool. Made by an engine, printed by dialects, written as JSON. */
#ifndef CORE_RESULT_H
#define CORE_RESULT_H

#include "core/histogram.h"
#include "core/host_sample.h"
#include "core/job.h"
#include "core/replication.h"
#include "platform/clock.h"
#include "platform/host.h"

#include <stdbool.h>
#include <stdint.h>

/* Kinds of timed operations. A sample's latency is in its own class alone, but for durable writes (each is also
 * counted as the write and the sync that it was made of) and transactions (their queries are classes too). */
enum op_class {
    CLASS_READ,
    CLASS_WRITE,
    CLASS_SYNC,
    CLASS_END_SYNC,
    CLASS_DURABLE_WRITE,
    CLASS_QUEUE_WAIT,  /* open loop: from when an event was due to its start */
    CLASS_SERVICE,     /* open loop: from its start to its end; the two make up the latency in its class */
    CLASS_TRANSACTION, /* a database's event, with all its tries; its errors = tries that were given up and repeated */
    CLASS_READ_QUERY,  /* one that gave a result set */
    CLASS_WRITE_QUERY, /* one that changed rows */
    CLASS_OTHER_QUERY, /* BEGIN, COMMIT, and what changed nothing */
    CLASS_CONNECT,     /* opening a connection anew in the run: reconnect_every, or after a loss */
    CLASS_COUNT
};
bool op_class_concerns(enum op_class op, enum work work);
extern const char *const op_class_names[CLASS_COUNT]; /* "read", "write", "sync", "end_sync", … */

struct class_tally {
    uint64_t bytes;
    uint64_t errors;          /* operations that failed; they are not in the histogram nor in bytes */
    struct histogram latency; /* latency.count = operations done */
};

/* Counters of one thread, of one interval or of a whole run, depending on where it stands. */
struct tally {
    struct class_tally of[CLASS_COUNT];
    uint64_t events; /* what `events` limits: reads and writes, and periodic syncs if count_syncs */
    uint64_t clock_steps_back;
};

void tally_merge(struct tally *into, const struct tally *from);
void tally_subtract(struct tally *a, const struct tally *b);
/* The latencies of all events in one histogram (what sysbench's "Latency" block shows): reads, writes (durable
 * writes in their place if sync_each_write), and syncs if the job counts them. */
void tally_events_latency(const struct tally *tally, const struct job *job, struct histogram *out);

/* What one thread did in one class. */
struct thread_class {
    uint64_t count, bytes;
    uint64_t latency_sum_ns;
    double latency_variance_ns2; /* of the population */
};

struct thread_row {
    uint64_t events;
    uint64_t busy_ns;                /* sum of its events' latencies */
    struct thread_class read, write; /* files */
    uint64_t end_ns;                 /* files: how long its syncs and closes at the end took */
};

/* One kind of statement of a database run: a class of its own, beside those of op_class. */
#define STATEMENT_SQL_BYTES 512
struct statement_row {
    char name[NAME_MAX_BYTES];     /* "point_select" */
    char sql[STATEMENT_SQL_BYTES]; /* as sent to the first table; cut where it is longer */
    struct class_tally tally;
};
#define STATEMENTS_MAX 64

/* A variable of the server that matters for its figures. */
struct server_variable {
    char name[NAME_MAX_BYTES], value[256];
};
#define SERVER_VARIABLES_MAX 48

struct server_facts {
    char product[NAME_MAX_BYTES]; /* "MariaDB"; "" = no database run */
    char version[128];
    char client[128];         /* the client library and its version */
    char tls[NAME_MAX_BYTES]; /* the connection's protocol and cipher; "" = none */
    struct server_variable variables[SERVER_VARIABLES_MAX];
    size_t variables_count;
};

/* One CPU of the host over the measured part, whoever used it. */
struct cpu_row {
    uint64_t user_ns, system_ns, idle_ns;
};

/* One line of the series. Counts are of the interval alone; over all intervals they sum to the totals. */
struct interval {
    uint64_t start_ns, end_ns; /* since the measured part began */
    uint64_t count[CLASS_COUNT], bytes[CLASS_COUNT], errors[CLASS_COUNT];
    uint64_t latency_sum_ns;               /* of all events */
    uint64_t latency_events;               /* how many */
    uint64_t latency_percentile_ns;        /* of all events, at job.interval_percentile */
    uint64_t latency_max_ns;               /* upper bound from buckets */
    uint64_t latency_cells[LATENCY_CELLS]; /* of all events, coarse; all 0 in results of versions without it */
    uint64_t waiting, running;             /* open loop, at its end: events that are due and not begun, and begun */
    /* for its line; result.replication has it of each replica: */
    uint64_t replica_lag_ns;   /* the greatest at its end */
    uint64_t replicas_stopped; /* how many do not run, or do not answer */
};

/* Failures of one kind. */
struct fault {
    char operation[16]; /* the name of its class */
    int os_code;        /* 0 = a transfer that ended early */
    char text[256];     /* the system's words */
    uint64_t count;
    char first[512]; /* file and offset of the first one */
};
#define FAULTS_MAX 16

/* A block that is not what it must be. */
struct verify_finding {
    char verdict[16]; /* "torn", "stale", … */
    char file[512];
    uint64_t offset;
    char expected[128], found[256];
};
#define VERIFY_FINDINGS_MAX 16

/* What came of job.verify; all zero without it. */
struct verification {
    uint64_t checked, wrong; /* blocks read */
    struct verify_finding findings[VERIFY_FINDINGS_MAX];
    size_t findings_count; /* the first ones */
};

struct warning {
    char code[NAME_MAX_BYTES]; /* "os-cache", stable, for scripts */
    char text[512];            /* with its evidence */
};
#define WARNINGS_MAX 32

/* What a bulk load did (src/load/). Its events are rows, its transactions what was committed at once. */
struct bulk_load {
    char way[16];          /* "infile", "copy", "multi", "prepared", "dump"; "" = no bulk load */
    char source[TEXT_MAX]; /* the file; "" = generated rows */
    char flush[32];        /* the server's word for when a commit is durable; "" = the engine has none */
    uint64_t rows, bytes;  /* bytes as tab-separated text, whatever the way */
    uint64_t commit_rows;  /* of one transaction, as asked for; 0 = the way has its own */
    uint64_t retries;      /* transactions that met another's locks and were tried again */
    uint64_t disk_bytes, index_bytes;
    bool index_known;
    char verified[32]; /* "count, checksum" */
};

/* Heap parts (threads, series, host_series, cpus, statements, since_checkpoint, replication) are owned by the result;
 * result_free releases them. */
struct result {
    struct job job;                       /* as run: seed drawn, engine picked */
    char version[NAME_MAX_BYTES];         /* isobench's */
    uint64_t wall_start_ns;               /* since 1970, start of the measured part */
    uint64_t elapsed_ns;                  /* measured part, up to the last completion, with the syncs at the end */
    uint64_t load_ns;                     /* measured part without the syncs at the end */
    uint64_t end_sync_ns, end_sync_count; /* those of sync_at_end; each is a sample of CLASS_END_SYNC */
    bool measured;                        /* the measured part was reached; false = no figures */
    bool partial;                         /* Ctrl-C or a forced shutdown ended it early */
    bool forced;                          /* forced shutdown */
    uint64_t unfinished;                  /* operations in flight at a forced shutdown */
    struct tally total;
    struct thread_row *threads;       /* job.threads rows */
    struct statement_row *statements; /* of a database run */
    size_t statements_count;
    struct cpu_row *cpus; /* of the host; none where the system does not tell */
    size_t cpus_count;
    struct server_facts server;
    struct bulk_load load;
    struct interval *series;
    size_t series_count;
    struct host_series host_series;  /* of job.sample; else empty */
    struct result *since_checkpoint; /* the part after the last of job.checkpoints; NULL when none was passed */
    uint64_t warmup_ns;              /* as it was */
    struct clock_facts clock;
    struct host_facts host;
    struct target_facts target;
    uint64_t cpu_user_ns, cpu_system_ns; /* of the measured part */
    uint64_t cpu_wait_ns; /* ready threads without a CPU, warm-up and load, over all threads; 0 = none or unknown */
    struct warning warnings[WARNINGS_MAX];
    size_t warnings_count;
    uint64_t start_delay_max_ns;     /* open loop: the latest start of an event after it was due */
    bool steady_state_missed;        /* it never came: the warm-up ended by its time */
    struct fault faults[FAULTS_MAX]; /* of on_error = count; further kinds are in the classes' errors only */
    size_t faults_count;
    struct verification verify;
    struct replication *replication; /* of job.replica; NULL = none */
};

/* Makes room for a database run's statements, once. False when memory is short. */
bool result_statements(struct result *result, size_t count);
struct result *result_make(const struct job *job); /* NULL when memory is short */
void result_free(struct result *result);           /* NULL is fine */
/* The first warning of a code stands; more than WARNINGS_MAX are dropped. */
void result_warn(struct result *result, const char *code, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
