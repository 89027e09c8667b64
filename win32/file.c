/* platform/file.h on Windows. In order: open, read and write, sync, size, map, close and remove. */
#include "win32/file_win32.h"
#include "win32/wide.h"

#include <winternl.h>

#include <stdlib.h>
#include <string.h>

/* One ReadFile or WriteFile moves at most so much: fits a DWORD and is a multiple of every sector size. */
#define TRANSFER_MAX_BYTES ((size_t)1 << 30)

/* --- open --- */

/* FILE_EMPTIED opens or creates and then cuts to 0 bytes. CREATE_ALWAYS would do both at once, but it is refused
 * for hidden and system files and replaces the attributes; cutting leaves them, as O_TRUNC does on POSIX. */
static DWORD disposition_of(enum file_presence presence)
{
    static const DWORD dispositions[] = {OPEN_EXISTING, CREATE_NEW, OPEN_ALWAYS};
    return dispositions[presence];
}

static DWORD flags_of(const struct file_policy *policy)
{
    DWORD flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OVERLAPPED;
    if (policy->cache == CACHE_OFF)
        flags |= FILE_FLAG_NO_BUFFERING;
    if (policy->through != THROUGH_OFF) /* Windows does not tell data from data and metadata */
        flags |= FILE_FLAG_WRITE_THROUGH;
    return flags;
}

static HANDLE open_handle(const wchar_t *path, const struct file_policy *policy)
{
    return CreateFileW(path, GENERIC_READ | (policy->writable ? GENERIC_WRITE : 0),
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, disposition_of(policy->presence),
                       flags_of(policy), NULL);
}

static bool cut_at(HANDLE handle, uint64_t bytes)
{
    FILE_END_OF_FILE_INFO end;
    end.EndOfFile.QuadPart = (LONGLONG)bytes;
    return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end);
}

/* A device has no directory entry, so the call that reads one fails for it. */
static bool is_device(HANDLE handle)
{
    BY_HANDLE_FILE_INFORMATION entry;
    return !GetFileInformationByHandle(handle, &entry);
}

static char *copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy != NULL)
        memcpy(copy, text, bytes);
    return copy;
}

static void system_close(struct file *file)
{
    if (file == NULL)
        return;
    if (file->handle != INVALID_HANDLE_VALUE)
        CloseHandle(file->handle);
    free(file->path);
    free(file);
}

