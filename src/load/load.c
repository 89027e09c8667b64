/* load.c: all steps, one after the other, and what goes around them. */
#include "load/inner.h"

#include "core/random.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- connections ---- */

static const char *const mysql_session[] = {
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION,NO_BACKSLASH_ESCAPES', "
    "time_zone = '+00:00', autocommit = 1",
    NULL};
static const char *const pgsql_session[] = {"SET standard_conforming_strings = on", "SET datestyle = ISO",
                                            "SET timezone = 'UTC'", NULL};

bool load_connect(struct load *load, const struct job *job, uint64_t index, struct db_connection **out,
                  struct db_failure *failure)
{
    struct db_target target = {.job = job,
                               .password = load->setup->password,
                               .index = index,
                               .may_create = true,
                               .may_stream = load->driver->stream != NULL};
    struct db_reply reply;
    static const char *const none[] = {NULL};
    const char *const *session = load_is(load, "mysql") ? mysql_session : load_is(load, "pgsql") ? pgsql_session : none;
    bool good = load->driver->connect(&target, out, failure);
    if (!good)
        *out = NULL;
    for (; good && *session; session++)
        good = load->driver->query(*out, *session, strlen(*session), NULL, NULL, &reply, failure);
    return good;
}

bool load_query(struct load *load, const char *sql, db_row *row, void *context, struct error *error)
{
    struct db_reply reply;
    struct db_failure failure;
    if (!load->main)
        return error_set(error, ERR_SYSTEM, "the connection is gone");
    return load->driver->query(load->main, sql, strlen(sql), row, context, &reply, &failure) ||
           error_set(error, ERR_SYSTEM, "%s", failure.text);
}

static bool take_first(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    char *out = context;
    (void)bytes;
    if (columns > 0 && values[0])
        snprintf(out, LOAD_VALUE_BYTES, "%.*s", LOAD_VALUE_BYTES - 1, values[0]);
    return false;
}

bool load_ask(struct load *load, const char *sql, char out[LOAD_VALUE_BYTES], struct error *error)
{
    out[0] = '\0';
    return load_query(load, sql, take_first, out, error);
}

/* ---- what is asked for ---- */

