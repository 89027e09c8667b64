/* report/heat.c: where a run's latencies lay over its time: one picture of each set, of the run next to the median. */
#include "report/draw.h"

#include "core/units.h"
#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 80 /* more intervals are put together */
#define SHADES 8
#define TOP 24
#define BOTTOM 170
#define HEIGHT 196

struct heat {
    uint64_t counts[COLUMNS_MAX][LATENCY_CELLS];
    double ends_s[COLUMNS_MAX];
    size_t columns;
    uint64_t most; /* in one cell of one column */
    bool has_cells;
};

/* The cells that any picture of the row needs, so that all have one axis. */
struct window {
    uint32_t first, end;
    double end_s;
};

static void fill(struct heat *heat, const struct result *result)
{
    size_t each = (result->series_count + COLUMNS_MAX - 1) / COLUMNS_MAX;
    memset(heat, 0, sizeof *heat);
    for (size_t i = 0; i < result->series_count; i++) {
        const struct interval *interval = &result->series[i];
        size_t column = i / each;
        for (uint32_t cell = 0; cell < LATENCY_CELLS; cell++) {
            uint64_t *count = &heat->counts[column][cell];
            *count += interval->latency_cells[cell];
            heat->most = *count > heat->most ? *count : heat->most;
        }
        heat->ends_s[column] = (double)interval->end_ns / 1e9;
        heat->columns = column + 1;
    }
    heat->has_cells = heat->most > 0;
}

static void widen(struct window *window, const struct heat *heat)
{
    for (size_t column = 0; column < heat->columns; column++)
        for (uint32_t cell = 0; cell < LATENCY_CELLS; cell++)
            if (heat->counts[column][cell] > 0) {
                window->first = cell < window->first ? cell : window->first;
                window->end = cell + 1 > window->end ? cell + 1 : window->end;
            }
    if (heat->columns > 0)
        window->end_s = fmax(window->end_s, heat->ends_s[heat->columns - 1]);
}

/* ---- the picture ---- */

static double y_of(const struct window *window, double cell)
{
    return BOTTOM - (BOTTOM - TOP) * (cell - window->first) / (window->end - window->first);
}

#define UINT64_DIGITS 19 /* that any number of so many digits fits in */

/* Powers of ten, and their halves where there is room, where they lie between the cells' edges. */
static void put_latency_axis(struct markup *out, const struct window *window)
{
    static const double steps[] = {1, 2, 5};
    double low = (double)histogram_bucket_low(window->first * LATENCY_CELL_BUCKETS),
           high = (double)histogram_bucket_low(window->end * LATENCY_CELL_BUCKETS - 1);
    size_t each = high < 40 * low ? COUNT_OF(steps) : 1;
    uint64_t power = 1;
    for (int digits = 1; digits <= UINT64_DIGITS && (double)power <= high; digits++, power *= 10)
        for (size_t i = 0; i < each; i++) {
            double value = steps[i] * (double)power, bucket = histogram_bucket((uint64_t)value);
            char text[32];
            if (value < low || value > high)
                continue;
            double y = y_of(window, bucket / LATENCY_CELL_BUCKETS);
            axis_time(value, text);
            markup_printf(out, "<text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>", CHART_LEFT - 6, y + 4, text);
        }
}

/* By the root of the count, so that a few slow ones are seen beside many fast ones. */
static int shade_of(const struct heat *heat, uint64_t count)
{
    int shade = (int)ceil(SHADES * sqrt((double)count / (double)heat->most));
    return shade < 1 ? 1 : shade > SHADES ? SHADES : shade;
}

/* One path of all cells of a shade: a rectangle each. */
static void put_shade(struct markup *out, const struct heat *heat, const struct window *window,
                      const struct scale *across, int shade, size_t set)
{
    double high = (BOTTOM - TOP) / (double)(window->end - window->first);
    markup_printf(out, "<path class=\"f%zu\" fill-opacity=\"%.3f\" d=\"", set % CHART_COLOURS,
                  0.12 + 0.88 * (shade - 1) / (SHADES - 1));
    for (size_t column = 0; column < heat->columns; column++) {
        double from = scale_at(across, column > 0 ? heat->ends_s[column - 1] : 0),
               to = scale_at(across, heat->ends_s[column]);
        for (uint32_t cell = window->first; cell < window->end; cell++)
            if (heat->counts[column][cell] > 0 && shade_of(heat, heat->counts[column][cell]) == shade)
                markup_printf(out, "M%.1f %.1fH%.1fv%.1fH%.1fz", from, y_of(window, cell + 1), to, high, from);
    }
    markup_add(out, "\"/>\n");
}

