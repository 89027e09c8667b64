/* report/attributions.c: how much of a difference each setting makes, as `isobench attribute` measured it. */
#include "report/draw.h"

#include "reconcile/attribute_print.h"
#include "report/text.h"

#include <stdlib.h>

static void put_effect(struct markup *out, const char *name, const struct ratio *ratio)
{
    char value[FIGURE_BYTES_MAX], low[FIGURE_BYTES_MAX], high[FIGURE_BYTES_MAX];
    markup_add(out, "<tr><th scope=\"row\">");
    markup_text(out, name);
    markup_printf(out, "</th><td>%s</td><td>", text_ratio(ratio->value, value));
    if (ratio->has_interval)
        markup_printf(out, "%s to %s%s", text_ratio(ratio->low, low), text_ratio(ratio->high, high),
                      stats_ratio_is_noise(ratio) ? ", within noise" : "");
    markup_add(out, "</td></tr>\n");
}

static void put_one(struct markup *out, const struct report_attribution *one)
{
    char *picture = attribute_to_svg(&one->plan, &one->found);
    out->is_short |= picture == NULL;
    markup_add(out, "<section class=\"job\">\n<h3>");
    markup_text(out, one->name);
    markup_add(out, "</h3>\n<div class=\"scroll waterfall\" tabindex=\"0\">");
    markup_add(out, picture ? picture : "");
    markup_add(out,
               "</div>\n<details><summary>In figures</summary><div class=\"scroll\"><table class=\"figures\"><thead>"
               "<tr><th scope=\"col\">setting</th><th scope=\"col\">effect</th><th scope=\"col\">95 % "
               "confidence</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < one->plan.step_count; i++)
        put_effect(out, one->plan.steps[i].name, &one->found.effects[i]);
    put_effect(out, "product of the effects", &one->found.product);
    put_effect(out, "B over A, by itself", &one->found.direct);
    put_effect(out, "remainder", &one->found.remainder);
    markup_add(out, "</tbody></table></div></details>\n</section>\n");
    free(picture);
}

void draw_attributions(struct markup *out, const struct report *report)
{
    if (report->attribution_count == 0)
        return;
    markup_add(out,
               "<section>\n<h2>Which setting makes the difference</h2>\n<p class=\"soft\">A and B are here the two "
               "jobs of the attribution, not the sets of this page.</p>\n");
    for (size_t i = 0; i < report->attribution_count; i++)
        put_one(out, &report->attributions[i]);
    markup_add(out, "</section>\n");
}
