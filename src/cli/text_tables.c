#include "cli/text_tables.h"

#include "cli/text.h"
#include "cli/text_replicas.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static double per_s(uint64_t count, uint64_t ns)
{
    return ns ? (double)count * 1e9 / (double)ns : 0;
}

static const char *chosen(const struct job *job, const char *name, char *out, size_t out_bytes)
{
    job_get(job, setting_find(name), out, out_bytes);
    return out;
}

/* ---- before the run ---- */

/* An IPv6 address stands in brackets before a port; of several the connections take each in turn. */
static void print_hosts(FILE *out, const struct job *job)
{
    bool several = strchr(job->db_host, ',') || strchr(job->db_port, ','), v6 = !several && strchr(job->db_host, ':');
    fprintf(out, several ? "hosts %s" : v6 ? "host [%s]" : "host %s", job->db_host);
    if (job->db_port[0])
        fprintf(out, several ? ", ports %s, in turn" : ":%s", job->db_port);
    else if (several)
        fputs(", in turn", out);
    fprintf(out, ", database %s", job->db_name);
}

static void print_database(FILE *out, const struct job *job)
{
    char journal[32], synchronous[32];
    fprintf(out, "database %s, ", job->db_driver);
    if (strcmp(job->db_driver, "sqlite") == 0)
        fprintf(out, "file %s, journal %s, synchronous %s", job->db_file,
                chosen(job, "sqlite_journal", journal, sizeof(journal)),
                chosen(job, "sqlite_synchronous", synchronous, sizeof(synchronous)));
    else if (job->db_socket[0])
        fprintf(out, "socket%s %s, database %s", strchr(job->db_socket, ',') ? "s" : "", job->db_socket, job->db_name);
    else
        print_hosts(out, job);
    fprintf(out, "; statements %s\n", job->db_statements == DB_STATEMENTS_TEXT ? "as text" : "prepared");
}

static void print_load(FILE *out, const struct job *job)
{
    fprintf(out, "load     %" PRIu64 " connection%s", job->threads, job->threads == 1 ? "" : "s");
    if (job->rate > 0)
        fprintf(out, ", %g transactions/s (open loop)", job->rate);
    if (job->skip_trx)
        fprintf(out, ", no BEGIN and COMMIT");
    fputc('\n', out);
}

static void print_stop(FILE *out, const struct job *job)
{
    char time[32];
    fprintf(out, "stop     ");
    if (job->time_ns)
        fprintf(out, "after %s", units_time_human((double)job->time_ns, time, sizeof(time)));
    if (job->events)
        fprintf(out, "%safter %" PRIu64 " transactions", job->time_ns ? " or " : "", job->events);
    if (job->warmup_ns)
        fprintf(out, "; warm-up %s", units_time_human((double)job->warmup_ns, time, sizeof(time)));
    fputc('\n', out);
}

void text_tables_opened(FILE *out, const struct job *job)
{
    char distribution[32];
    bool is_old = job->table_form == TABLE_FORM_0_4, is_bulk = strcmp(job->workload, "bulk_insert") == 0;
    fprintf(out, "isobench %s oltp: %s, %s rows, seed %" PRIu64 "\n", ISOBENCH_VERSION, job->workload,
            chosen(job, "distribution", distribution, sizeof(distribution)), job->seed);
    if (is_bulk)
        fprintf(out, "tables   one for each connection\n");
    else
        fprintf(out, "tables   %" PRIu64 " of %" PRIu64 " rows\n", is_old ? 1 : job->tables, job->table_size);
    print_database(out, job);
    print_load(out, job);
    print_stop(out, job);
    fflush(out);
}

/* ---- during it ---- */

void text_tables_interval(FILE *out, const struct job *job, const struct interval *interval)
{
    uint64_t ns = interval->end_ns - interval->start_ns;
    const uint64_t *count = interval->count;
    fprintf(out, "[%7.1f s]  %.1f transactions/s  %.0f queries/s (read %.0f, write %.0f, other %.0f)",
            (double)interval->end_ns / 1e9, per_s(count[CLASS_TRANSACTION], ns),
            per_s(count[CLASS_READ_QUERY] + count[CLASS_WRITE_QUERY] + count[CLASS_OTHER_QUERY], ns),
            per_s(count[CLASS_READ_QUERY], ns), per_s(count[CLASS_WRITE_QUERY], ns),
            per_s(count[CLASS_OTHER_QUERY], ns));
    text_interval_percentile(out, job, interval);
    if (interval->errors[CLASS_TRANSACTION])
        fprintf(out, "  %" PRIu64 " failed tries", interval->errors[CLASS_TRANSACTION]);
    if (count[CLASS_CONNECT])
        fprintf(out, "  %" PRIu64 " reconnects", count[CLASS_CONNECT]);
    text_replicas_interval(out, job, interval);
    fputc('\n', out);
    fflush(out);
}

