/* reconcile/attribute.h: which setting makes the difference. Jobs between A's and B's, each with some of B's settings,
 * are measured in rounds; every round measures each of them once, in random order, so that drift of the volume meets
 * all alike, and effects are compared within their round.
 *
 *   path     A's settings become B's one after the other; an effect is what its step changes.
 *   shapley  an effect is the mean of what the setting changes over the orders in which settings can change (L. S.
 *            Shapley, "A Value for n-Person Games", 1953): for settings that interact. Exact for up to
 *            ATTRIBUTE_EXACT_STEPS, else over orders drawn at random, each with its reverse.
 *
 * A and B themselves are measured once more in each round, apart from that: what the effects leave of their ratio is
 * the remainder. */
#ifndef RECONCILE_ATTRIBUTE_H
#define RECONCILE_ATTRIBUTE_H

#include "core/job.h"
#include "platform/error.h"
#include "reconcile/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATTRIBUTE_STEPS_MAX 20
#define ATTRIBUTE_EXACT_STEPS 5
#define ATTRIBUTE_ORDERS 8 /* drawn for more steps than that */

enum attribute_method { ATTRIBUTE_PATH, ATTRIBUTE_SHAPLEY };

/* One setting that becomes B's; or several, where one without the others is no job (a queue depth and its engine). */
struct attribute_step {
    uint64_t members[4]; /* bits: indices of the settings table */
    char name[256];      /* "cache: off → on", "depth: 1 → 8, engine: sync → auto" */
};

/* One job to measure: B's settings where `mask` has the step's bit, A's elsewhere. */
struct attribute_slot {
    uint32_t mask;
    bool direct; /* A or B by itself, for the check */
};

struct attribute_plan {
    struct job from, to;
    enum attribute_method method;
    uint64_t seed; /* of the orders */
    size_t rounds;
    struct attribute_step steps[ATTRIBUTE_STEPS_MAX];
    size_t step_count;
    uint8_t orders[2 * ATTRIBUTE_ORDERS][ATTRIBUTE_STEPS_MAX]; /* of the steps; path: one */
    size_t order_count;                                        /* 0 = all orders, exactly */
    struct attribute_slot *slots;
    size_t slot_count;
    double *rates; /* rounds × slot_count; 0 = not measured yet */
};

/* Settings that are walked are those with an effect on one of the jobs (reconcile/differ.h), but for run times. An
 * error when none differs, when more do than ATTRIBUTE_STEPS_MAX, or when memory is short; what is made needs
 * attribute_free in any case. */
bool attribute_make(struct attribute_plan *plan, const struct job *from, const struct job *to,
                    enum attribute_method method, size_t rounds, uint64_t seed, struct error *error);
void attribute_free(struct attribute_plan *plan);

struct job attribute_job(const struct attribute_plan *plan, uint32_t mask);

struct attribute_runner {
    void *context;
    /* Measures the job; *rate is events per second, above 0. */
    bool (*measure)(void *context, const struct job *job, double *rate, struct error *error);
    /* After each measurement, to save and show it. May be NULL. */
    bool (*measured)(void *context, const struct attribute_plan *plan, size_t round, size_t slot, struct error *error);
};

/* Measures what plan->rates does not hold yet. */
bool attribute_run(struct attribute_plan *plan, const struct attribute_runner *runner, struct error *error);

struct attribution {
    struct ratio effects[ATTRIBUTE_STEPS_MAX]; /* of each step; intervals over the rounds */
    struct ratio product;                      /* of all effects */
    struct ratio direct;                       /* B over A */
    struct ratio remainder;                    /* direct over product */
};

/* Needs every rate. */
bool attribute_result(const struct attribute_plan *plan, struct attribution *out, struct error *error);

#endif
