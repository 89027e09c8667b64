/* layout.c: targets that are filled up before a run. */
#include "fileio/layout.h"

#include "fileio/data.h"
#include "fileio/files.h"
#include "platform/memory.h"
#include "platform/watch.h"

#include <inttypes.h>
#include <stdlib.h>

#define CHUNK_BYTES ((uint64_t)256 * 1024)
#define WRITEBACK_BYTES ((uint64_t)8 * 1024 * 1024)
#define BUFFER_ALIGNMENT 4096
#define PROGRESS_EVERY_NS (NS_PER_S / 10)

/* One target that is too short. */
struct gap {
    char path[PATH_BYTES];
    bool absent, begun;
    uint64_t from_bytes, to_bytes;
};

struct layout {
    const struct fileio_setup *setup;
    struct gap *gaps;
    size_t count;
    struct data data;
    uint8_t *buffer;
    uint64_t buffer_bytes, done_bytes, total_bytes, started_ns, shown_ns;
    struct watch *watch;
};

/* ---- what is missing ---- */

static uint64_t length_of(const struct job *job, uint64_t targets)
{
    uint64_t share = job->total_size_bytes / targets, block = job->block_size_bytes;
    return job->start_bytes + (share + block - 1) / block * block;
}

/* Devices have the size they have. What stands there and is no file is for the run's own checks to name. */
static bool survey_one(struct layout *layout, uint64_t index, uint64_t to_bytes, struct error *error)
{
    struct gap gap = {.to_bytes = to_bytes};
    enum path_kind kind;
    const char *overwrite = layout->setup->overwrite;
    if (!files_path(gap.path, layout->setup->job, index, error))
        return false;
    if (!path_look(gap.path, &kind, &gap.from_bytes, error))
        return false;
    gap.absent = kind == PATH_ABSENT;
    if (!gap.absent && (!overwrite || !files_list_has(overwrite, gap.path)))
        return true;
    gap.from_bytes = gap.absent ? 0 : gap.from_bytes;
    if ((kind != PATH_ABSENT && kind != PATH_FILE) || gap.from_bytes >= to_bytes)
        return true;
    layout->total_bytes += to_bytes - gap.from_bytes;
    layout->gaps[layout->count++] = gap;
    return true;
}

static bool survey(struct layout *layout, struct error *error)
{
    const struct job *job = layout->setup->job;
    uint64_t targets = files_targets(job);
    layout->gaps = calloc((size_t)targets, sizeof(*layout->gaps));
    if (!layout->gaps)
        return error_set(error, ERR_SYSTEM, "not enough memory for --target=%s", job->target);
    for (uint64_t i = 0; i < targets; ++i) {
        if (!survey_one(layout, i, length_of(job, targets), error))
            return false;
    }
    return true;
}

/* ---- filling ---- */

static void show_progress(struct layout *layout)
{
    const struct listener *listener = layout->setup->listener;
    uint64_t now_ns = clock_now_ns(layout->setup->clock), steps_back = 0;
    bool last = layout->done_bytes == layout->total_bytes;
    if (!listener->prepare_progress ||
        (!last && clock_elapsed_ns(layout->shown_ns, now_ns, &steps_back) < PROGRESS_EVERY_NS))
        return;
    layout->shown_ns = now_ns;
    struct prepare_progress progress = {layout->done_bytes, layout->total_bytes,
                                        clock_elapsed_ns(layout->started_ns, now_ns, &steps_back)};
    listener->prepare_progress(listener->context, &progress);
}

static bool write_chunk(const struct layout *layout, struct file *file, const struct gap *gap, uint64_t offset,
                        uint64_t bytes, struct error *error)
{
    for (uint64_t done = 0; done < bytes;) {
        int64_t count =
            layout->setup->layer->write_at(file, layout->buffer + done, (size_t)(bytes - done), offset + done);
        if (count <= 0)
            return error_set_os(error, count ? (int)-count : os_error_no_space, "%s: cannot write at offset %" PRIu64,
                                gap->path, offset + done);
        done += (uint64_t)count;
    }
    return true;
}

static bool write_gap(struct layout *layout, struct file *file, const struct gap *gap, struct error *error)
{
    const struct file_layer *layer = layout->setup->layer;
    uint64_t written_back = gap->from_bytes;
    for (uint64_t at = gap->from_bytes; at < gap->to_bytes;) {
        uint64_t left = gap->to_bytes - at, bytes = left < layout->buffer_bytes ? left : layout->buffer_bytes;
        data_fill(&layout->data, layout->buffer, (size_t)layout->buffer_bytes,
                  layout->done_bytes / layout->setup->job->block_size_bytes + 1);
        if (!write_chunk(layout, file, gap, at, bytes, error))
            return false;
        at += bytes;
        layout->done_bytes += bytes;
        if (layer->start_writeback && at - written_back >= WRITEBACK_BYTES) {
            layer->start_writeback(file, written_back, at - written_back);
            written_back = at;
        }
        show_progress(layout);
        if (watch_wait(layout->watch, 0) == WATCH_INTERRUPTED)
            return error_set(error, ERR_INTERRUPTED, "interrupted: targets are as they were before");
    }
    return true;
}

