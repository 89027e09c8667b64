/* report/draw.h: the parts of the page. Each is markup that stands by itself; what has nothing to show adds nothing. */
#ifndef REPORT_DRAW_H
#define REPORT_DRAW_H

#include "core/histogram.h"
#include "core/markup.h"
#include "report/report.h"

extern const char *const page_style[]; /* parts of the style sheet, NULL-terminated; style.c */

/* page.c */
void draw_chip(struct markup *out, size_t set);                                /* the set's letter in its colour */
void draw_legend(struct markup *out, const struct report *report, size_t row); /* of the sets that have run the job */

/* summary.c */
void draw_cards(struct markup *out, const struct report *report);   /* how the sets stand, at first sight */
void draw_results(struct markup *out, const struct report *report); /* a row for each job */
void draw_remarks(struct markup *out, const struct report *report);
void draw_hosts(struct markup *out, const struct report *report);

/* job.c, curve.c, timeline.c, heat.c, commands.c: of one job */
void draw_job(struct markup *out, const struct report *report, size_t row);
void draw_curve(struct markup *out, const struct report *report, size_t row);
void draw_timeline(struct markup *out, const struct report *report, size_t row);
void draw_heat(struct markup *out, const struct report *report, size_t row);
void draw_commands(struct markup *out, const struct report *report, size_t row);

void draw_ladders(struct markup *out, const struct report *report);      /* ladder.c: over queue depths and threads */
void draw_attributions(struct markup *out, const struct report *report); /* attributions.c */

#endif
