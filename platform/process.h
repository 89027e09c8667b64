/* platform/process.h: this process's arguments, console and end. */
#ifndef PLATFORM_PROCESS_H
#define PLATFORM_PROCESS_H

#include <stdbool.h>

/* Makes argv UTF-8 (Windows) and stdout/stderr binary and unbuffered enough for progress lines. Call
 * first in main. The strings live until the process ends. */
void process_start(int *argc, char ***argv);
bool process_stdout_is_terminal(void);
bool process_stderr_is_terminal(void);
/* Ends at once without waiting for threads (forced shutdown). Flushes stdio first. */
_Noreturn void process_exit_now(int status);

#endif
