#include "core/result.h"

#include "core/result_json.h"
#include "core/settings.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(struct job *job, const char *name, const char *text)
{
    struct error error = ERROR_INIT;
    if (!job_set(job, setting_find(name), name, text, &error))
        fail_msg("%s", error.text);
}

static struct result *make_plain_result(void)
{
    struct job job;
    job_init(&job);
    struct result *result = result_make(&job);
    assert_non_null(result);
    return result;
}

/* ---- tallies ---- */

/* Different in every class; `step` makes it different from another. */
static void fill_tally(struct tally *tally, uint64_t step)
{
    for (unsigned i = 0; i < CLASS_COUNT; i++) {
        tally->of[i].bytes = 1000 * (i + 1) * step;
        tally->of[i].errors = (i + 1) * step;
        for (unsigned n = 0; n <= i; n++)
            histogram_record(&tally->of[i].latency, 100 * step * (i + 1));
    }
    tally->events = 7 * step;
    tally->clock_steps_back = 3 * step;
}

static void merging_adds_every_figure(void **state)
{
    struct tally *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    (void)state;
    fill_tally(a, 1);
    fill_tally(b, 10);
    tally_merge(a, b);
    for (unsigned i = 0; i < CLASS_COUNT; i++) {
        assert_int_equal(a->of[i].bytes, 11000 * (i + 1));
        assert_int_equal(a->of[i].errors, 11 * (i + 1));
        assert_int_equal(a->of[i].latency.count, 2 * (i + 1));
        assert_int_equal(a->of[i].latency.sum_ns, (i + 1) * 1100 * (i + 1));
        assert_int_equal(a->of[i].latency.min_ns, 100 * (i + 1));
        assert_int_equal(a->of[i].latency.max_ns, 1000 * (i + 1));
    }
    assert_int_equal(a->events, 77);
    assert_int_equal(a->clock_steps_back, 33);
    free(a);
    free(b);
}

static void subtracting_an_earlier_snapshot_leaves_what_came_after(void **state)
{
    struct tally *now = calloc(1, sizeof *now), *before = calloc(1, sizeof *before), *after = calloc(1, sizeof *after);
    (void)state;
    fill_tally(before, 1);
    fill_tally(after, 10);
    tally_merge(now, before);
    tally_merge(now, after);
    tally_subtract(now, before);
    for (unsigned i = 0; i < CLASS_COUNT; i++) {
        assert_int_equal(now->of[i].bytes, after->of[i].bytes);
        assert_int_equal(now->of[i].errors, after->of[i].errors);
        assert_int_equal(now->of[i].latency.count, after->of[i].latency.count);
        assert_int_equal(now->of[i].latency.sum_ns, after->of[i].latency.sum_ns);
        assert_memory_equal(now->of[i].latency.counts, after->of[i].latency.counts, sizeof now->of[i].latency.counts);
    }
    assert_int_equal(now->events, 70);
    assert_int_equal(now->clock_steps_back, 30);
    free(now);
    free(before);
    free(after);
}

static void events_are_reads_writes_and_the_syncs_that_count(void **state)
{
    static const struct {
        const char *count_syncs, *sync_each_write;
        uint64_t events; /* fill_tally makes class i have i + 1 samples */
    } rows[] = {
        {"off", "off", 1 + 2},
        {"on", "off", 1 + 2 + 3},
        {"off", "on", 1 + 5},
        {"on", "on", 1 + 5}, /* those syncs are parts of the durable writes */
    };
    struct tally *tally = calloc(1, sizeof *tally);
    (void)state;
    fill_tally(tally, 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct job job;
        struct histogram latency;
        memset(&latency, 0xA5, sizeof latency); /* what was there before does not matter */
        job_init(&job);
        set(&job, "count_syncs", rows[i].count_syncs);
        set(&job, "sync_each_write", rows[i].sync_each_write);
        tally_events_latency(tally, &job, &latency);
        assert_int_equal(latency.count, rows[i].events);
    }
    free(tally);
}

/* ---- results ---- */

static void a_result_has_a_row_per_thread_and_the_version(void **state)
{
    struct job job;
    (void)state;
    job_init(&job);
    set(&job, "threads", "3");
    struct result *result = result_make(&job);
    assert_int_equal(result->threads[2].events, 0);
    assert_string_equal(result->version, ISOBENCH_VERSION);
    assert_int_equal(result->job.threads, 3);
    result->since_checkpoint = result_make(&job);
    result_free(result);
    result_free(NULL);
}

static void a_warning_stands_once_and_the_33rd_is_dropped(void **state)
{
    struct result *result = make_plain_result();
    char code[16], text[1200];
    (void)state;
    result_warn(result, "os-cache", "%d of %s", 5, "them");
    result_warn(result, "os-cache", "again");
    assert_int_equal(result->warnings_count, 1);
    assert_string_equal(result->warnings[0].code, "os-cache");
    assert_string_equal(result->warnings[0].text, "5 of them");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < WARNINGS_MAX + 5; i++) {
        snprintf(code, sizeof code, "w%d", i);
        result_warn(result, code, "%s", text);
    }
    assert_int_equal(result->warnings_count, WARNINGS_MAX);
    assert_string_equal(result->warnings[WARNINGS_MAX - 1].code, "w30");
    assert_int_equal(strlen(result->warnings[1].text), sizeof result->warnings[1].text - 1);
    result_free(result);
}

/* ---- JSON ---- */

/* What the JSON leaves out: classes of the other kind of work. */
static void clear_other_classes(struct result *result)
{
    for (int op = 0; op < CLASS_COUNT; op++) {
        if (op_class_concerns((enum op_class)op, result->job.work))
            continue;
        memset(&result->total.of[op], 0, sizeof result->total.of[op]);
        for (size_t i = 0; i < result->series_count; i++)
            result->series[i].count[op] = result->series[i].bytes[op] = result->series[i].errors[op] = 0;
    }
}

