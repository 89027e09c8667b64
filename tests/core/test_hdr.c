#include "core/hdr.h"

#include "core/base64.h"
#include "core/hdr_log.h"
#include "core/settings.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers ---------------------------------------------------------------------------------------------------- */

static struct histogram *make_histogram(void)
{
    return test_calloc(1, sizeof(struct histogram));
}

static void decode(const char *text, struct histogram *out)
{
    struct error error = ERROR_INIT;
    if (!hdr_decode(text, strlen(text), 1, "here", out, &error))
        fail_msg("%s: %s", text, error.text);
}

/* The plain form of a histogram, made by hand. */
struct plain {
    uint8_t bytes[512];
    size_t count;
};

static void put(struct plain *plain, uint64_t value, uint32_t bytes)
{
    while (bytes-- > 0)
        plain->bytes[plain->count++] = (uint8_t)(value >> 8 * bytes);
}

#define V2 UINT32_C(0x1C849313)
#define RATIO_1 UINT64_C(0x3FF0000000000000)

static struct plain header(uint32_t cookie, uint32_t payload, uint32_t digits, uint64_t lowest, uint64_t highest)
{
    struct plain plain = {.count = 0};
    put(&plain, cookie, 4);
    put(&plain, payload, 4);
    put(&plain, 0, 4);
    put(&plain, digits, 4);
    put(&plain, lowest, 8);
    put(&plain, highest, 8);
    put(&plain, RATIO_1, 8);
    return plain;
}

static bool decode_plain(const struct plain *plain, uint64_t unit_ns, struct histogram *out, struct error *error)
{
    char text[BASE64_LENGTH(sizeof plain->bytes) + 1];
    base64_encode(plain->bytes, plain->count, text);
    return hdr_decode(text, strlen(text), unit_ns, "here", out, error);
}

/* ---- base64 ----------------------------------------------------------------------------------------------------- */

/* RFC 4648, section 10. */
static void base64_is_that_of_the_standard(void **state)
{
    static const struct {
        const char *bytes, *text;
    } rows[] = {{"", ""},
                {"f", "Zg=="},
                {"fo", "Zm8="},
                {"foo", "Zm9v"},
                {"foob", "Zm9vYg=="},
                {"fooba", "Zm9vYmE="},
                {"foobar", "Zm9vYmFy"},
                {"\xFB\xEF\xFF", "++//"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[16];
        uint8_t bytes[16];
        size_t count = 99;
        base64_encode((const uint8_t *)rows[i].bytes, strlen(rows[i].bytes), text);
        assert_string_equal(text, rows[i].text);
        assert_true(base64_decode(text, strlen(text), bytes, &count));
        assert_int_equal(count, strlen(rows[i].bytes));
        assert_memory_equal(bytes, rows[i].bytes, count);
    }
}

static void what_is_no_base64_is_refused(void **state)
{
    static const char *const rows[] = {"Z",         "Zm9",    "Zm9vY", "Zg=a", "Z===", "====",     "=m9v",
                                       "Zm9v Zm9v", "Zm9v\n", "Zh==",  "Zm9=", "Zm-_", "Zg==Zg==", "Zm\xC3\xA4"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t bytes[16];
        size_t count;
        if (base64_decode(rows[i], strlen(rows[i]), bytes, &count))
            fail_msg("\"%s\" was taken", rows[i]);
    }
}

/* ---- what others wrote ------------------------------------------------------------------------------------------ */

/* Published in other implementations' tests: hdr_encoding_test.go of hdrhistogram-go (1, 42 and 10000 samples, none),
 * and the first interval of HdrHistogram's own log jHiccup-2.0.7S.logV2.hlog, of which hdrhistogram-go's log test says
 * that it has 741 samples, at most 2768895, with a median bucket up to 344063. */
static const char log_interval[] =
    "HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR4nrxg9v2lMaxhvMekILGZkKmcCAEf2CsI=";

static void histograms_of_other_implementations_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t count, min_ns, median_low_ns, median_high_ns, max_ns;
    } rows[] = {
        {"HISTFAAAAB542pNpmSzMwMDAxAABzFCaEUoz2X+AMIKZAEARAtM=", 1, 42, 42, 42, 42},
        {"HISTFAAAAB94nJNpmSzMwMDABMSMQMzMAAGMUJoJxg9mAgA1TQGm", 1, 42, 42, 42, 42},
        {"HISTFAAAABl4nJNpmSzMgADMUFoEyn1h/wHCAgBDogN4", 0, 0, 0, 0, 0},
        {"HISTFAAAACV4nJNpmSzMwMDAwQABzFCaEUrp2H+AsI4zMh1lZEpkAgBdIQSk", 3, 100, 200, 200, 250},
        {log_interval, 741, 0, 327680, 344063, 2768895},
    };
    (void)state;
    struct histogram *h = make_histogram();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        decode(rows[i].text, h);
        uint64_t median = histogram_percentile(h, 50);
        assert_int_equal(h->count, rows[i].count);
        assert_int_equal(h->min_ns, rows[i].min_ns);
        assert_int_equal(h->max_ns, rows[i].max_ns);
        assert_in_range(median, rows[i].median_low_ns, rows[i].median_high_ns);
    }
    test_free(h);
}

