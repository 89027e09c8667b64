/* report/summary.c: how the sets stand to each other, job by job and over all; what to be careful about; the hosts. */
#include "report/draw.h"

#include "core/units.h"
#include "report/chart.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

#define ENOUGH_RUNS 3 /* as in reconcile/compare.c: fewer have no say about noise */

static const struct cell *cell_of(const struct report *report, enum measure measure, size_t row, size_t set)
{
    return report->has[measure] ? &report->compared[measure].rows[row].cells[set] : NULL;
}

/* ---- ratios ---- */

enum outcome { OUTCOME_NONE, OUTCOME_BETTER, OUTCOME_WORSE, OUTCOME_SAME, OUTCOME_UNSURE, OUTCOMES };

static enum outcome outcome_of(const struct report *report, enum measure measure, size_t row, size_t set)
{
    const struct cell *cell = cell_of(report, measure, row, set),
                      *base = cell_of(report, measure, row, report->baseline);
    if (!cell || !cell->has_ratio || set == report->baseline)
        return OUTCOME_NONE;
    if (cell->runs < ENOUGH_RUNS || base->runs < ENOUGH_RUNS)
        return OUTCOME_UNSURE;
    if (!cell->is_significant)
        return OUTCOME_SAME;
    return (cell->ratio.value > 1) == measure_forms[measure].is_better_high ? OUTCOME_BETTER : OUTCOME_WORSE;
}

static void put_ratio(struct markup *out, const struct report *report, enum measure measure, size_t row, size_t set)
{
    static const char *const classes[OUTCOMES] = {"", "better", "worse", "same", "unsure"};
    static const char *const words[OUTCOMES] = {"", "better than the baseline, beyond noise",
                                                "worse than the baseline, beyond noise", "within noise",
                                                "too few runs to tell from noise"};
    enum outcome outcome = outcome_of(report, measure, row, set);
    char text[FIGURE_BYTES_MAX];
    if (outcome == OUTCOME_NONE)
        return;
    double ratio = cell_of(report, measure, row, set)->ratio.value;
    bool is_good = (ratio > 1) == measure_forms[measure].is_better_high;
    markup_printf(out, " <span class=\"ratio %s%s\" title=\"%s\">%s</span>", classes[outcome],
                  outcome != OUTCOME_UNSURE ? ""
                  : is_good                 ? " up"
                                            : " down",
                  words[outcome], text_ratio(ratio, text));
}

/* ---- cards ---- */

/* One that tells of the volume, if there is any. */
static const struct reading *first_run(const struct report *report, size_t set)
{
    const struct reading *first = NULL;
    for (size_t i = 0; i < report->readings.count; i++) {
        const struct reading *run = report->readings.items[i];
        if (run->file == set && run->result && (!first || first->job.work != WORK_FILES))
            first = run->job.work == WORK_FILES || !first ? run : first;
    }
    return first;
}

static void put_platform(struct markup *out, const struct report *report, size_t set)
{
    const struct reading *run = first_run(report, set);
    const char *os = run && run->result->host.os[0] ? run->result->host.os : report->sets[set].manifest.host.os;
    markup_add(out, "<p class=\"soft\">");
    markup_text(out, os[0] ? os : report->sets[set].path);
    if (run && run->job.work == WORK_FILES && run->result->target.file_system[0]) {
        markup_add(out, " · ");
        markup_text(out, run->result->target.file_system);
        if (run->result->target.device[0]) {
            markup_add(out, " on ");
            markup_text(out, run->result->target.device_model[0] ? run->result->target.device_model
                                                                 : run->result->target.device);
        }
    }
    markup_add(out, "</p>\n");
}

