/* sysbench_options.c: the table of options of sysbench 0.4.12, 1.0.20 and 1.1 all accepted in every
 * version, and how a command line and a configuration file become texts of these options. */
#include "dialects/sysbench.h"

#include "core/encoding.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_MAX_BYTES ((size_t)1 << 20)

/* clang-format off */
#define OPTION(name_, form_, fallback_, help_) .name = name_, .form = form_, .fallback = fallback_, .help = help_
#define GENERAL(...) {.group = GROUP_GENERAL, OPTION(__VA_ARGS__)}
#define GENERAL_SET(setting_, ...) {.group = GROUP_GENERAL, .setting = setting_, OPTION(__VA_ARGS__)}
#define OLD(name_, form_, fallback_, now_) \
    {.group = GROUP_GENERAL, .same_as = now_, OPTION(name_, form_, fallback_, "older name of --" now_)}
#define RANDOM(...) {.group = GROUP_RANDOM, OPTION(__VA_ARGS__)}
#define OWN(...) {.group = GROUP_OWN, OPTION(__VA_ARGS__)}
#define FILEIO(...) {.group = GROUP_FILEIO, OPTION(__VA_ARGS__)}
#define FILEIO_SET(setting_, ...) {.group = GROUP_FILEIO, .setting = setting_, OPTION(__VA_ARGS__)}
#define OLTP(...) {.group = GROUP_OLTP, OPTION(__VA_ARGS__)}
#define OLTP_SET(setting_, ...) {.group = GROUP_OLTP, .setting = setting_, OPTION(__VA_ARGS__)}
/* 0.4's name of an option that has another one now; its text goes to that one. */
#define OLTP_04(name_, form_, now_) \
    {.group = GROUP_OLTP_04, .same_as = now_, OPTION(name_, form_, NULL, "0.4: --" now_)}
#define ONLY_04(name_, form_, fallback_, help_) {.group = GROUP_OLTP_04, OPTION(name_, form_, fallback_, help_)}
#define DATABASE_04(name_, form_, now_) \
    {.group = GROUP_DATABASE, .same_as = now_, OPTION(name_, form_, NULL, "0.4: --" now_)}
#define DATABASE(...) {.group = GROUP_DATABASE, OPTION(__VA_ARGS__)}
#define REFUSED_04(name_, form_, fallback_) \
    {.group = GROUP_OLTP_04, .unsupported = true, OPTION(name_, form_, fallback_, "0.4: not supported")}