static void fill_part(struct result *result, uint64_t step)
{
    fill_tally(&result->total, step);
    clear_other_classes(result);
    result->wall_start_ns = UINT64_C(1796095800123456789);
    result->elapsed_ns = INT64_MAX - step;
    result->load_ns = 2000000000 * step;
    result->end_sync_ns = 5 * step;
    result->end_sync_count = 6 * step;
    result->unfinished = 8 * step;
    result->cpu_user_ns = 9 * step;
    result->cpu_system_ns = 11 * step;
    result->cpu_wait_ns = 13 * step;
    for (uint64_t i = 0; i < result->job.threads; i++)
        result->threads[i] = (struct thread_row){.events = (i + 1) * step,
                                                 .busy_ns = (i + 1) * step * 1000,
                                                 .read = {i + step, 2 * step, 3 * step, 4.5},
                                                 .write = {i + 5 * step, 6 * step, 7 * step, 0.125}};
}

/* Both ends of the histogram, and the largest integers that JSON takes. */
static void add_extremes(struct result *result)
{
    struct class_tally *reads = &result->total.of[CLASS_READ];
    histogram_record(&reads->latency, 0);
    histogram_record(&reads->latency, 255);
    histogram_record(&reads->latency, 256);
    histogram_record(&reads->latency, HISTOGRAM_HIGHEST_NS);
    histogram_record(&reads->latency, UINT64_C(1) << 60);
    reads->bytes = INT64_MAX;
    reads->errors = INT64_MAX - 1;
    result->total.of[CLASS_WRITE].latency.counts[300] += UINT64_C(1) << 62;
    result->total.of[CLASS_WRITE].latency.count += UINT64_C(1) << 62;
}

static void fill_facts(struct result *result)
{
    struct host_facts *host = &result->host;
    struct target_facts *target = &result->target;
    strcpy(host->os, "Debian GNU/Linux 12 (bookworm)");
    strcpy(host->kernel, "Linux 6.1.0 x86_64");
    strcpy(host->cpu_model, "a \"quoted\" model\t\\");
    strcpy(host->virtualization, "kvm");
    strcpy(host->cloud, "aws");
    strcpy(host->instance_type, "m5.large");
    host->cpu_count = UINT32_MAX;
    host->memory_bytes = UINT64_C(9007199254740993); /* 2^53 + 1 */
    host->page_bytes = 4096;
    strcpy(target->file_system, "ext4");
    strcpy(target->mount_options, "rw,relatime");
    strcpy(target->mount_point, "/mnt/\xC3\xA4");
    strcpy(target->device, "/dev/nvme0n1p1");
    strcpy(target->device_model, "Amazon Elastic Block Store");
    strcpy(target->ebs_volume_id, "vol-0123");
    target->rotational = TRI_NO;
    target->logical_sector_bytes = 512;
    target->physical_sector_bytes = 4096;
    target->total_bytes = 1000;
    target->free_bytes = 999;
    strcpy(result->clock.name, "CLOCK_MONOTONIC");
    result->clock.ticks_per_s = 1000000000;
    result->clock.resolution_ns = 1;
    result->clock.cost_ns = 20.25;
}

static void fill_series(struct result *result)
{
    result->series_count = 2;
    result->series = calloc(2, sizeof *result->series);
    uint64_t *numbers = (uint64_t *)result->series;
    for (size_t i = 0; i < 2 * sizeof *result->series / sizeof *numbers; i++)
        numbers[i] = 1000 + i;
    for (size_t i = 0; i < 2; i++)
        memset(result->series[i].latency_cells, 0, sizeof result->series[i].latency_cells);
    result->series[0].latency_cells[10] = result->series[0].latency_events - 5; /* the other row's are not known */
    result->series[0].latency_cells[12] = 5;
    for (size_t i = 0; i < 2; i++) /* of the line alone */
        result->series[i].replica_lag_ns = result->series[i].replicas_stopped = 0;
    clear_other_classes(result);
    result->cpus_count = 2;
    result->cpus = calloc(2, sizeof *result->cpus);
    result->cpus[0] = (struct cpu_row){1, 2, 3};
    result->cpus[1] = (struct cpu_row){INT64_MAX, 0, 5};
}

/* One of the warm-up, of which little is known, and one that knows all. */
static void fill_host_series(struct host_series *series)
{
    static const char *const names[] = {"sda", "nvme0n1"};
    series->interval_ns = 1000000000;
    series->cost_ns = 600000;
    for (int i = 0; i < 2; i++) {
        struct host_sample sample = {.end_ns = i ? 5 : -999999999, .elapsed_ns = 1000000001, .warmup = i == 0};
        double *first = &sample.user_share, *last = &sample.other_share;
        for (double *value = first; value <= last; value++)
            *value = i ? 0.125 + (double)(value - first) : NAN;
        for (double *value = &sample.runnable_threads; value <= &sample.battery_share; value++)
            *value = i ? 24463663104.5 + (double)(value - &sample.runnable_threads) : NAN;
        sample.on_battery = i ? TRI_YES : TRI_UNKNOWN;
        sample.cpus_count = 2;
        sample.cpu_busy_share = calloc(2, sizeof *sample.cpu_busy_share);
        sample.cpu_busy_share[0] = i ? 0.333333 : NAN;
        sample.devices_count = (size_t)i * 2;
        sample.devices = calloc(3, sizeof *sample.devices);
        for (size_t n = 0; n < sample.devices_count; n++) {
            sample.devices[n] = (struct host_device_sample){"", 1, 2.5, 3, 4, NAN, 0.000001};
            strcpy(sample.devices[n].name, names[n]);
        }
        assert_true(host_series_add(series, &sample));
    }
}

