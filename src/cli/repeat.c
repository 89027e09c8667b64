#include "cli/repeat.h"

#include "cli/text.h"
#include "core/units.h"

#include <stdlib.h>

bool repeat_init(struct repeat *repeat, size_t room)
{
    repeat->count = 0;
    repeat->room = room;
    repeat->runs = calloc(room, sizeof(struct result *));
    return repeat->runs != NULL;
}

void repeat_done(struct repeat *repeat)
{
    for (size_t i = 0; i < repeat->count; ++i)
        result_free(repeat->runs[i]);
    free(repeat->runs);
    repeat->runs = NULL;
    repeat->count = 0;
}

static void print_value(FILE *out, double value, bool is_time)
{
    char words[32];
    if (is_time)
        units_time_human(value, words, sizeof(words));
    else
        snprintf(words, sizeof(words), "%.1f", value);
    text_cell(out, words);
}

static void print_row(FILE *out, const struct spread *spread)
{
    char percent[32];
    fprintf(out, "%-14s%-8s", op_class_names[spread->op], spread->figure);
    print_value(out, spread->median, spread->is_time);
    print_value(out, spread->min, spread->is_time);
    print_value(out, spread->max, spread->is_time);
    snprintf(percent, sizeof(percent), "%.1f %%", spread_percent(spread));
    text_cell(out, percent);
    fputc('\n', out);
}

void repeat_print(FILE *out, const struct spread *spreads, size_t count, size_t runs)
{
    fprintf(out, "\n%zu runs%16s", runs, "");
    text_cell(out, "median");
    text_cell(out, "min");
    text_cell(out, "max");
    text_cell(out, "spread");
    fputc('\n', out);
    for (size_t i = 0; i < count; ++i)
        print_row(out, &spreads[i]);
    fputs("spread = (max - min) / median\n", out);
}