static bool is_plain_name(const char *name)
{
    static const char signs[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    size_t bytes = strlen(name);
    return bytes > 0 && bytes < 60 && strspn(name, signs) == bytes && (name[0] < '0' || name[0] > '9');
}

/* Every way that the database has, or those that were asked for. */
static bool settle_ways(struct load *load, struct error *error)
{
    struct load_names *ways = &load->setup->ways;
    char all[128] = "";
    bool none = ways->count == 0;
    for (size_t i = 0; way_at(i); i++) {
        const char *name = way_name(load, way_at(i));
        if (!name)
            continue;
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", all[0] ? ", " : "", name);
        if (none)
            snprintf(ways->names[ways->count++], LOAD_NAME_BYTES, "%s", name);
    }
    for (size_t i = 0; i < ways->count; i++)
        if (!way_find(load, ways->names[i]))
            return error_set(error, ERR_USAGE, "--ways=%s: the %s driver has %s", ways->names[i], load->driver->name,
                             all);
    return true;
}

static bool settle_parts(struct load *load, struct error *error)
{
    struct load_numbers *parts = &load->setup->parts;
    bool alone = load->driver->syntax->one_writer;
    static const uint64_t standard[] = {1, 2, 4};
    for (size_t i = 0; i < parts->count; i++)
        if (alone && parts->numbers[i] != 1)
            return error_set(error, ERR_USAGE,
                             "--parts=%" PRIu64 ": SQLite has one writer at a time, so 1 is all there is",
                             parts->numbers[i]);
    if (parts->count == 0) {
        parts->count = alone ? 1 : COUNT_OF(standard);
        memcpy(parts->numbers, standard, sizeof(standard));
    }
    return true;
}

static bool settle_setup(struct load *load, struct error *error)
{
    struct load_setup *setup = load->setup;
    if (!is_plain_name(setup->table))
        return error_set(error, ERR_USAGE,
                         "--table=%.60s: give a name of lower-case letters, digits and _, shorter than 60",
                         setup->table);
    if (setup->replaced[0] && strcmp(setup->replaced, setup->table) != 0)
        return error_set(error, ERR_USAGE,
                         "--replace=%.60s: it names the table that is loaded (--table=%.60s), or none", setup->replaced,
                         setup->table);
    if (strchr(setup->job.db_host, ',') || strchr(setup->job.db_port, ',') || strchr(setup->job.db_socket, ','))
        return error_set(error, ERR_USAGE, "--db-host, --db-port, --db-socket: one table is loaded on one server");
    if (setup->engines.count > 0 && !load->driver->syntax->has_engines)
        return error_set(error, ERR_USAGE, "--engines: only the mysql driver's server has several");
    if (setup->engines.count == 0)
        snprintf(setup->engines.names[setup->engines.count++], LOAD_NAME_BYTES, "InnoDB");
    if (setup->commits.count == 0)
        setup->commits.numbers[setup->commits.count++] = 10000;
    if (strcmp(load->driver->name, "pgsql") == 0 && strcmp(setup->job.retry_errors, "auto") == 0)
        strcpy(setup->job.retry_errors, "40001,40P01"); /* a key that is there twice does not go away */
    return settle_ways(load, error) && settle_parts(load, error) && flush_check(load, error);
}

/* ---- what the server must have ---- */

static bool check_infile(struct load *load, struct error *error)
{
    char on[LOAD_VALUE_BYTES];
    bool asked = false;
    for (size_t i = 0; i < load->setup->ways.count; i++)
        asked |= way_find(load, load->setup->ways.names[i])->streams;
    if (!asked || !load_is(load, "mysql"))
        return true;
    if (!load_ask(load, "SELECT @@GLOBAL.local_infile", on, error))
        return false;
    return strcmp(on, "1") == 0 ||
           error_set(error, ERR_USAGE,
                     "the server does not take LOAD DATA LOCAL INFILE, as its variable local_infile is off: SET GLOBAL "
                     "local_infile = 1 there, or leave the way out (--ways=multi,prepared,dump)");
}

static bool check_engines(struct load *load, struct error *error)
{
    char sql[256], found[LOAD_VALUE_BYTES];
    for (size_t i = 0; load_is(load, "mysql") && i < load->setup->engines.count; i++) {
        const char *name = load->setup->engines.names[i];
        if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != strlen(name))
            return error_set(error, ERR_USAGE, "--engines=%s: give names of engines", name);
        snprintf(sql, sizeof(sql),
                 "SELECT ENGINE FROM information_schema.ENGINES WHERE ENGINE = '%s' AND SUPPORT IN ('YES', 'DEFAULT')",
                 name);
        if (!load_ask(load, sql, found, error))
            return false;
        if (found[0] == '\0')
            return error_set(error, ERR_USAGE,
                             "--engines=%s: the server does not have it (SHOW ENGINES; MariaDB may need INSTALL SONAME "
                             "'ha_…')",
                             name);
    }
    return true;
}

static bool check_room(struct load *load, struct error *error)
{
    uint64_t most = 0;
    for (size_t i = 0; i < load->setup->parts.count; i++)
        most = load->setup->parts.numbers[i] > most ? load->setup->parts.numbers[i] : most;
    return !load->driver->room || load->driver->room(load->main, most + 1, 0, error);
}

/* ---- the steps ---- */

