#include "reconcile/compare.h"

#include "core/json_fields.h"
#include "core/relevance.h"
#include "core/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH 3 /* runs, for an interval to say something */

/* ---- rows ---- */

/* Places, seeds and what is shown do not make it another job. */
static bool is_beside(const struct setting *setting)
{
    static const char *const names[] = {"target",  "dir",       "file_name", "seed",    "repeat", "db_file", "db_host",
                                        "db_port", "db_socket", "db_user",   "db_name", "ledger", "start"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], setting->name) == 0)
            return true;
    return strcmp(setting->group, "reading") == 0;
}

static bool is_engine(const struct setting *setting)
{
    return strcmp(setting->name, "engine") == 0;
}

/* auto picks another asynchronous engine on each system, which is no difference of the job; "auto" itself is of another
 * tool's run, whose output does not tell. */
static const char *engine_kind(const struct job *job)
{
    static const char *const own_kinds[] = {"sync", "mmap", "auto"};
    for (size_t i = 0; i < COUNT_OF(own_kinds); i++)
        if (strcmp(job->engine, own_kinds[i]) == 0)
            return job->engine;
    return "asynchronous";
}

static bool is_one_engine(const struct job *a, const struct job *b)
{
    const char *one = engine_kind(a), *other = engine_kind(b);
    return strcmp(one, other) == 0 || strcmp(one, "auto") == 0 || strcmp(other, "auto") == 0;
}

static bool is_told_apart_by(const struct setting *setting, const struct job *a, const struct job *b)
{
    if (is_engine(setting) && is_one_engine(a, b))
        return false;
    return setting_concerns(setting, a->work) && !is_beside(setting) && !setting_equal(a, b, setting) &&
           (setting_matters(setting, a) || setting_matters(setting, b));
}

/* Of a ladder whose first step is one request at a time auto makes that one with the engine sync. */
bool compare_is_same_but(const struct job *a, const struct job *b, const struct setting *free_one)
{
    if (a->work != b->work)
        return false;
    for (size_t i = 0; i < settings_count; i++)
        if (&settings[i] != free_one && !is_engine(&settings[i]) && is_told_apart_by(&settings[i], a, b))
            return false;
    return true;
}

bool compare_is_same_job(const struct reading *a, const struct reading *b)
{
    return strcmp(a->name, b->name) == 0 && is_one_engine(&a->job, &b->job) &&
           compare_is_same_but(&a->job, &b->job, NULL);
}

static struct compare_row *row_of(struct comparison *all, const struct reading *run)
{
    for (size_t i = 0; i < all->row_count; i++)
        if (compare_is_same_job(all->rows[i].example, run))
            return &all->rows[i];
    struct compare_row *row = &all->rows[all->row_count++];
    row->example = run;
    row->cells = calloc(all->set_count, sizeof *row->cells);
    return row;
}

static size_t values_of(const struct comparison *all, const struct compare_row *row, size_t set,
                        const struct readings *readings, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < readings->count; i++) {
        const struct reading *run = readings->items[i];
        if (run->file == set && compare_is_same_job(row->example, run) && measure_of(run, all->measure, &out[count]) &&
            out[count] > 0)
            count++;
    }
    return count;
}

/* ---- names of jobs ---- */

/* Among the rows of the job's kind of work. */
static bool varies(const struct comparison *all, const struct job *job, const struct setting *setting)
{
    for (size_t i = 0; i < all->row_count; i++)
        if (all->rows[i].example->job.work == job->work && is_told_apart_by(setting, job, &all->rows[i].example->job))
            return true;
    return false;
}

/* What kind of load, then every setting in which the rows differ. */
static void name_row(const struct comparison *all, struct compare_row *row)
{
    const struct job *job = &row->example->job;
    char value[TEXT_MAX];
    size_t used;
    job_get(job, setting_find(job->work == WORK_FILES ? "mode" : "workload"), value, sizeof value);
    used = (size_t)snprintf(row->job, sizeof row->job, "%s%s%.60s", row->example->name,
                            row->example->name[0] ? ": " : "", value);
    if (job->work == WORK_FILES)
        used += (size_t)snprintf(row->job + used, sizeof row->job - used, " %s",
                                 (job_get(job, setting_find("block_size"), value, sizeof value), value));
    for (size_t i = 0; i < settings_count && used < sizeof row->job; i++) {
        bool said = strcmp(settings[i].name, "mode") == 0 || strcmp(settings[i].name, "block_size") == 0 ||
                    strcmp(settings[i].name, "workload") == 0 || strcmp(settings[i].name, "work") == 0;
        if (said || !setting_concerns(&settings[i], job->work) || !varies(all, job, &settings[i]))
            continue;
        job_get(job, &settings[i], value, sizeof value);
        used += (size_t)snprintf(row->job + used, sizeof row->job - used, ", %s %.60s", settings[i].name,
                                 is_engine(&settings[i]) ? engine_kind(job) : value);
    }
}