static void put_total(struct markup *out, const struct report *report, enum measure measure, size_t set,
                      const char *what, const char *kind)
{
    const struct total *total = report->has[measure] ? &report->compared[measure].totals[set] : NULL;
    bool is_good;
    char mean[FIGURE_BYTES_MAX], low[FIGURE_BYTES_MAX], high[FIGURE_BYTES_MAX];
    if (!total || total->jobs == 0)
        return;
    is_good = (total->geometric_mean > 1) == measure_forms[measure].is_better_high;
    markup_printf(out, "<p class=\"%s %s\"><b>%s</b> %s", kind, is_good ? "up" : "down",
                  text_ratio(total->geometric_mean, mean), what);
    if (total->jobs > 1)
        markup_printf(out, " <span class=\"soft\">%s to %s</span>",
                      text_ratio(total->worst < total->best ? total->worst : total->best, low),
                      text_ratio(total->worst < total->best ? total->best : total->worst, high));
    markup_add(out, "</p>\n");
}

/* "faster in 3 jobs, slower in 1": of the jobs that both have. */
static void put_tally(struct markup *out, const struct report *report, size_t set)
{
    static const char *const words[OUTCOMES] = {"", "better in", "worse in", "within noise in",
                                                "too few runs to tell in"};
    size_t counts[OUTCOMES] = {0}, told = 0;
    for (size_t row = 0; row < report->row_count; row++)
        counts[outcome_of(report, report_row_measure(report, row), row, set)]++;
    markup_add(out, "<p class=\"soft\">");
    for (int i = OUTCOME_BETTER; i < OUTCOMES; i++)
        if (counts[i] > 0)
            markup_printf(out, "%s%s %zu job%s", told++ ? ", " : "", words[i], counts[i], counts[i] == 1 ? "" : "s");
    markup_add(out, told ? "</p>\n" : "no job in common with the baseline</p>\n");
}

static void put_card(struct markup *out, const struct report *report, size_t set)
{
    markup_add(out, "<article class=\"card\">\n<h2>");
    draw_chip(out, set);
    markup_add(out, " ");
    markup_text(out, report->sets[set].title);
    markup_add(out, "</h2>\n");
    put_platform(out, report, set);
    if (report->set_count > 1 && set == report->baseline) {
        markup_add(out, "<p class=\"big\"><b>×1</b> baseline</p>\n<p class=\"soft\">the others are held against "
                        "it</p>\n");
    } else if (report->set_count > 1) {
        put_total(out, report, MEASURE_RATE, set, "rate", "big");
        put_total(out, report, MEASURE_P99_NS, set, "99th percentile of latency", "small");
        put_tally(out, report, set);
    }
    markup_add(out, "</article>\n");
}

void draw_cards(struct markup *out, const struct report *report)
{
    markup_add(out, "<section class=\"cards\" aria-label=\"The sets\">\n");
    for (size_t i = 0; i < report->set_count; i++)
        put_card(out, report, i);
    markup_add(out, "</section>\n");
}

/* ---- results ---- */

static double most_in_row(const struct report *report, enum measure measure, size_t row)
{
    double most = 0;
    for (size_t set = 0; set < report->set_count; set++)
        if (cell_of(report, measure, row, set)->geometric_mean > most)
            most = cell_of(report, measure, row, set)->geometric_mean;
    return most;
}

static void put_latency(struct markup *out, const struct report *report, size_t row, size_t set)
{
    const struct cell *cell = cell_of(report, MEASURE_P99_NS, row, set);
    char text[FIGURE_BYTES_MAX];
    if (!cell || cell->runs == 0)
        return;
    markup_printf(out, "<span class=\"second\">p99 %s",
                  text_measure(cell->geometric_mean, MEASURE_P99_NS, report_row(report, row)->example->job.work, text));
    put_ratio(out, report, MEASURE_P99_NS, row, set);
    markup_add(out, "</span>");
}

