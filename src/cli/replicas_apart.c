#include "cli/replicas_apart.h"

#include "cli/engine.h"
#include "cli/text_replicas.h"

#include <inttypes.h>

/* Which of several jobs it is. */
static void print_job(const struct replicas_apart *apart, const struct job *job, const char *before, const char *after)
{
    const char *name = invocation_name(apart->invocation, apart->index);
    if (name[0])
        fprintf(stderr, "%s%s%s", before, name, after);
    else if (apart->invocation->further_count > 0)
        fprintf(stderr, "%s%" PRIu64 " connections%s", before, job->threads, after);
}

static void interval_ended(void *context, const struct job *job, const struct interval *interval)
{
    fprintf(stderr, "[%7.1f s]", (double)interval->end_ns / 1e9);
    print_job(context, job, "  ", "");
    text_replicas_interval(stderr, job, interval);
    fputc('\n', stderr);
}

static void awaited(void *context, const struct job *job, uint64_t waited_ns, uint64_t lag_ns)
{
    (void)context;
    (void)job;
    text_replicas_awaited(stderr, waited_ns, lag_ns);
}

const struct listener *replicas_apart_listener(struct replicas_apart *apart, const struct invocation *invocation,
                                               size_t index, const struct listener *inner)
{
    apart->invocation = invocation;
    apart->index = index;
    apart->watcher = (struct replica_watcher){.context = apart, .interval = interval_ended, .awaited = awaited};
    apart->listener = *inner;
    apart->listener.replicas = &apart->watcher;
    return &apart->listener;
}

void replicas_apart_done(const struct replicas_apart *apart, const struct result *result)
{
    if (!result->measured || !result->replication)
        return;
    print_job(apart, &result->job, "", ":\n");
    text_replicas_result(stderr, result);
}