/* ---- there and back --------------------------------------------------------------------------------------------- */

static void check_same_counts(const struct histogram *a, const struct histogram *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->counts, b->counts, sizeof a->counts);
}

static void every_bucket_comes_back(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    char *text = test_malloc(HDR_TEXT_BYTES);
    struct histogram *h = make_histogram(), *back = make_histogram();
    for (uint32_t bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++)
        for (uint32_t i = 0; i <= bucket % 7; i++)
            histogram_record(h, histogram_bucket_low(bucket));
    assert_true(hdr_encode(h, text, &error));
    decode(text, back);
    check_same_counts(h, back);
    assert_int_equal(back->min_ns, 0);
    assert_int_equal(back->max_ns, HISTOGRAM_HIGHEST_NS);
    test_free(h);
    test_free(back);
    test_free(text);
}

/* Counts of all lengths, with gaps of all kinds: runs of one, two and many empty buckets. */
static void counts_of_any_size_come_back(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    char *text = test_malloc(HDR_TEXT_BYTES);
    struct histogram *h = make_histogram(), *back = make_histogram();
    for (uint32_t bits = 0, bucket = 1; bits < 62; bits++, bucket += 1 + bits % 3 + (bits == 30 ? 1000 : 0)) {
        h->counts[bucket] = (UINT64_C(1) << bits) - (bits % 2);
        h->count += h->counts[bucket];
    }
    assert_true(hdr_encode(h, text, &error));
    decode(text, back);
    check_same_counts(h, back);
    test_free(h);
    test_free(back);
    test_free(text);
}

static void a_sample_above_the_highest_value_keeps_its_bucket(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    char *text = test_malloc(HDR_TEXT_BYTES);
    struct histogram *h = make_histogram(), *back = make_histogram();
    histogram_record(h, UINT64_MAX);
    assert_true(hdr_encode(h, text, &error));
    decode(text, back);
    check_same_counts(h, back);
    test_free(h);
    test_free(back);
    test_free(text);
}

/* ---- layouts with other digits ---------------------------------------------------------------------------------- */

/* One sample in bucket `bucket` of the layout; where that bucket is, worked out by hand. */
static void buckets_of_other_layouts_are_found(void **state)
{
    static const struct {
        uint32_t digits;
        uint64_t lowest, highest;
        uint32_t bucket;
        uint64_t low, high;
    } rows[] = {
        {1, 1, 1000, 31, 31, 31},
        {1, 1, 1000, 32, 32, 33},
        {1, 1, 1000, 111, 992, 1023},
        {2, 1, 1000, 256, 256, 257},
        {3, 1, 10000, 2048, 2048, 2049},
        {4, 1, 100000, 32768, 32768, 32769},
        {5, 1, 300000, 262144, 262144, 262145},
        {3, 1000, 10000000, 0, 0, 511},
        {3, 1000, 10000000, 2047, 1048064, 1048575},
        {3, 1000, 10000000, 2048, 1048576, 1049599},
        {5, UINT64_C(1) << 44, INT64_MAX, 0, 0, (UINT64_C(1) << 44) - 1}, /* the widest buckets there are */
        /* the highest of all: 2^62 to 2^63 in 128 buckets, the last one */
        {2, 1, INT64_MAX, 7295, UINT64_C(0x7F80000000000000), INT64_MAX},
    };
    (void)state;
    struct histogram *h = make_histogram();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = ERROR_INIT;
        uint64_t run = (uint64_t)rows[i].bucket * 2 - 1; /* ZigZag */
        uint8_t number[9];
        uint32_t bytes = 0;
        for (; rows[i].bucket > 0 && (run > 0 || bytes == 0); run >>= 7)
            number[bytes++] = (uint8_t)((run & 127) | (run > 127 ? 128 : 0));
        struct plain plain = header(V2, bytes + 1, rows[i].digits, rows[i].lowest, rows[i].highest);
        for (uint32_t at = 0; at < bytes; at++)
            put(&plain, number[at], 1);
        put(&plain, 2, 1);
        if (!decode_plain(&plain, 1, h, &error))
            fail_msg("row %u: %s", (unsigned)i, error.text);
        assert_int_equal(h->count, 1);
        assert_int_equal(h->min_ns, rows[i].low);
        assert_int_equal(h->max_ns, rows[i].high);
        assert_int_equal(h->counts[histogram_bucket(rows[i].low + (rows[i].high - rows[i].low + 1) / 2)], 1);
    }
    test_free(h);
}

