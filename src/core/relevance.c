#include "core/relevance.h"

#include "platform/compiler.h"

#include <string.h>

/* ---- when ---- */

static bool has_set(const struct job *job)
{
    return job->target[0] == '\0';
}

static bool writes(const struct job *job)
{
    return mode_writes(job->mode);
}

static bool writes_random_data(const struct job *job)
{
    return writes(job) && job->data == DATA_RANDOM;
}

static bool mixes(const struct job *job)
{
    return mode_reads(job->mode) && mode_writes(job->mode);
}

static bool is_sequential(const struct job *job)
{
    return mode_is_sequential(job->mode);
}

static bool is_random(const struct job *job)
{
    return !mode_is_sequential(job->mode);
}

static bool draws(const struct job *job)
{
    return is_random(job) || (mixes(job) && job->mix != MIX_BALANCED);
}

/* One after the other, or each once: then threads may share a cursor. */
static bool has_passes(const struct job *job)
{
    return is_sequential(job) || job->coverage == COVERAGE_ONCE;
}

static bool shares_passes(const struct job *job)
{
    return has_passes(job) && job->threads > 1;
}

static bool ends_by_passes(const struct job *job)
{
    return shares_passes(job) && job->passes > 0;
}

static bool has_own_cursors(const struct job *job)
{
    return is_sequential(job) && job->cursor == CURSOR_THREAD && job->threads > 1 && job->stripe_blocks == 0;
}

static bool begins_apart(const struct job *job)
{
    return has_own_cursors(job) && job->cursor_start == CURSORS_APART;
}

/* Sequential, or random with IOs that follow others. */
static bool steps(const struct job *job)
{
    return is_sequential(job) || job->random_percent < 100;
}

static bool is_uniform(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_UNIFORM;
}

static bool is_striped(const struct job *job)
{
    return is_sequential(job) && job->stripe_blocks > 0;
}

static bool has_several_files(const struct job *job)
{
    return job->target[0] ? strchr(job->target, ',') != NULL : job->files > 1;
}

static bool is_special(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_SPECIAL;
}

static bool is_gaussian(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_GAUSSIAN;
}

static bool is_pareto(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_PARETO;
}

static bool is_zipfian(const struct job *job)
{
    return is_random(job) && job->distribution == DIST_ZIPFIAN;
}

/* At depth 1 auto is sync. */
static bool picks_an_engine(const struct job *job)
{
    return job->depth > 1 || (strcmp(job->engine, "auto") != 0 && strcmp(job->engine, "sync") != 0);
}

static bool syncs(const struct job *job)
{
    return writes(job) && (job->sync_every > 0 || job->sync_each_write || job->sync_at_end);
}

static bool syncs_now_and_then(const struct job *job)
{
    return writes(job) && job->sync_every > 0;
}

static bool syncs_in_a_mix(const struct job *job)
{
    return mixes(job) && job->sync_every > 0;
}

static bool is_open_loop(const struct job *job)
{
    return job->rate > 0;
}

static bool pauses(const struct job *job)
{
    return job->think_time_ns > 0;
}

static bool has_a_time_limit(const struct job *job)
{
    return job->time_ns > 0;
}

static bool shows_intervals(const struct job *job)
{
    return job->report_interval_ns > 0;
}

static bool verifies(const struct job *job)
{
    return job->verify;
}

/* ---- when, with a database ---- */

static bool is_sqlite(const struct job *job)
{
    return strcmp(job->db_driver, "sqlite") == 0;
}

static bool is_mysql(const struct job *job)
{
    return strcmp(job->db_driver, "mysql") == 0;
}

static bool has_server(const struct job *job)
{
    return !is_sqlite(job);
}

static bool reads_option_file(const struct job *job)
{
    return is_mysql(job) && job->db_defaults_file[0] != '\0';
}

static bool has_replicas(const struct job *job)
{
    return is_mysql(job) && job->replica[0] != '\0';
}

static bool seeks_knee(const struct job *job)
{
    return has_replicas(job) && job->find_lag_knee[0] != '\0';
}

static bool may_use_tls(const struct job *job)
{
    return has_server(job) && job->db_tls != DB_TLS_OFF;
}

enum {
    POINTS = 1 << 0,
    RANGES = 1 << 1,
    INDEX_UPDATES = 1 << 2,
    NON_INDEX_UPDATES = 1 << 3,
    DELETE_INSERTS = 1 << 4,
    TRANSACTION = 1 << 5, /* BEGIN and COMMIT around its statements */
    POINT_LIST = 1 << 6,
    RANGE_LIST = 1 << 7,
    EVERYTHING = (1 << 8) - 1
};

/* What a workload does as often as a setting says. A plain one always does one statement. */
static const struct {
    const char *name;
    unsigned does;
} workloads[] = {
    {"oltp_read_write", POINTS | RANGES | INDEX_UPDATES | NON_INDEX_UPDATES | DELETE_INSERTS | TRANSACTION},
    {"oltp_read_only", POINTS | RANGES | TRANSACTION},
    {"oltp_write_only", INDEX_UPDATES | NON_INDEX_UPDATES | DELETE_INSERTS | TRANSACTION},
    {"oltp_point_select", 0},
    {"oltp_insert", 0},
    {"oltp_delete", 0},
    {"oltp_update_index", INDEX_UPDATES},
    {"oltp_update_non_index", NON_INDEX_UPDATES},
    {"select_random_points", POINT_LIST},
    {"select_random_ranges", RANGE_LIST},
    {"bulk_insert", 0},
    {"script", 0},
};

