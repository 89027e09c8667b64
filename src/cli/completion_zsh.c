#include "cli/completion.h"

#include <string.h>

static const char head[] =
    "#compdef isobench isobench.exe\n"
    "# Completion of isobench for zsh, made by `isobench completion zsh`: a file _isobench in $fpath, or, behind\n"
    "# compinit, . <(isobench completion zsh)\n"
    "\n"
    "# [-f] WORD...: these, and with -f names of files.\n"
    "_isobench_words() {\n"
    "    local files=no\n"
    "    [[ $1 == -f ]] && { files=yes; shift }\n"
    "    (( $# )) && compadd -- \"$@\"\n"
    "    [[ $files == yes ]] && _files\n"
    "}\n"
    "\n"
    "_isobench() {\n"
    "    local -a commands\n"
    "    commands=(\n";

static const char middle[] = "    )\n"
                             "    if (( CURRENT == 2 )); then\n"
                             "        _describe -t commands 'isobench command' commands\n"
                             "        return\n"
                             "    fi\n"
                             "    local command=$words[2]\n"
                             "    shift words\n"
                             "    (( CURRENT-- ))\n"
                             "    case $command in\n";

static const char tail[] = "    esac\n"
                           "}\n"
                           "\n"
                           "if [[ $funcstack[1] == _isobench ]]; then\n"
                           "    _isobench \"$@\"\n"
                           "else\n"
                           "    compdef _isobench isobench isobench.exe\n"
                           "fi\n";

/* Within single quotes, and where `special` characters have a meaning. */
static void put_text(FILE *out, const char *text, const char *special)
{
    for (; *text; ++text) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

static void print_option(const struct help_book *book, const struct help_option *option, FILE *out)
{
    char words[512];
    enum help_value value = help_value_of(option->form);
    if (option->is_family)
        return;
    fprintf(out, "            '*%s%s[", option->name, option->joint == '=' ? "=-" : "");
    put_text(out, option->text, "\\[]:");
    fputc(']', out);
    if (option->joint) {
        fputs(option->is_optional ? "::" : ":", out);
        put_text(out, option->form, "\\:");
        fputc(':', out);
    }
    if (help_book_words(book, option, words, sizeof(words))[0])
        fprintf(out, "(%s)", words);
    else if (value != HELP_VALUE_NONE)
        fputs(value == HELP_VALUE_DIRECTORY ? "_files -/" : "_files", out);
    fputs("' \\\n", out);
}

static void print_command(const struct help_book *book, const struct help_page *page, FILE *out)
{
    fprintf(out, "    %s)\n        _arguments \\\n", page->name);
    for (size_t i = 0; i < page->option_count; ++i)
        print_option(book, &page->options[i], out);
    fprintf(out, "            '*: : _isobench_words%s %s' ;;\n", page->takes_file ? " -f" : "", page->words);
}

void completion_zsh(const struct help_book *book, FILE *out)
{
    char summary[256];
    fputs(head, out);
    for (size_t i = 0; i < book->count; ++i) {
        fprintf(out, "        '%s:", book->chapters[i].page.name);
        put_text(out, completion_summary(&book->chapters[i], summary, sizeof(summary)), "\\:");
        fputs("'\n", out);
    }
    fputs(middle, out);
    for (size_t i = 0; i < book->count; ++i)
        print_command(book, &book->chapters[i].page, out);
    fputs(tail, out);
}
