/* reconcile/attribute_read.c: an attribution as attribute_to_json wrote it. */
#include "core/json_fields.h"
#include "reconcile/attribute_print.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 10000
#define SLOTS_MAX 4096

static bool refuse_memory(const struct json_place *place)
{
    return error_set(place->error, ERR_SYSTEM, "%s: not enough memory to read it", place->file);
}

/* Rates and ratios are above 0, and finite. */
static bool read_positive(const struct json_place *place, const json_t *value, const char *key, double *out)
{
    *out = json_number_value(value);
    return (json_is_number(value) && *out > 0 && *out <= DBL_MAX) ||
           json_refuse(place, key, "must be a number above 0");
}

static bool read_ratio(const struct json_place *place, const json_t *object, struct ratio *out)
{
    const json_t *low = json_object_get(object, "low");
    *out = (struct ratio){.high = HUGE_VAL, .has_interval = low && !json_is_null(low)};
    return read_positive(place, json_object_get(object, "value"), "value", &out->value) &&
           (!out->has_interval || (read_positive(place, low, "low", &out->low) &&
                                   read_positive(place, json_object_get(object, "high"), "high", &out->high)));
}

static bool read_ratio_in(const struct json_place *place, const json_t *root, const char *key, struct ratio *out)
{
    const json_t *object = json_object_in(place, root, key);
    struct json_place inner = json_place_in(place, key);
    return object && read_ratio(&inner, object, out);
}

static bool read_effects(const struct json_place *place, const json_t *root, struct attribute_plan *plan,
                         struct attribution *found)
{
    const json_t *array = json_array_in(place, root, "effects");
    if (array && (json_array_size(array) == 0 || json_array_size(array) > ATTRIBUTE_STEPS_MAX))
        return json_refuse(place, "effects", "must be 1 to 20");
    plan->step_count = json_array_size(array);
    for (size_t i = 0; i < plan->step_count; i++) {
        struct json_place inner = json_place_at(place, "effects", i);
        const json_t *object = json_array_get(array, i);
        if (!json_read_text(&inner, object, "step", plan->steps[i].name, sizeof plan->steps[i].name) ||
            !read_ratio(&inner, object, &found->effects[i]))
            return false;
    }
    return array != NULL;
}

static bool read_slot(const struct json_place *place, const json_t *object, struct attribute_plan *plan, size_t slot)
{
    const json_t *taken = json_array_in(place, object, "steps"), *rates = json_array_in(place, object, "rate_per_s");
    plan->slots[slot].direct = json_is_true(json_object_get(object, "direct"));
    for (size_t i = 0; i < json_array_size(taken); i++) {
        const json_t *step = json_array_get(taken, i);
        if (!json_is_integer(step) || json_integer_value(step) < 0 ||
            json_integer_value(step) >= (json_int_t)plan->step_count)
            return json_refuse(place, "steps", "must be numbers of steps");
        plan->slots[slot].mask |= UINT32_C(1) << json_integer_value(step);
    }
    if (rates && json_array_size(rates) != plan->rounds)
        return json_refuse(place, "rate_per_s", "must have a rate for each round");
    for (size_t round = 0; rates && round < plan->rounds; round++)
        if (!read_positive(place, json_array_get(rates, round), "rate_per_s",
                           &plan->rates[round * plan->slot_count + slot]))
            return false;
    return taken && rates;
}

static bool read_slots(const struct json_place *place, const json_t *root, struct attribute_plan *plan)
{
    const json_t *array = json_array_in(place, root, "runs");
    uint64_t rounds;
    if (!array || !json_read_uint(place, root, "rounds", ROUNDS_MAX, &rounds))
        return false;
    plan->rounds = (size_t)rounds;
    plan->slot_count = json_array_size(array);
    if (plan->slot_count == 0 || plan->slot_count > SLOTS_MAX || rounds == 0)
        return json_refuse(place, "runs", "must be some, in some rounds");
    plan->slots = calloc(plan->slot_count, sizeof *plan->slots);
    plan->rates = calloc(plan->slot_count * plan->rounds, sizeof *plan->rates);
    if (!plan->slots || !plan->rates)
        return refuse_memory(place);
    for (size_t i = 0; i < plan->slot_count; i++) {
        struct json_place inner = json_place_at(place, "runs", i);
        if (!read_slot(&inner, json_array_get(array, i), plan, i))
            return false;
    }
    uint32_t all = (uint32_t)((UINT64_C(1) << plan->step_count) - 1);
    return (attribute_rate(plan, 0) > 0 && attribute_rate(plan, all) > 0) ||
           json_refuse(place, "runs", "must have the jobs of A and of B");
}

bool attribute_from_json(const char *text, const char *name, struct attribute_plan *plan, struct attribution *found,
                         struct error *error)
{
    struct json_place place = {name, "", error};
    char method[16] = "";
    memset(plan, 0, sizeof *plan);
    memset(found, 0, sizeof *found);
    json_t *root = json_start(text, name, error);
    bool good = root && json_read_text(&place, root, "method", method, sizeof method) &&
                read_effects(&place, root, plan, found) && read_slots(&place, root, plan) &&
                read_ratio_in(&place, root, "product", &found->product) &&
                read_ratio_in(&place, root, "direct", &found->direct) &&
                read_ratio_in(&place, root, "remainder", &found->remainder);
    plan->method = method[0] == 's' ? ATTRIBUTE_SHAPLEY : ATTRIBUTE_PATH;
    json_decref(root);
    return good;
}
