/* win32/file_win32.h: what is behind struct file on Windows, for file.c, file_facts.c and the engines that reach
 * below the layer. Every handle is opened with FILE_FLAG_OVERLAPPED. */
#ifndef WIN32_FILE_WIN32_H
#define WIN32_FILE_WIN32_H

#include "platform/file.h"
#include "platform/queue.h"

#include <windows.h>

struct file {
    HANDLE handle;
    char *path;               /* UTF-8, as the caller gave it; owned */
    uint32_t alignment_bytes; /* what this handle's IO must be aligned to; 1 = nothing */
    uint32_t logical_sector_bytes, physical_sector_bytes;
    bool is_device, writable;
};

extern const struct queue_engine queue_engine_iocp;

/* This thread's event, made at its first use and closed when the thread ends. Its low bit is set: an IO
 * with such an event puts no packet into a completion port (GetQueuedCompletionStatus function, remarks).
 * NULL: GetLastError() says why. */
HANDLE file_win32_event(void);

/* The bytes moved, or −OS error, as the layer's read_at and write_at answer: the end of the file is 0 bytes. */
static inline int64_t file_win32_answer(bool ok, bool reading, DWORD moved, DWORD code)
{
    if (ok)
        return moved;
    return reading && code == ERROR_HANDLE_EOF ? 0 : -(int64_t)code;
}

/* DeviceIoControl that waits. *returned (may be NULL) is the number of bytes in `out`. False: GetLastError(). */
bool file_win32_control(HANDLE handle, DWORD code, void *in, size_t in_bytes, void *out, size_t out_bytes,
                        DWORD *returned);

/* Sector sizes of what `handle` is open on. `path` is its full name. Never 0; 4096 where nothing tells. */
void file_win32_sectors(struct file *file, const wchar_t *path);

/* The layer's `facts`. */
bool file_win32_facts(struct file *file, struct file_facts *out, struct error *error);

#endif
