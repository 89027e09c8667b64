#include "cli/runs.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/json_file.h"
#include "cli/metrics.h"
#include "cli/repeat.h"
#include "cli/replicas_apart.h"
#include "cli/together.h"
#include "core/result_json.h"
#include "fileio/made.h"
#include "platform/process.h"
#include "platform/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOSE_BYTES (NAME_MAX_BYTES + 32)

struct runs_of_job {
    struct repeat repeat;
    struct spread *spreads;
    size_t spreads_count;
};

/* The codes of warnings that were printed. */
struct codes {
    char (*list)[NAME_MAX_BYTES];
    size_t count;
};

struct runs {
    const struct errand *errand;
    const struct invocation *invocation;
    struct runs_of_job *jobs;
    size_t count;
    struct codes warned; /* of invocation.warnings_once */
    struct made_files made;
    struct replicas_apart apart;
    struct errand own;   /* the errand, with what the runs share */
    struct watch *watch; /* of a series: Ctrl-C between two runs, and before all is tidied up; else NULL */
};

static const struct result *newest(const struct repeat *repeat)
{
    return repeat->count ? repeat->runs[repeat->count - 1] : NULL;
}

static bool has_figures(const struct runs_of_job *of)
{
    return of->repeat.count > 0 && newest(&of->repeat)->measured;
}

static bool is_silent(const struct runs *runs)
{
    return json_file_is_stdout(runs->invocation->json_path);
}

static bool any_forced(const struct runs *runs)
{
    bool forced = false;
    for (size_t i = 0; runs->jobs && i < runs->count; ++i) {
        const struct result *result = newest(&runs->jobs[i].repeat);
        forced = forced || (result && result->forced);
    }
    return forced;
}

/* ---- exit status ---- */

static int status_of(const struct invocation *invocation, const struct result *result, const struct error *error)
{
    if (result && result->forced && error->kind != ERR_INTERRUPTED)
        return invocation->forced_status;
    if (error->kind != ERR_NONE)
        return common_status(error, STATUS_FAILED);
    return result && result->partial ? STATUS_INTERRUPTED : STATUS_OK;
}

static int worse(const struct invocation *invocation, int a, int b)
{
    const int from_worst[] = {invocation->forced_status, STATUS_FAILED, STATUS_INTERRUPTED};
    for (size_t i = 0; i < COUNT_OF(from_worst); ++i) {
        if (from_worst[i] != STATUS_OK && (a == from_worst[i] || b == from_worst[i]))
            return from_worst[i];
    }
    return STATUS_OK;
}

/* ---- the files ---- */

/* "job 2 (randread): " */
static void whose_is(const struct runs *runs, size_t index, char whose[WHOSE_BYTES])
{
    const char *name = invocation_name(runs->invocation, index);
    snprintf(whose, WHOSE_BYTES, "job %zu%s%.*s%s: ", index + 1, name[0] ? " (" : "", (int)NAME_MAX_BYTES, name,
             name[0] ? ")" : "");
}

/* One after the other, so that jobs of one set or target find what those before them made. */
static int lay_out(const struct runs *runs)
{
    char whose[WHOSE_BYTES];
    for (size_t i = 0; runs->invocation->lay_out && i < runs->count; ++i) {
        struct errand errand = *runs->errand;
        struct error error = ERROR_INIT;
        errand.job = invocation_job(runs->invocation, i);
        const struct engine *engine = engine_of(errand.job);
        if (!engine->lay_out || engine->lay_out(&errand, &error))
            continue;
        whose_is(runs, i, whose);
        common_print_error_of(runs->count > 1 ? whose : "", &error);
        return common_status(&error, STATUS_FAILED);
    }
    return STATUS_OK;
}

/* ---- one job ---- */

static bool has_code(const struct codes *codes, const char *code)
{
    for (size_t i = 0; i < codes->count; ++i)
        if (strcmp(codes->list[i], code) == 0)
            return true;
    return false;
}

/* False when it was there before. Where memory is short a warning comes twice. */
static bool add_code(struct codes *codes, const char *code)
{
    if (has_code(codes, code))
        return false;
    char(*more)[NAME_MAX_BYTES] = realloc(codes->list, (codes->count + 1) * sizeof(*more));
    if (!more)
        return true;
    codes->list = more;
    snprintf(more[codes->count++], NAME_MAX_BYTES, "%s", code);
    return true;
}

static void warn(struct runs *runs, const struct result *result)
{
    for (size_t i = 0; i < result->warnings_count; ++i)
        if (!runs->invocation->warnings_once || add_code(&runs->warned, result->warnings[i].code))
            common_print_warning("", &result->warnings[i]);
}

