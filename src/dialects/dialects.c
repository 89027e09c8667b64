/* dialects.c: the languages that isobench speaks. */
#include "core/dialect.h"
#include "dialects/diskspd.h"
#include "dialects/fio.h"
#include "dialects/hdparm.h"
#include "dialects/iozone.h"
#include "dialects/mysqlslap.h"
#include "dialects/seeker.h"
#include "dialects/sqlio.h"
#include "dialects/sysbench.h"

#include <stdlib.h>
#include <string.h>

const struct dialect *const dialects[] = {&dialect_sysbench, &dialect_sqlio,     &dialect_diskspd,
                                          &dialect_fio,      &dialect_iozone,    &dialect_seeker,
                                          &dialect_hdparm,   &dialect_mysqlslap, NULL};

void invocation_free(struct invocation *invocation)
{
    if (invocation->free_context)
        invocation->free_context(invocation->listener.context);
    invocation->free_context = NULL;
    if (invocation->password)
        memset(invocation->password, 0, strlen(invocation->password));
    free(invocation->password);
    invocation->password = NULL;
}

const struct dialect *dialect_find(const char *name)
{
    for (const struct dialect *const *dialect = dialects; *dialect; ++dialect)
        if (strcmp((*dialect)->name, name) == 0)
            return *dialect;
    return NULL;
}
