#include "cli/completion.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "platform/compiler.h"

#include <string.h>

static void print_help(void)
{
    fputs("usage: isobench completion bash|zsh|powershell\n\n"
          "Prints what that shell needs to complete isobench's commands, options, their values, and file names\n"
          "(docs/completion.md). To load it:\n\n"
          "bash: . <(isobench completion bash)\n\n"
          "zsh: . <(isobench completion zsh), behind compinit\n\n"
          "PowerShell: isobench completion powershell | Out-String | Invoke-Expression\n\n"
          "  --help\n      Prints this.\n",
          stdout);
}

const char *completion_summary(const struct help_chapter *chapter, char *out, size_t out_bytes)
{
    const struct help_page *page = &chapter->page;
    snprintf(out, out_bytes, "%s", chapter->summary);
    for (size_t i = 0; !out[0] && i < page->block_count; ++i)
        if (page->blocks[i].kind == HELP_PARAGRAPH)
            snprintf(out, out_bytes, "%.*s", (int)strcspn(page->blocks[i].text, "."), page->blocks[i].text);
    return out;
}

static const struct {
    const char *name;
    void (*print)(const struct help_book *book, FILE *out);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"powershell", completion_powershell}};

static bool print_for(const char *shell, struct error *error)
{
    struct help_book book;
    for (size_t i = 0; i < COUNT_OF(shells); ++i) {
        if (strcmp(shells[i].name, shell) != 0)
            continue;
        bool good = help_book_read(&book, error);
        if (good)
            shells[i].print(&book, stdout);
        help_book_done(&book);
        return good;
    }
    return error_set(error, ERR_USAGE, "completion %.40s: one of bash, zsh, powershell", shell);
}

int command_completion(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    if (argc == 1 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0))
        print_help();
    else if (argc != 1)
        error_set(&error, ERR_USAGE, "completion: name one shell: bash, zsh or powershell");
    else
        print_for(argv[0], &error);
    common_print_error(&error);
    return common_status(&error, STATUS_USAGE);
}
