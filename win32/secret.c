#include "platform/host.h"
#include "platform/process.h"
#include "win32/wide.h"

#include <windows.h>

#include <stdlib.h>
#include <string.h>

const bool host_has_unix_sockets = false, host_has_named_pipes = true;

/* argv are copies of ours, and what lists of processes and the event log show was taken when the process began. */
bool process_hide_argument(char *argument)
{
    memset(argument, 'x', strlen(argument));
    return false;
}

#define LINE_CHARACTERS 1024

/* The console ends a line with CR LF, or with Ctrl-Z at its start. */
static bool take_line(wchar_t *line, DWORD length, char *out, size_t out_bytes, struct error *error)
{
    DWORD end = 0;
    while (end < length && line[end] != L'\r' && line[end] != L'\n')
        end++;
    if (end == LINE_CHARACTERS)
        return error_set(error, ERR_USAGE, "the password is longer than %zu bytes", out_bytes - 1);
    if (end == length || line[0] == 0x1a)
        return error_set(error, ERR_USAGE, "no password was given");
    line[end] = L'\0';
    char *text = wide_to_utf8(line);
    if (!text)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    bool fits = strlen(text) < out_bytes;
    if (fits)
        memcpy(out, text, strlen(text) + 1);
    SecureZeroMemory(text, strlen(text));
    free(text);
    return fits || error_set(error, ERR_USAGE, "the password is longer than %zu bytes", out_bytes - 1);
}

static bool read_quietly(HANDLE input, char *out, size_t out_bytes, struct error *error)
{
    wchar_t line[LINE_CHARACTERS + 1];
    DWORD before = 0, length = 0;
    if (!GetConsoleMode(input, &before) ||
        !SetConsoleMode(input, (before | ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT) & ~(DWORD)ENABLE_ECHO_INPUT))
        return error_set_os(error, (int)GetLastError(), "the console cannot be asked for the password");
    bool good = ReadConsoleW(input, line, LINE_CHARACTERS, &length, NULL) != 0;
    SetConsoleMode(input, before);
    good = good && length > 0 ? take_line(line, length, out, out_bytes, error)
                              : error_set(error, ERR_USAGE, "no password was given");
    SecureZeroMemory(line, sizeof(line));
    return good;
}

static void say(HANDLE output, const char *text)
{
    DWORD written = 0;
    if (output != INVALID_HANDLE_VALUE)
        WriteFile(output, text, (DWORD)strlen(text), &written, NULL);
}

bool process_ask_secret(const char *question, char *out, size_t out_bytes, struct error *error)
{
    HANDLE input = CreateFileW(L"CONIN$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (input == INVALID_HANDLE_VALUE)
        return error_set(error, ERR_USAGE, "there is no console to ask for the password at");
    HANDLE output =
        CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    say(output, question);
    bool good = read_quietly(input, out, out_bytes, error);
    say(output, "\r\n");
    if (output != INVALID_HANDLE_VALUE)
        CloseHandle(output);
    CloseHandle(input);
    return good;
}
