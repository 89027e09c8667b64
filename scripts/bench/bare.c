/* bare.c: the least that a timed random read can cost: one pread between two readings of the clock, and a count in a
 * histogram. What a benchmark adds to this is its own. Linux; compiled by scripts/bench.sh.
 *
 *   bare FILE BLOCK_BYTES THREADS SECONDS   prints reads per second
 *   bare FILE BLOCK_BYTES 1 0 READS         so many reads, to count instructions */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 1024
#define NS_PER_S UINT64_C(1000000000)

struct task {
    pthread_t thread;
    int file;
    uint64_t block_bytes, blocks, seed, time_ns, reads_limit;
    uint64_t reads, ns;
    uint64_t counts[64]; /* one for each power of two */
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* xorshift64 (Marsaglia, "Xorshift RNGs", 2003), then a multiplication in place of a division. */
static uint64_t next_block(struct task *task)
{
    task->seed ^= task->seed << 13;
    task->seed ^= task->seed >> 7;
    task->seed ^= task->seed << 17;
    return (task->seed >> 32) * task->blocks >> 32;
}

static void *work(void *argument)
{
    struct task *task = argument;
    char *buffer = aligned_alloc(4096, (task->block_bytes + 4095) / 4096 * 4096);
    uint64_t begin_ns = now_ns(), end_ns = begin_ns;
    while (buffer && task->reads < task->reads_limit && end_ns - begin_ns < task->time_ns) {
        uint64_t offset = next_block(task) * task->block_bytes, start_ns = now_ns();
        if (pread(task->file, buffer, task->block_bytes, (off_t)offset) != (ssize_t)task->block_bytes) {
            perror("bare: pread");
            exit(1);
        }
        end_ns = now_ns();
        ++task->counts[63 - __builtin_clzll((end_ns - start_ns) | 1)];
        ++task->reads;
    }
    task->ns = end_ns - begin_ns;
    free(buffer);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct task tasks[THREADS_MAX];
    struct stat status;
    int file = argc < 5 ? -1 : open(argv[1], O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
        fprintf(stderr, "usage: bare FILE BLOCK_BYTES THREADS SECONDS [READS]\n");
        return 2;
    }
    uint64_t block_bytes = strtoull(argv[2], NULL, 10), threads = strtoull(argv[3], NULL, 10);
    uint64_t time_ns = strtoull(argv[4], NULL, 10) * NS_PER_S, reads = argc > 5 ? strtoull(argv[5], NULL, 10) : 0;
    if (block_bytes == 0 || (uint64_t)status.st_size < block_bytes || threads == 0 || threads > THREADS_MAX)
        return 2;
    double per_s = 0;
    for (uint64_t i = 0; i < threads; ++i) {
        tasks[i] = (struct task){.file = file, .block_bytes = block_bytes, .seed = i + 1};
        tasks[i].blocks = (uint64_t)status.st_size / block_bytes;
        tasks[i].time_ns = time_ns ? time_ns : UINT64_MAX;
        tasks[i].reads_limit = reads ? reads : UINT64_MAX;
        if (threads > 1 && pthread_create(&tasks[i].thread, NULL, work, &tasks[i]) != 0)
            return 1;
    }
    if (threads == 1) /* without a second thread the C library spares some checks */
        work(&tasks[0]);
    for (uint64_t i = 0; i < threads; ++i) {
        if (threads > 1)
            pthread_join(tasks[i].thread, NULL);
        per_s += tasks[i].ns ? (double)tasks[i].reads * (double)NS_PER_S / (double)tasks[i].ns : 0;
    }
    printf("%.1f\n", per_s);
    close(file);
    return 0;
}
