/* fileio.c: one run of the file benchmark, from the checked job to the result. */
#include "fileio/fileio.h"

#include "core/units.h"
#include "fileio/expand.h"
#include "fileio/files.h"
#include "fileio/lane.h"
#include "fileio/set_locks.h"
#include "platform/host.h"
#include "platform/thread.h"
#include "run/start_line.h"
#include "run/warnings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARE_DESCRIPTORS 64 /* for rings, logs and libraries */

/* A new seed when the job leaves it open; a JSON integer holds 63 bits. */
static uint64_t draw_seed(const struct fileio_setup *setup)
{
    struct random random;
    uint64_t job =
        setup->place ? start_place_number(setup->place) : 0; /* the clock may be too slow to tell them apart */
    random_init(&random, clock_wall_ns() ^ job << 48, clock_now_ns(setup->clock));
    return (random_next(&random) & (uint64_t)INT64_MAX) | 1;
}

static bool check_descriptors(const struct fileio *fileio, struct error *error)
{
    const struct job *job = fileio->job;
    uint64_t lanes = fileio->engine->shares_files ? 1 : job->threads, limit = host_open_files_limit();
    uint64_t needed = job->files * lanes + job->threads + SPARE_DESCRIPTORS;
    if (needed <= limit)
        return true;
    return error_set(error, ERR_USAGE,
                     "this run keeps %" PRIu64 " files open and the system allows %" PRIu64
                     ": raise the limit (ulimit -n), or lower --files or --threads",
                     needed, limit);
}

static void tell(const struct fileio *fileio, void (*told)(void *, const struct job *))
{
    if (told)
        told(fileio->setup.listener->context, fileio->job);
}

/* What is known of the set's blocks must be in hand before a file is touched, and must go when this run makes it
 * untrue. */
static bool check_targets(struct fileio *fileio, struct error *error)
{
    const struct job *job = fileio->job;
    if (job->verify && !verify_make(&fileio->verify, &fileio->setup, error))
        return false;
    if (!targets_check(&fileio->setup, &fileio->facts, error))
        return false;
    return job->verify || job->target[0] || !mode_writes(job->mode) ||
           verify_drop_ledger(&fileio->setup, fileio->dropped_ledger, error);
}

static bool open_all(struct fileio *fileio, struct error *error)
{
    const struct job *job = fileio->job;
    bool alone = job->verify || job->mode == MODE_SEQWR; /* it trusts what it wrote, or makes the files anew */
    bool locked = fileio->setup.locks ? set_locks_take(fileio->setup.locks, job, alone, error)
                                      : files_lock(job, alone, &fileio->lock, error);
    if (!locked || !check_descriptors(fileio, error) || !check_targets(fileio, error))
        return false;
    if (fileio->engine->shares_files && !targets_open(&fileio->shared, &fileio->setup, error))
        return false;
    if (!access_init(&fileio->access, job, files_used_bytes(job)))
        return error_set(error, ERR_SYSTEM, "not enough memory for --files=%" PRIu64, job->files);
    if (!data_init(&fileio->data, job, (size_t)job->block_size_bytes, job->seed))
        return error_set(error, ERR_SYSTEM, "not enough memory for --block-size=%" PRIu64, job->block_size_bytes);
    fileio->key_base = job->seed << 20;
    return true;
}

static void close_all(struct fileio *fileio)
{
    path_lock_release(fileio->lock);
    verify_free(fileio->verify);
    faults_done(&fileio->faults);
    data_done(&fileio->data);
    access_done(&fileio->access);
    targets_close(&fileio->shared);
}

/* A target that is not there yet is on the volume of its directory. */
static void cut_to_directory(char path[PATH_BYTES])
{
    struct error ignored = ERROR_INIT;
    enum path_kind kind = PATH_ABSENT;
    size_t length = strlen(path);
    if (path_look(path, &kind, NULL, &ignored) && kind != PATH_ABSENT)
        return;
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\')
        --length;
    path[length] = '\0';
    if (length == 0)
        snprintf(path, PATH_BYTES, ".");
}

