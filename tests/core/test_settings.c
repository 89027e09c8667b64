#include "core/settings.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct setting *must_find(const char *name)
{
    const struct setting *setting = setting_find(name);
    if (!setting)
        fail_msg("no setting is called %s", name);
    return setting;
}

static void must_set(struct job *job, const char *name, const char *text)
{
    struct error error = ERROR_INIT;
    if (!job_set(job, must_find(name), name, text, &error))
        fail_msg("%s", error.text);
}

/* ---- the table ---- */

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static void every_row_is_whole(void **state)
{
    static const char *const groups[] = {"work", "target", "access",  "random", "path",        "database", "workload",
                                         "load", "stop",   "reading", "verify", "replication", NULL};
    (void)state;
    for (size_t i = 0; i < settings_count; i++) {
        const struct setting *row = &settings[i];
        if (setting_find(row->name) != row)
            fail_msg("%s: another row has that name", row->name);
        if (!is_one_of(row->group, groups))
            fail_msg("%s: group %s", row->name, row->group);
        if (!row->help || row->help[strlen(row->help) - 1] != '.')
            fail_msg("%s: the help is no sentence", row->name);
        if (row->type == SETTING_CHOICE && (!row->choices || row->bytes != sizeof(int)))
            fail_msg("%s: a choice needs its words", row->name);
    }
}

/* The fields of struct job follow each other in the table's order: a field without a row leaves a gap. */
static void every_field_of_a_job_has_a_row(void **state)
{
    static const size_t alignments[] = {
        [SETTING_BOOL] = 1, [SETTING_COUNT] = 8,  [SETTING_BYTES] = 8, [SETTING_TIME] = 8,
        [SETTING_REAL] = 8, [SETTING_CHOICE] = 4, [SETTING_TEXT] = 1,  [SETTING_LIST] = 8,
    };
    size_t end = 0;
    (void)state;
    for (size_t i = 0; i < settings_count; i++) {
        if (settings[i].offset < end || settings[i].offset - end >= alignments[settings[i].type])
            fail_msg("%s does not follow the field before it", settings[i].name);
        end = settings[i].offset + settings[i].bytes;
    }
    assert_in_range(sizeof(struct job) - end, 0, 7);
}

static void names_are_found_with_both_dashes(void **state)
{
    (void)state;
    assert_ptr_equal(setting_find("block_size"), setting_find("block-size"));
    assert_string_equal(must_find("sync-each-write")->name, "sync_each_write");
    assert_null(setting_find("block"));
    assert_null(setting_find("block_size_"));
    assert_null(setting_find(""));
}

static void an_option_is_a_name_with_dashes(void **state)
{
    char option[64];
    (void)state;
    setting_option_name(must_find("sync_each_write"), option, sizeof option);
    assert_string_equal(option, "--sync-each-write");
}

