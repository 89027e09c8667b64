/* reconcile/print.c: a reconciliation for people. */
#include "core/settings.h"
#include "reconcile/reconcile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN 12

/* ---- who is compared ---- */

static void print_side(const struct side *side, FILE *out)
{
    const struct reading *first = side->runs[0];
    fprintf(out, "%c  %s%s%s%s%s  %s", side->label, first->tool, first->version[0] ? " " : "", first->version,
            first->name[0] ? " " : "", first->name, first->source);
    for (size_t i = 1; i < side->run_count; i++) {
        const char *colon = strrchr(side->runs[i]->source, ':');
        fprintf(out, ", %s", colon ? colon + 1 : side->runs[i]->source);
    }
    fprintf(out, " (%zu run%s)\n", side->run_count, side->run_count == 1 ? "" : "s");
    if (first->command[0])
        fprintf(out, "   %s %s\n", first->tool, first->command);
}

/* ---- the table ---- */

static void put_number(double value, FILE *out)
{
    int digits = value >= 10000 ? 0 : value >= 1000 ? 1 : value >= 100 ? 1 : value >= 1 ? 2 : 4;
    fprintf(out, " %*.*f", COLUMN, digits, value);
}

static double side_mean(const struct side *side, enum measure measure, bool *has)
{
    double *values = calloc(side->run_count, sizeof *values);
    size_t count = values ? side_values(side, measure, values) : 0;
    double mean = stats_mean(values, count);
    *has = count > 0;
    free(values);
    return mean;
}

static void put_ratio(const struct pair *pair, enum measure measure, FILE *out)
{
    const struct ratio *ratio = &pair->ratios[measure];
    if (!pair->has_ratio[measure])
        return;
    fprintf(out, "   %c/%c %.3f", pair->b->label, pair->a->label, ratio->value);
    if (pair->has_enough)
        fprintf(out, " (%.3f to %.3f)", ratio->low, ratio->high);
}

static void print_measure(const struct reconciliation *all, enum measure measure, FILE *out)
{
    const struct measure_form *form = &measure_forms[measure];
    bool any = false, has;
    for (size_t i = 0; i < all->sides.count; i++) {
        side_mean(&all->sides.items[i], measure, &has);
        any |= has;
    }
    if (!any)
        return;
    const char *name =
        measure == MEASURE_RATE && all->sides.items[0].job->work == WORK_DATABASE ? "transactions" : form->name;
    fprintf(out, "%-13s %-6s", name, form->unit);
    for (size_t i = 0; i < all->sides.count; i++) {
        double value = side_mean(&all->sides.items[i], measure, &has);
        if (has)
            put_number(value / form->scale, out);
        else
            fprintf(out, " %*s", COLUMN, "-");
    }
    for (size_t i = 0; i + 1 < all->sides.count; i++)
        put_ratio(&all->pairs[i], measure, out);
    fputc('\n', out);
}

/* How far the repetitions of each side lie apart. */
static void print_spread(const struct reconciliation *all, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < all->sides.count; i++)
        any |= all->sides.items[i].run_count > 1;
    if (!any)
        return;
    fprintf(out, "%-20s", "spread of rate %");
    for (size_t i = 0; i < all->sides.count; i++) {
        if (all->sides.items[i].run_count > 1)
            put_number(side_spread_percent(&all->sides.items[i]), out);
        else
            fprintf(out, " %*s", COLUMN, "-");
    }
    fputc('\n', out);
}

static void print_table(const struct reconciliation *all, FILE *out)
{
    fprintf(out, "\n%-20s", "");
    for (size_t i = 0; i < all->sides.count; i++)
        fprintf(out, " %*c", COLUMN, all->sides.items[i].label);
    fputs(all->sides.count == 2 && all->pairs[0].has_enough ? "   ratio (95 % confidence)\n" : "   ratio\n", out);
    for (int i = 0; i < MEASURES; i++)
        print_measure(all, (enum measure)i, out);
    print_spread(all, out);
}

/* ---- what differs ---- */

static const char *provenance_word(enum provenance provenance)
{
    static const char *const words[] = {"not told", "default", "stated"};
    return words[provenance];
}

static void put_value(const struct side *side, const struct setting *setting, enum provenance provenance, FILE *out)
{
    char value[TEXT_MAX], cell[96];
    job_get(side->job, setting, value, sizeof value);
    if (provenance == PROVENANCE_UNKNOWN)
        snprintf(cell, sizeof cell, "%c: not told", side->label);
    else
        snprintf(cell, sizeof cell, "%c: %.60s (%s)", side->label, value[0] ? value : "empty",
                 provenance_word(provenance));
    fprintf(out, " %-22s", cell);
}

