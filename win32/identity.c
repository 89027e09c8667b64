#include "platform/path.h"

#include "win32/wide.h"

#include <stdlib.h>
#include <windows.h>

/* NTFS counts in a file's number how often it was given, so the number alone is enough; and a creation time is not
 * one's own: a file that soon takes the name of another gets that one's ("file system tunneling"). */
bool path_identify(const char *path, struct path_identity *out, struct error *error)
{
    BY_HANDLE_FILE_INFORMATION facts;
    wchar_t *wide = wide_path(path);
    HANDLE handle = INVALID_HANDLE_VALUE;
    if (wide != NULL)
        handle = CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                             OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    bool known = handle != INVALID_HANDLE_VALUE && GetFileInformationByHandle(handle, &facts);
    DWORD code = GetLastError();
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    free(wide);
    if (!known)
        return error_set_os(error, (int)code, "cannot look at '%s'", path);
    out->number = (uint64_t)facts.nFileIndexHigh << 32 | facts.nFileIndexLow;
    out->born_ns = 0;
    return true;
}
