#include "cli/hdr.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/text.h"
#include "core/hdr_log.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/clock.h"
#include "platform/compiler.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_BYTES_MAX ((size_t)1 << 30)

enum format { FORMAT_UNSET, FORMAT_V2, FORMAT_LOG };

/* What the command line says. */
struct order {
    const char *const *files; /* room for all words */
    size_t count;
    int op; /* an op_class, or −1 */
    enum format format;
    const char *out; /* "-" = stdout */
    uint64_t unit_ns;
    struct job job; /* for its list of percentiles */
};

static void print_help(void)
{
    fputs("usage: isobench hdr export RESULT.json [--class=CLASS] [--format=v2|log] [--out=FILE]\n"
          "       isobench hdr import FILE … [--unit=ns|us|ms] [--percentiles=N,N,…]\n\n"
          "export writes a result's latency histograms as HdrHistogram's tools read them: v2 is one class in base64,\n"
          "log (without --class) a histogram log with all classes.\n"
          "import reads such logs and base64 texts, also other programs', and prints the latencies of each tag.\n\n"
          "  --class=CLASS\n      One of read, write, sync and the other keys under \"classes\" in the result.\n"
          "  --format=v2|log\n      [v2 with --class, else log]\n"
          "  --out=FILE\n      [-, which is stdout]\n"
          "  --unit=ns|us|ms\n      Unit of the values in the files; the files do not tell. [ns]\n"
          "  --percentiles=N,N,…\n      [50,90,95,99,99.9,99.99]\n"
          "  --help\n      Prints this.\n",
          stdout);
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

static bool set_class(struct order *order, const char *value, struct error *error)
{
    for (int op = 0; op < CLASS_COUNT; op++) {
        if (strcmp(op_class_names[op], value) == 0) {
            order->op = op;
            return true;
        }
    }
    char names[256] = "";
    for (int op = 0; op < CLASS_COUNT; op++)
        snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", op ? ", " : "", op_class_names[op]);
    return error_set(error, ERR_USAGE, "--class=%.40s: one of %s", value, names);
}

static bool set_format(struct order *order, const char *value, struct error *error)
{
    order->format = strcmp(value, "v2") == 0 ? FORMAT_V2 : strcmp(value, "log") == 0 ? FORMAT_LOG : FORMAT_UNSET;
    return order->format != FORMAT_UNSET || error_set(error, ERR_USAGE, "--format=%.40s: one of v2, log", value);
}

static bool set_out(struct order *order, const char *value, struct error *error)
{
    order->out = value;
    return value[0] || error_set(error, ERR_USAGE, "--out=: give a file's name, or - for stdout");
}

static bool set_unit(struct order *order, const char *value, struct error *error)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", NS_PER_MS}};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (strcmp(units[i].name, value) == 0) {
            order->unit_ns = units[i].ns;
            return true;
        }
    }
    return error_set(error, ERR_USAGE, "--unit=%.40s: one of ns, us, ms", value);
}

static bool set_percentiles(struct order *order, const char *value, struct error *error)
{
    return job_set(&order->job, setting_find("percentiles"), "--percentiles", value, error);
}

struct option {
    const char *name;
    bool (*set)(struct order *order, const char *value, struct error *error);
};

static const struct option export_options[] = {
    {"--class", set_class}, {"--format", set_format}, {"--out", set_out}, {NULL, NULL}};
static const struct option import_options[] = {{"--unit", set_unit}, {"--percentiles", set_percentiles}, {NULL, NULL}};

static bool take_option(struct order *order, const struct option *options, const char *word, struct error *error)
{
    for (; options->name; options++) {
        const char *value = common_value(word, options->name);
        if (value)
            return options->set(order, value, error);
    }
    return error_set(error, ERR_USAGE, "%.60s: no option has that name and form; see `isobench hdr --help`", word);
}

/* ---- export ----------------------------------------------------------------------------------------------------- */

static bool export_class(const struct order *order, const struct result *result, struct error *error)
{
    char *text = malloc(HDR_TEXT_BYTES + 1);
    const struct histogram *latency = &result->total.of[order->op].latency;
    if (!text)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    bool good = hdr_encode(latency, text, error) && common_write(order->out, strcat(text, "\n"), error);
    free(text);
    return good;
}

static bool export_log(const struct order *order, const struct result *result, struct error *error)
{
    char *text = hdr_log_of_result(result, error);
    bool good = text && common_write(order->out, text, error);
    free(text);
    return good;
}

/* Nothing to export is more likely the wrong class than what was wanted. */
static bool check_operations(const struct order *order, const struct result *result, struct error *error)
{
    uint64_t operations = 0;
    for (int op = 0; op < CLASS_COUNT; op++)
        if (order->op < 0 || order->op == op)
            operations += result->total.of[op].latency.count;
    return operations > 0 ||
           error_set(error, ERR_DATA, "%s: has no operations%s%s to export", order->files[0],
                     order->op < 0 ? "" : " of the class ", order->op < 0 ? "" : op_class_names[order->op]);
}

static bool do_export(struct order *order, struct error *error)
{
    struct result *result = common_read_result(order->files[0], error);
    bool good = result && check_operations(order, result, error) &&
                (order->format == FORMAT_V2 ? export_class(order, result, error) : export_log(order, result, error));
    result_free(result);
    return good;
}