static void put_cell(struct markup *out, const struct report *report, size_t row, size_t set)
{
    enum measure measure = report_row_measure(report, row);
    const struct cell *cell = cell_of(report, measure, row, set);
    char text[FIGURE_BYTES_MAX];
    markup_add(out, "<td role=\"cell\"><span class=\"who\">");
    draw_chip(out, set);
    markup_add(out, "</span>");
    if (cell->runs == 0) {
        markup_add(out, "<span class=\"soft\">not run</span></td>");
        return;
    }
    markup_printf(out, "<span class=\"first\"><b>%s</b>",
                  text_measure(cell->geometric_mean, measure, report_row(report, row)->example->job.work, text));
    put_ratio(out, report, measure, row, set);
    markup_printf(out, "</span><span class=\"bar\"><i class=\"b%zu\" style=\"width:%.1f%%\"></i></span>",
                  set % CHART_COLOURS, 100 * cell->geometric_mean / most_in_row(report, measure, row));
    put_latency(out, report, row, set);
    if (cell->runs > 1)
        markup_printf(out, "<span class=\"soft\">%zu runs, spread %.1f %%</span>", cell->runs, cell->spread);
    markup_add(out, "</td>");
}

static void put_row(struct markup *out, const struct report *report, size_t row)
{
    const char *name = report_row_name(report, row), *work = report_row_work(report, row);
    markup_printf(out, "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\"><a href=\"#job-%zu\">", row);
    markup_text(out, name);
    markup_add(out, "</a>");
    if (strcmp(name, work) != 0) {
        markup_add(out, "<span class=\"soft\">");
        markup_text(out, work);
        markup_add(out, "</span>");
    }
    markup_add(out, "</th>");
    for (size_t set = 0; set < report->set_count; set++)
        put_cell(out, report, row, set);
    markup_add(out, "</tr>\n");
}

static void put_result_head(struct markup *out, const struct report *report)
{
    markup_add(out,
               "<section>\n<h2>Results</h2>\n<div class=\"scroll\"><table class=\"results\" role=\"table\">\n<thead "
               "role=\"rowgroup\"><tr role=\"row\"><th role=\"columnheader\" scope=\"col\">job</th>");
    for (size_t set = 0; set < report->set_count; set++) {
        markup_add(out, "<th role=\"columnheader\" scope=\"col\">");
        draw_chip(out, set);
        markup_add(out, " ");
        markup_text(out, report->sets[set].title);
        markup_add(out, "</th>");
    }
    markup_add(out, "</tr></thead>\n<tbody role=\"rowgroup\">\n");
}

void draw_results(struct markup *out, const struct report *report)
{
    if (report->row_count == 0)
        return;
    put_result_head(out, report);
    for (size_t row = 0; row < report->row_count; row++)
        put_row(out, report, row);
    markup_add(out, "</tbody></table></div>\n");
    if (report->set_count > 1)
        markup_printf(
            out,
            "<p class=\"soft key\">Ratios are to %c: <span class=\"ratio better\">better</span> <span "
            "class=\"ratio worse\">worse</span> beyond noise, <span class=\"ratio same\">within noise</span>, "
            "<span class=\"ratio unsure\">too few runs to tell</span>. A bar is "
            "against the highest of its row.</p>\n",
            (char)('A' + report->baseline));
    markup_add(out, "</section>\n");
}

/* ---- remarks ---- */

static void put_places(struct markup *out, const struct report *report, const struct report_remark *remark)
{
    markup_add(out, "<p class=\"soft\">");
    for (size_t set = 0; set < report->set_count; set++)
        if (remark->sets >> set & 1)
            draw_chip(out, set);
    markup_add(out, " ");
    markup_text(out, remark->where);
    if (remark->jobs > 4)
        markup_printf(out, " and %zu more jobs", remark->jobs - 4);
    if (remark->runs > 1)
        markup_printf(out, "%s%zu times", remark->where[0] ? ", " : "", remark->runs);
    markup_add(out, "</p>");
}

static void put_remark(struct markup *out, const struct report *report, const struct report_remark *remark)
{
    markup_printf(out, "<li class=\"%s\"><p><code>", remark->is_serious ? "serious" : "note");
    markup_text(out, remark->code);
    markup_add(out, "</code> ");
    markup_text(out, remark->text);
    if (remark->corrected[0]) {
        markup_add(out, ". True value: ");
        markup_text(out, remark->corrected);
    }
    markup_add(out, "</p>");
    put_places(out, report, remark);
    markup_add(out, "</li>\n");
}

