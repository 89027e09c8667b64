/* reconcile/attribute_print.c: an attribution for people, as data, and as a picture. */
#include "reconcile/attribute_print.h"
#include "core/json_fields.h"
#include "core/markup.h"
#include "reconcile/attribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 15

/* ---- figures ---- */

double attribute_rate(const struct attribute_plan *plan, uint32_t mask)
{
    double sum = 0, count = 0;
    for (size_t slot = 0; slot < plan->slot_count; slot++)
        for (size_t round = 0; plan->slots[slot].mask == mask && round < plan->rounds; round++, count++)
            sum += log(plan->rates[round * plan->slot_count + slot]);
    return count > 0 ? exp(sum / count) : 0;
}

static uint32_t last_mask(const struct attribute_plan *plan)
{
    return (uint32_t)((UINT64_C(1) << plan->step_count) - 1);
}

/* ---- text ---- */

static void put_ratio(const struct ratio *ratio, FILE *out)
{
    fprintf(out, "×%-8.4g", ratio->value);
    if (ratio->has_interval)
        fprintf(out, " (%.4g to %.4g)%s", ratio->low, ratio->high, stats_ratio_is_noise(ratio) ? "  within noise" : "");
    fputc('\n', out);
}

/* Columns of a UTF-8 text. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += (*text & 0xC0) != 0x80;
    return width;
}

static void put_name(const char *name, int room, FILE *out)
{
    int width = width_of(name);
    fprintf(out, "  %s%*s", name, width < room ? room - width : 1, "");
}

void attribute_print(const struct attribute_plan *plan, const struct attribution *found, FILE *out)
{
    int room = 24;
    for (size_t i = 0; i < plan->step_count; i++)
        room = width_of(plan->steps[i].name) + 2 > room ? width_of(plan->steps[i].name) + 2 : room;
    fprintf(out, "\n%-*s effect on the rate (95 %% confidence)\n", room + 2, "");
    fprintf(out, "A%*s %.5g per second\n", room + 1, "", attribute_rate(plan, 0));
    for (size_t i = 0; i < plan->step_count; i++) {
        put_name(plan->steps[i].name, room, out);
        put_ratio(&found->effects[i], out);
    }
    fprintf(out, "B%*s %.5g per second\n\n", room + 1, "", attribute_rate(plan, last_mask(plan)));
    put_name("product of the effects", room, out);
    put_ratio(&found->product, out);
    put_name("B over A, by itself", room, out);
    put_ratio(&found->direct, out);
    put_name("remainder", room, out);
    put_ratio(&found->remainder, out);
    if (plan->method == ATTRIBUTE_PATH)
        fputs("An effect is that of its step, with the settings above it already B's; --method=shapley averages over "
              "all orders.\n",
              out);
}

/* ---- JSON ---- */

static json_t *of_ratio(const struct ratio *ratio, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "value", json_of_real(ratio->value), ok);
    json_put(object, "low", ratio->has_interval ? json_of_real(ratio->low) : json_null(), ok);
    json_put(object, "high", ratio->has_interval ? json_of_real(ratio->high) : json_null(), ok);
    json_put(object, "within_noise", json_boolean(stats_ratio_is_noise(ratio)), ok);
    return object;
}

static json_t *of_step(const struct attribute_plan *plan, const struct attribution *found, size_t step, bool *ok)
{
    json_t *object = of_ratio(&found->effects[step], ok);
    json_put(object, "step", json_of_text(plan->steps[step].name), ok);
    return object;
}

/* Each job that was measured: which steps are taken, and its rates round by round. */
static json_t *of_slot(const struct attribute_plan *plan, size_t slot, bool *ok)
{
    json_t *object = json_object(), *taken = json_array(), *rates = json_array();
    for (size_t i = 0; i < plan->step_count; i++)
        if (plan->slots[slot].mask >> i & 1)
            json_append(taken, json_of_uint(i), ok);
    for (size_t round = 0; round < plan->rounds; round++)
        json_append(rates, json_of_real(plan->rates[round * plan->slot_count + slot]), ok);
    json_put(object, "steps", taken, ok);
    json_put(object, "direct", json_boolean(plan->slots[slot].direct), ok);
    json_put(object, "rate_per_s", rates, ok);
    return object;
}

char *attribute_to_json(const struct attribute_plan *plan, const struct attribution *found)
{
    bool ok = true;
    json_t *root = json_object(), *effects = json_array(), *runs = json_array();
    for (size_t i = 0; i < plan->step_count; i++)
        json_append(effects, of_step(plan, found, i, &ok), &ok);
    for (size_t i = 0; i < plan->slot_count; i++)
        json_append(runs, of_slot(plan, i, &ok), &ok);
    json_put(root, "schema", json_of_uint(1), &ok);
    json_put(root, "method", json_of_text(plan->method == ATTRIBUTE_PATH ? "path" : "shapley"), &ok);
    json_put(root, "rounds", json_of_uint(plan->rounds), &ok);
    json_put(root, "effects", effects, &ok);
    json_put(root, "product", of_ratio(&found->product, &ok), &ok);
    json_put(root, "direct", of_ratio(&found->direct, &ok), &ok);
    json_put(root, "remainder", of_ratio(&found->remainder, &ok), &ok);
    json_put(root, "runs", runs, &ok);
    return json_finish(root, ok, DIGITS);
}

