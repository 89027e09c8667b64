/* The counters of other machines, as their /proc and /sys showed them. */
#define _GNU_SOURCE
#include "platform/compiler.h"
#include "posix/host_posix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MACHINE_ROOT "scratch_host_counters"
#include "tests/platform/machine.h"

#define TICK_NS UINT64_C(10000000)
#define CPU "/sys/devices/system/cpu/"
#define POWER "/sys/class/power_supply/"

static struct host_counters read_machine(const char *root)
{
    struct host_counters counters = {0};
    host_counters_from(root, TICK_NS, &counters);
    return counters;
}

static void cpus_and_levels_are_those_of_the_texts(void **state)
{
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    put(root, "/proc/stat",
        "cpu  1573004 203089 1120059 5003279 53674 0 38998 7 0 0\n"
        "cpu0 762483 100153 552672 2546425 18915 1 14864 7 0 0\n"
        "cpu3 810521 102936 567387 2456854 34759 0 24134 0 0 0\n" /* 1 and 2 are offline */
        "intr 37953997 0 0 0 0 0 0 0 0 0 0 0 0\n"
        "ctxt 186594633\nbtime 1796239808\nprocesses 1450553\nprocs_running 12\nprocs_blocked 0\n");
    put(root, "/proc/meminfo",
        "MemTotal:       24683628 kB\nMemFree:        22068028 kB\nMemAvailable:   23878436 kB\n"
        "Buffers:           43472 kB\nCached:          1794376 kB\nSwapCached:            5 kB\n"
        "Dirty:             17740 kB\nWriteback:            20 kB\nWritebackTmp:          7 kB\n");
    struct host_counters counters = read_machine(root);
    assert_int_equal(counters.cpus_count, 2);
    assert_int_equal(counters.cpus[0].number, 0);
    assert_int_equal(counters.cpus[1].number, 3);
    assert_int_equal(counters.cpus[0].user_ns, (762483 + 100153) * TICK_NS);
    assert_int_equal(counters.cpus[0].system_ns, (552672 + 1 + 14864) * TICK_NS);
    assert_int_equal(counters.cpus[0].iowait_ns, 18915 * TICK_NS);
    assert_int_equal(counters.cpus[0].idle_ns, 2546425 * TICK_NS);
    assert_int_equal(counters.cpus[0].other_ns, 7 * TICK_NS);
    assert_int_equal(counters.context_switches, 186594633);
    assert_int_equal(counters.runnable_threads, 11);
    assert_int_equal(counters.waiting_threads, HOST_UNKNOWN);
    assert_int_equal(counters.memory_available_bytes, UINT64_C(23878436) * 1024);
    assert_int_equal(counters.page_cache_bytes, (UINT64_C(43472) + 1794376) * 1024);
    assert_int_equal(counters.dirty_bytes, (17740 + 20) * 1024);
    host_counters_done(&counters);
}

static void devices_are_whole_ones_and_partitions_are_left_out(void **state)
{
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    put(root, "/proc/diskstats",
        "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
        " 259       0 nvme0n1 5442559 98110 180991846 920272 15966795 408160 579617510 6513348 3 1016872 7942949 1 0 2 "
        "3 4 5\n"
        " 259       1 nvme0n1p1 100 0 800 5 200 0 1600 9 0 7 14\n"
        " 104       0 cciss/c0d0 11 0 16 5 22 0 32 9 0 7 14\n" /* of an old kernel */
        " 104       1 cciss/c0d0p1 11 0 16 5 22 0 32 9 0 7 14\n"
        " 3 0 short 1 2 3\n");
    put(root, "/sys/class/block/nvme0n1p1/partition", "1\n");
    put(root, "/sys/class/block/cciss!c0d0p1/partition", "1\n");
    struct host_counters counters = read_machine(root);
    assert_int_equal(counters.devices_count, 3);
    const struct host_device_counters *disk = &counters.devices[1];
    assert_string_equal(counters.devices[0].name, "loop0");
    assert_string_equal(disk->name, "nvme0n1");
    assert_string_equal(counters.devices[2].name, "cciss/c0d0");
    assert_int_equal(disk->reads, 5442559);
    assert_int_equal(disk->writes, 15966795);
    assert_int_equal(disk->read_bytes, UINT64_C(180991846) * 512);
    assert_int_equal(disk->write_bytes, UINT64_C(579617510) * 512);
    assert_int_equal(disk->busy_ns, UINT64_C(1016872) * 1000000);
    assert_int_equal(disk->queue_ns, UINT64_C(7942949) * 1000000);
    assert_int_equal(disk->time_turn_ns, (UINT64_C(1) << 32) * 1000000);
    host_counters_done(&counters);
}

#define INTERFACES                                                                                                     \
    "Inter-|   Receive                                                |  Transmit\n"                                   \
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier " \
    "compressed\n"                                                                                                     \
    "    lo: 52787180889 57125868    0    0    0     0          0         0 52787180889 57125868    0    0    0     "  \
    "0 0 0\n"                                                                                                          \
    "docker0:   7   1    0    0    0     0          0         0  9   16735    0    0    0     0       0 0\n"           \
    "  eth0: 1000   29755    0    0    0     0          0         0  100   16735    0    0    0     0       0 0\n"     \
    "  eth1:2000   29755    0    0    0     0          0         0  200   16735    0    0    0     0       0 0\n"

