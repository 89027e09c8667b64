#include "cli/run_plan.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/engine.h"
#include "cli/native.h"
#include "core/result_json.h"
#include "core/units.h"
#include "plan/manifest.h"
#include "platform/path.h"
#include "platform/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct order {
    const char *plan, *out, *only, *dir, *tags[TAGS_MAX];
    size_t tag_count;
    bool dry_run, resume, keep_files, help;
};

struct suite {
    const struct order *order;
    struct plan plan;
    struct plan_run *runs;
    struct manifest manifest;
    struct invocation *invocation;
    struct clock clock;
    bool *made; /* layouts whose files or tables stand */
    uint64_t begun_ns;
    size_t done; /* in this call */
    bool interrupted;
};

static void print_help(void)
{
    puts("usage: isobench run PLAN --out=DIR [options]\n\n"
         "Runs every job of a plan (docs/plans.md; some ship in plans/), and leaves one JSON per run and " MANIFEST_NAME
         " in DIR.\n"
         "Files and tables are made once for all jobs that share them, and removed after the last of these.\n\n"
         "  --out=DIR\n      Where the results go; it is made if it is not there.\n"
         "  --dir=DIR\n      Where the test files are made: the volume that is measured, instead of what the plan "
         "says.\n"
         "  --only=GLOB\n      Only jobs whose name matches, with * and ?.\n"
         "  --tag=KEY=VALUE\n      Noted in the manifest; may be given several times.\n"
         "  --resume\n      Goes on with what a former call left undone in DIR.\n"
         "  --keep-files\n      Leaves files and tables.\n"
         "  --dry-run\n      Prints the command line of each run, in order, and runs nothing.\n"
         "  --help\n      Prints this.\n\n"
         "exit status: 0 done, 1 a run failed (the others were run all the same), 2 wrong command line or plan, 130 "
         "Ctrl-C");
}

/* ---- the command line ---- */

static bool take_tag(struct order *order, const char *value, struct error *error)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || equals - value >= NAME_MAX_BYTES)
        return error_set(error, ERR_USAGE, "--tag=%.60s: must be KEY=VALUE", value);
    if (order->tag_count == TAGS_MAX)
        return error_set(error, ERR_USAGE, "--tag=%.60s: is one tag too many; %d are taken", value, TAGS_MAX);
    order->tags[order->tag_count++] = value;
    return true;
}

static bool take_value(struct order *order, const char *word, bool *taken, struct error *error)
{
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"--out", &order->out}, {"--dir", &order->dir}, {"--only", &order->only}};
    const char *tag = common_value(word, "--tag");
    *taken = true;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const char *value = common_value(word, texts[i].name);
        if (!value)
            continue;
        *texts[i].text = value;
        return value[0] || error_set(error, ERR_USAGE, "%s=: its value is missing", texts[i].name);
    }
    if (tag)
        return take_tag(order, tag, error);
    *taken = false;
    return true;
}

static bool take_word(struct order *order, const char *word, struct error *error)
{
    const struct {
        const char *name;
        bool *on;
    } switches[] = {{"--dry-run", &order->dry_run},
                    {"--resume", &order->resume},
                    {"--keep-files", &order->keep_files},
                    {"--help", &order->help},
                    {"-h", &order->help}};
    bool taken = false;
    for (size_t i = 0; i < COUNT_OF(switches); i++)
        if (strcmp(word, switches[i].name) == 0)
            return *switches[i].on = true;
    if (!take_value(order, word, &taken, error) || taken)
        return taken && error->kind == ERR_NONE;
    if (strncmp(word, "--", 2) == 0)
        return error_set(error, ERR_USAGE, "%.60s: not an option of run; see `isobench run --help`", word);
    if (order->plan)
        return error_set(error, ERR_USAGE, "%.60s: one plan is enough", word);
    order->plan = word;
    return true;
}

static bool read_words(struct order *order, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc; i++)
        if (!take_word(order, argv[i], error))
            return false;
    if (order->help)
        return true;
    if (!order->plan)
        return error_set(error, ERR_USAGE, "run: name a plan file; see --help");
    return order->out || order->dry_run || error_set(error, ERR_USAGE, "run: --out=DIR says where the results go");
}

/* ---- files and tables ---- */

static const struct listener silent = {0};

static struct errand errand_of(struct suite *suite, const struct job *job)
{
    suite->invocation->job = *job;
    suite->invocation->action = ACTION_RUN;
    return (struct errand){
        .invocation = suite->invocation, .job = &suite->invocation->job, .listener = &silent, .clock = &suite->clock};
}

static bool is_made_before(const struct job *job)
{
    return job->work == WORK_DATABASE || job->target[0] == '\0';
}

static bool make_layout(struct suite *suite, const struct plan_job *job, struct error *error)
{
    struct errand errand = errand_of(suite, &job->job);
    if (suite->made[job->layout] || !is_made_before(&job->job))
        return true;
    suite->made[job->layout] = engine_of(&job->job)->prepare(&errand, error);
    return suite->made[job->layout];
}

