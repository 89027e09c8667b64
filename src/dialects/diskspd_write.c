/* diskspd_write.c: a job as DiskSpd would say it: one target with threads of its own. -W and -d are always written, and
 * -n where no thread is bound, since DiskSpd's defaults are other ones. */
#include "dialects/diskspd.h"

#include "core/cpu_list.h"
#include "dialects/places.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define VOLUME "\\\\.\\"
#define DISK "\\\\.\\PhysicalDrive"

static uint64_t rounded_up(uint64_t value, uint64_t unit)
{
    return value / unit + (value % unit != 0);
}

/* "-b64K": the largest unit that leaves a whole number. */
static void add_size(struct command *out, const char *option, uint64_t bytes)
{
    static const char *const units[] = {"", "K", "M", "G", "T"};
    size_t unit = 0;
    for (; unit + 1 < COUNT_OF(units) && bytes > 0 && bytes % 1024 == 0; ++unit)
        bytes /= 1024;
    command_add(out, "%s%" PRIu64 "%s", option, bytes, units[unit]);
}

/* A set is one file there, of the same size. */
static uint64_t targets_of(const struct job *job)
{
    return job->target[0] ? place_targets(job) : 1;
}

/* A disk's number, or NULL. */
static const char *disk_of(const char *name)
{
    const char *number = name + strlen(DISK);
    if (strncmp(name, DISK, strlen(DISK)) != 0 || *number == '\0')
        return NULL;
    return number[strspn(number, "0123456789")] == '\0' ? number : NULL;
}

/* A volume with its colon, or NULL. */
static const char *volume_of(const char *name)
{
    const char *volume = name + strlen(VOLUME);
    if (strncmp(name, VOLUME, strlen(VOLUME)) != 0 || strlen(volume) != 2 || volume[1] != ':')
        return NULL;
    return (volume[0] | 0x20) >= 'a' && (volume[0] | 0x20) <= 'z' ? volume : NULL;
}

/* "X:" for a volume, "#1" for a disk, all else as it is. */
static void add_name(const char *name, struct command *out)
{
    const char *disk = disk_of(name), *volume = volume_of(name);
    if (disk)
        command_add(out, "#%s", disk);
    else
        command_add(out, "%s", volume ? volume : name);
}

/* The first one. */
static void add_target(const struct job *job, struct command *out)
{
    char name[PLACE_BYTES];
    place_name(job, 0, name);
    add_name(name, out);
}

/* ---- the part that is used ---- */

/* A set was made by a prepare of its own, which DiskSpd has in -c. */
static void write_part(const struct invocation *from, const struct job *job, struct command *out)
{
    uint64_t each = job->total_size_bytes / targets_of(job);
    bool makes = from->lay_out || from->extend_bytes > 0 || job->target[0] == '\0';
    if (job->start_bytes > 0)
        add_size(out, "-B", job->start_bytes);
    if (each == 0 && from->extend_bytes > 0)
        add_size(out, "-c", job->start_bytes + from->extend_bytes);
    else if (each > 0)
        add_size(out, makes ? "-c" : "-f", job->start_bytes + each);
}

/* ---- order and operations ---- */

static void write_random(const struct job *job, struct command *out)
{
    double percent = floor(job->random_percent + 0.5);
    if (job->align_bytes > 0)
        add_size(out, "-r", job->align_bytes);
    else
        command_add(out, "-r");
    if (percent >= 1 && percent < 100)
        command_add(out, "-rs%.0f", percent);
}

/* Where threads begin: apart by -T. Threads that are spread over a file of known length begin a part of it apart. */
static uint64_t apart_bytes(const struct job *job)
{
    if (job->threads < 2 || job->cursor == CURSOR_SHARED)
        return 0;
    if (job->cursor_start == CURSORS_APART)
        return job->thread_stride_bytes;
    return job->total_size_bytes / targets_of(job) / job->threads / job->block_size_bytes * job->block_size_bytes;
}

static void write_sequential(const struct job *job, struct command *out)
{
    bool together = job->cursor == CURSOR_SHARED && job->threads > 1;
    uint64_t apart = apart_bytes(job);
    if (job->step_bytes > 0)
        add_size(out, together ? "-si" : "-s", job->step_bytes);
    else if (together)
        command_add(out, "-si");
    if (apart > 0)
        add_size(out, "-T", apart);
}

