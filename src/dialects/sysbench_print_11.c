/* sysbench_print_11.c: the report of sysbench 1.1's (master's) fileio. It has no total time and no threads. */
#include "dialects/sysbench.h"

#define MIB (1024.0 * 1024.0)
#define MB 1e6

static void print_direction(FILE *out, const char *label, uint64_t count, uint64_t bytes, double seconds)
{
    fprintf(out, "         %-6s IOPS=%.2f %.2f MiB/s (%.2f MB/s)\n", label, (double)count / seconds,
            (double)bytes / MIB / seconds, (double)bytes / MB / seconds);
}

void sysbench_report_11(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns)
{
    struct sysbench_counts counts = sysbench_count(part);
    FILE *out = printer->out;
    (void)total_ns;
    fputs("\nThroughput:\n", out);
    print_direction(out, "read:", counts.reads, counts.read_bytes, counts.seconds);
    print_direction(out, "write:", counts.writes, counts.written_bytes, counts.seconds);
    fprintf(out, "         fsync: IOPS=%.2f\n\n", (double)counts.syncs / counts.seconds);
    sysbench_print_unfinished(printer, part);
    sysbench_print_latency(printer, part);
    fputc('\n', out);
}
