#include "core/random.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#define HIGHEST_BOUND (UINT64_C(1) << 62)

/* ---- helpers ------------------------------------------------------------------------------------------------ */

static struct job *make_job(enum distribution distribution)
{
    struct job *job = test_calloc(1, sizeof *job);
    job->distribution = distribution;
    job->special_iterations = 12;
    job->special_percent = 1;
    job->special_result_percent = 75;
    job->gaussian_iterations = 12;
    job->pareto_h = 0.2;
    job->zipfian_exponent = 0.8;
    return job;
}

static struct picker picker_of(enum distribution distribution, uint64_t bound)
{
    struct picker picker;
    struct job *job = make_job(distribution);
    picker_init(&picker, job, bound);
    test_free(job);
    return picker;
}

static struct picker zipf_picker(double exponent, uint64_t bound)
{
    struct picker picker;
    struct job *job = make_job(DIST_ZIPFIAN);
    job->zipfian_exponent = exponent;
    picker_init(&picker, job, bound);
    test_free(job);
    return picker;
}

static struct random random_of(uint64_t seed, uint64_t stream)
{
    struct random random;
    random_init(&random, seed, stream);
    return random;
}

/* How many of `picks` fall on each offset of the first `places`. */
static void count_picks(const struct picker *picker, uint64_t picks, uint64_t *counts, size_t places)
{
    struct random random = random_of(7, 0);
    memset(counts, 0, places * sizeof *counts);
    for (uint64_t i = 0; i < picks; i++) {
        uint64_t offset = picker_pick(picker, &random);
        assert_true(offset < picker->bound);
        if (offset < places)
            counts[offset]++;
    }
}

static double share_between(const struct picker *picker, uint64_t low, uint64_t high)
{
    struct random random = random_of(11, 0);
    uint64_t inside = 0, picks = 200000;
    for (uint64_t i = 0; i < picks; i++) {
        uint64_t offset = picker_pick(picker, &random);
        inside += offset >= low && offset < high;
    }
    return (double)inside / (double)picks;
}

static void assert_about(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%g is not %g ± %g", value, expected, tolerance);
}

/* ---- generators --------------------------------------------------------------------------------------------- */

static void splitmix64_gives_the_published_numbers(void **state)
{
    (void)state;
    uint64_t seed = 1234567;
    assert_int_equal(random_splitmix64(&seed), UINT64_C(6457827717110365317));
    assert_int_equal(random_splitmix64(&seed), UINT64_C(3203168211198807973));
    assert_int_equal(random_splitmix64(&seed), UINT64_C(9817491932198370423));
}

static void xoshiro256_gives_the_published_numbers(void **state)
{
    (void)state;
    struct random random = {{1, 2, 3, 4}};
    assert_int_equal(random_next(&random), 11520);
    assert_int_equal(random_next(&random), 0);
    assert_int_equal(random_next(&random), 1509978240);
    assert_int_equal(random_next(&random), UINT64_C(1215971899390074240));
}

static void seeds_and_streams_give_streams_of_their_own(void **state)
{
    (void)state;
    uint64_t seen[36];
    size_t count = 0;
    for (uint64_t seed = 0; seed < 6; seed++)
        for (uint64_t stream = 0; stream < 6; stream++) {
            struct random random = random_of(seed, stream), again = random_of(seed, stream);
            seen[count] = random_next(&random);
            assert_int_equal(seen[count], random_next(&again));
            for (size_t i = 0; i < count; i++)
                assert_int_not_equal(seen[i], seen[count]);
            count++;
        }
}

static void unit_numbers_are_below_1_and_even(void **state)
{
    (void)state;
    struct random random = random_of(1, 0);
    double sum = 0, least = 1, most = 0;
    for (int i = 0; i < 100000; i++) {
        double unit = random_unit(&random);
        sum += unit;
        least = fmin(least, unit);
        most = fmax(most, unit);
    }
    assert_true(least >= 0 && least < 0.001 && most < 1 && most > 0.999);
    assert_about(sum / 100000, 0.5, 0.01);
}

/* Generators whose next number is all zeros or all ones. The number comes of state[1] alone. */
static struct random about_to_give_zeros(void)
{
    struct random random = {{5, 0, 0, 0}};
    return random;
}

