#include "core/openmetrics.h"

#include "core/markup.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/clock.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct page {
    struct markup text;
    const struct metrics_of_job *jobs;
    size_t count;
    const struct host_sample *host;
};

/* ---- the format ---- */

/* A family: all of its samples follow. `unit` is the end of its name, or "". */
static void begin(struct page *page, const char *name, const char *type, const char *unit, const char *help)
{
    markup_printf(&page->text, "# TYPE isobench_%s %s\n", name, type);
    if (unit[0])
        markup_printf(&page->text, "# UNIT isobench_%s %s\n", name, unit);
    markup_printf(&page->text, "# HELP isobench_%s %s\n", name, help);
}

/* What the format does not let stand in quotes. */
static void add_escaped(struct page *page, const char *value)
{
    for (const char *at = value; *at;) {
        size_t plain = strcspn(at, "\\\"\n");
        markup_printf(&page->text, "%.*s", (int)plain, at);
        at += plain;
        if (*at)
            markup_printf(&page->text, "\\%c", *at == '\n' ? 'n' : *at);
        at += *at != '\0';
    }
}

static void add_label(struct page *page, const char *name, const char *value)
{
    markup_printf(&page->text, "%s=\"", name);
    add_escaped(page, value);
    markup_add(&page->text, "\"");
}

static void add_real(struct page *page, double value)
{
    char number[64];
    markup_printf(&page->text, " %s\n", units_real_exact(value, number, sizeof number));
}

static void add_whole(struct page *page, uint64_t value)
{
    markup_printf(&page->text, " %" PRIu64 "\n", value);
}

static double seconds(uint64_t ns)
{
    return (double)ns / (double)NS_PER_S;
}

/* "isobench_name{job="1"": the caller goes on. */
static void begin_of_job(struct page *page, const char *name, const struct metrics_of_job *of)
{
    markup_printf(&page->text, "isobench_%s{job=\"%" PRIu32 "\"", name, of->number);
    if (of->repetition == 0)
        return;
    markup_add(&page->text, ",");
    add_label(page, "name", of->name);
    markup_printf(&page->text, ",repetition=\"%" PRIu64 "\"", of->repetition);
}

static void begin_of_class(struct page *page, const char *name, const struct metrics_of_job *of, int op)
{
    begin_of_job(page, name, of);
    markup_printf(&page->text, ",class=\"%s\"", op_class_names[op]);
}

/* ---- the plan ---- */

static void add_plan(struct page *page, const struct metrics_of_plan *plan)
{
    const struct {
        const char *state;
        size_t runs;
    } rows[] = {{"open", plan->open}, {"done", plan->done}, {"failed", plan->failed}};
    begin(page, "plan", "info", "", "The plan that is run.");
    markup_add(&page->text, "isobench_plan_info{");
    add_label(page, "plan", plan->name);
    markup_add(&page->text, "} 1\n");
    begin(page, "plan_runs", "gauge", "", "The plan's runs; the one that goes on is open.");
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        markup_printf(&page->text, "isobench_plan_runs{state=\"%s\"} %zu\n", rows[i].state, rows[i].runs);
    begin(page, "plan_left_seconds", "gauge", "seconds", "Estimate, as of the beginning of the run that goes on.");
    markup_add(&page->text, "isobench_plan_left_seconds");
    add_real(page, plan->left_s);
}

/* ---- what each job is ---- */

static void add_setting(struct page *page, const struct metrics_of_job *of, const char *name)
{
    char value[TEXT_MAX];
    const struct setting *setting = setting_find(name);
    if (!setting_concerns(setting, of->job.work))
        return;
    job_get(&of->job, setting, value, sizeof value);
    markup_add(&page->text, ",");
    add_label(page, name, value);
}

static void add_jobs(struct page *page)
{
    static const char *const told[] = {"work",  "mode",  "block_size", "engine",
                                       "depth", "cache", "db_driver",  "workload"};
    begin(page, "job", "info", "", "What each job of the command line is.");
    for (size_t i = 0; i < page->count; ++i) {
        begin_of_job(page, "job_info", &page->jobs[i]);
        if (page->jobs[i].repetition == 0) {
            markup_add(&page->text, ",");
            add_label(page, "name", page->jobs[i].name);
        }
        for (size_t n = 0; n < COUNT_OF(told); ++n)
            add_setting(page, &page->jobs[i], told[n]);
        markup_add(&page->text, "} 1\n");
    }
}

