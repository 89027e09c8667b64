#define _POSIX_C_SOURCE 200809L
#include "platform/host.h"
#include "platform/process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

const bool host_has_unix_sockets = true, host_has_named_pipes = false;

bool process_hide_argument(char *argument)
{
    memset(argument, 'x', strlen(argument));
    return true;
}

enum key { KEY_TEXT, KEY_ENTER, KEY_BACK, KEY_CLEAR, KEY_CANCEL };

static enum key key_of(char byte)
{
    switch (byte) {
    case '\r':
    case '\n':
        return KEY_ENTER;
    case '\b':
    case '\x7f':
        return KEY_BACK;
    case '\x15':
        return KEY_CLEAR;
    case '\x03':
    case '\x04':
        return KEY_CANCEL;
    default:
        return KEY_TEXT;
    }
}

/* A character of UTF-8 may have several bytes. */
static size_t without_last(const char *text, size_t used)
{
    while (used > 0 && ((unsigned char)text[used - 1] & 0xc0) == 0x80)
        used--;
    return used > 0 ? used - 1 : 0;
}

static bool read_keys(int terminal, char *out, size_t out_bytes, struct error *error)
{
    size_t used = 0;
    for (;;) {
        char byte;
        ssize_t got = read(terminal, &byte, 1);
        if (got < 0 && errno == EINTR)
            continue;
        enum key key = got == 1 ? key_of(byte) : KEY_CANCEL;
        if (key == KEY_CANCEL)
            return error_set(error, ERR_USAGE, "no password was given");
        if (key == KEY_ENTER)
            break;
        if (key == KEY_TEXT && used + 1 >= out_bytes)
            return error_set(error, ERR_USAGE, "the password is longer than %zu bytes", out_bytes - 1);
        if (key == KEY_TEXT)
            out[used++] = byte;
        else
            used = key == KEY_CLEAR ? 0 : without_last(out, used);
    }
    out[used] = '\0';
    return true;
}

/* The terminal's own editing is off too, and with it Ctrl-C's signal: that would end the program and leave the terminal
 * without echo. */
bool process_ask_secret(const char *question, char *out, size_t out_bytes, struct error *error)
{
    struct termios before, quiet;
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0 || tcgetattr(terminal, &before) != 0) {
        if (terminal >= 0)
            close(terminal);
        return error_set(error, ERR_USAGE, "there is no terminal to ask for the password at");
    }
    quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
    quiet.c_cc[VMIN] = 1;
    quiet.c_cc[VTIME] = 0;
    bool good = tcsetattr(terminal, TCSAFLUSH, &quiet) == 0 &&
                write(terminal, question, strlen(question)) == (ssize_t)strlen(question);
    if (!good)
        error_set_os(error, errno, "the terminal cannot be asked for the password");
    good = good && read_keys(terminal, out, out_bytes, error);
    tcsetattr(terminal, TCSAFLUSH, &before);
    good &= write(terminal, "\n", 1) == 1;
    close(terminal);
    return good;
}
