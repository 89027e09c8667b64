/* mysqlslap_job.c: from the options to jobs, one for each engine and number of clients, and their scripts. */
#include "dialects/mysqlslap.h"

#include "core/settings.h"
#include "core/units.h"
#include "dialects/phrases.h"
#include "platform/compiler.h"
#include "platform/path.h"
#include "platform/process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SQL_BYTES_MAX ((size_t)1 << 30)
#define COLUMNS_MAX 512          /* so that a row stays below MySQL's longest */
#define STATEMENTS_MOST 10000000 /* that are generated, or loaded */
#define PASSWORD_BYTES 1024

struct making {
    struct slap *slap;
    struct invocation *invocation;
    struct error *error;
    struct slap_table table;
    uint64_t commit, iterations, execute, queries;
};

static const char *given(const struct making *making, enum slap_option option)
{
    return making->slap->given.text[option];
}

static bool is_on(const struct making *making, enum slap_option option)
{
    return slap_is_on(&making->slap->given, option);
}

static bool refuse(const struct making *making, enum slap_option option, const char *right)
{
    return error_set(making->error, ERR_USAGE, "--%s=%.80s is not valid: it must be %s", slap_option_name(option),
                     given(making, option), right);
}

static bool no_memory(const struct making *making)
{
    return error_set(making->error, ERR_SYSTEM, "not enough memory for the statements");
}

/* ---- numbers ---- */

static bool read_columns(const struct making *making, enum slap_option option, uint64_t *columns, bool *indexed)
{
    const char *text = given(making, option), *colon = text ? strchr(text, ':') : NULL;
    char number[32];
    uint64_t indexes = 0;
    *columns = 1;
    if (!text)
        return true;
    snprintf(number, sizeof(number), "%.*s", (int)(colon ? (colon - text < 31 ? colon - text : 31) : 31), text);
    bool good = units_parse_count(number, columns) && *columns <= COLUMNS_MAX &&
                (!colon || units_parse_count(colon + 1, &indexes));
    *indexed = indexes > 0;
    return good || refuse(making, option, "a number of columns up to 512, or N:1 for columns with indexes");
}

static bool read_numbers(struct making *making)
{
    const struct {
        enum slap_option option;
        uint64_t *out;
        uint64_t fallback, low, high;
    } numbers[] = {
        {SLAP_EXECUTE_NUMBER, &making->execute, 0, 0, UINT32_MAX},
        {SLAP_SECONDARY_INDEXES, &making->table.secondary_indexes, 0, 0, 60}, /* MySQL has at most 64 indexes */
        {SLAP_UNIQUE_QUERY_NUMBER, &making->table.unique_queries, 10, 1, STATEMENTS_MOST},
        {SLAP_UNIQUE_WRITE_NUMBER, &making->table.unique_writes, 10, 1, STATEMENTS_MOST},
        {SLAP_WRITE_NUMBER, &making->table.writes, 100, 1, STATEMENTS_MOST},
        {SLAP_COMMIT, &making->commit, 0, 0, UINT32_MAX},
        {SLAP_DETACH, &making->invocation->job.reconnect_every, 0, 0, UINT32_MAX},
        {SLAP_ITERATIONS, &making->iterations, 1, 1, 1000},
        {SLAP_NUMBER_OF_QUERIES, &making->queries, 0, 0, UINT32_MAX},
    };
    char right[64];
    for (size_t i = 0; i < COUNT_OF(numbers); ++i) {
        const char *text = given(making, numbers[i].option);
        *numbers[i].out = numbers[i].fallback;
        snprintf(right, sizeof(right), "a whole number from %" PRIu64 " to %" PRIu64, numbers[i].low, numbers[i].high);
        if (text && (!units_parse_count(text, numbers[i].out) || *numbers[i].out < numbers[i].low ||
                     *numbers[i].out > numbers[i].high))
            return refuse(making, numbers[i].option, right);
    }
    return read_columns(making, SLAP_INT_COLS, &making->table.ints, &making->table.ints_indexed) &&
           read_columns(making, SLAP_CHAR_COLS, &making->table.chars, &making->table.chars_indexed);
}

