/* core/hdr.c: HdrHistogram's V2 encoding. What it is, after the reference implementation's encoder and the text of
 * its classes AbstractHistogram and ZigZagEncoding:
 *
 *   compressed form   cookie, length of the rest, and the plain form as a zlib stream
 *   plain form        cookie, payload length, normalizing index offset, significant digits (4 bytes each, the
 *                     highest first), lowest and highest value, ratio to doubles (8 bytes each); then the payload
 *   payload           the counts from the lowest bucket to that of the highest value, each a ZigZag number in
 *                     LEB128 whose ninth byte, if there is one, has eight bits of value; a negative number stands
 *                     for as many buckets that are empty */
#include "core/hdr.h"

#include "core/base64.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define COOKIE_BASE_MASK UINT32_C(0xFFFFFF0F) /* the rest is a word size: always the same in V2 */
#define COOKIE_V2 UINT32_C(0x1C849303)
#define COOKIE_V2_ZIPPED UINT32_C(0x1C849304)
#define COOKIE_V2_WORD UINT32_C(0x10)

#define HEADER_BYTES 40
#define ZIPPED_HEADER_BYTES 8
#define NUMBER_BYTES_MAX 9

/* Ours: see core/histogram.h. */
#define OUR_DIGITS 2
#define OUR_LOWEST 1

/* ---- numbers in bytes ----------------------------------------------------------------------------------------- */

