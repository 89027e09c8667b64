#define _GNU_SOURCE
#include "platform/host.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linux lets one holder claim a block device exclusively, and a mount, a RAID, LVM or swap is such a holder, also of
 * one of its partitions: O_EXCL without O_CREAT fails with EBUSY then (open(2)). */
bool host_device_is_free(const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISBLK(status.st_mode))
        return true;
#if defined(__linux__)
    int descriptor = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
    if (descriptor >= 0) {
        close(descriptor);
        return true;
    }
    if (errno == EBUSY)
        return error_set_os(error, errno, "%s is mounted or in use otherwise: it is not written to", path);
    return error_set_os(error, errno, "cannot open %s", path);
#else
    return error_set(error, ERR_UNSUPPORTED,
                     "%s: this system does not tell whether a device is in use, so none is written to", path);
#endif
}
