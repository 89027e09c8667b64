#include "platform/process.h"
#include "win32/wide.h"

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>

/* The console's code page outlives the process and atexit hands no argument over: hence this one variable.
 * 0 = not changed. */
static UINT console_code_page;

static void restore_console(void)
{
    if (console_code_page != 0)
        SetConsoleOutputCP(console_code_page);
}

static void speak_utf8(void)
{
    console_code_page = GetConsoleOutputCP(); /* 0 without a console */
    if (console_code_page != 0 && SetConsoleOutputCP(CP_UTF8))
        atexit(restore_console);
}

/* Binary, so that lines end in LF alone and JSON is the same byte for byte on every system. Unbuffered,
 * because the C runtime takes _IOLBF for full buffering and progress lines would arrive at the end. */
static void plain_stream(FILE *stream)
{
    if (_fileno(stream) < 0)
        return; /* closed, and the C runtime ends programs that ask about such */
    _setmode(_fileno(stream), _O_BINARY);
    setvbuf(stream, NULL, _IONBF, 0);
}

/* NULL when memory is short: the program then goes on with the arguments that main got. */
static char **utf8_arguments(wchar_t **wide, int count)
{
    char **utf8 = calloc((size_t)count + 1, sizeof *utf8);
    for (int i = 0; utf8 != NULL && i < count; ++i) {
        utf8[i] = wide_to_utf8(wide[i]);
        if (utf8[i] == NULL)
            return NULL;
    }
    return utf8;
}

static void replace_arguments(int *argc, char ***argv)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **utf8 = wide != NULL ? utf8_arguments(wide, count) : NULL;
    if (utf8 != NULL) {
        *argc = count;
        *argv = utf8;
    }
    LocalFree(wide);
}

void process_start(int *argc, char ***argv)
{
    plain_stream(stdout);
    plain_stream(stderr);
    speak_utf8();
    replace_arguments(argc, argv);
}

/* _isatty would also say yes to NUL and to serial lines. */
static bool is_console(FILE *stream)
{
    DWORD mode;
    return _fileno(stream) >= 0 && GetConsoleMode((HANDLE)_get_osfhandle(_fileno(stream)), &mode) != 0;
}

bool process_stdout_is_terminal(void)
{
    return is_console(stdout);
}

bool process_stderr_is_terminal(void)
{
    return is_console(stderr);
}

/* Consoles do since Windows 10, once they are asked to. */
bool process_stdout_redraws(void)
{
    HANDLE console = is_console(stdout) ? (HANDLE)_get_osfhandle(_fileno(stdout)) : NULL;
    DWORD mode;
    return console != NULL && GetConsoleMode(console, &mode) != 0 &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

/* Windows has no such signal. */
void process_survive_broken_pipes(void)
{
}

/* ExitProcess would end the other threads first and then run every DLL's detach code, which can wait for ever
 * for a lock that one of them held. TerminateProcess on oneself does not return. */
void process_read_authorities(bool read)
{
    (void)read;
}

_Noreturn void process_exit_now(int status)
{
    fflush(NULL);
    restore_console();
    TerminateProcess(GetCurrentProcess(), (UINT)status);
    abort();
}
