/* host_target: from a path to its volume, and from the volume to the disk that it is on. */
#include "platform/host.h"
#include "win32/file_win32.h"
#include "win32/wide.h"

#include <winioctl.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flags that older headers lack (GetVolumeInformationW function). */
#define SUPPORTS_BLOCK_REFCOUNTING 0x08000000U
#define IS_DAX_VOLUME 0x20000000U

static const struct {
    DWORD flag;
    const char *words;
} volume_flags[] = {
    {FILE_READ_ONLY_VOLUME, "read-only"},          {FILE_VOLUME_IS_COMPRESSED, "compressed-volume"},
    {FILE_FILE_COMPRESSION, "compression"},        {FILE_SUPPORTS_ENCRYPTION, "encryption"},
    {FILE_SUPPORTS_SPARSE_FILES, "sparse-files"},  {FILE_VOLUME_QUOTAS, "quotas"},
    {FILE_SUPPORTS_USN_JOURNAL, "usn-journal"},    {FILE_SUPPORTS_INTEGRITY_STREAMS, "integrity-streams"},
    {SUPPORTS_BLOCK_REFCOUNTING, "block-cloning"}, {IS_DAX_VOLUME, "dax"},
};

/* Appends to the comma-separated list as long as there is room. */
static void add_word(char *list, size_t list_bytes, const char *word)
{
    size_t used = strlen(list);
    snprintf(list + used, list_bytes - used, "%s%s", used > 0 ? "," : "", word);
}

/* --- the volume --- */

static void describe_file_system(const wchar_t *root, struct target_facts *out)
{
    wchar_t name[64] = {0};
    DWORD flags = 0;
    if (!GetVolumeInformationW(root, NULL, 0, NULL, NULL, &flags, name, COUNT_OF(name)))
        return;
    wide_copy_utf8(name, out->file_system, sizeof out->file_system);
    for (size_t i = 0; i < COUNT_OF(volume_flags); ++i)
        if ((flags & volume_flags[i].flag) != 0)
            add_word(out->mount_options, sizeof out->mount_options, volume_flags[i].words);
}

static void describe_space(const wchar_t *root, struct target_facts *out)
{
    ULARGE_INTEGER free_for_us, total;
    DWORD per_cluster, sector_bytes, free_clusters, clusters;
    char words[32];
    if (GetDiskFreeSpaceExW(root, &free_for_us, &total, NULL)) {
        out->free_bytes = free_for_us.QuadPart;
        out->total_bytes = total.QuadPart;
    }
    if (!GetDiskFreeSpaceW(root, &per_cluster, &sector_bytes, &free_clusters, &clusters))
        return;
    out->logical_sector_bytes = sector_bytes;
    snprintf(words, sizeof words, "cluster=%llu", (unsigned long long)per_cluster * sector_bytes);
    add_word(out->mount_options, sizeof out->mount_options, words);
}

/* --- the disk --- */

/* With no access rights asked for, which is enough for these questions and needs no administrator. */
static HANDLE open_device(const wchar_t *name)
{
    return CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, NULL);
}

static bool query(HANDLE disk, STORAGE_PROPERTY_ID property, void *out, size_t out_bytes, DWORD *returned)
{
    STORAGE_PROPERTY_QUERY question = {0};
    question.PropertyId = property;
    question.QueryType = PropertyStandardQuery;
    return file_win32_control(disk, IOCTL_STORAGE_QUERY_PROPERTY, &question, sizeof question, out, out_bytes, returned);
}

/* The text at `offset` of a descriptor of `bytes` bytes whose last byte is 0, without the blanks around it;
 * "" for offset 0, which means none. Cuts the blanks in place; borrowed. */
static const char *descriptor_text(char *descriptor, DWORD bytes, DWORD offset)
{
    if (offset == 0 || offset >= bytes)
        return "";
    char *text = descriptor + offset;
    while (*text == ' ')
        ++text;
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; --length)
        text[length - 1] = '\0';
    return text;
}

/* An EBS volume's NVMe serial is "vol" and the hex digits of its id; Windows' driver appends "_00000001." and cuts
 * the model to "NVMe Amazon Elastic B". */
static void find_ebs_volume(const char *serial, const char *model, struct target_facts *out)
{
    size_t digits = 0;
    if (strstr(model, "Amazon Elastic B") == NULL || strncmp(serial, "vol", 3) != 0)
        return;
    const char *id = serial[3] == '-' ? serial + 4 : serial + 3;
    while (isxdigit((unsigned char)id[digits]))
        ++digits;
    if (digits > 0)
        snprintf(out->ebs_volume_id, sizeof out->ebs_volume_id, "vol-%.*s", (int)digits, id);
}