static void the_network_is_that_of_the_cards_or_all_but_the_loopback(void **state)
{
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    put(root, "/proc/net/dev", INTERFACES);
    struct host_counters counters = read_machine(root);
    assert_int_equal(counters.network_received_bytes, 3007);
    assert_int_equal(counters.network_sent_bytes, 309);
    put(root, "/sys/class/net/eth0/device/vendor", "");
    put(root, "/sys/class/net/eth1/device/vendor", "");
    host_counters_from(root, TICK_NS, &counters);
    assert_int_equal(counters.network_received_bytes, 3000);
    assert_int_equal(counters.network_sent_bytes, 300);
    host_counters_done(&counters);
}

static void frequency_is_the_mean_and_throttling_the_sum_of_the_cpus(void **state)
{
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    put(root, "/proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 3 4\ncpu2 1 2 3 4\n");
    put(root, CPU "cpu0/cpufreq/scaling_cur_freq", "2400000\n");
    put(root, CPU "cpu1/cpufreq/scaling_cur_freq", "1200000\n"); /* 2 does not tell */
    put(root, CPU "cpu0/thermal_throttle/core_throttle_count", "5\n");
    put(root, CPU "cpu2/thermal_throttle/core_throttle_count", "7\n");
    struct host_counters counters = read_machine(root);
    assert_int_equal(counters.cpu_frequency_hz, 1800000000);
    assert_int_equal(counters.throttles, 12);
    host_counters_done(&counters);
}

static void a_laptop_tells_of_its_battery(void **state)
{
    static const struct {
        const char *file, *text;
        uint64_t percent;
        enum tristate on_battery;
    } steps[] = {
        {"/proc/stat", "cpu0 1 2 3 4\n", HOST_UNKNOWN, TRI_UNKNOWN},
        {POWER "AC/type", "Mains\n", HOST_UNKNOWN, TRI_UNKNOWN},
        {POWER "mouse/type", "Battery\n", HOST_UNKNOWN, TRI_UNKNOWN},
    };
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    put(root, POWER "mouse/scope", "Device\n");
    put(root, POWER "mouse/capacity", "3\n");
    struct host_counters counters = {0};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        put(root, steps[i].file, steps[i].text);
        host_counters_from(root, TICK_NS, &counters);
        assert_int_equal(counters.battery_percent, steps[i].percent);
        assert_int_equal(counters.on_battery, steps[i].on_battery);
    }
    put(root, POWER "BAT0/type", "Battery\n");
    put(root, POWER "BAT0/capacity", "81\n");
    put(root, POWER "BAT0/status", "Full\n");
    host_counters_from(root, TICK_NS, &counters);
    assert_int_equal(counters.battery_percent, 81);
    assert_int_equal(counters.on_battery, TRI_NO);
    put(root, POWER "BAT0/energy_now", "30000000\n");
    put(root, POWER "BAT0/energy_full", "40000000\n");
    put(root, POWER "BAT0/status", "Discharging\n");
    host_counters_from(root, TICK_NS, &counters);
    assert_int_equal(counters.battery_percent, 75);
    assert_int_equal(counters.on_battery, TRI_YES);
    host_counters_done(&counters);
}

static void what_a_system_does_not_tell_is_unknown(void **state)
{
    static const char *const texts[] = {"", "cpu  1 2 3 4\n", "ctxt\nprocs_running x\n",
                                        "cpu\ncpu0 1 2 3\ncpux 1 2 3 4\n"};
    char root[PATH_BYTES];
    struct host_counters counters = {0};
    (void)state;
    empty_root(root);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        put(root, "/proc/stat", texts[i]);
        put(root, "/proc/meminfo", texts[i]);
        put(root, "/proc/diskstats", texts[i]);
        put(root, "/proc/net/dev", texts[i]);
        host_counters_from(root, TICK_NS, &counters);
        assert_int_equal(counters.cpus_count, 0);
        assert_int_equal(counters.devices_count, 0);
        assert_int_equal(counters.runnable_threads, HOST_UNKNOWN);
        assert_int_equal(counters.memory_available_bytes, HOST_UNKNOWN);
        assert_int_equal(counters.page_cache_bytes, HOST_UNKNOWN);
        assert_int_equal(counters.dirty_bytes, HOST_UNKNOWN);
        assert_int_equal(counters.context_switches, HOST_UNKNOWN);
        assert_int_equal(counters.network_received_bytes, HOST_UNKNOWN);
        assert_int_equal(counters.network_sent_bytes, HOST_UNKNOWN);
        assert_int_equal(counters.cpu_frequency_hz, HOST_UNKNOWN);
        assert_int_equal(counters.throttles, HOST_UNKNOWN);
        assert_int_equal(counters.battery_percent, HOST_UNKNOWN);
        assert_int_equal(counters.on_battery, TRI_UNKNOWN);
    }
    host_counters_done(&counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_and_levels_are_those_of_the_texts),
        cmocka_unit_test(devices_are_whole_ones_and_partitions_are_left_out),
        cmocka_unit_test(the_network_is_that_of_the_cards_or_all_but_the_loopback),
        cmocka_unit_test(frequency_is_the_mean_and_throttling_the_sum_of_the_cpus),
        cmocka_unit_test(a_laptop_tells_of_its_battery),
        cmocka_unit_test(what_a_system_does_not_tell_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, remove_machine);
}