static void the_closest_name_is_offered_when_it_is_close(void **state)
{
    static const struct {
        const char *wrong, *right;
    } rows[] = {
        {"treads", "threads"},
        {"block-sise", "block_size"},
        {"percentile", "percentiles"},
        {"sync-evry", "sync_every"},
        {"warm-up", "warmup"},
        {"threads", "threads"},
        {"latency", NULL},
        {"", NULL},
        {"xyz", NULL},
        {"a-name-that-is-far-longer-than-any-setting-could-ever-be", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct setting *closest = setting_closest(rows[i].wrong);
        const char *name = closest ? closest->name : NULL;
        if (!name != !rows[i].right || (name && strcmp(name, rows[i].right) != 0))
            fail_msg("%s: %s", rows[i].wrong, name ? name : "nothing");
    }
}

/* ---- values ---- */

struct expected {
    const char *name, *text;
};

static const struct expected defaults[] = {
    {"work", "files"},
    {"target", ""},
    {"dir", "."},
    {"file_name", "test_file"},
    {"files", "1"},
    {"total_size", "1G"},
    {"block_size", "16K"},
    {"data", "random"},
    {"compress_percent", "0"},
    {"fill", "written"},
    {"mode", ""},
    {"read_percent", "60"},
    {"mix", "random"},
    {"cursor", "shared"},
    {"cursor_start", "spread"},
    {"thread_stride", "0"},
    {"direction", "forward"},
    {"step", "0"},
    {"random_percent", "100"},
    {"file_choice", "all"},
    {"start", "0"},
    {"stripe_blocks", "0"},
    {"stripe_rows", "64"},
    {"merge_blocks", "1"},
    {"align", "0"},
    {"coverage", "any"},
    {"passes", "0"},
    {"distribution", "uniform"},
    {"special_iterations", "12"},
    {"special_percent", "1"},
    {"special_result_percent", "75"},
    {"gaussian_iterations", "12"},
    {"pareto_h", "0.2"},
    {"zipfian_exponent", "0.8"},
    {"seed", "0"},
    {"engine", "auto"},
    {"depth", "1"},
    {"cache", "on"},
    {"through", "off"},
    {"drop_cache", "off"},
    {"sync_kind", "fsync"},
    {"sync_every", "0"},
    {"sync_counts", "writes"},
    {"sync_each_write", "off"},
    {"sync_at_end", "on"},
    {"close_at_end", "off"},
    {"count_syncs", "off"},
    {"db_driver", "sqlite"},
    {"db_file", "isobench.sqlite"},
    {"db_host", "localhost"},
    {"db_port", ""},
    {"db_socket", ""},
    {"db_protocol", "auto"},
    {"db_user", "sbtest"},
    {"db_name", "sbtest"},
    {"db_defaults_file", ""},
    {"db_defaults_group", "client"},
    {"db_tls", "preferred"},
    {"db_tls_ca", ""},
    {"db_tls_cert", ""},
    {"db_tls_key", ""},
    {"db_tls_cipher", ""},
    {"db_compression", "off"},
    {"db_statements", "prepared"},
    {"db_connect_timeout", "10"},
    {"db_answer_timeout", "0"},
    {"retry_errors", "auto"},
    {"reconnect_on_loss", "0"},
    {"sqlite_journal", "wal"},
    {"sqlite_synchronous", "full"},
    {"sqlite_busy_timeout", "5"},
    {"workload", "oltp_read_write"},
    {"table_name", "sbtest"},
    {"table_form", "1.0"},
    {"tables", "1"},
    {"table_size", "10000"},
    {"table_engine", "innodb"},
    {"table_options", ""},
    {"auto_inc", "on"},
    {"secondary", "off"},
    {"create_secondary", "on"},
    {"point_selects", "10"},
    {"simple_ranges", "1"},
    {"sum_ranges", "1"},
    {"order_ranges", "1"},
    {"distinct_ranges", "1"},
    {"range_selects", "on"},
    {"range_size", "100"},
    {"index_updates", "1"},
    {"non_index_updates", "1"},
    {"delete_inserts", "1"},
    {"skip_trx", "off"},
    {"random_points", "10"},
    {"number_of_ranges", "10"},
    {"delta", "5"},
    {"reconnect_every", "0"},
    {"replica", ""},
    {"heartbeat", "0.1"},
    {"replica_wait", "60"},
    {"heartbeat_schema", ""},
    {"verify_replica", "off"},
    {"find_lag_knee", ""},
    {"knee_precision", "10"},
    {"threads", "1"},
    {"stack_size", "0"},
    {"rate", "0"},
    {"arrival", "uniform"},
    {"latency_from", "due"},
    {"think_time", "0"},
    {"burst", "1"},
    {"cpus", ""},
    {"time", "10"},
    {"events", "0"},
    {"warmup", "0"},
    {"steady_state", ""},
    {"stonewall", "off"},
    {"repeat", "1"},
    {"on_error", "stop"},
    {"shutdown_grace", "none"},
    {"init_timeout", "30"},
    {"report_interval", "0"},
    {"sample", "0"},
    {"checkpoints", ""},
    {"percentiles", "50,90,95,99,99.9,99.99"},
    {"interval_percentile", "95"},
    {"histogram", "off"},
    {"verify", "off"},
    {"ledger", ""},
};

static void every_default_is_what_it_should_be(void **state)
{
    struct job job;
    char text[TEXT_MAX];
    (void)state;
    job_init(&job);
    assert_int_equal(COUNT_OF(defaults), settings_count);
    for (size_t i = 0; i < COUNT_OF(defaults); i++) {
        job_get(&job, must_find(defaults[i].name), text, sizeof text);
        if (strcmp(text, defaults[i].text) != 0)
            fail_msg("%s is %s", defaults[i].name, text);
    }
    assert_int_equal(job.mode, MODE_UNSET);
    assert_int_equal(job.total_size_bytes, 1073741824);
    assert_int_equal(job.time_ns, UINT64_C(10000000000));
    assert_true(job.shutdown_grace_ns == NO_GRACE);
    assert_true(job.sync_at_end);
}

struct value {
    const char *name, *text, *canonical;
};

/* None is the default. Where the canonical form differs it stands behind. */
static const struct value samples[] = {
    {"dir", "/mnt/a b", NULL},
    {"dir", "C:\\D\xC3\xA4ten", NULL},
    {"file_name", "x", NULL},
    {"files", "1000000", NULL},
    {"files", "007", "7"},
    {"total_size", "1536M", "1.5G"},
    {"total_size", "1", NULL},
    {"total_size", "1048576T", "1E"},
    {"block_size", "4k", "4K"},
    {"block_size", "1GiB", "1G"},
    {"block_size", "513", NULL},
    {"data", "zero", NULL},
    {"compress_percent", "100", NULL},
    {"fill", "allocated", NULL},
    {"fill", "extended", NULL},
    {"mode", "seqwr", NULL},
    {"mode", "seqrewr", NULL},
    {"mode", "seqrd", NULL},
    {"mode", "rndrd", NULL},
    {"mode", "rndwr", NULL},
    {"mode", "rndrw", NULL},
    {"read_percent", "33.333333333333336", NULL},
    {"read_percent", "1e2", "100"},
    {"read_percent", "-0", "0"},
    {"mix", "balanced", NULL},
    {"cursor", "thread", NULL},
    {"merge_blocks", "64", NULL},
    {"align", "512", NULL},
    {"distribution", "special", NULL},
    {"distribution", "gaussian", NULL},
    {"distribution", "pareto", NULL},
    {"distribution", "zipfian", NULL},
    {"special_iterations", "1", NULL},
    {"special_percent", "100", NULL},
    {"special_result_percent", "0", NULL},
    {"gaussian_iterations", "1000", NULL},
    {"pareto_h", "0.3", NULL},
    {"zipfian_exponent", "1", NULL},
    {"seed", "9223372036854775807", NULL},
    {"engine", "sync", NULL},
    {"engine", "uring", NULL},
    {"engine", "iocp", NULL},
    {"engine", "uv", NULL},
    {"engine", "mmap", NULL},
    {"depth", "4096", NULL},
    {"cache", "off", NULL},
    {"through", "data", NULL},
    {"through", "full", NULL},
    {"drop_cache", "on", NULL},
    {"sync_kind", "fdatasync", NULL},
    {"sync_every", "1000000000000000000", NULL},
    {"sync_counts", "requests", NULL},
    {"sync_each_write", "on", NULL},
    {"sync_each_write", "yes", "on"},
    {"sync_each_write", "true", "on"},
    {"sync_each_write", "1", "on"},
    {"sync_at_end", "no", "off"},
    {"sync_at_end", "false", "off"},
    {"sync_at_end", "0", "off"},
    {"threads", "100000", NULL},
    {"stack_size", "64K", NULL},
    {"target", "/dev/sdb,/mnt/a file", NULL},
    {"rate", "1500.5", NULL},
    {"arrival", "poisson", NULL},
    {"think_time", "5ms", NULL},
    {"burst", "16", NULL},
    {"cpus", "0-3,8", NULL},
    {"steady_state", "iops:5%", NULL},
    {"stonewall", "on", NULL},
    {"repeat", "3", NULL},
    {"on_error", "count", NULL},
    {"time", "0", NULL},
    {"time", "0.5", NULL},
    {"time", "4294967295", NULL},
    {"time", "2m", "120"},
    {"events", "1000000000000000000", NULL},
    {"file_choice", "turn", NULL},
    {"file_choice", "own", NULL},
    {"start", "64K", NULL},
    {"stripe_blocks", "64", NULL},
    {"stripe_rows", "8", NULL},
    {"passes", "3", NULL},
    {"warmup", "1ns", NULL},
    {"shutdown_grace", "0", NULL},
    {"shutdown_grace", "0.25", NULL},
    {"init_timeout", "1h", "3600"},
    {"close_at_end", "on", NULL},
    {"count_syncs", "on", NULL},
    {"report_interval", "250ms", "0.25"},
    {"sample", "1s", "1"},
    {"interval_percentile", "99.9", NULL},
    {"checkpoints", "1", NULL},
    {"checkpoints", "30,2.5,10,2.5", "2.5,10,30"},
    {"percentiles", "", NULL},
    {"percentiles", "0,100", NULL},
    {"percentiles", "99,50,99", NULL},
    {"histogram", "on", NULL},
    {"verify", "on", NULL},
    {"ledger", "/elsewhere/set.ledger", NULL},
    {"work", "database", NULL},
    {"data", "count-up", NULL},
    {"mode", "seqrw", NULL},
    {"cursor_start", "apart", NULL},
    {"thread_stride", "1G", NULL},
    {"direction", "backward", NULL},
    {"step", "8K", NULL},
    {"random_percent", "25", NULL},
    {"coverage", "once", NULL},
    {"latency_from", "start", NULL},
    {"db_driver", "mysql", NULL},
    {"db_driver", "pgsql", NULL},
    {"db_file", "/tmp/a.db", NULL},
    {"db_host", "a,b", NULL},
    {"db_port", "3306,3307", NULL},
    {"db_socket", "/run/a.sock", NULL},
    {"db_protocol", "tcp", NULL},
    {"db_protocol", "socket", NULL},
    {"db_protocol", "pipe", NULL},
    {"db_user", "root", NULL},
    {"db_name", "test", NULL},
    {"db_defaults_file", "/etc/my.cnf", NULL},
    {"db_defaults_group", "isobench", NULL},
    {"db_tls", "off", NULL},
    {"db_tls", "required", NULL},
    {"db_tls", "verify-ca", NULL},
    {"db_tls", "verify-identity", NULL},
    {"db_tls_ca", "ca.pem", NULL},
    {"db_tls_cert", "cert.pem", NULL},
    {"db_tls_key", "key.pem", NULL},
    {"db_tls_cipher", "AES128-SHA", NULL},
    {"db_compression", "on", NULL},
    {"db_statements", "text", NULL},
    {"db_connect_timeout", "1", NULL},
    {"db_answer_timeout", "20", NULL},
    {"retry_errors", "1213,1205", NULL},
    {"reconnect_on_loss", "30", NULL},
    {"sqlite_journal", "delete", NULL},
    {"sqlite_journal", "truncate", NULL},
    {"sqlite_journal", "memory", NULL},
    {"sqlite_synchronous", "off", NULL},
    {"sqlite_synchronous", "normal", NULL},
    {"sqlite_synchronous", "extra", NULL},
    {"sqlite_busy_timeout", "0", NULL},
    {"table_name", "bench", NULL},
    {"table_form", "0.4", NULL},
    {"tables", "16", NULL},
    {"table_size", "4000000000", NULL},
    {"table_engine", "myisam", NULL},
    {"table_options", "ROW_FORMAT=COMPRESSED", NULL},
    {"auto_inc", "off", NULL},
    {"secondary", "on", NULL},
    {"create_secondary", "off", NULL},
    {"point_selects", "0", NULL},
    {"simple_ranges", "2", NULL},
    {"sum_ranges", "2", NULL},
    {"order_ranges", "2", NULL},
    {"distinct_ranges", "2", NULL},
    {"range_selects", "off", NULL},
    {"range_size", "1000", NULL},
    {"index_updates", "0", NULL},
    {"non_index_updates", "0", NULL},
    {"delete_inserts", "5", NULL},
    {"skip_trx", "on", NULL},
    {"random_points", "100", NULL},
    {"number_of_ranges", "1", NULL},
    {"delta", "1000000000", NULL},
    {"reconnect_every", "1", NULL},
    {"replica", "host=10.0.0.6 mysql://check@10.0.0.7:3307", NULL},
    {"heartbeat", "20ms", NULL},
    {"replica_wait", "5", NULL},
    {"heartbeat_schema", "shop", NULL},
    {"verify_replica", "on", NULL},
    {"find_lag_knee", "10:2000", NULL},
    {"knee_precision", "2.5", NULL},
    {"workload", "oltp_read_only", NULL},
    {"workload", "oltp_write_only", NULL},
    {"workload", "oltp_point_select", NULL},
    {"workload", "oltp_insert", NULL},
    {"workload", "oltp_delete", NULL},
    {"workload", "oltp_update_index", NULL},
    {"workload", "oltp_update_non_index", NULL},
    {"workload", "select_random_points", NULL},
    {"workload", "select_random_ranges", NULL},
    {"workload", "bulk_insert", NULL},
};

static void check_sample(const struct value *sample)
{
    const struct setting *setting = must_find(sample->name);
    struct job fresh, job, again;
    char text[TEXT_MAX];
    job_init(&fresh);
    job_init(&job);
    job_init(&again);
    must_set(&job, sample->name, sample->text);
    job_get(&job, setting, text, sizeof text);
    must_set(&again, sample->name, text);
    if (!setting_equal(&job, &again, setting))
        fail_msg("%s=%s does not come back from %s", sample->name, sample->text, text);
    if (setting_equal(&job, &fresh, setting))
        fail_msg("%s=%s is the default", sample->name, sample->text);
    struct error error = ERROR_INIT;
    struct job canonical = fresh;
    assert_true(
        job_set(&canonical, setting, setting->name, sample->canonical ? sample->canonical : sample->text, &error));
    assert_true(setting_equal(&job, &canonical, setting));
    for (size_t i = 0; i < settings_count; i++)
        if (&settings[i] != setting && !setting_equal(&job, &fresh, &settings[i]))
            fail_msg("%s=%s changed %s", sample->name, sample->text, settings[i].name);
}

static void every_value_comes_back_from_its_text_and_touches_no_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(samples); i++)
        check_sample(&samples[i]);
}

