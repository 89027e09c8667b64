/* seeker.c: `seeker DEVICE` prints as seeker 2.0 does, `seeker DEVICE THREADS` as 3.0. Facts of form: published
 * outputs. Where 3.0 has labels and values that do not belong together (GB and GiB, the two sector sizes), ours do. */
#include "dialects/seeker.h"

#include "core/settings.h"
#include "core/units.h"
#include "dialects/places.h"
#include "platform/clock.h"
#include "platform/host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 512
#define SECONDS 30
#define SECONDS_MAX 1000000000
#define THREADS_MAX 100000
#define PAGE "http://www.linuxinsight.com/how_fast_is_your_disk.html"

/* Where a thread has been; each thread writes its own alone. */
struct reach {
    uint64_t least, most;
    char apart[CACHE_LINE_BYTES - 2 * sizeof(uint64_t)];
};

struct seeker {
    FILE *out;
    uint64_t seconds, threads; /* threads 0 = not given */
    uint64_t dots;
    struct reach *reach; /* one per thread, of 3.0 */
};

/* ---- printing ---- */

static void print_size_20(const struct seeker *seeker, const struct job *job)
{
    fprintf(seeker->out, "Seeker v2.0, 2007-01-15, " PAGE "\nBenchmarking %s [%" PRIu64 "MB], wait %" PRIu64 " seconds",
            job->target, job->total_size_bytes >> 20, seeker->seconds);
}

static void print_size_30(const struct seeker *seeker, const struct job *job)
{
    uint64_t bytes = job->total_size_bytes;
    struct target_facts facts = {0};
    struct error ignored = ERROR_INIT; /* what is not known is 0 */
    host_target(job->target, &facts, &ignored);
    fprintf(seeker->out,
            "Seeker v3.0, 2009-06-17, " PAGE "\nBenchmarking %s [%" PRIu64 " blocks, %" PRIu64 " bytes, %" PRIu64
            " GB, %" PRIu64 " MB, %" PRIu64 " GiB, %" PRIu64 " MiB]\n",
            job->target, bytes / BLOCK_BYTES, bytes, bytes / 1000000000, bytes / 1000000, bytes >> 30, bytes >> 20);
    fprintf(seeker->out, "[%" PRIu32 " logical sector size, %" PRIu32 " physical sector size]\n",
            facts.logical_sector_bytes, facts.physical_sector_bytes);
    fprintf(seeker->out, "[%" PRIu64 " threads]\nWait %" PRIu64 " seconds", seeker->threads, seeker->seconds);
}

static void run_starting(void *context, const struct job *job)
{
    const struct seeker *seeker = context;
    if (seeker->threads)
        print_size_30(seeker, job);
    else
        print_size_20(seeker, job);
    fflush(seeker->out);
}

static void print_dots(struct seeker *seeker, uint64_t to)
{
    for (; seeker->dots < to; ++seeker->dots)
        fputc('.', seeker->out);
    fflush(seeker->out);
}

static void run_interval(void *context, const struct job *job, const struct interval *interval)
{
    struct seeker *seeker = context;
    (void)job;
    (void)interval;
    if (seeker->dots < seeker->seconds)
        print_dots(seeker, seeker->dots + 1);
}

static void request(void *context, const struct request *request)
{
    struct reach *reach = &((const struct seeker *)context)->reach[request->thread];
    reach->least = request->offset < reach->least ? request->offset : reach->least;
    reach->most = request->offset > reach->most ? request->offset : reach->most;
}

static void print_reach(const struct seeker *seeker)
{
    struct reach all = seeker->reach[0];
    for (uint64_t i = 1; i < seeker->threads; ++i) {
        const struct reach *reach = &seeker->reach[i];
        all.least = reach->least < all.least ? reach->least : all.least;
        all.most = reach->most > all.most ? reach->most : all.most;
    }
    fprintf(seeker->out, " (%" PRIu64 " < offsets < %" PRIu64 ")", all.least, all.most);
}

static void run_done(void *context, const struct result *result)
{
    struct seeker *seeker = context;
    uint64_t seeks = result->total.of[CLASS_READ].latency.count;
    double seconds = (double)(result->load_ns ? result->load_ns : 1) / (double)NS_PER_S;
    print_dots(seeker, result->partial ? 0 : seeker->seconds);
    fputc('\n', seeker->out);
    if (seeks > 0) {
        fprintf(seeker->out, "Results: %" PRIu64 " seeks/second, %.*f ms random access time",
                (uint64_t)((double)seeks / seconds), seeker->threads ? 3 : 2, seconds * 1000 / (double)seeks);
        if (seeker->threads)
            print_reach(seeker);
        fputc('\n', seeker->out);
    }
    fflush(seeker->out);
}

