#include "db/mysql_driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ask_one(struct db_connection *base, const char *sql, struct db_one_value *out, struct db_failure *failure)
{
    struct db_reply reply;
    *out = (struct db_one_value){{0}, false};
    return mysql_driver.query(base, sql, strlen(sql), db_take_one, out, &reply, failure);
}

static const char variables_sql[] =
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', "
    "'binlog_format', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'innodb_redo_log_capacity', "
    "'innodb_flush_method', 'innodb_doublewrite', 'innodb_page_size', 'innodb_io_capacity', "
    "'innodb_adaptive_hash_index', 'innodb_autoinc_lock_mode', 'innodb_file_per_table', 'transaction_isolation', "
    "'tx_isolation', 'max_connections', 'thread_handling', 'thread_cache_size', 'table_open_cache', "
    "'open_files_limit', 'query_cache_type', 'query_cache_size', 'performance_schema', 'general_log', "
    "'slow_query_log', 'max_prepared_stmt_count', 'max_allowed_packet', 'default_storage_engine', 'key_buffer_size', "
    "'aria_pagecache_buffer_size', 'read_only', 'character_set_server', 'version_comment', 'version_compile_machine', "
    "'version_compile_os', 'wsrep_on', 'rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled', "
    "'slave_parallel_threads', "
    "'slave_parallel_mode', 'slave_parallel_workers', 'replica_parallel_workers', 'replica_preserve_commit_order')";

static const char *product_of(const char *version, const char *comment)
{
    return strstr(version, "MariaDB") ? "MariaDB" : strstr(comment, "Percona") ? "Percona Server" : "MySQL";
}

struct tls {
    char version[32], cipher[64];
};

static bool take_tls(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct tls *tls = context;
    (void)bytes;
    if (columns < 2 || !values[0] || !values[1])
        return true;
    bool is_version = strcmp(values[0], "Ssl_version") == 0;
    snprintf(is_version ? tls->version : tls->cipher, is_version ? sizeof(tls->version) : sizeof(tls->cipher), "%s",
             values[1]);
    return true;
}

/* Of the server: on Windows the library does not know it. */
static bool note_tls(struct db_connection *base, struct server_facts *out, struct db_failure *failure)
{
    static const char sql[] = "SHOW SESSION STATUS WHERE Variable_name IN ('Ssl_version', 'Ssl_cipher')";
    struct tls tls = {{0}, {0}};
    struct db_reply reply;
    if (!mysql_driver.query(base, sql, sizeof(sql) - 1, take_tls, &tls, &reply, failure))
        return false;
    if (tls.cipher[0])
        snprintf(out->tls, sizeof(out->tls), "%.20s %.42s", tls.version, tls.cipher);
    return true;
}

bool mysql_facts(struct db_connection *base, struct server_facts *out, struct db_failure *failure)
{
    struct db_one_value version, comment;
    struct db_reply reply;
    memset(out, 0, sizeof(*out));
    if (!ask_one(base, "SELECT VERSION()", &version, failure) ||
        !ask_one(base, "SELECT @@GLOBAL.version_comment", &comment, failure))
        return false;
    snprintf(out->product, sizeof(out->product), "%s", product_of(version.text, comment.text));
    snprintf(out->version, sizeof(out->version), "%.127s", version.text);
    snprintf(out->client, sizeof(out->client), "%s %.100s", IS_CONNECTOR_C ? "MariaDB Connector/C" : "libmysqlclient",
             mysql_get_client_info());
    return note_tls(base, out, failure) &&
           mysql_driver.query(base, variables_sql, sizeof(variables_sql) - 1, db_take_variable, out, &reply, failure);
}

/* ---- room ---- */

static bool take_second(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    (void)bytes;
    if (columns >= 2 && values[1])
        *(uint64_t *)context = strtoull(values[1], NULL, 10);
    return false;
}

/* 0 where the server does not tell. */
static uint64_t ask_number(struct db_connection *base, const char *sql)
{
    struct db_reply reply;
    struct db_failure ignored;
    uint64_t out = 0;
    mysql_driver.query(base, sql, strlen(sql), take_second, &out, &reply, &ignored);
    return out;
}

static bool refuse(uint64_t connections, uint64_t most, uint64_t used, const char *limit, struct error *error)
{
    return error_set(error, ERR_USAGE,
                     "%" PRIu64 " connections are needed, and the server takes %" PRIu64 " (%s), of which %" PRIu64
                     " are in use: raise it there (SET GLOBAL %s = %" PRIu64 "), or use fewer connections",
                     connections, most, limit, used, limit, connections + used);
}

static bool room_for_connections(struct db_connection *base, uint64_t connections, struct error *error)
{
    uint64_t most = ask_number(base, "SHOW GLOBAL VARIABLES LIKE 'max_connections'");
    uint64_t of_user = ask_number(base, "SHOW GLOBAL VARIABLES LIKE 'max_user_connections'");
    uint64_t used = ask_number(base, "SHOW GLOBAL STATUS LIKE 'Threads_connected'");
    used -= used > 0;
    if (most > 0 && connections + used > most)
        return refuse(connections, most, used, "max_connections", error);
    if (of_user > 0 && of_user < UINT32_MAX && connections > of_user)
        return refuse(connections, of_user, 0, "max_user_connections", error);
    return true;
}

static bool room_for_statements(struct db_connection *base, uint64_t connections, uint64_t each, struct error *error)
{
    uint64_t most = ask_number(base, "SHOW GLOBAL VARIABLES LIKE 'max_prepared_stmt_count'");
    uint64_t used = ask_number(base, "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");
    if (most == 0 || each == 0 || (used < most && connections <= (most - used) / each))
        return true;
    return error_set(error, ERR_USAGE,
                     "%" PRIu64 " connections prepare %" PRIu64 " statements each, and the server keeps %" PRIu64
                     " of all (max_prepared_stmt_count), of which %" PRIu64
                     " are in use: raise it there (SET GLOBAL max_prepared_stmt_count = %" PRIu64
                     "), or use --db-statements=text, fewer tables or fewer connections",
                     connections, each, most, used, connections * each + used);
}

/* The connection that asks is closed before they come. */
bool mysql_room(struct db_connection *base, uint64_t connections, uint64_t statements_each, struct error *error)
{
    return room_for_connections(base, connections, error) &&
           room_for_statements(base, connections, statements_each, error);
}