static void sizes_choices_switches_and_lists_have_one_written_form(void **state)
{
    struct job job;
    char text[TEXT_MAX];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        if (must_find(samples[i].name)->type == SETTING_TIME) /* 0.25 or 250ms: units.h chooses */
            continue;
        job_init(&job);
        must_set(&job, samples[i].name, samples[i].text);
        job_get(&job, must_find(samples[i].name), text, sizeof text);
        const char *expected = samples[i].canonical ? samples[i].canonical : samples[i].text;
        if (strcmp(text, expected) != 0)
            fail_msg("%s=%s is written %s, not %s", samples[i].name, samples[i].text, text, expected);
    }
}

static void every_setting_has_a_sample(void **state)
{
    (void)state;
    for (size_t i = 0; i < settings_count; i++) {
        size_t found = 0;
        for (size_t j = 0; j < COUNT_OF(samples); j++)
            found += strcmp(samples[j].name, settings[i].name) == 0;
        if (found == 0)
            fail_msg("no sample for %s", settings[i].name);
    }
}

static void what_a_setting_cannot_be_is_refused_by_name_and_leaves_the_job_alone(void **state)
{
    static const struct {
        const char *name, *text, *error;
    } rows[] = {
        {"block_size", "16Q", "--block_size=16Q: not a size; give bytes or a number with K, M, G or T, such as 16K"},
        {"block_size", "", "--block_size=: not a size"},
        {"block_size", "-1", "not a size"},
        {"block_size", "1.0001", "not a size"},
        {"block_size", "0", "--block_size=0: must be from 1 to 1G"},
        {"block_size", "2G", "must be from 1 to 1G"},
        {"total_size", "2048P", "must be from 0 to 1E"},
        {"threads", "0", "--threads=0: must be from 1 to 100000"},
        {"threads", "100001", "must be from 1 to 100000"},
        {"threads", "99999999999999999999", "must be from 1 to 100000"},
        {"threads", "4x", "--threads=4x: not a whole number"},
        {"threads", "", "not a whole number"},
        {"threads", "1.5", "not a whole number"},
        {"seed", "9223372036854775808", "must be from 0 to 9223372036854775807"},
        {"depth", "4097", "must be from 1 to 4096"},
        {"compress_percent", "101", "must be from 0 to 100"},
        {"read_percent", "100.5", "must be from 0 to 100"},
        {"read_percent", "nan", "not a number"},
        {"read_percent", "x", "not a number"},
        {"pareto_h", "0", "must be from 0.0001 to 0.9999"},
        {"pareto_h", "1", "must be from 0.0001 to 0.9999"},
        {"engine", "foo", "--engine=foo: one of auto, sync, uring, iocp, uv, mmap"},
        {"engine", "", "one of auto, sync"},
        {"mode", "seq", "--mode=seq: one of seqwr, seqrewr, seqrd, rndrd, rndwr, rndrw"},
        {"cache", "true", "one of on, off"},
        {"sync_at_end", "ON", "must be on or off"},
        {"time", "10x", "--time=10x: not a time; give seconds or a number with ns, us, ms, s, m or h"},
        {"time", "none", "not a time"},
        {"time", "4294967296", "must be from 0 to 4294967295 seconds"},
        {"init_timeout", "0", "must be from 0.001 to 4294967295 seconds"},
        {"shutdown_grace", "never", "not a time"},
        {"shutdown_grace", "5000000000", "must be from 0 to 4294967295 seconds, or none"},
        {"checkpoints", "0", "each value must be from 0.001 to 4294967295"},
        {"percentiles", "50,101", "--percentiles=50,101: each value must be from 0 to 100"},
        {"percentiles", "50;90", "not a list of numbers"},
        {"percentiles", "50,,90", "not a list of numbers"},
        {"percentiles", "50,", "ends in a comma"},
        {"percentiles", ",", "not a list of numbers"},
        {"percentiles", "0.0000000000000000000000000000000000000000000000000000000000000001", "not a list of numbers"},
    };
    struct job before, job;
    (void)state;
    job_init(&before);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = ERROR_INIT;
        char shown[64];
        job = before;
        snprintf(shown, sizeof shown, "--%s", rows[i].name);
        if (job_set(&job, must_find(rows[i].name), shown, rows[i].text, &error))
            fail_msg("%s=%s was taken", shown, rows[i].text);
        if (!strstr(error.text, rows[i].error) || strncmp(error.text, shown, strlen(shown)) != 0)
            fail_msg("\"%s\" does not say \"%s\"", error.text, rows[i].error);
        assert_int_equal(error.kind, ERR_USAGE);
        assert_memory_equal(&job, &before, sizeof job);
    }
}