static uint8_t *put_big_endian(uint8_t *at, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = bytes; i-- > 0;)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static uint64_t get_big_endian(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

static uint8_t *put_leb128(uint8_t *at, uint64_t value)
{
    for (uint32_t i = 1; value > 127 && i < NUMBER_BYTES_MAX; i++) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

/* ZigZag: the sign is the lowest bit. */
static uint8_t *put_count(uint8_t *at, uint64_t count)
{
    return put_leb128(at, count << 1);
}

static uint8_t *put_empty_run(uint8_t *at, uint64_t buckets)
{
    return put_leb128(at, (buckets << 1) - 1);
}

/* ---- encoding --------------------------------------------------------------------------------------------------- */

#define PLAIN_BYTES_MAX (HEADER_BYTES + HISTOGRAM_BUCKETS * NUMBER_BYTES_MAX)
#define ZIPPED_BYTES_MAX (PLAIN_BYTES_MAX + PLAIN_BYTES_MAX / 1000 + 64) /* deflate's worst case is below */

_Static_assert(BASE64_LENGTH(ZIPPED_HEADER_BYTES + ZIPPED_BYTES_MAX) < HDR_TEXT_BYTES, "any histogram has room");

struct forms {
    uint8_t plain[PLAIN_BYTES_MAX];
    uint8_t zipped[ZIPPED_HEADER_BYTES + ZIPPED_BYTES_MAX];
};

/* The bucket of the highest value, and for an empty histogram the first, as the reference has it. */
static uint32_t last_bucket(const struct histogram *histogram)
{
    uint32_t bucket = HISTOGRAM_BUCKETS - 1;
    while (bucket > 0 && histogram->counts[bucket] == 0)
        bucket--;
    return bucket;
}

/* An empty bucket by itself is the count 0. */
static uint8_t *put_payload(uint8_t *at, const struct histogram *histogram)
{
    uint32_t last = last_bucket(histogram);
    for (uint32_t i = 0; i <= last;) {
        uint32_t empty = 0;
        while (i + empty < last && histogram->counts[i + empty] == 0)
            empty++;
        if (empty > 1)
            at = put_empty_run(at, empty);
        else
            at = put_count(at, histogram->counts[i]);
        i += empty > 1 ? empty : 1;
    }
    return at;
}

static size_t put_plain(uint8_t *out, const struct histogram *histogram)
{
    static const double ratio = 1.0;
    uint64_t ratio_bits;
    memcpy(&ratio_bits, &ratio, sizeof ratio_bits);
    uint8_t *end = put_payload(out + HEADER_BYTES, histogram);
    uint8_t *at = put_big_endian(out, COOKIE_V2 | COOKIE_V2_WORD, 4);
    at = put_big_endian(at, (uint64_t)(end - out) - HEADER_BYTES, 4);
    at = put_big_endian(at, 0, 4);
    at = put_big_endian(at, OUR_DIGITS, 4);
    at = put_big_endian(at, OUR_LOWEST, 8);
    at = put_big_endian(at, HISTOGRAM_HIGHEST_NS, 8);
    put_big_endian(at, ratio_bits, 8);
    return (size_t)(end - out);
}

bool hdr_encode(const struct histogram *histogram, char out[HDR_TEXT_BYTES], struct error *error)
{
    struct forms *forms = malloc(sizeof *forms);
    if (!forms)
        return error_set(error, ERR_SYSTEM, "not enough memory to encode a histogram");
    uLong plain_bytes = (uLong)put_plain(forms->plain, histogram);
    uLongf zipped_bytes = ZIPPED_BYTES_MAX;
    int status =
        compress2(forms->zipped + ZIPPED_HEADER_BYTES, &zipped_bytes, forms->plain, plain_bytes, Z_BEST_COMPRESSION);
    if (status == Z_OK) {
        uint8_t *at = put_big_endian(forms->zipped, COOKIE_V2_ZIPPED | COOKIE_V2_WORD, 4);
        put_big_endian(at, zipped_bytes, 4);
        base64_encode(forms->zipped, ZIPPED_HEADER_BYTES + zipped_bytes, out);
    }
    free(forms);
    return status == Z_OK || error_set(error, ERR_SYSTEM, "zlib could not compress a histogram: %s", zError(status));
}

/* ---- decoding: bytes one after the other, unzipped as they are needed -------------------------------------------- */

struct stream {
    const uint8_t *at, *end;
    bool zipped;
    int status; /* zlib's last */
    z_stream zip;
    uint8_t unzipped[4096];
};

/* False at the end, or where the zlib stream is broken: then status is not Z_STREAM_END. */
static bool stream_refill(struct stream *stream)
{
    while (stream->zipped && stream->status == Z_OK && stream->at == stream->end) {
        stream->zip.next_out = stream->unzipped;
        stream->zip.avail_out = sizeof stream->unzipped;
        stream->status = inflate(&stream->zip, Z_NO_FLUSH); /* Z_BUF_ERROR where the stream is cut off */
        stream->at = stream->unzipped;
        stream->end = stream->zip.next_out;
    }
    return stream->at < stream->end;
}

static bool stream_byte(struct stream *stream, uint8_t *out)
{
    if (stream->at == stream->end && !stream_refill(stream))
        return false;
    *out = *stream->at++;
    return true;
}

struct decoding {
    struct stream stream;
    const char *where;
    uint64_t unit_ns;
    struct histogram *out;
    struct error *error;
    /* of the header */
    uint32_t payload_left;
    uint32_t unit_bits, half_bits; /* log2 of the smallest bucket's width, and of the buckets per power of two */
    uint32_t buckets;
    uint32_t next; /* bucket */
};

static bool refuse(const struct decoding *decoding, const char *what)
{
    return error_set(decoding->error, ERR_DATA, "%s: %s", decoding->where, what);
}

static bool refuse_end(const struct decoding *decoding)
{
    int status = decoding->stream.status;
    return refuse(decoding, status == Z_DATA_ERROR || status == Z_NEED_DICT ? "the histogram's zlib stream is damaged"
                                                                            : "the histogram is cut off");
}

/* ---- its layout ---- */

/* Ten to the digits needs so many bits when every value up to twice of it must have its bucket; halved. */
static const uint32_t half_bits_of_digits[] = {0, 4, 7, 10, 14, 17};

/* The first power of two × buckets that reaches beyond the highest value; the reference's arithmetic, in which
 * nothing is above 2^63. */
static uint32_t count_buckets(uint32_t half_bits, uint32_t unit_bits, uint64_t highest)
{
    uint64_t beyond = UINT64_C(2) << (half_bits + unit_bits);
    uint32_t powers = 1;
    for (; beyond <= highest; powers++)
        beyond <<= 1;
    return (powers + 1) << half_bits;
}

static bool take_layout(struct decoding *decoding, uint64_t digits, uint64_t lowest, uint64_t highest)
{
    if (digits < 1 || digits >= COUNT_OF(half_bits_of_digits))
        return refuse(decoding, "the histogram's significant digits must be 1 to 5");
    if (lowest < 1 || highest > INT64_MAX || highest / 2 < lowest)
        return refuse(decoding, "the histogram's highest value must be twice its lowest or more, and that 1 or more");
    decoding->half_bits = half_bits_of_digits[digits];
    decoding->unit_bits = bits_highest(lowest);
    if (decoding->half_bits + decoding->unit_bits > 61)
        return refuse(decoding, "the histogram's lowest value is too high for its significant digits");
    decoding->buckets = count_buckets(decoding->half_bits, decoding->unit_bits, highest);
    return true;
}

/* The normalizing index offset says how the writer's array was turned; the payload is in the order of the values
 * all the same. The ratio is for HdrHistogram's histograms of doubles, which have cookies of their own. */
static bool take_header(struct decoding *decoding)
{
    uint8_t header[HEADER_BYTES];
    for (uint32_t i = 0; i < HEADER_BYTES; i++)
        if (!stream_byte(&decoding->stream, &header[i]))
            return refuse_end(decoding);
    if ((get_big_endian(header, 4) & COOKIE_BASE_MASK) != COOKIE_V2)
        return refuse(decoding, "the compressed histogram is not in HdrHistogram's V2 encoding");
    uint64_t payload = get_big_endian(header + 4, 4);
    if (!take_layout(decoding, get_big_endian(header + 12, 4), get_big_endian(header + 16, 8),
                     get_big_endian(header + 24, 8)))
        return false;
    if (payload > (uint64_t)decoding->buckets * NUMBER_BYTES_MAX)
        return refuse(decoding, "the histogram's payload is longer than all its buckets can be");
    decoding->payload_left = (uint32_t)payload;
    return true;
}

/* ---- its counts ---- */

static uint64_t multiply_saturating(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Smallest value of the next bucket; *width is how many values it has. Both at most 2^62 · 2. */
static uint64_t bucket_low(const struct decoding *decoding, uint64_t *width)
{
    uint32_t half = UINT32_C(1) << decoding->half_bits, power = decoding->next >> decoding->half_bits;
    uint32_t shift = decoding->unit_bits + (power > 0 ? power - 1 : 0);
    uint64_t sub = (decoding->next & (half - 1)) + (power > 0 ? half : 0);
    *width = UINT64_C(1) << shift;
    return sub << shift;
}

static bool add_samples(struct decoding *decoding, uint64_t samples)
{
    struct histogram *out = decoding->out;
    uint64_t width, low = bucket_low(decoding, &width), unit_ns = decoding->unit_ns;
    if (samples > (uint64_t)INT64_MAX - out->count)
        return refuse(decoding, "the histogram has more than 2^63 - 1 samples");
    uint64_t middle = multiply_saturating(low + width / 2, unit_ns);
    if (out->count == 0)
        out->min_ns = multiply_saturating(low, unit_ns);
    out->max_ns = multiply_saturating(low + width - 1, unit_ns);
    out->counts[histogram_bucket(middle)] += samples;
    out->count += samples;
    out->sum_ns = add_saturating(out->sum_ns, multiply_saturating(middle, samples));
    return true;
}

static bool take_number(struct decoding *decoding, uint64_t *out)
{
    uint8_t byte = 128;
    *out = 0;
    for (uint32_t i = 0; i < NUMBER_BYTES_MAX && (byte & 128); i++) {
        if (decoding->payload_left == 0)
            return refuse(decoding, "the histogram's payload ends within a count");
        if (!stream_byte(&decoding->stream, &byte))
            return refuse_end(decoding);
        decoding->payload_left--;
        uint64_t bits = i + 1 < NUMBER_BYTES_MAX ? byte & 127U : byte;
        *out |= bits << 7 * i;
    }
    return true;
}

static bool take_counts(struct decoding *decoding)
{
    while (decoding->payload_left > 0) {
        uint64_t number;
        if (!take_number(decoding, &number))
            return false;
        bool is_run = number & 1;
        uint64_t buckets = is_run ? (number >> 1) + 1 : 1, samples = is_run ? 0 : number >> 1;
        if (buckets > decoding->buckets - decoding->next)
            return refuse(decoding, "the histogram has counts above its highest value");
        if (samples > 0 && !add_samples(decoding, samples))
            return false;
        decoding->next += (uint32_t)buckets;
    }
    return true;
}

/* Nothing may follow, and zlib's checksum must have been right. */
static bool take_end(struct decoding *decoding)
{
    uint8_t byte;
    if (stream_byte(&decoding->stream, &byte))
        return refuse(decoding, "the histogram is longer than its header says");
    if (!decoding->stream.zipped)
        return true;
    if (decoding->stream.status != Z_STREAM_END)
        return refuse_end(decoding);
    return decoding->stream.zip.avail_in == 0 || refuse(decoding, "something follows the histogram's zlib stream");
}

static bool decode_plain(struct decoding *decoding)
{
    return take_header(decoding) && take_counts(decoding) && take_end(decoding);
}

static bool decode_zipped(struct decoding *decoding, const uint8_t *bytes, size_t count)
{
    z_stream *zip = &decoding->stream.zip;
    if (count < ZIPPED_HEADER_BYTES || get_big_endian(bytes + 4, 4) != count - ZIPPED_HEADER_BYTES)
        return refuse(decoding, "the compressed histogram has not the length that it says");
    zip->next_in = (Bytef *)(uintptr_t)(bytes + ZIPPED_HEADER_BYTES); /* only read */
    zip->avail_in = (uInt)(count - ZIPPED_HEADER_BYTES);              /* has 32 bits, as just compared */
    decoding->stream.zipped = true;
    decoding->stream.status = inflateInit(zip);
    if (decoding->stream.status != Z_OK)
        return error_set(decoding->error, ERR_SYSTEM, "%s: zlib could not start: %s", decoding->where,
                         zError(decoding->stream.status));
    decoding->stream.at = decoding->stream.end = decoding->stream.unzipped;
    bool good = decode_plain(decoding);
    inflateEnd(zip);
    return good;
}

/* ---- which form it is ---- */

static const struct {
    uint32_t cookie_base;
    const char *what;
} other_forms[] = {
    {0x1C849301, "the histogram is in HdrHistogram's V1 encoding; only V2 can be read"},
    {0x1C849302, "the histogram is in HdrHistogram's V1 encoding; only V2 can be read"},
    {0x1C849308, "the histogram is in HdrHistogram's V0 encoding; only V2 can be read"},
    {0x1C849309, "the histogram is in HdrHistogram's V0 encoding; only V2 can be read"},
    {0x0C72124E, "this is a histogram of doubles; only those of whole numbers can be read"},
    {0x0C72124F, "this is a histogram of doubles; only those of whole numbers can be read"},
};

static bool refuse_form(const struct decoding *decoding, uint32_t cookie)
{
    for (size_t i = 0; i < COUNT_OF(other_forms); i++)
        if (cookie == other_forms[i].cookie_base || (cookie & COOKIE_BASE_MASK) == other_forms[i].cookie_base)
            return refuse(decoding, other_forms[i].what);
    return refuse(decoding, "this is no histogram in HdrHistogram's encoding: it does not begin as one (HISTFAAA…)");
}

static bool decode_bytes(struct decoding *decoding, const uint8_t *bytes, size_t count)
{
    uint32_t cookie = count < 4 ? 0 : (uint32_t)get_big_endian(bytes, 4);
    if ((cookie & COOKIE_BASE_MASK) == COOKIE_V2_ZIPPED)
        return decode_zipped(decoding, bytes, count);
    if ((cookie & COOKIE_BASE_MASK) != COOKIE_V2)
        return refuse_form(decoding, cookie);
    decoding->stream.at = bytes;
    decoding->stream.end = bytes + count;
    return decode_plain(decoding);
}

bool hdr_decode(const char *text, size_t length, uint64_t unit_ns, const char *where, struct histogram *out,
                struct error *error)
{
    memset(out, 0, sizeof *out);
    struct decoding *decoding = calloc(1, sizeof *decoding);
    uint8_t *bytes = malloc(length / 4 * 3 + 1);
    size_t count;
    bool good = false;
    if (!decoding || !bytes) {
        error_set(error, ERR_SYSTEM, "%s: not enough memory for a histogram", where);
    } else {
        decoding->where = where;
        decoding->unit_ns = unit_ns;
        decoding->out = out;
        decoding->error = error;
        good = base64_decode(text, length, bytes, &count) ? decode_bytes(decoding, bytes, count)
                                                          : refuse(decoding, "the histogram is not base64 text");
    }
    free(bytes);
    free(decoding);
    return good;
}
