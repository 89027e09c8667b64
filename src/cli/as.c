#include "cli/as.h"

#include "cli/native.h"
#include "core/relevance.h"
#include "core/settings.h"
#include "platform/path.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words that every tool takes -------------------------------------------------------------------------------- */

static bool take_as(struct extras *extras, int argc, char *const *argv, int *at, bool *taken, struct error *error)
{
    const char *word = argv[*at];
    *taken = strcmp(word, "--as") == 0 || strncmp(word, "--as=", 5) == 0;
    if (!*taken)
        return true;
    extras->as = word[4] == '=' ? word + 5 : *at + 1 < argc ? argv[++*at] : "";
    return *extras->as || error_set(error, ERR_USAGE, "--as: name the tool, such as --as sqlio");
}

static bool take_json(struct extras *extras, const char *word, bool *taken, struct error *error)
{
    *taken = strncmp(word, "--json=", 7) == 0;
    if (!*taken)
        return true;
    extras->json = word + 7;
    if (*extras->json && strlen(extras->json) < TEXT_MAX)
        return true;
    return error_set(error, ERR_USAGE, "%.60s is not valid: it must be a file's name, or - for stdout", word);
}

bool extras_take(struct extras *extras, bool all, int *argc, char *const *argv, char **words, struct error *error)
{
    int kept = 0;
    memset(extras, 0, sizeof(*extras));
    for (int i = 0; i < *argc; ++i) {
        char *word = argv[i];
        bool taken = false;
        if (!take_as(extras, *argc, argv, &i, &taken, error) ||
            (all && !taken && !take_json(extras, word, &taken, error)))
            return false;
        if (all && strcmp(word, "--show-job") == 0)
            taken = extras->show_job = true;
        if (!taken)
            words[kept++] = word;
    }
    *argc = kept;
    return true;
}

/* ---- another tool's words ------------------------------------------------------------------------------------------
 */

/* From one tool to another: the job, and what the written line makes of it. */
struct carrying {
    const struct dialect *to;
    const struct invocation *from, *back;
    const struct job *job;
    FILE *out;
};

static const struct dialect *find_tool(const char *name, struct error *error)
{
    char names[512] = "isobench";
    if (strcmp(name, native_dialect.name) == 0)
        return &native_dialect;
    const struct dialect *dialect = dialect_find(name);
    if (dialect && dialect->write)
        return dialect;
    for (size_t i = 0, used = strlen(names); dialects[i] && used < sizeof(names); ++i)
        if (dialects[i]->write)
            used += (size_t)snprintf(names + used, sizeof(names) - used, ", %s", dialects[i]->name);
    error_set(error, ERR_USAGE, "--as %s: no command line can be written for that; one of %s", name, names);
    return NULL;
}

/* The one file that a job loads; "" when there are more. */
static void only_file(const struct job *job, char out[PATH_BYTES])
{
    char name[NAME_MAX_BYTES + 4];
    struct error ignored = ERROR_INIT; /* a path too long is none of them */
    out[0] = '\0';
    if (job->target[0] && !strchr(job->target, ','))
        snprintf(out, PATH_BYTES, "%s", job->target);
    snprintf(name, sizeof(name), "%s.0", job->file_name);
    if (!job->target[0] && job->files == 1)
        path_join(out, job->dir, name, &ignored);
}

static bool is_about_files(const struct setting *setting)
{
    static const char *const names[] = {"target", "dir", "file_name", "files"};
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        if (strcmp(names[i], setting->name) == 0)
            return true;
    return false;
}

/* A set of one file and a target of that name are the same. */
static bool same_files(const struct job *a, const struct job *b)
{
    char left[PATH_BYTES], right[PATH_BYTES];
    only_file(a, left);
    only_file(b, right);
    return left[0] && strcmp(left, right) == 0;
}

