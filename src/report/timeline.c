/* report/timeline.c: a run over its time: rate, tail latency, and under them what the host did meanwhile. One run of
 * each set: the one whose rate is next to the median. */
#include "report/draw.h"

#include "core/units.h"
#include "report/chart.h"
#include "report/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 160 /* more are put together */
#define FIRST_TOP 22
#define PANEL 76 /* high */
#define PITCH 108

struct track {                             /* of one set in one panel */
    struct chart_point points[POINTS_MAX]; /* seconds, value */
    size_t count;
    double sum, least, most;
};

/* What is drawn: of the run's intervals, or of the host's samples. NAN = not told. */
typedef double of_interval(const struct interval *interval, const struct job *job);
typedef double of_sample(const struct host_point *sample);

struct panel {
    const char *title;
    axis_text *text;
    of_interval *interval;
    of_sample *sample;
    double top; /* the axis goes up to here at least */
    bool is_log, takes_highest;
};

static double rate_in(const struct interval *interval, const struct job *job)
{
    (void)job;
    return (double)interval->latency_events * 1e9 / (double)(interval->end_ns - interval->start_ns);
}

static double tail_in(const struct interval *interval, const struct job *job)
{
    (void)job;
    return interval->latency_events > 0 ? (double)interval->latency_percentile_ns : (double)NAN;
}

static double worst_in(const struct interval *interval, const struct job *job)
{
    (void)job;
    return interval->latency_events > 0 ? (double)interval->latency_max_ns : (double)NAN;
}

#define OF_SAMPLE(name, field)                                                                                         \
    static double name(const struct host_point *sample)                                                                \
    {                                                                                                                  \
        return sample->field;                                                                                          \
    }
OF_SAMPLE(cpu_of, cpu_busy)
OF_SAMPLE(iowait_of, cpu_iowait)
OF_SAMPLE(device_busy_of, device_busy)
OF_SAMPLE(device_queue_of, device_queue)
OF_SAMPLE(dirty_mib_of, dirty_bytes / 0x1p20)
OF_SAMPLE(network_mib_of, network_bytes_per_s / 0x1p20)
OF_SAMPLE(throttled_of, throttled_per_s)

static const struct panel panels[] = {
    {"rate, per second", axis_number, rate_in, NULL, 0, false, false},
    {"tail latency", axis_time, tail_in, NULL, 0, true, true},
    {"highest latency", axis_time, worst_in, NULL, 0, true, true},
    {"host: CPUs busy", axis_share, NULL, cpu_of, 1, false, false},
    {"host: CPUs waiting for IO", axis_share, NULL, iowait_of, 0, false, false},
    {"host: device busy", axis_share, NULL, device_busy_of, 1, false, false},
    {"host: requests in the device's queue", axis_number, NULL, device_queue_of, 0, false, false},
    {"host: MiB written, not yet on the device", axis_number, NULL, dirty_mib_of, 0, false, true},
    {"host: network, MiB per second", axis_number, NULL, network_mib_of, 0, false, false},
    {"host: throttled, per second", axis_number, NULL, throttled_of, 0, false, true},
};

/* ---- tracks ---- */

static void add_point(struct track *track, double x, double y)
{
    track->least = track->count == 0 || y < track->least ? y : track->least;
    track->most = track->count == 0 || y > track->most ? y : track->most;
    track->sum += y;
    track->points[track->count++] = (struct chart_point){x, y};
}

/* Several neighbours become one point: their mean, or the highest of them. */
struct bundle {
    const struct panel *panel;
    struct track *track;
    size_t each, held;
    double sum, most;
};

static void bundle_end(struct bundle *bundle, double x)
{
    if (bundle->held > 0)
        add_point(bundle->track, x, bundle->panel->takes_highest ? bundle->most : bundle->sum / (double)bundle->held);
    bundle->held = 0;
}

static void bundle_add(struct bundle *bundle, double x, double y)
{
    if (!(fabs(y) <= DBL_MAX)) /* not told */
        return;
    bundle->most = bundle->held == 0 || y > bundle->most ? y : bundle->most;
    bundle->sum = (bundle->held == 0 ? 0 : bundle->sum) + y;
    if (++bundle->held == bundle->each)
        bundle_end(bundle, x);
}

static size_t bundle_size(size_t count)
{
    return (count + POINTS_MAX - 1) / POINTS_MAX;
}

/* What is left of the last interval when the time is up is too short to say a rate. */
static bool is_whole(const struct result *result, size_t i)
{
    uint64_t first_ns = result->series[0].end_ns - result->series[0].start_ns,
             ns = result->series[i].end_ns - result->series[i].start_ns;
    return ns > 0 && ns >= first_ns / 4;
}

static void follow(struct track *track, const struct panel *panel, const struct report *report,
                   const struct reading *run)
{
    const struct result *result = run->result;
    const struct host_course *host = report_host_course(report, run);
    size_t count = panel->interval ? result->series_count : host ? host->count : 0;
    struct bundle bundle = {panel, track, bundle_size(count), 0, 0, 0};
    double x = 0;
    for (size_t i = 0; i < count; i++) {
        if (panel->interval && !is_whole(result, i))
            continue;
        x = panel->interval ? (double)result->series[i].end_ns / 1e9 : host->samples[i].end_s;
        bundle_add(&bundle, x,
                   panel->interval ? panel->interval(&result->series[i], &run->job) : panel->sample(&host->samples[i]));
    }
    bundle_end(&bundle, x);
}

/* ---- a panel ---- */

static double end_of(const struct report *report, size_t row)
{
    double end_s = 0;
    for (size_t set = 0; set < report->set_count; set++) {
        const struct reading *run = report_cell(report, row, set)->typical;
        if (run && run->result && run->result->series_count > 0)
            end_s = fmax(end_s, (double)run->result->series[run->result->series_count - 1].end_ns / 1e9);
    }
    return end_s;
}

