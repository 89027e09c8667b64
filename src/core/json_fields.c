#include "core/json_fields.h"

#include "platform/compiler.h"
#include "platform/host.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

json_t *json_of_uint(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

#define WHOLE_LIMIT 1e15

json_t *json_of_real(double value)
{
    if (!(fabs(value) <= DBL_MAX)) /* infinite or not a number; isfinite() warns in mingw's headers */
        return json_integer(0);
    if (floor(value) == value && fabs(value) < WHOLE_LIMIT)
        return json_integer((json_int_t)value);
    return json_real(value);
}

json_t *json_of_figure(double value)
{
    return json_of_real(value < 1 ? value : floor(value * 1000 + 0.5) / 1000);
}

static json_t *ascii_text(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i <= length; i++)
        copy[i] = (char)((unsigned char)text[i] < 128 ? text[i] : '?');
    json_t *value = json_string(copy);
    free(copy);
    return value;
}

json_t *json_of_text(const char *text)
{
    json_t *value = json_string(text);
    return value ? value : ascii_text(text);
}

void json_put(json_t *object, const char *key, json_t *value, bool *ok)
{
    if (json_object_set_new(object, key, value) != 0)
        *ok = false;
}

void json_append(json_t *array, json_t *value, bool *ok)
{
    if (json_array_append_new(array, value) != 0)
        *ok = false;
}

/* Into memory of our own: jansson's may come from another C library's heap. */
static char *dump(const json_t *root, size_t flags)
{
    size_t length = json_dumpb(root, NULL, 0, flags);
    char *text = length > 0 ? malloc(length + 2) : NULL;
    if (!text)
        return NULL;
    if (json_dumpb(root, text, length, flags) != length) { /* it needs memory of its own */
        free(text);
        return NULL;
    }
    text[length] = '\n';
    text[length + 1] = '\0';
    return text;
}

char *json_finish(json_t *root, bool ok, size_t digits)
{
    char *text = ok ? dump(root, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) : NULL;
    json_decref(root);
    return text;
}

/* ---- reading ---- */

struct json_place json_place_in(const struct json_place *place, const char *key)
{
    struct json_place inner = {place->file, "", place->error};
    /* Our own keys are far shorter; the limits keep the text whole for a compiler that cannot know that. */
    snprintf(inner.path, sizeof inner.path, "%.80s%s%.40s", place->path, place->path[0] ? "." : "", key);
    return inner;
}

struct json_place json_place_at(const struct json_place *place, const char *key, size_t index)
{
    char with_index[64];
    snprintf(with_index, sizeof with_index, "%s[%zu]", key, index);
    return json_place_in(place, with_index);
}

bool json_refuse(const struct json_place *place, const char *key, const char *what)
{
    return error_set(place->error, ERR_DATA, "%s: %s%s%s: %s", place->file, place->path, place->path[0] ? "." : "", key,
                     what);
}

json_t *json_start(const char *text, const char *file, struct error *error)
{
    json_error_t fault;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &fault);
    if (!root && fault.text[0] == '\0') { /* how jansson says that memory is short */
        error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", file);
    } else if (!root) {
        error_set(error, ERR_DATA, "%s: line %d: %s", file, fault.line, fault.text);
    } else if (!json_is_object(root)) {
        error_set(error, ERR_DATA, "%s: must be a JSON object, { … }", file);
        json_decref(root);
        root = NULL;
    }
    return root;
}

static json_t *member(const struct json_place *place, const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        json_refuse(place, key, "is missing");
    return value;
}

json_t *json_object_in(const struct json_place *place, const json_t *object, const char *key)
{
    json_t *value = member(place, object, key);
    if (!value || json_is_object(value))
        return value;
    json_refuse(place, key, "must be an object, { … }");
    return NULL;
}

json_t *json_array_in(const struct json_place *place, const json_t *object, const char *key)
{
    json_t *value = member(place, object, key);
    if (!value || json_is_array(value))
        return value;
    json_refuse(place, key, "must be an array, [ … ]");
    return NULL;
}

bool json_read_uint(const struct json_place *place, const json_t *object, const char *key, uint64_t most, uint64_t *out)
{
    const json_t *value = member(place, object, key);
    if (!value)
        return false;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return json_refuse(place, key, "must be a whole number, 0 or more");
    if ((uint64_t)json_integer_value(value) > most)
        return json_refuse(place, key, "is too large");
    *out = (uint64_t)json_integer_value(value);
    return true;
}

static bool read_real(const struct json_place *place, const json_t *object, const char *key, double *out)
{
    const json_t *value = member(place, object, key);
    if (!value)
        return false;
    if (!json_is_number(value))
        return json_refuse(place, key, "must be a number");
    *out = json_number_value(value);
    return true;
}

bool json_read_text(const struct json_place *place, const json_t *object, const char *key, char *out, size_t out_bytes)
{
    const json_t *value = member(place, object, key);
    if (!value)
        return false;
    if (!json_is_string(value))
        return json_refuse(place, key, "must be a text in quotes");
    if (json_string_length(value) >= out_bytes)
        return json_refuse(place, key, "is too long a text");
    memcpy(out, json_string_value(value), json_string_length(value) + 1);
    return true;
}

/* ---- tables of fields ---- */

static json_t *write_uint(const void *field, size_t bytes)
{
    return json_of_uint(bytes == sizeof(uint32_t) ? *(const uint32_t *)field : *(const uint64_t *)field);
}

static bool read_uint_field(const struct json_place *place, const json_t *object, const char *key, void *field,
                            size_t bytes)
{
    uint64_t value = 0;
    uint32_t narrow;
    if (!json_read_uint(place, object, key, bytes == sizeof narrow ? UINT32_MAX : UINT64_MAX, &value))
        return false;
    narrow = (uint32_t)value;
    memcpy(field, bytes == sizeof narrow ? (const void *)&narrow : &value, bytes);
    return true;
}