static bool is_needed_later(const struct suite *suite, size_t run, size_t layout)
{
    for (size_t i = run + 1; i < suite->manifest.run_count; i++)
        if (suite->manifest.states[i] == RUN_OPEN && suite->plan.jobs[suite->runs[i].job].layout == layout)
            return true;
    return false;
}

static bool remove_layout(struct suite *suite, const struct plan_job *job, struct error *error)
{
    struct errand errand = errand_of(suite, &job->job);
    if (!suite->made[job->layout] || suite->order->keep_files)
        return true;
    suite->made[job->layout] = false;
    return engine_of(&job->job)->cleanup(&errand, error);
}

static void remove_all_layouts(struct suite *suite)
{
    for (size_t i = 0; i < suite->plan.job_count; i++) {
        struct error ignored = ERROR_INIT; /* what failed before is what matters */
        remove_layout(suite, &suite->plan.jobs[i], &ignored);
    }
}

/* ---- results ---- */

static bool write_manifest(struct suite *suite, struct error *error)
{
    char path[PATH_BYTES];
    char *text = manifest_to_json(&suite->manifest);
    if (!text)
        return error_set(error, ERR_SYSTEM, "not enough memory for the manifest");
    bool good =
        path_join(path, suite->order->out, MANIFEST_NAME, error) && path_write_text(path, text, strlen(text), error);
    free(text);
    return good;
}

static bool run_path(const struct suite *suite, size_t run, char out[PATH_BYTES], struct error *error)
{
    char file[RUN_FILE_BYTES];
    manifest_run_file(&suite->manifest, run, file);
    return path_join(out, suite->order->out, file, error);
}

static bool write_result(struct suite *suite, size_t run, const struct result *result, struct error *error)
{
    char path[PATH_BYTES];
    char *text = result_to_json(result);
    if (!text)
        return error_set(error, ERR_SYSTEM, "not enough memory for the result");
    bool good = run_path(suite, run, path, error) && path_write_text(path, text, strlen(text), error);
    free(text);
    return good;
}

/* Done before, by a call that this one resumes. */
static bool is_done(const struct suite *suite, size_t run)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    enum path_kind kind = PATH_ABSENT;
    return run_path(suite, run, path, &ignored) && path_look(path, &kind, NULL, &ignored) && kind == PATH_FILE;
}

/* ---- one run ---- */

static void show_start(const struct suite *suite, size_t run)
{
    const struct plan_job *job = &suite->plan.jobs[suite->runs[run].job];
    double left_s = plan_seconds(&suite->plan, suite->runs + run, suite->manifest.run_count - run);
    char left[32];
    printf("[%zu/%zu] %s, run %" PRIu64 " of %" PRIu64 "; about %s left\n", run + 1, suite->manifest.run_count,
           job->name, suite->runs[run].repetition, job->repeat, units_time_human(left_s * 1e9, left, sizeof left));
    fflush(stdout);
}

static void show_end(const struct result *result)
{
    bool is_files = result->job.work == WORK_FILES;
    const struct class_tally *reads = &result->total.of[CLASS_READ], *writes = &result->total.of[CLASS_WRITE],
                             *transactions = &result->total.of[CLASS_TRANSACTION];
    uint64_t count = is_files ? reads->latency.count + writes->latency.count : transactions->latency.count;
    double rate = result->load_ns ? (double)count * (double)NS_PER_S / (double)result->load_ns : 0;
    printf("    %.1f %s/s", rate, is_files ? "IO" : "transactions");
    if (is_files && result->load_ns)
        printf(", %.2f MiB/s",
               (double)(reads->bytes + writes->bytes) / 0x1p20 * (double)NS_PER_S / (double)result->load_ns);
    printf("%s\n", result->warnings_count ? "; it has warnings" : "");
    fflush(stdout);
}

/* The run itself. False with the error, which ends this run and not the others; Ctrl-C ends all. */
static bool run_job(struct suite *suite, size_t run, struct error *error)
{
    const struct plan_job *job = &suite->plan.jobs[suite->runs[run].job];
    struct result *result = NULL;
    if (!make_layout(suite, job, error))
        return false;
    struct errand errand = errand_of(suite, &job->job);
    bool good = engine_of(&job->job)->run(&errand, &result, error);
    if (good && result->partial) {
        suite->interrupted = true;
        good = error_set(error, ERR_INTERRUPTED, "interrupted; with --resume it goes on");
    }
    good = good && write_result(suite, run, result, error);
    if (good)
        show_end(result);
    result_free(result);
    return good;
}

static bool take_run(struct suite *suite, size_t run, bool *failed)
{
    struct error error = ERROR_INIT, cleaning = ERROR_INIT;
    const struct plan_job *job = &suite->plan.jobs[suite->runs[run].job];
    show_start(suite, run);
    bool good = run_job(suite, run, &error);
    suite->manifest.states[run] = good ? RUN_DONE : suite->interrupted ? RUN_OPEN : RUN_FAILED;
    if (!good)
        common_print_error_of(suite->interrupted ? "" : job->name, &error);
    *failed |= !good;
    if (!suite->interrupted && !is_needed_later(suite, run, job->layout) && !remove_layout(suite, job, &cleaning)) {
        common_print_error(&cleaning);
        *failed = true;
    }
    error = (struct error)ERROR_INIT;
    if (!write_manifest(suite, &error)) {
        common_print_error(&error);
        return false;
    }
    return !suite->interrupted;
}

