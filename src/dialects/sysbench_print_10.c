/* sysbench_print_10.c: the report of sysbench 1.0.20's fileio. */
#include "dialects/sysbench.h"

#include "platform/clock.h"

#include <inttypes.h>

#define MIB (1024.0 * 1024.0)

void sysbench_report_10(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns)
{
    struct sysbench_counts counts = sysbench_count(part);
    FILE *out = printer->out;
    fprintf(out,
            "\n"
            "File operations:\n"
            "    reads/s:                      %.2f\n"
            "    writes/s:                     %.2f\n"
            "    fsyncs/s:                     %.2f\n"
            "\n"
            "Throughput:\n"
            "    read, MiB/s:                  %.2f\n"
            "    written, MiB/s:               %.2f\n"
            "\n",
            (double)counts.reads / counts.seconds, (double)counts.writes / counts.seconds,
            (double)counts.syncs / counts.seconds, (double)counts.read_bytes / MIB / counts.seconds,
            (double)counts.written_bytes / MIB / counts.seconds);
    sysbench_print_unfinished(printer, part);
    fprintf(out,
            "General statistics:\n"
            "    total time:                          %.4fs\n"
            "    total number of events:              %" PRIu64 "\n"
            "\n",
            (double)total_ns / (double)NS_PER_S, part->total.events);
    sysbench_print_latency(printer, part);
    fputc('\n', out);
    sysbench_print_fairness(printer, part);
}
