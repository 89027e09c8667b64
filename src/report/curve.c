/* report/curve.c: latency by percentile, on an axis that gives each nine the same width; and the same as a table. */
#include "report/draw.h"

#include "report/chart.h"
#include "report/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 120
#define TOP 24
#define BOTTOM 206
#define HEIGHT 232

/* One set's latencies: of all its runs where they are isobench's own, else what the tool printed. */
struct curve {
    struct histogram *all;             /* NULL = another tool's */
    struct chart_point points[POINTS]; /* x: nines, y: nanoseconds */
    size_t count;
};

/* 90 % is one nine, 99 % two. */
static double nines_of(double percent)
{
    return -log10(1 - percent / 100);
}

static bool add_runs(struct histogram *all, const struct report_cell *cell)
{
    struct histogram *one = calloc(1, sizeof *one);
    for (size_t i = 0; one && i < cell->count; i++) {
        if (!cell->runs[i]->result)
            continue;
        tally_events_latency(&cell->runs[i]->result->total, &cell->runs[i]->job, one);
        histogram_merge(all, one);
    }
    free(one);
    return one != NULL;
}

/* The last point is the highest sample: it is at the share that only one sample lies above. */
static void sample_histogram(struct curve *curve)
{
    double last = log10((double)curve->all->count);
    for (size_t i = 0; i < POINTS; i++) {
        double nines = last * (double)i / (POINTS - 1);
        double percent = i + 1 == POINTS ? 100 : 100 * (1 - pow(10, -nines));
        curve->points[i] = (struct chart_point){nines, (double)histogram_percentile(curve->all, percent)};
    }
    curve->count = POINTS;
}

static int by_x(const void *a, const void *b)
{
    double one = ((const struct chart_point *)a)->x, other = ((const struct chart_point *)b)->x;
    return (one > other) - (one < other);
}

static void take_figures(struct curve *curve, const struct reading *run)
{
    for (size_t i = 0; i < run->figures_count && curve->count < POINTS; i++) {
        const struct figure *figure = &run->figures[i];
        if (figure->kind == FIGURE_PERCENTILE_NS && figure->percent < 100 && figure->value > 0 &&
            !figure_wrapped(figure) && (figure->op == OP_ALL || !reading_figure(run, FIGURE_MEAN_NS, OP_ALL, 0)))
            curve->points[curve->count++] = (struct chart_point){nines_of(figure->percent), figure->value};
    }
    qsort(curve->points, curve->count, sizeof curve->points[0], by_x);
}

static bool make_curve(struct curve *curve, const struct report_cell *cell)
{
    memset(curve, 0, sizeof *curve);
    if (!cell->typical)
        return true;
    if (!cell->typical->result) {
        take_figures(curve, cell->typical);
        return true;
    }
    curve->all = calloc(1, sizeof *curve->all);
    if (!curve->all || !add_runs(curve->all, cell))
        return false;
    if (curve->all->count > 0)
        sample_histogram(curve);
    return true;
}

/* ---- the picture ---- */

struct range {
    double low, high, nines;
};

static struct range range_of(const struct curve *curves, size_t count)
{
    struct range range = {HUGE_VAL, 0, 1};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < curves[i].count; k++) {
            const struct chart_point *point = &curves[i].points[k];
            range.low = point->y > 0 && point->y < range.low ? point->y : range.low;
            range.high = point->y > range.high ? point->y : range.high;
            range.nines = point->x > range.nines ? point->x : range.nines;
        }
    return range;
}

static void put_percent_axis(struct markup *out, const struct scale *across)
{
    static const struct {
        double percent;
        const char *text;
    } ticks[] = {{0, "0"},         {50, "50"},         {90, "90"},           {99, "99"},         {99.9, "99.9"},
                 {99.99, "99.99"}, {99.999, "99.999"}, {99.9999, "5 nines"}, {99.99999, "6 n."}, {99.999999, "7 n."}};
    double last = -HUGE_VAL;
    for (size_t i = 0; i < COUNT_OF(ticks) && nines_of(ticks[i].percent) <= across->high; i++) {
        double x = scale_at(across, nines_of(ticks[i].percent));
        chart_x_tick(out, x, TOP, BOTTOM, x - last > 34 || i == 0 ? ticks[i].text : "");
        last = x - last > 34 ? x : last;
    }
}

