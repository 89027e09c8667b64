/* mysql_replication.c: MySQL and MariaDB call the same things by different names, and MySQL renamed them twice (8.0.22,
 * 8.4): MySQL Reference Manual, "SHOW REPLICA STATUS", "Functions Used with … Positions"; MariaDB Knowledge Base,
 * "SHOW ALL SLAVES STATUS", "MASTER_GTID_WAIT". */
#include "db/mysql_driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_mariadb(const struct mysql_connection *connection)
{
    return strstr(mysql_get_server_info(connection->handle), "MariaDB") != NULL;
}

static bool is_mysql_from(const struct mysql_connection *connection, unsigned long version)
{
    return !is_mariadb(connection) && mysql_get_server_version(connection->handle) >= version;
}

/* The whole answer, for mysql_free_result. */
static bool ask(struct mysql_connection *connection, const char *sql, MYSQL_RES **out, struct db_failure *failure)
{
    *out = NULL;
    if (mysql_real_query(connection->handle, sql, (unsigned long)strlen(sql)) == 0)
        *out = mysql_store_result(connection->handle);
    return *out || mysql_fail(connection, sql, strlen(sql), failure);
}

/* The first value of the first row into out; *found is false for NULL or no row. */
static bool ask_text(struct mysql_connection *connection, const char *sql, char *out, size_t out_bytes, bool *found,
                     struct db_failure *failure)
{
    MYSQL_RES *result;
    *found = false;
    out[0] = '\0';
    if (!ask(connection, sql, &result, failure))
        return false;
    MYSQL_ROW row = mysql_fetch_row(result);
    bool fits = true;
    if (row && row[0]) {
        *found = true;
        fits = (size_t)snprintf(out, out_bytes, "%s", row[0]) < out_bytes;
    }
    mysql_free_result(result);
    static const struct db_saying too_long = {.words = "the answer is longer than isobench can hold"};
    return fits || db_fail_sql(failure, DB_CLASS_FATAL, &too_long, sql, strlen(sql));
}

static bool server_id(struct db_connection *base, uint64_t *out, struct db_failure *failure)
{
    char text[32];
    bool found;
    bool good = ask_text(mysql_own(base), "SELECT @@GLOBAL.server_id", text, sizeof(text), &found, failure);
    *out = good ? strtoull(text, NULL, 10) : 0;
    return good;
}

/* ---- the source ---- */

static bool position(struct db_connection *base, bool gtids, struct db_position *out, struct db_failure *failure)
{
    static const struct db_saying no_log = {
        .words = "it writes no binary log, so that no replica can follow it: start it with log_bin"};
    struct mysql_connection *connection = mysql_own(base);
    const char *sql = is_mysql_from(connection, 80200) ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS";
    MYSQL_RES *result;
    bool found;
    *out = (struct db_position){.file = ""};
    if (!ask(connection, sql, &result, failure))
        return false;
    MYSQL_ROW row = mysql_num_fields(result) >= 2 ? mysql_fetch_row(result) : NULL;
    if (row && row[0] && row[1]) {
        snprintf(out->file, sizeof(out->file), "%s", row[0]);
        out->offset = strtoull(row[1], NULL, 10);
    }
    mysql_free_result(result);
    if (out->file[0] == '\0')
        return db_fail(failure, DB_CLASS_FATAL, &no_log, "the source");
    return !gtids ||
           ask_text(connection,
                    is_mariadb(connection) ? "SELECT @@GLOBAL.gtid_binlog_pos" : "SELECT @@GLOBAL.gtid_executed",
                    out->gtids, sizeof(out->gtids), &found, failure);
}

/* ---- the replica ---- */

/* One row of the status: by the names of before 8.0.22, which MariaDB kept. */
struct row {
    MYSQL_RES *result;
    MYSQL_ROW values;
};

/* Is it the column's name, or the newer one: Slave → Replica, Master → Source? */
static bool is_named(const char *have, const char *name)
{
    while (*name && *have) {
        if (strncmp(name, "Slave", 5) == 0 && strncmp(have, "Replica", 7) == 0) {
            name += 5;
            have += 7;
        } else if (strncmp(name, "Master", 6) == 0 && strncmp(have, "Source", 6) == 0) {
            name += 6;
            have += 6;
        } else if (*name++ != *have++) {
            return false;
        }
    }
    return *name == *have;
}

/* "" for NULL and for what this server does not have. */
static const char *value_of(const struct row *row, const char *name)
{
    const MYSQL_FIELD *fields = mysql_fetch_fields(row->result);
    for (unsigned i = 0; i < mysql_num_fields(row->result); i++)
        if (is_named(fields[i].name, name))
            return row->values[i] ? row->values[i] : "";
    return "";
}

