/* fileio/verify.h: a run's view of its blocks with verify on: no two operations on one block are in flight, what is
 * written carries a stamp, what is read is held against it, and what a sync acknowledged goes into the ledger.
 *
 * Any thread may call these. For one request: verify_claim → (write: verify_seal) → the IO → verify_ended. */
#ifndef FILEIO_VERIFY_H
#define FILEIO_VERIFY_H

#include "core/result.h"
#include "fileio/fileio.h"
#include "platform/path.h"
#include "platform/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct verify;

/* Opens the set's ledger, or makes one for a run that only writes, and forgets what it says if the run makes the
 * files anew. To be called before the files are touched. */
bool verify_make(struct verify **out, const struct fileio_setup *setup, struct error *error);
void verify_free(struct verify *verify); /* NULL is fine */

/* For a run without verify that is about to write: a ledger of the set would tell lies afterwards, so it is removed.
 * *dropped is its path, "" if there was none. */
bool verify_drop_ledger(const struct fileio_setup *setup, char dropped[PATH_BYTES], struct error *error);

/* Takes the request's blocks, all or none; false when one of them is in flight. */
bool verify_claim(struct verify *verify, const struct io *io);
/* Stamps what is about to be written: the request is claimed, its data is in its buffer. */
void verify_seal(struct verify *verify, const struct io *io, uint32_t thread);
/* The request has ended, with io->result: checks what was read, notes what was written, gives the blocks back. */
void verify_ended(struct verify *verify, const struct io *io);

/* What a sync of one file will have made durable when it succeeds. */
struct verify_sync {
    uint64_t *blocks, *generations;
    size_t count;
};
void verify_sync_begins(struct verify *verify, uint32_t file, struct verify_sync *sync);
void verify_sync_ended(struct verify *verify, struct verify_sync *sync, bool good);

void verify_report(struct verify *verify, struct verification *out);
/* False, with the first finding in words, when a block was wrong. */
bool verify_refuse(const struct verification *verification, struct error *error);

#endif
