/* The system's files: opening, transfer, syncing, sizes, cache, mapping, and the table of all that at the end.
 * Size, alignment and written part are in file_facts.c. */
#define _GNU_SOURCE
#include "posix/file_posix.h"
#include "posix/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- opening ---- */

static int open_flags(const struct file_policy *policy)
{
    static const int through[] = {[THROUGH_OFF] = 0, [THROUGH_DATA] = O_DSYNC, [THROUGH_FULL] = O_SYNC};
    static const int presence[] = {
        [FILE_MUST_EXIST] = 0, [FILE_MUST_NOT_EXIST] = O_CREAT | O_EXCL, [FILE_EMPTIED] = O_CREAT | O_TRUNC};
    int flags = O_CLOEXEC | (policy->writable ? O_RDWR : O_RDONLY);
    flags |= through[policy->through] | presence[policy->presence];
#ifdef O_DIRECT
    flags |= policy->cache == CACHE_OFF ? O_DIRECT : 0;
#endif
    return flags;
}

/* Looked at before, because opening a pipe waits and opening a terminal can change it. */
static bool check_kind(const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISBLK(status.st_mode))
        return true; /* open says why it is not there */
    return error_set(error, ERR_USAGE, "'%s' is %s; a regular file or a block device is needed", path,
                     S_ISDIR(status.st_mode) ? "a directory" : "neither a file nor a disk");
}

static bool open_failed(const char *path, const struct file_policy *policy, int code, struct error *error)
{
    if (code != EINVAL || policy->cache != CACHE_OFF)
        return error_set_os(error, code, "cannot open '%s'", path);
    /* Linux makes the file before it finds that the file system has no O_DIRECT. */
    if (policy->presence == FILE_MUST_NOT_EXIST)
        unlink(path);
    error_set_os(error, code, "cannot open '%s' without the OS cache: its file system refuses O_DIRECT; use --cache=on",
                 path);
    error->kind = ERR_UNSUPPORTED;
    return false;
}

static int open_descriptor(const char *path, const struct file_policy *policy, struct error *error)
{
    if (!check_kind(path, error))
        return -1;
    int descriptor;
    do
        descriptor = open(path, open_flags(policy), 0666);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        open_failed(path, policy, errno, error);
    return descriptor;
}

/* Systems without O_DIRECT have a switch for an open file. */
static bool switch_cache_off(int descriptor, const char *path, struct error *error)
{
#if defined(O_DIRECT)
    (void)descriptor, (void)path, (void)error;
    return true;
#elif defined(F_NOCACHE)
    return fcntl(descriptor, F_NOCACHE, 1) != -1 ||
           error_set_os(error, errno, "cannot switch the OS cache off for '%s'", path);
#else
    (void)descriptor;
    return error_set(error, ERR_UNSUPPORTED, "'%s': this system cannot do without its cache; use --cache=on", path);
#endif
}

static struct file *make_file(int descriptor, const char *path, const struct file_policy *policy, struct error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        error_set_os(error, errno, "cannot look at '%s'", path);
        return NULL;
    }
    size_t path_bytes = strlen(path) + 1;
    struct file *file = malloc(sizeof *file + path_bytes);
    if (file == NULL) {
        error_set_os(error, ENOMEM, "cannot open '%s'", path);
        return NULL;
    }
    file->descriptor = descriptor;
    file->cache_off = policy->cache == CACHE_OFF;
    file->writable = policy->writable;
    file->is_device = S_ISBLK(status.st_mode);
    file->alignment_bytes = file_direct_alignment(descriptor, &status);
    file->takes_alignment = file->cache_off ? file->alignment_bytes : 1;
    memcpy(file->path, path, path_bytes);
    return file;
}

static bool layer_open(struct file **out, const char *path, const struct file_policy *policy, struct error *error)
{
    if (policy->presence != FILE_MUST_EXIST && !policy->writable)
        return error_set(error, ERR_USAGE, "'%s' is to be made, so it must be opened for writing", path);
    int descriptor = open_descriptor(path, policy, error);
    if (descriptor < 0)
        return false;
    if (policy->cache == CACHE_ON || switch_cache_off(descriptor, path, error)) {
        *out = make_file(descriptor, path, policy, error);
        if (*out != NULL)
            return true;
    }
    close(descriptor);
    return false;
}

/* ---- transfer ---- */

static int64_t layer_read_at(struct file *file, void *buffer, size_t bytes, uint64_t offset)
{
    int64_t got = -EINVAL;
    if (file_takes(file, buffer, bytes, offset)) {
        do
            got = TRANSFER_READ(file->descriptor, buffer, bytes, offset);
        while (got == -EINTR);
    }
    return got;
}

static int64_t layer_write_at(struct file *file, const void *buffer, size_t bytes, uint64_t offset)
{
    int64_t put = -EINVAL;
    if (file_takes(file, buffer, bytes, offset)) {
        do
            put = TRANSFER_WRITE(file->descriptor, buffer, bytes, offset);
        while (put == -EINTR);
    }
    return put;
}

/* ---- syncing ---- */

