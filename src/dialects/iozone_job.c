/* iozone_job.c: the series. Each figure of iozone is one job here: one pass over the file, or over each process's own.
 *
 * What iozone does beside its tests is done too: each write test makes its file anew, what was written is made durable
 * before the next test begins, and files that were not there before are removed in the end. */
#include "dialects/iozone.h"

#include "core/settings.h"
#include "dialects/phrases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define KIB UINT64_C(1024)
#define DEFAULT_RECORD_KB 4
#define AUTO_LEAST_SIZE_KB 64
#define AUTO_MOST_SIZE_KB (512 * 1024)
#define AUTO_MOST_RECORD_KB IOZONE_RECORD_KB_MAX
/* In files so long auto mode leaves out records that are shorter. */
#define CROSSOVER_SIZE_KB (32 * 1024)
#define CROSSOVER_RECORD_KB 64

struct making {
    struct iozone *iozone;
    const struct iozone_given *given;
    struct invocation *invocation;
    struct job base; /* what all jobs have in common */
    char all[TEXT_MAX], readers[TEXT_MAX], writers[TEXT_MAX];
    enum iozone_step_id steps[STEP_COUNT];
    size_t step_count;
    struct error *error;
};

/* ---- files ---- */

void iozone_file_name(const struct iozone_given *given, uint64_t index, char *out, size_t out_bytes)
{
    const char *base = given->name_count > index ? given->names[index] : given->file;
    if (given->processes == 0)
        snprintf(out, out_bytes, "%s", base ? base : "iozone.tmp");
    else
        snprintf(out, out_bytes, "%s.DUMMY.%" PRIu64, base ? base : "iozone", index);
}

static bool append(char *list, const char *name)
{
    size_t used = strlen(list);
    int bytes = snprintf(list + used, TEXT_MAX - used, "%s%s", used ? "," : "", name);
    return bytes >= 0 && (size_t)bytes < TEXT_MAX - used;
}

static bool name_files(struct making *making)
{
    uint64_t count = making->given->processes ? making->given->processes : 1;
    for (uint64_t i = 0; i < count; ++i) {
        char name[TEXT_MAX];
        iozone_file_name(making->given, i, name, sizeof(name));
        if (strchr(name, ',') || strlen(name) + 1 == sizeof(name))
            return error_set(making->error, ERR_USAGE,
                             "the file name '%.200s' is not valid: it must have no comma and be shorter", name);
        if (!append(making->all, name) || !append(i % 2 ? making->writers : making->readers, name))
            return error_set(making->error, ERR_USAGE,
                             "-t %" PRIu64
                             ": the names of all files have more than %d bytes; use shorter names or fewer processes",
                             count, TEXT_MAX - 1);
    }
    return true;
}

/* ---- tests ---- */

static bool is_chosen(const struct iozone_given *given, uint32_t test)
{
    return given->tests == 0 || (given->tests >> test & 1) != 0;
}

static void add_step(struct making *making, enum iozone_step_id step)
{
    if (is_chosen(making->given, iozone_steps[step].test) && iozone_steps[step].mode != MODE_UNSET)
        making->steps[making->step_count++] = step;
}

/* pwrite and pread are in the matrix when they are asked for. */
static bool choose_steps(struct making *making)
{
    const struct iozone_given *given = making->given;
    if (given->processes == 0 && (given->tests >> 8 & 1) != 0)
        return error_set(making->error, ERR_USAGE,
                         "-i 8 mixes processes that read and processes that write: it needs -t");
    if (given->processes > 0 && (given->tests >> 4 & 1) != 0)
        return error_set(making->error, ERR_USAGE, "-i 4 and -t exclude each other: throughput mode has no such test");
    for (size_t i = 0; given->processes > 0 && i < iozone_crowd_count; ++i)
        add_step(making, iozone_crowd_order[i]);
    for (int i = 0; given->processes == 0 && i < (given->tests ? STEP_COLUMNS : STEP_PLAIN_COLUMNS); ++i)
        add_step(making, (enum iozone_step_id)i);
    return true;
}

/* ---- rows ---- */