static void text_is_refused_when_it_is_too_long_and_never_cut(void **state)
{
    struct job job;
    char text[TEXT_MAX + 1];
    struct error error = ERROR_INIT;
    (void)state;
    job_init(&job);
    memset(text, 'a', sizeof text);
    text[TEXT_MAX] = '\0';
    assert_false(job_set(&job, must_find("dir"), "--dir", text, &error));
    assert_non_null(strstr(error.text, "too long with 2048 bytes; at most 2047"));
    assert_string_equal(job.dir, ".");
    text[TEXT_MAX - 1] = '\0';
    must_set(&job, "dir", text);
    assert_string_equal(job.dir, text);
    text[NAME_MAX_BYTES] = '\0';
    struct error second = ERROR_INIT;
    assert_false(job_set(&job, must_find("file_name"), "--file-name", text, &second));
}

/* "1,2,3,…" */
static void write_list(char *out, size_t out_bytes, int count)
{
    size_t used = 0;
    for (int i = 1; i <= count; i++)
        used += (size_t)snprintf(out + used, out_bytes - used, i == 1 ? "%d" : ",%d", i);
}

static void lists_hold_256_values_and_no_more(void **state)
{
    struct job job;
    char text[2048];
    struct error error = ERROR_INIT;
    (void)state;
    job_init(&job);
    write_list(text, sizeof text, LIST_MAX);
    must_set(&job, "checkpoints", text);
    assert_int_equal(job.checkpoints.count, LIST_MAX);
    assert_true(job.checkpoints.values[LIST_MAX - 1] == LIST_MAX);
    write_list(text, sizeof text, LIST_MAX + 1);
    assert_false(job_set(&job, must_find("checkpoints"), "--checkpoints", text, &error));
    assert_non_null(strstr(error.text, "at most 256"));
}

