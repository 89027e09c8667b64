#include "dialects/sqlio.h"

#include "core/encoding.h"
#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>

#define PARAM_MAX_BYTES ((size_t)1 << 20)

static void free_printer(void *context)
{
    struct sqlio_printer *printer = context;
    free(printer->given.param_text);
    free(printer);
}

static bool load_params(struct sqlio_given *given, const char *text, struct error *error)
{
    if (!given->param_path)
        return true;
    if (!text)
        return encoding_read_text(given->param_path, PARAM_MAX_BYTES, &given->param_text, error) &&
               sqlio_params_read(given, error);
    given->param_text = malloc(strlen(text) + 1);
    if (!given->param_text)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    strcpy(given->param_text, text);
    return sqlio_params_read(given, error);
}

/* `params` stands for what is in the parameter file; NULL = it is read. */
static bool parse(int argc, char *const *argv, const char *params, FILE *out, struct invocation *invocation,
                  struct error *error)
{
    struct sqlio_printer *printer = calloc(1, sizeof(*printer));
    memset(invocation, 0, sizeof(*invocation));
    if (!printer)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    invocation->free_context = free_printer;
    invocation->listener = sqlio_listener(printer);
    invocation->action = ACTION_RUN;
    invocation->warnings_apart = true;
    invocation->forced_status = 1;
    printer->out = out;
    printer->ticks_per_s = clock_system().ticks_per_s;
    return sqlio_options_read(&printer->given, argc, argv, error) && load_params(&printer->given, params, error) &&
           sqlio_job_make(&printer->given, invocation, error);
}

static bool sqlio_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    bool help = argc == 0 || strcmp(argv[0], "-?") == 0;
    if (!help)
        return parse(argc, argv, NULL, out, invocation, error);
    memset(invocation, 0, sizeof(*invocation));
    sqlio_print_usage(out);
    return true;
}

static bool sqlio_read_back(const struct command *command, struct invocation *invocation, struct error *error)
{
    return parse(command->argc, command->argv, command->file_name[0] ? command->file_text : NULL, stdout, invocation,
                 error);
}

const struct dialect dialect_sqlio = {"sqlio", "SQLIO v1.5.SG: all that it does with files and devices", sqlio_parse,
                                      sqlio_write, sqlio_read_back};
