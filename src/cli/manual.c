#include "cli/manual.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/help_book.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- mdoc's text ------------------------------------------------------------------------------------------------ */

/* The code point of a UTF-8 sequence that is known to be right, as all help texts are; *at goes to its last byte. */
static uint32_t code_point(const char **at)
{
    unsigned char first = (unsigned char)**at;
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    uint32_t code = first & (0x3FU >> more);
    for (; more > 0 && (*at)[1]; --more)
        code = code << 6 | ((unsigned char)*++*at & 0x3FU);
    return code;
}

/* No character of a text is one of roff's own. */
static void put(FILE *out, const char *text)
{
    static const char special[] = "\\-'`^~\"", *const escapes[] = {"\\e",   "\\-",   "\\(aq", "\\(ga",
                                                                   "\\(ha", "\\(ti", "\\(dq"};
    if (*text == '.')
        fputs("\\&", out);
    for (; *text; ++text) {
        const char *at = strchr(special, *text);
        if (at)
            fputs(escapes[at - special], out);
        else if ((unsigned char)*text >= 0xC0)
            fprintf(out, "\\[u%04X]", code_point(&text));
        else
            fprintf(out, "%c%s", *text, *text == '|' ? "\\:" : ""); /* long lists of words may be broken there */
    }
}

/* A paragraph with each sentence on a line of its own, as roff wants them, and none much longer than a terminal's. */
static void put_sentences(FILE *out, const char *text)
{
    size_t column = 0;
    while (*text) {
        char word[128];
        size_t length = strcspn(text, " ");
        bool ends =
            length > 1 && text[length - 1] == '.' && isupper((unsigned char)text[length + (text[length] == ' ')]);
        snprintf(word, sizeof(word), "%.*s", (int)length, text);
        if (column > 0)
            fputc(column + length > 60 ? '\n' : ' ', out);
        column = column + length > 60 ? length : column + length + 1;
        put(out, word);
        text += length;
        text += strspn(text, " ");
        if (ends) {
            fputc('\n', out);
            column = 0;
        }
    }
    if (column > 0)
        fputc('\n', out);
}

/* Lines as they are; with `short_form` without what stands behind two blanks. */
static void put_lines(FILE *out, const char *lines, bool short_form)
{
    fputs(".Bd -literal -compact\n", out);
    while (*lines) {
        char line[512];
        size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof(line), "%.*s", (int)length, lines);
        char *gap = strstr(line, "  ");
        if (gap && short_form)
            *gap = '\0';
        put(out, line);
        fputc('\n', out);
        lines += length + (lines[length] == '\n');
    }
    fputs(".Ed\n", out);
}

/* ---- chapters -----------------------------------------------------------------------------------------------------
 */

static void put_option(FILE *out, const struct help_block *block)
{
    fputs(".It Sy \"", out);
    put(out, block->head);
    fputs("\"\n", out);
    put_sentences(out, block->text);
}

static void put_blocks(FILE *out, const struct help_page *page)
{
    bool in_list = false;
    for (size_t i = 0; i < page->block_count; ++i) {
        const struct help_block *block = &page->blocks[i];
        bool is_option = block->kind == HELP_OPTION;
        if (is_option != in_list)
            fputs(is_option ? ".Bl -tag -width Ds\n" : ".El\n", out);
        in_list = is_option;
        if (is_option) {
            put_option(out, block);
            continue;
        }
        fputs(block->kind == HELP_HEADING ? ".Pp\n.Em \"" : ".Pp\n", out);
        if (block->kind == HELP_HEADING)
            put(out, block->text);
        else
            put_sentences(out, block->text);
        fputs(block->kind == HELP_HEADING ? "\"\n" : "", out);
    }
    if (in_list)
        fputs(".El\n", out);
}

static void put_command(FILE *out, const struct help_page *page)
{
    fprintf(out, ".Ss isobench %s\n", page->name);
    put_lines(out, page->usage, false);
    put_blocks(out, page);
}

static void put_tool(FILE *out, const struct help_chapter *tool)
{
    fprintf(out, ".It Sy %s\n", tool->page.name);
    put_sentences(out, tool->summary);
}

/* The day of the page: SOURCE_DATE_EPOCH, which makes a build that can be repeated, or today. */
static void put_date(FILE *out)
{
    static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                         "July",    "August",   "September", "October", "November", "December"};
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    const struct tm *day = gmtime(&now);
    if (day)
        fprintf(out, ".Dd %s %d, %d\n", months[day->tm_mon], day->tm_mday, day->tm_year + 1900);
}

static void put_page(FILE *out, const struct help_book *book)
{
    put_date(out);
    fputs(".Dt ISOBENCH 1\n.Os\n.Sh NAME\n.Nm isobench\n"
          ".Nd the same storage and database benchmarks on Linux and on Windows\n.Sh SYNOPSIS\n",
          out);
    put_lines(out, book->overview.usage, true);
    fputs(".Sh DESCRIPTION\n"
          "isobench " ISOBENCH_VERSION
          " makes loads on files, devices and databases,\nmeasures them, and tells why two results differ.\n"
          "Sizes take K, M, G and T (1024); times are seconds, or take ms, us, m and h.\n"
          "What stands in brackets behind an option is its default.\n",
          out);
    for (size_t i = 0; i < book->count; ++i)
        if (!book->chapters[i].is_tool)
            put_command(out, &book->chapters[i].page);
    fputs(".Sh TOOLS\n"
          "A tool's own command line follows its name.\n"
          "A link to isobench that is called like a tool is that tool.\n"
          "Each also takes\n.Sy \\-\\-as TOOL ,\n.Sy \\-\\-json=FILE\nand\n.Sy \\-\\-show\\-job .\n"
          ".Bl -tag -width Ds\n",
          out);
    for (size_t i = 0; i < book->count; ++i)
        if (book->chapters[i].is_tool)
            put_tool(out, &book->chapters[i]);
    fputs(".El\n.Sh EXIT STATUS\n"
          "0 done, 1 the run or the system failed, 2 wrong command line,\n3 forced shutdown, 130 Ctrl\\-C.\n"
          "Commands that compare say above what 1 and 2 mean to them.\n",
          out);
}

static void print_help(void)
{
    fputs("usage: isobench man\n\n"
          "Prints the manual page isobench(1), for man or mandoc: isobench man | mandoc -a\n\n"
          "  --help\n      Prints this.\n",
          stdout);
}

int command_man(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct help_book book;
    if (argc == 1 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0))
        print_help();
    else if (argc > 0)
        error_set(&error, ERR_USAGE, "man %.40s: it takes nothing; see `isobench man --help`", argv[0]);
    else {
        if (help_book_read(&book, &error))
            put_page(stdout, &book);
        help_book_done(&book);
    }
    common_print_error(&error);
    return common_status(&error, STATUS_USAGE);
}