static void a_list_that_does_not_fit_is_cut_at_a_comma(void **state)
{
    struct job job;
    char text[10];
    (void)state;
    job_init(&job);
    must_set(&job, "checkpoints", "10,20,30,40");
    job_get(&job, must_find("checkpoints"), text, sizeof text);
    assert_string_equal(text, "10,20,30");
    job_get(&job, must_find("checkpoints"), text, 8);
    assert_string_equal(text, "10,20");
}

/* ---- relations ---- */

static void what_modes_do(void **state)
{
    static const struct {
        enum mode mode;
        bool reads, writes, sequential;
    } rows[] = {
        {MODE_SEQWR, false, true, true},  {MODE_SEQREWR, false, true, true}, {MODE_SEQRD, true, false, true},
        {MODE_RNDRD, true, false, false}, {MODE_RNDWR, false, true, false},  {MODE_RNDRW, true, true, false},
        {MODE_SEQRW, true, true, true},   {MODE_UNSET, false, false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(mode_reads(rows[i].mode), rows[i].reads);
        assert_int_equal(mode_writes(rows[i].mode), rows[i].writes);
        assert_int_equal(mode_is_sequential(rows[i].mode), rows[i].sequential);
    }
}

/* "a=1 b=2" */
static void set_all(struct job *job, const char *assignments)
{
    char copy[256], *item = copy;
    job_init(job);
    snprintf(copy, sizeof copy, "%s", assignments);
    while (*item) {
        char *value = strchr(item, '=') + 1, *end = value + strcspn(value, " "), *next = *end ? end + 1 : end;
        value[-1] = *end = '\0';
        must_set(job, item, value);
        item = next;
    }
}

struct relation {
    const char *settings, *error; /* NULL = fine */
};

static void check_relations(bool (*check)(const struct job *, struct error *), const struct relation *rows,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct job job;
        struct error error = ERROR_INIT;
        set_all(&job, rows[i].settings);
        bool fine = check(&job, &error);
        if (fine != !rows[i].error)
            fail_msg("%s: %s", rows[i].settings, fine ? "was taken" : error.text);
        if (!fine && (!strstr(error.text, rows[i].error) || error.kind != ERR_USAGE))
            fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].settings, error.text, rows[i].error);
    }
}

