/* What any tool may have printed, cut, shuffled and made up: every reader looks at it, and what they find is compared.
 */
#include "tests/fuzz/fuzz.h"

#include "core/dialect.h"
#include "core/reading.h"
#include "reconcile/reconcile.h"

static void compare(const struct readings *readings)
{
    struct reconciliation all;
    struct error error = ERROR_INIT;
    if (!reconcile_make(readings, dialect_find("sysbench"), &all, &error))
        return;
    char *text = reconcile_to_json(&all);
    FUZZ_REQUIRE(text != NULL);
    free(text);
    reconcile_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct transcript transcript;
    struct readings readings = {0};
    struct error error = ERROR_INIT;
    if (!transcript_make(&transcript, "fuzz", data, size, &error))
        return 0;
    bool good = readings_find(&transcript, &readings, &error);
    fuzz_check_answer(good, &error);
    if (good && readings.count < 16)
        compare(&readings);
    readings_free(&readings);
    transcript_free(&transcript);
    return 0;
}