static bool add_row(struct making *making, uint64_t size_kb, uint64_t record_kb)
{
    struct iozone *iozone = making->iozone;
    struct iozone_row *more = realloc(iozone->rows, (iozone->row_count + 1) * sizeof(*more));
    if (!more)
        return error_set(making->error, ERR_SYSTEM, "not enough memory for the series");
    iozone->rows = more;
    more[iozone->row_count++] = (struct iozone_row){size_kb, record_kb};
    return true;
}

/* A list that is given, else what lies from low to high, each twice the one before. */
static void spread(struct iozone_sizes *sizes, uint64_t low, uint64_t high)
{
    sizes->low = sizes->low ? sizes->low : low;
    sizes->high = sizes->high ? sizes->high : high;
    for (uint64_t kb = sizes->low; kb <= sizes->high && sizes->count < IOZONE_LIST_MAX; kb *= 2)
        sizes->list[sizes->count++] = kb;
}

static bool is_left_out(const struct making *making, bool spread_records, uint64_t size_kb, uint64_t record_kb)
{
    bool crossed = making->given->automatic && spread_records && !making->given->all_records &&
                   size_kb >= CROSSOVER_SIZE_KB && record_kb < CROSSOVER_RECORD_KB;
    return crossed || record_kb > size_kb;
}

static bool refuse_bounds(const struct making *making, const char *low, const char *high, const char *list,
                          const struct iozone_sizes *sizes)
{
    if ((sizes->low || sizes->high) && !making->given->automatic)
        return error_set(making->error, ERR_USAGE, "%s and %s bound what auto mode does: add -a, or give %s", low, high,
                         list);
    if ((sizes->low || sizes->high) && sizes->count)
        return error_set(making->error, ERR_USAGE, "%s says what to take: leave out %s and %s", list, low, high);
    if (sizes->low && sizes->high && sizes->low > sizes->high)
        return error_set(making->error, ERR_USAGE, "%s %" PRIu64 "k is more than %s %" PRIu64 "k", low, sizes->low,
                         high, sizes->high);
    return true;
}

static bool make_rows(struct making *making)
{
    struct iozone_sizes files = making->given->files, records = making->given->records;
    bool automatic = making->given->automatic, spread_records = records.count == 0;
    if (!refuse_bounds(making, "-n", "-g", "-s", &files) || !refuse_bounds(making, "-y", "-q", "-r", &records))
        return false;
    if (files.count == 0)
        spread(&files, automatic ? AUTO_LEAST_SIZE_KB : IOZONE_DEFAULT_SIZE_KB,
               automatic ? AUTO_MOST_SIZE_KB : IOZONE_DEFAULT_SIZE_KB);
    if (records.count == 0)
        spread(&records, DEFAULT_RECORD_KB, automatic ? AUTO_MOST_RECORD_KB : DEFAULT_RECORD_KB);
    for (size_t i = 0; i < files.count; ++i)
        for (size_t k = 0; k < records.count; ++k)
            if (!is_left_out(making, spread_records, files.list[i], records.list[k]) &&
                !add_row(making, files.list[i], records.list[k]))
                return false;
    if (making->iozone->row_count > 0)
        return true;
    if (files.count == 0 || records.count == 0)
        return error_set(making->error, ERR_USAGE, "no %s lies within these bounds",
                         files.count == 0 ? "file size" : "record size");
    return error_set(making->error, ERR_USAGE,
                     "a record of %" PRIu64 "k does not fit into a file of %" PRIu64
                     "k: give a smaller -r or a larger -s",
                     records.list[0], files.list[0]);
}

/* ---- jobs ---- */

static void make_base(struct making *making)
{
    const struct iozone_given *given = making->given;
    struct job *job = &making->base;
    job_init(job);
    job->threads = given->processes ? given->processes : 1;
    job->file_choice = given->processes > 1 ? FILES_OWN : FILES_ALL;
    job->data = DATA_COUNT_UP; /* iozone writes one buffer over and over */
    job->cache = given->direct ? OS_CACHE_OFF : OS_CACHE_ON;
    job->through = given->sync ? WRITE_THROUGH_FULL : WRITE_THROUGH_OFF;
    job->sync_at_end = given->with_flush;
    job->close_at_end = given->with_close;
    job->percentiles.count = 0; /* it shows none */
    job->time_ns = 0;
    job->passes = 1;
    job->stonewall = given->processes > 1 && !given->no_wall;
    if (given->mapped)
        snprintf(job->engine, sizeof(job->engine), "mmap");
}

