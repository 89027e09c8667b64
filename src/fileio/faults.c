#include "fileio/faults.h"

#include "fileio/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int os_code_of(const struct failure *failure)
{
    return failure->result < 0 ? (int)-failure->result : 0;
}

static const char *verb(enum op_class op)
{
    return op == CLASS_READ ? "read" : op == CLASS_WRITE ? "write" : "sync";
}

/* "<file>: cannot read 4096 bytes at offset 8192", without the reason. */
static void describe(const struct failure *failure, const struct job *job, char *out, size_t out_bytes)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    if (!files_path(path, job, failure->file, &ignored))
        snprintf(path, sizeof(path), "file %" PRIu32, failure->file);
    if (failure->op != CLASS_READ && failure->op != CLASS_WRITE)
        snprintf(out, out_bytes, "%.300s: cannot sync", path);
    else if (failure->result < 0)
        snprintf(out, out_bytes, "%.300s: cannot %s %" PRIu32 " bytes at offset %" PRIu64, path, verb(failure->op),
                 failure->bytes, failure->offset);
    else
        snprintf(out, out_bytes, "%.300s: %s of %" PRIu32 " bytes at offset %" PRIu64 " ended after %" PRId64 "%s",
                 path, verb(failure->op), failure->bytes, failure->offset, failure->result,
                 failure->op == CLASS_WRITE ? ": is the disk full?" : ": is the file shorter than it was?");
}

bool fault_explain(const struct failure *failure, const struct job *job, struct error *error)
{
    char text[512];
    describe(failure, job, text, sizeof(text));
    if (failure->result < 0)
        return error_set_os(error, os_code_of(failure), "%s", text);
    return error_set(error, ERR_DATA, "%s", text);
}

bool faults_init(struct faults *faults)
{
    memset(faults, 0, sizeof(*faults));
    faults->mutex = mutex_make();
    return faults->mutex != NULL;
}

void faults_done(struct faults *faults)
{
    if (faults->mutex)
        mutex_free(faults->mutex);
    faults->mutex = NULL;
}

static struct fault *find_or_add(struct faults *faults, const struct failure *failure, const struct job *job)
{
    int os_code = os_code_of(failure);
    for (size_t i = 0; i < faults->count; ++i) {
        struct fault *row = &faults->rows[i];
        if (row->os_code == os_code && strcmp(row->operation, op_class_names[failure->op]) == 0)
            return row;
    }
    if (faults->count == FAULTS_MAX)
        return NULL;
    struct fault *fault = &faults->rows[faults->count++];
    snprintf(fault->operation, sizeof(fault->operation), "%s", op_class_names[failure->op]);
    fault->os_code = os_code;
    if (os_code)
        os_error_text(os_code, fault->text, sizeof(fault->text));
    else
        snprintf(fault->text, sizeof(fault->text), "the transfer ended early");
    describe(failure, job, fault->first, sizeof(fault->first));
    return fault;
}

void faults_note(struct faults *faults, const struct failure *failure, const struct job *job)
{
    mutex_lock(faults->mutex);
    struct fault *fault = find_or_add(faults, failure, job);
    if (fault)
        ++fault->count;
    mutex_unlock(faults->mutex);
}
