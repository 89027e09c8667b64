#include "cli/engine.h"

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
                                 .foreign_files = invocation->foreign_files};
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

/* ---- databases ---- */

static bool no_databases(const struct errand *errand, struct error *error)
{
    return error_set(error, ERR_UNSUPPORTED, "db_driver=%s: databases are not built in yet", errand->job->db_driver);
}

static bool run_tables(const struct errand *errand, struct result **out, struct error *error)
{
    *out = NULL;
    return no_databases(errand, error);
}

/* ---- which ---- */

const struct engine *engine_of(const struct job *job)
{
    static const struct engine files = {prepare_files, NULL, run_files, cleanup_files};
    static const struct engine databases = {no_databases, no_databases, run_tables, no_databases};
    return job->work == WORK_DATABASE ? &databases : &files;
}
