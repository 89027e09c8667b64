/* oltp.c: one run of the database benchmark, from the checked job to the result. */
#include "oltp/oltp.h"

#include "oltp/lane.h"
#include "oltp/replicas.h"
#include "oltp/schema.h"
#include "platform/compiler.h"
#include "platform/host.h"
#include "platform/path.h"
#include "run/warnings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARE_DESCRIPTORS 64 /* for logs and libraries */

/* A new seed when the job leaves it open; a JSON integer holds 63 bits. */
static uint64_t draw_seed(const struct oltp_setup *setup)
{
    struct random random;
    random_init(&random, clock_wall_ns(), clock_now_ns(setup->clock));
    return (random_next(&random) & (uint64_t)INT64_MAX) | 1;
}

static void tell(const struct oltp *oltp, void (*told)(void *, const struct job *))
{
    if (told)
        told(oltp->setup.listener->context, oltp->job);
}

/* ---- before the threads ---- */

static uint64_t items(const char *list)
{
    uint64_t count = 1;
    for (; *list; ++list)
        count += *list == ',';
    return count;
}

/* Servers that the connections are dealt over. */
static uint64_t servers(const struct job *job)
{
    return job->db_socket[0] ? items(job->db_socket) : items(job->db_host) * items(job->db_port);
}

static bool check_descriptors(const struct oltp *oltp, struct error *error)
{
    uint32_t each = oltp->plan.driver->syntax->descriptors;
    uint64_t needed = oltp->job->threads * (each ? each : 1) + SPARE_DESCRIPTORS, limit = host_open_files_limit();
    if (needed <= limit)
        return true;
    return error_set(error, ERR_USAGE,
                     "%" PRIu64 " connections need %" PRIu64 " open files and the system allows %" PRIu64
                     ": raise the limit (ulimit -n), or use fewer connections (--threads)",
                     oltp->job->threads, needed, limit);
}

static bool take_number(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    uint64_t *out = context;
    (void)bytes;
    if (columns > 0 && values[0])
        *out = strtoull(values[0], NULL, 10);
    return true;
}

/* The workload's tables can be read; and do they have the rows that it will ask for? */
static bool check_table(const struct oltp *oltp, struct db_connection *connection, uint64_t index,
                        struct result *result, struct error *error)
{
    char sql[TABLE_NAME_BYTES + 64];
    struct table_name table;
    struct db_reply reply;
    struct db_failure failure;
    uint64_t last = 0, asked = schema_rows(oltp->job);
    schema_table(oltp->job, index, &table);
    int bytes = snprintf(sql, sizeof(sql), "SELECT MAX(id) FROM %s", table.text);
    if (!oltp->plan.driver->query(connection, sql, (size_t)bytes, take_number, &last, &reply, &failure))
        return error_set(error, ERR_SYSTEM, "table %s cannot be read, is it prepared? %s", table.text, failure.text);
    if (last < asked)
        result_warn(result, "rows-missing",
                    "the largest id in table %s is %" PRIu64 " and --table-size=%" PRIu64
                    ": statements find no row there and have less to do; set --table-size to what prepare had",
                    table.text, last, oltp->job->table_size);
    return true;
}

static void add_difference(char *list, size_t list_bytes, const char *name, const char *own, const char *first)
{
    size_t used = strlen(list);
    if (strcmp(own, first) != 0)
        snprintf(list + used, list_bytes - used, "%s%.60s %.60s (%.60s)", used ? ", " : "", name, own, first);
}

/* Of the servers that the connections are dealt over. */
static void compare_servers(const struct job *job, uint64_t index, const struct server_facts *own,
                            struct result *result)
{
    const struct server_facts *first = &result->server;
    char list[300] = "", host[TEXT_MAX], port[16] = "";
    add_difference(list, sizeof(list), "version", own->version, first->version);
    for (size_t i = 0; i < own->variables_count && i < first->variables_count; ++i)
        if (strcmp(own->variables[i].name, first->variables[i].name) == 0)
            add_difference(list, sizeof(list), own->variables[i].name, own->variables[i].value,
                           first->variables[i].value);
    db_deal(job->db_socket[0] ? job->db_socket : job->db_host, job->db_socket[0] ? index : index / items(job->db_port),
            host, sizeof(host));
    if (!job->db_socket[0])
        db_deal(job->db_port, index, port, sizeof(port));
    if (list[0])
        result_warn(result, "servers-differ",
                    "%.100s%s%s has (in brackets: the first server) %s; the figures are of both together, and the "
                    "result holds the first one's settings",
                    host, port[0] ? ":" : "", port, list);
}

