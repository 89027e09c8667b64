#include "cli/text_replicas.h"

#include "core/units.h"

#include <inttypes.h>
#include <string.h>

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void text_replicas_interval(FILE *out, const struct job *job, const struct interval *interval)
{
    char lag[32];
    if (job->replica[0] == '\0')
        return;
    fprintf(out, "  lag %s", units_time_human((double)interval->replica_lag_ns, lag, sizeof(lag)));
    if (interval->replicas_stopped)
        fprintf(out, " (%" PRIu64 " replica%s STOPPED)", interval->replicas_stopped,
                plural(interval->replicas_stopped));
}

void text_replicas_awaited(FILE *out, uint64_t waited_ns, uint64_t lag_ns)
{
    char waited[32], lag[32];
    fprintf(out, "waiting for the replicas since %s  lag %s\n",
            units_time_human((double)waited_ns, waited, sizeof(waited)),
            units_time_human((double)lag_ns, lag, sizeof(lag)));
    fflush(out);
}

void text_replicas_step(FILE *out, const struct knee_step *step)
{
    char lag[32];
    fprintf(out, "rate %.1f/s: %.1f/s reached, lag %s at its end, %+.3f s per second: %s\n", step->rate, step->reached,
            units_time_human((double)step->lag_end_ns, lag, sizeof(lag)), step->slope,
            step->falls_behind ? "FALLS BEHIND" : "keeps up");
    fflush(out);
}

/* ---- one replica ---- */

static const char *variable(const struct server_facts *server, const char *name)
{
    for (size_t i = 0; i < server->variables_count; ++i)
        if (strcmp(server->variables[i].name, name) == 0)
            return server->variables[i].value;
    return "";
}

static const char *appliers(const struct server_facts *server)
{
    static const char *const names[] = {"slave_parallel_threads", "replica_parallel_workers", "slave_parallel_workers"};
    const char *value = "";
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !value[0]; ++i)
        value = variable(server, names[i]);
    return value[0] ? value : "unknown";
}

static void print_lag(FILE *out, const struct replica_row *row)
{
    char words[3][32];
    const struct histogram *delay = &row->delay;
    fputs("            lag ", out);
    if (delay->count > 0)
        fprintf(out, "p50 %s, p99 %s, ",
                units_time_human((double)histogram_percentile(delay, 50), words[0], sizeof(words[0])),
                units_time_human((double)histogram_percentile(delay, 99), words[1], sizeof(words[1])));
    fprintf(out, "most %s; %" PRIu64 " heartbeat%s came, %" PRIu64 " did not; the server said at most %" PRIu64 " s\n",
            units_time_human((double)row->lag_max_ns, words[2], sizeof(words[2])), row->heartbeats,
            plural(row->heartbeats), row->missing, row->behind_max_s);
}

static void print_row(FILE *out, const struct replica_row *row, bool partial)
{
    char time[32];
    fprintf(out, "replica     %s, %s %s, %s%s, appliers %s%s%s\n", row->name, row->server->product,
            row->server->version, row->is_direct ? "" : "through another server, ",
            row->by_gtid ? "by GTID" : "by position", appliers(row->server), row->channel[0] ? ", channel " : "",
            row->channel);
    print_lag(out, row);
    units_time_human((double)row->catch_up_ns, time, sizeof(time));
    if (row->caught_up)
        fprintf(out, "            had all of the load %s after its end\n", time);
    else if (partial)
        fputs("            was not waited for, as the run was ended\n", out);
    else
        fprintf(out, "            had NOT all of the load, %s after its end\n", time);
    if (row->stops + row->losses > 0)
        fprintf(out, "            STOPPED %" PRIu64 " time%s, did not answer %" PRIu64 " time%s: %s\n", row->stops,
                plural(row->stops), row->losses, plural(row->losses), row->trouble);
}

/* ---- the knee, and the check ---- */

static void print_knee(FILE *out, const struct lag_knee *knee)
{
    if (knee->steps_count == 0)
        return;
    for (size_t i = 0; i < knee->steps_count; ++i) {
        fputs(i == 0 ? "lag knee    " : "            ", out);
        text_replicas_step(out, &knee->steps[i]);
    }
    if (knee->falls_behind == 0)
        fprintf(out, "            no knee: all replicas keep up at %.1f transactions/s\n", knee->keeps_up);
    else if (knee->keeps_up == 0)
        fprintf(out, "            no knee: a replica falls behind at %.1f transactions/s already\n",
                knee->falls_behind);
    else
        fprintf(out, "            the knee lies between %.1f and %.1f transactions/s\n", knee->keeps_up,
                knee->falls_behind);
}

static void print_check(FILE *out, const struct replica_check *check)
{
    if (check->verdict[0] == '\0')
        return;
    fprintf(out, "verify      %" PRIu64 " table%s with %" PRIu64 " row%s in %" PRIu64 " chunk%s: ", check->tables,
            plural(check->tables), check->compared_rows, plural(check->compared_rows), check->chunks,
            plural(check->chunks));
    if (strcmp(check->verdict, "same") == 0)
        fputs("the same on source and replicas\n", out);
    else if (strcmp(check->verdict, "nothing") == 0)
        fputs("nothing to compare, the engine BLACKHOLE keeps no rows\n", out);
    else if (strcmp(check->verdict, "differ") == 0 && check->rows == 0) /* without a key nobody can tell which */
        fputs("they DIFFER\n", out);
    else if (strcmp(check->verdict, "differ") == 0)
        fprintf(out, "they DIFFER, in %" PRIu64 " row%s\n", check->rows, plural(check->rows));
    else
        fputs("it cannot be told whether they are the same\n", out);
    if (check->blackholes > 0 && check->blackholes < check->tables)
        fprintf(out,
                "            %" PRIu64 " of them BLACKHOLE, which keeps no rows: there is nothing to compare in %s\n",
                check->blackholes, check->blackholes == 1 ? "it" : "these");
    for (size_t i = 0; i < check->findings_count; ++i) {
        const struct replica_finding *finding = &check->findings[i];
        fprintf(out, "            %s on %s %s, %" PRIu64 " row%s%s%s\n", finding->table, finding->replica,
                finding->verdict, finding->rows, plural(finding->rows), finding->note[0] ? ": " : "", finding->note);
    }
}

void text_replicas_result(FILE *out, const struct result *result)
{
    const struct replication *replication = result->replication;
    if (!replication)
        return;
    for (size_t i = 0; i < replication->rows_count; ++i)
        print_row(out, &replication->rows[i], result->partial);
    print_knee(out, &replication->knee);
    print_check(out, &replication->check);
}
