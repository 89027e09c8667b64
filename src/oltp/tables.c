/* tables.c: prepare, warmup and cleanup. */
#include "core/random.h"
#include "oltp/crew.h"
#include "oltp/oltp.h"
#include "oltp/schema.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_ROWS UINT64_C(10000) /* of one transaction: some 2 MB */
#define PACKET_BYTES_MAX ((size_t)1 << 20)
#define MEMBERS_MAX UINT64_C(64) /* more connections than that do not fill tables faster */
#define WHOLE_TABLES_EACH 4      /* with so many tables for each connection their ends are near enough */
#define COLUMNS_SQL "INSERT INTO @ (id, k, c, pad) VALUES "

struct build {                      /* on the heap: members of the crew that hang after Ctrl-C still look at it */
    const struct oltp_setup *setup; /* own_setup */
    struct oltp_setup own_setup;
    struct crew crew;
    uint64_t tables, rows, chunks; /* rows and chunks of each table */
    uint64_t seed, started_ns;
    struct sql_template insert, advance;
    struct row_maker rows_of;
    bool *made;   /* tables that this call made */
    bool is_file; /* it made the whole database too */
    _Atomic uint64_t done_rows;
};

static uint64_t elapsed_ns(const struct build *build)
{
    uint64_t ignored = 0;
    return clock_elapsed_ns(build->started_ns, clock_now_ns(build->setup->clock), &ignored);
}

static void show_progress(void *context)
{
    struct build *build = context;
    const struct listener *listener = build->setup->listener;
    struct table_progress progress = {atomic_load(&build->done_rows), build->rows * build->tables, elapsed_ns(build)};
    if (listener->table_progress && progress.total_rows > 0)
        listener->table_progress(listener->context, &progress);
}

/* ---- one table ---- */

static bool create_table(struct member *member, uint64_t index, void *context)
{
    struct build *build = context;
    char sql[SCHEMA_SQL_BYTES];
    struct table_name table;
    schema_table(build->setup->job, index, &table);
    crew_tell_step(member, table.text, TABLE_CREATE, 0);
    schema_create(build->setup->job, build->setup->driver->syntax, index, sql);
    return build->made[index] = crew_must(member, table.text, sql);
}

static bool index_table(struct member *member, uint64_t index, void *context)
{
    struct build *build = context;
    const struct job *job = build->setup->job;
    char sql[SCHEMA_SQL_BYTES];
    struct table_name table;
    schema_table(job, index, &table);
    for (uint32_t step = 0; schema_index(job, build->setup->driver->syntax, index, step, sql); ++step) {
        if (step == 0)
            crew_tell_step(member, table.text, TABLE_INDEX, 0);
        if (!crew_goes_on(member) || !crew_must(member, table.text, sql))
            return false;
    }
    return true;
}

/* The server's own numbering goes on behind the rows that came with their ids. */
static bool advance_ids(struct member *member, uint64_t index, struct build *build)
{
    const struct job *job = build->setup->job;
    struct db_value last = {DB_VALUE_INT, (int64_t)build->rows, NULL, 0};
    struct table_name table;
    if (!build->setup->driver->syntax->advance_ids || !job->auto_inc || build->rows == 0)
        return true;
    schema_table(job, index, &table);
    size_t bytes = sql_write(&build->advance, &table, &last, member->packet);
    return crew_query(member, member->packet, bytes) || crew_fail(member, table.text);
}

/* ---- rows ---- */

/* Rows first … last, by as few statements as their length allows. */
static bool insert_rows(struct member *member, struct build *build, const struct table_name *table,
                        struct random *random, uint64_t first, uint64_t last)
{
    size_t head = sql_write(&build->insert, table, NULL, member->packet), used = head;
    for (uint64_t id = first; id <= last; ++id) {
        if (used > head)
            member->packet[used++] = ',';
        used += row_make(&build->rows_of, random, id, member->packet + used);
        if (id < last && used + SCHEMA_ROW_BYTES + 1 <= member->crew->packet_bytes)
            continue;
        if (!crew_goes_on(member) || !crew_query(member, member->packet, used))
            return false;
        used = head;
    }
    return true;
}

static bool query_text(struct member *member, const char *sql)
{
    return crew_query(member, sql, strlen(sql));
}

