#include "fileio/ledger.h"

#include "core/random.h"
#include "fileio/stamp.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 4096
#define LEDGER_VERSION 1
#define RECORD_BYTES sizeof(uint64_t)
#define ZEROS_BYTES ((size_t)1024 * 1024)

/* Where the parts of the header are; all but the number of runs is written once. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_SET = 16,
    AT_FILES = 24,
    AT_FILE_BYTES = 32,
    AT_START_BYTES = 40,
    AT_BLOCK_BYTES = 48,
    AT_FILE_NAME = 56,
    AT_CHECK = AT_FILE_NAME + NAME_MAX_BYTES, /* of what is before it */
    AT_RUNS = AT_CHECK + 8,
};

static const uint8_t magic[8] = {'i', 's', 'o', 'l', 'e', 'd', 'g', 'r'};

/* ---- numbers that other programs and a later life of this one read -------------------------------------------- */

/* As it stands in the file: a swap on big-endian machines, nothing on others. */
static uint64_t in_file(uint64_t value)
{
    uint8_t bytes[RECORD_BYTES];
    stamp_put_uint(bytes, value, sizeof(bytes));
    memcpy(&value, bytes, sizeof(value));
    return value;
}

static _Atomic uint64_t *number_at(const struct ledger *ledger, size_t at)
{
    return (_Atomic uint64_t *)(void *)(ledger->map + at);
}

static _Atomic uint64_t *record_of(const struct ledger *ledger, uint64_t block)
{
    return number_at(ledger, HEADER_BYTES + (size_t)block * RECORD_BYTES);
}

uint64_t ledger_read(const struct ledger *ledger, uint64_t block)
{
    return in_file(atomic_load_explicit(record_of(ledger, block), memory_order_relaxed));
}

void ledger_acknowledge(struct ledger *ledger, uint64_t block, uint64_t generation)
{
    _Atomic uint64_t *record = record_of(ledger, block);
    uint64_t now = atomic_load_explicit(record, memory_order_relaxed);
    while (in_file(now) < generation && !atomic_compare_exchange_weak(record, &now, in_file(generation)))
        continue;
}

uint64_t ledger_blocks(const struct ledger *ledger)
{
    return ledger->shape.files * ledger->blocks_in_file;
}

uint64_t ledger_block(const struct ledger *ledger, uint64_t file, uint64_t offset)
{
    return file * ledger->blocks_in_file + (offset - ledger->shape.start_bytes) / ledger->shape.block_bytes;
}

/* ---- shape and place ----------------------------------------------------------------------------------------------
 */

void ledger_shape_of(const struct job *job, struct ledger_shape *out)
{
    memset(out, 0, sizeof(*out));
    out->files = job->files;
    out->file_bytes = job->target[0] ? files_used_bytes(job) : files_each_bytes(job);
    out->start_bytes = job->start_bytes;
    out->block_bytes = job->block_size_bytes;
    if (job->target[0] == '\0')
        memcpy(out->file_name, job->file_name, sizeof(out->file_name));
}

bool ledger_path(char out[PATH_BYTES], const struct job *job, const struct manifest *manifest, struct error *error)
{
    char name[NAME_MAX_BYTES + 24];
    const char *named = job->ledger[0] ? job->ledger : manifest->ledger;
    if (named[0]) {
        snprintf(out, PATH_BYTES, "%s", named);
        return true;
    }
    snprintf(name, sizeof(name), "%s.isobench.ledger", job->file_name);
    return path_join(out, job->dir, name, error);
}

static bool size_of(struct ledger *ledger, struct error *error)
{
    const struct ledger_shape *shape = &ledger->shape;
    ledger->blocks_in_file = shape->file_bytes / shape->block_bytes;
    if (ledger->blocks_in_file > (SIZE_MAX - HEADER_BYTES) / RECORD_BYTES / shape->files)
        return error_set(error, ERR_USAGE, "%s: more blocks than this machine can keep track of", ledger->path);
    ledger->map_bytes = HEADER_BYTES + (size_t)ledger_blocks(ledger) * RECORD_BYTES;
    return true;
}

/* ---- opening, and what is refused -------------------------------------------------------------------------------- */

static bool open_file(struct ledger *ledger, enum file_presence presence, bool writable, struct error *error)
{
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, presence, writable};
    return ledger->layer->open(&ledger->file, ledger->path, &policy, error);
}

static bool map_file(struct ledger *ledger, struct error *error)
{
    void *address;
    if (!ledger->layer->map(ledger->file, ledger->map_bytes, &address, error))
        return false;
    ledger->map = address;
    return true;
}

void ledger_close(struct ledger *ledger)
{
    if (ledger->map)
        ledger->layer->unmap(ledger->file, ledger->map, ledger->map_bytes);
    if (ledger->file)
        ledger->layer->close(ledger->file);
    ledger->map = NULL;
    ledger->file = NULL;
}

