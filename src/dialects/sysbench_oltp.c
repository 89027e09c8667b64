/* sysbench_oltp.c: sysbench's tests of databases: from the options to a job, and back. */
#include "dialects/sysbench.h"

#include "core/settings.h"
#include "core/units.h"
#include "dialects/phrases.h"
#include "platform/clock.h"
#include "platform/process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* sysbench tries to connect again without end. */
#define FOREVER_NS (24 * 3600 * NS_PER_S)

/* ---- which test ---- */

/* A script's path has folders before the name and ".lua" behind it. */
static size_t bare_name(const char **test)
{
    for (const char *at = *test; *at; at++)
        if (*at == '/' || *at == '\\')
            *test = at + 1;
    size_t bytes = strlen(*test);
    return bytes > 4 && strcmp(*test + bytes - 4, ".lua") == 0 ? bytes - 4 : bytes;
}

const char *sysbench_workload(const char *test)
{
    const char *const *choices = setting_find("workload")->choices;
    size_t bytes;
    if (!test)
        return NULL;
    bytes = bare_name(&test);
    if (bytes == 4 && strncmp(test, "oltp", 4) == 0)
        return choices[0];
    for (; *choices; choices++)
        if (strlen(*choices) == bytes && strncmp(*choices, test, bytes) == 0)
            return *choices;
    return NULL;
}

bool sysbench_is_script(const char *test, const struct sysbench_given *given)
{
    static const char *const numbers[] = {"oltp-tables-count", "oltp-num-tables", "oltp-write-only"};
    const char *name = test;
    size_t bytes = bare_name(&name);
    if (strcmp(name + bytes, ".lua") == 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (sysbench_given_text(given, numbers[i]))
            return true;
    return false;
}

bool sysbench_workload_has(const char *workload, const struct sysbench_option *option)
{
    static const char *const own[][2] = {{"random-points", "select_random_points"},
                                         {"number-of-ranges", "select_random_ranges"},
                                         {"delta", "select_random_ranges"}};
    if (option->group != GROUP_OLTP)
        return true;
    for (size_t i = 0; i < COUNT_OF(own); i++)
        if (strcmp(option->name, own[i][0]) == 0)
            return strcmp(workload, own[i][1]) == 0;
    return strcmp(workload, "bulk_insert") != 0;
}

/* ---- 0.4 ---- */

/* Which of 0.4's modes stands for which workload. */
static bool make_workload_04(const struct making *making)
{
    static const char *const modes[][2] = {{"simple", "oltp_point_select"}, {"complex", "oltp_read_write"}},
                             *const changes[][2] = {{"select", "oltp_point_select"},
                                                    {"update_key", "oltp_update_index"},
                                                    {"update_nokey", "oltp_update_non_index"},
                                                    {"insert", "oltp_insert"},
                                                    {"delete", "oltp_delete"}};
    const char *mode = making_text(making, "oltp-test-mode"), *change = making_text(making, "oltp-nontrx-mode");
    bool read_only = sysbench_is_on(making->given, "oltp-read-only");
    for (size_t i = 0; i < COUNT_OF(modes); i++)
        if (strcmp(mode, modes[i][0]) == 0)
            return making_set(making, "oltp-test-mode", "workload",
                              i == 1 && read_only ? "oltp_read_only" : modes[i][1]);
    if (strcmp(mode, "nontrx") != 0)
        return making_refuse(making, "oltp-test-mode",
                             "simple, complex or nontrx (stored procedures are not supported)");
    for (size_t i = 0; i < COUNT_OF(changes); i++)
        if (strcmp(change, changes[i][0]) == 0)
            return making_set(making, "oltp-nontrx-mode", "workload", changes[i][1]);
    return making_refuse(making, "oltp-nontrx-mode", "select, update_key, update_nokey, insert or delete");
}

static bool make_reconnects_04(const struct making *making)
{
    const char *mode = making_text(making, "oltp-reconnect-mode");
    double delay_us = 0;
    if (strcmp(mode, "session") == 0)
        return true;
    if (strcmp(mode, "transaction") != 0)
        return making_refuse(making, "oltp-reconnect-mode", "session or transaction");
    making->job->reconnect_every = 1;
    return (units_parse_real(making_text(making, "oltp-connect-delay"), &delay_us) && delay_us == 0) ||
           error_set(making->error, ERR_UNSUPPORTED,
                     "--oltp-reconnect-mode=transaction needs --oltp-connect-delay=0: 0.4 pauses 10 ms after each "
                     "connection unless told otherwise, isobench does not");
}

static bool make_04(const struct making *making)
{
    making->job->table_form = TABLE_FORM_0_4;
    return make_workload_04(making) && make_reconnects_04(making) &&
           making_set(making, "oltp-table-name", "table_name", making_text(making, "oltp-table-name"));
}

/* ---- 0.5 ---- */

static bool make_script(const struct making *making)
{
    bool reads = sysbench_is_on(making->given, "oltp-read-only"),
         writes = sysbench_is_on(making->given, "oltp-write-only");
    const char *half = reads ? "oltp-read-only" : "oltp-write-only";
    if (!reads && !writes)
        return making_set(making, "test", "workload", making->workload);
    if (reads && writes)
        return error_set(making->error, ERR_USAGE, "--oltp-read-only and --oltp-write-only: one of them");
    if (strcmp(making->workload, sysbench_workload("oltp")) != 0)
        return error_set(making->error, ERR_USAGE, "--%s is an option of the script oltp.lua", half);
    return making_set(making, half, "workload", reads ? "oltp_read_only" : "oltp_write_only");
}

/* ---- the way to the server ---- */

/* Options of one driver that are settings as they stand. */
static const struct {
    const char *driver, *option, *setting, *fallback;
} ways[] = {
    {"mysql", "mysql-host", "db_host", "localhost"},
    {"mysql", "mysql-port", "db_port", ""},
    {"mysql", "mysql-socket", "db_socket", ""},
    {"mysql", "mysql-user", "db_user", "sbtest"},
    {"mysql", "mysql-db", "db_name", "sbtest"},
    {"mysql", "mysql-ssl-ca", "db_tls_ca", ""},
    {"mysql", "mysql-ssl-cert", "db_tls_cert", ""},
    {"mysql", "mysql-ssl-key", "db_tls_key", ""},
    {"mysql", "mysql-ssl-cipher", "db_tls_cipher", ""},
    {"mysql", "mysql-compression", "db_compression", "off"},
    {"pgsql", "pgsql-host", "db_host", "localhost"},
    {"pgsql", "pgsql-port", "db_port", ""},
    {"pgsql", "pgsql-user", "db_user", "sbtest"},
    {"pgsql", "pgsql-db", "db_name", "sbtest"},
    {"sqlite", "sqlite-db", "db_file", "isobench.sqlite"},
};

static bool make_ways(const struct making *making)
{
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        const char *text = sysbench_given_text(making->given, ways[i].option);
        if (strcmp(ways[i].driver, making->job->db_driver) == 0 && text &&
            !making_set(making, ways[i].option, ways[i].setting, text))
            return false;
    }
    return true;
}

