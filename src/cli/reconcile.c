#include "cli/reconcile.h"

#include "cli/common.h"
#include "cli/native.h"
#include "platform/path.h"
#include "reconcile/reconcile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
    const char *const *paths;
    size_t path_count;
    const char *json; /* NULL = text alone, "-" = JSON alone on stdout */
    bool help;
};

static void print_help(void)
{
    puts("usage: isobench reconcile FILE… [--json=FILE]\n\n"
         "Reads what tools printed (saved output, terminal captures, text from web pages; isobench's own JSON), finds "
         "the\n"
         "runs in it, and tells whether the volumes differ or the tests do. Runs of one tool with the same settings in "
         "one\n"
         "file are repetitions. The first side that is found is what the others are held against.\n\n"
         "  --json=FILE\n      Writes the same as data (docs/reconcile.md); - prints JSON alone on stdout.\n"
         "  --help\n      Prints this.\n\n"
         "exit status: 0 the same test and no gap beyond the spread, 1 they differ, 2 wrong command line, or a file in "
         "which\nnothing can be read");
}

bool reconcile_read_file(const char *path, uint32_t file, struct readings *out, struct error *error)
{
    char *data = NULL;
    size_t bytes = 0;
    if (!path_read_text(path, TRANSCRIPT_BYTES_MAX, &data, &bytes, error))
        return false;
    bool good = readings_find_in(path, data, bytes, file, out, error);
    free(data);
    return good;
}

static bool take_word(struct order *order, const char *word, const char **paths, struct error *error)
{
    const char *value = common_value(word, "--json");
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        order->help = true;
    else if (value && value[0])
        order->json = value;
    else if (value)
        return error_set(error, ERR_USAGE, "--json=: give a file's name, or - for stdout");
    else if (strncmp(word, "--", 2) == 0)
        return error_set(error, ERR_USAGE, "%s: reconcile has the options --json=FILE and --help", word);
    else
        paths[order->path_count++] = word;
    return true;
}

static bool show(const struct order *order, const struct reconciliation *all, struct error *error)
{
    if (!order->json || strcmp(order->json, "-") != 0)
        reconcile_print(all, stdout);
    if (!order->json)
        return true;
    char *text = reconcile_to_json(all);
    bool good =
        text ? common_write(order->json, text, error) : error_set(error, ERR_SYSTEM, "not enough memory for the JSON");
    free(text);
    return good;
}

static int status_of(const struct reconciliation *all)
{
    for (size_t i = 0; i + 1 < all->sides.count; i++)
        if (all->pairs[i].verdict != VERDICT_SAME_WITHIN_SPREAD)
            return STATUS_DIFFER;
    return STATUS_SAME;
}

static int reconcile(const struct order *order, struct error *error)
{
    struct readings readings = {0};
    struct reconciliation all;
    int status = STATUS_INPUT;
    bool good = true;
    for (size_t i = 0; good && i < order->path_count; i++)
        good = reconcile_read_file(order->paths[i], (uint32_t)i, &readings, error);
    if (good && reconcile_make(&readings, &native_dialect, &all, error)) {
        status = show(order, &all, error) ? status_of(&all) : STATUS_INPUT;
        reconcile_free(&all);
    }
    readings_free(&readings);
    return status;
}

int command_reconcile(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    const char **paths = calloc((size_t)argc + 1, sizeof *paths);
    struct order order = {paths, 0, NULL, false};
    int status = STATUS_INPUT;
    bool good = paths != NULL || error_set(&error, ERR_SYSTEM, "not enough memory");
    for (int i = 0; good && i < argc; i++)
        good = take_word(&order, argv[i], paths, &error);
    if (good && order.help) {
        print_help();
        status = STATUS_SAME;
    } else if (good && order.path_count == 0) {
        error_set(&error, ERR_USAGE, "reconcile: name one or more files with what tools printed; see --help");
    } else if (good) {
        status = reconcile(&order, &error);
    }
    common_print_error(&error);
    free(paths);
    return status;
}
