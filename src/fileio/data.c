#include "fileio/data.h"

#include "core/random.h"

#include <stdlib.h>
#include <string.h>

#define WORD sizeof(uint64_t)

static void make_random(struct data *data, uint64_t seed)
{
    struct random random;
    random_init(&random, seed, UINT64_MAX); /* a stream that no worker has */
    for (size_t i = 0; i < data->base_bytes / WORD; ++i)
        data->base[i] = random_next(&random);
}

static void make_count_up(struct data *data)
{
    uint8_t *bytes = (uint8_t *)data->base;
    for (size_t i = 0; i < data->base_bytes; ++i)
        bytes[i] = (uint8_t)i;
}

bool data_init(struct data *data, const struct job *job, size_t block_bytes, uint64_t seed)
{
    memset(data, 0, sizeof(*data));
    data->kind = job->data;
    data->block_bytes = block_bytes;
    if (job->data == DATA_ZERO)
        return true;
    data->random_bytes = block_bytes;
    if (job->data == DATA_RANDOM)
        data->random_bytes -= (size_t)((uint64_t)block_bytes * job->compress_percent / 100);
    data->base_bytes = (data->random_bytes + WORD - 1) / WORD * WORD;
    if (data->base_bytes == 0)
        return true;
    data->base = malloc(data->base_bytes);
    if (!data->base)
        return false;
    if (job->data == DATA_RANDOM)
        make_random(data, seed);
    else
        make_count_up(data);
    return true;
}

void data_done(struct data *data)
{
    free(data->base);
    data->base = NULL;
}

/* splitmix64's output function: neighbouring keys give unrelated words. */
static uint64_t scatter(uint64_t key)
{
    key += UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ (key >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ (key >> 27)) * UINT64_C(0x94d049bb133111eb);
    return key ^ (key >> 31);
}

/* A compressor that keeps several blocks in its window finds no repeats: two blocks from the same base differ in
 * every word by the same unknown, so no run of bytes is the same at the same distance. */
static void fill_block(const struct data *data, uint8_t *block, uint64_t key)
{
    uint64_t mask = scatter(key);
    size_t words = data->random_bytes / WORD, rest = data->random_bytes % WORD;
    for (size_t i = 0; i < words; ++i) {
        uint64_t word = data->base[i] ^ mask;
        memcpy(block + i * WORD, &word, WORD);
    }
    if (rest) {
        uint64_t word = data->base[words] ^ mask;
        memcpy(block + words * WORD, &word, rest);
    }
    memset(block + data->random_bytes, 0, data->block_bytes - data->random_bytes);
}

void data_fill(const struct data *data, uint8_t *buffer, size_t bytes, uint64_t key)
{
    if (!data->base) {
        memset(buffer, 0, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += data->block_bytes) {
        if (data->kind == DATA_RANDOM)
            fill_block(data, buffer + at, key++);
        else
            memcpy(buffer + at, data->base, data->block_bytes);
    }
}
