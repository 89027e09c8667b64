#include "fileio/targets.h"

#include "core/units.h"
#include "fileio/access.h"
#include "fileio/files.h"
#include "fileio/made.h"
#include "platform/host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct file_policy job_policy(const struct job *job)
{
    return (struct file_policy){job->cache == OS_CACHE_OFF ? CACHE_OFF : CACHE_ON, (enum file_through)job->through,
                                FILE_MUST_EXIST, mode_writes(job->mode)};
}

/* ---- may we? -------------------------------------------------------------------------------------------- */

static bool refuse_foreign(const char *path, struct error *error)
{
    return error_set(error, ERR_USAGE,
                     "%s: isobench did not make this file and will not write to it: choose another --dir or "
                     "--file-name, or run prepare there",
                     path);
}

/* Files and devices that the user named: written only if named for that too, a device in use never. */
static bool check_target(const struct fileio_setup *setup, const char *path, enum path_kind kind, struct error *error)
{
    if (kind == PATH_DIRECTORY || kind == PATH_OTHER)
        return error_set(error, ERR_USAGE, "--target: %s is neither a file nor a block device", path);
    if (!mode_writes(setup->job->mode))
        return true;
    if (kind == PATH_DEVICE && setup->job->mode == MODE_SEQWR)
        return error_set(error, ERR_USAGE,
                         "%s is a device, which cannot be made anew as --mode=seqwr does: use --mode=seqrewr", path);
    if (!setup->overwrite || !files_list_has(setup->overwrite, path))
        return error_set(error, ERR_USAGE, "%s would be written to and its data lost: say --overwrite-target=%s", path,
                         path);
    return host_device_is_free(path, error);
}

static bool check_size(const struct job *job, const char *path, uint64_t size_bytes, struct error *error)
{
    char have[32], want[32];
    uint64_t wanted_bytes = files_end_bytes(job);
    if (size_bytes >= wanted_bytes)
        return true;
    return error_set(error, ERR_USAGE,
                     "%s has %s and the job needs %s in each file: run prepare with the same --files and --total-size",
                     path, units_bytes_human((double)size_bytes, have, sizeof(have)),
                     units_bytes_human((double)wanted_bytes, want, sizeof(want)));
}

static bool check_one(const struct fileio_setup *setup, const struct manifest *manifest, uint64_t index,
                      enum path_kind *kind, struct error *error)
{
    const struct job *job = setup->job;
    char path[PATH_BYTES];
    uint64_t size_bytes = 0;
    if (!files_path(path, job, index, error) || !path_look(path, kind, &size_bytes, error))
        return false;
    bool ours = manifest_owns(manifest, index, path);
    if (*kind == PATH_ABSENT && job->mode == MODE_SEQWR)
        return true;
    if (*kind != PATH_ABSENT && job->target[0])
        return check_target(setup, path, *kind, error) &&
               (*kind == PATH_DEVICE || job->mode == MODE_SEQWR || check_size(job, path, size_bytes, error));
    if (*kind == PATH_ABSENT && job->target[0])
        return error_set(error, ERR_USAGE, "--target: %s is not there", path);
    if (*kind == PATH_ABSENT)
        return error_set(error, ERR_USAGE, "%s is not there: run prepare with the same --dir, --files and --total-size",
                         path);
    if (*kind != PATH_FILE)
        return error_set(error, ERR_USAGE, "%s is not a file", path);
    if (mode_writes(job->mode) && !ours && !setup->foreign_files)
        return refuse_foreign(path, error);
    if (job->mode == MODE_SEQWR && ours)
        return true;
    return check_size(job, path, size_bytes, error);
}

/* ---- making them anew for a sequential write test ------------------------------------------------------ */

static bool empty_one(const struct fileio_setup *setup, uint64_t index, enum path_kind kind, struct error *error)
{
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, kind == PATH_ABSENT ? FILE_MUST_NOT_EXIST : FILE_EMPTIED, true};
    struct file *file = NULL;
    char path[PATH_BYTES];
    if (!files_path(path, setup->job, index, error) || !setup->layer->open(&file, path, &policy, error))
        return false;
    bool mapped = strcmp(setup->job->engine, "mmap") == 0; /* a map cannot grow its file */
    bool good = !mapped || setup->layer->set_size(file, files_used_bytes(setup->job), error);
    setup->layer->close(file);
    bool noted = kind == PATH_ABSENT && setup->job->target[0] && setup->made;
    return good && (!noted || made_files_note(setup->made, path, error));
}

static bool same_entry(const struct manifest_entry *a, const struct manifest_entry *b)
{
    return a->index == b->index && a->bytes == b->bytes && a->fill == b->fill && a->data == b->data &&
           a->compress_percent == b->compress_percent && a->complete == b->complete &&
           a->identity.number == b->identity.number && a->identity.born_ns == b->identity.born_ns;
}

/* Written only when it says something new: the disk may be full. A file that isobench did not make does not become
 * its own by being written anew. `kinds` says what stood there before. */
