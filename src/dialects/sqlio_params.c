#include "dialects/sqlio.h"

#include <inttypes.h>
#include <string.h>

#define SIZE_MB_MAX (UINT64_C(1) << 40)
#define FIELDS 4

static const char *const field_names[FIELDS] = {"file", "threads", "mask", "size in MB"};

/* "line 3 of param.txt: threads 0", for errors. */
static char *shown(const struct sqlio_given *given, const struct sqlio_pool *pool, int field, const char *text,
                   char *out, size_t out_bytes)
{
    snprintf(out, out_bytes, "line %" PRIu32 " of %.200s: %s %.80s", pool->line, given->param_path, field_names[field],
             text);
    return out;
}

/* Cuts the line at its blanks. FIELDS + 1 when there are more. */
static int split(char *line, char *fields[FIELDS])
{
    int count = 0;
    for (char *at = line + strspn(line, " \t\r"); *at && count <= FIELDS; ++count) {
        if (count < FIELDS)
            fields[count] = at;
        at += strcspn(at, " \t\r");
        if (*at)
            *at++ = '\0';
        at += strspn(at, " \t\r");
    }
    return count;
}

static bool fill_pool(const struct sqlio_given *given, struct sqlio_pool *pool, char *const *fields, int count,
                      struct error *error)
{
    char where[512];
    if (count < 2 || count > FIELDS)
        return error_set(error, ERR_USAGE,
                         "line %" PRIu32 " of %s is not valid: it must be a file, its threads, and if need be a mask "
                         "of CPUs and a size in MB",
                         pool->line, given->param_path);
    pool->path = fields[0];
    return sqlio_number(shown(given, pool, 1, fields[1], where, sizeof(where)), fields[1], 1, SQLIO_THREADS_MAX,
                        &pool->threads, error) &&
           (count < 3 ||
            sqlio_mask(shown(given, pool, 2, fields[2], where, sizeof(where)), fields[2], &pool->mask, error)) &&
           (count < 4 || sqlio_number(shown(given, pool, 3, fields[3], where, sizeof(where)), fields[3], 1, SIZE_MB_MAX,
                                      &pool->size_mb, error));
}

static bool take_line(struct sqlio_given *given, char *line, uint32_t number, struct error *error)
{
    char *fields[FIELDS] = {NULL};
    struct sqlio_pool pool = {.line = number};
    if (*line == '#')
        return true;
    int count = split(line, fields);
    if (count == 0 || fields[0][0] == '#')
        return true;
    if (given->pool_count == SQLIO_FILES_MAX)
        return error_set(error, ERR_USAGE, "line %" PRIu32 " of %s: more than %d files", number, given->param_path,
                         SQLIO_FILES_MAX);
    if (!fill_pool(given, &pool, fields, count, error))
        return false;
    given->pools[given->pool_count++] = pool;
    return true;
}

bool sqlio_params_read(struct sqlio_given *given, struct error *error)
{
    uint32_t number = 0;
    char *line = given->param_text;
    if (strncmp(line, "\xEF\xBB\xBF", 3) == 0) /* an editor's mark of UTF-8 */
        line += 3;
    while (line) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!take_line(given, line, ++number, error))
            return false;
        line = end ? end + 1 : NULL;
    }
    if (given->pool_count > 0)
        return true;
    return error_set(error, ERR_USAGE, "%s names no file: a line is a file, its threads, a mask and a size in MB",
                     given->param_path);
}
