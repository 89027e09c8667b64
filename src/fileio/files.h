/* fileio/files.h: the set of test files: their names and sizes, and the manifest beside them that says which ones
 * isobench made. Only those are ever written or removed, but for what `foreign` allows. */
#ifndef FILEIO_FILES_H
#define FILEIO_FILES_H

#include "core/job.h"
#include "platform/error.h"
#include "platform/file.h"
#include "platform/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every file of a set is so long: total_size / files, rounded up to whole blocks. */
uint64_t files_each_bytes(const struct job *job);
/* How much of each file a run uses: whole blocks within total_size / files, so that sets made by sysbench with
 * any rounding serve too. */
uint64_t files_used_bytes(const struct job *job);
/* Where that part ends. */
uint64_t files_end_bytes(const struct job *job);
/* Path of the index-th file: of the set, or of job.target. */
bool files_path(char out[PATH_BYTES], const struct job *job, uint64_t index, struct error *error);

/* How many paths job.target has; 0 without one. */
uint64_t files_targets(const struct job *job);
/* For a job with `target`: sets files to the number of its paths and total_size, where it is 0, to what the shortest
 * of them gives each. Fails when one is not there (but for MODE_SEQWR, which makes them) or empty. Without `target` it
 * does nothing. */
bool files_resolve(struct job *job, const struct file_layer *layer, struct error *error);
/* True when `list` (paths separated by commas) has exactly this path. */
bool files_list_has(const char *list, const char *path);

/* Keeps other isobench processes from the set: a run that does not verify shares it with its like; prepare, cleanup,
 * check and a verifying run must be alone. *out stays NULL for a job with `target`, and where a shared lock cannot be
 * made (read-only media). Release by path_lock_release. */
bool files_lock(const struct job *job, bool alone, struct path_lock **out, struct error *error);

/* One file that isobench made, or is about to make. */
struct manifest_entry {
    uint64_t index; /* <file_name>.<index> */
    uint64_t bytes;
    enum fill fill;
    enum data_kind data;
    uint64_t compress_percent;
    bool complete;                 /* false while prepare is at it, and after a sequential write run */
    struct path_identity identity; /* of the file that was made, whatever stands there now */
};

/* What isobench made in job.dir under job.file_name. */
struct manifest {
    char path[PATH_BYTES];
    char file_name[NAME_MAX_BYTES];
    char ledger[PATH_BYTES];        /* of a set that verify made; "" = none */
    struct manifest_entry *entries; /* by index, ascending */
    size_t count, room;
};

/* An absent manifest is an empty one. A broken one is an error that names it. */
bool manifest_load(struct manifest *manifest, const struct job *job, struct error *error);
/* Writes it, or removes the file when nothing is left in it. */
bool manifest_save(const struct manifest *manifest, struct error *error);
struct manifest_entry *manifest_find(const struct manifest *manifest, uint64_t index);
/* Finds or adds; NULL when memory is short. The pointer is good until the next put or remove. */
struct manifest_entry *manifest_put(struct manifest *manifest, uint64_t index);
/* Is what stands at this path the file that the manifest speaks of? False also when nothing stands there. */
bool manifest_owns(const struct manifest *manifest, uint64_t index, const char *path);
void manifest_remove(struct manifest *manifest, uint64_t index); /* not there is fine */
void manifest_done(struct manifest *manifest);

#endif
