#include "core/relevance.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct setting *must_find(const char *name)
{
    const struct setting *setting = setting_find(name);
    if (!setting)
        fail_msg("there is no setting %s", name);
    return setting;
}

/* Calls `take` with each word of "a b=1 c". */
static void each_word(const char *text, void (*take)(struct job *, const char *word, bool matters), struct job *job,
                      bool matters)
{
    char copy[512], *word = copy;
    assert_true(strlen(text) < sizeof(copy));
    snprintf(copy, sizeof(copy), "%s", text);
    while (*word) {
        char *end = word + strcspn(word, " "), *next = *end ? end + 1 : end;
        *end = '\0';
        take(job, word, matters);
        word = next;
    }
}

static void assign(struct job *job, const char *word, bool matters)
{
    char name[64];
    struct error error = ERROR_INIT;
    size_t length = strcspn(word, "=");
    (void)matters;
    snprintf(name, sizeof(name), "%.*s", (int)length, word);
    if (!job_set(job, must_find(name), name, word + length + 1, &error))
        fail_msg("%s", error.text);
}

static void assert_matters(struct job *job, const char *word, bool matters)
{
    if (setting_matters(must_find(word), job) != matters)
        fail_msg("%s %s", word, matters ? "matters and should count" : "does not matter and should not count");
}

static const struct {
    const char *job, *matter, *matter_not;
} rows[] = {
    {"mode=seqrd threads=1", "direction step passes merge_blocks",
     "cursor cursor_start thread_stride random_percent coverage align distribution seed data db_driver workload"},
    {"mode=seqrd threads=2", "cursor", "cursor_start thread_stride"},
    {"mode=seqrd threads=2 cursor=thread", "cursor cursor_start", "thread_stride"},
    {"mode=seqrd threads=2 cursor=thread cursor_start=apart", "cursor_start thread_stride", ""},
    {"mode=seqrd threads=2 cursor=thread stripe_blocks=4", "cursor stripe_rows", "cursor_start thread_stride"},
    {"mode=seqrw", "read_percent mix direction step data seed", "random_percent"},
    {"mode=seqrw mix=balanced", "read_percent mix", "seed"},
    {"mode=rndrd threads=2", "random_percent coverage align distribution seed",
     "direction step passes cursor cursor_start thread_stride merge_blocks read_percent mix data"},
    {"mode=rndrd random_percent=50", "step", "direction"},
    {"mode=rndrd coverage=once threads=2", "coverage passes cursor", "cursor_start direction step"},
    {"mode=rndrd distribution=zipfian", "zipfian_exponent", "coverage"},
    {"mode=rndwr", "data compress_percent", "read_percent"},
    {"mode=rndwr data=count-up", "data", "compress_percent"},

    {"work=database",
     "db_driver db_file sqlite_journal sqlite_synchronous sqlite_busy_timeout db_statements retry_errors",
     "db_host db_port db_socket db_protocol db_user db_name db_defaults_file db_defaults_group db_tls db_tls_ca "
     "db_compression db_connect_timeout reconnect_on_loss table_engine"},
    {"work=database", "threads rate time events seed distribution percentiles",
     "dir files block_size mode direction coverage passes depth cache engine verify random_percent"},
    {"work=database db_driver=mysql",
     "db_host db_port db_socket db_protocol db_user db_name db_defaults_file db_tls db_tls_ca db_tls_cert db_tls_key "
     "db_tls_cipher db_compression db_connect_timeout reconnect_on_loss table_engine",
     "db_file sqlite_journal sqlite_synchronous sqlite_busy_timeout db_defaults_group"},
    {"work=database db_driver=mysql db_defaults_file=my.cnf db_tls=off", "db_tls db_defaults_group",
     "db_tls_ca db_tls_cert db_tls_key db_tls_cipher"},
    {"work=database db_driver=pgsql", "db_host db_tls db_name",
     "db_file db_compression table_engine db_defaults_file db_defaults_group sqlite_journal"},
    {"work=database workload=oltp_read_write",
     "point_selects range_selects simple_ranges sum_ranges order_ranges distinct_ranges range_size index_updates "
     "non_index_updates delete_inserts skip_trx",
     "random_points number_of_ranges delta"},
    {"work=database workload=oltp_read_only range_selects=off", "point_selects range_selects skip_trx",
     "simple_ranges sum_ranges order_ranges distinct_ranges range_size index_updates non_index_updates delete_inserts"},
    {"work=database workload=oltp_write_only", "index_updates non_index_updates delete_inserts skip_trx",
     "point_selects range_selects simple_ranges range_size"},
    {"work=database workload=oltp_point_select", "tables table_size", "point_selects range_size skip_trx"},
    {"work=database workload=oltp_update_index", "index_updates", "non_index_updates skip_trx"},
    {"work=database workload=oltp_update_non_index", "non_index_updates", "index_updates skip_trx"},
    {"work=database workload=oltp_delete", "tables", "delete_inserts skip_trx"},
    {"work=database workload=oltp_insert", "auto_inc", "delete_inserts skip_trx"},
    {"work=database workload=bulk_insert", "tables", "point_selects skip_trx delta"},
    {"work=database workload=select_random_points", "random_points", "number_of_ranges delta point_selects"},
    {"work=database db_driver=mysql", "replica db_answer_timeout",
     "heartbeat heartbeat_schema replica_wait verify_replica find_lag_knee knee_precision"},
    {"work=database db_driver=mysql replica=host=b",
     "heartbeat heartbeat_schema replica_wait verify_replica find_lag_knee", "knee_precision"},
    {"work=database db_driver=mysql replica=host=b find_lag_knee=1:2", "knee_precision", ""},
    {"work=database replica=host=b", "", "replica heartbeat replica_wait db_answer_timeout"},
    {"work=database workload=select_random_ranges", "number_of_ranges delta", "random_points range_size"},
};

static void what_matters_depends_on_the_job(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct job job;
        job_init(&job);
        each_word(rows[i].job, assign, &job, true);
        each_word(rows[i].matter, assert_matters, &job, true);
        each_word(rows[i].matter_not, assert_matters, &job, false);
    }
}

/* A workload that the table forgot would let everything count. */
static void every_workload_has_what_it_does(void **state)
{
    const struct setting *workload = must_find("workload");
    (void)state;
    for (size_t i = 0; workload->choices[i]; ++i) {
        struct job job;
        job_init(&job);
        job.work = WORK_DATABASE;
        snprintf(job.workload, sizeof(job.workload), "%s", workload->choices[i]);
        assert_false(setting_matters(must_find("random_points"), &job) &&
                     setting_matters(must_find("number_of_ranges"), &job));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matters_depends_on_the_job),
        cmocka_unit_test(every_workload_has_what_it_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
