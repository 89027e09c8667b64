#include "cli/cli.h"

#include "cli/as.h"
#include "cli/attribute.h"
#include "cli/check.h"
#include "cli/common.h"
#include "cli/compare.h"
#include "cli/engine.h"
#include "cli/hdr.h"
#include "cli/help.h"
#include "cli/merge.h"
#include "cli/native.h"
#include "cli/reconcile.h"
#include "cli/run_plan.h"
#include "cli/repeat.h"
#include "core/dialect.h"
#include "core/result_json.h"
#include "core/settings.h"
#include "fileio/check.h"
#include "platform/path.h"
#include "platform/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------------------- */

/* Takes `text` over. */
static bool put_json(const char *path, char *text, struct error *error)
{
    bool good = text ? common_write(path, text, error) : error_set(error, ERR_SYSTEM, "not enough memory for the JSON");
    free(text);
    return good;
}

static bool to_stdout(const struct invocation *invocation)
{
    return strcmp(invocation->json_path, "-") == 0;
}

/* Found out before a run that may take hours, not after it. */
static bool probe_json(const struct invocation *invocation, struct error *error)
{
    char probe[TEXT_MAX + 16];
    if (invocation->json_path[0] == '\0' || to_stdout(invocation))
        return true;
    snprintf(probe, sizeof(probe), "%s.probe", invocation->json_path);
    if (path_write_text(probe, "", 0, error))
        return path_remove(probe, error);
    return false;
}

static bool show_job(const struct job *job, struct error *error)
{
    return put_json("-", job_to_json(job), error);
}

/* ---- doing it ----------------------------------------------------------------------------------------------- */

static const struct result *newest(const struct repeat *repeat)
{
    return repeat->count ? repeat->runs[repeat->count - 1] : NULL;
}

static int status_of(const struct invocation *invocation, const struct result *result, bool good)
{
    if (result && result->forced)
        return invocation->forced_status;
    if (!good)
        return STATUS_FAILED;
    return result && result->partial ? STATUS_INTERRUPTED : STATUS_OK;
}

/* One run more; false when it is the last, for whatever reason. */
static bool run_once(const struct errand *errand, struct repeat *repeat, struct error *error)
{
    const struct invocation *invocation = errand->invocation;
    struct result *result = NULL;
    bool good = engine_of(errand->job)->run(errand, &result, error);
    if (!result)
        return false;
    repeat->runs[repeat->count++] = result;
    if (result->measured && errand->listener->run_done)
        errand->listener->run_done(errand->listener->context, result);
    if (invocation->warnings_apart && !to_stdout(invocation))
        common_print_warnings(result);
    return good && !result->partial;
}

/* What the runs have in common, and their JSON. */
static bool report(const struct invocation *invocation, const struct repeat *repeat, struct error *error)
{
    size_t count = 0;
    struct spread *spreads = spread_of_runs((const struct result *const *)repeat->runs, repeat->count, &count);
    if (!spreads)
        return error_set(error, ERR_SYSTEM, "not enough memory for the spread of the runs");
    if (repeat->count > 1 && !to_stdout(invocation))
        repeat_print(stdout, spreads, count, repeat->count);
    bool good =
        invocation->json_path[0] == '\0' || put_json(invocation->json_path, repeat_json(repeat, spreads, count), error);
    free(spreads);
    return good;
}

static int run(const struct errand *errand)
{
    const struct invocation *invocation = errand->invocation;
    struct error error = ERROR_INIT, report_error = ERROR_INIT;
    struct repeat repeat;
    bool written = true;
    if (!repeat_init(&repeat, (size_t)errand->job->repeat))
        error_set(&error, ERR_SYSTEM, "not enough memory for --repeat");
    else if (probe_json(invocation, &error))
        while (repeat.count < repeat.room && run_once(errand, &repeat, &error))
            continue;
    if (repeat.count && newest(&repeat)->measured)
        written = report(invocation, &repeat, &report_error);
    else if (repeat.count && error.kind == ERR_NONE)
        error_set(&report_error, ERR_SYSTEM, "ended in the warm-up: nothing was measured");
    common_print_error(&error);
    common_print_error(&report_error);
    int status = status_of(invocation, newest(&repeat), error.kind == ERR_NONE && written);
    if (repeat.count && newest(&repeat)->forced)
        process_exit_now(status); /* threads may hang in the system: nothing of theirs is freed */
    repeat_done(&repeat);
    return status;
}

static int carry(const struct errand *errand, bool (*what)(const struct errand *, struct error *))
{
    struct error error = ERROR_INIT;
    bool good = what(errand, &error);
    common_print_error(&error);
    return good ? STATUS_OK : STATUS_FAILED;
}

static int check(const struct errand *errand)
{
    const struct invocation *invocation = errand->invocation;
    struct fileio_setup setup = engine_file_setup(errand);
    struct check_report report;
    struct error error = ERROR_INIT;
    if (probe_json(invocation, &error) && fileio_check(&setup, &report, &error)) {
        if (!to_stdout(invocation))
            check_print(stdout, &report);
        if (invocation->json_path[0])
            put_json(invocation->json_path, check_to_json(&report), &error);
        check_refuse(&report, &error);
    }
    common_print_error(&error);
    return error.kind == ERR_NONE ? STATUS_OK : STATUS_FAILED;
}

/* The job, and those that follow it. */
static int run_all(struct errand *errand)
{
    const struct invocation *invocation = errand->invocation;
    int status = run(errand);
    for (size_t i = 0; status == STATUS_OK && i < invocation->further_count; ++i) {
        errand->job = &invocation->further[i];
        status = run(errand);
    }
    return status;
}

