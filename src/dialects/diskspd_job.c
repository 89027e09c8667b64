/* diskspd_job.c: what is given to one job for each target. DiskSpd's ways: every target has threads of its own, which
 * begin at the same place each and do not look at one another; files of -c are written before they are loaded. */
#include "dialects/diskspd.h"

#include "core/settings.h"
#include "dialects/phrases.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <string.h>

struct making {
    const struct diskspd_given *given;
    struct job *job;
    struct error *error;
};

static bool refuse(const struct making *making, const char *sentence)
{
    return error_set(making->error, ERR_USAGE, "%s", sentence);
}

/* ---- options that exclude each other ---- */

static bool check_threads(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    if (given->all_threads > 0 && given->threads_given)
        return refuse(making, "-F and -t exclude each other: -t gives threads to each target, -F to all of them");
    if (given->all_outstanding > 0 && given->all_threads == 0)
        return refuse(making, "-O goes with -F; with -t, -o gives the IOs in flight");
    if (given->all_outstanding > 0 && given->target_count > 1)
        return error_set(making->error, ERR_UNSUPPORTED,
                         "-O over several targets is not supported: each target has its own IOs in flight; use -o");
    if (given->all_outstanding > 0 && (given->rate > 0 || given->think_ms > 0))
        return refuse(making, "-O goes neither with -g nor with -j: use -o");
    if (given->unbound && given->cpu_count > 0)
        return refuse(making, "-n and -a exclude each other: bind the threads, or do not");
    return true;
}

static bool check_order(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    bool random = given->random || given->mixed;
    uint64_t threads = given->all_threads ? given->all_threads : given->threads;
    if (given->thread_stride_bytes > 0 && random)
        return refuse(making, "-T is for sequential IO: leave out -T or -r");
    if (given->thread_stride_bytes > 0 && given->interlocked)
        return refuse(making, "-T and -si exclude each other: with -si the threads share one position");
    if (given->thread_stride_bytes > 0 && threads == 1)
        return refuse(making, "-T needs several threads of a target, such as -t2");
    return true;
}

static bool check_rest(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    if ((given->burst > 0) != (given->think_ms > 0))
        return refuse(making, "-i and -j go together: IOs of a burst, and milliseconds between two bursts");
    if (given->end_bytes > 0 && given->range_bytes > 0)
        return refuse(making, "-f and the length in -B exclude each other: both say where the part used ends");
    if (given->buffer_bytes > 0 && given->buffer_bytes < given->block_bytes)
        return refuse(making, "-Z: the buffer with random data must not be smaller than the block of -b");
    return true;
}

/* ---- targets ---- */

