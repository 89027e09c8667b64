#include "reconcile/attribute.h"

#include "core/random.h"
#include "core/settings.h"
#include "reconcile/differ.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

static bool has_member(const struct attribute_step *step, size_t setting)
{
    return step->members[setting / 64] >> setting % 64 & 1;
}

static void add_name(struct attribute_step *step, const struct attribute_plan *plan, const struct setting *setting)
{
    char before[TEXT_MAX], after[TEXT_MAX];
    size_t used = strlen(step->name);
    job_get(&plan->from, setting, before, sizeof before);
    job_get(&plan->to, setting, after, sizeof after);
    snprintf(step->name + used, sizeof step->name - used, "%s%s: %.40s → %.40s", used ? ", " : "", setting->name,
             before[0] ? before : "empty", after[0] ? after : "empty");
}

/* Every run here takes the same time, so how long A's and B's took is no step. */
static bool is_walked(const struct setting *setting)
{
    static const char *const left_out[] = {"time", "passes", "events", "warmup", "steady_state"};
    for (size_t i = 0; i < COUNT_OF(left_out); i++)
        if (strcmp(setting->name, left_out[i]) == 0)
            return false;
    return true;
}

static bool find_steps(struct attribute_plan *plan, struct error *error)
{
    struct difference rows[DIFFERENCES_MAX];
    size_t count = job_differences(&plan->from, &plan->to, rows);
    for (size_t i = 0; i < count; i++) {
        size_t index = (size_t)(rows[i].setting - settings);
        if (!is_walked(rows[i].setting))
            continue;
        if (plan->step_count == ATTRIBUTE_STEPS_MAX)
            return error_set(error, ERR_USAGE, "the two jobs differ in more than %d settings: bring them closer first",
                             ATTRIBUTE_STEPS_MAX);
        struct attribute_step *step = &plan->steps[plan->step_count++];
        step->members[index / 64] |= UINT64_C(1) << index % 64;
        add_name(step, plan, rows[i].setting);
    }
    if (plan->step_count == 0)
        return error_set(error, ERR_USAGE,
                         "the two are the same job: there is no setting to attribute a difference to");
    return true;
}

struct job attribute_job(const struct attribute_plan *plan, uint32_t mask)
{
    struct job job = plan->from;
    for (size_t s = 0; s < plan->step_count; s++)
        for (size_t i = 0; mask >> s & 1 && i < settings_count; i++)
            if (has_member(&plan->steps[s], i))
                memcpy((char *)&job + settings[i].offset, (const char *)&plan->to + settings[i].offset,
                       settings[i].bytes);
    return job;
}

static bool is_job(const struct attribute_plan *plan, uint32_t mask)
{
    struct job job = attribute_job(plan, mask);
    struct error error = ERROR_INIT;
    return job_check_run(&job, &error);
}

static void join_steps(struct attribute_plan *plan, size_t into, size_t from)
{
    struct attribute_step *step = &plan->steps[into];
    const struct attribute_step gone = plan->steps[from];
    size_t used = strlen(step->name);
    for (size_t i = 0; i < COUNT_OF(step->members); i++)
        step->members[i] |= gone.members[i];
    snprintf(step->name + used, sizeof step->name - used, ", %.200s", gone.name);
    memmove(&plan->steps[from], &plan->steps[from + 1], (plan->step_count - from - 1) * sizeof gone);
    plan->step_count--;
}

static uint32_t all_of(const struct attribute_plan *plan)
{
    return (uint32_t)((UINT64_C(1) << plan->step_count) - 1);
}

/* The step that makes a job of it, else any that is missing. */
static size_t partner_of(const struct attribute_plan *plan, uint32_t mask)
{
    size_t any = 0;
    for (size_t i = plan->step_count; i-- > 0;) {
        if (mask >> i & 1)
            continue;
        any = i;
        if (is_job(plan, mask | UINT32_C(1) << i))
            return i;
    }
    return any;
}

/* Joins steps until `mask` is a job; true if it joined any, and masks mean something else from then on. */
static bool repair(struct attribute_plan *plan, uint32_t mask)
{
    if (mask == 0 || mask == all_of(plan) || is_job(plan, mask))
        return false;
    size_t missing = partner_of(plan, mask), present = 0;
    while (!(mask >> present & 1))
        present++;
    for (size_t i = present; i < plan->step_count; i++) /* the last one that is there */
        present = mask >> i & 1 ? i : present;
    join_steps(plan, present < missing ? present : missing, present < missing ? missing : present);
    return true;
}

