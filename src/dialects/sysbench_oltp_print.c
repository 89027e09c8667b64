/* sysbench_oltp_print.c: what sysbench prints of databases. */
#include "dialects/sysbench.h"

#include "platform/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- prepare, prewarm, cleanup ---- */

void sysbench_print_table_step(const struct sysbench_printer *printer, const char *table, enum table_step step,
                               uint64_t rows)
{
    FILE *out = printer->out;
    bool old = printer->version == SYSBENCH_04;
    switch (step) {
    case TABLE_CREATE:
        fprintf(out, "Creating table '%s'...\n", table);
        break;
    case TABLE_FILL:
        if (old)
            fprintf(out, "Creating %" PRIu64 " records in table '%s'...\n", rows, table);
        else if (rows > 0)
            fprintf(out, "Inserting %" PRIu64 " records into '%s'\n", rows, table);
        break;
    case TABLE_INDEX:
        if (!old)
            fprintf(out, "Creating a secondary index on '%s'...\n", table);
        break;
    case TABLE_WARM:
        fprintf(out, "%s table %s\n", printer->version == SYSBENCH_11 ? "Preloading" : "Prewarming", table);
        break;
    case TABLE_DROP:
        fprintf(out, "Dropping table '%s'...\n%s", table, old ? "Done.\n" : "");
        break;
    }
}

/* ---- before the run: 1.0 says nothing of a script ---- */

static void print_distribution(const struct sysbench_printer *printer, const struct job *job)
{
    static const char *const names[] = {"Uniform", "Special", "Gaussian", "Pareto", "Zipfian"};
    fprintf(printer->out, "Using %s distribution", names[job->distribution]);
    if (job->distribution == DIST_SPECIAL)
        fprintf(printer->out,
                " (%" PRIu64 " iterations,  %" PRIu64 " pct of values are returned in %" PRIu64 " pct cases)",
                job->special_iterations, job->special_percent, job->special_result_percent);
    fputc('\n', printer->out);
}

void sysbench_print_oltp_header(const struct sysbench_printer *printer, const struct job *job)
{
    FILE *out = printer->out;
    bool mixed = strcmp(job->workload, "oltp_read_write") == 0 || strcmp(job->workload, "oltp_read_only") == 0;
    if (printer->version != SYSBENCH_04)
        return;
    fprintf(out, "Doing OLTP test.\nRunning %s OLTP test\n", mixed ? "mixed" : "simple");
    if (strcmp(job->workload, "oltp_read_only") == 0)
        fputs("Doing read-only test\n", out);
    print_distribution(printer, job);
    if (mixed && !job->skip_trx)
        fputs("Using \"BEGIN\" for starting transactions\n", out);
    fprintf(out, "%s auto_inc on the id column\n", job->auto_inc ? "Using" : "Not using");
    if (printer->events)
        fprintf(out, "Maximum number of requests for OLTP test is limited to %" PRIu64 "\n", printer->events);
}

/* ---- lines ---- */

static double rate_of(const struct interval *interval, enum op_class op, double length_s)
{
    return (double)interval->count[op] / length_s;
}

void sysbench_print_oltp_interval(const struct sysbench_printer *printer, const struct job *job,
                                  const struct interval *interval)
{
    uint64_t length_ns = interval->end_ns > interval->start_ns ? interval->end_ns - interval->start_ns : 1;
    double length_s = (double)length_ns / (double)NS_PER_S, at_s = (double)interval->end_ns / (double)NS_PER_S;
    double reads = rate_of(interval, CLASS_READ_QUERY, length_s),
           writes = rate_of(interval, CLASS_WRITE_QUERY, length_s),
           others = rate_of(interval, CLASS_OTHER_QUERY, length_s);
    double latency_ms = job->percentiles.count ? (double)interval->latency_percentile_ns / (double)NS_PER_MS : 0;
    int decimals = job->report_interval_ns % NS_PER_S == 0 ? 0 : 2;
    char percent[32];
    sysbench_percent(job->percentiles.count ? job->interval_percentile : 0, percent, sizeof(percent));
    if (printer->version == SYSBENCH_04)
        fprintf(printer->out,
                "[%4.*fs] threads: %" PRIu64
                ", tps: %.2f, reads/s: %.2f, writes/s: %.2f, response time: %.2fms (%s%%)\n",
                decimals, at_s, job->threads, rate_of(interval, CLASS_TRANSACTION, length_s), reads, writes, latency_ms,
                percent);
    else
        fprintf(printer->out,
                "[ %.*fs ] thds: %" PRIu64
                " tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) lat (ms,%s%%): %.2f err/s: %.2f "
                "reconn/s: %.2f\n",
                decimals, at_s, job->threads, rate_of(interval, CLASS_TRANSACTION, length_s), reads + writes + others,
                reads, writes, others, percent, latency_ms, (double)interval->errors[CLASS_TRANSACTION] / length_s,
                rate_of(interval, CLASS_CONNECT, length_s));
    if (job->rate > 0 && printer->version != SYSBENCH_04)
        fprintf(printer->out, "[ %.*fs ] queue length: %" PRIu64 ", concurrency: %" PRIu64 "\n", decimals, at_s,
                interval->waiting, interval->running);
    fflush(printer->out);
}