const struct sysbench_option sysbench_options[] = {
    GENERAL_SET("threads", "threads", FORM_NUMBER, "1", "how many threads make the load"),
    {.group = GROUP_GENERAL, .setting = "events", .fallback_04 = "10000",
     OPTION("events", FORM_NUMBER, "0", "end after so many events over all threads; 0 = no limit")},
    {.group = GROUP_GENERAL, .setting = "time", .fallback_04 = "0",
     OPTION("time", FORM_NUMBER, "10", "end after so many seconds (0.5 is fine); 0 = no limit")},
    GENERAL_SET("warmup", "warmup-time", FORM_NUMBER, "0", "run so many seconds first, outside every figure"),
    GENERAL("forced-shutdown", FORM_TEXT, "off",
            "seconds (or N% of --time) to wait after --time before the run is cut off; off = wait"),
    GENERAL_SET("stack_size", "thread-stack-size", FORM_SIZE, NULL,
                "stack of each thread; the system's own default unless given"),
    GENERAL_SET("init_timeout", "thread-init-timeout", FORM_NUMBER, "30", "seconds in which all threads must be ready"),
    GENERAL_SET("rate", "rate", FORM_NUMBER, "0",
                "events per second to start at random times, late or not; latency counts from when they were due; 0 = off"),
    {.group = GROUP_GENERAL, .unsupported = true,
     OPTION("tx-jitter", FORM_NUMBER, "0", "0.4: random shift of event starts in microseconds; only 0 so far")},
    GENERAL_SET("report_interval", "report-interval", FORM_NUMBER, "0",
                "print a line of figures every so many seconds (0.5 is fine); 0 = none"),
    GENERAL_SET("checkpoints", "report-checkpoints", FORM_LIST, "",
                "seconds since the start at which to print a full report and count anew"),
    GENERAL("debug", FORM_BOOL, "off", "print each request and figures per thread"),
    GENERAL_SET("verify", "validate", FORM_BOOL, "off",
                "stamp each block written and check each one read; prepare needs it too"),
    GENERAL("help", FORM_BOOL, "off", "print this and end"),
    GENERAL("version", FORM_BOOL, "off", "print the version and end"),
    GENERAL("config-file", FORM_FILE, NULL,
            "file with lines of name=value for any option; the command line wins over it"),
    GENERAL("luajit-cmd", FORM_TEXT, NULL, "accepted; there is no Lua here"),
    GENERAL("test", FORM_TEXT, NULL, "0.4: the test to run; chooses 0.4's defaults and layout"),
    GENERAL("init-rng", FORM_BOOL, "off", "0.4: take random numbers that differ from run to run"),
    GENERAL("seed-rng", FORM_NUMBER, "0", "0.4: seed of the random numbers; 0 = see --init-rng"),
    OLD("tx-rate", FORM_NUMBER, "0", "rate"),
    OLD("max-requests", FORM_NUMBER, "0", "events"),
    OLD("max-time", FORM_NUMBER, "0", "time"),
    OLD("num-threads", FORM_NUMBER, "1", "threads"),

    RANDOM("rand-type", FORM_TEXT, NULL, "{uniform, gaussian, special, pareto, zipfian}; fileio is always uniform"),
    RANDOM("rand-spec-iter", FORM_NUMBER, "12", "for special; no effect on fileio"),
    RANDOM("rand-spec-pct", FORM_NUMBER, "1", "for special; no effect on fileio"),
    RANDOM("rand-spec-res", FORM_NUMBER, "75", "for special; no effect on fileio"),
    RANDOM("rand-seed", FORM_NUMBER, "0", "seed of the random numbers; 0 = from the clock"),
    RANDOM("rand-pareto-h", FORM_NUMBER, "0.2", "for pareto; no effect on fileio"),
    RANDOM("rand-zipfian-exp", FORM_NUMBER, "0.8", "for zipfian; no effect on fileio"),

    {.group = GROUP_LOG, .fallback_04 = "4",
     OPTION("verbosity", FORM_NUMBER, "3", "how much to print, from 0 (nothing but a forced end) to 5 (all)")},
    {.group = GROUP_LOG, .setting = "percentiles",
     OPTION("percentile", FORM_LIST, "95", "percentiles of the latency, such as 95 or 50,95,99.9; interval lines have the first; 0 = none")},
    {.group = GROUP_LOG, .setting = "histogram",
     OPTION("histogram", FORM_BOOL, "off", "print the latency's histogram before the report")},

    OWN("file-dir", FORM_TEXT, ".", "directory of the test files"),
    OWN("json", FORM_FILE, NULL, "write the result as isobench's JSON to this file; - = to standard output, alone"),
    OWN("sysbench-version", FORM_TEXT, NULL, "defaults and layout of {0.4, 1.0, 1.1}; 1.0, or 0.4 with --test"),
    {.group = GROUP_OWN, .setting = "replica",
     OPTION("isobench-replica", FORM_LIST, "",
            "databases: a replica to watch, as host=NAME,port=N or mysql://USER@HOST:PORT; may be given several times")},
    {.group = GROUP_OWN, .setting = "replica_wait",
     OPTION("isobench-replica-wait", FORM_NUMBER, "60", "seconds that a replica may take to catch up")},
    {.group = GROUP_OWN, .setting = "heartbeat",
     OPTION("isobench-heartbeat", FORM_TEXT, "100ms", "time between two looks at the lag of replicas")},
    {.group = GROUP_OWN, .setting = "heartbeat_schema",
     OPTION("isobench-heartbeat-schema", FORM_TEXT, "", "database for what the lag is seen by; empty = the run's")},
    {.group = GROUP_OWN, .setting = "verify_replica",
     OPTION("isobench-verify-replica", FORM_BOOL, "off", "compare the tables on source and replicas after the run")},
    OWN("show-job", FORM_BOOL, "off", "print the job that these options make, as JSON, and end"),

    FILEIO_SET("files", "file-num", FORM_NUMBER, "128", "how many files"),
    FILEIO_SET("block_size", "file-block-size", FORM_NUMBER, "16384", "bytes of one request, such as 4096 or 16K"),
    FILEIO_SET("total_size", "file-total-size", FORM_SIZE, "2G", "size of all files together"),
    FILEIO_SET("mode", "file-test-mode", FORM_TEXT, NULL,
               "what to do {seqwr, seqrewr, seqrd, rndrd, rndwr, rndrw}; run needs it"),
    FILEIO("file-io-mode", FORM_TEXT, "sync",
           "{sync, async, mmap}; async takes the system's own: io_uring, completion ports or a thread pool"),
    FILEIO("file-async-backlog", FORM_NUMBER, "128", "requests in flight per thread with --file-io-mode=async"),
    FILEIO("file-extra-flags", FORM_LIST, "",
           "any of {sync, dsync, direct}: write through with or without metadata, no system cache"),
    FILEIO_SET("sync_every", "file-fsync-freq", FORM_NUMBER, "100",
               "sync all files each time after so many requests; 0 = never"),
    FILEIO_SET("sync_each_write", "file-fsync-all", FORM_BOOL, "off", "sync after each write"),
    FILEIO_SET("sync_at_end", "file-fsync-end", FORM_BOOL, "on", "sync all files at the end"),
    FILEIO_SET("sync_kind", "file-fsync-mode", FORM_TEXT, "fsync", "how to sync {fsync, fdatasync}"),
    FILEIO("file-merged-requests", FORM_NUMBER, "0",
           "sequential modes: one request is up to so many blocks; 0 = one block"),
    FILEIO("file-rw-ratio", FORM_NUMBER, "1.5", "reads per write in rndrw"),

    OLTP_SET("tables", "tables", FORM_NUMBER, "1", "how many tables"),
    OLTP_SET("table_size", "table-size", FORM_NUMBER, "10000", "rows of each table"),
    OLTP_SET("range_size", "range-size", FORM_NUMBER, "100", "rows of a range"),
    OLTP_SET("range_selects", "range-selects", FORM_BOOL, "on", "all four kinds of ranges"),
    OLTP_SET("point_selects", "point-selects", FORM_NUMBER, "10", "rows read by id, per transaction"),
    OLTP_SET("simple_ranges", "simple-ranges", FORM_NUMBER, "1", "ranges read, per transaction"),
    OLTP_SET("sum_ranges", "sum-ranges", FORM_NUMBER, "1", "ranges summed, per transaction"),
    OLTP_SET("order_ranges", "order-ranges", FORM_NUMBER, "1", "ranges read in order, per transaction"),
    OLTP_SET("distinct_ranges", "distinct-ranges", FORM_NUMBER, "1", "ranges read without duplicates, per transaction"),
    OLTP_SET("index_updates", "index-updates", FORM_NUMBER, "1", "updates of the column k, per transaction"),
    OLTP_SET("non_index_updates", "non-index-updates", FORM_NUMBER, "1", "updates of the column c, per transaction"),
    OLTP_SET("delete_inserts", "delete-inserts", FORM_NUMBER, "1", "rows deleted and inserted again, per transaction"),
    OLTP_SET("auto_inc", "auto-inc", FORM_BOOL, "on", "ids are given by the server"),
    OLTP_SET("skip_trx", "skip-trx", FORM_BOOL, "off", "no BEGIN and COMMIT"),
    OLTP_SET("secondary", "secondary", FORM_BOOL, "off", "an index on id in place of a primary key"),
    OLTP_SET("create_secondary", "create-secondary", FORM_BOOL, "on", "an index on k as well"),
    OLTP_SET("table_engine", "mysql-storage-engine", FORM_TEXT, "innodb", "storage engine of the tables (MySQL)"),
    OLTP_SET("table_options", "create-table-options", FORM_TEXT, "", "more options of CREATE TABLE"),
    OLTP_SET("reconnect_every", "reconnect", FORM_NUMBER, "0", "connect anew after so many transactions; 0 = never"),
    OLTP_SET("random_points", "random-points", FORM_NUMBER, "10", "select_random_points: rows of a statement"),
    OLTP_SET("number_of_ranges", "number-of-ranges", FORM_NUMBER, "10", "select_random_ranges: ranges of a statement"),
    OLTP_SET("delta", "delta", FORM_NUMBER, "5", "select_random_ranges: width of a range"),
    OLTP("pgsql-variant", FORM_TEXT, NULL, "not supported"),

    OLTP_04("oltp-table-size", FORM_NUMBER, "table-size"), OLTP_04("oltp-tables-count", FORM_NUMBER, "tables"),
    OLTP_04("oltp-num-tables", FORM_NUMBER, "tables"), OLTP_04("oltp-range-size", FORM_NUMBER, "range-size"),
    OLTP_04("oltp-point-selects", FORM_NUMBER, "point-selects"),
    OLTP_04("oltp-simple-ranges", FORM_NUMBER, "simple-ranges"), OLTP_04("oltp-sum-ranges", FORM_NUMBER, "sum-ranges"),
    OLTP_04("oltp-order-ranges", FORM_NUMBER, "order-ranges"),
    OLTP_04("oltp-distinct-ranges", FORM_NUMBER, "distinct-ranges"),
    OLTP_04("oltp-index-updates", FORM_NUMBER, "index-updates"),
    OLTP_04("oltp-non-index-updates", FORM_NUMBER, "non-index-updates"),
    OLTP_04("oltp-range-selects", FORM_BOOL, "range-selects"),
    OLTP_04("oltp-delete-inserts", FORM_NUMBER, "delete-inserts"),
    OLTP_04("oltp-create-secondary", FORM_BOOL, "create-secondary"),
    OLTP_04("oltp-auto-inc", FORM_BOOL, "auto-inc"), OLTP_04("oltp-skip-trx", FORM_BOOL, "skip-trx"),
    OLTP_04("oltp-secondary", FORM_BOOL, "secondary"), OLTP_04("oltp-dist-type", FORM_TEXT, "rand-type"),
    OLTP_04("oltp-dist-iter", FORM_NUMBER, "rand-spec-iter"), OLTP_04("oltp-dist-pct", FORM_NUMBER, "rand-spec-pct"),
    OLTP_04("oltp-dist-res", FORM_NUMBER, "rand-spec-res"),
    ONLY_04("oltp-table-name", FORM_TEXT, "sbtest", "0.4: the table's name"),
    ONLY_04("oltp-test-mode", FORM_TEXT, "complex", "0.4: {simple, complex, nontrx}"),
    ONLY_04("oltp-nontrx-mode", FORM_TEXT, "select", "0.4: {select, update_key, update_nokey, insert, delete}"),
    ONLY_04("oltp-read-only", FORM_BOOL, "off", "0.4: no writes in a complex transaction; also of the script oltp.lua"),
    ONLY_04("oltp-write-only", FORM_BOOL, "off", "the script oltp.lua: no reads in a transaction"),
    REFUSED_04("oltp-user-delay-min", FORM_NUMBER, "0"), REFUSED_04("oltp-user-delay-max", FORM_NUMBER, "0"),
    REFUSED_04("oltp-use-in-statement", FORM_NUMBER, "0"), REFUSED_04("oltp-num-partitions", FORM_NUMBER, "0"),
    REFUSED_04("oltp-point-select-mysql-handler", FORM_BOOL, "off"),
    REFUSED_04("oltp-point-select-all-cols", FORM_BOOL, "off"), REFUSED_04("oltp-sp-name", FORM_TEXT, ""),
    ONLY_04("oltp-connect-delay", FORM_NUMBER, "10000", "0.4: microseconds; 0 with --oltp-reconnect-mode=transaction, no effect otherwise"),
    ONLY_04("oltp-reconnect-mode", FORM_TEXT, "session", "0.4: {session, transaction}; transaction: connect anew after each"),

    DATABASE("db-driver", FORM_TEXT, "mysql", "which database {mysql, pgsql, sqlite}"),
    DATABASE("db-ps-mode", FORM_TEXT, "auto", "auto: prepared statements; disable: statements as text"),
    DATABASE("db-debug", FORM_BOOL, "off", "not supported"),
    DATABASE("mysql-host", FORM_LIST, "localhost", "servers; connections are dealt to them in turn"),
    DATABASE("mysql-port", FORM_LIST, "3306", "ports; with localhost a port that is given means TCP"),
    DATABASE("mysql-socket", FORM_LIST, NULL, "sockets, or named pipes on Windows"),
    DATABASE("mysql-user", FORM_TEXT, "sbtest", "user"),
    DATABASE("mysql-password", FORM_TEXT, "", "password; hidden from the list of processes at once (not on Windows)"),
    DATABASE("mysql-db", FORM_TEXT, "sbtest", "database"),
    DATABASE("mysql-ssl", FORM_TEXT, "off", "TLS {off, on, preferred, required, verify_ca, verify_identity}"),
    DATABASE("mysql-ssl-cipher", FORM_TEXT, "", "ciphers"), DATABASE("mysql-ssl-key", FORM_TEXT, "", "file of the key"),
    DATABASE("mysql-ssl-ca", FORM_TEXT, "", "file of the authority"),
    DATABASE("mysql-ssl-cert", FORM_TEXT, "", "file of the certificate"),
    DATABASE("mysql-compression", FORM_BOOL, "off", "compress what goes over the connection"),
    DATABASE("mysql-compression-algorithms", FORM_TEXT, NULL, "not supported"),
    DATABASE("mysql-debug", FORM_BOOL, "off", "not supported"),
    DATABASE("mysql-ignore-errors", FORM_LIST, "1213,1020,1205", "errors after which a transaction is tried again, or all"),
    DATABASE_04("mysql-table-engine", FORM_TEXT, "mysql-storage-engine"),
    DATABASE_04("mysql-table-type", FORM_TEXT, "mysql-storage-engine"),
    DATABASE_04("mysql-table-options", FORM_TEXT, "create-table-options"),
    DATABASE_04("mysql-create-options", FORM_TEXT, "create-table-options"),
    DATABASE("mysql-dry-run", FORM_BOOL, "off", "not supported"),
    DATABASE("mysql-engine-trx", FORM_TEXT, "auto", "0.4: {auto, yes}: transactions, not table locks"),
    DATABASE("myisam-max-rows", FORM_NUMBER, NULL, "0.4: not supported"),
    DATABASE("sqlite-db", FORM_TEXT, "isobench.sqlite", "file of the database"),
    DATABASE("pgsql-host", FORM_TEXT, "localhost", "server, or the folder of its socket"),
    DATABASE("pgsql-port", FORM_NUMBER, "5432", "port"), DATABASE("pgsql-user", FORM_TEXT, "sbtest", "user"),
    DATABASE("pgsql-password", FORM_TEXT, "", "password; hidden as above"),
    DATABASE("pgsql-db", FORM_TEXT, "sbtest", "database"),
    DATABASE("pgsql-sslmode", FORM_TEXT, "prefer", "TLS {disable, allow, prefer, require, verify-ca, verify-full}"),
};
/* clang-format on */