/* The next item of a list with commas between; empty ones are skipped. NULL at the end. */
static const char *next_item(const char **list, size_t *bytes)
{
    *list += strspn(*list, ",");
    const char *item = *list;
    *bytes = strcspn(item, ",");
    *list += *bytes;
    return *bytes ? item : NULL;
}

static bool read_clients(const struct making *making)
{
    struct slap *slap = making->slap;
    const char *list = given(making, SLAP_CONCURRENCY), *item;
    size_t bytes;
    list = list ? list : "1";
    while ((item = next_item(&list, &bytes)) != NULL) {
        char number[32];
        uint64_t clients = 0;
        snprintf(number, sizeof(number), "%.*s", (int)(bytes < 31 ? bytes : 31), item);
        if (!units_parse_count(number, &clients) || clients == 0 || slap->clients_count == SLAP_LIST_MAX)
            return refuse(making, SLAP_CONCURRENCY, "numbers of clients above 0, at most 256, with commas between");
        slap->clients[slap->clients_count++] = clients;
    }
    return slap->clients_count > 0 || refuse(making, SLAP_CONCURRENCY, "a number of clients above 0");
}

static bool read_engines(const struct making *making)
{
    struct slap *slap = making->slap;
    const char *list = given(making, SLAP_ENGINE), *item;
    size_t bytes;
    while (list && (item = next_item(&list, &bytes)) != NULL) {
        if (bytes >= sizeof(slap->engines[0]) || strcspn(item, ":,") >= NAME_MAX_BYTES || *item == ':' ||
            slap->engines_count == SLAP_LIST_MAX)
            return refuse(making, SLAP_ENGINE, "names of storage engines, each with or without :OPTIONS");
        memcpy(slap->engines[slap->engines_count++], item, bytes);
    }
    slap->engines_count += slap->engines_count == 0; /* the server's own */
    return true;
}

/* ---- the statements ---- */

static bool read_load(struct making *making)
{
    static const char *const names[] = {"mixed", "update", "write", "key", "read"};
    const char *text = given(making, SLAP_LOAD_TYPE);
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        if (strcmp(text ? text : names[0], names[i]) == 0) {
            making->table.load = (enum slap_load)i;
            making->slap->load_name = names[i];
            return true;
        }
    return refuse(making, SLAP_LOAD_TYPE, "mixed, update, write, key or read");
}

static bool check_table(struct making *making)
{
    struct slap_table *table = &making->table;
    table->autoincrement = is_on(making, SLAP_ADD_AUTOINCREMENT);
    table->guid = is_on(making, SLAP_GUID_PRIMARY);
    if (table->autoincrement && table->guid)
        return error_set(making->error, ERR_USAGE,
                         "--auto-generate-sql-guid-primary and --auto-generate-sql-add-autoincrement: a table has one "
                         "primary key; leave one of them out");
    if (table->load == SLAP_KEY && !table->autoincrement && !table->guid)
        return error_set(making->error, ERR_USAGE,
                         "--auto-generate-sql-load-type=key needs a key: give --auto-generate-sql-guid-primary or "
                         "--auto-generate-sql-add-autoincrement");
    return table->ints + table->chars > 0 ||
           error_set(making->error, ERR_USAGE,
                     "--number-int-cols=0 and --number-char-cols=0: a table has at least one column");
}

/* The option's text, or that of the file it names. `*out` for free(). */
static bool read_text(const struct making *making, enum slap_option option, char **out)
{
    const char *text = given(making, option);
    enum path_kind kind = PATH_ABSENT;
    struct error ignored = ERROR_INIT;
    if (strlen(text) < PATH_BYTES && path_look(text, &kind, NULL, &ignored) && kind == PATH_FILE)
        return path_read_text(text, SQL_BYTES_MAX, out, NULL, making->error);
    *out = malloc(strlen(text) + 1);
    if (*out)
        strcpy(*out, text);
    return *out || no_memory(making);
}

