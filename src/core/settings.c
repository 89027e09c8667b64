/* core/settings.c: the table of settings, and text to field and back by each row's type. */
#include "core/settings.h"

#include "core/units.h"
#include "platform/clock.h"
#include "platform/compiler.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static const char *const works[] = {"files", "database", NULL};
static const char *const data_kinds[] = {"random", "zero", "count-up", NULL};
static const char *const fills[] = {"written", "allocated", "extended", NULL};
static const char *const modes[] = {"seqwr", "seqrewr", "seqrd", "rndrd", "rndwr", "rndrw", "seqrw", "", NULL};
static const char *const mixes[] = {"random", "balanced", "runs", NULL};
static const char *const cursors[] = {"shared", "thread", NULL};
static const char *const cursor_starts[] = {"spread", "apart", NULL};
static const char *const directions[] = {"forward", "backward", NULL};
static const char *const coverages[] = {"any", "once", NULL};
static const char *const file_choices[] = {"all", "turn", "own", NULL};
static const char *const distributions[] = {"uniform", "special", "gaussian", "pareto", "zipfian", NULL};
static const char *const engines[] = {"auto", "sync", "uring", "iocp", "uv", "mmap", NULL};
static const char *const caches[] = {"on", "off", NULL};
static const char *const throughs[] = {"off", "data", "full", NULL};
static const char *const arrivals[] = {"uniform", "poisson", NULL};
static const char *const latency_froms[] = {"due", "start", NULL};
static const char *const db_drivers[] = {"sqlite", "mysql", "pgsql", NULL};
static const char *const db_protocols[] = {"auto", "tcp", "socket", "pipe", NULL};
static const char *const db_tls_modes[] = {"off", "preferred", "required", "verify-ca", "verify-identity", NULL};
static const char *const db_statement_kinds[] = {"text", "prepared", NULL};
static const char *const sqlite_journals[] = {"wal", "delete", "truncate", "memory", NULL};
static const char *const sqlite_synchronouses[] = {"off", "normal", "full", "extra", NULL};
static const char *const table_forms[] = {"1.0", "0.4", NULL};
static const char *const workloads[] = {"oltp_read_write",
                                        "oltp_read_only",
                                        "oltp_write_only",
                                        "oltp_point_select",
                                        "oltp_insert",
                                        "oltp_delete",
                                        "oltp_update_index",
                                        "oltp_update_non_index",
                                        "select_random_points",
                                        "select_random_ranges",
                                        "bulk_insert",
                                        "script",
                                        NULL};
static const char *const on_errors[] = {"stop", "count", NULL};
static const char *const sync_kinds[] = {"fsync", "fdatasync", NULL};
static const char *const sync_counts[] = {"writes", "requests", NULL};

#define INT64_HIGH 0x1p63         /* stands for 2^63 − 1, the largest integer of a result's JSON */
#define MANY 1e18                 /* operations: more than any run can do */
#define SIZE_HIGH 0x1p60          /* 1024P */
#define REQUEST_HIGH 0x1p30       /* 1G */
#define SECONDS_HIGH 4294967295.0 /* 136 years, so that sums of three times stay in 64 bits of nanoseconds */

/* clang-format off */
/* A row's first words: name and where the value lies. Fields of bytes and times have their unit as suffix. */
#define ROW(setting_name, field, setting_type)                                                                         \
    .name = #setting_name, .type = setting_type, .offset = offsetof(struct job, field),                                \
    .bytes = sizeof(((struct job *)0)->field)
#define BOOL(field, in, standard, about)                                                                               \
    {ROW(field, field, SETTING_BOOL), .group = in, .fallback = standard, .help = about}
#define COUNT(field, in, standard, least, most, about)                                                                 \
    {ROW(field, field, SETTING_COUNT), .group = in, .fallback = standard, .low = least, .high = most, .help = about}
#define REAL(field, in, standard, least, most, about)                                                                  \
    {ROW(field, field, SETTING_REAL), .group = in, .fallback = standard, .low = least, .high = most, .help = about}
#define CHOICE(field, in, standard, words, about)                                                                      \
    {ROW(field, field, SETTING_CHOICE), .group = in, .fallback = standard, .choices = words, .help = about}
#define TEXT(field, in, standard, words, about)                                                                        \
    {ROW(field, field, SETTING_TEXT), .group = in, .fallback = standard, .choices = words, .help = about}
#define PATH(field, in, standard, what, about)                                                                         \
    {ROW(field, field, SETTING_TEXT), .group = in, .fallback = standard, .form = what, .help = about}