static bool note_rewrite(struct manifest *manifest, const struct job *job, const enum path_kind *kinds,
                         struct error *error)
{
    bool changed = false;
    for (uint64_t i = 0; i < job->files; ++i) {
        struct manifest_entry now = {i,  files_used_bytes(job), FILL_WRITTEN, job->data, job->compress_percent, false,
                                     {0}};
        char path[PATH_BYTES];
        if (!files_path(path, job, i, error))
            return false;
        if (kinds[i] != PATH_ABSENT && !manifest_owns(manifest, i, path))
            continue;
        struct manifest_entry *entry = manifest_put(manifest, i);
        if (!entry)
            return error_set(error, ERR_SYSTEM, "not enough memory for %s", manifest->path);
        if (!path_identify(path, &now.identity, error))
            return false;
        changed = changed || !same_entry(entry, &now);
        *entry = now;
    }
    return !changed || manifest_save(manifest, error);
}

static bool check_all(const struct fileio_setup *setup, struct manifest *manifest, enum path_kind *kinds,
                      struct error *error)
{
    const struct job *job = setup->job;
    for (uint64_t i = 0; i < job->files; ++i) {
        if (!check_one(setup, manifest, i, &kinds[i], error))
            return false;
    }
    if (job->mode != MODE_SEQWR)
        return true;
    for (uint64_t i = 0; i < job->files; ++i) {
        if (!empty_one(setup, i, kinds[i], error))
            return false;
    }
    return job->target[0] || note_rewrite(manifest, job, kinds, error);
}

static bool check_rights(const struct fileio_setup *setup, struct error *error)
{
    struct manifest manifest = {0};
    if (!setup->job->target[0] && !manifest_load(&manifest, setup->job, error))
        return false;
    enum path_kind *kinds = calloc((size_t)setup->job->files, sizeof(*kinds));
    bool good = kinds ? check_all(setup, &manifest, kinds, error)
                      : error_set(error, ERR_SYSTEM, "not enough memory for --files=%" PRIu64, setup->job->files);
    free(kinds);
    manifest_done(&manifest);
    return good;
}

/* ---- can we? ---------------------------------------------------------------------------------------------- */

static bool check_multiple(const char *option, uint64_t bytes, uint32_t alignment, struct error *error)
{
    if (bytes % alignment == 0)
        return true;
    return error_set(error, ERR_USAGE,
                     "%s=%" PRIu64 ": with --cache=off the device takes multiples of %" PRIu32 " bytes only", option,
                     bytes, alignment);
}

static bool check_alignment(const struct job *job, uint32_t alignment, struct error *error)
{
    if (job->cache != OS_CACHE_OFF)
        return true;
    return check_multiple("--block-size", job->block_size_bytes, alignment, error) &&
           check_multiple("--align", job->align_bytes, alignment, error) &&
           check_multiple("--step", job->step_bytes, alignment, error) &&
           check_multiple("--thread-stride", job->thread_stride_bytes, alignment, error) &&
           check_multiple("--start", job->start_bytes, alignment, error);
}

static void add_facts(struct targets_facts *sum, const struct file_facts *facts)
{
    if (facts->alignment_bytes > sum->alignment_bytes)
        sum->alignment_bytes = facts->alignment_bytes;
    sum->size_bytes += facts->size_bytes;
    sum->written_bytes += facts->written_bytes;
    sum->written_known = sum->written_known && facts->written_known;
}

static bool drop_cache(const struct targets *targets, const struct fileio_setup *setup, uint32_t index,
                       struct targets_facts *out, struct error *error)
{
    struct error refusal = ERROR_INIT;
    if (!setup->job->drop_cache || targets->layer->drop_cache(targets->files[index], &refusal))
        return true;
    if (refusal.kind != ERR_UNSUPPORTED || !setup->may_start_warm)
        return error_set(error, refusal.kind, "%s", refusal.text);
    out->kept_cache = refusal;
    return true;
}

static bool look_at(const struct targets *targets, const struct fileio_setup *setup, struct targets_facts *out,
                    struct error *error)
{
    const struct job *job = setup->job;
    *out = (struct targets_facts){.alignment_bytes = 1, .written_known = true};
    for (uint32_t i = 0; i < targets->count; ++i) {
        struct file_facts facts;
        if (!targets->layer->facts(targets->files[i], &facts, error))
            return false;
        if (!drop_cache(targets, setup, i, out, error))
            return false;
        add_facts(out, &facts);
    }
    return check_alignment(job, out->alignment_bytes, error);
}

bool targets_check(const struct fileio_setup *setup, struct targets_facts *out, struct error *error)
{
    struct targets targets = {0};
    if (!check_rights(setup, error) || !targets_open(&targets, setup, error))
        return false;
    bool good = look_at(&targets, setup, out, error);
    targets_close(&targets);
    return good;
}

/* ---- opening ------------------------------------------------------------------------------------------------ */

bool targets_open(struct targets *targets, const struct fileio_setup *setup, struct error *error)
{
    struct file_policy policy = job_policy(setup->job);
    targets->layer = setup->layer;
    targets->count = 0;
    targets->files = calloc((size_t)setup->job->files, sizeof(struct file *));
    if (!targets->files)
        return error_set(error, ERR_SYSTEM, "not enough memory for --files=%" PRIu64, setup->job->files);
    for (uint64_t i = 0; i < setup->job->files; ++i) {
        char path[PATH_BYTES];
        if (!files_path(path, setup->job, i, error) || !setup->layer->open(&targets->files[i], path, &policy, error)) {
            targets_close(targets);
            return false;
        }
        ++targets->count;
    }
    return true;
}

void targets_close(struct targets *targets)
{
    for (uint32_t i = 0; i < targets->count; ++i)
        targets->layer->close(targets->files[i]);
    free(targets->files);
    targets->files = NULL;
    targets->count = 0;
}