static bool read_statements(const struct making *making, enum slap_option option, struct script_list *list)
{
    const char *delimiter = given(making, SLAP_DELIMITER);
    char *text = NULL;
    if (!given(making, option))
        return true;
    if (delimiter && !*delimiter)
        return error_set(making->error, ERR_USAGE, "--delimiter: give what stands between statements");
    if (!read_text(making, option, &text))
        return false;
    bool good = slap_cut_text(&making->slap->sql, list, text, delimiter ? delimiter : "\n");
    free(text);
    if (!good)
        return no_memory(making);
    return list->count > 0 || refuse(making, option, "SQL, or the name of a file with some");
}

static bool add_greeting(const struct making *making)
{
    struct slap_sql *sql = &making->slap->sql;
    const char *init = given(making, SLAP_INIT_COMMAND), *mode = given(making, SLAP_SQL_MODE);
    char text[TEXT_MAX];
    if (mode && (strlen(mode) > TEXT_MAX - 64 || strpbrk(mode, "'\\")))
        return refuse(making, SLAP_SQL_MODE, "names of modes with commas between");
    snprintf(text, sizeof(text), "SET sql_mode='%s'", mode ? mode : "");
    return (!init || slap_add(&sql->script.greeting, text_pool_copy(&sql->texts, init, strlen(init)))) &&
           (!mode || slap_add(&sql->script.greeting, text_pool_copy(&sql->texts, text, strlen(text))));
}

static bool make_queries(struct making *making)
{
    struct slap_sql *sql = &making->slap->sql;
    struct script *script = &sql->script;
    if (is_on(making, SLAP_AUTO))
        return check_table(making) && (slap_generate(sql, &making->table) || no_memory(making));
    return read_statements(making, SLAP_CREATE, &script->create) &&
           read_statements(making, SLAP_QUERY, &script->queries) && (slap_name_queries(sql) || no_memory(making));
}

static bool check_sources(const struct making *making)
{
    bool own = given(making, SLAP_QUERY) || given(making, SLAP_CREATE);
    if (is_on(making, SLAP_AUTO) && own)
        return error_set(making->error, ERR_USAGE,
                         "--auto-generate-sql makes both table and statements: leave out --create and --query");
    return is_on(making, SLAP_AUTO) || given(making, SLAP_QUERY) ||
           error_set(making->error, ERR_USAGE, "mysqlslap: give --auto-generate-sql, or --query with SQL");
}

static bool make_schema(const struct making *making)
{
    struct script *script = &making->slap->sql.script;
    const char *name = given(making, SLAP_CREATE_SCHEMA), *dropped = given(making, SLAP_DROP_SCHEMA);
    name = name ? name : "mysqlslap";
    if (!*name || strlen(name) >= sizeof(script->schema))
        return refuse(making, SLAP_CREATE_SCHEMA, "the name of a schema, of at most 63 bytes");
    strcpy(script->schema, name);
    script->makes_schema = script->create.count > 0;
    script->keeps_schema = is_on(making, SLAP_NO_DROP);
    script->may_replace = dropped && strcmp(dropped, name) == 0;
    return !dropped || script->may_replace || refuse(making, SLAP_DROP_SCHEMA, "the schema of --create-schema");
}

/* Keys are read once, after the load. */
static void ask_for_keys(const struct making *making)
{
    struct script *script = &making->slap->sql.script;
    for (size_t i = 0; i < script->queries.count; ++i)
        if (script->queries.items[i].tail)
            script->keys_sql = "SELECT id FROM t1";
}

static bool make_script(struct making *making)
{
    struct script *script = &making->slap->sql.script;
    if (!check_sources(making) || !read_load(making) || !make_queries(making) ||
        !read_statements(making, SLAP_PRE_QUERY, &script->before) ||
        !read_statements(making, SLAP_POST_QUERY, &script->after) || !make_schema(making))
        return false;
    ask_for_keys(making);
    script->connects_late = true; /* mysqlslap's time begins before its clients connect */
    script->before_system = given(making, SLAP_PRE_SYSTEM);
    script->after_system = given(making, SLAP_POST_SYSTEM);
    script->commit_every = making->commit;
    if (making->commit > 0)
        script->kinds[script->kinds_count++] = "commit";
    return add_greeting(making) || no_memory(making);
}

