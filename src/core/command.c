#include "core/command.h"

#include <stdarg.h>
#include <string.h>

static int append(char *out, size_t room, const char *format, va_list arguments)
{
    int bytes = vsnprintf(out, room, format, arguments);
    return bytes >= 0 && (size_t)bytes < room ? bytes : -1;
}

void command_add(struct command *command, const char *format, ...)
{
    va_list arguments;
    char *word = command->text + command->used;
    va_start(arguments, format);
    int bytes = append(word, sizeof(command->text) - command->used, format, arguments);
    va_end(arguments);
    if (bytes < 0 || command->argc == COMMAND_WORDS) {
        command->full = true;
        return;
    }
    command->argv[command->argc++] = word;
    command->used += (size_t)bytes + 1;
}

void command_add_to_file(struct command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes = append(command->file_text + command->file_used, sizeof(command->file_text) - command->file_used, format,
                       arguments);
    va_end(arguments);
    if (bytes < 0)
        command->full = true;
    else
        command->file_used += (size_t)bytes;
}

bool command_check(const struct command *command, struct error *error)
{
    return !command->full ||
           error_set(error, ERR_UNSUPPORTED, "the command line would be too long: at most %d words and %d bytes",
                     COMMAND_WORDS, COMMAND_BYTES);
}

static bool needs_quotes(const char *word)
{
    return *word == '\0' || strpbrk(word, " \t'&|;<>()$`*?#~![]{}") != NULL;
}

void command_print(const struct command *command, const char *program, FILE *out)
{
    fputs(program, out);
    for (int i = 0; i < command->argc; ++i)
        fprintf(out, needs_quotes(command->argv[i]) ? " \"%s\"" : " %s", command->argv[i]);
    fputc('\n', out);
    for (const char *line = command->file_text; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "# %s: %.*s\n", command->file_name, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void command_markup(const struct command *command, const char *program, struct markup *out)
{
    markup_text(out, program);
    for (int i = 0; i < command->argc; ++i) {
        const char *quote = needs_quotes(command->argv[i]) ? "\"" : "";
        markup_add(out, " ");
        markup_text(out, quote);
        markup_text(out, command->argv[i]);
        markup_text(out, quote);
    }
    markup_add(out, "\n");
    for (const char *line = command->file_text; *line;) {
        char text[COMMAND_BYTES];
        size_t length = strcspn(line, "\n");
        snprintf(text, sizeof(text), "# %s: %.*s", command->file_name, (int)length, line);
        markup_text(out, text);
        markup_add(out, "\n");
        line += length + (line[length] == '\n');
    }
}
