/* core/job.c: what modes do, and the relations between settings that make a job possible. */
#include "core/job.h"

#include "core/cpu_list.h"
#include "core/settings.h"
#include "core/steady.h"
#include "core/units.h"
#include "platform/clock.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REQUEST_BYTES_MAX (UINT64_C(1) << 30)
#define SECTOR_BYTES 512 /* no device has smaller ones; the device's own alignment is checked when files are open */
#define VERIFY_BLOCK_LEAST_BYTES 64
#define REPORT_INTERVAL_LEAST_NS (10 * NS_PER_MS)
#define SAMPLE_LEAST_NS (100 * NS_PER_MS)

bool mode_reads(enum mode mode)
{
    return mode == MODE_SEQRD || mode == MODE_SEQRW || mode == MODE_RNDRD || mode == MODE_RNDRW;
}

bool mode_writes(enum mode mode)
{
    return mode == MODE_SEQWR || mode == MODE_SEQREWR || mode == MODE_SEQRW || mode == MODE_RNDWR || mode == MODE_RNDRW;
}

bool mode_is_sequential(enum mode mode)
{
    return mode == MODE_SEQWR || mode == MODE_SEQREWR || mode == MODE_SEQRD || mode == MODE_SEQRW;
}

static bool check_names(const struct job *job, struct error *error)
{
    if (job->dir[0] == '\0')
        return error_set(error, ERR_USAGE, "--dir is empty: name a directory; . is the current one");
    if (job->file_name[0] == '\0')
        return error_set(error, ERR_USAGE, "--file-name is empty: give the start of the test files' names");
    if (strpbrk(job->file_name, "/\\"))
        return error_set(error, ERR_USAGE, "--file-name=%s: a name without / and \\; --dir gives the directory",
                         job->file_name);
    return true;
}

static bool check_sizes(const struct job *job, struct error *error)
{
    char total[32], block[32];
    if (job->files < 1)
        return error_set(error, ERR_USAGE, "--files=0: must be at least 1");
    if (job->block_size_bytes < 1)
        return error_set(error, ERR_USAGE, "--block-size=0: must be at least 1");
    uint64_t file_bytes = job->total_size_bytes / job->files;
    if (file_bytes >= job->block_size_bytes || (job->target[0] && job->total_size_bytes == 0))
        return true;
    return error_set(error, ERR_USAGE,
                     "--total-size=%s over --files=%" PRIu64 " leaves %" PRIu64
                     " bytes per file, less than one --block-size=%s",
                     units_bytes_exact(job->total_size_bytes, total, sizeof total), job->files, file_bytes,
                     units_bytes_exact(job->block_size_bytes, block, sizeof block));
}

static bool check_request(const struct job *job, struct error *error)
{
    char block[32];
    if (job->merge_blocks <= REQUEST_BYTES_MAX / job->block_size_bytes)
        return true;
    return error_set(error, ERR_USAGE,
                     "--merge-blocks=%" PRIu64 " times --block-size=%s is more than 1G, the largest IO",
                     job->merge_blocks, units_bytes_exact(job->block_size_bytes, block, sizeof block));
}

/* With the targets' sizes not known yet the check is made again when they are. */
static bool knows_size(const struct job *job)
{
    return !job->target[0] || job->total_size_bytes > 0;
}

static bool check_apart_from(const char *option, uint64_t bytes, const struct job *job, struct error *error)
{
    char text[32], file[32];
    uint64_t file_bytes = job->total_size_bytes / job->files;
    if (bytes <= file_bytes || !knows_size(job))
        return true;
    return error_set(error, ERR_USAGE, "%s=%s is more than a file has (%s): every IO would be at offset 0", option,
                     units_bytes_exact(bytes, text, sizeof text), units_bytes_exact(file_bytes, file, sizeof file));
}

static bool check_align(const struct job *job, struct error *error)
{
    return check_apart_from("--align", job->align_bytes, job, error) &&
           check_apart_from("--step", job->step_bytes, job, error);
}

static bool check_start(const struct job *job, struct error *error)
{
    char start[32];
    if (job->start_bytes == 0 || job->target[0])
        return true;
    return error_set(error, ERR_USAGE, "--start=%s is for a --target: a set of files is used from its beginning",
                     units_bytes_exact(job->start_bytes, start, sizeof start));
}

static uint64_t targets_in(const struct job *job)
{
    uint64_t count = 1;
    if (job->target[0] == '\0')
        return job->files;
    for (const char *at = job->target; *at; at++)
        count += *at == ',';
    return count;
}