/* The same record over and over, as often as the file has records. */
static void stay_on_one_record(struct job *job, uint64_t records)
{
    job->total_size_bytes = job->block_size_bytes * job->threads;
    job->passes = records;
}

/* From the first record in strides to the end, then from the second, until each was read; in a file of no more records
 * than a stride has, iozone reads the first one each time. What is left behind the last whole stride is left out. */
static void take_strides(struct job *job, uint64_t records, uint64_t stride)
{
    if (records <= stride) {
        stay_on_one_record(job, records);
        return;
    }
    job->stripe_blocks = stride;
    job->stripe_rows = records / stride;
}

static void make_job(const struct making *making, const struct iozone_row *row, enum iozone_step_id step,
                     const char *target, uint64_t processes, struct job *job)
{
    uint64_t records = row->size_kb / row->record_kb;
    *job = making->base;
    snprintf(job->target, sizeof(job->target), "%s", target);
    job->mode = iozone_steps[step].mode;
    job->threads = processes;
    job->block_size_bytes = row->record_kb * KIB;
    job->total_size_bytes = records * row->record_kb * KIB * processes;
    if (!mode_is_sequential(job->mode))
        job->coverage = COVERAGE_ONCE;
    if (step == STEP_BACKWARD)
        job->direction = DIRECTION_BACKWARD;
    if (step == STEP_RECORD)
        stay_on_one_record(job, records);
    if (step == STEP_STRIDE)
        take_strides(job, records, making->given->stride);
    if (processes == 1) {
        job->file_choice = FILES_ALL;
        job->stonewall = false;
    }
}

static bool check(const struct making *making, const struct job *job)
{
    static const struct phrase phrases[] = {{"--close-at-end", "-c"}, {"--engine=mmap", "-B"},  {"--block-size", "-r"},
                                            {"--cache=off", "-I"},    {"--through", "-o"},      {"--total-size", "-s"},
                                            {"--threads", "-t"},      {"--stripe-blocks", "-j"}};
    return phrases_check_job(phrases, COUNT_OF(phrases), job, true, making->error);
}

static bool add_run(struct making *making, size_t row, enum iozone_step_id step, const char *target, uint64_t processes)
{
    struct iozone *iozone = making->iozone;
    size_t index = iozone->count++;
    struct job *job = &iozone->jobs[index];
    make_job(making, &iozone->rows[row], step, target, processes, job);
    iozone->runs[index] = (struct iozone_run){.row = row, .step = step, .kb_per_s = -1};
    iozone->names[index] = iozone_steps[step].name;
    if (index > 0)
        iozone->waits[index - 1] = true;
    return check(making, job);
}

/* Half of the processes read and the others write; a single one reads. */
static bool add_mixed(struct making *making, size_t row)
{
    struct iozone *iozone = making->iozone;
    uint64_t processes = making->given->processes, writers = processes / 2;
    if (!add_run(making, row, STEP_MIXED, making->readers, processes - writers))
        return false;
    if (writers == 0)
        return true;
    iozone->runs[iozone->count - 1].half = true;
    if (!add_run(making, row, STEP_MIXED, making->writers, writers))
        return false;
    iozone->jobs[iozone->count - 1].mode = MODE_RNDWR;
    iozone->waits[iozone->count - 2] = false;
    making->invocation->together = true;
    return true;
}

static bool add_row_runs(struct making *making, size_t row)
{
    size_t first = making->iozone->count;
    for (size_t i = 0; i < making->step_count; ++i) {
        enum iozone_step_id step = making->steps[i];
        if (step == STEP_MIXED ? !add_mixed(making, row)
                               : !add_run(making, row, step, making->all, making->base.threads))
            return false;
    }
    making->iozone->runs[first].first_of_row = true;
    making->iozone->runs[making->iozone->count - 1].last_of_row = true;
    return true;
}

