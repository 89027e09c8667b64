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

static void take_metrics(struct extras *extras, const char *word, bool *taken)
{
    static const char option[] = "--openmetrics=";
    if (strncmp(word, option, sizeof(option) - 1) != 0)
        return;
    *taken = true;
    extras->metrics = word + sizeof(option) - 1;
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
        if (all)
            take_metrics(extras, word, &taken);
        if (!taken)
            words[kept++] = word;
    }
    *argc = kept;
    return true;
}

/* ---- another tool's words ------------------------------------------------------------------------------------------
 */

#define SHOWN_BYTES 100 /* of a value: lists of targets and percentiles are long */

/* From one tool to another: the job, and what the written line makes of it. */
struct carrying {
    const struct dialect *to;
    const struct invocation *from, *back;
    const struct job *job, *after;
    struct job sum; /* of clones that the line makes */
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

static bool is_kept(const struct job *before, const struct job *after, const struct setting *setting)
{
    if (setting_equal(before, after, setting) || is_near(setting, before, after))
        return true;
    if (!setting_matters(setting, before) && !setting_matters(setting, after))
        return true;
    return is_about_files(setting) && same_files(before, after);
}

static size_t count_lost(const struct job *before, const struct job *after)
{
    size_t count = 0;
    for (size_t i = 0; i < settings_count; ++i)
        count += !is_kept(before, after, &settings[i]);
    return count;
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

/* "…, which sqlio cannot say: there it is 1" */
static void note_setting(const struct carrying *carrying, const struct setting *setting)
{
    char before[TEXT_MAX], after[TEXT_MAX];
    value_text(carrying->job, setting, before, sizeof(before));
    value_text(carrying->after, setting, after, sizeof(after));
    fprintf(carrying->out, "# note: %s is %.*s%s, which %s cannot say", setting->name, SHOWN_BYTES, before,
            strlen(before) > SHOWN_BYTES ? "..." : "", carrying->to->name);
    if (setting_matters(setting, carrying->after) || is_about_files(setting))
        fprintf(carrying->out, ": there it is %.*s%s", SHOWN_BYTES, after, strlen(after) > SHOWN_BYTES ? "..." : "");
    fputc('\n', carrying->out);
}

static void note_settings(const struct carrying *carrying)
{
    for (size_t i = 0; i < settings_count; ++i)
        if (!is_kept(carrying->job, carrying->after, &settings[i]))
            note_setting(carrying, &settings[i]);
}

/* ---- what a line makes, where that is several jobs ---- */

/* Jobs that run together and differ in nothing but their seed, as fio's clones, are threads of one, unless each counts
 * passes or syncs of its own. */
static bool are_clones(const struct invocation *of)
{
    const struct job *job = &of->job;
    if (job->passes > 0 || job->sync_every > 0 || job->coverage != COVERAGE_ANY)
        return false;
    for (size_t i = 0; i < of->further_count; ++i) {
        if (of->waits && of->waits[i])
            return false;
        for (size_t s = 0; s < settings_count; ++s)
            if (strcmp(settings[s].name, "seed") != 0 && !setting_equal(job, &of->further[i], &settings[s]))
                return false;
    }
    return of->further_count > 0 && of->together;
}

static struct job sum_of_clones(const struct invocation *of)
{
    struct job sum = of->job;
    size_t count = of->further_count + 1;
    sum.threads *= count;
    sum.events *= count;
    sum.rate *= (double)count;
    return sum;
}

/* The run that is nearest to the job, from 0. */
static size_t nearest_run(const struct carrying *carrying)
{
    size_t nearest = 0, least = count_lost(carrying->job, &carrying->back->job);
    for (size_t i = 0; i < carrying->back->further_count; ++i) {
        size_t lost = count_lost(carrying->job, &carrying->back->further[i]);
        if (lost >= least)
            continue;
        nearest = i + 1;
        least = lost;
    }
    return nearest;
}

static void note_run(const struct carrying *carrying, size_t run)
{
    size_t count = carrying->back->further_count + 1;
    if (carrying->back->together)
        fprintf(carrying->out,
                "# note: %s makes %zu jobs of this line, which run together: what follows is of job %zu\n",
                carrying->to->name, count, run + 1);
    else
        fprintf(carrying->out, "# note: %s makes %zu runs of this line: this load is run %zu\n", carrying->to->name,
                count, run + 1);
}

/* Notes what the line makes of the job. */
static void note_job(struct carrying *carrying)
{
    const struct invocation *back = carrying->back;
    carrying->after = &back->job;
    if (are_clones(back)) {
        carrying->sum = sum_of_clones(back);
        carrying->after = &carrying->sum;
    } else if (back->further_count > 0) {
        size_t run = nearest_run(carrying);
        carrying->after = run > 0 ? &back->further[run - 1] : &back->job;
        note_run(carrying, run);
    }
    note_settings(carrying);
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
        note_job(carrying);
        note_rest(carrying);
    }
    if (back)
        invocation_free(back);
    free(back);
    free(command);
    return good;
}

/* Lines `first` to `last`, from 1. Each is of one tool, and none says that the others run beside it. */
static void note_group(FILE *out, size_t first, size_t last, bool waits)
{
    char which[64];
    snprintf(which, sizeof(which), first == last ? "line %zu" : "lines %zu to %zu", first, last);
    if (first < last)
        fprintf(out, "# note: %s are one load: start them at the same time%s\n", which,
                waits ? ", when all before them have ended" : "");
    else if (waits)
        fprintf(out, "# note: %s begins when all before it have ended\n", which);
}

static void note_together(const struct carrying *carrying)
{
    const struct invocation *from = carrying->from;
    size_t first = 1;
    for (size_t line = 2; from->together && line <= from->further_count + 2; ++line) {
        bool ends = line == from->further_count + 2 || (from->waits && from->waits[line - 2]);
        if (!ends)
            continue;
        note_group(carrying->out, first, line - 1, first > 1);
        first = line;
    }
}

bool as_print(const char *tool, const struct invocation *from, FILE *out, struct error *error)
{
    if (from->scripts)
        return error_set(error, ERR_UNSUPPORTED,
                         "--as %s: these statements are mysqlslap's or your own, and no other "
                         "tool's command line can say them",
                         tool);
    bool clones = are_clones(from);
    struct job first = clones ? sum_of_clones(from) : from->job;
    struct carrying carrying = {.to = find_tool(tool, error), .from = from, .job = &first, .out = out};
    if (!carrying.to || !print_job(&carrying, error))
        return false;
    if (clones)
        return true;
    for (size_t i = 0; i < from->further_count; ++i) {
        carrying.job = &from->further[i];
        if (!print_job(&carrying, error))
            return false;
    }
    note_together(&carrying);
    return true;
}
