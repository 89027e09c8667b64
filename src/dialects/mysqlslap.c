#include "dialects/mysqlslap.h"

#include "platform/process.h"

#include <stdlib.h>
#include <string.h>

/* argv's own memory, or an option file's text. */
static void hide_password(const struct slap *slap)
{
    const char *password = slap->given.text[SLAP_PASSWORD];
    if (password && *password)
        process_hide_argument((char *)(uintptr_t)password);
}

/* Each engine, number of clients and iteration, as they would run. */
static void print_all(const struct slap *slap, const struct invocation *invocation)
{
    for (size_t i = 0; i < slap->jobs_count; ++i) {
        const struct job *job = i ? &slap->further[i - 1] : &invocation->job;
        for (uint64_t run = 0; run < job->repeat; ++run)
            slap_print_script(slap->out, &slap->scripts[i], job->threads);
        if ((i + 1) % slap->clients_count == 0)
            slap_print_drop(slap->out, &slap->scripts[i]);
    }
}

static bool make(struct slap *slap, struct invocation *invocation, struct error *error)
{
    bool good = slap_job_make(slap, invocation, error);
    hide_password(slap);
    if (good && slap->only_prints) {
        print_all(slap, invocation);
        invocation->action = ACTION_PRINTED;
    }
    return good;
}

static bool mysqlslap_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    memset(invocation, 0, sizeof(*invocation));
    struct slap *slap = calloc(1, sizeof(*slap));
    if (!slap)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    slap->out = out;
    invocation->free_context = slap_free;
    invocation->listener = slap_listener(slap);
    if (!slap_given_read(&slap->given, argc, argv, error))
        return false;
    if (slap_is_on(&slap->given, SLAP_HELP) || slap_is_on(&slap->given, SLAP_VERSION)) {
        if (slap_is_on(&slap->given, SLAP_HELP))
            slap_print_help(out);
        else
            fputs("mysqlslap (isobench " ISOBENCH_VERSION ")\n", out);
        return true; /* ACTION_PRINTED */
    }
    invocation->action = ACTION_RUN;
    invocation->forced_status = 1;
    invocation->warnings_apart = true;
    invocation->warnings_once = true;
    invocation->replicas_apart = true;
    invocation->reword = slap_reword;
    invocation->own_spread = true;
    return make(slap, invocation, error);
}

const struct dialect dialect_mysqlslap = {
    "mysqlslap", "mysqlslap of MySQL 8 and MariaDB: generated or own statements from many clients", mysqlslap_parse,
    NULL, NULL};
