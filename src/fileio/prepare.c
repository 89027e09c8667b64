/* prepare.c: making and removing the test files.
 *
 *   survey every file → room enough? → note in the manifest what will be made → write, file by file → note it done */
#include "core/units.h"
#include "fileio/data.h"
#include "fileio/fileio.h"
#include "fileio/files.h"
#include "fileio/ledger.h"
#include "fileio/stamp.h"
#include "platform/host.h"
#include "platform/memory.h"
#include "platform/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((uint64_t)256 * 1024) /* stays in a CPU's own cache between making and writing */
#define WRITEBACK_BYTES ((uint64_t)8 * 1024 * 1024)
#define BUFFER_ALIGNMENT 4096
#define PROGRESS_EVERY_NS (NS_PER_S / 10)

struct plan_row {
    enum prepare_step step;
    uint64_t from_bytes; /* what is there already and stays */
    bool absent, begun;
};

struct prepare {
    const struct fileio_setup *setup;
    const struct job *job;
    struct manifest manifest;
    struct ledger ledger; /* with verify */
    uint64_t generation;  /* of all blocks */
    struct plan_row *rows;
    uint64_t each_bytes, total_bytes, done_bytes;
    struct data data;
    uint8_t *buffer;
    size_t buffer_bytes;
    struct watch *watch;
    uint64_t started_ns, shown_ns;
};

/* ---- survey ------------------------------------------------------------------------------------------- */

/* With verify all is made anew: what the files hold is of an older set. */
static bool entry_is_right(const struct manifest_entry *entry, const struct job *job)
{
    return !job->verify && entry->complete && entry->fill == job->fill && entry->data == job->data &&
           entry->compress_percent == job->compress_percent;
}

static bool plan_foreign(const struct prepare *prepare, struct plan_row *row, const char *path, uint64_t size_bytes,
                         struct error *error)
{
    uint64_t wanted_bytes = prepare->job->total_size_bytes / prepare->job->files;
    if (!prepare->setup->foreign_files || prepare->job->verify)
        return error_set(error, ERR_USAGE,
                         "%s exists and isobench did not make it: choose another --dir or --file-name, or remove it",
                         path);
    if (size_bytes < wanted_bytes)
        return error_set(error, ERR_USAGE,
                         "%s exists, isobench did not make it, and its %" PRIu64 " bytes are fewer than the %" PRIu64
                         " asked for: remove it, or ask for less",
                         path, size_bytes, wanted_bytes);
    row->step = PREPARE_KEEP;
    row->from_bytes = size_bytes;
    return true;
}

static bool plan_row(struct prepare *prepare, uint64_t index, struct error *error)
{
    struct plan_row *row = &prepare->rows[index];
    const struct manifest_entry *entry = manifest_find(&prepare->manifest, index);
    char path[PATH_BYTES];
    enum path_kind kind;
    uint64_t size_bytes = 0;
    if (!files_path(path, prepare->job, index, error) || !path_look(path, &kind, &size_bytes, error))
        return false;
    if (kind != PATH_ABSENT && kind != PATH_FILE)
        return error_set(error, ERR_USAGE, "%s is there and is not a file", path);
    row->absent = kind == PATH_ABSENT;
    if (kind == PATH_FILE && !manifest_owns(&prepare->manifest, index, path))
        return plan_foreign(prepare, row, path, size_bytes, error);
    if (kind == PATH_FILE && entry_is_right(entry, prepare->job)) {
        row->from_bytes = size_bytes / prepare->job->block_size_bytes * prepare->job->block_size_bytes;
        row->step = size_bytes >= prepare->each_bytes ? PREPARE_KEEP : PREPARE_EXTEND;
    } else {
        row->step = PREPARE_CREATE;
    }
    if (row->step != PREPARE_KEEP)
        prepare->total_bytes += prepare->each_bytes - row->from_bytes;
    return true;
}

static bool check_space(const struct prepare *prepare, struct error *error)
{
    struct target_facts target;
    char need[32], have[32];
    if (!host_target(prepare->job->dir, &target, error))
        return false;
    if (prepare->job->fill == FILL_EXTENDED || target.total_bytes == 0 || target.free_bytes >= prepare->total_bytes)
        return true;
    return error_set(error, ERR_USAGE, "--dir=%s has %s free and the files need %s more: lower --total-size",
                     prepare->job->dir, units_bytes_human((double)target.free_bytes, have, sizeof(have)),
                     units_bytes_human((double)prepare->total_bytes, need, sizeof(need)));
}

