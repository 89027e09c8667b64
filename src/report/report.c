#include "report/report.h"

#include "core/settings.h"
#include "reconcile/attribute_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory for the report");
}

/* ---- names of sets ---- */

static bool is_separator(char sign)
{
    return sign == '/' || sign == '\\';
}

/* The last `parts` parts of a path. */
static void end_of_path(const char *path, size_t parts, char *out, size_t out_bytes)
{
    size_t end = strlen(path);
    while (end > 1 && is_separator(path[end - 1]))
        end--;
    size_t begin = end;
    for (; begin > 0 && parts > 0; begin--)
        if (is_separator(path[begin - 1]) && --parts == 0)
            break;
    snprintf(out, out_bytes, "%.*s", (int)(end - begin), path + begin);
}

#define PARTS_MAX 8

/* As many parts as it takes to tell every set from the others. */
static void name_sets(struct report *report)
{
    bool apart = false;
    for (size_t parts = 1; !apart && parts <= PARTS_MAX; parts++) {
        apart = true;
        for (size_t i = 0; i < report->set_count; i++) {
            end_of_path(report->sets[i].path, parts, report->sets[i].name, sizeof report->sets[i].name);
            for (size_t k = 0; k < i; k++)
                apart &= strcmp(report->sets[i].name, report->sets[k].name) != 0;
        }
    }
}

/* As its tag calls it, or else as it calls itself; "" = not told. */
static const char *host_of(const struct report_set *set)
{
    return set->manifest.host_tag[0] ? set->manifest.host_tag : set->manifest.host_name;
}

static bool shares_host(const struct report *report, size_t set)
{
    for (size_t i = 0; i < report->set_count; i++)
        if (i != set && strcmp(host_of(&report->sets[i]), host_of(&report->sets[set])) == 0)
            return true;
    return false;
}

static void title_sets(struct report *report)
{
    for (size_t i = 0; i < report->set_count; i++) {
        struct report_set *set = &report->sets[i];
        const char *host = host_of(set);
        if (!host[0] || strcmp(host, set->name) == 0)
            snprintf(set->title, sizeof set->title, "%s", set->name);
        else if (shares_host(report, i))
            snprintf(set->title, sizeof set->title, "%s, %s", host, set->name);
        else
            snprintf(set->title, sizeof set->title, "%s", host);
        report->titles[i] = set->title;
    }
}

/* ---- names of jobs ---- */

static const char *plan_name_of(const struct report_set *set, const struct reading *run)
{
    for (size_t i = 0; i < set->manifest.run_count; i++) {
        size_t length = strlen(set->manifest.runs[i].file), source = strlen(run->source);
        const char *end = source > length ? run->source + source - length : "";
        if (source > length && is_separator(end[-1]) && strcmp(end, set->manifest.runs[i].file) == 0)
            return set->manifest.runs[i].job;
    }
    return NULL;
}

/* Jobs of two plans may do the same under two names, and of one plan too: names count where every set has them. */
static void name_runs(struct report *report)
{
    report->is_named = true;
    for (size_t i = 0; i < report->readings.count; i++)
        report->is_named &=
            plan_name_of(&report->sets[report->readings.items[i]->file], report->readings.items[i]) != NULL;
    for (size_t i = 0; report->is_named && i < report->readings.count; i++) {
        struct reading *run = report->readings.items[i];
        snprintf(run->name, sizeof run->name, "%.*s", (int)sizeof run->name - 1,
                 plan_name_of(&report->sets[run->file], run));
    }
}

/* ---- jobs ---- */

static bool compare_all(struct report *report, struct error *error)
{
    for (int i = 0; i < MEASURES; i++) {
        struct error one = ERROR_INIT;
        if (!measure_forms[i].is_compared)
            continue;
        report->has[i] = compare_make(&report->readings, report->titles, report->set_count, report->baseline,
                                      (enum measure)i, &report->compared[i], &one);
        if (report->has[i] || (one.kind == ERR_DATA && i != MEASURE_RATE))
            continue;
        *error = one;
        return false;
    }
    report->row_count = report->compared[MEASURE_RATE].row_count;
    return true;
}

static double distance(const struct reading *run, double median)
{
    double rate;
    return measure_of(run, MEASURE_RATE, &rate) && rate > 0 && median > 0 ? fabs(log(rate / median)) : HUGE_VAL;
}

