/* win32/wide.h: between UTF-8, which the program speaks, and UTF-16, which Windows does. */
#ifndef WIN32_WIDE_H
#define WIN32_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* Text for free(). NULL when it is not UTF-8 or memory is short; GetLastError() says which. */
wchar_t *wide_from_utf8(const char *text);
char *wide_to_utf8(const wchar_t *text);

/* As much of `text` as fits; out always ends in a NUL and never in the middle of a character. */
void wide_copy_utf8(const wchar_t *text, char *out, size_t out_bytes);

/* The path as CreateFileW takes it however long it is: full, and with the \\?\ prefix where it needs one.
 * Device names (\\.\PhysicalDrive1, \\.\E:) and paths that have a prefix stay as they are. For free(). */
wchar_t *wide_path(const char *path);

/* True for \\.\NAME: a device or a volume, with no file system in between. */
bool wide_path_is_device(const wchar_t *path);

#endif