/* A share of reads that went through a ratio differs in its last digits. */
static bool is_near(const struct setting *setting, const struct job *a, const struct job *b)
{
    double left, right;
    if (setting->type != SETTING_REAL)
        return false;
    memcpy(&left, (const char *)a + setting->offset, sizeof(left));
    memcpy(&right, (const char *)b + setting->offset, sizeof(right));
    return fabs(left - right) <= 1e-6 * fabs(left);
}

static bool is_kept(const struct carrying *carrying, const struct setting *setting)
{
    const struct job *before = carrying->job, *after = &carrying->back->job;
    if (setting_equal(before, after, setting) || is_near(setting, before, after))
        return true;
    if (!setting_matters(setting, before) && !setting_matters(setting, after))
        return true;
    return is_about_files(setting) && same_files(before, after);
}

/* A set of files stands where a target would. */
static void value_text(const struct job *job, const struct setting *setting, char *out, size_t out_bytes)
{
    char path[PATH_BYTES];
    job_get(job, setting, out, out_bytes);
    if (out[0])
        return;
    bool set = strcmp(setting->name, "target") == 0;
    only_file(job, path);
    snprintf(out, out_bytes, "%.2000s", !set ? "empty" : path[0] ? path : "a set of files");
}

static void note_settings(const struct carrying *carrying)
{
    for (size_t i = 0; i < settings_count; ++i) {
        char before[TEXT_MAX], after[TEXT_MAX];
        if (is_kept(carrying, &settings[i]))
            continue;
        value_text(carrying->job, &settings[i], before, sizeof(before));
        value_text(&carrying->back->job, &settings[i], after, sizeof(after));
        fprintf(carrying->out, "# note: %s is %s, which %s cannot say: there it is %s\n", settings[i].name, before,
                carrying->to->name, after);
    }
}

/* What an invocation does beside the job. */
static void note_rest(const struct carrying *carrying)
{
    const struct invocation *from = carrying->from, *back = carrying->back;
    if ((from->extend_bytes > 0 || from->lay_out) && back->extend_bytes == 0 && !back->lay_out)
        fprintf(carrying->out, "# note: files that are not there or too short are not made by %s in a run\n",
                carrying->to->name);
    if (from->may_start_warm && back->job.drop_cache && !back->may_start_warm)
        fprintf(carrying->out, "# note: where the system cannot drop its cache, %s does not run\n", carrying->to->name);
}

static bool read_back(const struct dialect *to, const struct command *command, struct invocation *back,
                      struct error *error)
{
    struct error inner = ERROR_INIT;
    bool good = to->read_back ? to->read_back(command, back, &inner)
                              : to->parse(command->argc, command->argv, stdout, back, &inner);
    return good || error_set(error, ERR_UNSUPPORTED, "%s cannot say this load: %s", to->name, inner.text);
}

static bool print_job(struct carrying *carrying, struct error *error)
{
    const struct dialect *to = carrying->to;
    struct command *command = calloc(1, sizeof(*command));
    struct invocation *back = calloc(1, sizeof(*back));
    bool good = command && back;
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory");
    good = good && to->write(carrying->from, carrying->job, command, error) && read_back(to, command, back, error);
    if (good) {
        carrying->back = back;
        command_print(command, to->name, carrying->out);
        note_settings(carrying);
        note_rest(carrying);
    }
    if (back)
        invocation_free(back);
    free(back);
    free(command);
    return good;
}

/* Their lines are of one tool each, and none says that the others run beside it. */
static void note_together(const struct carrying *carrying)
{
    if (carrying->from->together && !carrying->from->waits)
        fprintf(carrying->out, "# note: these %zu lines are one load: start them at the same time\n",
                carrying->from->further_count + 1);
}

bool as_print(const char *tool, const struct invocation *from, FILE *out, struct error *error)
{
    struct carrying carrying = {find_tool(tool, error), from, NULL, &from->job, out};
    if (!carrying.to || !print_job(&carrying, error))
        return false;
    for (size_t i = 0; i < from->further_count; ++i) {
        carrying.job = &from->further[i];
        if (!print_job(&carrying, error))
            return false;
    }
    note_together(&carrying);
    return true;
}
