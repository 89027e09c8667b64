/* The counters of this machine, whatever it is. */
#include "platform/host_counters.h"
#include "platform/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool is_kept_or_grows(uint64_t before, uint64_t after)
{
    return (before == HOST_UNKNOWN) == (after == HOST_UNKNOWN) && after >= before;
}

static void counters_of_this_machine_grow(void **state)
{
    struct host_probe *probe;
    struct host_counters before = {0}, after = {0};
    struct error error = ERROR_INIT;
    (void)state;
    if (!host_probe_open(&probe, &error))
        fail_msg("%s", error.text);
    host_probe_read(probe, &before);
    thread_sleep_ns(50000000);
    host_probe_read(probe, &after);
    assert_true(before.cpus_count > 0);
    assert_int_equal(before.cpus_count, after.cpus_count);
    for (size_t i = 0; i < after.cpus_count; ++i) {
        assert_int_equal(before.cpus[i].number, after.cpus[i].number);
        assert_true(is_kept_or_grows(before.cpus[i].user_ns, after.cpus[i].user_ns));
        assert_true(after.cpus[i].idle_ns != HOST_UNKNOWN);
    }
    assert_true(is_kept_or_grows(before.context_switches, after.context_switches));
    assert_true(is_kept_or_grows(before.network_received_bytes, after.network_received_bytes));
    assert_true(after.memory_available_bytes != HOST_UNKNOWN && after.memory_available_bytes > 0);
    for (size_t i = 0; i < after.devices_count; ++i)
        assert_true(strlen(after.devices[i].name) > 0);
    host_counters_done(&before);
    host_counters_done(&after);
    host_probe_close(probe);
    host_probe_close(NULL);
}

static void a_cleared_row_is_unknown_and_rows_are_used_again(void **state)
{
    struct host_counters counters = {0};
    (void)state;
    for (int round = 0; round < 2; ++round) {
        host_counters_clear(&counters);
        for (uint32_t i = 0; i < 100; ++i) {
            assert_int_equal(host_counters_add_cpu(&counters, i)->number, i);
            struct host_device_counters *device = host_counters_add_device(&counters);
            assert_int_equal(device->busy_ns, HOST_UNKNOWN);
            device->busy_ns = 5;
        }
        assert_int_equal(counters.cpus_count, 100);
        assert_int_equal(counters.devices_count, 100);
        assert_int_equal(counters.devices[99].busy_ns, 5);
        assert_int_equal(counters.cpus[99].other_ns, HOST_UNKNOWN);
    }
    host_counters_done(&counters);
    host_counters_done(&counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_of_this_machine_grow),
        cmocka_unit_test(a_cleared_row_is_unknown_and_rows_are_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