static void put_picture(struct markup *out, const struct report *report, struct curve *curves)
{
    struct range range = range_of(curves, report->set_count);
    struct scale across = scale_span(range.nines, CHART_LEFT, CHART_RIGHT - 10),
                 up = scale_log(range.low, range.high, BOTTOM, TOP);
    chart_begin(out, HEIGHT, "Latency by percentile, both logarithmic; the figures are in the table below");
    chart_y_axis(out, &up, axis_time, "latency, by percentile");
    put_percent_axis(out, &across);
    for (size_t set = 0; set < report->set_count; set++) {
        for (size_t i = 0; i < curves[set].count; i++) {
            struct chart_point *point = &curves[set].points[i];
            *point = (struct chart_point){scale_at(&across, point->x), scale_at(&up, point->y)};
        }
        if (curves[set].count > 0)
            chart_line(out, curves[set].points, curves[set].count, set, "", report->set_count > 1);
    }
    chart_end(out);
}

/* ---- the table ---- */

static void put_time(struct markup *out, double ns)
{
    char text[FIGURE_BYTES_MAX];
    markup_printf(out, "<td>%s</td>", text_measure(ns, MEASURE_MEAN_NS, WORK_FILES, text));
}

/* A percentile that less than one sample lies above is not told. */
static void put_percentile(struct markup *out, const struct histogram *latency, double percent)
{
    if (latency->count == 0 || (double)latency->count * (1 - percent / 100) < 1)
        markup_add(out, "<td>–</td>");
    else
        put_time(out, (double)histogram_percentile(latency, percent));
}

static const double percents[] = {50, 90, 99, 99.9, 99.99};

static void put_row(struct markup *out, const struct report *report, size_t set, const char *what,
                    const struct histogram *latency)
{
    char count[FIGURE_BYTES_MAX];
    markup_add(out, "<tr><th scope=\"row\">");
    if (report->set_count > 1)
        draw_chip(out, set);
    markup_printf(out, " %s</th><td>%s</td>", what, text_number((double)latency->count, count));
    put_time(out, histogram_mean(latency));
    for (size_t i = 0; i < COUNT_OF(percents); i++)
        put_percentile(out, latency, percents[i]);
    put_time(out, (double)latency->max_ns);
    markup_add(out, "</tr>\n");
}

static bool put_classes(struct markup *out, const struct report *report, const struct report_cell *cell, size_t set,
                        const struct histogram *all)
{
    struct histogram *latency = calloc(1, sizeof *latency);
    for (int op = 0; latency && op < CLASS_COUNT; op++) {
        memset(latency, 0, sizeof *latency);
        for (size_t i = 0; i < cell->count; i++)
            if (cell->runs[i]->result)
                histogram_merge(latency, &cell->runs[i]->result->total.of[op].latency);
        if (latency->count > 0 && latency->count != all->count)
            put_row(out, report, set, op_class_names[op], latency);
    }
    free(latency);
    return latency != NULL;
}

static void put_table(struct markup *out, const struct report *report, size_t row, const struct curve *curves)
{
    markup_add(out, "<details><summary>Latency in figures</summary><div class=\"scroll\"><table class=\"figures\">"
                    "<thead><tr><th scope=\"col\"></th><th scope=\"col\">count</th><th scope=\"col\">mean</th>");
    for (size_t i = 0; i < COUNT_OF(percents); i++)
        markup_printf(out, "<th scope=\"col\">p%g</th>", percents[i]);
    markup_add(out, "<th scope=\"col\">max</th></tr></thead>\n<tbody>\n");
    for (size_t set = 0; set < report->set_count; set++) {
        if (!curves[set].all)
            continue;
        put_row(out, report, set, "all", curves[set].all);
        out->is_short |= !put_classes(out, report, report_cell(report, row, set), set, curves[set].all);
    }
    markup_add(out, "</tbody></table></div></details>\n");
}

void draw_curve(struct markup *out, const struct report *report, size_t row)
{
    struct curve *curves = calloc(report->set_count, sizeof *curves);
    bool any = false, any_own = false;
    for (size_t set = 0; curves && !out->is_short && set < report->set_count; set++) {
        out->is_short |= !make_curve(&curves[set], report_cell(report, row, set));
        any |= curves[set].count > 0;
        any_own |= curves[set].all != NULL;
    }
    out->is_short |= curves == NULL;
    if (any && !out->is_short) {
        markup_add(out, "<figure>\n");
        put_picture(out, report, curves);
        if (any_own)
            put_table(out, report, row, curves);
        markup_add(out, "</figure>\n");
    }
    for (size_t set = 0; curves && set < report->set_count; set++)
        free(curves[set].all);
    free(curves);
}