static void tell_run_done(const struct runs *runs, const struct result *result)
{
    const struct listener *listener = runs->errand->listener;
    if (result->measured && listener->run_done)
        listener->run_done(listener->context, result);
}

static bool warns_apart(const struct runs *runs)
{
    return runs->invocation->warnings_apart && !is_silent(runs);
}

static void announce(struct runs *runs, const struct result *result)
{
    tell_run_done(runs, result);
    if (runs->invocation->replicas_apart)
        replicas_apart_done(&runs->apart, result);
    if (warns_apart(runs))
        warn(runs, result);
}

/* What the runs of one job have in common. */
static bool report(const struct runs *runs, struct runs_of_job *of, struct error *error)
{
    const struct repeat *repeat = &of->repeat;
    of->spreads = spread_of_runs((const struct result *const *)repeat->runs, repeat->count, &of->spreads_count);
    if (!of->spreads)
        return error_set(error, ERR_SYSTEM, "not enough memory for the spread of the runs");
    if (repeat->count > 1 && !is_silent(runs) && !runs->invocation->own_spread)
        repeat_print(stdout, of->spreads, of->spreads_count, repeat->count);
    return true;
}

static void refuse_without_figures(struct error *error)
{
    error_set(error, ERR_SYSTEM, "ended in the warm-up: nothing was measured");
}

/* ---- one after the other ---- */

/* One run more; false when it is the last, for whatever reason. */
static bool run_once(struct runs *runs, size_t index, struct error *error)
{
    struct errand errand = *runs->errand;
    struct repeat *repeat = &runs->jobs[index].repeat;
    struct result *result = NULL;
    errand.job = invocation_job(runs->invocation, index);
    errand.listener = metrics_listener(errand.metrics, index, errand.listener);
    if (runs->invocation->replicas_apart)
        errand.listener = replicas_apart_listener(&runs->apart, runs->invocation, index, errand.listener);
    bool good = engine_of(errand.job)->run(&errand, &result, error);
    if (!result)
        return false;
    repeat->runs[repeat->count++] = result;
    announce(runs, result);
    return good && !result->partial;
}

static int run_job(struct runs *runs, size_t index)
{
    struct runs_of_job *of = &runs->jobs[index];
    struct error error = ERROR_INIT, report_error = ERROR_INIT;
    while (of->repeat.count < of->repeat.room && run_once(runs, index, &error))
        continue;
    if (has_figures(of))
        report(runs, of, &report_error);
    else if (of->repeat.count && error.kind == ERR_NONE)
        refuse_without_figures(&report_error);
    if (runs->invocation->reword)
        runs->invocation->reword(invocation_job(runs->invocation, index), &error);
    common_print_error(&error);
    common_print_error(&report_error);
    return status_of(runs->invocation, newest(&of->repeat), error.kind != ERR_NONE ? &error : &report_error);
}

/* What was printed and goes into no JSON: a series may have thousands of runs. */
static void forget(const struct runs *runs, struct runs_of_job *of)
{
    if (runs->invocation->json_path[0] || any_forced(runs))
        return;
    repeat_done(&of->repeat);
    free(of->spreads);
    *of = (struct runs_of_job){0};
}

/* Jobs from `first` on have run, and `end` is next. */
static int settle(const struct runs *runs, size_t first, size_t end)
{
    struct error error = ERROR_INIT;
    bool good = true;
    for (size_t i = first; good && i < end && end < runs->count && runs->invocation->settle_between; ++i) {
        struct errand errand = *runs->errand;
        errand.job = invocation_job(runs->invocation, i);
        const struct engine *engine = engine_of(errand.job);
        good = !engine->settle || engine->settle(&errand, &error);
    }
    common_print_error(&error);
    return good ? STATUS_OK : common_status(&error, STATUS_FAILED);
}

/* What comes between this run and the next. */
static int go_between(const struct runs *runs, size_t first, size_t end)
{
    int status = settle(runs, first, end);
    bool interrupted = runs->watch && end < runs->count && watch_wait(runs->watch, 0) == WATCH_INTERRUPTED;
    return status == STATUS_OK && interrupted ? STATUS_INTERRUPTED : status;
}

static int run_in_turn(struct runs *runs)
{
    int status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && !any_forced(runs) && i < runs->count; ++i) {
        status = run_job(runs, i);
        if (status == STATUS_OK && !any_forced(runs))
            status = go_between(runs, i, i + 1);
        forget(runs, &runs->jobs[i]);
    }
    return status;
}

/* ---- at the same time ---- */