/* Undoes the steps · 5, rotation by 7, · 9 modulo 2^64. */
static struct random about_to_give_ones(void)
{
    uint64_t ninth = UINT64_C(0x8E38E38E38E38E39) * UINT64_MAX;
    uint64_t rotated = (ninth >> 7) | (ninth << 57);
    struct random random = {{0, UINT64_C(0xCCCCCCCCCCCCCCCD) * rotated, 0, 0}};
    return random;
}

static void the_ends_of_the_unit_interval_are_0_and_just_below_1(void **state)
{
    (void)state;
    struct random zeros = about_to_give_zeros(), ones = about_to_give_ones(), same = ones;
    assert_int_equal(random_next(&same), UINT64_MAX);
    assert_true(random_unit(&zeros) == 0);
    assert_true(random_unit(&ones) == 1 - ldexp(1, -53));
}

/* ---- random_below ------------------------------------------------------------------------------------------- */

/* The multiplication in halves against one that is easy to foresee: times 2^k is a shift. */
static void below_a_power_of_two_is_the_upper_bits(void **state)
{
    (void)state;
    struct random random = random_of(3, 0), same = random_of(3, 0);
    for (unsigned k = 1; k < 64; k++)
        assert_int_equal(random_below(&random, UINT64_C(1) << k), random_next(&same) >> (64 - k));
}

/* Halves by hand, bit by bit. */
static uint64_t slow_multiply_high(uint64_t a, uint64_t b)
{
    uint64_t high = 0, low = 0;
    for (int bit = 63; bit >= 0; bit--) {
        high = high << 1 | low >> 63;
        low <<= 1;
        if (b >> bit & 1) {
            low += a;
            high += low < a;
        }
    }
    return high;
}

static void below_any_bound_is_the_upper_half_of_the_product(void **state)
{
    (void)state;
    struct random bounds = random_of(4, 0), random = random_of(5, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t bound = (random_next(&bounds) >> (i % 64)) | 1;
        struct random same = random;
        uint64_t offset = random_below(&random, bound), bits = random_next(&same);
        while (memcmp(&same, &random, sizeof same) != 0) /* numbers that were turned down */
            bits = random_next(&same);
        assert_int_equal(offset, slow_multiply_high(bits, bound));
        assert_true(offset < bound);
    }
}

/* For three quarters of 2^64 a plain multiplication gives every third number twice as often. */
static void below_a_huge_bound_has_no_bias(void **state)
{
    (void)state;
    struct random random = random_of(6, 0);
    uint64_t counts[3] = {0};
    for (int i = 0; i < 60000; i++)
        counts[random_below(&random, UINT64_C(3) << 62) % 3]++;
    for (size_t i = 0; i < 3; i++)
        assert_about((double)counts[i], 20000, 1000);
}

/* ---- all distributions -------------------------------------------------------------------------------------- */

struct frozen {
    enum distribution distribution;
    uint64_t stream;
    uint64_t offsets[8];
};

/* The first offsets of seed 42 below 10^12. They stand for every release and every system: who replays a run by
 * its seed gets the same run. */
static const struct frozen frozen[] = {
    {DIST_UNIFORM,
     0,
     {787216037626, 876738195760, 447359328040, 102326077221, 710509257905, 44137453109, 286486257762, 140042450666}},
    {DIST_UNIFORM,
     1,
     {255869568981, 120929401859, 280084903766, 142132445173, 107750845096, 231128827202, 376190487761, 662617488379}},
    {DIST_SPECIAL,
     0,
     {401179194546, 490483543161, 496977248220, 501288470097, 501713934098, 537888922931, 496084588752, 498342973657}},
    {DIST_SPECIAL,
     1,
     {496209294018, 496421324451, 497311288272, 501626174883, 501578451594, 500717667563, 498996748118, 498782307746}},
    {DIST_GAUSSIAN,
     0,
     {407094190369, 550546937271, 548625549753, 408892453675, 445781390068, 404336204769, 377776987543, 422790871828}},
    {DIST_GAUSSIAN,
     1,
     {326875020515, 476809023392, 599986972998, 458754530853, 527804502954, 420870843539, 494423514670, 494473893078}},
    {DIST_PARETO, 0, {178061687951, 387209048964, 3022292045, 72353, 85003488239, 168, 121429583, 695569}},
    {DIST_PARETO, 1, {53739608, 241379, 103166737, 774003, 105019, 25808033, 866164130, 51386207817}},
    {DIST_ZIPFIAN,
     0,
     {465370891, 32200141, 52287137153, 584069393257, 2122554468, 798601751812, 186242825465, 471660881323}},
    {DIST_ZIPFIAN,
     1,
     {229547644482, 526223635622, 194705890898, 465980404508, 566700889003, 270125227481, 95469811465, 4524577075}},

};