static bool make_tls(const struct making *making)
{
    static const struct {
        const char *words[3];
        enum db_tls tls;
    } modes[] = {{{"off", "disabled", "disable"}, DB_TLS_OFF},
                 {{"preferred", "prefer", "allow"}, DB_TLS_PREFERRED},
                 {{"on", "required", "require"}, DB_TLS_REQUIRED},
                 {{"verify_ca", "verify-ca", NULL}, DB_TLS_VERIFY_CA},
                 {{"verify_identity", "verify-full", NULL}, DB_TLS_VERIFY_IDENTITY}};
    const char *option = strcmp(making->job->db_driver, "pgsql") == 0 ? "pgsql-sslmode" : "mysql-ssl";
    const char *text = sysbench_given_text(making->given, option);
    char word[32];
    size_t used = 0;
    making->job->db_tls = strcmp(option, "mysql-ssl") == 0 ? DB_TLS_OFF : DB_TLS_PREFERRED;
    if (!text)
        return true;
    for (; text[used] && used + 1 < sizeof(word); used++)
        word[used] = (char)(text[used] >= 'A' && text[used] <= 'Z' ? text[used] + 32 : text[used]);
    word[used] = '\0';
    for (size_t i = 0; i < COUNT_OF(modes); i++)
        for (size_t w = 0; w < COUNT_OF(modes[i].words) && modes[i].words[w]; w++)
            if (strcmp(modes[i].words[w], word) == 0) {
                making->job->db_tls = modes[i].tls;
                return true;
            }
    return making_refuse(making, option, "off, preferred, required, verify_ca or verify_identity");
}

static bool make_driver(const struct making *making)
{
    const char *text = sysbench_given_text(making->given, "db-driver");
    if (!making_set(making, "db-driver", "db_driver", text ? text : "mysql"))
        return false;
    return make_ways(making) && make_tls(making);
}

static bool has_word(const char *list, const char *word)
{
    size_t bytes = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ',') && (at[bytes] == '\0' || at[bytes] == ','))
            return true;
    return false;
}