static bool check_export(struct order *order, struct error *error)
{
    if (order->count != 1)
        return error_set(error, ERR_USAGE, "hdr export: name one result file (what --json=FILE wrote)");
    if (order->format == FORMAT_UNSET)
        order->format = order->op < 0 ? FORMAT_LOG : FORMAT_V2;
    if (order->format == FORMAT_V2 && order->op < 0)
        return error_set(error, ERR_USAGE, "--format=v2 holds one class: say which, such as --class=read");
    if (order->format == FORMAT_LOG && order->op >= 0)
        return error_set(error, ERR_USAGE, "--format=log holds all classes: leave --class=%s out, or use --format=v2",
                         op_class_names[order->op]);
    return true;
}

/* ---- import ----------------------------------------------------------------------------------------------------- */

static void row(const struct hdr_log *log, const char *label, double (*value)(const struct histogram *, double),
                double parameter)
{
    char words[32];
    printf("%-12s", label);
    for (size_t i = 0; i < log->count; i++)
        text_cell(stdout, units_time_human(value(&log->tags[i].latency, parameter), words, sizeof(words)));
    putchar('\n');
}

static double value_min(const struct histogram *h, double unused)
{
    (void)unused;
    return (double)h->min_ns;
}

static double value_mean(const struct histogram *h, double unused)
{
    (void)unused;
    return histogram_mean(h);
}

static double value_max(const struct histogram *h, double unused)
{
    (void)unused;
    return (double)h->max_ns;
}

static double value_percentile(const struct histogram *h, double percent)
{
    return (double)histogram_percentile(h, percent);
}

static void count_rows(const struct hdr_log *log)
{
    char words[32];
    printf("%-12s", "");
    for (size_t i = 0; i < log->count; i++)
        text_cell(stdout, log->tags[i].tag[0] ? log->tags[i].tag : "(no tag)");
    printf("\n%-12s", "histograms");
    for (size_t i = 0; i < log->count; i++) {
        snprintf(words, sizeof(words), "%" PRIu64, log->tags[i].lines);
        text_cell(stdout, words);
    }
    printf("\n%-12s", "count");
    for (size_t i = 0; i < log->count; i++) {
        snprintf(words, sizeof(words), "%" PRIu64, log->tags[i].latency.count);
        text_cell(stdout, words);
    }
    putchar('\n');
}

static void print_log(const struct hdr_log *log, const struct real_list *percentiles)
{
    count_rows(log);
    row(log, "latency min", value_min, 0);
    row(log, "mean", value_mean, 0);
    for (uint32_t i = 0; i < percentiles->count; i++) {
        char label[32] = "p";
        units_real_exact(percentiles->values[i], label + 1, sizeof(label) - 1);
        row(log, label, value_percentile, percentiles->values[i]);
    }
    row(log, "max", value_max, 0);
}

static bool add_file(struct hdr_log *log, const char *path, uint64_t unit_ns, struct error *error)
{
    char *text = NULL;
    size_t bytes;
    bool good = path_read_text(path, LOG_BYTES_MAX, &text, &bytes, error) &&
                hdr_log_add(log, text, bytes, path, unit_ns, error);
    free(text);
    return good;
}

static bool do_import(struct order *order, struct error *error)
{
    struct hdr_log log = {0};
    bool good = true;
    for (size_t i = 0; good && i < order->count; i++)
        good = add_file(&log, order->files[i], order->unit_ns, error);
    if (good)
        print_log(&log, &order->job.percentiles);
    hdr_log_done(&log);
    return good;
}

static bool check_import(struct order *order, struct error *error)
{
    return order->count > 0 ||
           error_set(error, ERR_USAGE, "hdr import: name a histogram log or a file with base64 text");
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static const struct action {
    const char *name;
    const struct option *options;
    bool (*check)(struct order *order, struct error *error); /* fails on a wrong command line */
    bool (*run)(struct order *order, struct error *error);
} actions[] = {{"export", export_options, check_export, do_export},
               {"import", import_options, check_import, do_import}};

static const struct action *find_action(int argc, char *const *argv, struct error *error)
{
    for (size_t i = 0; argc > 0 && i < COUNT_OF(actions); i++)
        if (strcmp(argv[0], actions[i].name) == 0)
            return &actions[i];
    error_set(error, ERR_USAGE, "hdr: say what to do: export or import");
    return NULL;
}

static bool read_words(struct order *order, const struct action *action, const char **files, int argc,
                       char *const *argv, struct error *error)
{
    order->files = files;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            files[order->count++] = argv[i];
        else if (!take_option(order, action->options, argv[i], error))
            return false;
    }
    return action->check(order, error);
}

static int run(const struct action *action, int argc, char *const *argv, struct error *error)
{
    struct order order = {.op = -1, .out = "-", .unit_ns = 1};
    const char **files = calloc((size_t)argc + 1, sizeof(*files));
    int status = STATUS_USAGE;
    job_init(&order.job);
    if (!files) {
        error_set(error, ERR_SYSTEM, "not enough memory");
        status = STATUS_FAILED;
    } else if (read_words(&order, action, files, argc, argv, error)) {
        status = action->run(&order, error) ? STATUS_OK : STATUS_FAILED;
    }
    free(files);
    return status;
}

static bool wants_help(int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int command_hdr(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    if (wants_help(argc, argv)) {
        print_help();
        return STATUS_OK;
    }
    const struct action *action = find_action(argc, argv, &error);
    int status = action ? run(action, argc - 1, argv + 1, &error) : STATUS_USAGE;
    common_print_error(&error);
    return status;
}
