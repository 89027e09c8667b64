/* The bytes of one histogram as they are: base64 and zlib's checksum would stop nearly every change. */
#include "tests/fuzz/fuzz.h"

#include "core/base64.h"
#include "core/hdr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct histogram latency;
    struct error error = ERROR_INIT;
    uint64_t sum = 0;
    char *text = malloc(BASE64_LENGTH(size) + 1);
    uint8_t *back = malloc(size + 3);
    size_t count;
    FUZZ_REQUIRE(text && back);
    base64_encode(data, size, text);
    FUZZ_REQUIRE(base64_decode(text, strlen(text), back, &count) && count == size);
    FUZZ_REQUIRE(size == 0 || memcmp(back, data, size) == 0);
    bool good = hdr_decode(text, strlen(text), 1, "fuzz", &latency, &error);
    fuzz_check_answer(good, &error);
    for (uint32_t i = 0; good && i < HISTOGRAM_BUCKETS; i++)
        sum += latency.counts[i];
    FUZZ_REQUIRE(!good || (sum == latency.count && latency.min_ns <= latency.max_ns));
    free(back);
    free(text);
    return 0;
}
