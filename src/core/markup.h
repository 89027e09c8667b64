/* core/markup.h: text that grows, for HTML and SVG. What comes from results, files and hosts goes through markup_text
 * alone: it can then be no markup. */
#ifndef CORE_MARKUP_H
#define CORE_MARKUP_H

#include "platform/compiler.h"

#include <stdbool.h>
#include <stddef.h>

struct markup { /* all zero = empty */
    char *text;
    size_t used, room;
    bool is_short; /* of memory: what is here is not all */
};

void markup_add(struct markup *markup, const char *text); /* as it is */
void markup_printf(struct markup *markup, const char *format, ...) PRINTF_LIKE(2, 3);
/* As text, and as an attribute's value in quotes of either kind. Control characters become blanks; bytes that are no
 * UTF-8, and signs that turn the direction of writing, become U+FFFD. */
void markup_text(struct markup *markup, const char *text);
/* All of it for free(); NULL when memory was short. The markup is empty then. */
char *markup_finish(struct markup *markup);

#endif
