/* Each warning on results made by hand: a run that nothing is wrong with, changed in one respect. */
#include "core/settings.h"
#include "platform/path.h"
#include "run/warnings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define THREADS 4
#define INTERVALS 12
#define GIB (UINT64_C(1) << 30)
#define US UINT64_C(1000)

struct bench {
    struct result *result;
    struct job *job; /* the result's */
    struct evidence evidence;
};

/* ---- a good run: 12 s of random reads past the cache, 100 us each, by 4 threads ---------------------------- */

static void add_samples(struct bench *bench, enum op_class op, uint64_t count, uint64_t ns)
{
    struct histogram *latency = &bench->result->total.of[op].latency;
    latency->counts[histogram_bucket(ns)] += count;
    latency->min_ns = latency->count == 0 || ns < latency->min_ns ? ns : latency->min_ns;
    latency->max_ns = ns > latency->max_ns ? ns : latency->max_ns;
    latency->count += count;
    latency->sum_ns += count * ns;
}

static void no_samples(struct bench *bench, enum op_class op)
{
    memset(&bench->result->total.of[op], 0, sizeof(bench->result->total.of[op]));
}

/* All samples of the run are this class's, so many and so long. */
static void only(struct bench *bench, enum op_class op, uint64_t count, uint64_t ns)
{
    no_samples(bench, CLASS_READ);
    add_samples(bench, op, count, ns);
    bench->result->total.events = count;
}

static void set_series(struct bench *bench, const double *shares)
{
    for (size_t i = 0; i < INTERVALS; ++i)
        bench->result->series[i].latency_events = (uint64_t)(40000 * shares[i]);
}