static void add_phases(struct page *page)
{
    static const char *const phases[] = {"starting", "warmup", "measuring", "done"};
    begin(page, "phase", "stateset", "", "What each job is at.");
    for (size_t i = 0; i < page->count; ++i)
        for (int phase = 0; phase <= PHASE_DONE; ++phase) {
            begin_of_job(page, "phase", &page->jobs[i]);
            markup_printf(&page->text, ",isobench_phase=\"%s\"} %d\n", phases[phase],
                          page->jobs[i].phase == (enum run_phase)phase);
        }
}

static void add_sizes(struct page *page)
{
    begin(page, "measured_seconds", "gauge", "seconds", "Length of the measured part until now.");
    for (size_t i = 0; i < page->count; ++i) {
        begin_of_job(page, "measured_seconds", &page->jobs[i]);
        markup_add(&page->text, "}");
        add_real(page, seconds(page->jobs[i].measured_ns));
    }
    begin(page, "threads", "gauge", "", "Threads that make the load.");
    for (size_t i = 0; i < page->count; ++i) {
        begin_of_job(page, "threads", &page->jobs[i]);
        markup_add(&page->text, "}");
        add_whole(page, page->jobs[i].job.threads);
    }
}

/* ---- what each job has done ---- */

static uint64_t operations_of(const struct class_tally *of)
{
    return of->latency.count;
}

static uint64_t errors_of(const struct class_tally *of)
{
    return of->errors;
}

static uint64_t bytes_of(const struct class_tally *of)
{
    return of->bytes;
}

/* Closed loops have no wait before an event is begun. */
static bool has_class(const struct metrics_of_job *of, int op)
{
    bool is_open = op == CLASS_QUEUE_WAIT || op == CLASS_SERVICE;
    return op_class_concerns((enum op_class)op, of->job.work) && (!is_open || of->job.rate > 0);
}

static void add_counters(struct page *page)
{
    static const struct {
        const char *name, *sample, *unit, *help;
        uint64_t (*figure)(const struct class_tally *of);
    } rows[] = {
        {"operations", "operations_total", "", "Operations that ended well in the measured part.", operations_of},
        {"operation_errors", "operation_errors_total", "", "Operations that failed.", errors_of},
        {"operation_bytes", "operation_bytes_total", "bytes", "What these operations transferred.", bytes_of},
    };
    for (size_t row = 0; row < COUNT_OF(rows); ++row) {
        begin(page, rows[row].name, "counter", rows[row].unit, rows[row].help);
        for (size_t i = 0; i < page->count; ++i)
            for (int op = 0; op < CLASS_COUNT; ++op) {
                if (!has_class(&page->jobs[i], op))
                    continue;
                begin_of_class(page, rows[row].sample, &page->jobs[i], op);
                markup_add(&page->text, "}");
                add_whole(page, rows[row].figure(&page->jobs[i].total.of[op]));
            }
    }
}

static void add_rates(struct page *page)
{
    begin(page, "operations_per_second", "gauge", "", "Rate of the last interval.");
    for (size_t i = 0; i < page->count; ++i)
        for (int op = 0; op < CLASS_COUNT; ++op) {
            if (!has_class(&page->jobs[i], op) || !host_known(page->jobs[i].per_s[op]))
                continue;
            begin_of_class(page, "operations_per_second", &page->jobs[i], op);
            markup_add(&page->text, "}");
            add_real(page, page->jobs[i].per_s[op]);
        }
}

/* ---- latencies ---- */

/* The format's canonical numbers, in seconds. */
static const struct {
    uint64_t ns;
    const char *le;
} bounds[] = {
    {1000, "1e-06"},     {2000, "2e-06"},       {5000, "5e-06"},       {10000, "1e-05"},      {20000, "2e-05"},
    {50000, "5e-05"},    {100000, "0.0001"},    {200000, "0.0002"},    {500000, "0.0005"},    {1000000, "0.001"},
    {2000000, "0.002"},  {5000000, "0.005"},    {10000000, "0.01"},    {20000000, "0.02"},    {50000000, "0.05"},
    {100000000, "0.1"},  {200000000, "0.2"},    {500000000, "0.5"},    {1000000000, "1.0"},   {2000000000, "2.0"},
    {5000000000, "5.0"}, {10000000000, "10.0"}, {20000000000, "20.0"}, {50000000000, "50.0"}, {100000000000, "100.0"},
};