/* Every job that may be measured must be one. */
static void join_dependent_steps(struct attribute_plan *plan)
{
    bool exact = plan->method == ATTRIBUTE_SHAPLEY && plan->step_count <= 10;
    for (uint32_t mask = 1; mask < all_of(plan); mask = exact ? mask + 1 : mask * 2 + 1)
        if (repair(plan, mask))
            mask = 0; /* from the start: 0 becomes 1 in both ways */
}

/* ---- orders and slots ---- */

static void shuffle(uint8_t *items, size_t count, struct random *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)random_below(random, i);
        uint8_t kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
}

static void draw_orders(struct attribute_plan *plan)
{
    struct random random;
    uint8_t order[ATTRIBUTE_STEPS_MAX];
    size_t n = plan->step_count;
    random_init(&random, plan->seed, 1);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint8_t)i;
    plan->order_count = plan->method == ATTRIBUTE_PATH ? 1 : n > ATTRIBUTE_EXACT_STEPS ? 2 * ATTRIBUTE_ORDERS : 0;
    for (size_t o = 0; o < plan->order_count; o += 2) {
        memcpy(plan->orders[o], order, n);
        for (size_t i = 0; i < n; i++)
            plan->orders[o + 1][i] = plan->orders[o][n - 1 - i];
        shuffle(order, n, &random);
    }
}

static bool has_slot(const struct attribute_plan *plan, uint32_t mask)
{
    for (size_t i = 0; i < plan->slot_count; i++)
        if (plan->slots[i].mask == mask && !plan->slots[i].direct)
            return true;
    return false;
}

static void add_slot(struct attribute_plan *plan, uint32_t mask, bool direct)
{
    if (direct || !has_slot(plan, mask))
        plan->slots[plan->slot_count++] = (struct attribute_slot){mask, direct};
}

static bool make_slots(struct attribute_plan *plan, struct error *error)
{
    size_t most = 2 + (plan->order_count ? plan->order_count * (plan->step_count + 1) : (size_t)1 << plan->step_count);
    plan->slots = calloc(most, sizeof *plan->slots);
    if (!plan->slots)
        return error_set(error, ERR_SYSTEM, "not enough memory for the jobs to measure");
    for (uint32_t mask = 0; plan->order_count == 0 && mask <= all_of(plan); mask++)
        add_slot(plan, mask, false);
    for (size_t o = 0; o < plan->order_count; o++) {
        uint32_t mask = 0;
        add_slot(plan, mask, false);
        for (size_t i = 0; i < plan->step_count; i++)
            add_slot(plan, mask |= UINT32_C(1) << plan->orders[o][i], false);
    }
    add_slot(plan, 0, true);
    add_slot(plan, all_of(plan), true);
    plan->rates = calloc(plan->rounds * plan->slot_count, sizeof *plan->rates);
    return plan->rates || error_set(error, ERR_SYSTEM, "not enough memory for the figures to measure");
}

bool attribute_make(struct attribute_plan *plan, const struct job *from, const struct job *to,
                    enum attribute_method method, size_t rounds, uint64_t seed, struct error *error)
{
    memset(plan, 0, sizeof *plan);
    plan->from = *from;
    plan->to = *to;
    plan->method = method;
    plan->rounds = rounds;
    plan->seed = seed;
    if (from->work != to->work)
        return error_set(error, ERR_USAGE,
                         "one of the jobs loads files and the other a database: no setting lies between");
    if (!job_check_run(from, error) || !job_check_run(to, error) || !find_steps(plan, error))
        return false;
    join_dependent_steps(plan);
    draw_orders(plan);
    return make_slots(plan, error);
}

void attribute_free(struct attribute_plan *plan)
{
    free(plan->slots);
    free(plan->rates);
    plan->slots = NULL;
    plan->rates = NULL;
}

/* ---- measuring ---- */

static bool run_round(struct attribute_plan *plan, const struct attribute_runner *runner, size_t round, size_t *order,
                      struct error *error)
{
    for (size_t i = 0; i < plan->slot_count; i++) {
        size_t slot = order[i];
        double *rate = &plan->rates[round * plan->slot_count + slot];
        struct job job = attribute_job(plan, plan->slots[slot].mask);
        if (*rate > 0)
            continue;
        if (!runner->measure(runner->context, &job, rate, error)) {
            *rate = 0; /* a run that failed is none */
            return false;
        }
        if (!(*rate > 0))
            return error_set(error, ERR_DATA, "a run measured no operation at all: give the runs more time");
        if (runner->measured && !runner->measured(runner->context, plan, round, slot, error))
            return false;
    }
    return true;
}