/* ---- the way to the server ---- */

static bool set(const struct making *making, enum slap_option option, const char *setting)
{
    char shown[64];
    const char *text = given(making, option);
    snprintf(shown, sizeof(shown), "--%s", slap_option_name(option));
    return !text || job_set(&making->invocation->job, setting_find(setting), shown, text, making->error);
}

static bool set_protocol(const struct making *making)
{
    static const char *const names[] = {"tcp", "socket", "pipe"};
    const char *text = given(making, SLAP_PROTOCOL);
    for (size_t i = 0; text && i < COUNT_OF(names); ++i) {
        size_t letter = 0;
        while (names[i][letter] && (text[letter] | 0x20) == names[i][letter])
            ++letter;
        if (!names[i][letter] && !text[letter]) {
            making->invocation->job.db_protocol = (enum db_protocol)(DB_PROTOCOL_TCP + i);
            return true;
        }
    }
    return !text || refuse(making, SLAP_PROTOCOL, "tcp, socket or pipe");
}

/* MariaDB's --ssl, or MySQL's --ssl-mode. Both tools prefer TLS when nothing is said. */
static bool set_tls(const struct making *making)
{
    static const char *const modes[] = {"DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"};
    struct job *job = &making->invocation->job;
    const char *text = given(making, SLAP_SSL_MODE), *ssl = given(making, SLAP_SSL);
    job->db_tls = is_on(making, SLAP_SSL_VERIFY) ? DB_TLS_VERIFY_IDENTITY
                  : !ssl                         ? DB_TLS_PREFERRED
                  : is_on(making, SLAP_SSL)      ? DB_TLS_REQUIRED
                                                 : DB_TLS_OFF;
    for (size_t i = 0; text && i < COUNT_OF(modes); ++i)
        if (strcmp(text, modes[i]) == 0) {
            job->db_tls = (enum db_tls)i;
            return true;
        }
    return !text || refuse(making, SLAP_SSL_MODE, "DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY");
}

static bool set_compression(const struct making *making)
{
    const char *text = given(making, SLAP_COMPRESSION_ALGORITHMS);
    making->invocation->job.db_compression = is_on(making, SLAP_COMPRESS) || (text && strcmp(text, "zlib") == 0);
    return !text || strcmp(text, "zlib") == 0 || strcmp(text, "uncompressed") == 0 ||
           refuse(making, SLAP_COMPRESSION_ALGORITHMS, "zlib or uncompressed");
}

static bool take_password(const struct making *making)
{
    char asked[PASSWORD_BYTES];
    const char *text = given(making, SLAP_PASSWORD);
    if (!text || making->slap->only_prints)
        return true;
    if (!*text && !process_ask_secret("Enter password: ", asked, sizeof(asked), making->error))
        return false;
    const char *password = *text ? text : asked;
    making->invocation->password = malloc(strlen(password) + 1);
    if (making->invocation->password)
        strcpy(making->invocation->password, password);
    if (!*text)
        memset(asked, 0, sizeof(asked));
    return making->invocation->password || error_set(making->error, ERR_SYSTEM, "not enough memory");
}

static bool find_way(const struct making *making)
{
    struct job *job = &making->invocation->job;
    strcpy(job->db_driver, "mysql");
    job->db_user[0] = '\0'; /* the system's */
    strcpy(job->db_name, making->slap->sql.script.schema);
    return set(making, SLAP_HOST, "db_host") && set(making, SLAP_PORT, "db_port") &&
           set(making, SLAP_SOCKET, "db_socket") && set(making, SLAP_USER, "db_user") &&
           set(making, SLAP_SSL_CA, "db_tls_ca") && set(making, SLAP_SSL_CERT, "db_tls_cert") &&
           set(making, SLAP_SSL_KEY, "db_tls_key") && set(making, SLAP_SSL_CIPHER, "db_tls_cipher") &&
           set(making, SLAP_SEED, "seed") && set_protocol(making) && set_tls(making) && set_compression(making) &&
           take_password(making);
}

