/* checksum.c: the whole check: list the tables, read them side by side, repair what differs, look again. */
#include "checksum/checksum.h"

#include "checksum/listing.h"
#include "checksum/sync.h"
#include "platform/thread.h"
#include "platform/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROWS 1000   /* of a table, before its speed is known */
#define GROWTH_MAX 4      /* from one chunk to the next */
#define ROWS_MAX 10000000 /* in a chunk */

const char *const checksum_verdicts[CHUNK_VERDICTS] = {"source",  "same",   "differs", "missing", "not on the source",
                                                       "in flux", "unknown"};
const char *const checksum_differences[] = {"changed", "missing", "extra"};

struct run {
    const struct checksum_setup *setup;
    struct checksum_report *report;
    struct repair_of_chunk *repairs;
    size_t repairs_count, repairs_room;
    struct mutex *talk; /* guards all of the above, `error`, and calls of the setup's functions */
    struct error error;
    _Atomic bool stopping;
    struct watch *watch;
    _Atomic uint64_t next;
    _Atomic uint32_t working;
    uint64_t tasks;
    bool (*task)(struct run *run, struct checker *checker, uint64_t index, struct error *error);
};

struct repair_of_chunk {
    struct repair repair;
    size_t first_row, rows; /* of the report */
};

/* ---- threads ---- */

static void checker_close(struct checker *checker)
{
    host_close(&checker->source);
    for (size_t i = 0; checker->replicas && i < checker->setup->replicas_count; i++)
        host_close(&checker->replicas[i]);
    free(checker->replicas);
    free(checker->takes_part);
}

static bool checker_open(struct checker *checker, struct run *run, struct error *error)
{
    const struct checksum_setup *setup = run->setup;
    *checker = (struct checker){.setup = setup,
                                .replicas = calloc(setup->replicas_count, sizeof(struct host)),
                                .takes_part = calloc(setup->replicas_count, sizeof(bool))};
    if (!checker->replicas || !checker->takes_part)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    if (!host_open(&checker->source, setup, setup->source, &run->stopping, error))
        return false;
    for (size_t i = 0; i < setup->replicas_count; i++)
        if (!host_open(&checker->replicas[i], setup, &setup->replicas[i], &run->stopping, error) ||
            (!setup->unrelated && !host_follows(&checker->replicas[i], &checker->source, error)))
            return false;
    return true;
}

/* The first error of any thread ends all. */
static void keep_error(struct run *run, const struct error *error)
{
    mutex_lock(run->talk);
    if (error->kind != ERR_NONE)
        error_set(&run->error, error->kind, "%s", error->text);
    atomic_store(&run->stopping, true);
    mutex_unlock(run->talk);
}

static void body(void *argument)
{
    struct run *run = argument;
    const struct db_driver *driver = run->setup->driver;
    struct checker checker = {.setup = run->setup};
    struct error error = ERROR_INIT;
    if (driver->thread_start)
        driver->thread_start();
    bool good = checker_open(&checker, run, &error);
    while (good && !atomic_load(&run->stopping)) {
        uint64_t index = atomic_fetch_add(&run->next, 1);
        if (index >= run->tasks)
            break;
        good = run->task(run, &checker, index, &error);
    }
    if (!good)
        keep_error(run, &error);
    checker_close(&checker);
    if (driver->thread_stop)
        driver->thread_stop();
    atomic_fetch_sub(&run->working, 1);
    watch_wake(run->watch);
}

static void wait_for_all(struct run *run)
{
    const struct error interrupted = {ERR_INTERRUPTED, 0, "interrupted"};
    while (atomic_load(&run->working) > 0)
        if (watch_wait(run->watch, UINT64_MAX) == WATCH_INTERRUPTED)
            keep_error(run, &interrupted);
}