void draw_remarks(struct markup *out, const struct report *report)
{
    if (report->row_count == 0 && report->remark_count == 0)
        return;
    markup_add(out, "<section>\n<h2>Findings</h2>\n");
    if (report->remark_count == 0)
        markup_add(out, "<p>Nothing was found that is impossible, doubtful or easily misread.</p>\n");
    else
        markup_add(out, "<ul class=\"remarks\">\n");
    for (size_t i = 0; i < report->remark_count; i++)
        put_remark(out, report, &report->remarks[i]);
    markup_add(out, report->remark_count ? "</ul>\n</section>\n" : "</section>\n");
}

/* ---- hosts ---- */

#define FACT_BYTES 512

/* A fact of a set's host; "" = not told. */
typedef void host_fact(const struct reading *run, char out[FACT_BYTES]);

static void fact_os(const struct reading *run, char out[FACT_BYTES])
{
    snprintf(out, FACT_BYTES, "%s", run->result->host.os);
}

static void fact_kernel(const struct reading *run, char out[FACT_BYTES])
{
    snprintf(out, FACT_BYTES, "%s", run->result->host.kernel);
}

static void fact_cpu(const struct reading *run, char out[FACT_BYTES])
{
    const struct host_facts *host = &run->result->host;
    if (host->cpu_count > 0)
        snprintf(out, FACT_BYTES, "%u × %s", (unsigned)host->cpu_count, host->cpu_model[0] ? host->cpu_model : "CPU");
}

static void fact_memory(const struct reading *run, char out[FACT_BYTES])
{
    if (run->result->host.memory_bytes > 0)
        units_bytes_human((double)run->result->host.memory_bytes, out, FACT_BYTES);
}

static void fact_machine(const struct reading *run, char out[FACT_BYTES])
{
    const struct host_facts *host = &run->result->host;
    const char *parts[] = {host->virtualization, host->cloud, host->instance_type};
    size_t used = 0;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (parts[i][0])
            used += (size_t)snprintf(out + used, FACT_BYTES - used, "%s%s", used ? ", " : "", parts[i]);
}

static void fact_volume(const struct reading *run, char out[FACT_BYTES])
{
    const struct target_facts *target = &run->result->target;
    const char *parts[] = {target->file_system, target->device, target->device_model, target->ebs_volume_id};
    size_t used = 0;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (parts[i][0])
            used += (size_t)snprintf(out + used, FACT_BYTES - used, "%s%s", used ? ", " : "", parts[i]);
}

static void fact_size(const struct reading *run, char out[FACT_BYTES])
{
    const struct target_facts *target = &run->result->target;
    char total[32];
    if (target->total_bytes > 0) /* in percent: bytes differ from run to run */
        snprintf(out, FACT_BYTES, "%s, %.0f %% free",
                 units_bytes_human((double)target->total_bytes, total, sizeof total),
                 100 * (double)target->free_bytes / (double)target->total_bytes);
}

static void fact_options(const struct reading *run, char out[FACT_BYTES])
{
    snprintf(out, FACT_BYTES, "%s", run->result->target.mount_options);
}

static void fact_server(const struct reading *run, char out[FACT_BYTES])
{
    if (run->result->server.product[0])
        snprintf(out, FACT_BYTES, "%s %s", run->result->server.product, run->result->server.version);
}

static void fact_engine(const struct reading *run, char out[FACT_BYTES])
{
    if (run->job.work == WORK_FILES)
        snprintf(out, FACT_BYTES, "%s", run->job.engine);
}

static void fact_clock(const struct reading *run, char out[FACT_BYTES])
{
    char step[32];
    snprintf(out, FACT_BYTES, "%s, steps of %s", run->result->clock.name,
             units_time_human((double)run->result->clock.resolution_ns, step, sizeof step));
}

static void fact_version(const struct reading *run, char out[FACT_BYTES])
{
    snprintf(out, FACT_BYTES, "%s", run->result->version);
}

static const struct {
    const char *name;
    host_fact *tell;
} facts[] = {{"system", fact_os},        {"kernel", fact_kernel},        {"CPUs", fact_cpu},
             {"memory", fact_memory},    {"machine", fact_machine},      {"volume", fact_volume},
             {"file system", fact_size}, {"mounted with", fact_options}, {"database", fact_server},
             {"IO engine", fact_engine}, {"clock", fact_clock},          {"isobench", fact_version}};

