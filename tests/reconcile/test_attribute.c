/* Attribution against a device whose settings have known effects. */
#include "reconcile/attribute.h"

#include "core/random.h"
#include "core/settings.h"
#include "platform/compiler.h"
#include "reconcile/attribute_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(struct job *job, const char *name, const char *text)
{
    struct error error = ERROR_INIT;
    if (!job_set(job, setting_find(name), name, text, &error))
        fail_msg("%s", error.text);
}

static struct job base_job(void)
{
    struct job job;
    job_init(&job);
    set(&job, "mode", "rndrd");
    return job;
}

/* ---- the device ---- */

struct device {
    struct random random;
    double noise;       /* of the logarithm */
    double drift;       /* of the logarithm, over all runs */
    double interaction; /* factor when the cache is on and there are many threads */
    size_t runs;
};

static double normal(struct random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(random);
    return sum;
}

#define CACHE_EFFECT 20.0
#define THREADS_EFFECT 3.0
#define FILES_EFFECT 0.9

static double true_rate(const struct device *device, const struct job *job)
{
    bool cached = job->cache == OS_CACHE_ON, many = job->threads > 1;
    return 1000 * (cached ? CACHE_EFFECT : 1) * (many ? THREADS_EFFECT : 1) * (job->files > 1 ? FILES_EFFECT : 1) *
           (cached && many ? device->interaction : 1);
}

static bool measure(void *context, const struct job *job, double *rate, struct error *error)
{
    struct device *device = context;
    (void)error;
    *rate =
        true_rate(device, job) * exp(device->noise * normal(&device->random) + device->drift * (double)device->runs);
    device->runs++;
    return true;
}

static void make_ends(struct job *from, struct job *to)
{
    *from = base_job();
    set(from, "cache", "off");
    *to = base_job();
    set(to, "cache", "on");
    set(to, "threads", "8");
    set(to, "files", "16");
}

static void attribute(struct attribute_plan *plan, struct device *device, enum attribute_method method, uint64_t seed,
                      struct attribution *out)
{
    struct job from, to;
    struct error error = ERROR_INIT;
    struct attribute_runner runner = {device, measure, NULL};
    make_ends(&from, &to);
    random_init(&device->random, seed, 9);
    device->runs = 0;
    if (!attribute_make(plan, &from, &to, method, 6, seed, &error) || !attribute_run(plan, &runner, &error) ||
        !attribute_result(plan, out, &error))
        fail_msg("%s", error.text);
}

static size_t step_of(const struct attribute_plan *plan, const char *setting)
{
    for (size_t i = 0; i < plan->step_count; i++)
        if (strncmp(plan->steps[i].name, setting, strlen(setting)) == 0)
            return i;
    fail_msg("no step is called %s", setting);
    return 0;
}

static bool holds(const struct ratio *ratio, double truth)
{
    return ratio->low <= truth && truth <= ratio->high;
}

/* ---- effects are found ---- */

static void without_noise_effects_are_exact(void **state)
{
    struct attribute_plan plan;
    struct attribution out;
    struct device device = {.interaction = 1};
    (void)state;
    attribute(&plan, &device, ATTRIBUTE_PATH, 1, &out);
    assert_int_equal(plan.step_count, 3);
    assert_true(fabs(out.effects[step_of(&plan, "cache")].value - CACHE_EFFECT) < 1e-9);
    assert_true(fabs(out.effects[step_of(&plan, "threads")].value - THREADS_EFFECT) < 1e-9);
    assert_true(fabs(out.effects[step_of(&plan, "files")].value - FILES_EFFECT) < 1e-9);
    assert_true(fabs(out.product.value - out.direct.value) < 1e-9);
    assert_true(fabs(out.remainder.value - 1) < 1e-9);
    assert_string_equal(plan.steps[step_of(&plan, "cache")].name, "cache: off → on");
    attribute_free(&plan);
}

#define TRIALS 400

/* Every effect, the direct ratio and the remainder must be in their interval 95 times in 100. */
static void intervals_hold(enum attribute_method method, double interaction, double drift, const double truth[3])
{
    int held[5] = {0};
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct attribute_plan plan;
        struct attribution out;
        struct device device = {.noise = 0.05, .interaction = interaction, .drift = drift};
        attribute(&plan, &device, method, trial + 1, &out);
        held[0] += holds(&out.effects[step_of(&plan, "cache")], truth[0]);
        held[1] += holds(&out.effects[step_of(&plan, "threads")], truth[1]);
        held[2] += holds(&out.effects[step_of(&plan, "files")], truth[2]);
        held[3] += holds(&out.direct, CACHE_EFFECT * THREADS_EFFECT * FILES_EFFECT * interaction);
        held[4] += holds(&out.remainder, 1);
        attribute_free(&plan);
    }
    for (size_t i = 0; i < COUNT_OF(held); i++)
        if (held[i] < TRIALS * 91 / 100 || held[i] > TRIALS * 99 / 100)
            fail_msg("interval %u held the truth %d times in %d", (unsigned)i, held[i], TRIALS);
}