static void read_status(const struct row *row, uint64_t source_id, struct db_replica_status *out)
{
    const char *io_error = value_of(row, "Last_IO_Error"), *sql_error = value_of(row, "Last_SQL_Error");
    const char *name = value_of(row, "Connection_name"), *behind = value_of(row, "Seconds_Behind_Master");
    const char *using_gtid = value_of(row, "Using_Gtid");      /* MariaDB: No, Slave_Pos, Current_Pos */
    const char *receiving = value_of(row, "Slave_IO_Running"); /* Yes, No, Connecting, Preparing */
    *out = (struct db_replica_status){
        .is_replica = true,
        .by_gtid = (using_gtid[0] && strcmp(using_gtid, "No") != 0) || strcmp(value_of(row, "Auto_Position"), "1") == 0,
        .is_direct = strtoull(value_of(row, "Master_Server_Id"), NULL, 10) == source_id,
        .receives = strcmp(receiving, "Yes") == 0,
        .connects = receiving[0] && strcmp(receiving, "Yes") != 0 && strcmp(receiving, "No") != 0,
        .applies = strcmp(value_of(row, "Slave_SQL_Running"), "Yes") == 0,
        .behind_s = behind[0] ? strtoll(behind, NULL, 10) : -1};
    snprintf(out->channel, sizeof(out->channel), "%.63s", name[0] ? name : value_of(row, "Channel_Name"));
    snprintf(out->trouble, sizeof(out->trouble), "%.255s", sql_error[0] ? sql_error : io_error);
}

static bool status(struct db_connection *base, uint64_t source_id, struct db_replica_status *out,
                   struct db_failure *failure)
{
    struct mysql_connection *connection = mysql_own(base);
    const char *sql = is_mariadb(connection)             ? "SHOW ALL SLAVES STATUS"
                      : is_mysql_from(connection, 80022) ? "SHOW REPLICA STATUS"
                                                         : "SHOW SLAVE STATUS";
    struct row row;
    *out = (struct db_replica_status){.behind_s = -1};
    if (!ask(connection, sql, &row.result, failure))
        return false;
    while (!out->is_direct && (row.values = mysql_fetch_row(row.result)) != NULL) {
        struct db_replica_status one;
        read_status(&row, source_id, &one);
        if (one.is_direct || !out->is_replica)
            *out = one;
    }
    mysql_free_result(row.result);
    return true;
}

/* ", 'channel'", or nothing for the only one. */
static void add_channel(MYSQL *handle, const char *channel, char *out)
{
    char escaped[2 * sizeof(((struct db_replica_status *)0)->channel) + 1];
    mysql_real_escape_string(handle, escaped, channel, (unsigned long)strlen(channel));
    out[0] = '\0';
    if (channel[0])
        sprintf(out, ", '%s'", escaped);
}

static bool wait_until(struct db_connection *base, const struct db_replica_status *replica,
                       const struct db_position *at, uint32_t most_s, bool *reached, struct db_failure *failure)
{
    struct mysql_connection *connection = mysql_own(base);
    char sql[2 * GTID_BYTES + 256], quoted[2 * GTID_BYTES + 1], channel[160], answer[32];
    const char *text = replica->is_direct ? at->file : at->gtids;
    bool mariadb = is_mariadb(connection), found;
    mysql_real_escape_string(connection->handle, quoted, text, (unsigned long)strlen(text));
    add_channel(connection->handle, replica->channel, channel);
    if (replica->is_direct)
        snprintf(sql, sizeof(sql), "SELECT %s_POS_WAIT('%s', %" PRIu64 ", %u%s)",
                 is_mysql_from(connection, 80026) ? "SOURCE" : "MASTER", quoted, at->offset, most_s, channel);
    else
        snprintf(sql, sizeof(sql), "SELECT %s('%s', %u)", mariadb ? "MASTER_GTID_WAIT" : "WAIT_FOR_EXECUTED_GTID_SET",
                 quoted, most_s);
    if (!ask_text(connection, sql, answer, sizeof(answer), &found, failure))
        return false;
    /* NULL: not applying; -1: in time not reached; WAIT_FOR_EXECUTED_GTID_SET says 1 for that */
    *reached = found && answer[0] != '-' && (replica->is_direct || strcmp(answer, "0") == 0);
    return true;
}

const struct db_replication mysql_replication = {server_id, position, status, wait_until};
