#include "core/units.h"

#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#define UNTOUCHED UINT64_C(0xA5A5A5A5A5A5A5A5)
#define BYTES(shift) (UINT64_C(1) << (shift))

struct reading {
    const char *text;
    uint64_t value;
};

typedef bool (*parser)(const char *text, uint64_t *out);

static void check_readings(parser parse, const struct reading *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = UNTOUCHED;
        if (!parse(rows[i].text, &value) || value != rows[i].value)
            fail_msg("\"%s\" was read as %llu, not %llu", rows[i].text, (unsigned long long)value,
                     (unsigned long long)rows[i].value);
    }
}

static void check_refusals(parser parse, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = UNTOUCHED;
        if (parse(texts[i], &value) || value != UNTOUCHED)
            fail_msg("\"%s\" was read as %llu", texts[i], (unsigned long long)value);
    }
}

static void counts_are_read(void **state)
{
    static const struct reading rows[] = {
        {"0", 0},
        {"7", 7},
        {"007", 7},
        {"10000", 10000},
        {"18446744073709551615", UINT64_MAX},
        {"00000000000000000000018446744073709551615", UINT64_MAX},
    };
    (void)state;
    check_readings(units_parse_count, rows, COUNT_OF(rows));
}

static void what_is_no_count_is_refused(void **state)
{
    static const char *const rows[] = {"",
                                       " ",
                                       "-1",
                                       "+1",
                                       "1.0",
                                       "1.",
                                       "1e3",
                                       "0x10",
                                       " 1",
                                       "1 ",
                                       "1k",
                                       "ten",
                                       "1,000",
                                       "18446744073709551616",
                                       "99999999999999999999",
                                       "1844674407370955161500"};
    (void)state;
    check_refusals(units_parse_count, rows, COUNT_OF(rows));
}

static void sizes_are_read_in_powers_of_1024(void **state)
{
    static const struct reading rows[] = {
        {"0", 0},
        {"0K", 0},
        {"512", 512},
        {"512b", 512},
        {"16K", BYTES(14)},
        {"16k", BYTES(14)},
        {"4KB", BYTES(12)},
        {"4kb", BYTES(12)},
        {"4kB", BYTES(12)},
        {"2GiB", BYTES(31)},
        {"2gib", BYTES(31)},
        {"3M", 3 * BYTES(20)},
        {"3MiB", 3 * BYTES(20)},
        {"1.5G", 3 * BYTES(29)},
        {".5K", 512},
        {"0.125K", 128},
        {"1.000", 1},
        {"1.0009765625K", 1025},
        {"0.00000000000000000086736173798840354720596224069595336914062500E", 1},
        {"1T", BYTES(40)},
        {"1P", BYTES(50)},
        {"15.5E", 31 * BYTES(59)},
        {"15EiB", 15 * BYTES(60)},
        {"18446744073709551615", UINT64_MAX},
        {"18014398509481983K", UINT64_MAX - 1023},
        {"18014398509481983.9990234375K", UINT64_MAX},
    };
    (void)state;
    check_readings(units_parse_bytes, rows, COUNT_OF(rows));
}

static void what_is_no_size_is_refused(void **state)
{
    static const char *const rows[] = {"",
                                       "K",
                                       ".",
                                       ".K",
                                       "1.",
                                       "1.K",
                                       "1..5K",
                                       "-1K",
                                       "+1K",
                                       "1 K",
                                       "1K ",
                                       "1KK",
                                       "1i",
                                       "1ki",
                                       "1X",
                                       "1KiBs",
                                       "0.5",
                                       "0.3K",
                                       "1e3",
                                       "1,5G",
                                       "0x1K",
                                       "16E",
                                       "nan",
                                       "1.0001K",
                                       "1ms",
                                       "18014398509481984K",
                                       "18446744073709551616",
                                       "15.99999999999999999999E"};
    (void)state;
    check_refusals(units_parse_bytes, rows, COUNT_OF(rows));
}

static void times_are_read_to_the_nanosecond(void **state)
{
    static const struct reading rows[] = {
        {"0", 0},
        {"10", UINT64_C(10000000000)},
        {"10s", UINT64_C(10000000000)},
        {"0.5", 500000000},
        {".5", 500000000},
        {"0.000000001", 1},
        {"1.0000000010000", 1000000001},
        {"250ms", 250000000},
        {"1.5ms", 1500000},
        {"10us", 10000},
        {"10\xC2\xB5s", 10000},
        {"10\xCE\xBCs", 10000},
        {"0.001us", 1},
        {"7ns", 7},
        {"2m", UINT64_C(120000000000)},
        {"2min", UINT64_C(120000000000)},
        {"1h", UINT64_C(3600000000000)},
        {"1.5d", UINT64_C(129600000000000)},
        {"18446744073.709551615", UINT64_MAX},
    };
    (void)state;
    check_readings(units_parse_time_ns, rows, COUNT_OF(rows));
}