static void assert_gauges_equal(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (host_known(a[i]) ? a[i] != b[i] : host_known(b[i]))
            fail_msg("value %u: %.17g is %.17g", (unsigned)i, a[i], b[i]);
}

#define GAUGES(from, first, last) &(from)->first, (size_t)(&(from)->last - &(from)->first) + 1

static void assert_host_series_equal(const struct host_series *a, const struct host_series *b)
{
    assert_int_equal(a->interval_ns, b->interval_ns);
    assert_int_equal(a->cost_ns, b->cost_ns);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct host_sample *x = &a->samples[i], *y = &b->samples[i];
        assert_int_equal(x->end_ns, y->end_ns);
        assert_int_equal(x->elapsed_ns, y->elapsed_ns);
        assert_int_equal(x->warmup, y->warmup);
        assert_int_equal(x->on_battery, y->on_battery);
        assert_gauges_equal(&y->user_share, GAUGES(x, user_share, other_share));
        assert_gauges_equal(&y->runnable_threads, GAUGES(x, runnable_threads, battery_share));
        assert_int_equal(x->cpus_count, y->cpus_count);
        assert_gauges_equal(x->cpu_busy_share, y->cpu_busy_share, x->cpus_count);
        assert_int_equal(x->devices_count, y->devices_count);
        for (size_t n = 0; n < x->devices_count; n++) {
            assert_string_equal(x->devices[n].name, y->devices[n].name);
            assert_gauges_equal(&y->devices[n].read_iops, GAUGES(&x->devices[n], read_iops, utilization_share));
        }
    }
}

static void fill_replica(struct replica_row *row, uint64_t n)
{
    snprintf(row->name, sizeof row->name, "10.0.0.%u:3306", (unsigned)n);
    strcpy(row->channel, "east");
    strcpy(row->trouble, "Could not execute \"x\"");
    row->is_direct = n == 1;
    row->by_gtid = row->caught_up = n == 2;
    strcpy(row->server->product, "MySQL");
    row->server->variables_count = 1;
    strcpy(row->server->variables[0].name, "slave_parallel_workers");
    histogram_record(&row->delay, 5000000 * n);
    histogram_record(&row->delay, 0);
    row->heartbeats = 2;
    row->missing = 3 + n;
    row->lag_max_ns = 9000000000 + n;
    row->behind_max_s = 9 + n;
    row->catch_up_ns = 77 + n;
    row->stops = 1;
    row->losses = 2;
    for (uint64_t i = 0; i < 70; i++) /* more than its first room */
        assert_true(
            replica_row_add(row, &(struct replica_interval){i, i + 1, 2 + n, 3, 4, 5, i % 2, i % 3, n == 1, n == 2}));
}

static void fill_replication(struct result *result)
{
    struct replication *replication = result->replication = replication_make(2);
    assert_non_null(replication);
    replication->heartbeats = 100;
    replication->late = 7;
    replication->failed = 2;
    strcpy(replication->trouble, "gone away");
    fill_replica(&replication->rows[0], 1);
    fill_replica(&replication->rows[1], 2);
    /* by their members, so that what is between them stays zero */
    replication->knee.keeps_up = 44.75;
    replication->knee.falls_behind = 53.5;
    replication->knee.steps_count = 2;
    replication->knee.steps[0].rate = 10;
    replication->knee.steps[0].slope = -0.25;
    replication->knee.steps[1].reached = 199;
    replication->knee.steps[1].lag_end_ns = 9;
    replication->knee.steps[1].falls_behind = true;
    struct replica_check *check = &replication->check;
    strcpy(check->verdict, "differ");
    check->tables = 2;
    check->chunks = 4;
    check->compared_rows = 5000;
    check->blackholes = 1;
    check->rows = check->findings_count = check->findings[0].rows = 1;
    strcpy(check->findings[0].table, "sbtest1");
    strcpy(check->findings[0].replica, "b");
    strcpy(check->findings[0].verdict, "differs");
    strcpy(check->findings[0].note, "a note");
}

/* A run on a database: other classes, statements, a server. */
static struct result *make_rich_database_result(void)
{
    struct job job;
    job_init(&job);
    set(&job, "work", "database");
    set(&job, "db_driver", "mysql");
    set(&job, "threads", "2");
    struct result *result = result_make(&job);
    fill_series(result);
    fill_part(result, 1);
    for (size_t i = 0; i < 2; i++)
        memset(&result->threads[i].read, 0, 2 * sizeof result->threads[i].read);
    assert_true(result_statements(result, 2));
    for (size_t i = 0; i < 2; i++) {
        struct statement_row *row = &result->statements[i];
        snprintf(row->name, sizeof row->name, "point_select%u", (unsigned)i);
        snprintf(row->sql, sizeof row->sql, "SELECT \"c\" FROM sbtest1 WHERE id=?");
        row->tally.errors = 3 + i;
        histogram_record(&row->tally.latency, 12345 + i);
    }
    struct server_facts *server = &result->server;
    strcpy(server->product, "MariaDB");
    strcpy(server->version, "10.11.6");
    strcpy(server->client, "a client");
    strcpy(server->tls, "TLSv1.3");
    result->load = (struct bulk_load){"infile", "rows.csv", "1", 1000, 180000, 100, 2, 1 << 20, 1 << 18, true, "count"};
    server->variables_count = SERVER_VARIABLES_MAX;
    for (size_t i = 0; i < SERVER_VARIABLES_MAX; i++) {
        snprintf(server->variables[i].name, sizeof server->variables[i].name, "variable%u", (unsigned)i);
        snprintf(server->variables[i].value, sizeof server->variables[i].value, "%u", (unsigned)i);
    }
    fill_replication(result);
    result->measured = true;
    return result;
}

