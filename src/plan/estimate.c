#include "plan/estimate.h"

#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>

/* What is taken for true until something was made: of a slow disk, and of one connection to a server. */
#define FILES_BYTES_PER_S 256e6
#define TABLE_ROWS_PER_S 50e3
#define BEYOND_LOAD_S 0.1 /* a run's threads and files */

bool estimate_init(struct estimate *out, const struct plan *plan)
{
    *out = (struct estimate){.plan = plan,
                             .took_s = calloc(plan->job_count + 1, sizeof *out->took_s),
                             .counted = calloc(plan->layout_count + 1, sizeof *out->counted)};
    return out->took_s && out->counted;
}

void estimate_done(struct estimate *estimate)
{
    free(estimate->took_s);
    free(estimate->counted);
    estimate->took_s = NULL;
    estimate->counted = NULL;
}

static double load_s(const struct job *job)
{
    return job->time_ns > 0 ? (double)(job->time_ns + job->warmup_ns) / (double)NS_PER_S : 0;
}

void estimate_note_run(struct estimate *estimate, size_t job, double seconds)
{
    double load = load_s(&estimate->plan->jobs[job].job);
    estimate->took_s[job] = seconds;
    if (load == 0)
        return;
    estimate->beyond_load_s += seconds > load ? seconds - load : 0;
    estimate->runs++;
}

/* ---- files and tables ---- */

static double rows_of(const struct job *job)
{
    return (double)job->tables * (double)job->table_size;
}

void estimate_note_layout(struct estimate *estimate, size_t job, double seconds)
{
    const struct job *made = &estimate->plan->jobs[job].job;
    if (made->work == WORK_FILES) {
        estimate->files_bytes += (double)made->total_size_bytes;
        estimate->files_s += seconds;
    } else {
        estimate->rows += rows_of(made);
        estimate->tables_s += seconds;
    }
}

static double layout_s(const struct estimate *estimate, const struct job *job)
{
    if (job->work == WORK_DATABASE)
        return rows_of(job) * (estimate->rows > 0 ? estimate->tables_s / estimate->rows : 1 / TABLE_ROWS_PER_S);
    return job->target[0] != '\0'
               ? 0
               : (double)job->total_size_bytes *
                     (estimate->files_bytes > 0 ? estimate->files_s / estimate->files_bytes : 1 / FILES_BYTES_PER_S);
}

/* ---- all that is left ---- */

static double run_s(const struct estimate *estimate, size_t job, bool *at_least)
{
    double load = load_s(&estimate->plan->jobs[job].job);
    *at_least |= load == 0 && estimate->took_s[job] == 0;
    if (load == 0)
        return estimate->took_s[job];
    return load + (estimate->runs > 0 ? estimate->beyond_load_s / (double)estimate->runs : BEYOND_LOAD_S);
}

double estimate_left(const struct estimate *estimate, const struct manifest *runs, size_t first, const bool *made,
                     bool *at_least)
{
    double seconds = 0;
    memset(estimate->counted, 0, estimate->plan->layout_count * sizeof *estimate->counted);
    *at_least = false;
    for (size_t i = first; i < runs->run_count; i++) {
        const struct plan_job *job = &estimate->plan->jobs[runs->runs[i].job];
        if (runs->states[i] != RUN_OPEN)
            continue;
        seconds += run_s(estimate, runs->runs[i].job, at_least);
        if (!made[job->layout] && !estimate->counted[job->layout])
            seconds += layout_s(estimate, &job->job);
        estimate->counted[job->layout] = true;
    }
    return seconds;
}