static void what_is_no_time_is_refused(void **state)
{
    static const char *const rows[] = {"",
                                       "s",
                                       "-1",
                                       "1 s",
                                       "1S",
                                       "1MS",
                                       "1sec",
                                       "0.5ns",
                                       "1K",
                                       "1e3",
                                       "inf",
                                       "1.s",
                                       "0.0001us",
                                       "0.0000000001",
                                       "1,5",
                                       "1\xC2s",
                                       "18446744073.709551616",
                                       "18446744074",
                                       "5124096h"};
    (void)state;
    check_refusals(units_parse_time_ns, rows, COUNT_OF(rows));
}

static void real_numbers_are_read(void **state)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"0", 0},
                {"-0", 0},
                {"99.9", 99.9},
                {".5", .5},
                {"+2", 2},
                {"-2.5", -2.5},
                {"1e3", 1000},
                {"1E+3", 1000},
                {"25e-4", 0.0025},
                {"1e20", 1e20},
                {"1e-400", 0},
                {"0.1000000000000000055511151231257827", 0.1},
                {"1.7976931348623157e308", 1.7976931348623157e308}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double value = -77;
        if (!units_parse_real(rows[i].text, &value) || value != rows[i].value)
            fail_msg("\"%s\" was read as %.17g", rows[i].text, value);
    }
}

static void what_is_no_real_number_is_refused(void **state)
{
    static const char *const rows[] = {"",   " 1",  "1 ",   "1.",  ".",    "-",     "+-1", "1,5",   "1e",    "1e+",
                                       "e3", "inf", "-inf", "nan", "0x10", "0x1p3", "1f",  "1e309", "1e5.5", "1_0"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double value = -77;
        if (units_parse_real(rows[i], &value) || value != -77)
            fail_msg("\"%s\" was read as %.17g", rows[i], value);
    }
}

typedef char *(*writer)(uint64_t value, char *out, size_t out_bytes);

/* Each row is written as its text and its text read as its value. */
static void check_round_trips(writer write, parser parse, const struct reading *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[64];
        uint64_t value = UNTOUCHED;
        assert_ptr_equal(write(rows[i].value, text, sizeof text), text);
        assert_string_equal(text, rows[i].text);
        assert_true(parse(text, &value) && value == rows[i].value);
    }
}

static void exact_sizes_are_short_and_read_back(void **state)
{
    static const struct reading rows[] = {
        {"0", 0},
        {"1", 1},
        {"512", 512},
        {"1000", 1000},
        {"1K", 1024},
        {"1536", 1536},
        {"16K", BYTES(14)},
        {"1000000", 1000000},
        {"100M", 100 * BYTES(20)},
        {"1.5G", 3 * BYTES(29)},
        {"2G", BYTES(31)},
        {"2147483649", BYTES(31) + 1},
        {"3T", 3 * BYTES(40)},
        {"8P", BYTES(53)},
        {"15E", 15 * BYTES(60)},
        {"18446744073709551615", UINT64_MAX},
    };
    (void)state;
    check_round_trips(units_bytes_exact, units_parse_bytes, rows, COUNT_OF(rows));
}

static void exact_times_are_short_and_read_back(void **state)
{
    static const struct reading rows[] = {
        {"0", 0},
        {"1ns", 1},
        {"999ns", 999},
        {"1us", 1000},
        {"250us", 250000},
        {"1.5ms", 1500000},
        {"10ms", 10000000},
        {"0.5", 500000000},
        {"0.25", 250000000},
        {"1.1", 1100000000},
        {"10", UINT64_C(10000000000)},
        {"60", UINT64_C(60000000000)},
        {"3600", UINT64_C(3600000000000)},
        {"1.000000001", 1000000001},
        {"18446744073.709551615", UINT64_MAX},
    };
    (void)state;
    check_round_trips(units_time_exact, units_parse_time_ns, rows, COUNT_OF(rows));
}