/* ---- cells and totals ---- */

static double spread_of(const double *values, size_t count)
{
    double low = count ? values[0] : 0, high = low;
    for (size_t i = 1; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    double mean = stats_mean(values, count);
    return mean > 0 ? 100 * (high - low) / mean : 0;
}

static double geometric_mean_of(const double *values, size_t count)
{
    double logs = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i] <= 0)
            return stats_mean(values, count);
        logs += log(values[i]);
    }
    return count ? exp(logs / (double)count) : 0;
}

static bool fill_row(struct comparison *all, struct compare_row *row, const struct readings *readings)
{
    double *base = calloc(2 * readings->count + 1, sizeof *base), *values = base ? base + readings->count : NULL;
    size_t base_count = base ? values_of(all, row, all->baseline, readings, base) : 0;
    for (size_t set = 0; base && set < all->set_count; set++) {
        struct cell *cell = &row->cells[set];
        cell->runs = values_of(all, row, set, readings, values);
        cell->mean = stats_mean(values, cell->runs);
        cell->geometric_mean = geometric_mean_of(values, cell->runs);
        cell->spread = spread_of(values, cell->runs);
        cell->has_ratio = cell->runs > 0 && base_count > 0;
        cell->median = stats_median(values, cell->runs);
        if (!cell->has_ratio)
            continue;
        cell->ratio = stats_ratio_welch(base, base_count, values, cell->runs);
        cell->is_significant =
            set != all->baseline && cell->runs >= ENOUGH && base_count >= ENOUGH && !stats_ratio_is_noise(&cell->ratio);
    }
    free(base);
    return base != NULL;
}

static bool is_better(const struct comparison *all, double a, double b)
{
    return measure_forms[all->measure].is_better_high ? a > b : a < b;
}

static void add_totals(struct comparison *all, size_t set)
{
    struct total *total = &all->totals[set];
    double logs = 0;
    for (size_t i = 0; i < all->row_count; i++) {
        const struct cell *cell = &all->rows[i].cells[set];
        if (!cell->has_ratio)
            continue;
        logs += log(cell->ratio.value);
        if (total->jobs == 0 || is_better(all, cell->ratio.value, total->best)) {
            total->best = cell->ratio.value;
            total->best_row = i;
        }
        if (total->jobs == 0 || is_better(all, total->worst, cell->ratio.value)) {
            total->worst = cell->ratio.value;
            total->worst_row = i;
        }
        total->jobs++;
    }
    total->geometric_mean = total->jobs ? exp(logs / (double)total->jobs) : 0;
}

static bool fill(struct comparison *all, const struct readings *readings, struct error *error)
{
    bool any = false;
    for (size_t i = 0; i < all->row_count; i++) {
        if (!all->rows[i].cells || !fill_row(all, &all->rows[i], readings))
            return error_set(error, ERR_SYSTEM, "not enough memory to compare");
        name_row(all, &all->rows[i]);
        for (size_t set = 0; set < all->set_count; set++)
            any |= all->rows[i].cells[set].runs > 0;
    }
    if (!any)
        return error_set(error, ERR_DATA, "no run that was read tells its %s", measure_forms[all->measure].name);
    for (size_t set = 0; set < all->set_count; set++)
        add_totals(all, set);
    return true;
}

bool compare_make(const struct readings *readings, const char *const *sets, size_t set_count, size_t baseline,
                  enum measure measure, struct comparison *out, struct error *error)
{
    *out = (struct comparison){.measure = measure,
                               .sets = sets,
                               .set_count = set_count,
                               .baseline = baseline,
                               .rows = calloc(readings->count + 1, sizeof *out->rows),
                               .totals = calloc(set_count + 1, sizeof *out->totals)};
    if (!out->rows || !out->totals) {
        compare_free(out);
        return error_set(error, ERR_SYSTEM, "not enough memory to compare");
    }
    for (size_t i = 0; i < readings->count; i++)
        row_of(out, readings->items[i]);
    if (fill(out, readings, error))
        return true;
    compare_free(out);
    return false;
}