static void bench_make(struct bench *bench)
{
    struct job job;
    job_init(&job);
    job.mode = MODE_RNDRD;
    job.cache = OS_CACHE_OFF;
    job.threads = THREADS;
    job.time_ns = INTERVALS * NS_PER_S;
    struct result *result = bench->result = result_make(&job);
    assert_non_null(result);
    bench->job = &result->job;
    bench->evidence = (struct evidence){.used_bytes = GIB, .written_bytes = GIB, .written_known = true};
    result->measured = true;
    result->elapsed_ns = result->load_ns = INTERVALS * NS_PER_S;
    result->host.memory_bytes = 8 * GIB;
    result->host.cpu_count = 8;
    result->clock = (struct clock_facts){"toy", NS_PER_S, 20, 25};
    result->cpu_user_ns = result->cpu_system_ns = NS_PER_S;
    only(bench, CLASS_READ, 40000 * INTERVALS, 100 * US);
    for (size_t i = 0; i < THREADS; ++i)
        result->threads[i].events = result->total.events / THREADS;
    result->series = calloc(INTERVALS, sizeof(*result->series));
    assert_non_null(result->series);
    result->series_count = INTERVALS;
    for (size_t i = 0; i < INTERVALS; ++i)
        result->series[i] = (struct interval){.start_ns = i * NS_PER_S, .end_ns = (i + 1) * NS_PER_S};
    set_series(bench, (const double[INTERVALS]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
}

/* ---- one change each ---------------------------------------------------------------------------------------- */

static void cache_on(struct bench *b)
{
    b->job->cache = OS_CACHE_ON;
}

static void cache_off_under_wine(struct bench *b)
{
    b->job->cache = OS_CACHE_OFF;
    strcpy(b->result->host.os, "Microsoft Windows 10 (10.0.18362.0), Wine 8.0");
}

static void cache_on_of_large_set(struct bench *b)
{
    cache_on(b);
    b->evidence = (struct evidence){.used_bytes = 8 * GIB, .written_bytes = 8 * GIB, .written_known = true};
}

static void cache_on_of_unknown_memory(struct bench *b)
{
    cache_on(b);
    b->result->host.memory_bytes = 0;
}

static void cached_writes(struct bench *b)
{
    cache_on(b);
    b->job->mode = MODE_RNDWR;
    only(b, CLASS_WRITE, 480000, 100 * US);
}

static void cached_writes_synced(struct bench *b)
{
    cached_writes(b);
    b->job->sync_each_write = true;
    add_samples(b, CLASS_DURABLE_WRITE, 480000, 100 * US);
}

static void cached_writes_through(struct bench *b)
{
    cached_writes(b);
    b->job->through = WRITE_THROUGH_DATA;
}

static void cached_mix_synced(struct bench *b)
{
    cached_writes_synced(b);
    b->job->mode = MODE_RNDRW;
}

static void dropped_and_read_once(struct bench *b)
{
    cache_on(b);
    b->job->drop_cache = true;
    b->job->mode = MODE_SEQRD;
    b->result->total.of[CLASS_READ].bytes = GIB;
}

static void dropped_and_read_twice(struct bench *b)
{
    dropped_and_read_once(b);
    b->result->total.of[CLASS_READ].bytes = 2 * GIB;
}

static void dropped_and_warmed_up(struct bench *b)
{
    dropped_and_read_once(b);
    b->result->warmup_ns = NS_PER_S;
}

static void dropped_and_read_at_random(struct bench *b)
{
    dropped_and_read_once(b);
    b->job->mode = MODE_RNDRD;
}

static void dropped_and_few_read_at_random(struct bench *b)
{
    dropped_and_read_at_random(b);
    b->result->total.of[CLASS_READ].bytes = GIB / 16;
}

static void quarter_unwritten(struct bench *b)
{
    b->evidence.written_bytes = GIB * 3 / 4;
}

static void written_unknown(struct bench *b)
{
    quarter_unwritten(b);
    b->evidence.written_known = false;
}

static void unwritten_and_only_written_to(struct bench *b)
{
    quarter_unwritten(b);
    b->job->mode = MODE_RNDWR;
}

static void more_written_than_used(struct bench *b)
{
    b->evidence.written_bytes = GIB + 4096;
}

static void zeros_written(struct bench *b)
{
    b->job->mode = MODE_RNDWR;
    b->job->data = DATA_ZERO;
}

static void count_up_written(struct bench *b)
{
    b->job->mode = MODE_SEQRW;
    b->job->data = DATA_COUNT_UP;
}

static void half_zeros_written(struct bench *b)
{
    b->job->mode = MODE_RNDRW;
    b->job->compress_percent = 50;
}

static void zeros_read(struct bench *b)
{
    b->job->data = DATA_ZERO;
}

static void random_written(struct bench *b)
{
    b->job->mode = MODE_RNDWR;
}

static void latency_of_three_readings(struct bench *b)
{
    only(b, CLASS_READ, 480000, 75);
}

static void latency_of_five_readings(struct bench *b)
{
    only(b, CLASS_READ, 480000, 125);
}

static void coarse_clock(struct bench *b)
{
    b->result->clock.resolution_ns = 100 * US;
}

static void slow_clock(struct bench *b)
{
    b->result->clock.cost_ns = 21000;
}

static void low_percentile_below_clock(struct bench *b)
{
    no_samples(b, CLASS_READ);
    add_samples(b, CLASS_READ, 100000, 60);
    add_samples(b, CLASS_READ, 380000, 126 * US);
    b->job->percentiles = (struct real_list){2, {10, 99}};
}

static void low_percentile_not_shown(struct bench *b)
{
    low_percentile_below_clock(b);
    b->job->percentiles.values[0] = 50;
}

static void short_queue_wait(struct bench *b)
{
    add_samples(b, CLASS_QUEUE_WAIT, 480000, 1);
}

static void steps_back(struct bench *b)
{
    b->result->total.clock_steps_back = 3;
}

static void two_hours(struct bench *b)
{
    add_samples(b, CLASS_READ, 2, 7200 * NS_PER_S);
}

static void seventy_minutes(struct bench *b)
{
    add_samples(b, CLASS_READ, 2, 4200 * NS_PER_S);
}

static void all_cpus_busy(struct bench *b)
{
    b->result->cpu_user_ns = 90 * NS_PER_S;
}

static void most_cpus_busy(struct bench *b)
{
    b->result->cpu_user_ns = 80 * NS_PER_S;
}

static void bound_cpus_busy(struct bench *b)
{
    strcpy(b->job->cpus, "0-1");
    b->result->cpu_user_ns = 22 * NS_PER_S;
}

static void waited_tenth(struct bench *b)
{
    b->result->cpu_wait_ns = THREADS * 1200 * NS_PER_MS;
}

static void waited_little(struct bench *b)
{
    b->result->cpu_wait_ns = THREADS * 500 * NS_PER_MS;
}

static void waited_in_long_warm_up(struct bench *b)
{
    waited_tenth(b);
    b->result->warmup_ns = 36 * NS_PER_S;
}

static void waited_at_start_alone(struct bench *b)
{
    b->result->load_ns = b->result->elapsed_ns = 50 * NS_PER_MS;
    b->result->cpu_wait_ns = THREADS * 9 * NS_PER_MS;
    b->result->cpu_user_ns = b->result->cpu_system_ns = 0;
}

static void deep_queues(struct bench *b)
{
    b->job->depth = 32;
    b->result->cpu_user_ns = 46 * NS_PER_S;
    no_samples(b, CLASS_READ);
    add_samples(b, CLASS_READ, 480000, 3200 * US);
}

/* Whose the CPU time was is unknown then. */
static void deep_queues_beside_other_jobs(struct bench *b)
{
    deep_queues(b);
    b->evidence.together = true;
}

static void bound_cpus_beside_other_jobs(struct bench *b)
{
    bound_cpus_busy(b);
    b->evidence.together = true;
}

static void deep_queues_in_cache(struct bench *b)
{
    deep_queues(b);
    cache_on(b);
}

static void deep_queues_with_time_to_spare(struct bench *b)
{
    deep_queues(b);
    b->result->cpu_user_ns = 40 * NS_PER_S;
}

static void tenth_of_time_outside(struct bench *b)
{
    only(b, CLASS_READ, 480000, 90 * US);
}

static void less_of_time_outside(struct bench *b)
{
    only(b, CLASS_READ, 480000, 96 * US);
}

static void more_under_way_than_asked(struct bench *b)
{
    only(b, CLASS_READ, 480000, 107 * US);
}

static void rest_of_time_in_syncs(struct bench *b)
{
    b->job->mode = MODE_RNDRW;
    only(b, CLASS_READ, 240000, 100 * US);
    add_samples(b, CLASS_WRITE, 120000, 100 * US);
    add_samples(b, CLASS_SYNC, 1200, 10000 * US);
}

static void durable_writes(struct bench *b)
{
    b->job->mode = MODE_RNDWR;
    b->job->sync_each_write = true;
    only(b, CLASS_DURABLE_WRITE, 480000, 100 * US);
    add_samples(b, CLASS_WRITE, 480000, 10 * US);
    add_samples(b, CLASS_SYNC, 480000, 90 * US);
}

static void outside_in_open_loop(struct bench *b)
{
    tenth_of_time_outside(b);
    b->job->rate = 40000;
}

static void outside_by_thinking(struct bench *b)
{
    tenth_of_time_outside(b);
    b->job->think_time_ns = 10 * US;
}

static void outside_by_failures(struct bench *b)
{
    tenth_of_time_outside(b);
    b->result->total.of[CLASS_READ].errors = 1;
}

static void outside_by_its_early_end(struct bench *b)
{
    tenth_of_time_outside(b);
    b->result->partial = true;
}

static void outside_in_few_events(struct bench *b)
{
    only(b, CLASS_READ, 79, 100 * US);
}

static void one_starved(struct bench *b)
{
    b->result->threads[2].events = 20000;
}

/* The coefficient of variation is 0.22. */
static void one_starved_among_twenty(struct bench *b)
{
    struct thread_row *rows = calloc(20, sizeof(*rows));
    assert_non_null(rows);
    for (size_t i = 1; i < 20; ++i)
        rows[i].events = 24000;
    free(b->result->threads);
    b->result->threads = rows;
    b->job->threads = 20;
}

static void one_slower(struct bench *b)
{
    b->result->threads[2].events = 80000;
}

static void all_uneven(struct bench *b)
{
    b->result->threads[0].events = b->result->threads[1].events = 60000;
    b->result->threads[2].events = b->result->threads[3].events = 180000;
}

static void starved_in_open_loop(struct bench *b)
{
    one_starved(b);
    b->job->rate = 40000;
}

static void starved_of_few(struct bench *b)
{
    for (size_t i = 0; i < THREADS; ++i)
        b->result->threads[i].events = i * 60;
}

static void rate_missed(struct bench *b)
{
    b->job->rate = 41000;
    b->result->start_delay_max_ns = NS_PER_S / 2;
}

static void rate_reached(struct bench *b)
{
    b->job->rate = 40100;
}

static void long_tail(struct bench *b)
{
    add_samples(b, CLASS_SYNC, 10000, 700 * NS_PER_MS);
}

static void tail_with_room(struct bench *b)
{
    add_samples(b, CLASS_SYNC, 10000, 500 * NS_PER_MS);
}

static void slow_end_syncs(struct bench *b)
{
    add_samples(b, CLASS_END_SYNC, 4, 5 * NS_PER_S);
}

static void long_intervals(struct bench *b)
{
    b->job->report_interval_ns = 5 * NS_PER_S;
}

static void three_intervals(struct bench *b)
{
    b->job->report_interval_ns = 4 * NS_PER_S;
}

static void few_syncs(struct bench *b)
{
    add_samples(b, CLASS_SYNC, 999, 100 * US);
}

static void enough_syncs(struct bench *b)
{
    few_syncs(b);
    add_samples(b, CLASS_SYNC, 1, 100 * US);
    b->job->percentiles = (struct real_list){2, {99.9, 100}};
}

static void four_end_syncs(struct bench *b)
{
    add_samples(b, CLASS_END_SYNC, 4, 100 * US);
}

static void long_end_sync(struct bench *b)
{
    b->result->end_sync_count = 4;
    b->result->end_sync_ns = 3 * NS_PER_S;
    b->result->elapsed_ns += 3 * NS_PER_S;
}

static void quick_end_sync(struct bench *b)
{
    long_end_sync(b);
    b->result->end_sync_ns = NS_PER_S;
}

static void never_steady(struct bench *b)
{
    strcpy(b->job->steady_state, "iops:5%");
    b->result->steady_state_missed = true;
    b->result->warmup_ns = 60 * NS_PER_S;
}

static void at_last_steady(struct bench *b)
{
    never_steady(b);
    b->result->steady_state_missed = false;
}

static void falling(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1.2, 1.16, 1.13, 1.1, 1.06, 1.02, 0.99, 0.95, 0.91, 0.88, 0.85, 0.81});
}

