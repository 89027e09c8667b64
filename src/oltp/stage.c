#include "oltp/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_STATEMENT_BYTES (3 * NAME_MAX_BYTES + 128)
#define CLAIM_WAIT_S 2

/* ---- the schema ---- */

/* "DROP SCHEMA `my``schema`", with `behind` after it. */
static const char *on_schema(const struct stage *stage, const char *what, const char *behind,
                             char out[SCHEMA_STATEMENT_BYTES])
{
    size_t used = (size_t)snprintf(out, SCHEMA_STATEMENT_BYTES, "%s `", what);
    for (const char *at = stage->script->schema; *at; ++at) {
        if (*at == '`')
            out[used++] = '`';
        out[used++] = *at;
    }
    snprintf(out + used, SCHEMA_STATEMENT_BYTES - used, "`%s", behind);
    return out;
}

struct search {
    const char *name;
    bool found;
};

static bool find_name(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct search *search = context;
    (void)bytes;
    search->found |= columns > 0 && values[0] && strcmp(values[0], search->name) == 0;
    return true;
}

/* Is `name` in the first column of what `sql` gives? */
static bool look_for(struct member *member, const char *sql, const char *name, bool *found)
{
    struct search search = {name, false};
    struct db_reply reply;
    bool good = member->crew->setup->driver->query(member->connection, sql, strlen(sql), find_name, &search, &reply,
                                                   &member->failure);
    *found = search.found;
    return good || crew_fail(member, "");
}

static bool fail_with(struct member *member, const char *what, const char *right)
{
    snprintf(member->failure.text, sizeof(member->failure.text), "%.511s", right);
    return crew_fail(member, what);
}

static bool change_schema(struct member *member, const struct stage *stage, const char *what, const char *behind)
{
    char sql[SCHEMA_STATEMENT_BYTES], shown[NAME_MAX_BYTES + 16];
    snprintf(shown, sizeof(shown), "schema %s", stage->script->schema);
    return crew_must(member, shown, on_schema(stage, what, behind, sql));
}

/* Somebody else's schema is not dropped, but where the user named it for that. */
static bool make_place(struct member *member, const struct stage *stage)
{
    const struct script *script = stage->script;
    char sql[SCHEMA_STATEMENT_BYTES], shown[NAME_MAX_BYTES + 16];
    bool ours = false;
    snprintf(shown, sizeof(shown), "schema %s", script->schema);
    if (script->keeps_schema)
        return fail_with(member, shown,
                         "it is there already, and --no-drop keeps it: drop it, or name another one with "
                         "--create-schema");
    if (!look_for(member, on_schema(stage, "SHOW TABLES FROM", " LIKE '" STAGE_MARK "'", sql), STAGE_MARK, &ours))
        return false;
    if (!ours && !script->may_replace)
        return fail_with(member, shown,
                         "it is there already, and isobench did not make it: name another one with --create-schema, "
                         "or have this one dropped with all that is in it, by --isobench-drop-schema=NAME");
    return change_schema(member, stage, "DROP SCHEMA", "");
}

/* By a lock that this connection holds as long as it is open, which is until the end of the run: another run must not
 * take the schema for one that was left behind. The run before this one may be about to let go of it. A server that has
 * no such locks gives none. */
static bool claim_schema(struct member *member, const struct stage *stage)
{
    char sql[SCHEMA_STATEMENT_BYTES], shown[NAME_MAX_BYTES + 16];
    struct search taken = {"0", false};
    struct db_reply reply;
    size_t used = (size_t)snprintf(sql, sizeof(sql), "SELECT GET_LOCK(CONCAT('isobench_', MD5(x'");
    for (const char *at = stage->script->schema; *at; ++at)
        used += (size_t)snprintf(sql + used, sizeof(sql) - used, "%02x", (unsigned)(unsigned char)*at);
    used += (size_t)snprintf(sql + used, sizeof(sql) - used, "')), %d)", CLAIM_WAIT_S);
    member->crew->setup->driver->query(member->connection, sql, used, find_name, &taken, &reply, &member->failure);
    snprintf(shown, sizeof(shown), "schema %s", stage->script->schema);
    return !taken.found || fail_with(member, shown,
                                     "another run of isobench is at work in it: wait for its end, or name another one "
                                     "with --create-schema");
}

static bool make_schema(struct member *member, struct stage *stage)
{
    bool is_there = false;
    if (!stage->script->schema[0])
        return true;
    if (stage->script->makes_schema && !claim_schema(member, stage))
        return false;
    if (!look_for(member, "SHOW DATABASES", stage->script->schema, &is_there))
        return false;
    if (!stage->script->makes_schema)
        return change_schema(member, stage, "USE", "");
    if ((is_there && !make_place(member, stage)) || !change_schema(member, stage, "CREATE SCHEMA", ""))
        return false;
    stage->made = true;
    return change_schema(member, stage, "CREATE TABLE", "." STAGE_MARK " (made INT)") &&
           change_schema(member, stage, "USE", "");
}

