#include "core/reading.h"

#include "core/settings.h"
#include "core/units.h"
#include "platform/clock.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists that grow ---- */

/* Makes room for one more; `bytes` is an item's. */
static bool grow(void **items, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return true;
    size_t larger = *room ? *room * 2 : 16;
    void *grown = realloc(*items, larger * bytes);
    if (!grown)
        return false;
    *items = grown;
    *room = larger;
    return true;
}

bool reading_add_figure(struct reading *reading, const struct figure *figure)
{
    void *items = reading->figures;
    bool good = grow(&items, reading->figures_count, &reading->figures_room, sizeof *figure);
    reading->figures = items;
    if (good)
        reading->figures[reading->figures_count++] = *figure;
    return good;
}

bool reading_add_interval(struct reading *reading, double per_s)
{
    void *items = reading->series;
    bool good = grow(&items, reading->series_count, &reading->series_room, sizeof per_s);
    reading->series = items;
    if (good)
        reading->series[reading->series_count++] = per_s;
    return good;
}

const struct figure *reading_figure(const struct reading *reading, enum figure_kind kind, int op, double percent)
{
    for (size_t i = 0; i < reading->figures_count; i++) {
        const struct figure *figure = &reading->figures[i];
        if (figure->kind == kind && figure->op == op &&
            (kind != FIGURE_PERCENTILE_NS || fabs(figure->percent - percent) < 1e-9))
            return figure;
    }
    return NULL;
}

/* ---- readings ---- */

static struct reading *add_empty(struct readings *out, const char *tool, struct error *error)
{
    void *items = out->items;
    struct reading *reading = calloc(1, sizeof *reading);
    bool good = reading && grow(&items, out->count, &out->room, sizeof(struct reading *));
    assert(settings_count <= READING_SETTINGS_MAX);
    out->items = items;
    if (!good) {
        free(reading);
        error_set(error, ERR_SYSTEM, "not enough memory for the runs that were read");
        return NULL;
    }
    reading->tool = tool;
    job_init(&reading->job);
    out->items[out->count++] = reading;
    return reading;
}

struct reading *readings_add(struct readings *out, const char *tool, const struct transcript *transcript, size_t at,
                             struct error *error)
{
    struct reading *reading = add_empty(out, tool, error);
    if (!reading)
        return NULL;
    reading->line = (uint32_t)at + 1;
    reading_suppose(reading, "work", "files");
    snprintf(reading->source, sizeof reading->source, "%.2000s:%u", transcript->name, (unsigned)reading->line);
    if (transcript->decimal_commas > 0)
        reading_note(reading, "numbers of its text have a comma before their fraction: 3.835,39 was read as 3835.39");
    return reading;
}

static void reading_free(struct reading *reading)
{
    result_free(reading->result);
    free(reading->figures);
    free(reading->series);
    free(reading);
}

void readings_free(struct readings *readings)
{
    for (size_t i = 0; i < readings->count; i++)
        reading_free(readings->items[i]);
    free(readings->items);
    memset(readings, 0, sizeof *readings);
}

void readings_drop_last(struct readings *readings)
{
    reading_free(readings->items[--readings->count]);
}

/* ---- settings ---- */

void reading_note(struct reading *reading, const char *format, ...)
{
    va_list list;
    if (reading->notes_count == COUNT_OF(reading->notes))
        return;
    va_start(list, format);
    vsnprintf(reading->notes[reading->notes_count++], sizeof reading->notes[0], format, list);
    va_end(list);
}

static void put_setting(struct reading *reading, const char *name, const char *text, enum provenance provenance)
{
    struct error error = ERROR_INIT;
    const struct setting *setting = setting_find(name);
    assert(setting);
    if (job_set(&reading->job, setting, name, text, &error))
        reading->provenance[setting - settings] = (uint8_t)provenance;
    else
        reading_note(reading, "%s", error.text);
}

void reading_state(struct reading *reading, const char *setting, const char *text)
{
    put_setting(reading, setting, text, PROVENANCE_STATED);
}

