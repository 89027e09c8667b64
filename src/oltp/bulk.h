/* oltp/bulk.h: bulk_insert: an event is one row, rows are gathered, and a full packet of them is one statement. */
#ifndef OLTP_BULK_H
#define OLTP_BULK_H

#include "oltp/session.h"

struct bulk {
    char *packet;
    size_t room, head, used; /* head: bytes before the first row */
    uint64_t next_id;
    bool unsure; /* the connection was lost while a packet was on its way */
};

/* False when memory is short. */
bool bulk_init(struct bulk *bulk, const struct session *session);
void bulk_done(struct bulk *bulk); /* all zero is fine */

/* Goes on after the rows that the thread's table has already. Once, when the session is open. */
bool bulk_start(struct bulk *bulk, struct session *session);

enum outcome bulk_add_row(struct bulk *bulk, struct session *session);
/* What is left at the end. */
enum outcome bulk_flush(struct bulk *bulk, struct session *session);

#endif
