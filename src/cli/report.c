#include "cli/report.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/native.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
    const char **sets;
    size_t set_count;
    const char *page, *baseline, *title;
    bool markdown, csv, help;
};

static void print_help(void)
{
    puts("usage: isobench report DIR|FILE… -o FILE.html [options]\n\n"
         "Each directory (its *.json files, with the manifest of `isobench run` where there is one) or file is a set "
         "of\n"
         "results: of a host, a volume, a day. A directory without results means those below it (OUT/TAG/VOLUME). "
         "Makes one page of them that needs nothing else: the sets side by side "
         "with\n"
         "their ratios, findings, latency curves, rates and latencies over time, attributions, and the command "
         "lines.\n\n"
         "  -o FILE, --output=FILE\n      Where the page goes; - is stdout.\n"
         "  --baseline=DIR\n      Another set than the first to take ratios to.\n"
         "  --title=TEXT\n      What stands above it.\n"
         "  --markdown, --csv\n      Prints the summary in that form; the page is then made only with -o.\n"
         "  --help\n      Prints this.\n\n"
         "exit status: 0 done, 1 a file cannot be read or written, 2 wrong command line");
}

static bool take_value(struct order *order, const char *word, bool *taken, struct error *error)
{
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"--output", &order->page}, {"--baseline", &order->baseline}, {"--title", &order->title}};
    *taken = true;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const char *value = common_value(word, texts[i].name);
        if (!value)
            continue;
        *texts[i].text = value;
        return value[0] || error_set(error, ERR_USAGE, "%s=: its value is missing", texts[i].name);
    }
    *taken = false;
    return true;
}

static bool take_word(struct order *order, const char *word, struct error *error)
{
    const struct {
        const char *name;
        bool *on;
    } switches[] = {
        {"--markdown", &order->markdown}, {"--csv", &order->csv}, {"--help", &order->help}, {"-h", &order->help}};
    bool taken = false;
    for (size_t i = 0; i < COUNT_OF(switches); i++)
        if (strcmp(word, switches[i].name) == 0)
            return *switches[i].on = true;
    if (!take_value(order, word, &taken, error) || taken)
        return error->kind == ERR_NONE;
    if (word[0] == '-' && word[1] != '\0')
        return error_set(error, ERR_USAGE, "%.60s: not an option of report; see `isobench report --help`", word);
    order->sets[order->set_count++] = word;
    return true;
}

static bool read_words(struct order *order, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "-o") != 0) {
            if (!take_word(order, argv[i], error))
                return false;
        } else if (++i < argc && argv[i][0]) {
            order->page = argv[i];
        } else {
            return error_set(error, ERR_USAGE, "-o: its value is missing");
        }
    }
    if (order->help)
        return true;
    if (order->set_count == 0)
        return error_set(error, ERR_USAGE, "report: name one or more directories or files with results; see --help");
    if (order->markdown && order->csv)
        return error_set(error, ERR_USAGE, "report: --markdown or --csv, one of the two");
    return order->page || order->markdown || order->csv ||
           error_set(error, ERR_USAGE, "report: -o FILE.html says where the page goes");
}

static bool put(const char *path, char *text, struct error *error)
{
    bool good =
        text ? common_write(path, text, error) : error_set(error, ERR_SYSTEM, "not enough memory for the report");
    free(text);
    return good;
}

static bool show(const struct order *order, const struct report *report, struct error *error)
{
    return (!order->page || put(order->page, report_to_html(report), error)) &&
           (!order->markdown || put("-", report_to_markdown(report), error)) &&
           (!order->csv || put("-", report_to_csv(report), error));
}

static bool make(const struct order *order, struct error *error)
{
    struct report *report = calloc(1, sizeof *report);
    if (!report)
        return error_set(error, ERR_SYSTEM, "not enough memory for the report");
    bool good = report_make(report, order->sets, order->set_count, order->baseline, &native_dialect, error);
    report->title = order->title ? order->title : "Benchmark report";
    good = good && show(order, report, error);
    report_free(report);
    free(report);
    return good;
}

int command_report(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct order order = {.sets = calloc((size_t)argc + 1, sizeof *order.sets)};
    if (!order.sets)
        error_set(&error, ERR_SYSTEM, "not enough memory");
    else if (read_words(&order, argc, argv, &error) && order.help)
        print_help();
    else if (error.kind == ERR_NONE)
        make(&order, &error);
    common_print_error(&error);
    free(order.sets);
    return common_status(&error, STATUS_USAGE);
}
