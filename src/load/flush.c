/* flush.c: the one setting of each database that says whether a commit waits for the disk. */
#include "load/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MYSQL_VARIABLE "innodb_flush_log_at_trx_commit"

static const struct {
    const char *driver, *values[8];
} settings[] = {{"mysql", {"0", "1", "2", "3"}},
                {"pgsql", {"off", "local", "remote_write", "on", "remote_apply"}},
                {"sqlite", {"off", "normal", "full", "extra"}}};

static const char *const *values_of(const struct load *load)
{
    size_t i = 0;
    while (!load_is(load, settings[i].driver))
        i++;
    return settings[i].values;
}

bool flush_concerns(const struct load *load, const char *engine)
{
    static const char innodb[] = "innodb";
    size_t i = 0;
    if (!load_is(load, "mysql"))
        return true;
    for (; innodb[i] && (engine[i] | 0x20) == innodb[i]; i++)
        ;
    return innodb[i] == '\0' && engine[i] == '\0';
}

bool flush_check(const struct load *load, struct error *error)
{
    const struct load_names *asked = &load->setup->flushes;
    const char *const *values = values_of(load);
    char all[128] = "";
    for (size_t i = 0; values[i]; i++)
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "", values[i]);
    for (size_t k = 0; k < asked->count; k++) {
        bool known = false;
        for (size_t i = 0; values[i]; i++)
            known |= strcmp(values[i], asked->names[k]) == 0;
        if (!known)
            return error_set(error, ERR_USAGE, "--flush-at-commit=%s: with the %s driver one of %s", asked->names[k],
                             load->driver->name, all);
    }
    return true;
}

/* ---- mysql: for the whole server ---- */

static bool ask_server(struct load *load, char out[LOAD_NAME_BYTES], struct error *error)
{
    char text[LOAD_VALUE_BYTES];
    if (!load_ask(load, "SELECT @@GLOBAL." MYSQL_VARIABLE, text, error))
        return false;
    snprintf(out, LOAD_NAME_BYTES, "%.*s", LOAD_NAME_BYTES - 1, text);
    return true;
}

static bool set_server(struct load *load, const char *value, struct error *error)
{
    char sql[128];
    snprintf(sql, sizeof(sql), "SET GLOBAL " MYSQL_VARIABLE " = %s", value);
    return load_query(load, sql, NULL, NULL, error);
}

static bool refuse(const char *value, const struct error *why, struct error *error)
{
    return error_set(
        error, ERR_USAGE,
        "--flush-at-commit=%s: the user may not set " MYSQL_VARIABLE
        " on the server (%.400s): grant it SUPER (MySQL 8: SYSTEM_VARIABLES_ADMIN), or leave the option out",
        value, why->text);
}

static bool set_mysql(struct load *load, const char *value, char out[LOAD_NAME_BYTES], struct error *error)
{
    struct error why = ERROR_INIT;
    if (!ask_server(load, out, error))
        return false;
    if (value[0] == '\0' || strcmp(value, out) == 0)
        return true;
    if (!load->flush.changed)
        memcpy(load->flush.before, out, LOAD_NAME_BYTES);
    if (!set_server(load, value, &why))
        return refuse(value, &why, error);
    load->flush.changed = true;
    if (!ask_server(load, out, error))
        return false;
    return strcmp(value, out) == 0 ||
           error_set(error, ERR_DATA, "--flush-at-commit=%s: the server has it at %s", value, out);
}

/* The connection may be gone with what went wrong before: then by another one. */
void flush_restore(struct load *load, struct error *error)
{
    struct error cannot = ERROR_INIT, again = ERROR_INIT;
    struct db_failure failure;
    if (!load->flush.changed || set_server(load, load->flush.before, &cannot))
        return;
    load->driver->disconnect(load->main);
    load->main = NULL;
    bool good =
        load_connect(load, &load->setup->job, 0, &load->main, &failure) && set_server(load, load->flush.before, &again);
    if (good)
        return;
    bool first = error->kind == ERR_NONE;
    size_t used, room = sizeof(error->text);
    if (first)
        error_set(error, ERR_SYSTEM, "%.600s", cannot.text);
    used = strlen(error->text);
    used = used > room - 200 ? room - 200 : used;
    snprintf(error->text + used, room - used,
             "; the server may still have " MYSQL_VARIABLE " as this run set it: SET GLOBAL " MYSQL_VARIABLE
             " = %s makes it as it was",
             load->flush.before);
}

/* ---- pgsql and sqlite: each connection by itself ---- */

static bool set_pgsql(struct load *load, const char *value, char out[LOAD_NAME_BYTES], struct error *error)
{
    char text[LOAD_VALUE_BYTES];
    if (value[0]) {
        snprintf(out, LOAD_NAME_BYTES, "%s", value);
        return true;
    }
    if (!load_ask(load, "SHOW synchronous_commit", text, error))
        return false;
    snprintf(out, LOAD_NAME_BYTES, "%.*s", LOAD_NAME_BYTES - 1, text);
    return true;
}

static void set_sqlite(struct job *job, const char *value, char out[LOAD_NAME_BYTES])
{
    static const char *const names[] = {"off", "normal", "full", "extra"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], value) == 0)
            job->sqlite_synchronous = (enum sqlite_synchronous)i;
    snprintf(out, LOAD_NAME_BYTES, "%s", names[job->sqlite_synchronous]);
}

bool flush_set(struct load *load, struct job *job, const char *value, char out[LOAD_NAME_BYTES], struct error *error)
{
    if (load_is(load, "mysql"))
        return set_mysql(load, value, out, error);
    if (load_is(load, "pgsql"))
        return set_pgsql(load, value, out, error);
    set_sqlite(job, value, out);
    return true;
}
