#define _GNU_SOURCE
#include "platform/memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

/* SIGBUS comes on the thread whose access failed, so each has its own way back. */
static _Thread_local sigjmp_buf *volatile way_back;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void on_bus_error(int number)
{
    if (way_back != NULL)
        siglongjmp(*way_back, 1);
    signal(number, SIG_DFL); /* not ours: the access is tried again and ends the process */
}

static void catch_bus_errors(void)
{
    struct sigaction action = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

bool memory_copy_mapped(void *to, const void *from, size_t bytes)
{
    sigjmp_buf here;
    pthread_once(&once, catch_bus_errors);
    if (sigsetjmp(here, 0) != 0) {
        way_back = NULL;
        return false;
    }
    way_back = &here;
    memcpy(to, from, bytes);
    way_back = NULL;
    return true;
}