static bool fill_gap(struct layout *layout, struct file *file, const struct gap *gap, struct error *error)
{
    const struct file_layer *layer = layout->setup->layer;
    bool good = false;
    switch (layout->setup->job->fill) {
    case FILL_WRITTEN:
        good = write_gap(layout, file, gap, error);
        break;
    case FILL_ALLOCATED:
        good = layer->allocate(file, gap->to_bytes, error);
        break;
    case FILL_EXTENDED:
        good = layer->set_size(file, gap->to_bytes, error);
        break;
    }
    int os_code = good ? layer->sync(file, false) : 0;
    return good && (os_code == 0 || error_set_os(error, os_code, "%s: cannot sync", gap->path));
}

static bool close_gap(struct layout *layout, struct gap *gap, struct error *error)
{
    const struct listener *listener = layout->setup->listener;
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, gap->absent ? FILE_MUST_NOT_EXIST : FILE_MUST_EXIST, true};
    struct file *file = NULL;
    if (listener->prepare_file)
        listener->prepare_file(listener->context, gap->path, gap->absent ? PREPARE_CREATE : PREPARE_EXTEND);
    if (!layout->setup->layer->open(&file, gap->path, &policy, error))
        return false;
    gap->begun = true;
    bool good = fill_gap(layout, file, gap, error);
    layout->setup->layer->close(file);
    return good;
}

/* As it was: what was made goes, what was filled is cut back. */
static void undo(const struct layout *layout, const struct gap *gap)
{
    const struct file_layer *layer = layout->setup->layer;
    struct error ignored = ERROR_INIT; /* the error that led here is the one to tell */
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, true};
    struct file *file = NULL;
    if (!gap->begun)
        return;
    if (gap->absent) {
        layer->remove(gap->path, &ignored);
        return;
    }
    if (layer->open(&file, gap->path, &policy, &ignored))
        layer->set_size(file, gap->from_bytes, &ignored);
    layer->close(file);
}

static bool close_gaps(struct layout *layout, struct error *error)
{
    bool good = true;
    for (size_t i = 0; good && i < layout->count; ++i)
        good = close_gap(layout, &layout->gaps[i], error);
    for (size_t i = 0; !good && i < layout->count; ++i)
        undo(layout, &layout->gaps[i]);
    return good;
}

/* ---- the whole ---- */

static bool layout_init(struct layout *layout, struct error *error)
{
    const struct job *job = layout->setup->job;
    uint64_t block = job->block_size_bytes, blocks = block < CHUNK_BYTES ? CHUNK_BYTES / block : 1;
    layout->buffer_bytes = blocks * block;
    layout->buffer = memory_aligned_make((size_t)layout->buffer_bytes, BUFFER_ALIGNMENT);
    if (!layout->buffer || !data_init(&layout->data, job, (size_t)block, job->seed ? job->seed : clock_wall_ns()))
        return error_set(error, ERR_SYSTEM, "not enough memory to fill --target=%s", job->target);
    return watch_make(&layout->watch, error);
}

static void layout_done(struct layout *layout)
{
    free(layout->gaps);
    data_done(&layout->data);
    memory_aligned_free(layout->buffer);
    watch_free(layout->watch);
}

static bool fill_targets(struct layout *layout, struct error *error)
{
    const struct listener *listener = layout->setup->listener;
    uint64_t steps_back = 0;
    if (!layout_init(layout, error))
        return false;
    if (listener->prepare_started)
        listener->prepare_started(listener->context, layout->setup->job);
    layout->started_ns = layout->shown_ns = clock_now_ns(layout->setup->clock);
    if (!close_gaps(layout, error))
        return false;
    if (listener->prepare_done)
        listener->prepare_done(listener->context, layout->done_bytes,
                               clock_elapsed_ns(layout->started_ns, clock_now_ns(layout->setup->clock), &steps_back));
    return true;
}

bool fileio_lay_out(const struct fileio_setup *setup, struct error *error)
{
    const struct job *job = setup->job;
    struct layout layout = {.setup = setup};
    if (job->target[0] == '\0')
        return job->mode == MODE_SEQWR || fileio_prepare(setup, error);
    if (job->total_size_bytes == 0)
        return true; /* they are used as they are */
    bool good = survey(&layout, error) && (layout.count == 0 || fill_targets(&layout, error));
    layout_done(&layout);
    return good;
}