/* 0, or −1 with errno. On macOS fsync leaves data in the disk's cache; F_FULLFSYNC empties it (its fsync(2)). */
static int sync_once(int descriptor, bool data_only)
{
#ifdef F_FULLFSYNC
    if (!data_only && fcntl(descriptor, F_FULLFSYNC) != -1)
        return 0;
    return fsync(descriptor);
#else
    return data_only ? fdatasync(descriptor) : fsync(descriptor);
#endif
}

static int layer_sync(struct file *file, bool data_only)
{
    int status;
    do
        status = sync_once(file->descriptor, data_only);
    while (status != 0 && errno == EINTR);
    return status == 0 ? 0 : errno;
}

#if defined(__linux__)
static void layer_start_writeback(struct file *file, uint64_t offset, uint64_t bytes)
{
    sync_file_range(file->descriptor, (off_t)offset, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
}
#else
#define layer_start_writeback NULL
#endif

/* ---- sizes and cache ---- */

static bool refuse_device(const struct file *file, struct error *error)
{
    return error_set(error, ERR_USAGE, "'%s' is a device: its size cannot be changed", file->path);
}

static bool layer_set_size(struct file *file, uint64_t bytes, struct error *error)
{
    if (file->is_device)
        return refuse_device(file, error);
    int status;
    do
        status = ftruncate(file->descriptor, (off_t)bytes);
    while (status != 0 && errno == EINTR);
    if (status != 0)
        return error_set_os(error, errno, "cannot make '%s' %" PRIu64 " bytes long", file->path, bytes);
    return true;
}

/* 0, or the system's code. glibc's posix_fallocate would write where the file system cannot reserve. */
static int reserve(int descriptor, uint64_t bytes)
{
    int status;
#if defined(__linux__)
    do
        status = fallocate(descriptor, 0, 0, (off_t)bytes);
    while (status != 0 && errno == EINTR);
    return status == 0 ? 0 : errno;
#elif defined(F_PREALLOCATE)
    fstore_t store = {.fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = (off_t)bytes};
    status = fcntl(descriptor, F_PREALLOCATE, &store);
    return status == -1 ? errno : 0;
#else
    status = posix_fallocate(descriptor, 0, (off_t)bytes);
    return status;
#endif
}

static bool layer_allocate(struct file *file, uint64_t bytes, struct error *error)
{
    if (file->is_device)
        return refuse_device(file, error);
    int code = bytes == 0 ? 0 : reserve(file->descriptor, bytes);
    if (code == EOPNOTSUPP || code == ENOSYS) {
        error_set_os(error, code, "the file system of '%s' cannot reserve space; use --fill=written", file->path);
        error->kind = ERR_UNSUPPORTED;
        return false;
    }
    if (code != 0)
        return error_set_os(error, code, "cannot reserve %" PRIu64 " bytes for '%s'", bytes, file->path);
    return layer_set_size(file, bytes, error);
}

static bool layer_drop_cache(struct file *file, struct error *error)
{
    int code = layer_sync(file, true);
    if (code != 0)
        return error_set_os(error, code, "cannot write back '%s'", file->path);
#ifdef POSIX_FADV_DONTNEED
    code = posix_fadvise(file->descriptor, 0, 0, POSIX_FADV_DONTNEED);
    if (code != 0)
        return error_set_os(error, code, "cannot drop '%s' from the OS cache", file->path);
    return true;
#else
    return error_set(error, ERR_UNSUPPORTED, "this system cannot drop '%s' from its cache; use --cache=off",
                     file->path);
#endif
}

static bool layer_facts(struct file *file, struct file_facts *out, struct error *error)
{
    return file_facts_read(file, out, error);
}

/* ---- mapping ---- */

static bool layer_map(struct file *file, size_t bytes, void **out, struct error *error)
{
    int protection = PROT_READ | (file->writable ? PROT_WRITE : 0);
    void *address = mmap(NULL, bytes, protection, MAP_SHARED, file->descriptor, 0);
    if (address == MAP_FAILED)
        return error_set_os(error, errno, "cannot map %zu bytes of '%s'", bytes, file->path);
    *out = address;
    return true;
}

static int layer_map_sync(struct file *file, void *address, size_t bytes)
{
    (void)file; /* on Linux MS_SYNC is an fsync of the range, the device's cache included */
    return msync(address, bytes, MS_SYNC) == 0 ? 0 : errno;
}

static void layer_unmap(struct file *file, void *address, size_t bytes)
{
    (void)file;
    munmap(address, bytes);
}

/* ---- the end ---- */

static void layer_close(struct file *file)
{
    if (file == NULL)
        return;
    close(file->descriptor);
    free(file);
}

static bool layer_remove(const char *path, struct error *error)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
        return error_set(error, ERR_USAGE, "'%s' is not a regular file, so it is not removed", path);
    if (unlink(path) != 0)
        return error_set_os(error, errno, "cannot remove '%s'", path);
    return true;
}

const struct file_layer file_layer_system = {
    .name = "system",
    .open = layer_open,
    .read_at = layer_read_at,
    .write_at = layer_write_at,
    .sync = layer_sync,
    .start_writeback = layer_start_writeback,
    .set_size = layer_set_size,
    .allocate = layer_allocate,
    .drop_cache = layer_drop_cache,
    .facts = layer_facts,
    .map = layer_map,
    .map_sync = layer_map_sync,
    .unmap = layer_unmap,
    .close = layer_close,
    .remove = layer_remove,
};
