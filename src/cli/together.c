#include "cli/together.h"

#include "cli/in_turn.h"
#include "cli/metrics.h"
#include "fileio/set_locks.h"
#include "run/start_line.h"

#include <stdlib.h>

struct strand { /* one job's thread */
    struct errand errand;
    struct together *out;
    struct thread *thread;
};

/* On the heap: threads that hang after a forced shutdown may still look at it. */
struct together_jobs {
    size_t first, count;
    struct strand *strands;
    struct start_line *line;
    struct set_locks *locks;
    struct in_turn in_turn;
    struct listener listener;
};

static void body(void *argument)
{
    struct strand *strand = argument;
    struct together *out = strand->out;
    out->good = engine_of(strand->errand.job)->run(&strand->errand, &out->result, &out->error);
    start_place_leave(strand->errand.place);
    out->sent_home = start_place_sent_home(strand->errand.place);
}

/* The pool of the engine uv is one for the whole process, and made once. */
static uint64_t pool_threads(const struct invocation *invocation)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < invocation_jobs(invocation); ++i) {
        const struct job *job = invocation_job(invocation, i);
        sum += job->work == WORK_FILES ? job->threads * job->depth : 0;
    }
    return sum;
}

static void strand_init(struct together_jobs *jobs, const struct errand *errand, uint32_t index, struct together *out)
{
    size_t job = jobs->first + index;
    struct strand *strand = &jobs->strands[index];
    strand->errand = *errand;
    strand->errand.job = invocation_job(errand->invocation, job);
    strand->errand.listener = metrics_listener(errand->metrics, job, &jobs->listener);
    strand->errand.place = start_line_place(jobs->line, index);
    strand->errand.locks = jobs->locks;
    strand->errand.pool_threads = pool_threads(errand->invocation);
    strand->out = &out[index];
}

static void jobs_free(struct together_jobs *jobs)
{
    if (!jobs)
        return;
    set_locks_free(jobs->locks);
    start_line_free(jobs->line);
    mutex_free(jobs->in_turn.mutex);
    free(jobs->strands);
    free(jobs);
}

static struct together_jobs *jobs_make(const struct errand *errand, size_t first, size_t count, struct together *out)
{
    const char *const *names = errand->invocation->names;
    struct together_jobs *jobs = calloc(1, sizeof(*jobs));
    if (!jobs)
        return NULL;
    jobs->first = first;
    jobs->count = count;
    jobs->strands = calloc(count + 1, sizeof(*jobs->strands));
    jobs->line = start_line_make((uint32_t)count, (uint32_t)first + 1, names ? names + first : NULL);
    jobs->locks = set_locks_make();
    jobs->in_turn = (struct in_turn){errand->listener, mutex_make()};
    jobs->listener = in_turn_listener(&jobs->in_turn);
    if (!jobs->strands || !jobs->line || !jobs->locks || !jobs->in_turn.mutex) {
        jobs_free(jobs);
        return NULL;
    }
    for (size_t i = 0; i < count; ++i)
        strand_init(jobs, errand, (uint32_t)i, out);
    return jobs;
}

/* True when the next one may get ready. */
static bool start_one(struct together_jobs *jobs, uint32_t index)
{
    struct strand *strand = &jobs->strands[index];
    if (thread_start(&strand->thread, body, strand, 0, &strand->out->error))
        return start_line_await(jobs->line, index);
    start_place_leave(strand->errand.place);
    return false;
}

static void start_all(struct together_jobs *jobs)
{
    uint32_t index = 0;
    bool good = true;
    for (; good && index < jobs->count; ++index)
        good = start_one(jobs, index);
    for (; index < jobs->count; ++index)
        jobs->strands[index].out->sent_home =
            start_place_is_broken(jobs->strands[index].errand.place, &jobs->strands[index].out->error);
}

void together_run(const struct errand *errand, size_t first, size_t count, struct together *out)
{
    bool forced = false;
    for (size_t i = 0; i < count; ++i)
        out[i] = (struct together){0};
    struct together_jobs *jobs = jobs_make(errand, first, count, out);
    if (!jobs) {
        error_set(&out[0].error, ERR_SYSTEM, "not enough memory for jobs that run at the same time");
        return;
    }
    start_all(jobs);
    for (size_t i = 0; i < jobs->count; ++i) {
        if (jobs->strands[i].thread)
            thread_join(jobs->strands[i].thread);
        forced = forced || (out[i].result && out[i].result->forced);
    }
    if (!forced)
        jobs_free(jobs);
}
