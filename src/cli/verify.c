#include "cli/verify.h"

#include "checksum/checksum.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/json_file.h"
#include "cli/password.h"
#include "core/settings.h"
#include "core/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 256

struct order {
    struct checksum_setup setup;
    struct db_place standard; /* the --db-… settings and the password, for whatever a DSN does not say */
    struct db_place source, *replicas;
    const char *source_text, **replica_texts;
    const char *json;
    bool all, help;
    bool titled;        /* the table's head was printed */
    const char *margin; /* before each line that is no SQL: "-- " where SQL is printed too */
};

/* ---- options ---- */

static void print_help(void)
{
    puts(
        "usage: isobench verify --source DSN --replica DSN [--replica DSN …] [options]\n\n"
        "Compares the tables of a source with those of its replicas, chunk by chunk, by checksums that the servers "
        "work "
        "out;\nchunks that differ are narrowed down to rows. Writes nothing, unless --execute-sync is given. MySQL and "
        "MariaDB.\n\n"
        "A DSN is host=NAME,port=N,user=NAME,… or mysql://USER@HOST:PORT/DATABASE. Its keys are the --db-… settings of "
        "oltp\nwithout \"db-\", and password-env=NAME or password-file=FILE. What it does not say is taken from --db-… "
        "options here.\n\n"
        "  --databases=A,B  --tables=A,DB.B  --ignore-tables=A\n      [all, but for the server's own]\n"
        "  --chunk-time=TIME, --chunk-size=ROWS  [500ms]\n      Chunks have as many rows as are read in that time, or "
        "so "
        "many.\n"
        "  --threads=N  [4]\n      Tables that are read side by side.\n"
        "  --wait=TIME  [60]\n      How long a replica may take to come up to the source.\n"
        "  --all\n      Shows every chunk, not only what is not the same.\n"
        "  --json=FILE\n      The same as data; - prints JSON alone on stdout.\n"
        "  --unrelated\n      Nobody replicates: compares two copies as they are.\n"
        "  --print-sync\n      Prints statements for the source that would repair the replicas, and runs none. All "
        "else is "
        "SQL comment.\n"
        "  --execute-sync\n      Runs them on the source, so that they replicate, and checks again what they "
        "repaired.\n"
        "  --db-…=VALUE  --password-env=NAME  --password-file=FILE  --ask-password\n      For source and replicas, as "
        "in "
        "`isobench help oltp`.\n"
        "  --help\n      Prints this.\n\n"
        "exit status: 0 the same, 1 they differ, 2 it cannot be told, 130 Ctrl-C");
}

static bool wrong(const char *name, const char *value, const char *right, struct error *error)
{
    return error_set(error, ERR_USAGE, "--%s=%.60s: %s", name, value, right);
}

static bool set_count(const char *name, const char *value, uint64_t most, uint64_t *out, struct error *error)
{
    return (units_parse_count(value, out) && *out > 0 && *out <= most) ||
           error_set(error, ERR_USAGE, "--%s=%.60s: give a whole number from 1 to %" PRIu64, name, value, most);
}

static bool set_time(const char *name, const char *value, uint64_t *out, struct error *error)
{
    return (units_parse_time_ns(value, out) && *out > 0) ||
           wrong(name, value, "give a time above 0, such as 500ms", error);
}

static bool set_threads(struct order *order, const char *value, struct error *error)
{
    uint64_t threads = 0;
    bool good = set_count("threads", value, THREADS_MAX, &threads, error);
    order->setup.threads = (uint32_t)threads;
    return good;
}

static bool set_json(struct order *order, const char *value, struct error *error)
{
    order->json = value;
    return value[0] || wrong("json", value, "give a file's name, or - for stdout", error);
}

static bool set_database(struct order *order, const char *name, const char *value, struct error *error)
{
    char shown[NAME_MAX_BYTES + 2];
    const struct setting *setting = setting_find(name);
    snprintf(shown, sizeof(shown), "--%.60s", name);
    return setting ? job_set(&order->standard.job, setting, shown, value, error)
                   : error_set(error, ERR_USAGE, "--%.60s: no option of verify; see --help", name);
}

