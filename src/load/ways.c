#include "load/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES_MAX 10 /* of a transaction that met another's locks */

static uint64_t since(const struct part *part, uint64_t start_ns)
{
    uint64_t ignored = 0;
    return clock_elapsed_ns(start_ns, clock_now_ns(part->step->load->setup->clock), &ignored);
}

static uint64_t now(const struct part *part)
{
    return clock_now_ns(part->step->load->setup->clock);
}

/* ---- failures ---- */

bool part_fail_error(struct part *part, const struct error *error)
{
    struct step *step = part->step;
    mutex_lock(step->lock);
    if (part_goes_on(part))
        error_set(&step->error, error->kind, "%s", error->text);
    atomic_store(&step->load->stop.stopping, true);
    mutex_unlock(step->lock);
    return false;
}

bool part_fail(struct part *part)
{
    struct error error = ERROR_INIT;
    error_set(&error, ERR_SYSTEM, "%s", part->failure.text);
    return part_fail_error(part, &error);
}

/* ---- rows and statements ---- */

bool part_make_room(struct part *part, size_t bytes)
{
    static const struct error no_memory = {ERR_SYSTEM, 0, "not enough memory for a statement"};
    if (bytes <= part->text_room)
        return true;
    char *text = realloc(part->text, bytes);
    if (!text)
        return part_fail_error(part, &no_memory);
    part->text = text;
    part->text_room = bytes;
    return true;
}

bool part_next_row(struct part *part)
{
    struct error error = ERROR_INIT;
    bool end = false;
    if (!rows_cursor_next(&part->cursor, &end, &error))
        return part_fail_error(part, &error);
    if (!end)
        return true;
    error_set(&error, ERR_DATA, "%.400s has become shorter since it was read first",
              part->step->load->rows.source.path);
    return part_fail_error(part, &error);
}

bool part_query(struct part *part, const char *sql)
{
    struct db_reply reply;
    return part->connection->driver->query(part->connection, sql, strlen(sql), NULL, NULL, &reply, &part->failure);
}

bool part_insert(struct part *part, const char *sql, size_t bytes)
{
    struct db_reply reply;
    uint64_t start_ns = now(part);
    bool good = part->connection->driver->query(part->connection, sql, bytes, NULL, NULL, &reply, &part->failure);
    if (good)
        histogram_record(&part->statements.latency, since(part, start_ns));
    return good;
}

uint64_t part_gather(struct part *part, uint64_t rows, bool *has_row)
{
    const struct load *load = part->step->load;
    size_t columns = load->rows.columns_count, most = (size_t)load->driver->syntax->statement_bytes;
    uint64_t taken = 0;
    if (!part_make_room(part, most))
        return 0;
    size_t used =
        (size_t)snprintf(part->text, part->text_room, "INSERT INTO %s (%s) VALUES ", load->setup->table, load->columns);
    while (taken < rows && part_goes_on(part)) {
        if (!*has_row && !part_next_row(part))
            return 0;
        *has_row = true;
        size_t room = form_room(part->cursor.values, columns) + 2;
        if (taken > 0 && used + room > most)
            break;
        if (!part_make_room(part, used + room))
            return 0;
        if (taken++ > 0)
            part->text[used++] = ',';
        used += form_literals(part->cursor.values, columns, part->text + used);
        *has_row = false;
    }
    part->text_bytes = used;
    return part_goes_on(part) ? taken : 0;
}

/* ---- transactions of so many rows ---- */

static bool insert_many(struct part *part, uint64_t rows)
{
    bool has_row = false;
    for (uint64_t done = 0; done < rows;) {
        uint64_t taken = part_gather(part, rows - done, &has_row);
        if (taken == 0 || !part_insert(part, part->text, part->text_bytes))
            return false;
        done += taken;
    }
    return true;
}

static bool insert_prepared(struct part *part, uint64_t rows)
{
    struct db_reply reply;
    for (uint64_t done = 0; done < rows; done++) {
        if (!part_goes_on(part) || !part_next_row(part))
            return false;
        uint64_t start_ns = now(part);
        if (!part->connection->driver->execute(part->statement, part->cursor.values,
                                               part->step->load->rows.columns_count, &reply, &part->failure))
            return false;
        histogram_record(&part->statements.latency, since(part, start_ns));
    }
    return true;
}

/* A single row's statement is a transaction by itself. */
static bool try_transaction(struct part *part, uint64_t rows, bool (*insert)(struct part *, uint64_t))
{
    bool alone = part->step->commit_rows == 1;
    return (alone || part_query(part, part->connection->driver->syntax->begin_write)) && insert(part, rows) &&
           (alone || part_query(part, "COMMIT"));
}

