#include "cli/load.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/json_file.h"
#include "cli/password.h"
#include "core/result_json.h"
#include "core/settings.h"
#include "core/units.h"
#include "db/dsn.h"
#include "load/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX UINT64_C(10000000000)

struct order {
    struct load_setup setup;
    char *password;
    const char *json, *input, *format, *separator;
    bool help, silent;
    struct result **results;
    size_t count;
};

/* ---- options ---- */

static void print_help(void)
{
    puts("usage: isobench load --db-driver=mysql|pgsql|sqlite [options]\n\n"
         "Times the ways to load a table, one row of figures each, and proves after each that no row was lost.\n\n"
         "What is loaded\n"
         "  --rows=N  [100000]  --seed=N  [drawn]\n      Generated rows: id, k with an index, c and pad, as sysbench's "
         "tables have. The same seed, the same rows.\n"
         "  --input=FILE  --format=csv|tsv  [by its name]  --separator=C  --header  --null=TEXT  [\\N]\n      The rows "
         "of "
         "a file, which is checked before anything is made. --header: its first line names the columns.\n"
         "  --columns=TEXT\n      What stands within CREATE TABLE ( … ); else it is worked out from the rows.\n"
         "  --table=NAME  [isobench_load]\n      One that isobench did not make is left alone and refused, but for "
         "--replace=NAME: that drops it.\n\n"
         "How (a comma between several; every combination is a step)\n"
         "  --ways=infile,multi,prepared,dump | copy,multi,prepared | multi,prepared\n      [all that mysql | pgsql | "
         "sqlite has]\n"
         "  --parts=N,…  [1,2,4; sqlite 1]\n      Connections that load a part each at the same time.\n"
         "  --engines=NAME,…  [InnoDB]\n      mysql: InnoDB, MyISAM, Aria, BLACKHOLE …\n"
         "  --flush-at-commit=VALUE,…  [as it is]\n      mysql: innodb_flush_log_at_trx_commit 0, 1, 2, of the whole "
         "server: the user needs SUPER, and it is set back\n      at the end. pgsql: synchronous_commit. sqlite: off, "
         "normal, full, extra.\n"
         "  --commit-every=ROWS,…  [10000]\n      multi and prepared: rows of one transaction.\n"
         "  --verify=checksum|count  [checksum]\n      checksum reads every row back; both are outside of the time.\n"
         "  --keep\n      The last step's table stays.\n\n"
         "  --json=FILE\n      Each step as a result (docs/result.md); - prints JSON alone on stdout.\n"
         "  --db-…=VALUE  --sqlite-…=VALUE  --password-env=NAME  --password-file=FILE  --ask-password\n      As in "
         "`isobench help oltp`.\n"
         "  --help\n      Prints this.\n\n"
         "exit status: 0 done, 1 a step or the system failed, 2 wrong command line, 130 Ctrl-C");
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

/* The next of a list, into out; false past the last or when it does not fit. */
static bool next_word(const char **list, char out[LOAD_NAME_BYTES])
{
    size_t bytes = strcspn(*list, ",");
    if (bytes == 0 || bytes >= LOAD_NAME_BYTES)
        return false;
    snprintf(out, LOAD_NAME_BYTES, "%.*s", (int)bytes, *list);
    *list += bytes + ((*list)[bytes] != '\0' && (*list)[bytes + 1] != '\0');
    return true;
}

static bool set_names(const char *name, const char *value, struct load_names *out, struct error *error)
{
    const char *list = value;
    out->count = 0;
    while (out->count < LOAD_LIST_MAX && next_word(&list, out->names[out->count])) {
        out->count++;
        if (*list == '\0')
            return true;
    }
    return wrong(name, value, "give up to 16 short names with commas between", error);
}

static bool set_numbers(const char *name, const char *value, uint64_t most, struct load_numbers *out,
                        struct error *error)
{
    struct load_names words;
    bool good = set_names(name, value, &words, error);
    out->count = words.count;
    for (size_t i = 0; good && i < words.count; i++)
        good = set_count(name, words.names[i], most, &out->numbers[i], error);
    return good;
}

static bool set_text(const char *name, const char *value, char *out, size_t room, struct error *error)
{
    if (value[0] == '\0' || strlen(value) >= room)
        return wrong(name, value, "it is empty or too long", error);
    strcpy(out, value);
    return true;
}

static bool set_word(const char *name, const char *value, const char *const choices[2], const char **out,
                     struct error *error)
{
    char right[64];
    snprintf(right, sizeof(right), "%s or %s", choices[0], choices[1]);
    *out = value;
    return strcmp(value, choices[0]) == 0 || strcmp(value, choices[1]) == 0 || wrong(name, value, right, error);
}

static bool set_database(struct order *order, const char *name, const char *value, struct error *error)
{
    char shown[NAME_MAX_BYTES + 2];
    const struct setting *setting =
        strncmp(name, "db-", 3) == 0 || strncmp(name, "sqlite-", 7) == 0 ? setting_find(name) : NULL;
    snprintf(shown, sizeof(shown), "--%.60s", name);
    return setting ? job_set(&order->setup.job, setting, shown, value, error)
                   : error_set(error, ERR_USAGE, "%s: no option of load; see `isobench load --help`", shown);
}

static bool set_rows(struct order *order, const char *name, const char *value, bool *taken, struct error *error)
{
    static const char *const formats[] = {"csv", "tsv"};
    struct load_setup *setup = &order->setup;
    *taken = true;
    if (strcmp(name, "rows") == 0)
        return set_count(name, value, ROWS_MAX, &setup->source.count, error);
    if (strcmp(name, "seed") == 0)
        return set_count(name, value, INT64_MAX, &setup->source.seed, error);
    if (strcmp(name, "input") == 0)
        return (order->input = value)[0] || wrong(name, value, "give a file's name", error);
    if (strcmp(name, "format") == 0)
        return set_word(name, value, formats, &order->format, error);
    if (strcmp(name, "separator") == 0)
        return (strlen(order->separator = value) == 1 && !strchr("\"\\\n\r", value[0])) ||
               wrong(name, value, "give one sign, such as ;", error);
    if (strcmp(name, "null") == 0)
        return (setup->source.form.null_text = value) != NULL;
    if (strcmp(name, "columns") == 0)
        return set_text(name, value, setup->columns, sizeof(setup->columns), error);
    if (strcmp(name, "table") == 0)
        return set_text(name, value, setup->table, sizeof(setup->table), error);
    if (strcmp(name, "replace") == 0)
        return set_text(name, value, setup->replaced, sizeof(setup->replaced), error);
    *taken = false;
    return true;
}

static bool set_steps(struct order *order, const char *name, const char *value, bool *taken, struct error *error)
{
    static const char *const verifies[] = {"checksum", "count"};
    struct load_setup *setup = &order->setup;
    const char *verify = "";
    *taken = true;
    if (strcmp(name, "ways") == 0)
        return set_names(name, value, &setup->ways, error);
    if (strcmp(name, "engines") == 0)
        return set_names(name, value, &setup->engines, error);
    if (strcmp(name, "flush-at-commit") == 0)
        return set_names(name, value, &setup->flushes, error);
    if (strcmp(name, "parts") == 0)
        return set_numbers(name, value, LOAD_PARTS_MAX, &setup->parts, error);
    if (strcmp(name, "commit-every") == 0)
        return set_numbers(name, value, ROWS_MAX, &setup->commits, error);
    if (strcmp(name, "verify") == 0) {
        bool good = set_word(name, value, verifies, &verify, error);
        setup->only_counts = strcmp(verify, "count") == 0;
        return good;
    }
    *taken = false;
    return true;
}

static bool set_option(struct order *order, const char *name, const char *value, struct error *error)
{
    bool taken = false, good = set_rows(order, name, value, &taken, error);
    if (!taken)
        good = set_steps(order, name, value, &taken, error);
    if (taken)
        return good;
    if (strcmp(name, "json") == 0)
        return (order->json = value)[0] || wrong(name, value, "give a file's name, or - for stdout", error);
    if (strcmp(name, "password-env") == 0)
        return db_password_from_environment(&order->password, "--password-env", value, error);
    if (strcmp(name, "password-file") == 0)
        return db_password_from_file(&order->password, value, error);
    return set_database(order, name, value, error);
}

/* Options without a value. */
static bool set_flag(struct order *order, const char *name, bool *taken, struct error *error)
{
    *taken = true;
    if (strcmp(name, "help") == 0)
        order->help = true;
    else if (strcmp(name, "header") == 0)
        order->setup.source.has_header = true;
    else if (strcmp(name, "keep") == 0)
        order->setup.keeps = true;
    else if (strcmp(name, "ask-password") == 0)
        return password_ask(&order->password, error);
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
        return order->help = true;
    if (strncmp(word, "--", 2) != 0 || length < 3 || length - 2 >= sizeof(name))
        return error_set(error, ERR_USAGE, "%.60s: no option of load; see `isobench load --help`", word);
    snprintf(name, sizeof(name), "%.*s", (int)(length - 2), word + 2);
    if (!equals && !set_flag(order, name, &taken, error))
        return false;
    if (taken)
        return true;
    if (!equals && *at == argc)
        return error_set(error, ERR_USAGE, "--%s: its value is missing, or there is no such option; see --help", name);
    return set_option(order, name, equals ? equals + 1 : argv[(*at)++], error);
}

static bool ends_in(const char *text, const char *end)
{
    size_t bytes = strlen(text), end_bytes = strlen(end);
    return bytes >= end_bytes && strcmp(text + bytes - end_bytes, end) == 0;
}

/* What belongs together. */
static bool settle(struct order *order, struct error *error)
{
    struct rows_source *source = &order->setup.source;
    if (!order->input && (order->format || order->separator || source->has_header || order->setup.columns[0]))
        return error_set(error, ERR_USAGE,
                         "--format, --separator, --header and --columns are for the rows of --input=FILE");
    if (!order->input)
        return true;
    if (source->seed)
        return error_set(error, ERR_USAGE, "--seed: the rows of --input are not generated; leave one of them out");
    bool is_tsv = order->format ? strcmp(order->format, "tsv") == 0
                                : ends_in(order->input, ".tsv") || ends_in(order->input, ".txt");
    if (!order->format && !is_tsv && !ends_in(order->input, ".csv"))
        return error_set(error, ERR_USAGE, "--input=%.200s: say by --format=csv or --format=tsv what it is",
                         order->input);
    source->path = order->input;
    source->form.backslash = is_tsv;
    source->form.separator = order->separator ? order->separator[0] : is_tsv ? '\t' : ',';
    return true;
}

/* ---- report ---- */

static void show_begin(void *context, const struct rows *rows, size_t steps)
{
    const struct order *order = context;
    char size[32];
    if (order->silent)
        return;
    printf("load        %" PRIu64 " rows, %s as text, ", rows->sum.rows,
           units_bytes_human((double)rows->bytes, size, sizeof(size)));
    if (rows->source.path)
        printf("of %s", rows->source.path);
    else
        printf("generated with seed %" PRIu64, rows->source.seed);
    printf("\ntable       %s, %s, %zu step%s\n\n%-9s %5s %-10s %-12s %8s %9s %12s %9s %10s %10s  %s\n",
           order->setup.table, order->setup.job.db_driver, steps, steps == 1 ? "" : "s", "way", "parts", "engine",
           "flush", "commit", "time", "rows/s", "MiB/s", "disk", "index", "verified");
    fflush(stdout);
}

static double per_s(uint64_t amount, uint64_t ns)
{
    return ns ? (double)amount * 1e9 / (double)ns : 0;
}

static void show_step(const struct result *result)
{
    const struct bulk_load *load = &result->load;
    char time[32], disk[32], index[32] = "-", commit[24] = "-", name[160];
    const char *engine = result->job.table_engine;
    if (load->commit_rows)
        snprintf(commit, sizeof(commit), "%" PRIu64, load->commit_rows);
    if (load->index_known)
        units_bytes_human((double)load->index_bytes, index, sizeof(index));
    printf("%-9s %5" PRIu64 " %-10s %-12s %8s %9s %12.0f %9.2f %10s %10s  %s\n", load->way, result->job.threads,
           engine[0] ? engine : "-", load->flush[0] ? load->flush : "-", commit,
           units_time_human((double)result->load_ns, time, sizeof(time)), per_s(load->rows, result->load_ns),
           per_s(load->bytes, result->load_ns) / 1048576,
           units_bytes_human((double)load->disk_bytes, disk, sizeof(disk)), index, load->verified);
    load_step_name(result, name, sizeof(name) - 2);
    strcat(name, ": ");
    for (size_t i = 0; i < result->warnings_count; i++)
        common_print_warning(name, &result->warnings[i]);
    fflush(stdout);
}

static bool take_result(void *context, struct result *result)
{
    struct order *order = context;
    struct result **results = realloc(order->results, (order->count + 1) * sizeof(struct result *));
    if (!results) {
        result_free(result);
        return false;
    }
    order->results = results;
    order->results[order->count++] = result;
    if (!order->silent)
        show_step(result);
    return true;
}

/* Steps that are done are written also when a later one failed. */
static void put_json(const struct order *order, struct error *error)
{
    struct job_runs *jobs = calloc(order->count + 1, sizeof(*jobs));
    char(*names)[160] = calloc(order->count + 1, sizeof(*names));
    for (size_t i = 0; jobs && names && i < order->count; i++) {
        load_step_name(order->results[i], names[i], sizeof(names[i]));
        jobs[i] = (struct job_runs){.number = (uint32_t)i + 1,
                                    .name = names[i],
                                    .runs = (const struct result *const *)&order->results[i],
                                    .run_count = 1};
    }
    json_file_put(order->json, jobs && names ? runs_to_json(jobs, order->count, false) : NULL, error);
    free(jobs);
    free(names);
}

/* ---- all of it ---- */

static int load(struct order *order, struct error *error)
{
    struct clock clock = clock_system();
    struct error unwritten = ERROR_INIT;
    order->silent = json_file_is_stdout(order->json);
    order->setup.clock = &clock;
    order->setup.password = order->password;
    order->setup.context = order;
    order->setup.begin = show_begin;
    order->setup.take = take_result;
    if (json_file_probe(order->json, error) && (load_run(&order->setup, error) || order->count > 0) && order->json[0])
        put_json(order, &unwritten);
    if (error->kind == ERR_NONE)
        *error = unwritten;
    return common_status(error, STATUS_USAGE);
}

static void order_init(struct order *order)
{
    order->json = "";
    job_init(&order->setup.job);
    order->setup.job.work = WORK_DATABASE;
    order->setup.source.count = 100000;
    strcpy(order->setup.table, "isobench_load");
    order->setup.source.form.null_text = "\\N";
}

static void order_done(struct order *order)
{
    for (size_t i = 0; i < order->count; i++)
        result_free(order->results[i]);
    free(order->results);
    free(order->password);
    free(order);
}

int command_load(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct order *order = calloc(1, sizeof(*order)); /* a job is large */
    int status = STATUS_OK;
    bool good = order != NULL;
    if (!good)
        return STATUS_FAILED;
    order_init(order);
    for (int at = 0; good && at < argc && !order->help;)
        good = take_word(order, argv, argc, &at, &error);
    if (good && order->help)
        print_help();
    else if (good && settle(order, &error))
        status = load(order, &error);
    common_print_error(&error);
    if (error.kind != ERR_NONE)
        status = common_status(&error, STATUS_USAGE);
    order_done(order);
    return status;
}
