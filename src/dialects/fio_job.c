/* fio_job.c: what is given to isobench's jobs. A job of fio is a number of processes (numjobs), each with files, a
 * position, a random order and an end of its own. They are one job of isobench with threads where they are reported
 * together and that says the same; else each is a job. */
#include "dialects/fio.h"

#include "core/cpu_list.h"
#include "core/settings.h"
#include "dialects/phrases.h"
#include "platform/queue.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MOST (UINT64_C(1) << 60)
#define NORMAL_WITHIN 0.05 /* of a deviation */

struct making {
    struct fio_plan *plan;
    const struct fio_given *given;
    struct fio_text *notes;
    struct error *error;
};

static bool refuse(const struct making *making, enum error_kind kind, const char *what)
{
    char place[400];
    return error_set(making->error, kind, "job %.60s (%s): %s", making->given->name,
                     fio_place(making->given->file, making->given->line, place, sizeof(place)), what);
}

static bool wrong(const struct making *making, const char *what)
{
    return refuse(making, ERR_USAGE, what);
}

static bool unsupported(const struct making *making, const char *what)
{
    return refuse(making, ERR_UNSUPPORTED, what);
}

/* ---- the way to the device ---- */

static bool has_engine(const char *name)
{
    for (const struct queue_engine *const *engine = queue_engines; *engine; ++engine)
        if (strcmp((*engine)->name, name) == 0)
            return true;
    return false;
}

static const struct engine_row {
    const char *theirs, *ours;
    bool one_by_one;  /* one IO at a time */
    const char *note; /* how ours is another way */
} engine_rows[] = {
    {"sync", "sync", true, "IOs are at offsets (pread, pwrite), without a seek before each"},
    {"psync", "sync", true, NULL},
    {"vsync", "sync", true, "IOs are at offsets (pread, pwrite), and not coalesced"},
    {"pvsync", "sync", true, "IOs are pread and pwrite"},
    {"pvsync2", "sync", true, "IOs are pread and pwrite"},
    {"libaio", "uring", false, "IOs go through io_uring"},
    {"io_uring", "uring", false, NULL},
    {"posixaio", "uv", false, "IOs are made by a pool of threads"},
    {"windowsaio", "iocp", false, NULL},
    {"mmap", "mmap", true, NULL},
};

static const struct engine_row *engine_row_of(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(engine_rows); ++i)
        if (strcmp(engine_rows[i].theirs, name) == 0)
            return &engine_rows[i];
    return NULL;
}

static void make_engine(const struct making *making, struct job *job)
{
    const struct fio_given *given = making->given;
    const struct engine_row *row = engine_row_of(given->ioengine);
    bool one_by_one = row ? row->one_by_one : !has_engine("iocp"); /* fio's own default: psync, or windowsaio */
    job->depth = one_by_one ? 1 : given->depth;
    if (one_by_one && given->depth > 1)
        fio_text_add(making->notes, "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will "
                                    "be capped at 1\n");
    if (!row)
        return;
    bool here = has_engine(row->ours);
    snprintf(job->engine, sizeof(job->engine), "%s", here ? row->ours : "auto");
    if (!here || row->note)
        fio_text_add(making->notes, "note: ioengine=%s: %s\n", row->theirs,
                     here ? row->note : "this system has another way, which is used instead");
}

static bool make_cpus(const struct making *making, uint64_t clone, bool alone, struct job *job)
{
    const struct fio_given *given = making->given;
    uint32_t count = cpu_list_count(given->cpus);
    if (count > 1 && !given->split_cpus)
        return unsupported(making, "cpus_allowed=: isobench binds each thread to one CPU; give one, or say "
                                   "cpus_allowed_policy=split");
    if (count > 1 && alone)
        snprintf(job->cpus, sizeof(job->cpus), "%" PRIu32, cpu_list_at(given->cpus, (uint32_t)(clone % count)));
    else
        snprintf(job->cpus, sizeof(job->cpus), "%s", given->cpus);
    return true;
}

static bool make_path(const struct making *making, struct job *job)
{
    const struct fio_given *given = making->given;
    make_engine(making, job);
    job->cache = given->direct ? OS_CACHE_OFF : OS_CACHE_ON;
    job->through = given->through;
    job->drop_cache = given->invalidate && !given->direct;
    job->sync_at_end = given->end_fsync;
    if (given->fsync && given->fdatasync)
        return wrong(making, "fsync= and fdatasync= exclude each other: give one");
    job->sync_kind = given->fdatasync ? SYNC_FDATASYNC : SYNC_FSYNC;
    job->sync_every = given->fdatasync + given->fsync; /* one of them is 0 */
    job->data = given->zeros ? DATA_ZERO : DATA_RANDOM;
    job->compress_percent = given->zeros ? 0 : given->compress_percent;
    return true;
}

