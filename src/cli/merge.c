#include "cli/merge.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "cli/text.h"
#include "core/merge.h"
#include "core/result_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line says. */
struct order {
    bool help, force;
    const char *json; /* NULL = none, "-" = JSON alone on stdout */
    struct merge_part *parts;
    size_t count;
};

static void print_help(void)
{
    fputs("usage: isobench merge RESULT.json RESULT.json … [--json=FILE] [--force]\n\n"
          "Adds up the results of hosts that ran the same job at the same time and prints them as one result.\n\n"
          "  --json=FILE\n      Writes it as JSON (docs/result.md); - prints JSON alone on stdout.\n"
          "  --force\n      Merges results of jobs that differ all the same, with a warning that says how.\n"
          "  --help\n      Prints this.\n",
          stdout);
}

static bool take_file(struct order *order, const char *path, struct error *error)
{
    for (size_t i = 0; i < order->count; i++)
        if (strcmp(order->parts[i].name, path) == 0)
            return error_set(error, ERR_USAGE, "%s is named twice: it would count double", path);
    order->parts[order->count++] = (struct merge_part){path, NULL};
    return true;
}

static bool take_word(struct order *order, const char *word, struct error *error)
{
    const char *value = common_value(word, "--json");
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        order->help = true;
    else if (strcmp(word, "--force") == 0)
        order->force = true;
    else if (value && value[0])
        order->json = value;
    else if (value)
        return error_set(error, ERR_USAGE, "--json=: give a file's name, or - for stdout");
    else if (strncmp(word, "--", 2) == 0)
        return error_set(error, ERR_USAGE, "%s: merge has the options --json=FILE, --force and --help", word);
    else
        return take_file(order, word, error);
    return true;
}

/* `order->parts` has room for all words. */
static bool read_words(struct order *order, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc; i++)
        if (!take_word(order, argv[i], error))
            return false;
    if (order->count < 2 && !order->help)
        return error_set(error, ERR_USAGE, "merge: name two or more result files (what --json=FILE wrote)");
    return true;
}

static bool read_parts(struct order *order, struct error *error)
{
    for (size_t i = 0; i < order->count; i++)
        if (!(order->parts[i].result = common_read_result(order->parts[i].name, error)))
            return false;
    return true;
}

static bool write_json(const char *path, const struct result *result, struct error *error)
{
    char *text = result_to_json(result);
    bool good = text ? common_write(path, text, error)
                     : error_set(error, ERR_SYSTEM, "not enough memory for the merged result's JSON");
    free(text);
    return good;
}

static bool show(const struct order *order, const struct result *merged, struct error *error)
{
    if (!order->json || strcmp(order->json, "-") != 0)
        text_result(stdout, merged);
    return !order->json || write_json(order->json, merged, error);
}

static bool merge(struct order *order, struct error *error)
{
    struct result *merged = NULL;
    bool good = read_parts(order, error) && results_merge(order->parts, order->count, order->force, &merged, error) &&
                show(order, merged, error);
    result_free(merged);
    return good;
}

static void order_done(struct order *order)
{
    for (size_t i = 0; i < order->count; i++)
        result_free((struct result *)(uintptr_t)order->parts[i].result); /* read_parts made them */
    free(order->parts);
}

int command_merge(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct order order = {.parts = calloc((size_t)argc + 1, sizeof(*order.parts))};
    int status = STATUS_USAGE;
    if (!order.parts) {
        error_set(&error, ERR_SYSTEM, "not enough memory");
        status = STATUS_FAILED;
    } else if (read_words(&order, argc, argv, &error)) {
        if (order.help)
            print_help();
        status = order.help || merge(&order, &error) ? STATUS_OK : STATUS_FAILED;
    }
    common_print_error(&error);
    order_done(&order);
    return status;
}
