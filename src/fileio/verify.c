#include "fileio/verify.h"

#include "fileio/files.h"
#include "fileio/findings.h"
#include "fileio/ledger.h"
#include "fileio/stamp.h"
#include "platform/thread.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block's state: what this run knows of it, and the generation it holds. */
#define STATE_BUSY (UINT64_C(1) << 63)     /* an operation on it is in flight */
#define STATE_KNOWN (UINT64_C(1) << 62)    /* it holds that generation and no other */
#define STATE_UNSYNCED (UINT64_C(1) << 61) /* written, not yet acknowledged as durable */
#define STATE_GENERATION ((UINT64_C(1) << 60) - 1)

/* Blocks of one file that were written since its last sync; each is in it once for each STATE_UNSYNCED it got. */
struct unsynced {
    uint64_t *blocks;
    size_t count, room;
};

struct verify {
    const struct job *job;
    struct ledger ledger;
    _Atomic uint64_t *states; /* one for each block */
    uint64_t run;
    bool durable_at_once; /* writes are durable when they end */
    _Atomic uint64_t checked, wrong;
    struct mutex *mutex; /* for what follows */
    struct unsynced *files;
    struct verify_finding findings[VERIFY_FINDINGS_MAX];
    size_t findings_count;
};

/* ---- making and freeing --------------------------------------------------------------------------------------------
 */

static bool refuse_without_ledger(const char *path, const struct job *job, struct error *error)
{
    return error_set(error, ERR_USAGE,
                     "%s is not there, so nothing is known of these %s: %s. Blocks of another tool's validation "
                     "have another format",
                     path, job->target[0] ? "targets" : "files",
                     job->target[0] ? "write them first, with --mode=seqrewr --passes=1 --verify"
                                    : "make them with prepare --verify (sysbench: prepare --validate)");
}

static bool list_ledger(struct manifest *manifest, const struct job *job, const char *path, struct error *error)
{
    if (job->target[0] || strcmp(manifest->ledger, path) == 0)
        return true;
    snprintf(manifest->ledger, sizeof(manifest->ledger), "%s", path);
    return manifest_save(manifest, error);
}

static bool open_or_make(struct verify *verify, const struct fileio_setup *setup, struct manifest *manifest,
                         struct error *error)
{
    const struct job *job = setup->job;
    char path[PATH_BYTES];
    enum path_kind kind;
    if (!ledger_path(path, job, manifest, error) || !path_look(path, &kind, NULL, error))
        return false;
    if (kind != PATH_ABSENT)
        return ledger_open(&verify->ledger, setup->layer, path, job, mode_writes(job->mode), error) &&
               (job->mode != MODE_SEQWR || ledger_forget(&verify->ledger, error));
    if (mode_reads(job->mode))
        return refuse_without_ledger(path, job, error);
    return ledger_make(&verify->ledger, setup->layer, path, job, error) && list_ledger(manifest, job, path, error);
}

static bool open_ledger(struct verify *verify, const struct fileio_setup *setup, struct error *error)
{
    struct manifest manifest = {0};
    if (!setup->job->target[0] && !manifest_load(&manifest, setup->job, error))
        return false;
    bool good = open_or_make(verify, setup, &manifest, error) &&
                (!mode_writes(setup->job->mode) || ledger_next_run(&verify->ledger, &verify->run, error));
    manifest_done(&manifest);
    return good;
}

static bool make_tables(struct verify *verify, struct error *error)
{
    uint64_t blocks = ledger_blocks(&verify->ledger);
    verify->states = calloc((size_t)blocks, sizeof(*verify->states));
    verify->files = calloc((size_t)verify->job->files, sizeof(*verify->files));
    return (verify->states && verify->files) ||
           error_set(error, ERR_SYSTEM, "not enough memory for --verify: 8 bytes for each of %" PRIu64 " blocks",
                     blocks);
}

bool verify_make(struct verify **out, const struct fileio_setup *setup, struct error *error)
{
    struct verify *verify = calloc(1, sizeof(*verify));
    *out = NULL;
    if (!verify)
        return error_set(error, ERR_SYSTEM, "not enough memory for --verify");
    verify->job = setup->job;
    verify->durable_at_once = setup->job->through != WRITE_THROUGH_OFF;
    verify->mutex = mutex_make();
    if (!verify->mutex)
        error_set(error, ERR_SYSTEM, "not enough memory for --verify");
    else if (open_ledger(verify, setup, error) && make_tables(verify, error))
        *out = verify;
    if (!*out)
        verify_free(verify);
    return *out != NULL;
}

void verify_free(struct verify *verify)
{
    struct error ignored = ERROR_INIT; /* a ledger that is behind claims too little */
    if (!verify)
        return;
    if (verify->ledger.map && mode_writes(verify->job->mode))
        ledger_save(&verify->ledger, &ignored);
    for (uint64_t i = 0; verify->files && i < verify->job->files; ++i)
        free(verify->files[i].blocks);
    if (verify->mutex)
        mutex_free(verify->mutex);
    free(verify->files);
    free((void *)verify->states);
    ledger_close(&verify->ledger);
    free(verify);
}