static json_t *write_real(const void *field, size_t bytes)
{
    (void)bytes;
    return json_of_real(*(const double *)field);
}

static bool read_real_field(const struct json_place *place, const json_t *object, const char *key, void *field,
                            size_t bytes)
{
    (void)bytes;
    return read_real(place, object, key, field);
}

static json_t *write_int(const void *field, size_t bytes)
{
    (void)bytes;
    return json_integer(*(const int64_t *)field);
}

static bool read_int_field(const struct json_place *place, const json_t *object, const char *key, void *field,
                           size_t bytes)
{
    const json_t *value = member(place, object, key);
    if (!value)
        return false;
    if (!json_is_integer(value))
        return json_refuse(place, key, "must be a whole number");
    int64_t number = json_integer_value(value);
    memcpy(field, &number, bytes);
    return true;
}

json_t *json_of_gauge(double value)
{
    /* 15 digits at most */
    double size = fabs(value), parts = size < 1 ? 1e6 : size < 1e12 ? 1e3 : 1;
    if (value != value) /* isnan() warns in mingw's headers */
        return json_null();
    return json_of_real(floor(value) == value ? value : floor(value * parts + 0.5) / parts);
}

bool json_read_gauge(const struct json_place *place, const char *key, const json_t *value, double *out)
{
    if (!json_is_number(value) && !json_is_null(value))
        return json_refuse(place, key, "must be a number or null");
    *out = json_is_null(value) ? NAN : json_number_value(value);
    return true;
}

static json_t *write_gauge(const void *field, size_t bytes)
{
    (void)bytes;
    return json_of_gauge(*(const double *)field);
}

static bool read_gauge_field(const struct json_place *place, const json_t *object, const char *key, void *field,
                             size_t bytes)
{
    (void)bytes;
    const json_t *value = member(place, object, key);
    return value && json_read_gauge(place, key, value, field);
}

static json_t *write_text(const void *field, size_t bytes)
{
    (void)bytes;
    return json_of_text(field);
}

static bool read_text_field(const struct json_place *place, const json_t *object, const char *key, void *field,
                            size_t bytes)
{
    return json_read_text(place, object, key, field, bytes);
}

static json_t *write_bool(const void *field, size_t bytes)
{
    (void)bytes;
    return json_boolean(*(const bool *)field);
}

static bool read_bool_field(const struct json_place *place, const json_t *object, const char *key, void *field,
                            size_t bytes)
{
    const json_t *value = member(place, object, key);
    if (!value)
        return false;
    if (!json_is_boolean(value))
        return json_refuse(place, key, "must be true or false");
    bool is_true = json_is_true(value);
    memcpy(field, &is_true, bytes);
    return true;
}

static json_t *write_truth(const void *field, size_t bytes)
{
    enum tristate truth = *(const enum tristate *)field;
    (void)bytes;
    return truth == TRI_UNKNOWN ? json_null() : json_boolean(truth == TRI_YES);
}

static bool read_truth_field(const struct json_place *place, const json_t *object, const char *key, void *field,
                             size_t bytes)
{
    const json_t *value = member(place, object, key);
    if (!value)
        return false;
    if (!json_is_boolean(value) && !json_is_null(value))
        return json_refuse(place, key, "must be true, false or null");
    enum tristate truth = json_is_null(value) ? TRI_UNKNOWN : json_is_true(value) ? TRI_YES : TRI_NO;
    memcpy(field, &truth, bytes);
    return true;
}

static const struct {
    json_t *(*write)(const void *field, size_t bytes);
    bool (*read)(const struct json_place *place, const json_t *object, const char *key, void *field, size_t bytes);
} kinds[] = {
    [JSON_FIELD_UINT] = {write_uint, read_uint_field},    [JSON_FIELD_REAL] = {write_real, read_real_field},
    [JSON_FIELD_INT] = {write_int, read_int_field},       [JSON_FIELD_GAUGE] = {write_gauge, read_gauge_field},
    [JSON_FIELD_TEXT] = {write_text, read_text_field},    [JSON_FIELD_BOOL] = {write_bool, read_bool_field},
    [JSON_FIELD_TRUTH] = {write_truth, read_truth_field},
};

/* The object called `group` inside `object`, made when it is not there yet. */
static json_t *group_of(json_t *object, const char *group, bool *ok)
{
    if (!group)
        return object;
    if (!json_object_get(object, group))
        json_put(object, group, json_object(), ok);
    return json_object_get(object, group);
}

void json_write_fields(json_t *object, const struct json_field *fields, size_t count, const void *from, bool *ok)
{
    for (size_t i = 0; i < count; i++) {
        const void *field = (const char *)from + fields[i].offset;
        json_put(group_of(object, fields[i].group, ok), fields[i].key,
                 kinds[fields[i].kind].write(field, fields[i].bytes), ok);
    }
}

static bool read_field(const struct json_place *place, const json_t *object, const struct json_field *field, void *into)
{
    void *target = (char *)into + field->offset;
    if (!field->group)
        return kinds[field->kind].read(place, object, field->key, target, field->bytes);
    const json_t *group = json_object_in(place, object, field->group);
    struct json_place inner = json_place_in(place, field->group);
    return group && kinds[field->kind].read(&inner, group, field->key, target, field->bytes);
}

bool json_read_fields(const struct json_place *place, const json_t *object, const struct json_field *fields,
                      size_t count, void *into)
{
    for (size_t i = 0; i < count; i++)
        if (!read_field(place, object, &fields[i], into))
            return false;
    return true;
}
