/* report/ladder.c: jobs that differ in queue depth or threads alone: what more requests in flight bring. */
#include "report/draw.h"

#include "core/settings.h"
#include "report/chart.h"
#include "report/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_LEAST 3
#define STEPS_MAX 64
#define TOP 24
#define BOTTOM 170
#define HEIGHT 212

struct ladder {
    const struct setting *setting;
    size_t rows[STEPS_MAX]; /* by the setting's value */
    uint64_t values[STEPS_MAX];
    size_t count;
};

static uint64_t value_of(const struct job *job, const struct setting *setting)
{
    uint64_t value;
    memcpy(&value, (const char *)job + setting->offset, sizeof value);
    return value;
}

static void add_step(struct ladder *ladder, size_t row, uint64_t value)
{
    size_t at = ladder->count;
    if (ladder->count == STEPS_MAX)
        return;
    for (; at > 0 && ladder->values[at - 1] > value; at--) {
        ladder->values[at] = ladder->values[at - 1];
        ladder->rows[at] = ladder->rows[at - 1];
    }
    ladder->values[at] = value;
    ladder->rows[at] = row;
    ladder->count++;
}

/* The jobs that are `row` but for the setting; each value once. */
static struct ladder ladder_of(const struct report *report, size_t row, const struct setting *setting)
{
    struct ladder ladder = {.setting = setting};
    const struct job *job = &report_row(report, row)->example->job;
    for (size_t i = 0; i < report->row_count; i++) {
        const struct job *other = &report_row(report, i)->example->job;
        bool is_new = true;
        for (size_t k = 0; k < ladder.count; k++)
            is_new &= ladder.values[k] != value_of(other, setting);
        if (is_new && compare_is_same_but(job, other, setting))
            add_step(&ladder, i, value_of(other, setting));
    }
    return ladder;
}

/* ---- pictures ---- */

static double x_of(const struct ladder *ladder, size_t step)
{
    return CHART_LEFT + 14 + (CHART_RIGHT - CHART_LEFT - 34) * (double)step / (double)(ladder->count - 1);
}

static struct scale scale_of(const struct report *report, const struct ladder *ladder, enum measure measure)
{
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < ladder->count; i++)
        for (size_t set = 0; set < report->set_count; set++) {
            const struct cell *cell = &report->compared[measure].rows[ladder->rows[i]].cells[set];
            if (cell->runs == 0)
                continue;
            low = fmin(low, cell->geometric_mean);
            high = fmax(high, cell->geometric_mean);
        }
    return measure_forms[measure].is_better_high ? scale_linear(high, BOTTOM, TOP) : scale_log(low, high, BOTTOM, TOP);
}

static void put_picture(struct markup *out, const struct report *report, const struct ladder *ladder,
                        enum measure measure, const char *title)
{
    struct scale up = scale_of(report, ladder, measure);
    char label[160];
    snprintf(label, sizeof label, "%s over %s; the figures are in the table below", title, ladder->setting->name);
    chart_begin(out, HEIGHT, label);
    chart_y_axis(out, &up, measure_forms[measure].is_better_high ? axis_number : axis_time, title);
    for (size_t i = 0; i < ladder->count; i++) {
        snprintf(label, sizeof label, "%" PRIu64, ladder->values[i]);
        chart_x_tick(out, x_of(ladder, i), TOP, BOTTOM, label);
    }
    markup_printf(out, "<text class=\"x\" x=\"%d\" y=\"%d\">%s</text>\n", (CHART_LEFT + CHART_RIGHT) / 2, BOTTOM + 34,
                  strcmp(ladder->setting->name, "depth") == 0 ? "requests in flight, per thread" : "threads");
    for (size_t set = 0; set < report->set_count; set++) {
        struct chart_point points[STEPS_MAX];
        for (size_t i = 0; i < ladder->count; i++) {
            const struct cell *cell = &report->compared[measure].rows[ladder->rows[i]].cells[set];
            points[i] = (struct chart_point){x_of(ladder, i),
                                             cell->runs > 0 ? scale_at(&up, cell->geometric_mean) : (double)NAN};
        }
        chart_line(out, points, ladder->count, set, "", report->set_count > 1);
    }
    chart_end(out);
}