static struct result *make_rich_result(void)
{
    struct job job;
    job_init(&job);
    set(&job, "dir", "/mnt/\xC3\xA4 b");
    set(&job, "mode", "rndrw");
    set(&job, "threads", "3");
    set(&job, "seed", "9223372036854775807");
    set(&job, "read_percent", "33.333333333333336");
    set(&job, "time", "1.000000001");
    set(&job, "checkpoints", "1,2.5");
    struct result *result = result_make(&job);
    fill_part(result, 1);
    add_extremes(result);
    fill_facts(result);
    fill_series(result);
    fill_host_series(&result->host_series);
    result->measured = true;
    result->warmup_ns = 12345;
    result->start_delay_max_ns = 777;
    result->steady_state_missed = true;
    result->verify = (struct verification){.checked = 1000, .wrong = 3, .findings_count = 1};
    result->verify.findings[0] = (struct verify_finding){"torn", "x", 8192, "generation 2.5", "a mix"};
    result->faults_count = 2;
    result->faults[0] = (struct fault){"write", 28, "No space left on device (errno 28)", 7, "x: cannot write"};
    result->faults[1] = (struct fault){"read", 0, "the transfer ended early", 1, "y: read"};
    result_warn(result, "os-cache", "fits in memory");
    result_warn(result, "short-run", "1 s");
    result->since_checkpoint = result_make(&job);
    fill_part(result->since_checkpoint, 2);
    return result;
}

static struct result *must_read(const char *text)
{
    struct error error = ERROR_INIT;
    struct result *result;
    if (!result_from_json(text, "r.json", &result, &error))
        fail_msg("%s", error.text);
    return result;
}

static struct result *write_and_read(const struct result *result)
{
    char *text = result_to_json(result);
    assert_non_null(text);
    struct result *again = must_read(text);
    free(text);
    return again;
}

static void assert_jobs_equal(const struct job *a, const struct job *b)
{
    for (size_t i = 0; i < settings_count; i++)
        if (!setting_equal(a, b, &settings[i]))
            fail_msg("%s differs", settings[i].name);
}

static void assert_parts_equal(const struct result *a, const struct result *b)
{
    assert_jobs_equal(&a->job, &b->job);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
    assert_memory_equal(a->threads, b->threads, a->job.threads * sizeof *a->threads);
    assert_int_equal(a->wall_start_ns, b->wall_start_ns);
    assert_int_equal(a->elapsed_ns, b->elapsed_ns);
    assert_int_equal(a->load_ns, b->load_ns);
    assert_int_equal(a->end_sync_ns, b->end_sync_ns);
    assert_int_equal(a->end_sync_count, b->end_sync_count);
    assert_int_equal(a->unfinished, b->unfinished);
    assert_int_equal(a->cpu_user_ns, b->cpu_user_ns);
    assert_int_equal(a->cpu_system_ns, b->cpu_system_ns);
    assert_int_equal(a->cpu_wait_ns, b->cpu_wait_ns);
}

/* Both were zero before they were filled, so that padding is equal too. */
static void every_figure_comes_back_from_json(void **state)
{
    struct result *a = make_rich_result(), *b = write_and_read(a);
    (void)state;
    assert_parts_equal(a, b);
    assert_parts_equal(a->since_checkpoint, b->since_checkpoint);
    assert_string_equal(a->version, b->version);
    assert_int_equal(a->measured, b->measured);
    assert_int_equal(a->warmup_ns, b->warmup_ns);
    assert_int_equal(a->start_delay_max_ns, b->start_delay_max_ns);
    assert_int_equal(a->steady_state_missed, b->steady_state_missed);
    assert_memory_equal(&a->verify, &b->verify, sizeof a->verify);
    assert_int_equal(a->faults_count, b->faults_count);
    assert_memory_equal(a->faults, b->faults, sizeof a->faults);
    assert_int_equal(a->series_count, b->series_count);
    assert_memory_equal(a->series, b->series, a->series_count * sizeof *a->series);
    assert_int_equal(a->warnings_count, b->warnings_count);
    assert_memory_equal(a->warnings, b->warnings, sizeof a->warnings);
    assert_memory_equal(&a->host, &b->host, sizeof a->host);
    assert_memory_equal(&a->target, &b->target, sizeof a->target);
    assert_memory_equal(&a->clock, &b->clock, sizeof a->clock);
    assert_memory_equal(&b->since_checkpoint->host, &a->host, sizeof a->host);
    assert_int_equal(a->cpus_count, b->cpus_count);
    assert_memory_equal(a->cpus, b->cpus, a->cpus_count * sizeof *a->cpus);
    assert_host_series_equal(&a->host_series, &b->host_series);
    result_free(a);
    result_free(b);
}

static void assert_replications_equal(const struct replication *a, const struct replication *b)
{
    assert_non_null(b);
    assert_int_equal(a->heartbeats, b->heartbeats);
    assert_int_equal(a->late, b->late);
    assert_int_equal(a->failed, b->failed);
    assert_string_equal(a->trouble, b->trouble);
    assert_memory_equal(&a->knee, &b->knee, sizeof a->knee);
    assert_memory_equal(&a->check, &b->check, sizeof a->check);
    assert_int_equal(a->rows_count, b->rows_count);
    for (size_t i = 0; i < a->rows_count; i++) {
        const struct replica_row *x = &a->rows[i], *y = &b->rows[i];
        assert_memory_equal(x->server, y->server, sizeof *x->server);
        assert_int_equal(x->series_count, y->series_count);
        for (size_t k = 0; k < x->series_count; k++) {
            assert_int_equal(x->series[k].start_ns, y->series[k].start_ns);
            assert_int_equal(x->series[k].end_ns, y->series[k].end_ns);
            assert_int_equal(x->series[k].lag_ns, y->series[k].lag_ns);
            assert_int_equal(x->series[k].lag_max_ns, y->series[k].lag_max_ns);
            assert_int_equal(x->series[k].heartbeats, y->series[k].heartbeats);
            assert_int_equal(x->series[k].behind_s, y->series[k].behind_s);
            assert_int_equal(x->series[k].behind_known, y->series[k].behind_known);
            assert_int_equal(x->series[k].reachable, y->series[k].reachable);
            assert_int_equal(x->series[k].receives, y->series[k].receives);
            assert_int_equal(x->series[k].applies, y->series[k].applies);
        }
        /* all before the pointer and the series, which were looked at */
        assert_memory_equal(x, y, offsetof(struct replica_row, server));
        assert_memory_equal(&x->delay, &y->delay,
                            offsetof(struct replica_row, series) - offsetof(struct replica_row, delay));
    }
}