/* A bucket of ours that a bound cuts counts above it: a share of the samples within 1 % of the bound. */
static void add_buckets(struct page *page, const struct metrics_of_job *of, int op)
{
    const struct histogram *latency = &of->total.of[op].latency;
    uint64_t sum = 0;
    uint32_t bucket = 0;
    for (size_t i = 0; i < COUNT_OF(bounds); ++i) {
        while (bucket + 1 < HISTOGRAM_BUCKETS && histogram_bucket_low(bucket + 1) - 1 <= bounds[i].ns)
            sum += latency->counts[bucket++];
        begin_of_class(page, "latency_seconds_bucket", of, op);
        markup_printf(&page->text, ",le=\"%s\"}", bounds[i].le);
        add_whole(page, latency->max_ns <= bounds[i].ns ? latency->count : sum);
    }
    begin_of_class(page, "latency_seconds_bucket", of, op);
    markup_add(&page->text, ",le=\"+Inf\"}");
    add_whole(page, latency->count);
}

static void add_latency(struct page *page, const struct metrics_of_job *of, int op)
{
    const struct histogram *latency = &of->total.of[op].latency;
    add_buckets(page, of, op);
    begin_of_class(page, "latency_seconds_count", of, op);
    markup_add(&page->text, "}");
    add_whole(page, latency->count);
    begin_of_class(page, "latency_seconds_sum", of, op);
    markup_add(&page->text, "}");
    add_real(page, seconds(latency->sum_ns));
}

static void add_quantiles(struct page *page, const struct metrics_of_job *of, int op)
{
    const struct real_list *percents = &of->job.percentiles;
    for (uint32_t i = 0; i < percents->count && of->total.of[op].latency.count > 0; ++i) {
        begin_of_class(page, "latency_quantile_seconds", of, op);
        markup_printf(&page->text, ",quantile=\"%.12g\"}", percents->values[i] / 100);
        add_real(page, seconds(histogram_percentile(&of->total.of[op].latency, percents->values[i])));
    }
}

static void each_class(struct page *page, void (*add)(struct page *, const struct metrics_of_job *, int op))
{
    for (size_t i = 0; i < page->count; ++i)
        for (int op = 0; op < CLASS_COUNT; ++op)
            if (has_class(&page->jobs[i], op))
                add(page, &page->jobs[i], op);
}

static void add_latencies(struct page *page)
{
    begin(page, "latency_seconds", "histogram", "seconds", "Latency of each operation in the measured part.");
    each_class(page, add_latency);
    begin(page, "latency_quantile_seconds", "gauge", "seconds", "Percentiles of the measured part until now.");
    each_class(page, add_quantiles);
}

/* ---- the host ---- */

struct gauge {
    const char *name, *unit, *help;
    size_t offset;
};

#define HOST(metric, metric_unit, field, about)                                                                        \
    {                                                                                                                  \
        "host_" metric, metric_unit, about, offsetof(struct host_sample, field)                                        \
    }
#define DEVICE(metric, metric_unit, field, about)                                                                      \
    {                                                                                                                  \
        "host_device_" metric, metric_unit, about, offsetof(struct host_device_sample, field)                          \
    }

static const struct gauge host_gauges[] = {
    HOST("runnable_threads", "", runnable_threads, "Threads that run or are ready to."),
    HOST("waiting_threads", "", waiting_threads, "Threads that are ready and have no CPU."),
    HOST("memory_available_bytes", "bytes", memory_available_bytes, "Memory that programs can get."),
    HOST("page_cache_bytes", "bytes", page_cache_bytes, "Size of the OS cache."),
    HOST("dirty_bytes", "bytes", dirty_bytes, "What of the OS cache is not yet on a device."),
    HOST("context_switches_per_second", "", context_switches_per_s, "Rate of the last sample."),
    HOST("network_received_bytes_per_second", "", network_received_bytes_per_s, "Rate of the last sample."),
    HOST("network_sent_bytes_per_second", "", network_sent_bytes_per_s, "Rate of the last sample."),
    HOST("cpu_frequency_hertz", "hertz", cpu_frequency_hz, "Mean of the CPUs."),
    HOST("throttles_per_second", "", throttled_per_s, "Times that a CPU was slowed down because of its heat."),
    HOST("battery_ratio", "ratio", battery_share, "How full the battery is."),
};