static bool check_file_choice(const struct job *job, struct error *error)
{
    uint64_t files = targets_in(job);
    if (job->file_choice != FILES_OWN || job->threads >= files)
        return true;
    return error_set(error, ERR_USAGE,
                     "--file-choice=own with --threads=%" PRIu64 " leaves files without a thread: there are %" PRIu64,
                     job->threads, files);
}

/* Threads at one file. */
static uint64_t crew(const struct job *job)
{
    uint64_t files = targets_in(job);
    return job->file_choice == FILES_OWN ? (job->threads + files - 1) / files : job->threads;
}

static bool check_stripe(const struct job *job, struct error *error)
{
    uint64_t blocks = job->total_size_bytes / targets_in(job) / job->block_size_bytes;
    if (job->stripe_blocks == 0)
        return true;
    if (job->mode != MODE_UNSET && !mode_is_sequential(job->mode))
        return error_set(error, ERR_USAGE, "--stripe-blocks=%" PRIu64 ": only sequential modes have stripes",
                         job->stripe_blocks);
    if (job->merge_blocks != 1)
        return error_set(error, ERR_USAGE, "--stripe-blocks and --merge-blocks exclude each other: set one");
    if (targets_in(job) > 1 && job->file_choice == FILES_ALL)
        return error_set(error, ERR_USAGE, "--stripe-blocks over several files needs --file-choice=turn or own");
    if (job->cursor == CURSOR_THREAD && job->stripe_blocks < crew(job))
        return error_set(error, ERR_USAGE,
                         "--stripe-blocks=%" PRIu64 " over %" PRIu64 " threads: each needs a block of the stripe",
                         job->stripe_blocks, crew(job));
    if (job->total_size_bytes == 0 || blocks / job->stripe_blocks >= job->stripe_rows)
        return true;
    return error_set(error, ERR_USAGE,
                     "--stripe-blocks=%" PRIu64 " times --stripe-rows=%" PRIu64 " is more than the %" PRIu64
                     " blocks of each file",
                     job->stripe_blocks, job->stripe_rows, blocks);
}

/* The mode as the user wrote it. */
static const char *mode_text(const struct job *job, char *out, size_t out_bytes)
{
    job_get(job, setting_find("mode"), out, out_bytes);
    return out;
}

static bool is_random(const struct job *job)
{
    return job->mode != MODE_UNSET && !mode_is_sequential(job->mode);
}

static bool is_sequential(const struct job *job)
{
    return job->mode != MODE_UNSET && mode_is_sequential(job->mode);
}

static bool check_direction(const struct job *job, struct error *error)
{
    char mode[32];
    if (job->direction == DIRECTION_FORWARD)
        return true;
    if (is_random(job))
        return error_set(error, ERR_USAGE,
                         "--direction=backward with --mode=%s: only sequential modes have a direction",
                         mode_text(job, mode, sizeof mode));
    if (job->stripe_blocks > 0)
        return error_set(error, ERR_USAGE, "--direction=backward and --stripe-blocks exclude each other: set one");
    return true;
}

static bool check_step(const struct job *job, struct error *error)
{
    char mode[32], step[32];
    units_bytes_exact(job->step_bytes, step, sizeof step);
    if (job->step_bytes == 0)
        return true;
    if (is_random(job) && job->random_percent >= 100)
        return error_set(error, ERR_USAGE,
                         "--step=%s with --mode=%s: only sequential modes have steps, and random ones with "
                         "--random-percent below 100",
                         step, mode_text(job, mode, sizeof mode));
    if (job->stripe_blocks > 0)
        return error_set(error, ERR_USAGE, "--step and --stripe-blocks exclude each other: set one");
    if (job->merge_blocks != 1)
        return error_set(error, ERR_USAGE, "--step and --merge-blocks exclude each other: set one");
    return true;
}

/* The last thread's first block must be in the file. */
static bool check_stride(const struct job *job, struct error *error)
{
    char stride[32], file[32];
    uint64_t file_bytes = job->total_size_bytes / targets_in(job), others = crew(job) - 1;
    uint64_t room_bytes = file_bytes / job->block_size_bytes * job->block_size_bytes;
    units_bytes_exact(job->thread_stride_bytes, stride, sizeof stride);
    if (job->thread_stride_bytes == 0)
        return true;
    if (job->cursor_start != CURSORS_APART)
        return error_set(error, ERR_USAGE, "--thread-stride=%s needs --cursor-start=apart", stride);
    if (!knows_size(job) || others == 0 || job->thread_stride_bytes <= (room_bytes - job->block_size_bytes) / others)
        return true;
    return error_set(error, ERR_USAGE,
                     "--thread-stride=%s: the last of %" PRIu64 " threads would begin behind the end of a file (%s)",
                     stride, others + 1, units_bytes_exact(file_bytes, file, sizeof file));
}

