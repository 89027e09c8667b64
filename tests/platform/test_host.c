#include "platform/clock.h"
#include "platform/host.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Of a text in an array; its size when no NUL is in it. */
static size_t length_within(const char *text, size_t bytes)
{
    const char *end = memchr(text, '\0', bytes);
    return end != NULL ? (size_t)(end - text) : bytes;
}
#define LENGTH(array) length_within(array, sizeof(array))

static void this_machine_is_described(void **state)
{
    struct host_facts facts;
    (void)state;
    memset(&facts, 0xff, sizeof facts);
    host_measure(&facts);
    assert_in_range(LENGTH(facts.os), 1, sizeof facts.os - 1);
    assert_in_range(LENGTH(facts.kernel), 1, sizeof facts.kernel - 1);
    assert_in_range(LENGTH(facts.cpu_model), 0, sizeof facts.cpu_model - 1);
    assert_in_range(LENGTH(facts.cloud), 0, sizeof facts.cloud - 1);
    assert_in_range(facts.cpu_count, 1, 1 << 16);
    assert_true(facts.memory_bytes >= UINT64_C(64) << 20);
    assert_in_range(facts.page_bytes, 4096, 1 << 20);
    assert_int_equal(facts.page_bytes & (facts.page_bytes - 1), 0);
}

static void the_volume_of_a_path_is_described(void **state)
{
    char path[PATH_BYTES];
    struct target_facts facts;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_directory(path, "scratch_host");
    memset(&facts, 0xff, sizeof facts);
    assert_true(host_target(path, &facts, &error));
    assert_in_range(LENGTH(facts.file_system), 1, sizeof facts.file_system - 1);
    assert_in_range(LENGTH(facts.mount_point), 1, sizeof facts.mount_point - 1);
    assert_in_range(LENGTH(facts.device), 0, sizeof facts.device - 1);
    assert_in_range(facts.rotational, TRI_UNKNOWN, TRI_YES);
    assert_true(facts.total_bytes > 0);
    assert_in_range(facts.free_bytes, 0, facts.total_bytes);
    assert_int_equal(facts.logical_sector_bytes % 512, 0);
}

static void a_file_is_on_the_volume_of_its_directory(void **state)
{
    char directory[PATH_BYTES], path[PATH_BYTES];
    struct target_facts of_directory, of_file;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_directory(directory, "scratch_host");
    assert_true(path_join(path, directory, "file with spaces", &error));
    assert_true(path_write_text(path, "x", 1, &error));
    assert_true(host_target(directory, &of_directory, &error));
    assert_true(host_target(path, &of_file, &error));
    assert_string_equal(of_file.mount_point, of_directory.mount_point);
    assert_string_equal(of_file.file_system, of_directory.file_system);
    assert_true(host_device_is_free(path, &error)); /* it is no device */
    assert_true(path_remove(path, &error));
}

static void a_path_that_is_not_there_has_no_volume(void **state)
{
    char directory[PATH_BYTES], path[PATH_BYTES];
    struct target_facts facts;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_directory(directory, "scratch_host");
    assert_true(path_join(path, directory, "absent", &error));
    assert_false(host_target(path, &facts, &error));
    assert_int_equal(error.kind, ERR_SYSTEM);
    assert_non_null(strstr(error.text, path));
}

/* Work until it shows, or fail after half a minute: some systems count in steps of 1/64 s. */
static void cpu_time_goes_up_with_work(void **state)
{
    struct clock clock = clock_system();
    uint64_t user_ns, system_ns, user_later_ns = 0, system_later_ns = 0, start_ns = clock_now_ns(&clock);
    (void)state;
    host_cpu_time(&user_ns, &system_ns);
    do
        host_cpu_time(&user_later_ns, &system_later_ns);
    while (user_later_ns + system_later_ns <= user_ns + system_ns && clock_now_ns(&clock) - start_ns < 30 * NS_PER_S);
    assert_true(user_later_ns + system_later_ns > user_ns + system_ns);
    assert_true(user_later_ns >= user_ns);
}

static uint64_t busy_ns(const struct host_cpu *cpus, size_t count)
{
    uint64_t sum_ns = 0;
    for (size_t i = 0; i < count; i++)
        sum_ns += cpus[i].user_ns + cpus[i].system_ns;
    return sum_ns;
}

/* The same with the times of the CPUs, which go up with anybody's work. Where nothing is told, nothing is claimed. */
static void the_cpus_times_go_up_with_work(void **state)
{
    struct clock clock = clock_system();
    struct host_cpu *first, *later = NULL;
    struct host_facts facts;
    uint64_t start_ns = clock_now_ns(&clock);
    size_t count = host_cpus(&first), later_count;
    (void)state;
    host_measure(&facts);
    if (count == 0) {
        assert_null(first);
        skip();
    }
    assert_int_equal(count, facts.cpu_count);
    do {
        free(later);
        later_count = host_cpus(&later);
    } while (later_count == count && busy_ns(later, count) <= busy_ns(first, count) &&
             clock_now_ns(&clock) - start_ns < 30 * NS_PER_S);
    assert_int_equal(later_count, count);
    assert_true(busy_ns(later, count) > busy_ns(first, count));
    for (size_t i = 0; i < count; i++)
        assert_true(later[i].user_ns >= first[i].user_ns && later[i].system_ns >= first[i].system_ns);
    free(first);
    free(later);
}

static void many_files_may_be_open(void **state)
{
    (void)state;
    assert_true(host_open_files_limit() >= 128);
    assert_true(host_open_files_limit() == host_open_files_limit());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_is_described),
        cmocka_unit_test(the_volume_of_a_path_is_described),
        cmocka_unit_test(a_file_is_on_the_volume_of_its_directory),
        cmocka_unit_test(a_path_that_is_not_there_has_no_volume),
        cmocka_unit_test(cpu_time_goes_up_with_work),
        cmocka_unit_test(the_cpus_times_go_up_with_work),
        cmocka_unit_test(many_files_may_be_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