/* After a conflict with another connection: from the transaction's first row. */
static bool go_back(struct part *part, uint64_t row)
{
    struct error error = ERROR_INIT;
    struct db_failure conflict = part->failure;
    part_query(part, "ROLLBACK");
    part->failure = conflict;
    part->retries++;
    return rows_cursor_seek(&part->cursor, row, &error) || part_fail_error(part, &error);
}

static bool transact(struct part *part, uint64_t row, uint64_t rows, bool (*insert)(struct part *, uint64_t))
{
    uint64_t start_ns = now(part);
    for (int tries = 1; part_goes_on(part); tries++) {
        if (try_transaction(part, rows, insert)) {
            histogram_record(&part->transactions.latency, since(part, start_ns));
            part->rows += rows;
            return true;
        }
        if (!part_goes_on(part))
            break;
        if (part->failure.class != DB_CLASS_RETRY || tries == TRIES_MAX)
            return part_fail(part);
        if (!go_back(part, row))
            break;
    }
    return false;
}

static bool transact_all(struct part *part, bool (*insert)(struct part *, uint64_t))
{
    uint64_t each = part->step->commit_rows;
    for (uint64_t row = part->first; row < part->last;) {
        uint64_t rows = part->last - row < each ? part->last - row : each;
        if (!transact(part, row, rows, insert))
            return false;
        row += rows;
    }
    return true;
}

static bool run_multi(struct part *part)
{
    return transact_all(part, insert_many);
}

static bool run_prepared(struct part *part)
{
    return transact_all(part, insert_prepared);
}

/* ---- streams ---- */

static size_t next_of_stream(void *context, char *out, size_t room)
{
    struct part *part = context;
    size_t columns = part->step->load->rows.columns_count, used = 0;
    while (used < room) {
        if (part->text_taken == part->text_bytes) {
            if (part->cursor.next == part->last)
                break;
            if (!part_goes_on(part) || !part_next_row(part) ||
                !part_make_room(part, form_room(part->cursor.values, columns)))
                return DB_STREAM_BROKEN;
            part->text_bytes = form_stream(part->cursor.values, columns, part->text);
            part->text_taken = 0;
        }
        size_t left = part->text_bytes - part->text_taken, bytes = left < room - used ? left : room - used;
        memcpy(out + used, part->text + part->text_taken, bytes);
        part->text_taken += bytes;
        used += bytes;
    }
    return used;
}

static bool stream_all(struct part *part, uint64_t row, uint64_t rows)
{
    const struct load *load = part->step->load;
    struct db_stream stream = {load->setup->table, load->columns, next_of_stream, part};
    struct db_reply reply;
    uint64_t start_ns = now(part);
    (void)row;
    part->text_bytes = part->text_taken = 0;
    if (!load->driver->stream(part->connection, &stream, &reply, &part->failure))
        return false;
    histogram_record(&part->statements.latency, since(part, start_ns));
    histogram_record(&part->transactions.latency, since(part, start_ns));
    part->rows += rows;
    return true;
}

static bool run_stream(struct part *part)
{
    for (int tries = 1; part_goes_on(part); tries++) {
        if (stream_all(part, part->first, part->last - part->first))
            return true;
        if (!part_goes_on(part))
            break;
        if (part->failure.class != DB_CLASS_RETRY || tries == TRIES_MAX)
            return part_fail(part);
        if (!go_back(part, part->first))
            break;
    }
    return false;
}

/* ---- all of them ---- */

static const struct way ways[] = {
    {.name = "stream", .streams = true, .sql = "LOAD DATA LOCAL INFILE / COPY FROM STDIN", .run = run_stream},
    {.name = "multi", .commits = true, .sql = "INSERT INTO … VALUES (…), (…) …", .run = run_multi},
    {.name = "prepared", .commits = true, .sql = "INSERT INTO … VALUES (?, …)", .run = run_prepared},
    {.name = "dump", .driver = "mysql", .makes_table = true, .is_alone = true, .sql = "a dump", .run = dump_run},
};

const struct way *way_at(size_t index)
{
    return index < COUNT_OF(ways) ? &ways[index] : NULL;
}

/* NULL where this driver does not have it. */
const char *way_name(const struct load *load, const struct way *way)
{
    if (way->driver && !load_is(load, way->driver))
        return NULL;
    return way->streams ? load->driver->syntax->stream : way->name;
}

const struct way *way_find(const struct load *load, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        const char *own = way_name(load, &ways[i]);
        if (own && strcmp(own, name) == 0)
            return &ways[i];
    }
    return NULL;
}
