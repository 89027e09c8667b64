/* Each line is NAME=VALUE for a setting, and its VALUE a number with a unit: what is taken, written in its exact
 * form, is taken again as the same. */
#include "tests/fuzz/fuzz.h"

#include "core/settings.h"
#include "core/units.h"

typedef bool parse_whole(const char *text, uint64_t *out);
typedef char *write_whole(uint64_t value, char *out, size_t out_bytes);

static void check_whole(const char *text, parse_whole *parse, write_whole *write)
{
    uint64_t value, again;
    char exact[128];
    if (parse(text, &value))
        FUZZ_REQUIRE(parse(write(value, exact, sizeof exact), &again) && again == value);
}

static void check_real(const char *text)
{
    double value, again;
    char exact[512];
    if (units_parse_real(text, &value))
        FUZZ_REQUIRE(units_parse_real(units_real_exact(value, exact, sizeof exact), &again) && again == value);
}

static void check_setting(struct job *job, const struct setting *setting, const char *value)
{
    static const char shown[] = "--option";
    char text[TEXT_MAX];
    struct job again = *job;
    struct error error = ERROR_INIT;
    bool good = job_set(job, setting, shown, value, &error);
    fuzz_check_answer(good, &error);
    if (!good || setting->type == SETTING_LIST) /* the text of a list may be cut */
        return;
    job_get(job, setting, text, sizeof text);
    FUZZ_REQUIRE(job_set(&again, setting, shown, text, &error) && setting_equal(job, &again, setting));
}

static void check_line(struct job *job, char *line)
{
    char *equals = strchr(line, '=');
    if (equals)
        *equals = '\0';
    const char *value = equals ? equals + 1 : line;
    const struct setting *setting = setting_find(line), *close = setting_closest(line);
    FUZZ_REQUIRE(!setting || setting == close);
    if (setting)
        check_setting(job, setting, value);
    check_whole(value, units_parse_bytes, units_bytes_exact);
    check_whole(value, units_parse_time_ns, units_time_exact);
    check_real(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct error error = ERROR_INIT;
    struct job job;
    job_init(&job);
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        check_line(&job, line);
        line = end ? end + 1 : NULL;
    }
    fuzz_check_answer(job_check_run(&job, &error), &error);
    free(text);
    return 0;
}
