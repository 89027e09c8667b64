#include "platform/host.h"

#include "win32/wide.h"

#include <stdlib.h>
#include <windows.h>
#include <winioctl.h>

/* \\.\E: → E:\ , what GetVolumeInformationW wants. False for other names. */
static bool volume_root(const wchar_t *path, wchar_t root[4])
{
    if (path[0] == L'\0' || wcslen(path) < 6 || path[5] != L':')
        return false;
    root[0] = path[4];
    root[1] = L':';
    root[2] = L'\\';
    root[3] = L'\0';
    return true;
}

static bool volume_is_free(const char *path, const wchar_t *root, struct error *error)
{
    if (GetVolumeInformationW(root, NULL, 0, NULL, NULL, NULL, NULL, 0))
        return error_set(error, ERR_USAGE, "%s has a file system on it: it is not written to", path);
    if (GetLastError() == ERROR_UNRECOGNIZED_VOLUME)
        return true;
    return error_set_os(error, (int)GetLastError(), "cannot tell whether %s is in use, so it is not written to", path);
}

/* A disk without partitions holds no volume that Windows could have mounted. */
static bool disk_is_free(const char *path, const wchar_t *wide, struct error *error)
{
    DWORD got, bytes = (DWORD)(sizeof(DRIVE_LAYOUT_INFORMATION_EX) + 128 * sizeof(PARTITION_INFORMATION_EX));
    HANDLE disk = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    if (disk == INVALID_HANDLE_VALUE)
        return error_set_os(error, (int)GetLastError(), "cannot open %s", path);
    DRIVE_LAYOUT_INFORMATION_EX *layout = calloc(1, bytes);
    bool asked =
        layout != NULL && DeviceIoControl(disk, IOCTL_DISK_GET_DRIVE_LAYOUT_EX, NULL, 0, layout, bytes, &got, NULL);
    DWORD code = layout != NULL ? GetLastError() : ERROR_NOT_ENOUGH_MEMORY, used = 0;
    for (DWORD i = 0; asked && i < layout->PartitionCount; i++)
        used += layout->PartitionEntry[i].PartitionLength.QuadPart > 0;
    free(layout);
    CloseHandle(disk);
    if (!asked)
        return error_set_os(error, (int)code, "cannot tell whether %s is in use, so it is not written to", path);
    return used == 0 || error_set(error, ERR_USAGE, "%s has partitions on it: it is not written to", path);
}

bool host_device_is_free(const char *path, struct error *error)
{
    wchar_t root[4];
    wchar_t *wide = wide_path(path);
    if (wide == NULL)
        return error_set_os(error, (int)GetLastError(), "cannot use the path %s", path);
    bool is_free = true;
    if (wide_path_is_device(wide))
        is_free = volume_root(wide, root) ? volume_is_free(path, root, error) : disk_is_free(path, wide, error);
    free(wide);
    return is_free;
}