static const struct relation exclusions[] = {
    {"", NULL},
    {"dir=", "--dir is empty"},
    {"file_name=", "--file-name is empty"},
    {"file_name=a/b", "--file-name=a/b: a name without / and \\"},
    {"file_name=a\\b", "--file-name"},
    {"total_size=1000 files=10", "--total-size=1000 over --files=10 leaves 100 bytes per file, less than one "
                                 "--block-size=16K"},
    {"total_size=160K files=10", NULL},
    {"total_size=16383", "less than one --block-size=16K"},
    {"merge_blocks=65536", NULL},
    {"merge_blocks=65537", "--merge-blocks=65537 times --block-size=16K is more than 1G"},
    {"merge_blocks=1000000000", "--merge-blocks"},
    {"align=512M files=2", NULL},
    {"align=513M files=2", "--align=513M is more than a file has (512M)"},
    {"block_size=1000 align=7", NULL},
    {"block_size=1000 cache=off", "--block-size=1000 with --cache=off: must be a multiple of 512"},
    {"align=7 cache=off", "--align=7 with --cache=off"},
    {"block_size=512 align=1K cache=off", NULL},
    {"engine=sync depth=8", "--engine=sync completes each IO before the next: its depth is 1; use auto, uring, "
                            "iocp or uv for --depth=8"},
    {"engine=mmap depth=2", "--engine=mmap completes"},
    {"engine=uv depth=8", NULL},
    {"depth=4096", NULL},
    {"engine=mmap", NULL},
    {"engine=mmap cache=off", "--cache=off needs"},
    {"engine=mmap through=data", "--through has no effect"},
    {"engine=sync cache=off through=full", NULL},
    {"compress_percent=50", NULL},
    {"data=zero", NULL},
    {"data=zero compress_percent=50", "--compress-percent=50 with --data=zero"},
    {"sync_each_write=on", NULL},
    {"sync_every=100", NULL},
    {"sync_each_write=on sync_every=100", "--sync-each-write and --sync-every=100 exclude each other"},
    {"report_interval=10ms", NULL},
    {"report_interval=9ms", "--report-interval=9ms: must be 0 (none) or at least 10ms"},
    {"sample=100ms", NULL},
    {"sample=99ms", "--sample=99ms: must be 0 (none) or at least 100ms"},
    {"rate=100", NULL},
    {"rate=100 think_time=1ms", "leave out --rate or --think-time"},
    {"cpus=0-3,8", NULL},
    {"cpus=3-1", "--cpus=3-1: not a list of CPUs"},
    {"cpus=1,", "--cpus=1,: not a list of CPUs"},
    {"cpus=x", "--cpus=x: not a list of CPUs"},
    {"cpus=5000", "--cpus=5000: not a list of CPUs"},
    {"steady_state=iops:5% warmup=10", NULL},
    {"steady_state=latency:2.5% warmup=10", NULL},
    {"steady_state=iops:5%", "needs --warmup"},
    {"steady_state=iops:5 warmup=10", "--steady-state=iops:5: give iops or latency and a band"},
    {"steady_state=speed:5% warmup=10", "give iops or latency and a band"},
    {"target=/dev/sdb total_size=0", NULL},
    {"start=1M", "--start=1M is for a --target"},
    {"start=1M target=x total_size=0", NULL},
    {"start=1000 target=x total_size=0 cache=off", "--start=1000 with --cache=off"},
    {"file_choice=own files=3 threads=2", "--file-choice=own with --threads=2 leaves files without a thread"},
    {"file_choice=own files=3 threads=4", NULL},
    {"file_choice=own target=a,b total_size=0", "there are 2"},
    {"file_choice=turn files=3", NULL},
    {"stripe_blocks=64", NULL},
    {"stripe_blocks=64 merge_blocks=2", "--stripe-blocks and --merge-blocks exclude each other"},
    {"stripe_blocks=64 mode=rndrd", "--stripe-blocks=64: only sequential modes have stripes"},
    {"stripe_blocks=64 files=2", "needs --file-choice=turn or own"},
    {"stripe_blocks=64 files=2 file_choice=turn", NULL},
    {"stripe_blocks=2 threads=3 cursor=thread", "--stripe-blocks=2 over 3 threads"},
    {"stripe_blocks=2 threads=3", NULL},
    {"stripe_blocks=2 threads=4 files=2 file_choice=own cursor=thread", NULL},
    {"stripe_blocks=64 stripe_rows=1025", "is more than the 65536 blocks of each file"},
    {"stripe_blocks=64 stripe_rows=1024", NULL},
    {"data=count-up", NULL},
    {"data=count-up compress_percent=50", "--compress-percent=50 with --data=count-up"},
    {"direction=backward", NULL},
    {"direction=backward mode=seqrw step=1M", NULL},
    {"direction=backward cursor=thread cursor_start=apart", NULL},
    {"direction=backward mode=rndrd", "--direction=backward with --mode=rndrd: only sequential modes"},
    {"direction=backward stripe_blocks=64", "--direction=backward and --stripe-blocks exclude each other"},
    {"step=1000", NULL},
    {"step=512M files=2", NULL},
    {"step=513M files=2", "--step=513M is more than a file has (512M)"},
    {"step=1G target=x total_size=0", NULL},
    {"step=1M mode=rndrd", "--step=1M with --mode=rndrd: only sequential modes have steps"},
    {"step=1M mode=rndrd random_percent=50", NULL},
    {"step=1M stripe_blocks=64", "--step and --stripe-blocks exclude each other"},
    {"step=1M merge_blocks=2", "--step and --merge-blocks exclude each other"},
    {"step=1000 cache=off", "--step=1000 with --cache=off: must be a multiple of 512"},
    {"cursor_start=apart cursor=thread mode=seqrd", NULL},
    {"cursor_start=apart", "--cursor-start=apart with --cursor=shared"},
    {"cursor_start=apart cursor=thread mode=rndrw", "--cursor-start=apart with --mode=rndrw"},
    {"cursor_start=apart cursor=thread stripe_blocks=64", "--cursor-start=apart and --stripe-blocks exclude"},
    {"thread_stride=1M", "--thread-stride=1M needs --cursor-start=apart"},
    {"thread_stride=1M cursor=thread cursor_start=apart threads=1024", NULL},
    {"thread_stride=1M cursor=thread cursor_start=apart threads=1025",
     "--thread-stride=1M: the last of 1025 threads would begin behind the end of a file (1G)"},
    {"thread_stride=1M cursor=thread cursor_start=apart threads=1025 target=x total_size=0", NULL},
    {"thread_stride=1M cursor=thread cursor_start=apart threads=1025 files=2", "would begin behind the end"},
    {"thread_stride=1M cursor=thread cursor_start=apart threads=1024 files=2 file_choice=own", NULL},
    {"thread_stride=1024P cursor=thread cursor_start=apart threads=100000", "would begin behind the end"},
    {"thread_stride=1024P cursor=thread cursor_start=apart", NULL},
    {"thread_stride=1000 cursor=thread cursor_start=apart cache=off", "--thread-stride=1000 with --cache=off"},
    {"random_percent=50", NULL},
    {"random_percent=50 mode=rndrw distribution=zipfian", NULL},
    {"random_percent=50 mode=seqrd", "--random-percent=50 with --mode=seqrd: only random modes"},
    {"random_percent=50 mode=rndrw mix=runs", NULL},
    {"mix=runs", NULL},
    {"mode=rndrw mix=runs", "--mix=runs needs --mode=rndrw and --random-percent below 100"},
    {"mode=seqrw mix=runs", "--mix=runs needs"},
    {"random_percent=50 coverage=once", "--random-percent=50 with --coverage=once"},
    {"coverage=once", NULL},
    {"coverage=once mode=rndrd align=4K files=2 file_choice=turn", NULL},
    {"coverage=once mode=seqrd", "--coverage=once with --mode=seqrd"},
    {"coverage=once mode=rndrd distribution=zipfian", "--coverage=once with --distribution=zipfian"},
    {"verify=on align=32K", NULL},
    {"verify=on align=8K", "--align=8K: --verify knows whole blocks only"},
    {"verify=on step=32K", NULL},
    {"verify=on step=8K", "--step=8K: --verify knows whole blocks only, so it must be a multiple of --block-size=16K"},
    {"verify=on thread_stride=8K cursor=thread cursor_start=apart", "--thread-stride=8K: --verify knows whole blocks"},
};

