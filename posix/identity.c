#define _GNU_SOURCE
#include "platform/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* An inode's number is given again as soon as its file is gone, so the time of birth belongs to it (statx(2)). */
bool path_identify(const char *path, struct path_identity *out, struct error *error)
{
#if defined(__linux__)
    struct statx facts;
    memset(&facts, 0, sizeof facts);
    if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &facts) != 0)
        return error_set_os(error, errno, "cannot look at '%s'", path);
    out->number = facts.stx_ino;
    out->born_ns = 0;
    if (facts.stx_mask & STATX_BTIME)
        out->born_ns = (uint64_t)facts.stx_btime.tv_sec * UINT64_C(1000000000) + facts.stx_btime.tv_nsec;
#else
    struct stat facts;
    if (stat(path, &facts) != 0)
        return error_set_os(error, errno, "cannot look at '%s'", path);
    out->number = (uint64_t)facts.st_ino;
#if defined(__APPLE__)
    out->born_ns =
        (uint64_t)facts.st_birthtimespec.tv_sec * UINT64_C(1000000000) + (uint64_t)facts.st_birthtimespec.tv_nsec;
#else
    out->born_ns = 0;
#endif
#endif
    return true;
}
