#include "cli/compare.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/reconcile.h"
#include "platform/path.h"
#include "reconcile/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_CSV };

struct order {
    const char **sets;
    size_t set_count;
    const char *baseline, *json;
    enum measure measure;
    enum form form;
    bool help;
};

static void print_help(void)
{
    puts("usage: isobench compare DIR|FILE… [options]\n\n"
         "Each directory (its *.json files) or file is a set of results: of a host, a volume, a day. Prints a row for "
         "each "
         "job,\n"
         "with every set's figure, its ratio to the first set, and the geometric mean of the ratios.\n\n"
         "  --figure=rate_per_s|bytes_per_s|mean_ns|p50_ns|p95_ns|p99_ns|max_ns  [rate_per_s]\n      Which figure of "
         "each "
         "set.\n"
         "  --baseline=DIR\n      Another set than the first to take ratios to.\n"
         "  --markdown, --csv\n      The table for a page, or one line per job and set for a spreadsheet.\n"
         "  --json=FILE\n      The same as data; - prints JSON alone on stdout.\n"
         "  --help\n      Prints this.\n\n"
         "exit status: 0 done, 1 a file cannot be read, 2 wrong command line");
}

static bool set_figure(struct order *order, const char *value, struct error *error)
{
    for (int i = 0; i < MEASURES; i++) {
        if (!measure_forms[i].is_compared || strcmp(measure_forms[i].key, value) != 0)
            continue;
        order->measure = (enum measure)i;
        return true;
    }
    return error_set(error, ERR_USAGE,
                     "--figure=%.40s: one of rate_per_s, bytes_per_s, mean_ns, p50_ns, p95_ns, p99_ns, max_ns", value);
}

static bool take_word(struct order *order, int argc, char *const *argv, int *at, struct error *error)
{
    const char *word = argv[*at], *json = common_take(argc, argv, at, "--json"),
               *figure = json ? NULL : common_take(argc, argv, at, "--figure"),
               *baseline = json || figure ? NULL : common_take(argc, argv, at, "--baseline");
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        order->help = true;
    else if (strcmp(word, "--markdown") == 0)
        order->form = FORM_MARKDOWN;
    else if (strcmp(word, "--csv") == 0)
        order->form = FORM_CSV;
    else if (figure)
        return set_figure(order, figure, error);
    else if (json && json[0])
        order->json = json;
    else if (baseline && baseline[0])
        order->baseline = baseline;
    else if (strncmp(word, "--", 2) == 0)
        return error_set(error, ERR_USAGE, "%.60s: not an option of compare, or its value is missing; see --help",
                         word);
    else
        order->sets[order->set_count++] = word;
    return true;
}

static bool find_baseline(const struct order *order, size_t *out, struct error *error)
{
    *out = 0;
    for (size_t i = 0; order->baseline && i < order->set_count; i++)
        if (strcmp(order->sets[i], order->baseline) == 0) {
            *out = i;
            return true;
        }
    return !order->baseline ||
           error_set(error, ERR_USAGE, "--baseline=%.200s: must be one of the sets that are named", order->baseline);
}

/* Files that are no result (a manifest, a plan) lie beside them: those are passed over when others are there. */
static bool read_directory(const char *directory, uint32_t set, struct readings *out, struct error *error)
{
    struct path_names names;
    struct error last = ERROR_INIT;
    size_t before = out->count;
    if (!path_list(directory, ".json", &names, error))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        char path[PATH_BYTES];
        struct error one = ERROR_INIT;
        if (path_join(path, directory, names.items[i], &one) && !reconcile_read_file(path, set, out, &one))
            last = one;
    }
    path_names_free(&names);
    if (out->count > before)
        return true;
    return error_set(error, ERR_DATA, "%s: no result is in it%s%s", directory, last.kind ? ": " : "", last.text);
}

static bool read_set(const char *path, uint32_t set, struct readings *out, struct error *error)
{
    enum path_kind kind;
    if (!path_look(path, &kind, NULL, error))
        return false;
    return kind == PATH_DIRECTORY ? read_directory(path, set, out, error) : reconcile_read_file(path, set, out, error);
}

static bool show(const struct order *order, const struct comparison *all, struct error *error)
{
    static void (*const forms[])(const struct comparison *, FILE *) = {compare_print, compare_markdown, compare_csv};
    if (!order->json || strcmp(order->json, "-") != 0)
        forms[order->form](all, stdout);
    if (!order->json)
        return true;
    char *text = compare_to_json(all);
    bool good =
        text ? common_write(order->json, text, error) : error_set(error, ERR_SYSTEM, "not enough memory for the JSON");
    free(text);
    return good;
}

static bool compare(const struct order *order, struct error *error)
{
    struct readings readings = {0};
    struct comparison all;
    size_t baseline;
    bool good = find_baseline(order, &baseline, error);
    for (size_t i = 0; good && i < order->set_count; i++)
        good = read_set(order->sets[i], (uint32_t)i, &readings, error);
    if (good)
        good = compare_make(&readings, order->sets, order->set_count, baseline, order->measure, &all, error);
    if (good) {
        good = show(order, &all, error);
        compare_free(&all);
    }
    readings_free(&readings);
    return good;
}

int command_compare(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct order order = {.sets = calloc((size_t)argc + 1, sizeof *order.sets)};
    bool good = order.sets || error_set(&error, ERR_SYSTEM, "not enough memory");
    for (int i = 0; good && i < argc; i++)
        good = take_word(&order, argc, argv, &i, &error);
    if (good && order.help)
        print_help();
    else if (good && order.set_count == 0)
        error_set(&error, ERR_USAGE, "compare: name one or more directories or files with results; see --help");
    else if (good)
        compare(&order, &error);
    common_print_error(&error);
    free(order.sets);
    return common_status(&error, STATUS_USAGE);
}
