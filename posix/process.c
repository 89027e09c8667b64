#define _POSIX_C_SOURCE 200809L
#include "platform/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A closed standard stream's number would go to the next file opened, a test file perhaps, and messages with it. */
static void occupy_standard_streams(void)
{
    int file;
    do
        file = open("/dev/null", O_RDWR);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0)
        close(file);
}

void process_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv; /* bytes as the shell gave them: UTF-8 where the locale is */
    occupy_standard_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that reaches ulimit -f is an error of the write, not the process's end */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

bool process_stdout_is_terminal(void)
{
    return isatty(STDOUT_FILENO) == 1;
}

bool process_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

bool process_stdout_redraws(void)
{
    const char *kind = getenv("TERM");
    return process_stdout_is_terminal() && kind != NULL && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
}

void process_survive_broken_pipes(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

void process_read_authorities(bool read)
{
    static const char name[] = "SSL_CERT_FILE", nothing[] = "/dev/null";
    const char *set = getenv(name);
    if (!read)
        setenv(name, nothing, 0);
    else if (set && strcmp(set, nothing) == 0)
        unsetenv(name);
}

_Noreturn void process_exit_now(int status)
{
    fflush(stdout);
    fflush(stderr);
    _exit(status);
}
