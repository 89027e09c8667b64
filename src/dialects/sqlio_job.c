/* sqlio_job.c: what is given to a job. SQLIO's ways that other tools have not: threads visit the files in turn (or,
 * with a parameter file, each has its own), files are made by moving their end, and the default pattern jumps from
 * stripe to stripe. */
#include "dialects/sqlio.h"

#include "core/settings.h"
#include "dialects/phrases.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <string.h>

#define KIB UINT64_C(1024)
#define MIB (UINT64_C(1024) * 1024)
#define SIZE_MAX_BYTES (UINT64_C(1) << 60)
#define DEPTH_MAX 4096
#define DEFAULT_NAME "testfile.dat"

struct making {
    struct sqlio_given *given;
    struct invocation *invocation;
    struct job *job;
    uint64_t files;
    struct error *error;
};

/* ---- files ---- */

static bool append(char *list, const char *name)
{
    size_t used = strlen(list);
    int bytes = snprintf(list + used, TEXT_MAX - used, "%s%s", used ? "," : "", name);
    return bytes >= 0 && (size_t)bytes < TEXT_MAX - used;
}

/* `target` is how the system calls it, `shown` how SQLIO does. */
static bool add_file(struct making *making, const char *shown, const char *target)
{
    if (*shown == '\0' || strchr(shown, ',') || strlen(shown) > SQLIO_NAME_MAX)
        return error_set(making->error, ERR_USAGE,
                         "the file name '%.300s' is not valid: it must have 1 to %d bytes and no comma", shown,
                         SQLIO_NAME_MAX);
    if (++making->files > SQLIO_FILES_MAX)
        return error_set(making->error, ERR_USAGE, "%s: more than %d files", shown, SQLIO_FILES_MAX);
    if (append(making->given->shown, shown) && append(making->job->target, target))
        return true;
    return error_set(making->error, ERR_USAGE, "%s: the names of all files have more than %d bytes", shown,
                     TEXT_MAX - 1);
}

/* A partition's letter or a disk's number. */
static bool add_device(struct making *making, const char *device, size_t bytes)
{
    bool disk = bytes > 0 && strspn(device, "0123456789") >= bytes;
    bool letter = bytes == 1 && (device[0] | 0x20) >= 'a' && (device[0] | 0x20) <= 'z';
    char shown[32], target[48];
    if (bytes > 3 || (!disk && !letter))
        return error_set(making->error, ERR_USAGE,
                         "%.*s is no device: a partition has one letter and a disk a number, such as -RD,E,1",
                         (int)bytes, device);
    snprintf(shown, sizeof(shown), "%.*s:", (int)bytes, device);
    if (disk)
        snprintf(target, sizeof(target), "\\\\.\\PhysicalDrive%.*s", (int)bytes, device);
    else
        snprintf(target, sizeof(target), "\\\\.\\%.*s:", (int)bytes, device);
    return add_file(making, shown, target);
}

/* "D,E,1", or glued "DE1". */
static bool add_devices(struct making *making)
{
    bool listed = making->given->raw && strchr(making->given->raw, ',');
    for (const char *at = making->given->raw; at && *at;) {
        size_t bytes = listed ? strcspn(at, ",") : 1;
        if (!add_device(making, at, bytes))
            return false;
        at += bytes + (at[bytes] == ',');
    }
    return true;
}

/* "D:" and "1:" are devices as well. */
static bool add_name(struct making *making, const char *name)
{
    size_t bytes = strlen(name);
    bool device = bytes > 1 && name[bytes - 1] == ':' && (bytes == 2 || strspn(name, "0123456789") == bytes - 1);
    return device ? add_device(making, name, bytes - 1) : add_file(making, name, name);
}

static bool add_on_drives(struct making *making, const char *name)
{
    for (const char *letter = making->given->drives; *letter; ++letter) {
        char path[SQLIO_NAME_MAX + 4];
        snprintf(path, sizeof(path), "%c:%s", *letter, name);
        if (!add_file(making, path, path))
            return false;
    }
    return true;
}

static bool add_names(struct making *making)
{
    const struct sqlio_given *given = making->given;
    const char *only = given->name_count ? given->names[0] : DEFAULT_NAME;
    if (given->drives && given->name_count > 1)
        return error_set(making->error, ERR_USAGE, "-d%s takes one file name, which is on each of the drives, not %zu",
                         given->drives, given->name_count);
    if (given->drives)
        return add_on_drives(making, only);
    if (given->name_count == 0 && !given->raw)
        return add_name(making, only);
    for (size_t i = 0; i < given->name_count; ++i)
        if (!add_name(making, given->names[i]))
            return false;
    return true;
}

/* ---- the parameter file ---- */

static bool refuse_line(const struct making *making, const struct sqlio_pool *pool, const char *why)
{
    return error_set(making->error, ERR_UNSUPPORTED, "line %" PRIu32 " of %s: %s", pool->line,
                     making->given->param_path, why);
}