static int show_jobs(const struct invocation *invocation)
{
    struct error error = ERROR_INIT;
    bool good = show_job(&invocation->job, &error);
    for (size_t i = 0; good && i < invocation->further_count; ++i)
        good = show_job(&invocation->further[i], &error);
    common_print_error(&error);
    return good ? STATUS_OK : STATUS_FAILED;
}

static int execute(const struct invocation *invocation)
{
    struct clock clock = clock_system();
    static const struct listener silent = {0};
    const struct listener *listener = to_stdout(invocation) ? &silent : &invocation->listener;
    struct errand errand = {.invocation = invocation, .job = &invocation->job, .listener = listener, .clock = &clock};
    const struct engine *engine = engine_of(errand.job);
    if (invocation->show_job && invocation->action != ACTION_PRINTED)
        return show_jobs(invocation);
    switch (invocation->action) {
    case ACTION_PREPARE:
        return carry(&errand, engine->prepare);
    case ACTION_WARMUP:
        return carry(&errand, engine->warmup);
    case ACTION_CLEANUP:
        return carry(&errand, engine->cleanup);
    case ACTION_RUN:
        return run_all(&errand);
    case ACTION_CHECK:
        return check(&errand);
    case ACTION_PRINTED:
        break;
    }
    return STATUS_OK;
}

static bool add_extras(const struct extras *extras, struct invocation *invocation, struct error *error)
{
    invocation->show_job |= extras->show_job;
    if (extras->json)
        snprintf(invocation->json_path, sizeof(invocation->json_path), "%s", extras->json);
    if (invocation->json_path[0] == '\0' || invocation->further_count == 0)
        return true;
    return error_set(error, ERR_USAGE, "--json=%s is for one result, and these are several runs: ask for one at a time",
                     invocation->json_path);
}

static int carry_out(const struct extras *extras, const struct invocation *invocation, struct error *error)
{
    if (!extras->as || invocation->action == ACTION_PRINTED)
        return execute(invocation);
    return as_print(extras->as, invocation, stdout, error) ? STATUS_OK : STATUS_FAILED;
}

static int parse_and_execute(const struct dialect *dialect, int argc, char *const *argv, int usage_status)
{
    struct invocation *invocation = calloc(1, sizeof(*invocation));
    struct error error = ERROR_INIT;
    char **words = calloc((size_t)argc + 1, sizeof(*words)); /* argv without the extras */
    struct extras extras;
    int status = usage_status;
    if (!invocation || !words)
        error_set(&error, ERR_SYSTEM, "not enough memory");
    else if (extras_take(&extras, dialect != &native_dialect, &argc, argv, words, &error) &&
             dialect->parse(argc, words, stdout, invocation, &error) && add_extras(&extras, invocation, &error))
        status = carry_out(&extras, invocation, &error);
    common_print_error(&error);
    if (invocation)
        invocation_free(invocation);
    free(invocation);
    free(words);
    return status;
}

/* ---- commands ------------------------------------------------------------------------------------------------- */

static int usage_error(const char *word)
{
    struct error error = ERROR_INIT;
    error_set(&error, ERR_USAGE, "%s: no such command; see `isobench help`", word);
    common_print_error(&error);
    return STATUS_USAGE;
}

static int command_help(int argc, char *const *argv)
{
    if (argc == 0)
        help_overview(stdout);
    else if (argc == 1 && strcmp(argv[0], "fileio") == 0)
        help_command(stdout, WORK_FILES);
    else if (argc == 1 && strcmp(argv[0], "oltp") == 0)
        help_command(stdout, WORK_DATABASE);
    else if (argc == 1 && strcmp(argv[0], "settings") == 0)
        help_settings_markdown(stdout);
    else
        return usage_error(argv[0]);
    return STATUS_OK;
}

static int command_version(int argc, char *const *argv)
{
    if (argc > 0)
        return usage_error(argv[0]);
    puts("isobench " ISOBENCH_VERSION);
    return STATUS_OK;
}

static const struct {
    const char *name;
    int (*run)(int argc, char *const *argv);
} commands[] = {
    {"reconcile", command_reconcile}, {"attribute", command_attribute}, {"run", command_run}, {"compare", command_compare}, {"merge", command_merge}, {"hdr", command_hdr},         {"help", command_help},         {"--help", command_help},
    {"-h", command_help},     {"version", command_version}, {"--version", command_version},
};

static int isobench_main(int argc, char *const *argv)
{
    if (argc == 0) {
        help_overview(stdout);
        return STATUS_USAGE;
    }
    if (native_takes(argv[0]))
        return parse_and_execute(&native_dialect, argc, argv, STATUS_USAGE);
    for (size_t i = 0; i < COUNT_OF(commands); ++i) {
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    const struct dialect *dialect = dialect_find(argv[0]);
    return dialect ? parse_and_execute(dialect, argc - 1, argv + 1, STATUS_FAILED) : usage_error(argv[0]);
}

/* A report that could not be written is no success. */
static int close_report(int status)
{
    struct error error = ERROR_INIT;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    error_set(&error, ERR_SYSTEM, "cannot write to stdout");
    common_print_error(&error);
    return status == STATUS_OK ? STATUS_FAILED : status;
}

int cli_main(int argc, char **argv)
{
    char name[NAME_MAX_BYTES];
    process_start(&argc, &argv);
    path_program_name(argc > 0 ? argv[0] : "isobench", name, sizeof(name));
    const struct dialect *dialect = dialect_find(name);
    if (dialect)
        return close_report(parse_and_execute(dialect, argc - 1, argv + 1, STATUS_FAILED));
    return close_report(isobench_main(argc > 0 ? argc - 1 : 0, argv + 1));
}