/* The errors that sysbench ignores by default are those that "auto" tries again; 2006 and 2013 mean reconnecting. */
static bool make_errors(const struct making *making)
{
    static const char *const losses[] = {"2006", "2011", "2013", "2055"};
    const char *text = sysbench_given_text(making->given, "mysql-ignore-errors");
    if (!text || strcmp(making->job->db_driver, "mysql") != 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(losses); i++)
        if (has_word(text, losses[i]))
            making->job->reconnect_on_loss_ns = FOREVER_NS;
    return making_set(making, "mysql-ignore-errors", "retry_errors",
                      strcmp(text, "1213,1020,1205") == 0 ? "auto" : text);
}

static bool make_statements(const struct making *making)
{
    const char *text = sysbench_given_text(making->given, "db-ps-mode");
    bool as_text = text && strcmp(text, "disable") == 0;
    if (strcmp(making->workload, "oltp_insert") == 0 && making->version != SYSBENCH_04)
        as_text = true; /* sysbench prepares nothing there */
    making->job->db_statements = as_text ? DB_STATEMENTS_TEXT : DB_STATEMENTS_PREPARED;
    return !text || strcmp(text, "auto") == 0 || strcmp(text, "disable") == 0 ||
           making_refuse(making, "db-ps-mode", "auto or disable");
}

/* ---- what has no counterpart ---- */

static bool refuse_unsupported(const struct making *making)
{
    static const char *const switches[] = {"db-debug", "mysql-debug", "mysql-dry-run", "debug", "validate"};
    static const char *const texts[] = {"pgsql-variant", "mysql-compression-algorithms"};
    for (size_t i = 0; i < COUNT_OF(switches); i++)
        if (sysbench_is_on(making->given, switches[i]))
            return error_set(making->error, ERR_UNSUPPORTED, "--%s is not supported for the tests of databases",
                             switches[i]);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const char *text = sysbench_given_text(making->given, texts[i]);
        if (text && *text && strcmp(text, "none") != 0)
            return error_set(making->error, ERR_UNSUPPORTED, "--%s=%s is not supported", texts[i], text);
    }
    const char *trx = making_text(making, "mysql-engine-trx");
    if (strcmp(trx, "auto") != 0 && strcmp(trx, "yes") != 0)
        return error_set(making->error, ERR_UNSUPPORTED,
                         "--mysql-engine-trx=%s is not supported: it must be auto or yes; --oltp-skip-trx=on runs "
                         "without transactions",
                         trx);
    if (sysbench_given_text(making->given, "myisam-max-rows"))
        return error_set(making->error, ERR_UNSUPPORTED,
                         "--myisam-max-rows is not supported; --create-table-options=MAX_ROWS=N says it");
    return true;
}

/* ---- random rows ---- */

static bool make_rows(const struct making *making)
{
    static const char *const same[][2] = {{"rand-spec-iter", "special_iterations"},
                                          {"rand-spec-pct", "special_percent"},
                                          {"rand-spec-res", "special_result_percent"},
                                          {"rand-pareto-h", "pareto_h"},
                                          {"rand-zipfian-exp", "zipfian_exponent"}};
    const char *type = making_text(making, "rand-type");
    for (size_t i = 0; i < COUNT_OF(same); i++)
        if (!making_set(making, same[i][0], same[i][1], making_text(making, same[i][0])))
            return false;
    return making_set(making, "rand-type", "distribution",
                      type                             ? type
                      : making->version == SYSBENCH_11 ? "uniform"
                                                       : "special");
}

bool sysbench_oltp_make(const struct making *making)
{
    struct job *job = making->job;
    if (!refuse_unsupported(making) || !make_driver(making) || !make_errors(making) || !make_statements(making) ||
        !make_rows(making))
        return false;
    if (job->rate > 0)
        job->arrival = ARRIVAL_POISSON;
    return making->version == SYSBENCH_04 && !making->script ? make_04(making) : make_script(making);
}

const char *sysbench_password(const struct sysbench_given *given, const struct job *job)
{
    const char *text = strcmp(job->db_driver, "pgsql") == 0   ? sysbench_given_text(given, "pgsql-password")
                       : strcmp(job->db_driver, "mysql") == 0 ? sysbench_given_text(given, "mysql-password")
                                                              : NULL;
    return text;
}

void sysbench_hide_passwords(const struct sysbench_given *given)
{
    static const char *const names[] = {"mysql-password", "pgsql-password"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *text = sysbench_given_text(given, names[i]);
        if (text)
            process_hide_argument((char *)(uintptr_t)text); /* argv's own memory, or the configuration file's text */
    }
}

