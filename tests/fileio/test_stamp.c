/* What each block carries, and what is said of one that is not as it was. */
#include "fileio/stamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 2048
#define OLD (UINT64_C(1) << 40 | 7)
#define NEW (UINT64_C(3) << 40 | 1)

static const struct stamp place = {.set = UINT64_C(0x1122334455667788),
                                   .file = 5,
                                   .offset = 3 * BLOCK,
                                   .generation = OLD,
                                   .thread = 9,
                                   .block_bytes = BLOCK};

static void fill(uint8_t *block, const struct stamp *stamp)
{
    for (size_t i = 0; i < stamp->block_bytes; ++i)
        block[i] = (uint8_t)(i * 7 + stamp->generation);
    stamp_seal(block, stamp);
}

static struct stamp at_generation(uint64_t generation)
{
    struct stamp stamp = place;
    stamp.generation = generation;
    return stamp;
}

static void fill_generation(uint8_t *block, uint64_t generation)
{
    struct stamp stamp = at_generation(generation);
    fill(block, &stamp);
}

static struct judgement judge(const uint8_t *block, uint64_t generation, bool exact)
{
    struct expectation expected = {at_generation(generation), exact};
    struct judgement judgement;
    stamp_judge(block, &expected, &judgement);
    return judgement;
}

static void assert_says(const struct judgement *judgement, uint64_t generation, const char *words)
{
    struct expectation expected = {at_generation(generation), false};
    char text[256];
    judgement_text(judgement, &expected, text, sizeof(text));
    if (!strstr(text, words))
        fail_msg("\"%s\" does not say \"%s\"", text, words);
}

/* Written by one system, read by another: the bytes themselves. */
static void a_sealed_block_has_these_bytes_on_every_system(void **state)
{
    static const uint8_t header[STAMP_HEADER_BYTES] = {
        'i',  's',  'o',  'b',  'e',  'n',  'c',  'h',  1,    0,    0,    0,    0,    8,    0,    0,
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 5,    0,    0,    0,    0,    0,    0,    0,
        0,    0x18, 0,    0,    0,    0,    0,    0,    7,    0,    0,    0,    0,    1,    0,    0,
        9,    0,    0,    0,    0xcf, 0x8f, 0x3e, 0x00, 0x31, 0xf6, 0x75, 0x0b, 0x5d, 0x50, 0x24, 0xfb};
    static const uint8_t mark[STAMP_MARK_BYTES] = {7,    0,    0,    0,    0,    1,    0,    0,
                                                   0x64, 0x84, 0x81, 0x09, 0x3a, 0x10, 0xca, 0xf1};
    uint8_t block[BLOCK];
    (void)state;
    fill(block, &place);
    assert_memory_equal(block, header, sizeof(header));
    assert_memory_equal(block + 3 * STAMP_SECTOR_BYTES, mark, sizeof(mark));
    assert_int_equal(block[STAMP_HEADER_BYTES], (uint8_t)(STAMP_HEADER_BYTES * 7 + 7)); /* data begins */
}

static void a_sealed_block_is_good_and_tells_who_wrote_it(void **state)
{
    uint8_t block[BLOCK];
    (void)state;
    fill(block, &place);
    struct judgement judgement = judge(block, OLD, true);
    assert_int_equal(judgement.verdict, VERDICT_GOOD);
    assert_int_equal(judgement.found.thread, 9);
    assert_int_equal(judgement.found.generation, OLD);
    assert_false(verdict_is_wrong(judgement.verdict));
}

static void blocks_of_any_size_from_64_bytes_on_can_be_sealed(void **state)
{
    static const uint32_t sizes[] = {64, 65, 79, 511, 512, 513, 527, 528, 1000, 1024, 1540};
    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        uint8_t block[BLOCK];
        struct expectation expected = {place, true};
        struct judgement judgement;
        memset(block, 0xee, sizeof(block));
        expected.place.block_bytes = sizes[i];
        fill(block, &expected.place);
        stamp_judge(block, &expected, &judgement);
        assert_int_equal(judgement.verdict, VERDICT_GOOD);
        assert_int_equal(block[sizes[i]], 0xee);
        block[sizes[i] - 1] ^= 1;
        stamp_judge(block, &expected, &judgement);
        assert_true(verdict_is_wrong(judgement.verdict));
    }
}

