/* dump.c: what `mysqldump … | mysql` does to a server: the text of a dump, statement after statement as mysqldump
 * writes them, is cut into statements again as the client does, and sent by one connection. */
#include "load/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIPE_BYTES 65536 /* what a pipe holds */

static const struct error no_memory = {ERR_SYSTEM, 0, "not enough memory for a statement"};

/* ---- the writing end ---- */

struct dump {
    struct part *part;
    size_t stage; /* into before, the rows, into after */
    bool has_row;
    const char *text; /* what is not read yet of the statement that was written last */
    size_t left;
};

static const char *const before[] = {"SET unique_checks=0", "SET foreign_key_checks=0", NULL /* CREATE TABLE */,
                                     "LOCK TABLES %s WRITE", "ALTER TABLE %s DISABLE KEYS"};
static const char *const after[] = {"ALTER TABLE %s ENABLE KEYS", "UNLOCK TABLES", "SET foreign_key_checks=1",
                                    "SET unique_checks=1"};

/* A statement, with the table's name in it. */
static bool write_statement(struct dump *dump, const char *format)
{
    struct part *part = dump->part;
    const struct load *load = part->step->load;
    const char *mark = format ? strstr(format, "%s") : NULL, *whole = format ? format : load->created;
    size_t head = mark ? (size_t)(mark - format) : strlen(whole);
    if (!part_make_room(part, strlen(whole) + sizeof(load->setup->table)))
        return false;
    part->text_bytes = (size_t)snprintf(part->text, part->text_room, "%.*s%s%s", (int)head, whole,
                                        mark ? load->setup->table : "", mark ? mark + 2 : "");
    return true;
}

static bool write_rows(struct dump *dump)
{
    struct part *part = dump->part;
    uint64_t taken = part_gather(part, part->last - part->rows, &dump->has_row);
    part->rows += taken;
    return taken > 0;
}

/* The next statement of the dump, with its semicolon. *end: that was all. */
static bool write_next(struct dump *dump, bool *end)
{
    struct part *part = dump->part;
    bool good;
    *end = false;
    if (dump->stage < COUNT_OF(before)) {
        good = write_statement(dump, before[dump->stage++]);
    } else if (part->rows < part->last) {
        good = write_rows(dump);
    } else {
        size_t at = dump->stage++ - COUNT_OF(before);
        *end = at == COUNT_OF(after);
        if (*end)
            return true;
        good = write_statement(dump, after[at]);
    }
    if (!good || !part_make_room(part, part->text_bytes + 2))
        return false;
    memcpy(part->text + part->text_bytes, ";\n", 2);
    dump->text = part->text;
    dump->left = part->text_bytes + 2;
    return true;
}

/* ---- the reading end ---- */

struct pipe {
    struct dump dump;
    char *statement;
    size_t bytes, room;
    char quote; /* that is open in it; 0 = none */
};

static bool append(struct pipe *pipe, const char *text, size_t bytes)
{
    if (bytes == 0)
        return true;
    if (pipe->bytes + bytes > pipe->room) {
        size_t room = 2 * (pipe->bytes + bytes);
        char *more = realloc(pipe->statement, room);
        if (!more)
            return false;
        pipe->statement = more;
        pipe->room = room;
    }
    memcpy(pipe->statement + pipe->bytes, text, bytes);
    pipe->bytes += bytes;
    return true;
}

/* Bytes up to the semicolon that ends the statement, without it; all of them if there is none. */
static size_t to_semicolon(struct pipe *pipe, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (pipe->quote) {
            const char *close = memchr(text + i, pipe->quote, bytes - i);
            if (!close)
                return bytes;
            i = (size_t)(close - text);
            pipe->quote = '\0';
        } else if (text[i] == '\'' || text[i] == '`' || text[i] == '"') {
            pipe->quote = text[i];
        } else if (text[i] == ';') {
            return i;
        }
    }
    return bytes;
}

static bool send_statement(struct pipe *pipe)
{
    struct part *part = pipe->dump.part;
    bool is_insert = pipe->bytes > 7 && memcmp(pipe->statement, "INSERT ", 7) == 0;
    size_t bytes = pipe->bytes;
    if (!append(pipe, "", 1))
        return part_fail_error(part, &no_memory);
    pipe->bytes = 0;
    return (is_insert ? part_insert(part, pipe->statement, bytes) : part_query(part, pipe->statement)) ||
           part_fail(part);
}

/* One piece of the dump, as it came through the pipe: maybe the end of one statement and the start of others. */
static bool take_piece(struct pipe *pipe, const char *text, size_t bytes)
{
    while (bytes > 0) {
        if (pipe->bytes == 0 && *text == '\n') {
            text++;
            bytes--;
            continue;
        }
        size_t head = to_semicolon(pipe, text, bytes);
        if (!append(pipe, text, head))
            return part_fail_error(pipe->dump.part, &no_memory);
        if (head == bytes)
            return true;
        if (!send_statement(pipe))
            return false;
        text += head + 1;
        bytes -= head + 1;
    }
    return true;
}

bool dump_run(struct part *part)
{
    struct pipe pipe = {.dump = {.part = part}};
    char *piece = malloc(PIPE_BYTES);
    bool end = false, good = piece != NULL;
    while (good && part_goes_on(part)) {
        struct dump *dump = &pipe.dump;
        if (dump->left == 0) {
            good = write_next(dump, &end);
            if (!good || end)
                break;
        }
        size_t bytes = dump->left < PIPE_BYTES ? dump->left : PIPE_BYTES;
        memcpy(piece, dump->text, bytes);
        dump->text += bytes;
        dump->left -= bytes;
        good = take_piece(&pipe, piece, bytes);
    }
    histogram_merge(&part->transactions.latency, &part->statements.latency);
    free(piece);
    free(pipe.statement);
    return good && end;
}
