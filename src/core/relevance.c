#include "core/relevance.h"

#include "platform/compiler.h"

#include <string.h>

/* ---- when ---- */

static bool has_set(const struct job *job)
{
    return job->target[0] == '\0';
}

static bool writes(const struct job *job)
{
    return mode_writes(job->mode);
}

static bool writes_random_data(const struct job *job)
{
    return writes(job) && job->data == DATA_RANDOM;
}

static bool mixes(const struct job *job)
{
    return mode_reads(job->mode) && mode_writes(job->mode);
}

static bool is_sequential(const struct job *job)
{
    return mode_is_sequential(job->mode);
}

static bool is_random(const struct job *job)
{
    return !mode_is_sequential(job->mode);
}

static bool shares_a_sequence(const struct job *job)
{
    return is_sequential(job) && job->threads > 1;
}

static bool is_striped(const struct job *job)
{
    return is_sequential(job) && job->stripe_blocks > 0;
}

static bool has_several_files(const struct job *job)
{
    return job->target[0] ? strchr(job->target, ',') != NULL : job->files > 1;
}

static bool is_special(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_SPECIAL;
}

static bool is_gaussian(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_GAUSSIAN;
}

static bool is_pareto(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_PARETO;
}

static bool is_zipfian(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_ZIPFIAN;
}

/* At depth 1 auto is sync. */
static bool picks_an_engine(const struct job *job)
{
    return job->depth > 1 || (strcmp(job->engine, "auto") != 0 && strcmp(job->engine, "sync") != 0);
}

static bool syncs(const struct job *job)
{
    return writes(job) && (job->sync_every > 0 || job->sync_each_write || job->sync_at_end);
}

static bool syncs_now_and_then(const struct job *job)
{
    return writes(job) && job->sync_every > 0;
}

static bool syncs_in_a_mix(const struct job *job)
{
    return mixes(job) && job->sync_every > 0;
}

static bool is_open_loop(const struct job *job)
{
    return job->rate > 0;
}

static bool pauses(const struct job *job)
{
    return job->think_time_ns > 0;
}

static bool has_a_time_limit(const struct job *job)
{
    return job->time_ns > 0;
}

static bool shows_intervals(const struct job *job)
{
    return job->report_interval_ns > 0;
}

static bool verifies(const struct job *job)
{
    return job->verify;
}

/* ---- what; settings that are not here always matter ---- */

static const struct {
    const char *name;
    bool (*when)(const struct job *job);
} rows[] = {
    {"dir", has_set},
    {"file_name", has_set},
    {"files", has_set},
    {"data", writes},
    {"compress_percent", writes_random_data},
    {"read_percent", mixes},
    {"mix", mixes},
    {"cursor", shares_a_sequence},
    {"file_choice", has_several_files},
    {"stripe_rows", is_striped},
    {"merge_blocks", is_sequential},
    {"align", is_random},
    {"distribution", is_random},
    {"special_iterations", is_special},
    {"special_percent", is_special},
    {"special_result_percent", is_special},
    {"gaussian_iterations", is_gaussian},
    {"pareto_h", is_pareto},
    {"zipfian_exponent", is_zipfian},
    {"seed", is_random},
    {"engine", picks_an_engine},
    {"through", writes},
    {"sync_kind", syncs},
    {"sync_every", writes},
    {"sync_counts", syncs_in_a_mix},
    {"sync_each_write", writes},
    {"sync_at_end", writes},
    {"count_syncs", syncs_now_and_then},
    {"arrival", is_open_loop},
    {"burst", pauses},
    {"shutdown_grace", has_a_time_limit},
    {"interval_percentile", shows_intervals},
    {"ledger", verifies},
};

bool setting_matters(const struct setting *setting, const struct job *job)
{
    if (!setting_concerns(setting, job->work))
        return false;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        if (strcmp(rows[i].name, setting->name) == 0)
            return rows[i].when(job);
    }
    return true;
}
