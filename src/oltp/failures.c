#include "oltp/failures.h"

#include <stdio.h>
#include <string.h>

bool failures_init(struct failures *failures)
{
    memset(failures, 0, sizeof(*failures));
    failures->mutex = mutex_make();
    return failures->mutex != NULL;
}

void failures_done(struct failures *failures)
{
    if (failures->mutex)
        mutex_free(failures->mutex);
    failures->mutex = NULL;
}

static struct fault *find_or_add(struct failures *failures, const struct db_failure *failure, const char *statement)
{
    char operation[sizeof(failures->rows[0].operation)];
    snprintf(operation, sizeof(operation), "%.15s", statement);
    for (size_t i = 0; i < failures->count; ++i) {
        struct fault *row = &failures->rows[i];
        if (row->os_code == failure->code && strcmp(row->operation, operation) == 0)
            return row;
    }
    if (failures->count == FAULTS_MAX)
        return NULL;
    struct fault *fault = &failures->rows[failures->count++];
    fault->os_code = failure->code;
    memcpy(fault->operation, operation, sizeof(operation));
    snprintf(fault->text, sizeof(fault->text), "%.255s", failure->text);
    snprintf(fault->first, sizeof(fault->first), "%s", statement);
    return fault;
}

void failures_note(struct failures *failures, const struct db_failure *failure, const char *statement)
{
    mutex_lock(failures->mutex);
    struct fault *fault = find_or_add(failures, failure, statement);
    if (fault)
        ++fault->count;
    ++failures->total;
    mutex_unlock(failures->mutex);
}