static bool does(const struct job *job, unsigned what)
{
    unsigned all = EVERYTHING;
    for (size_t i = 0; i < COUNT_OF(workloads); ++i)
        if (strcmp(workloads[i].name, job->workload) == 0)
            all = workloads[i].does;
    return (all & what) != 0;
}

static bool does_points(const struct job *job)
{
    return does(job, POINTS);
}

static bool may_do_ranges(const struct job *job)
{
    return does(job, RANGES);
}

static bool does_ranges(const struct job *job)
{
    return does(job, RANGES) && job->range_selects;
}

static bool does_index_updates(const struct job *job)
{
    return does(job, INDEX_UPDATES);
}

static bool does_non_index_updates(const struct job *job)
{
    return does(job, NON_INDEX_UPDATES);
}

static bool does_delete_inserts(const struct job *job)
{
    return does(job, DELETE_INSERTS);
}

static bool has_transactions(const struct job *job)
{
    return does(job, TRANSACTION);
}

static bool selects_points(const struct job *job)
{
    return does(job, POINT_LIST);
}

static bool selects_ranges(const struct job *job)
{
    return does(job, RANGE_LIST);
}

/* ---- what; settings that are not here always matter ---- */

static const struct {
    const char *name;
    bool (*when)(const struct job *job);
} rows[] = {
    {"dir", has_set},
    {"file_name", has_set},
    {"files", has_set},
    {"data", writes},
    {"compress_percent", writes_random_data},
    {"read_percent", mixes},
    {"mix", mixes},
    {"cursor", shares_passes},
    {"cursor_start", has_own_cursors},
    {"thread_stride", begins_apart},
    {"direction", is_sequential},
    {"step", steps},
    {"random_percent", is_random},
    {"file_choice", has_several_files},
    {"stripe_rows", is_striped},
    {"merge_blocks", is_sequential},
    {"align", is_random},
    {"coverage", is_uniform},
    {"passes", has_passes},
    {"distribution", is_random},
    {"special_iterations", is_special},
    {"special_percent", is_special},
    {"special_result_percent", is_special},
    {"gaussian_iterations", is_gaussian},
    {"pareto_h", is_pareto},
    {"zipfian_exponent", is_zipfian},
    {"seed", draws},
    {"engine", picks_an_engine},
    {"through", writes},
    {"sync_kind", syncs},
    {"sync_every", writes},
    {"sync_counts", syncs_in_a_mix},
    {"sync_each_write", writes},
    {"sync_at_end", writes},
    {"count_syncs", syncs_now_and_then},
    {"arrival", is_open_loop},
    {"latency_from", is_open_loop},
    {"burst", pauses},
    {"stonewall", ends_by_passes},
    {"shutdown_grace", has_a_time_limit},
    {"interval_percentile", shows_intervals},
    {"ledger", verifies},

    {"db_file", is_sqlite},
    {"db_host", has_server},
    {"db_port", has_server},
    {"db_socket", has_server},
    {"db_protocol", has_server},
    {"db_user", has_server},
    {"db_name", has_server},
    {"db_defaults_file", is_mysql},
    {"db_defaults_group", reads_option_file},
    {"db_tls", has_server},
    {"db_tls_ca", may_use_tls},
    {"db_tls_cert", may_use_tls},
    {"db_tls_key", may_use_tls},
    {"db_tls_cipher", may_use_tls},
    {"db_compression", is_mysql},
    {"db_connect_timeout", has_server},
    {"db_answer_timeout", is_mysql},
    {"reconnect_on_loss", has_server},
    {"sqlite_journal", is_sqlite},
    {"sqlite_synchronous", is_sqlite},
    {"sqlite_busy_timeout", is_sqlite},
    {"table_engine", is_mysql},
    {"point_selects", does_points},
    {"range_selects", may_do_ranges},
    {"simple_ranges", does_ranges},
    {"sum_ranges", does_ranges},
    {"order_ranges", does_ranges},
    {"distinct_ranges", does_ranges},
    {"range_size", does_ranges},
    {"index_updates", does_index_updates},
    {"non_index_updates", does_non_index_updates},
    {"delete_inserts", does_delete_inserts},
    {"skip_trx", has_transactions},
    {"random_points", selects_points},
    {"number_of_ranges", selects_ranges},
    {"delta", selects_ranges},
    {"replica", is_mysql},
    {"heartbeat", has_replicas},
    {"heartbeat_schema", has_replicas},
    {"replica_wait", has_replicas},
    {"verify_replica", has_replicas},
    {"find_lag_knee", has_replicas},
    {"knee_precision", seeks_knee},
};

bool setting_matters(const struct setting *setting, const struct job *job)
{
    if (!setting_concerns(setting, job->work))
        return false;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        if (strcmp(rows[i].name, setting->name) == 0)
            return rows[i].when(job);
    }
    return true;
}