static void offsets_of_a_seed_never_change(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT_OF(frozen); row++) {
        struct picker picker = picker_of(frozen[row].distribution, UINT64_C(1000000000000));
        struct random random = random_of(42, frozen[row].stream);
        for (size_t i = 0; i < COUNT_OF(frozen[row].offsets); i++)
            assert_int_equal(picker_pick(&picker, &random), frozen[row].offsets[i]);
    }
}

/* A sum over many picks: what a last bit that differs once in a million picks would change. */
static void many_offsets_of_a_seed_never_change(void **state)
{
    static const struct {
        double exponent;
        uint64_t sum;
    } rows[] = {
        {0.8, UINT64_C(3411629961489441819)},
        {1, UINT64_C(15659269083018975390)},
        {1.2, UINT64_C(11286076930445430391)},

    };
    (void)state;
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        struct picker zipf = zipf_picker(rows[row].exponent, HIGHEST_BOUND),
                      pareto = picker_of(DIST_PARETO, HIGHEST_BOUND);
        struct random random = random_of(42, row);
        uint64_t sum = 0;
        for (int i = 0; i < 20000; i++)
            sum = sum * 31 + picker_pick(i % 2 == 0 ? &zipf : &pareto, &random);
        assert_int_equal(sum, rows[row].sum);
    }
}

static void check_bound(const struct picker *picker)
{
    struct random random = random_of(9, 0);
    for (int i = 0; i < 3000; i++)
        if (picker_pick(picker, &random) >= picker->bound)
            fail_msg("distribution %d leaves %llu", (int)picker->distribution, (unsigned long long)picker->bound);
}

static void no_offset_reaches_the_bound(void **state)
{
    static const uint64_t bounds[] = {1,
                                      2,
                                      3,
                                      7,
                                      100,
                                      1000003,
                                      1ULL << 32,
                                      1ULL << 53,
                                      (1ULL << 53) + 1,
                                      (1ULL << 61) + 12345,
                                      HIGHEST_BOUND - 1,
                                      HIGHEST_BOUND};
    static const double exponents[] = {0, 0.1, 0.5, 0.999999, 1, 1.000001, 1.5, 3, 10, 100, 1000};
    static const double shares[] = {1e-9, 0.2, 0.5, 0.999, 0.999999999};
    (void)state;
    struct job *job = make_job(DIST_UNIFORM);
    struct picker picker;
    for (size_t b = 0; b < COUNT_OF(bounds); b++) {
        for (int d = DIST_UNIFORM; d <= DIST_GAUSSIAN; d++) {
            picker = picker_of((enum distribution)d, bounds[b]);
            check_bound(&picker);
        }
        for (size_t i = 0; i < COUNT_OF(exponents); i++) {
            picker = zipf_picker(exponents[i], bounds[b]);
            check_bound(&picker);
        }
        job->distribution = DIST_PARETO;
        for (size_t i = 0; i < COUNT_OF(shares); i++) {
            job->pareto_h = shares[i];
            picker_init(&picker, job, bounds[b]);
            check_bound(&picker);
        }
    }
    test_free(job);
}

static void check_ends(const struct picker *picker, uint64_t of_zeros, uint64_t of_ones)
{
    struct random zeros = about_to_give_zeros(), ones = about_to_give_ones();
    assert_int_equal(picker_pick(picker, &zeros), of_zeros);
    assert_int_equal(picker_pick(picker, &ones), of_ones);
}

static void the_ends_of_the_unit_interval_pick_the_ends_of_the_range(void **state)
{
    static const double exponents[] = {0, 0.8, 1, 1.2, 3, 10, 1000}; /* at 10 the integral's limit is reached */
    static const double shares[] = {0.2, 0.999, 0.999999999};
    (void)state;
    struct job *job = make_job(DIST_PARETO);
    struct picker picker = picker_of(DIST_UNIFORM, 1000);
    check_ends(&picker, 0, 999);
    for (size_t i = 0; i < COUNT_OF(exponents); i++) {
        picker = zipf_picker(exponents[i], 1000);
        check_ends(&picker, 999, 0);
    }
    for (size_t i = 0; i < COUNT_OF(shares); i++) { /* the last share's powers round to 1 */
        job->pareto_h = shares[i];
        picker_init(&picker, job, 1000);
        check_ends(&picker, 0, 999);
    }
    test_free(job);
}