/* ---- SVG ---- */

#define ROW 34
#define LEFT 330
#define WIDE 420
#define TOP 64

struct scale {
    double low, high; /* logarithms of the rate */
};

static double x_of(const struct scale *scale, double log_rate)
{
    return LEFT + WIDE * (log_rate - scale->low) / (scale->high - scale->low);
}

static struct scale scale_of(const struct attribute_plan *plan, const struct attribution *found)
{
    double at = log(attribute_rate(plan, 0));
    struct scale scale = {at, at};
    for (size_t i = 0; i <= plan->step_count; i++) {
        scale.low = at < scale.low ? at : scale.low;
        scale.high = at > scale.high ? at : scale.high;
        at += i < plan->step_count ? log(found->effects[i].value) : 0;
    }
    double margin = 0.05 * (scale.high - scale.low) + 0.02;
    return (struct scale){scale.low - margin, scale.high + margin};
}

static void draw_total(struct markup *out, const struct scale *scale, const char *name, double log_rate, size_t row)
{
    double x = x_of(scale, log_rate), y = (double)(TOP + row * ROW);
    markup_printf(out,
                  "<text x=\"12\" y=\"%.0f\">%s</text><rect class=\"total\" x=\"%d\" y=\"%.0f\" width=\"%.1f\" "
                  "height=\"22\" fill=\"#5b6770\"/><text x=\"%.1f\" y=\"%.0f\">%.*f/s</text>\n",
                  y + 16, name, LEFT, y, x - LEFT, x + 6, y + 16, exp(log_rate) < 100 ? 1 : 0, exp(log_rate));
}

/* The classes let a page that holds the picture give it colours of its own. */
static void draw_step(struct markup *out, const struct scale *scale, const char *name, const struct ratio *effect,
                      double from, size_t row)
{
    double to = from + log(effect->value), left = x_of(scale, from < to ? from : to),
           right = x_of(scale, from < to ? to : from), y = (double)(TOP + row * ROW);
    bool is_noise = stats_ratio_is_noise(effect);
    const char *kind = is_noise     ? "noise"
                       : to >= from ? "better"
                                    : "worse",
               *colour = is_noise     ? "#b9c0c5"
                         : to >= from ? "#2a7f4f"
                                      : "#b5402f";
    markup_printf(out, "<text x=\"12\" y=\"%.0f\">", y + 16);
    markup_text(out, name); /* names of settings hold files' names, which may hold anything */
    markup_printf(out,
                  "</text><rect class=\"%s\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"22\" fill=\"%s\"/>"
                  "<text x=\"%.1f\" y=\"%.0f\">×%.3g%s</text>\n",
                  kind, left, y, right - left > 1 ? right - left : 1.0, colour, right + 6, y + 16, effect->value,
                  is_noise ? " (noise)" : "");
}

char *attribute_to_svg(const struct attribute_plan *plan, const struct attribution *found)
{
    struct markup out = {0};
    struct scale scale = scale_of(plan, found);
    double at = log(attribute_rate(plan, 0));
    size_t height = TOP + (plan->step_count + 2) * ROW + 40;
    markup_printf(&out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"%zu\" viewBox=\"0 0 900 %zu\" "
                  "font-family=\"sans-serif\" font-size=\"14\" role=\"img\">\n<title>Effects of the settings between "
                  "A and B</title>\n<rect class=\"paper\" width=\"900\" height=\"%zu\" fill=\"#ffffff\"/>\n<text "
                  "x=\"12\" y=\"30\" font-size=\"18\">From A to B, setting by setting (rate, logarithmic)</text>\n",
                  height, height, height);
    draw_total(&out, &scale, "A", at, 0);
    for (size_t i = 0; i < plan->step_count; i++) {
        draw_step(&out, &scale, plan->steps[i].name, &found->effects[i], at, i + 1);
        at += log(found->effects[i].value);
    }
    draw_total(&out, &scale, "B", log(attribute_rate(plan, last_mask(plan))), plan->step_count + 1);
    markup_printf(&out,
                  "<text x=\"12\" y=\"%zu\" font-size=\"12\">remainder ×%.3g; %zu rounds; 95 %% intervals are in the "
                  "text and JSON</text>\n</svg>\n",
                  height - 14, found->remainder.value, plan->rounds);
    return markup_finish(&out);
}
