/* Rates from two readings of a machine's counters. */
#include "core/host_sample.h"

#include "platform/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MS NS_PER_MS
#define NEAR(a, b) assert_true(is_near(a, b))
#define UNKNOWN(a) assert_false(host_known(a))

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

struct pair {
    struct host_counters before, after;
    struct host_sample sample;
};

static void put_cpu(struct host_counters *counters, uint32_t number, uint64_t user_ms, uint64_t system_ms,
                    uint64_t iowait_ms, uint64_t idle_ms, uint64_t other_ms)
{
    *host_counters_add_cpu(counters, number) =
        (struct host_cpu_counters){number, user_ms * MS, system_ms * MS, iowait_ms * MS, idle_ms * MS, other_ms * MS};
}

static struct host_device_counters *put_device(struct host_counters *counters, const char *name, uint64_t reads)
{
    struct host_device_counters *device = host_counters_add_device(counters);
    snprintf(device->name, sizeof device->name, "%s", name);
    device->reads = reads;
    device->writes = 0;
    return device;
}

static void set_up(struct pair *pair)
{
    memset(pair, 0, sizeof *pair);
    host_counters_clear(&pair->before);
    host_counters_clear(&pair->after);
}

static void sample_over(struct pair *pair, uint64_t elapsed_ns)
{
    host_sample_done(&pair->sample);
    assert_true(host_sample_between(&pair->before, &pair->after, elapsed_ns, &pair->sample));
}

static void clean_up(struct pair *pair)
{
    host_counters_done(&pair->before);
    host_counters_done(&pair->after);
    host_sample_done(&pair->sample);
}

static void shares_of_the_cpus_sum_to_1(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    put_cpu(&pair.before, 0, 1000, 100, 10, 5000, 1);
    put_cpu(&pair.before, 1, 0, 0, 0, 0, 0);
    put_cpu(&pair.after, 0, 1500, 300, 110, 5100, 101);
    put_cpu(&pair.after, 1, 500, 0, 0, 500, 0);
    sample_over(&pair, NS_PER_S);
    const struct host_sample *sample = &pair.sample;
    NEAR(sample->user_share, 0.5);
    NEAR(sample->system_share, 0.1);
    NEAR(sample->iowait_share, 0.05);
    NEAR(sample->idle_share, 0.3);
    NEAR(sample->other_share, 0.05);
    assert_int_equal(sample->cpus_count, 2);
    NEAR(sample->cpu_busy_share[0], 0.7);
    NEAR(sample->cpu_busy_share[1], 0.5);
    clean_up(&pair);
}

static void what_windows_does_not_count_is_unknown_and_the_others_sum_to_1(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    put_cpu(&pair.before, 0, 0, 0, 0, 0, 0);
    put_cpu(&pair.after, 0, 100, 100, 0, 200, 0);
    pair.before.cpus[0].iowait_ns = pair.before.cpus[0].other_ns = HOST_UNKNOWN;
    pair.after.cpus[0].iowait_ns = pair.after.cpus[0].other_ns = HOST_UNKNOWN;
    sample_over(&pair, NS_PER_S);
    NEAR(pair.sample.user_share, 0.25);
    NEAR(pair.sample.idle_share, 0.5);
    UNKNOWN(pair.sample.iowait_share);
    UNKNOWN(pair.sample.other_share);
    NEAR(pair.sample.cpu_busy_share[0], 0.5);
    clean_up(&pair);
}

/* CPU 1 goes, CPU 3 comes, and 2 was never online. */
static void a_cpu_that_comes_or_goes_is_in_no_share(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    put_cpu(&pair.before, 0, 0, 0, 0, 0, 0);
    put_cpu(&pair.before, 1, 100000, 0, 0, 0, 0);
    put_cpu(&pair.after, 0, 100, 0, 0, 300, 0);
    put_cpu(&pair.after, 3, 100000, 0, 0, 0, 0);
    sample_over(&pair, NS_PER_S);
    assert_int_equal(pair.sample.cpus_count, 4);
    NEAR(pair.sample.cpu_busy_share[0], 0.25);
    for (int i = 1; i < 4; ++i)
        UNKNOWN(pair.sample.cpu_busy_share[i]);
    NEAR(pair.sample.user_share, 0.25);
    NEAR(pair.sample.idle_share, 0.75);
    clean_up(&pair);
}

static void iowait_that_steps_back_counts_as_none(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    put_cpu(&pair.before, 0, 0, 0, 500, 0, 0);
    put_cpu(&pair.after, 0, 300, 0, 400, 100, 0);
    sample_over(&pair, NS_PER_S);
    NEAR(pair.sample.iowait_share, 0);
    NEAR(pair.sample.user_share, 0.75);
    clean_up(&pair);
}