/* ---- each distribution -------------------------------------------------------------------------------------- */

static void uniform_offsets_are_even(void **state)
{
    (void)state;
    static const uint64_t places = 64, picks = 128000;
    struct picker picker = picker_of(DIST_UNIFORM, places);
    uint64_t counts[64];
    double expected = (double)picks / (double)places, chi_square = 0;
    count_picks(&picker, picks, counts, COUNT_OF(counts));
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        chi_square += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    assert_true(chi_square > 20 && chi_square < 140); /* 63 ± 11 is usual; too even is wrong as well */
}

/* The mean of n uniform numbers has a deviation of the range / √(12 n). */
static void gaussian_offsets_have_the_deviation_of_a_mean(void **state)
{
    static const uint64_t iterations[] = {0, 1, 2, 12, 100};
    (void)state;
    struct job *job = make_job(DIST_GAUSSIAN);
    for (size_t row = 0; row < COUNT_OF(iterations); row++) {
        struct picker picker;
        struct random random = random_of(12, 0);
        double sum = 0, squares = 0, bound = 1e9, picks = 50000;
        job->gaussian_iterations = iterations[row];
        picker_init(&picker, job, 1000000000);
        for (int i = 0; i < (int)picks; i++) {
            double offset = (double)picker_pick(&picker, &random) / bound;
            sum += offset;
            squares += (offset - 0.5) * (offset - 0.5);
        }
        double deviation = 1 / sqrt(12 * fmax(1, (double)iterations[row]));
        assert_about(sum / picks, 0.5, 0.01);
        assert_about(sqrt(squares / picks) / deviation, 1, 0.03);
    }
    test_free(job);
}

static void special_offsets_crowd_in_the_middle(void **state)
{
    (void)state;
    uint64_t bound = 1000000;
    struct picker special = picker_of(DIST_SPECIAL, bound), gaussian = picker_of(DIST_GAUSSIAN, bound);
    double of_others = share_between(&gaussian, 495000, 505000);
    assert_about(share_between(&special, 495000, 505000), 0.75 + 0.25 * of_others, 0.01);
    assert_about(share_between(&special, 495000, 497500), (0.75 + 0.25 * of_others) / 4, 0.01);
    assert_true(share_between(&special, 0, 495000) > 0.1 && share_between(&special, 505000, bound) > 0.1);
}

static void special_shares_of_0_and_100_percent_are_kept(void **state)
{
    (void)state;
    struct job *job = make_job(DIST_SPECIAL);
    struct picker picker;
    job->special_result_percent = 100;
    job->special_percent = 10;
    picker_init(&picker, job, 1000);
    assert_about(share_between(&picker, 450, 550), 1, 0);
    job->special_percent = 0; /* one place */
    picker_init(&picker, job, 1001);
    assert_about(share_between(&picker, 500, 501), 1, 0);
    job->special_percent = 100;
    picker_init(&picker, job, 1000);
    assert_about(share_between(&picker, 0, 250), 0.25, 0.01);
    job->special_result_percent = 0;
    job->special_percent = 0;
    job->special_iterations = 1;
    picker_init(&picker, job, 1000);
    assert_about(share_between(&picker, 0, 250), 0.25, 0.01);
    assert_about(share_between(&picker, 490, 510), 0.02, 0.003);
    test_free(job);
}

/* h = 0.2: 80 % in the first 20 %, and 80 % of those in the first 20 % of that. */
static void pareto_offsets_keep_the_share_at_every_scale(void **state)
{
    (void)state;
    struct job *job = make_job(DIST_PARETO);
    struct picker picker;
    picker_init(&picker, job, 1000000);
    assert_about(share_between(&picker, 0, 200000), 0.8, 0.01);
    assert_about(share_between(&picker, 0, 40000), 0.64, 0.01);
    assert_about(share_between(&picker, 0, 8000), 0.512, 0.01);
    job->pareto_h = 0.5; /* even */
    picker_init(&picker, job, 1000000);
    assert_about(share_between(&picker, 0, 300000), 0.3, 0.01);
    job->pareto_h = 0.1;
    picker_init(&picker, job, HIGHEST_BOUND);
    assert_about(share_between(&picker, 0, HIGHEST_BOUND / 10), 0.9, 0.01);
    test_free(job);
}

