#include "cli/engine.h"

#include "db/db.h"
#include "fileio/layout.h"
#include "fileio/made.h"
#include "oltp/oltp.h"

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

static bool table_setup(const struct errand *errand, struct oltp_setup *out, struct error *error)
{
    *out = (struct oltp_setup){.job = errand->job,
                               .listener = errand->listener,
                               .driver = db_driver_find(errand->job->db_driver, error),
                               .password = errand->invocation->password,
                               .clock = errand->clock,
                               .place = errand->place};
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
    return table_setup(errand, &setup, error) && oltp_run(&setup, out, error);
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