static bool check_cursor_start(const struct job *job, struct error *error)
{
    char mode[32];
    if (job->cursor_start == CURSORS_SPREAD)
        return true;
    if (is_random(job))
        return error_set(error, ERR_USAGE,
                         "--cursor-start=apart with --mode=%s: only sequential modes have cursors to start",
                         mode_text(job, mode, sizeof mode));
    if (job->cursor != CURSOR_THREAD)
        return error_set(error, ERR_USAGE,
                         "--cursor-start=apart with --cursor=shared: all threads share one start; use --cursor=thread");
    if (job->stripe_blocks > 0)
        return error_set(error, ERR_USAGE, "--cursor-start=apart and --stripe-blocks exclude each other: set one");
    return true;
}

static bool check_random_percent(const struct job *job, struct error *error)
{
    char mode[32];
    if (job->random_percent >= 100)
        return true;
    if (is_sequential(job))
        return error_set(error, ERR_USAGE,
                         "--random-percent=%g with --mode=%s: only random modes have random IOs; use rndrd, rndwr or "
                         "rndrw",
                         job->random_percent, mode_text(job, mode, sizeof mode));
    if (job->coverage == COVERAGE_ONCE)
        return error_set(error, ERR_USAGE,
                         "--random-percent=%g with --coverage=once: IOs that follow others come to places a second "
                         "time; leave out one",
                         job->random_percent);
    return true;
}

static bool check_mix(const struct job *job, struct error *error)
{
    bool reads_and_writes = mode_reads(job->mode) && mode_writes(job->mode);
    if (job->mix != MIX_RUNS || !reads_and_writes || (is_random(job) && job->random_percent < 100))
        return true;
    return error_set(error, ERR_USAGE,
                     "--mix=runs needs --mode=rndrw and --random-percent below 100: else no IO follows another");
}

static bool check_coverage(const struct job *job, struct error *error)
{
    char mode[32], distribution[32];
    if (job->coverage == COVERAGE_ANY)
        return true;
    if (is_sequential(job))
        return error_set(error, ERR_USAGE,
                         "--coverage=once with --mode=%s: sequential modes come to each place once anyway; leave out "
                         "--coverage",
                         mode_text(job, mode, sizeof mode));
    if (job->distribution == DIST_UNIFORM)
        return true;
    job_get(job, setting_find("distribution"), distribution, sizeof distribution);
    return error_set(error, ERR_USAGE,
                     "--coverage=once with --distribution=%s: places that come once each cannot be hotter than others; "
                     "use --distribution=uniform",
                     distribution);
}

static bool check_uncached_size(const char *option, uint64_t bytes, struct error *error)
{
    char text[32];
    if (bytes % SECTOR_BYTES == 0)
        return true;
    return error_set(error, ERR_USAGE, "%s=%s with --cache=off: must be a multiple of 512 bytes, the device's sector",
                     option, units_bytes_exact(bytes, text, sizeof text));
}

static bool check_uncached(const struct job *job, struct error *error)
{
    return job->cache == OS_CACHE_ON || (check_uncached_size("--block-size", job->block_size_bytes, error) &&
                                         check_uncached_size("--align", job->align_bytes, error) &&
                                         check_uncached_size("--step", job->step_bytes, error) &&
                                         check_uncached_size("--thread-stride", job->thread_stride_bytes, error) &&
                                         check_uncached_size("--start", job->start_bytes, error));
}

static bool check_engine(const struct job *job, struct error *error)
{
    bool is_mmap = strcmp(job->engine, "mmap") == 0;
    if (job->depth > 1 && (is_mmap || strcmp(job->engine, "sync") == 0))
        return error_set(error, ERR_USAGE,
                         "--engine=%s completes each IO before the next: its depth is 1; use auto, uring, iocp or uv "
                         "for --depth=%" PRIu64,
                         job->engine, job->depth);
    if (is_mmap && job->close_at_end)
        return error_set(error, ERR_USAGE,
                         "--engine=mmap keeps its maps when a file is closed: --close-at-end needs another engine");
    if (is_mmap && job->cache == OS_CACHE_OFF)
        return error_set(error, ERR_USAGE,
                         "--engine=mmap works in the OS cache: --cache=off needs auto, sync, uring, iocp or uv");
    if (is_mmap && job->through != WRITE_THROUGH_OFF)
        return error_set(error, ERR_USAGE,
                         "--engine=mmap: --through has no effect on mapped memory; use --sync-each-write or another "
                         "engine");
    return true;
}