static void take_over(struct runs *runs, size_t index, struct together *of)
{
    struct runs_of_job *job = &runs->jobs[index];
    if (of->result) {
        job->repeat.runs[job->repeat.count++] = of->result;
        tell_run_done(runs, of->result);
    }
    if (has_figures(job))
        report(runs, job, &of->error);
    else if (of->result && of->error.kind == ERR_NONE)
        refuse_without_figures(&of->error);
}

static void tell_runs_done(const struct runs *runs, size_t first, size_t count)
{
    const struct listener *listener = runs->errand->listener;
    const struct result **results = calloc(count + 1, sizeof(struct result *));
    size_t there = 0, measured = 0;
    for (size_t i = 0; results && i < count; ++i) {
        results[i] = newest(&runs->jobs[first + i].repeat);
        there += results[i] != NULL;
        measured += results[i] && results[i]->measured;
    }
    if (there == count && measured > 0 && listener->runs_done)
        listener->runs_done(listener->context, results, count);
    free((void *)results);
}

static bool has_warning(const struct runs *runs, size_t index, const char *code)
{
    const struct result *result = newest(&runs->jobs[index].repeat);
    for (size_t i = 0; result && i < result->warnings_count; ++i)
        if (strcmp(result->warnings[i].code, code) == 0)
            return true;
    return false;
}

/* Jobs that run together, clones above all, have much in common: each kind of warning comes once, with the first job
 * that has it and the number of the others. */
static void warn_group(const struct runs *runs, size_t first, size_t end)
{
    for (size_t job = first; job < end; ++job) {
        const struct result *result = newest(&runs->jobs[job].repeat);
        for (size_t i = 0; result && i < result->warnings_count; ++i) {
            char whose[WHOSE_BYTES], all[WHOSE_BYTES + 32];
            size_t before = 0, others = 0;
            for (size_t other = first; other < end; ++other) {
                bool has = other != job && has_warning(runs, other, result->warnings[i].code);
                before += has && other < job;
                others += has;
            }
            whose_is(runs, job, whose);
            whose[strlen(whose) - 2] = '\0';
            snprintf(all, sizeof(all), others ? "%s and %zu more: " : "%s: ", whose, others);
            if (before == 0)
                common_print_warning(all, &result->warnings[i]);
        }
    }
}

/* Of those that another one's failure ended, only that. */
static void print_errors(const struct runs *runs, size_t first, size_t count, const struct together *of)
{
    char whose[WHOSE_BYTES];
    size_t sent_home = 0;
    for (size_t i = 0; i < count; ++i) {
        whose_is(runs, first + i, whose);
        sent_home += of[i].sent_home;
        if (!of[i].sent_home)
            common_print_error_of(whose, &of[i].error);
    }
    if (sent_home > 0)
        fprintf(stderr, "isobench: that ended the other %s, which ran together with it\n",
                sent_home == 1 ? "job" : "jobs");
}

static int run_group(struct runs *runs, size_t first, size_t count, struct together *of)
{
    int status = STATUS_OK;
    together_run(runs->errand, first, count, of);
    for (size_t i = 0; i < count; ++i)
        take_over(runs, first + i, &of[i]);
    tell_runs_done(runs, first, count);
    if (warns_apart(runs))
        warn_group(runs, first, first + count);
    print_errors(runs, first, count, of);
    for (size_t i = 0; i < count; ++i)
        status = worse(runs->invocation, status,
                       status_of(runs->invocation, newest(&runs->jobs[first + i].repeat), &of[i].error));
    return status;
}

/* Where the next group begins: with a job that waits for those before it. */
static size_t end_of_group(const struct runs *runs, size_t first)
{
    const bool *waits = runs->invocation->waits; /* of the further jobs */
    size_t end = first + 1;
    while (end < runs->count && !(waits && waits[end - 1]))
        ++end;
    return end;
}

static bool refuse_repeats(const struct runs *runs, struct error *error)
{
    for (size_t i = 0; i < runs->count; ++i) {
        if (invocation_job(runs->invocation, i)->repeat > 1)
            return error_set(error, ERR_UNSUPPORTED,
                             "--repeat: jobs that run at the same time run once: repeat the whole command line, and "
                             "compare the results");
    }
    return true;
}