static void values_in_microseconds_become_nanoseconds(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct histogram *h = make_histogram();
    struct plain plain = header(V2, 2, 2, 1, 1000);
    put(&plain, 3, 1); /* two empty ones */
    put(&plain, 10, 1);
    assert_true(decode_plain(&plain, 1000, h, &error));
    assert_int_equal(h->counts[histogram_bucket(2000)], 5);
    assert_int_equal(h->min_ns, 2000);
    assert_int_equal(h->max_ns, 2000);
    assert_int_equal(h->sum_ns, 10000);
    test_free(h);
}

/* The ninth byte of a number has eight bits: the longest count is 2^63 − 1. */
static void the_longest_count_is_read_and_one_more_refused(void **state)
{
    static const uint8_t most[] = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    (void)state;
    struct error error = ERROR_INIT;
    struct histogram *h = make_histogram();
    struct plain plain = header(V2, 9, 2, 1, 1000);
    for (size_t i = 0; i < sizeof most; i++)
        put(&plain, most[i], 1);
    if (!decode_plain(&plain, 1000000000, h, &error))
        fail_msg("%s", error.text);
    assert_int_equal(h->count, INT64_MAX);
    assert_int_equal(h->counts[0], INT64_MAX);
    put(&plain, 2, 1);
    plain.bytes[7] = 10;
    assert_false(decode_plain(&plain, 1, h, &error));
    assert_non_null(strstr(error.text, "more than 2^63 - 1 samples"));
    test_free(h);
}

/* ---- hostile ---------------------------------------------------------------------------------------------------- */

static void a_wrong_plain_form_is_refused_with_its_reason(void **state)
{
    static const struct {
        uint32_t cookie, payload, digits;
        uint64_t lowest, highest;
        const char *counts;
        size_t count_bytes;
        const char *why;
    } rows[] = {
        {0x1C849381, 0, 2, 1, 1000, "", 0, "V1 encoding"},
        {0x1C849382, 0, 2, 1, 1000, "", 0, "V1 encoding"},
        {0x1C849308, 0, 2, 1, 1000, "", 0, "V0 encoding"},
        {0x0C72124E, 0, 2, 1, 1000, "", 0, "histogram of doubles"},
        {0x00000000, 0, 2, 1, 1000, "", 0, "no histogram in HdrHistogram's encoding"},
        {V2, 0, 0, 1, 1000, "", 0, "significant digits must be 1 to 5"},
        {V2, 0, 6, 1, 1000, "", 0, "significant digits must be 1 to 5"},
        {V2, 0, UINT32_MAX, 1, 1000, "", 0, "significant digits must be 1 to 5"},
        {V2, 0, 2, 0, 1000, "", 0, "highest value must be twice its lowest"},
        {V2, 0, 2, 501, 1000, "", 0, "highest value must be twice its lowest"},
        {V2, 0, 2, 1, UINT64_MAX, "", 0, "highest value must be twice its lowest"},
        {V2, 0, 2, UINT64_MAX, UINT64_MAX, "", 0, "highest value must be twice its lowest"},
        {V2, 0, 5, UINT64_C(1) << 45, INT64_MAX, "", 0, "lowest value is too high"},
        {V2, UINT32_MAX, 2, 1, 1000, "", 0, "payload is longer than all its buckets"},
        {V2, 3457 + 2304, 2, 1, 1000, "", 0, "payload is longer than all its buckets"},
        {V2, 2, 2, 1, 1000, "\x02", 1, "cut off"},
        {V2, 1, 2, 1, 1000, "\x02\x02", 2, "longer than its header says"},
        {V2, 1, 2, 1, 1000, "\x80", 1, "payload ends within a count"},
        {V2, 3, 2, 1, 1000, "\x80\x80\x80", 3, "payload ends within a count"},
        {V2, 3, 2, 1, 1000, "\xFF\x07\x02", 3, "counts above its highest value"}, /* 512 of 512 empty, and one */
        {V2, 9, 2, 1, 1000, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 9, "counts above its highest value"},
    };
    (void)state;
    struct histogram *h = make_histogram();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = ERROR_INIT;
        struct plain plain = header(rows[i].cookie, rows[i].payload, rows[i].digits, rows[i].lowest, rows[i].highest);
        for (size_t at = 0; at < rows[i].count_bytes; at++)
            put(&plain, (uint8_t)rows[i].counts[at], 1);
        assert_false(decode_plain(&plain, 1, h, &error));
        if (!strstr(error.text, rows[i].why) || strncmp(error.text, "here: ", 6) != 0)
            fail_msg("row %u: \"%s\", not \"%s\"", (unsigned)i, error.text, rows[i].why);
    }
    test_free(h);
}