static void falling_in_open_loop(struct bench *b)
{
    falling(b);
    b->job->rate = 40000;
}

static void stepping(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1.5, 1.51, 1.49, 1.5, 0.8, 0.81, 0.79, 0.8, 0.8, 0.8, 0.8, 0.8});
}

static void noisy(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1.08, 0.93, 1.02, 0.88, 1.1, 0.97, 1.05, 0.9, 1.07, 0.99, 1.04, 0.94});
}

static void back_and_forth(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1.3, 1.31, 0.7, 0.71, 1.29, 1.3, 0.7, 0.69, 1.31, 1.3, 0.7, 0.7});
}

static void two_stalls(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1.1, 1.09, 1.1, 0.5, 1.1, 1.11, 1.1, 1.1, 0.5, 1.1, 1.1, 1.09});
}

/* The last interval is half of load and else of the syncs at the end: it does not count. */
static void eight_whole_intervals(struct bench *b)
{
    falling(b);
    b->result->series_count = 9;
    b->result->load_ns = b->result->series[8].start_ns + NS_PER_S / 2;
    b->result->series[8].end_ns += 60 * NS_PER_S;
}

static void nine_intervals(struct bench *b)
{
    falling(b);
    b->result->series_count = 9;
}

static void few_intervals(struct bench *b)
{
    falling(b);
    b->result->series_count = 8;
}

