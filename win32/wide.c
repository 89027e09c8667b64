#include "win32/wide.h"

#include <windows.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* CreateDirectoryW stops at 248 characters, CreateFileW at 260 (Naming Files, Paths, and Namespaces). */
#define PREFIX_FROM_CHARS 248

static void *allocate_or_say(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        SetLastError(ERROR_NOT_ENOUGH_MEMORY);
    return memory;
}

wchar_t *wide_from_utf8(const char *text)
{
    int chars = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = chars > 0 ? allocate_or_say((size_t)chars, sizeof(wchar_t)) : NULL;
    if (wide != NULL)
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, chars);
    return wide;
}

char *wide_to_utf8(const wchar_t *text)
{
    int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *utf8 = bytes > 0 ? allocate_or_say((size_t)bytes, 1) : NULL;
    if (utf8 != NULL)
        WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, bytes, NULL, NULL);
    return utf8;
}

/* Length of the longest part of `text` that is at most `limit` bytes and ends with a whole character. */
static size_t whole_characters(const char *text, size_t limit)
{
    size_t bytes = strlen(text);
    if (bytes <= limit)
        return bytes;
    while (limit > 0 && ((unsigned char)text[limit] & 0xC0U) == 0x80U)
        --limit;
    return limit;
}

void wide_copy_utf8(const wchar_t *text, char *out, size_t out_bytes)
{
    char *utf8 = wide_to_utf8(text);
    size_t bytes = utf8 == NULL ? 0 : whole_characters(utf8, out_bytes - 1);
    if (utf8 != NULL)
        memcpy(out, utf8, bytes);
    out[bytes] = '\0';
    free(utf8);
}

static bool is_separator(wchar_t c)
{
    return c == L'\\' || c == L'/';
}

static bool has_prefix(const wchar_t *path, wchar_t kind)
{
    return is_separator(path[0]) && is_separator(path[1]) && path[2] == kind && is_separator(path[3]);
}

bool wide_path_is_device(const wchar_t *path)
{
    return has_prefix(path, L'.');
}

/* \\server\share\… and C:\… as the forms that no length limit applies to. */
static wchar_t *with_prefix(const wchar_t *full)
{
    bool unc = is_separator(full[0]) && is_separator(full[1]);
    const wchar_t *prefix = unc ? L"\\\\?\\UNC\\" : L"\\\\?\\";
    const wchar_t *rest = unc ? full + 2 : full;
    size_t prefix_chars = wcslen(prefix), rest_chars = wcslen(rest);
    wchar_t *out = allocate_or_say(prefix_chars + rest_chars + 1, sizeof(wchar_t));
    if (out == NULL)
        return NULL;
    memcpy(out, prefix, prefix_chars * sizeof(wchar_t));
    memcpy(out + prefix_chars, rest, rest_chars * sizeof(wchar_t));
    return out;
}

static wchar_t *full_path(const wchar_t *path)
{
    DWORD chars = GetFullPathNameW(path, 0, NULL, NULL); /* with the NUL */
    wchar_t *full = chars > 0 ? allocate_or_say(chars, sizeof(wchar_t)) : NULL;
    if (full == NULL)
        return NULL;
    DWORD written = GetFullPathNameW(path, chars, full, NULL);
    if (written > 0 && written < chars)
        return full;
    free(full); /* another thread has changed the current directory in between */
    SetLastError(ERROR_PATH_NOT_FOUND);
    return NULL;
}

wchar_t *wide_path(const char *path)
{
    wchar_t *wide = wide_from_utf8(path);
    if (wide == NULL || has_prefix(wide, L'.') || has_prefix(wide, L'?'))
        return wide;
    wchar_t *full = full_path(wide);
    free(wide);
    if (full == NULL || wcslen(full) < PREFIX_FROM_CHARS || has_prefix(full, L'.') || has_prefix(full, L'?'))
        return full;
    wchar_t *prefixed = with_prefix(full);
    free(full);
    return prefixed;
}