static bool set_option(struct order *order, const char *name, const char *value, struct error *error)
{
    struct checksum_setup *setup = &order->setup;
    static const struct {
        const char *name;
        size_t at;
    } lists[] = {{"databases", offsetof(struct checksum_setup, databases)},
                 {"tables", offsetof(struct checksum_setup, tables)},
                 {"ignore-tables", offsetof(struct checksum_setup, ignored)}};
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (strcmp(name, lists[i].name) == 0) {
            *(const char **)((char *)setup + lists[i].at) = value;
            return value[0] || wrong(name, value, "give names with commas between", error);
        }
    if (strcmp(name, "source") == 0)
        return (order->source_text = value) != NULL;
    if (strcmp(name, "replica") == 0)
        return (order->replica_texts[setup->replicas_count++] = value) != NULL;
    if (strcmp(name, "chunk-time") == 0)
        return set_time(name, value, &setup->chunk_time_ns, error);
    if (strcmp(name, "wait") == 0)
        return set_time(name, value, &setup->wait_ns, error);
    if (strcmp(name, "chunk-size") == 0)
        return set_count(name, value, UINT32_MAX, &setup->chunk_rows, error);
    if (strcmp(name, "threads") == 0)
        return set_threads(order, value, error);
    if (strcmp(name, "json") == 0)
        return set_json(order, value, error);
    if (strcmp(name, "password-env") == 0)
        return db_password_from_environment(&order->standard.password, "--password-env", value, error);
    if (strcmp(name, "password-file") == 0)
        return db_password_from_file(&order->standard.password, value, error);
    return set_database(order, strncmp(name, "db-", 3) == 0 ? name : "", value, error) ||
           error_set(error, ERR_USAGE, "--%.60s: no option of verify; see --help", name);
}

/* Options without a value. */
static bool set_flag(struct order *order, const char *name, bool *taken, struct error *error)
{
    struct checksum_setup *setup = &order->setup;
    *taken = true;
    if (strcmp(name, "help") == 0)
        order->help = true;
    else if (strcmp(name, "all") == 0)
        order->all = true;
    else if (strcmp(name, "unrelated") == 0)
        setup->unrelated = true;
    else if (strcmp(name, "print-sync") == 0)
        order->margin = "-- ";
    else if (strcmp(name, "execute-sync") == 0)
        setup->sync = SYNC_EXECUTE;
    else if (strcmp(name, "ask-password") == 0)
        return password_ask(&order->standard.password, error);
    else
        *taken = false;
    return true;
}

static bool take_word(struct order *order, char *const *argv, int argc, int *at, struct error *error)
{
    const char *word = argv[(*at)++], *equals = strchr(word, '=');
    char name[NAME_MAX_BYTES];
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    bool taken = false;
    if (strcmp(word, "-h") == 0)
        word = "--help", length = strlen(word);
    if (strncmp(word, "--", 2) != 0 || length < 3 || length - 2 >= sizeof(name))
        return error_set(error, ERR_USAGE, "%.60s: no option of verify; see `isobench verify --help`", word);
    snprintf(name, sizeof(name), "%.*s", (int)(length - 2), word + 2);
    if (!equals && (!set_flag(order, name, &taken, error) || taken))
        return taken && error->kind == ERR_NONE;
    if (!equals && *at == argc)
        return error_set(error, ERR_USAGE, "--%s: its value is missing, or there is no such option; see --help", name);
    return set_option(order, name, equals ? equals + 1 : argv[(*at)++], error);
}

/* ---- DSNs ---- */