static void describe_device(HANDLE disk, struct target_facts *out)
{
    union {
        STORAGE_DEVICE_DESCRIPTOR head;
        char bytes[2048];
    } answer;
    DWORD got = 0;
    memset(&answer, 0, sizeof answer);
    if (!query(disk, StorageDeviceProperty, &answer, sizeof answer - 1, &got) || got < sizeof answer.head)
        return;
    const char *vendor = descriptor_text(answer.bytes, got, answer.head.VendorIdOffset);
    const char *product = descriptor_text(answer.bytes, got, answer.head.ProductIdOffset);
    const char *serial = descriptor_text(answer.bytes, got, answer.head.SerialNumberOffset);
    snprintf(out->device_model, sizeof out->device_model, "%s%s%s", vendor, vendor[0] != '\0' ? " " : "", product);
    find_ebs_volume(serial, out->device_model, out);
}

static void describe_access(HANDLE disk, struct target_facts *out)
{
    DEVICE_SEEK_PENALTY_DESCRIPTOR seek = {0};
    STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR sectors = {0};
    if (query(disk, StorageDeviceSeekPenaltyProperty, &seek, sizeof seek, NULL))
        out->rotational = seek.IncursSeekPenalty ? TRI_YES : TRI_NO;
    if (query(disk, StorageAccessAlignmentProperty, &sectors, sizeof sectors, NULL)) {
        out->logical_sector_bytes = sectors.BytesPerLogicalSector;
        out->physical_sector_bytes = sectors.BytesPerPhysicalSector;
    }
}

static void describe_disk(HANDLE disk, struct target_facts *out)
{
    describe_device(disk, out);
    describe_access(disk, out);
}

/* The disk under a volume. A volume over several disks has none, and stays undescribed. */
static void describe_disk_of(const wchar_t *volume, struct target_facts *out)
{
    STORAGE_DEVICE_NUMBER number = {0};
    wchar_t name[64];
    HANDLE handle = open_device(volume);
    if (handle == INVALID_HANDLE_VALUE)
        return;
    bool known = file_win32_control(handle, IOCTL_STORAGE_GET_DEVICE_NUMBER, NULL, 0, &number, sizeof number, NULL);
    CloseHandle(handle);
    if (!known || number.DeviceType != FILE_DEVICE_DISK)
        return;
    swprintf(name, COUNT_OF(name), L"\\\\.\\PhysicalDrive%lu", number.DeviceNumber);
    HANDLE disk = open_device(name);
    if (disk == INVALID_HANDLE_VALUE)
        return;
    describe_disk(disk, out);
    CloseHandle(disk);
}

/* --- both --- */

static void describe_volume(const wchar_t *root, struct target_facts *out)
{
    wchar_t volume[64] = {0}; /* \\?\Volume{…}\ has 49 characters */
    wide_copy_utf8(root, out->mount_point, sizeof out->mount_point);
    describe_file_system(root, out);
    describe_space(root, out);
    if (!GetVolumeNameForVolumeMountPointW(root, volume, COUNT_OF(volume)))
        return; /* a network share */
    wide_copy_utf8(volume, out->device, sizeof out->device);
    volume[wcslen(volume) - 1] = L'\0'; /* with the separator it would be the root directory */
    describe_disk_of(volume, out);
}

/* False: GetLastError(). */
static bool describe_path(const wchar_t *path, struct target_facts *out)
{
    size_t chars = wcslen(path) + 2;
    wchar_t *root = calloc(chars, sizeof *root);
    if (root == NULL) {
        SetLastError(ERROR_NOT_ENOUGH_MEMORY);
        return false;
    }
    bool exists = GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
    if (exists && GetVolumePathNameW(path, root, (DWORD)chars))
        describe_volume(root, out);
    DWORD code = GetLastError();
    free(root);
    SetLastError(code);
    return exists;
}

static bool describe_device_path(const wchar_t *path, struct target_facts *out)
{
    HANDLE disk = open_device(path);
    if (disk == INVALID_HANDLE_VALUE)
        return false;
    wide_copy_utf8(path, out->device, sizeof out->device);
    describe_disk(disk, out);
    CloseHandle(disk);
    return true;
}

bool host_target(const char *path, struct target_facts *out, struct error *error)
{
    memset(out, 0, sizeof *out);
    wchar_t *wide = wide_path(path);
    bool ok = wide != NULL && (wide_path_is_device(wide) ? describe_device_path(wide, out) : describe_path(wide, out));
    int code = ok ? 0 : (int)GetLastError();
    free(wide);
    return ok || error_set_os(error, code, "cannot look at '%s'", path);
}
