#include "win32/smbios.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A table under construction: the header of 8 bytes, then structures. */
struct table {
    uint8_t bytes[512];
    size_t used;
};

static struct table table_start(void)
{
    struct table table;
    memset(&table, 0, sizeof table);
    table.used = 8;
    return table;
}

/* Adds a structure of `length` formatted bytes; `numbers` are (at, string number) pairs that end in 0;
 * `strings` is "one\0two\0" with its size, the NUL that C adds not counted. */
static void table_add(struct table *table, uint8_t type, uint8_t length, const uint8_t *numbers, const char *strings,
                      size_t strings_bytes)
{
    uint8_t *at = table->bytes + table->used;
    at[0] = type;
    at[1] = length;
    for (; numbers[0] != 0; numbers += 2)
        at[numbers[0]] = numbers[1];
    memcpy(at + length, strings, strings_bytes);
    table->used += length + (strings_bytes > 0 ? strings_bytes : 1) + 1;
}

#define ADD(table, type, length, strings, ...)                                                                         \
    table_add(table, type, length, (const uint8_t[]){__VA_ARGS__, 0}, strings, sizeof(strings) - 1)

/* Parses a copy in memory of exactly `bytes` bytes, so that a read past the end can be caught. */
static struct smbios_facts parse(const struct table *table, size_t bytes)
{
    struct smbios_facts facts;
    uint8_t *copy = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, table->bytes, bytes);
    memset(&facts, 'x', sizeof facts);
    smbios_parse(copy, bytes, &facts);
    free(copy);
    return facts;
}

static struct table amazon(void)
{
    struct table table = table_start();
    ADD(&table, 0, 0x18,
        "Amazon EC2\0"
        "1.0\0",
        4, 1, 5, 2);
    ADD(&table, 1, 0x1b,
        "Amazon EC2\0"
        "m5.large  \0"
        "ec2serial\0",
        4, 1, 5, 2, 7, 3);
    ADD(&table, 3, 0x16,
        "Amazon EC2\0"
        "i-0123456789abcdef0\0",
        4, 1, 8, 2);
    ADD(&table, 127, 4, "", 0);
    return table;
}

static void fields_are_read_by_their_string_number(void **state)
{
    (void)state;
    struct table table = amazon();
    struct smbios_facts facts = parse(&table, table.used);
    assert_string_equal(facts.bios_version, "1.0");
    assert_string_equal(facts.manufacturer, "Amazon EC2");
    assert_string_equal(facts.product, "m5.large");
    assert_string_equal(facts.chassis_asset_tag, "i-0123456789abcdef0");
}

static void structure_without_strings_is_passed_over(void **state)
{
    (void)state;
    struct table table = table_start();
    ADD(&table, 32, 0x0b, "", 0);
    ADD(&table, 1, 0x1b,
        "Maker\0"
        "Thing\0",
        4, 1, 5, 2);
    struct smbios_facts facts = parse(&table, table.used);
    assert_string_equal(facts.product, "Thing");
}

static void first_chassis_wins(void **state)
{
    (void)state;
    struct table table = table_start();
    ADD(&table, 3, 0x16, "first\0", 8, 1);
    ADD(&table, 3, 0x16, "second\0", 8, 1);
    struct smbios_facts facts = parse(&table, table.used);
    assert_string_equal(facts.chassis_asset_tag, "first");
}

static void string_number_beyond_the_strings_is_nothing(void **state)
{
    (void)state;
    struct table table = table_start();
    ADD(&table, 1, 0x1b, "Maker\0", 4, 1, 5, 9);
    struct smbios_facts facts = parse(&table, table.used);
    assert_string_equal(facts.manufacturer, "Maker");
    assert_string_equal(facts.product, "");
}

/* The byte after the formatted part is the first string's: it must not be taken for a string number. */
static void field_beyond_a_short_structure_is_nothing(void **state)
{
    (void)state;
    struct table table = table_start();
    ADD(&table, 1, 5,
        "\2Maker\0"
        "Thing\0",
        4, 1);
    struct smbios_facts facts = parse(&table, table.used);
    assert_string_equal(facts.manufacturer, "\2Maker");
    assert_string_equal(facts.product, "");
}

static void long_string_is_cut(void **state)
{
    (void)state;
    struct table table = table_start();
    char strings[sizeof((struct smbios_facts *)0)->product + 1]; /* one character too many, and the NUL */
    memset(strings, 'a', sizeof strings);
    strings[sizeof strings - 1] = '\0';
    table_add(&table, 1, 0x1b, (const uint8_t[]){5, 1, 0}, strings, sizeof strings);
    struct smbios_facts facts = parse(&table, table.used);
    assert_int_equal(strlen(facts.product), sizeof facts.product - 1);
}

/* Any cut leaves each field as it was in the whole table, or empty. */
static void table_cut_anywhere_is_survived(void **state)
{
    (void)state;
    struct table table = amazon();
    for (size_t bytes = 0; bytes < table.used; ++bytes) {
        struct smbios_facts facts = parse(&table, bytes);
        if (facts.product[0] != '\0')
            assert_string_equal(facts.product, "m5.large");
        if (facts.chassis_asset_tag[0] != '\0')
            assert_string_equal(facts.chassis_asset_tag, "i-0123456789abcdef0");
    }
}

static void structure_of_impossible_length_ends_the_table(void **state)
{
    (void)state;
    struct table table = table_start();
    size_t first = table.used;
    ADD(&table, 2, 4, "A\0", 0);
    ADD(&table, 1, 0x1b, "Maker\0", 4, 1);
    struct smbios_facts facts = parse(&table, table.used);
    assert_string_equal(facts.manufacturer, "Maker");
    table.bytes[first + 1] = 3;
    facts = parse(&table, table.used);
    assert_string_equal(facts.manufacturer, "");
    table.bytes[first + 1] = 255;
    facts = parse(&table, table.used);
    assert_string_equal(facts.manufacturer, "");
}

static void cloud_is_told_by_the_makers_marks(void **state)
{
    (void)state;
    static const struct {
        struct smbios_facts facts;
        const char *cloud, *instance_type;
    } rows[] = {
        {{"1.0", "Amazon EC2", "c6i.xlarge", "i-01"}, "aws", "c6i.xlarge"},
        {{"4.11.amazon", "Xen", "HVM domU", ""}, "aws", ""},
        {{"Hyper-V UEFI", "Microsoft Corporation", "Virtual Machine", "7783-7084-3265-9085-8269-3286-77"}, "azure", ""},
        {{"Hyper-V UEFI", "Microsoft Corporation", "Virtual Machine", "1234-5678"}, "", ""},
        {{"Google", "Google", "Google Compute Engine", ""}, "gcp", ""},
        {{"F.20", "HP", "ProBook 450", "5CD"}, "", ""},
        {{"", "", "", ""}, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_string_equal(smbios_cloud(&rows[i].facts), rows[i].cloud);
        assert_string_equal(smbios_instance_type(&rows[i].facts), rows[i].instance_type);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read_by_their_string_number),
        cmocka_unit_test(structure_without_strings_is_passed_over),
        cmocka_unit_test(first_chassis_wins),
        cmocka_unit_test(string_number_beyond_the_strings_is_nothing),
        cmocka_unit_test(field_beyond_a_short_structure_is_nothing),
        cmocka_unit_test(long_string_is_cut),
        cmocka_unit_test(table_cut_anywhere_is_survived),
        cmocka_unit_test(structure_of_impossible_length_ends_the_table),
        cmocka_unit_test(cloud_is_told_by_the_makers_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
