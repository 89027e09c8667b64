#include "cli/run_plan.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/engine.h"
#include "cli/metrics.h"
#include "cli/native.h"
#include "core/openmetrics.h"
#include "core/result_json.h"
#include "core/units.h"
#include "plan/estimate.h"
#include "plan/manifest.h"
#include "platform/path.h"
#include "platform/process.h"
#include "platform/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct order {
    const char *plan, *out, *only, *dir, *metrics, *tags[TAGS_MAX];
    size_t tag_count;
    bool dry_run, resume, keep_files, help;
    char with_ini[PATH_BYTES]; /* the plan's name, if it was given without */
};

struct suite {
    const struct order *order;
    struct plan plan;
    struct plan_run *runs;
    struct manifest manifest;
    struct invocation *invocation;
    struct clock clock;
    struct estimate estimate;
    bool *made;              /* layouts whose files or tables stand */
    struct metrics *metrics; /* of --openmetrics; NULL = none */
    struct watch *watch;     /* Ctrl-C, whatever it falls into */
    bool interrupted;
    bool forced; /* a run was cut by --shutdown-grace: its threads may still hang in the system */
};

static void print_help(void)
{
    puts("usage: isobench run PLAN --out=DIR [options]\n\n"
         "Runs every job of a plan (docs/plans.md; some ship in plans/), and leaves one JSON per run and " MANIFEST_NAME
         " in DIR.\n"
         "Files and tables are made once for all jobs that share them, and removed after the last of these.\n\n"
         "  --out=DIR\n      Where the results go; it is made, with the folders above it, if it is not there.\n"
         "  --dir=DIR\n      Where the test files are made: the volume that is measured, instead of what the plan "
         "says.\n"
         "  --only=GLOB\n      Only jobs whose name matches, with * and ?.\n"
         "  --tag=KEY=VALUE\n      Noted in the manifest; may be given several times.\n"
         "  --openmetrics=FILE|PORT|ADDRESS:PORT\n      Shows how the plan stands and the figures of the run that goes "
         "on, as Prometheus reads\n      them (docs/sampling.md).\n"
         "  --resume\n      Goes on with what a former call left undone in DIR.\n"
         "  --keep-files\n      Leaves files and tables.\n"
         "  --dry-run\n      Prints the command line of each run, in order, and runs nothing.\n"
         "  --help\n      Prints this.\n\n"
         "exit status: 0 done, 1 a run failed (the others were run all the same), 2 wrong command line or plan,\n"
         "3 shutdown_grace cut a run (--resume goes on behind it), 130 Ctrl-C");
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

static bool take_value(struct order *order, int argc, char *const *argv, int *at, bool *taken, struct error *error)
{
    const struct {
        const char *name;
        const char **text;
    } texts[] = {
        {"--out", &order->out}, {"--dir", &order->dir}, {"--only", &order->only}, {"--openmetrics", &order->metrics}};
    *taken = true;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const char *value = common_take(argc, argv, at, texts[i].name);
        if (!value)
            continue;
        *texts[i].text = value;
        return value[0] || error_set(error, ERR_USAGE, "%s=: its value is missing", texts[i].name);
    }
    const char *tag = common_take(argc, argv, at, "--tag");
    if (tag)
        return take_tag(order, tag, error);
    *taken = false;
    return true;
}

static bool take_word(struct order *order, int argc, char *const *argv, int *at, struct error *error)
{
    const char *word = argv[*at];
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
    if (!take_value(order, argc, argv, at, &taken, error) || taken)
        return taken && error->kind == ERR_NONE;
    if (strncmp(word, "--", 2) == 0)
        return error_set(error, ERR_USAGE, "%.60s: not an option of run; see `isobench run --help`", word);
    if (order->plan)
        return error_set(error, ERR_USAGE, "%.60s: one plan is enough", word);
    order->plan = word;
    return true;
}

/* Its .ini may be left out. */
static void find_plan(struct order *order)
{
    struct error ignored = ERROR_INIT; /* of a plan that is not there, reading says so */
    enum path_kind kind = PATH_ABSENT;
    if (path_look(order->plan, &kind, NULL, &ignored) && kind == PATH_FILE)
        return;
    snprintf(order->with_ini, sizeof order->with_ini, "%s.ini", order->plan);
    if (path_look(order->with_ini, &kind, NULL, &ignored) && kind == PATH_FILE)
        order->plan = order->with_ini;
}