static bool read_places(struct order *order, struct error *error)
{
    struct checksum_setup *setup = &order->setup;
    if (!order->source_text || setup->replicas_count == 0)
        return error_set(error, ERR_USAGE, "verify: give --source DSN and --replica DSN; see `isobench verify --help`");
    if (setup->unrelated && (setup->sync == SYNC_EXECUTE || order->margin[0]))
        return error_set(error, ERR_USAGE, "--unrelated: a sync repairs by replication; leave one of them out");
    if (order->margin[0] && setup->sync == SYNC_NONE)
        setup->sync = SYNC_PRINT;
    if (!db_place_parse(&order->source, "--source", order->source_text, &order->standard, error))
        return false;
    for (size_t i = 0; i < setup->replicas_count; i++) {
        struct db_place *replica = &order->replicas[i];
        if (!db_place_parse(replica, "--replica", order->replica_texts[i], &order->source, error))
            return false;
        if (strcmp(replica->job.db_driver, order->source.job.db_driver) != 0)
            return error_set(error, ERR_USAGE,
                             "--replica: source and replica have the same driver, so that checksums agree");
        for (size_t j = 0; j <= i; j++)
            if (strcmp(replica->name, j ? order->replicas[j - 1].name : order->source.name) == 0)
                return error_set(error, ERR_USAGE, "--replica: %.200s was given before", replica->name);
    }
    if (!setup->databases[0] && order->source.job.db_name[0])
        setup->databases = order->source.job.db_name;
    setup->source = &order->source;
    setup->replicas = order->replicas;
    setup->driver = db_driver_find(order->source.job.db_driver, error);
    return setup->driver != NULL;
}

/* ---- report ---- */