static bool check_data(const struct job *job, struct error *error)
{
    if (job->compress_percent == 0 || job->data == DATA_RANDOM)
        return true;
    return error_set(error, ERR_USAGE,
                     "--compress-percent=%" PRIu64 " with --data=%s: only random data can be made less random; use "
                     "--data=random",
                     job->compress_percent, job->data == DATA_ZERO ? "zero" : "count-up");
}

static bool check_syncs(const struct job *job, struct error *error)
{
    if (!job->sync_each_write || job->sync_every == 0)
        return true;
    return error_set(error, ERR_USAGE, "--sync-each-write and --sync-every=%" PRIu64 " exclude each other: set one",
                     job->sync_every);
}

static bool check_whole_blocks(const char *option, uint64_t bytes, const struct job *job, struct error *error)
{
    char block[32], text[32];
    if (bytes % job->block_size_bytes == 0)
        return true;
    return error_set(error, ERR_USAGE,
                     "%s=%s: --verify knows whole blocks only, so it must be a multiple of --block-size=%s", option,
                     units_bytes_exact(bytes, text, sizeof text),
                     units_bytes_exact(job->block_size_bytes, block, sizeof block));
}

static bool check_verify(const struct job *job, struct error *error)
{
    char block[32];
    units_bytes_exact(job->block_size_bytes, block, sizeof block);
    if (!job->verify)
        return true;
    if (job->block_size_bytes < VERIFY_BLOCK_LEAST_BYTES)
        return error_set(error, ERR_USAGE, "--block-size=%s: --verify needs blocks of 64 bytes at least, for its stamp",
                         block);
    if (!check_whole_blocks("--align", job->align_bytes, job, error) ||
        !check_whole_blocks("--step", job->step_bytes, job, error) ||
        !check_whole_blocks("--thread-stride", job->thread_stride_bytes, job, error))
        return false;
    if (job->fill != FILL_WRITTEN)
        return error_set(error, ERR_USAGE, "--verify needs files with every block written: use --fill=written");
    if (job->target[0] && !job->ledger[0])
        return error_set(error, ERR_USAGE,
                         "--target with --verify: name the file that notes what is durable, with --ledger=FILE");
    return true;
}

static bool check_report_interval(const struct job *job, struct error *error)
{
    char interval[32];
    if (job->report_interval_ns == 0 || job->report_interval_ns >= REPORT_INTERVAL_LEAST_NS)
        return true;
    return error_set(error, ERR_USAGE, "--report-interval=%s: must be 0 (none) or at least 10ms",
                     units_time_exact(job->report_interval_ns, interval, sizeof interval));
}

/* Systems count a CPU's time in ticks of 10 ms: what is shorter than some of them would be noise. */
static bool check_sample(const struct job *job, struct error *error)
{
    char interval[32];
    if (job->sample_ns == 0 || job->sample_ns >= SAMPLE_LEAST_NS)
        return true;
    return error_set(error, ERR_USAGE, "--sample=%s: must be 0 (none) or at least 100ms",
                     units_time_exact(job->sample_ns, interval, sizeof interval));
}

static bool check_mode(const struct job *job, struct error *error)
{
    if (job->mode == MODE_UNSET)
        return error_set(error, ERR_USAGE,
                         "--mode is not set: give one of seqwr, seqrewr, seqrd, seqrw, rndrd, rndwr, rndrw");
    return true;
}

static bool check_stop(const struct job *job, struct error *error)
{
    if (job->time_ns == 0 && job->events == 0 && job->passes == 0)
        return error_set(error, ERR_USAGE, "nothing ends this run: set --time, --events or --passes");
    if (job->passes > 0 && !mode_is_sequential(job->mode) && job->coverage != COVERAGE_ONCE)
        return error_set(error, ERR_USAGE,
                         "--passes=%" PRIu64
                         ": only sequential modes have passes, and random ones with --coverage=once; "
                         "use --events or --time",
                         job->passes);
    return true;
}