static bool take_facts(const struct oltp *oltp, struct db_connection *connection, uint64_t index, struct result *result,
                       struct error *error)
{
    struct server_facts facts;
    struct db_failure failure;
    if (!oltp->plan.driver->facts(connection, &facts, &failure))
        return error_set(error, ERR_SYSTEM, "%s", failure.text);
    if (index == 0)
        result->server = facts;
    else
        compare_servers(oltp->job, index, &facts, result);
    return true;
}

static bool look_at_server(const struct oltp *oltp, struct db_connection *connection, uint64_t index,
                           struct result *result, struct error *error)
{
    const struct db_driver *driver = oltp->plan.driver;
    uint64_t each = servers(oltp->job), tables = schema_tables(oltp->job);
    if (!take_facts(oltp, connection, index, result, error))
        return false;
    if (driver->room &&
        !driver->room(connection, (oltp->job->threads + each - 1) / each, plan_prepares(&oltp->plan), error))
        return false;
    return check_table(oltp, connection, 0, result, error) &&
           (tables == 1 || check_table(oltp, connection, tables - 1, result, error));
}

/* By a connection that is gone when the threads open theirs. */
static bool check_server(const struct oltp *oltp, uint64_t index, struct result *result, struct error *error)
{
    const struct db_driver *driver = oltp->plan.driver;
    struct db_target target = {.job = oltp->job, .password = oltp->setup.password, .index = index, .may_create = false};
    struct db_connection *connection = NULL;
    struct db_failure failure;
    if (!driver->connect(&target, &connection, &failure))
        return error_set(error, ERR_SYSTEM, "%s", failure.text);
    bool good = look_at_server(oltp, connection, index, result, error);
    driver->disconnect(connection);
    return good;
}

static bool check_servers(const struct oltp *oltp, struct result *result, struct error *error)
{
    uint64_t count = servers(oltp->job);
    count = count < oltp->job->threads ? count : oltp->job->threads;
    for (uint64_t i = 0; i < count; ++i)
        if (!check_server(oltp, i, result, error))
            return false;
    return true;
}

static void note_machine(const struct oltp *oltp, struct result *result)
{
    char folder[TEXT_MAX];
    struct error ignored = ERROR_INIT; /* a server's files are its own affair */
    clock_measure(oltp->setup.clock, &result->clock);
    host_measure(&result->host);
    if (strcmp(oltp->job->db_driver, "sqlite") != 0)
        return;
    snprintf(folder, sizeof(folder), "%s", oltp->job->db_file);
    host_target(folder, &result->target, &ignored);
}

static bool make_doors(struct oltp *oltp)
{
    bool good = failures_init(&oltp->failures);
    for (size_t i = 0; i < DOORS; ++i) {
        oltp->doors[i] = mutex_make();
        good = good && oltp->doors[i];
    }
    return good;
}

static bool settle(struct oltp *oltp, const struct oltp_setup *setup, struct result *result, struct error *error)
{
    struct job *job = &result->job;
    oltp->setup = *setup;
    oltp->setup.job = oltp->job = job;
    job->seed = job->seed ? job->seed : draw_seed(setup);
    if (!make_doors(oltp))
        return error_set(error, ERR_SYSTEM, "not enough memory to start a run");
    if (setup->script)
        plan_of_script(&oltp->plan, job, setup->driver, setup->script);
    else if (!plan_make(&oltp->plan, job, setup->driver, error))
        return false;
    if (!check_descriptors(oltp, error))
        return false;
    tell(oltp, setup->listener->run_starting);
    if (!setup->script && !check_servers(oltp, result, error))
        return false;
    /* before a script loads anything, so that what is wrong with a replica is known then */
    if (job->replica[0] && !replicas_open(&oltp->replicas, &oltp->setup, result, error))
        return false;
    if (!setup->script)
        return true;
    if (!stage_begin(&oltp->stage, &oltp->setup, result, error))
        return false;
    /* the lag of the run is to be that of its load, not of what was loaded before it */
    if (!oltp->replicas || replicas_settle(oltp->replicas, error))
        return true;
    stage_end(&oltp->stage, false, error);
    return false;
}

/* ---- after them ---- */

/* The first of each kind. */
static void add_script_sql(const struct script *script, struct result *result)
{
    for (size_t i = script->queries.count; i > 0; --i) {
        const struct script_statement *statement = &script->queries.items[i - 1];
        struct statement_row *row = &result->statements[statement->kind];
        snprintf(row->sql, sizeof(row->sql), "%s%s%s", statement->sql, statement->tail ? "?" : "",
                 statement->tail ? statement->tail : "");
    }
    if (script->commit_every > 0)
        snprintf(result->statements[script->kinds_count - 1].sql, STATEMENT_SQL_BYTES, "COMMIT");
}