static bool read_words(struct order *order, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc; i++)
        if (!take_word(order, argc, argv, &i, error))
            return false;
    if (order->help)
        return true;
    if (!order->plan)
        return error_set(error, ERR_USAGE, "run: name a plan file; see --help");
    find_plan(order);
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

static double seconds_since(const struct suite *suite, uint64_t start_ns)
{
    uint64_t steps_back = 0;
    return (double)clock_elapsed_ns(start_ns, clock_now_ns(&suite->clock), &steps_back) / (double)NS_PER_S;
}

static bool make_layout(struct suite *suite, const struct plan_job *job, struct error *error)
{
    struct errand errand = errand_of(suite, &job->job);
    uint64_t start_ns = clock_now_ns(&suite->clock);
    if (suite->made[job->layout] || !is_made_before(&job->job))
        return true;
    suite->made[job->layout] = engine_of(&job->job)->prepare(&errand, error);
    estimate_note_layout(&suite->estimate, (size_t)(job - suite->plan.jobs), seconds_since(suite, start_ns));
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

/* --only asks for some of the runs. Those that a call before this one has made stay in the manifest. */
static void keep_asked(struct suite *suite)
{
    struct manifest *manifest = &suite->manifest;
    size_t kept = 0;
    for (size_t i = 0; i < manifest->run_count; i++) {
        const char *name = suite->plan.jobs[suite->runs[i].job].name;
        if (suite->order->only && !plan_name_matches(name, suite->order->only) && manifest->states[i] == RUN_OPEN)
            continue;
        suite->runs[kept] = suite->runs[i];
        manifest->states[kept++] = manifest->states[i];
    }
    manifest->run_count = kept;
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

/* What a call that this one resumes has come to. */
static enum run_state state_before(const struct suite *suite, size_t run)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    struct result *result = run_path(suite, run, path, &ignored) ? common_read_result(path, &ignored) : NULL;
    enum run_state state = !result ? RUN_OPEN : result->forced ? RUN_FORCED : RUN_DONE;
    result_free(result);
    return state;
}

/* ---- one run ---- */

#define LEFT_BYTES 48

static const char *time_left(const struct suite *suite, size_t first, char out[LEFT_BYTES])
{
    bool at_least;
    char time[32];
    double seconds = estimate_left(&suite->estimate, &suite->manifest, first, suite->made, &at_least);
    snprintf(out, LEFT_BYTES, "%s %s", at_least ? "at least" : "about",
             units_time_human(seconds * 1e9, time, sizeof time));
    return out;
}

static void show_start(const struct suite *suite, size_t run)
{
    const struct plan_job *job = &suite->plan.jobs[suite->runs[run].job];
    char left[LEFT_BYTES];
    printf("[%zu/%zu] %s, run %" PRIu64 " of %" PRIu64 "; %s left\n", run + 1, suite->manifest.run_count, job->name,
           suite->runs[run].repetition, job->repeat, time_left(suite, run, left));
    fflush(stdout);
}

/* Their codes; what each says stands in the result, and in docs/warnings.md. */
static void show_warnings(const struct result *result)
{
    for (size_t i = 0; i < result->warnings_count; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new &= strcmp(result->warnings[k].code, result->warnings[i].code) != 0;
        if (is_new)
            printf("%s%s", i == 0 ? "; warnings: " : ", ", result->warnings[i].code);
    }
    putchar('\n');
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
    show_warnings(result);
    fflush(stdout);
}

/* Asked after all that takes time; the answer holds for the whole suite. */
static bool is_interrupted(struct suite *suite, const struct error *error)
{
    suite->interrupted |= error->kind == ERR_INTERRUPTED || watch_wait(suite->watch, 0) == WATCH_INTERRUPTED;
    return suite->interrupted;
}

/* A forced run has its figures, but threads may still hang with what belongs to it: nothing is freed, and no other run
 * would have the volume to itself. */
static bool take_result(struct suite *suite, size_t run, struct result *result, struct error *error)
{
    bool good = write_result(suite, run, result, error);
    show_end(result); /* where the file cannot be written too: nothing else has the figures then */
    if (good && suite->forced)
        return error_set(error, ERR_SYSTEM,
                         "shutdown_grace cut it with %" PRIu64
                         " requests in flight, which may disturb what comes next; "
                         "--resume goes on behind it",
                         result->unfinished);
    return good;
}

/* `run` is the next one. */
static struct metrics_of_plan standing(const struct suite *suite, size_t run)
{
    size_t counts[] = {[RUN_OPEN] = 0, [RUN_DONE] = 0, [RUN_FAILED] = 0, [RUN_FORCED] = 0};
    bool at_least;
    for (size_t i = 0; i < suite->manifest.run_count; i++)
        counts[suite->manifest.states[i]]++;
    return (struct metrics_of_plan){
        .name = suite->order->plan,
        .open = counts[RUN_OPEN],
        .done = counts[RUN_DONE],
        .failed = counts[RUN_FAILED] + counts[RUN_FORCED],
        .left_s = estimate_left(&suite->estimate, &suite->manifest, run, suite->made, &at_least),
    };
}

static bool open_metrics(struct suite *suite, struct error *error)
{
    struct metrics_of_plan plan = standing(suite, 0);
    return metrics_start(&suite->metrics, suite->invocation, &plan, error);
}

static void tell_plan(struct suite *suite, size_t run)
{
    struct metrics_of_plan plan = standing(suite, run);
    metrics_plan(suite->metrics, &plan);
}

static void tell_run(struct suite *suite, size_t run)
{
    size_t index = suite->runs[run].job;
    const struct plan_job *job = &suite->plan.jobs[index];
    metrics_plan_run(suite->metrics, (uint32_t)index + 1, job->name, suite->runs[run].repetition, &job->job);
}

/* The run itself. False with the error, which ends this run and not the others; Ctrl-C ends all. */
static bool run_job(struct suite *suite, size_t run, struct error *error)
{
    const struct plan_job *job = &suite->plan.jobs[suite->runs[run].job];
    struct result *result = NULL;
    bool made = make_layout(suite, job, error);
    if (is_interrupted(suite, error) || !made)
        return false;
    struct errand errand = errand_of(suite, &job->job);
    uint64_t start_ns = clock_now_ns(&suite->clock);
    errand.listener = metrics_listener(suite->metrics, 0, errand.listener);
    bool good = engine_of(&job->job)->run(&errand, &result, error);
    if (good)
        estimate_note_run(&suite->estimate, suite->runs[run].job, seconds_since(suite, start_ns));
    suite->forced = result && result->forced;
    if (!is_interrupted(suite, error))
        good = good && result && take_result(suite, run, result, error);
    if (!suite->forced)
        result_free(result);
    return good && !suite->interrupted;
}

static enum run_state state_after(const struct suite *suite, bool good)
{
    return good ? RUN_DONE : suite->interrupted ? RUN_OPEN : suite->forced ? RUN_FORCED : RUN_FAILED;
}

/* False when no run is to follow. */
static bool take_run(struct suite *suite, size_t run, bool *failed)
{
    struct error error = ERROR_INIT, cleaning = ERROR_INIT;
    const struct plan_job *job = &suite->plan.jobs[suite->runs[run].job];
    char whose[PLAN_NAME_BYTES + 2];
    snprintf(whose, sizeof whose, "%s: ", job->name);
    show_start(suite, run);
    tell_run(suite, run);
    bool good = run_job(suite, run, &error);
    suite->manifest.states[run] = state_after(suite, good);
    tell_plan(suite, run + 1);
    if (error.kind != ERR_INTERRUPTED)
        common_print_error_of(whose, &error);
    *failed |= !good;
    if (!suite->interrupted && !suite->forced && !is_needed_later(suite, run, job->layout) &&
        !remove_layout(suite, job, &cleaning)) {
        common_print_error(&cleaning);
        *failed = true;
    }
    error = (struct error)ERROR_INIT;
    if (!write_manifest(suite, &error)) {
        common_print_error(&error);
        return false;
    }
    return !is_interrupted(suite, &error) && !suite->forced;
}

/* ---- all ---- */

static bool dry_run(struct suite *suite, struct error *error)
{
    struct command *command = calloc(1, sizeof *command);
    bool good = command || error_set(error, ERR_SYSTEM, "not enough memory");
    keep_asked(suite);
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
    if (!path_make_directories(suite->order->out, error) || !path_join(path, suite->order->out, MANIFEST_NAME, error) ||
        !path_look(path, &kind, NULL, error))
        return false;
    if (kind == PATH_ABSENT) {
        keep_asked(suite);
        return true;
    }
    if (!suite->order->resume)
        return error_set(error, ERR_USAGE, "--out=%s: it holds results already; --resume goes on with them",
                         suite->order->out);
    bool good =
        path_read_text(path, (size_t)64 << 20, &text, NULL, error) && manifest_is_of(text, path, &suite->plan, error);
    free(text);
    for (size_t i = 0; good && i < suite->manifest.run_count; i++)
        suite->manifest.states[i] = state_before(suite, i);
    keep_asked(suite);
    return good;
}

static void announce(const struct suite *suite)
{
    char left[LEFT_BYTES];
    size_t open = 0;
    for (size_t i = 0; i < suite->manifest.run_count; i++)
        open += suite->manifest.states[i] == RUN_OPEN;
    printf("%s: %zu jobs, %zu runs (%zu to do), %s with the making of files%s\n", suite->order->plan,
           suite->plan.job_count, suite->manifest.run_count, open, time_left(suite, 0, left),
           suite->plan.interleave ? "; repetitions in random order" : "");
    fflush(stdout);
}

static bool check_directory(const char *directory, struct error *error)
{
    enum path_kind kind;
    return !directory || (path_look(directory, &kind, NULL, error) &&
                          (kind == PATH_DIRECTORY ||
                           error_set(error, ERR_USAGE, "--dir=%.200s: is no directory that is there", directory)));
}

static int run_suite(struct suite *suite, struct error *error)
{
    bool failed = false;
    if (!check_directory(suite->order->dir, error) || !open_folder(suite, error) || !watch_make(&suite->watch, error) ||
        !open_metrics(suite, error))
        return common_status(error, STATUS_USAGE);
    announce(suite);
    for (size_t i = 0; i < suite->manifest.run_count; i++)
        if (suite->manifest.states[i] == RUN_OPEN && !take_run(suite, i, &failed))
            break;
    if (suite->interrupted)
        error_set(error, ERR_INTERRUPTED, "interrupted; with --resume it goes on");
    if (!suite->forced)
        remove_all_layouts(suite);
    failed |= !metrics_stop(suite->metrics, error);
    return suite->interrupted ? STATUS_INTERRUPTED : suite->forced ? STATUS_FORCED : failed ? STATUS_FAILED : STATUS_OK;
}

static bool make_suite(struct suite *suite, const struct order *order, struct error *error)
{
    struct manifest *manifest = &suite->manifest;
    suite->order = order;
    suite->clock = clock_system();
    if (!plan_read(&suite->plan, order->plan, order->dir, error))
        return false;
    free(plan_runs(&suite->plan, order->only, &manifest->run_count, error)); /* of jobs that there are */
    suite->runs = manifest->run_count > 0 ? plan_runs(&suite->plan, NULL, &manifest->run_count, error) : NULL;
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
    if (!estimate_init(&suite->estimate, &suite->plan) || !manifest->states || !suite->made || !suite->invocation)
        return error_set(error, ERR_SYSTEM, "not enough memory for the plan");
    return !order->metrics || metrics_set(suite->invocation, order->metrics, error);
}

static void suite_done(struct suite *suite)
{
    metrics_free(suite->metrics);
    watch_free(suite->watch);
    plan_free(&suite->plan);
    free(suite->runs);
    estimate_done(&suite->estimate);
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
        status = common_status(&error, STATUS_USAGE);
    if (suite.forced || suite.interrupted)
        process_exit_now(status); /* threads may hang in the system: nothing of theirs is freed */
    suite_done(&suite);
    return status;
}
