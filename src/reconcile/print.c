/* reconcile/print.c: a reconciliation for people. */
#include "core/settings.h"
#include "reconcile/reconcile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN 12
#define INDENT "     "

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

struct cell {
    double mean, low, high;
    bool has;
};

static struct cell cell_of(const struct side *side, enum measure measure)
{
    double *values = calloc(side->run_count, sizeof *values);
    size_t count = values ? side_values(side, measure, values) : 0;
    struct cell cell = {stats_mean(values, count), count ? values[0] : 0, count ? values[0] : 0, count > 0};
    for (size_t i = 1; i < count; i++) {
        cell.low = values[i] < cell.low ? values[i] : cell.low;
        cell.high = values[i] > cell.high ? values[i] : cell.high;
    }
    free(values);
    return cell;
}

/* A mean of repetitions that are not alike would describe none of them: their ends instead. */
static void put_cell(const struct cell *cell, double scale, FILE *out)
{
    char text[64];
    if (!cell->has)
        fprintf(out, " %*s", COLUMN, "-");
    else if (cell->high <= 2 * cell->low)
        put_number(cell->mean / scale, out);
    else {
        snprintf(text, sizeof text, "%.4g-%.4g", cell->low / scale, cell->high / scale);
        fprintf(out, " %*s", COLUMN, text);
    }
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
    bool any = false;
    for (size_t i = 0; i < all->sides.count; i++)
        any |= cell_of(&all->sides.items[i], measure).has;
    if (!any)
        return;
    const char *name =
        measure == MEASURE_RATE && all->sides.items[0].job->work == WORK_DATABASE ? "transactions" : form->name;
    fprintf(out, "%-13s %-6s", name, form->unit);
    for (size_t i = 0; i < all->sides.count; i++) {
        struct cell cell = cell_of(&all->sides.items[i], measure);
        put_cell(&cell, form->scale, out);
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

/* Ready to be typed, on both systems: the file that belongs to the command is made by lines that bash and cmd.exe
 * understand alike, if its text has nothing that one of them would take for its own. */
static void put_command(const char *indent, const struct command *command, const char *tool, FILE *out)
{
    const char *sign = ">";
    struct command alone = *command;
    bool plain = command->file_text[strcspn(command->file_text, "\"'`$%^&|<>;()!*?\\")] == '\0';
    for (const char *line = command->file_text; plain && *line; sign = ">>") {
        size_t length = strcspn(line, "\n");
        fprintf(out, "%secho %.*s %s%s\n", indent, (int)length, line, sign, command->file_name);
        line += length + (line[length] == '\n');
    }
    if (plain)
        alone.file_text[0] = '\0';
    fputs(indent, out);
    command_print(&alone, tool, out);
}

static void put_side_command(const struct side *side, const struct command *command, FILE *out)
{
    const char *tool = side->runs[0]->tool;
    char words[NAME_MAX_BYTES + 16];
    snprintf(words, sizeof words, strcmp(tool, "isobench") == 0 ? "%s" : "isobench %s", tool);
    fprintf(out, "  %c:\n", side->label);
    put_command(INDENT, command, words, out);
}

static void print_prepare(const struct alignment *alignment, FILE *out)
{
    if (!alignment->prepares)
        return;
    fputs("Once, before both, so that no read meets a range that was never written:\n", out);
    put_command(INDENT, &alignment->prepare, "isobench", out);
}

/* One line where one tool's words are the same for both. */
static void print_pair(const struct pair *pair, FILE *out)
{
    const struct alignment *alignment = pair->alignment;
    bool one = strcmp(pair->a->runs[0]->tool, pair->b->runs[0]->tool) == 0 && is_one_command(alignment);
    if (!alignment->found) {
        fprintf(out, "No pair of their own command lines is the same test (%s).\n", alignment->rest);
        return;
    }
    fputs(one ? "For both sides, on Linux (bash) and on Windows (cmd.exe), the test of A:\n"
              : "These two are the same test, on Linux (bash) and on Windows (cmd.exe):\n",
          out);
    put_side_command(pair->a, &alignment->a, out);
    if (!one)
        put_side_command(pair->b, &alignment->b, out);
}

static void print_alignment(const struct pair *pair, FILE *out)
{
    const struct alignment *alignment = pair->alignment;
    if (!alignment)
        return;
    if (alignment->native.argc > 0)
        print_prepare(alignment, out);
    print_pair(pair, out);
    if (alignment->native.argc == 0)
        return;
    fputs("In isobench's own words, for both sides:\n", out);
    put_command(INDENT, &alignment->native, "isobench", out);
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
