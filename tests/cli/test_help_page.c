#include "cli/help_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char house[] = "usage: isobench tool one|two [WORKLOAD] FILE… -o FILE.html [--loose=DIR] --source DSN\n"
                            "       isobench tool three\n\n"
                            "What it does,\nand how.\n\n"
                            "A heading\n"
                            "  --cache=on|off  [on]\n      The cache; see --other of another\n      command.\n"
                            "  -o FILE, --first, --second=FILE.svg\n      Two.\n"
                            "  --workload=slow|fast  [slow]\n      Speed.\n"
                            "  --db-…=VALUE  --as TOOL\n      More.\n\n"
                            "exit status: 0 done\n";

static const struct help_option *find(const struct help_page *page, const char *name)
{
    for (size_t i = 0; i < page->option_count; ++i)
        if (strcmp(page->options[i].name, name) == 0)
            return &page->options[i];
    fail_msg("no option %s", name);
    return NULL;
}

static void a_page_of_the_house_is_taken_apart(void **state)
{
    struct help_page page;
    (void)state;
    assert_true(help_page_read(&page, "tool", house));
    assert_string_equal(page.words, "one two slow fast three");
    assert_true(page.takes_file);
    assert_int_equal(page.option_count, 8);
    assert_int_equal(page.block_count, 7);
    assert_int_equal(page.blocks[0].kind, HELP_PARAGRAPH);
    assert_string_equal(page.blocks[0].text, "What it does, and how.");
    assert_int_equal(page.blocks[1].kind, HELP_HEADING);
    assert_int_equal(page.blocks[2].kind, HELP_OPTION);
    assert_string_equal(page.blocks[2].head, "--cache=on|off  [on]");
    assert_string_equal(page.blocks[2].text, "The cache; see --other of another command.");
    assert_int_equal(page.blocks[6].kind, HELP_PARAGRAPH);
    help_page_done(&page);
}

static void options_have_their_forms(void **state)
{
    static const struct {
        const char *name, *form;
        char joint;
        enum help_value value;
    } rows[] = {{"--cache", "on|off", '=', HELP_VALUE_WORDS},   {"--first", "", '\0', HELP_VALUE_NONE},
                {"--second", "FILE.svg", '=', HELP_VALUE_FILE}, {"--loose", "DIR", '=', HELP_VALUE_DIRECTORY},
                {"--source", "DSN", ' ', HELP_VALUE_NONE},      {"--as", "TOOL", ' ', HELP_VALUE_TOOL}};
    struct help_page page;
    (void)state;
    assert_true(help_page_read(&page, "tool", house));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        const struct help_option *option = find(&page, rows[i].name);
        assert_string_equal(option->form, rows[i].form);
        assert_int_equal(option->joint, rows[i].joint);
        assert_int_equal(help_value_of(option->form), rows[i].value);
    }
    assert_true(find(&page, "--db-")->is_family);
    help_page_done(&page);
}

static void options_of_tools_have_their_text_on_their_line(void **state)
{
    struct help_page page;
    (void)state;
    assert_true(help_page_read(&page, "sysbench",
                               "Usage:\n  sysbench [options]... [command]\n\nGeneral:\n"
                               "  --threads=N    how many [1]\n  --debug[=on|off] print [off]\n"));
    assert_string_equal(page.words, "");
    assert_string_equal(find(&page, "--threads")->text, "how many [1]");
    assert_string_equal(find(&page, "--debug")->form, "on|off");
    assert_true(find(&page, "--debug")->is_optional);
    help_page_done(&page);
}

static void any_text_can_be_read(void **state)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "usage:",
                                        "usage: ",
                                        "usage: isobench",
                                        "usage: isobench x --",
                                        "  -\n  - --",
                                        "usage: isobench x [",
                                        "usage: isobench x [--a",
                                        "  --",
                                        "  --\n",
                                        "  --a=",
                                        "  --a[=",
                                        "  --a[=b",
                                        "  --a B",
                                        "  --a\n      ",
                                        "  --a\n      b\n  c",
                                        "  --A=B",
                                        "  --\xE2\x80\xA6",
                                        "\xE2",
                                        "usage: isobench x ||| --x=| |\n       |"};
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        struct help_page page;
        assert_true(help_page_read(&page, "x", texts[i]));
        help_page_done(&page);
    }
}

static void what_a_form_stands_for(void **state)
{
    static const struct {
        const char *form;
        enum help_value value;
    } rows[] = {{"on|off", HELP_VALUE_WORDS},        {"1.0|0.4", HELP_VALUE_WORDS},
                {"verify-ca|off", HELP_VALUE_WORDS}, {"FILE|PORT", HELP_VALUE_FILE},
                {"DIR", HELP_VALUE_DIRECTORY},       {"DIR|FILE", HELP_VALUE_FILE},
                {"RESULT.json", HELP_VALUE_FILE},    {"N", HELP_VALUE_NONE},
                {"N,N,…", HELP_VALUE_NONE},          {"", HELP_VALUE_NONE},
                {"KEY=VALUE", HELP_VALUE_NONE}};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i)
        assert_int_equal(help_value_of(rows[i].form), rows[i].value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_of_the_house_is_taken_apart),
        cmocka_unit_test(options_have_their_forms),
        cmocka_unit_test(options_of_tools_have_their_text_on_their_line),
        cmocka_unit_test(any_text_can_be_read),
        cmocka_unit_test(what_a_form_stands_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