const size_t sysbench_options_count = COUNT_OF(sysbench_options);
_Static_assert(COUNT_OF(sysbench_options) <= SYSBENCH_OPTIONS_MAX, "struct sysbench_given has too few values");

const char *const sysbench_deprecated[] = {"num-threads", "max-requests", "max-time", "tx-rate", NULL};

/* ---- finding ------------------------------------------------------------------------------------------ */

static char plain(char letter)
{
    return letter == '_' ? '-' : letter;
}

static bool same_name(const char *name, const char *text, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && name[i] && name[i] == plain(text[i]))
        ++i;
    return i == bytes && name[i] == '\0';
}

const struct sysbench_option *sysbench_option_find(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sysbench_options_count; ++i)
        if (same_name(sysbench_options[i].name, name, bytes))
            return &sysbench_options[i];
    return NULL;
}

static size_t row_of(const char *name)
{
    const struct sysbench_option *option = sysbench_option_find(name, strlen(name));
    assert(option);
    return (size_t)(option - sysbench_options);
}

const char *sysbench_given_text(const struct sysbench_given *given, const char *name)
{
    return given->values[row_of(name)].text;
}

const char *sysbench_fallback(const struct sysbench_option *option, enum sysbench_version version)
{
    return version == SYSBENCH_04 && option->fallback_04 ? option->fallback_04 : option->fallback;
}

