#include "tests/oltp/fake_driver.h"

#include "platform/thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_statement {
    struct db_statement base;
    char sql[512];
};

static struct fake *fake;
static struct mutex *lock;

static const struct db_syntax usual_syntax = {.auto_id = "INTEGER NOT NULL AUTO",
                                              .begin_write = "BEGIN",
                                              .begin_read = "BEGIN",
                                              .has_engines = true,
                                              .index_in_table = true,
                                              .statement_bytes = 64 << 10};

struct fake *fake_start(void)
{
    fake = calloc(1, sizeof(*fake));
    fake->log = calloc(1, FAKE_LOG_BYTES);
    fake->max_id = 1000000000;
    lock = mutex_make();
    return fake;
}

void fake_stop(void)
{
    for (size_t i = 0; i < sizeof(fake->tables) / sizeof(fake->tables[0]); i++)
        free(fake->tables[i]);
    free(fake->log);
    free(fake);
    mutex_free(lock);
}

/* ---- the log ---- */

static void note(const char *sql, size_t bytes)
{
    if (fake->used + bytes + 2 > FAKE_LOG_BYTES)
        return;
    memcpy(fake->log + fake->used, sql, bytes);
    fake->used += bytes;
    fake->log[fake->used++] = '\n';
}

int fake_count(const char *in)
{
    int count = 0;
    for (const char *line = fake->log; *line;) {
        size_t bytes = strcspn(line, "\n");
        for (size_t i = 0; i + strlen(in) <= bytes; i++) {
            if (strncmp(line + i, in, strlen(in)) == 0) {
                count++;
                break;
            }
        }
        line += bytes + 1;
    }
    return count;
}

/* ---- tables ---- */

static char **table_at(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof(fake->tables) / sizeof(fake->tables[0]); i++)
        if (fake->tables[i] && strlen(fake->tables[i]) == bytes && strncmp(fake->tables[i], name, bytes) == 0)
            return &fake->tables[i];
    return NULL;
}

bool fake_has_table(const char *name)
{
    return table_at(name, strlen(name)) != NULL;
}

static void add_table(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof(fake->tables) / sizeof(fake->tables[0]); i++) {
        if (fake->tables[i])
            continue;
        fake->tables[i] = calloc(1, bytes + 1);
        memcpy(fake->tables[i], name, bytes);
        return;
    }
}

static bool refuse(struct db_failure *failure, enum db_class class, const char *text)
{
    memset(failure, 0, sizeof(*failure));
    failure->class = class;
    failure->code = 42;
    snprintf(failure->text, sizeof(failure->text), "%s", text);
    return false;
}

static bool obey_rules(const char *sql, struct db_failure *failure)
{
    for (int i = 0; i < FAKE_RULES; i++) {
        struct fake_rule *rule = &fake->rules[i];
        if (!rule->in || rule->times == 0 || !strstr(sql, rule->in))
            continue;
        if (rule->after > 0) {
            rule->after--;
            continue;
        }
        rule->times--;
        return refuse(failure, rule->class, "as the test wants it");
    }
    return true;
}

static const char *after(const char *sql, const char *start)
{
    return strncmp(sql, start, strlen(start)) == 0 ? sql + strlen(start) : NULL;
}

static bool know_table(const char *name, struct db_failure *failure)
{
    return table_at(name, strcspn(name, " (")) || refuse(failure, DB_CLASS_FATAL, "no such table");
}

static bool change_tables(const char *sql, struct db_failure *failure)
{
    const char *made = after(sql, "CREATE TABLE "), *dropped = after(sql, "DROP TABLE ");
    const char *maybe = after(sql, "DROP TABLE IF EXISTS "), *asked = after(sql, "SELECT 1 FROM ");
    if (asked)
        return know_table(asked, failure);
    if (made) {
        size_t bytes = strcspn(made, " (");
        if (table_at(made, bytes))
            return refuse(failure, DB_CLASS_FATAL, "the table exists");
        add_table(made, bytes);
    } else if (maybe || dropped) {
        const char *name = maybe ? maybe : dropped;
        char **at = table_at(name, strlen(name));
        if (!at)
            return maybe || refuse(failure, DB_CLASS_FATAL, "no such table");
        free(*at);
        *at = NULL;
    }
    return true;
}

/* ---- the driver ---- */

/* The id of a multi-row INSERT's last row. */
static unsigned long long last_row(const char *sql)
{
    const char *row = strrchr(sql, '(');
    return row ? strtoull(row + 1, NULL, 10) : 0;
}

