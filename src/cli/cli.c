#include "cli/cli.h"

#include "cli/help.h"
#include "cli/native.h"
#include "core/dialect.h"
#include "core/result_json.h"
#include "core/settings.h"
#include "fileio/fileio.h"
#include "platform/path.h"
#include "platform/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool parse_function(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error);

/* ---- JSON ------------------------------------------------------------------------------------------------- */

static bool print_text(const char *text, struct error *error)
{
    if (!text)
        return error_set(error, ERR_SYSTEM, "not enough memory for the JSON");
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return true;
    return error_set(error, ERR_SYSTEM, "cannot write to stdout");
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

static bool write_json(const struct invocation *invocation, const struct result *result, struct error *error)
{
    if (invocation->json_path[0] == '\0')
        return true;
    char *text = result_to_json(result);
    bool good;
    if (!text)
        good = error_set(error, ERR_SYSTEM, "not enough memory for the JSON");
    else if (to_stdout(invocation))
        good = print_text(text, error);
    else
        good = path_write_text(invocation->json_path, text, strlen(text), error);
    free(text);
    return good;
}

static bool show_job(const struct job *job, struct error *error)
{
    char *text = job_to_json(job);
    bool good = print_text(text, error);
    free(text);
    return good;
}

/* ---- doing it ----------------------------------------------------------------------------------------------- */

static int status_of(const struct invocation *invocation, const struct result *result, bool good)
{
    if (result && result->forced)
        return invocation->forced_status;
    if (!good)
        return STATUS_FAILED;
    return result && result->partial ? STATUS_INTERRUPTED : STATUS_OK;
}

static void print_error(const struct error *error)
{
    if (error->kind == ERR_NONE)
        return;
    fflush(stdout);
    fprintf(stderr, "isobench: %s\n", error->text);
}

static int run(const struct invocation *invocation, const struct fileio_setup *setup)
{
    struct error error = ERROR_INIT, json_error = ERROR_INIT;
    struct result *result = NULL;
    bool good = probe_json(invocation, &error) && fileio_run(setup, &result, &error);
    bool written = true;
    if (result && result->measured) {
        if (setup->listener->run_done)
            setup->listener->run_done(setup->listener->context, result);
        written = write_json(invocation, result, &json_error);
    }
    print_error(&error);
    print_error(&json_error);
    int status = status_of(invocation, result, good && written);
    if (result && result->forced)
        process_exit_now(status); /* threads may hang in the system: nothing of theirs is freed */
    result_free(result);
    return status;
}

static int do_files(bool (*what)(const struct fileio_setup *, struct error *), const struct fileio_setup *setup)
{
    struct error error = ERROR_INIT;
    bool good = what(setup, &error);
    print_error(&error);
    return good ? STATUS_OK : STATUS_FAILED;
}

static int execute(const struct invocation *invocation)
{
    struct clock clock = clock_system();
    static const struct listener silent = {0};
    const struct listener *listener = to_stdout(invocation) ? &silent : &invocation->listener;
    struct fileio_setup setup = {.job = &invocation->job,
                                 .listener = listener,
                                 .layer = &file_layer_system,
                                 .clock = &clock,
                                 .overwrite = invocation->overwrite,
                                 .foreign_files = invocation->foreign_files};
    struct error error = ERROR_INIT;
    if (invocation->show_job && invocation->action != ACTION_PRINTED) {
        bool good = show_job(&invocation->job, &error);
        print_error(&error);
        return good ? STATUS_OK : STATUS_FAILED;
    }
    switch (invocation->action) {
    case ACTION_PREPARE:
        return do_files(fileio_prepare, &setup);
    case ACTION_CLEANUP:
        return do_files(fileio_cleanup, &setup);
    case ACTION_RUN:
        return run(invocation, &setup);
    case ACTION_PRINTED:
        break;
    }
    return STATUS_OK;
}

static int parse_and_execute(parse_function *parse, int argc, char *const *argv, int usage_status)
{
    struct invocation *invocation = calloc(1, sizeof(*invocation));
    struct error error = ERROR_INIT;
    int status = usage_status;
    if (!invocation)
        error_set(&error, ERR_SYSTEM, "not enough memory");
    else if (parse(argc, argv, stdout, invocation, &error))
        status = execute(invocation);
    print_error(&error);
    if (invocation && invocation->free_context)
        invocation->free_context(invocation->listener.context);
    free(invocation);
    return status;
}

/* ---- commands ------------------------------------------------------------------------------------------------- */

static int usage_error(const char *word)
{
    struct error error = ERROR_INIT;
    error_set(&error, ERR_USAGE, "%s: no such command; see `isobench help`", word);
    print_error(&error);
    return STATUS_USAGE;
}

static int command_help(int argc, char *const *argv)
{
    if (argc == 0)
        help_overview(stdout);
    else if (argc == 1 && strcmp(argv[0], "fileio") == 0)
        help_fileio(stdout);
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

static int command_fileio(int argc, char *const *argv)
{
    return parse_and_execute(native_parse, argc, argv, STATUS_USAGE);
}

static const struct {
    const char *name;
    int (*run)(int argc, char *const *argv);
} commands[] = {
    {"fileio", command_fileio}, {"help", command_help},       {"--help", command_help},
    {"-h", command_help},       {"version", command_version}, {"--version", command_version},
};

static int isobench_main(int argc, char *const *argv)
{
    if (argc == 0) {
        help_overview(stdout);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < COUNT_OF(commands); ++i) {
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    const struct dialect *dialect = dialect_find(argv[0]);
    return dialect ? parse_and_execute(dialect->parse, argc - 1, argv + 1, STATUS_FAILED) : usage_error(argv[0]);
}

int cli_main(int argc, char **argv)
{
    char name[NAME_MAX_BYTES];
    process_start(&argc, &argv);
    path_program_name(argc > 0 ? argv[0] : "isobench", name, sizeof(name));
    const struct dialect *dialect = dialect_find(name);
    if (dialect)
        return parse_and_execute(dialect->parse, argc - 1, argv + 1, STATUS_FAILED);
    return isobench_main(argc > 0 ? argc - 1 : 0, argv + 1);
}