/* Works off tasks 0 … tasks − 1. */
static bool work(struct run *run, bool (*task)(struct run *, struct checker *, uint64_t, struct error *),
                 uint64_t tasks, struct error *error)
{
    uint32_t wanted = tasks < run->setup->threads ? (uint32_t)tasks : run->setup->threads, started = 0;
    struct thread **threads = calloc((size_t)wanted + 1, sizeof(struct thread *));
    run->task = task;
    run->tasks = tasks;
    atomic_store(&run->next, 0);
    atomic_store(&run->working, wanted);
    while (threads && started < wanted && thread_start(&threads[started], body, run, 0, error))
        started++;
    if (started < wanted)
        atomic_store(&run->stopping, true);
    atomic_fetch_sub(&run->working, wanted - started);
    wait_for_all(run);
    for (uint32_t i = 0; i < started; i++)
        thread_join(threads[i]);
    free(threads);
    if (run->error.kind != ERR_NONE)
        return error_set(error, run->error.kind, "%s", run->error.text);
    return started == wanted || error_set(error, ERR_SYSTEM, "not enough memory");
}

/* ---- the report ---- */

static bool no_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory");
}

/* Adds the rows of one chunk and shows them; *first: where they stand. */
static bool add_rows(struct run *run, const struct checksum_row *rows, size_t count, size_t *first, struct error *error)
{
    struct checksum_report *report = run->report;
    bool good = true;
    mutex_lock(run->talk);
    *first = report->rows_count;
    for (size_t i = 0; good && i < count; i++) {
        good = list_grow((void **)&report->rows, &report->rows_room, report->rows_count, sizeof(*rows));
        if (good)
            report->rows[report->rows_count++] = rows[i];
    }
    report->chunks += rows[0].chunk > 0;
    if (good && run->setup->chunk)
        run->setup->chunk(run->setup->context, rows, count);
    mutex_unlock(run->talk);
    return good || no_memory(error);
}

static char *difference_key(const struct table *table, const char *key)
{
    struct text sql = {0};
    text_add(&sql, "(");
    table_add_key(table, &sql);
    text_add(&sql, ") = (%s)", key);
    return sql.text;
}

