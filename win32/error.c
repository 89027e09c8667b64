#include "platform/error.h"
#include "win32/wide.h"

#include <windows.h>

#include <stdio.h>
#include <string.h>

const int os_error_invalid = ERROR_INVALID_PARAMETER;
const int os_error_no_space = ERROR_DISK_FULL;
const int os_error_short_transfer = ERROR_HANDLE_EOF;

/* System messages end in a full stop, CR and LF. */
static void cut_line_end(wchar_t *text)
{
    size_t chars = wcslen(text);
    while (chars > 0 && (text[chars - 1] == L'\r' || text[chars - 1] == L'\n' || text[chars - 1] == L' '))
        text[--chars] = L'\0';
}

void os_error_text(int os_code, char *out, size_t out_bytes)
{
    wchar_t wide[512];
    char words[768];
    DWORD chars = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, (DWORD)os_code, 0,
                                 wide, COUNT_OF(wide), NULL);
    if (chars == 0)
        wcscpy(wide, L"Unknown error");
    cut_line_end(wide);
    wide_copy_utf8(wide, words, sizeof words);
    snprintf(out, out_bytes, "%s (Windows error %d)", words, os_code);
}
