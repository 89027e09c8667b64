/* What lies in a folder beside the results: the plan's manifest, attributions, and the host's samples in a result. */
#include "tests/fuzz/fuzz.h"

#include "plan/manifest.h"
#include "reconcile/attribute_print.h"
#include "report/host_course.h"

static void read_manifest(const char *text)
{
    struct error error = ERROR_INIT;
    struct manifest_facts *facts = calloc(1, sizeof *facts);
    FUZZ_REQUIRE(facts != NULL);
    fuzz_check_answer(manifest_read(text, "manifest.json", facts, &error), &error);
    manifest_facts_free(facts);
    free(facts);
}

static void read_attribution(const char *text)
{
    struct error error = ERROR_INIT;
    struct attribute_plan *plan = calloc(1, sizeof *plan);
    struct attribution found;
    FUZZ_REQUIRE(plan != NULL);
    bool good = attribute_from_json(text, "effects.json", plan, &found, &error);
    fuzz_check_answer(good, &error);
    char *picture = good ? attribute_to_svg(plan, &found) : NULL;
    FUZZ_REQUIRE(!good || (picture && !strstr(picture, "<script")));
    free(picture);
    attribute_free(plan);
    free(plan);
}

static void read_hosts(const char *text)
{
    struct error error = ERROR_INIT;
    struct host_course series[2] = {{"", NULL, 0}, {"", NULL, 0}};
    FUZZ_REQUIRE(host_course_read(text, series, 2, &error));
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < series[i].count; k++)
            FUZZ_REQUIRE(series[i].samples[k].end_s >= 0);
        host_course_free(&series[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    read_manifest(text);
    read_attribution(text);
    read_hosts(text);
    free(text);
    return 0;
}
