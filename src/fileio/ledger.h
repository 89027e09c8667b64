/* fileio/ledger.h: the file that says, for each block of a set, the highest generation that the system acknowledged as
 * durable. It is mapped and written with plain stores, so that it survives the end of the process at any moment. When
 * the machine itself may end, it must be on another device than the set. */
#ifndef FILEIO_LEDGER_H
#define FILEIO_LEDGER_H

#include "core/job.h"
#include "fileio/files.h"
#include "platform/error.h"
#include "platform/file.h"
#include "platform/path.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What the blocks of a set are. */
struct ledger_shape {
    uint64_t files, file_bytes, start_bytes, block_bytes;
    char file_name[NAME_MAX_BYTES]; /* "" for a --target */
};

struct ledger {
    const struct file_layer *layer;
    struct file *file;
    uint8_t *map; /* header, then a record for each block */
    size_t map_bytes;
    char path[PATH_BYTES];
    struct ledger_shape shape;
    uint64_t set;            /* see struct stamp */
    uint64_t blocks_in_file; /* a block's number is file × blocks_in_file + its place in the file */
};

void ledger_shape_of(const struct job *job, struct ledger_shape *out);

/* Where the job's ledger is: as job.ledger says, else as the manifest does, else beside the files. */
bool ledger_path(char out[PATH_BYTES], const struct job *job, const struct manifest *manifest, struct error *error);

/* A new one with nothing acknowledged; refused when something is there. */
bool ledger_make(struct ledger *ledger, const struct file_layer *layer, const char *path, const struct job *job,
                 struct error *error);
/* One that is there. Refused, naming the setting, if it is not of the job's set. */
bool ledger_open(struct ledger *ledger, const struct file_layer *layer, const char *path, const struct job *job,
                 bool writable, struct error *error);
void ledger_close(struct ledger *ledger); /* all zero is fine */

/* Takes the manifest's ledger out of it (the caller saves it) and removes the file, if it is one of a set of that name.
 * *dropped is its path then, else "". */
bool ledger_drop(const struct file_layer *layer, struct manifest *manifest, char dropped[PATH_BYTES],
                 struct error *error);

/* The next run's number, for generation_of; noted on the device before it is given. */
bool ledger_next_run(struct ledger *ledger, uint64_t *run, struct error *error);
/* Forgets what was acknowledged: the files are about to be emptied. */
bool ledger_forget(struct ledger *ledger, struct error *error);
bool ledger_save(struct ledger *ledger, struct error *error); /* to its device */

uint64_t ledger_blocks(const struct ledger *ledger);
uint64_t ledger_block(const struct ledger *ledger, uint64_t file, uint64_t offset); /* its number */
uint64_t ledger_read(const struct ledger *ledger, uint64_t block);                  /* the generation; 0 = none */
void ledger_acknowledge(struct ledger *ledger, uint64_t block, uint64_t generation);

#endif