static void the_last_bucket_of_a_layout_may_be_used(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct histogram *h = make_histogram();
    struct plain plain = header(V2, 3, 2, 1, 1000);
    put(&plain, 0xFD0702, 3); /* 511 of 512 empty, and one */
    if (!decode_plain(&plain, 1, h, &error))
        fail_msg("%s", error.text);
    assert_int_equal(h->max_ns, 1023);
    test_free(h);
}

/* The compressed form of log_interval with `more` bytes behind it and a length that is `off` too long. */
static void refuses_zipped(size_t more, uint8_t off, const char *why)
{
    struct error error = ERROR_INIT;
    struct histogram *h = make_histogram();
    uint8_t bytes[sizeof log_interval + 16] = {0};
    char text[BASE64_LENGTH(sizeof bytes) + 1];
    size_t count;
    assert_true(base64_decode(log_interval, strlen(log_interval), bytes, &count));
    bytes[7] = (uint8_t)(bytes[7] + off);
    base64_encode(bytes, count + more, text);
    assert_false(hdr_decode(text, strlen(text), 1, "here", h, &error));
    if (!strstr(error.text, why))
        fail_msg("\"%s\", not \"%s\"", error.text, why);
    test_free(h);
}

static void a_wrong_compressed_form_is_refused_with_its_reason(void **state)
{
    (void)state;
    refuses_zipped(0, 1, "has not the length that it says");
    refuses_zipped(0, 255, "has not the length that it says");
    refuses_zipped(3, 0, "has not the length that it says");
    refuses_zipped(3, 3, "something follows the histogram's zlib stream");
}

static void every_cut_and_every_changed_letter_is_refused_or_read(void **state)
{
    (void)state;
    struct histogram *h = make_histogram();
    char text[sizeof log_interval];
    for (size_t length = 0; length < sizeof log_interval - 1; length++) {
        struct error error = ERROR_INIT;
        assert_false(hdr_decode(log_interval, length, 1, "here", h, &error));
        assert_true(error.kind == ERR_DATA);
    }
    for (size_t at = 0; at < sizeof log_interval - 1; at++) {
        struct error error = ERROR_INIT;
        strcpy(text, log_interval);
        text[at] = text[at] == 'A' ? 'B' : 'A';
        /* zlib's checksum tells, but for the bits that the cookie's word size has. */
        if (hdr_decode(text, strlen(text), 1, "here", h, &error))
            assert_int_equal(h->count, 741);
    }
    test_free(h);
}

/* ---- logs ------------------------------------------------------------------------------------------------------- */

/* Lines of HdrHistogram's own test resource tagged-non-monotonic.hlog. The counts are those of an independent
 * decoder, tests/core/hdr_check.py. */