/* "#1" and "D:" are devices; `out` is how the system calls them. */
static bool name_target(const struct making *making, const char *name)
{
    char *out = making->job->target;
    size_t room = sizeof(making->job->target), length = strlen(name);
    const char *number = name + 1;
    if (length == 0 || length >= room - 32 || strchr(name, ','))
        return error_set(making->error, ERR_USAGE,
                         "the target '%.300s' is not valid: it must have 1 to %zu bytes and "
                         "no comma",
                         name, room - 33);
    if (*name == '#' && *number && number[strspn(number, "0123456789")] == '\0')
        snprintf(out, room, "\\\\.\\PhysicalDrive%s", number);
    else if (length == 2 && name[1] == ':' && (name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z')
        snprintf(out, room, "\\\\.\\%s", name);
    else
        snprintf(out, room, "%s", name);
    return true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The part of the target that is used; 0 = up to its end. */
static bool make_range(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    uint64_t end = least(given->end_bytes, given->create_bytes); /* each at most 2^60 */
    if (given->range_bytes > 0)
        end = least(end, given->base_bytes + given->range_bytes);
    making->job->start_bytes = given->base_bytes;
    if (end == 0) {
        making->job->total_size_bytes = 0;
        return true;
    }
    if (end < given->base_bytes + given->block_bytes)
        return error_set(making->error, ERR_USAGE,
                         "-c, -f or -B leave no room: the part used must hold a block of %" PRIu64 " bytes",
                         given->block_bytes);
    making->job->total_size_bytes = end - given->base_bytes;
    return true;
}

/* ---- settings ---- */

static enum mode mode_of(const struct diskspd_given *given)
{
    static const enum mode modes[2][3] = {{MODE_SEQRD, MODE_SEQRW, MODE_SEQREWR}, {MODE_RNDRD, MODE_RNDRW, MODE_RNDWR}};
    bool random = given->random || given->mixed;
    return modes[random][given->write_percent == 0 ? 0 : given->write_percent < 100 ? 1 : 2];
}

/* -rs: the alignment is also the step from one IO of a run to the next, and all IOs of a run read, or all write. */
static void make_runs(struct job *job)
{
    job->step_bytes = job->align_bytes;
    job->mix = job->mode == MODE_RNDRW ? MIX_RUNS : MIX_RANDOM;
}

static void make_order(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    struct job *job = making->job;
    bool random = given->random || given->mixed;
    job->mode = mode_of(given);
    if (given->write_percent > 0 && given->write_percent < 100)
        job->read_percent = (double)(100 - given->write_percent);
    job->align_bytes = given->align_bytes == given->block_bytes ? 0 : given->align_bytes;
    job->random_percent = (double)given->random_percent;
    job->step_bytes = given->stride_bytes == given->block_bytes ? 0 : given->stride_bytes;
    if (given->random_percent < 100)
        make_runs(job);
    if (random || job->threads == 1)
        return; /* nothing to share */
    job->cursor = given->interlocked ? CURSOR_SHARED : CURSOR_THREAD;
    if (given->interlocked)
        return;
    job->cursor_start = CURSORS_APART;
    job->thread_stride_bytes = given->thread_stride_bytes;
}

static void make_load(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    struct job *job = making->job;
    job->threads = given->all_threads ? given->all_threads : given->threads;
    job->depth = given->all_outstanding ? given->all_outstanding : given->outstanding;
    if (given->rate > 0) {
        double each =
            given->rate_in_ios ? (double)given->rate : (double)given->rate * 1000 / (double)given->block_bytes;
        job->rate = each * (double)job->threads;
        job->latency_from = LATENCY_FROM_START; /* -g is a brake: what an IO waits for its turn is no latency */
    }
    if (given->burst > 0) {
        job->burst = given->burst;
        job->think_time_ns = given->think_ms * NS_PER_MS;
    }
}

/* 0,1,2,5 becomes "0-2,5". */
static bool make_cpus(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    char *out = making->job->cpus;
    size_t used = 0, room = sizeof(making->job->cpus);
    for (size_t i = 0, next; i < given->cpu_count && used < room; i = next) {
        for (next = i + 1; next < given->cpu_count && given->cpus[next] == given->cpus[next - 1] + 1;)
            ++next;
        unsigned first = given->cpus[i], last = given->cpus[next - 1];
        used +=
            (size_t)snprintf(out + used, room - used, last > first ? "%s%u-%u" : "%s%u", i > 0 ? "," : "", first, last);
    }
    return used < room || error_set(making->error, ERR_UNSUPPORTED,
                                    "-a is not supported so: the list of CPUs is too long, as it has many gaps");
}

static void make_path(const struct making *making)
{
    const struct diskspd_given *given = making->given;
    struct job *job = making->job;
    job->cache = given->uncached ? OS_CACHE_OFF : OS_CACHE_ON;
    job->through = given->through ? WRITE_THROUGH_DATA : WRITE_THROUGH_OFF;
    if (given->mapped) {
        snprintf(job->engine, sizeof(job->engine), "mmap");
        job->depth = 1; /* a copy has ended before the next begins, whatever -o says */
    }
    job->sync_at_end = false;
}

/* With -L the percentiles of its table. */
static void make_figures(const struct making *making)
{
    static const double percentiles[] = {25,    50,     75,      90,       95,        99,        99.9,
                                         99.99, 99.999, 99.9999, 99.99999, 99.999999, 99.9999999};
    const struct diskspd_given *given = making->given;
    struct job *job = making->job;
    job->time_ns = given->duration_s * NS_PER_S;
    job->warmup_ns = given->warmup_s * NS_PER_S;
    job->histogram = given->latency;
    job->percentiles.count = 0;
    for (size_t i = 0; given->latency && i < COUNT_OF(percentiles); ++i)
        job->percentiles.values[job->percentiles.count++] = percentiles[i];
    if (given->interval)
        job->report_interval_ns = given->interval_ms * NS_PER_MS;
    else if (given->dot_every > 0)
        job->report_interval_ns = NS_PER_S;
}

static bool check_job(const struct making *making)
{
    static const struct phrase phrases[] = {
        {"--block-size", "-b"},    {"--threads", "-t"}, {"--start", "-B"},           {"--total-size", "-c or -f"},
        {"--cache=off", "-Su"},    {"--cpus", "-a"},    {"--depth", "-o"},           {"--align", "-r"},
        {"--thread-stride", "-T"}, {"--step", "-s"},    {"--random-percent", "-rs"}, {"--rate", "-g"},
        {"--think-time", "-j"},    {"--burst", "-i"},   {"--report-interval", "-D"}, {"--engine=mmap", "-Sm"},
        {"--through", "-Sw"}};
    return phrases_check_job(phrases, COUNT_OF(phrases), making->job, true, making->error);
}

bool diskspd_job_make(const struct diskspd_given *given, size_t index, struct job *job, struct error *error)
{
    struct making making = {given, job, error};
    job_init(job);
    if (!check_threads(&making) || !check_order(&making) || !check_rest(&making))
        return false;
    job->block_size_bytes = given->block_bytes;
    job->data = given->data;
    job->seed = given->seed;
    make_load(&making);
    make_order(&making);
    make_path(&making);
    make_figures(&making);
    return make_cpus(&making) && name_target(&making, given->targets[index]) && make_range(&making) &&
           check_job(&making);
}