static void note_machine(struct result *result, const struct fileio_setup *setup)
{
    const struct job *job = &result->job;
    char where[PATH_BYTES] = "";
    struct error ignored = ERROR_INIT; /* the run will tell what is wrong with the directory */
    snprintf(result->version, sizeof(result->version), "%s", ISOBENCH_VERSION);
    clock_measure(setup->clock, &result->clock);
    host_measure(&result->host);
    if (!job->target[0] || !files_path(where, job, 0, &ignored))
        snprintf(where, sizeof(where), "%s", job->dir);
    if (job->mode == MODE_SEQWR)
        cut_to_directory(where);
    host_target(where, &result->target, &ignored);
}

static bool run_opened(struct fileio *fileio, struct result *result, struct error *error)
{
    struct load load = fileio_load_template;
    struct run_setup run = {fileio->job, fileio->setup.listener, fileio->setup.clock, &load, fileio->setup.place};
    load.context = fileio;
    tell(fileio, fileio->setup.listener->run_opened);
    return run_load(&run, result, error);
}

static void pick_pool(const struct fileio_setup *setup, const struct job *job)
{
    uint64_t most = setup->pool_threads ? setup->pool_threads : job->threads * job->depth;
    thread_pool_size(most > 1024 ? 1024 : (uint32_t)most);
}

/* What the run is, before a file is opened: files, engine and seed as they will be used. */
static bool settle(struct fileio *fileio, const struct fileio_setup *setup, struct result *result, struct error *error)
{
    struct job *job = &result->job;
    fileio->setup = *setup;
    fileio->setup.job = fileio->job = job;
    if (!targets_expand(setup, error) || !files_resolve(job, setup->layer, error))
        return false;
    fileio->engine = queue_engine_pick(job->engine, (uint32_t)job->depth, setup->layer, error);
    if (!fileio->engine)
        return false;
    snprintf(job->engine, sizeof(job->engine), "%s", fileio->engine->name);
    job->seed = job->seed ? job->seed : draw_seed(setup);
    pick_pool(setup, job);
    note_machine(result, setup);
    tell(fileio, setup->listener->run_starting);
    return true;
}

static void add_warnings(const struct fileio *fileio, struct result *result)
{
    struct evidence evidence = {.used_bytes = files_used_bytes(fileio->job) * fileio->job->files,
                                .written_bytes = fileio->facts.written_bytes,
                                .written_known = fileio->facts.written_known,
                                .together = fileio->setup.place != NULL};
    warnings_add(result, &evidence);
    if (fileio->facts.kept_cache.kind != ERR_NONE)
        result_warn(result, "cache-kept", "%.500s", fileio->facts.kept_cache.text);
    if (fileio->dropped_ledger[0])
        result_warn(result, "ledger-dropped",
                    "this run wrote without --verify, so what %.300s said of the blocks no longer held: it is removed; "
                    "run prepare --verify again before a check",
                    fileio->dropped_ledger);
}

static void take_faults(const struct fileio *fileio, struct result *result)
{
    memcpy(result->faults, fileio->faults.rows, sizeof(result->faults));
    result->faults_count = fileio->faults.count;
}

/* Counted failures do not end a run, but they are no success either. */
static bool refuse_faults(const struct result *result, struct error *error)
{
    uint64_t count = 0;
    for (size_t i = 0; i < result->faults_count; ++i)
        count += result->faults[i].count;
    if (count == 0)
        return true;
    return error_set(error, ERR_DATA, "%" PRIu64 " operations failed; the first: %s: %s", count,
                     result->faults[0].first, result->faults[0].text);
}

static void fileio_free(struct fileio *fileio)
{
    close_all(fileio);
    free(fileio);
}

bool fileio_run(const struct fileio_setup *setup, struct result **out, struct error *error)
{
    struct result *result = result_make(setup->job);
    /* on the heap: threads that hang in a forced shutdown still look at it */
    struct fileio *fileio = calloc(1, sizeof(*fileio));
    *out = NULL;
    bool good = result && fileio && faults_init(&fileio->faults);
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory for --threads=%" PRIu64, setup->job->threads);
    if (!good || !settle(fileio, setup, result, error) || !open_all(fileio, error)) {
        result_free(result);
        if (fileio)
            fileio_free(fileio);
        return false;
    }
    *out = result;
    good = run_opened(fileio, result, error);
    take_faults(fileio, result);
    if (fileio->verify)
        verify_report(fileio->verify, &result->verify);
    add_warnings(fileio, result);
    good = good && refuse_faults(result, error) && verify_refuse(&result->verify, error);
    if (!result->forced)
        fileio_free(fileio);
    return good;
}