static void every_figure_of_a_database_run_comes_back_from_json(void **state)
{
    struct result *a = make_rich_database_result(), *b = write_and_read(a);
    (void)state;
    assert_parts_equal(a, b);
    assert_int_equal(a->statements_count, b->statements_count);
    for (size_t i = 0; i < a->statements_count; i++) {
        assert_string_equal(a->statements[i].name, b->statements[i].name);
        assert_string_equal(a->statements[i].sql, b->statements[i].sql);
        assert_memory_equal(&a->statements[i].tally, &b->statements[i].tally, sizeof a->statements[i].tally);
    }
    assert_memory_equal(&a->server, &b->server, sizeof a->server);
    assert_replications_equal(a->replication, b->replication);
    assert_memory_equal(&a->load, &b->load, sizeof a->load);
    assert_memory_equal(a->series, b->series, a->series_count * sizeof *a->series);
    result_free(a);
    result_free(b);
}

static void what_is_not_there_comes_back_as_not_there(void **state)
{
    struct result *a = make_plain_result(), *b = write_and_read(a);
    (void)state;
    assert_parts_equal(a, b);
    assert_null(b->series);
    assert_null(b->since_checkpoint);
    assert_int_equal(b->warnings_count, 0);
    assert_int_equal(b->target.rotational, TRI_UNKNOWN);
    assert_false(b->measured);
    result_free(a);
    result_free(b);
}