/* A walk through all magnitudes, without a pattern in the low digits. */
static void every_exact_form_reads_back(void **state)
{
    (void)state;
    for (uint64_t value = 1; value < UINT64_MAX / 5; value = value * 5 / 3 + 1) {
        char text[64];
        uint64_t back = UNTOUCHED;
        assert_true(units_parse_bytes(units_bytes_exact(value, text, sizeof text), &back) && back == value);
        assert_true(units_parse_time_ns(units_time_exact(value, text, sizeof text), &back) && back == value);
        double real = 1.0 / (double)value, real_back = 0;
        assert_true(units_parse_real(units_real_exact(real, text, sizeof text), &real_back) && real_back == real);
    }
}

static void exact_reals_are_short_and_read_back(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},        {1, "1"},
                {10, "10"},      {100000, "100000"},
                {-2.5, "-2.5"},  {0.1, "0.1"},
                {99.9, "99.9"},  {0.1 + 0.2, "0.30000000000000004"},
                {0.8, "0.8"},    {99.999, "99.999"},
                {1e20, "1e+20"}, {1.0 / 3, "0.3333333333333333"},
                {1e-7, "1e-07"}, {123456789012345.0, "123456789012345"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[64];
        double value = -77;
        assert_ptr_equal(units_real_exact(rows[i].value, text, sizeof text), text);
        assert_string_equal(text, rows[i].text);
        assert_true(units_parse_real(text, &value) && value == rows[i].value);
    }
}

struct human_row {
    double value;
    const char *text;
};

static void check_human(char *(*write)(double value, char *out, size_t out_bytes), const struct human_row *rows,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[32];
        assert_ptr_equal(write(rows[i].value, text, sizeof text), text);
        assert_string_equal(text, rows[i].text);
    }
}

static void sizes_for_people_have_three_digits(void **state)
{
    static const struct human_row rows[] = {
        {0, "0 B"},
        {0.5, "0.50 B"},
        {512, "512 B"},
        {1023, "1023 B"},
        {1023.5, "1.00 KiB"},
        {1024, "1 KiB"},
        {16384, "16 KiB"},
        {1536, "1.50 KiB"},
        {12345, "12.1 KiB"},
        {123456, "121 KiB"},
        {1048575, "1.00 MiB"},
        {1.5 * 1073741824, "1.50 GiB"},
        {-1.5 * 1073741824, "-1.50 GiB"},
        {5e12, "4.55 TiB"},
        {1152921504606846976.0, "1 EiB"},
        {4096.0 * 1152921504606846976.0, "4096 EiB"},
    };
    (void)state;
    check_human(units_bytes_human, rows, COUNT_OF(rows));
}

static void times_for_people_have_three_digits(void **state)
{
    static const struct human_row rows[] = {
        {0, "0 ns"},
        {7, "7 ns"},
        {12.34, "12.3 ns"},
        {999, "999 ns"},
        {999.6, "1.00 \xC2\xB5s"},
        {1000, "1 \xC2\xB5s"},
        {9994, "9.99 \xC2\xB5s"},
        {9996, "10.0 \xC2\xB5s"},
        {12345, "12.3 \xC2\xB5s"},
        {99940, "99.9 \xC2\xB5s"},
        {99960, "100 \xC2\xB5s"},
        {999499, "999 \xC2\xB5s"},
        {999600, "1.00 ms"},
        {4561000, "4.56 ms"},
        {4.56e9, "4.56 s"},
        {3.6e12, "3600 s"},
    };
    (void)state;
    check_human(units_time_human, rows, COUNT_OF(rows));
}

static void a_short_buffer_is_not_overrun(void **state)
{
    char text[8] = "#######";
    (void)state;
    assert_string_equal(units_bytes_exact(UINT64_MAX, text, 4), "184");
    assert_int_equal(text[4], '#');
    assert_string_equal(units_real_exact(0.1 + 0.2, text, 4), "0.3");
    assert_string_equal(units_time_human(12.34, text, 4), "12.");
    assert_int_equal(text[4], '#');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_read),
        cmocka_unit_test(what_is_no_count_is_refused),
        cmocka_unit_test(sizes_are_read_in_powers_of_1024),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(times_are_read_to_the_nanosecond),
        cmocka_unit_test(what_is_no_time_is_refused),
        cmocka_unit_test(real_numbers_are_read),
        cmocka_unit_test(what_is_no_real_number_is_refused),
        cmocka_unit_test(exact_sizes_are_short_and_read_back),
        cmocka_unit_test(exact_times_are_short_and_read_back),
        cmocka_unit_test(every_exact_form_reads_back),
        cmocka_unit_test(exact_reals_are_short_and_read_back),
        cmocka_unit_test(sizes_for_people_have_three_digits),
        cmocka_unit_test(times_for_people_have_three_digits),
        cmocka_unit_test(a_short_buffer_is_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