/* ---- databases: 480000 transactions of 100 us, a read and a write each -------------------------------------- */

static void of_tables(struct bench *b)
{
    b->job->work = WORK_DATABASE;
    b->job->mode = MODE_UNSET;
    strcpy(b->job->db_driver, "mysql");
    only(b, CLASS_TRANSACTION, 480000, 100 * US);
    add_samples(b, CLASS_READ_QUERY, 480000, 50 * US);
    add_samples(b, CLASS_WRITE_QUERY, 480000, 50 * US);
}

static void set_variable(struct bench *b, const char *product, const char *name, const char *value)
{
    struct server_facts *server = &b->result->server;
    of_tables(b);
    strcpy(server->product, product);
    strcpy(server->variables[0].name, name);
    strcpy(server->variables[0].value, value);
    server->variables_count = 1;
}

static void flushes_each_second(struct bench *b)
{
    set_variable(b, "MariaDB", "innodb_flush_log_at_trx_commit", "2");
}

static void flushes_at_commit(struct bench *b)
{
    set_variable(b, "MariaDB", "innodb_flush_log_at_trx_commit", "1");
}

static void flushes_each_second_and_only_reads(struct bench *b)
{
    flushes_each_second(b);
    no_samples(b, CLASS_WRITE_QUERY);
}

