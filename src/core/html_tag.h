/* core/html_tag.h: the tags that stand around and among lines of text on a web page. */
#ifndef CORE_HTML_TAG_H
#define CORE_HTML_TAG_H

#include <stddef.h>

/* The length of the tag that begins at `text`; 0 when it is none of HTML's for text (XML of tools has others).
 * *stands_for: what it is in plain text: a line's end, a blank between two cells, or NUL for nothing. */
size_t html_tag_length(const char *text, char *stands_for);

#endif
