/* A job file: what is read is written and read again the same, setting by setting. */
#include "tests/fuzz/fuzz.h"

#include "core/result_json.h"
#include "core/settings.h"

/* JSON's reals hold a time to the nanosecond below 2^23 s (docs/result.md); a text that is no UTF-8 is not written as
 * it is. */
static bool comes_back(const struct job *job, const struct setting *setting)
{
    uint64_t time_ns = 0;
    if (setting->type == SETTING_TIME)
        memcpy(&time_ns, (const char *)job + setting->offset, sizeof time_ns);
    return setting->type != SETTING_TEXT && (time_ns < (NS_PER_S << 23) || time_ns == NO_GRACE);
}

static void check_again(const struct job *job)
{
    struct error error = ERROR_INIT;
    struct job again;
    char *text = job_to_json(job);
    FUZZ_REQUIRE(text != NULL);
    FUZZ_REQUIRE(job_from_json(text, "again.json", &again, &error));
    for (size_t i = 0; i < settings_count; i++)
        FUZZ_REQUIRE(!comes_back(job, &settings[i]) || setting_equal(job, &again, &settings[i]));
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct error error = ERROR_INIT, check_error = ERROR_INIT;
    struct job job;
    bool good = job_from_json(text, "fuzz.json", &job, &error);
    fuzz_check_answer(good, &error);
    if (good) {
        check_again(&job);
        fuzz_check_answer(job_check_run(&job, &check_error), &check_error);
    }
    free(text);
    return 0;
}
