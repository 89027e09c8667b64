/* fileio.c: one run of the file benchmark, from the checked job to the result. */
#include "fileio/fileio.h"

#include "fileio/files.h"
#include "fileio/lane.h"
#include "platform/host.h"
#include "platform/thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARE_DESCRIPTORS 64 /* for rings, logs and libraries */

/* A new seed when the job leaves it open; a JSON integer holds 63 bits. */
static uint64_t draw_seed(const struct fileio_setup *setup)
{
    struct random random;
    random_init(&random, clock_wall_ns(), clock_now_ns(setup->clock));
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

static bool open_all(struct fileio *fileio, struct error *error)
{
    const struct job *job = fileio->job;
    if (!check_descriptors(fileio, error) || !targets_check(&fileio->setup, &fileio->facts, error))
        return false;
    if (fileio->engine->shares_files && !targets_open(&fileio->shared, &fileio->setup, error))
        return false;
    access_init(&fileio->access, job, files_used_bytes(job));
    if (!data_init(&fileio->data, job, (size_t)job->block_size_bytes, job->seed))
        return error_set(error, ERR_SYSTEM, "not enough memory for --block-size=%" PRIu64, job->block_size_bytes);
    fileio->key_base = job->seed << 20;
    return true;
}

static void close_all(struct fileio *fileio)
{
    data_done(&fileio->data);
    targets_close(&fileio->shared);
}

static void note_machine(struct result *result, const struct fileio_setup *setup)
{
    struct error ignored = ERROR_INIT; /* the run will tell what is wrong with the directory */
    snprintf(result->version, sizeof(result->version), "%s", ISOBENCH_VERSION);
    clock_measure(setup->clock, &result->clock);
    host_measure(&result->host);
    host_target(setup->job->dir, &result->target, &ignored);
}

static bool run_opened(struct fileio *fileio, struct result *result, struct error *error)
{
    struct load load = fileio_load_template;
    struct run_setup run = {fileio->job, fileio->setup.listener, fileio->setup.clock, &load};
    load.context = fileio;
    tell(fileio, fileio->setup.listener->run_opened);
    return run_load(&run, result, error);
}

static void pick_pool(const struct job *job)
{
    uint64_t most = job->threads * job->depth;
    thread_pool_size(most > 1024 ? 1024 : (uint32_t)most);
}

bool fileio_run(const struct fileio_setup *setup, struct result **out, struct error *error)
{
    struct result *result = *out = result_make(setup->job);
    if (!result)
        return error_set(error, ERR_SYSTEM, "not enough memory for --threads=%" PRIu64, setup->job->threads);
    struct job *job = &result->job;
    /* on the heap: threads that hang in a forced shutdown still look at it */
    struct fileio *fileio = calloc(1, sizeof(*fileio));
    const struct queue_engine *engine = queue_engine_pick(job->engine, (uint32_t)job->depth, setup->layer, error);
    bool good = fileio != NULL && engine != NULL;
    if (good) {
        snprintf(job->engine, sizeof(job->engine), "%s", engine->name);
        job->seed = job->seed ? job->seed : draw_seed(setup);
        pick_pool(job);
        fileio->setup = *setup;
        fileio->setup.job = fileio->job = job;
        note_machine(result, &fileio->setup);
        fileio->engine = engine;
        tell(fileio, setup->listener->run_starting);
        good = open_all(fileio, error);
    }
    bool opened = good;
    good = good && run_opened(fileio, result, error);
    if (!result->forced && fileio)
        close_all(fileio);
    if (!result->forced)
        free(fileio);
    if (!opened) {
        result_free(result);
        *out = NULL;
    }
    return good;
}
