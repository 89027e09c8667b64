#include "cli/engine.h"

#include "cli/replica_check.h"
#include "db/db.h"
#include "fileio/layout.h"
#include "fileio/made.h"
#include "oltp/knee.h"

#include <string.h>

/* ---- jobs ---- */

size_t invocation_jobs(const struct invocation *invocation)
{
    return 1 + invocation->further_count;
}

const struct job *invocation_job(const struct invocation *invocation, size_t index)
{
    return index == 0 ? &invocation->job : &invocation->further[index - 1];
}

const char *invocation_name(const struct invocation *invocation, size_t index)
{
    const char *name = invocation->names ? invocation->names[index] : NULL;
    return name ? name : "";
}

/* ---- files ---- */

struct fileio_setup engine_file_setup(const struct errand *errand)
{
    const struct invocation *invocation = errand->invocation;
    return (struct fileio_setup){.job = errand->job,
                                 .listener = errand->listener,
                                 .layer = &file_layer_system,
                                 .clock = errand->clock,
                                 .overwrite = invocation->overwrite,
                                 .extend_bytes = invocation->extend_bytes,
                                 .may_start_warm = invocation->may_start_warm,
                                 .foreign_files = invocation->foreign_files,
                                 .made = errand->made,
                                 .place = errand->place,
                                 .locks = errand->locks,
                                 .pool_threads = errand->pool_threads};
}

static bool prepare_files(const struct errand *errand, struct error *error)
{
    struct fileio_setup setup = engine_file_setup(errand);
    return fileio_prepare(&setup, error);
}

static bool run_files(const struct errand *errand, struct result **out, struct error *error)
{
    struct fileio_setup setup = engine_file_setup(errand);
    return fileio_run(&setup, out, error);
}

static bool cleanup_files(const struct errand *errand, struct error *error)
{
    struct fileio_setup setup = engine_file_setup(errand);
    return fileio_cleanup(&setup, error);
}

static bool lay_out_files(const struct errand *errand, struct error *error)
{
    struct fileio_setup setup = engine_file_setup(errand);
    return fileio_lay_out(&setup, error);
}

static bool settle_files(const struct errand *errand, struct error *error)
{
    struct fileio_setup setup = engine_file_setup(errand);
    return fileio_settle(&setup, error);
}

/* ---- databases ---- */

/* The errand's job is one of its invocation's. */
const struct script *engine_script(const struct errand *errand)
{
    const struct invocation *invocation = errand->invocation;
    for (size_t i = 0; invocation->scripts && i < invocation_jobs(invocation); ++i)
        if (invocation_job(invocation, i) == errand->job)
            return &invocation->scripts[i];
    return NULL;
}

static bool check_script(const struct errand *errand, struct error *error)
{
    bool is_script = strcmp(errand->job->workload, SCRIPT_WORKLOAD) == 0;
    return is_script == (errand->invocation->scripts != NULL) ||
           error_set(error, ERR_USAGE,
                     "--workload=" SCRIPT_WORKLOAD
                     ": its statements come with isobench mysqlslap or isobench query, which run it");
}

static bool verify_tables(void *context, struct result *result, struct error *error)
{
    return replica_check_run(context, result, error);
}

static bool table_setup(const struct errand *errand, struct oltp_setup *out, struct error *error)
{
    *out = (struct oltp_setup){.job = errand->job,
                               .listener = errand->listener,
                               .password = errand->invocation->password,
                               .clock = errand->clock,
                               .place = errand->place,
                               .script = engine_script(errand)};
    if (!check_script(errand, error))
        return false;
    out->driver = db_driver_find(errand->job->db_driver, error);
    return out->driver != NULL;
}

static bool prepare_tables(const struct errand *errand, struct error *error)
{
    struct oltp_setup setup;
    return table_setup(errand, &setup, error) && oltp_prepare(&setup, error);
}

static bool warm_tables(const struct errand *errand, struct error *error)
{
    struct oltp_setup setup;
    return table_setup(errand, &setup, error) && oltp_warmup(&setup, error);
}

static bool run_tables(const struct errand *errand, struct result **out, struct error *error)
{
    struct oltp_setup setup;
    *out = NULL;
    if (!table_setup(errand, &setup, error))
        return false;
    if (errand->job->find_lag_knee[0]) /* once, after all of its runs */
        return knee_run(&setup, out, error) &&
               (!errand->job->verify_replica || (*out)->partial || replica_check_run(errand, *out, error));
    setup.verify = verify_tables;
    setup.verify_context = (void *)(uintptr_t)errand;
    return oltp_run(&setup, out, error);
}

static bool cleanup_tables(const struct errand *errand, struct error *error)
{
    struct oltp_setup setup;
    return table_setup(errand, &setup, error) && oltp_cleanup(&setup, error);
}

/* ---- which ---- */

const struct engine *engine_of(const struct job *job)
{
    static const struct engine files = {prepare_files, NULL, run_files, cleanup_files, lay_out_files, settle_files};
    static const struct engine databases = {prepare_tables, warm_tables, run_tables, cleanup_tables, NULL, NULL};
    return job->work == WORK_DATABASE ? &databases : &files;
}
