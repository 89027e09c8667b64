#include "cli/replica_check.h"

#include "checksum/checksum.h"
#include "checksum/text.h"
#include "oltp/replicas.h"
#include "oltp/schema.h"
#include "oltp/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_THREADS 4
#define CHUNK_TIME_NS (NS_PER_S / 2)

static struct replica_finding *finding_of(struct replica_check *check, const struct checksum_row *row)
{
    const char *verdict = checksum_verdicts[row->verdict];
    struct replica_finding *finding = check->findings, *end = finding + check->findings_count;
    for (; finding < end; ++finding)
        if (strcmp(finding->table, row->table) == 0 && strcmp(finding->replica, row->host) == 0 &&
            strcmp(finding->verdict, verdict) == 0)
            return finding;
    if (check->findings_count == REPLICA_FINDINGS_MAX)
        return NULL;
    ++check->findings_count;
    snprintf(finding->table, sizeof(finding->table), "%s", row->table);
    snprintf(finding->replica, sizeof(finding->replica), "%s", row->host);
    snprintf(finding->verdict, sizeof(finding->verdict), "%s", verdict);
    snprintf(finding->note, sizeof(finding->note), "%s", row->note);
    return finding;
}

static void count_source(struct replica_check *check, const struct checksum_row *row)
{
    check->compared_rows += row->count;
    check->blackholes += row->chunk <= 1 && strcmp(row->engine, "BLACKHOLE") == 0;
}

static void take_chunk(void *context, const struct checksum_row *rows, size_t count)
{
    struct replica_check *check = context;
    for (size_t i = 0; i < count; ++i) {
        if (rows[i].verdict == CHUNK_SOURCE)
            count_source(check, &rows[i]);
        if (rows[i].verdict == CHUNK_SOURCE || rows[i].verdict == CHUNK_SAME)
            continue;
        struct replica_finding *finding = finding_of(check, &rows[i]);
        check->rows += rows[i].differing;
        if (finding)
            finding->rows += rows[i].differing;
    }
}

/* Of a script all in its database. */
static void list_tables(const struct job *job, bool is_script, struct text *out)
{
    for (uint64_t i = 0; !is_script && i < schema_tables(job); ++i) {
        struct table_name table;
        schema_table(job, i, &table);
        text_add(out, "%s%s", i ? "," : "", table.text);
    }
}

static const char *word_of(const struct replica_check *check, enum verdict_of_chunk verdict)
{
    bool nothing = check->tables > 0 && check->blackholes == check->tables;
    return verdict == CHUNK_SAME ? (nothing ? "nothing" : "same") : verdict == CHUNK_DIFFERS ? "differ" : "unknown";
}

static bool judge(const struct replica_check *check, struct error *error)
{
    if (strcmp(check->verdict, "same") == 0 || strcmp(check->verdict, "nothing") == 0)
        return true;
    const struct replica_finding *first = check->findings;
    return error_set(
        error, ERR_DATA, "--verify-replica: %s%s%s on %s%s%s",
        strcmp(check->verdict, "differ") == 0 ? "the tables differ: " : "it cannot be told: ", first->table,
        first->verdict[0] ? " differs" : "", first->replica, first->note[0] ? ": " : "", first->note);
}

static bool compare(struct checksum_setup *setup, struct replica_check *check, struct error *error)
{
    struct checksum_report report;
    setup->context = check;
    setup->chunk = take_chunk;
    bool good = checksum_run(setup, &report, error);
    check->tables = report.tables;
    check->chunks = report.chunks;
    snprintf(check->verdict, sizeof(check->verdict), "%s",
             good ? word_of(check, checksum_verdict(&report)) : "unknown");
    checksum_free(&report);
    return good && judge(check, error);
}

bool replica_check_run(const struct errand *errand, struct result *result, struct error *error)
{
    const struct job *job = &result->job;
    const struct script *script = engine_script(errand);
    const char *password = errand->invocation->password;
    struct db_place *source = calloc(1, sizeof(*source)), *replicas = NULL;
    struct text tables = {0};
    size_t count = 0;
    list_tables(job, script != NULL, &tables);
    bool good = source && !tables.failed;
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory for --verify-replica");
    good = good && (!password || db_password_keep(&source->password, password, strlen(password), error)) &&
           replica_places(job, password, &replicas, &count, error);
    if (good) {
        source->job = *job;
        db_place_name(source);
        struct checksum_setup setup = {.driver = db_driver_find(job->db_driver, error),
                                       .source = source,
                                       .replicas = replicas,
                                       .replicas_count = count,
                                       .databases = job->db_name,
                                       .tables = tables.text ? tables.text : "",
                                       .ignored = script && script->makes_schema ? STAGE_MARK : "",
                                       .chunk_time_ns = CHUNK_TIME_NS,
                                       .wait_ns = job->replica_wait_ns,
                                       .threads = CHECK_THREADS,
                                       .clock = errand->clock};
        good = setup.driver && compare(&setup, &result->replication->check, error);
    }
    replica_places_free(replicas, count);
    if (source)
        db_place_done(source);
    free(source);
    text_done(&tables);
    return good;
}