/* ---- after it ---- */

static uint64_t count_of(const struct result *result, enum op_class op)
{
    return result->total.of[op].latency.count;
}

void text_tables_rates(FILE *out, const struct result *result)
{
    uint64_t ns = result->load_ns, read = count_of(result, CLASS_READ_QUERY),
             write = count_of(result, CLASS_WRITE_QUERY), other = count_of(result, CLASS_OTHER_QUERY),
             transactions = count_of(result, CLASS_TRANSACTION);
    fprintf(out, "transactions  %.2f/s  (%" PRIu64 ")\n", per_s(transactions, ns), transactions);
    fprintf(out, "queries       %.2f/s  (%" PRIu64 "; read %.2f/s, write %.2f/s, other %.2f/s)\n",
            per_s(read + write + other, ns), read + write + other, per_s(read, ns), per_s(write, ns), per_s(other, ns));
    fprintf(out, "failed tries  %.2f/s  (%" PRIu64 ")\n", per_s(result->total.of[CLASS_TRANSACTION].errors, ns),
            result->total.of[CLASS_TRANSACTION].errors);
    fprintf(out, "reconnects    %.2f/s  (%" PRIu64 ")\n\n", per_s(count_of(result, CLASS_CONNECT), ns),
            count_of(result, CLASS_CONNECT));
}

static void time_cell(FILE *out, double ns)
{
    char words[32];
    text_cell(out, units_time_human(ns, words, sizeof(words)));
}

static void percentile_cell(FILE *out, const struct histogram *latency, double percent)
{
    time_cell(out, (double)histogram_percentile(latency, percent));
}

static void statement_line(FILE *out, const struct result *result, const struct statement_row *row)
{
    const struct histogram *latency = &row->tally.latency;
    char words[32];
    fprintf(out, "%-18s", row->name);
    snprintf(words, sizeof(words), "%" PRIu64, latency->count);
    text_cell(out, words);
    snprintf(words, sizeof(words), "%.1f", per_s(latency->count, result->load_ns));
    text_cell(out, words);
    if (latency->count) {
        time_cell(out, histogram_mean(latency));
        percentile_cell(out, latency, 95);
        percentile_cell(out, latency, 99);
        time_cell(out, (double)latency->max_ns);
    }
    if (row->tally.errors)
        fprintf(out, "  %" PRIu64 " failed", row->tally.errors);
    fputc('\n', out);
}

void text_tables_statements(FILE *out, const struct result *result)
{
    static const char *const heads[] = {"count", "per second", "mean", "p95", "p99", "max"};
    if (result->statements_count == 0)
        return;
    fprintf(out, "\n%-18s", "statement");
    for (size_t i = 0; i < COUNT_OF(heads); ++i)
        text_cell(out, heads[i]);
    fputc('\n', out);
    for (size_t i = 0; i < result->statements_count; ++i) {
        const struct class_tally *tally = &result->statements[i].tally;
        if (tally->latency.count || tally->errors)
            statement_line(out, result, &result->statements[i]);
    }
}

#define LINE_COLUMNS 100

static void print_variables(FILE *out, const struct server_facts *server)
{
    size_t column = LINE_COLUMNS;
    for (size_t i = 0; i < server->variables_count; ++i) {
        const struct server_variable *variable = &server->variables[i];
        size_t bytes = strlen(variable->name) + strlen(variable->value) + 3;
        bool breaks = i > 0 && column + bytes > LINE_COLUMNS;
        fprintf(out, "%s%s=%s",
                i == 0   ? "settings    "
                : breaks ? ",\n            "
                         : ", ",
                variable->name, variable->value);
        column = (i == 0 || breaks ? 12 : column) + bytes;
    }
    if (server->variables_count)
        fputc('\n', out);
}

void text_tables_server(FILE *out, const struct result *result)
{
    const struct server_facts *server = &result->server;
    if (server->product[0] == '\0')
        return;
    fprintf(out, "server      %s %s%s%s%s%s\n", server->product, server->version, server->client[0] ? ", client " : "",
            server->client, server->tls[0] ? ", TLS " : "", server->tls);
    print_variables(out, server);
}

/* ---- tables ---- */

void text_tables_step(FILE *out, const char *table, enum table_step step, uint64_t rows)
{
    static const char *const verbs[] = {[TABLE_CREATE] = "creating",
                                        [TABLE_FILL] = "filling",
                                        [TABLE_INDEX] = "making the index of",
                                        [TABLE_WARM] = "reading",
                                        [TABLE_DROP] = "dropping"};
    fprintf(out, "%s %s", verbs[step], table);
    if (step == TABLE_FILL)
        fprintf(out, ", %" PRIu64 " rows", rows);
    fputc('\n', out);
    fflush(out);
}