static void postgres_without_fsync(struct bench *b)
{
    set_variable(b, "PostgreSQL", "fsync", "off");
}

static void sqlite_normal(struct bench *b)
{
    set_variable(b, "SQLite", "synchronous", "NORMAL");
}

static void sqlite_full(struct bench *b)
{
    set_variable(b, "SQLite", "synchronous", "full");
}

static void one_in_ten_repeated(struct bench *b)
{
    of_tables(b);
    b->result->total.of[CLASS_TRANSACTION].errors = 48000;
}

static void one_in_hundred_repeated(struct bench *b)
{
    of_tables(b);
    b->result->total.of[CLASS_TRANSACTION].errors = 4800;
}

static void three_lost(struct bench *b)
{
    of_tables(b);
    add_samples(b, CLASS_CONNECT, 3, 1000 * US);
}

static void stood_still(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1});
}

static void stood_still_to_the_end(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
}

static void stood_still_shortly(struct bench *b)
{
    stood_still_to_the_end(b);
    for (size_t i = 0; i < INTERVALS; ++i) { /* 400 ms each */
        b->result->series[i].start_ns = i * 400 * 1000 * US;
        b->result->series[i].end_ns = (i + 1) * 400 * 1000 * US;
    }
}

/* Intervals begin and end when the conducting thread comes to it. */
static void stood_still_for_one_interval(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1});
    b->result->series[3].end_ns -= 300 * US;
    b->result->series[4].start_ns -= 300 * US;
}

static void stood_still_between_bursts(struct bench *b)
{
    stood_still(b);
    b->job->think_time_ns = 4 * NS_PER_S;
}

/* Each takes two seconds. */
static void one_event_in_two_intervals(struct bench *b)
{
    set_series(b, (const double[INTERVALS]){0});
    for (size_t i = 0; i < INTERVALS; i += 2)
        b->result->series[i].latency_events = 1;
    only(b, CLASS_READ, INTERVALS / 2, 2 * NS_PER_S);
}

/* The syncs at the end. */
static void nothing_after_the_load(struct bench *b)
{
    stood_still_to_the_end(b);
    b->result->load_ns = 10 * NS_PER_S;
}

static void overran(struct bench *b)
{
    b->job->time_ns = 10 * NS_PER_S;
}

static void overran_little(struct bench *b)
{
    b->job->time_ns = 11 * NS_PER_S + 1;
}

static void three_renewed(struct bench *b)
{
    three_lost(b);
    b->job->reconnect_every = 100000;
}

/* As mysqlslap's clients do. */
static void all_connect(struct bench *b)
{
    of_tables(b);
    b->evidence.connects = true;
    add_samples(b, CLASS_CONNECT, THREADS, 1000 * US);
}

static void three_lost_of_all(struct bench *b)
{
    all_connect(b);
    add_samples(b, CLASS_CONNECT, 3, 1000 * US);
}

static void slow_transactions(struct bench *b)
{
    of_tables(b);
    no_samples(b, CLASS_TRANSACTION);
    add_samples(b, CLASS_TRANSACTION, 480000, 90 * US);
}

static void slow_transactions_beside_connecting(struct bench *b)
{
    slow_transactions(b);
    b->evidence.connects = true;
}

static void gathered_rows(struct bench *b)
{
    slow_transactions(b);
    strcpy(b->job->workload, "bulk_insert");
}

static void client_fills_the_cpus(struct bench *b)
{
    of_tables(b);
    b->result->cpu_user_ns = 90 * NS_PER_S;
}