static bool is_one_cpu(uint64_t mask)
{
    return mask != 0 && (mask & (mask - 1)) == 0;
}

/* All lines are one load: what differs between them cannot be said. */
static bool check_pool(const struct making *making, const struct sqlio_pool *pool)
{
    const struct sqlio_pool *first = &making->given->pools[0];
    if (pool->threads != first->threads)
        return refuse_line(making, pool, "every file must have as many threads as the first; run sqlio once for each");
    if (pool->size_mb != first->size_mb && making->given->pattern != SQLIO_STRIPE)
        return refuse_line(making, pool, "every file must have the size of the first; run sqlio once for each");
    if ((pool->mask == 0) != (first->mask == 0))
        return refuse_line(making, pool, "either every file has a mask or none");
    if (pool->mask != 0 && !is_one_cpu(pool->mask))
        return refuse_line(making, pool, "threads are bound to one CPU each; give a mask with one CPU, or 0x0");
    return true;
}

/* With FILES_OWN thread i has file i mod files, so a list with one CPU for each file binds as the masks do. */
static bool bind_pool(struct making *making, const struct sqlio_pool *pool)
{
    char cpu[NAME_MAX_BYTES];
    struct job *job = making->job;
    size_t used = strlen(job->cpus);
    if (pool->mask == 0)
        return true;
    if (making->given->cpus[0])
        return refuse_line(making, pool, "a mask, and -p or -a on the command line: give one of them");
    sqlio_mask_cpus(pool->mask, cpu, sizeof(cpu));
    int bytes = snprintf(job->cpus + used, sizeof(job->cpus) - used, "%s%s", used ? "," : "", cpu);
    return (bytes >= 0 && (size_t)bytes < sizeof(job->cpus) - used) ||
           refuse_line(making, pool, "too many files with masks");
}

/* -d gives a drive to names that have none. */
static bool add_pool(struct making *making, const struct sqlio_pool *pool)
{
    const struct sqlio_given *given = making->given;
    if (!check_pool(making, pool) || !bind_pool(making, pool))
        return false;
    bool bare = given->drives && pool->path[0] != '/' && pool->path[1] != ':';
    if (!bare)
        return add_name(making, pool->path);
    if (given->drives[1])
        return error_set(making->error, ERR_USAGE, "-d%s: a parameter file takes one drive letter", given->drives);
    return add_on_drives(making, pool->path);
}

static const char *base_of(const char *path)
{
    const char *base = path;
    for (const char *at = path; *at; ++at)
        if (*at == '/' || *at == '\\' || *at == ':')
            base = at + 1;
    return base;
}

/* SQLIO uses the parameter file's files and no others; a name that says the same is no contradiction. */
static bool check_name(const struct making *making, const char *name)
{
    const struct sqlio_given *given = making->given;
    for (size_t i = 0; i < given->pool_count; ++i)
        if (strcmp(base_of(name), base_of(given->pools[i].path)) == 0)
            return true;
    return error_set(making->error, ERR_USAGE, "%s is not in %s, whose files are used: leave one of them out", name,
                     given->param_path);
}

static bool add_pools(struct making *making)
{
    const struct sqlio_given *given = making->given;
    for (size_t i = 0; i < given->name_count; ++i)
        if (!check_name(making, given->names[i]))
            return false;
    if (given->raw)
        return error_set(making->error, ERR_USAGE, "-R%s and -F%s: name the devices in one of them", given->raw,
                         given->param_path);
    for (size_t i = 0; i < given->pool_count; ++i)
        if (!add_pool(making, &given->pools[i]))
            return false;
    making->job->threads = given->pools[0].threads * given->pool_count;
    if (making->job->threads <= SQLIO_THREADS_MAX)
        return true;
    return error_set(making->error, ERR_USAGE, "%s has %" PRIu64 " threads: at most %d", given->param_path,
                     making->job->threads, SQLIO_THREADS_MAX);
}

/* ---- settings ---- */

static void make_cache(const struct making *making)
{
    static const struct {
        char letter;
        enum os_cache cache;
        enum write_through through;
    } rows[] = {{'N', OS_CACHE_OFF, WRITE_THROUGH_DATA},
                {'Y', OS_CACHE_ON, WRITE_THROUGH_OFF},
                {'H', OS_CACHE_OFF, WRITE_THROUGH_OFF},
                {'S', OS_CACHE_ON, WRITE_THROUGH_DATA}};
    char letter = making->given->buffering ? making->given->buffering : 'N';
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        if (rows[i].letter == letter) {
            making->job->cache = rows[i].cache;
            making->job->through = rows[i].through;
        }
}

static void make_mode(const struct making *making)
{
    struct job *job = making->job;
    const struct sqlio_given *given = making->given;
    if (given->pattern == SQLIO_RANDOM)
        job->mode = given->writes ? MODE_RNDWR : MODE_RNDRD;
    else
        job->mode = given->writes ? MODE_SEQREWR : MODE_SEQRD;
    job->cursor = given->pattern == SQLIO_STRIPE ? CURSOR_THREAD : CURSOR_SHARED;
    job->file_choice = making->files == 1 ? FILES_ALL : given->pool_count ? FILES_OWN : FILES_TURN;
}

