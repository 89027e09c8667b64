/* sysbench_figures.c: numbers and blocks of figures that the reports of several versions share. */
#include "dialects/sysbench.h"

#include "platform/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LATENCY_END_COLUMN 53 /* where the figures of the latency block end */
#define BAR_WIDTH 40

static double seconds(uint64_t ns)
{
    return (double)ns / (double)NS_PER_S;
}

static double milliseconds(uint64_t ns)
{
    return (double)ns / (double)NS_PER_MS;
}

char *sysbench_percent(double percent, char *out, size_t out_bytes)
{
    snprintf(out, out_bytes, "%.10g", percent);
    return out;
}

char *sysbench_size(enum sysbench_version version, double bytes, char *out, size_t out_bytes)
{
    static const char *const new_units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    static const char *const old_units[] = {"b", "Kb", "Mb", "Gb", "Tb"};
    size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < COUNT_OF(new_units); ++unit)
        bytes /= 1024;
    snprintf(out, out_bytes, "%.5g%s", bytes, version == SYSBENCH_04 ? old_units[unit] : new_units[unit]);
    return out;
}

struct sysbench_counts sysbench_count(const struct result *part)
{
    const struct class_tally *of = part->total.of;
    struct sysbench_counts counts = {
        .seconds = seconds(part->elapsed_ns ? part->elapsed_ns : 1),
        .reads = of[CLASS_READ].latency.count,
        .writes = of[CLASS_WRITE].latency.count,
        .syncs = of[CLASS_SYNC].latency.count + of[CLASS_END_SYNC].latency.count,
        .read_bytes = of[CLASS_READ].bytes,
        .written_bytes = of[CLASS_WRITE].bytes,
    };
    return counts;
}

static void print_ms(FILE *out, const char *label, double value_ms)
{
    fprintf(out, "%s%*.2f\n", label, LATENCY_END_COLUMN - (int)strlen(label), value_ms);
}

void sysbench_print_unfinished(const struct sysbench_printer *printer, const struct result *part)
{
    if (part->unfinished)
        fprintf(printer->out, "Number of unfinished transactions on forced shutdown: %" PRIu64 "\n\n",
                part->unfinished);
}

void sysbench_print_latency(const struct sysbench_printer *printer, const struct result *part)
{
    FILE *out = printer->out;
    const struct real_list *percentiles = &part->job.percentiles;
    struct histogram *latency = malloc(sizeof(*latency));
    char label[64], number[32];
    if (!latency)
        return;
    tally_events_latency(&part->total, &part->job, latency);
    fputs("Latency (ms):\n", out);
    print_ms(out, "         min:", milliseconds(latency->min_ns));
    print_ms(out, "         avg:", milliseconds(latency->count ? latency->sum_ns / latency->count : 0));
    print_ms(out, "         max:", milliseconds(latency->max_ns));
    for (uint32_t i = 0; i < percentiles->count; ++i) {
        snprintf(label, sizeof(label),
                 "%11sth percentile:", sysbench_percent(percentiles->values[i], number, sizeof(number)));
        print_ms(out, label, milliseconds(histogram_percentile(latency, percentiles->values[i])));
    }
    if (percentiles->count == 0)
        fputs("         percentile stats:               disabled\n", out);
    print_ms(out, "         sum:", milliseconds(latency->sum_ns));
    free(latency);
}

struct spread {
    double mean, deviation; /* of the population */
};

static struct spread spread_of(const struct result *part, double (*value)(const struct thread_row *))
{
    struct spread spread = {0, 0};
    double threads = (double)part->job.threads;
    for (uint64_t i = 0; i < part->job.threads; ++i)
        spread.mean += value(&part->threads[i]) / threads;
    for (uint64_t i = 0; i < part->job.threads; ++i) {
        double off = value(&part->threads[i]) - spread.mean;
        spread.deviation += off * off / threads;
    }
    spread.deviation = sqrt(spread.deviation);
    return spread;
}

static double row_events(const struct thread_row *row)
{
    return (double)row->events;
}

static double row_seconds(const struct thread_row *row)
{
    return seconds(row->busy_ns);
}

void sysbench_print_fairness(const struct sysbench_printer *printer, const struct result *part)
{
    struct spread events = spread_of(part, row_events), busy = spread_of(part, row_seconds);
    fprintf(printer->out,
            "Threads fairness:\n"
            "    events (avg/stddev):           %.4f/%.2f\n"
            "    execution time (avg/stddev):   %.4f/%.2f\n\n",
            events.mean, events.deviation, busy.mean, busy.deviation);
}

/* ---- histogram ---------------------------------------------------------------------------------------------- */

#define ROWS 1024
#define LOWEST_MS 0.001
#define HIGHEST_MS 100000.0

/* sysbench's scale: equal steps of the logarithm from 0.001 to 100000 ms. */
static double row_step(void)
{
    return log(HIGHEST_MS / LOWEST_MS) / (ROWS - 1);
}

static uint32_t row_of(uint64_t value_ns)
{
    double row = log(milliseconds(value_ns ? value_ns : 1) / LOWEST_MS) / row_step() + 0.5;
    return row < 0 ? 0 : row > ROWS - 1 ? ROWS - 1 : (uint32_t)row;
}

static void print_row(FILE *out, const char *value, uint64_t count, uint64_t most)
{
    char bar[BAR_WIDTH + 1] = {0};
    memset(bar, '*', (size_t)((double)count * BAR_WIDTH / (double)most + 0.5));
    fprintf(out, "%12s |%-*s %" PRIu64 "\n", value, BAR_WIDTH, bar, count);
}

/* Rows whose value would be printed alike are one row: sysbench prints dozens of "0.002". */
void sysbench_print_histogram(const struct sysbench_printer *printer, const struct result *part)
{
    struct {
        char value[24];
        uint64_t count;
    } rows[ROWS];
    uint64_t counts[ROWS] = {0}, most = 1;
    uint32_t used = 0;
    struct histogram *latency = malloc(sizeof(*latency));
    if (!latency)
        return;
    tally_events_latency(&part->total, &part->job, latency);
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; ++i)
        if (latency->counts[i])
            counts[row_of(histogram_bucket_middle(i))] += latency->counts[i];
    free(latency);
    for (uint32_t i = 0; i < ROWS; ++i) {
        char value[24];
        if (counts[i] == 0)
            continue;
        snprintf(value, sizeof(value), "%.3f", LOWEST_MS * exp(row_step() * i));
        if (used == 0 || strcmp(rows[used - 1].value, value) != 0) {
            memcpy(rows[used].value, value, sizeof(value));
            rows[used++].count = 0;
        }
        rows[used - 1].count += counts[i];
        most = rows[used - 1].count > most ? rows[used - 1].count : most;
    }
    fputs("Latency histogram (values are in milliseconds)\n"
          "       value  ------------- distribution ------------- count\n",
          printer->out);
    for (uint32_t i = 0; i < used; ++i)
        print_row(printer->out, rows[i].value, rows[i].count, most);
    fputs(" \n", printer->out);
}