/* Where nine of ten are, in words, for those who do not see it. */
static void put_label(char *out, size_t out_bytes, const struct heat *heat, const struct window *window, size_t set)
{
    uint64_t total = 0, below = 0;
    char low[32], high[32];
    uint32_t from = window->first, to = window->end;
    for (size_t column = 0; column < heat->columns; column++)
        for (uint32_t cell = 0; cell < LATENCY_CELLS; cell++)
            total += heat->counts[column][cell];
    for (uint32_t cell = window->first; cell < window->end; cell++) {
        for (size_t column = 0; column < heat->columns; column++)
            below += heat->counts[column][cell];
        from = below * 20 <= total ? cell + 1 : from;
        to = to == window->end && below * 20 >= 19 * total ? cell + 1 : to;
    }
    units_time_human((double)histogram_bucket_low(from * LATENCY_CELL_BUCKETS), low, sizeof low);
    units_time_human((double)histogram_bucket_low((to < LATENCY_CELLS ? to : LATENCY_CELLS - 1) * LATENCY_CELL_BUCKETS),
                     high, sizeof high);
    snprintf(out, out_bytes, "Set %c: latencies over the run's time; nine of ten lie between %s and %s",
             (char)('A' + set), low, high);
}

static void put_heat(struct markup *out, const struct heat *heat, const struct window *window, size_t set,
                     bool is_alone)
{
    struct scale across = scale_span(window->end_s, CHART_LEFT, CHART_RIGHT - 10);
    char text[200];
    markup_add(out, "<figure>\n");
    put_label(text, sizeof text, heat, window, set);
    chart_begin(out, HEIGHT, text);
    snprintf(text, sizeof text, is_alone ? "latencies over time" : "%c: latencies over time", (char)('A' + set));
    markup_printf(out, "<text class=\"t\" x=\"2\" y=\"%d\">%s</text>", TOP - 9, text);
    put_latency_axis(out, window);
    chart_time_axis(out, &across, BOTTOM, BOTTOM, true);
    for (int shade = 1; shade <= SHADES; shade++)
        put_shade(out, heat, window, &across, shade, set);
    markup_printf(out, "<path class=\"grid\" d=\"M%d %dV%dH%.1f\"/>\n", CHART_LEFT, TOP, BOTTOM, across.to);
    chart_end(out);
    markup_add(out, "</figure>\n");
}

/* ---- all ---- */

static void put_lack(struct markup *out, uint32_t sets)
{
    if (sets == 0)
        return;
    markup_add(out, "<p class=\"soft\">No heat map of ");
    for (size_t set = 0; sets >> set; set++)
        if (sets >> set & 1)
            draw_chip(out, set);
    markup_add(out, ": those results hold no latencies by interval, as they were made by an older version of "
                    "isobench.</p>\n");
}

static void put_all(struct markup *out, const struct report *report, size_t row, struct heat *heat)
{
    struct window window = {LATENCY_CELLS, 0, 0};
    uint32_t lacking = 0; /* bits of sets */
    for (size_t set = 0; set < report->set_count; set++) {
        const struct reading *run = report_cell(report, row, set)->typical;
        if (!run || !run->result)
            continue;
        fill(heat, run->result);
        lacking |= !heat->has_cells && heat->columns > 0 ? 1U << set : 0;
        widen(&window, heat);
    }
    for (size_t set = 0; window.first < window.end && set < report->set_count; set++) {
        const struct reading *run = report_cell(report, row, set)->typical;
        if (!run || !run->result)
            continue;
        fill(heat, run->result);
        if (heat->has_cells)
            put_heat(out, heat, &window, set, report->set_count == 1);
    }
    put_lack(out, lacking);
}

void draw_heat(struct markup *out, const struct report *report, size_t row)
{
    struct heat *heat = calloc(1, sizeof *heat);
    out->is_short |= heat == NULL;
    if (heat)
        put_all(out, report, row, heat);
    free(heat);
}