static bool add_difference(struct run *run, const struct table *table, const char *host, const struct found_row *found)
{
    struct checksum_report *report = run->report;
    struct checksum_difference *list = report->differences;
    if (!list_grow((void **)&list, &report->differences_room, report->differences_count, sizeof(*list)))
        return false;
    report->differences = list;
    struct checksum_difference *difference = &list[report->differences_count];
    *difference = (struct checksum_difference){table->database, table->name, host, difference_key(table, found->key),
                                               found->kind};
    if (!difference->key)
        return false;
    report->differences_count++;
    if (run->setup->difference)
        run->setup->difference(run->setup->context, difference);
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes the keys of all replicas' rows over, each once. */
static bool take_keys(struct repair *repair, struct found_rows *found, size_t replicas)
{
    size_t room = 0, kept = 0;
    for (size_t i = 0; i < replicas; i++)
        room += found[i].count;
    repair->keys = calloc(room + 1, sizeof(char *));
    if (!repair->keys)
        return false;
    for (size_t i = 0; i < replicas; i++)
        for (size_t j = 0; j < found[i].count; j++) {
            repair->keys[repair->count++] = found[i].items[j].key;
            found[i].items[j].key = NULL;
        }
    qsort(repair->keys, repair->count, sizeof(char *), by_text);
    for (size_t i = 0; i < repair->count; i++) {
        if (kept > 0 && strcmp(repair->keys[kept - 1], repair->keys[i]) == 0)
            free(repair->keys[i]);
        else
            repair->keys[kept++] = repair->keys[i];
    }
    repair->count = kept;
    return true;
}

static bool add_repair(struct run *run, const struct table *table, const struct range *range, struct found_rows *found,
                       size_t first_row, size_t rows, struct error *error)
{
    size_t total = 0;
    bool good = true;
    for (size_t i = 0; i < run->setup->replicas_count; i++)
        total += found[i].count;
    if (total == 0)
        return true;
    mutex_lock(run->talk);
    for (size_t i = 0; i < run->setup->replicas_count; i++)
        for (size_t j = 0; good && j < found[i].count; j++)
            good = add_difference(run, table, run->setup->replicas[i].name, &found[i].items[j]);
    if (good && list_grow((void **)&run->repairs, &run->repairs_room, run->repairs_count, sizeof(*run->repairs))) {
        struct repair_of_chunk *chunk = &run->repairs[run->repairs_count++];
        *chunk = (struct repair_of_chunk){.repair = {.table = table}, .first_row = first_row, .rows = rows};
        good = take_keys(&chunk->repair, found, run->setup->replicas_count) &&
               key_copy(&chunk->repair.range.after, &range->after) && key_copy(&chunk->repair.range.upto, &range->upto);
    } else {
        good = false;
    }
    mutex_unlock(run->talk);
    return good || no_memory(error);
}

/* ---- a chunk ---- */

struct chunk { /* what one thread works with: rows[0] is the source's, rows[i + 1] replica i's */
    struct checksum_row *rows;
    struct look *looks;
    struct found_rows *found;
};

static void chunk_free(struct chunk *chunk, size_t replicas)
{
    for (size_t i = 0; chunk->found && i < replicas; i++)
        found_rows_free(&chunk->found[i]);
    free(chunk->rows);
    free(chunk->looks);
    free(chunk->found);
}

static bool chunk_make(struct chunk *chunk, size_t replicas, struct error *error)
{
    *chunk = (struct chunk){calloc(replicas + 1, sizeof(struct checksum_row)), calloc(replicas, sizeof(struct look)),
                            calloc(replicas, sizeof(struct found_rows))};
    return (chunk->rows && chunk->looks && chunk->found) || no_memory(error);
}

static struct checksum_row make_row(const struct listed *listed, const char *host, uint64_t number,
                                    enum verdict_of_chunk verdict)
{
    return (struct checksum_row){.database = listed->database,
                                 .table = listed->name,
                                 .engine = listed->table.engine ? listed->table.engine : "",
                                 .host = host,
                                 .chunk = number,
                                 .verdict = verdict};
}

static void put_sum(struct checksum_row *row, const struct sum *sum, uint64_t lag_ns)
{
    row->count = sum->count;
    row->time_ns = sum->time_ns;
    row->lag_ns = lag_ns;
    strcpy(row->checksum, sum->checksum);
}

static bool settle_replica(struct checker *checker, const struct listed *listed, const struct range *range, size_t i,
                           struct chunk *chunk, struct checksum_row *row, struct error *error)
{
    if (chunk->looks[i].verdict == CHUNK_SAME)
        return true;
    if (!settle_range(checker, i, &listed->table, range, &chunk->found[i], &row->verdict, error))
        return false;
    row->differing = chunk->found[i].count;
    if (row->verdict == CHUNK_SAME)
        snprintf(row->note, sizeof(row->note), "changed while it was read; the same when read again");
    if (row->verdict == CHUNK_DIFFERS && listed->table.key_count == 0)
        snprintf(row->note, sizeof(row->note), "no unique key: which rows differ cannot be told");
    return true;
}

static bool check_chunk(struct run *run, struct checker *checker, const struct listed *listed,
                        const struct range *range, uint64_t number, uint64_t *slowest_ns, struct error *error)
{
    struct chunk chunk;
    struct sum source;
    size_t used = 1, first_row = 0, replicas = run->setup->replicas_count;
    bool good =
        chunk_make(&chunk, replicas, error) && settle_look(checker, &listed->table, range, &source, chunk.looks, error);
    if (good) {
        chunk.rows[0] = make_row(listed, run->setup->source->name, number, CHUNK_SOURCE);
        put_sum(&chunk.rows[0], &source, 0);
        *slowest_ns = source.time_ns;
    }
    for (size_t i = 0; good && i < replicas; i++) {
        if (!checker->takes_part[i])
            continue;
        struct checksum_row *row = &chunk.rows[used++];
        *row = make_row(listed, run->setup->replicas[i].name, number, CHUNK_SAME);
        put_sum(row, &chunk.looks[i].sum, chunk.looks[i].lag_ns);
        *slowest_ns = row->time_ns > *slowest_ns ? row->time_ns : *slowest_ns;
        good = settle_replica(checker, listed, range, i, &chunk, row, error);
    }
    good = good && add_rows(run, chunk.rows, used, &first_row, error) &&
           add_repair(run, &listed->table, range, chunk.found, first_row, used, error);
    chunk_free(&chunk, replicas);
    return good;
}

/* ---- a table ---- */

/* A row for a table that was not read on that server. */
static bool add_unread(struct run *run, const struct listed *listed, const char *host, enum verdict_of_chunk verdict,
                       const char *note, struct error *error)
{
    struct checksum_row row = make_row(listed, host, 0, verdict);
    size_t first;
    snprintf(row.note, sizeof(row.note), "%s", note);
    return add_rows(run, &row, 1, &first, error);
}

static bool join_replica(struct run *run, struct checker *checker, const struct listed *listed, size_t i,
                         struct error *error)
{
    const char *host = run->setup->replicas[i].name;
    struct table theirs;
    struct db_failure failure;
    char note[512] = "";
    bool here = (listed->on >> (i + 1) & 1) != 0;
    checker->takes_part[i] = false;
    if (!here)
        return add_unread(run, listed, host, CHUNK_MISSING, "the table is not on this replica", error);
    if (!table_read(run->setup->driver, checker->replicas[i].connection, listed->database, listed->name, &theirs,
                    &failure))
        snprintf(note, sizeof(note), "%s", failure.text);
    else
        checker->takes_part[i] = table_same_columns(&listed->table, &theirs, note, sizeof(note));
    table_done(&theirs);
    return checker->takes_part[i] || add_unread(run, listed, host, CHUNK_UNKNOWN, note, error);
}

static uint64_t next_rows(const struct checksum_setup *setup, uint64_t rows, uint64_t took_ns)
{
    double factor = took_ns > 0 ? (double)setup->chunk_time_ns / (double)took_ns : GROWTH_MAX;
    factor = factor > GROWTH_MAX ? GROWTH_MAX : factor;
    double wanted = (double)rows * factor;
    if (setup->chunk_rows)
        return setup->chunk_rows;
    return wanted < 1 ? 1 : wanted > ROWS_MAX ? ROWS_MAX : (uint64_t)wanted;
}

static bool check_chunks(struct run *run, struct checker *checker, const struct listed *listed, struct error *error)
{
    const struct checksum_setup *setup = run->setup;
    struct range range = {{{NULL}}, {{NULL}}};
    uint64_t rows = setup->chunk_rows ? setup->chunk_rows : FIRST_ROWS, number = 0, took_ns = 0;
    bool good = true, more = true;
    while (good && more) {
        if (listed->table.key_count > 0)
            good = range_nth(&checker->source, &listed->table, &range, rows, &range.upto, error);
        more = range.upto.values[0] != NULL;
        good = good && check_chunk(run, checker, listed, &range, ++number, &took_ns, error);
        rows = next_rows(setup, rows, took_ns);
        key_free(&range.after);
        range.after = range.upto;
        range.upto = (struct key){{NULL}};
    }
    range_free(&range);
    return good;
}

static bool add_foreign(struct run *run, const struct listed *listed, struct error *error)
{
    bool good = true;
    for (size_t i = 0; good && i < run->setup->replicas_count; i++)
        if (listed->on >> (i + 1) & 1)
            good = add_unread(run, listed, run->setup->replicas[i].name, CHUNK_FOREIGN,
                              "the table is on this replica alone", error);
    return good;
}

static bool check_table(struct run *run, struct checker *checker, uint64_t index, struct error *error)
{
    struct listed *listed = &run->report->listing->items[index];
    struct db_failure failure;
    char note[80];
    bool any = false;
    if ((listed->on & 1) == 0)
        return add_foreign(run, listed, error);
    snprintf(note, sizeof(note), "not supported: it is a %s", listed->type);
    if (listed->type[0])
        return add_unread(run, listed, run->setup->source->name, CHUNK_UNKNOWN, note, error);
    if (!table_read(run->setup->driver, checker->source.connection, listed->database, listed->name, &listed->table,
                    &failure))
        return failure.class == DB_CLASS_LOST
                   ? error_set(error, ERR_SYSTEM, "%s", failure.text)
                   : add_unread(run, listed, run->setup->source->name, CHUNK_UNKNOWN, failure.text, error);
    for (size_t i = 0; i < run->setup->replicas_count; i++) {
        if (!join_replica(run, checker, listed, i, error))
            return false;
        any |= checker->takes_part[i];
    }
    return !any || check_chunks(run, checker, listed, error);
}

static bool list_tables(struct run *run, struct checker *checker, uint64_t index, struct error *error)
{
    (void)index;
    if (!listing_make(checker, run->report->listing, error))
        return false;
    run->report->tables = run->report->listing->count;
    return run->report->tables > 0 ||
           error_set(error, ERR_USAGE,
                     "there is no table to check that this user may see; look at --databases and at the rights");
}

/* ---- repairing ---- */

static int by_place(const void *a, const void *b)
{
    const struct repair_of_chunk *first = a, *second = b;
    return first->repair.table != second->repair.table
               ? strcmp(first->repair.table->quoted, second->repair.table->quoted)
               : (first->first_row > second->first_row) - (first->first_row < second->first_row);
}

/* Leaves out tables whose rows no statements can repair, and says why. */
static bool is_allowed(struct run *run, struct checker *checker, const struct table *table)
{
    struct error refusal = ERROR_INIT;
    bool allowed = sync_allows(&checker->source, table, &refusal);
    for (size_t i = 0; allowed && i < run->setup->replicas_count; i++)
        allowed = sync_allows(&checker->replicas[i], table, &refusal);
    if (!allowed && run->setup->remark)
        run->setup->remark(run->setup->context, refusal.text);
    return allowed;
}

static void drop_repair(struct repair_of_chunk *chunk)
{
    for (size_t i = 0; i < chunk->repair.count; i++)
        free(chunk->repair.keys[i]);
    free(chunk->repair.keys);
    range_free(&chunk->repair.range);
}

static void keep_allowed(struct run *run, struct checker *checker)
{
    const struct table *last = NULL;
    bool allowed = false;
    size_t kept = 0;
    for (size_t i = 0; i < run->repairs_count; i++) {
        struct repair_of_chunk *chunk = &run->repairs[i];
        if (chunk->repair.table != last)
            allowed = is_allowed(run, checker, chunk->repair.table);
        last = chunk->repair.table;
        if (allowed)
            run->repairs[kept++] = *chunk;
        else
            drop_repair(chunk);
    }
    run->repairs_count = kept;
}

/* The same on every replica now? */
static bool look_again(struct run *run, struct checker *checker, struct repair_of_chunk *chunk, struct error *error)
{
    struct checksum_report *report = run->report;
    for (size_t i = 1; i < chunk->rows; i++) {
        struct checksum_row *row = &report->rows[chunk->first_row + i];
        struct found_rows found = {NULL};
        enum verdict_of_chunk verdict = CHUNK_FLUX;
        size_t replica = 0;
        while (run->setup->replicas[replica].name != row->host)
            replica++;
        bool good = settle_range(checker, replica, chunk->repair.table, &chunk->repair.range, &found, &verdict, error);
        row->repaired = good && row->verdict == CHUNK_DIFFERS && verdict == CHUNK_SAME;
        report->repaired += row->repaired ? row->differing : 0;
        found_rows_free(&found);
        if (!good)
            return false;
    }
    return true;
}

/* First all statements are made, which shows that they can be; then they are run, chunk by chunk. */
static bool sync_all(struct run *run, struct checker *checker, uint64_t index, struct error *error)
{
    uint64_t run_statements = 0;
    bool good = true;
    (void)index;
    qsort(run->repairs, run->repairs_count, sizeof(*run->repairs), by_place);
    keep_allowed(run, checker);
    if (run->repairs_count == 0)
        return true;
    sync_show_session(run->setup);
    for (size_t i = 0; good && i < run->repairs_count; i++)
        good = sync_show(&checker->source, &run->repairs[i].repair, &run->report->statements, error);
    if (!good || run->setup->sync != SYNC_EXECUTE)
        return good;
    good = sync_prepare(&checker->source, error);
    for (size_t i = 0; good && i < run->repairs_count; i++)
        good = sync_execute(&checker->source, &run->repairs[i].repair, &run_statements, error);
    for (size_t i = 0; good && i < run->repairs_count; i++)
        good = look_again(run, checker, &run->repairs[i], error);
    return good;
}

/* ---- all of it ---- */

static bool check_all(struct run *run, struct error *error)
{
    return work(run, list_tables, 1, error) && work(run, check_table, run->report->tables, error) &&
           (run->setup->sync == SYNC_NONE || run->repairs_count == 0 || work(run, sync_all, 1, error));
}

static bool check_setup(const struct checksum_setup *setup, struct error *error)
{
    const struct db_driver *driver = setup->driver;
    if (!driver->replication)
        return error_set(error, ERR_UNSUPPORTED, "verify: not supported with --db-driver=%s, only with mysql",
                         driver->name);
    if (setup->replicas_count + 1 > SERVERS_MAX)
        return error_set(error, ERR_USAGE, "--replica: %d at most", SERVERS_MAX - 1);
    for (size_t i = 0; i <= setup->replicas_count; i++)
        if (driver->check && !driver->check(i ? &setup->replicas[i - 1].job : &setup->source->job, error))
            return false;
    return !driver->start || driver->start(error);
}

bool checksum_run(const struct checksum_setup *setup, struct checksum_report *out, struct error *error)
{
    *out = (struct checksum_report){.listing = NULL};
    if (!check_setup(setup, error))
        return false;
    struct run run = {.setup = setup, .report = out, .talk = mutex_make()};
    out->listing = calloc(1, sizeof(*out->listing));
    bool good = (run.talk && out->listing) || no_memory(error);
    good = good && watch_make(&run.watch, error) && check_all(&run, error);
    for (size_t i = 0; i < run.repairs_count; i++)
        drop_repair(&run.repairs[i]);
    free(run.repairs);
    watch_free(run.watch);
    if (run.talk)
        mutex_free(run.talk);
    return good;
}

void checksum_free(struct checksum_report *report)
{
    for (size_t i = 0; i < report->differences_count; i++)
        free(report->differences[i].key);
    free(report->differences);
    free(report->rows);
    listing_free(report->listing);
    *report = (struct checksum_report){.listing = NULL};
}

enum verdict_of_chunk checksum_verdict(const struct checksum_report *report)
{
    enum verdict_of_chunk worst = CHUNK_SAME;
    for (size_t i = 0; i < report->rows_count; i++) {
        const struct checksum_row *row = &report->rows[i];
        bool differs = row->verdict == CHUNK_DIFFERS || row->verdict == CHUNK_MISSING || row->verdict == CHUNK_FOREIGN;
        if (differs && !row->repaired)
            return CHUNK_DIFFERS;
        if (row->verdict == CHUNK_FLUX || row->verdict == CHUNK_UNKNOWN)
            worst = CHUNK_UNKNOWN;
    }
    return worst;
}