static void print_usage(FILE *out)
{
    fputs("usage: seeker [--time=SECONDS] DEVICE|FILE [THREADS]\n"
          "Reads 512 bytes at a time at random places for 30 seconds. With THREADS it prints as version 3.0.\n"
          "isobench adds: --time, --json=FILE, --show-job, --as TOOL\n",
          out);
}

/* ---- parsing ---- */

static bool take_count(const char *shown, const char *text, uint64_t high, uint64_t *out, struct error *error)
{
    if (units_parse_count(text, out) && *out > 0 && *out <= high)
        return true;
    return error_set(error, ERR_USAGE, "%s is not valid: it must be a whole number from 1 to %" PRIu64, shown, high);
}

static bool take_word(struct seeker *seeker, struct job *job, const char *word, struct error *error)
{
    if (strncmp(word, "--time=", 7) == 0)
        return take_count(word, word + 7, SECONDS_MAX, &seeker->seconds, error);
    if (word[0] == '-')
        return error_set(error, ERR_USAGE, "seeker has no option %s; right is: seeker DEVICE [THREADS]", word);
    if (job->target[0])
        return seeker->threads
                   ? error_set(error, ERR_USAGE, "%s is one word too many; right is: seeker DEVICE [THREADS]", word)
                   : take_count(word, word, THREADS_MAX, &seeker->threads, error);
    if (word[0] == '\0' || strchr(word, ',') || strlen(word) >= sizeof(job->target))
        return error_set(error, ERR_USAGE, "'%s' is not valid: it must be one device or file, without a comma", word);
    strcpy(job->target, word);
    return true;
}

static bool make_reach(struct seeker *seeker, struct listener *listener, struct error *error)
{
    if (seeker->threads == 0)
        return true;
    seeker->reach = calloc((size_t)seeker->threads, sizeof(*seeker->reach));
    if (!seeker->reach)
        return error_set(error, ERR_SYSTEM, "not enough memory for %" PRIu64 " threads", seeker->threads);
    for (uint64_t i = 0; i < seeker->threads; ++i)
        seeker->reach[i].least = UINT64_MAX;
    listener->request = request;
    return true;
}

static bool make_job(struct seeker *seeker, struct job *job, int argc, char *const *argv, struct error *error)
{
    job_init(job);
    job->mode = MODE_RNDRD;
    job->total_size_bytes = 0;
    job->block_size_bytes = BLOCK_BYTES;
    job->report_interval_ns = NS_PER_S;
    job->percentiles.count = 0; /* it shows none */
    seeker->seconds = SECONDS;
    for (int i = 0; i < argc; ++i)
        if (!take_word(seeker, job, argv[i], error))
            return false;
    if (!job->target[0])
        return error_set(error, ERR_USAGE, "no device is named; right is: seeker DEVICE [THREADS]");
    job->time_ns = seeker->seconds * NS_PER_S;
    job->threads = seeker->threads ? seeker->threads : 1;
    return job_check_run(job, error);
}

static void free_seeker(void *context)
{
    struct seeker *seeker = context;
    free(seeker->reach);
    free(seeker);
}

static bool seeker_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    memset(invocation, 0, sizeof(*invocation));
    if (argc == 0 || strcmp(argv[0], "--help") == 0) {
        print_usage(out);
        return true;
    }
    struct seeker *seeker = calloc(1, sizeof(*seeker));
    if (!seeker)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    seeker->out = out;
    invocation->free_context = free_seeker;
    invocation->action = ACTION_RUN;
    invocation->warnings_apart = true;
    invocation->forced_status = 1;
    invocation->listener = (struct listener){
        .context = seeker, .run_starting = run_starting, .run_interval = run_interval, .run_done = run_done};
    return make_job(seeker, &invocation->job, argc, argv, error) && make_reach(seeker, &invocation->listener, error);
}

/* ---- writing ---- */

static bool seeker_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    char device[PLACE_BYTES];
    place_name(job, 0, device);
    if (from->action != ACTION_RUN)
        return error_set(error, ERR_UNSUPPORTED, "seeker reads what is there: there is no command that makes files");
    if (job->time_ns >= NS_PER_S && job->time_ns != SECONDS * NS_PER_S)
        command_add(out, "--time=%" PRIu64, job->time_ns / NS_PER_S);
    command_add(out, "%s", device);
    if (job->threads > 1)
        command_add(out, "%" PRIu64, job->threads);
    return command_check(out, error);
}

const struct dialect dialect_seeker = {"seeker", "seeker 2.0 and 3.0: random reads of 512 bytes", seeker_parse,
                                       seeker_write, NULL};
