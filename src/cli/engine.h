/* cli/engine.h: the engine that makes a job's load, as one table for all of them. */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "core/dialect.h"
#include "core/result.h"
#include "fileio/fileio.h"
#include "platform/clock.h"

/* One job of a command line, and how to report on it. */
struct errand {
    const struct invocation *invocation;
    const struct job *job;
    const struct listener *listener;
    const struct clock *clock;
    /* of a job that is one of several at the same time; NULL and 0 = alone */
    struct start_place *place;
    struct set_locks *locks;
    uint64_t pool_threads;
    struct metrics *metrics; /* of invocation.metrics; else NULL */
    struct made_files *made; /* of invocation.remove_made; else NULL */
};

/* The jobs of a command line, in their order: its job, then the further ones. */
size_t invocation_jobs(const struct invocation *invocation);
const struct job *invocation_job(const struct invocation *invocation, size_t index);
const char *invocation_name(const struct invocation *invocation, size_t index); /* "" = none */

/* Each as in fileio/fileio.h and oltp/oltp.h. */
struct engine {
    bool (*prepare)(const struct errand *errand, struct error *error);
    bool (*warmup)(const struct errand *errand, struct error *error); /* NULL = has none, and no dialect asks for it */
    bool (*run)(const struct errand *errand, struct result **out, struct error *error);
    bool (*cleanup)(const struct errand *errand, struct error *error);
    bool (*lay_out)(const struct errand *errand, struct error *error); /* of invocation.lay_out; NULL = has none */
    bool (*settle)(const struct errand *errand, struct error *error);  /* of invocation.settle_between; NULL = none */
};

/* The script of the errand's job, or NULL. */
const struct script *engine_script(const struct errand *errand);

const struct engine *engine_of(const struct job *job);

struct fileio_setup engine_file_setup(const struct errand *errand);

#endif
