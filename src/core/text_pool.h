/* core/text_pool.h: strings that are freed together. */
#ifndef CORE_TEXT_POOL_H
#define CORE_TEXT_POOL_H

#include <stddef.h>

struct text_pool { /* all zero = empty */
    char **items;
    size_t count, room;
};

/* Takes `text`, from malloc, which lives as long as the pool. NULL when memory is short (text is freed then) or `text`
 * is NULL. */
char *text_pool_keep(struct text_pool *pool, char *text);
/* The same with a copy of so many bytes, and a NUL. */
char *text_pool_copy(struct text_pool *pool, const char *text, size_t bytes);
void text_pool_done(struct text_pool *pool);

#endif
