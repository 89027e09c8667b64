/* report/chart.h: axes and lines in SVG, for pictures that a phone shows whole. All take their colours from the page's
 * style: a set's by its class s0, s1 …, so that a set looks the same wherever it is. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "core/markup.h"

#include <stdbool.h>
#include <stddef.h>

#define CHART_WIDE 400 /* of the view box */
#define CHART_LEFT 56  /* where the plot begins: the numbers of its axis stand left of it */
#define CHART_RIGHT 384
#define CHART_COLOURS 8

struct scale {
    double low, high; /* values */
    double from, to;  /* where they are drawn */
    bool is_log;
    double step; /* between two ticks; of a linear scale */
};

/* From 0 up to `high`. */
struct scale scale_span(double high, double from, double to);
/* From 0 up to a round number that is `high` or more. */
struct scale scale_linear(double high, double from, double to);
/* From a round number below `low` (above 0) to one above `high`. */
struct scale scale_log(double low, double high, double from, double to);
double scale_at(const struct scale *scale, double value);

/* How a value of an axis is written. */
typedef void axis_text(double value, char out[32]);
axis_text axis_number, axis_time, axis_share, axis_seconds;

/* `label`: what the picture shows, for those who do not see it. */
void chart_begin(struct markup *out, double height, const char *label);
void chart_end(struct markup *out);
/* Numbers and lines across the plot; `title` stands above the axis; NULL = none. */
void chart_y_axis(struct markup *out, const struct scale *scale, axis_text *text, const char *title);
/* Seconds, below the plot, whose height is from `top` to `bottom`; lines alone without `has_numbers`. */
void chart_time_axis(struct markup *out, const struct scale *scale, double top, double bottom, bool has_numbers);
/* One tick of an axis below the plot. */
void chart_x_tick(struct markup *out, double x, double top, double bottom, const char *text);

struct chart_point {
    double x, y; /* as drawn; NAN in y breaks the line */
};

/* A set's line. A letter stands at its end unless `mark` is false; a line of one point is a dot. */
void chart_line(struct markup *out, const struct chart_point *points, size_t count, size_t set, const char *kind,
                bool mark);

#endif
