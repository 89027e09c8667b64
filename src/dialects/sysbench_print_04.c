/* sysbench_print_04.c: the report of sysbench 0.4.12's fileio. Syncs are "Other" and in no latency. */
#include "dialects/sysbench.h"

#include "platform/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LATENCY_END_COLUMN 51 /* where the figures end, before "ms" */

static void print_operations(const struct sysbench_printer *printer, const struct sysbench_counts *counts)
{
    char read[32], written[32], both[32], rate[32];
    double bytes = (double)counts->read_bytes + (double)counts->written_bytes;
    uint64_t requests = counts->reads + counts->writes;
    fprintf(printer->out,
            "Operations performed:  %" PRIu64 " Read, %" PRIu64 " Write, %" PRIu64 " Other = %" PRIu64 " Total\n",
            counts->reads, counts->writes, counts->syncs, requests + counts->syncs);
    fprintf(printer->out, "Read %s  Written %s  Total transferred %s  (%s/sec)\n",
            sysbench_size(SYSBENCH_04, (double)counts->read_bytes, read, sizeof(read)),
            sysbench_size(SYSBENCH_04, (double)counts->written_bytes, written, sizeof(written)),
            sysbench_size(SYSBENCH_04, bytes, both, sizeof(both)),
            sysbench_size(SYSBENCH_04, bytes / counts->seconds, rate, sizeof(rate)));
    fprintf(printer->out, "%8.2f Requests/sec executed\n\n", (double)requests / counts->seconds);
}

static void print_ms(FILE *out, const char *label, uint64_t value_ns)
{
    fprintf(out, "%s%*.2fms\n", label, LATENCY_END_COLUMN - (int)strlen(label), (double)value_ns / (double)NS_PER_MS);
}

static void print_latency(const struct sysbench_printer *printer, const struct result *part,
                          const struct histogram *latency)
{
    const struct real_list *percentiles = &part->job.percentiles;
    FILE *out = printer->out;
    char label[64], number[32];
    fprintf(out, "    total time taken by event execution: %.4f\n", (double)latency->sum_ns / (double)NS_PER_S);
    fputs("    per-request statistics:\n", out);
    print_ms(out, "         min:", latency->min_ns);
    print_ms(out, "         avg:", latency->count ? latency->sum_ns / latency->count : 0);
    print_ms(out, "         max:", latency->max_ns);
    for (uint32_t i = 0; latency->count > 0 && i < percentiles->count; ++i) {
        snprintf(label, sizeof(label),
                 "         approx. %3s percentile:", sysbench_percent(percentiles->values[i], number, sizeof(number)));
        print_ms(out, label, histogram_percentile(latency, percentiles->values[i]));
    }
    fputc('\n', out);
}

void sysbench_report_04(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns)
{
    struct sysbench_counts counts = sysbench_count(part);
    print_operations(printer, &counts);
    sysbench_print_summary_04(printer, part, total_ns);
}

void sysbench_print_summary_04(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns)
{
    struct histogram *latency = malloc(sizeof(*latency));
    if (!latency)
        return;
    tally_events_latency(&part->total, &part->job, latency);
    fprintf(printer->out,
            "Test execution summary:\n"
            "    total time:                          %.4fs\n"
            "    total number of events:              %" PRIu64 "\n",
            (double)total_ns / (double)NS_PER_S, part->total.events);
    print_latency(printer, part, latency);
    sysbench_print_fairness(printer, part);
    free(latency);
}