/* As sent to the first table. */
static void add_sql(const struct oltp *oltp, struct result *result)
{
    const struct plan *plan = &oltp->plan;
    char *sql = malloc(plan->sql_bytes);
    struct table_name table;
    if (plan->script) {
        free(sql);
        if (result->statements_count == plan->slots_count)
            add_script_sql(plan->script, result);
        return;
    }
    schema_table(oltp->job, 0, &table);
    for (size_t i = 0; sql && i < result->statements_count && i < plan->slots_count; ++i) {
        sql_write(&plan->sql[plan->kinds[i]], &table, NULL, sql);
        snprintf(result->statements[i].sql, sizeof(result->statements[i].sql), "%s", sql);
    }
    free(sql);
}

static bool refuse_failures(const struct failures *failures, struct error *error)
{
    if (failures->total == 0)
        return true;
    return error_set(error, ERR_DATA, "%" PRIu64 " transactions failed; the first: %s: %s", failures->total,
                     failures->rows[0].first, failures->rows[0].text);
}

static void see_measuring(void *context, uint64_t at_ns)
{
    (void)at_ns;
    replicas_measuring(((struct oltp *)context)->replicas);
}

static void see_interval(void *context, struct interval *interval)
{
    replicas_interval(((struct oltp *)context)->replicas, interval);
}

/* `done`: the load came to its end, so that it is worth waiting for. */
static bool let_catch_up(struct oltp *oltp, bool done, struct error *error)
{
    bool good = !oltp->replicas || replicas_finish(oltp->replicas, done, error);
    replicas_close(oltp->replicas);
    oltp->replicas = NULL;
    return good;
}

static bool verify(const struct oltp *oltp, struct result *result, struct error *error)
{
    const struct oltp_setup *setup = &oltp->setup;
    return !oltp->job->verify_replica || !setup->verify || setup->verify(setup->verify_context, result, error);
}

static bool run_settled(struct oltp *oltp, struct result *result, struct error *error)
{
    struct load load = lane_load(oltp);
    load.measuring = see_measuring;
    load.interval = see_interval;
    struct run_setup run = {.job = oltp->job,
                            .listener = oltp->setup.listener,
                            .clock = oltp->setup.clock,
                            .load = &load,
                            .place = oltp->setup.place};
    const struct script *script = oltp->setup.script;
    struct evidence evidence = {.connects = script && script->connects_late, .together = oltp->setup.place != NULL};
    note_machine(oltp, result);
    tell(oltp, oltp->setup.listener->run_opened);
    bool good = run_load(&run, result, error);
    if (!result->forced)
        good = let_catch_up(oltp, good && !result->partial, error) && good;
    if (good && !result->partial)
        good = verify(oltp, result, error);
    /* threads that hang hold the schema */
    if (script && !result->forced && !stage_end(&oltp->stage, good && !result->partial, error))
        good = false;
    add_sql(oltp, result);
    memcpy(result->faults, oltp->failures.rows, sizeof(result->faults));
    result->faults_count = oltp->failures.count;
    warnings_add(result, &evidence);
    return good && refuse_failures(&oltp->failures, error);
}

static void oltp_free(struct oltp *oltp)
{
    failures_done(&oltp->failures);
    for (size_t i = 0; i < DOORS; ++i)
        if (oltp->doors[i])
            mutex_free(oltp->doors[i]);
    plan_done(&oltp->plan);
    stage_done(&oltp->stage);
    free(oltp);
}

static bool run_started(const struct oltp_setup *setup, struct result **out, struct error *error)
{
    struct result *result = result_make(setup->job);
    /* on the heap: threads that hang in a forced shutdown still look at it */
    struct oltp *oltp = calloc(1, sizeof(*oltp));
    bool good = result && oltp;
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory for --threads=%" PRIu64, setup->job->threads);
    good = good && settle(oltp, setup, result, error);
    bool forced = false;
    if (good) {
        good = run_settled(oltp, result, error);
        forced = result->forced;
        *out = result;
    } else {
        if (oltp)
            replicas_close(oltp->replicas);
        result_free(result);
    }
    if (oltp && !forced)
        oltp_free(oltp);
    return good;
}

bool oltp_run(const struct oltp_setup *setup, struct result **out, struct error *error)
{
    const struct db_driver *driver = setup->driver;
    *out = NULL;
    if ((driver->check && !driver->check(setup->job, error)) || (driver->start && !driver->start(error)))
        return false;
    if (driver->thread_start)
        driver->thread_start();
    bool good = run_started(setup, out, error);
    if (*out && (*out)->forced)
        return good; /* threads are still in the library */
    if (driver->thread_stop)
        driver->thread_stop();
    return good; /* the driver stays started: other jobs may run beside this one */
}
