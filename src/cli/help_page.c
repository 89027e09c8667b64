#include "cli/help_page.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_name_letter(char c)
{
    return islower((unsigned char)c) || isdigit((unsigned char)c) || strchr("-_.", c);
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

static void copy(char *out, size_t out_bytes, const char *from, size_t length)
{
    snprintf(out, out_bytes, "%.*s", (int)length, from);
}

/* "=FORM", "[=FORM]" or " FORM" behind an option's name. Returns what follows. */
static const char *read_form(const char *at, struct help_option *out)
{
    out->is_optional = begins(at, "[=");
    at += out->is_optional;
    bool spaced = at[0] == ' ' && isupper((unsigned char)at[1]) && isupper((unsigned char)at[2]);
    if (*at != '=' && !spaced)
        return at;
    out->joint = *at++;
    size_t length = 0;
    while (at[length] && !strchr(" ]\n", at[length]) && !(at[length] == ',' && strchr(" \n", at[length + 1])))
        length++;
    copy(out->form, sizeof(out->form), at, length);
    return at + length + (out->is_optional && at[length] == ']');
}

/* One option that begins at `at`. Returns what follows, or `at` when it is none. */
static const char *read_option(const char *at, struct help_option *out)
{
    size_t length = 2;
    memset(out, 0, sizeof(*out));
    out->text = "";
    if (!begins(at, "--"))
        return at;
    while (at[length] && is_name_letter(at[length]))
        length++;
    if (length == 2 || length >= sizeof(out->name))
        return at;
    copy(out->name, sizeof(out->name), at, length);
    at += length;
    out->is_family = begins(at, ELLIPSIS);
    return read_form(at + (out->is_family ? strlen(ELLIPSIS) : 0), out);
}

bool help_page_add(struct help_page *page, const struct help_option *option)
{
    for (size_t i = 0; i < page->option_count; ++i) {
        if (strcmp(page->options[i].name, option->name) != 0)
            continue;
        if (!page->options[i].text[0])
            page->options[i] = *option;
        return true;
    }
    struct help_option *grown = realloc(page->options, (page->option_count + 1) * sizeof(*grown));
    if (!grown)
        return false;
    page->options = grown;
    grown[page->option_count++] = *option;
    return true;
}

/* All options of one line of the list: "--markdown, --csv" or "--as TOOL  text of the same line". */
static bool read_head(struct help_page *page, const struct help_block *block)
{
    const char *at = strstr(block->head, "--"); /* short ones stand in front: "-o FILE, --output=FILE" */
    while (at && begins(at, "--")) {
        struct help_option option;
        const char *next = read_option(at, &option);
        if (next == at)
            return true;
        at = next + strspn(next, ", ");
        option.text = block->text[0] ? block->text : at[0] != '[' && !begins(at, "--") ? at : "";
        if (!help_page_add(page, &option))
            return false;
    }
    return true;
}

/* ---- the usage lines ----------------------------------------------------------------------------------------------
 */

static void add_words(struct help_page *page, const char *words, size_t length)
{
    size_t used = strlen(page->words);
    if (used + length + 2 > sizeof(page->words))
        return;
    snprintf(page->words + used, sizeof(page->words) - used, "%s%.*s", used ? " " : "", (int)length, words);
    for (char *bar = page->words + used; (bar = strchr(bar, '|')) != NULL;)
        *bar = ' ';
}

/* FILE…, DIR|FILE…, or [WORKLOAD], which is one of the words of --workload. */
static void take_capitals(struct help_page *page, const char *word, size_t length)
{
    char name[64] = "--";
    size_t used = 2;
    for (size_t i = 0; i < length && used + 1 < sizeof(name) && isupper((unsigned char)word[i]); ++i)
        name[used++] = (char)tolower((unsigned char)word[i]);
    name[used] = '\0';
    for (size_t i = 0; i < page->option_count; ++i) {
        const struct help_option *option = &page->options[i];
        if (strcmp(option->name, name) == 0 && help_value_of(option->form) == HELP_VALUE_WORDS) {
            add_words(page, option->form, strlen(option->form));
            return;
        }
    }
    page->takes_file = true;
}

static void take_word(struct help_page *page, const char *word, size_t length)
{
    size_t letters = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_-|"), bracket = word[0] == '[';
    if (isupper((unsigned char)word[bracket]))
        take_capitals(page, word + bracket, length - bracket);
    else if (length > 0 && letters == length && word[0] != '-')
        add_words(page, word, length);
}

static const char *skip_option(const char *at, struct help_page *page, bool *good)
{
    struct help_option option;
    const char *next = read_option(at, &option);
    *good = *good && (next == at || help_page_add(page, &option));
    return next == at ? at + 2 : next;
}

/* Options of all lines first: words in capitals may be explained by them. */
static bool read_usage_options(struct help_page *page)
{
    bool good = true;
    for (const char *at = page->usage; good && (at = strstr(at, "--")) != NULL;)
        at = skip_option(at, page, &good);
    return good;
}

/* The words of a line, behind "isobench NAME". Tools have ways of their own to say what they take. */
static void read_line_words(struct help_page *page, const char *at, const char *end)
{
    if (!begins(at, "isobench "))
        return;
    at += strlen("isobench ");
    at += strcspn(at, " \n");
    for (at += strspn(at, " "); at < end; at += strspn(at, " ")) {
        struct help_option option;
        const char *dashes = at + strspn(at, "["), *behind = read_option(dashes, &option);
        if (behind > dashes)
            at = behind;
        else
            take_word(page, at, strcspn(at, " \n"));
        at += strcspn(at, " \n");
    }
}

static void read_usage_words(struct help_page *page)
{
    for (const char *line = page->usage; *line; line += line[0] == '\n') {
        const char *end = line + strcspn(line, "\n");
        read_line_words(page, line, end);
        line = end;
    }
}

/* ---- lines into blocks --------------------------------------------------------------------------------------------
 */

static bool append(char **to, const char *joint, const char *line, size_t length)
{
    size_t used = *to ? strlen(*to) : 0, gap = used ? strlen(joint) : 0;
    char *grown = realloc(*to, used + gap + length + 1);
    if (!grown)
        return false;
    memcpy(grown + used, joint, gap);
    memcpy(grown + used + gap, line, length);
    grown[used + gap + length] = '\0';
    *to = grown;
    return true;
}

static bool add_block(struct help_page *page, enum help_kind kind, const char *head, size_t length)
{
    struct help_block *grown = realloc(page->blocks, (page->block_count + 1) * sizeof(*grown)), *added;
    if (!grown)
        return false;
    page->blocks = grown;
    added = &grown[page->block_count++];
    *added = (struct help_block){kind, NULL, NULL};
    return append(&added->text, "", "", 0) && (kind != HELP_OPTION || append(&added->head, "", head, length));
}

enum state { IN_USAGE, IN_BLOCK, BETWEEN };

/* A line right above an option is its heading. */
static bool take_option_line(struct help_page *page, enum state *state, const char *line, size_t length)
{
    struct help_block *last = page->block_count ? &page->blocks[page->block_count - 1] : NULL;
    if (*state == IN_BLOCK && last && last->kind == HELP_PARAGRAPH)
        last->kind = HELP_HEADING;
    *state = IN_BLOCK;
    return add_block(page, HELP_OPTION, line + 2, length - 2);
}

static bool take_line(struct help_page *page, enum state *state, const char *line, size_t length)
{
    size_t blanks = strspn(line, " ");
    bool first_usage = !page->usage && (begins(line, "usage: ") || begins(line, "Usage: "));
    if (first_usage || (*state == IN_USAGE && blanks > 0 && blanks < length)) {
        size_t skipped = first_usage ? strlen("usage: ") : blanks;
        *state = IN_USAGE;
        return append(&page->usage, "\n", line + skipped, length - skipped);
    }
    if (blanks >= length) {
        *state = BETWEEN;
        return true;
    }
    if (blanks == 2 && line[2] == '-')
        return take_option_line(page, state, line, length);
    if (*state != IN_BLOCK && !add_block(page, HELP_PARAGRAPH, NULL, 0))
        return false;
    struct help_block *last = &page->blocks[page->block_count - 1];
    if (last->kind == HELP_OPTION && blanks < 6 && !add_block(page, HELP_PARAGRAPH, NULL, 0))
        return false;
    *state = IN_BLOCK;
    return append(&page->blocks[page->block_count - 1].text, " ", line + blanks, length - blanks);
}

bool help_page_read(struct help_page *out, const char *name, const char *text)
{
    enum state state = BETWEEN;
    memset(out, 0, sizeof(*out));
    bool good = append(&out->name, "", name, strlen(name));
    while (good && *text) {
        size_t length = strcspn(text, "\n");
        good = take_line(out, &state, text, length);
        text += length + (text[length] == '\n');
    }
    good = good && (out->usage || append(&out->usage, "", "", 0)) && read_usage_options(out);
    for (size_t i = 0; good && i < out->block_count; ++i)
        good = out->blocks[i].kind != HELP_OPTION || read_head(out, &out->blocks[i]);
    if (good)
        read_usage_words(out);
    return good;
}

void help_page_done(struct help_page *page)
{
    for (size_t i = 0; i < page->block_count; ++i) {
        free(page->blocks[i].head);
        free(page->blocks[i].text);
    }
    free(page->blocks);
    free(page->options);
    free(page->usage);
    free(page->name);
    memset(page, 0, sizeof(*page));
}

enum help_value help_value_of(const char *form)
{
    static const char *const files[] = {"FILE", "PATH", "PLAN", ".json"};
    size_t small = 0, capitals = 0;
    for (const char *at = form; *at; ++at) {
        small += islower((unsigned char)*at) || isdigit((unsigned char)*at) || strchr("|._-", *at);
        capitals += isupper((unsigned char)*at) != 0;
    }
    if (capitals == 0 && small == strlen(form) && strchr(form, '|'))
        return HELP_VALUE_WORDS;
    if (strcmp(form, "TOOL") == 0)
        return HELP_VALUE_TOOL;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i)
        if (strstr(form, files[i]))
            return HELP_VALUE_FILE;
    return strstr(form, "DIR") ? HELP_VALUE_DIRECTORY : HELP_VALUE_NONE;
}