/* ---- the pattern ---- */

static bool is_random(const struct fio_given *given)
{
    return given->rw >= FIO_RANDREAD;
}

static bool reads(const struct fio_given *given)
{
    return given->rw != FIO_WRITE && given->rw != FIO_RANDWRITE;
}

static bool writes(const struct fio_given *given)
{
    return given->rw != FIO_READ && given->rw != FIO_RANDREAD;
}

/* Each block once before any comes again. */
static bool covers(const struct fio_given *given)
{
    return is_random(given) && !given->any_place && given->distribution == DIST_UNIFORM;
}

/* The sum of n uniform numbers has a deviation of 1 / sqrt(12 n) of their range. */
static bool make_normal(const struct making *making, struct job *job)
{
    double wanted = making->given->normal_percent, terms = floor(10000 / (12 * wanted * wanted) + 0.5);
    double got = 100 / sqrt(12 * (terms < 1 ? 1 : terms));
    char what[160];
    job->gaussian_iterations = terms < 1 ? 1 : terms > 1000 ? 1000 : (uint64_t)terms;
    if (fabs(got - wanted) > NORMAL_WITHIN * wanted) {
        snprintf(what, sizeof(what), "random_distribution=normal: a deviation of %g %% is not; the nearest is %.2f",
                 wanted, got);
        return unsupported(making, what);
    }
    fio_text_add(making->notes, "note: random_distribution=normal:%g has a deviation of %.2f %%\n", wanted, got);
    return true;
}

static bool make_access(const struct making *making, struct job *job)
{
    static const enum mode modes[] = {MODE_SEQRD, MODE_SEQREWR, MODE_SEQRW, MODE_RNDRD, MODE_RNDWR, MODE_RNDRW};
    const struct fio_given *given = making->given;
    bool fresh = given->rw == FIO_WRITE && given->fallocate == FIO_FALLOCATE_NONE && !given->targets[0];
    job->mode = fresh && !given->overwrite ? MODE_SEQWR : modes[given->rw];
    job->read_percent = (double)given->read_percent;
    job->block_size_bytes = given->block_bytes;
    job->align_bytes = is_random(given) && given->align_bytes != given->block_bytes ? given->align_bytes : 0;
    job->distribution = is_random(given) ? given->distribution : DIST_UNIFORM;
    job->coverage = covers(given) ? COVERAGE_ONCE : COVERAGE_ANY;
    if (job->distribution == DIST_ZIPFIAN)
        job->zipfian_exponent = given->zipf_theta;
    if (job->distribution == DIST_PARETO)
        job->pareto_h = given->pareto_h;
    if (given->align_bytes && !is_random(given) && given->align_bytes != given->block_bytes)
        return unsupported(making, "blockalign= is for random IOs");
    return job->distribution != DIST_GAUSSIAN || make_normal(making, job);
}

/* ---- files ---- */

static uint64_t files_of(const struct fio_given *given)
{
    uint64_t count = 1;
    if (!given->targets[0])
        return given->files;
    for (const char *at = given->targets; *at; ++at)
        count += *at == ',';
    return count;
}

/* directory= stands before every name. */
static bool make_targets(const struct making *making, struct job *job)
{
    const struct fio_given *given = making->given;
    size_t used = 0;
    for (const char *at = given->targets; *at;) {
        size_t length = strcspn(at, ",");
        int bytes = snprintf(job->target + used, sizeof(job->target) - used, "%s%s%s%.*s", used ? "," : "",
                             given->directory, given->directory[0] ? "/" : "", (int)length, at);
        if (bytes < 0 || (size_t)bytes >= sizeof(job->target) - used)
            return wrong(making, "the names of all its files are too long");
        used += (size_t)bytes;
        at += length + (at[length] == ',');
    }
    return true;
}