bool verify_drop_ledger(const struct fileio_setup *setup, char dropped[PATH_BYTES], struct error *error)
{
    struct manifest manifest;
    dropped[0] = '\0';
    if (!manifest_load(&manifest, setup->job, error))
        return false;
    bool listed = manifest.ledger[0] != '\0';
    bool good = ledger_drop(setup->layer, &manifest, dropped, error) && (!listed || manifest_save(&manifest, error));
    manifest_done(&manifest);
    return good;
}

/* ---- claims --------------------------------------------------------------------------------------------------------
 */

static uint64_t first_block(const struct verify *verify, const struct io *io)
{
    return ledger_block(&verify->ledger, io->file, io->offset);
}

static uint64_t blocks_of(const struct verify *verify, const struct io *io)
{
    return io->bytes / verify->job->block_size_bytes;
}

static bool claim_one(struct verify *verify, uint64_t block)
{
    return !(atomic_fetch_or_explicit(&verify->states[block], STATE_BUSY, memory_order_acquire) & STATE_BUSY);
}

/* Gives it back with its new state. */
static void release(struct verify *verify, uint64_t block, uint64_t state)
{
    atomic_store_explicit(&verify->states[block], state & ~STATE_BUSY, memory_order_release);
}

bool verify_claim(struct verify *verify, const struct io *io)
{
    uint64_t first = first_block(verify, io), count = blocks_of(verify, io);
    for (uint64_t i = 0; i < count; ++i) {
        if (claim_one(verify, first + i))
            continue;
        while (i-- > 0)
            atomic_fetch_and_explicit(&verify->states[first + i], ~STATE_BUSY, memory_order_release);
        return false;
    }
    return true;
}

/* ---- writing
 * --------------------------------------------------------------------------------------------------------- */

/* Of the write to come, or that has just ended: nothing else changes a claimed block's generation. */
static uint64_t next_generation(const struct verify *verify, uint64_t state)
{
    uint64_t last = state & STATE_GENERATION, least = generation_of(verify->run, 0);
    return (last > least ? last : least) + 1;
}

static struct stamp stamp_of(const struct verify *verify, const struct io *io, uint64_t index, uint64_t generation)
{
    uint64_t block_bytes = verify->job->block_size_bytes;
    return (struct stamp){.set = verify->ledger.set,
                          .file = io->file,
                          .offset = io->offset + index * block_bytes,
                          .generation = generation,
                          .block_bytes = (uint32_t)block_bytes};
}

void verify_seal(struct verify *verify, const struct io *io, uint32_t thread)
{
    uint64_t first = first_block(verify, io), count = blocks_of(verify, io);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t state = atomic_load_explicit(&verify->states[first + i], memory_order_relaxed);
        struct stamp stamp = stamp_of(verify, io, i, next_generation(verify, state));
        stamp.thread = thread;
        stamp_seal(io->buffer + i * stamp.block_bytes, &stamp);
    }
}

/* Without memory for it the block stays unacknowledged, which claims too little and nothing wrong. */
static void list_unsynced(struct verify *verify, uint32_t file, uint64_t block)
{
    struct unsynced *list = &verify->files[file];
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 64;
        uint64_t *more = realloc(list->blocks, room * sizeof(*more));
        if (!more)
            return;
        list->blocks = more;
        list->room = room;
    }
    list->blocks[list->count++] = block;
}

static void note_written(struct verify *verify, uint32_t file, uint64_t block, uint64_t state)
{
    uint64_t generation = next_generation(verify, state);
    if (verify->durable_at_once) {
        ledger_acknowledge(&verify->ledger, block, generation);
        release(verify, block, generation | STATE_KNOWN);
        return;
    }
    mutex_lock(verify->mutex); /* a sync that begins takes list and states together */
    state = atomic_load_explicit(&verify->states[block], memory_order_relaxed);
    if (!(state & STATE_UNSYNCED))
        list_unsynced(verify, file, block);
    release(verify, block, generation | STATE_KNOWN | STATE_UNSYNCED);
    mutex_unlock(verify->mutex);
}

/* What the block holds now is anybody's guess, and no sync will vouch for what was in it. */
static void note_failed_write(struct verify *verify, uint64_t block)
{
    mutex_lock(verify->mutex);
    uint64_t state = atomic_load_explicit(&verify->states[block], memory_order_relaxed);
    release(verify, block, next_generation(verify, state));
    mutex_unlock(verify->mutex);
}

/* ---- reading
 * --------------------------------------------------------------------------------------------------------- */

static void note_wrong(struct verify *verify, const struct expectation *expected, const struct judgement *judgement)
{
    atomic_fetch_add_explicit(&verify->wrong, 1, memory_order_relaxed);
    mutex_lock(verify->mutex);
    if (verify->findings_count < VERIFY_FINDINGS_MAX)
        finding_fill(&verify->findings[verify->findings_count++], verify->job, expected, judgement);
    mutex_unlock(verify->mutex);
}

