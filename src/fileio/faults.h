/* fileio/faults.h: IOs and syncs that failed: the words for one, and the log of all when on_error is count. */
#ifndef FILEIO_FAULTS_H
#define FILEIO_FAULTS_H

#include "core/job.h"
#include "core/result.h"
#include "platform/error.h"
#include "platform/thread.h"

#include <stdbool.h>
#include <stdint.h>

/* One failure. */
struct failure {
    enum op_class op; /* CLASS_READ, CLASS_WRITE or a sync */
    uint32_t file, bytes;
    uint64_t offset;
    int64_t result; /* −OS error, or how far a transfer came that ended early */
};

/* Fills `error` with the failure in words: file, offset and the system's reason. Always returns false. */
bool fault_explain(const struct failure *failure, const struct job *job, struct error *error);

struct faults {
    struct mutex *mutex;
    struct fault rows[FAULTS_MAX];
    size_t count;
};

bool faults_init(struct faults *faults); /* false when memory is short */
void faults_done(struct faults *faults);
/* Any thread. Kinds are told apart by operation and OS error. */
void faults_note(struct faults *faults, const struct failure *failure, const struct job *job);

#endif