const char *sysbench_text(const struct sysbench_given *given, const char *name, enum sysbench_version version)
{
    size_t row = row_of(name);
    const char *text = given->values[row].text;
    return text ? text : sysbench_fallback(&sysbench_options[row], version);
}

bool sysbench_is_on(const struct sysbench_given *given, const char *name)
{
    const char *text = sysbench_text(given, name, SYSBENCH_10);
    return text && (strcmp(text, "on") == 0 || strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

char *sysbench_shown(const struct sysbench_given *given, const char *name, char *out, size_t out_bytes)
{
    const struct option_value *value = &given->values[row_of(name)];
    const char *shown = value->name ? value->name : name;
    if (value->config_line)
        snprintf(out, out_bytes, "--%s (line %u of %s)", shown, value->config_line, given->config_path);
    else
        snprintf(out, out_bytes, "--%s", shown);
    return out;
}

/* ---- "did you mean" -------------------------------------------------------------------------------------- */

/* Levenshtein's distance, for names below 64 letters; one row of his matrix at a time. */
static size_t distance(const char *a, const char *b, size_t b_bytes)
{
    size_t row[64];
    if (b_bytes >= COUNT_OF(row))
        return COUNT_OF(row);
    for (size_t j = 0; j <= b_bytes; ++j)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_bytes; ++j) {
            size_t best = diagonal + (a[i - 1] != plain(b[j - 1]));
            diagonal = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[b_bytes];
}

static const struct sysbench_option *closest(const char *name, size_t bytes)
{
    const struct sysbench_option *found = NULL;
    size_t least = 4;
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        size_t far = distance(sysbench_options[i].name, name, bytes);
        if (far < least) {
            least = far;
            found = &sysbench_options[i];
        }
    }
    return found;
}

static bool refuse_unknown(const char *name, size_t bytes, struct error *error)
{
    const struct sysbench_option *near = closest(name, bytes);
    if (near)
        return error_set(error, ERR_USAGE, "sysbench has no option --%.*s; did you mean --%s?", (int)bytes, name,
                         near->name);
    return error_set(
        error, ERR_USAGE,
        "sysbench has no option --%.*s; \"sysbench fileio help\" and \"sysbench oltp_read_write help\" list them",
        (int)bytes, name);
}

/* ---- reading ----------------------------------------------------------------------------------------------- */

/* What an option without '=' means; NULL = it needs a value. */
static const char *bare_text(const struct sysbench_option *option)
{
    if (option->form == FORM_BOOL)
        return "on";
    return strcmp(option->name, "forced-shutdown") == 0 ? "" : NULL;
}

/* Behind those that were given before; NULL = there is no room. */
static const char *add_replica(struct sysbench_given *given, const char *text)
{
    size_t used = strlen(given->replicas);
    int bytes = snprintf(given->replicas + used, sizeof(given->replicas) - used, "%s%s", used ? " " : "", text);
    return (size_t)bytes < sizeof(given->replicas) - used ? given->replicas : NULL;
}

static bool store(struct sysbench_given *given, const char *name, size_t name_bytes, const char *text,
                  uint32_t config_line, struct error *error)
{
    const struct sysbench_option *option = sysbench_option_find(name, name_bytes);
    if (!option)
        return refuse_unknown(name, name_bytes, error);
    if (!text)
        text = bare_text(option);
    if (!text)
        return error_set(error, ERR_USAGE, "--%s needs a value: --%s=...", option->name, option->name);

    if (strcmp(option->name, "isobench-replica") == 0 && !(text = add_replica(given, text)))
        return error_set(error, ERR_USAGE, "--isobench-replica: all of them together are too long");
    struct option_value value = {option->name, text, config_line};
    given->values[option - sysbench_options] = value;
    if (option->same_as)
        given->values[row_of(option->same_as)] = value;
    return true;
}

static bool store_argument(struct sysbench_given *given, const char *argument, struct error *error)
{
    const char *name = argument + 2, *equals = strchr(name, '=');
    size_t bytes = equals ? (size_t)(equals - name) : strlen(name);
    return store(given, name, bytes, equals ? equals + 1 : NULL, 0, error);
}

static bool store_word(struct sysbench_given *given, const char *word, struct error *error)
{
    if (given->word_count == COUNT_OF(given->words))
        return error_set(error, ERR_USAGE, "\"%s\" is one word too many; right is: sysbench [options] TEST COMMAND",
                         word);
    given->words[given->word_count++] = word;
    return true;
}

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] == '-' && argument[2];
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        ++text;
    size_t bytes = strlen(text);
    while (bytes > 0 && isspace((unsigned char)text[bytes - 1]))
        text[--bytes] = '\0';
    return text;
}