/* ---- replicas ---- */

static const struct phrase phrases[] = {
    {"--db-host, --db-port or --db-socket", "--host, --port or --socket"},
    {"--heartbeat-schema", "--isobench-heartbeat-schema"},
    {"--replica-wait=TIME", "--isobench-replica-wait=SECONDS"},
    {"--replica-wait", "--isobench-replica-wait"},
    {"--replica", "--isobench-replica"},
    {"--verify-replica", "--isobench-verify-replica"},
    {"--report-interval", "--isobench-report-interval"},
    {"--password-env, --password-file, --ask-password", "--password"},
    {"--db-user", "--user"},
    {"--db-host", "--host"},
    {"--db-port", "--port"},
    {"--db-socket", "--socket"},
    {"--db-name", "--create-schema"},
    {"--db-tls", "--ssl"},
    {"--threads", "--concurrency"},
};

void slap_reword(const struct job *job, struct error *error)
{
    char text[sizeof(error->text)];
    (void)job;
    phrases_replace(phrases, COUNT_OF(phrases), error->text, text, sizeof(text));
    memcpy(error->text, text, sizeof(text));
}

static bool find_replicas(const struct making *making)
{
    static const enum slap_option needing[] = {SLAP_HEARTBEAT, SLAP_HEARTBEAT_SCHEMA, SLAP_REPLICA_WAIT,
                                               SLAP_REPORT_INTERVAL, SLAP_VERIFY_REPLICA};
    for (size_t i = 0; i < COUNT_OF(needing) && !given(making, SLAP_REPLICA); ++i)
        if (given(making, needing[i]))
            return error_set(making->error, ERR_USAGE, "--%s: say which replica to look at, with --%s=host=NAME,port=N",
                             slap_option_name(needing[i]), slap_option_name(SLAP_REPLICA));
    making->invocation->job.verify_replica = is_on(making, SLAP_VERIFY_REPLICA);
    return set(making, SLAP_REPLICA, "replica") && set(making, SLAP_REPLICA_WAIT, "replica_wait") &&
           set(making, SLAP_HEARTBEAT, "heartbeat") && set(making, SLAP_HEARTBEAT_SCHEMA, "heartbeat_schema") &&
           set(making, SLAP_REPORT_INTERVAL, "report_interval");
}

/* ---- jobs ---- */

static bool check_numbers(const struct making *making)
{
    uint64_t detach = making->invocation->job.reconnect_every;
    if (making->execute > 0 && making->queries > 0)
        return error_set(making->error, ERR_USAGE,
                         "--auto-generate-sql-execute-number and --number-of-queries both say how many statements are "
                         "sent: leave one of them out");
    return making->commit == 0 || detach % making->commit == 0 ||
           error_set(making->error, ERR_USAGE,
                     "--detach=%" PRIu64 " with --commit=%" PRIu64
                     ": what is not committed is lost with the connection; detach after a multiple of them",
                     detach, making->commit);
}

/* Statements over all clients; without a number each sends all of them once. */
static uint64_t total(const struct making *making, uint64_t clients)
{
    const struct script *script = &making->slap->sql.script;
    return making->queries > 0 ? making->queries
                               : clients * (making->execute > 0 ? making->execute : script->queries.count);
}

static bool make_room(const struct making *making)
{
    struct slap *slap = making->slap;
    slap->jobs_count = slap->engines_count * slap->clients_count;
    slap->further = calloc(slap->jobs_count, sizeof(*slap->further));
    slap->scripts = calloc(slap->jobs_count, sizeof(*slap->scripts));
    slap->labels = calloc(slap->jobs_count, sizeof(*slap->labels));
    slap->names = calloc(slap->jobs_count, sizeof(*slap->names));
    return (slap->further && slap->scripts && slap->labels && slap->names) || no_memory(making);
}