void compare_free(struct comparison *comparison)
{
    for (size_t i = 0; comparison->rows && i < comparison->row_count; i++)
        free(comparison->rows[i].cells);
    free(comparison->rows);
    free(comparison->totals);
    comparison->rows = NULL;
    comparison->totals = NULL;
    comparison->row_count = 0;
}

/* ---- text ---- */

static const char *number_text(const struct comparison *all, double value, char out[32])
{
    value /= measure_forms[all->measure].scale;
    snprintf(out, 32, value >= 10000 ? "%.0f" : "%.5g", value);
    return out;
}

/* "1234 (×1.25 *)"; the star says that the difference is beyond noise. */
static const char *cell_text(const struct comparison *all, const struct cell *cell, size_t set, char out[64])
{
    char number[32];
    if (cell->runs == 0)
        snprintf(out, 64, "-");
    else if (!cell->has_ratio || set == all->baseline)
        snprintf(out, 64, "%s", number_text(all, cell->mean, number));
    else
        snprintf(out, 64, "%s (x%.3f%s)", number_text(all, cell->mean, number), cell->ratio.value,
                 cell->is_significant ? " *" : "");
    return out;
}

static const char *total_text(const struct comparison *all, size_t set, char out[64])
{
    const struct total *total = &all->totals[set];
    if (total->jobs == 0 || set == all->baseline)
        snprintf(out, 64, set == all->baseline ? "1" : "-");
    else
        snprintf(out, 64, "x%.3f (x%.3f to x%.3f)", total->geometric_mean,
                 total->worst < total->best ? total->worst : total->best,
                 total->worst < total->best ? total->best : total->worst);
    return out;
}

static int job_width(const struct comparison *all)
{
    int width = 24;
    for (size_t i = 0; i < all->row_count; i++)
        width = (int)strlen(all->rows[i].job) > width ? (int)strlen(all->rows[i].job) : width;
    return width < 80 ? width : 80;
}

#define COLUMN 26

/* The end of a long path: what sets of one tree have in common is its beginning. */
static const char *heading_of(const char *set)
{
    size_t length = strlen(set);
    const char *start = length > COLUMN ? set + (length - COLUMN) : set;
    while (((unsigned char)*start & 0xC0) == 0x80) /* within a sign of UTF-8 */
        start++;
    return start;
}

void compare_print(const struct comparison *all, FILE *out)
{
    const struct measure_form *form = &measure_forms[all->measure];
    int width = job_width(all);
    char text[64];
    bool is_unit_named = form->unit[0] == '\0' || form->unit[0] == '/'; /* "IO/s" */
    fprintf(out, "%s%s%s; in brackets the ratio to %s (*: beyond noise, three runs or more)\n\n%-*s", form->name,
            is_unit_named ? "" : ", ", is_unit_named ? "" : form->unit, all->sets[all->baseline], width, "");
    for (size_t set = 0; set < all->set_count; set++)
        fprintf(out, " %*s", COLUMN, heading_of(all->sets[set]));
    fputc('\n', out);
    for (size_t i = 0; i < all->row_count; i++) {
        fprintf(out, "%-*s", width, all->rows[i].job);
        for (size_t set = 0; set < all->set_count; set++)
            fprintf(out, " %*s", COLUMN, cell_text(all, &all->rows[i].cells[set], set, text));
        fputc('\n', out);
    }
    fprintf(out, "%-*s", width, "geometric mean (range)");
    for (size_t set = 0; set < all->set_count; set++)
        fprintf(out, " %*s", COLUMN, total_text(all, set, text));
    fputc('\n', out);
}

/* A bar in a name would end the cell. */
static void put_cell(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', out);
        fputc(*text, out);
    }
}

void compare_markdown(const struct comparison *all, FILE *out)
{
    char text[64];
    fputs("| job |", out);
    for (size_t set = 0; set < all->set_count; set++) {
        fputc(' ', out);
        put_cell(all->sets[set], out);
        fputs(" |", out);
    }
    fputs("\n| --- |", out);
    for (size_t set = 0; set < all->set_count; set++)
        fputs(" ---: |", out);
    for (size_t i = 0; i < all->row_count; i++) {
        fputs("\n| ", out);
        put_cell(all->rows[i].job, out);
        fputs(" |", out);
        for (size_t set = 0; set < all->set_count; set++)
            fprintf(out, " %s |", cell_text(all, &all->rows[i].cells[set], set, text));
    }
    fputs("\n| geometric mean (range) |", out);
    for (size_t set = 0; set < all->set_count; set++)
        fprintf(out, " %s |", total_text(all, set, text));
    fputc('\n', out);
}