static bool make_set(const struct making *making, uint64_t clone, bool alone, struct job *job)
{
    const struct fio_given *given = making->given;
    int bytes;
    if (given->offset_bytes)
        return unsupported(making, "offset= needs filename=: a set of files is used from its beginning");
    if (given->directory[0])
        snprintf(job->dir, sizeof(job->dir), "%s", given->directory);
    if (alone && given->clones > 1)
        bytes = snprintf(job->file_name, sizeof(job->file_name), "%s-%" PRIu64, given->name, clone);
    else
        bytes = snprintf(job->file_name, sizeof(job->file_name), "%s", given->name);
    if (bytes < 0 || (size_t)bytes >= sizeof(job->file_name))
        return wrong(making, "the name is too long for the files that are called so; or name them by filename=");
    return true;
}

static bool make_size(const struct making *making, struct job *job)
{
    const struct fio_given *given = making->given;
    uint64_t files = files_of(given), whole = given->size_bytes;
    if (given->filesize_bytes) {
        if (given->filesize_bytes > SIZE_MOST / files)
            return wrong(making, "filesize= over all files is too large");
        whole = given->filesize_bytes * files;
        if (given->size_bytes && given->size_bytes < whole)
            return unsupported(making, "a size= that is less than filesize= over all files; use io_size= for less IO");
    }
    job->total_size_bytes = whole;
    return whole > 0 || given->targets[0] || wrong(making, "you need to specify size=");
}

/* Files for writers alone have their room but no data yet, as fio's have; what is read must have been written. Where
 * nothing is said Windows gets them written: there, writes behind what a file holds are slow, one at a time. */
static enum fill fill_of(const struct fio_given *given)
{
    static const enum fill fills[] = {[FIO_FALLOCATE_UNSAID] = FILL_ALLOCATED,
                                      [FIO_FALLOCATE_NATIVE] = FILL_ALLOCATED,
                                      [FIO_FALLOCATE_NONE] = FILL_EXTENDED,
                                      [FIO_FALLOCATE_TRUNCATE] = FILL_EXTENDED};
    bool written = reads(given) || given->overwrite || (given->fallocate == FIO_FALLOCATE_UNSAID && has_engine("iocp"));
    return written ? FILL_WRITTEN : fills[given->fallocate];
}

static bool make_files(const struct making *making, uint64_t clone, bool alone, struct job *job)
{
    static const enum file_choice random_choices[] = {FILES_TURN, FILES_ALL, FILES_ALL};
    const struct fio_given *given = making->given;
    uint64_t files = files_of(given);
    if (given->open_files && given->open_files < files)
        return unsupported(making, "openfiles= below the number of its files: all of them are open in a run");
    if (given->targets[0] && given->files > 1 && given->files != files)
        return wrong(making, "nrfiles= and the number of names in filename= differ");
    if (given->file_order == FIO_FILES_RANDOM && !is_random(given) && files > 1)
        return unsupported(making, "file_service_type=random is for random IOs");
    if (given->file_order == FIO_FILES_SEQUENTIAL && is_random(given) && files > 1)
        return unsupported(making, "file_service_type=sequential is for sequential IOs");
    if (given->targets[0] ? !make_targets(making, job) : !make_set(making, clone, alone, job))
        return false;
    if (!make_size(making, job))
        return false;
    job->files = files;
    job->start_bytes = given->offset_bytes;
    job->fill = fill_of(given);
    job->file_choice = files > 1 ? random_choices[given->file_order] : FILES_ALL;
    if (job->threads > 1 && !given->targets[0]) { /* each has a file of its own */
        if (job->total_size_bytes > SIZE_MOST / job->threads)
            return wrong(making, "size= over all of numjobs= is too large");
        job->files = job->threads;
        job->total_size_bytes *= job->threads;
        job->file_choice = FILES_OWN;
    } else if (job->threads > 1 && !is_random(given)) { /* each begins at the beginning */
        job->cursor = CURSOR_THREAD;
        job->cursor_start = CURSORS_APART;
    }
    return true;
}

/* ---- how long, how fast ---- */

/* IOs of one clone in one loop; 0 = not known. */
static uint64_t ios_of(const struct fio_given *given, const struct job *job)
{
    return job->total_size_bytes / job->files / given->block_bytes * job->files;
}

static bool make_events(const struct making *making, struct job *job)
{
    const struct fio_given *given = making->given;
    uint64_t known = ios_of(given, job), wanted = given->io_bytes ? given->io_bytes / given->block_bytes : known;
    if (given->io_bytes && wanted == 0)
        return wrong(making, "io_size= is less than one block (bs=)");
    if (wanted == 0 && given->ios == 0)
        return wrong(making, "size= says when it ends: give it, or time_based and runtime=");
    wanted = wanted && given->loops > UINT64_MAX / wanted ? UINT64_MAX : wanted * given->loops;
    job->events = given->ios && (wanted == 0 || given->ios < wanted) ? given->ios : wanted;
    return job->events <= INT64_MAX || wrong(making, "loops= is too large");
}

