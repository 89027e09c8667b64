#include "reconcile/align.h"

#include "core/relevance.h"
#include "core/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 4 /* a job that two tools can both say is found in two */

/* Says the job in the tool's words, and what the tool makes of them. */
static bool say(const struct dialect *dialect, enum action action, const struct job *job, struct command *out,
                struct job *back, struct error *error)
{
    struct invocation *from = calloc(1, sizeof *from), *again = calloc(1, sizeof *again);
    bool good = from && again;
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory");
    if (good) {
        from->action = action;
        from->job = *job;
        memset(out, 0, sizeof *out);
        good = dialect->write(from, job, out, error) &&
               (dialect->read_back ? dialect->read_back(out, again, error)
                                   : dialect->parse(out->argc, out->argv, stdout, again, error));
    }
    if (good)
        *back = again->job;
    if (again)
        invocation_free(again);
    free(from);
    free(again);
    return good;
}

/* Where the files are, and how they are made before the run, is no part of the run. */
static bool is_place(const struct setting *setting)
{
    static const char *const names[] = {"target", "dir", "file_name", "seed", "fill"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], setting->name) == 0)
            return true;
    return strcmp(setting->group, "reading") == 0;
}

static bool is_near(const struct job *a, const struct job *b, const struct setting *setting)
{
    double left, right;
    if (setting->type != SETTING_REAL)
        return false;
    memcpy(&left, (const char *)a + setting->offset, sizeof left);
    memcpy(&right, (const char *)b + setting->offset, sizeof right);
    return fabs(left - right) <= 1e-6 * fabs(left);
}

/* The settings in which two jobs are different tests, as words. Returns how many. */
static size_t list_rest(const struct job *a, const struct job *b, char *out, size_t out_bytes)
{
    size_t count = 0, used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < settings_count; i++) {
        const struct setting *setting = &settings[i];
        if (!setting_concerns(setting, a->work) || is_place(setting) || setting_equal(a, b, setting) ||
            is_near(a, b, setting) || (!setting_matters(setting, a) && !setting_matters(setting, b)))
            continue;
        if (used < out_bytes)
            used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", count ? ", " : "", setting->name);
        count++;
    }
    return count;
}

/* A name that a page mangled, or a device of the other machine, is no place to run: a file of the size instead. */
static void neutral_place(struct job *job)
{
    uint64_t each = job->total_size_bytes;
    if (job->work != WORK_FILES || job->target[0] == '\0')
        return;
    if (strchr(job->target, ',') || each == 0)
        return;                                               /* several, or all of a device: kept as they are */
    snprintf(job->target, sizeof job->target, "test_file.0"); /* a set of one file has it too */
}

static const struct dialect *writer_of(const struct side *side, const struct dialect *native)
{
    const struct dialect *dialect =
        strcmp(side->runs[0]->tool, native->name) == 0 ? native : dialect_find(side->runs[0]->tool);
    return dialect && dialect->write ? dialect : NULL;
}

static void align_tools(struct alignment *out, const struct dialect *a, const struct dialect *b, struct job *job)
{
    struct job left, right;
    struct error error = ERROR_INIT;
    for (int round = 0; round < ROUNDS && !out->found; round++) {
        if (!say(a, ACTION_RUN, job, &out->a, &left, &error) || !say(b, ACTION_RUN, &left, &out->b, &right, &error)) {
            snprintf(out->rest, sizeof out->rest, "%.500s", error.text);
            return;
        }
        out->found = list_rest(&left, &right, out->rest, sizeof out->rest) == 0;
        *job = right;
    }
}

/* Settings that mean nothing to the job do not stand in its command line. */
static void drop_idle_settings(struct job *job)
{
    struct job standard;
    job_init(&standard);
    for (size_t i = 0; i < settings_count; i++)
        if (!setting_matters(&settings[i], job) || strcmp(settings[i].group, "reading") == 0)
            memcpy((char *)job + settings[i].offset, (const char *)&standard + settings[i].offset, settings[i].bytes);
}

/* What prepare needs. */
static void keep_files_alone(struct job *job)
{
    struct job standard;
    job_init(&standard);
    for (size_t i = 0; i < settings_count; i++)
        if (strcmp(settings[i].group, "target") != 0 && strcmp(settings[i].name, "work") != 0)
            memcpy((char *)job + settings[i].offset, (const char *)&standard + settings[i].offset, settings[i].bytes);
    job->fill = FILL_WRITTEN;
}

struct alignment *alignment_make(const struct side *a, const struct side *b, const struct dialect *native,
                                 struct error *error)
{
    struct alignment *out = calloc(1, sizeof *out);
    const struct dialect *left = writer_of(a, native), *right = writer_of(b, native);
    struct job job = *a->job, back;
    struct error ignored = ERROR_INIT;
    if (!out) {
        error_set(error, ERR_SYSTEM, "not enough memory for the command lines");
        return NULL;
    }
    if (a->job->work != b->job->work) {
        snprintf(out->rest, sizeof out->rest, "one loads files and the other a database");
        return out;
    }
    if (job.work == WORK_FILES && job.mode == MODE_UNSET)
        job.mode = b->job->mode;
    neutral_place(&job);
    if (left && right)
        align_tools(out, left, right, &job);
    else
        snprintf(out->rest, sizeof out->rest, "no command line can be written for %s",
                 left ? b->runs[0]->tool : a->runs[0]->tool);
    drop_idle_settings(&job);
    say(native, ACTION_RUN, &job, &out->native, &back, &ignored);
    keep_files_alone(&job);
    out->prepares = a->job->fill != b->job->fill && job.work == WORK_FILES && job.target[0] == '\0' &&
                    say(native, ACTION_PREPARE, &job, &out->prepare, &back, &ignored);
    return out;
}
