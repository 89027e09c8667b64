#include "platform/path.h"

#include "win32/wide.h"

#include <stdlib.h>
#include <windows.h>

struct path_lock {
    HANDLE handle;
};

/* Share modes do it: who wants the file alone shares nothing, the others share all. The file goes with its last handle
 * (FILE_FLAG_DELETE_ON_CLOSE, which every opener has to allow by FILE_SHARE_DELETE). */
bool path_lock_take(struct path_lock **out, const char *path, bool exclusive, struct error *error)
{
    struct path_lock *lock = calloc(1, sizeof *lock);
    wchar_t *wide = wide_path(path);
    DWORD share = exclusive ? 0 : FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE handle = INVALID_HANDLE_VALUE;
    if (lock != NULL && wide != NULL)
        handle = CreateFileW(wide, GENERIC_READ | DELETE, share, NULL, OPEN_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE, NULL);
    DWORD code = GetLastError();
    free(wide);
    if (handle != INVALID_HANDLE_VALUE) {
        lock->handle = handle;
        *out = lock;
        return true;
    }
    free(lock);
    return path_lock_refused(path, (int)code, code == ERROR_SHARING_VIOLATION || code == ERROR_ACCESS_DENIED, error);
}

void path_lock_release(struct path_lock *lock)
{
    if (lock == NULL)
        return;
    CloseHandle(lock->handle);
    free(lock);
}
