#include "dialects/iozone.h"

#include <stdlib.h>
#include <string.h>

static bool asks_for_help(int argc, char *const *argv)
{
    return argc == 0 || strcmp(argv[0], "-h") == 0 || strcmp(argv[0], "--help") == 0;
}

static bool iozone_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    memset(invocation, 0, sizeof(*invocation));
    if (asks_for_help(argc, argv)) {
        iozone_print_usage(out);
        return true;
    }
    if (strcmp(argv[0], "-v") == 0) {
        fputs("iozone (isobench " ISOBENCH_VERSION ")\n", out);
        return true;
    }
    struct iozone *iozone = calloc(1, sizeof(*iozone));
    if (!iozone)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    iozone->out = out;
    invocation->free_context = iozone_free;
    invocation->listener = iozone_listener(iozone);
    invocation->action = ACTION_RUN;
    invocation->warnings_apart = true;
    invocation->forced_status = 1;
    return iozone_options_read(&iozone->given, argc, argv, error) && iozone_job_make(iozone, invocation, error);
}

const struct dialect dialect_iozone = {"iozone", "iozone 3: the matrix of file and record sizes, and throughput mode",
                                       iozone_parse, iozone_write, NULL};