/* Also where an older or a torn block could be taken for one that was interrupted. */
static void any_flipped_bit_is_found(void **state)
{
    (void)state;
    for (size_t bit = 0; bit < 8 * BLOCK; bit += bit < 8 * (STAMP_HEADER_BYTES + 8) ? 1 : 13) {
        uint8_t block[BLOCK];
        fill(block, &place);
        block[bit / 8] ^= (uint8_t)(1 << bit % 8);
        struct judgement exact = judge(block, OLD, true), least = judge(block, OLD, false);
        if (!verdict_is_wrong(exact.verdict) || !verdict_is_wrong(least.verdict))
            fail_msg("bit %u: %s, %s", (unsigned)bit, verdict_names[exact.verdict], verdict_names[least.verdict]);
    }
}

static void a_block_of_another_place_is_misplaced(void **state)
{
    uint8_t block[BLOCK];
    struct stamp other = place;
    (void)state;
    other.offset += BLOCK;
    fill(block, &other);
    struct judgement judgement = judge(block, OLD, false);
    assert_int_equal(judgement.verdict, VERDICT_MISPLACED);
    assert_says(&judgement, OLD, "the block of file 5, offset 8192");
    other = place;
    other.file = 4;
    fill(block, &other);
    assert_int_equal(judge(block, OLD, true).verdict, VERDICT_MISPLACED);
    assert_int_equal(judge(block, 0, false).verdict, VERDICT_MISPLACED); /* where nothing was acknowledged too */
}

static void a_block_of_another_set_is_misplaced_unless_nothing_was_acknowledged(void **state)
{
    uint8_t block[BLOCK];
    struct stamp other = place;
    (void)state;
    other.set ^= 1;
    fill(block, &other);
    struct judgement judgement = judge(block, OLD, false);
    assert_int_equal(judgement.verdict, VERDICT_MISPLACED);
    assert_says(&judgement, OLD, "another set");
    assert_int_equal(judge(block, 0, false).verdict, VERDICT_UNWRITTEN);
}

static void an_older_write_is_stale_and_a_later_one_newer(void **state)
{
    uint8_t block[BLOCK];
    (void)state;
    fill_generation(block, OLD);
    struct judgement judgement = judge(block, NEW, false);
    assert_int_equal(judgement.verdict, VERDICT_STALE);
    assert_says(&judgement, NEW, "generation 1.7, written by thread 9");
    assert_int_equal(judge(block, NEW, true).verdict, VERDICT_STALE);
    assert_int_equal(judge(block, OLD + 1, false).verdict, VERDICT_STALE);
    fill_generation(block, NEW);
    assert_int_equal(judge(block, OLD, false).verdict, VERDICT_NEWER);
    assert_false(verdict_is_wrong(VERDICT_NEWER));
    judgement = judge(block, OLD, true); /* nobody wrote it */
    assert_true(verdict_is_wrong(judgement.verdict));
}

static void zeros_are_lost_unless_nothing_was_acknowledged(void **state)
{
    uint8_t block[BLOCK] = {0};
    (void)state;
    assert_int_equal(judge(block, OLD, false).verdict, VERDICT_LOST);
    assert_int_equal(judge(block, OLD, true).verdict, VERDICT_LOST);
    assert_int_equal(judge(block, 0, false).verdict, VERDICT_UNWRITTEN);
}

static void what_verify_did_not_make_is_alien(void **state)
{
    uint8_t block[BLOCK];
    (void)state;
    memset(block, 'x', sizeof(block));
    struct judgement judgement = judge(block, OLD, false);
    assert_int_equal(judgement.verdict, VERDICT_ALIEN);
    assert_says(&judgement, OLD, "isobench's verify did not make");
    assert_int_equal(judge(block, 0, false).verdict, VERDICT_UNWRITTEN);
}

/* The head of one generation, the rest of another. */
static void mix(uint8_t *block, uint64_t head, uint64_t rest)
{
    uint8_t other[BLOCK];
    fill_generation(block, head);
    fill_generation(other, rest);
    memcpy(block + BLOCK / 2, other + BLOCK / 2, BLOCK / 2);
}