/* Takes quotes or a comment off a value, in place; NULL when a quote is not closed. */
static char *bare_value(char *text)
{
    text = trim(text);
    if (*text != '"' && *text != '\'') {
        text[strcspn(text, "#")] = '\0';
        return trim(text);
    }
    char *end = strchr(text + 1, *text);
    if (!end)
        return NULL;
    char *rest = trim(end + 1);
    if (*rest && *rest != '#')
        return NULL;
    *end = '\0';
    return text + 1;
}

static bool store_line(struct sysbench_given *given, char *line, uint32_t number, struct error *error)
{
    line = trim(line);
    if (!*line || *line == '#')
        return true;
    char *equals = strchr(line, '='), *text = equals ? bare_value(equals + 1) : NULL;
    if (equals && !text)
        return error_set(error, ERR_USAGE, "line %u of %s: the quotes around the value are not closed at its end",
                         number, given->config_path);
    if (equals)
        *equals = '\0';
    else
        line[strcspn(line, "#")] = '\0';
    line = trim(line);
    if (same_name("config-file", line, strlen(line)))
        return error_set(error, ERR_USAGE, "line %u of %s: a configuration file cannot name another one", number,
                         given->config_path);

    struct error inner = ERROR_INIT;
    if (!store(given, line, strlen(line), text, number, &inner))
        return error_set(error, ERR_USAGE, "line %u of %s: %s", number, given->config_path, inner.text);
    return true;
}

