#include "report/chart.h"

#include "core/units.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- scales ---- */

/* 1, 2 or 5 times a power of ten, that is `value` or more. */
static double round_up(double value)
{
    double power = pow(10, floor(log10(value)));
    double digits = value / power;
    return power * (digits <= 1.0000001 ? 1 : digits <= 2.0000001 ? 2 : digits <= 5.0000001 ? 5 : 10);
}

static double round_down(double value)
{
    double power = pow(10, floor(log10(value)));
    double digits = value / power;
    return power * (digits >= 4.9999999 ? 5 : digits >= 1.9999999 ? 2 : 1);
}

#define TICK_ROOM_UP 28 /* between two numbers */
#define TICK_ROOM_ACROSS 60

struct scale scale_span(double high, double from, double to)
{
    struct scale scale = {0, high > 0 ? high : 1, from, to, false, 0};
    double room = to > from ? TICK_ROOM_ACROSS : TICK_ROOM_UP;
    scale.step = round_up(scale.high * room / fabs(to - from));
    return scale;
}

struct scale scale_linear(double high, double from, double to)
{
    struct scale scale = scale_span(high, from, to);
    scale.high = scale.step * ceil(scale.high / scale.step - 1e-9);
    return scale;
}

struct scale scale_log(double low, double high, double from, double to)
{
    low = low > 0 ? low : 1;
    high = high > low ? high : low;
    struct scale scale = {round_down(low), round_up(high), from, to, true, 0};
    if (scale.high <= scale.low)
        scale.high = round_up(scale.low * 1.5);
    return scale;
}

double scale_at(const struct scale *scale, double value)
{
    double share = scale->is_log ? log(value / scale->low) / log(scale->high / scale->low)
                                 : (value - scale->low) / (scale->high - scale->low);
    return scale->from + (scale->to - scale->from) * (share < 0 ? 0 : share > 1 ? 1 : share);
}

/* ---- numbers ---- */

void axis_number(double value, char out[32])
{
    if (value >= 1e6)
        snprintf(out, 32, "%.3g M", value / 1e6);
    else if (value >= 1e3)
        snprintf(out, 32, "%.3g k", value / 1e3);
    else
        snprintf(out, 32, "%.3g", value);
}

void axis_time(double value, char out[32])
{
    units_time_human(value, out, 32);
}

void axis_share(double value, char out[32])
{
    snprintf(out, 32, "%.3g %%", 100 * value);
}

void axis_seconds(double value, char out[32])
{
    snprintf(out, 32, "%.4g s", value);
}

/* ---- pictures ---- */

void chart_begin(struct markup *out, double height, const char *label)
{
    markup_printf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", CHART_WIDE, height);
    markup_text(out, label);
    markup_add(out, "\">\n");
}

void chart_end(struct markup *out)
{
    markup_add(out, "</svg>\n");
}

static void put_y_tick(struct markup *out, const struct scale *scale, double value, axis_text *text)
{
    char label[32];
    double y = scale_at(scale, value);
    text(value, label);
    markup_printf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"y\" x=\"%d\" y=\"%.1f\">", CHART_LEFT, y,
                  CHART_RIGHT, CHART_LEFT - 6, y + 4);
    markup_text(out, label);
    markup_add(out, "</text>");
}

/* 1, 2, 5 where there is room, else powers of ten, or of a thousand. */
static void put_log_ticks(struct markup *out, const struct scale *scale, axis_text *text)
{
    static const double steps[] = {1, 2, 5};
    double decades = log10(scale->high / scale->low);
    size_t each = decades <= 1.5 ? 3 : 1;
    int every = decades > 6 ? 2 : 1;
    for (int power = (int)floor(log10(scale->low) + 1e-9); pow(10, power) <= scale->high * 1.0000001; power++)
        for (size_t i = 0; i < each; i++) {
            double value = steps[i] * pow(10, power);
            if (power % every == 0 && value >= scale->low * 0.9999999 && value <= scale->high * 1.0000001)
                put_y_tick(out, scale, value, text);
        }
}

void chart_y_axis(struct markup *out, const struct scale *scale, axis_text *text, const char *title)
{
    if (title) {
        markup_printf(out, "<text class=\"t\" x=\"2\" y=\"%.0f\">", scale->to - 9);
        markup_text(out, title);
        markup_add(out, "</text>");
    }
    if (scale->is_log)
        put_log_ticks(out, scale, text);
    else
        for (int i = 0; i * scale->step <= scale->high * 1.0000001; i++)
            put_y_tick(out, scale, i * scale->step, text);
    markup_add(out, "\n");
}

void chart_x_tick(struct markup *out, double x, double top, double bottom, const char *text)
{
    markup_printf(out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/><text class=\"x\" x=\"%.1f\" y=\"%.1f\">", x, top,
                  bottom, x, bottom + 16);
    markup_text(out, text);
    markup_add(out, "</text>");
}

void chart_time_axis(struct markup *out, const struct scale *scale, double top, double bottom, bool has_numbers)
{
    double step = scale->step;
    for (int i = 0; i * step <= scale->high * 1.0000001; i++) {
        char text[32];
        axis_seconds(i * step, text);
        chart_x_tick(out, scale_at(scale, i * step), top, bottom, has_numbers ? text : "");
    }
    markup_add(out, "\n");
}

/* Sets that end alike have their letters beside each other, two of them. */
static void put_mark(struct markup *out, const struct chart_point *at, size_t set)
{
    double x = (at->x > CHART_WIDE - 24 ? CHART_WIDE - 24 : at->x + 3) + 10 * (double)(set % 2);
    markup_printf(out, "<text class=\"m f%zu\" x=\"%.1f\" y=\"%.1f\">%c</text>", set % CHART_COLOURS, x, at->y + 4,
                  (char)('A' + set));
}

void chart_line(struct markup *out, const struct chart_point *points, size_t count, size_t set, const char *kind,
                bool mark)
{
    bool is_open = false;
    const struct chart_point *last = NULL;
    size_t drawn = 0;
    markup_printf(out, "<path class=\"line s%zu %s\" d=\"", set % CHART_COLOURS, kind);
    for (size_t i = 0; i < count; i++) {
        bool is_there = fabs(points[i].y) <= DBL_MAX; /* neither NAN nor infinite */
        if (is_there) {
            markup_printf(out, "%c%.1f %.1f", is_open ? 'L' : 'M', points[i].x, points[i].y);
            last = &points[i];
            drawn++;
        }
        is_open = is_there;
    }
    markup_add(out, "\"/>");
    if (last && drawn == 1)
        markup_printf(out, "<circle class=\"f%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", set % CHART_COLOURS, last->x,
                      last->y);
    if (last && mark)
        put_mark(out, last, set);
    markup_add(out, "\n");
}
