/* What a file or device is like: size, sectors, how much of it was ever written. */
#include "win32/file_win32.h"
#include "win32/wide.h"

#include <winioctl.h>

#include <stdlib.h>
#include <string.h>

#define SECTOR_WHEN_UNKNOWN 4096U

/* FSCTL_QUERY_FILE_REGIONS and its answer, which older headers lack ([MS-FSCC] 2.3.55, 2.3.56). */
#define QUERY_FILE_REGIONS CTL_CODE(FILE_DEVICE_FILE_SYSTEM, 161, METHOD_BUFFERED, FILE_ANY_ACCESS)
#define REGIONS_MAX 16
struct region {
    LONGLONG offset_bytes, length_bytes;
    ULONG usage, reserved; /* usage 0: beyond what was written */
};
struct regions {
    ULONG flags, total, count, reserved;
    struct region of[REGIONS_MAX];
};

bool file_win32_control(HANDLE handle, DWORD code, void *in, size_t in_bytes, void *out, size_t out_bytes,
                        DWORD *returned)
{
    DWORD bytes = 0;
    OVERLAPPED request = {0};
    request.hEvent = file_win32_event();
    if (request.hEvent == NULL)
        return false;
    bool ok = DeviceIoControl(handle, code, in, (DWORD)in_bytes, out, (DWORD)out_bytes, NULL, &request) ||
              GetLastError() == ERROR_IO_PENDING;
    ok = ok && GetOverlappedResult(handle, &request, &bytes, TRUE);
    if (returned != NULL)
        *returned = bytes;
    return ok;
}

static bool is_sector_size(uint32_t bytes)
{
    return bytes >= 512 && bytes <= 1024 * 1024 && (bytes & (bytes - 1)) == 0;
}

/* The volume's, for systems and file systems without FileStorageInfo. 0 where that is not known either. */
static uint32_t sector_of_volume(const wchar_t *path)
{
    DWORD per_cluster, sector_bytes, free_clusters, clusters;
    size_t chars = wcslen(path) + 2; /* GetVolumePathNameW may add a separator */
    wchar_t *root = calloc(chars, sizeof *root);
    bool ok = root != NULL && GetVolumePathNameW(path, root, (DWORD)chars) &&
              GetDiskFreeSpaceW(root, &per_cluster, &sector_bytes, &free_clusters, &clusters);
    free(root);
    return ok ? sector_bytes : 0;
}

static uint32_t sector_of_device(HANDLE handle)
{
    DISK_GEOMETRY geometry;
    bool ok = file_win32_control(handle, IOCTL_DISK_GET_DRIVE_GEOMETRY, NULL, 0, &geometry, sizeof geometry, NULL);
    return ok ? geometry.BytesPerSector : 0;
}

void file_win32_sectors(struct file *file, const wchar_t *path)
{
    FILE_STORAGE_INFO info = {0};
    if (!GetFileInformationByHandleEx(file->handle, FileStorageInfo, &info, sizeof info))
        info.LogicalBytesPerSector = file->is_device ? sector_of_device(file->handle) : sector_of_volume(path);
    uint32_t logical = info.LogicalBytesPerSector, physical = info.PhysicalBytesPerSectorForPerformance;
    file->logical_sector_bytes = is_sector_size(logical) ? logical : SECTOR_WHEN_UNKNOWN;
    file->physical_sector_bytes = is_sector_size(physical) ? physical : file->logical_sector_bytes;
}

static bool size_of(const struct file *file, uint64_t *bytes)
{
    LARGE_INTEGER size = {0};
    GET_LENGTH_INFORMATION length = {0};
    bool ok;
    if (file->is_device) {
        ok = file_win32_control(file->handle, IOCTL_DISK_GET_LENGTH_INFO, NULL, 0, &length, sizeof length, NULL);
        size = length.Length;
    } else {
        ok = GetFileSizeEx(file->handle, &size);
    }
    *bytes = (uint64_t)size.QuadPart;
    return ok;
}

/* NTFS answers with what lies before the valid data length, ReFS with the written regions; FAT, network
 * shares and Wine do not answer. */
static bool written_of(const struct file *file, uint64_t *bytes)
{
    struct regions regions;
    memset(&regions, 0, sizeof regions);
    if (!file_win32_control(file->handle, QUERY_FILE_REGIONS, NULL, 0, &regions, sizeof regions, NULL) ||
        regions.count > REGIONS_MAX || regions.count < regions.total)
        return false;
    *bytes = 0;
    for (ULONG i = 0; i < regions.count; ++i)
        if (regions.of[i].usage != 0)
            *bytes += (uint64_t)regions.of[i].length_bytes;
    return true;
}

bool file_win32_facts(struct file *file, struct file_facts *out, struct error *error)
{
    memset(out, 0, sizeof *out);
    if (!size_of(file, &out->size_bytes))
        return error_set_os(error, (int)GetLastError(), "cannot get the size of '%s'", file->path);
    out->written_known = !file->is_device && written_of(file, &out->written_bytes);
    out->logical_sector_bytes = file->logical_sector_bytes;
    out->physical_sector_bytes = file->physical_sector_bytes;
    out->alignment_bytes = file->logical_sector_bytes;
    out->is_device = file->is_device;
    return true;
}
