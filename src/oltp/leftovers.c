#include "oltp/leftovers.h"

#include "core/text_pool.h"
#include "oltp/heartbeat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool leftover_named(const char *name, uint64_t source_id)
{
    char begin[HEARTBEAT_NAME_BYTES];
    size_t bytes = (size_t)snprintf(begin, sizeof(begin), HEARTBEAT_NAME "%08" PRIx32, (uint32_t)source_id);
    return strncmp(name, begin, bytes) == 0 && strlen(name) == bytes + 8 &&
           strspn(name + bytes, "0123456789abcdef") == 8;
}

struct search {
    const struct db_driver *driver;
    struct db_connection *source;
    uint64_t source_id;
    struct result *result;
    struct text_pool names;
};

static bool take_name(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct search *search = context;
    if (columns == 0 || !values[0] || !leftover_named(values[0], search->source_id))
        return true;
    return text_pool_copy(&search->names, values[0], bytes[0]) != NULL;
}

/* What the first column of the rows must all be. */
struct match {
    const char *wanted;
    uint64_t others, rows;
};

static bool compare(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct match *match = context;
    (void)bytes;
    ++match->rows;
    match->others += columns == 0 || !values[0] || strcmp(values[0], match->wanted) != 0;
    return true;
}

static bool ask(const struct search *search, const char *sql,
                bool (*row)(void *, size_t, const char *const *, const size_t *), void *context,
                struct db_failure *failure)
{
    struct db_reply reply;
    return search->driver->query(search->source, sql, strlen(sql), row, context, &reply, failure);
}

/* Its run has ended: its connection holds no lock. */
static bool is_left(const struct search *search, const char *name)
{
    char sql[HEARTBEAT_SQL_BYTES];
    struct db_failure ignored;
    struct match free_lock = {.wanted = "1"};
    snprintf(sql, sizeof(sql), "SELECT IS_FREE_LOCK('%s')", name);
    return ask(search, sql, compare, &free_lock, &ignored) && free_lock.rows == 1 && free_lock.others == 0;
}

/* Somebody's table in such a schema keeps it. */
static bool holds_nothing_else(const struct search *search, const char *schema)
{
    char sql[HEARTBEAT_SQL_BYTES];
    struct db_failure ignored;
    struct match tables = {.wanted = schema};
    snprintf(sql, sizeof(sql), "SHOW TABLES FROM %s", schema);
    return ask(search, sql, compare, &tables, &ignored) && tables.others == 0;
}

static void warn(const struct search *search, const char *what, const char *name, const struct db_failure *failure)
{
    result_warn(search->result, "heartbeat-left", "%s %s of a run that was killed could not be dropped: %.300s", what,
                name, failure->text);
}

static void drop(struct search *search, const char *list_sql, const char *what, bool is_schema)
{
    char sql[HEARTBEAT_SQL_BYTES];
    struct db_failure failure;
    if (!ask(search, list_sql, take_name, search, &failure))
        warn(search, what, HEARTBEAT_NAME "*", &failure);
    for (size_t i = 0; i < search->names.count; ++i) {
        const char *name = search->names.items[i];
        if (!is_left(search, name) || (is_schema && !holds_nothing_else(search, name)))
            continue;
        snprintf(sql, sizeof(sql), "DROP %s IF EXISTS %s", what, name);
        if (!ask(search, sql, NULL, NULL, &failure))
            warn(search, what, name, &failure);
    }
    text_pool_done(&search->names);
}

void leftovers_drop(const struct db_driver *driver, struct db_connection *source, uint64_t source_id, bool has_database,
                    struct result *result)
{
    struct search search = {.driver = driver, .source = source, .source_id = source_id, .result = result};
    drop(&search, "SHOW SCHEMAS LIKE '" HEARTBEAT_NAME "%'", "SCHEMA", true);
    if (has_database)
        drop(&search, "SHOW TABLES LIKE '" HEARTBEAT_NAME "%'", "TABLE", false);
}