#define BYTES(name, in, standard, least, most, about)                                                                  \
    {ROW(name, name##_bytes, SETTING_BYTES), .group = in, .fallback = standard, .low = least, .high = most,            \
     .help = about}
#define TIME(name, in, standard, least, none, about)                                                                   \
    {ROW(name, name##_ns, SETTING_TIME), .group = in, .fallback = standard, .low = least, .high = SECONDS_HIGH,        \
     .none_text = none, .help = about}
#define LIST(field, in, standard, least, most, sorted, about)                                                          \
    {ROW(field, field, SETTING_LIST), .group = in, .fallback = standard, .low = least, .high = most,                   \
     .ascending = sorted, .help = about}
/* clang-format on */

const struct setting settings[] = {
    CHOICE(work, "work", "files", works, "What is loaded: files or devices, or the tables of a database."),

    PATH(target, "target", "", "FILE",
         "Files or devices to use as they are, separated by commas, instead of a set that prepare made."),
    PATH(dir, "target", ".", "DIR", "Directory of the test files; the volume it is on is what is measured."),
    TEXT(file_name, "target", "test_file", NULL,
         "Start of the test files' names: they are called <name>.0, <name>.1 and so on."),
    COUNT(files, "target", "1", 1, 1e6, "Number of test files; all of them are open during a run."),
    BYTES(total_size, "target", "1G", 0, SIZE_HIGH,
          "Size of all test files together, in bytes (the working set); each file gets an equal share."),
    BYTES(block_size, "target", "16K", 1, REQUEST_HIGH, "Size of one IO, in bytes."),
    CHOICE(
        data, "target", "random", data_kinds,
        "What is written: random bytes, different in every block; zeros that a device may compress or drop; count-up, "
        "the bytes 0 to 255 over and over, as DiskSpd writes."),
    COUNT(compress_percent, "target", "0", 0, 100,
          "Percent of each random block that is zeros, to imitate compressible data."),
    CHOICE(fill, "target", "written", fills,
           "How prepare makes files: written (every block), allocated (space reserved), extended (size set; reads may "
           "touch no disk)."),

    CHOICE(mode, "access", "", modes,
           "Access pattern: sequential write, rewrite, read or both, or random read, write or both."),
    REAL(read_percent, "access", "60", 0, 100, "Percent of reads among the IOs of modes rndrw and seqrw."),
    CHOICE(mix, "access", "random", mixes,
           "How rndrw and seqrw pick reads and writes: random (each IO drawn), balanced (the share is kept exactly as "
           "the run goes on), runs (with random_percent: each random IO drawn, those that follow it are the same)."),
    CHOICE(cursor, "access", "shared", cursors,
           "Sequential modes and coverage=once: one position in the order shared by all threads, or one per thread."),
    CHOICE(cursor_start, "access", "spread", cursor_starts,
           "Where cursors of one thread each begin: spread evenly over the files, or apart by thread_stride."),
    BYTES(thread_stride, "access", "0", 0, SIZE_HIGH,
          "With cursor_start=apart: thread i begins at i times so many bytes in its first file; 0 = all at the same "
          "place. What that has beyond whole steps shifts all that the thread touches."),
    CHOICE(direction, "access", "forward", directions,
           "Sequential modes: from the first block to the last, or the same places from the last to the first."),
    BYTES(step, "access", "0", 0, SIZE_HIGH,
          "Sequential modes: bytes from the start of one IO to the start of the next, and from the beginning when no "
          "block is left; 0 = the next one follows. With random_percent the same for IOs that follow."),
    REAL(random_percent, "access", "100", 0, 100,
         "Random modes: percent of the IOs that are random; the others follow their thread's one before in that file."),
    CHOICE(
        file_choice, "access", "all", file_choices,
        "Which file an IO goes to: all (any of them; sequential: one after the other), turn (each thread visits them "
        "in turn), own (thread i works on file i mod files alone)."),
    BYTES(start, "access", "0", 0, SIZE_HIGH, "Where in each target the part that is used begins, in bytes."),
    COUNT(stripe_blocks, "access", "0", 0, MANY,
          "Sequential modes: blocks from the start of one IO to the next, as SQLIO's -f; 0 = the next block follows. "
          "Threads with a cursor of their own share the blocks of a stripe among them."),
    COUNT(stripe_rows, "access", "64", 1, MANY,
          "With stripe_blocks: IOs before the pattern starts over one block later, as SQLIO's -i."),
    COUNT(merge_blocks, "access", "1", 1, 0x1p30,
          "Sequential modes: blocks in one IO, at most; an IO ends with its file."),
    BYTES(align, "access", "0", 0, SIZE_HIGH, "Random offsets are multiples of so many bytes; 0 = the block size."),
    CHOICE(
        coverage, "access", "any", coverages,
        "Uniform random offsets: any place each time, or each place once before any comes again, in a new order each "
        "pass."),
    COUNT(passes, "access", "0", 0, MANY,
          "Sequential modes, or coverage=once: times to go over all files before the run ends; 0 = no limit."),

    CHOICE(distribution, "random", "uniform", distributions,
           "How random offsets spread over the files, or random rows over a table."),
    COUNT(special_iterations, "random", "12", 1, 1000, "Distribution special: random numbers summed for one offset."),
    COUNT(special_percent, "random", "1", 1, 100, "Distribution special: percent of the blocks that are special."),
    COUNT(special_result_percent, "random", "75", 0, 100,
          "Distribution special: percent of the IOs that go to special blocks."),
    COUNT(gaussian_iterations, "random", "12", 1, 1000,
          "Distribution gaussian: random numbers summed for one offset; more make the peak narrower."),
    REAL(pareto_h, "random", "0.2", 0.0001, 0.9999,
         "Distribution pareto: share h of the blocks that gets the share 1 - h of the IOs."),
    REAL(zipfian_exponent, "random", "0.8", 0.01, 10,
         "Distribution zipfian: exponent; larger makes hot blocks hotter."),
    COUNT(seed, "random", "0", 0, INT64_HIGH,
          "Seed of the random numbers; 0 = drawn from the clock, and the result holds the one used."),

    TEXT(engine, "path", "auto", engines,
         "IO engine: sync (pread, ReadFile), uring (Linux io_uring), iocp (Windows completion ports), uv (thread "
         "pool), mmap; auto = the best for the queue depth."),
    COUNT(depth, "path", "1", 1, 4096, "Queue depth: IOs that each thread keeps in flight."),
    CHOICE(cache, "path", "on", caches, "OS page cache; off = O_DIRECT or FILE_FLAG_NO_BUFFERING."),
    CHOICE(through, "path", "off", throughs,
           "Write-through per IO: data (O_DSYNC), full (O_SYNC); both are FILE_FLAG_WRITE_THROUGH on Windows."),
    BOOL(drop_cache, "path", "off",
         "Start cold: drop the files' pages from the OS cache before the run (with cache=on)."),
    CHOICE(sync_kind, "path", "fsync", sync_kinds,
           "Call that makes writes durable: fsync or fdatasync; FlushFileBuffers or its data-only form on Windows."),
    COUNT(sync_every, "path", "0", 0, MANY,
          "Sync all files after every so many IOs, as sync_counts counts them; 0 = never."),
    CHOICE(sync_counts, "path", "writes", sync_counts, "What sync_every counts: writes, or requests (reads too)."),
    BOOL(sync_each_write, "path", "off", "Sync after each write; the durable write's latency covers both."),
    BOOL(sync_at_end, "path", "on",
         "Sync every file that was written when the load ends; its time counts in the elapsed time."),
    BOOL(close_at_end, "path", "off",
         "Close every file when the load and the syncs at the end are done; its time counts in the elapsed time, with "
         "that of those syncs."),
    BOOL(count_syncs, "path", "off",
         "Periodic syncs are events too: they use up events and are in the latency of all events."),

    TEXT(db_driver, "database", "sqlite", db_drivers,
         "The database: sqlite (a file, no server), mysql (MySQL and MariaDB) or pgsql (PostgreSQL)."),
    PATH(db_file, "database", "isobench.sqlite", "FILE", "sqlite: the database's file."),
    TEXT(db_host, "database", "localhost", NULL,
         "Hosts of the server, separated by commas; connections are dealt to them in turn."),
    TEXT(db_port, "database", "", NULL, "Ports, separated by commas and dealt in turn; empty = 3306 or 5432."),
    PATH(db_socket, "database", "", "FILE",
         "Unix sockets (on Windows named pipes) of the server, separated by commas; empty = by host and port."),
    CHOICE(
        db_protocol, "database", "auto", db_protocols,
        "The way to the server: tcp, socket, pipe (Windows); auto = the socket if one is named, else what the client "
        "library picks for the host."),
    TEXT(db_user, "database", "sbtest", NULL, "User to log in as."),
    TEXT(db_name, "database", "sbtest", NULL, "Database (schema) that holds the tables."),
    PATH(db_defaults_file, "database", "", "FILE", "mysql: option file to read, such as ~/.my.cnf; empty = none."),
    TEXT(db_defaults_group, "database", "client", NULL, "mysql: the option file's group to read."),
    CHOICE(db_tls, "database", "preferred", db_tls_modes,
           "TLS: off, preferred (if the server has it), required, verify-ca, verify-identity (its name too)."),
    PATH(db_tls_ca, "database", "", "FILE", "TLS: file of the certificate authority that signed the server's."),
    PATH(db_tls_cert, "database", "", "FILE", "TLS: file of the client's certificate."),
    PATH(db_tls_key, "database", "", "FILE", "TLS: file of the client's key."),
    TEXT(db_tls_cipher, "database", "", NULL, "TLS: ciphers that may be used; empty = the library's choice."),
    BOOL(db_compression, "database", "off", "mysql: compress what goes over the connection."),
    CHOICE(db_statements, "database", "prepared", db_statement_kinds,
           "Statements are sent as text, or prepared once per connection and executed with values."),
    TIME(db_connect_timeout, "database", "10", 1, NULL, "Seconds that one try to connect may take."),
    TIME(db_answer_timeout, "database", "0", 0, NULL,
         "mysql: whole seconds of silence in a statement after which the connection counts as lost; 0 = none do."),
    TEXT(retry_errors, "database", "auto", NULL,
         "Server errors after which a transaction is tried again from its start: codes separated by commas, all, or "
         "auto = deadlocks, lock waits, serialization failures and, with pgsql, unique violations."),
    TIME(reconnect_on_loss, "database", "0", 0, NULL,
         "Seconds to try again when a connection is lost during the run; 0 = its loss ends the run."),
    CHOICE(sqlite_journal, "database", "wal", sqlite_journals, "sqlite: journal mode."),
    CHOICE(sqlite_synchronous, "database", "full", sqlite_synchronouses,
           "sqlite: what a commit waits for; with wal, full syncs at every commit and normal only at checkpoints."),
    TIME(sqlite_busy_timeout, "database", "5", 0, NULL, "sqlite: seconds to wait for another connection's lock."),

    TEXT(workload, "workload", "oltp_read_write", workloads,
         "What one transaction does; script = a statement that mysqlslap or query brought along."),
    TEXT(table_name, "workload", "sbtest", NULL, "Start of the tables' names: <name>1, <name>2 and so on."),
    CHOICE(table_form, "workload", "1.0", table_forms,
           "Tables as sysbench 1.0 makes them, or the one table of 0.4, which has no number."),
    COUNT(tables, "workload", "1", 1, 100000, "Number of tables."),
    COUNT(table_size, "workload", "10000", 1, 4e9, "Rows of each table."),
    TEXT(table_engine, "workload", "innodb", NULL, "mysql: storage engine of the tables."),
    TEXT(table_options, "workload", "", NULL, "More options for CREATE TABLE, as the server takes them."),
    BOOL(auto_inc, "workload", "on", "The primary key is given by the server; off = by isobench."),
    BOOL(secondary, "workload", "off", "A plain index on the id column instead of a primary key."),
    BOOL(create_secondary, "workload", "on", "prepare also makes an index on the column k."),
    COUNT(point_selects, "workload", "10", 0, 100000, "Rows read by their id in one transaction."),
    COUNT(simple_ranges, "workload", "1", 0, 100000, "Ranges read in one transaction."),
    COUNT(sum_ranges, "workload", "1", 0, 100000, "Ranges summed in one transaction."),
    COUNT(order_ranges, "workload", "1", 0, 100000, "Ranges read in order in one transaction."),
    COUNT(distinct_ranges, "workload", "1", 0, 100000, "Ranges read in order without duplicates in one transaction."),
    BOOL(range_selects, "workload", "on", "off = none of the four kinds of ranges."),
    COUNT(range_size, "workload", "100", 1, 4e9, "Rows of one range."),
    COUNT(index_updates, "workload", "1", 0, 100000, "Updates of the indexed column k in one transaction."),
    COUNT(non_index_updates, "workload", "1", 0, 100000, "Updates of the column c in one transaction."),
    COUNT(delete_inserts, "workload", "1", 0, 100000, "Rows deleted and inserted again in one transaction."),
    BOOL(skip_trx, "workload", "off", "No BEGIN and COMMIT: each statement is a transaction of the server."),
    COUNT(random_points, "workload", "10", 1, 10000, "select_random_points: rows read by one statement."),
    COUNT(number_of_ranges, "workload", "10", 1, 10000, "select_random_ranges: ranges read by one statement."),
    COUNT(delta, "workload", "5", 1, 1e9, "select_random_ranges: width of each range."),
    COUNT(reconnect_every, "workload", "0", 0, MANY,
          "Transactions of a connection before it is closed and opened anew; 0 = never."),

    TEXT(replica, "replication", "", NULL,
         "mysql: replicas to watch during the run, as DSNs (host=NAME,port=N or mysql://USER@HOST:PORT) with spaces "
         "between; the option may be given several times."),
    TIME(heartbeat, "replication", "100ms", 0.001, NULL,
         "Time between two heartbeats, which are committed on the source and looked for on each replica."),
    TIME(replica_wait, "replication", "60", 0.001, NULL,
         "How long a replica may take to show the first heartbeat, and to catch up after the load."),
    TEXT(heartbeat_schema, "replication", "", NULL,
         "Database for the heartbeat's table, which is there already; empty = the run's (mysqlslap: one made for it)."),
    BOOL(verify_replica, "replication", "off",
         "After the run, compare the run's tables on source and replicas by checksums, as isobench verify does."),
    TEXT(find_lag_knee, "replication", "", NULL,
         "Search between two rates (LOW:HIGH, transactions per second) for the one at which a replica begins to fall "
         "behind; each is held for --time."),
    REAL(knee_precision, "replication", "10", 0.1, 100,
         "find_lag_knee ends when what keeps up and what does not lie so many percent apart."),

    COUNT(threads, "load", "1", 1, 100000, "Threads that work at the same time; with a database, its connections."),
    BYTES(stack_size, "load", "0", 0, REQUEST_HIGH, "Stack of each thread, in bytes; 0 = the system's default."),

    REAL(rate, "load", "0", 0, 1e9,
         "Events per second over all threads, open loop: latency counts from when an event was due; 0 = closed loop."),
    CHOICE(arrival, "load", "uniform", arrivals, "Open loop: events are due evenly, or at random (poisson)."),
    CHOICE(latency_from, "load", "due", latency_froms,
           "Open loop: latency counts from when an event was due, or (a mere brake) from its start."),
    TIME(think_time, "load", "0", 0, NULL, "Closed loop: seconds that a thread pauses after every burst of its IOs."),
    COUNT(burst, "load", "1", 1, MANY, "IOs of a thread between two pauses of think_time."),
    TEXT(cpus, "load", "", NULL,
         "CPUs that the threads are bound to in turn, such as 0-3,8; empty = the system moves them."),

    TIME(time, "stop", "10", 0, NULL, "Seconds that the load is measured; 0 = no limit."),
    COUNT(events, "stop", "0", 0, MANY,
          "Events (IOs, or transactions) over all threads after which the run ends; 0 = no limit."),
    TIME(warmup, "stop", "0", 0, NULL, "Seconds of load before measuring starts; they are in no figure."),
    TEXT(steady_state, "stop", "", NULL,
         "End the warm-up when this holds over 5 intervals, such as iops:5% or latency:10%; warmup is then its "
         "longest."),
    BOOL(stonewall, "stop", "off",
         "With passes: the measured part ends when the first thread has done its own; the others go on to their end, "
         "in no figure."),
    COUNT(repeat, "stop", "1", 1, 1000, "Runs, one after the other; the spread of each figure is given."),
    CHOICE(on_error, "stop", "stop", on_errors, "When an IO fails: stop the run, or count the failure and go on."),
    TIME(shutdown_grace, "stop", "none", 0, "none",
         "Seconds that IOs in flight may take after the time limit before the run is cut off; none = wait for them."),
    TIME(init_timeout, "stop", "30", 0.001, NULL,
         "Seconds that may pass without one more thread being ready to start."),

    TIME(report_interval, "reading", "0", 0, NULL,
         "Seconds between two lines of the time series; 0 = no lines, and the JSON has one each second."),
    TIME(sample, "reading", "0", 0, NULL,
         "Seconds between two samples of the whole machine, which the JSON gets: CPUs, memory, devices, network; 0 = "
         "none."),
    LIST(checkpoints, "reading", "", 0.001, SECONDS_HIGH, true,
         "Seconds after which a full report since the last one is given."),
    LIST(percentiles, "reading", "50,90,95,99,99.9,99.99", 0, 100, false,
         "Percentiles of latency to give, in percent."),
    REAL(interval_percentile, "reading", "95", 0, 100, "Percentile of latency in the lines of the time series."),
    BOOL(histogram, "reading", "off", "Print the latency histogram."),

    BOOL(verify, "verify", "off",
         "Blocks written carry their place, generation and checksum, and each block read is held against them; prepare "
         "the files with it."),
    PATH(
        ledger, "verify", "", "FILE",
        "With verify: the file that notes what was acknowledged as durable; empty = beside the test files. For a crash "
        "of the machine put it on another device."),
};

const size_t settings_count = COUNT_OF(settings);

/* ---- whom a setting concerns ---- */

static bool is_in(const char *group, const char *const *groups)
{
    while (*groups && strcmp(*groups, group) != 0)
        groups++;
    return *groups != NULL;
}

bool setting_concerns(const struct setting *setting, enum work work)
{
    static const char *const of_files[] = {"target", "access", "path", "verify", NULL};
    static const char *const of_databases[] = {"database", "workload", "replication", NULL};
    return !is_in(setting->group, work == WORK_FILES ? of_databases : of_files);
}

/* ---- bounds and refusals ---- */

/* One try to set a field; `field` is inside the job. */
struct attempt {
    const struct setting *setting;
    const char *shown, *text;
    struct error *error;
};

static bool refuse(const struct attempt *attempt, const char *why)
{
    return error_set(attempt->error, ERR_USAGE, "%s=%.80s: %s", attempt->shown, attempt->text, why);
}

static uint64_t whole_bound(double bound)
{
    return bound >= INT64_HIGH ? (uint64_t)INT64_MAX : (uint64_t)bound;
}

static uint64_t seconds_bound_ns(double seconds)
{
    return (uint64_t)(seconds * (double)NS_PER_S + 0.5);
}

static void bound_text(enum setting_type type, double bound, char *out, size_t out_bytes)
{
    if (type == SETTING_COUNT)
        snprintf(out, out_bytes, "%" PRIu64, whole_bound(bound));
    else if (type == SETTING_BYTES)
        units_bytes_exact(whole_bound(bound), out, out_bytes);
    else
        units_real_exact(bound, out, out_bytes);
}

static bool refuse_range(const struct attempt *attempt)
{
    const struct setting *setting = attempt->setting;
    char low[64], high[64], why[256];
    bound_text(setting->type, setting->low, low, sizeof low);
    bound_text(setting->type, setting->high, high, sizeof high);
    snprintf(why, sizeof why, "%smust be from %s to %s%s%s%s", setting->type == SETTING_LIST ? "each value " : "", low,
             high, setting->type == SETTING_TIME ? " seconds" : "", setting->none_text ? ", or " : "",
             setting->none_text ? setting->none_text : "");
    return refuse(attempt, why);
}

static bool take_whole(const struct attempt *attempt, uint64_t value, uint64_t low, uint64_t high, void *field)
{
    if (value < low || value > high)
        return refuse_range(attempt);
    memcpy(field, &value, sizeof value);
    return true;
}

static bool in_real_range(const struct setting *setting, double value)
{
    return value >= setting->low && value <= setting->high;
}

/* "one of a, b, c"; an empty choice stands for "not set" and is not offered. */
static bool refuse_choice(const struct attempt *attempt)
{
    char why[512] = "one of ";
    size_t used = strlen(why);
    for (const char *const *choice = attempt->setting->choices; *choice && used < sizeof why; choice++)
        if (**choice)
            used += (size_t)snprintf(why + used, sizeof why - used, "%s%s",
                                     choice == attempt->setting->choices ? "" : ", ", *choice);
    return refuse(attempt, why);
}

/* Index of `text` among the choices, or −1. */
static int choice_index(const char *const *choices, const char *text)
{
    for (int i = 0; choices[i]; i++)
        if (strcmp(choices[i], text) == 0)
            return i;
    return -1;
}

/* ---- one type after the other: set, get ---- */

static const struct {
    const char *text;
    bool value;
} bool_words[] = {{"on", true},   {"true", true},   {"yes", true}, {"1", true},
                  {"off", false}, {"false", false}, {"no", false}, {"0", false}};

static bool set_bool(const struct attempt *attempt, void *field)
{
    for (size_t i = 0; i < COUNT_OF(bool_words); i++)
        if (strcmp(bool_words[i].text, attempt->text) == 0) {
            memcpy(field, &bool_words[i].value, sizeof bool_words[i].value);
            return true;
        }
    return refuse(attempt, "must be on or off");
}

static void get_bool(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    (void)setting;
    snprintf(out, out_bytes, "%s", *(const bool *)field ? "on" : "off");
}

static bool set_count(const struct attempt *attempt, void *field)
{
    uint64_t value;
    if (units_parse_count(attempt->text, &value))
        return take_whole(attempt, value, whole_bound(attempt->setting->low), whole_bound(attempt->setting->high),
                          field);
    bool too_large = attempt->text[0] && attempt->text[strspn(attempt->text, "0123456789")] == '\0';
    return too_large ? refuse_range(attempt) : refuse(attempt, "not a whole number; give digits only, such as 100");
}

static void get_count(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    (void)setting;
    snprintf(out, out_bytes, "%" PRIu64, *(const uint64_t *)field);
}

static bool set_bytes(const struct attempt *attempt, void *field)
{
    uint64_t value;
    if (!units_parse_bytes(attempt->text, &value))
        return refuse(attempt, "not a size; give bytes or a number with K, M, G or T, such as 16K");
    return take_whole(attempt, value, whole_bound(attempt->setting->low), whole_bound(attempt->setting->high), field);
}

static void get_bytes(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    (void)setting;
    units_bytes_exact(*(const uint64_t *)field, out, out_bytes);
}

static bool set_time(const struct attempt *attempt, void *field)
{
    const struct setting *setting = attempt->setting;
    uint64_t value = NO_GRACE;
    if (setting->none_text && strcmp(attempt->text, setting->none_text) == 0)
        return take_whole(attempt, value, 0, value, field);
    if (!units_parse_time_ns(attempt->text, &value))
        return refuse(attempt, "not a time; give seconds or a number with ns, us, ms, s, m or h, such as 250ms");
    return take_whole(attempt, value, seconds_bound_ns(setting->low), seconds_bound_ns(setting->high), field);
}

static void get_time(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    uint64_t ns = *(const uint64_t *)field;
    if (setting->none_text && ns == NO_GRACE)
        snprintf(out, out_bytes, "%s", setting->none_text);
    else
        units_time_exact(ns, out, out_bytes);
}

static bool set_real(const struct attempt *attempt, void *field)
{
    double value;
    if (!units_parse_real(attempt->text, &value))
        return refuse(attempt, "not a number; give one such as 0.5");
    if (!in_real_range(attempt->setting, value))
        return refuse_range(attempt);
    value += 0.0; /* −0 becomes 0 */
    memcpy(field, &value, sizeof value);
    return true;
}

static void get_real(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    (void)setting;
    units_real_exact(*(const double *)field, out, out_bytes);
}

static_assert(sizeof(enum mode) == sizeof(int) && sizeof(enum os_cache) == sizeof(int), "choices are stored as int");

static bool set_choice(const struct attempt *attempt, void *field)
{
    int index = choice_index(attempt->setting->choices, attempt->text);
    if (index < 0)
        return refuse_choice(attempt);
    memcpy(field, &index, sizeof index);
    return true;
}

static void get_choice(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    int index;
    memcpy(&index, field, sizeof index);
    snprintf(out, out_bytes, "%s", setting->choices[index]);
}

static bool set_text(const struct attempt *attempt, void *field)
{
    const struct setting *setting = attempt->setting;
    size_t length = strlen(attempt->text);
    char why[96];
    if (setting->choices && choice_index(setting->choices, attempt->text) < 0)
        return refuse_choice(attempt);
    if (length >= setting->bytes) {
        snprintf(why, sizeof why, "too long with %zu bytes; at most %zu", length, setting->bytes - 1);
        return refuse(attempt, why);
    }
    memcpy(field, attempt->text, length + 1);
    return true;
}

static void get_text(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    (void)setting;
    snprintf(out, out_bytes, "%s", (const char *)field);
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_once_each(struct real_list *list)
{
    uint32_t kept = 0;
    qsort(list->values, list->count, sizeof list->values[0], compare_reals);
    for (uint32_t i = 0; i < list->count; i++)
        if (kept == 0 || list->values[i] > list->values[kept - 1])
            list->values[kept++] = list->values[i];
    list->count = kept;
}

static bool add_to_list(const struct attempt *attempt, const char *item, size_t length, struct real_list *list)
{
    char number[64];
    double value;
    if (list->count == LIST_MAX)
        return refuse(attempt, "too many values; at most 256");
    snprintf(number, sizeof number, "%.*s", length < sizeof number ? (int)length : 0, item);
    if (!units_parse_real(number, &value))
        return refuse(attempt, "not a list of numbers; separate them by commas, such as 50,99.9");
    if (!in_real_range(attempt->setting, value))
        return refuse_range(attempt);
    list->values[list->count++] = value + 0.0;
    return true;
}

static bool set_list(const struct attempt *attempt, void *field)
{
    struct real_list list = {0};
    for (const char *item = attempt->text; *item;) {
        size_t length = strcspn(item, ",");
        if (!add_to_list(attempt, item, length, &list))
            return false;
        item += length;
        if (*item == ',' && *++item == '\0')
            return refuse(attempt, "ends in a comma; a number is missing");
    }
    if (attempt->setting->ascending)
        sort_once_each(&list);
    memcpy(field, &list, sizeof list);
    return true;
}

static void get_list(const struct setting *setting, const void *field, char *out, size_t out_bytes)
{
    const struct real_list *list = field;
    size_t used = 0;
    char number[64];
    (void)setting;
    out[0] = '\0';
    for (uint32_t i = 0; i < list->count; i++) {
        units_real_exact(list->values[i], number, sizeof number);
        if (used + strlen(number) + 2 > out_bytes)
            return;
        used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", i ? "," : "", number);
    }
}

static const struct {
    bool (*set)(const struct attempt *attempt, void *field);
    void (*get)(const struct setting *setting, const void *field, char *out, size_t out_bytes);
} types[] = {
    [SETTING_BOOL] = {set_bool, get_bool},    [SETTING_COUNT] = {set_count, get_count},
    [SETTING_BYTES] = {set_bytes, get_bytes}, [SETTING_TIME] = {set_time, get_time},
    [SETTING_REAL] = {set_real, get_real},    [SETTING_CHOICE] = {set_choice, get_choice},
    [SETTING_TEXT] = {set_text, get_text},    [SETTING_LIST] = {set_list, get_list},
};

bool job_set(struct job *job, const struct setting *setting, const char *shown, const char *text, struct error *error)
{
    struct attempt attempt = {setting, shown, text, error};
    return types[setting->type].set(&attempt, (char *)job + setting->offset);
}

void job_get(const struct job *job, const struct setting *setting, char *out, size_t out_bytes)
{
    types[setting->type].get(setting, (const char *)job + setting->offset, out, out_bytes);
}

void job_init(struct job *job)
{
    memset(job, 0, sizeof *job);
    for (size_t i = 0; i < settings_count; i++) {
        struct error error = ERROR_INIT;
        bool ok = job_set(job, &settings[i], settings[i].name, settings[i].fallback, &error);
        assert(ok);
        (void)ok;
    }
}

static bool lists_equal(const struct real_list *a, const struct real_list *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (compare_reals(&a->values[i], &b->values[i]) != 0)
            return false;
    return true;
}

bool setting_equal(const struct job *a, const struct job *b, const struct setting *setting)
{
    const char *left = (const char *)a + setting->offset, *right = (const char *)b + setting->offset;
    if (setting->type == SETTING_TEXT)
        return strcmp(left, right) == 0;
    if (setting->type == SETTING_LIST)
        return lists_equal((const void *)left, (const void *)right);
    return memcmp(left, right, setting->bytes) == 0;
}

/* ---- names ---- */

static char name_char(char c)
{
    return (char)(c == '-' ? '_' : c);
}

static bool same_name(const char *a, const char *b)
{
    while (*a && name_char(*a) == name_char(*b))
        a++, b++;
    return *a == *b;
}

const struct setting *setting_find(const char *name)
{
    for (size_t i = 0; i < settings_count; i++)
        if (same_name(settings[i].name, name))
            return &settings[i];
    return NULL;
}

#define NAME_LONGEST 40

/* Letters to insert, remove or change to make b of a (Levenshtein's distance, one row at a time).
 * b is at most NAME_LONGEST long. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[NAME_LONGEST + 1], b_length = strlen(b);
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t change = diagonal + (name_char(a[i - 1]) != name_char(b[j - 1]));
            size_t step = (row[j - 1] < row[j] ? row[j - 1] : row[j]) + 1;
            diagonal = row[j];
            row[j] = change < step ? change : step;
        }
    }
    return row[b_length];
}

void setting_option_name(const struct setting *setting, char *out, size_t out_bytes)
{
    snprintf(out, out_bytes, "--%s", setting->name);
    for (char *at = out + 2; *at; ++at) {
        if (*at == '_')
            *at = '-';
    }
}

const struct setting *setting_closest(const char *name)
{
    const struct setting *closest = NULL;
    size_t limit = strlen(name) / 4 + 1; /* one letter in four may be wrong, and one more */
    if (strlen(name) > NAME_LONGEST)
        return NULL;
    for (size_t i = 0; i < settings_count; i++) {
        size_t distance = edit_distance(settings[i].name, name);
        if (distance > limit || (closest && distance == limit))
            continue;
        closest = &settings[i];
        limit = distance;
    }
    return closest;
}