static bool read_config(struct sysbench_given *given, const char *path, struct error *error)
{
    given->config_path = path;
    if (!encoding_read_text(path, CONFIG_MAX_BYTES, &given->config_text, error))
        return false;
    uint32_t number = 0;
    for (char *line = given->config_text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!store_line(given, line, ++number, error))
            return false;
        line = end ? end + 1 : NULL;
    }
    return true;
}

/* The configuration file comes first, so that the command line replaces what it says. */
static bool read_config_of(struct sysbench_given *given, int argc, char *const *argv, struct error *error)
{
    static const char name[] = "config-file";
    const char *path = NULL;
    for (int i = 0; i < argc; ++i) {
        const char *equals = is_option(argv[i]) ? strchr(argv[i], '=') : NULL;
        if (equals && same_name(name, argv[i] + 2, (size_t)(equals - argv[i] - 2)))
            path = equals + 1;
    }
    return !path || read_config(given, path, error);
}

bool sysbench_given_read(struct sysbench_given *given, int argc, char *const *argv, struct error *error)
{
    memset(given, 0, sizeof(*given));
    bool good = read_config_of(given, argc, argv, error);
    for (int i = 0; good && i < argc; ++i)
        good = is_option(argv[i]) ? store_argument(given, argv[i], error) : store_word(given, argv[i], error);
    if (!good)
        sysbench_given_done(given);
    return good;
}

void sysbench_given_done(struct sysbench_given *given)
{
    free(given->config_text);
    given->config_text = NULL;
}
