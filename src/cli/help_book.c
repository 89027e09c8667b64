#include "cli/help_book.h"

#include "cli/help.h"
#include "cli/native.h"
#include "core/dialect.h"
#include "platform/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What as.c takes out of every tool's command line. */
static const char extras[] = "  --as TOOL\n      Prints the same load as a command line of that tool.\n"
                             "  --json=FILE\n      Writes the result as JSON.\n"
                             "  --show-job\n      Prints the job as JSON and runs nothing.\n";

static bool no_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory for the help pages");
}

/* The line "isobench NAME …  what it does" of the overview. */
static void find_summary(const struct help_book *book, struct help_chapter *chapter)
{
    char start[80];
    size_t length = (size_t)snprintf(start, sizeof(start), "isobench %s", chapter->page.name);
    for (const char *line = book->overview.usage; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, start, length) != 0 || !strchr(" \n", line[length]))
            continue;
        const char *end = line + strcspn(line, "\n"), *gap = strstr(line, "  ");
        if (!gap || gap > end)
            return;
        gap += strspn(gap, " ");
        snprintf(chapter->summary, sizeof(chapter->summary), "%.*s", (int)(end - gap), gap);
        return;
    }
}

static bool add_extras(struct help_page *page)
{
    struct help_page more;
    bool good = help_page_read(&more, page->name, extras);
    for (size_t i = 0; good && i < more.option_count; ++i) {
        more.options[i].text = "";
        good = help_page_add(page, &more.options[i]);
    }
    help_page_done(&more);
    return good;
}

static const char *summary_of_tool(const char *name)
{
    for (size_t i = 0; dialects[i]; ++i)
        if (strcmp(dialects[i]->name, name) == 0)
            return dialects[i]->summary;
    return NULL;
}

static bool add_chapter(struct help_book *book, const char *name, const char *text, struct error *error)
{
    const char *summary = summary_of_tool(name);
    struct help_chapter *grown = realloc(book->chapters, (book->count + 1) * sizeof(*grown)), *added;
    if (!grown)
        return no_memory(error);
    book->chapters = grown;
    added = &grown[book->count++];
    memset(added, 0, sizeof(*added));
    added->is_tool = summary != NULL;
    bool good = help_page_read(&added->page, name, text);
    if (added->is_tool) {
        snprintf(added->summary, sizeof(added->summary), "%s", summary);
        added->page.takes_file = true;
        good = good && add_extras(&added->page);
    } else if (good)
        find_summary(book, added);
    return good || no_memory(error);
}

/* "--db-…" stands for all options of other pages that begin so. */
static bool add_family(struct help_book *book, struct help_page *page, const struct help_option *family)
{
    bool good = true;
    for (size_t i = 0; good && i < book->count; ++i) {
        const struct help_page *from = &book->chapters[i].page;
        for (size_t j = 0; good && from != page && j < from->option_count; ++j)
            if (!from->options[j].is_family && strncmp(from->options[j].name, family->name, strlen(family->name)) == 0)
                good = help_page_add(page, &from->options[j]);
    }
    return good;
}

static bool add_families(struct help_book *book)
{
    bool good = true;
    for (size_t i = 0; good && i < book->count; ++i) {
        struct help_page *page = &book->chapters[i].page;
        for (size_t j = 0; good && j < page->option_count; ++j) {
            struct help_option option = page->options[j]; /* the list moves as it grows */
            good = !option.is_family || add_family(book, page, &option);
        }
    }
    return good;
}

static void add_name(char *out, size_t out_bytes, const char *name)
{
    size_t used = strlen(out);
    snprintf(out + used, out_bytes - used, "%s%s", used ? " " : "", name);
}

/* `isobench help COMMAND` is COMMAND's page. */
static void fill_words(struct help_book *book)
{
    add_name(book->tools, sizeof(book->tools), native_dialect.name);
    for (size_t i = 0; dialects[i]; ++i)
        if (dialects[i]->write)
            add_name(book->tools, sizeof(book->tools), dialects[i]->name);
    for (size_t i = 0; i < book->count; ++i) {
        struct help_page *page = &book->chapters[i].page;
        if (strcmp(page->name, "help") != 0)
            continue;
        page->takes_file = false;
        for (size_t j = 0; j < book->count; ++j)
            add_name(page->words, sizeof(page->words), book->chapters[j].page.name);
        add_name(page->words, sizeof(page->words), "settings all");
    }
}

/* The name in a title line and the page behind it, which ends where the next title stands: *at goes there. */
static char *next_page(char **at, char **page)
{
    char *title = *at, *end = title ? strstr(title, HELP_TITLE_END "\n") : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    *page = end + strlen(HELP_TITLE_END "\n");
    *at = strstr(*page, "\n" HELP_TITLE);
    if (*at)
        *(*at)++ = '\0';
    return title + strlen(HELP_TITLE);
}

static bool read_pages(struct help_book *out, char *text, struct error *error)
{
    char *page = NULL, *name = next_page(&text, &page);
    if (!name)
        return error_set(error, ERR_SYSTEM, "`isobench help all` has no pages");
    if (!help_page_read(&out->overview, name, page))
        return no_memory(error);
    while ((name = next_page(&text, &page)) != NULL)
        if (!add_chapter(out, name, page, error))
            return false;
    return true;
}

bool help_book_read(struct help_book *out, struct error *error)
{
    memset(out, 0, sizeof(*out));
    char *text = process_ask_self((const char *const[]){"help", "all", NULL}, error);
    bool good = text && read_pages(out, text, error) && (add_families(out) || no_memory(error));
    free(text);
    if (good)
        fill_words(out);
    return good;
}

void help_book_done(struct help_book *book)
{
    for (size_t i = 0; i < book->count; ++i)
        help_page_done(&book->chapters[i].page);
    free(book->chapters);
    help_page_done(&book->overview);
    memset(book, 0, sizeof(*book));
}

const char *help_book_words(const struct help_book *book, const struct help_option *option, char *out, size_t out_bytes)
{
    enum help_value value = help_value_of(option->form);
    snprintf(out, out_bytes, "%s",
             value == HELP_VALUE_WORDS  ? option->form
             : value == HELP_VALUE_TOOL ? book->tools
                                        : "");
    for (char *bar = out; (bar = strchr(bar, '|')) != NULL;)
        *bar = ' ';
    return out;
}
