/* report/plain.c: the summary for those who paste it: into a page as Markdown, into a spreadsheet as CSV. */
#include "report/report.h"

#include "core/markup.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

/* ---- Markdown ---- */

/* As text in a line of a table: what would end the cell, begin markup or a new line is taken care of. */
static void put_text(struct markup *out, const char *text)
{
    char sign[3] = "";
    for (; *text; text++) {
        bool is_markup = strchr("|\\`*_[]<>&#", *text) != NULL;
        snprintf(sign, sizeof sign, "%s%c", is_markup ? "\\" : "", (unsigned char)*text < ' ' ? ' ' : *text);
        markup_add(out, sign);
    }
}

static void put_markdown_cell(struct markup *out, const struct report *report, enum measure measure, size_t row,
                              size_t set)
{
    const struct cell *cell = &report->compared[measure].rows[row].cells[set];
    char figure[FIGURE_BYTES_MAX], ratio[FIGURE_BYTES_MAX];
    if (cell->runs == 0) {
        markup_add(out, " – |");
        return;
    }
    markup_printf(out, " %s",
                  text_measure(cell->geometric_mean, measure, report_row(report, row)->example->job.work, figure));
    if (cell->has_ratio && set != report->baseline)
        markup_printf(out, " (%s%s)", text_ratio(cell->ratio.value, ratio), cell->is_significant ? " \\*" : "");
    markup_add(out, " |");
}

static void put_markdown_head(struct markup *out, const struct report *report)
{
    markup_add(out, "| job | |");
    for (size_t set = 0; set < report->set_count; set++) {
        markup_printf(out, " %c: ", (char)('A' + set));
        put_text(out, report->titles[set]);
        markup_add(out, " |");
    }
    markup_add(out, "\n| --- | --- |");
    for (size_t set = 0; set < report->set_count; set++)
        markup_add(out, " ---: |");
    markup_add(out, "\n");
}

static void put_markdown_row(struct markup *out, const struct report *report, enum measure measure, const char *what,
                             size_t row)
{
    markup_add(out, "| ");
    put_text(out, report_row_name(report, row));
    markup_printf(out, " | %s |", what);
    for (size_t set = 0; set < report->set_count; set++)
        put_markdown_cell(out, report, measure, row, set);
    markup_add(out, "\n");
}

static void put_markdown_remarks(struct markup *out, const struct report *report)
{
    if (report->remark_count > 0)
        markup_add(out, "\n");
    for (size_t i = 0; i < report->remark_count; i++) {
        const struct report_remark *remark = &report->remarks[i];
        markup_printf(out, "- %s`%s` (", remark->is_serious ? "**!** " : "", remark->code);
        for (size_t set = 0; set < report->set_count; set++)
            if (remark->sets >> set & 1)
                markup_printf(out, "%c", (char)('A' + set));
        markup_add(out, remark->where[0] ? "; " : "");
        put_text(out, remark->where);
        markup_add(out, remark->jobs > 4 ? " …): " : "): ");
        put_text(out, remark->text);
        markup_add(out, "\n");
    }
}

char *report_to_markdown(const struct report *report)
{
    struct markup out = {0};
    put_markdown_head(&out, report);
    for (size_t row = 0; row < report->row_count; row++) {
        enum measure measure = report_row_measure(report, row);
        put_markdown_row(&out, report, measure, measure == MEASURE_RATE ? "rate" : "throughput", row);
        if (report->has[MEASURE_P99_NS])
            put_markdown_row(&out, report, MEASURE_P99_NS, "p99", row);
    }
    if (report->set_count > 1)
        markup_printf(&out, "\nIn brackets the ratio to %c; \\*: beyond noise (95 %%, three runs or more).\n",
                      (char)('A' + report->baseline));
    put_markdown_remarks(&out, report);
    return markup_finish(&out);
}

/* ---- CSV, RFC 4180 ---- */

/* What a spreadsheet would take for a formula begins with an apostrophe. */
static void put_quoted(struct markup *out, const char *text)
{
    char sign[3] = "";
    markup_add(out, text[0] && strchr("=+-@\t\r", text[0]) ? "\"'" : "\"");
    for (; *text; text++) {
        snprintf(sign, sizeof sign, "%s%c", *text == '"' ? "\"" : "", *text);
        markup_add(out, sign);
    }
    markup_add(out, "\"");
}

static void put_csv_figure(struct markup *out, const struct report *report, enum measure measure, size_t row,
                           size_t set)
{
    const struct cell *cell = &report->compared[measure].rows[row].cells[set];
    put_quoted(out, report_row_name(report, row));
    markup_add(out, ",");
    put_quoted(out, report->titles[set]);
    markup_printf(out, ",%s,%zu,%.15g,%.15g,%.4g,", measure_forms[measure].key, cell->runs, cell->mean, cell->median,
                  cell->spread);
    if (cell->has_ratio && cell->ratio.has_interval)
        markup_printf(out, "%.6g,%.6g,%.6g,%s\n", cell->ratio.value, cell->ratio.low, cell->ratio.high,
                      cell->is_significant ? "yes" : "no");
    else if (cell->has_ratio)
        markup_printf(out, "%.6g,,,\n", cell->ratio.value);
    else
        markup_add(out, ",,,\n");
}

char *report_to_csv(const struct report *report)
{
    struct markup out = {0};
    markup_add(&out, "job,set,figure,runs,mean,median,spread_percent,ratio,ratio_low,ratio_high,significant\n");
    for (size_t row = 0; row < report->row_count; row++)
        for (int measure = 0; measure < MEASURES; measure++)
            for (size_t set = 0; report->has[measure] && set < report->set_count; set++)
                if (report->compared[measure].rows[row].cells[set].runs > 0)
                    put_csv_figure(&out, report, (enum measure)measure, row, set);
    return markup_finish(&out);
}