static bool is_header(const uint8_t *header)
{
    return memcmp(header, magic, sizeof(magic)) == 0 &&
           stamp_get_uint(header + AT_CHECK, 8) == stamp_hash(header, AT_CHECK);
}

static bool refuse_number(const struct ledger *ledger, const char *option, uint64_t have, uint64_t want,
                          struct error *error)
{
    return error_set(error, ERR_USAGE,
                     "%s is the ledger of a set with %s %" PRIu64 ", and this job's is %" PRIu64
                     ": give the options that the set was prepared with, or name its own --ledger",
                     ledger->path, option, have, want);
}

static bool check_shape(const struct ledger *ledger, const uint8_t *header, struct error *error)
{
    const struct ledger_shape *want = &ledger->shape;
    const struct {
        const char *option;
        size_t at;
        uint64_t want;
    } rows[] = {{"--block-size", AT_BLOCK_BYTES, want->block_bytes},
                {"--files", AT_FILES, want->files},
                {"bytes per file (--total-size)", AT_FILE_BYTES, want->file_bytes},
                {"--start", AT_START_BYTES, want->start_bytes}};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        uint64_t have = stamp_get_uint(header + rows[i].at, 8);
        if (have != rows[i].want)
            return refuse_number(ledger, rows[i].option, have, rows[i].want, error);
    }
    if (memcmp(header + AT_FILE_NAME, want->file_name, NAME_MAX_BYTES) == 0)
        return true;
    return error_set(error, ERR_USAGE,
                     "%s is the ledger of files named '%.63s', and this job's are named '%s': see --file-name",
                     ledger->path, (const char *)header + AT_FILE_NAME, want->file_name);
}

static bool check_header(struct ledger *ledger, uint64_t size_bytes, struct error *error)
{
    uint8_t header[AT_RUNS];
    if (size_bytes < HEADER_BYTES ||
        ledger->layer->read_at(ledger->file, header, sizeof(header), 0) != (int64_t)sizeof(header) ||
        !is_header(header))
        return error_set(error, ERR_DATA, "%s is not a ledger of isobench's verify", ledger->path);
    uint64_t version = stamp_get_uint(header + AT_VERSION, 4);
    if (version != LEDGER_VERSION || stamp_get_uint(header + AT_HEADER_BYTES, 4) != HEADER_BYTES)
        return error_set(error, ERR_UNSUPPORTED, "%s is a ledger of version %" PRIu64 ", and this isobench reads %d",
                         ledger->path, version, LEDGER_VERSION);
    if (!check_shape(ledger, header, error) || !size_of(ledger, error))
        return false;
    ledger->set = stamp_get_uint(header + AT_SET, 8);
    if (size_bytes == ledger->map_bytes)
        return true;
    return error_set(error, ERR_DATA, "%s has %" PRIu64 " bytes and should have %zu: it was cut, or copied in part",
                     ledger->path, size_bytes, ledger->map_bytes);
}

static void begin(struct ledger *ledger, const struct file_layer *layer, const char *path, const struct job *job)
{
    memset(ledger, 0, sizeof(*ledger));
    ledger->layer = layer;
    snprintf(ledger->path, sizeof(ledger->path), "%s", path);
    ledger_shape_of(job, &ledger->shape);
}

bool ledger_open(struct ledger *ledger, const struct file_layer *layer, const char *path, const struct job *job,
                 bool writable, struct error *error)
{
    struct file_facts facts;
    begin(ledger, layer, path, job);
    if (open_file(ledger, FILE_MUST_EXIST, writable, error) && layer->facts(ledger->file, &facts, error) &&
        check_header(ledger, facts.size_bytes, error) && map_file(ledger, error))
        return true;
    ledger_close(ledger);
    return false;
}

/* A file that is not there, or too short to be one, is none. */
static bool is_one(const struct file_layer *layer, const char *path, const char *file_name, bool *out,
                   struct error *error)
{
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, false};
    struct file *file = NULL;
    uint8_t header[AT_RUNS];
    enum path_kind kind;
    *out = false;
    if (!path_look(path, &kind, NULL, error))
        return false;
    if (kind != PATH_FILE)
        return true;
    if (!layer->open(&file, path, &policy, error))
        return false;
    *out = layer->read_at(file, header, sizeof(header), 0) == (int64_t)sizeof(header) && is_header(header) &&
           strncmp((const char *)header + AT_FILE_NAME, file_name, NAME_MAX_BYTES) == 0;
    layer->close(file);
    return true;
}

bool ledger_drop(const struct file_layer *layer, struct manifest *manifest, char dropped[PATH_BYTES],
                 struct error *error)
{
    bool ours = false;
    dropped[0] = '\0';
    if (!manifest->ledger[0])
        return true;
    if (!is_one(layer, manifest->ledger, manifest->file_name, &ours, error) ||
        (ours && !layer->remove(manifest->ledger, error)))
        return false;
    if (ours)
        memcpy(dropped, manifest->ledger, sizeof(manifest->ledger));
    manifest->ledger[0] = '\0';
    return true;
}

