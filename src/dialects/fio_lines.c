/* fio_lines.c: a job file is sections of keys and values. ';' and '#' begin a comment anywhere in a line. ${NAME} is
 * the environment's. */
#include "dialects/fio.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 4096
#define BLANKS " \t\r\f\v"

const char *fio_place(const char *file, uint32_t line, char *out, size_t out_bytes)
{
    if (file)
        snprintf(out, out_bytes, "%.300s:%" PRIu32, file, line);
    else
        snprintf(out, out_bytes, "the command line");
    return out;
}

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory for the job file");
}

/* ---- the lists ---- */

static bool grow(void **list, size_t *room, size_t count, size_t item_bytes, struct error *error)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? *room * 2 : 32;
    void *grown = realloc(*list, wanted * item_bytes);
    if (!grown)
        return out_of_memory(error);
    *list = grown;
    *room = wanted;
    return true;
}

bool fio_lines_add_section(struct fio_lines *lines, const struct fio_section *section, struct error *error)
{
    void *list = lines->sections;
    bool good = grow(&list, &lines->sections_room, lines->sections_count, sizeof(*section), error);
    lines->sections = list;
    if (good)
        lines->sections[lines->sections_count++] = *section;
    return good;
}

bool fio_lines_add(struct fio_lines *lines, const struct fio_line *line, struct error *error)
{
    void *list = lines->lines;
    if (lines->count == FIO_LINES_MAX)
        return error_set(error, ERR_USAGE, "%s=: more than %d keys in all", line->key, FIO_LINES_MAX);
    bool good = grow(&list, &lines->room, lines->count, sizeof(*line), error);
    lines->lines = list;
    if (!good)
        return false;
    lines->lines[lines->count] = *line;
    lines->lines[lines->count++].section = (uint32_t)(lines->sections_count - 1);
    return true;
}

char *fio_lines_keep(struct fio_lines *lines, const char *text, size_t bytes)
{
    char **texts = realloc(lines->texts, (lines->texts_count + 1) * sizeof(*texts));
    char *copy = texts ? malloc(bytes + 1) : NULL;
    if (texts)
        lines->texts = texts;
    if (!copy)
        return NULL;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    texts[lines->texts_count++] = copy;
    return copy;
}

void fio_lines_free(struct fio_lines *lines)
{
    for (size_t i = 0; i < lines->texts_count; ++i)
        free(lines->texts[i]);
    free(lines->texts);
    free(lines->lines);
    free(lines->sections);
    memset(lines, 0, sizeof(*lines));
}

/* ---- one line ---- */

struct place {
    struct fio_lines *lines;
    const char *file, *only;
    uint32_t line;
    bool skipped, begun; /* the section is not asked for; a section has begun */
    struct error *error;
};

static bool refuse(const struct place *place, const char *what)
{
    char where[512];
    return error_set(place->error, ERR_USAGE, "%s: %s", fio_place(place->file, place->line, where, sizeof(where)),
                     what);
}

static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Is the name in "a,b"? */
static bool is_asked_for(const char *only, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = only; at && *at; at += *at == ',') {
        size_t item = strcspn(at, ",");
        if (item == length && strncmp(at, name, length) == 0)
            return true;
        at += item;
    }
    return only == NULL;
}

static bool begin_section(struct place *place, char *text)
{
    char *end = strchr(text, ']');
    if (!end || trim(end + 1)[0])
        return refuse(place, "a section is a line such as [name], with nothing behind it");
    *end = '\0';
    bool global = strcmp(text + 1, "global") == 0;
    struct fio_section section = {text + 1, global, false, place->file, place->line};
    if (text[1] == '\0')
        return refuse(place, "the section has no name");
    place->begun = true;
    place->skipped = !global && !is_asked_for(place->only, section.name);
    return place->skipped || fio_lines_add_section(place->lines, &section, place->error);
}

/* The value of the ${NAME} at `at`; *length is how long that is in the line. NULL, with the error, when there is none.
 */
static const char *variable_at(const struct place *place, const char *at, size_t *length)
{
    char name[128], what[256];
    size_t bytes = strcspn(at + 2, "}");
    snprintf(name, sizeof(name), "%.*s", bytes < sizeof(name) ? (int)bytes : 0, at + 2);
    const char *value = at[2 + bytes] == '}' && name[0] ? getenv(name) : NULL;
    *length = bytes + 3;
    if (value)
        return value;
    snprintf(what, sizeof(what), "${%.120s}: the environment has no such variable", name);
    refuse(place, what);
    return NULL;
}

/* *text becomes a copy with the variables' values, if it has any. */
static bool expand(const struct place *place, char **text)
{
    struct fio_text out = {0};
    if (!strstr(*text, "${"))
        return true;
    for (const char *at = *text; *at && out.used < VALUE_MAX;) {
        size_t length = at[0] == '$' && at[1] == '{' ? 0 : strcspn(at + 1, "$") + 1;
        const char *value = length ? NULL : variable_at(place, at, &length);
        if (value) {
            fio_text_add(&out, "%s", value);
        } else if (place->error->kind == ERR_NONE) {
            fio_text_add(&out, "%.*s", (int)length, at);
        } else {
            free(out.text);
            return false;
        }
        at += length;
    }
    bool fits = out.used < VALUE_MAX;
    *text = out.text && !out.failed ? fio_lines_keep(place->lines, out.text, out.used) : NULL;
    free(out.text);
    if (!fits)
        return refuse(place, "the line is too long with its variables");
    return *text ? true : out_of_memory(place->error);
}

static bool take_pair(const struct place *place, char *text)
{
    if (!place->begun)
        return refuse(place, "keys belong to a section: begin with [global] or the job's name in []");
    if (place->skipped)
        return true;
    if (strncmp(text, "include", 7) == 0 && strchr(BLANKS, text[7]))
        return refuse(place, "include is not supported: name all job files on the command line");
    if (!expand(place, &text))
        return false;
    char *equals = strchr(text, '=');
    struct fio_line line = {.file = place->file, .line = place->line, .value = equals ? trim(equals + 1) : NULL};
    if (equals)
        *equals = '\0';
    line.key = trim(text);
    return line.key[0] ? fio_lines_add(place->lines, &line, place->error)
                       : refuse(place, "'=' without a key before it");
}

static bool take_line(struct place *place, char *text)
{
    text[strcspn(text, ";#")] = '\0';
    text = trim(text);
    if (*text == '\0')
        return true;
    return *text == '[' ? begin_section(place, text) : take_pair(place, text);
}

static bool take_all(struct place *place, char *text)
{
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) /* an editor's mark of UTF-8 */
        text += 3;
    while (text) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        ++place->line;
        if (!take_line(place, text))
            return false;
        text = end ? end + 1 : NULL;
    }
    return true;
}

bool fio_lines_read(struct fio_lines *lines, const char *file, char *text, const char *only, struct error *error)
{
    struct place place = {lines, file, only, 0, false, false, error};
    size_t before = lines->sections_count;
    char *kept = fio_lines_keep(lines, text, strlen(text));
    free(text);
    if (!kept)
        return out_of_memory(error);
    if (!take_all(&place, kept))
        return false;
    for (size_t i = before; i < lines->sections_count; ++i)
        if (!lines->sections[i].global) {
            lines->sections[i].first = true;
            break;
        }
    return true;
}
