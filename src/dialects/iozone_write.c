/* iozone_write.c: a job as iozone would say it. iozone's tests come in pairs, so a load may be the second run of its
 * line. */
#include "dialects/iozone.h"

#include "dialects/places.h"

#include <inttypes.h>
#include <string.h>

#define KIB UINT64_C(1024)
#define RECORDS_UNTOLD 16 /* of a file whose length is not told, where records are larger than the default file */
#define DUMMY ".DUMMY."

static uint64_t rounded_up(uint64_t value, uint64_t unit)
{
    return value / unit + (value % unit != 0);
}

/* iozone puts .DUMMY. and the number behind the name itself. */
static void cut_dummy(char *name, uint64_t index)
{
    char tail[40];
    size_t length = strlen(name);
    snprintf(tail, sizeof(tail), DUMMY "%" PRIu64, index);
    if (length > strlen(tail) && strcmp(name + length - strlen(tail), tail) == 0)
        name[length - strlen(tail)] = '\0';
}

static void write_test(const struct job *job, uint64_t record, struct command *out)
{
    bool reads = mode_reads(job->mode), writes = mode_writes(job->mode), in_order = mode_is_sequential(job->mode);
    uint64_t stride = job->stripe_blocks ? job->stripe_blocks : job->step_bytes / record;
    const char *test = "0";
    if (reads && writes)
        test = job->threads > 1 ? "8" : "2";
    else if (!in_order)
        test = "2";
    else if (reads && job->direction == DIRECTION_BACKWARD)
        test = "3";
    else if (reads && stride > 1)
        test = "5";
    else if (reads)
        test = "1";
    command_add(out, "-i");
    command_add(out, "%s", test);
    if (strcmp(test, "5") == 0 && stride != IOZONE_STRIDE) {
        command_add(out, "-j");
        command_add(out, "%" PRIu64, stride);
    }
    if (job->target[0] || reads)
        command_add(out, "-w"); /* the file was there before */
}

static void write_files(const struct job *job, struct command *out)
{
    char name[PLACE_BYTES];
    command_add(out, job->threads > 1 ? "-F" : "-f");
    for (uint64_t i = 0; i < job->threads; ++i) {
        place_name(job, i % place_count(job), name); /* where there are fewer, they come again */
        if (job->threads > 1)
            cut_dummy(name, i);
        command_add(out, "%s", name);
    }
}

/* Of each process: all of them together have what the job has. */
static void write_size(const struct job *job, uint64_t record_kb, struct command *out)
{
    uint64_t each_kb = rounded_up(job->total_size_bytes / job->threads, KIB);
    command_add(out, "-r");
    command_add(out, "%" PRIu64, record_kb);
    if (each_kb == 0 && record_kb <= IOZONE_DEFAULT_SIZE_KB)
        return; /* as long as its files are: iozone cannot say that */
    if (each_kb == 0)
        each_kb = RECORDS_UNTOLD * record_kb;
    command_add(out, "-s");
    command_add(out, "%" PRIu64, each_kb > record_kb ? each_kb : record_kb);
}

static void write_path(const struct job *job, struct command *out)
{
    if (job->cache == OS_CACHE_OFF)
        command_add(out, "-I");
    if (job->through != WRITE_THROUGH_OFF && mode_writes(job->mode))
        command_add(out, "-o");
    if (job->sync_at_end && mode_writes(job->mode))
        command_add(out, "-e");
    if (job->close_at_end)
        command_add(out, "-c");
    if (strcmp(job->engine, "mmap") == 0)
        command_add(out, "-B");
}

bool iozone_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    uint64_t record_kb = rounded_up(job->block_size_bytes, KIB);
    if (from->action != ACTION_RUN)
        return error_set(error, ERR_UNSUPPORTED, "iozone makes its files when it runs: there is no command of its own");
    if (job->threads > IOZONE_PROCESSES_MAX)
        return error_set(error, ERR_UNSUPPORTED, "iozone has %d processes at most, and the job has %" PRIu64 " threads",
                         IOZONE_PROCESSES_MAX, job->threads);
    if (record_kb > IOZONE_RECORD_KB_MAX)
        record_kb = IOZONE_RECORD_KB_MAX;
    write_test(job, record_kb * KIB, out);
    if (job->threads > 1) {
        command_add(out, "-t");
        command_add(out, "%" PRIu64, job->threads);
        if (!job->stonewall)
            command_add(out, "-x");
    }
    write_size(job, record_kb, out);
    write_path(job, out);
    write_files(job, out);
    return command_check(out, error);
}