static int run_together(struct runs *runs, struct error *error)
{
    int status = STATUS_OK;
    if (!refuse_repeats(runs, error))
        return STATUS_FAILED;
    struct together *of = calloc(runs->count, sizeof(*of));
    if (!of) {
        error_set(error, ERR_SYSTEM, "not enough memory for jobs that run at the same time");
        return STATUS_FAILED;
    }
    for (size_t first = 0, end; status == STATUS_OK && !any_forced(runs) && first < runs->count; first = end) {
        end = end_of_group(runs, first);
        status = run_group(runs, first, end - first, of + first);
        if (status == STATUS_OK && !any_forced(runs))
            status = go_between(runs, first, end);
        for (size_t i = first; i < end; ++i)
            forget(runs, &runs->jobs[i]);
    }
    free(of);
    return status;
}

/* ---- JSON ---- */

/* Of the jobs that have figures. */
static size_t list_jobs(const struct runs *runs, struct job_runs *list)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->count; ++i) {
        const struct runs_of_job *of = &runs->jobs[i];
        if (has_figures(of))
            list[count++] = (struct job_runs){.number = (uint32_t)i + 1,
                                              .name = invocation_name(runs->invocation, i),
                                              .runs = (const struct result *const *)of->repeat.runs,
                                              .run_count = of->repeat.count,
                                              .spreads = of->spreads,
                                              .spread_count = of->spreads_count};
    }
    return count;
}

static bool put_json(const struct runs *runs, struct error *error)
{
    const char *path = runs->invocation->json_path;
    struct job_runs *list = calloc(runs->count, sizeof(*list));
    if (!list)
        return error_set(error, ERR_SYSTEM, "not enough memory for the JSON");
    size_t count = list_jobs(runs, list);
    bool good = true;
    if (count > 0 && runs->count == 1 && runs->jobs[0].repeat.room == 1)
        good = json_file_put(path, result_to_json(list[0].runs[0]), error);
    else if (count > 0)
        good = json_file_put(path, runs_to_json(list, count, runs->invocation->together), error);
    free(list);
    return good;
}

/* ---- all of it ---- */

static bool runs_make(struct runs *runs, const struct errand *errand, struct error *error)
{
    runs->own = *errand;
    runs->own.made = errand->invocation->remove_made ? &runs->made : NULL;
    runs->errand = &runs->own;
    runs->invocation = errand->invocation;
    runs->count = invocation_jobs(errand->invocation);
    runs->jobs = calloc(runs->count, sizeof(*runs->jobs));
    bool good = runs->jobs != NULL;
    for (size_t i = 0; good && i < runs->count; ++i)
        good = repeat_init(&runs->jobs[i].repeat, (size_t)invocation_job(runs->invocation, i)->repeat);
    if (!good)
        return error_set(error, ERR_SYSTEM, "not enough memory for --repeat");
    return (runs->count == 1 && !runs->own.made) || watch_make(&runs->watch, error);
}

static void runs_free(struct runs *runs)
{
    for (size_t i = 0; runs->jobs && i < runs->count; ++i) {
        repeat_done(&runs->jobs[i].repeat);
        free(runs->jobs[i].spreads);
    }
    free(runs->jobs);
    free(runs->warned.list);
    metrics_free(runs->own.metrics);
    made_files_done(&runs->made);
    watch_free(runs->watch);
}

/* Whatever came of the runs; but not where threads may still write to them. */
static bool remove_made(struct runs *runs, struct error *error)
{
    return any_forced(runs) || made_files_remove(&runs->made, &file_layer_system, error);
}

static bool tell_all_done(const struct errand *errand, struct error *error)
{
    const struct listener *listener = errand->listener;
    return !listener->all_done || listener->all_done(listener->context, error);
}

int runs_carry_out(const struct errand *errand)
{
    const struct invocation *invocation = errand->invocation;
    struct runs runs = {0};
    struct error error = ERROR_INIT, report_error = ERROR_INIT;
    int status = STATUS_FAILED;
    if (runs_make(&runs, errand, &error) && json_file_probe(invocation->json_path, &error) &&
        metrics_start(&runs.own.metrics, invocation, NULL, &error)) {
        status = lay_out(&runs);
        if (status == STATUS_OK)
            status = invocation->together ? run_together(&runs, &error) : run_in_turn(&runs);
        if (!metrics_stop(runs.own.metrics, &report_error) || !remove_made(&runs, &report_error))
            status = worse(invocation, status, STATUS_FAILED);
        common_print_error(&report_error);
        report_error = (struct error)ERROR_INIT;
        if (!tell_all_done(errand, &report_error) || (invocation->json_path[0] && !put_json(&runs, &report_error)))
            status = worse(invocation, status, STATUS_FAILED);
    }
    common_print_error(&error);
    common_print_error(&report_error);
    if (any_forced(&runs))
        process_exit_now(status); /* threads may hang in the system: nothing of theirs is freed */
    runs_free(&runs);
    return status;
}