/* RFC 4180. */
static void put_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void compare_csv(const struct comparison *all, FILE *out)
{
    fprintf(out, "job,set,runs,%s,spread_percent,ratio,ratio_low,ratio_high,significant\n",
            measure_forms[all->measure].key);
    for (size_t i = 0; i < all->row_count; i++)
        for (size_t set = 0; set < all->set_count; set++) {
            const struct cell *cell = &all->rows[i].cells[set];
            put_quoted(all->rows[i].job, out);
            fputc(',', out);
            put_quoted(all->sets[set], out);
            fprintf(out, ",%zu,%.15g,%.4g,", cell->runs, cell->mean, cell->spread);
            if (cell->has_ratio && cell->ratio.has_interval)
                fprintf(out, "%.6g,%.6g,%.6g,%s\n", cell->ratio.value, cell->ratio.low, cell->ratio.high,
                        cell->is_significant ? "yes" : "no");
            else if (cell->has_ratio)
                fprintf(out, "%.6g,,,\n", cell->ratio.value);
            else
                fputs(",,,\n", out);
        }
}

/* ---- JSON ---- */

static json_t *of_cell(const struct comparison *all, const struct cell *cell, size_t set, bool *ok)
{
    json_t *object = json_object();
    bool interval = cell->has_ratio && cell->ratio.has_interval;
    json_put(object, "set", json_of_text(all->sets[set]), ok);
    json_put(object, "runs", json_of_uint(cell->runs), ok);
    json_put(object, "mean", cell->runs ? json_of_real(cell->mean) : json_null(), ok);
    json_put(object, "spread_percent", json_of_real(cell->spread), ok);
    json_put(object, "ratio", cell->has_ratio ? json_of_real(cell->ratio.value) : json_null(), ok);
    json_put(object, "low", interval ? json_of_real(cell->ratio.low) : json_null(), ok);
    json_put(object, "high", interval ? json_of_real(cell->ratio.high) : json_null(), ok);
    json_put(object, "significant", json_boolean(cell->is_significant), ok);
    return object;
}

static json_t *of_total(const struct comparison *all, size_t set, bool *ok)
{
    const struct total *total = &all->totals[set];
    json_t *object = json_object();
    json_put(object, "set", json_of_text(all->sets[set]), ok);
    json_put(object, "jobs", json_of_uint(total->jobs), ok);
    json_put(object, "geometric_mean", total->jobs ? json_of_real(total->geometric_mean) : json_null(), ok);
    json_put(object, "best", total->jobs ? json_of_real(total->best) : json_null(), ok);
    json_put(object, "best_job", json_of_text(total->jobs ? all->rows[total->best_row].job : ""), ok);
    json_put(object, "worst", total->jobs ? json_of_real(total->worst) : json_null(), ok);
    json_put(object, "worst_job", json_of_text(total->jobs ? all->rows[total->worst_row].job : ""), ok);
    return object;
}

char *compare_to_json(const struct comparison *all)
{
    bool ok = true;
    json_t *root = json_object(), *rows = json_array(), *totals = json_array();
    for (size_t i = 0; i < all->row_count; i++) {
        json_t *row = json_object(), *cells = json_array();
        for (size_t set = 0; set < all->set_count; set++)
            json_append(cells, of_cell(all, &all->rows[i].cells[set], set, &ok), &ok);
        json_put(row, "job", json_of_text(all->rows[i].job), &ok);
        json_put(row, "sets", cells, &ok);
        json_append(rows, row, &ok);
    }
    for (size_t set = 0; set < all->set_count; set++)
        json_append(totals, of_total(all, set, &ok), &ok);
    json_put(root, "schema", json_of_uint(1), &ok);
    json_put(root, "figure", json_of_text(measure_forms[all->measure].key), &ok);
    json_put(root, "baseline", json_of_text(all->sets[all->baseline]), &ok);
    json_put(root, "rows", rows, &ok);
    json_put(root, "totals", totals, &ok);
    return json_finish(root, ok, 15);
}