static void sqlite_fills_the_cpus(struct bench *b)
{
    client_fills_the_cpus(b);
    strcpy(b->job->db_driver, "sqlite");
}

/* Of 8 CPUs: the client has 2, a server the rest, nothing is idle. */
static void client_beside_a_busy_server(struct bench *b)
{
    of_tables(b);
    b->result->cpu_user_ns = 24 * NS_PER_S;
    b->result->cpus = calloc(1, sizeof(*b->result->cpus));
    assert_non_null(b->result->cpus);
    b->result->cpus_count = 1;
    b->result->cpus[0] = (struct cpu_row){80 * NS_PER_S, 15 * NS_PER_S, NS_PER_S};
}

static void client_beside_an_idle_server(struct bench *b)
{
    client_beside_a_busy_server(b);
    b->result->cpus[0].idle_ns = 20 * NS_PER_S;
}

static void little_client_beside_a_busy_server(struct bench *b)
{
    client_beside_a_busy_server(b);
    b->result->cpu_user_ns = 4 * NS_PER_S;
}

/* `says` is evidence that stands in the text; NULL: the warning must not be there. */
static const struct {
    const char *code;
    void (*change)(struct bench *);
    const char *says;
} cases[] = {
    {"os-cache", cache_on, "1 GiB fits into the memory of 8 GiB: reads need not touch the device;"},
    {"os-cache", cache_off_under_wine, "Wine does not pass --cache=off on"},
    {"os-cache", cache_on_of_large_set, NULL},
    {"os-cache", cache_on_of_unknown_memory, NULL},
    {"os-cache", cached_writes, ": writes end in memory until a sync;"},
    {"os-cache", cached_writes_synced, NULL},
    {"os-cache", cached_writes_through, NULL},
    {"os-cache", cached_mix_synced, ": reads need not touch the device;"},
    {"os-cache", dropped_and_read_once, NULL},
    {"os-cache", dropped_and_read_twice, "reads"},
    {"os-cache", dropped_and_warmed_up, "reads"},
    {"os-cache", dropped_and_read_at_random, "reads"},
    {"os-cache", dropped_and_few_read_at_random, NULL},
    {"unwritten", quarter_unwritten, "256 MiB of the 1 GiB that are read (25 %)"},
    {"unwritten", written_unknown, NULL},
    {"unwritten", unwritten_and_only_written_to, NULL},
    {"unwritten", more_written_than_used, NULL},
    {"compressible-data", zeros_written, "100 %"},
    {"compressible-data", half_zeros_written, "50 %"},
    {"compressible-data", count_up_written, "0 to 255"},
    {"compressible-data", zeros_read, NULL},
    {"compressible-data", random_written, NULL},
    {"short-vs-resolution", latency_of_three_readings, "p50 of read is 75 ns"},
    {"short-vs-resolution", latency_of_five_readings, NULL},
    {"short-vs-resolution", coarse_clock, "resolution is 100 µs"},
    {"short-vs-resolution", slow_clock, "a reading takes 21000 ns: latencies below 105 µs"},
    {"short-vs-resolution", low_percentile_below_clock, "p10 of read is 60 ns"},
    {"short-vs-resolution", low_percentile_not_shown, NULL},
    {"short-vs-resolution", short_queue_wait, NULL},
    {"clock-steps", steps_back, "stepped back 3 times"},
    {"latency-clamped", two_hours, "2 operations"},
    {"latency-clamped", seventy_minutes, NULL},
    {"client-cpu", all_cpus_busy, "7.58 of 8 CPUs"},
    {"client-cpu", most_cpus_busy, NULL},
    {"client-cpu", bound_cpus_busy, "1.92 of 2 CPUs"},
    {"client-cpu", waited_tenth, "10 %"},
    {"client-cpu", waited_little, NULL},
    {"client-cpu", waited_in_long_warm_up, NULL},
    {"client-cpu", waited_at_start_alone, NULL},
    {"client-cpu", deep_queues, "4 threads kept 3.92 CPUs busy"},
    {"client-cpu", deep_queues_beside_other_jobs, NULL},
    {"client-cpu", bound_cpus_beside_other_jobs, NULL},
    {"client-cpu", deep_queues_in_cache, NULL},
    {"client-cpu", deep_queues_with_time_to_spare, NULL},
    {"littles-law", tenth_of_time_outside, "is 3.6 and threads x depth is 4 (-10.0 %)"},
    {"littles-law", less_of_time_outside, NULL},
    {"littles-law", more_under_way_than_asked, "(+7.0 %): latencies are longer"},
    {"littles-law", deep_queues, NULL},
    {"littles-law", rest_of_time_in_syncs, NULL},
    {"littles-law", durable_writes, NULL},
    {"littles-law", outside_in_open_loop, NULL},
    {"littles-law", outside_by_thinking, NULL},
    {"littles-law", outside_by_failures, NULL},
    {"littles-law", outside_by_its_early_end, NULL},
    {"littles-law", outside_in_few_events, NULL},
    {"starved-thread", one_starved, "thread 2 did 20000 events"},
    {"starved-thread", one_starved_among_twenty, "thread 0 did 0 events"},
    {"starved-thread", one_slower, NULL},
    {"starved-thread", all_uneven,
     "thread 0 did 60000 events and the mean of the threads is 120000 (coefficient of "
     "variation 0.50)"},
    {"starved-thread", starved_in_open_loop, NULL},
    {"starved-thread", starved_of_few, NULL},
    {"rate-not-reached", rate_missed, "40000.0 of 41000.0 events/s; the latest event began 0.5 s after"},
    {"rate-not-reached", rate_reached, NULL},
    {"short-run", long_tail, "12 s is less than 20 times the p99.9 of sync, 70"},
    {"short-run", tail_with_room, NULL},
    {"short-run", slow_end_syncs, NULL},
    {"short-run", long_intervals, "3 intervals of 5 s"},
    {"short-run", three_intervals, NULL},
    {"few-samples", few_syncs, "sync from p99.9 on (999 samples of 1000)"},
    {"few-samples", enough_syncs, NULL},
    {"few-samples", four_end_syncs, NULL},
    {"end-sync", long_end_sync, "after 12 s of load the syncs at the end took 3 s more (25 %)"},
    {"end-sync", quick_end_sync, NULL},
    {"no-steady-state", never_steady, "iops:5% did not come within the warm-up of 60 s"},
    {"no-steady-state", at_last_steady, NULL},
    {"drift", falling, "from 45800 events/s in the first third to 34600 in the last (-24.5 %"},
    {"drift", falling_in_open_loop, NULL},
    {"drift", stepping, "from 60000 to 32000 events/s after 4 s"},
    {"drift", noisy, NULL},
    {"drift", back_and_forth, NULL},
    {"drift", few_intervals, NULL},
    {"drift", eight_whole_intervals, NULL},
    {"drift", nine_intervals, "9 intervals"},
    {"two-modes", back_and_forth, "28000 events/s in 6 intervals and 52067 in 6, and changed 5 times"},
    {"two-modes", stepping, NULL},
    {"two-modes", noisy, NULL},
    {"two-modes", two_stalls, NULL},
    {"lossy-commit", flushes_each_second, "innodb_flush_log_at_trx_commit=2"},
    {"lossy-commit", flushes_at_commit, NULL},
    {"lossy-commit", flushes_each_second_and_only_reads, NULL},
    {"lossy-commit", postgres_without_fsync, "fsync=off"},
    {"lossy-commit", sqlite_normal, "synchronous=NORMAL"},
    {"lossy-commit", sqlite_full, NULL},
    {"failed-tries", one_in_ten_repeated, "48000 tries failed for 480000 transactions"},
    {"failed-tries", one_in_hundred_repeated, NULL},
    {"lost-connections", three_lost, "3 times"},
    {"overrun", overran, "--time was 10 s and the last operation ended after 12 s"},
    {"overrun", overran_little, NULL},
    {"stall", stood_still,
     "nothing ended from 3 s to 7 s of the run (5 s in all): the mean rate of 40000 events/s holds that time, and "
     "without it was 68571"},
    {"stall", stood_still_to_the_end, "nothing ended from 10 s to 12 s"},
    {"stall", stood_still_shortly, NULL},
    {"stall", stood_still_for_one_interval, "nothing ended from 3 s to 4.00 s of the run (1.00 s in all)"},
    {"stall", stood_still_between_bursts, NULL},
    {"stall", one_event_in_two_intervals, NULL},
    {"stall", nothing_after_the_load, NULL},
    {"lost-connections", three_renewed, NULL},
    {"lost-connections", all_connect, NULL},
    {"lost-connections", three_lost_of_all, "3 times"},
    {"littles-law", of_tables, NULL},
    {"littles-law", one_in_hundred_repeated, NULL},
    {"littles-law", slow_transactions, "transactions/s x mean latency is 3.6 and the number of threads is 4 (-10.0 %)"},
    {"littles-law", slow_transactions_beside_connecting, NULL},
    {"littles-law", gathered_rows, NULL},
    {"client-cpu", client_fills_the_cpus, "7.58 of 8 CPUs busy: the client and not the server"},
    {"client-cpu", sqlite_fills_the_cpus, "SQLite works inside of it"},
    {"client-cpu", client_beside_a_busy_server, "idle only 1.0 % of the time and isobench kept 2.08 of them busy"},
    {"client-cpu", client_beside_an_idle_server, NULL},
    {"client-cpu", little_client_beside_a_busy_server, NULL},
};

