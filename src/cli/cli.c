#include "cli/cli.h"

#include "cli/as.h"
#include "cli/attribute.h"
#include "cli/check.h"
#include "cli/common.h"
#include "cli/compare.h"
#include "cli/engine.h"
#include "cli/hdr.h"
#include "cli/help.h"
#include "cli/json_file.h"
#include "cli/merge.h"
#include "cli/native.h"
#include "cli/reconcile.h"
#include "cli/run_plan.h"
#include "cli/runs.h"
#include "core/dialect.h"
#include "core/result_json.h"
#include "core/settings.h"
#include "fileio/check.h"
#include "platform/path.h"
#include "platform/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- doing it ----------------------------------------------------------------------------------------------- */

static bool show_job(const struct job *job, struct error *error)
{
    return json_file_put("-", job_to_json(job), error);
}

static int carry(const struct errand *errand, bool (*what)(const struct errand *, struct error *))
{
    struct error error = ERROR_INIT;
    what(errand, &error);
    common_print_error(&error);
    return common_status(&error, STATUS_FAILED);
}

static int check(const struct errand *errand)
{
    const struct invocation *invocation = errand->invocation;
    struct fileio_setup setup = engine_file_setup(errand);
    struct check_report report;
    struct error error = ERROR_INIT;
    if (json_file_probe(invocation->json_path, &error) && fileio_check(&setup, &report, &error)) {
        if (!json_file_is_stdout(invocation->json_path))
            check_print(stdout, &report);
        if (invocation->json_path[0])
            json_file_put(invocation->json_path, check_to_json(&report), &error);
        check_refuse(&report, &error);
    }
    common_print_error(&error);
    return common_status(&error, STATUS_FAILED);
}

static int show_jobs(const struct invocation *invocation)
{
    struct error error = ERROR_INIT;
    bool good = true;
    for (size_t i = 0; good && i < invocation_jobs(invocation); ++i)
        good = show_job(invocation_job(invocation, i), &error);
    common_print_error(&error);
    return good ? STATUS_OK : STATUS_FAILED;
}

static int execute(const struct invocation *invocation)
{
    struct clock clock = clock_system();
    static const struct listener silent = {0};
    const struct listener *listener = json_file_is_stdout(invocation->json_path) ? &silent : &invocation->listener;
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
        return runs_carry_out(&errand);
    case ACTION_CHECK:
        return check(&errand);
    case ACTION_PRINTED:
        break;
    }
    return STATUS_OK;
}

static void add_extras(const struct extras *extras, struct invocation *invocation)
{
    invocation->show_job |= extras->show_job;
    if (extras->json)
        snprintf(invocation->json_path, sizeof(invocation->json_path), "%s", extras->json);
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
             dialect->parse(argc, words, stdout, invocation, &error)) {
        add_extras(&extras, invocation);
        status = carry_out(&extras, invocation, &error);
    }
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
    {"reconcile", command_reconcile}, {"attribute", command_attribute}, {"run", command_run},
    {"compare", command_compare},     {"merge", command_merge},         {"hdr", command_hdr},
    {"help", command_help},           {"--help", command_help},         {"-h", command_help},
    {"version", command_version},     {"--version", command_version},
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
