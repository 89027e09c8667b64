/* core/command.h: a command line that a dialect wrote, word by word, and the small text file that goes with it where
 * the tool takes a part of its settings from one (SQLIO's parameter file). */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include "core/limits.h"
#include "core/markup.h"
#include "platform/compiler.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stdio.h>

#define COMMAND_WORDS 512
#define COMMAND_BYTES 16384

struct command { /* all zero = empty */
    int argc;
    char *argv[COMMAND_WORDS]; /* into text */
    char text[COMMAND_BYTES];
    size_t used;
    char file_name[NAME_MAX_BYTES]; /* "" = no file */
    char file_text[COMMAND_BYTES];
    size_t file_used;
    bool full; /* something did not fit */
};

void command_add(struct command *command, const char *format, ...) PRINTF_LIKE(2, 3);
/* Adds to the file's text; the caller gives the line feeds. */
void command_add_to_file(struct command *command, const char *format, ...) PRINTF_LIKE(2, 3);
/* False, with an error, when something did not fit. */
bool command_check(const struct command *command, struct error *error);
/* One line for a shell: `program`, then the words, in double quotes where they need them. Then the file, if there is
 * one, each line after "# NAME: ". */
void command_print(const struct command *command, const char *program, FILE *out);
/* The same as text in a page. */
void command_markup(const struct command *command, const char *program, struct markup *out);

#endif