static void a_path_finds_effects_that_are_independent(void **state)
{
    static const double truth[] = {CACHE_EFFECT, THREADS_EFFECT, FILES_EFFECT};
    (void)state;
    intervals_hold(ATTRIBUTE_PATH, 1, 0, truth);
}

static void shapley_shares_an_interaction_among_its_settings(void **state)
{
    const double half = sqrt(0.25);
    const double truth[] = {CACHE_EFFECT * half, THREADS_EFFECT * half, FILES_EFFECT};
    (void)state;
    intervals_hold(ATTRIBUTE_SHAPLEY, 0.25, 0, truth);
}

static void a_path_gives_an_interaction_to_the_later_setting(void **state)
{
    static const double truth[] = {CACHE_EFFECT, THREADS_EFFECT * 0.25, FILES_EFFECT};
    (void)state;
    intervals_hold(ATTRIBUTE_PATH, 0.25, 0, truth);
}

/* 6 rounds of 5 runs: the last is 6 % slower than the first. */
static void drift_over_all_runs_favours_no_setting(void **state)
{
    static const double truth[] = {CACHE_EFFECT, THREADS_EFFECT, FILES_EFFECT};
    (void)state;
    intervals_hold(ATTRIBUTE_PATH, 1, -0.002, truth);
}

/* ---- the plan ---- */

static void what_cannot_change_alone_changes_together(void **state)
{
    struct attribute_plan plan;
    struct error error = ERROR_INIT;
    struct job from = base_job(), to = base_job();
    (void)state;
    set(&to, "engine", "uv");
    set(&to, "depth", "8");
    set(&from, "engine", "sync");
    set(&from, "block_size", "4K");
    assert_true(attribute_make(&plan, &from, &to, ATTRIBUTE_SHAPLEY, 2, 1, &error));
    assert_int_equal(plan.step_count, 2); /* a depth above 1 needs another engine than sync */
    for (uint32_t mask = 0; mask < 4; mask++) {
        struct job job = attribute_job(&plan, mask);
        assert_true(job_check_run(&job, &error));
    }
    attribute_free(&plan);
}

static void many_settings_are_walked_over_drawn_orders(void **state)
{
    static const char *const rows[][2] = {
        {"threads", "2"}, {"files", "2"},       {"cache", "off"}, {"block_size", "4K"}, {"depth", "1"},
        {"rate", "100"},  {"drop_cache", "on"}, {"align", "512"}, {"total_size", "2G"}, {"file_choice", "turn"}};
    struct attribute_plan plan;
    struct error error = ERROR_INIT;
    struct job from = base_job(), to = base_job();
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        set(&to, rows[i][0], rows[i][1]);
    set(&to, "drop_cache", "off");
    assert_true(attribute_make(&plan, &from, &to, ATTRIBUTE_SHAPLEY, 1, 1, &error));
    assert_true(plan.step_count > ATTRIBUTE_EXACT_STEPS);
    assert_int_equal(plan.order_count, 2 * ATTRIBUTE_ORDERS);
    for (size_t o = 0; o < plan.order_count; o++) {
        uint32_t seen = 0;
        for (size_t i = 0; i < plan.step_count; i++)
            seen |= UINT32_C(1) << plan.orders[o][i];
        assert_int_equal(seen, (UINT32_C(1) << plan.step_count) - 1);
    }
    attribute_free(&plan);
}

static void equal_jobs_and_unlike_work_are_refused(void **state)
{
    struct attribute_plan plan;
    struct error error = ERROR_INIT, other = ERROR_INIT;
    struct job from = base_job(), to = base_job();
    (void)state;
    set(&to, "seed", "5");
    set(&to, "dir", "elsewhere");
    set(&to, "time", "3");
    assert_false(attribute_make(&plan, &from, &to, ATTRIBUTE_PATH, 2, 1, &error));
    assert_non_null(strstr(error.text, "the same job"));
    attribute_free(&plan);
    set(&to, "work", "database");
    assert_false(attribute_make(&plan, &from, &to, ATTRIBUTE_PATH, 2, 1, &other));
    assert_non_null(strstr(other.text, "database"));
    attribute_free(&plan);
}

static bool fail_third(void *context, const struct job *job, double *rate, struct error *error)
{
    size_t *runs = context;
    (void)job;
    *rate = 10;
    return ++*runs != 3 || error_set(error, ERR_SYSTEM, "the disk is gone");
}

