/* report/job.c: all about one job. */
#include "report/draw.h"

#include <string.h>

void draw_job(struct markup *out, const struct report *report, size_t row)
{
    const char *name = report_row_name(report, row), *work = report_row_work(report, row);
    markup_printf(out, "<section class=\"job\" id=\"job-%zu\">\n<h3>", row);
    markup_text(out, name);
    markup_add(out, "</h3>\n");
    if (strcmp(name, work) != 0) {
        markup_add(out, "<p class=\"soft\">");
        markup_text(out, work);
        markup_add(out, "</p>\n");
    }
    draw_legend(out, report, row);
    markup_add(out, "<div class=\"pair\">\n<div>\n");
    draw_curve(out, report, row);
    draw_heat(out, report, row);
    markup_add(out, "</div>\n<div>\n");
    draw_timeline(out, report, row);
    markup_add(out, "</div>\n</div>\n");
    draw_commands(out, report, row);
    markup_add(out, "</section>\n");
}