/* ---- making --------------------------------------------------------------------------------------------------------
 */

static bool write_zeros(struct ledger *ledger, struct error *error)
{
    uint8_t *zeros = calloc(1, ZEROS_BYTES);
    bool good = zeros != NULL || error_set(error, ERR_SYSTEM, "not enough memory for %s", ledger->path);
    for (size_t at = 0; good && at < ledger->map_bytes;) {
        size_t left = ledger->map_bytes - at;
        int64_t count = ledger->layer->write_at(ledger->file, zeros, left < ZEROS_BYTES ? left : ZEROS_BYTES, at);
        if (count <= 0)
            good = error_set_os(error, count ? (int)-count : os_error_no_space, "%s: cannot write", ledger->path);
        else
            at += (size_t)count;
    }
    free(zeros);
    return good;
}

/* Its space is there before it is mapped: a store to a map has no way to say that the disk is full. */
static bool make_room(struct ledger *ledger, struct error *error)
{
    struct error refusal = ERROR_INIT;
    if (ledger->layer->allocate(ledger->file, ledger->map_bytes, &refusal))
        return true;
    if (refusal.kind == ERR_UNSUPPORTED)
        return write_zeros(ledger, error);
    error_set(error, refusal.kind, "%s", refusal.text);
    error->os_code = refusal.os_code;
    return false;
}

static void write_header(struct ledger *ledger)
{
    const struct ledger_shape *shape = &ledger->shape;
    uint8_t *header = ledger->map;
    memcpy(header + AT_MAGIC, magic, sizeof(magic));
    stamp_put_uint(header + AT_VERSION, LEDGER_VERSION, 4);
    stamp_put_uint(header + AT_HEADER_BYTES, HEADER_BYTES, 4);
    stamp_put_uint(header + AT_SET, ledger->set, 8);
    stamp_put_uint(header + AT_FILES, shape->files, 8);
    stamp_put_uint(header + AT_FILE_BYTES, shape->file_bytes, 8);
    stamp_put_uint(header + AT_START_BYTES, shape->start_bytes, 8);
    stamp_put_uint(header + AT_BLOCK_BYTES, shape->block_bytes, 8);
    memcpy(header + AT_FILE_NAME, shape->file_name, NAME_MAX_BYTES);
    stamp_put_uint(header + AT_CHECK, stamp_hash(header, AT_CHECK), 8);
}

static uint64_t draw_set(const struct ledger *ledger)
{
    struct clock clock = clock_system();
    struct random random;
    random_init(&random, clock_wall_ns(),
                clock_now_ns(&clock) ^ stamp_hash((const uint8_t *)ledger->path, strlen(ledger->path)));
    return random_next(&random) | 1;
}

static bool refuse_what_is_there(const char *path, struct error *error)
{
    enum path_kind kind;
    if (!path_look(path, &kind, NULL, error))
        return false;
    return kind == PATH_ABSENT ||
           error_set(error, ERR_USAGE, "%s is there and is not this set's ledger: remove it, or give another --ledger",
                     path);
}

bool ledger_make(struct ledger *ledger, const struct file_layer *layer, const char *path, const struct job *job,
                 struct error *error)
{
    if (!refuse_what_is_there(path, error))
        return false;
    begin(ledger, layer, path, job);
    ledger->set = draw_set(ledger);
    if (!size_of(ledger, error) || !open_file(ledger, FILE_MUST_NOT_EXIST, true, error))
        return false;
    if (make_room(ledger, error) && map_file(ledger, error)) {
        write_header(ledger);
        if (ledger_save(ledger, error))
            return true;
    }
    ledger_close(ledger);
    layer->remove(path, error);
    return false;
}

/* ---- a run
 * ----------------------------------------------------------------------------------------------------------- */

bool ledger_save(struct ledger *ledger, struct error *error)
{
    int os_code = ledger->layer->map_sync(ledger->file, ledger->map, ledger->map_bytes);
    return os_code == 0 || error_set_os(error, os_code, "%s: cannot sync", ledger->path);
}

bool ledger_next_run(struct ledger *ledger, uint64_t *run, struct error *error)
{
    _Atomic uint64_t *runs = number_at(ledger, AT_RUNS);
    *run = in_file(atomic_load(runs)) + 1;
    if (*run > GENERATION_RUN_MAX)
        return error_set(error, ERR_USAGE, "%s has seen too many runs: prepare the files again", ledger->path);
    atomic_store(runs, in_file(*run));
    return ledger_save(ledger, error);
}

bool ledger_forget(struct ledger *ledger, struct error *error)
{
    memset(ledger->map + HEADER_BYTES, 0, ledger->map_bytes - HEADER_BYTES);
    return ledger_save(ledger, error);
}