static void what_was_measured_is_not_measured_again(void **state)
{
    struct attribute_plan plan;
    struct error error = ERROR_INIT, again = ERROR_INIT;
    struct job from, to;
    size_t runs = 0, kept = 0;
    struct attribute_runner runner = {&runs, fail_third, NULL};
    (void)state;
    make_ends(&from, &to);
    assert_true(attribute_make(&plan, &from, &to, ATTRIBUTE_PATH, 2, 1, &error));
    assert_int_equal(plan.slot_count, 6); /* four jobs, and both ends again */
    assert_false(attribute_run(&plan, &runner, &error));
    assert_string_equal(error.text, "the disk is gone");
    for (size_t i = 0; i < plan.rounds * plan.slot_count; i++)
        kept += plan.rates[i] > 0;
    assert_int_equal(kept, 2);
    assert_true(attribute_run(&plan, &runner, &again));
    assert_int_equal(runs, 13);
    attribute_free(&plan);
}

/* ---- as data ---- */

static void what_was_found_is_read_as_it_was_written(void **state)
{
    struct attribute_plan plan, read_plan;
    struct attribution out, read;
    struct device device = {.interaction = 1};
    struct error error = ERROR_INIT;
    (void)state;
    attribute(&plan, &device, ATTRIBUTE_SHAPLEY, 1, &out);
    char *text = attribute_to_json(&plan, &out);
    assert_non_null(text);
    if (!attribute_from_json(text, "a.json", &read_plan, &read, &error))
        fail_msg("%s", error.text);
    assert_int_equal(read_plan.method, ATTRIBUTE_SHAPLEY);
    assert_int_equal(read_plan.rounds, plan.rounds);
    assert_int_equal(read_plan.step_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(read_plan.steps[i].name, plan.steps[i].name);
        assert_true(fabs(read.effects[i].value / out.effects[i].value - 1) < 1e-6);
        assert_int_equal(read.effects[i].has_interval, out.effects[i].has_interval);
    }
    for (uint32_t mask = 0; mask < 8; mask++)
        assert_true(fabs(attribute_rate(&read_plan, mask) / attribute_rate(&plan, mask) - 1) < 1e-6);
    assert_true(fabs(read.direct.value / out.direct.value - 1) < 1e-6);
    char *picture = attribute_to_svg(&read_plan, &read);
    assert_non_null(strstr(picture, "cache: off → on"));
    free(picture);
    free(text);
    attribute_free(&plan);
    attribute_free(&read_plan);
}

static void what_is_no_attribution_is_refused_with_its_place(void **state)
{
#define EFFECT "\"method\":\"path\",\"effects\":[{\"step\":\"s\",\"value\":2,\"low\":null}],"
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"", "a.json"},
        {"{}", "method"},
        {"{\"method\":\"path\",\"effects\":[]}", "effects"},
        {"{\"method\":\"path\",\"effects\":[{\"step\":\"s\",\"value\":0}]}", "effects[0].value"},
        {"{" EFFECT "\"rounds\":1}", "runs"},
        {"{" EFFECT "\"rounds\":1,\"runs\":[{\"steps\":[1],\"rate_per_s\":[1]}]}", "runs[0].steps"},
        {"{" EFFECT "\"rounds\":2,\"runs\":[{\"steps\":[],\"rate_per_s\":[1]}]}", "runs[0].rate_per_s"},
        {"{" EFFECT "\"rounds\":1,\"runs\":[{\"steps\":[],\"rate_per_s\":[1]}]}", "of A and of B"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct attribute_plan plan;
        struct attribution found;
        struct error error = ERROR_INIT;
        if (attribute_from_json(rows[i].text, "a.json", &plan, &found, &error) || !strstr(error.text, rows[i].words))
            fail_msg("%s: %s", rows[i].text, error.text);
        attribute_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_effects_are_exact),
        cmocka_unit_test(a_path_finds_effects_that_are_independent),
        cmocka_unit_test(shapley_shares_an_interaction_among_its_settings),
        cmocka_unit_test(a_path_gives_an_interaction_to_the_later_setting),
        cmocka_unit_test(drift_over_all_runs_favours_no_setting),
        cmocka_unit_test(what_cannot_change_alone_changes_together),
        cmocka_unit_test(many_settings_are_walked_over_drawn_orders),
        cmocka_unit_test(equal_jobs_and_unlike_work_are_refused),
        cmocka_unit_test(what_was_measured_is_not_measured_again),
        cmocka_unit_test(what_was_found_is_read_as_it_was_written),
        cmocka_unit_test(what_is_no_attribution_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
