/* query_print.c: one row for each number of connections, and below it one for each statement where there are several.
 */
#include "cli/query.h"

#include "platform/clock.h"

#include <inttypes.h>

static double milliseconds(double ns)
{
    return ns / (double)NS_PER_MS;
}

static void print_latency(FILE *out, const struct histogram *latency)
{
    static const double percents[] = {50, 95, 99};
    fprintf(out, " %9.3f", milliseconds(histogram_mean(latency)));
    for (size_t i = 0; i < COUNT_OF(percents); ++i)
        fprintf(out, " %9.3f", milliseconds((double)histogram_percentile(latency, percents[i])));
    fprintf(out, " %9.3f", milliseconds((double)latency->max_ns));
}

static void print_row(FILE *out, const char *name, const struct class_tally *tally, double seconds)
{
    fprintf(out, "%-12s %10" PRIu64 " %11.1f", name, tally->latency.count, (double)tally->latency.count / seconds);
    print_latency(out, &tally->latency);
    fprintf(out, " %7" PRIu64, tally->errors);
}

static void print_title(const struct query *query, const struct result *result)
{
    const struct job *job = &result->job;
    size_t statements = query->script.queries.count;
    fprintf(query->out, "%zu %s, %s; %s %s\n\n", statements, statements == 1 ? "statement" : "statements",
            job->db_statements == DB_STATEMENTS_TEXT ? "sent as text" : "prepared", result->server.product,
            result->server.version);
    fprintf(query->out, "%-12s %10s %11s %9s %9s %9s %9s %9s %7s\n", "connections", "queries", "queries/s", "mean ms",
            "p50 ms", "p95 ms", "p99 ms", "max ms", "failed");
}

static void on_run_done(void *context, const struct result *result)
{
    struct query *query = context;
    double seconds = (double)(result->elapsed_ns ? result->elapsed_ns : 1) / (double)NS_PER_S;
    char name[32];
    if (!query->titled)
        print_title(query, result);
    query->titled = true;
    snprintf(name, sizeof(name), "%" PRIu64, result->job.threads);
    print_row(query->out, name, &result->total.of[CLASS_TRANSACTION], seconds);
    fputs(result->partial ? "  PARTIAL\n" : "\n", query->out);
    for (size_t i = 0; result->statements_count > 1 && i < result->statements_count; ++i) {
        snprintf(name, sizeof(name), "  %.20s", result->statements[i].name);
        print_row(query->out, name, &result->statements[i].tally, seconds);
        fputc('\n', query->out);
    }
    fflush(query->out);
}

struct listener query_listener(struct query *query)
{
    return (struct listener){.context = query, .run_done = on_run_done};
}
