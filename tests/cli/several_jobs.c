/* Runs several jobs of isobench's own language as one command line of a tool would:
 * several_jobs [--json=FILE] [--in-turn] [--lay-out] [--waits=N] NAME fileio run OPTION … / NAME fileio run …
 * N: that job, counted from 1, and what follows it wait for those before it. */
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/native.h"
#include "cli/runs.h"
#include "platform/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_MAX 8

struct several {
    struct invocation invocation;
    struct job further[JOBS_MAX];
    const char *names[JOBS_MAX];
    bool waits[JOBS_MAX];
    size_t count;
};

static void on_runs_done(void *context, const struct result *const *results, size_t count)
{
    (void)context;
    printf("runs done:");
    for (size_t i = 0; i < count; ++i)
        printf(" %s", results[i]->job.engine);
    printf("\n");
}

static bool on_all_done(void *context, struct error *error)
{
    (void)context;
    (void)error;
    printf("all done\n");
    return true;
}

/* The first one's invocation is that of them all. */
static bool add_job(struct several *several, const char *name, int argc, char *const *argv, struct error *error)
{
    if (several->count == JOBS_MAX)
        return error_set(error, ERR_USAGE, "too many jobs");
    struct invocation *one = calloc(1, sizeof(*one));
    if (!one)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    bool good = native_dialect.parse(argc, argv, stdout, one, error);
    several->names[several->count] = name;
    if (good && several->count > 0) {
        char *overwrite = several->invocation.overwrite;
        size_t used = strlen(overwrite);
        snprintf(overwrite + used, TEXT_MAX - used, "%s%s", used && one->overwrite[0] ? "," : "", one->overwrite);
        several->further[several->count - 1] = one->job;
        invocation_free(one);
    } else if (good) {
        one->together = several->invocation.together;
        one->lay_out = several->invocation.lay_out;
        memcpy(one->json_path, several->invocation.json_path, sizeof(one->json_path));
        several->invocation = *one;
    }
    ++several->count;
    free(one);
    return good;
}

static bool add_jobs(struct several *several, int argc, char *const *argv, struct error *error)
{
    bool good = true;
    for (int from = 0; good && from < argc;) {
        int to = from + 1;
        while (to < argc && strcmp(argv[to], "/") != 0)
            ++to;
        good = add_job(several, argv[from], to - from - 1, argv + from + 1, error);
        from = to + 1;
    }
    return good;
}

static int carry_out(struct several *several, int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct clock clock = clock_system();
    static const struct listener silent = {0};
    struct invocation *invocation = &several->invocation;
    if (!add_jobs(several, argc, argv, &error)) {
        common_print_error(&error);
        return STATUS_USAGE;
    }
    invocation->further = several->further;
    invocation->further_count = several->count - 1;
    invocation->names = several->names;
    invocation->waits = several->waits;
    invocation->listener.runs_done = on_runs_done;
    invocation->listener.all_done = on_all_done;
    const struct listener *listener = strcmp(invocation->json_path, "-") == 0 ? &silent : &invocation->listener;
    struct errand errand = {.invocation = invocation, .job = &invocation->job, .listener = listener, .clock = &clock};
    return runs_carry_out(&errand);
}

int main(int argc, char **argv)
{
    struct several *several = calloc(1, sizeof(*several));
    int at = 1;
    process_start(&argc, &argv);
    if (!several)
        return STATUS_FAILED;
    several->invocation.together = true;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; ++at) {
        const char *json = common_value(argv[at], "--json"), *waits = common_value(argv[at], "--waits");
        if (json)
            snprintf(several->invocation.json_path, sizeof(several->invocation.json_path), "%s", json);
        else if (waits && atoi(waits) > 1 && atoi(waits) < JOBS_MAX)
            several->waits[atoi(waits) - 2] = true;
        else if (strcmp(argv[at], "--lay-out") == 0)
            several->invocation.lay_out = true;
        else
            several->invocation.together = false;
    }
    int status = carry_out(several, argc - at, argv + at);
    invocation_free(&several->invocation);
    free(several);
    return status;
}
