/* core/transcript.h: what a tool printed, as it is found in files, terminals and web pages, as clean lines. UTF-16 with
 * or without a byte order mark becomes UTF-8; line ends of every system, escape sequences of terminals and what web
 * pages make of quotes, dashes and blanks are undone, tags of HTML and quotation marks of mails taken off, and numbers
 * written as tools print them. */
#ifndef CORE_TRANSCRIPT_H
#define CORE_TRANSCRIPT_H

#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>

#define TRANSCRIPT_BYTES_MAX ((size_t)64 << 20)

struct transcript {
    const char *name; /* the file's, for errors; the caller's */
    char *text;       /* all of it, NUL-terminated, lines end in '\n': for JSON */
    char **lines;     /* NUL-terminated, without blanks at the end */
    size_t count;
    size_t decimal_commas; /* lines in which numbers had a comma before their fraction; it is a point now */
};

/* Takes `bytes` bytes of a file called `name`, which must outlive the transcript. False when memory is short or the
 * file is longer than TRANSCRIPT_BYTES_MAX. A NUL byte becomes a blank. */
bool transcript_make(struct transcript *out, const char *name, const void *data, size_t bytes, struct error *error);
void transcript_free(struct transcript *transcript);

/* The same text where a terminal broke its lines, which is taken to be so when the longest of them are of one width,
 * 72 columns or more: each line of that width goes on in the next. False when no line is so long, or when memory is
 * short (*origins is NULL). *origins, which the caller frees, has the line of `from` in which each line begins. */
bool transcript_unwrap(const struct transcript *from, struct transcript *out, size_t **origins);

/* A JSON object that begins a line of the text. All zeros before the first. */
struct transcript_object {
    const char *at;
    size_t bytes; /* up to the brace that closes it, or to the end of the text */
    size_t line;  /* from 0 */
};

/* Goes on to the next one that holds `needed`; false when there is none. */
bool transcript_next_object(const struct transcript *transcript, const char *needed, struct transcript_object *object);

/* Does a command line of `program` begin in line `at`, on its own or behind a prompt and a path, with or without
 * ".exe"? A line of 70 columns or more, or with a backslash at its end, may go on in the next one, as terminals of 80
 * columns break them: the fewest lines are taken in which the word `needed` (NULL = any word) follows the program. Puts
 * the words behind its name into `out`, as one text. `last`: the line where it ends. */
bool transcript_command(const struct transcript *transcript, size_t at, const char *program, const char *needed,
                        char *out, size_t out_bytes, size_t *last);

/* Splits such a text into words as a shell would: blanks separate, double and single quotes hold together, and the line
 * ends at |, > and ;. Changes `text`. Returns the number of words, at most `room`. */
size_t transcript_split(char *text, char **words, size_t room);

#endif
