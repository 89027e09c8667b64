/* checksum/sync.h: statements that make the replicas' rows the same again. They run on the source, change nothing
 * there, and replicate: REPLACE with the values that the source has, DELETE of what it does not have. They are logged
 * as statements, since a row that does not change would be in no log of rows. */
#ifndef CHECKSUM_SYNC_H
#define CHECKSUM_SYNC_H

#include "checksum/settle.h"

/* The rows of one chunk that differ on some replica. */
struct repair {
    const struct table *table;
    struct range range;
    char **keys; /* literals, each once */
    size_t count;
};

/* Hands over the statements for one chunk, as the source is now, and does nothing. Adds to *statements. */
bool sync_show(struct host *source, const struct repair *repair, uint64_t *statements, struct error *error);
/* The session's settings, shown before the first. */
void sync_show_session(const struct checksum_setup *setup);

/* A session that logs statements. */
bool sync_prepare(struct host *source, struct error *error);
/* Runs them in one transaction, in which each row is locked and read first, and held against what it was after. */
bool sync_execute(struct host *source, const struct repair *repair, uint64_t *statements, struct error *error);

/* Would statements for that table do something else too (triggers), or can they not be made (no primary key)? The error
 * says so. */
bool sync_allows(struct host *host, const struct table *table, struct error *error);

#endif
