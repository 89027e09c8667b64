#include "dialects/diskspd.h"

#include <stdlib.h>
#include <string.h>

static void free_printer(void *context)
{
    struct diskspd_printer *printer = context;
    free(printer->further);
    free(printer);
}

/* Targets are written to only where -w says so, or -c to make them. */
static bool allow_writes(const struct diskspd_given *given, struct invocation *invocation, const struct job *job,
                         struct error *error)
{
    char *list = invocation->overwrite;
    size_t used = strlen(list), room = sizeof(invocation->overwrite) - used;
    if (given->write_percent == 0 && given->create_bytes == 0)
        return true;
    int bytes = snprintf(list + used, room, "%s%s", used ? "," : "", job->target);
    return (bytes >= 0 && (size_t)bytes < room) ||
           error_set(error, ERR_USAGE, "the names of all targets have more than %d bytes", TEXT_MAX - 1);
}

/* A job for each target; all run at the same time. */
static bool make_jobs(struct diskspd_printer *printer, struct invocation *invocation, struct error *error)
{
    const struct diskspd_given *given = &printer->given;
    printer->further_count = given->target_count - 1;
    if (printer->further_count > 0) {
        printer->further = calloc(printer->further_count, sizeof(*printer->further));
        if (!printer->further)
            return error_set(error, ERR_SYSTEM, "not enough memory for %zu targets", given->target_count);
    }
    for (size_t i = 0; i < given->target_count; ++i) {
        struct job *job = i == 0 ? &invocation->job : &printer->further[i - 1];
        if (!diskspd_job_make(given, i, job, error) || !allow_writes(given, invocation, job, error))
            return false;
    }
    invocation->further = printer->further;
    invocation->further_count = printer->further_count;
    invocation->together = printer->further_count > 0;
    invocation->lay_out = given->create_bytes > 0;
    return true;
}

/* -Rp: what would be run, and nothing is. */
static bool show_profile(const struct diskspd_printer *printer, struct invocation *invocation, struct error *error)
{
    const struct diskspd_given *given = &printer->given;
    if (!given->profile_only)
        return true;
    invocation->action = ACTION_PRINTED;
    if (!printer->out)
        return true; /* what is given is all that is asked for */
    if (given->xml)
        return diskspd_xml_profile(printer->out, given, &invocation->job) ||
               error_set(error, ERR_SYSTEM, "not enough memory for the XML");
    diskspd_print_profile(printer->out, given, &invocation->job);
    return true;
}

static bool diskspd_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    memset(invocation, 0, sizeof(*invocation));
    if (argc == 0 || strcmp(argv[0], "-?") == 0 || strcmp(argv[0], "/?") == 0) {
        if (out) /* without, nothing is to be printed */
            diskspd_print_usage(out);
        return true;
    }
    struct diskspd_printer *printer = calloc(1, sizeof(*printer));
    if (!printer)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    invocation->free_context = free_printer;
    invocation->listener = diskspd_listener(printer);
    invocation->action = ACTION_RUN;
    invocation->warnings_apart = true;
    invocation->forced_status = 1;
    printer->out = out;
    return diskspd_options_read(&printer->given, argc, argv, error) && make_jobs(printer, invocation, error) &&
           show_profile(printer, invocation, error);
}

const struct dialect dialect_diskspd = {"diskspd", "DiskSpd 2: files and devices, its text and XML reports",
                                        diskspd_parse, diskspd_write, NULL};