static const char tagged_log[] =
    "#[Histogram log format version 1.2]\r\n"
    "#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]\r\n"
    "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\r\n"
    "Tag=A,2.133,1.001,0.426,"
    "HISTFAAAAD942pNpmSzMwMAgwwABTBDKT4GBgdnNYMcCBvsPEBE+Ph4OLgk5OSkeIS4+LgEeswIDo1+MbmdYNASYAA51CSo=\r\n"
    "\r\n"
    "Tag=B,0.127,1.007,2.769,"
    "HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR4nrxg9v2lMaxhvMekILGZkKmcCAEf2CsI=\r\n"
    "Tag=A,3.134,1.001,0.426,"
    "HISTFAAAAD942pNpmSzMwMAgwwABTBDKT4GBgdnNYMcCBvsPEBExPiEpITEFGTkRKSEeOR6FkCg1hTeMXvNYlHhYABQ5CTo=\r\n"
    "6.134,0.999,0.442,"
    "HISTFAAAAEF42pNpmSzMwMAgxwABTBDKT4GBgdnNYMcCBvsPEBEWIS4FITEhDiEJERE+GT6ZkhZGLbl7jEqrWHREmFgAIbAJMw==";

static void lines_of_one_tag_are_one_histogram(void **state)
{
    static const struct {
        const char *tag;
        uint64_t lines, count;
    } rows[] = {{"A", 2, 1498}, {"B", 1, 741}, {"", 1, 748}};
    (void)state;
    struct error error = ERROR_INIT;
    struct hdr_log log = {0};
    for (uint64_t times = 1; times <= 2; times++) { /* a second file adds to the first */
        if (!hdr_log_add(&log, tagged_log, sizeof tagged_log - 1, "run.hlog", 1, &error))
            fail_msg("%s", error.text);
        assert_int_equal(log.count, 3);
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            assert_string_equal(log.tags[i].tag, rows[i].tag);
            assert_int_equal(log.tags[i].lines, times * rows[i].lines);
            assert_int_equal(log.tags[i].latency.count, times * rows[i].count);
        }
    }
    hdr_log_done(&log);
}

static void base64_alone_is_a_log_without_times(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct hdr_log log = {0};
    char text[512];
    snprintf(text, sizeof text, "%s\n  %s\n\n", log_interval, log_interval);
    assert_true(hdr_log_add(&log, text, strlen(text), "lines.txt", 1, &error));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.tags[0].latency.count, 2 * 741);
    hdr_log_done(&log);
}

static void a_wrong_line_is_refused_with_file_and_number(void **state)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "run.hlog: holds no histogram"},
        {"# nothing\n", "run.hlog: holds no histogram"},
        {"\n\nTag=a,1,2,x,HISTFAAAABl4nJNpmSzMgADMUFoEyn1h/wHCAgBDogN4\n", "run.hlog: line 3: must be [Tag=TEXT,]"},
        {"1,2\n", "run.hlog: line 1: must be [Tag=TEXT,]"},
        {"1,2,3\n", "run.hlog: line 1: this is no histogram"},
        {"1,2,3,\n", "run.hlog: line 1: this is no histogram"},
        {"1,2,3,4,HISTFAAAABl4nJNpmSzMgADMUFoEyn1h/wHCAgBDogN4", "run.hlog: line 1: the histogram is not base64"},
        {"Tag=a\n", "run.hlog: line 1: this is no histogram"},
        {"Tag=0123456789012345678901234567890123456789012345678901234567890123,1,1,1,HIST", "line 1: the tag must be"},
        {"1,1,1,HISTIgAAAFd42pNpmazIwMAYxgABTBDKT4GBgdnNYMcCBvsPUBkeBkYGZqA8MwMbAzsDC5DFBCTZgJCDQY1BjkGLQZRBlUEPCB8zW"
         "DCYMxgDZZkZhgJgHDibAY8JB/A=",
         "run.hlog: line 1: the histogram is in HdrHistogram's V1 encoding"},
        {"not a log at all\n", "run.hlog: line 1: the histogram is not base64 text"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = ERROR_INIT;
        struct hdr_log log = {0};
        assert_false(hdr_log_add(&log, rows[i].text, strlen(rows[i].text), "run.hlog", 1, &error));
        if (!strstr(error.text, rows[i].why))
            fail_msg("row %u: \"%s\", not \"%s\"", (unsigned)i, error.text, rows[i].why);
        hdr_log_done(&log);
    }
}