static bool make_job(struct making *making, size_t engine, size_t clients, struct job *job)
{
    struct slap *slap = making->slap;
    size_t index = engine * slap->clients_count + clients;
    const char *name = slap->engines[engine];
    struct script *script = &slap->scripts[index];
    *job = making->invocation->job;
    job->threads = slap->clients[clients];
    snprintf(job->table_engine, sizeof(job->table_engine), "%.*s", (int)strcspn(name, ":"), name);
    *script = slap->sql.script;
    script->total = job->events = total(making, job->threads);
    if (name[0])
        script->create = slap->creates[engine];
    snprintf(slap->labels[index], sizeof(slap->labels[index]), "%s%s%s, %" PRIu64 " clients", job->table_engine,
             job->table_engine[0] ? ", " : "", slap->load_name, job->threads);
    slap->names[index] = slap->labels[index];
    return phrases_check_job(phrases, COUNT_OF(phrases), job, true, making->error);
}

static bool make_jobs(struct making *making)
{
    struct slap *slap = making->slap;
    struct job first;
    if (!make_room(making))
        return false;
    for (size_t engine = 0; engine < slap->engines_count; ++engine) {
        if (slap->engines[engine][0] &&
            !slap_add_engine(&slap->sql, &slap->sql.script.create, slap->engines[engine], &slap->creates[engine]))
            return no_memory(making);
        for (size_t clients = 0; clients < slap->clients_count; ++clients) {
            size_t index = engine * slap->clients_count + clients;
            if (!make_job(making, engine, clients, index ? &slap->further[index - 1] : &first))
                return false;
        }
    }
    making->invocation->job = first;
    return true;
}

static bool read_report(const struct making *making)
{
    struct slap *slap = making->slap;
    const char *csv = given(making, SLAP_CSV);
    enum path_kind kind = PATH_ABSENT;
    slap->is_csv = csv != NULL;
    slap->is_silent = is_on(making, SLAP_SILENT);
    slap->shows_latency = is_on(making, SLAP_LATENCY);
    slap->only_prints = is_on(making, SLAP_ONLY_PRINT);
    slap->verbose = slap->given.verbose;
    if (!csv || !*csv)
        return true;
    if (strlen(csv) >= sizeof(slap->csv_path) || !path_look(csv, &kind, NULL, making->error) ||
        (kind != PATH_ABSENT && kind != PATH_FILE))
        return refuse(making, SLAP_CSV, "a file's name");
    strcpy(slap->csv_path, csv);
    return true;
}

bool slap_job_make(struct slap *slap, struct invocation *invocation, struct error *error)
{
    struct making making = {.slap = slap, .invocation = invocation, .error = error};
    struct job *job = &invocation->job;
    job_init(job);
    job->work = WORK_DATABASE;
    strcpy(job->workload, SCRIPT_WORKLOAD);
    job->time_ns = 0;
    job->db_statements = DB_STATEMENTS_TEXT;
    if (!read_report(&making) || !read_numbers(&making) || !check_numbers(&making) || !read_clients(&making) ||
        !read_engines(&making) || !make_script(&making) || !find_way(&making) || !find_replicas(&making))
        return false;
    job->repeat = making.iterations;
    if (!make_jobs(&making))
        return false;
    invocation->further = slap->further;
    invocation->further_count = slap->jobs_count - 1;
    invocation->scripts = slap->scripts;
    invocation->names = slap->names;
    return true;
}

void slap_free(void *context)
{
    struct slap *slap = context;
    slap_sql_done(&slap->sql);
    for (size_t i = 0; i < slap->engines_count; ++i)
        free(slap->creates[i].items);
    slap_given_done(&slap->given);
    free(slap->further);
    free(slap->scripts);
    free(slap->labels);
    free((void *)slap->names);
    free(slap->csv_text);
    free(slap);
}
