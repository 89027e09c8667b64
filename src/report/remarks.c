/* report/remarks.c: what the findings of all jobs come to, each kind once, with where it was found. */
#include "core/settings.h"
#include "reconcile/differ.h"
#include "reconcile/findings.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Those that say that a figure is wrong, or that it is of something else than it seems. */
static bool is_serious(const char *code)
{
    static const char *const codes[] = {
        "timer-overflow", "concurrency",  "event-time", "above-maximum", "below-minimum", "throughput-mismatch",
        "never-written",  "unwritten",    "cached-set", "os-cache",      "partial",       "impossible-rate",
        "other-test",     "missing-runs", "unreadable", "unlike-runs",   "littles-law",   "rows-missing"};
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (strcmp(codes[i], code) == 0)
            return true;
    return false;
}

/* What is of no job names a file or counts a set's runs: only the same again is told once. */
static struct report_remark *find(struct report *report, const struct report_remark *remark, bool is_of_job)
{
    for (size_t i = 0; i < report->remark_count; i++)
        if (strcmp(report->remarks[i].code, remark->code) == 0 &&
            (is_of_job || strcmp(report->remarks[i].text, remark->text) == 0))
            return &report->remarks[i];
    if (report->remark_count == report->remark_room) {
        size_t room = 2 * report->remark_room + 16;
        void *items = realloc(report->remarks, room * sizeof *report->remarks);
        if (!items)
            return NULL;
        report->remarks = items;
        report->remark_room = room;
    }
    struct report_remark *added = &report->remarks[report->remark_count++];
    *added = *remark;
    added->is_serious |= is_serious(added->code);
    added->sets = 0;
    added->last_row = SIZE_MAX;
    return added;
}

static void add_job(struct report_remark *remark, const char *name)
{
    size_t used = strlen(remark->where), needed = strlen(name) + 3;
    if (remark->jobs++ < 4 && used + needed < sizeof remark->where)
        snprintf(remark->where + used, sizeof remark->where - used, "%s%s", used ? ", " : "", name);
}

bool report_remark(struct report *report, const struct report_remark *remark, size_t row)
{
    struct report_remark *at = find(report, remark, row < report->row_count);
    if (!at)
        return false;
    at->runs++;
    at->sets |= remark->sets;
    if (row < report->row_count && at->last_row != row)
        add_job(at, report_row_name(report, row));
    at->last_row = row;
    return true;
}

/* ---- findings of one job ---- */

static bool take_finding(struct report *report, const struct finding *finding, size_t row)
{
    struct report_remark remark = {0};
    snprintf(remark.code, sizeof remark.code, "%s", finding->code);
    snprintf(remark.text, sizeof remark.text, "%s", finding->text);
    snprintf(remark.corrected, sizeof remark.corrected, "%s", finding->corrected);
    remark.sets = finding->label ? 1U << (finding->label - 'A') : 0;
    return report_remark(report, &remark, row);
}

static bool look_at_runs(struct report *report, const struct readings *runs, size_t row)
{
    struct sides sides;
    struct findings findings;
    if (!sides_make(runs, &sides))
        return false;
    for (size_t i = 0; i < sides.count; i++)
        sides.items[i].label = (char)('A' + sides.items[i].runs[0]->file); /* its set's, which the page uses */
    bool good = findings_make(&sides, &findings);
    for (size_t i = 0; good && i < findings.count; i++)
        good = take_finding(report, &findings.items[i], row);
    findings_free(&findings);
    sides_free(&sides);
    return good;
}

static bool look_at_row(struct report *report, size_t row)
{
    struct readings runs = {calloc(report->readings.count + 1, sizeof(struct reading *)), 0, 0};
    for (size_t i = 0; runs.items && i < report->readings.count; i++)
        if (compare_is_same_job(report_row(report, row)->example, report->readings.items[i]))
            runs.items[runs.count++] = report->readings.items[i];
    bool good = runs.items && look_at_runs(report, &runs, row);
    free(runs.items);
    return good;
}

/* ---- one name, two tests ---- */

static uint32_t sets_of_row(const struct report *report, size_t row)
{
    uint32_t sets = 0;
    for (size_t i = 0; i < report->set_count; i++)
        if (report_cell(report, row, i)->count > 0)
            sets |= 1U << i;
    return sets;
}

static bool note_other_test(struct report *report, size_t a, size_t b)
{
    const struct job *one = &report_row(report, a)->example->job, *other = &report_row(report, b)->example->job;
    struct difference *differences = calloc(DIFFERENCES_MAX, sizeof *differences);
    struct report_remark remark = {.code = "other-test", .sets = sets_of_row(report, a) | sets_of_row(report, b)};
    size_t count = differences ? job_differences(one, other, differences) : 0;
    size_t used = (size_t)snprintf(remark.text, sizeof remark.text,
                                   "the sets have run different tests under this name, and there is no ratio of them:");
    for (size_t i = 0; i < count && used < sizeof remark.text; i++) {
        char from[TEXT_MAX], to[TEXT_MAX];
        job_get(one, differences[i].setting, from, sizeof from);
        job_get(other, differences[i].setting, to, sizeof to);
        used += (size_t)snprintf(remark.text + used, sizeof remark.text - used, "%s %s %.60s and %.60s", i ? "," : "",
                                 differences[i].setting->name, from, to);
    }
    bool good = differences && report_remark(report, &remark, a);
    free(differences);
    return good;
}

static bool look_at_names(struct report *report)
{
    for (size_t a = 0; a < report->row_count; a++)
        for (size_t b = a + 1; b < report->row_count; b++) {
            const char *name = report_row(report, a)->example->name;
            if (name[0] && strcmp(name, report_row(report, b)->example->name) == 0 && !note_other_test(report, a, b))
                return false;
        }
    return true;
}

static int by_weight(const void *a, const void *b)
{
    const struct report_remark *one = a, *other = b;
    if (one->is_serious != other->is_serious)
        return one->is_serious ? -1 : 1;
    if (one->runs != other->runs)
        return one->runs > other->runs ? -1 : 1;
    return strcmp(one->code, other->code);
}

bool report_find_remarks(struct report *report, struct error *error)
{
    bool good = look_at_names(report);
    for (size_t row = 0; good && row < report->row_count; row++)
        good = look_at_row(report, row);
    if (!good)
        return error_set(error, ERR_SYSTEM, "not enough memory for the findings");
    if (report->remark_count > 0)
        qsort(report->remarks, report->remark_count, sizeof *report->remarks, by_weight);
    return true;
}