static void find_typical(struct report_cell *cell, double median)
{
    for (size_t i = 0; i < cell->count; i++)
        if (!cell->typical || distance(cell->runs[i], median) < distance(cell->typical, median))
            cell->typical = cell->runs[i];
}

static bool fill_cell(const struct report *report, size_t row, size_t set)
{
    struct report_cell *cell = &report->cells[row * report->set_count + set];
    cell->runs = calloc(report->readings.count + 1, sizeof(struct reading *));
    for (size_t i = 0; cell->runs && i < report->readings.count; i++) {
        const struct reading *run = report->readings.items[i];
        if (run->file == set && compare_is_same_job(report_row(report, row)->example, run))
            cell->runs[cell->count++] = run;
    }
    find_typical(cell, report_row(report, row)->cells[set].median);
    return cell->runs != NULL;
}

static bool fill_cells(struct report *report, struct error *error)
{
    report->cells = calloc(report->row_count * report->set_count + 1, sizeof *report->cells);
    for (size_t row = 0; report->cells && row < report->row_count; row++)
        for (size_t set = 0; set < report->set_count; set++)
            if (!fill_cell(report, row, set))
                return no_memory(error);
    return report->cells || no_memory(error);
}

const char *report_row_name(const struct report *report, size_t row)
{
    const struct compare_row *compared = report_row(report, row);
    return compared->example->name[0] ? compared->example->name : compared->job;
}

const char *report_row_work(const struct report *report, size_t row)
{
    const struct compare_row *compared = report_row(report, row);
    size_t length = strlen(compared->example->name);
    return length > 0 && strncmp(compared->job, compared->example->name, length) == 0 && compared->job[length] == ':'
               ? compared->job + length + 2
               : compared->job;
}

enum measure report_row_measure(const struct report *report, size_t row)
{
    const struct job *job = &report_row(report, row)->example->job;
    return job->work == WORK_FILES && mode_is_sequential(job->mode) && report->has[MEASURE_BYTES_PER_S]
               ? MEASURE_BYTES_PER_S
               : MEASURE_RATE;
}

const struct host_course *report_host_course(const struct report *report, const struct reading *run)
{
    for (size_t i = 0; i < report->readings.count; i++)
        if (report->readings.items[i] == run)
            return &report->hosts[i];
    return NULL;
}

/* ---- all ---- */

/* "results/lab" is "results/lab/", and has "results/lab/1-data" in it. */
static bool is_at_or_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && is_separator(folder[length - 1]))
        length--;
    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || is_separator(path[length]));
}

static bool find_baseline(struct report *report, const char *path, struct error *error)
{
    report->baseline = 0;
    for (size_t i = 0; path && i < report->set_count; i++)
        if (is_at_or_below(report->sets[i].path, path)) {
            report->baseline = i;
            return true;
        }
    return !path || error_set(error, ERR_USAGE,
                              "--baseline=%.200s: must be one of the sets, which are named or found below "
                              "what is named",
                              path);
}

bool report_make(struct report *out, const char *const *paths, size_t count, const char *baseline,
                 const struct dialect *native, struct error *error)
{
    memset(out, 0, sizeof *out);
    out->native = native;
    for (size_t i = 0; i < count; i++)
        if (!report_add_path(out, paths[i], error))
            return false;
    if (!find_baseline(out, baseline, error))
        return false;
    name_sets(out);
    title_sets(out);
    name_runs(out);
    return out->readings.count == 0 ||
           (compare_all(out, error) && fill_cells(out, error) && report_find_remarks(out, error));
}

void report_free(struct report *report)
{
    for (size_t i = 0; report->hosts && i < report->readings.count; i++)
        host_course_free(&report->hosts[i]);
    for (size_t i = 0; report->cells && i < report->row_count * report->set_count; i++)
        free(report->cells[i].runs);
    for (int i = 0; i < MEASURES; i++)
        if (report->has[i])
            compare_free(&report->compared[i]);
    for (size_t i = 0; i < report->set_count; i++) {
        manifest_facts_free(&report->sets[i].manifest);
        free(report->sets[i].path);
    }
    for (size_t i = 0; i < report->attribution_count; i++)
        attribute_free(&report->attributions[i].plan);
    free(report->hosts);
    free(report->cells);
    free(report->remarks);
    free(report->attributions);
    readings_free(&report->readings);
}