/* Every value that the set's runs have for it, each once. */
static void tell_fact(const struct report *report, size_t set, host_fact *tell, char out[FACT_BYTES])
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < report->readings.count; i++) {
        const struct reading *run = report->readings.items[i];
        char one[FACT_BYTES] = "";
        if (run->file != set || !run->result)
            continue;
        tell(run, one);
        if (one[0] && !strstr(out, one) && used + strlen(one) + 3 < FACT_BYTES)
            used += (size_t)snprintf(out + used, FACT_BYTES - used, "%s%s", used ? "; " : "", one);
    }
}

static void put_fact(struct markup *out, const struct report *report, size_t fact)
{
    char values[REPORT_SETS_MAX][FACT_BYTES];
    bool any = false, differ = false;
    for (size_t set = 0; set < report->set_count; set++) {
        tell_fact(report, set, facts[fact].tell, values[set]);
        any |= values[set][0] != '\0';
        differ |= strcmp(values[set], values[0]) != 0;
    }
    if (!any)
        return;
    markup_printf(out, "<tr%s><th scope=\"row\">%s</th>", differ ? " class=\"differs\"" : "", facts[fact].name);
    for (size_t set = 0; set < report->set_count; set++) {
        markup_add(out, "<td>");
        markup_text(out, values[set]);
        markup_add(out, "</td>");
    }
    markup_add(out, "</tr>\n");
}

static void put_manifest_fact(struct markup *out, const struct report *report, const char *name,
                              const char *(*tell)(const struct manifest_facts *manifest))
{
    bool any = false;
    for (size_t set = 0; set < report->set_count; set++)
        any |= tell(&report->sets[set].manifest)[0] != '\0';
    if (!any)
        return;
    markup_printf(out, "<tr><th scope=\"row\">%s</th>", name);
    for (size_t set = 0; set < report->set_count; set++) {
        markup_add(out, "<td>");
        markup_text(out, tell(&report->sets[set].manifest));
        markup_add(out, "</td>");
    }
    markup_add(out, "</tr>\n");
}

static const char *tell_tags(const struct manifest_facts *manifest)
{
    return manifest->tags;
}

static const char *tell_host_name(const struct manifest_facts *manifest)
{
    return manifest->host_name;
}

static void put_set_facts(struct markup *out, const struct report *report)
{
    markup_add(out, "<tr><th scope=\"row\">folder</th>");
    for (size_t set = 0; set < report->set_count; set++) {
        markup_add(out, "<td>");
        markup_text(out, report->sets[set].path);
        markup_add(out, "</td>");
    }
    markup_add(out, "</tr>\n");
    put_manifest_fact(out, report, "host's name", tell_host_name);
    put_manifest_fact(out, report, "tags", tell_tags);
}

static void put_skipped(struct markup *out, const struct report *report)
{
    if (report->skipped_count == 0)
        return;
    markup_printf(out, "<p class=\"soft\">%zu file%s no result and left out: ", report->skipped_count,
                  report->skipped_count == 1 ? " is" : "s are");
    markup_text(out, report->skipped);
    markup_add(out, "</p>\n");
}

void draw_hosts(struct markup *out, const struct report *report)
{
    markup_add(out,
               "<section>\n<h2>Hosts and volumes</h2>\n<div class=\"scroll\"><table class=\"facts\">\n<thead><tr><th "
               "scope=\"col\"></th>");
    for (size_t set = 0; set < report->set_count; set++) {
        markup_add(out, "<th scope=\"col\">");
        draw_chip(out, set);
        markup_add(out, " ");
        markup_text(out, report->sets[set].title);
        markup_add(out, "</th>");
    }
    markup_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        put_fact(out, report, i);
    put_set_facts(out, report);
    markup_add(out, "</tbody></table></div>\n");
    put_skipped(out, report);
    markup_add(out, "</section>\n");
}