/* ---- the report ---- */

struct counts {
    uint64_t reads, writes, others, transactions, errors, reconnects;
    double seconds;
};

static struct counts count(const struct result *part)
{
    const struct class_tally *of = part->total.of;
    return (struct counts){.reads = of[CLASS_READ_QUERY].latency.count,
                           .writes = of[CLASS_WRITE_QUERY].latency.count,
                           .others = of[CLASS_OTHER_QUERY].latency.count,
                           .transactions = of[CLASS_TRANSACTION].latency.count,
                           .errors = of[CLASS_TRANSACTION].errors,
                           .reconnects = of[CLASS_CONNECT].latency.count,
                           .seconds = (double)(part->elapsed_ns ? part->elapsed_ns : 1) / (double)NS_PER_S};
}

static void print_rate(FILE *out, const char *label, uint64_t amount, double seconds)
{
    fprintf(out, "    %-36s %-6" PRIu64 " (%.2f per sec.)\n", label, amount, (double)amount / seconds);
}

static void print_queries(FILE *out, const struct counts *counts)
{
    fprintf(out,
            "    queries performed:\n"
            "        read:                            %" PRIu64 "\n"
            "        write:                           %" PRIu64 "\n"
            "        other:                           %" PRIu64 "\n"
            "        total:                           %" PRIu64 "\n",
            counts->reads, counts->writes, counts->others, counts->reads + counts->writes + counts->others);
}

static void report_04(const struct sysbench_printer *printer, const struct result *part, const struct counts *counts,
                      uint64_t total_ns)
{
    FILE *out = printer->out;
    fputs("OLTP test statistics:\n", out);
    print_queries(out, counts);
    print_rate(out, "transactions:", counts->transactions, counts->seconds);
    print_rate(out, "deadlocks:", counts->errors, counts->seconds);
    print_rate(out, "read/write requests:", counts->reads + counts->writes, counts->seconds);
    print_rate(out, "other operations:", counts->others, counts->seconds);
    fputc('\n', out);
    sysbench_print_summary_04(printer, part, total_ns);
}

static void print_general(FILE *out, const struct sysbench_printer *printer, const struct result *part,
                          uint64_t total_ns, double seconds)
{
    fputc('\n', out);
    sysbench_print_unfinished(printer, part);
    if (printer->version == SYSBENCH_11)
        fprintf(out,
                "Throughput:\n"
                "    events/s (eps):                      %.4f\n"
                "    time elapsed:                        %.4fs\n"
                "    total number of events:              %" PRIu64 "\n\n",
                (double)part->total.events / seconds, (double)total_ns / (double)NS_PER_S, part->total.events);
    else
        fprintf(out,
                "General statistics:\n"
                "    total time:                          %.4fs\n"
                "    total number of events:              %" PRIu64 "\n\n",
                (double)total_ns / (double)NS_PER_S, part->total.events);
}

void sysbench_report_oltp(const struct sysbench_printer *printer, const struct result *part, uint64_t total_ns)
{
    struct counts counts = count(part);
    FILE *out = printer->out;
    if (printer->version == SYSBENCH_04) {
        report_04(printer, part, &counts, total_ns);
        return;
    }
    fputs("SQL statistics:\n", out);
    print_queries(out, &counts);
    print_rate(out, "transactions:", counts.transactions, counts.seconds);
    print_rate(out, "queries:", counts.reads + counts.writes + counts.others, counts.seconds);
    print_rate(out, "ignored errors:", counts.errors, counts.seconds);
    print_rate(out, "reconnects:", counts.reconnects, counts.seconds);
    print_general(out, printer, part, total_ns, counts.seconds);
    sysbench_print_latency(printer, part);
    fputc('\n', out);
    sysbench_print_fairness(printer, part);
}