static void the_65th_tag_is_refused(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct hdr_log log = {0};
    char *text = test_calloc(65, 256);
    for (int i = 0; i < 65; i++)
        snprintf(text + strlen(text), 256, "Tag=%d,0,1,0,%s\n", i, log_interval);
    assert_false(hdr_log_add(&log, text, strlen(text), "run.hlog", 1, &error));
    assert_non_null(strstr(error.text, "line 65: this is the 65th tag"));
    assert_int_equal(log.count, 64);
    hdr_log_done(&log);
    test_free(text);
}

static void sums_over_lines_do_not_wrap(void **state)
{
    static const uint8_t most[] = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    (void)state;
    struct error error = ERROR_INIT;
    struct hdr_log log = {0};
    struct plain plain = header(V2, 9, 2, 1, 1000);
    char text[256];
    for (size_t i = 0; i < sizeof most; i++)
        put(&plain, most[i], 1);
    base64_encode(plain.bytes, plain.count, text);
    assert_true(hdr_log_add(&log, text, strlen(text), "run.hlog", 1, &error));
    assert_false(hdr_log_add(&log, text, strlen(text), "run.hlog", 1, &error));
    assert_non_null(strstr(error.text, "more samples than 64 bits"));
    hdr_log_done(&log);
}

static struct result *make_result(void)
{
    struct job job;
    job_init(&job);
    struct result *result = result_make(&job);
    assert_non_null(result);
    result->measured = true;
    result->wall_start_ns = UINT64_C(1500000000250000000);
    result->load_ns = UINT64_C(2500000000);
    result->end_sync_ns = UINT64_C(125000000);
    for (uint64_t i = 1; i <= 1000; i++) {
        histogram_record(&result->total.of[CLASS_READ].latency, i * 1000);
        histogram_record(&result->total.of[CLASS_END_SYNC].latency, i * 2000);
    }
    return result;
}

static void a_results_log_has_a_line_for_each_class_with_operations(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct result *result = make_result();
    struct hdr_log log = {0};
    char *text = hdr_log_of_result(result, &error);
    assert_non_null(text);
    assert_non_null(strstr(text, "\n#[StartTime: 1500000000.250 (seconds since epoch)]\n"));
    assert_non_null(strstr(text, "\nTag=read,0.000,2.500,1.000,HISTFAAA"));
    assert_non_null(strstr(text, "\nTag=end_sync,2.500,0.125,2.000,HISTFAAA"));
    assert_true(hdr_log_add(&log, text, strlen(text), "run.hlog", 1, &error));
    assert_int_equal(log.count, 2);
    check_same_counts(&log.tags[0].latency, &result->total.of[CLASS_READ].latency);
    check_same_counts(&log.tags[1].latency, &result->total.of[CLASS_END_SYNC].latency);
    hdr_log_done(&log);
    free(text);
    result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_is_that_of_the_standard),
        cmocka_unit_test(what_is_no_base64_is_refused),
        cmocka_unit_test(histograms_of_other_implementations_are_read),
        cmocka_unit_test(every_bucket_comes_back),
        cmocka_unit_test(counts_of_any_size_come_back),
        cmocka_unit_test(a_sample_above_the_highest_value_keeps_its_bucket),
        cmocka_unit_test(buckets_of_other_layouts_are_found),
        cmocka_unit_test(values_in_microseconds_become_nanoseconds),
        cmocka_unit_test(the_longest_count_is_read_and_one_more_refused),
        cmocka_unit_test(a_wrong_plain_form_is_refused_with_its_reason),
        cmocka_unit_test(the_last_bucket_of_a_layout_may_be_used),
        cmocka_unit_test(a_wrong_compressed_form_is_refused_with_its_reason),
        cmocka_unit_test(every_cut_and_every_changed_letter_is_refused_or_read),
        cmocka_unit_test(lines_of_one_tag_are_one_histogram),
        cmocka_unit_test(base64_alone_is_a_log_without_times),
        cmocka_unit_test(a_wrong_line_is_refused_with_file_and_number),
        cmocka_unit_test(the_65th_tag_is_refused),
        cmocka_unit_test(sums_over_lines_do_not_wrap),
        cmocka_unit_test(a_results_log_has_a_line_for_each_class_with_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