static void the_status_tells_how_the_run_ended(void **state)
{
    static const struct {
        bool partial, forced;
        const char *text;
    } rows[] = {
        {false, false, "\"status\": \"complete\""},
        {true, false, "\"status\": \"partial\""},
        {true, true, "\"status\": \"forced\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct result *result = make_plain_result();
        result->partial = rows[i].partial;
        result->forced = rows[i].forced;
        char *text = result_to_json(result);
        assert_non_null(strstr(text, rows[i].text));
        struct result *again = must_read(text);
        assert_int_equal(again->partial, rows[i].partial);
        assert_int_equal(again->forced, rows[i].forced);
        free(text);
        result_free(result);
        result_free(again);
    }
}

static void figures_are_worked_out_from_the_counts(void **state)
{
    static const char *const lines[] = {
        "\"iops\": 1.5,",        /* 2 writes and 1 read in 2 s */
        "\"iops\": 0.5,",        /* the reads */
        "\"mib_per_s\": 1,",     /* their 2 MiB in 2 s */
        "\"p99.9\": 1000000,",   /* one sample is every percentile */
        "\"mean\": 1000000,",    /* of the reads */
        "\"mean\": 333335.333,", /* of all events */
        "\"stddev\": 471403.107,", "\"started\": \"2026-12-01T03:30:00Z\"",
    };
    struct result *result = make_plain_result();
    (void)state;
    result->wall_start_ns = UINT64_C(1796095800999999999);
    result->load_ns = 2000000000;
    result->total.of[CLASS_READ].bytes = 2097152;
    histogram_record(&result->total.of[CLASS_READ].latency, 1000000);
    histogram_record(&result->total.of[CLASS_WRITE].latency, 3);
    histogram_record(&result->total.of[CLASS_WRITE].latency, 3);
    char *text = result_to_json(result);
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        if (!strstr(text, lines[i]))
            fail_msg("%s is not in %s", lines[i], text);
    free(text);
    result_free(result);
}

static void dates_are_right_in_leap_years_and_at_their_ends(void **state)
{
    static const struct {
        uint64_t s;
        const char *text;
    } rows[] = {
        {0, "1970-01-01T00:00:00Z"},          {951782399, "2000-02-28T23:59:59Z"},
        {951782400, "2000-02-29T00:00:00Z"},  {951868800, "2000-03-01T00:00:00Z"},
        {1709164800, "2024-02-29T00:00:00Z"}, {1735689599, "2024-12-31T23:59:59Z"},
        {1735689600, "2025-01-01T00:00:00Z"}, {4107542400, "2100-03-01T00:00:00Z"},
        {9223372036, "2262-04-11T23:47:16Z"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct result *result = make_plain_result();
        result->wall_start_ns = rows[i].s * NS_PER_S;
        char *text = result_to_json(result);
        if (!strstr(text, rows[i].text))
            fail_msg("%s is missing", rows[i].text);
        free(text);
        result_free(result);
    }
}

static void what_json_cannot_hold_is_written_as_near_as_it_can(void **state)
{
    struct result *result = make_plain_result();
    (void)state;
    result->elapsed_ns = UINT64_MAX;
    result->clock.cost_ns = 1.0 / 0.0 * 0.0;         /* not a number */
    strcpy(result->target.mount_point, "/mnt/\xE4"); /* Latin-1 */
    struct result *again = write_and_read(result);
    assert_int_equal(again->elapsed_ns, INT64_MAX);
    assert_true(again->clock.cost_ns == 0);
    assert_string_equal(again->target.mount_point, "/mnt/?");
    result_free(result);
    result_free(again);
}

/* `text` with the first `old` replaced by `new`, for free(). */
static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    if (!at)
        fail_msg("%s is not in the text", old);
    char *out = malloc(strlen(text) + strlen(new) + 1);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return out;
}

static const struct {
    const char *old, *new, *error;
} damages[] = {
    {"{", "[{", "r.json: line "},
    {"\"schema\": 1", "\"schema\": 2", "r.json: schema: is 2, but this isobench reads 1"},
    {"\"schema\": 1", "\"schema\": \"1\"", "r.json: schema: must be a whole number"},
    {"\"schema\"", "\"scheme\"", "r.json: schema: is missing"},
    {"\"status\": \"complete\"", "\"status\": \"good\"", "r.json: status: must be complete, partial or forced"},
    {"\"status\": \"complete\"", "\"status\": \"complete and very long\"", "r.json: status: is too long"},
    {"\"block_size\": 16384", "\"block_size\": 0", "r.json: job.block_size=0: must be from 1"},
    {"\"block_size\"", "\"block_sise\"", "r.json: job.block_sise: is no setting; did you mean block_size?"},
    {"\"threads\": 3", "\"threads\": 4", "r.json: threads: must have a row for each"},
    {"\"elapsed_ns\": 9", "\"elapsed_ns\": 99", "r.json: line "},
    {"\"elapsed_ns\": 9", "\"elapsed_ns\": -9", "r.json: elapsed_ns: must be a whole number, 0 or more"},
    {"\"elapsed_ns\": 9", "\"elapsed_ns\": 0.9", "r.json: elapsed_ns: must be a whole number"},
    {"\"cpu_count\": 4", "\"cpu_count\": 14", "r.json: host.cpu_count: is too large"},
    {"\"os\": \"", "\"os\": 5, \"x\": \"", "r.json: host.os: must be a text"},
    {"\"rotational\": false", "\"rotational\": 0", "r.json: target.rotational: must be true, false or null"},
    {"\"measured\": true", "\"measured\": null", "r.json: measured: must be true or false"},
    {"\"cost_ns\": 20.25", "\"cost_ns\": true", "r.json: clock.cost_ns: must be a number"},
    {"\"kernel\"", "\"Kernel\"", "r.json: host.kernel: is missing"},
    {"\"host\": {", "\"host\": 1, \"x\": {", "r.json: host: must be an object"},
    {"\"series\": [", "\"series\": 1, \"x\": [", "r.json: series: must be an array"},
    {"\"end_ns\": 1001", "\"end_ns\": null", "r.json: series[0].end_ns: must be a whole number"},
    {"\"from_ns\": 384", "\"from_ns\": 385", "latency_cells.from_ns: must be where a cell begins"},
    {"\"from_ns\": 384", "\"from_ns\": 4380866641920", "latency_cells.from_ns: must be where a cell begins"},
    {"\"counts\": [", "\"counts\": [1, ", "latency_cells.counts: must be whole numbers that add up to latency_events"},
    {"\"counts\": [", "\"counts\": [3], \"x\": [", "latency_cells.counts: must be whole numbers that add up"},
    {"\"counts\": [", "\"counts\": [-1, ", "latency_cells.counts: must be whole numbers that add up"},
    {"\"counts\": [", "\"counts\": 3, \"x\": [", "series[0].latency_cells.counts: must be an array"},
    {"\"end_ns\": -999999999", "\"end_ns\": 0.5", "r.json: host_series.samples[0].end_ns: must be a whole number"},
    {"\"interval_ns\": 1000000000", "\"interval_ns\": 0", "r.json: host_series.interval_ns: must be above 0"},
    {"\"host_series\": {", "\"host_series\": [], \"x\": {", "r.json: host_series: must be an object"},
    {"\"cpu_busy_share\": [", "\"cpu_busy_share\": [true, ",
     "r.json: host_series.samples[0].cpu_busy_share: must be a number or null"},
    {"\"queue_depth\": null", "\"queue_depth\": true",
     "r.json: host_series.samples[1].devices[0].queue_depth: must be a number or null"},
    {"\"code\": \"short-run\"", "\"cade\": \"\"", "r.json: warnings[1].code: is missing"},
    {"\"histogram\": [", "\"histogram\": [[0, 1], ", "r.json: classes.read.histogram: does not add up to count"},
    {"\"histogram\": [", "\"histogram\": [5, ", "r.json: classes.read.histogram: each item must be"},
    {"\"histogram\": [", "\"histogram\": [[0, -1], ", "r.json: classes.read.histogram: each item must be"},
    {"\"histogram\": [", "\"histogram\": [[257, 1], ", "classes.read.histogram: has a value that no bucket starts"},
    {"\"end_sync\": {\n      \"count\"", "\"end_sync\": {\n      \"Count\"",
     "r.json: classes.end_sync.count: is missing"},
    {"\"since_checkpoint\": {", "\"since_checkpoint\": {\"started_ns\": [], \"x\": {}, ", "r.json: line "},
    {"\"since_checkpoint\": {\n    \"started_ns\"", "\"since_checkpoint\": {\n    \"x\"",
     "r.json: since_checkpoint.started_ns: is missing"},
};

static void a_damaged_result_is_refused_with_file_and_key(void **state)
{
    struct result *result = make_rich_result();
    char *good = result_to_json(result);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(damages); i++) {
        struct error error = ERROR_INIT;
        struct result *read = result;
        char *bad = replaced(good, damages[i].old, damages[i].new);
        if (result_from_json(bad, "r.json", &read, &error))
            fail_msg("%s was taken", damages[i].new);
        if (!strstr(error.text, damages[i].error))
            fail_msg("%s: \"%s\" does not say \"%s\"", damages[i].new, error.text, damages[i].error);
        assert_null(read);
        free(bad);
    }
    free(good);
    result_free(result);
}

