#include "core/settings.h"
#include "fileio/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096
#define BLOCKS 64

static uint8_t buffer[BLOCK * BLOCKS];

static struct data make_data(struct job *job)
{
    struct data data;
    assert_true(data_init(&data, job, BLOCK, 7));
    return data;
}

static int compare_words(const void *a, const void *b)
{
    return memcmp(a, b, 8);
}

/* Nothing for a compressor to hold on to: no word of 8 bytes comes twice in many blocks. */
static void no_word_repeats_within_or_across_blocks(void **state)
{
    struct job job;
    (void)state;
    job_init(&job);
    struct data data = make_data(&job);
    data_fill(&data, buffer, sizeof(buffer), 100);
    qsort(buffer, sizeof(buffer) / 8, 8, compare_words);
    for (size_t i = 8; i < sizeof(buffer); i += 8)
        assert_memory_not_equal(buffer + i - 8, buffer + i, 8);
    data_done(&data);
}

static void bytes_are_spread_evenly(void **state)
{
    struct job job;
    size_t counts[256] = {0};
    (void)state;
    job_init(&job);
    struct data data = make_data(&job);
    data_fill(&data, buffer, sizeof(buffer), 5);
    for (size_t i = 0; i < sizeof(buffer); ++i)
        ++counts[buffer[i]];
    for (size_t i = 0; i < 256; ++i)
        assert_in_range(counts[i], sizeof(buffer) / 256 / 2, sizeof(buffer) / 256 * 2);
    data_done(&data);
}

static void equal_keys_give_equal_blocks_and_others_differ(void **state)
{
    static uint8_t again[BLOCK];
    struct job job;
    (void)state;
    job_init(&job);
    struct data data = make_data(&job);
    data_fill(&data, buffer, 3 * BLOCK, 9);
    data_fill(&data, again, BLOCK, 11);
    assert_memory_equal(buffer + 2 * BLOCK, again, BLOCK);
    data_fill(&data, again, BLOCK, 12);
    assert_memory_not_equal(buffer + 2 * BLOCK, again, BLOCK);
    data_done(&data);
}

static void the_compressible_share_is_zeros(void **state)
{
    static const uint64_t percents[] = {0, 1, 25, 50, 99, 100};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(percents); ++i) {
        struct job job;
        job_init(&job);
        job.compress_percent = percents[i];
        struct data data = make_data(&job);
        data_fill(&data, buffer, BLOCK, 1);
        size_t zeros = BLOCK * percents[i] / 100, end = BLOCK;
        while (end > 0 && buffer[end - 1] == 0)
            --end;
        assert_in_range(BLOCK - end, zeros, zeros + 3); /* random bytes may end in a zero or two */
        data_done(&data);
    }
}

static void zeros_are_zeros(void **state)
{
    struct job job;
    (void)state;
    job_init(&job);
    job.data = DATA_ZERO;
    struct data data = make_data(&job);
    memset(buffer, 1, sizeof(buffer));
    data_fill(&data, buffer, sizeof(buffer), 3);
    for (size_t i = 0; i < sizeof(buffer); ++i)
        assert_int_equal(buffer[i], 0);
    data_done(&data);
}

static void count_up_begins_anew_with_each_block(void **state)
{
    struct job job;
    struct data data;
    (void)state;
    job_init(&job);
    job.data = DATA_COUNT_UP;
    assert_true(data_init(&data, &job, 1003, 7));
    memset(buffer, 1, sizeof(buffer));
    data_fill(&data, buffer, 3 * 1003, 9);
    for (size_t i = 0; i < 3 * 1003; ++i)
        assert_int_equal(buffer[i], i % 1003 % 256);
    assert_int_equal(buffer[3 * 1003], 1);
    data_done(&data);
}

static void a_block_of_odd_length_is_filled_to_its_end(void **state)
{
    struct job job;
    struct data data;
    (void)state;
    job_init(&job);
    assert_true(data_init(&data, &job, 1003, 7));
    memset(buffer, 0, sizeof(buffer));
    data_fill(&data, buffer, 2006, 3);
    assert_int_equal(buffer[2006], 0);
    assert_memory_not_equal(buffer, buffer + 1003, 1003);
    assert_false(buffer[1002] == 0 && buffer[1001] == 0 && buffer[1000] == 0);
    data_done(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_word_repeats_within_or_across_blocks),
        cmocka_unit_test(bytes_are_spread_evenly),
        cmocka_unit_test(equal_keys_give_equal_blocks_and_others_differ),
        cmocka_unit_test(the_compressible_share_is_zeros),
        cmocka_unit_test(zeros_are_zeros),
        cmocka_unit_test(count_up_begins_anew_with_each_block),
        cmocka_unit_test(a_block_of_odd_length_is_filled_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