static bool check_target(const struct job *job, struct error *error)
{
    if (job->target[0] == '\0' || job->mode != MODE_SEQWR || job->total_size_bytes > 0)
        return true;
    return error_set(error, ERR_USAGE,
                     "--mode=seqwr makes its files anew: say how long the --target is to be, with --total-size, or use "
                     "--mode=seqrewr");
}

static bool check_stonewall(const struct job *job, struct error *error)
{
    if (!job->stonewall)
        return true;
    if (job->passes == 0)
        return error_set(error, ERR_USAGE, "--stonewall needs --passes: it waits for the first thread that is through");
    if (job->warmup_ns > 0)
        return error_set(error, ERR_USAGE,
                         "--stonewall and --warmup exclude each other: passes begin with the first IO");
    return true;
}

static bool check_load(const struct job *job, struct error *error)
{
    if (job->rate > 0 && job->think_time_ns > 0)
        return error_set(error, ERR_USAGE,
                         "--rate says when events are due, so threads cannot pause: leave out --rate or --think-time");
    if (job->cpus[0] && cpu_list_count(job->cpus) == 0)
        return error_set(error, ERR_USAGE, "--cpus=%s: not a list of CPUs; give numbers and ranges such as 0-3,8",
                         job->cpus);
    return true;
}

static bool check_steady_state(const struct job *job, struct error *error)
{
    struct steady steady;
    if (job->steady_state[0] == '\0')
        return true;
    if (!steady_parse(job->steady_state, &steady))
        return error_set(error, ERR_USAGE, "--steady-state=%s: give iops or latency and a band, such as iops:5%%",
                         job->steady_state);
    if (job->warmup_ns == 0)
        return error_set(error, ERR_USAGE,
                         "--steady-state=%s needs --warmup, the longest time to wait for it, such as --warmup=60",
                         job->steady_state);
    return true;
}

typedef bool check(const struct job *job, struct error *error);

static bool check_work(const struct job *job, struct error *error)
{
    if (job->passes > 0 && job->work == WORK_DATABASE)
        return error_set(error, ERR_USAGE, "--passes=%" PRIu64 ": a database has none; use --events or --time",
                         job->passes);
    return true;
}

/* Names stand in SQL as they are. */
static bool is_plain_name(const char *name)
{
    for (const char *at = name; *at; at++) {
        bool is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_';
        if (!is_letter && (at == name || *at < '0' || *at > '9'))
            return false;
    }
    return true;
}

static bool check_table_names(const struct job *job, struct error *error)
{
    if (job->table_name[0] == '\0' || !is_plain_name(job->table_name))
        return error_set(error, ERR_USAGE,
                         "--table-name=%s: a name of letters, digits and _ that begins with no digit, such as sbtest",
                         job->table_name);
    if (!is_plain_name(job->table_engine))
        return error_set(error, ERR_USAGE, "--table-engine=%s: the name of a storage engine, such as innodb",
                         job->table_engine);
    return true;
}

static bool is_port(const char *text, size_t bytes)
{
    unsigned port = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        port = port < 65536 ? port * 10 + (unsigned)(text[i] - '0') : port;
    }
    return port > 0 && port < 65536;
}

/* A number of MySQL's or SQLite's, or five letters and digits: a SQLSTATE. */
static bool is_error_code(const char *text, size_t bytes)
{
    size_t digits = 0, capitals = 0;
    for (size_t i = 0; i < bytes; i++) {
        digits += text[i] >= '0' && text[i] <= '9';
        capitals += text[i] >= 'A' && text[i] <= 'Z';
    }
    return bytes > 0 && (digits == bytes || (bytes == 5 && digits + capitals == bytes));
}

/* Items have spaces before them, if any. */
static bool all_items(const char *list, bool (*is_right)(const char *text, size_t bytes))
{
    for (;;) {
        list += strspn(list, " ");
        size_t bytes = strcspn(list, ",");
        if (!is_right(list, bytes))
            return false;
        if (list[bytes] == '\0')
            return true;
        list += bytes + 1;
    }
}

static bool check_server_lists(const struct job *job, struct error *error)
{
    bool by_word = strcmp(job->retry_errors, "auto") == 0 || strcmp(job->retry_errors, "all") == 0;
    if (job->db_port[0] && !all_items(job->db_port, is_port))
        return error_set(error, ERR_USAGE, "--db-port=%s: a number from 1 to 65535, or several separated by commas",
                         job->db_port);
    if (!by_word && job->retry_errors[0] && !all_items(job->retry_errors, is_error_code))
        return error_set(error, ERR_USAGE,
                         "--retry-errors=%s: auto, all, or numbers such as 1213 (PostgreSQL: SQLSTATEs such as 40001) "
                         "separated by commas",
                         job->retry_errors);
    return true;
}