/* One transaction. A conflict with another connection's begins it anew. */
static bool fill_chunk(struct member *member, struct build *build, uint64_t index, uint64_t chunk)
{
    const struct db_syntax *syntax = build->setup->driver->syntax;
    uint64_t first = chunk * CHUNK_ROWS + 1, last = first + CHUNK_ROWS - 1;
    struct table_name table;
    struct random random;
    schema_table(build->setup->job, index, &table);
    last = last < build->rows ? last : build->rows;
    while (crew_goes_on(member)) {
        random_init(&random, build->seed, index * build->chunks + chunk);
        if (query_text(member, syntax->begin_write) && insert_rows(member, build, &table, &random, first, last) &&
            query_text(member, "COMMIT")) {
            atomic_fetch_add(&build->done_rows, last - first + 1);
            return true;
        }
        if (!crew_goes_on(member) || member->failure.class != DB_CLASS_RETRY)
            break;
        struct db_failure conflict = member->failure;
        query_text(member, "ROLLBACK");
        member->failure = conflict;
    }
    return crew_fail(member, table.text);
}

/* Neighbouring tasks are chunks of different tables, so that connections meet in one table as seldom as can be. */
static bool fill_task(struct member *member, uint64_t task, void *context)
{
    struct build *build = context;
    uint64_t index = task % build->tables, chunk = task / build->tables;
    struct table_name table;
    schema_table(build->setup->job, index, &table);
    if (chunk == 0)
        crew_tell_step(member, table.text, TABLE_FILL, build->rows);
    return fill_chunk(member, build, index, chunk);
}

static bool finish_table(struct member *member, uint64_t index, void *context)
{
    return advance_ids(member, index, context) && index_table(member, index, context);
}

static bool whole_table(struct member *member, uint64_t index, void *context)
{
    struct build *build = context;
    struct table_name table;
    if (!create_table(member, index, build))
        return false;
    schema_table(build->setup->job, index, &table);
    if (build->chunks > 0)
        crew_tell_step(member, table.text, TABLE_FILL, build->rows);
    for (uint64_t chunk = 0; chunk < build->chunks; ++chunk)
        if (!fill_chunk(member, build, index, chunk))
            return false;
    return finish_table(member, index, build);
}

/* ---- the driver, and a connection of the main thread ---- */

static bool driver_start(const struct oltp_setup *setup, struct error *error)
{
    const struct db_driver *driver = setup->driver;
    if ((driver->check && !driver->check(setup->job, error)) || (driver->start && !driver->start(error)))
        return false;
    if (driver->thread_start)
        driver->thread_start();
    return true;
}

/* The driver itself stays started: other jobs may run beside this one. */
static void driver_leave(const struct oltp_setup *setup)
{
    if (setup->driver->thread_stop)
        setup->driver->thread_stop();
}

static bool connect_main(const struct oltp_setup *setup, bool may_create, struct db_connection **out,
                         struct error *error)
{
    struct db_target target = {.job = setup->job, .password = setup->password, .index = 0, .may_create = may_create};
    struct db_failure failure;
    return setup->driver->connect(&target, out, &failure) || error_set(error, ERR_SYSTEM, "%s", failure.text);
}

/* Asks for none of its rows: what is there can be asked. */
static bool is_there(const struct oltp_setup *setup, struct db_connection *connection, const struct table_name *table)
{
    char sql[TABLE_NAME_BYTES + 64];
    struct db_reply reply;
    struct db_failure ignored;
    int bytes = snprintf(sql, sizeof(sql), "SELECT 1 FROM %s WHERE 1 = 0", table->text);
    return setup->driver->query(connection, sql, (size_t)bytes, NULL, NULL, &reply, &ignored);
}

static bool refuse_tables_there(const struct oltp_setup *setup, struct db_connection *connection, struct error *error)
{
    for (uint64_t i = 0; i < schema_tables(setup->job); ++i) {
        struct table_name table;
        schema_table(setup->job, i, &table);
        if (is_there(setup, connection, &table))
            return error_set(error, ERR_USAGE,
                             "table %s is there already and was left alone: run cleanup first, or choose another "
                             "--table-name",
                             table.text);
    }
    return true;
}

static bool check_before(const struct oltp_setup *setup, uint64_t members, struct error *error)
{
    struct db_connection *connection = NULL;
    if (!connect_main(setup, true, &connection, error))
        return false;
    bool good = refuse_tables_there(setup, connection, error) &&
                (!setup->driver->room || setup->driver->room(connection, members, 0, error));
    setup->driver->disconnect(connection);
    return good;
}

