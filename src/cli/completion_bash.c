#include "cli/completion.h"

#include <string.h>

static const char head[] = "# Completion of isobench for bash, made by `isobench completion bash`: load it with . "
                           "<(isobench completion bash)\n"
                           "\n"
                           "# What can stand behind `isobench COMMAND`.\n"
                           "_isobench_command() {\n"
                           "    case $1 in\n";

static const char middle[] = "    esac\n"
                             "}\n"
                             "\n"
                             "# What the value of COMMAND:--OPTION can be.\n"
                             "_isobench_value() {\n"
                             "    case $1 in\n";

/* bash splits words at '=' by itself; where COMP_WORDBREAKS has it no more, the answer repeats the option. */
static const char tail[] =
    "    *) return 1 ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_isobench() {\n"
    "    local command=${COMP_WORDS[1]} at=$COMP_CWORD words='' options='' files='' start='' option=''\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    COMPREPLY=()\n"
    "    if [ \"$at\" -eq 1 ]; then\n"
    "        words=$_isobench_commands\n"
    "    else\n"
    "        if [ \"$cur\" = = ]; then\n"
    "            cur='' option=$before\n"
    "        elif [ \"$before\" = = ] && [ \"$at\" -ge 4 ]; then\n"
    "            option=${COMP_WORDS[at - 2]}\n"
    "        elif [[ $cur == --*=* ]]; then\n"
    "            option=${cur%%=*} start=${cur%%=*}= cur=${cur#*=}\n"
    "        fi\n"
    "        if [ -n \"$option\" ]; then\n"
    "            _isobench_value \"$command:$option\" || return 0\n"
    "        elif [[ $cur == -* || $before != --* ]] || ! _isobench_value \"$command:$before\" ||\n"
    "            [ \"$words\" = 'on off' ]; then # which may be left out\n"
    "            words='' files=''\n"
    "            _isobench_command \"$command\"\n"
    "            if [[ $cur == -* || -z $words$files ]]; then\n"
    "                words=\"$words $options\"\n"
    "            fi\n"
    "        fi\n"
    "    fi\n"
    "    # shellcheck disable=SC2207 # words have no blanks, and names of files are split at line ends\n"
    "    COMPREPLY=($(compgen -P \"$start\" -W \"$words\" -- \"$cur\"))\n"
    "    if [[ ${COMPREPLY[0]-} == *= && -z $start ]]; then\n"
    "        compopt -o nospace 2>/dev/null\n"
    "    elif [ -n \"$files\" ]; then\n"
    "        local IFS=$'\\n'\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        # shellcheck disable=SC2207\n"
    "        COMPREPLY+=($(compgen -P \"$start\" \"$files\" -- \"$cur\"))\n"
    "    fi\n"
    "    return 0\n"
    "}\n"
    "complete -F _isobench isobench isobench.exe\n";

static void print_command(const struct help_page *page, FILE *out)
{
    fprintf(out, "    %s)\n        words='%s' options='", page->name, page->words);
    for (size_t i = 0; i < page->option_count; ++i) {
        const struct help_option *option = &page->options[i];
        if (!option->is_family)
            fprintf(out, "%s%s%s", i ? " " : "", option->name, option->joint == '=' && !option->is_optional ? "=" : "");
    }
    fprintf(out, "'%s ;;\n", page->takes_file ? " files=-f" : "");
}

static void print_values(const struct help_book *book, const struct help_page *page, FILE *out)
{
    for (size_t i = 0; i < page->option_count; ++i) {
        const struct help_option *option = &page->options[i];
        char words[512];
        enum help_value value = help_value_of(option->form);
        if (value == HELP_VALUE_NONE || option->is_family)
            continue;
        fprintf(out, "    %s:%s) ", page->name, option->name);
        if (help_book_words(book, option, words, sizeof(words))[0])
            fprintf(out, "words='%s' ;;\n", words);
        else
            fprintf(out, "files=%s ;;\n", value == HELP_VALUE_DIRECTORY ? "-d" : "-f");
    }
}

void completion_bash(const struct help_book *book, FILE *out)
{
    fputs(head, out);
    for (size_t i = 0; i < book->count; ++i)
        print_command(&book->chapters[i].page, out);
    fputs(middle, out);
    for (size_t i = 0; i < book->count; ++i)
        print_values(book, &book->chapters[i].page, out);
    fputs(tail, out);
    fputs("_isobench_commands='", out);
    for (size_t i = 0; i < book->count; ++i)
        fprintf(out, "%s%s", i ? " " : "", book->chapters[i].page.name);
    fputs("'\n", out);
}