void reading_suppose(struct reading *reading, const char *setting, const char *text)
{
    if (reading_provenance(reading, setting) != PROVENANCE_STATED)
        put_setting(reading, setting, text, PROVENANCE_DEFAULT);
}

void reading_forget(struct reading *reading, const char *setting)
{
    reading->provenance[setting_find(setting) - settings] = PROVENANCE_UNKNOWN;
}

enum provenance reading_provenance(const struct reading *reading, const char *setting)
{
    const struct setting *found = setting_find(setting);
    return found ? (enum provenance)reading->provenance[found - settings] : PROVENANCE_UNKNOWN;
}

void reading_take_job(struct reading *reading, const struct job *job, const struct job *standard)
{
    for (size_t i = 0; i < settings_count; i++) {
        const struct setting *setting = &settings[i];
        if (reading->provenance[i] == PROVENANCE_STATED)
            continue;
        memcpy((char *)&reading->job + setting->offset, (const char *)job + setting->offset, setting->bytes);
        reading->provenance[i] = setting_equal(job, standard, setting) ? PROVENANCE_DEFAULT : PROVENANCE_STATED;
    }
}

/* ---- rules ---- */

static void state_captured(struct reading *reading, const char *name, const struct captured *captured)
{
    const struct setting *setting = setting_find(name);
    char text[TEXT_MAX];
    assert(setting);
    if (captured->is_number && setting->type == SETTING_TIME)
        units_real_exact(captured->value / (double)NS_PER_S, text, sizeof text);
    else if (captured->is_number && (setting->type == SETTING_BYTES || setting->type == SETTING_COUNT))
        snprintf(text, sizeof text, "%.0f", captured->value);
    else if (captured->is_number && setting->type == SETTING_REAL)
        units_real_exact(captured->value, text, sizeof text);
    else
        snprintf(text, sizeof text, "%.*s", (int)(captured->length < TEXT_MAX ? captured->length : TEXT_MAX - 1),
                 captured->at);
    reading_state(reading, name, text);
}

static void take_figure(struct reading *reading, const struct line_target *target, const struct captured *captured,
                        size_t line)
{
    struct figure figure = {.kind = target->figure,
                            .op = target->op,
                            .percent = target->percent,
                            .value = captured->value,
                            .quantum = captured->quantum,
                            .line = (uint32_t)line + 1};
    snprintf(figure.text, sizeof figure.text, "%.*s", (int)(captured->length < 47 ? captured->length : 47),
             captured->at);
    reading_add_figure(reading, &figure);
}

static void take_captured(struct reading *reading, const struct line_target *target, const struct captured *captured,
                          size_t line)
{
    int length = (int)(captured->length < NAME_MAX_BYTES ? captured->length : NAME_MAX_BYTES - 1);
    switch (target->kind) {
    case TARGET_NONE:
        break;
    case TARGET_SETTING:
        state_captured(reading, target->setting, captured);
        break;
    case TARGET_FIGURE:
        take_figure(reading, target, captured, line);
        break;
    case TARGET_VERSION:
        snprintf(reading->version, sizeof reading->version, "%.*s", length, captured->at);
        break;
    case TARGET_NAME:
        snprintf(reading->name, sizeof reading->name, "%.*s", length, captured->at);
        break;
    }
}

bool reading_apply(struct reading *reading, const struct line_rule *rules, size_t rule_count, const char *text,
                   size_t line)
{
    struct captured captured[LINE_CAPTURES];
    for (size_t i = 0; i < rule_count; i++) {
        size_t count = 0;
        if (!line_match(rules[i].pattern, text, captured, &count))
            continue;
        for (size_t c = 0; c < count; c++)
            take_captured(reading, &rules[i].targets[c], &captured[c], line);
        for (size_t s = 0; s < COUNT_OF(rules[i].states) && rules[i].states[s].setting; s++)
            reading_state(reading, rules[i].states[s].setting, rules[i].states[s].text);
        return true;
    }
    return false;
}