static bool make_stop(const struct making *making, struct job *job)
{
    const struct fio_given *given = making->given;
    job->time_ns = given->time_ns;
    job->warmup_ns = given->ramp_ns;
    job->events = 0;
    if (given->ramp_ns && !given->time_based)
        fio_text_add(making->notes, "note: ramp_time=: what is done in it counts towards the size\n");
    if (given->time_based)
        return given->time_ns > 0 || wrong(making, "time_based requires a runtime/timeout setting");
    if (!given->ios && !given->io_bytes && (!is_random(given) || covers(given))) {
        job->passes = given->loops;
        return true;
    }
    return make_events(making, job);
}

static bool make_rate(const struct making *making, struct job *job)
{
    const struct fio_given *given = making->given;
    double by_bytes = (double)given->rate_bytes / (double)given->block_bytes, by_ios = (double)given->rate_ios;
    double each = by_ios > 0 && (by_bytes <= 0 || by_ios < by_bytes) ? by_ios : by_bytes;
    if (each > 0 && reads(given) && writes(given))
        return unsupported(making, "rate= and rate_iops= with reads and writes: fio limits each of them apart");
    job->rate = each * (double)job->threads;
    job->arrival = given->poisson ? ARRIVAL_POISSON : ARRIVAL_UNIFORM;
    if (each > 0)
        job->latency_from = LATENCY_FROM_START;
    job->think_time_ns = given->think_ns;
    job->burst = given->think_blocks;
    return true;
}

/* ---- one job ---- */

static bool check(const struct making *making, const struct job *job)
{
    static const struct phrase phrases[] = {{"--block-size", "bs"},
                                            {"--total-size", "size"},
                                            {"--files", "nrfiles"},
                                            {"--file-name", "name"},
                                            {"--dir", "directory"},
                                            {"--cache=off", "direct=1"},
                                            {"--target", "filename"},
                                            {"--start", "offset"},
                                            {"--align", "blockalign"},
                                            {"--rate", "rate"},
                                            {"--think-time", "thinktime"},
                                            {"--depth", "iodepth"},
                                            {"--engine", "ioengine"},
                                            {"--through", "sync"},
                                            {"--coverage=once", "norandommap=0"},
                                            {"--compress-percent", "buffer_compress_percentage"}};
    struct error inner = ERROR_INIT;
    return phrases_check_job(phrases, COUNT_OF(phrases), job, true, &inner) || refuse(making, inner.kind, inner.text);
}

static bool make_job(const struct making *making, uint64_t clone, bool alone, struct job *job)
{
    const struct fio_given *given = making->given;
    job_init(job);
    job->threads = alone ? 1 : given->clones;
    job->percentiles = given->percentiles;
    if (!given->show_clat && !given->show_lat)
        job->percentiles.count = 0;
    job->seed = given->repeatable ? (given->seed + clone) & INT64_MAX : 0;
    return make_path(making, job) && make_access(making, job) && make_files(making, clone, alone, job) &&
           make_stop(making, job) && make_rate(making, job) && make_cpus(making, clone, alone, job) &&
           check(making, job);
}

/* Do threads of one job say the same as jobs of one thread each? Not where each has an end or syncs of its own. */
static bool can_be_threads(const struct fio_given *given)
{
    bool counted = !given->time_based && (given->ios || given->io_bytes || (is_random(given) && !covers(given)));
    if (given->clones == 1 || !given->group_reporting || given->fsync || given->fdatasync || counted)
        return false;
    return given->targets[0] ? given->time_based : given->files == 1;
}

/* ---- all of them ---- */

static bool make_unit(const struct making *making, uint64_t clone, bool alone)
{
    struct fio_plan *plan = making->plan;
    const struct fio_given *given = making->given;
    const struct fio_unit *before = plan->count ? &plan->units[plan->count - 1] : NULL;
    struct fio_unit *unit = &plan->units[plan->count];
    bool new_group = clone == 0 && (given->waits || given->new_group);
    if (!make_job(making, clone, alone, &plan->jobs[plan->count]))
        return false;
    *unit = (struct fio_unit){.given = given, .clones = alone ? 1 : given->clones};
    if (before) {
        unit->group = before->group + new_group;
        bool apart = !given->group_reporting || unit->group != before->group;
        unit->entry = before->entry + apart;
        plan->waits[plan->count - 1] = clone == 0 && given->waits;
    }
    plan->names[plan->count] = given->name;
    plan->entries = unit->entry + 1;
    ++plan->count;
    return true;
}

