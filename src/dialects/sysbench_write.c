/* sysbench_write.c: a job as sysbench 1.0 would say it. Options that are a setting follow from the table; here stand
 * those that are several settings or another form of one, as in sysbench_job.c. */
#include "dialects/sysbench.h"

#include "core/settings.h"
#include "core/units.h"
#include "dialects/places.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <string.h>

/* Given even where they are the default: the size of the load. */
static const char *const always[] = {"files",   "total_size", "block_size", "mode",
                                     "threads", "time",       "tables",     "table_size"};

static bool is_given_always(const char *setting)
{
    for (size_t i = 0; i < COUNT_OF(always); ++i)
        if (strcmp(always[i], setting) == 0)
            return true;
    return false;
}

/* The option's value; "" where sysbench has no word for it. */
static void value_of(const struct job *job, const struct sysbench_option *option, const struct setting *setting,
                     char *out, size_t out_bytes)
{
    if (strcmp(setting->name, "files") == 0)
        snprintf(out, out_bytes, "%" PRIu64, place_count(job));
    else if (strcmp(setting->name, "block_size") == 0)
        snprintf(out, out_bytes, "%" PRIu64, job->block_size_bytes);
    else
        job_get(job, setting, out, out_bytes);
    if (strcmp(option->name, "file-test-mode") == 0 &&
        job->mode == MODE_SEQRW) /* sysbench has none: what it does most */
        snprintf(out, out_bytes, "%s", job->read_percent < 50 ? "seqrewr" : "seqrd");
    if (strcmp(setting->name, "total_size") == 0 && job->total_size_bytes == 0)
        out[0] = '\0';
    if (strcmp(option->name, "percentile") == 0 && job->percentiles.count > 1)
        out[0] = '\0'; /* a list is ours: sysbench takes one whole number */
    if (strcmp(option->name, "percentile") == 0 && job->percentiles.count == 0 && !job->histogram)
        snprintf(out, out_bytes, "0"); /* none; but sysbench prints no histogram then */
}

static void write_option(const struct job *job, const struct sysbench_option *option, struct command *out)
{
    char value[TEXT_MAX];
    const struct setting *setting = setting_find(option->setting);
    const char *fallback = option->fallback ? option->fallback : setting->fallback;
    bool syncs_need_none = job->sync_each_write && strcmp(setting->name, "sync_every") == 0;
    value_of(job, option, setting, value, sizeof(value));
    if (!value[0] || syncs_need_none || (!is_given_always(setting->name) && strcmp(value, fallback) == 0))
        return;
    command_add(out, "--%s=%s", option->name, value);
}

static void write_settings(const struct job *job, struct command *out)
{
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        const struct sysbench_option *option = &sysbench_options[i];
        if (option->setting && !option->same_as && option->group != GROUP_OWN &&
            setting_concerns(setting_find(option->setting), job->work) &&
            (job->work == WORK_FILES || sysbench_workload_has(job->workload, option)))
            write_option(job, option, out);
    }
}

static void write_path(const struct job *job, struct command *out)
{
    static const char *const flags[2][3] = {{"", "dsync", "sync"}, {"direct", "direct,dsync", "direct,sync"}};
    const char *flag = flags[job->cache == OS_CACHE_OFF][job->through];
    bool mapped = strcmp(job->engine, "mmap") == 0;
    bool plain = job->depth == 1 && (strcmp(job->engine, "auto") == 0 || strcmp(job->engine, "sync") == 0);
    if (strcmp(job->dir, ".") != 0)
        command_add(out, "--file-dir=%s", job->dir);
    if (mapped)
        command_add(out, "--file-io-mode=mmap");
    else if (!plain) {
        command_add(out, "--file-io-mode=async");
        command_add(out, "--file-async-backlog=%" PRIu64, job->depth);
    }
    if (*flag)
        command_add(out, "--file-extra-flags=%s", flag);
}

static void write_access(const struct job *job, struct command *out)
{
    char ratio[32];
    if (job->work == WORK_FILES && job->merge_blocks > 1)
        command_add(out, "--file-merged-requests=%" PRIu64, job->merge_blocks);
    if (job->work == WORK_FILES && job->mode == MODE_RNDRW && job->read_percent < 100) {
        snprintf(ratio, sizeof(ratio), "%.10g", job->read_percent / (100 - job->read_percent));
        if (strcmp(ratio, "1.5") != 0)
            command_add(out, "--file-rw-ratio=%s", ratio);
    }
    if (job->seed > 0)
        command_add(out, "--rand-seed=%" PRIu64, job->seed);
}

static void write_stop(const struct job *job, struct command *out)
{
    char seconds[32];
    if (job->passes > 0 && job->time_ns == 0 && job->events == 0) /* sysbench would never end */
        command_add(out, "--events=%" PRIu64, job->passes * (job->total_size_bytes / job->block_size_bytes));
    if (job->shutdown_grace_ns != NO_GRACE && job->time_ns > 0)
        command_add(out, "--forced-shutdown=%s", units_time_exact(job->shutdown_grace_ns, seconds, sizeof(seconds)));
}

bool sysbench_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    static const char *const commands[] = {"help", "prepare", "run", "cleanup", "help", "prewarm"};
    bool files = job->work == WORK_FILES;
    command_add(out, "%s", files ? "fileio" : job->workload);
    write_settings(job, out);
    if (files)
        write_path(job, out);
    else
        sysbench_oltp_write(job, out);
    write_access(job, out);
    write_stop(job, out);
    command_add(out, "%s", commands[from->action]);
    return command_check(out, error);
}
