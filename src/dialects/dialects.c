/* dialects.c: the languages that isobench speaks. */
#include "core/dialect.h"
#include "dialects/sysbench.h"

#include <string.h>

const struct dialect *const dialects[] = {&dialect_sysbench, NULL};

const struct dialect *dialect_find(const char *name)
{
    for (const struct dialect *const *dialect = dialects; *dialect; ++dialect)
        if (strcmp((*dialect)->name, name) == 0)
            return *dialect;
    return NULL;
}