/* ---- the keys ---- */

static bool take_key(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct stage *stage = context;
    if (columns == 0 || !values[0] || bytes[0] >= NAME_MAX_BYTES)
        return true;
    return text_pool_copy(&stage->keys, values[0], bytes[0]) != NULL;
}

static bool read_keys(struct member *member, struct stage *stage)
{
    const char *sql = stage->script->keys_sql;
    struct db_reply reply = {0};
    if (!sql)
        return true;
    if (!member->crew->setup->driver->query(member->connection, sql, strlen(sql), take_key, stage, &reply,
                                            &member->failure))
        return crew_fail(member, sql);
    if (stage->keys.count < reply.rows)
        return fail_with(member, sql, "not enough memory for the keys");
    return stage->keys.count > 0 || fail_with(member, sql,
                                              "there is no row to look for: load some with "
                                              "--auto-generate-sql-write-number, into an engine that keeps them");
}

/* ---- before ---- */

static bool send_all(struct member *member, const struct script_list *list)
{
    for (size_t i = 0; i < list->count && crew_goes_on(member); ++i)
        if (!crew_must(member, "", list->items[i].sql))
            return false;
    return crew_goes_on(member);
}

/* As the tool does it: what the command ends with is told, and the run goes on. */
static void run_system(const struct stage *stage, const char *command, const char *option)
{
    if (!command)
        return;
    fflush(stdout);
    // NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe): the user's own command, one at a time
    if (system(command) != 0)
        result_warn(stage->result, option, "the command of --%s did not end with 0", option);
}

static bool look_at_server(struct member *member, const struct stage *stage)
{
    const struct db_driver *driver = stage->setup.driver;
    struct error error = ERROR_INIT;
    if (!driver->facts(member->connection, &stage->result->server, &member->failure))
        return crew_fail(member, "");
    /* this one stays open beside them */
    return !driver->room || driver->room(member->connection, stage->job.threads + 1, 0, &error) ||
           fail_with(member, "", error.text);
}

static bool begin_task(struct member *member, uint64_t index, void *context)
{
    struct stage *stage = context;
    const struct script *script = stage->script;
    (void)index;
    if (!look_at_server(member, stage) || !send_all(member, &script->greeting) || !make_schema(member, stage) ||
        !send_all(member, &script->create) || !send_all(member, &script->load) || !read_keys(member, stage))
        return false;
    run_system(stage, script->before_system, "pre-system");
    return send_all(member, &script->before);
}

/* ---- after ---- */

static bool end_task(struct member *member, uint64_t index, void *context)
{
    struct stage *stage = context;
    (void)index;
    if (!send_all(member, &stage->script->after))
        return false;
    run_system(stage, stage->script->after_system, "post-system");
    return true;
}

/* On the calling thread, as after Ctrl-C too. A connection that is gone is opened once more. */
static bool drop_schema(struct stage *stage, struct error *error)
{
    const struct db_driver *driver = stage->setup.driver;
    struct member *member = &stage->crew.members[0];
    struct db_target target = {.job = &stage->job, .password = stage->setup.password};
    char sql[SCHEMA_STATEMENT_BYTES];
    on_schema(stage, "DROP SCHEMA", "", sql);
    stage->made = false;
    if (crew_query(member, sql, strlen(sql)))
        return true;
    driver->disconnect(member->connection);
    member->connection = NULL;
    return (driver->connect(&target, &member->connection, &member->failure) && crew_query(member, sql, strlen(sql))) ||
           error_set(error, ERR_SYSTEM, "schema %s could not be dropped: %s", stage->script->schema,
                     member->failure.text);
}

bool stage_end(struct stage *stage, bool good, struct error *error)
{
    struct error drop_error = ERROR_INIT;
    if (good)
        good = crew_work(&stage->crew, end_task, NULL, stage, 1, error);
    bool dropped = !stage->made || stage->script->keeps_schema || drop_schema(stage, &drop_error);
    if (!dropped && error->kind == ERR_NONE)
        *error = drop_error;
    crew_close(&stage->crew);
    return good && dropped;
}

bool stage_begin(struct stage *stage, const struct oltp_setup *setup, struct result *result, struct error *error)
{
    stage->setup = *setup;
    stage->job = *setup->job;
    stage->setup.job = &stage->job;
    stage->script = setup->script;
    stage->result = result;
    if (stage->script->schema[0])
        stage->job.db_name[0] = '\0'; /* it may not be there yet */
    stage->cursors = calloc(stage->script->params_count + 1, sizeof(*stage->cursors));
    if (!stage->cursors)
        return error_set(error, ERR_SYSTEM, "not enough memory for the parameters");
    if (!crew_open(&stage->crew, &stage->setup, 1, 0, error))
        return false;
    if (crew_work(&stage->crew, begin_task, NULL, stage, 1, error))
        return true;
    stage_end(stage, false, error);
    return false;
}

void stage_done(struct stage *stage)
{
    text_pool_done(&stage->keys);
    free((void *)stage->cursors);
}