static bool reads(const struct job *job)
{
    return job->mode == MODE_SEQRD || job->mode == MODE_RNDRD;
}

static bool mixes(const struct job *job)
{
    return job->mode == MODE_SEQRW || job->mode == MODE_RNDRW;
}

static bool is_random(const struct job *job)
{
    return job->mode == MODE_RNDRD || job->mode == MODE_RNDWR || job->mode == MODE_RNDRW;
}

/* A share that is no whole percent is rounded, and stays a mix. */
static void write_operations(const struct job *job, struct command *out)
{
    double percent = reads(job) ? 0 : 100;
    if (mixes(job))
        percent = fmin(fmax(floor(100 - job->read_percent + 0.5), 1), 99);
    if (is_random(job))
        write_random(job, out);
    else
        write_sequential(job, out);
    command_add(out, "-w%.0f", percent);
    if (percent > 0 && job->data != DATA_COUNT_UP)
        command_add(out, job->data == DATA_ZERO ? "-Z" : "-Zr");
}

static void write_seed(const struct job *job, struct command *out)
{
    if (job->seed == 0)
        command_add(out, "-z");
    else if (job->seed > 1)
        command_add(out, "-z%" PRIu64, job->seed - 1);
}

/* ---- path and load ---- */

static void write_path(const struct job *job, struct command *out)
{
    bool mapped = strcmp(job->engine, "mmap") == 0, through = job->through != WRITE_THROUGH_OFF;
    if (mapped)
        command_add(out, "-Sm%s", through ? "w" : "");
    else if (job->cache == OS_CACHE_OFF)
        command_add(out, through ? "-Sh" : "-Su");
    else if (through)
        command_add(out, "-Sw");
}

static void write_pace(const struct job *job, struct command *out)
{
    double each = floor(job->rate / (double)job->threads + 0.5);
    if (job->rate > 0)
        command_add(out, "-g%.0fi", each < 1 ? 1.0 : each);
    if (job->think_time_ns == 0)
        return;
    command_add(out, "-i%" PRIu64, job->burst);
    command_add(out, "-j%" PRIu64, rounded_up(job->think_time_ns, NS_PER_MS));
}

static void write_cpus(const struct job *job, struct command *out)
{
    char list[TEXT_MAX] = "";
    size_t used = 0;
    for (uint32_t i = 0, count = cpu_list_count(job->cpus); i < count && used < sizeof(list); ++i)
        used +=
            (size_t)snprintf(list + used, sizeof(list) - used, "%s%" PRIu32, i ? "," : "", cpu_list_at(job->cpus, i));
    if (used > 0)
        command_add(out, "-a%s", list);
    else
        command_add(out, "-n");
}

static void write_figures(const struct job *job, struct command *out)
{
    if (job->histogram)
        command_add(out, "-L");
    if (job->report_interval_ns == NS_PER_S)
        command_add(out, "-D");
    else if (job->report_interval_ns > 0)
        command_add(out, "-D%" PRIu64, rounded_up(job->report_interval_ns, NS_PER_MS));
}

bool diskspd_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    if (from->action != ACTION_RUN)
        return error_set(error, ERR_UNSUPPORTED,
                         "diskspd makes its files when it runs: there is no command of its own");
    if (job->work != WORK_FILES)
        return error_set(error, ERR_UNSUPPORTED, "diskspd loads files and devices, not databases");
    add_size(out, "-b", job->block_size_bytes);
    write_part(from, job, out);
    if (job->time_ns > 0)
        command_add(out, "-d%" PRIu64, rounded_up(job->time_ns, NS_PER_S));
    command_add(out, "-W%" PRIu64, rounded_up(job->warmup_ns, NS_PER_S));
    command_add(out, "-t%" PRIu64, job->threads);
    command_add(out, "-o%" PRIu64, job->depth);
    write_operations(job, out);
    write_path(job, out);
    write_pace(job, out);
    write_cpus(job, out);
    if (is_random(job))
        write_seed(job, out);
    write_figures(job, out);
    add_target(job, out);
    return command_check(out, error);
}