/* ---- the tests ------------------------------------------------------------------------------------------------ */

static const char *text_of(const struct result *result, const char *code)
{
    for (size_t i = 0; i < result->warnings_count; ++i) {
        if (strcmp(result->warnings[i].code, code) == 0)
            return result->warnings[i].text;
    }
    return NULL;
}

static bool case_holds(size_t index)
{
    struct bench bench;
    bench_make(&bench);
    cases[index].change(&bench);
    warnings_add(bench.result, &bench.evidence);
    const char *text = text_of(bench.result, cases[index].code), *says = cases[index].says;
    bool holds = says ? text && strstr(text, says) : !text;
    if (!holds)
        print_error("case %u, %s: says \"%s\", not \"%s\"\n", (unsigned)index, cases[index].code,
                    text ? text : "nothing", says ? says : "nothing");
    result_free(bench.result);
    return holds;
}

static void each_warning_comes_when_it_must_and_not_beside(void **state)
{
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        wrong += !case_holds(i);
    assert_int_equal(wrong, 0);
}

static void good_run_has_no_warning(void **state)
{
    struct bench bench;
    (void)state;
    bench_make(&bench);
    warnings_add(bench.result, &bench.evidence);
    if (bench.result->warnings_count > 0)
        print_error("%s: %s\n", bench.result->warnings[0].code, bench.result->warnings[0].text);
    assert_int_equal(bench.result->warnings_count, 0);
    result_free(bench.result);
}