static bool survey(struct prepare *prepare, struct error *error)
{
    for (uint64_t i = 0; i < prepare->job->files; ++i) {
        if (!plan_row(prepare, i, error))
            return false;
    }
    return check_space(prepare, error);
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static uint64_t now_ns(const struct prepare *prepare)
{
    return clock_now_ns(prepare->setup->clock);
}

static void show_progress(struct prepare *prepare)
{
    const struct listener *listener = prepare->setup->listener;
    uint64_t now = now_ns(prepare), steps_back = 0;
    bool last = prepare->done_bytes == prepare->total_bytes;
    if (!listener->prepare_progress ||
        (!last && clock_elapsed_ns(prepare->shown_ns, now, &steps_back) < PROGRESS_EVERY_NS))
        return;
    prepare->shown_ns = now;
    struct prepare_progress progress = {prepare->done_bytes, prepare->total_bytes,
                                        clock_elapsed_ns(prepare->started_ns, now, &steps_back)};
    listener->prepare_progress(listener->context, &progress);
}

/* `bytes` from the buffer to the file, in as many writes as the system makes of it. */
static bool write_chunk(const struct prepare *prepare, struct file *file, const char *path, uint64_t offset,
                        uint64_t bytes, struct error *error)
{
    for (uint64_t done = 0; done < bytes;) {
        int64_t count =
            prepare->setup->layer->write_at(file, prepare->buffer + done, (size_t)(bytes - done), offset + done);
        if (count <= 0)
            return error_set_os(error, count ? (int)-count : os_error_no_space, "%s: cannot write at offset %" PRIu64,
                                path, offset + done);
        done += (uint64_t)count;
    }
    return true;
}

/* The device works while the next data is made; the sync at the end finds less to do. Returns up to where it works. */
static uint64_t start_writeback(const struct prepare *prepare, struct file *file, uint64_t from, uint64_t to)
{
    if (!prepare->setup->layer->start_writeback || to - from < WRITEBACK_BYTES)
        return from;
    prepare->setup->layer->start_writeback(file, from, to - from);
    return to;
}

static void seal(const struct prepare *prepare, uint64_t file, uint64_t from, uint64_t bytes)
{
    struct stamp stamp = {.set = prepare->ledger.set,
                          .file = file,
                          .generation = prepare->generation,
                          .block_bytes = (uint32_t)prepare->job->block_size_bytes};
    for (uint64_t at = 0; at < bytes; at += stamp.block_bytes) {
        stamp.offset = from + at;
        stamp_seal(prepare->buffer + at, &stamp);
    }
}

static bool write_data(struct prepare *prepare, struct file *file, const char *path, uint64_t index,
                       struct error *error)
{
    uint64_t block = prepare->job->block_size_bytes, written_back = prepare->rows[index].from_bytes;
    for (uint64_t at = prepare->rows[index].from_bytes; at < prepare->each_bytes;) {
        uint64_t left = prepare->each_bytes - at;
        uint64_t bytes = left < prepare->buffer_bytes ? left : prepare->buffer_bytes;
        data_fill(&prepare->data, prepare->buffer, (size_t)bytes, (index * prepare->each_bytes + at) / block);
        if (prepare->job->verify)
            seal(prepare, index, at, bytes);
        if (!write_chunk(prepare, file, path, at, bytes, error))
            return false;
        at += bytes;
        prepare->done_bytes += bytes;
        written_back = start_writeback(prepare, file, written_back, at);
        show_progress(prepare);
        if (watch_wait(prepare->watch, 0) == WATCH_INTERRUPTED)
            return error_set(error, ERR_INTERRUPTED, "interrupted: the files that were begun are removed");
    }
    return true;
}

static void acknowledge(struct prepare *prepare, uint64_t file)
{
    uint64_t first = ledger_block(&prepare->ledger, file, 0), count = prepare->ledger.blocks_in_file;
    for (uint64_t i = 0; i < count; ++i)
        ledger_acknowledge(&prepare->ledger, first + i, prepare->generation);
}

static bool fill_file(struct prepare *prepare, struct file *file, const char *path, uint64_t index, struct error *error)
{
    const struct file_layer *layer = prepare->setup->layer;
    bool good = false;
    switch (prepare->job->fill) {
    case FILL_WRITTEN:
        good = write_data(prepare, file, path, index, error);
        break;
    case FILL_ALLOCATED:
        good = layer->allocate(file, prepare->each_bytes, error);
        break;
    case FILL_EXTENDED:
        good = layer->set_size(file, prepare->each_bytes, error);
        break;
    }
    int os_code = good ? layer->sync(file, false) : 0;
    good = good && (os_code == 0 || error_set_os(error, os_code, "%s: cannot sync", path));
    if (good && prepare->job->verify)
        acknowledge(prepare, index);
    return good;
}

static bool make_file(struct prepare *prepare, uint64_t index, struct error *error)
{
    struct plan_row *row = &prepare->rows[index];
    const struct file_layer *layer = prepare->setup->layer;
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, true};
    struct file *file = NULL;
    char path[PATH_BYTES];
    if (!files_path(path, prepare->job, index, error))
        return false;
    if (prepare->setup->listener->prepare_file)
        prepare->setup->listener->prepare_file(prepare->setup->listener->context, path, row->step);
    if (row->step == PREPARE_KEEP)
        return true;
    if (row->step == PREPARE_CREATE)
        policy.presence = FILE_EMPTIED; /* it is there and ours by now */
    if (!layer->open(&file, path, &policy, error))
        return false;
    row->begun = true;
    bool good = fill_file(prepare, file, path, index, error);
    layer->close(file);
    return good;
}

