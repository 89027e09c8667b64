/* checksum/listing.h: which tables there are on which server. */
#ifndef CHECKSUM_LISTING_H
#define CHECKSUM_LISTING_H

#include "checksum/settle.h"

#define SERVERS_MAX 64

struct listed {
    char *database, *name;
    char type[24];      /* "" = a table; else what the server calls it */
    uint64_t on;        /* bit 0: the source; bit i + 1: replica i */
    struct table table; /* as the source has it, once it was read */
};

struct listing {
    struct listed *items; /* sorted by database and name */
    size_t count, room;
};

/* All tables that the setup's lists name, without the server's own databases. */
bool listing_make(struct checker *checker, struct listing *out, struct error *error);
void listing_free(struct listing *listing); /* also the listing itself; NULL is fine */

#endif