static void print_differences(const struct pair *pair, FILE *out)
{
    if (pair->difference_count == 0)
        return;
    fprintf(out, "\nWhat differs between %c and %c\n", pair->a->label, pair->b->label);
    for (size_t i = 0; i < pair->difference_count; i++) {
        const struct difference *row = &pair->differences[i];
        fprintf(out, "  %-18s", row->setting->name);
        put_value(pair->a, row->setting, row->a, out);
        put_value(pair->b, row->setting, row->b, out);
        if (row->push)
            fprintf(out, " raises %c:", row->push > 0 ? pair->b->label : pair->a->label);
        fprintf(out, " %s\n", row->why);
    }
}

static void print_unknowns(const struct pair *pair, FILE *out)
{
    for (size_t i = 0; i < pair->unknown_count; i++) {
        const struct difference *row = &pair->unknowns[i];
        bool both = row->a == PROVENANCE_UNKNOWN && row->b == PROVENANCE_UNKNOWN;
        fprintf(out, "%s%s (%c", i ? ", " : "\nNot told: ", row->setting->name,
                row->a == PROVENANCE_UNKNOWN ? pair->a->label : pair->b->label);
        fprintf(out, both ? ", %c)" : ")", pair->b->label);
    }
    if (pair->unknown_count)
        fputc('\n', out);
}

/* ---- findings, verdict ---- */

static void print_findings(const struct findings *findings, FILE *out)
{
    if (findings->count == 0)
        return;
    fputs("\nFindings\n", out);
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *row = &findings->items[i];
        fprintf(out, "  [%s]", row->code);
        if (row->label)
            fprintf(out, " %c", row->label);
        if (row->source[0])
            fprintf(out, " %s", row->source);
        fprintf(out, ": %s", row->text);
        if (row->corrected[0])
            fprintf(out, ". True value: %s", row->corrected);
        fputs(row->text[0] && strchr(".!", row->text[strlen(row->text) - 1]) && !row->corrected[0] ? "\n" : ".\n", out);
    }
}

static bool is_one_command(const struct alignment *alignment)
{
    bool same = alignment->a.argc == alignment->b.argc;
    for (int i = 0; same && i < alignment->a.argc; i++)
        same = strcmp(alignment->a.argv[i], alignment->b.argv[i]) == 0;
    return same;
}

static void put_command(const struct side *side, const struct command *command, FILE *out)
{
    fprintf(out, "  %c  ", side->label);
    command_print(command, side->runs[0]->tool, out);
}

static void print_prepare(const struct alignment *alignment, FILE *out)
{
    if (!alignment->prepares)
        return;
    fputs("Before both, once, so that no read meets a range that was never written:\n     ", out);
    command_print(&alignment->prepare, "isobench", out);
}

/* Every tool's line runs as `isobench TOOL …` on both systems. */
static void put_how(const struct pair *pair, FILE *out)
{
    const char *tools[] = {pair->a->runs[0]->tool, pair->b->runs[0]->tool};
    bool begun = false;
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        if (strcmp(tools[i], "isobench") == 0 || (i > 0 && strcmp(tools[0], tools[1]) == 0))
            continue;
        fprintf(out, "%s`isobench %s …`", begun ? " and " : "", tools[i]);
        begun = true;
    }
    fputs(begun ? " runs on Linux and on Windows" : "They run on Linux and on Windows", out);
}

static void print_alignment(const struct pair *pair, FILE *out)
{
    const struct alignment *alignment = pair->alignment;
    if (!alignment)
        return;
    if (alignment->found && strcmp(pair->a->runs[0]->tool, pair->b->runs[0]->tool) == 0 && is_one_command(alignment)) {
        fprintf(out, "For both sides the test of %c:\n     ", pair->a->label);
        command_print(&alignment->a, pair->a->runs[0]->tool, out);
        fprintf(out, "`isobench %s …` runs it on Linux and on Windows", pair->a->runs[0]->tool);
    } else if (alignment->found) {
        fputs("These two are the same test:\n", out);
        put_command(pair->a, &alignment->a, out);
        put_command(pair->b, &alignment->b, out);
        put_how(pair, out);
    } else {
        fprintf(out, "No pair of their own command lines is the same test (%s)", alignment->rest);
    }
    if (alignment->native.argc == 0) {
        fputs(".\n", out);
        return;
    }
    fputs(". In isobench's own words, for both sides:\n     ", out);
    command_print(&alignment->native, "isobench", out);
    print_prepare(alignment, out);
}

void reconcile_print(const struct reconciliation *all, FILE *out)
{
    char verdict[512];
    for (size_t i = 0; i < all->sides.count; i++)
        print_side(&all->sides.items[i], out);
    print_table(all, out);
    for (size_t i = 0; i + 1 < all->sides.count; i++) {
        print_differences(&all->pairs[i], out);
        print_unknowns(&all->pairs[i], out);
    }
    print_findings(&all->findings, out);
    for (size_t i = 0; i + 1 < all->sides.count; i++) {
        fprintf(out, "\n%c and %c: %s\n", all->pairs[i].a->label, all->pairs[i].b->label,
                verdict_text(&all->pairs[i], verdict, sizeof verdict));
        print_alignment(&all->pairs[i], out);
    }
}
