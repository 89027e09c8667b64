/* A result file: what is read is written and read again the same. */
#include "tests/fuzz/fuzz.h"

#include "core/result_json.h"

static void check_again(const char *text)
{
    struct error error = ERROR_INIT;
    struct result *result;
    FUZZ_REQUIRE(result_from_json(text, "again.json", &result, &error));
    char *again = result_to_json(result);
    FUZZ_REQUIRE(again && strcmp(again, text) == 0);
    free(again);
    result_free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct error error = ERROR_INIT;
    struct result *result;
    bool good = result_from_json(text, "fuzz.json", &result, &error);
    fuzz_check_answer(good, &error);
    if (good) {
        char *written = result_to_json(result);
        FUZZ_REQUIRE(written != NULL);
        check_again(written);
        free(written);
    }
    result_free(result);
    free(text);
    return 0;
}
