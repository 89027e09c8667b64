#include "fileio/stamp.h"

#include "platform/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Where the parts of a header are. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_BLOCK_BYTES = 12,
    AT_SET = 16,
    AT_FILE = 24,
    AT_OFFSET = 32,
    AT_GENERATION = 40,
    AT_THREAD = 48,
    AT_HEADER_CHECK = 52, /* of what is before it */
    AT_CHECKSUM = 56,     /* of the whole block but for itself */
};

static const uint8_t magic[8] = {'i', 's', 'o', 'b', 'e', 'n', 'c', 'h'};

const char *const verdict_names[VERDICT_COUNT] = {"good",  "newer", "interrupted", "unwritten", "lost",
                                                  "stale", "torn",  "misplaced",   "alien",     "unreadable"};

bool verdict_is_wrong(enum verdict verdict)
{
    return verdict >= VERDICT_LOST;
}

void stamp_put_uint(uint8_t *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        to[i] = (uint8_t)(value >> (8 * i));
}

uint64_t stamp_get_uint(const uint8_t *from, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

uint64_t stamp_hash(const uint8_t *bytes, size_t count)
{
    return XXH3_64bits(bytes, count);
}

char *generation_text(uint64_t generation, char out[GENERATION_TEXT_BYTES])
{
    snprintf(out, GENERATION_TEXT_BYTES, "%" PRIu64 ".%" PRIu64, generation >> GENERATION_WRITE_BITS,
             generation & ((UINT64_C(1) << GENERATION_WRITE_BITS) - 1));
    return out;
}

/* ---- sealing ---------------------------------------------------------------------------------------------------- */

static uint64_t checksum_of(const uint8_t *block, size_t bytes)
{
    return XXH3_64bits_withSeed(block + STAMP_HEADER_BYTES, bytes - STAMP_HEADER_BYTES,
                                XXH3_64bits(block, AT_CHECKSUM));
}

static uint64_t header_check_of(const uint8_t *block)
{
    return XXH3_64bits(block, AT_HEADER_CHECK) & UINT32_MAX;
}

/* Sectors after the first that have room for a mark. */
static uint32_t marked_sectors(uint32_t block_bytes)
{
    return (block_bytes - STAMP_MARK_BYTES) / STAMP_SECTOR_BYTES;
}

/* Binds a mark to its place and its generation. */
static uint64_t mark_check(const struct stamp *stamp, uint32_t sector, uint64_t generation)
{
    uint8_t text[40];
    stamp_put_uint(text, stamp->set, 8);
    stamp_put_uint(text + 8, stamp->file, 8);
    stamp_put_uint(text + 16, stamp->offset, 8);
    stamp_put_uint(text + 24, sector, 8);
    stamp_put_uint(text + 32, generation, 8);
    return XXH3_64bits(text, sizeof(text));
}

static void put_marks(uint8_t *block, const struct stamp *stamp)
{
    for (uint32_t sector = 1; sector <= marked_sectors(stamp->block_bytes); ++sector) {
        uint8_t *mark = block + (size_t)sector * STAMP_SECTOR_BYTES;
        stamp_put_uint(mark, stamp->generation, 8);
        stamp_put_uint(mark + 8, mark_check(stamp, sector, stamp->generation), 8);
    }
}

void stamp_seal(uint8_t *block, const struct stamp *stamp)
{
    memcpy(block + AT_MAGIC, magic, sizeof(magic));
    stamp_put_uint(block + AT_VERSION, STAMP_VERSION, 4);
    stamp_put_uint(block + AT_BLOCK_BYTES, stamp->block_bytes, 4);
    stamp_put_uint(block + AT_SET, stamp->set, 8);
    stamp_put_uint(block + AT_FILE, stamp->file, 8);
    stamp_put_uint(block + AT_OFFSET, stamp->offset, 8);
    stamp_put_uint(block + AT_GENERATION, stamp->generation, 8);
    stamp_put_uint(block + AT_THREAD, stamp->thread, 4);
    stamp_put_uint(block + AT_HEADER_CHECK, header_check_of(block), 4);
    put_marks(block, stamp);
    stamp_put_uint(block + AT_CHECKSUM, checksum_of(block, stamp->block_bytes), 8);
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

static bool is_all_zeros(const uint8_t *block, size_t bytes)
{
    return block[0] == 0 && memcmp(block, block + 1, bytes - 1) == 0;
}

static bool has_header(const uint8_t *block)
{
    return memcmp(block + AT_MAGIC, magic, sizeof(magic)) == 0 &&
           stamp_get_uint(block + AT_VERSION, 4) == STAMP_VERSION &&
           stamp_get_uint(block + AT_HEADER_CHECK, 4) == header_check_of(block);
}

static void read_header(const uint8_t *block, struct stamp *out)
{
    out->block_bytes = (uint32_t)stamp_get_uint(block + AT_BLOCK_BYTES, 4);
    out->set = stamp_get_uint(block + AT_SET, 8);
    out->file = stamp_get_uint(block + AT_FILE, 8);
    out->offset = stamp_get_uint(block + AT_OFFSET, 8);
    out->generation = stamp_get_uint(block + AT_GENERATION, 8);
    out->thread = (uint32_t)stamp_get_uint(block + AT_THREAD, 4);
}

static bool is_of_place(const struct stamp *found, const struct stamp *place)
{
    return found->set == place->set && found->file == place->file && found->offset == place->offset &&
           found->block_bytes == place->block_bytes;
}

/* Looks at the marks of a block whose checksum is wrong. True when every sector is from a write of this block, none
 * of them older than what is expected: the newest of these writes was cut off. */
static bool only_interrupted(const uint8_t *block, const struct expectation *expected, struct judgement *out)
{
    bool all_marked = true;
    for (uint32_t sector = 1; sector <= marked_sectors(expected->place.block_bytes); ++sector) {
        const uint8_t *mark = block + (size_t)sector * STAMP_SECTOR_BYTES;
        uint64_t generation = stamp_get_uint(mark, 8);
        bool marked = stamp_get_uint(mark + 8, 8) == mark_check(&expected->place, sector, generation);
        all_marked = all_marked && marked && generation >= expected->place.generation;
        if (out->odd_sector > 0 || (marked && generation == out->found.generation))
            continue;
        out->odd_sector = sector;
        out->odd_is_marked = marked;
        out->odd_generation = generation;
    }
    return all_marked && out->odd_sector > 0 && out->found.generation >= expected->place.generation;
}

static enum verdict judge_without_header(const uint8_t *block, const struct expectation *expected)
{
    if (expected->place.generation == 0 && !expected->exact)
        return VERDICT_UNWRITTEN;
    if (is_all_zeros(block, expected->place.block_bytes))
        return VERDICT_LOST;
    return memcmp(block + AT_MAGIC, magic, sizeof(magic)) == 0 ? VERDICT_TORN : VERDICT_ALIEN;
}

static enum verdict judge_torn(const uint8_t *block, const struct expectation *expected, struct judgement *out)
{
    bool interrupted = only_interrupted(block, expected, out);
    if (expected->exact)
        return VERDICT_TORN;
    return interrupted || expected->place.generation == 0 ? VERDICT_INTERRUPTED : VERDICT_TORN;
}

static enum verdict judge_generation(uint64_t found, const struct expectation *expected)
{
    if (found == expected->place.generation)
        return VERDICT_GOOD;
    if (found < expected->place.generation)
        return VERDICT_STALE;
    return expected->exact ? VERDICT_MISPLACED : VERDICT_NEWER;
}

/* Of another set, where nothing is expected: left over from an earlier life of the device. */
static bool is_leftover(const struct judgement *judgement, const struct expectation *expected)
{
    return judgement->found.set != expected->place.set && expected->place.generation == 0 && !expected->exact;
}

void stamp_judge(const uint8_t *block, const struct expectation *expected, struct judgement *out)
{
    memset(out, 0, sizeof(*out));
    out->has_header = has_header(block);
    if (!out->has_header) {
        out->verdict = judge_without_header(block, expected);
        return;
    }
    read_header(block, &out->found);
    if (!is_of_place(&out->found, &expected->place)) {
        out->verdict = is_leftover(out, expected) ? VERDICT_UNWRITTEN : VERDICT_MISPLACED;
        return;
    }
    out->checksum = stamp_get_uint(block + AT_CHECKSUM, 8);
    out->computed = checksum_of(block, expected->place.block_bytes);
    out->verdict = out->checksum == out->computed ? judge_generation(out->found.generation, expected)
                                                  : judge_torn(block, expected, out);
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

void expectation_text(const struct expectation *expected, char *out, size_t out_bytes)
{
    char generation[GENERATION_TEXT_BYTES];
    generation_text(expected->place.generation, generation);
    if (expected->place.generation == 0)
        snprintf(out, out_bytes, "a block of this place, or none");
    else
        snprintf(out, out_bytes, "generation %s%s", generation, expected->exact ? "" : " or newer");
}

static void torn_text(const struct judgement *judgement, char *out, size_t out_bytes)
{
    char header[GENERATION_TEXT_BYTES], odd[GENERATION_TEXT_BYTES];
    generation_text(judgement->found.generation, header);
    generation_text(judgement->odd_generation, odd);
    if (judgement->odd_sector == 0)
        snprintf(out, out_bytes, "generation %s, checksum %016" PRIx64 " instead of %016" PRIx64, header,
                 judgement->computed, judgement->checksum);
    else if (judgement->odd_is_marked)
        snprintf(out, out_bytes, "a mix: its head is of generation %s, from byte %" PRIu32 " on of generation %s",
                 header, judgement->odd_sector * STAMP_SECTOR_BYTES, odd);
    else
        snprintf(out, out_bytes, "a mix: its head is of generation %s, byte %" PRIu32 " on is from elsewhere", header,
                 judgement->odd_sector * STAMP_SECTOR_BYTES);
}

static void place_text(const struct judgement *judgement, const struct expectation *expected, char *out,
                       size_t out_bytes)
{
    const struct stamp *found = &judgement->found;
    char generation[GENERATION_TEXT_BYTES];
    generation_text(found->generation, generation);
    if (found->set != expected->place.set)
        snprintf(out, out_bytes, "a block of another set (%016" PRIx64 ")", found->set);
    else if (is_of_place(found, &expected->place))
        snprintf(out, out_bytes, "generation %s, which this run did not write", generation);
    else
        snprintf(out, out_bytes, "the block of file %" PRIu64 ", offset %" PRIu64 ", %" PRIu32 " bytes, generation %s",
                 found->file, found->offset, found->block_bytes, generation);
}

void judgement_text(const struct judgement *judgement, const struct expectation *expected, char *out, size_t out_bytes)
{
    char generation[GENERATION_TEXT_BYTES];
    generation_text(judgement->found.generation, generation);
    switch (judgement->verdict) {
    case VERDICT_LOST:
        snprintf(out, out_bytes, judgement->past_end ? "the file ends before it" : "zeros, as if never written");
        return;
    case VERDICT_UNREADABLE:
        os_error_text(judgement->os_code, out, out_bytes);
        return;
    case VERDICT_ALIEN:
        snprintf(out, out_bytes, "a block that isobench's verify did not make");
        return;
    case VERDICT_MISPLACED:
        place_text(judgement, expected, out, out_bytes);
        return;
    case VERDICT_TORN:
    case VERDICT_INTERRUPTED:
        if (judgement->has_header)
            torn_text(judgement, out, out_bytes);
        else
            snprintf(out, out_bytes, "a header that is damaged");
        return;
    default:
        snprintf(out, out_bytes, "generation %s, written by thread %" PRIu32, generation, judgement->found.thread);
    }
}