static bool make_units(struct making *making)
{
    struct fio_plan *plan = making->plan;
    for (size_t i = 0; i < plan->given_count; ++i) {
        making->given = &plan->given[i];
        bool alone = !can_be_threads(making->given);
        for (uint64_t clone = 0; clone < (alone ? making->given->clones : 1); ++clone)
            if (!make_unit(making, clone, alone))
                return false;
    }
    return true;
}

/* Who reads what another only writes needs it written; and the files of one name are made alike. */
static void share_fill(struct fio_plan *plan)
{
    for (size_t i = 0; i < plan->count; ++i)
        for (size_t k = 0; k < plan->count; ++k) {
            const struct job *a = &plan->jobs[i];
            struct job *b = &plan->jobs[k];
            bool same = i != k && strcmp(a->target, b->target) == 0 &&
                        (a->target[0] || (strcmp(a->dir, b->dir) == 0 && strcmp(a->file_name, b->file_name) == 0));
            if (same && a->fill == FILL_WRITTEN)
                b->fill = FILL_WRITTEN;
        }
}

static bool make_room(struct making *making)
{
    struct fio_plan *plan = making->plan;
    uint64_t units = 0;
    for (size_t i = 0; i < plan->given_count; ++i) {
        making->given = &plan->given[i];
        units += can_be_threads(making->given) ? 1 : making->given->clones;
        if (units > FIO_UNITS_MAX)
            return unsupported(making, "numjobs= makes more than 1024 jobs; with group_reporting and time_based the "
                                       "clones of a job are threads of one");
    }
    plan->jobs = calloc((size_t)units + 1, sizeof(*plan->jobs));
    plan->units = calloc((size_t)units + 1, sizeof(*plan->units));
    plan->waits = calloc((size_t)units + 1, sizeof(*plan->waits));
    plan->names = calloc((size_t)units + 1, sizeof(*plan->names));
    return (plan->jobs && plan->units && plan->waits && plan->names) ||
           error_set(making->error, ERR_SYSTEM, "not enough memory for %" PRIu64 " jobs", units);
}

/* ---- from sections ---- */

static bool take_section(const struct fio_lines *lines, uint32_t section, struct fio_given *given,
                         struct fio_text *notes, struct error *error)
{
    for (size_t i = 0; i < lines->count; ++i)
        if (lines->lines[i].section == section && !fio_given_take(given, &lines->lines[i], notes, error))
            return false;
    return true;
}

static bool take_sections(struct fio_plan *plan, const struct fio_lines *lines, struct fio_text *notes,
                          struct error *error)
{
    struct fio_given all;
    fio_given_init(&all);
    for (uint32_t i = 0; i < lines->sections_count; ++i) {
        const struct fio_section *section = &lines->sections[i];
        struct fio_given *given = section->global ? &all : &plan->given[plan->given_count];
        if (!section->global) {
            *given = all;
            given->name = section->name;
            given->file = section->file;
            given->line = section->line;
            given->section = i;
            ++plan->given_count;
        }
        if (!take_section(lines, i, given, notes, error))
            return false;
        if (section->first && plan->given_count > 1)
            given->waits = true;
    }
    return plan->given_count > 0 || error_set(error, ERR_USAGE,
                                              "no job is defined: name a job file with a [job] in "
                                              "it, or give --name=JOB and its keys");
}

bool fio_plan_make(struct fio_plan *plan, const struct fio_lines *lines, struct fio_text *notes, struct error *error)
{
    struct making making = {plan, NULL, notes, error};
    plan->given = calloc(lines->sections_count + 1, sizeof(*plan->given));
    if (!plan->given)
        return error_set(error, ERR_SYSTEM, "not enough memory for the jobs");
    if (!take_sections(plan, lines, notes, error) || !make_room(&making) || !make_units(&making))
        return false;
    share_fill(plan);
    return true;
}

void fio_plan_free(struct fio_plan *plan)
{
    free(plan->given);
    free(plan->jobs);
    free(plan->units);
    free(plan->waits);
    free((void *)plan->names);
    memset(plan, 0, sizeof(*plan));
}
