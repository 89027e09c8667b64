#include "oltp/schema.h"

#include "platform/compiler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What sysbench 0.4 fills its rows with. */
#define OLD_C " "
#define OLD_PAD "qqqqqqqqqqwwwwwwwwwweeeeeeeeeerrrrrrrrrrtttttttttt"

bool schema_is_bulk(const struct job *job)
{
    return strcmp(job->workload, "bulk_insert") == 0;
}

static bool is_old(const struct job *job)
{
    return job->table_form == TABLE_FORM_0_4 && !schema_is_bulk(job);
}

uint64_t schema_tables(const struct job *job)
{
    if (schema_is_bulk(job))
        return job->threads;
    return is_old(job) ? 1 : job->tables;
}

uint64_t schema_rows(const struct job *job)
{
    bool gives_ids = strcmp(job->workload, "oltp_insert") == 0 && !job->auto_inc;
    return schema_is_bulk(job) || gives_ids ? 0 : job->table_size;
}

void schema_table(const struct job *job, uint64_t index, struct table_name *out)
{
    out->bytes = strlen(job->table_name);
    memcpy(out->text, job->table_name, out->bytes);
    if (!is_old(job))
        out->bytes += sql_number(index + 1, out->text + out->bytes);
    out->text[out->bytes] = '\0';
}

/* ---- definitions ---- */

/* MySQL's id and k were unsigned in 0.4. */
static const char *id_type(const struct job *job, const struct db_syntax *syntax)
{
    bool is_unsigned = is_old(job) && syntax->has_engines;
    if (!job->auto_inc || schema_is_bulk(job))
        return is_unsigned ? "INTEGER UNSIGNED NOT NULL" : "INTEGER NOT NULL";
    return is_unsigned ? "INTEGER UNSIGNED NOT NULL AUTO_INCREMENT" : syntax->auto_id;
}

/* The key on id; nothing where a plain index has to be made apart. */
static const char *id_key(const struct job *job, const struct db_syntax *syntax)
{
    if (!job->secondary || schema_is_bulk(job))
        return ", PRIMARY KEY (id)";
    return syntax->index_in_table ? ", KEY xid (id)" : "";
}

void schema_create(const struct job *job, const struct db_syntax *syntax, uint64_t index, char out[SCHEMA_SQL_BYTES])
{
    struct table_name table;
    bool has_text = !schema_is_bulk(job), has_engine = syntax->has_engines && job->table_engine[0];
    schema_table(job, index, &table);
    snprintf(out, SCHEMA_SQL_BYTES, "CREATE TABLE %s (id %s, k INTEGER%s DEFAULT '0' NOT NULL%s%s%s)%s%s%s%s",
             table.text, id_type(job, syntax), is_old(job) && syntax->has_engines ? " UNSIGNED" : "",
             has_text ? ", c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL" : "", id_key(job, syntax),
             is_old(job) && syntax->index_in_table && job->create_secondary ? ", KEY k (k)" : "",
             has_engine ? " ENGINE = " : "", has_engine ? job->table_engine : "", job->table_options[0] ? " " : "",
             job->table_options);
}

void schema_drop(const struct job *job, uint64_t index, bool may_be_missing, char out[SCHEMA_SQL_BYTES])
{
    struct table_name table;
    schema_table(job, index, &table);
    snprintf(out, SCHEMA_SQL_BYTES, "DROP TABLE %s%s", may_be_missing ? "IF EXISTS " : "", table.text);
}

static bool index_on_k(const struct job *job, const struct db_syntax *syntax)
{
    return job->create_secondary && !(is_old(job) && syntax->index_in_table);
}

#define SCHEMA_NAME_BYTES 60 /* of an index: servers cut longer ones */

/* sysbench's k_1 for its own table names. Names of indexes are one for all tables of a database in some, so that sets
 * of tables with other names need others. */
static void name_index(const struct job *job, const struct table_name *table, uint64_t index,
                       char out[SCHEMA_NAME_BYTES])
{
    out[0] = '\0';
    if (strcmp(job->table_name, "sbtest") != 0 && strlen(table->text) + 4 < SCHEMA_NAME_BYTES)
        snprintf(out, SCHEMA_NAME_BYTES, "_%.*s", SCHEMA_NAME_BYTES - 2, table->text);
    else if (!is_old(job))
        snprintf(out, SCHEMA_NAME_BYTES, "_%" PRIu64, index + 1);
}

bool schema_index(const struct job *job, const struct db_syntax *syntax, uint64_t index, uint32_t step,
                  char out[SCHEMA_SQL_BYTES])
{
    bool on_id = job->secondary && !syntax->index_in_table, on_k = index_on_k(job, syntax);
    struct table_name table;
    char name[SCHEMA_NAME_BYTES];
    if (schema_is_bulk(job) || step >= (uint32_t)on_id + (uint32_t)on_k)
        return false;
    schema_table(job, index, &table);
    name_index(job, &table, index, name);
    bool is_id = on_id && step == 0;
    snprintf(out, SCHEMA_SQL_BYTES, "CREATE INDEX %s%s ON %s(%s)", is_id ? "xid" : "k", name, table.text,
             is_id ? "id" : "k");
    return true;
}

/* The first has to look into every row; the second finds all it asks for in the index on k. */
bool schema_warm(const struct job *job, uint64_t index, uint32_t step, char out[SCHEMA_SQL_BYTES])
{
    static const char *const selected[] = {"COUNT(*), AVG(id)", "COUNT(*)"};
    static const char *const searched[] = {"pad", "CAST(k AS CHAR(12))"};
    struct table_name table;
    step += schema_is_bulk(job); /* has no pad */
    if (step >= COUNT_OF(selected))
        return false;
    schema_table(job, index, &table);
    snprintf(out, SCHEMA_SQL_BYTES, "SELECT %s FROM %s WHERE %s LIKE '%%0%%'", selected[step], table.text,
             searched[step]);
    return true;
}

/* ---- rows ---- */

void row_maker_init(struct row_maker *maker, const struct job *job)
{
    maker->is_0_4 = is_old(job);
    picker_init(&maker->k, job, job->table_size);
}

static char *put(char *at, const char *text, size_t bytes)
{
    memcpy(at, text, bytes);
    return at + bytes;
}

#define PUT(at, literal) put(at, literal, sizeof(literal) - 1)

size_t row_make(const struct row_maker *maker, struct random *random, uint64_t id, char *out)
{
    char *at = PUT(out, "(");
    at += sql_number(id, at);
    if (maker->is_0_4)
        return (size_t)(PUT(at, ",0,'" OLD_C "','" OLD_PAD "')") - out);
    at = PUT(at, ",");
    at += sql_number(1 + picker_pick(&maker->k, random), at);
    at = PUT(at, ",'");
    sql_groups(random, C_GROUPS, at);
    at = PUT(at + C_BYTES, "','");
    sql_groups(random, PAD_GROUPS, at);
    at = PUT(at + PAD_BYTES, "')");
    return (size_t)(at - out);
}
