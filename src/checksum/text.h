/* checksum/text.h: a statement that grows while it is written, and lists that grow. */
#ifndef CHECKSUM_TEXT_H
#define CHECKSUM_TEXT_H

#include "platform/compiler.h"

#include <stdbool.h>
#include <stddef.h>

struct text {   /* all zero = empty */
    char *text; /* NUL-terminated once something was added */
    size_t bytes, room;
    bool failed; /* memory was short: what was added since is missing */
};

void text_add(struct text *sql, const char *format, ...) PRINTF_LIKE(2, 3);
void text_clear(struct text *sql); /* keeps the memory */
void text_done(struct text *sql);

/* Makes room for one more behind `used` items of `bytes` each, and more when it must. False when memory is short. */
bool list_grow(void **items, size_t *room, size_t used, size_t bytes);

/* A copy for free(); NULL when memory is short. */
char *text_copy(const char *text, size_t bytes);
/* `name` between backquotes, for free(). */
char *text_name(const char *name);
/* Adds a literal of that text. */
void text_add_literal(struct text *sql, const char *text);

/* Literals with commas between, in which text that is plain ASCII stands as such: 1,_latin1 x'4162' becomes 1,'Ab'.
 * What another reading could change stays hexadecimal. For free(). */
char *text_readable(const char *literals);

#endif
