/* sqlio_write.c: a job as SQLIO would say it. A size needs a line of the parameter file, and there each file has
 * threads of its own; so several files that threads share are named on the command line, without their size. */
#include "dialects/sqlio.h"

#include "dialects/places.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <string.h>

#define MIB (UINT64_C(1024) * 1024)
#define PARAM_NAME "param.txt"
#define VOLUME "\\\\.\\"
#define DISK "\\\\.\\PhysicalDrive"

static uint64_t rounded_up(uint64_t value, uint64_t unit)
{
    return value / unit + (value % unit != 0);
}

/* The index-th file's name in SQLIO's words; a set is one file there, its first. */
static void name_of(const struct job *job, uint64_t index, char out[PLACE_BYTES])
{
    place_name(job, index, out);
    size_t bytes = strlen(out);
    if (strncmp(out, DISK, strlen(DISK)) == 0) {
        memmove(out, out + strlen(DISK), bytes - strlen(DISK) + 1);
        strcat(out, ":");
    } else if (strncmp(out, VOLUME, strlen(VOLUME)) == 0) {
        memmove(out, out + strlen(VOLUME), bytes - strlen(VOLUME) + 1);
    }
}

static bool reads_most(const struct job *job)
{
    return mode_reads(job->mode) && (!mode_writes(job->mode) || job->read_percent >= 50);
}

static void write_pattern(const struct job *job, struct command *out)
{
    if (!mode_is_sequential(job->mode)) {
        command_add(out, "-frandom");
    } else if (job->stripe_blocks == 0) {
        command_add(out, "-fsequential");
    } else {
        command_add(out, "-f%" PRIu64, job->stripe_blocks);
        command_add(out, "-i%" PRIu64, job->stripe_rows);
    }
}

static void write_path(const struct job *job, uint64_t files, struct command *out)
{
    static const char letters[2][2] = {{'Y', 'S'}, {'H', 'N'}};
    bool deep = job->depth > 1 || (strcmp(job->engine, "auto") != 0 && strcmp(job->engine, "sync") != 0);
    uint64_t each = job->file_choice == FILES_OWN ? job->depth : job->depth / files;
    if (deep)
        command_add(out, "-o%" PRIu64, each ? each : 1);
    command_add(out, "-B%c", letters[job->cache == OS_CACHE_OFF][job->through != WRITE_THROUGH_OFF]);
}

/* One CPU is -p; more are a mask if they are below 64 and no range is too high for it. */
static uint64_t mask_of(const char *cpus)
{
    uint64_t mask = 0;
    for (const char *at = cpus; *at; at += *at == ',') {
        unsigned first = 0, last = 0;
        int read = 0;
        if (sscanf(at, "%u%n", &first, &read) != 1)
            return 0;
        at += read;
        last = first;
        if (*at == '-' && sscanf(at, "-%u%n", &last, &read) == 1)
            at += read;
        for (unsigned cpu = first; cpu <= last; ++cpu) {
            if (cpu > 63)
                return 0;
            mask |= UINT64_C(1) << cpu;
        }
    }
    return mask;
}

static void write_cpus(const struct job *job, struct command *out)
{
    bool one = job->cpus[0] && job->cpus[strspn(job->cpus, "0123456789")] == '\0';
    uint64_t mask = one ? 0 : mask_of(job->cpus);
    if (one)
        command_add(out, "-p%s", job->cpus);
    else if (mask)
        command_add(out, "-aR0x%" PRIx64, mask);
}

static void write_pool(const struct job *job, uint64_t files, uint64_t index, struct command *out)
{
    char name[PLACE_BYTES];
    uint64_t threads = files > 1 ? job->threads / files : job->threads;
    name_of(job, index, name);
    command_add_to_file(out, "%s %" PRIu64 " 0x0", name, threads ? threads : 1);
    if (job->total_size_bytes > 0 && job->stripe_blocks == 0)
        command_add_to_file(out, " %" PRIu64, rounded_up(job->total_size_bytes / files, MIB));
    command_add_to_file(out, "\n");
}

static void write_files(const struct job *job, uint64_t files, struct command *out)
{
    char name[PLACE_BYTES];
    bool sized = job->total_size_bytes > 0 && job->stripe_blocks == 0;
    if (files > 1 ? job->file_choice == FILES_OWN : sized) {
        snprintf(out->file_name, sizeof(out->file_name), PARAM_NAME);
        command_add(out, "-F" PARAM_NAME);
        for (uint64_t i = 0; i < files; ++i)
            write_pool(job, files, i, out);
        return;
    }
    for (uint64_t i = 0; i < files; ++i) {
        name_of(job, i, name);
        command_add(out, "%s", name);
    }
}

bool sqlio_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    uint64_t files = job->target[0] ? place_targets(job) : 1;
    if (from->action != ACTION_RUN)
        return error_set(error, ERR_UNSUPPORTED, "sqlio makes its files when it runs: there is no command of its own");
    command_add(out, reads_most(job) ? "-kR" : "-kW");
    command_add(out, "-t%" PRIu64, job->threads);
    if (job->time_ns > 0)
        command_add(out, "-s%" PRIu64, rounded_up(job->time_ns, NS_PER_S));
    write_pattern(job, out);
    command_add(out, "-b%" PRIu64, rounded_up(job->block_size_bytes, 1024));
    write_path(job, files, out);
    if (job->histogram)
        command_add(out, "-LS");
    if (job->start_bytes > 0)
        command_add(out, "-S%" PRIu64, job->start_bytes / job->block_size_bytes);
    write_cpus(job, out);
    write_files(job, files, out);
    return command_check(out, error);
}
