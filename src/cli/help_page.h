/* cli/help_page.h: what a command's --help says, taken apart. Completion and manual are made of it, so that a command's
 * options stand in one place: the text its user reads.
 *
 *   usage: isobench NAME word|word FILE… [options]     words to complete, and whether files are taken
 *
 *   A heading
 *     --option=FORM  [default]                         or --option, --option FORM; several with commas or two blanks
 *         What it does, in lines with six blanks.
 *
 *   All else is paragraphs. */
#ifndef CLI_HELP_PAGE_H
#define CLI_HELP_PAGE_H

#include <stdbool.h>
#include <stddef.h>

struct help_option {
    char name[64];               /* "--cache"; "--db-" with is_family: all settings that begin so */
    char form[256];              /* "on|off", "FILE", "N"; "" = takes no value */
    char joint;                  /* '=' or ' ' before the value, 0 = takes none */
    bool is_family, is_optional; /* the value may be left out: "--debug[=on|off]" */
    const char *text;            /* what it does, "" = not said */
};

enum help_kind { HELP_PARAGRAPH, HELP_HEADING, HELP_OPTION };

struct help_block {
    enum help_kind kind;
    char *head; /* of an option: "--cache=on|off  [on]"; else NULL */
    char *text; /* lines joined by blanks */
};

struct help_page {
    char *name;  /* "compare" */
    char *usage; /* its lines, without "usage: " */
    struct help_block *blocks;
    size_t block_count;
    struct help_option *options;
    size_t option_count;
    bool takes_file;
    char words[512]; /* "prepare run check cleanup", separated by single blanks */
};

enum help_value { HELP_VALUE_NONE, HELP_VALUE_WORDS, HELP_VALUE_FILE, HELP_VALUE_DIRECTORY, HELP_VALUE_TOOL };

/* Takes `text`, what the command called `name` prints, apart; any text is fine. False when memory is short.
 * help_page_done releases it in both cases. */
bool help_page_read(struct help_page *out, const char *name, const char *text);
void help_page_done(struct help_page *page);
/* Adds an option, or the text of one that is there without (the usage line has none). False when memory is short. */
bool help_page_add(struct help_page *page, const struct help_option *option);

/* What a value of that form can be completed with: "on|off" words, "FILE" files, "N" nothing. */
enum help_value help_value_of(const char *form);

#endif
