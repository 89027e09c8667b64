#include "cli/cli.h"

#include "cli/as.h"
#include "cli/attribute.h"
#include "cli/check.h"
#include "cli/common.h"
#include "cli/compare.h"
#include "cli/completion.h"
#include "cli/engine.h"
#include "cli/hdr.h"
#include "cli/help.h"
#include "cli/json_file.h"
#include "cli/load.h"
#include "cli/manual.h"
#include "cli/merge.h"
#include "cli/metrics.h"
#include "cli/native.h"
#include "cli/query.h"
#include "cli/reconcile.h"
#include "cli/report.h"
#include "cli/run_plan.h"
#include "cli/runs.h"
#include "cli/top.h"
#include "cli/verify.h"
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
    if (errand->invocation->reword)
        errand->invocation->reword(errand->job, &error);
    common_print_error(&error);
    if (error.kind == ERR_INTERRUPTED) /* threads may hang in the system, or a database: nothing of theirs is freed */
        process_exit_now(STATUS_INTERRUPTED);
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

static bool add_extras(const struct extras *extras, struct invocation *invocation, struct error *error)
{
    invocation->show_job |= extras->show_job;
    if (extras->json)
        snprintf(invocation->json_path, sizeof(invocation->json_path), "%s", extras->json);
    if (extras->metrics && !metrics_set(invocation, extras->metrics, error))
        return false;
    if (invocation->metrics[0] && invocation->action != ACTION_RUN && invocation->action != ACTION_PRINTED)
        return error_set(error, ERR_USAGE, "--openmetrics: only a run has figures to show");
    return true;
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
             dialect->parse(argc, words, stdout, invocation, &error) && add_extras(&extras, invocation, &error)) {
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

static int isobench_main(int argc, char *const *argv);
static const char *command_name(size_t i);

/* `help NAME` is NAME's own page. */
static int show_page(const char *name)
{
    static char usual[] = "--help", of_sqlio[] = "-?"; /* and of DiskSpd: neither takes the other */
    bool asks_so = strcmp(name, "sqlio") == 0 || strcmp(name, "diskspd") == 0;
    return isobench_main(2, (char *const[]){(char *)name, asks_so ? of_sqlio : usual});
}

/* Each page behind its title, as help_book.c reads them again. */
static int show_pages(void)
{
    puts(HELP_TITLE "help" HELP_TITLE_END "\n");
    help_overview(stdout);
    for (size_t i = 0; command_name(i); ++i) {
        if (command_name(i)[0] == '-')
            continue;
        printf("\n" HELP_TITLE "%s" HELP_TITLE_END "\n\n", command_name(i));
        show_page(command_name(i));
    }
    for (size_t i = 0; dialects[i]; ++i) {
        printf("\n" HELP_TITLE "%s" HELP_TITLE_END "\n\n", dialects[i]->name);
        show_page(dialects[i]->name);
    }
    return STATUS_OK;
}

static void show_help_of_help(void)
{
    puts("usage: isobench help [COMMAND]\n\n"
         "Prints which commands there are, or what one takes: the same as isobench COMMAND --help.\n"
         "help all prints every page, and help settings the table of all settings (docs/settings.md).");
}

static int command_help(int argc, char *const *argv)
{
    if (argc == 0)
        help_overview(stdout);
    else if (argc > 1)
        return usage_error(argv[1]);
    else if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "help") == 0)
        show_help_of_help();
    else if (strcmp(argv[0], "settings") == 0)
        help_settings_markdown(stdout);
    else if (strcmp(argv[0], "all") == 0)
        return show_pages();
    else
        return argv[0][0] == '-' ? usage_error(argv[0]) : show_page(argv[0]);
    return STATUS_OK;
}

static int command_version(int argc, char *const *argv)
{
    if (argc == 1 && strcmp(argv[0], "--help") == 0)
        puts("usage: isobench version\n\nPrints which version of isobench this is.");
    else if (argc > 0)
        return usage_error(argv[0]);
    else
        puts("isobench " ISOBENCH_VERSION);
    return STATUS_OK;
}

static int command_query(int argc, char *const *argv)
{
    return parse_and_execute(&query_dialect, argc, argv, STATUS_USAGE);
}

static const struct {
    const char *name;
    int (*run)(int argc, char *const *argv);
} commands[] = {
    // clang-format off
    {"query", command_query},
    {"reconcile", command_reconcile},
    {"attribute", command_attribute},
    {"run", command_run},
    {"compare", command_compare},
    {"report", command_report},
    {"merge", command_merge},
    {"hdr", command_hdr},
    {"verify", command_verify},
    {"load", command_load},
    {"top", command_top},
    {"completion", command_completion},
    {"man", command_man},
    {"help", command_help},
    {"--help", command_help},
    {"-h", command_help},
    {"version", command_version},
    {"--version", command_version},
    // clang-format on
};

/* The i-th name that is dispatched, tools aside; NULL behind the last. */
static const char *command_name(size_t i)
{
    size_t natives = 0;
    while (native_command(natives))
        natives++;
    if (i < natives)
        return native_command(i);
    return i - natives < COUNT_OF(commands) ? commands[i - natives].name : NULL;
}

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
