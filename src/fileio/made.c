#include "fileio/made.h"

#include "fileio/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool made_files_note(struct made_files *made, const char *path, struct error *error)
{
    struct made_file *more = realloc(made->list, (made->count + 1) * sizeof(*more));
    if (!more)
        return error_set(error, ERR_SYSTEM, "not enough memory to keep in mind that %s was made", path);
    made->list = more;
    snprintf(more[made->count].path, sizeof(more[made->count].path), "%s", path);
    return path_identify(path, &more[made->count].identity, error) && ++made->count;
}

static bool still_there(const struct made_file *file)
{
    struct error ignored = ERROR_INIT; /* not there any more is fine */
    struct path_identity now;
    return path_identify(file->path, &now, &ignored) && now.number == file->identity.number &&
           now.born_ns == file->identity.born_ns;
}

bool made_files_remove(struct made_files *made, const struct file_layer *layer, struct error *error)
{
    bool good = true;
    for (size_t i = 0; i < made->count; ++i) {
        struct error refused = ERROR_INIT;
        if (!still_there(&made->list[i]) || layer->remove(made->list[i].path, &refused))
            continue;
        if (good)
            *error = refused;
        good = false;
    }
    made->count = 0;
    return good;
}

void made_files_done(struct made_files *made)
{
    free(made->list);
    *made = (struct made_files){0};
}

static bool settle_one(const struct fileio_setup *setup, const char *path, struct error *error)
{
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, true};
    struct file *file = NULL;
    if (!setup->layer->open(&file, path, &policy, error))
        return false;
    int os_code = setup->layer->sync(file, false);
    setup->layer->close(file);
    return os_code == 0 || error_set_os(error, os_code, "%s: cannot sync", path);
}

bool fileio_settle(const struct fileio_setup *setup, struct error *error)
{
    const struct job *job = setup->job;
    uint64_t files = job->target[0] ? files_targets(job) : job->files;
    char path[PATH_BYTES];
    for (uint64_t i = 0; mode_writes(job->mode) && i < files; ++i)
        if (!files_path(path, job, i, error) || !settle_one(setup, path, error))
            return false;
    return true;
}
