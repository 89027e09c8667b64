#include "cli/side_job.h"

#include "cli/native.h"
#include "cli/reconcile.h"
#include "core/dialect.h"
#include "core/reading.h"
#include "core/result_json.h"
#include "platform/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 512

/* ---- command lines ---- */

/* "isobench sysbench …", "isobench fileio …", "/usr/bin/sysbench …"; skips what names the tool. */
static const struct dialect *take_tool(char **words, size_t count, size_t *skip)
{
    char name[NAME_MAX_BYTES];
    *skip = 0;
    if (count == 0)
        return NULL;
    path_program_name(words[0], name, sizeof name);
    if (strcmp(name, native_dialect.name) == 0 && count > 1)
        path_program_name(words[++*skip], name, sizeof name);
    if (native_takes(name))
        return &native_dialect;
    ++*skip;
    return dialect_find(name);
}

static bool parse_line(const char *text, struct side_job *out, bool *taken, struct error *error)
{
    char *copy = malloc(strlen(text) + 1), *words[WORDS_MAX];
    struct invocation *invocation = calloc(1, sizeof *invocation);
    size_t skip = 0, count;
    bool good = copy && invocation;
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory");
    if (good) {
        strcpy(copy, text);
        count = transcript_split(copy, words, WORDS_MAX);
        const struct dialect *dialect = take_tool(words, count, &skip);
        *taken = dialect != NULL;
        good = dialect && dialect->parse((int)(count - skip), words + skip, stdout, invocation, error);
        if (good && invocation->action != ACTION_RUN)
            good = error_set(error, ERR_USAGE, "%.200s: it runs nothing; give the command line of a run", text);
        if (good) {
            out->job = invocation->job;
            out->password = invocation->password;
            invocation->password = NULL;
        }
        invocation_free(invocation);
    }
    free(invocation);
    free(copy);
    return good;
}

/* ---- files ---- */

/* A job has settings at its top, a result has them in `job`. */
static bool read_job_file(const char *path, struct job *out, bool *taken, struct error *error)
{
    char *text = NULL;
    if (!path_read_text(path, TRANSCRIPT_BYTES_MAX, &text, NULL, error))
        return false;
    *taken = text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"mode\"") && !strstr(text, "\"isobench\"") &&
             !strstr(text, "\"jobs\"");
    bool good = *taken && job_from_json(text, path, out, error);
    free(text);
    return good;
}

static bool read_file(const char *path, struct job *out, struct error *error)
{
    struct readings readings = {0};
    bool taken = false, good = read_job_file(path, out, &taken, error);
    if (good || taken || error->kind != ERR_NONE)
        return good;
    good = reconcile_read_file(path, 0, &readings, error);
    if (good)
        *out = readings.items[0]->job;
    readings_free(&readings);
    return good;
}

bool side_job_read(const char *text, struct side_job *out, struct error *error)
{
    enum path_kind kind = PATH_ABSENT;
    struct error ignored = ERROR_INIT;
    bool taken = false;
    memset(out, 0, sizeof *out);
    if (strlen(text) < PATH_BYTES && path_look(text, &kind, NULL, &ignored) && kind == PATH_FILE)
        return read_file(text, &out->job, error);
    if (parse_line(text, out, &taken, error))
        return true;
    if (!taken)
        error_set(
            error, ERR_USAGE,
            "%.200s: neither a file nor a command line that begins with a tool's name (isobench fileio, sysbench, "
            "sqlio …)",
            text);
    return false;
}

void side_job_free(struct side_job *side)
{
    if (side->password)
        memset(side->password, 0, strlen(side->password));
    free(side->password);
    side->password = NULL;
}