bool attribute_run(struct attribute_plan *plan, const struct attribute_runner *runner, struct error *error)
{
    size_t *order = calloc(plan->slot_count, sizeof *order);
    struct random random;
    bool good = order || error_set(error, ERR_SYSTEM, "not enough memory for the order of the runs");
    random_init(&random, plan->seed, 2);
    for (size_t i = 0; good && i < plan->slot_count; i++)
        order[i] = i;
    for (size_t round = 0; good && round < plan->rounds; round++) {
        for (size_t i = plan->slot_count; i > 1; i--) {
            size_t other = (size_t)random_below(&random, i), kept = order[i - 1];
            order[i - 1] = order[other];
            order[other] = kept;
        }
        good = run_round(plan, runner, round, order, error);
    }
    free(order);
    return good;
}

/* ---- effects ---- */

static double log_rate(const struct attribute_plan *plan, size_t round, uint32_t mask, bool direct)
{
    for (size_t i = 0; i < plan->slot_count; i++)
        if (plan->slots[i].mask == mask && plan->slots[i].direct == direct)
            return log(plan->rates[round * plan->slot_count + i]);
    return 0;
}

static size_t count_bits(uint32_t mask)
{
    size_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* The mean over all n! orders: a set of s others comes before the step in s! (n − 1 − s)! of them. */
static double exact_effect(const struct attribute_plan *plan, size_t round, size_t step)
{
    double sum = 0, n = (double)plan->step_count;
    uint32_t bit = UINT32_C(1) << step;
    for (uint32_t mask = 0; mask <= all_of(plan); mask++) {
        if (mask & bit)
            continue;
        double s = (double)count_bits(mask), weight = exp(lgamma(s + 1) + lgamma(n - s) - lgamma(n + 1));
        sum += weight * (log_rate(plan, round, mask | bit, false) - log_rate(plan, round, mask, false));
    }
    return sum;
}

static double drawn_effect(const struct attribute_plan *plan, size_t round, size_t step)
{
    double sum = 0;
    for (size_t o = 0; o < plan->order_count; o++) {
        uint32_t mask = 0;
        size_t i = 0;
        for (; plan->orders[o][i] != step; i++)
            mask |= UINT32_C(1) << plan->orders[o][i];
        sum += log_rate(plan, round, mask | UINT32_C(1) << step, false) - log_rate(plan, round, mask, false);
    }
    return sum / (double)plan->order_count;
}

/* The mean of the rounds' logarithms, with Student's interval. */
static struct ratio ratio_of(const double *logs, size_t count)
{
    double mean = stats_mean(logs, count);
    struct ratio out = {exp(mean), 0, HUGE_VAL, count > 1, 0};
    if (count < 2)
        return out;
    double deviation = stats_stddev(logs, count),
           half = stats_t_95((double)count - 1) * deviation / sqrt((double)count);
    out.low = exp(mean - half);
    out.high = exp(mean + half);
    out.effect_size = deviation > 0 ? mean / deviation : 0;
    return out;
}

bool attribute_result(const struct attribute_plan *plan, struct attribution *out, struct error *error)
{
    double *logs = calloc(plan->rounds * 3, sizeof *logs), *products = logs + plan->rounds,
           *directs = products + plan->rounds;
    if (!logs)
        return error_set(error, ERR_SYSTEM, "not enough memory for the effects");
    for (size_t step = 0; step < plan->step_count; step++) {
        for (size_t round = 0; round < plan->rounds; round++) {
            logs[round] = plan->order_count ? drawn_effect(plan, round, step) : exact_effect(plan, round, step);
            products[round] += logs[round];
        }
        out->effects[step] = ratio_of(logs, plan->rounds);
    }
    for (size_t round = 0; round < plan->rounds; round++)
        directs[round] = log_rate(plan, round, all_of(plan), true) - log_rate(plan, round, 0, true);
    out->product = ratio_of(products, plan->rounds);
    out->direct = ratio_of(directs, plan->rounds);
    for (size_t round = 0; round < plan->rounds; round++)
        logs[round] = directs[round] - products[round];
    out->remainder = ratio_of(logs, plan->rounds);
    free(logs);
    return true;
}
