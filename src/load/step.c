/* step.c: one step: the table is made, loaded by all parts from one moment on, proved and measured. */
#include "load/inner.h"
#include "platform/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_NS (100 * NS_PER_MS)

/* ---- a part ---- */

static bool set_session(struct part *part)
{
    char sql[128];
    const struct step *step = part->step;
    if (!load_is(step->load, "pgsql") || step->flush[0] == '\0')
        return true;
    snprintf(sql, sizeof(sql), "SET synchronous_commit = %s", step->flush);
    return part_query(part, sql);
}

static bool prepare_insert(struct part *part)
{
    const struct load *load = part->step->load;
    char sql[LOAD_SQL_BYTES];
    if (strcmp(part->step->way->name, "prepared") != 0)
        return true;
    int used = snprintf(sql, sizeof(sql), "INSERT INTO %s (%s) VALUES (", load->setup->table, load->columns);
    for (size_t i = 0; i < load->rows.columns_count; i++)
        used += snprintf(sql + used, sizeof(sql) - (size_t)used, i ? ",?" : "?");
    snprintf(sql + used, sizeof(sql) - (size_t)used, ")");
    return load->driver->prepare(part->connection, sql, &part->statement, &part->failure);
}

static bool part_open(struct part *part)
{
    struct load *load = part->step->load;
    struct error error = ERROR_INIT;
    if (!rows_cursor_open(&part->cursor, &load->rows, &error) || !rows_cursor_seek(&part->cursor, part->first, &error))
        return part_fail_error(part, &error);
    return (load_connect(load, &part->step->job, part->index, &part->connection, &part->failure) && set_session(part) &&
            prepare_insert(part)) ||
           part_fail(part);
}

static void part_close(struct part *part)
{
    const struct db_driver *driver = part->step->load->driver;
    if (part->statement)
        driver->close(part->statement);
    driver->disconnect(part->connection);
    rows_cursor_close(&part->cursor);
    free(part->text);
    part->statement = NULL;
    part->connection = NULL;
    part->text = NULL;
}

static void part_body(void *argument)
{
    struct part *part = argument;
    struct step *step = part->step;
    const struct db_driver *driver = step->load->driver;
    if (driver->thread_start)
        driver->thread_start();
    bool good = part_open(part);
    atomic_fetch_add(&step->ready, 1);
    watch_wake(step->load->stop.watch);
    gate_wait(step->gate);
    if (good && part_goes_on(part))
        step->way->run(part);
    part->end_ns = clock_now_ns(step->load->setup->clock);
    part_close(part);
    if (driver->thread_stop)
        driver->thread_stop();
    atomic_fetch_sub(&step->working, 1);
    watch_wake(step->load->stop.watch);
}

/* ---- all parts ---- */

static void wait_a_moment(struct load *load)
{
    if (watch_wait(load->stop.watch, TICK_NS) == WATCH_INTERRUPTED) {
        load->stop.interrupted = true;
        atomic_store(&load->stop.stopping, true);
    }
}

static uint32_t start_parts(struct step *step, struct error *error)
{
    uint64_t rows = step->load->rows.sum.rows;
    uint32_t started = 0, count = step->parts_count;
    atomic_store(&step->working, count);
    for (; started < count; started++) {
        struct part *part = &step->parts[started];
        part->step = step;
        part->index = started;
        part->first = rows / count * started + rows % count * started / count;
        part->last = rows / count * (started + 1) + rows % count * (started + 1) / count;
        if (!thread_start(&part->thread, part_body, part, 0, error))
            break;
    }
    if (started < count) {
        atomic_store(&step->load->stop.stopping, true);
        atomic_fetch_sub(&step->working, count - started);
    }
    return started;
}

/* Everything is at hand when the clock starts. */
static bool run_parts(struct step *step, struct result *result, struct error *error)
{
    struct load *load = step->load;
    uint64_t user_ns = 0, system_ns = 0;
    uint32_t started = start_parts(step, error);
    while (atomic_load(&step->ready) < started)
        wait_a_moment(load);
    host_cpu_time(&user_ns, &system_ns);
    result->wall_start_ns = clock_wall_ns();
    step->start_ns = clock_now_ns(load->setup->clock);
    gate_open(step->gate);
    while (atomic_load(&step->working) > 0)
        wait_a_moment(load);
    host_cpu_time(&result->cpu_user_ns, &result->cpu_system_ns);
    result->cpu_user_ns -= user_ns;
    result->cpu_system_ns -= system_ns;
    for (uint32_t i = 0; i < started; i++)
        thread_join(step->parts[i].thread);
    if (step->error.kind != ERR_NONE)
        return error_set(error, step->error.kind, "%s", step->error.text);
    if (load->stop.interrupted)
        return error_set(error, ERR_INTERRUPTED, "interrupted");
    return started == step->parts_count;
}

/* ---- figures ---- */