/* ---- all ---- */

static bool dry_run(struct suite *suite, struct error *error)
{
    struct command *command = calloc(1, sizeof *command);
    bool good = command || error_set(error, ERR_SYSTEM, "not enough memory");
    for (size_t i = 0; good && i < suite->manifest.run_count; i++) {
        const struct plan_job *job = &suite->plan.jobs[suite->runs[i].job];
        struct errand errand = errand_of(suite, &job->job);
        memset(command, 0, sizeof *command);
        good = native_dialect.write(errand.invocation, errand.job, command, error);
        if (good) {
            printf("# %s, run %" PRIu64 "\n", job->name, suite->runs[i].repetition);
            command_print(command, "isobench", stdout);
        }
    }
    free(command);
    return good;
}

/* A folder with results of another plan, or of this one without --resume, is left as it is. */
static bool open_folder(struct suite *suite, struct error *error)
{
    char path[PATH_BYTES];
    char *text = NULL;
    enum path_kind kind;
    if (!path_make_directory(suite->order->out, error) || !path_join(path, suite->order->out, MANIFEST_NAME, error) ||
        !path_look(path, &kind, NULL, error))
        return false;
    if (kind == PATH_ABSENT)
        return true;
    if (!suite->order->resume)
        return error_set(error, ERR_USAGE, "--out=%s: it holds results already; --resume goes on with them",
                         suite->order->out);
    bool good =
        path_read_text(path, (size_t)64 << 20, &text, NULL, error) && manifest_is_of(text, path, &suite->plan, error);
    free(text);
    for (size_t i = 0; good && i < suite->manifest.run_count; i++)
        suite->manifest.states[i] = is_done(suite, i) ? RUN_DONE : RUN_OPEN;
    return good;
}

static void announce(const struct suite *suite)
{
    char time[32];
    size_t open = 0;
    for (size_t i = 0; i < suite->manifest.run_count; i++)
        open += suite->manifest.states[i] == RUN_OPEN;
    double seconds = plan_seconds(&suite->plan, suite->runs, suite->manifest.run_count);
    printf("%s: %zu jobs, %zu runs (%zu to do), %s of load and the making of files%s\n", suite->order->plan,
           suite->plan.job_count, suite->manifest.run_count, open, units_time_human(seconds * 1e9, time, sizeof time),
           suite->plan.interleave ? "; repetitions in random order" : "");
    fflush(stdout);
}

static int run_suite(struct suite *suite, struct error *error)
{
    bool failed = false;
    if (!open_folder(suite, error))
        return error->kind == ERR_USAGE ? STATUS_USAGE : STATUS_FAILED;
    announce(suite);
    for (size_t i = 0; i < suite->manifest.run_count; i++)
        if (suite->manifest.states[i] == RUN_OPEN && !take_run(suite, i, &failed))
            break;
    remove_all_layouts(suite);
    return suite->interrupted ? STATUS_INTERRUPTED : failed ? STATUS_FAILED : STATUS_OK;
}

static bool make_suite(struct suite *suite, const struct order *order, struct error *error)
{
    struct manifest *manifest = &suite->manifest;
    suite->order = order;
    suite->clock = clock_system();
    if (!plan_read(&suite->plan, order->plan, order->dir, error))
        return false;
    suite->runs = plan_runs(&suite->plan, order->only, &manifest->run_count, error);
    if (!suite->runs)
        return false;
    manifest->plan = &suite->plan;
    manifest->runs = suite->runs;
    manifest->states = calloc(manifest->run_count, sizeof *manifest->states);
    suite->made = calloc(suite->plan.layout_count, sizeof *suite->made);
    suite->invocation = calloc(1, sizeof *suite->invocation);
    host_measure(&manifest->host);
    host_name(manifest->host_name);
    manifest->tag_count = order->tag_count;
    memcpy(manifest->tags, order->tags, sizeof manifest->tags);
    return (manifest->states && suite->made && suite->invocation) ||
           error_set(error, ERR_SYSTEM, "not enough memory for the plan");
}

static void suite_done(struct suite *suite)
{
    plan_free(&suite->plan);
    free(suite->runs);
    free(suite->manifest.states);
    free(suite->made);
    free(suite->invocation);
}

int command_run(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct order order = {0};
    struct suite suite = {0};
    int status = STATUS_OK;
    bool good = read_words(&order, argc, argv, &error) && (order.help || make_suite(&suite, &order, &error));
    if (good && order.help)
        print_help();
    else if (good && order.dry_run)
        dry_run(&suite, &error);
    else if (good)
        status = run_suite(&suite, &error);
    common_print_error(&error);
    if (error.kind != ERR_NONE)
        status = error.kind == ERR_USAGE ? STATUS_USAGE : STATUS_FAILED;
    suite_done(&suite);
    return status;
}
