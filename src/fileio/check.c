/* check.c: reads a whole set, block by block, and holds it against its ledger. */
#include "fileio/check.h"

#include "fileio/fileio.h"
#include "fileio/files.h"
#include "fileio/findings.h"
#include "fileio/ledger.h"
#include "platform/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CHUNK_BYTES ((uint64_t)1024 * 1024)
#define BUFFER_ALIGNMENT 4096

struct checking {
    const struct fileio_setup *setup;
    struct job job; /* with its sizes known */
    struct ledger ledger;
    struct check_report *report;
    uint8_t *buffer;
    uint64_t buffer_bytes;
};

/* ---- one block ------------------------------------------------------------------------------------------------- */

static void note(struct checking *checking, const struct expectation *expected, const struct judgement *judgement)
{
    struct check_report *report = checking->report;
    ++report->blocks;
    report->acknowledged += expected->place.generation > 0;
    ++report->counts[judgement->verdict];
    if (!verdict_is_wrong(judgement->verdict))
        return;
    ++report->wrong;
    if (report->findings_count < VERIFY_FINDINGS_MAX)
        finding_fill(&report->findings[report->findings_count++], &checking->job, expected, judgement);
}

static struct expectation expectation_at(const struct checking *checking, uint64_t file, uint64_t offset)
{
    const struct ledger *ledger = &checking->ledger;
    return (struct expectation){.place = {.set = ledger->set,
                                          .file = file,
                                          .offset = offset,
                                          .generation = ledger_read(ledger, ledger_block(ledger, file, offset)),
                                          .block_bytes = (uint32_t)checking->job.block_size_bytes}};
}

static void judge(struct checking *checking, const uint8_t *block, uint64_t file, uint64_t offset)
{
    struct expectation expected = expectation_at(checking, file, offset);
    struct judgement judgement;
    stamp_judge(block, &expected, &judgement);
    note(checking, &expected, &judgement);
}

/* Of a block that could not be read at all: an error, or the file ends before it. */
static void miss(struct checking *checking, int64_t answer, uint64_t file, uint64_t offset)
{
    struct expectation expected = expectation_at(checking, file, offset);
    struct judgement judgement = {.verdict = VERDICT_UNREADABLE, .os_code = answer < 0 ? (int)-answer : 0};
    if (answer >= 0) {
        judgement.verdict = expected.place.generation > 0 ? VERDICT_LOST : VERDICT_UNWRITTEN;
        judgement.past_end = true;
    }
    note(checking, &expected, &judgement);
}

/* ---- one file -------------------------------------------------------------------------------------------------- */

/* Block by block, since one of them made the system refuse or end them all. */
static void read_singly(struct checking *checking, struct file *handle, uint64_t file, uint64_t from, uint64_t bytes)
{
    uint64_t block_bytes = checking->job.block_size_bytes;
    for (uint64_t offset = from; offset < from + bytes; offset += block_bytes) {
        int64_t answer = checking->setup->layer->read_at(handle, checking->buffer, (size_t)block_bytes, offset);
        if (answer == (int64_t)block_bytes)
            judge(checking, checking->buffer, file, offset);
        else
            miss(checking, answer, file, offset);
    }
}

static void read_chunk(struct checking *checking, struct file *handle, uint64_t file, uint64_t from, uint64_t bytes)
{
    uint64_t block_bytes = checking->job.block_size_bytes;
    int64_t answer = checking->setup->layer->read_at(handle, checking->buffer, (size_t)bytes, from);
    if (answer != (int64_t)bytes) {
        read_singly(checking, handle, file, from, bytes);
        return;
    }
    checking->report->read_bytes += bytes;
    for (uint64_t at = 0; at < bytes; at += block_bytes)
        judge(checking, checking->buffer + at, file, from + at);
}

static void read_file(struct checking *checking, struct file *handle, uint64_t file)
{
    const struct ledger_shape *shape = &checking->ledger.shape;
    for (uint64_t at = 0; at < shape->file_bytes;) {
        uint64_t left = shape->file_bytes - at;
        uint64_t bytes = left < checking->buffer_bytes ? left : checking->buffer_bytes;
        read_chunk(checking, handle, file, shape->start_bytes + at, bytes);
        at += bytes;
    }
}