static bool make_room(struct making *making)
{
    struct iozone *iozone = making->iozone;
    size_t room = iozone->row_count * (making->step_count + 1); /* the mixed test has two */
    if (room > IOZONE_RUNS_MAX)
        return error_set(making->error, ERR_USAGE,
                         "%zu sizes and records with %zu tests each are more than %d runs: ask for fewer",
                         iozone->row_count, making->step_count, IOZONE_RUNS_MAX);
    iozone->jobs = calloc(room, sizeof(*iozone->jobs));
    iozone->runs = calloc(room, sizeof(*iozone->runs));
    iozone->waits = calloc(room, sizeof(*iozone->waits));
    iozone->names = calloc(room, sizeof(const char *));
    return (iozone->jobs && iozone->runs && iozone->waits && iozone->names) ||
           error_set(making->error, ERR_SYSTEM, "not enough memory for the %zu runs of this series", room);
}

static bool make_runs(struct making *making)
{
    if (!make_room(making))
        return false;
    for (size_t row = 0; row < making->iozone->row_count; ++row)
        if (!add_row_runs(making, row))
            return false;
    return true;
}

/* ---- the whole ---- */

static bool check_given(const struct making *making)
{
    const struct iozone_given *given = making->given;
    if (given->automatic && given->processes)
        return error_set(making->error, ERR_USAGE, "-a and -t exclude each other: in throughput mode give -s and -r");
    if (given->all_records && !given->automatic)
        return error_set(making->error, ERR_USAGE, "-z is of auto mode: add -a");
    if (given->mapped && (given->direct || given->sync || given->with_close))
        return error_set(
            making->error, ERR_USAGE,
            "-B and -%c exclude each other: mapped files go through the system's cache, and outlive a close",
            given->direct ? 'I'
            : given->sync ? 'o'
                          : 'c');
    if (given->file && given->name_count)
        return error_set(making->error, ERR_USAGE, "-f and -F exclude each other");
    if (given->name_count && given->processes == 0)
        return error_set(making->error, ERR_USAGE, "-F names a file for each process of -t; -f names the only one");
    if (given->name_count && given->name_count != given->processes)
        return error_set(making->error, ERR_USAGE, "-F names %zu files for the %" PRIu64 " processes of -t",
                         given->name_count, given->processes);
    return true;
}

static bool any_writes(const struct making *making)
{
    for (size_t i = 0; i < making->step_count; ++i)
        if (mode_writes(iozone_steps[making->steps[i]].mode) || making->steps[i] == STEP_MIXED)
            return true;
    return false;
}

static void fill_invocation(const struct making *making)
{
    struct invocation *invocation = making->invocation;
    struct iozone *iozone = making->iozone;
    invocation->job = iozone->jobs[0];
    invocation->further = iozone->jobs + 1;
    invocation->further_count = iozone->count - 1;
    invocation->waits = invocation->together ? iozone->waits : NULL;
    invocation->names = iozone->names;
    invocation->warnings_once = true;
    invocation->settle_between = true;
    invocation->remove_made = !making->given->keeps;
    if (any_writes(making))
        memcpy(invocation->overwrite, making->all, sizeof(invocation->overwrite));
}

bool iozone_job_make(struct iozone *iozone, struct invocation *invocation, struct error *error)
{
    struct making *making = calloc(1, sizeof(*making));
    if (!making)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    making->iozone = iozone;
    making->given = &iozone->given;
    making->invocation = invocation;
    making->error = error;
    make_base(making);
    bool good =
        check_given(making) && choose_steps(making) && make_rows(making) && name_files(making) && make_runs(making);
    if (good)
        fill_invocation(making);
    free(making);
    return good;
}

void iozone_free(void *context)
{
    struct iozone *iozone = context;
    free(iozone->rows);
    free(iozone->runs);
    free(iozone->jobs);
    free(iozone->waits);
    free((void *)iozone->names);
    free(iozone);
}