static void put_step(struct markup *out, const struct report *report, const struct ladder *ladder, size_t step)
{
    static const enum measure shown[] = {MEASURE_RATE, MEASURE_P99_NS};
    size_t row = ladder->rows[step];
    markup_printf(out, "<tr><th scope=\"row\">%" PRIu64 "</th>", ladder->values[step]);
    for (size_t set = 0; set < report->set_count; set++)
        for (size_t i = 0; i < COUNT_OF(shown); i++) {
            const struct cell *cell = report->has[shown[i]] ? &report->compared[shown[i]].rows[row].cells[set] : NULL;
            char text[FIGURE_BYTES_MAX] = "–";
            if (cell && cell->runs > 0)
                text_measure(cell->geometric_mean, shown[i], report_row(report, row)->example->job.work, text);
            markup_printf(out, "<td>%s</td>", text);
        }
    markup_add(out, "</tr>\n");
}

static void put_table(struct markup *out, const struct report *report, const struct ladder *ladder)
{
    markup_printf(out,
                  "<details><summary>In figures</summary><div class=\"scroll\"><table class=\"figures\"><thead><tr><th "
                  "scope=\"col\">%s</th>",
                  ladder->setting->name);
    for (size_t set = 0; set < report->set_count; set++) {
        markup_add(out, "<th scope=\"col\">");
        draw_chip(out, set);
        markup_add(out, " rate</th><th scope=\"col\">");
        draw_chip(out, set);
        markup_add(out, " p99</th>");
    }
    markup_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < ladder->count; i++)
        put_step(out, report, ladder, i);
    markup_add(out, "</tbody></table></div></details>\n");
}

/* Without what the steps say of themselves: "random-read" of "random-read.depth=4". */
static void put_name(struct markup *out, const struct report *report, const struct ladder *ladder)
{
    char name[256], key[NAME_MAX_BYTES + 2];
    snprintf(name, sizeof name, "%s", report_row_name(report, ladder->rows[0]));
    snprintf(key, sizeof key, ".%s=", ladder->setting->name);
    char *at = strstr(name, key);
    if (at)
        memmove(at, at + strlen(key) + strspn(at + strlen(key), "0123456789"),
                strlen(at + strlen(key) + strspn(at + strlen(key), "0123456789")) + 1);
    markup_add(out, "<h3>");
    markup_text(out, name);
    markup_add(out, "</h3>\n");
}

static void put_ladder(struct markup *out, const struct report *report, const struct ladder *ladder)
{
    bool is_files = report_row(report, ladder->rows[0])->example->job.work == WORK_FILES;
    markup_add(out, "<section class=\"job\">\n");
    put_name(out, report, ladder);
    draw_legend(out, report, ladder->rows[0]);
    markup_add(out, "<div class=\"pair\">\n<figure>\n");
    put_picture(out, report, ladder, MEASURE_RATE, is_files ? "IOs per second" : "transactions per second");
    markup_add(out, "</figure>\n<figure>\n");
    if (report->has[MEASURE_P99_NS])
        put_picture(out, report, ladder, MEASURE_P99_NS, "99th percentile of latency");
    markup_add(out, "</figure>\n</div>\n");
    put_table(out, report, ladder);
    markup_add(out, "</section>\n");
}

/* A ladder is drawn with its first row alone. */
void draw_ladders(struct markup *out, const struct report *report)
{
    static const char *const names[] = {"depth", "threads"};
    bool begun = false;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t row = 0; row < report->row_count; row++) {
            struct ladder ladder = ladder_of(report, row, setting_find(names[i]));
            size_t first = SIZE_MAX;
            for (size_t k = 0; k < ladder.count; k++)
                first = ladder.rows[k] < first ? ladder.rows[k] : first;
            if (ladder.count < STEPS_LEAST || first != row)
                continue;
            if (!begun)
                markup_add(out, "<section>\n<h2>More at a time</h2>\n");
            begun = true;
            put_ladder(out, report, &ladder);
        }
    if (begun)
        markup_add(out, "</section>\n");
}