static const struct gauge device_gauges[] = {
    DEVICE("reads_per_second", "", read_iops, "Rate of the last sample."),
    DEVICE("writes_per_second", "", write_iops, "Rate of the last sample."),
    DEVICE("read_bytes_per_second", "", read_bytes_per_s, "Rate of the last sample."),
    DEVICE("written_bytes_per_second", "", write_bytes_per_s, "Rate of the last sample."),
    DEVICE("queue_depth", "", queue_depth, "Requests in the device and its queue, mean over the last sample."),
    DEVICE("utilization_ratio", "ratio", utilization_share, "Share of the last sample with at least one request."),
};

static double gauge_of(const struct gauge *gauge, const void *from)
{
    double value;
    memcpy(&value, (const char *)from + gauge->offset, sizeof value);
    return value;
}

static void add_host_gauge(struct page *page, const struct gauge *gauge)
{
    double value = gauge_of(gauge, page->host);
    if (!host_known(value))
        return;
    begin(page, gauge->name, "gauge", gauge->unit, gauge->help);
    markup_printf(&page->text, "isobench_%s", gauge->name);
    add_real(page, value);
}

static void add_device_gauge(struct page *page, const struct gauge *gauge)
{
    begin(page, gauge->name, "gauge", gauge->unit, gauge->help);
    for (size_t i = 0; i < page->host->devices_count; ++i) {
        double value = gauge_of(gauge, &page->host->devices[i]);
        if (!host_known(value))
            continue;
        markup_printf(&page->text, "isobench_%s{", gauge->name);
        add_label(page, "device", page->host->devices[i].name);
        markup_add(&page->text, "}");
        add_real(page, value);
    }
}

static void add_cpus(struct page *page)
{
    const struct host_sample *host = page->host;
    const struct {
        const char *kind;
        double share;
    } kinds[] = {{"user", host->user_share},
                 {"system", host->system_share},
                 {"iowait", host->iowait_share},
                 {"idle", host->idle_share},
                 {"other", host->other_share}};
    begin(page, "host_cpu_ratio", "gauge", "ratio", "Share of the time of all CPUs.");
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        if (!host_known(kinds[i].share))
            continue;
        markup_printf(&page->text, "isobench_host_cpu_ratio{kind=\"%s\"}", kinds[i].kind);
        add_real(page, kinds[i].share);
    }
    begin(page, "host_cpu_busy_ratio", "gauge", "ratio", "Share of each CPU's time, user and system.");
    for (size_t i = 0; i < host->cpus_count; ++i) {
        if (!host_known(host->cpu_busy_share[i]))
            continue;
        markup_printf(&page->text, "isobench_host_cpu_busy_ratio{cpu=\"%zu\"}", i);
        add_real(page, host->cpu_busy_share[i]);
    }
}

static void add_host(struct page *page)
{
    add_cpus(page);
    for (size_t i = 0; i < COUNT_OF(host_gauges); ++i)
        add_host_gauge(page, &host_gauges[i]);
    if (page->host->on_battery != TRI_UNKNOWN) {
        begin(page, "host_on_battery", "gauge", "", "1 = the battery is discharging.");
        markup_printf(&page->text, "isobench_host_on_battery %d\n", page->host->on_battery == TRI_YES);
    }
    for (size_t i = 0; i < COUNT_OF(device_gauges); ++i)
        add_device_gauge(page, &device_gauges[i]);
}

/* ---- all of it ---- */

char *openmetrics_text(const struct metrics_of_job *jobs, size_t count, const struct metrics_of_plan *plan,
                       const struct host_sample *host)
{
    struct page page = {.jobs = jobs, .count = count, .host = host};
    begin(&page, "build", "info", "", "The program.");
    markup_add(&page.text, "isobench_build_info{version=\"" ISOBENCH_VERSION "\"} 1\n");
    if (plan)
        add_plan(&page, plan);
    add_jobs(&page);
    add_phases(&page);
    add_sizes(&page);
    add_counters(&page);
    add_rates(&page);
    add_latencies(&page);
    if (host)
        add_host(&page);
    markup_add(&page.text, "# EOF\n");
    return markup_finish(&page.text);
}