static void merge_part(const struct step *step, const struct part *part, struct result *result)
{
    struct tally *total = &result->total;
    uint64_t elapsed_ns = clock_elapsed_ns(step->start_ns, part->end_ns, &total->clock_steps_back);
    histogram_merge(&total->of[CLASS_WRITE_QUERY].latency, &part->statements.latency);
    histogram_merge(&total->of[CLASS_TRANSACTION].latency, &part->transactions.latency);
    total->of[CLASS_TRANSACTION].errors += part->retries;
    total->events += part->rows;
    result->load.retries += part->retries;
    result->threads[part->index] = (struct thread_row){.events = part->rows, .busy_ns = elapsed_ns};
    if (elapsed_ns > result->load_ns)
        result->load_ns = result->elapsed_ns = elapsed_ns;
}

static void warn(const struct step *step, struct result *result)
{
    double busy = (double)(result->cpu_user_ns + result->cpu_system_ns), elapsed = (double)result->load_ns;
    uint64_t cpus = result->host.cpu_count ? result->host.cpu_count : 1;
    double most = elapsed * (double)(result->job.threads < cpus ? result->job.threads : cpus);
    bool has_server = !step->load->driver->syntax->one_writer;
    if (has_server && elapsed > 0 && busy > 0.8 * most)
        result_warn(result, "client-busy",
                    "isobench itself used %.0f %% of the CPU time that %" PRIu64
                    " parts can use: the figure is this client's as much as the server's",
                    100 * busy / most, result->job.threads);
    if (result->load_ns < NS_PER_S / 2)
        result_warn(
            result, "short-load",
            "the load took %.0f ms: what happens once, or later (pages that are not written yet), makes much of "
            "it; give more rows",
            elapsed / 1e6);
}

static bool note_figures(const struct step *step, struct result *result, struct error *error)
{
    const struct load *load = step->load;
    struct bulk_load *out = &result->load;
    for (uint32_t i = 0; i < step->parts_count; i++)
        merge_part(step, &step->parts[i], result);
    out->rows = result->total.events;
    out->bytes = load->rows.bytes;
    snprintf(out->way, sizeof(out->way), "%s", way_name(load, step->way));
    snprintf(out->source, sizeof(out->source), "%s", load->rows.source.path ? load->rows.source.path : "");
    out->commit_rows = step->commit_rows;
    result->measured = true;
    if (!result_statements(result, 1))
        return error_set(error, ERR_SYSTEM, "not enough memory for a result");
    struct statement_row *row = &result->statements[0];
    snprintf(row->name, sizeof(row->name), "%s", out->way);
    snprintf(row->sql, sizeof(row->sql), "%s", step->way->sql);
    row->tally = result->total.of[CLASS_WRITE_QUERY];
    warn(step, result);
    return true;
}

static bool note_server(struct step *step, struct result *result, struct error *error)
{
    struct load *load = step->load;
    struct db_failure failure;
    char sql[256], engine[LOAD_VALUE_BYTES];
    clock_measure(load->setup->clock, &result->clock);
    host_measure(&result->host);
    if (!load->driver->facts(load->main, &result->server, &failure))
        return error_set(error, ERR_SYSTEM, "%s", failure.text);
    result->job.sqlite_synchronous = step->job.sqlite_synchronous;
    result->job.table_engine[0] = '\0';
    if (!load_is(load, "mysql"))
        return true;
    snprintf(sql, sizeof(sql),
             "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '%s'",
             load->setup->table);
    if (!load_ask(load, sql, engine, error))
        return false;
    snprintf(result->job.table_engine, sizeof(result->job.table_engine), "%.63s", engine);
    return true;
}

/* ---- a step ---- */

static bool step_open(struct step *step, struct error *error)
{
    step->gate = gate_make();
    step->lock = mutex_make();
    step->parts = calloc(step->parts_count, sizeof(*step->parts));
    return (step->gate && step->lock && step->parts) || error_set(error, ERR_SYSTEM, "not enough memory for a step");
}

static void step_close(struct step *step)
{
    if (step->gate)
        gate_free(step->gate);
    if (step->lock)
        mutex_free(step->lock);
    free(step->parts);
}

static bool make_table(struct step *step, struct error *error)
{
    struct load *load = step->load;
    if (!table_describe(load, step->engine, error) || !table_drop(load, error) || !proof_before(load, error))
        return false;
    return step->way->makes_table && !load->setup->columns[0] ? table_note_columns(load, error)
                                                              : table_make(load, error);
}

/* With a table of the user's making its columns are known once it is there. */
static bool leave_table_to_way(struct step *step, struct error *error)
{
    return !step->way->makes_table || !step->load->setup->columns[0] || table_drop(step->load, error);
}

static bool set_flush(struct step *step, struct result *result, struct error *error)
{
    return !flush_concerns(step->load, step->engine) ||
           flush_set(step->load, &step->job, step->flush, result->load.flush, error);
}

bool step_run(struct step *step, struct result *result, struct error *error)
{
    struct load *load = step->load;
    bool good = step_open(step, error) && set_flush(step, result, error) && make_table(step, error) &&
                leave_table_to_way(step, error) && run_parts(step, result, error) && note_server(step, result, error) &&
                note_figures(step, result, error) && proof_take(load, result, error) && proof_size(load, result, error);
    step_close(step);
    return good;
}