static bool of_step(struct load *load, const struct step *step, struct result **out, struct error *error)
{
    struct job job = step->job;
    job.threads = step->parts_count;
    job.table_size = load->rows.sum.rows;
    job.seed = load->rows.source.seed;
    job.time_ns = job.warmup_ns = 0;
    job.events = load->rows.sum.rows;
    strcpy(job.workload, "bulk_insert");
    strcpy(job.table_name, load->setup->table);
    job.db_statements = strcmp(step->way->name, "prepared") == 0 ? DB_STATEMENTS_PREPARED : DB_STATEMENTS_TEXT;
    *out = result_make(&job);
    if (!*out)
        return error_set(error, ERR_SYSTEM, "not enough memory for a result");
    snprintf((*out)->version, sizeof((*out)->version), "%s", ISOBENCH_VERSION);
    return true;
}

static bool carry_out(struct load *load, struct step *step, struct error *error)
{
    struct result *result = NULL;
    if (!stop_goes_on(&load->stop))
        return error_set(error, ERR_INTERRUPTED, "interrupted");
    if (!of_step(load, step, &result, error))
        return false;
    if (!step_run(step, result, error)) {
        result_free(result);
        return false;
    }
    return load->setup->take(load->setup->context, result) ||
           error_set(error, ERR_SYSTEM, "not enough memory for a result");
}

/* Walks through all combinations; with `run` false it only counts them. */
struct walk {
    struct load *load;
    bool run;
    size_t steps;
    struct error *error;
};

static bool walk_step(struct walk *walk, const char *engine, const char *flush, const struct way *way, uint64_t commit,
                      uint64_t parts)
{
    struct step *step = walk->run ? calloc(1, sizeof(*step)) : NULL; /* jobs are large */
    walk->steps++;
    if (!walk->run)
        return true;
    if (!step)
        return error_set(walk->error, ERR_SYSTEM, "not enough memory for a step");
    uint64_t rows = walk->load->rows.sum.rows;
    step->load = walk->load;
    step->job = walk->load->setup->job;
    step->way = way;
    step->engine = engine;
    step->flush = flush;
    step->commit_rows = commit;
    step->parts_count = (uint32_t)(parts < rows ? parts : rows);
    bool good = carry_out(walk->load, step, walk->error);
    free(step);
    return good;
}

static bool walk_way(struct walk *walk, const char *engine, const char *flush, const struct way *way)
{
    const struct load_numbers *commits = &walk->load->setup->commits, *parts = &walk->load->setup->parts;
    for (size_t c = 0; c < (way->commits ? commits->count : 1); c++)
        for (size_t p = 0; p < (way->is_alone ? 1 : parts->count); p++)
            if (!walk_step(walk, engine, flush, way, way->commits ? commits->numbers[c] : 0,
                           way->is_alone ? 1 : parts->numbers[p]))
                return false;
    return true;
}

static bool walk_all(struct walk *walk)
{
    const struct load_setup *setup = walk->load->setup;
    for (size_t e = 0; e < setup->engines.count; e++) {
        const char *engine = setup->engines.names[e];
        bool flushes = flush_concerns(walk->load, engine) && setup->flushes.count > 0;
        for (size_t f = 0; f < (flushes ? setup->flushes.count : 1); f++)
            for (size_t w = 0; w < setup->ways.count; w++)
                if (!walk_way(walk, engine, flushes ? setup->flushes.names[f] : "",
                              way_find(walk->load, setup->ways.names[w])))
                    return false;
    }
    return true;
}

/* ---- around them ---- */

/* The connection may be gone, or in a transaction that failed: a new one. */
static bool connect_anew(struct load *load)
{
    struct db_failure failure;
    load->driver->disconnect(load->main);
    load->main = NULL;
    return load_connect(load, &load->setup->job, 0, &load->main, &failure);
}

/* A table that a failed step made is of no use, and its name says nothing of that. */
static void clean_up(struct load *load, bool good, struct error *error)
{
    struct error cannot = ERROR_INIT;
    if (good && load->setup->keeps)
        return;
    if (!good && !connect_anew(load)) {
        size_t used = strlen(error->text);
        snprintf(error->text + used, sizeof(error->text) - used,
                 "; table %s may still be there, not wholly loaded: the next run drops it", load->setup->table);
        return;
    }
    if (!table_drop(load, &cannot) && good)
        error_set(error, ERR_SYSTEM, "%s", cannot.text);
}