/* ---- prepare ---- */

static bool build_init(struct build *build, const struct oltp_setup *setup, struct error *error)
{
    const struct job *job = setup->job;
    const char *advance = setup->driver->syntax->advance_ids;
    build->own_setup = *setup;
    build->setup = &build->own_setup;
    build->tables = schema_tables(job);
    build->rows = schema_rows(job);
    build->chunks = (build->rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
    build->started_ns = clock_now_ns(setup->clock);
    build->seed = job->seed ? job->seed : clock_wall_ns() ^ build->started_ns;
    build->made = calloc((size_t)build->tables, sizeof(*build->made));
    row_maker_init(&build->rows_of, job);
    return (build->made && sql_make(&build->insert, COLUMNS_SQL) &&
            sql_make(&build->advance, advance ? advance : "")) ||
           error_set(error, ERR_SYSTEM, "not enough memory for --tables=%" PRIu64, build->tables);
}

static void build_free(struct build *build)
{
    if (!build || build->crew.stuck)
        return;
    crew_close(&build->crew);
    sql_done(&build->insert);
    sql_done(&build->advance);
    free(build->made);
    free(build);
}

static struct build *build_make(const struct oltp_setup *setup, struct error *error)
{
    struct build *build = calloc(1, sizeof(*build));
    if (!build)
        error_set(error, ERR_SYSTEM, "not enough memory for --tables=%" PRIu64, schema_tables(setup->job));
    else if (build_init(build, setup, error))
        return build;
    build_free(build);
    return NULL;
}

static uint64_t members_for(const struct build *build)
{
    uint64_t members = build->setup->driver->syntax->one_writer ? 1 : build->setup->job->threads;
    uint64_t most = build->chunks > 1 ? build->tables * build->chunks : build->tables;
    members = members < most ? members : most;
    return members < MEMBERS_MAX ? members : MEMBERS_MAX;
}

static size_t packet_bytes_for(const struct build *build)
{
    uint64_t most = build->setup->driver->syntax->statement_bytes;
    size_t bytes = most < PACKET_BYTES_MAX ? (size_t)most : PACKET_BYTES_MAX;
    size_t least = sql_room(&build->insert, 0) + sql_room(&build->advance, 0) + SCHEMA_ROW_BYTES;
    return bytes > least ? bytes : least;
}

static bool fill_all(struct build *build, struct error *error)
{
    struct crew *crew = &build->crew;
    if (crew->count == 1 || build->tables % crew->count == 0 || build->tables >= WHOLE_TABLES_EACH * crew->count)
        return crew_work(crew, whole_table, show_progress, build, build->tables, error);
    return crew_work(crew, create_table, NULL, build, build->tables, error) &&
           crew_work(crew, fill_task, show_progress, build, build->tables * build->chunks, error) &&
           crew_work(crew, finish_table, NULL, build, build->tables, error);
}

/* By a connection of its own: those of the crew may be in a transaction, or gone. */
static void drop_made(struct build *build, struct error *error)
{
    const struct oltp_setup *setup = build->setup;
    struct db_connection *connection = NULL;
    struct error cannot = ERROR_INIT;
    struct db_failure failure;
    struct db_reply reply;
    char sql[SCHEMA_SQL_BYTES];
    uint64_t left = 0;
    bool good = connect_main(setup, false, &connection, &cannot);
    for (uint64_t i = 0; i < build->tables; ++i) {
        if (!build->made[i])
            continue;
        schema_drop(setup->job, i, false, sql);
        left += !good || !setup->driver->query(connection, sql, strlen(sql), NULL, NULL, &reply, &failure);
    }
    setup->driver->disconnect(connection);
    size_t used = strlen(error->text);
    if (left > 0)
        snprintf(error->text + used, sizeof(error->text) - used,
                 "; %" PRIu64 " tables made by then could not be dropped again: run cleanup", left);
    else if (build->crew.interrupted)
        snprintf(error->text + used, sizeof(error->text) - used, ": the tables made by then were dropped again");
}

/* Ends transactions that hold the tables. */
static void disconnect_all(struct build *build)
{
    for (uint32_t i = 0; i < build->crew.count; ++i) {
        build->setup->driver->disconnect(build->crew.members[i].connection);
        build->crew.members[i].connection = NULL;
    }
}

/* A file that was there before stays. */
static void discard_file(const struct build *build)
{
    if (build->is_file)
        build->setup->driver->discard(build->setup->job);
}

static void give_up(struct build *build, struct error *error)
{
    size_t used = strlen(error->text);
    if (build->crew.stuck) {
        snprintf(error->text + used, sizeof(error->text) - used, "; cleanup removes the tables made by then");
        return;
    }
    disconnect_all(build);
    if (!build->is_file) {
        drop_made(build, error);
        return;
    }
    discard_file(build);
    snprintf(error->text + used, sizeof(error->text) - used, "; the file, which prepare had made, was removed again");
}

/* MySQL's ids are unsigned in 0.4's form, which is room for all. */
static bool check_ids(const struct build *build, struct error *error)
{
    const struct job *job = build->setup->job;
    const struct db_syntax *syntax = build->setup->driver->syntax;
    bool is_unsigned = job->table_form == TABLE_FORM_0_4 && syntax->has_engines;
    return is_unsigned || syntax->last_id == 0 || build->rows <= syntax->last_id ||
           error_set(error, ERR_USAGE, "--table-size=%" PRIu64 ": the id column is an INTEGER, which ends at %" PRIu64,
                     build->rows, syntax->last_id);
}

static bool prepare(struct build *build, struct error *error)
{
    const struct listener *listener = build->setup->listener;
    const struct db_driver *driver = build->setup->driver;
    uint64_t members = members_for(build);
    if (!check_ids(build, error))
        return false;
    build->is_file = driver->is_absent && driver->is_absent(build->setup->job);
    if (!check_before(build->setup, members, error) ||
        !crew_open(&build->crew, build->setup, members, packet_bytes_for(build), error)) {
        discard_file(build);
        return false;
    }
    if (!fill_all(build, error)) {
        give_up(build, error);
        return false;
    }
    show_progress(build);
    if (listener->tables_done)
        listener->tables_done(listener->context, atomic_load(&build->done_rows), elapsed_ns(build));
    return true;
}

static void tell_prepare(const struct oltp_setup *setup)
{
    if (setup->listener->prepare_started)
        setup->listener->prepare_started(setup->listener->context, setup->job);
}

bool oltp_prepare(const struct oltp_setup *setup, struct error *error)
{
    if (!driver_start(setup, error))
        return false;
    tell_prepare(setup);
    struct build *build = build_make(setup, error);
    bool good = build && prepare(build, error);
    build_free(build);
    driver_leave(setup);
    return good;
}

/* ---- warmup and cleanup ---- */

static bool warm_table(struct member *member, uint64_t index, void *context)
{
    struct build *build = context;
    char sql[SCHEMA_SQL_BYTES];
    struct table_name table;
    schema_table(build->setup->job, index, &table);
    crew_tell_step(member, table.text, TABLE_WARM, build->rows);
    for (uint32_t step = 0; schema_warm(build->setup->job, index, step, sql); ++step)
        if (!crew_goes_on(member) || !crew_must(member, table.text, sql))
            return false;
    return true;
}

static bool drop_table(struct member *member, uint64_t index, void *context)
{
    struct build *build = context;
    char sql[SCHEMA_SQL_BYTES];
    struct table_name table;
    schema_table(build->setup->job, index, &table);
    crew_tell_step(member, table.text, TABLE_DROP, 0);
    schema_drop(build->setup->job, index, true, sql);
    return crew_must(member, table.text, sql);
}

static bool each_table(const struct oltp_setup *setup, bool (*task)(struct member *, uint64_t, void *),
                       uint64_t members, struct error *error)
{
    if (!driver_start(setup, error))
        return false;
    struct build *build = build_make(setup, error);
    bool good = build && crew_open(&build->crew, build->setup, members, 0, error) &&
                crew_work(&build->crew, task, NULL, build, build->tables, error);
    if (good && setup->listener->tables_done)
        setup->listener->tables_done(setup->listener->context, 0, elapsed_ns(build));
    build_free(build);
    driver_leave(setup);
    return good;
}

bool oltp_warmup(const struct oltp_setup *setup, struct error *error)
{
    uint64_t tables = schema_tables(setup->job), threads = setup->job->threads;
    uint64_t members = threads < tables ? threads : tables;
    return each_table(setup, warm_table, members < MEMBERS_MAX ? members : MEMBERS_MAX, error);
}

bool oltp_cleanup(const struct oltp_setup *setup, struct error *error)
{
    return each_table(setup, drop_table, 1, error);
}
