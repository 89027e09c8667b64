#include "cli/in_turn.h"

/* Calls the inner listener's function of the same name. */
#define PASS_ON(name, ...)                                                                                             \
    struct in_turn *in_turn = context;                                                                                 \
    mutex_lock(in_turn->mutex);                                                                                        \
    in_turn->inner->name(in_turn->inner->context, __VA_ARGS__);                                                        \
    mutex_unlock(in_turn->mutex)

static void expand_started(void *context, const char *path, uint64_t have_bytes, uint64_t want_bytes)
{
    PASS_ON(expand_started, path, have_bytes, want_bytes);
}

static void expand_done(void *context, const char *path)
{
    PASS_ON(expand_done, path);
}

static void run_starting(void *context, const struct job *job)
{
    PASS_ON(run_starting, job);
}

static void run_opened(void *context, const struct job *job)
{
    PASS_ON(run_opened, job);
}

static void run_warming(void *context, const struct job *job)
{
    PASS_ON(run_warming, job);
}

static void run_measuring(void *context, const struct job *job)
{
    PASS_ON(run_measuring, job);
}

static void run_interval(void *context, const struct job *job, const struct interval *interval)
{
    PASS_ON(run_interval, job, interval);
}

static void run_checkpoint(void *context, const struct result *since, uint64_t at_ns)
{
    PASS_ON(run_checkpoint, since, at_ns);
}

static void request(void *context, const struct request *request)
{
    const struct listener *inner = ((const struct in_turn *)context)->inner;
    inner->request(inner->context, request);
}

#define IF_THERE(name) .name = inner->name ? (name) : NULL

/* What a run tells; run_done and runs_done come from who called the engines. */
struct listener in_turn_listener(struct in_turn *in_turn)
{
    const struct listener *inner = in_turn->inner;
    return (struct listener){.context = in_turn,
                             .live = inner->live,
                             IF_THERE(expand_started),
                             IF_THERE(expand_done),
                             IF_THERE(run_starting),
                             IF_THERE(run_opened),
                             IF_THERE(run_warming),
                             IF_THERE(run_measuring),
                             IF_THERE(run_interval),
                             IF_THERE(run_checkpoint),
                             IF_THERE(request)};
}
