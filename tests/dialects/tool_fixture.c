#include "tests/dialects/tool_fixture.h"

#include "core/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void split(struct command *command, const char *line)
{
    for (const char *word = line; *word;) {
        size_t length = strcspn(word, " ");
        command_add(command, "%.*s", (int)length, word);
        word += length + (word[length] == ' ');
    }
}

struct tool *tool_make(const char *name, const char *line, const char *params)
{
    const struct dialect *dialect = dialect_find(name);
    const char *directory = getenv("ISO_TEST_DIR");
    struct tool *tool = calloc(1, sizeof(*tool));
    assert_non_null(dialect);
    assert_non_null(tool);
    tool->invocation = calloc(1, sizeof(*tool->invocation));
    tool->command = calloc(1, sizeof(*tool->command));
    snprintf(tool->path, sizeof(tool->path), "%s/%s-printed.txt", directory ? directory : ".", name);
    tool->out = fopen(tool->path, "w+b");
    assert_true(tool->out && tool->invocation && tool->command);
    split(tool->command, line);
    if (params) {
        command_add_to_file(tool->command, "%s", params);
        snprintf(tool->command->file_name, sizeof(tool->command->file_name), "param.txt");
        tool->good = dialect->read_back(tool->command, tool->invocation, &tool->error);
    } else {
        tool->good =
            dialect->parse(tool->command->argc, tool->command->argv, tool->out, tool->invocation, &tool->error);
    }
    return tool;
}

void tool_free(struct tool *tool)
{
    invocation_free(tool->invocation);
    free(tool->invocation);
    free(tool->command);
    fclose(tool->out);
    remove(tool->path);
    free(tool);
}

const char *tool_text(struct tool *tool)
{
    rewind(tool->out);
    size_t bytes = fread(tool->text, 1, sizeof(tool->text) - 1, tool->out);
    tool->text[bytes] = '\0';
    fseek(tool->out, 0, SEEK_END);
    return tool->text;
}

const char *tool_setting(const struct tool *tool, const char *setting, char out[TEXT_MAX])
{
    assert_non_null(setting_find(setting));
    job_get(&tool->invocation->job, setting_find(setting), out, TEXT_MAX);
    return out;
}

void tool_expect(const char *name, const char *line, const char *params, const char *const *expected)
{
    struct tool *tool = tool_make(name, line, params);
    if (!tool->good)
        fail_msg("%s %s: %s", name, line, tool->error.text);
    for (; *expected; ++expected) {
        char setting[NAME_MAX_BYTES], value[TEXT_MAX];
        size_t length = strcspn(*expected, "=");
        snprintf(setting, sizeof(setting), "%.*s", (int)length, *expected);
        if (strcmp(tool_setting(tool, setting, value), *expected + length + 1) != 0)
            fail_msg("%s %s: %s is %s, not %s", name, line, setting, value, *expected + length + 1);
    }
    tool_free(tool);
}

void tool_refuse(const char *name, const char *line, const char *params, const char *part)
{
    struct tool *tool = tool_make(name, line, params);
    if (tool->good)
        fail_msg("%s %s is taken", name, line);
    if (!strstr(tool->error.text, part))
        fail_msg("%s %s: says \"%s\", not \"%s\"", name, line, tool->error.text, part);
    if (tool_text(tool)[0])
        fail_msg("%s %s: prints %s", name, line, tool->text);
    tool_free(tool);
}
