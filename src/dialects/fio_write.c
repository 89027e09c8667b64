/* fio_write.c: a job as fio would say it, on one line. Where threads share files fio needs their names; where each has
 * its own, or there is one thread, its own way of naming them is left to it. */
#include "dialects/fio.h"

#include "core/settings.h"
#include "core/units.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct writing {
    const struct job *job, *plain; /* plain: what fio does when nothing is said */
    struct command *out;
    uint64_t clones;
    bool named; /* by filename= */
};

static bool is_random(const struct job *job)
{
    return !mode_is_sequential(job->mode);
}

static void add_bytes(const struct writing *writing, const char *key, uint64_t bytes)
{
    static const char *const prefixes[] = {"", "k", "m", "g", "t"};
    size_t step = 0;
    for (; bytes > 0 && bytes % 1024 == 0 && step + 1 < COUNT_OF(prefixes); ++step)
        bytes /= 1024;
    command_add(writing->out, "--%s=%" PRIu64 "%s", key, bytes, prefixes[step]);
}

/* Whole units of fio's, cut; what is cut shows when the line is read back. */
static void add_time(const struct writing *writing, const char *key, uint64_t ns)
{
    if (ns % NS_PER_S == 0)
        command_add(writing->out, "--%s=%" PRIu64 "s", key, ns / NS_PER_S);
    else
        command_add(writing->out, "--%s=%" PRIu64 "us", key, ns / (NS_PER_MS / 1000));
}

/* ---- files ---- */

/* A colon of a name is written as "\:". */
static void add_names(const struct writing *writing, const char *names)
{
    char out[2 * TEXT_MAX];
    size_t used = 0;
    for (const char *at = names; *at && used + 2 < sizeof(out); ++at) {
        if (*at == ':')
            out[used++] = '\\';
        out[used++] = (char)(*at == ',' ? ':' : *at);
    }
    out[used] = '\0';
    command_add(writing->out, "--filename=%s", out);
}

static void add_set_names(const struct writing *writing)
{
    const struct job *job = writing->job;
    char names[TEXT_MAX] = "";
    bool here = strcmp(job->dir, ".") == 0;
    size_t used = 0;
    for (uint64_t i = 0; i < job->files; ++i) {
        int bytes = snprintf(names + used, sizeof(names) - used, "%s%s%s%s.%" PRIu64, used ? "," : "",
                             here ? "" : job->dir, here ? "" : "/", job->file_name, i);
        if (bytes < 0 || (size_t)bytes >= sizeof(names) - used) {
            writing->out->full = true;
            return;
        }
        used += (size_t)bytes;
    }
    add_names(writing, names);
}

static void write_files(const struct writing *writing)
{
    const struct job *job = writing->job;
    static const char *const orders[] = {"random", "roundrobin", "roundrobin"};
    bool own = job->file_choice == FILES_OWN && job->files == job->threads && !job->target[0];
    uint64_t each = own ? job->total_size_bytes / job->files : job->total_size_bytes;
    bool several = job->target[0] ? strchr(job->target, ',') != NULL : job->files > 1;
    if (job->target[0]) {
        add_names(writing, job->target);
    } else if (writing->named) {
        add_set_names(writing);
    } else {
        if (strcmp(job->dir, ".") != 0)
            command_add(writing->out, "--directory=%s", job->dir);
        if (!own && job->files > 1)
            command_add(writing->out, "--nrfiles=%" PRIu64, job->files);
    }
    if (each)
        add_bytes(writing, "size", each);
    if (job->start_bytes)
        add_bytes(writing, "offset", job->start_bytes);
    if (several && !own)
        command_add(writing->out, "--file_service_type=%s",
                    job->file_choice == FILES_ALL && !is_random(job) ? "sequential" : orders[job->file_choice]);
    if (!mode_reads(job->mode) && job->fill == FILL_WRITTEN && job->mode != MODE_SEQWR)
        command_add(writing->out, "--overwrite=1");
    else if (job->mode == MODE_SEQWR)
        command_add(writing->out, "--fallocate=none");
    else if (!mode_reads(job->mode))
        command_add(writing->out, "--fallocate=%s", job->fill == FILL_EXTENDED ? "truncate" : "native");
}

/* ---- the rest ---- */

static void write_pattern(const struct writing *writing)
{
    static const char *const words[] = {
        [MODE_SEQWR] = "write",     [MODE_SEQREWR] = "write", [MODE_SEQRD] = "read", [MODE_RNDRD] = "randread",
        [MODE_RNDWR] = "randwrite", [MODE_RNDRW] = "randrw",  [MODE_SEQRW] = "rw",   [MODE_UNSET] = "read"};
    const struct job *job = writing->job;
    command_add(writing->out, "--rw=%s", words[job->mode]);
    add_bytes(writing, "bs", job->block_size_bytes);
    if (is_random(job) && job->align_bytes)
        add_bytes(writing, "blockalign", job->align_bytes);
    if (mode_reads(job->mode) && mode_writes(job->mode))
        command_add(writing->out, "--rwmixread=%.0f", job->read_percent);
    if (!is_random(job))
        return;
    char number[64];
    if (job->distribution == DIST_ZIPFIAN)
        command_add(writing->out, "--random_distribution=zipf:%s",
                    units_real_exact(job->zipfian_exponent, number, sizeof(number)));
    else if (job->distribution == DIST_PARETO)
        command_add(writing->out, "--random_distribution=pareto:%s",
                    units_real_exact(job->pareto_h, number, sizeof(number)));
    else if (job->distribution == DIST_GAUSSIAN && job->gaussian_iterations <= 800)
        command_add(writing->out, "--random_distribution=normal:%.3f",
                    100 / sqrt(12 * (double)job->gaussian_iterations));
    else if (job->coverage == COVERAGE_ANY)
        command_add(writing->out, "--norandommap");
}

