#include "fileio/shuffle.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void each_number_has_one_place_whatever_the_count(void **state)
{
    static unsigned char seen[1100];
    struct shuffle shuffle;
    (void)state;
    for (uint64_t count = 1; count < sizeof(seen); count += count < 130 ? 1 : 97) {
        for (uint64_t key = 0; key < 5; ++key) {
            memset(seen, 0, sizeof(seen));
            shuffle_init(&shuffle, count);
            for (uint64_t i = 0; i < count; ++i) {
                uint64_t number = shuffle_at(&shuffle, key, i);
                assert_true(number < count);
                assert_int_equal(seen[number]++, 0);
            }
        }
    }
}

static void the_largest_counts_stay_within_bounds(void **state)
{
    static const uint64_t counts[] = {UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, (UINT64_C(1) << 60) - 1,
                                      (UINT64_C(1) << 60) + 1, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        struct shuffle shuffle;
        uint64_t high = 0;
        shuffle_init(&shuffle, counts[i]);
        for (uint64_t at = 0; at < 1000; ++at) {
            uint64_t number = shuffle_at(&shuffle, 7, at), last = shuffle_at(&shuffle, 7, counts[i] - 1 - at);
            assert_true(number < counts[i] && last < counts[i] && number != last);
            high += number > counts[i] / 2;
        }
        assert_in_range(high, 400, 600);
    }
}

/* Over many keys every number comes about equally often to every place. */
static void every_number_comes_to_every_place(void **state)
{
    static const uint64_t counts[] = {2, 3, 4, 5, 7, 8, 16, 31};
    (void)state;
    for (size_t row = 0; row < COUNT_OF(counts); ++row) {
        uint64_t count = counts[row], tries = 2000 * count;
        unsigned seen[31][31] = {{0}};
        struct shuffle shuffle;
        shuffle_init(&shuffle, count);
        for (uint64_t key = 0; key < tries; ++key)
            for (uint64_t i = 0; i < count; ++i)
                ++seen[i][shuffle_at(&shuffle, key * UINT64_C(0x9e3779b97f4a7c15) + key, i)];
        for (uint64_t i = 0; i < count * count; ++i)
            assert_in_range(seen[i / count][i % count], 1700, 2300);
    }
}

/* An order that went up in runs, or kept a distance, would be half sequential. */
static void neighbours_in_the_order_are_no_neighbours_in_the_file(void **state)
{
    struct shuffle shuffle;
    uint64_t near = 0, rises = 0, same_distance = 0, last_distance = 0;
    (void)state;
    shuffle_init(&shuffle, 10000);
    for (uint64_t i = 0; i + 1 < 10000; ++i) {
        uint64_t a = shuffle_at(&shuffle, 1, i), b = shuffle_at(&shuffle, 1, i + 1), distance = b - a;
        near += (b > a ? b - a : a - b) <= 50; /* one in a hundred by chance */
        rises += b > a;
        same_distance += distance == last_distance;
        last_distance = distance;
    }
    assert_in_range(near, 40, 180);
    assert_in_range(rises, 4800, 5200);
    assert_true(same_distance < 20);
}

/* The same list must come out on Linux and on Windows. */
static void a_key_gives_this_order_on_every_system(void **state)
{
    static const uint64_t expected[] = {743, 633, 463, 819, 651, 674, 359, 275};
    struct shuffle shuffle;
    (void)state;
    shuffle_init(&shuffle, 1000);
    for (uint64_t i = 0; i < COUNT_OF(expected); ++i)
        assert_int_equal(shuffle_at(&shuffle, 42, i), expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_number_has_one_place_whatever_the_count),
        cmocka_unit_test(the_largest_counts_stay_within_bounds),
        cmocka_unit_test(every_number_comes_to_every_place),
        cmocka_unit_test(neighbours_in_the_order_are_no_neighbours_in_the_file),
        cmocka_unit_test(a_key_gives_this_order_on_every_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