/* A name could hold a line feed, and end a comment of SQL. */
static void put_text(const char *text)
{
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

/* At least so many characters, and a space. */
static void put_cell(const char *text, int width)
{
    put_text(text);
    for (; *text; text++)
        width -= (*text & 0xC0) != 0x80;
    printf("%*s", width > 0 ? width + 1 : 1, "");
}

static void put_title(struct order *order)
{
    if (!order->titled)
        printf("%s%-14s %-18s %6s %-22s %-8s %10s %-32s %9s %9s %s\n", order->margin, "DATABASE", "TABLE", "CHUNK",
               "HOST", "ENGINE", "COUNT", "CHECKSUM", "TIME", "LAG", "VERDICT");
    order->titled = true;
}

static void put_figures(const struct checksum_row *row)
{
    char time[32], lag[32];
    if (row->chunk == 0)
        printf("%10s %-32s %9s %9s ", "-", "-", "-", "-");
    else
        printf("%10" PRIu64 " %-32s %9s %9s ", row->count, row->checksum,
               units_time_human((double)row->time_ns, time, sizeof(time)),
               row->verdict == CHUNK_SOURCE ? "-" : units_time_human((double)row->lag_ns, lag, sizeof(lag)));
}

static void put_row(const struct order *order, const struct checksum_row *row)
{
    fputs(order->margin, stdout);
    put_cell(row->database, 14);
    put_cell(row->table, 18);
    printf("%6" PRIu64 " ", row->chunk);
    put_cell(row->host, 22);
    put_cell(row->engine, 8);
    put_figures(row);
    fputs(checksum_verdicts[row->verdict], stdout);
    if (row->differing > 0)
        printf(": %" PRIu64 " row%s", row->differing, row->differing == 1 ? "" : "s");
    if (row->note[0]) {
        fputs(": ", stdout);
        put_text(row->note);
    }
    putchar('\n');
}

static void show_chunk(void *context, const struct checksum_row *rows, size_t count)
{
    struct order *order = context;
    bool worth = order->all;
    for (size_t i = 0; i < count; i++)
        worth |= rows[i].verdict != CHUNK_SOURCE && rows[i].verdict != CHUNK_SAME;
    if (!worth)
        return;
    put_title(order);
    for (size_t i = 0; i < count; i++)
        if (order->all || rows[i].verdict != CHUNK_SAME)
            put_row(order, &rows[i]);
    fflush(stdout);
}

static void show_difference(void *context, const struct checksum_difference *difference)
{
    const struct order *order = context;
    printf("%s  row ", order->margin);
    put_text(difference->key);
    printf(" %s on ", checksum_differences[difference->kind]);
    put_text(difference->host);
    putchar('\n');
}

static void show_statement(void *context, const char *sql)
{
    (void)context;
    printf("%s;\n", sql);
}

static void show_remark(void *context, const char *text)
{
    struct error error = ERROR_INIT;
    (void)context;
    error_set(&error, ERR_DATA, "%s", text);
    common_print_error(&error);
}

static const char *status_word(const struct checksum_report *report)
{
    enum verdict_of_chunk verdict = checksum_verdict(report);
    return verdict == CHUNK_SAME ? "same" : verdict == CHUNK_DIFFERS ? "differ" : "unknown";
}

static void show_end(const struct order *order, const struct checksum_report *report)
{
    static const char *const ends[][2] = {
        {"same", "the same"}, {"differ", "they DIFFER"}, {"unknown", "cannot be told: see what is unknown or in flux"}};
    const char *word = status_word(report);
    printf("%stables %" PRIu64 ", chunks %" PRIu64 ", replicas %zu: ", order->margin, report->tables, report->chunks,
           order->setup.replicas_count);
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (strcmp(word, ends[i][0]) == 0)
            puts(ends[i][1]);
    if (report->repaired > 0)
        printf("%srepaired: %" PRIu64 " rows that differed, and are the same when read again\n", order->margin,
               report->repaired);
}

/* ---- all of it ---- */

static void set_listener(struct order *order)
{
    struct checksum_setup *setup = &order->setup;
    setup->context = order;
    setup->remark = show_remark;
    if (json_file_is_stdout(order->json))
        return;
    setup->chunk = show_chunk;
    setup->difference = show_difference;
    setup->statement = order->margin[0] ? show_statement : NULL;
}

static int verify(struct order *order, struct error *error)
{
    struct checksum_report report;
    struct clock clock = clock_system();
    int status = 2;
    order->setup.clock = &clock;
    set_listener(order);
    if (!json_file_probe(order->json, error))
        return status;
    bool good = checksum_run(&order->setup, &report, error);
    const char *word = good ? status_word(&report) : "unknown";
    if (good && !json_file_is_stdout(order->json))
        show_end(order, &report);
    if (order->json[0] && !json_file_put(order->json, checksum_to_json(&order->setup, &report, word), error))
        good = false;
    if (good)
        status = strcmp(word, "same") == 0 ? 0 : strcmp(word, "differ") == 0 ? 1 : 2;
    checksum_free(&report);
    return status;
}

static void order_init(struct order *order)
{
    order->setup = (struct checksum_setup){.databases = "",
                                           .tables = "",
                                           .ignored = "",
                                           .chunk_time_ns = NS_PER_S / 2,
                                           .wait_ns = 60 * NS_PER_S,
                                           .threads = 4};
    order->json = order->margin = "";
    job_init(&order->standard.job);
    order->standard.job.work = WORK_DATABASE;
    strcpy(order->standard.job.db_driver, "mysql");
    order->standard.job.db_name[0] = '\0';
}

static void order_done(struct order *order, size_t words)
{
    db_place_done(&order->standard);
    db_place_done(&order->source);
    for (size_t i = 0; order->replicas && i < words; i++)
        db_place_done(&order->replicas[i]);
    free(order->replicas);
    free((void *)order->replica_texts);
    free(order);
}

int command_verify(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    size_t words = (size_t)argc + 1;
    struct order *order = calloc(1, sizeof(*order)); /* places are large */
    int status = 2;
    if (!order)
        return STATUS_FAILED;
    order_init(order);
    order->replicas = calloc(words, sizeof(*order->replicas));
    order->replica_texts = calloc(words, sizeof(*order->replica_texts));
    bool good = (order->replicas && order->replica_texts) || error_set(&error, ERR_SYSTEM, "not enough memory");
    for (int at = 0; good && at < argc && !order->help;)
        good = take_word(order, argv, argc, &at, &error);
    if (good && order->help) {
        print_help();
        status = STATUS_OK;
    } else if (good && read_places(order, &error)) {
        status = verify(order, &error);
    }
    common_print_error(&error);
    order_done(order, words);
    return error.kind == ERR_INTERRUPTED ? STATUS_INTERRUPTED : status;
}