/* What a block must hold: exactly what this run knows of it, else at least what the ledger says. */
static struct expectation expectation_of(const struct verify *verify, const struct io *io, uint64_t index,
                                         uint64_t state)
{
    bool known = (state & STATE_KNOWN) != 0;
    uint64_t generation =
        known ? state & STATE_GENERATION : ledger_read(&verify->ledger, first_block(verify, io) + index);
    return (struct expectation){stamp_of(verify, io, index, generation), known};
}

/* A block that is whole is known from now on. Claimed, so that only a sync that begins may change its state. */
static void check_one(struct verify *verify, const struct io *io, uint64_t index)
{
    uint64_t block = first_block(verify, io) + index;
    uint64_t state = atomic_load_explicit(&verify->states[block], memory_order_relaxed);
    struct expectation expected = expectation_of(verify, io, index, state);
    struct judgement judgement;
    stamp_judge(io->buffer + index * verify->job->block_size_bytes, &expected, &judgement);
    if (judgement.verdict != VERDICT_UNWRITTEN)
        atomic_fetch_add_explicit(&verify->checked, 1, memory_order_relaxed);
    if (verdict_is_wrong(judgement.verdict))
        note_wrong(verify, &expected, &judgement);
    bool first_seen = !expected.exact && (judgement.verdict == VERDICT_GOOD || judgement.verdict == VERDICT_NEWER);
    if (first_seen)
        release(verify, block, judgement.found.generation | STATE_KNOWN);
    else
        atomic_fetch_and_explicit(&verify->states[block], ~STATE_BUSY, memory_order_release);
}

static void ended_one(struct verify *verify, const struct io *io, uint64_t index)
{
    uint64_t block = first_block(verify, io) + index;
    uint64_t state = atomic_load_explicit(&verify->states[block], memory_order_relaxed);
    bool whole = io->result == (int64_t)io->bytes;
    if (io->op == IO_READ && whole)
        check_one(verify, io, index);
    else if (io->op == IO_READ)
        atomic_fetch_and_explicit(&verify->states[block], ~STATE_BUSY, memory_order_release);
    else if (whole)
        note_written(verify, io->file, block, state);
    else
        note_failed_write(verify, block);
}

void verify_ended(struct verify *verify, const struct io *io)
{
    uint64_t count = blocks_of(verify, io);
    for (uint64_t i = 0; i < count; ++i)
        ended_one(verify, io, i);
}

/* ---- syncs
 * ----------------------------------------------------------------------------------------------------------- */

/* The generation that a block's last write had, if it is still to be acknowledged; else 0. */
static uint64_t take_unsynced(struct verify *verify, uint64_t block)
{
    uint64_t state = atomic_fetch_and_explicit(&verify->states[block], ~STATE_UNSYNCED, memory_order_relaxed);
    return state & STATE_UNSYNCED ? state & STATE_GENERATION : 0;
}

void verify_sync_begins(struct verify *verify, uint32_t file, struct verify_sync *sync)
{
    mutex_lock(verify->mutex);
    struct unsynced *list = &verify->files[file];
    *sync = (struct verify_sync){list->blocks, NULL, list->count};
    *list = (struct unsynced){0};
    sync->generations = sync->count ? calloc(sync->count, sizeof(*sync->generations)) : NULL;
    for (size_t i = 0; i < sync->count; ++i) {
        uint64_t generation = take_unsynced(verify, sync->blocks[i]);
        if (sync->generations)
            sync->generations[i] = generation;
    }
    mutex_unlock(verify->mutex);
}

/* What a failed sync was to make durable is not asked for again: the system may have dropped it, and the next sync
 * would succeed all the same. */
void verify_sync_ended(struct verify *verify, struct verify_sync *sync, bool good)
{
    for (size_t i = 0; good && sync->generations && i < sync->count; ++i) {
        if (sync->generations[i] > 0)
            ledger_acknowledge(&verify->ledger, sync->blocks[i], sync->generations[i]);
    }
    free(sync->blocks);
    free(sync->generations);
    *sync = (struct verify_sync){0};
}

/* ---- report
 * ---------------------------------------------------------------------------------------------------------- */

void verify_report(struct verify *verify, struct verification *out)
{
    out->checked = atomic_load(&verify->checked);
    out->wrong = atomic_load(&verify->wrong);
    mutex_lock(verify->mutex);
    out->findings_count = verify->findings_count;
    memcpy(out->findings, verify->findings, sizeof(out->findings));
    mutex_unlock(verify->mutex);
}

bool verify_refuse(const struct verification *verification, struct error *error)
{
    const struct verify_finding *first = &verification->findings[0];
    if (verification->wrong == 0)
        return true;
    return error_set(error, ERR_DATA,
                     "%" PRIu64 " of %" PRIu64 " blocks read back wrong; the first, %s: %s, offset %" PRIu64
                     ": expected %s, found %s",
                     verification->wrong, verification->checked, first->verdict, first->file, first->offset,
                     first->expected, first->found);
}