/* Every rank against its probability, in standard deviations of a count. */
static void check_zipf(double exponent, uint64_t bound)
{
    uint64_t counts[200];
    const double picks = 200000;
    double norm = 0;
    struct picker picker = zipf_picker(exponent, bound);
    assert_true(bound <= COUNT_OF(counts));
    count_picks(&picker, (uint64_t)picks, counts, bound);
    for (uint64_t rank = 1; rank <= bound; rank++)
        norm += pow((double)rank, -exponent);
    for (uint64_t rank = 1; rank <= bound; rank++) {
        double expected = picks * pow((double)rank, -exponent) / norm;
        assert_about((double)counts[rank - 1], expected, 5 * sqrt(expected) + 3);
    }
}

static void zipfian_ranks_have_their_probability(void **state)
{
    static const double exponents[] = {0, 0.3, 0.8, 0.99, 0.999999999, 1, 1.000000001, 1.2, 2, 5};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(exponents); i++) {
        check_zipf(exponents[i], 1);
        check_zipf(exponents[i], 2);
        check_zipf(exponents[i], 10);
        check_zipf(exponents[i], 200);
    }
}

static void zipfian_rank_1_is_2_to_the_exponent_times_rank_2(void **state)
{
    static const double exponents[] = {0.8, 1, 1.2, 2};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(exponents); i++) {
        struct picker picker = zipf_picker(exponents[i], 100000);
        uint64_t counts[2];
        count_picks(&picker, 500000, counts, COUNT_OF(counts));
        assert_about((double)counts[0] / (double)counts[1] / pow(2, exponents[i]), 1, 0.1);
    }
}

/* s = 1: the share of the first k ranks is about log k / log n, up to any n. */
static void zipfian_over_a_huge_range_spreads_over_all_scales(void **state)
{
    (void)state;
    struct picker picker = zipf_picker(1, HIGHEST_BOUND);
    double euler = 0.5772156649, whole = 62 * log(2) + euler;
    assert_about(share_between(&picker, 0, UINT64_C(1) << 20), (20 * log(2) + euler) / whole, 0.01);
    assert_about(share_between(&picker, 0, UINT64_C(1) << 40), (40 * log(2) + euler) / whole, 0.01);
    picker = zipf_picker(0, HIGHEST_BOUND);
    assert_about(share_between(&picker, 0, HIGHEST_BOUND / 4), 0.25, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitmix64_gives_the_published_numbers),
        cmocka_unit_test(xoshiro256_gives_the_published_numbers),
        cmocka_unit_test(seeds_and_streams_give_streams_of_their_own),
        cmocka_unit_test(unit_numbers_are_below_1_and_even),
        cmocka_unit_test(the_ends_of_the_unit_interval_are_0_and_just_below_1),
        cmocka_unit_test(below_a_power_of_two_is_the_upper_bits),
        cmocka_unit_test(below_any_bound_is_the_upper_half_of_the_product),
        cmocka_unit_test(below_a_huge_bound_has_no_bias),
        cmocka_unit_test(offsets_of_a_seed_never_change),
        cmocka_unit_test(many_offsets_of_a_seed_never_change),
        cmocka_unit_test(no_offset_reaches_the_bound),
        cmocka_unit_test(the_ends_of_the_unit_interval_pick_the_ends_of_the_range),
        cmocka_unit_test(uniform_offsets_are_even),
        cmocka_unit_test(gaussian_offsets_have_the_deviation_of_a_mean),
        cmocka_unit_test(special_offsets_crowd_in_the_middle),
        cmocka_unit_test(special_shares_of_0_and_100_percent_are_kept),
        cmocka_unit_test(pareto_offsets_keep_the_share_at_every_scale),
        cmocka_unit_test(zipfian_ranks_have_their_probability),
        cmocka_unit_test(zipfian_rank_1_is_2_to_the_exponent_times_rank_2),
        cmocka_unit_test(zipfian_over_a_huge_range_spreads_over_all_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