static bool is_directory(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

static bool wrong_kind(const char *path, const char *what, struct error *error)
{
    return error_set(error, ERR_USAGE, "'%s' is %s; a regular file or a block device is needed", path, what);
}

static bool open_failed(const struct file *file, const wchar_t *path, DWORD code, struct error *error)
{
    if (code == ERROR_ACCESS_DENIED && is_directory(path))
        return wrong_kind(file->path, "a directory", error);
    return error_set_os(error, (int)code, "cannot open '%s'", file->path);
}

/* Opens file->handle and fills in the rest. */
static bool open_wide(struct file *file, const wchar_t *path, const struct file_policy *policy, struct error *error)
{
    file->handle = open_handle(path, policy);
    if (file->handle == INVALID_HANDLE_VALUE)
        return open_failed(file, path, GetLastError(), error);
    if (GetFileType(file->handle) != FILE_TYPE_DISK)
        return wrong_kind(file->path, "neither a file nor a disk", error);
    file->writable = policy->writable;
    file->is_device = is_device(file->handle);
    if (policy->presence == FILE_EMPTIED && !file->is_device && !cut_at(file->handle, 0))
        return error_set_os(error, (int)GetLastError(), "cannot empty '%s'", file->path);
    file_win32_sectors(file, path);
    /* Devices take whole sectors only, with the OS cache on too. */
    file->alignment_bytes = policy->cache == CACHE_OFF || file->is_device ? file->logical_sector_bytes : 1;
    return true;
}

static bool system_open(struct file **out, const char *path, const struct file_policy *policy, struct error *error)
{
    if (policy->presence != FILE_MUST_EXIST && !policy->writable)
        return error_set(error, ERR_USAGE, "'%s' is to be made, so it must be opened for writing", path);
    struct file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return error_set_os(error, ERROR_NOT_ENOUGH_MEMORY, "cannot open '%s'", path);
    file->handle = INVALID_HANDLE_VALUE;
    file->path = copy_text(path);
    wchar_t *wide = file->path != NULL ? wide_path(path) : NULL;
    bool ok = wide != NULL ? open_wide(file, wide, policy, error)
                           : error_set_os(error, (int)GetLastError(), "cannot open '%s'", path);
    free(wide);
    if (ok)
        *out = file;
    else
        system_close(file);
    return ok;
}

/* --- read and write --- */

static void CALLBACK close_event(void *event)
{
    if (event != NULL)
        CloseHandle(event);
}

/* The slot's number is kept in the INIT_ONCE itself, whose context has its two low bits to spare. */
static BOOL CALLBACK make_slot(INIT_ONCE *once, void *unused, void **context)
{
    DWORD slot = FlsAlloc(close_event);
    (void)once;
    (void)unused;
    *context = (void *)((ULONG_PTR)slot << INIT_ONCE_CTX_RESERVED_BITS);
    return slot != FLS_OUT_OF_INDEXES;
}

/* A fiber-local slot and not a thread-local one, because it closes the event of a thread that ends. */
HANDLE file_win32_event(void)
{
    static INIT_ONCE slot_once = INIT_ONCE_STATIC_INIT;
    void *context = NULL;
    if (!InitOnceExecuteOnce(&slot_once, make_slot, NULL, &context))
        return NULL;
    DWORD slot = (DWORD)((ULONG_PTR)context >> INIT_ONCE_CTX_RESERVED_BITS);
    HANDLE event = FlsGetValue(slot);
    if (event == NULL) {
        event = CreateEventW(NULL, TRUE, FALSE, NULL);
        if (event == NULL)
            return NULL;
        if (!FlsSetValue(slot, event)) {
            CloseHandle(event);
            return NULL;
        }
    }
    return (HANDLE)((ULONG_PTR)event | 1U);
}

static int64_t transfer_once(HANDLE handle, bool reading, void *buffer, DWORD bytes, uint64_t offset)
{
    DWORD moved = 0;
    OVERLAPPED request = {0};
    request.Offset = (DWORD)offset;
    request.OffsetHigh = (DWORD)(offset >> 32);
    request.hEvent = file_win32_event();
    if (request.hEvent == NULL)
        return -(int64_t)GetLastError();
    bool ok =
        reading ? ReadFile(handle, buffer, bytes, NULL, &request) : WriteFile(handle, buffer, bytes, NULL, &request);
    if (ok || GetLastError() == ERROR_IO_PENDING)
        ok = GetOverlappedResult(handle, &request, &moved, TRUE);
    return file_win32_answer(ok, reading, moved, ok ? ERROR_SUCCESS : GetLastError());
}

static int64_t transfer(struct file *file, bool reading, uint8_t *buffer, size_t bytes, uint64_t offset)
{
    size_t done = 0;
    if (!file_is_aligned(buffer, bytes, offset, file->alignment_bytes))
        return -(int64_t)os_error_invalid;
    while (done < bytes) {
        size_t part = bytes - done < TRANSFER_MAX_BYTES ? bytes - done : TRANSFER_MAX_BYTES;
        int64_t moved = transfer_once(file->handle, reading, buffer + done, (DWORD)part, offset + done);
        if (moved < 0 && done == 0)
            return moved;
        if (moved > 0)
            done += (size_t)moved;
        if (moved < (int64_t)part)
            break;
    }
    return (int64_t)done;
}

static int64_t system_read_at(struct file *file, void *buffer, size_t bytes, uint64_t offset)
{
    return transfer(file, true, buffer, bytes, offset);
}

/* WriteFile reads the buffer only; the cast lets one function serve both directions. */
static int64_t system_write_at(struct file *file, const void *buffer, size_t bytes, uint64_t offset)
{
    return transfer(file, false, (uint8_t *)(uintptr_t)buffer, bytes, offset);
}

/* --- sync --- */

/* FLUSH_FLAGS_FILE_DATA_SYNC_ONLY: the data, the metadata needed to read it back, and the device's cache; NTFS on
 * Windows 10 1607 and later (NtFlushBuffersFileEx function). Others refuse the flag before they flush anything. */
static bool flush_data(HANDLE handle)
{
    typedef NTSTATUS(NTAPI * flush_function)(HANDLE, ULONG, void *, ULONG, IO_STATUS_BLOCK *);
    enum { DATA_SYNC_ONLY = 4 };
    IO_STATUS_BLOCK status;
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    flush_function flush =
        ntdll != NULL ? (flush_function)(void (*)(void))GetProcAddress(ntdll, "NtFlushBuffersFileEx") : NULL;
    return flush != NULL && flush(handle, DATA_SYNC_ONLY, NULL, 0, &status) == 0;
}

/* Windows lets no one flush through a handle that cannot write, and nothing was written through such a one. */
static int system_sync(struct file *file, bool data_only)
{
    if (!file->writable || (data_only && flush_data(file->handle)))
        return 0;
    return FlushFileBuffers(file->handle) ? 0 : (int)GetLastError();
}

/* --- size --- */

static bool refuse_device(const struct file *file, struct error *error)
{
    return error_set(error, ERR_USAGE, "'%s' is a device: its size cannot be changed", file->path);
}

static bool system_set_size(struct file *file, uint64_t bytes, struct error *error)
{
    if (file->is_device)
        return refuse_device(file, error);
    if (!cut_at(file->handle, bytes))
        return error_set_os(error, (int)GetLastError(), "cannot make '%s' %llu bytes long", file->path,
                            (unsigned long long)bytes);
    return true;
}

static bool cannot_reserve(DWORD code)
{
    return code == ERROR_CALL_NOT_IMPLEMENTED || code == ERROR_NOT_SUPPORTED || code == ERROR_INVALID_FUNCTION;
}

/* An allocation below the end of the file cuts it there (FILE_ALLOCATION_INFO structure), as is asked for. */
static bool system_allocate(struct file *file, uint64_t bytes, struct error *error)
{
    FILE_ALLOCATION_INFO space;
    if (file->is_device)
        return refuse_device(file, error);
    space.AllocationSize.QuadPart = (LONGLONG)bytes;
    if (SetFileInformationByHandle(file->handle, FileAllocationInfo, &space, sizeof space))
        return system_set_size(file, bytes, error);
    DWORD code = GetLastError();
    error_set_os(error, (int)code,
                 cannot_reserve(code) ? "this system cannot reserve space for '%s'; use --fill=written"
                                      : "cannot reserve space for '%s'",
                 file->path);
    if (cannot_reserve(code))
        error->kind = ERR_UNSUPPORTED;
    return false;
}

/* Windows has no documented call for it. Opening a file with FILE_FLAG_NO_BUFFERING makes file systems purge their
 * cached pages of it, but only while no one has it open with the cache on (Microsoft's published fastfat sample,
 * create.c) — as we have. So the honest answer is no. */
static bool system_drop_cache(struct file *file, struct error *error)
{
    return error_set(error, ERR_UNSUPPORTED,
                     "Windows cannot drop '%s' from its cache; use --cache=off to go around the cache", file->path);
}

/* --- map --- */

/* CreateFileMappingW would make a file that is too short longer without a word. */
static bool is_long_enough(struct file *file, size_t bytes, struct error *error)
{
    struct file_facts facts;
    if (!file_win32_facts(file, &facts, error))
        return false;
    if (bytes == 0 || bytes > facts.size_bytes)
        return error_set(error, ERR_DATA, "cannot map %llu bytes of '%s', which has %llu", (unsigned long long)bytes,
                         file->path, (unsigned long long)facts.size_bytes);
    return true;
}

static bool system_map(struct file *file, size_t bytes, void **out, struct error *error)
{
    if (!is_long_enough(file, bytes, error))
        return false;
    uint64_t size = bytes;
    HANDLE mapping = CreateFileMappingW(file->handle, NULL, file->writable ? PAGE_READWRITE : PAGE_READONLY,
                                        (DWORD)(size >> 32), (DWORD)size, NULL);
    void *address =
        mapping != NULL ? MapViewOfFile(mapping, file->writable ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, bytes) : NULL;
    DWORD code = GetLastError();
    if (mapping != NULL)
        CloseHandle(mapping); /* the view keeps it alive */
    if (address == NULL)
        return error_set_os(error, (int)code, "cannot map %llu bytes of '%s'", (unsigned long long)bytes, file->path);
    *out = address;
    return true;
}

/* FlushViewOfFile starts the writing; waiting for the device is FlushFileBuffers' part (its remarks). */
static int system_map_sync(struct file *file, void *address, size_t bytes)
{
    if (!file->writable)
        return 0;
    return FlushViewOfFile(address, bytes) && FlushFileBuffers(file->handle) ? 0 : (int)GetLastError();
}

static void system_unmap(struct file *file, void *address, size_t bytes)
{
    (void)file;
    (void)bytes;
    UnmapViewOfFile(address);
}

/* --- remove --- */

/* DeleteFileW would try a device's name too. */
static bool remove_wide(const char *path, const wchar_t *wide, struct error *error)
{
    if (wide_path_is_device(wide) || is_directory(wide))
        return error_set(error, ERR_USAGE, "'%s' is not a regular file, so it is not removed", path);
    return DeleteFileW(wide) || error_set_os(error, (int)GetLastError(), "cannot remove '%s'", path);
}

static bool system_remove(const char *path, struct error *error)
{
    wchar_t *wide = wide_path(path);
    if (wide == NULL)
        return error_set_os(error, (int)GetLastError(), "cannot remove '%s'", path);
    bool ok = remove_wide(path, wide, error);
    free(wide);
    return ok;
}

const struct file_layer file_layer_system = {
    .name = "system",
    .open = system_open,
    .read_at = system_read_at,
    .write_at = system_write_at,
    .sync = system_sync,
    .set_size = system_set_size,
    .allocate = system_allocate,
    .drop_cache = system_drop_cache,
    .facts = file_win32_facts,
    .map = system_map,
    .map_sync = system_map_sync,
    .unmap = system_unmap,
    .close = system_close,
    .remove = system_remove,
};