static void a_result_that_was_cut_off_is_refused(void **state)
{
    struct result *result = make_plain_result();
    char *text = result_to_json(result);
    (void)state;
    for (size_t length = strlen(text) - 2;; length = length > 997 ? length - 997 : 0) {
        struct error error = ERROR_INIT;
        struct result *read;
        text[length] = '\0';
        assert_false(result_from_json(text, "r.json", &read, &error));
        assert_int_equal(error.kind, ERR_DATA);
        if (length == 0)
            break;
    }
    free(text);
    result_free(result);
}

static void keys_that_are_not_known_are_no_harm_in_a_result(void **state)
{
    struct result *result = make_plain_result();
    char *text = result_to_json(result), *more = replaced(text, "\"schema\"", "\"from_the_future\": [1], \"schema\"");
    (void)state;
    struct result *again = must_read(more);
    assert_parts_equal(result, again);
    free(text);
    free(more);
    result_free(result);
    result_free(again);
}

/* ---- every key is in the manual ---- */

static char *read_manual(void)
{
    FILE *file = fopen(RESULT_DOC, "rb");
    if (!file)
        fail_msg("%s cannot be opened", RESULT_DOC);
    char *text = calloc(1, 65536);
    assert_in_range(fread(text, 1, 65535, file), 1, 65534);
    fclose(file);
    return text;
}

/* Percentiles stand in the manual once, as pN. */
static bool is_percentile(const char *key)
{
    return key[0] == 'p' && key[1] >= '0' && key[1] <= '9';
}

/* The next key at or after `text` into out; returns what follows, or NULL at the end. */
static const char *next_key(const char *text, char *out, size_t out_bytes)
{
    while ((text = strchr(text, '"')) != NULL) {
        const char *start = ++text;
        while (*text != '"')
            text += *text == '\\' ? 2 : 1;
        if (*++text != ':')
            continue;
        snprintf(out, out_bytes, "`%.*s`", (int)(text - start - 1), start);
        return text;
    }
    return NULL;
}

/* Settings stand in a page that is made from their table. `key` is in backquotes. */
static bool is_setting(const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strlen(key) - 2, key + 1);
    return setting_find(name) != NULL;
}

static size_t check_manual(struct result *result, const char *manual)
{
    char *text = result_to_json(result), key[64];
    size_t keys = 0;
    for (const char *at = text; (at = next_key(at, key, sizeof key)) != NULL; keys++)
        if (!is_setting(key) && !strstr(manual, is_percentile(key + 1) ? "`pN`" : key))
            fail_msg("%s is not in docs/result.md", key);
    free(text);
    result_free(result);
    return keys;
}

static void every_key_of_a_result_is_in_the_manual(void **state)
{
    char *manual = read_manual();
    (void)state;
    assert_in_range(check_manual(make_rich_result(), manual), 150, 10000);
    assert_in_range(check_manual(make_rich_database_result(), manual), 150, 10000);
    free(manual);
}

/* ---- jobs ---- */

static struct job write_and_read_job(const struct job *job)
{
    struct job again;
    struct error error = ERROR_INIT;
    char *text = job_to_json(job);
    if (!job_from_json(text, "j.json", &again, &error))
        fail_msg("%s", error.text);
    free(text);
    return again;
}