static void half_of_a_write_that_was_acknowledged_is_torn(void **state)
{
    uint8_t block[BLOCK];
    (void)state;
    mix(block, NEW, OLD);
    struct judgement judgement = judge(block, NEW, false);
    assert_int_equal(judgement.verdict, VERDICT_TORN);
    assert_says(&judgement, NEW, "its head is of generation 3.1, from byte 1024 on of generation 1.7");
    mix(block, OLD, NEW);
    assert_int_equal(judge(block, NEW, false).verdict, VERDICT_TORN);
    assert_int_equal(judge(block, OLD, true).verdict, VERDICT_TORN);
}

static void half_of_a_write_that_was_not_acknowledged_is_interrupted(void **state)
{
    uint8_t block[BLOCK];
    (void)state;
    mix(block, NEW, OLD);
    assert_int_equal(judge(block, OLD, false).verdict, VERDICT_INTERRUPTED);
    mix(block, OLD, NEW);
    assert_int_equal(judge(block, OLD, false).verdict, VERDICT_INTERRUPTED);
    assert_false(verdict_is_wrong(VERDICT_INTERRUPTED));
    fill_generation(block, OLD);
    memset(block + BLOCK / 2, 0, BLOCK / 2); /* a first write, of which a half came to the device */
    assert_int_equal(judge(block, 0, false).verdict, VERDICT_INTERRUPTED);
    assert_int_equal(judge(block, OLD, false).verdict, VERDICT_TORN);
}

static void sectors_of_another_block_are_torn(void **state)
{
    uint8_t block[BLOCK], other[BLOCK];
    struct stamp neighbour = at_generation(NEW);
    (void)state;
    neighbour.offset += BLOCK;
    fill_generation(block, OLD);
    fill(other, &neighbour);
    memcpy(block + STAMP_SECTOR_BYTES, other + STAMP_SECTOR_BYTES, STAMP_SECTOR_BYTES);
    struct judgement judgement = judge(block, OLD, false);
    assert_int_equal(judgement.verdict, VERDICT_TORN);
    assert_says(&judgement, OLD, "byte 512 on is from elsewhere");
}

static void damaged_data_is_torn_with_both_checksums(void **state)
{
    uint8_t block[BLOCK];
    (void)state;
    fill(block, &place);
    block[BLOCK - 1] ^= 0x40;
    struct judgement judgement = judge(block, OLD, false);
    assert_int_equal(judgement.verdict, VERDICT_TORN);
    assert_true(judgement.checksum != judgement.computed);
    assert_says(&judgement, OLD, "checksum ");
}

static void a_generation_is_run_and_write(void **state)
{
    char text[GENERATION_TEXT_BYTES];
    (void)state;
    assert_string_equal(generation_text(generation_of(3, 17), text), "3.17");
    assert_true(generation_of(4, 0) > generation_of(3, (UINT64_C(1) << GENERATION_WRITE_BITS) - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sealed_block_has_these_bytes_on_every_system),
        cmocka_unit_test(a_sealed_block_is_good_and_tells_who_wrote_it),
        cmocka_unit_test(blocks_of_any_size_from_64_bytes_on_can_be_sealed),
        cmocka_unit_test(any_flipped_bit_is_found),
        cmocka_unit_test(a_block_of_another_place_is_misplaced),
        cmocka_unit_test(a_block_of_another_set_is_misplaced_unless_nothing_was_acknowledged),
        cmocka_unit_test(an_older_write_is_stale_and_a_later_one_newer),
        cmocka_unit_test(zeros_are_lost_unless_nothing_was_acknowledged),
        cmocka_unit_test(what_verify_did_not_make_is_alien),
        cmocka_unit_test(half_of_a_write_that_was_acknowledged_is_torn),
        cmocka_unit_test(half_of_a_write_that_was_not_acknowledged_is_interrupted),
        cmocka_unit_test(sectors_of_another_block_are_torn),
        cmocka_unit_test(damaged_data_is_torn_with_both_checksums),
        cmocka_unit_test(a_generation_is_run_and_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
