/* platform/process.h: this process's arguments, console and end. */
#ifndef PLATFORM_PROCESS_H
#define PLATFORM_PROCESS_H

#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes argv UTF-8 (Windows) and stdout/stderr binary and unbuffered enough for progress lines. Call
 * first in main. The strings live until the process ends. */
void process_start(int *argc, char ***argv);
bool process_stdout_is_terminal(void);
bool process_stderr_is_terminal(void);
/* May a table be drawn anew at its place, with the escape sequences that terminals share (ECMA-48)? */
bool process_stdout_redraws(void);
/* From now on the calling thread gets an error, not a signal that ends the process, when whom it writes to is gone. */
void process_survive_broken_pipes(void);
/* Ends at once without waiting for threads (forced shutdown). Flushes stdio first. */
_Noreturn void process_exit_now(int status);
uint32_t process_id(void); /* as the system's own tools show it */

/* Overwrites one of the strings that process_start left in argv (or main got), so that a list of processes no longer
 * shows it. Windows keeps what it shows elsewhere and cannot forget it: false there. */
bool process_hide_argument(char *argument);
/* Asks at the terminal, whatever stdin and stdout are, and reads one line that the terminal does not show. False
 * without a terminal, when the line is longer than out_bytes - 1, or when Ctrl-C or the end of input comes. */
bool process_ask_secret(const char *question, char *out, size_t out_bytes, struct error *error);

/* Runs this program once more, with `words` (NULL-terminated, without its name) and no stdin, and returns what it wrote
 * to stdout, for free(). What it wrote to stderr is dropped. NULL with the error filled when it cannot be run or when
 * it ends with another status than 0. */
char *process_ask_self(const char *const *words, struct error *error);

/* Whether libraries read the system's bundle of certificate authorities for each TLS connection: some do that also
 * where nothing is verified by it. By the environment (SSL_CERT_FILE), of which what the user set is kept; so before
 * there are other threads. On Windows there is no bundle, and nothing is done. */
void process_read_authorities(bool read);

#endif
