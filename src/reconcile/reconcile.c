#include "reconcile/reconcile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE 0.05 /* without repetitions: a gap that says nothing */
#define ENOUGH 3   /* runs of a side; the interval of two is too wide to say anything */

/* ---- verdict ---- */

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"same-within-spread", "same-test", "other-test", "unknown"};
    return names[verdict];
}

static bool has_vital(const struct difference *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (setting_is_vital(rows[i].setting))
            return true;
    return false;
}

static bool is_close(const struct pair *pair)
{
    const struct ratio *ratio = &pair->ratios[MEASURE_RATE];
    if (!pair->has_ratio[MEASURE_RATE])
        return false;
    if (pair->has_enough)
        return stats_ratio_is_noise(ratio);
    bool is_single = pair->a->run_count < 2 || pair->b->run_count < 2;
    return sides_overlap(pair->a, pair->b) || (is_single && fabs(ratio->value - 1) < CLOSE);
}

static enum verdict judge(const struct pair *pair)
{
    if (pair->difference_count > 0)
        return VERDICT_OTHER_TEST;
    if (has_vital(pair->unknowns, pair->unknown_count))
        return VERDICT_UNKNOWN;
    return is_close(pair) ? VERDICT_SAME_WITHIN_SPREAD : VERDICT_SAME_TEST;
}

/* "B is 11.6 % slower" */
static void gap_text(const struct pair *pair, char *out, size_t out_bytes)
{
    double value = pair->ratios[MEASURE_RATE].value;
    if (!pair->has_ratio[MEASURE_RATE])
        snprintf(out, out_bytes, "they have no rate in common");
    else if (value >= 2 || value <= 0.5)
        snprintf(out, out_bytes, "%c has %.3g times the rate of %c", value >= 1 ? pair->b->label : pair->a->label,
                 value >= 1 ? value : 1 / value, value >= 1 ? pair->a->label : pair->b->label);
    else
        snprintf(out, out_bytes, "%c's rate is %.1f %% %s", pair->b->label, 100 * fabs(value - 1),
                 value >= 1 ? "higher" : "lower");
}

#define NAMED 4 /* settings that the verdict names; the table has all */

/* "cache (off, on), files (1, 128)" */
static void list_differences(const struct pair *pair, char *out, size_t out_bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < pair->difference_count && i < NAMED && used < out_bytes; i++) {
        const struct setting *setting = pair->differences[i].setting;
        char a[TEXT_MAX], b[TEXT_MAX];
        job_get(pair->a->job, setting, a, sizeof a);
        job_get(pair->b->job, setting, b, sizeof b);
        used += (size_t)snprintf(out + used, out_bytes - used, "%s%s (%.30s, %.30s)", i ? ", " : "", setting->name,
                                 a[0] ? a : "empty", b[0] ? b : "empty");
    }
    if (pair->difference_count > NAMED && used < out_bytes)
        snprintf(out + used, out_bytes - used, " and %zu more", pair->difference_count - NAMED);
}

char *verdict_text(const struct pair *pair, char *out, size_t out_bytes)
{
    char gap[128], differences[320];
    bool has_spread = pair->a->run_count > 1 && pair->b->run_count > 1;
    gap_text(pair, gap, sizeof gap);
    switch (pair->verdict) {
    case VERDICT_SAME_WITHIN_SPREAD:
        snprintf(out, out_bytes, "The same test: %s, %s.", gap,
                 has_spread ? "which is no more than the spread of its runs"
                            : "with one run on a side, whose spread is not known");
        break;
    case VERDICT_SAME_TEST:
        snprintf(out, out_bytes, "The same test: %s, so the volumes or systems differ%s.", gap,
                 has_spread ? "" : " (one run on a side: its spread is not known)");
        break;
    case VERDICT_OTHER_TEST:
        list_differences(pair, differences, sizeof differences);
        snprintf(out, out_bytes, "Not the same test: %zu setting%s differ%s, %s; %s%s.", pair->difference_count,
                 pair->difference_count == 1 ? "" : "s", pair->difference_count == 1 ? "s" : "", differences, gap,
                 has_spread && is_close(pair) ? ", no more than the spread of the runs" : "");
        break;
    case VERDICT_UNKNOWN:
        snprintf(out, out_bytes, "It cannot be told: %s, and %s, which decides, is not told on both sides.", gap,
                 pair->unknowns[0].setting->name);
        break;
    }
    return out;
}

/* ---- making ---- */

static bool make_pair(struct pair *pair, const struct side *a, const struct side *b, const struct dialect *native,
                      struct error *error)
{
    pair->a = a;
    pair->b = b;
    for (int i = 0; i < MEASURES; i++)
        pair->has_ratio[i] = measure_forms[i].is_compared && sides_ratio(a, b, (enum measure)i, &pair->ratios[i]);
    pair->has_enough = a->run_count >= ENOUGH && b->run_count >= ENOUGH;
    pair->difference_count = differences_of(a, b, pair->differences);
    pair->unknown_count = unknowns_of(a, b, pair->unknowns);
    pair->verdict = judge(pair);
    if (pair->verdict != VERDICT_OTHER_TEST)
        return true;
    pair->alignment = alignment_make(a, b, native, error);
    return pair->alignment != NULL;
}

bool reconcile_make(const struct readings *readings, const struct dialect *native, struct reconciliation *out,
                    struct error *error)
{
    memset(out, 0, sizeof *out);
    if (!sides_make(readings, &out->sides))
        return error_set(error, ERR_SYSTEM, "not enough memory to compare");
    if (out->sides.count < 2) {
        reconcile_free(out);
        return error_set(error, ERR_DATA,
                         "all runs that were found are repetitions of one job in one file: give a second file, or one "
                         "that holds two different runs");
    }
    out->pairs = calloc(out->sides.count - 1, sizeof *out->pairs);
    bool good = out->pairs && findings_make(&out->sides, &out->findings);
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory to compare");
    for (size_t i = 1; good && i < out->sides.count; i++)
        good = make_pair(&out->pairs[i - 1], &out->sides.items[0], &out->sides.items[i], native, error);
    if (!good)
        reconcile_free(out);
    return good;
}

void reconcile_free(struct reconciliation *reconciliation)
{
    for (size_t i = 0; reconciliation->pairs && i + 1 < reconciliation->sides.count; i++)
        free(reconciliation->pairs[i].alignment);
    free(reconciliation->pairs);
    findings_free(&reconciliation->findings);
    sides_free(&reconciliation->sides);
    memset(reconciliation, 0, sizeof *reconciliation);
}