static bool answer(const char *sql, db_row *row, void *context, struct db_reply *reply, struct db_failure *failure)
{
    memset(reply, 0, sizeof(*reply));
    bool good = obey_rules(sql, failure) && change_tables(sql, failure);
    if (after(sql, "INSERT") && (good || fake->arrived))
        fake->last_id = last_row(sql);
    if (!good)
        return false;
    reply->has_rows = after(sql, "SELECT") != NULL;
    if (after(sql, "INSERT") || after(sql, "UPDATE") || after(sql, "DELETE"))
        reply->affected = 1;
    if (row && after(sql, "SELECT MAX(id)")) {
        char number[32];
        const char *values[1] = {number};
        size_t bytes[1] = {
            (size_t)snprintf(number, sizeof(number), "%llu", fake->empty ? fake->last_id : fake->max_id)};
        if (fake->empty && fake->last_id == 0)
            values[0] = NULL;
        row(context, 1, values, bytes);
    }
    return true;
}

static bool fake_connect(const struct db_target *target, struct db_connection **out, struct db_failure *failure)
{
    mutex_lock(lock);
    if (!fake->only_executed)
        note("CONNECT", 7);
    bool good = obey_rules("CONNECT", failure);
    *out = good ? calloc(1, sizeof(**out)) : NULL;
    if (good) {
        (*out)->driver = &fake_driver;
        (*out)->job = target->job;
        fake->open++;
        fake->connected++;
    }
    mutex_unlock(lock);
    return good;
}

static void fake_disconnect(struct db_connection *connection)
{
    if (!connection)
        return;
    mutex_lock(lock);
    fake->open--;
    mutex_unlock(lock);
    free(connection);
}

static bool fake_query(struct db_connection *connection, const char *sql, size_t bytes, db_row *row, void *context,
                       struct db_reply *reply, struct db_failure *failure)
{
    char *text = calloc(1, bytes + 1);
    (void)connection;
    memcpy(text, sql, bytes);
    mutex_lock(lock);
    note(text, bytes);
    bool good = answer(text, row, context, reply, failure);
    mutex_unlock(lock);
    free(text);
    return good;
}

static bool fake_prepare(struct db_connection *connection, const char *sql, struct db_statement **out,
                         struct db_failure *failure)
{
    char line[600];
    struct fake_statement *statement = calloc(1, sizeof(*statement));
    statement->base.connection = connection;
    snprintf(statement->sql, sizeof(statement->sql), "%s", sql);
    int bytes = snprintf(line, sizeof(line), "PREPARE %s", sql);
    mutex_lock(lock);
    if (!fake->only_executed)
        note(line, (size_t)bytes);
    bool good = obey_rules("PREPARE", failure);
    fake->statements_open += good;
    mutex_unlock(lock);
    *out = good ? &statement->base : NULL;
    if (!good)
        free(statement);
    return good;
}

static void fake_close(struct db_statement *statement)
{
    if (!statement)
        return;
    mutex_lock(lock);
    fake->statements_open--;
    mutex_unlock(lock);
    free(statement);
}

static bool fake_execute(struct db_statement *base, const struct db_value *values, size_t count, struct db_reply *reply,
                         struct db_failure *failure)
{
    struct fake_statement *statement = (struct fake_statement *)base;
    char line[4096];
    size_t used = 0, value = 0;
    for (const char *at = statement->sql; *at; at++) {
        if (*at == '?' && value < count)
            used += db_literal(&values[value++], line + used);
        else
            line[used++] = *at;
    }
    line[used] = '\0';
    mutex_lock(lock);
    note(line, used);
    bool good = value == count && answer(line, NULL, NULL, reply, failure);
    mutex_unlock(lock);
    return good;
}

static bool fake_facts(struct db_connection *connection, struct server_facts *out, struct db_failure *failure)
{
    (void)connection;
    (void)failure;
    memset(out, 0, sizeof(*out));
    snprintf(out->product, sizeof(out->product), "Fake");
    return true;
}

const struct db_driver fake_driver = {.name = "fake",
                                      .syntax = &usual_syntax,
                                      .connect = fake_connect,
                                      .disconnect = fake_disconnect,
                                      .query = fake_query,
                                      .prepare = fake_prepare,
                                      .close = fake_close,
                                      .execute = fake_execute,
                                      .facts = fake_facts};