static bool check_own_ids(const struct job *job, struct error *error)
{
    if (!job->secondary || !job->auto_inc || strcmp(job->db_driver, "sqlite") != 0 ||
        strcmp(job->workload, "oltp_insert") != 0)
        return true;
    return error_set(error, ERR_USAGE,
                     "--secondary with oltp_insert: SQLite gives ids to a primary key alone; add --auto-inc=off");
}

bool job_knee_bounds(const struct job *job, double *low, double *high)
{
    char first[NAME_MAX_BYTES];
    const char *colon = strchr(job->find_lag_knee, ':');
    if (!colon)
        return false;
    snprintf(first, sizeof(first), "%.*s", (int)(colon - job->find_lag_knee), job->find_lag_knee);
    return units_parse_real(first, low) && units_parse_real(colon + 1, high) && *low > 0 && *low < *high &&
           *high <= 1e9;
}

static bool check_replicas(const struct job *job, struct error *error)
{
    const char *needs = job->find_lag_knee[0] ? "--find-lag-knee" : job->verify_replica ? "--verify-replica" : NULL;
    if (job->replica[0] == '\0')
        return !needs ||
               error_set(error, ERR_USAGE, "%s: say which replica to look at, with --replica=host=NAME,port=N", needs);
    if (strchr(job->db_host, ',') || strchr(job->db_port, ',') || strchr(job->db_socket, ','))
        return error_set(error, ERR_USAGE,
                         "--replica: the load goes to one source; give one --db-host, --db-port or --db-socket");
    return true;
}

#define KNEE_INTERVALS 8 /* a slope needs some points */

static bool check_knee(const struct job *job, struct error *error)
{
    double low, high;
    uint64_t interval_ns = job->report_interval_ns ? job->report_interval_ns : NS_PER_S;
    if (job->find_lag_knee[0] == '\0')
        return true;
    if (!job_knee_bounds(job, &low, &high))
        return error_set(error, ERR_USAGE,
                         "--find-lag-knee=%s: give the lowest and the highest rate in transactions per second, such "
                         "as 100:5000",
                         job->find_lag_knee);
    if (job->rate > 0 || job->repeat > 1 || job->events > 0)
        return error_set(error, ERR_USAGE, "--find-lag-knee sets the rate and repeats the run by itself: leave out %s",
                         job->rate > 0     ? "--rate"
                         : job->repeat > 1 ? "--repeat"
                                           : "--events");
    return job->time_ns >= KNEE_INTERVALS * interval_ns ||
           error_set(error, ERR_USAGE,
                     "--find-lag-knee: a slope needs at least %d intervals of --report-interval (1 s without) in each "
                     "--time",
                     KNEE_INTERVALS);
}

static bool check_ends(const struct job *job, struct error *error)
{
    return job->time_ns > 0 || job->events > 0 ||
           error_set(error, ERR_USAGE, "nothing ends this run: set --time or --events");
}

/* In this order: later ones divide by what earlier ones have looked at. */
static check *const common_checks[] = {check_report_interval, check_sample, check_load, check_steady_state};
static check *const file_checks[] = {
    check_names,        check_sizes,  check_request,        check_align,  check_uncached, check_engine,    check_data,
    check_syncs,        check_start,  check_file_choice,    check_stripe, check_verify,   check_direction, check_step,
    check_cursor_start, check_stride, check_random_percent, check_mix,    check_coverage};
static check *const file_run_checks[] = {check_mode, check_stop, check_target, check_stonewall};
static check *const database_checks[] = {check_work, check_table_names, check_server_lists, check_own_ids};
static check *const database_run_checks[] = {check_ends, check_replicas, check_knee};

static bool all_pass(check *const *checks, size_t count, const struct job *job, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!checks[i](job, error))
            return false;
    return true;
}

#define ALL_PASS(checks, job, error) all_pass(checks, COUNT_OF(checks), job, error)

bool job_check(const struct job *job, struct error *error)
{
    return ALL_PASS(common_checks, job, error) &&
           (job->work == WORK_FILES ? ALL_PASS(file_checks, job, error) : ALL_PASS(database_checks, job, error));
}

bool job_check_run(const struct job *job, struct error *error)
{
    return job_check(job, error) && (job->work == WORK_FILES ? ALL_PASS(file_run_checks, job, error)
                                                             : ALL_PASS(database_run_checks, job, error));
}