static void jobs_come_back_from_json_to_the_last_bit(void **state)
{
    static const struct {
        const char *name, *text;
    } rows[] = {
        {"time", "1ns"},
        {"time", "0.3"},
        {"time", "8388607.999999999"},
        {"time", "1234567.123456789"}, /* needs rounding, not cutting */
        {"time", "4294967295"},
        {"shutdown_grace", "none"},
        {"shutdown_grace", "0.000000001"},
        {"total_size", "1E"},
        {"seed", "9223372036854775807"},
        {"read_percent", "0.30000000000000004"},
        {"pareto_h", "0.2"},
        {"percentiles", "99.999999999999986,1e-300,50"},
        {"checkpoints", "0.1,0.2,0.30000000000000004"},
        {"checkpoints", ""},
        {"mode", ""},
        {"interval_percentile", "99.9"},
        {"dir", "C:\\\"x\"\t\xF0\x9F\x98\x80"},
        {"sync_at_end", "off"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct job job, again;
        job_init(&job);
        set(&job, rows[i].name, rows[i].text);
        again = write_and_read_job(&job);
        for (size_t j = 0; j < settings_count; j++)
            if (!setting_equal(&job, &again, &settings[j]))
                fail_msg("%s=%s: %s differs", rows[i].name, rows[i].text, settings[j].name);
    }
}

static void the_longest_list_comes_back_from_json(void **state)
{
    struct job job, again;
    (void)state;
    job_init(&job);
    job.percentiles.count = LIST_MAX;
    for (int i = 0; i < LIST_MAX; i++)
        job.percentiles.values[i] = 100.0 / (i + 3); /* 17 digits each */
    again = write_and_read_job(&job);
    assert_jobs_equal(&job, &again);
}

static void a_job_is_written_for_people(void **state)
{
    static const char *const parts[] = {
        "\"block_size\": 16384,", "\"time\": 0.25,",        "\"shutdown_grace\": \"none\",",
        "\"pareto_h\": 0.2,",     "\"sync_at_end\": true,", "\"mode\": \"\",",
        "\"engine\": \"auto\",",  "\"warmup\": 0,",         "99.99\n",
        "\"histogram\": false,",  "\"verify\": false,",     "\"ledger\": \"\"\n}\n",
    };
    struct job job;
    (void)state;
    job_init(&job);
    set(&job, "time", "250ms");
    char *text = job_to_json(&job);
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (!strstr(text, parts[i]))
            fail_msg("%s is not in %s", parts[i], text);
    free(text);
}

static void a_job_file_needs_only_what_differs_and_takes_option_texts(void **state)
{
    struct job job, expected;
    struct error error = ERROR_INIT;
    (void)state;
    job_init(&expected);
    set(&expected, "block_size", "4K");
    set(&expected, "time", "250ms");
    set(&expected, "threads", "8");
    set(&expected, "percentiles", "50,99.9");
    set(&expected, "cache", "off");
    if (!job_from_json(
            "{\"block-size\": \"4K\", \"time\": \"250ms\", \"threads\": \"8\", \"percentiles\": \"50,99.9\", "
            "\"cache\": \"off\"}",
            "j.json", &job, &error))
        fail_msg("%s", error.text);
    assert_jobs_equal(&job, &expected);
}

static void a_wrong_job_is_refused_with_file_and_key_and_leaves_the_job_alone(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "j.json: line 1"},
        {"[]", "j.json: must be a JSON object"},
        {"{\"threads\": 1, \"threads\": 2}", "j.json: line 1: duplicate object key"},
        {"{\"tread\": 1}", "j.json: tread: is no setting; did you mean threads?"},
        {"{\"latency\": 1}", "j.json: latency: is no setting"},
        {"{\"threads\": 0}", "j.json: threads=0: must be from 1 to 100000"},
        {"{\"threads\": 1.5}", "j.json: threads=1.5: not a whole number"},
        {"{\"threads\": -1}", "j.json: threads=-1: not a whole number"},
        {"{\"threads\": true}", "j.json: threads: must be a whole number"},
        {"{\"threads\": null}", "j.json: threads: must be a whole number"},
        {"{\"threads\": [1]}", "j.json: threads: must be a whole number"},
        {"{\"seed\": 9223372036854775808}", "j.json: line 1: too big integer"},
        {"{\"block_size\": \"16Q\"}", "j.json: block_size=16Q: not a size"},
        {"{\"block_size\": {}}", "j.json: block_size: must be a whole number of bytes"},
        {"{\"time\": -1.5}", "j.json: time=-1.5: not a time"},
        {"{\"time\": 1e300}", "j.json: time=1e+300: not a time"},
        {"{\"time\": 5e9}", "j.json: time=5000000000: must be from 0 to 4294967295 seconds"},
        {"{\"time\": false}", "j.json: time: must be a number of seconds"},
        {"{\"sync_at_end\": 1}", "j.json: sync_at_end: must be true or false"},
        {"{\"dir\": 5}", "j.json: dir: must be a text in quotes"},
        {"{\"mode\": 5}", "j.json: mode: must be a text in quotes"},
        {"{\"mode\": \"foo\"}", "j.json: mode=foo: one of seqwr"},
        {"{\"percentiles\": 50}", "j.json: percentiles: must be an array of numbers"},
        {"{\"percentiles\": [50, \"x\"]}", "j.json: percentiles: must be an array of numbers"},
        {"{\"percentiles\": [50, 101]}", "j.json: percentiles=50,101: each value must be from 0 to 100"},
    };
    struct job before, job;
    (void)state;
    job_init(&before);
    set(&before, "threads", "77");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = ERROR_INIT;
        job = before;
        if (job_from_json(rows[i].text, "j.json", &job, &error))
            fail_msg("%s was taken", rows[i].text);
        if (!strstr(error.text, rows[i].error))
            fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].text, error.text, rows[i].error);
        assert_memory_equal(&job, &before, sizeof job);
    }
}

static void a_list_of_257_numbers_is_refused(void **state)
{
    struct job job;
    struct error error = ERROR_INIT;
    char text[4096] = "{\"percentiles\": [0.30000000000000004";
    (void)state;
    for (int i = 0; i < LIST_MAX; i++)
        strcat(text, ",1.25");
    strcat(text, "]}");
    assert_false(job_from_json(text, "j.json", &job, &error));
    assert_non_null(strstr(error.text, "too many values"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(merging_adds_every_figure),
        cmocka_unit_test(subtracting_an_earlier_snapshot_leaves_what_came_after),
        cmocka_unit_test(events_are_reads_writes_and_the_syncs_that_count),
        cmocka_unit_test(a_result_has_a_row_per_thread_and_the_version),
        cmocka_unit_test(a_warning_stands_once_and_the_33rd_is_dropped),
        cmocka_unit_test(every_figure_comes_back_from_json),
        cmocka_unit_test(every_figure_of_a_database_run_comes_back_from_json),
        cmocka_unit_test(what_is_not_there_comes_back_as_not_there),
        cmocka_unit_test(the_status_tells_how_the_run_ended),
        cmocka_unit_test(figures_are_worked_out_from_the_counts),
        cmocka_unit_test(dates_are_right_in_leap_years_and_at_their_ends),
        cmocka_unit_test(what_json_cannot_hold_is_written_as_near_as_it_can),
        cmocka_unit_test(a_damaged_result_is_refused_with_file_and_key),
        cmocka_unit_test(a_result_that_was_cut_off_is_refused),
        cmocka_unit_test(keys_that_are_not_known_are_no_harm_in_a_result),
        cmocka_unit_test(every_key_of_a_result_is_in_the_manual),
        cmocka_unit_test(jobs_come_back_from_json_to_the_last_bit),
        cmocka_unit_test(the_longest_list_comes_back_from_json),
        cmocka_unit_test(a_job_is_written_for_people),
        cmocka_unit_test(a_job_file_needs_only_what_differs_and_takes_option_texts),
        cmocka_unit_test(a_wrong_job_is_refused_with_file_and_key_and_leaves_the_job_alone),
        cmocka_unit_test(a_list_of_257_numbers_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
