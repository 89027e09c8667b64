#define _GNU_SOURCE
#include "platform/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct path_lock {
    int descriptor;
    char path[PATH_BYTES];
};

bool path_lock_take(struct path_lock **out, const char *path, bool exclusive, struct error *error)
{
    struct path_lock *lock = calloc(1, sizeof *lock);
    if (lock == NULL || strlen(path) >= sizeof lock->path) {
        free(lock);
        return error_set(error, ERR_SYSTEM, "no memory to lock '%s'", path);
    }
    strcpy(lock->path, path);
    lock->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock->descriptor >= 0 && flock(lock->descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) {
        *out = lock;
        return true;
    }
    int code = errno;
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    free(lock);
    return path_lock_refused(path, code, code == EWOULDBLOCK, error);
}

/* The last holder removes the file: who can get it alone is the last. */
void path_lock_release(struct path_lock *lock)
{
    if (lock == NULL)
        return;
    if (flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0)
        unlink(lock->path);
    close(lock->descriptor);
    free(lock);
}
