/* core/job_json.c: jobs as JSON, row by row of the settings table.
 *
 * Sizes are whole numbers of bytes and times are numbers of seconds, so that scripts can compare them. A time
 * is read back to the nanosecond below 2^23 s (97 days), where a double's step is less than one; whole seconds
 * always are. */
#include "core/json_fields.h"
#include "core/result_json.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/clock.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_DIGITS 15
#define EXACT_DIGITS 17
#define LIST_TEXT_BYTES (LIST_MAX * 32)

/* ---- writing ---- */

static json_t *of_text_form(const struct job *job, const struct setting *setting)
{
    char text[TEXT_MAX];
    job_get(job, setting, text, sizeof text);
    return json_of_text(text);
}

static json_t *of_bool(const struct job *job, const struct setting *setting)
{
    return json_boolean(*(const bool *)((const char *)job + setting->offset));
}

static json_t *of_whole(const struct job *job, const struct setting *setting)
{
    return json_of_uint(*(const uint64_t *)((const char *)job + setting->offset));
}

static bool is_none(const struct setting *setting, uint64_t ns)
{
    return setting->none_text && ns == NO_GRACE;
}

static bool is_fraction(const struct setting *setting, uint64_t ns)
{
    return !is_none(setting, ns) && ns % NS_PER_S != 0;
}

static json_t *of_time(const struct job *job, const struct setting *setting)
{
    uint64_t ns = *(const uint64_t *)((const char *)job + setting->offset);
    if (is_none(setting, ns))
        return json_of_text(setting->none_text);
    return is_fraction(setting, ns) ? json_real((double)ns / (double)NS_PER_S) : json_of_uint(ns / NS_PER_S);
}

static json_t *of_real(const struct job *job, const struct setting *setting)
{
    return json_of_real(*(const double *)((const char *)job + setting->offset));
}

