/* fileio/stamp.h: what each block carries with verify on, so that whoever reads it can tell whether it is the right
 * one and whole. Little-endian and the same on every system; docs/verify.md shows the layout.
 *
 * A block begins with a header: which set, file and offset it belongs to, which write it is from (its generation), and
 * a checksum of all of it. Every further 512 bytes begin with a mark of the same write, so that a block of which only
 * a part was written tells which part. */
#ifndef FILEIO_STAMP_H
#define FILEIO_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STAMP_HEADER_BYTES 64
#define STAMP_SECTOR_BYTES 512
#define STAMP_MARK_BYTES 16
#define STAMP_VERSION 1

/* Whole numbers, least byte first. */
void stamp_put_uint(uint8_t *to, uint64_t value, size_t bytes);
uint64_t stamp_get_uint(const uint8_t *from, size_t bytes);
uint64_t stamp_hash(const uint8_t *bytes, size_t count); /* XXH3, 64 bits */

/* A generation is the number of the set's run (prepare is run 1) and of the block's write in it, so that whatever a
 * later run writes is above all that earlier ones wrote, whether or not they ended well. 0 = never written. */
#define GENERATION_WRITE_BITS 40
#define GENERATION_RUN_MAX ((UINT64_C(1) << 20) - 1) /* 60 bits in all */
#define GENERATION_TEXT_BYTES 48

static inline uint64_t generation_of(uint64_t run, uint64_t write)
{
    return run << GENERATION_WRITE_BITS | write;
}

/* "3.17": write 17 of run 3. Returns out. */
char *generation_text(uint64_t generation, char out[GENERATION_TEXT_BYTES]);

struct stamp {
    uint64_t set; /* a random number that a set's blocks and its ledger have in common */
    uint64_t file, offset, generation;
    uint32_t thread, block_bytes;
};

/* Writes header and marks into a block of stamp->block_bytes, at least STAMP_HEADER_BYTES, whose data is in it. */
void stamp_seal(uint8_t *block, const struct stamp *stamp);

enum verdict {
    VERDICT_GOOD,
    VERDICT_NEWER,       /* above what was acknowledged as durable: a write that nobody was told of */
    VERDICT_INTERRUPTED, /* half of such a write over what was acknowledged: devices may tear what is in flight */
    VERDICT_UNWRITTEN,   /* nothing was acknowledged here, and nothing whole is here */
    VERDICT_LOST,        /* zeros, or past the end of the file: no trace of what was acknowledged */
    VERDICT_STALE,       /* an older write than what was acknowledged */
    VERDICT_TORN,        /* not as it was written: the checksum is wrong */
    VERDICT_MISPLACED,   /* a whole block that belongs elsewhere */
    VERDICT_ALIEN,       /* no block that isobench's verify made */
    VERDICT_UNREADABLE,  /* the system could not read it */
    VERDICT_COUNT
};
extern const char *const verdict_names[VERDICT_COUNT]; /* "good", "newer", … */
bool verdict_is_wrong(enum verdict verdict);

/* What must be there: the block of this place, of this generation at least. */
struct expectation {
    struct stamp place; /* its generation is the least one; 0 = any, or nothing */
    bool exact;         /* of that generation and no other: nothing is in flight and no crash lies between */
};

struct judgement {
    enum verdict verdict;
    bool has_header; /* found holds what the header says */
    struct stamp found;
    uint64_t checksum, computed;
    uint32_t odd_sector; /* torn: the first sector that is not from the header's write; 0 = none shows it */
    bool odd_is_marked;  /* it is from another write of this block: odd_generation */
    uint64_t odd_generation;
    bool past_end; /* lost: the file ends before it */
    int os_code;   /* unreadable: the system's reason */
};

void stamp_judge(const uint8_t *block, const struct expectation *expected, struct judgement *out);

/* Both in words, for findings. */
void expectation_text(const struct expectation *expected, char *out, size_t out_bytes);
void judgement_text(const struct judgement *judgement, const struct expectation *expected, char *out, size_t out_bytes);

#endif