static bool is_aligned(const struct checking *checking, uint32_t alignment)
{
    return checking->job.block_size_bytes % alignment == 0 && checking->job.start_bytes % alignment == 0;
}

/* With the cache emptied, else left out, else as it is. */
static bool open_file(struct checking *checking, const char *path, struct file **out, struct error *error)
{
    const struct file_layer *layer = checking->setup->layer;
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, false};
    struct file_facts facts;
    struct error refusal = ERROR_INIT;
    struct file *uncached = NULL;
    if (!layer->open(out, path, &policy, error))
        return false;
    if (layer->drop_cache(*out, &refusal))
        return true;
    policy.cache = CACHE_OFF;
    if (layer->facts(*out, &facts, &refusal) && is_aligned(checking, facts.alignment_bytes) &&
        layer->open(&uncached, path, &policy, &refusal)) {
        layer->close(*out);
        *out = uncached;
        return true;
    }
    checking->report->from_cache = true;
    return true;
}

static void miss_file(struct checking *checking, uint64_t file)
{
    const struct ledger_shape *shape = &checking->ledger.shape;
    for (uint64_t at = 0; at < shape->file_bytes; at += shape->block_bytes)
        miss(checking, 0, file, shape->start_bytes + at);
}

/* A file that a crash took with it is lost, block by block. */
static bool check_file(struct checking *checking, uint64_t file, struct error *error)
{
    char path[PATH_BYTES];
    enum path_kind kind;
    struct file *handle = NULL;
    if (!files_path(path, &checking->job, file, error) || !path_look(path, &kind, NULL, error))
        return false;
    if (kind == PATH_ABSENT) {
        miss_file(checking, file);
        return true;
    }
    if (!open_file(checking, path, &handle, error))
        return false;
    read_file(checking, handle, file);
    checking->setup->layer->close(handle);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static bool open_ledger(struct checking *checking, struct error *error)
{
    struct manifest manifest = {0};
    char path[PATH_BYTES];
    enum path_kind kind;
    if (!checking->job.target[0] && !checking->job.ledger[0] && !manifest_load(&manifest, &checking->job, error))
        return false;
    bool good = ledger_path(path, &checking->job, &manifest, error);
    manifest_done(&manifest);
    if (!good || !path_look(path, &kind, NULL, error))
        return false;
    if (kind == PATH_ABSENT)
        return error_set(error, ERR_USAGE,
                         "%s is not there: check needs the ledger that prepare --verify made; see --ledger", path);
    snprintf(checking->report->ledger, sizeof(checking->report->ledger), "%.2047s", path);
    return ledger_open(&checking->ledger, checking->setup->layer, path, &checking->job, false, error);
}

static bool make_buffer(struct checking *checking, struct error *error)
{
    uint64_t block_bytes = checking->job.block_size_bytes;
    checking->buffer_bytes = block_bytes < CHUNK_BYTES ? CHUNK_BYTES / block_bytes * block_bytes : block_bytes;
    checking->buffer = memory_aligned_make((size_t)checking->buffer_bytes, BUFFER_ALIGNMENT);
    return checking->buffer != NULL ||
           error_set(error, ERR_SYSTEM, "not enough memory for --block-size=%" PRIu64, block_bytes);
}

static bool check_files(struct checking *checking, struct error *error)
{
    for (uint64_t file = 0; file < checking->job.files; ++file) {
        if (!check_file(checking, file, error))
            return false;
    }
    return true;
}

bool fileio_check(const struct fileio_setup *setup, struct check_report *report, struct error *error)
{
    struct checking checking = {.setup = setup, .job = *setup->job, .report = report};
    uint64_t started_ns = clock_now_ns(setup->clock), steps_back = 0;
    memset(report, 0, sizeof(*report));
    struct path_lock *lock = NULL;
    bool good = files_resolve(&checking.job, setup->layer, error) && files_lock(&checking.job, true, &lock, error) &&
                open_ledger(&checking, error) && make_buffer(&checking, error) && check_files(&checking, error);
    report->elapsed_ns = clock_elapsed_ns(started_ns, clock_now_ns(setup->clock), &steps_back);
    memory_aligned_free(checking.buffer);
    ledger_close(&checking.ledger);
    path_lock_release(lock);
    return good;
}