static void rates_are_per_second_of_what_elapsed(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    struct host_device_counters *before = put_device(&pair.before, "sda", 100);
    *before = (struct host_device_counters){"sda", 100, 10, 4096, 0, 7 * MS, 3 * MS, 0, 0};
    *put_device(&pair.after, "sda", 0) =
        (struct host_device_counters){"sda", 600, 20, 4096 + 500, 1000, 1007 * MS, 253 * MS, 0, 0};
    pair.before.context_switches = 5;
    pair.after.context_switches = 1005;
    pair.before.network_received_bytes = 0;
    pair.after.network_received_bytes = 50;
    pair.before.throttles = 3;
    pair.after.throttles = 4;
    pair.after.dirty_bytes = 4096;
    pair.after.battery_percent = 80;
    pair.after.runnable_threads = 0;
    sample_over(&pair, 500 * MS);
    const struct host_device_sample *disk = &pair.sample.devices[0];
    assert_int_equal(pair.sample.devices_count, 1);
    assert_string_equal(disk->name, "sda");
    NEAR(disk->read_iops, 1000);
    NEAR(disk->write_iops, 20);
    NEAR(disk->read_bytes_per_s, 1000);
    NEAR(disk->write_bytes_per_s, 2000);
    NEAR(disk->queue_depth, 2);
    NEAR(disk->utilization_share, 0.5);
    NEAR(pair.sample.context_switches_per_s, 2000);
    NEAR(pair.sample.network_received_bytes_per_s, 100);
    UNKNOWN(pair.sample.network_sent_bytes_per_s);
    NEAR(pair.sample.throttled_per_s, 2);
    NEAR(pair.sample.dirty_bytes, 4096);
    NEAR(pair.sample.battery_share, 0.8);
    NEAR(pair.sample.runnable_threads, 0);
    UNKNOWN(pair.sample.memory_available_bytes);
    UNKNOWN(pair.sample.cpu_frequency_hz);
    clean_up(&pair);
}

static void a_counter_that_turned_over_goes_on_and_one_that_was_put_back_is_unknown(void **state)
{
    const uint64_t turn = UINT64_C(1) << 32;
    struct pair pair;
    (void)state;
    set_up(&pair);
    struct host_device_counters turning = {"sda", turn - 10, 7, 900, 0, (turn - 100) * MS, (turn - 50) * MS,
                                           turn,  turn * MS};
    struct host_device_counters turned = {"sda", 20, 3, 100, 0, 900 * MS, 450 * MS, turn, turn * MS};
    *host_counters_add_device(&pair.before) = turning;
    *host_counters_add_device(&pair.after) = turned;
    pair.before.context_switches = 10;
    pair.after.context_switches = 5;
    sample_over(&pair, NS_PER_S);
    const struct host_device_sample *disk = &pair.sample.devices[0];
    NEAR(disk->read_iops, 30);
    UNKNOWN(disk->write_iops); /* from 7 to 3: another device of that name */
    UNKNOWN(disk->read_bytes_per_s);
    NEAR(disk->write_bytes_per_s, 0);
    NEAR(disk->queue_depth, 1);
    NEAR(disk->utilization_share, 0.5);
    UNKNOWN(pair.sample.context_switches_per_s);
    clean_up(&pair);
}

static void a_device_that_appears_or_was_never_used_has_no_rates_yet(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    put_device(&pair.before, "loop0", 0);
    put_device(&pair.before, "gone", 5);
    put_device(&pair.before, "sdb", 5);
    put_device(&pair.after, "new", 1000000);
    put_device(&pair.after, "loop0", 0);
    put_device(&pair.after, "sdb", 6);
    sample_over(&pair, NS_PER_S);
    assert_int_equal(pair.sample.devices_count, 1);
    assert_string_equal(pair.sample.devices[0].name, "sdb");
    NEAR(pair.sample.devices[0].read_iops, 1);
    UNKNOWN(pair.sample.devices[0].queue_depth);
    clean_up(&pair);
}

static void no_time_gives_no_rates(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    put_cpu(&pair.before, 0, 1, 1, 1, 1, 1);
    put_cpu(&pair.after, 0, 1, 1, 1, 1, 1);
    put_device(&pair.before, "sda", 1)->busy_ns = 0;
    put_device(&pair.after, "sda", 1)->busy_ns = 0;
    pair.before.context_switches = pair.after.context_switches = 7;
    sample_over(&pair, 0);
    UNKNOWN(pair.sample.user_share);
    UNKNOWN(pair.sample.idle_share);
    UNKNOWN(pair.sample.cpu_busy_share[0]);
    UNKNOWN(pair.sample.devices[0].read_iops);
    UNKNOWN(pair.sample.devices[0].utilization_share);
    UNKNOWN(pair.sample.context_switches_per_s);
    clean_up(&pair);
}

static void a_device_is_never_busier_than_all_the_time(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    put_device(&pair.before, "sda", 1)->busy_ns = 0;
    put_device(&pair.after, "sda", 1)->busy_ns = 1004 * MS;
    sample_over(&pair, NS_PER_S);
    NEAR(pair.sample.devices[0].utilization_share, 1);
    clean_up(&pair);
}

static void a_copy_has_lists_of_its_own(void **state)
{
    struct pair pair;
    struct host_sample copy;
    (void)state;
    set_up(&pair);
    put_cpu(&pair.before, 0, 0, 0, 0, 0, 0);
    put_cpu(&pair.after, 0, 1, 0, 0, 1, 0);
    put_device(&pair.before, "sda", 1);
    put_device(&pair.after, "sda", 3);
    sample_over(&pair, NS_PER_S);
    assert_true(host_sample_copy(&pair.sample, &copy));
    clean_up(&pair);
    NEAR(copy.cpu_busy_share[0], 0.5);
    NEAR(copy.devices[0].read_iops, 2);
    host_sample_done(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_the_cpus_sum_to_1),
        cmocka_unit_test(what_windows_does_not_count_is_unknown_and_the_others_sum_to_1),
        cmocka_unit_test(a_cpu_that_comes_or_goes_is_in_no_share),
        cmocka_unit_test(iowait_that_steps_back_counts_as_none),
        cmocka_unit_test(rates_are_per_second_of_what_elapsed),
        cmocka_unit_test(a_counter_that_turned_over_goes_on_and_one_that_was_put_back_is_unknown),
        cmocka_unit_test(a_device_that_appears_or_was_never_used_has_no_rates_yet),
        cmocka_unit_test(no_time_gives_no_rates),
        cmocka_unit_test(a_device_is_never_busier_than_all_the_time),
        cmocka_unit_test(a_copy_has_lists_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
