/* report/page.c: the page as a whole. No script and nothing from elsewhere: it can be mailed, printed and kept. */
#include "report/draw.h"

#include "platform/clock.h"
#include "report/chart.h"

#include <inttypes.h>
#include <time.h>

void draw_chip(struct markup *out, size_t set)
{
    markup_printf(out, "<b class=\"chip b%zu\">%c</b>", set % CHART_COLOURS, (char)('A' + set));
}

void draw_legend(struct markup *out, const struct report *report, size_t row)
{
    markup_add(out, "<p class=\"legend\">");
    for (size_t i = 0; i < report->set_count; i++) {
        if (report_cell(report, row, i)->count == 0)
            continue;
        markup_add(out, "<span>");
        draw_chip(out, i);
        markup_add(out, " ");
        markup_text(out, report->sets[i].title);
        markup_add(out, "</span> ");
    }
    markup_add(out, "</p>\n");
}

/* ---- head ---- */

static void put_date(struct markup *out, uint64_t wall_ns)
{
    time_t seconds = (time_t)(wall_ns / NS_PER_S);
    char text[32];
    const struct tm *utc = gmtime(&seconds); // NOLINT(concurrency-mt-unsafe)
    if (utc && strftime(text, sizeof text, "%Y-%m-%d %H:%M", utc) > 0)
        markup_add(out, text);
}

static void put_span(struct markup *out, const struct report *report)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < report->readings.count; i++) {
        const struct result *result = report->readings.items[i]->result;
        if (!result || result->wall_start_ns == 0)
            continue;
        first = result->wall_start_ns < first ? result->wall_start_ns : first;
        last = result->wall_start_ns > last ? result->wall_start_ns : last;
    }
    if (last == 0)
        return;
    markup_add(out, " · ");
    put_date(out, first);
    if (last / NS_PER_S / 60 != first / NS_PER_S / 60) {
        markup_add(out, " to ");
        put_date(out, last);
    }
    markup_add(out, " UTC");
}

static void put_head(struct markup *out, const struct report *report)
{
    markup_add(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                    "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
    markup_text(out, report->title);
    markup_add(out, "</title>\n<style>\n");
    for (size_t i = 0; page_style[i]; i++)
        markup_add(out, page_style[i]);
    markup_add(out, "</style>\n</head>\n<body>\n<header>\n<h1>");
    markup_text(out, report->title);
    markup_printf(out, "</h1>\n<p class=\"soft\">%zu set%s of results · %zu job%s · %zu run%s", report->set_count,
                  report->set_count == 1 ? "" : "s", report->row_count, report->row_count == 1 ? "" : "s",
                  report->readings.count, report->readings.count == 1 ? "" : "s");
    put_span(out, report);
    markup_add(out, "</p>\n</header>\n<main>\n");
}

/* ---- jobs ---- */

static void put_contents(struct markup *out, const struct report *report)
{
    markup_add(out, "<nav aria-label=\"Jobs\"><ul>");
    for (size_t i = 0; i < report->row_count; i++) {
        markup_printf(out, "<li><a href=\"#job-%zu\">", i);
        markup_text(out, report_row_name(report, i));
        markup_add(out, "</a></li>");
    }
    markup_add(out, "</ul></nav>\n");
}

static void put_jobs(struct markup *out, const struct report *report)
{
    if (report->row_count == 0)
        return;
    markup_add(out, "<section class=\"jobs\">\n<h2>Job by job</h2>\n");
    if (report->row_count > 1)
        put_contents(out, report);
    for (size_t i = 0; i < report->row_count; i++)
        draw_job(out, report, i);
    markup_add(out, "</section>\n");
}

static void put_foot(struct markup *out)
{
    markup_add(out,
               "</main>\n<footer>\n<p class=\"soft\">Made by isobench " ISOBENCH_VERSION
               ". Figures are geometric means over a job's runs, and ratios are of these; one is beyond noise when "
               "its 95 % confidence interval (Welch's, on logarithms) leaves 1 out, with three runs or more on both "
               "sides. A latency is one request, from submission to completion. MiB are 1 048 576 "
               "bytes.</p>\n</footer>\n</body>\n</html>\n");
}

char *report_to_html(const struct report *report)
{
    struct markup out = {0};
    put_head(&out, report);
    draw_cards(&out, report);
    draw_results(&out, report);
    draw_remarks(&out, report);
    draw_ladders(&out, report);
    draw_attributions(&out, report);
    put_jobs(&out, report);
    draw_hosts(&out, report);
    put_foot(&out);
    return markup_finish(&out);
}