/* ---- the manifest, and undoing -------------------------------------------------------------------------- */

static bool note(struct prepare *prepare, bool complete, struct error *error)
{
    const struct job *job = prepare->job;
    bool changed = false;
    for (uint64_t i = 0; i < job->files; ++i) {
        if (prepare->rows[i].step == PREPARE_KEEP)
            continue;
        struct manifest_entry now = {i,  prepare->each_bytes, job->fill, job->data, job->compress_percent, complete,
                                     {0}};
        struct manifest_entry *entry = manifest_put(&prepare->manifest, i);
        char path[PATH_BYTES];
        if (!entry)
            return error_set(error, ERR_SYSTEM, "not enough memory for %s", prepare->manifest.path);
        if (!files_path(path, job, i, error) || !path_identify(path, &now.identity, error))
            return false;
        *entry = now;
        changed = true;
    }
    return !changed || manifest_save(&prepare->manifest, error);
}

/* Those that are not there yet, empty: only then can the manifest say which files it speaks of. */
static bool create_absent(struct prepare *prepare, struct error *error)
{
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_NOT_EXIST, true};
    for (uint64_t i = 0; i < prepare->job->files; ++i) {
        struct plan_row *row = &prepare->rows[i];
        struct file *file = NULL;
        char path[PATH_BYTES];
        if (!row->absent)
            continue;
        if (!files_path(path, prepare->job, i, error) || !prepare->setup->layer->open(&file, path, &policy, error))
            return false;
        prepare->setup->layer->close(file);
        row->begun = true;
    }
    return true;
}

static void cut_back(const struct prepare *prepare, const char *path, uint64_t bytes, struct error *error)
{
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, true};
    struct file *file = NULL;
    if (prepare->setup->layer->open(&file, path, &policy, error))
        prepare->setup->layer->set_size(file, bytes, error);
    prepare->setup->layer->close(file);
}

/* What cannot be undone stays in the manifest as incomplete, for cleanup and the next prepare. */
static void undo_row(struct prepare *prepare, uint64_t index)
{
    struct error ignored = ERROR_INIT; /* the error that led here is the one to tell */
    const struct plan_row *row = &prepare->rows[index];
    char path[PATH_BYTES];
    if (row->step == PREPARE_KEEP || !files_path(path, prepare->job, index, &ignored))
        return;
    if (row->step == PREPARE_EXTEND) {
        if (row->begun)
            cut_back(prepare, path, row->from_bytes, &ignored);
        struct manifest_entry *entry = manifest_find(&prepare->manifest, index);
        if (ignored.kind == ERR_NONE && entry)
            entry->complete = true;
    } else if (row->begun ? prepare->setup->layer->remove(path, &ignored) : row->absent) {
        manifest_remove(&prepare->manifest, index);
    }
}

