/* cli/help_book.h: the help pages of all commands and tools, as the program itself prints them. */
#ifndef CLI_HELP_BOOK_H
#define CLI_HELP_BOOK_H

#include "cli/help_page.h"
#include "platform/error.h"

struct help_chapter {
    struct help_page page;
    char summary[256]; /* as `isobench help` has it; "" = none there */
    bool is_tool;
};

struct help_book {
    struct help_page overview;     /* what `isobench help` prints */
    struct help_chapter *chapters; /* the commands, then the tools */
    size_t count;
    char tools[512]; /* what --as takes, separated by blanks */
};

/* Asks the program (`isobench help all`). help_book_done releases it, also after a failure. */
bool help_book_read(struct help_book *out, struct error *error);
void help_book_done(struct help_book *book);

/* What a chapter's option can be completed with, separated by blanks; "" = no words. */
const char *help_book_words(const struct help_book *book, const struct help_option *option, char *out,
                            size_t out_bytes);

#endif
