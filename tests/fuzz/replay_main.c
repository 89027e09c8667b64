/* Feeds a fuzz target the files named and changed copies of them, the same in every run: a regression test that needs
 * no fuzzer. Ends after about a second, so a slow machine tries fewer copies. */
#include "tests/fuzz/fuzz.h"

#include "platform/clock.h"
#include "platform/compiler.h"

#include <inttypes.h>

#define SEED_BYTES_MAX ((size_t)1 << 20)
#define ROUNDS_MAX 2000
#define BUDGET_NS NS_PER_S

struct input {
    uint8_t *bytes;
    size_t size, room;
};

struct dice {
    uint64_t state;
};

/* SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators"). */
static uint64_t throw_dice(struct dice *dice, uint64_t below)
{
    uint64_t z = dice->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (z ^ (z >> 31)) % below;
}

/* ---- changes: each leaves an input of at least one byte ---- */

static void flip_bit(struct input *input, struct dice *dice)
{
    input->bytes[throw_dice(dice, input->size)] ^= (uint8_t)(1U << throw_dice(dice, 8));
}

static void set_byte(struct input *input, struct dice *dice)
{
    static const uint8_t values[] = {0, 1, 127, 128, 255, '0', '9', '-', '.', ',', '"', '{', '}', '[', ']', '\n', '='};
    input->bytes[throw_dice(dice, input->size)] = values[throw_dice(dice, sizeof values)];
}

static void cut_end(struct input *input, struct dice *dice)
{
    input->size = 1 + throw_dice(dice, input->size);
}

static void cut_middle(struct input *input, struct dice *dice)
{
    size_t at = throw_dice(dice, input->size), bytes = 1 + throw_dice(dice, 16);
    if (at + bytes >= input->size)
        return;
    memmove(input->bytes + at, input->bytes + at + bytes, input->size - at - bytes);
    input->size -= bytes;
}

/* A piece from elsewhere in the input, put in once more. */
static void repeat_piece(struct input *input, struct dice *dice)
{
    uint8_t piece[64];
    size_t from = throw_dice(dice, input->size), at = throw_dice(dice, input->size);
    size_t bytes = 1 + throw_dice(dice, sizeof piece);
    if (from + bytes > input->size || input->size + bytes > input->room)
        return;
    memcpy(piece, input->bytes + from, bytes);
    memmove(input->bytes + at + bytes, input->bytes + at, input->size - at);
    memcpy(input->bytes + at, piece, bytes);
    input->size += bytes;
}

static void (*const changes[])(struct input *, struct dice *) = {flip_bit, set_byte, cut_end, cut_middle, repeat_piece};

/* ---- feeding ---- */

static void feed_changed(const char *seed, size_t size, struct input *input, struct dice *dice)
{
    memcpy(input->bytes, seed, size);
    input->size = size;
    for (uint64_t n = 1 + throw_dice(dice, 4); n > 0 && size > 0; n--)
        changes[throw_dice(dice, COUNT_OF(changes))](input, dice);
    LLVMFuzzerTestOneInput(input->bytes, input->size);
}

static uint64_t replay(const char *path, uint64_t budget_ns)
{
    struct clock clock = clock_system();
    uint64_t start_ns = clock_now_ns(&clock), rounds = 0;
    struct error error = ERROR_INIT;
    struct dice dice = {1};
    char *seed;
    size_t size;
    if (!path_read_text(path, SEED_BYTES_MAX, &seed, &size, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    struct input input = {malloc(size + 4096), 0, size + 4096};
    FUZZ_REQUIRE(input.bytes != NULL);
    LLVMFuzzerTestOneInput((const uint8_t *)seed, size);
    while (rounds < ROUNDS_MAX && clock_now_ns(&clock) - start_ns < budget_ns) {
        feed_changed(seed, size, &input, &dice);
        rounds++;
    }
    free(input.bytes);
    free(seed);
    return rounds + 1;
}

int main(int argc, char **argv)
{
    uint64_t inputs = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE…\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        inputs += replay(argv[i], BUDGET_NS / (uint64_t)(argc - 1));
    printf("%" PRIu64 " inputs of %d files\n", inputs, argc - 1);
    return 0;
}