static void run_without_figures_has_no_warning(void **state)
{
    struct bench bench;
    (void)state;
    bench_make(&bench);
    cache_on(&bench);
    bench.result->measured = false;
    warnings_add(bench.result, &bench.evidence);
    assert_int_equal(bench.result->warnings_count, 0);
    result_free(bench.result);
}

static void each_code_has_a_case_that_warns(void **state)
{
    (void)state;
    for (size_t i = 0; warnings_code(i); ++i) {
        bool found = false;
        for (size_t j = 0; j < COUNT_OF(cases); ++j)
            found |= cases[j].says && strcmp(cases[j].code, warnings_code(i)) == 0;
        if (!found)
            print_error("%s\n", warnings_code(i));
        assert_true(found);
    }
}

static void each_code_has_its_section_on_the_page(void **state)
{
    char *page = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(path_read_text(WARNINGS_DOC, 1 << 20, &page, NULL, &error));
    for (size_t i = 0; warnings_code(i); ++i) {
        char heading[NAME_MAX_BYTES + 8];
        snprintf(heading, sizeof(heading), "\n## `%s`", warnings_code(i));
        if (!strstr(page, heading))
            print_error("%s is not in %s\n", warnings_code(i), WARNINGS_DOC);
        assert_non_null(strstr(page, heading));
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_warning_comes_when_it_must_and_not_beside),
        cmocka_unit_test(good_run_has_no_warning),
        cmocka_unit_test(run_without_figures_has_no_warning),
        cmocka_unit_test(each_code_has_a_case_that_warns),
        cmocka_unit_test(each_code_has_its_section_on_the_page),
    };
    return cmocka_run_group_tests_name("warnings", tests, NULL, NULL);
}
