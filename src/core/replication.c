#include "core/replication.h"

#include "core/result.h"

#include <stdlib.h>

struct replication *replication_make(size_t replicas)
{
    struct replication *replication = calloc(1, sizeof(*replication));
    if (!replication)
        return NULL;
    replication->rows = calloc(replicas + 1, sizeof(*replication->rows));
    replication->rows_count = replication->rows ? replicas : 0;
    bool good = replication->rows != NULL;
    for (size_t i = 0; i < replication->rows_count; i++) {
        replication->rows[i].server = calloc(1, sizeof(*replication->rows[i].server));
        good = good && replication->rows[i].server;
    }
    if (good)
        return replication;
    replication_free(replication);
    return NULL;
}

void replication_free(struct replication *replication)
{
    if (!replication)
        return;
    for (size_t i = 0; i < replication->rows_count; i++) {
        free(replication->rows[i].server);
        free(replication->rows[i].series);
    }
    free(replication->rows);
    free(replication);
}

bool replica_row_add(struct replica_row *row, const struct replica_interval *interval)
{
    if (row->series_count == row->series_room) {
        size_t room = row->series_room ? row->series_room * 2 : 64;
        struct replica_interval *more = realloc(row->series, room * sizeof(*more));
        if (!more)
            return false;
        row->series = more;
        row->series_room = room;
    }
    row->series[row->series_count++] = *interval;
    return true;
}
