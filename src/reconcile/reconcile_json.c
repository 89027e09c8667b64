/* reconcile/reconcile_json.c: a reconciliation as data. docs/reconcile.md has the keys. */
#include "core/json_fields.h"
#include "core/settings.h"
#include "platform/compiler.h"
#include "reconcile/reconcile.h"

#include <stdlib.h>

#define DIGITS 15

static json_t *of_label(char label)
{
    const char text[2] = {label, '\0'};
    return json_of_text(text);
}

static json_t *of_command(const struct command *command, bool *ok)
{
    json_t *words = json_array();
    for (int i = 0; i < command->argc; i++)
        json_append(words, json_of_text(command->argv[i]), ok);
    return words;
}

/* The text file that a command reads: SQLIO's parameters. */
static json_t *of_file(const struct command *command, bool *ok)
{
    if (command->file_name[0] == '\0')
        return json_null();
    json_t *object = json_object();
    json_put(object, "name", json_of_text(command->file_name), ok);
    json_put(object, "text", json_of_text(command->file_text), ok);
    return object;
}

static json_t *of_values(const struct side *side, enum measure measure, bool *ok)
{
    json_t *array = json_array();
    for (size_t i = 0; i < side->run_count; i++) {
        double value;
        bool has = measure_of(side->runs[i], measure, &value);
        json_append(array, has ? json_of_real(value) : json_null(), ok);
    }
    return array;
}

static json_t *of_side(const struct side *side, bool *ok)
{
    const struct reading *first = side->runs[0];
    json_t *object = json_object(), *sources = json_array(), *figures = json_object();
    json_put(object, "label", of_label(side->label), ok);
    json_put(object, "tool", json_of_text(first->tool), ok);
    json_put(object, "version", json_of_text(first->version), ok);
    json_put(object, "name", json_of_text(first->name), ok);
    json_put(object, "command", json_of_text(first->command), ok);
    for (size_t i = 0; i < side->run_count; i++)
        json_append(sources, json_of_text(side->runs[i]->source), ok);
    json_put(object, "sources", sources, ok);
    for (int i = 0; i < MEASURES; i++)
        json_put(figures, measure_forms[i].key, of_values(side, (enum measure)i, ok), ok);
    json_put(object, "figures", figures, ok);
    return object;
}

static json_t *of_ratio(const struct ratio *ratio, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "value", json_of_real(ratio->value), ok);
    json_put(object, "low", ratio->has_interval ? json_of_real(ratio->low) : json_null(), ok);
    json_put(object, "high", ratio->has_interval ? json_of_real(ratio->high) : json_null(), ok);
    json_put(object, "effect_size", json_of_real(ratio->effect_size), ok);
    return object;
}

static json_t *of_value(const struct side *side, const struct setting *setting, enum provenance provenance, bool *ok)
{
    static const char *const names[] = {"unknown", "default", "stated"};
    json_t *object = json_object();
    char value[TEXT_MAX];
    job_get(side->job, setting, value, sizeof value);
    json_put(object, "value", provenance == PROVENANCE_UNKNOWN ? json_null() : json_of_text(value), ok);
    json_put(object, "known", json_of_text(names[provenance]), ok);
    return object;
}

static json_t *of_differences(const struct pair *pair, const struct difference *rows, size_t count, bool *ok)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_object();
        json_put(row, "setting", json_of_text(rows[i].setting->name), ok);
        json_put(row, "first", of_value(pair->a, rows[i].setting, rows[i].a, ok), ok);
        json_put(row, "second", of_value(pair->b, rows[i].setting, rows[i].b, ok), ok);
        json_put(row, "raises",
                 rows[i].push == 0 ? json_null() : of_label(rows[i].push > 0 ? pair->b->label : pair->a->label), ok);
        json_put(row, "why", json_of_text(rows[i].why), ok);
        json_append(array, row, ok);
    }
    return array;
}

static json_t *of_alignment(const struct alignment *alignment, bool *ok)
{
    json_t *object = json_object();
    if (!alignment) {
        json_decref(object);
        return json_null();
    }
    json_put(object, "found", json_boolean(alignment->found), ok);
    json_put(object, "first", of_command(&alignment->a, ok), ok);
    json_put(object, "second", of_command(&alignment->b, ok), ok);
    json_put(object, "first_file", of_file(&alignment->a, ok), ok);
    json_put(object, "second_file", of_file(&alignment->b, ok), ok);
    json_put(object, "isobench", of_command(&alignment->native, ok), ok);
    json_put(object, "prepare", alignment->prepares ? of_command(&alignment->prepare, ok) : json_null(), ok);
    json_put(object, "rest", json_of_text(alignment->found ? "" : alignment->rest), ok);
    return object;
}

static json_t *of_pair(const struct pair *pair, bool *ok)
{
    json_t *object = json_object(), *ratios = json_object();
    char text[512];
    json_put(object, "first", of_label(pair->a->label), ok);
    json_put(object, "second", of_label(pair->b->label), ok);
    json_put(object, "verdict", json_of_text(verdict_name(pair->verdict)), ok);
    json_put(object, "text", json_of_text(verdict_text(pair, text, sizeof text)), ok);
    for (int i = 0; i < MEASURES; i++)
        if (pair->has_ratio[i])
            json_put(ratios, measure_forms[i].key, of_ratio(&pair->ratios[i], ok), ok);
    json_put(object, "ratios", ratios, ok);
    json_put(object, "differences", of_differences(pair, pair->differences, pair->difference_count, ok), ok);
    json_put(object, "unknown", of_differences(pair, pair->unknowns, pair->unknown_count, ok), ok);
    json_put(object, "same_test", of_alignment(pair->alignment, ok), ok);
    return object;
}

static json_t *of_finding(const struct finding *finding, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "code", json_of_text(finding->code), ok);
    json_put(object, "side", finding->label ? of_label(finding->label) : json_null(), ok);
    json_put(object, "source", json_of_text(finding->source), ok);
    json_put(object, "text", json_of_text(finding->text), ok);
    json_put(object, "corrected", finding->corrected[0] ? json_of_text(finding->corrected) : json_null(), ok);
    return object;
}

char *reconcile_to_json(const struct reconciliation *all)
{
    bool ok = true;
    json_t *root = json_object(), *sides = json_array(), *pairs = json_array(), *findings = json_array();
    for (size_t i = 0; i < all->sides.count; i++)
        json_append(sides, of_side(&all->sides.items[i], &ok), &ok);
    for (size_t i = 0; i + 1 < all->sides.count; i++)
        json_append(pairs, of_pair(&all->pairs[i], &ok), &ok);
    for (size_t i = 0; i < all->findings.count; i++)
        json_append(findings, of_finding(&all->findings.items[i], &ok), &ok);
    json_put(root, "schema", json_of_uint(1), &ok);
    json_put(root, "sides", sides, &ok);
    json_put(root, "pairs", pairs, &ok);
    json_put(root, "findings", findings, &ok);
    return json_finish(root, ok, DIGITS);
}