/* ---- errors in sysbench's words ---- */

#define WORDS_OF(driver)                                                                                               \
    {"--db-user", "--" driver "-user"}, {"--db-host", "--" driver "-host"}, {"--db-port", "--" driver "-port"},        \
        {"--db-name", "--" driver "-db"},                                                                              \
    {                                                                                                                  \
        "--password-env, --password-file, --ask-password", "--" driver "-password"                                     \
    }
#define WORDS_OF_ALL                                                                                                   \
    {"--db-statements=text", "--db-ps-mode=disable"}, {"--db-file", "--sqlite-db"}, {"--workload", "test"},            \
        {"--table-engine", "--mysql-storage-engine"}, {"--init-timeout", "--thread-init-timeout"},                     \
        {"--heartbeat-schema", "--isobench-heartbeat-schema"}, {"--replica-wait", "--isobench-replica-wait"},          \
        {"--replica", "--isobench-replica"}, {"--verify-replica", "--isobench-verify-replica"},                        \
    {                                                                                                                  \
        "--table-name", "--oltp-table-name"                                                                            \
    }

void sysbench_reword(const struct job *job, struct error *error)
{
    static const struct phrase mysql[] = {WORDS_OF("mysql"),
                                          WORDS_OF_ALL,
                                          {"--db-socket", "--mysql-socket"},
                                          {"--db-compression", "--mysql-compression"},
                                          {"--db-tls", "--mysql-ssl"}, /* and its -ca, -cert, -key, -cipher */
                                          {"--retry-errors", "--mysql-ignore-errors"},
                                          {"--reconnect-on-loss=SECONDS", "--mysql-ignore-errors=2006,2013"}};
    static const struct phrase pgsql[] = {WORDS_OF("pgsql"), WORDS_OF_ALL, {"--db-tls", "--pgsql-sslmode"}};
    bool of_mysql = strcmp(job->db_driver, "mysql") == 0;
    char text[sizeof(error->text)];
    if (job->work != WORK_DATABASE)
        return;
    phrases_replace(of_mysql ? mysql : pgsql, of_mysql ? COUNT_OF(mysql) : COUNT_OF(pgsql), error->text, text,
                    sizeof(text));
    memcpy(error->text, text, sizeof(text));
}

/* ---- back ---- */

static void write_way(const struct job *job, struct command *out)
{
    char value[TEXT_MAX];
    command_add(out, "--db-driver=%s", job->db_driver);
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        if (strcmp(ways[i].driver, job->db_driver) != 0)
            continue;
        job_get(job, setting_find(ways[i].setting), value, sizeof(value));
        if (strcmp(value, ways[i].fallback) != 0)
            command_add(out, "--%s=%s", ways[i].option, value);
    }
}

static void write_tls(const struct job *job, struct command *out)
{
    /* on and off are 1.0's words, the others 1.1's alone; 1.0 has none for "preferred", which is found by reading back
     */
    static const char *const mysql[] = {"off", "off", "on", "verify_ca", "verify_identity"}, *const pgsql[] = {
                                                                                                 "disable", "prefer",
                                                                                                 "require", "verify-ca",
                                                                                                 "verify-full"};
    if (strcmp(job->db_driver, "mysql") == 0 && job->db_tls >= DB_TLS_REQUIRED)
        command_add(out, "--mysql-ssl=%s", mysql[job->db_tls]);
    if (strcmp(job->db_driver, "pgsql") == 0 && job->db_tls != DB_TLS_PREFERRED)
        command_add(out, "--pgsql-sslmode=%s", pgsql[job->db_tls]);
}

void sysbench_oltp_write(const struct job *job, struct command *out)
{
    static const char *const types[] = {"uniform", "special", "gaussian", "pareto", "zipfian"};
    char number[64];
    write_way(job, out);
    write_tls(job, out);
    if (job->db_statements == DB_STATEMENTS_TEXT)
        command_add(out, "--db-ps-mode=disable");
    if (strcmp(job->retry_errors, "auto") != 0)
        command_add(out, "--mysql-ignore-errors=%s", job->retry_errors);
    if (job->distribution != DIST_SPECIAL)
        command_add(out, "--rand-type=%s", types[job->distribution]);
    if (job->distribution == DIST_PARETO)
        command_add(out, "--rand-pareto-h=%s", units_real_exact(job->pareto_h, number, sizeof(number)));
    if (job->distribution == DIST_ZIPFIAN)
        command_add(out, "--rand-zipfian-exp=%s", units_real_exact(job->zipfian_exponent, number, sizeof(number)));
}