struct drawing {
    struct markup *out, table; /* rows of the table gather meanwhile */
    const struct report *report;
    size_t row, drawn;
    struct scale across;
    struct track *tracks; /* one per set */
};

static struct scale scale_of(const struct drawing *drawing, const struct panel *panel, double bottom, double top)
{
    double low = HUGE_VAL, high = panel->top;
    for (size_t set = 0; set < drawing->report->set_count; set++)
        if (drawing->tracks[set].count > 0) {
            low = fmin(low, drawing->tracks[set].least);
            high = fmax(high, drawing->tracks[set].most);
        }
    return panel->is_log ? scale_log(low, high, bottom, top) : scale_linear(high, bottom, top);
}

static void put_figures(struct drawing *drawing, const struct panel *panel, const char *title)
{
    for (size_t set = 0; set < drawing->report->set_count; set++) {
        const struct track *track = &drawing->tracks[set];
        char texts[3][32];
        if (track->count == 0)
            continue;
        panel->text(track->least, texts[0]);
        panel->text(track->sum / (double)track->count, texts[1]);
        panel->text(track->most, texts[2]);
        markup_add(&drawing->table, "<tr><th scope=\"row\">");
        if (drawing->report->set_count > 1)
            draw_chip(&drawing->table, set);
        markup_add(&drawing->table, " ");
        markup_text(&drawing->table, title);
        markup_printf(&drawing->table, "</th><td>%s</td><td>%s</td><td>%s</td></tr>\n", texts[0], texts[1], texts[2]);
    }
}

static void put_panel(struct drawing *drawing, const struct panel *panel, const char *title)
{
    double top = FIRST_TOP + (double)(drawing->drawn++ * PITCH);
    struct scale up = scale_of(drawing, panel, top + PANEL, top);
    chart_y_axis(drawing->out, &up, panel->text, title);
    chart_time_axis(drawing->out, &drawing->across, top, top + PANEL, false);
    put_figures(drawing, panel, title);
    for (size_t set = 0; set < drawing->report->set_count; set++) {
        struct track *track = &drawing->tracks[set];
        for (size_t i = 0; i < track->count; i++)
            track->points[i] =
                (struct chart_point){scale_at(&drawing->across, track->points[i].x), scale_at(&up, track->points[i].y)};
        if (track->count > 0)
            chart_line(drawing->out, track->points, track->count, set, "thin", drawing->report->set_count > 1);
    }
}

/* False when no set tells it, or when all say that there was none of it. */
static bool fill_tracks(struct drawing *drawing, const struct panel *panel)
{
    bool any = false;
    for (size_t set = 0; set < drawing->report->set_count; set++) {
        const struct reading *run = report_cell(drawing->report, drawing->row, set)->typical;
        struct track *track = &drawing->tracks[set];
        memset(track, 0, sizeof *track);
        if (run && run->result)
            follow(track, panel, drawing->report, run);
        any |= track->count > 0 && (panel->interval || track->most > 0);
    }
    return any;
}

static void title_of(const struct drawing *drawing, const struct panel *panel, char out[96])
{
    const struct job *job = &report_row(drawing->report, drawing->row)->example->job;
    if (panel->interval == tail_in)
        snprintf(out, 96, "latency, p%g of each interval", job->interval_percentile);
    else if (panel->interval == rate_in)
        snprintf(out, 96, "%s per second", job->work == WORK_FILES ? "IOs" : "transactions");
    else
        snprintf(out, 96, "%s", panel->title);
}

static void put_panels(struct drawing *drawing)
{
    for (size_t i = 0; i < COUNT_OF(panels); i++) {
        char title[96];
        title_of(drawing, &panels[i], title);
        if (fill_tracks(drawing, &panels[i]))
            put_panel(drawing, &panels[i], title);
    }
}

/* ---- all ---- */

/* The height is known when all panels are drawn. */
static void put_all(struct markup *out, struct drawing *drawing)
{
    struct markup inside = {0};
    drawing->out = &inside;
    put_panels(drawing);
    double bottom = FIRST_TOP + (double)(drawing->drawn * PITCH) - PITCH + PANEL;
    chart_time_axis(&inside, &drawing->across, bottom, bottom, true);
    char *pictures = markup_finish(&inside), *rows = markup_finish(&drawing->table);
    out->is_short |= !pictures || !rows;
    if (pictures && rows && drawing->drawn > 0) {
        markup_add(out, "<figure>\n");
        chart_begin(out, bottom + 22, "The run over its time in seconds; the figures are in the table below");
        markup_add(out, pictures);
        chart_end(out);
        markup_add(out, "<details><summary>Over time in figures</summary><div class=\"scroll\"><table "
                        "class=\"figures\"><thead><tr><th scope=\"col\"></th><th scope=\"col\">least</th><th "
                        "scope=\"col\">mean</th><th scope=\"col\">most</th></tr></thead>\n<tbody>\n");
        markup_add(out, rows);
        markup_add(out, "</tbody></table></div></details>\n</figure>\n");
    }
    free(pictures);
    free(rows);
}

void draw_timeline(struct markup *out, const struct report *report, size_t row)
{
    double end_s = end_of(report, row);
    struct drawing drawing = {.report = report, .row = row};
    if (end_s <= 0)
        return;
    drawing.across = scale_span(end_s, CHART_LEFT, CHART_RIGHT - 10);
    drawing.tracks = calloc(report->set_count, sizeof *drawing.tracks);
    out->is_short |= !drawing.tracks;
    if (drawing.tracks)
        put_all(out, &drawing);
    free(drawing.tracks);
}