static json_t *of_list(const struct job *job, const struct setting *setting)
{
    const struct real_list *list = (const void *)((const char *)job + setting->offset);
    json_t *array = json_array();
    bool ok = array != NULL;
    for (uint32_t i = 0; ok && i < list->count; i++)
        json_append(array, json_of_real(list->values[i]), &ok);
    if (ok)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *(*const value_of[])(const struct job *job, const struct setting *setting) = {
    [SETTING_BOOL] = of_bool, [SETTING_COUNT] = of_whole,      [SETTING_BYTES] = of_whole,    [SETTING_TIME] = of_time,
    [SETTING_REAL] = of_real, [SETTING_CHOICE] = of_text_form, [SETTING_TEXT] = of_text_form, [SETTING_LIST] = of_list,
};

json_t *json_of_job(const struct job *job, bool *ok)
{
    json_t *object = json_object();
    for (size_t i = 0; i < settings_count; i++)
        if (setting_concerns(&settings[i], job->work))
            json_put(object, settings[i].name, value_of[settings[i].type](job, &settings[i]), ok);
    return object;
}

static bool is_short(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", SHORT_DIGITS, value);
    return strtod(text, NULL) == value;
}

static bool setting_is_short(const struct job *job, const struct setting *setting)
{
    const void *field = (const char *)job + setting->offset;
    if (setting->type == SETTING_REAL)
        return is_short(*(const double *)field);
    if (setting->type == SETTING_TIME && is_fraction(setting, *(const uint64_t *)field))
        return is_short((double)*(const uint64_t *)field / (double)NS_PER_S);
    if (setting->type == SETTING_LIST)
        for (uint32_t i = 0; i < ((const struct real_list *)field)->count; i++)
            if (!is_short(((const struct real_list *)field)->values[i]))
                return false;
    return true;
}

size_t json_digits_for(const struct job *job)
{
    for (size_t i = 0; i < settings_count; i++)
        if (!setting_is_short(job, &settings[i]))
            return EXACT_DIGITS;
    return SHORT_DIGITS;
}

char *job_to_json(const struct job *job)
{
    bool ok = true;
    json_t *root = json_of_job(job, &ok);
    return json_finish(root, ok, json_digits_for(job));
}

/* ---- reading: each value becomes the text that job_set takes, which knows the bounds ---- */

/* Whole seconds and the rest apart: both steps are exact where a double holds the nanoseconds. */
static void seconds_text(double seconds, char *out, size_t out_bytes)
{
    double whole = floor(seconds);
    if (seconds >= 0 && seconds < 1e10)
        units_time_exact((uint64_t)whole * NS_PER_S + (uint64_t)floor((seconds - whole) * (double)NS_PER_S + 0.5), out,
                         out_bytes);
    else
        units_real_exact(seconds, out, out_bytes);
}

static bool number_text(const struct setting *setting, const json_t *value, char *out, size_t out_bytes)
{
    if (json_is_integer(value))
        snprintf(out, out_bytes, "%" PRId64, (int64_t)json_integer_value(value));
    else if (json_is_real(value) && setting->type == SETTING_TIME)
        seconds_text(json_real_value(value), out, out_bytes);
    else if (json_is_real(value))
        units_real_exact(json_real_value(value), out, out_bytes);
    else
        return false;
    return true;
}

/* At most LIST_MAX + 1 numbers, so that job_set can refuse the last. */
static bool list_text(const struct setting *setting, const json_t *array, char *out, size_t out_bytes)
{
    size_t used = 0;
    char number[32];
    out[0] = '\0';
    for (size_t i = 0; i < json_array_size(array) && i <= LIST_MAX; i++) {
        if (!number_text(setting, json_array_get(array, i), number, sizeof number))
            return false;
        used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", i ? "," : "", number);
    }
    return true;
}

/* A text stands for itself in every setting; a number, true or [ … ] only where it is natural. */
static const char *value_text(const struct setting *setting, const json_t *value, char *out, size_t out_bytes)
{
    bool is_word = setting->type == SETTING_TEXT || setting->type == SETTING_CHOICE;
    if (json_is_string(value))
        return json_string_value(value);
    if (setting->type == SETTING_BOOL)
        return json_is_boolean(value) ? (json_is_true(value) ? "on" : "off") : NULL;
    if (setting->type == SETTING_LIST)
        return json_is_array(value) && list_text(setting, value, out, out_bytes) ? out : NULL;
    return !is_word && number_text(setting, value, out, out_bytes) ? out : NULL;
}

static const char *const natural_forms[] = {
    [SETTING_BOOL] = "must be true or false",
    [SETTING_COUNT] = "must be a whole number",
    [SETTING_BYTES] = "must be a whole number of bytes, or a text such as \"16K\"",
    [SETTING_TIME] = "must be a number of seconds, or a text such as \"250ms\"",
    [SETTING_REAL] = "must be a number",
    [SETTING_CHOICE] = "must be a text in quotes",
    [SETTING_TEXT] = "must be a text in quotes",
    [SETTING_LIST] = "must be an array of numbers, such as [50, 99.9]",
};

static bool read_setting(const struct json_place *place, const char *key, const json_t *value, struct job *job)
{
    char text[LIST_TEXT_BYTES + 32], why[128], shown[256];
    const struct setting *setting = setting_find(key);
    if (!setting) {
        const struct setting *closest = setting_closest(key);
        snprintf(why, sizeof why, "is no setting%s%s%s", closest ? "; did you mean " : "", closest ? closest->name : "",
                 closest ? "?" : "");
        return json_refuse(place, key, why);
    }
    const char *given = value_text(setting, value, text, sizeof text);
    if (!given)
        return json_refuse(place, key, natural_forms[setting->type]);
    snprintf(shown, sizeof shown, "%s: %s%s%s", place->file, place->path, place->path[0] ? "." : "", key);
    return job_set(job, setting, shown, given, place->error);
}

bool json_read_job(const struct json_place *place, json_t *object, struct job *out)
{
    struct job job;
    const char *key;
    json_t *value;
    job_init(&job);
    json_object_foreach(object, key, value) if (!read_setting(place, key, value, &job)) return false;
    *out = job;
    return true;
}

bool job_from_json(const char *text, const char *name, struct job *out, struct error *error)
{
    struct json_place place = {name, "", error};
    json_t *root = json_start(text, name, error);
    bool ok = root && json_read_job(&place, root, out);
    json_decref(root);
    return ok;
}