/* -o is per thread and file. */
static bool make_depth(const struct making *making)
{
    const struct sqlio_given *given = making->given;
    uint64_t files = making->job->file_choice == FILES_TURN ? making->files : 1;
    making->job->depth = given->outstanding ? given->outstanding * files : 1;
    if (making->job->depth <= DEPTH_MAX)
        return true;
    return error_set(making->error, ERR_USAGE, "-o%" PRIu64 " over %" PRIu64 " files is more than %d IOs per thread",
                     given->outstanding, files, DEPTH_MAX);
}

static bool make_stripe(const struct making *making)
{
    const struct sqlio_given *given = making->given;
    struct job *job = making->job;
    uint64_t crew = given->pool_count ? given->pools[0].threads : given->threads;
    if (given->one_run)
        return error_set(making->error, ERR_UNSUPPORTED,
                         "-v1.1.1 is not supported: it reads the same run for ever; without it the next run follows");
    if (given->stripe_blocks < crew)
        return error_set(making->error, ERR_USAGE,
                         "-f%" PRIu64 " with %" PRIu64 " threads is not valid: each thread needs a block of the stripe",
                         given->stripe_blocks, crew);
    job->stripe_blocks = given->stripe_blocks;
    job->stripe_rows = given->run_blocks;
    uint64_t blocks = given->stripe_blocks * given->run_blocks; /* at most 10^12 */
    if (blocks > SIZE_MAX_BYTES / making->files / job->block_size_bytes)
        return error_set(making->error, ERR_USAGE, "-f%" PRIu64 " -i%" PRIu64 " -b%" PRIu64 " needs too large a file",
                         given->stripe_blocks, given->run_blocks, given->block_kb);
    job->total_size_bytes = blocks * job->block_size_bytes * making->files;
    return true;
}

static bool make_size(const struct making *making)
{
    const struct sqlio_given *given = making->given;
    uint64_t size_mb = given->pool_count ? given->pools[0].size_mb : 0;
    if (given->pattern == SQLIO_STRIPE)
        return make_stripe(making);
    if (size_mb > SIZE_MAX_BYTES / MIB / making->files)
        return refuse_line(making, &given->pools[0], "the size is too large");
    making->job->total_size_bytes = size_mb * MIB * making->files;
    return size_mb == 0 || size_mb * KIB >= given->block_kb ||
           refuse_line(making, &given->pools[0], "the size is less than one block of -b");
}

static void fix(const struct making *making)
{
    struct job *job = making->job;
    job->block_size_bytes = making->given->block_kb * KIB;
    job->start_bytes = making->given->first_block * job->block_size_bytes; /* at most 2^50 × 2^30: see make_start */
    job->time_ns = making->given->seconds * NS_PER_S;
    job->fill = FILL_EXTENDED;
    job->sync_at_end = false;
    job->histogram = making->given->latency;
    job->percentiles.count = 0; /* it shows none */
    if (job->cpus[0] == '\0')
        snprintf(job->cpus, sizeof(job->cpus), "%s", making->given->cpus);
}

static bool check_start(const struct making *making)
{
    return making->given->first_block <= SIZE_MAX_BYTES / KIB / making->given->block_kb ||
           error_set(making->error, ERR_USAGE, "-S%" PRIu64 " is too large for -b%" PRIu64, making->given->first_block,
                     making->given->block_kb);
}

static bool check(const struct making *making)
{
    static const struct phrase phrases[] = {
        {"--block-size", "-b"}, {"--stripe-blocks", "-f"},     {"--stripe-rows", "-i"}, {"--threads", "-t"},
        {"--start", "-S"},      {"--cache=off", "-BN or -BH"}, {"--cpus", "-p or -a"},  {"--depth", "-o"}};
    return phrases_check_job(phrases, COUNT_OF(phrases), making->job, true, making->error);
}

bool sqlio_job_make(struct sqlio_given *given, struct invocation *invocation, struct error *error)
{
    struct making making = {given, invocation, &invocation->job, 0, error};
    job_init(making.job);
    making.job->threads = given->threads;
    if (!check_start(&making))
        return false;
    if (given->pool_count ? !add_pools(&making) : (!add_names(&making) || !add_devices(&making)))
        return false;
    if (making.files == 0)
        return error_set(error, ERR_USAGE, "no file is named");
    fix(&making);
    make_mode(&making);
    make_cache(&making);
    if (!make_depth(&making) || !make_size(&making) || !check(&making))
        return false;
    invocation->extend_bytes = (uint64_t)SQLIO_STRIPE_BLOCKS * SQLIO_RUN_BLOCKS * making.job->block_size_bytes;
    if (given->writes)
        memcpy(invocation->overwrite, making.job->target, sizeof(invocation->overwrite));
    return true;
}
