/* Histogram logs and base64 histograms: what is read keeps its counts when it is written and read again. */
#include "tests/fuzz/fuzz.h"

#include "core/hdr_log.h"

static void check_again(const struct histogram *latency)
{
    static char text[HDR_TEXT_BYTES];
    static struct histogram again;
    struct error error = ERROR_INIT;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        sum += latency->counts[i];
    FUZZ_REQUIRE(sum == latency->count && latency->min_ns <= latency->max_ns);
    FUZZ_REQUIRE(hdr_encode(latency, text, &error));
    FUZZ_REQUIRE(hdr_decode(text, strlen(text), 1, "again", &again, &error));
    FUZZ_REQUIRE(again.count == sum && memcmp(again.counts, latency->counts, sizeof again.counts) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = ERROR_INIT;
    struct hdr_log log = {0};
    char *text = fuzz_text(data, size);
    bool good = hdr_log_add(&log, text, size, "fuzz.hlog", size % 2 ? 1 : 1000, &error);
    fuzz_check_answer(good, &error);
    for (size_t i = 0; i < log.count; i++)
        check_again(&log.tags[i].latency);
    hdr_log_done(&log);
    free(text);
    return 0;
}
