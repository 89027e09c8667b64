#include "fileio/expand.h"

#include "fileio/files.h"
#include "platform/path.h"

/* One target and how long it is to be. */
struct growth {
    char path[PATH_BYTES];
    bool absent;
    uint64_t have_bytes, want_bytes;
};

/* Where the job names no size, a file is used as it is, unless it has not one block. */
static uint64_t wanted_bytes(const struct fileio_setup *setup, uint64_t targets, uint64_t have_bytes)
{
    const struct job *job = setup->job;
    if (job->total_size_bytes > 0)
        return job->start_bytes + job->total_size_bytes / targets;
    bool usable = have_bytes >= job->start_bytes + job->block_size_bytes;
    return usable ? have_bytes : job->start_bytes + setup->extend_bytes;
}

static void give_back(const struct fileio_setup *setup, const struct growth *growth, struct file *file)
{
    struct error ignored = ERROR_INIT; /* the error that led here is the one to tell */
    if (file && !growth->absent)
        setup->layer->set_size(file, growth->have_bytes, &ignored);
    setup->layer->close(file);
    if (file && growth->absent)
        setup->layer->remove(growth->path, &ignored);
}

static bool grow(const struct fileio_setup *setup, const struct growth *growth, struct error *error)
{
    const struct listener *listener = setup->listener;
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, growth->absent ? FILE_MUST_NOT_EXIST : FILE_MUST_EXIST, true};
    struct file *file = NULL;
    if (listener->expand_started)
        listener->expand_started(listener->context, growth->path, growth->have_bytes, growth->want_bytes);
    if (!setup->layer->open(&file, growth->path, &policy, error) ||
        !setup->layer->set_size(file, growth->want_bytes, error)) {
        give_back(setup, growth, file);
        return false;
    }
    setup->layer->close(file);
    if (listener->expand_done)
        listener->expand_done(listener->context, growth->path);
    return true;
}

static bool expand_one(const struct fileio_setup *setup, uint64_t index, uint64_t targets, struct error *error)
{
    struct growth growth;
    enum path_kind kind;
    if (!files_path(growth.path, setup->job, index, error) || !path_look(growth.path, &kind, &growth.have_bytes, error))
        return false;
    if (kind != PATH_ABSENT && kind != PATH_FILE)
        return true; /* devices have the size they have, and the run's own checks speak of the rest */
    growth.absent = kind == PATH_ABSENT;
    growth.want_bytes = wanted_bytes(setup, targets, growth.have_bytes);
    return growth.have_bytes >= growth.want_bytes || grow(setup, &growth, error);
}

bool targets_expand(const struct fileio_setup *setup, struct error *error)
{
    uint64_t targets = files_targets(setup->job);
    if (setup->extend_bytes == 0)
        return true;
    for (uint64_t i = 0; i < targets; ++i) {
        if (!expand_one(setup, i, targets, error))
            return false;
    }
    return true;
}