static void settings_that_exclude_each_other_are_refused(void **state)
{
    (void)state;
    check_relations(job_check, exclusions, COUNT_OF(exclusions));
}

static void a_run_needs_a_mode_and_an_end(void **state)
{
    static const struct relation rows[] = {
        {"", "--mode is not set: give one of seqwr"},
        {"mode=rndrd", NULL},
        {"mode=rndrd time=0", "nothing ends this run: set --time, --events or --passes"},
        {"mode=rndrd time=0 events=1", NULL},
        {"mode=rndrd time=0 events=1 warmup=5", NULL},
        {"mode=seqrd time=0 passes=1", NULL},
        {"mode=seqrw time=0 passes=1", NULL},
        {"mode=rndrw passes=1", "--passes=1: only sequential modes have passes"},
        {"mode=rndrw passes=1 time=0 coverage=once", NULL},
        {"mode=seqwr sync_each_write=on sync_every=1", "exclude each other"},
        {"mode=seqwr target=x total_size=0", "use --mode=seqrewr"},
        {"mode=seqwr target=x", NULL},
        {"mode=seqrd stonewall=on", "--stonewall needs --passes"},
        {"mode=seqrd stonewall=on passes=1 warmup=1", "--stonewall and --warmup exclude each other"},
        {"mode=seqrd stonewall=on passes=1", NULL},
        {"mode=seqrd close_at_end=on engine=mmap", "--close-at-end needs another engine"},
    };
    (void)state;
    check_relations(job_check_run, rows, COUNT_OF(rows));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(every_field_of_a_job_has_a_row),
        cmocka_unit_test(names_are_found_with_both_dashes),
        cmocka_unit_test(an_option_is_a_name_with_dashes),
        cmocka_unit_test(the_closest_name_is_offered_when_it_is_close),
        cmocka_unit_test(every_default_is_what_it_should_be),
        cmocka_unit_test(every_setting_has_a_sample),
        cmocka_unit_test(every_value_comes_back_from_its_text_and_touches_no_other),
        cmocka_unit_test(sizes_choices_switches_and_lists_have_one_written_form),
        cmocka_unit_test(what_a_setting_cannot_be_is_refused_by_name_and_leaves_the_job_alone),
        cmocka_unit_test(text_is_refused_when_it_is_too_long_and_never_cut),
        cmocka_unit_test(lists_hold_256_values_and_no_more),
        cmocka_unit_test(a_list_that_does_not_fit_is_cut_at_a_comma),
        cmocka_unit_test(what_modes_do),
        cmocka_unit_test(settings_that_exclude_each_other_are_refused),
        cmocka_unit_test(a_run_needs_a_mode_and_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
