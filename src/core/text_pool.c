#include "core/text_pool.h"

#include <stdlib.h>
#include <string.h>

char *text_pool_keep(struct text_pool *pool, char *text)
{
    if (text && pool->count == pool->room) {
        size_t room = pool->room ? 2 * pool->room : 64;
        char **more = realloc((void *)pool->items, room * sizeof(*more));
        if (!more) {
            free(text);
            return NULL;
        }
        pool->items = more;
        pool->room = room;
    }
    if (text)
        pool->items[pool->count++] = text;
    return text;
}

char *text_pool_copy(struct text_pool *pool, const char *text, size_t bytes)
{
    char *copy = malloc(bytes + 1);
    if (copy) {
        memcpy(copy, text, bytes);
        copy[bytes] = '\0';
    }
    return text_pool_keep(pool, copy);
}

void text_pool_done(struct text_pool *pool)
{
    for (size_t i = 0; i < pool->count; ++i)
        free(pool->items[i]);
    free((void *)pool->items);
    memset(pool, 0, sizeof(*pool));
}