static void undo(struct prepare *prepare)
{
    struct error ignored = ERROR_INIT;
    bool made = prepare->ledger.map != NULL;
    ledger_close(&prepare->ledger);
    if (prepare->job->verify && (!made || prepare->setup->layer->remove(prepare->ledger.path, &ignored)))
        prepare->manifest.ledger[0] = '\0';
    for (uint64_t i = 0; i < prepare->job->files; ++i)
        undo_row(prepare, i);
    manifest_save(&prepare->manifest, &ignored);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* An older ledger of the set goes; the new one's name is in the manifest before it is there. */
static bool plan_ledger(struct prepare *prepare, char path[PATH_BYTES], struct error *error)
{
    char dropped[PATH_BYTES];
    if (!prepare->job->verify)
        return true;
    if (!ledger_path(path, prepare->job, &prepare->manifest, error) ||
        !ledger_drop(prepare->setup->layer, &prepare->manifest, dropped, error))
        return false;
    snprintf(prepare->manifest.ledger, sizeof(prepare->manifest.ledger), "%s", path);
    return true;
}

static bool make_ledger(struct prepare *prepare, const char *path, struct error *error)
{
    uint64_t run;
    if (!prepare->job->verify)
        return true;
    if (!ledger_make(&prepare->ledger, prepare->setup->layer, path, prepare->job, error) ||
        !ledger_next_run(&prepare->ledger, &run, error))
        return false;
    prepare->generation = generation_of(run, 1);
    return true;
}

static bool make_files(struct prepare *prepare, struct error *error)
{
    char path[PATH_BYTES];
    if (!plan_ledger(prepare, path, error))
        return false;
    bool good = create_absent(prepare, error) && note(prepare, false, error) && make_ledger(prepare, path, error);
    for (uint64_t i = 0; good && i < prepare->job->files; ++i)
        good = make_file(prepare, i, error);
    if (good && prepare->job->verify)
        good = ledger_save(&prepare->ledger, error);
    if (good && note(prepare, true, error))
        return true;
    undo(prepare);
    return false;
}

static bool prepare_init(struct prepare *prepare, struct error *error)
{
    const struct job *job = prepare->job;
    uint64_t block = job->block_size_bytes, blocks = block < CHUNK_BYTES ? CHUNK_BYTES / block : 1;
    prepare->each_bytes = files_each_bytes(job);
    prepare->buffer_bytes = (size_t)(blocks * block);
    prepare->buffer = memory_aligned_make(prepare->buffer_bytes, BUFFER_ALIGNMENT);
    prepare->rows = calloc((size_t)job->files, sizeof(*prepare->rows));
    if (!prepare->buffer || !prepare->rows ||
        !data_init(&prepare->data, job, (size_t)block, job->seed ? job->seed : clock_wall_ns()))
        return error_set(error, ERR_SYSTEM, "not enough memory to prepare %" PRIu64 " files", job->files);
    return watch_make(&prepare->watch, error) && manifest_load(&prepare->manifest, job, error);
}

static void prepare_free(struct prepare *prepare)
{
    data_done(&prepare->data);
    memory_aligned_free(prepare->buffer);
    free(prepare->rows);
    watch_free(prepare->watch);
    ledger_close(&prepare->ledger);
    manifest_done(&prepare->manifest);
}

static bool refuse_target(const struct fileio_setup *setup, const char *command, struct error *error)
{
    return setup->job->target[0] == '\0' ||
           error_set(error, ERR_USAGE, "--target=%s is used as it is: %s is for the files that isobench makes",
                     setup->job->target, command);
}

bool fileio_prepare(const struct fileio_setup *setup, struct error *error)
{
    struct prepare prepare = {.setup = setup, .job = setup->job};
    const struct listener *listener = setup->listener;
    uint64_t steps_back = 0;
    struct path_lock *lock = NULL;
    if (!refuse_target(setup, "prepare", error) || !files_lock(setup->job, true, &lock, error))
        return false;
    bool good = prepare_init(&prepare, error) && survey(&prepare, error);
    if (good) {
        if (listener->prepare_started)
            listener->prepare_started(listener->context, setup->job);
        prepare.started_ns = prepare.shown_ns = now_ns(&prepare);
        good = make_files(&prepare, error);
    }
    if (good && listener->prepare_done)
        listener->prepare_done(listener->context, prepare.done_bytes,
                               clock_elapsed_ns(prepare.started_ns, now_ns(&prepare), &steps_back));
    prepare_free(&prepare);
    path_lock_release(lock);
    return good;
}

/* ---- cleanup ---------------------------------------------------------------------------------------------- */

static void tell(const struct fileio_setup *setup, const char *path, enum cleanup_step step)
{
    if (setup->listener->cleanup_file)
        setup->listener->cleanup_file(setup->listener->context, path, step);
}

static bool remove_own(const struct fileio_setup *setup, struct manifest *manifest, uint64_t index, struct error *error)
{
    char path[PATH_BYTES];
    enum path_kind kind;
    if (!files_path(path, setup->job, index, error) || !path_look(path, &kind, NULL, error))
        return false;
    if (kind == PATH_ABSENT) {
        tell(setup, path, CLEANUP_ABSENT);
    } else if (manifest_owns(manifest, index, path)) {
        if (!setup->layer->remove(path, error))
            return false;
        tell(setup, path, CLEANUP_REMOVED);
    } else if (index >= setup->job->files) { /* tell_left tells of the others */
        tell(setup, path, CLEANUP_LEFT);
    }
    manifest_remove(manifest, index);
    return true;
}

static bool remove_all_own(const struct fileio_setup *setup, struct manifest *manifest, struct error *error)
{
    while (manifest->count > 0) {
        if (!remove_own(setup, manifest, manifest->entries[manifest->count - 1].index, error))
            return false;
    }
    return true;
}

static bool remove_ledger(const struct fileio_setup *setup, struct manifest *manifest, struct error *error)
{
    char listed[PATH_BYTES], dropped[PATH_BYTES];
    enum path_kind kind = PATH_ABSENT;
    memcpy(listed, manifest->ledger, sizeof(listed));
    if (!ledger_drop(setup->layer, manifest, dropped, error) || (listed[0] && !path_look(listed, &kind, NULL, error)))
        return false;
    if (dropped[0])
        tell(setup, dropped, CLEANUP_REMOVED);
    else if (kind != PATH_ABSENT)
        tell(setup, listed, CLEANUP_LEFT);
    return true;
}

/* Files of the job's names that are still there were not made by isobench. */
static bool tell_left(const struct fileio_setup *setup, struct error *error)
{
    for (uint64_t i = 0; i < setup->job->files; ++i) {
        char path[PATH_BYTES];
        enum path_kind kind;
        if (!files_path(path, setup->job, i, error) || !path_look(path, &kind, NULL, error))
            return false;
        if (kind != PATH_ABSENT)
            tell(setup, path, CLEANUP_LEFT);
    }
    return true;
}

static bool clean_up(const struct fileio_setup *setup, struct error *error)
{
    struct manifest manifest;
    if (!manifest_load(&manifest, setup->job, error))
        return false;
    if (setup->listener->cleanup_started)
        setup->listener->cleanup_started(setup->listener->context, setup->job);
    bool good = remove_all_own(setup, &manifest, error) && remove_ledger(setup, &manifest, error);
    good = manifest_save(&manifest, error) && good;
    manifest_done(&manifest);
    return good && tell_left(setup, error);
}

bool fileio_cleanup(const struct fileio_setup *setup, struct error *error)
{
    struct path_lock *lock = NULL;
    enum path_kind kind;
    if (!refuse_target(setup, "cleanup", error) || !path_look(setup->job->dir, &kind, NULL, error))
        return false;
    if (kind != PATH_DIRECTORY)
        return error_set(error, ERR_USAGE, "--dir=%s is not a directory", setup->job->dir);
    bool good = files_lock(setup->job, true, &lock, error) && clean_up(setup, error);
    path_lock_release(lock);
    return good;
}