static bool run_steps(struct load *load, struct error *error)
{
    struct walk count = {load, false, 0, error}, run = {load, true, 0, error};
    walk_all(&count);
    load->setup->begin(load->setup->context, &load->rows, count.steps);
    bool good = walk_all(&run);
    clean_up(load, good, error);
    flush_restore(load, error);
    return error->kind == ERR_NONE;
}

static bool connect_main(struct load *load, struct error *error)
{
    struct db_failure failure;
    return load_connect(load, &load->setup->job, 0, &load->main, &failure) ||
           error_set(error, ERR_SYSTEM, "%s", failure.text);
}

static bool with_connection(struct load *load, struct error *error)
{
    return check_infile(load, error) && check_engines(load, error) && check_room(load, error) &&
           table_refuse(load, error) && run_steps(load, error);
}

/* With what stands beside it: the last to close a database cannot always put its log away, on a full disk for one. */
static void remove_database(const char *file)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    char path[TEXT_MAX + 16];
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        struct error ignored = ERROR_INIT;
        snprintf(path, sizeof(path), "%s%s", file, ends[i]);
        path_remove(path, &ignored);
    }
}

/* SQLite's file goes with the table, if this run made it. */
static bool run_connected(struct load *load, struct error *error)
{
    enum path_kind kind = PATH_FILE;
    const char *file = load->setup->job.db_file;
    bool is_file = load_is(load, "sqlite");
    if (is_file && !path_look(file, &kind, NULL, error))
        return false;
    bool good = connect_main(load, error) && with_connection(load, error);
    load->driver->disconnect(load->main);
    if (is_file && kind == PATH_ABSENT && !(good && load->setup->keeps))
        remove_database(file);
    return good;
}

static bool run_started(struct load *load, struct error *error)
{
    const struct db_driver *driver = load->driver;
    struct rows_source source = load->setup->source;
    source.loose = load->setup->columns[0] != '\0';
    if (!watch_make(&load->stop.watch, error))
        return false;
    if (driver->thread_start)
        driver->thread_start();
    bool good = rows_scan(&load->rows, &source, &load->stop, error) && run_connected(load, error);
    if (driver->thread_stop)
        driver->thread_stop();
    rows_done(&load->rows);
    watch_free(load->stop.watch);
    return good;
}

static uint64_t draw_seed(const struct load_setup *setup)
{
    struct random random;
    random_init(&random, clock_wall_ns(), clock_now_ns(setup->clock));
    return (random_next(&random) & (uint64_t)INT64_MAX) | 1;
}

bool load_run(struct load_setup *setup, struct error *error)
{
    struct load *load = calloc(1, sizeof(*load));
    if (!load)
        return error_set(error, ERR_SYSTEM, "not enough memory to begin");
    load->setup = setup;
    load->driver = db_driver_find(setup->job.db_driver, error);
    if (!setup->source.path && setup->source.seed == 0)
        setup->source.seed = draw_seed(setup);
    bool good = load->driver && settle_setup(load, error) &&
                (!load->driver->check || load->driver->check(&setup->job, error)) &&
                (!load->driver->start || load->driver->start(error)) && run_started(load, error);
    free(load);
    return good;
}

void load_step_name(const struct result *result, char *out, size_t out_bytes)
{
    const struct bulk_load *load = &result->load;
    int used = snprintf(out, out_bytes, "%s, %" PRIu64 " part%s", load->way, result->job.threads,
                        result->job.threads == 1 ? "" : "s");
    if (result->job.table_engine[0])
        used += snprintf(out + used, out_bytes - (size_t)used, ", %s", result->job.table_engine);
    if (load->flush[0])
        used += snprintf(out + used, out_bytes - (size_t)used, ", flush %s", load->flush);
    if (load->commit_rows)
        snprintf(out + used, out_bytes - (size_t)used, ", commit every %" PRIu64, load->commit_rows);
}