static void write_path(const struct writing *writing)
{
    static const char *const engines[][2] = {{"sync", "psync"},      {"uring", "io_uring"}, {"uv", "posixaio"},
                                             {"iocp", "windowsaio"}, {"mmap", "mmap"},      {"auto", "io_uring"}};
    static const char *const throughs[] = {"none", "dsync", "sync"};
    const struct job *job = writing->job;
    bool plain = strcmp(job->engine, "auto") == 0 && job->depth == 1;
    for (size_t i = 0; i < COUNT_OF(engines) && !plain; ++i)
        if (strcmp(engines[i][0], job->engine) == 0)
            command_add(writing->out, "--ioengine=%s", engines[i][1]);
    if (job->depth > 1)
        command_add(writing->out, "--iodepth=%" PRIu64, job->depth);
    if (job->cache == OS_CACHE_OFF)
        command_add(writing->out, "--direct=1");
    else if (!job->drop_cache)
        command_add(writing->out, "--invalidate=0");
    if (job->through != WRITE_THROUGH_OFF)
        command_add(writing->out, "--sync=%s", throughs[job->through]);
    uint64_t every = job->sync_each_write ? 1 : job->sync_every;
    if (mode_writes(job->mode) && every)
        command_add(writing->out, "--%s=%" PRIu64, job->sync_kind == SYNC_FDATASYNC ? "fdatasync" : "fsync", every);
    if (mode_writes(job->mode) && job->sync_at_end)
        command_add(writing->out, "--end_fsync=1");
    if (mode_writes(job->mode) && job->data == DATA_ZERO)
        command_add(writing->out, "--zero_buffers");
    else if (mode_writes(job->mode) && job->compress_percent)
        command_add(writing->out, "--buffer_compress_percentage=%" PRIu64, job->compress_percent);
}

static void write_load(const struct writing *writing)
{
    const struct job *job = writing->job;
    if (writing->clones > 1) {
        command_add(writing->out, "--numjobs=%" PRIu64, writing->clones);
        command_add(writing->out, "--group_reporting");
    }
    if (job->rate > 0) {
        command_add(writing->out, "--rate_iops=%.0f", job->rate / (double)writing->clones);
        if (job->arrival == ARRIVAL_POISSON)
            command_add(writing->out, "--rate_process=poisson");
    }
    if (job->think_time_ns) {
        add_time(writing, "thinktime", job->think_time_ns);
        command_add(writing->out, "--thinktime_blocks=%" PRIu64, job->burst);
    }
    if (job->cpus[0]) {
        command_add(writing->out, "--cpus_allowed=%s", job->cpus);
        command_add(writing->out, "--cpus_allowed_policy=split");
    }
    if (job->seed == 0)
        command_add(writing->out, "--randrepeat=0");
    else if (job->seed != writing->plain->seed)
        command_add(writing->out, "--randseed=%" PRIu64, job->seed);
}

static void write_stop(const struct writing *writing)
{
    const struct job *job = writing->job;
    if (job->time_ns)
        add_time(writing, "runtime", job->time_ns);
    if (job->passes > 1)
        command_add(writing->out, "--loops=%" PRIu64, job->passes);
    if (job->events && job->events / writing->clones > 0) {
        if (job->events / writing->clones <= (UINT64_C(1) << 60) / job->block_size_bytes)
            add_bytes(writing, "io_size", job->events / writing->clones * job->block_size_bytes);
    } else if (job->passes == 0) {
        command_add(writing->out, "--time_based");
    }
    if (job->warmup_ns)
        add_time(writing, "ramp_time", job->warmup_ns);
}

static void write_percentiles(const struct writing *writing)
{
    const struct real_list *list = &writing->job->percentiles;
    char text[1024] = "", number[64];
    size_t used = 0;
    if (setting_equal(writing->job, writing->plain, setting_find("percentiles")))
        return;
    for (uint32_t i = 0; i < list->count && i < FIO_PERCENTILES_MAX; ++i)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? ":" : "",
                                 units_real_exact(list->values[i], number, sizeof(number)));
    if (list->count > 0)
        command_add(writing->out, "--percentile_list=%s", text);
    else
        command_add(writing->out, "--clat_percentiles=0");
}

static void plain_init(struct job *plain)
{
    struct fio_given given;
    fio_given_init(&given);
    job_init(plain);
    memcpy(&plain->percentiles, &given.percentiles, sizeof(plain->percentiles));
    plain->seed = given.seed;
}

bool fio_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    struct job plain;
    if (from->action != ACTION_RUN)
        return error_set(error, ERR_UNSUPPORTED, "fio makes its files when it runs: there is no command of its own");
    if (job->work != WORK_FILES)
        return error_set(error, ERR_UNSUPPORTED, "fio loads files and devices, not databases");
    plain_init(&plain);
    bool own = job->file_choice == FILES_OWN && job->files == job->threads;
    struct writing writing = {job, &plain, out, job->threads, job->threads > 1 && !own};
    command_add(out, "--name=%s", job->target[0] ? "job" : job->file_name);
    write_pattern(&writing);
    write_files(&writing);
    write_path(&writing);
    write_load(&writing);
    write_stop(&writing);
    write_percentiles(&writing);
    return command_check(out, error);
}
