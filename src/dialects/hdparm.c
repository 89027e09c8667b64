/* hdparm.c: -t reads a device from its start for 3 seconds, -T the same 2 MiB over and over for 2 seconds; each is a
 * job of its own, for every device named. Facts of form: outputs of hdparm 9.65. */
#include "dialects/hdparm.h"

#include "core/settings.h"
#include "core/units.h"
#include "dialects/places.h"
#include "platform/clock.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (UINT64_C(2) << 20)
#define BUFFERED_NS (3 * NS_PER_S)
#define CACHED_NS (2 * NS_PER_S)
#define WARM_UP_NS (NS_PER_S / 10) /* of -T: by then the chunk is in the cache */
#define DEVICES_MAX 64
#define GIB_MAX (1 << 20)

struct hdparm {
    FILE *out;
    bool buffered, cached, direct; /* -t, -T, --direct */
    uint64_t start_bytes;
    const char *devices[DEVICES_MAX];
    size_t device_count;
    char shown[TEXT_MAX]; /* the device whose heading was printed last */
    struct job jobs[2 * DEVICES_MAX];
};

/* ---- printing ---- */

static bool is_cached(const struct job *job)
{
    return job->passes == 0;
}

static void run_starting(void *context, const struct job *job)
{
    struct hdparm *hdparm = context;
    if (strcmp(hdparm->shown, job->target) != 0)
        fprintf(hdparm->out, "\n%s:\n", job->target);
    snprintf(hdparm->shown, sizeof(hdparm->shown), "%s", job->target);
    if (is_cached(job))
        fprintf(hdparm->out, " Timing %scached reads:  ", hdparm->direct ? "O_DIRECT " : "");
    else
        fprintf(hdparm->out, " Timing %s disk reads:", hdparm->direct ? "O_DIRECT" : "buffered");
    fflush(hdparm->out);
}

static void run_done(void *context, const struct result *result)
{
    const struct hdparm *hdparm = context;
    double seconds = (double)(result->load_ns ? result->load_ns : 1) / (double)NS_PER_S;
    double mib = (double)(result->total.of[CLASS_READ].bytes >> 20);
    bool slow = mib < seconds;
    fprintf(hdparm->out, " %3.0f MB in %5.2f seconds = %6.2f %s/sec\n", mib, seconds, mib / seconds * (slow ? 1024 : 1),
            slow ? "kB" : "MB");
    fflush(hdparm->out);
}

static void print_usage(FILE *out)
{
    fputs("usage: hdparm -t|-T|-tT [--direct] [--offset GIB] DEVICE|FILE ...\n"
          "  -t          sequential reads of the device, for up to 3 seconds\n"
          "  -T          the same 2 MiB over and over from the cache, for 2 seconds\n"
          "  --direct    around the system's cache\n"
          "  --offset N  -t begins N GiB from the start\n"
          "isobench adds: files, --json=FILE with one timing, --show-job, --as TOOL\n",
          out);
}

/* ---- parsing ---- */

static bool take_letters(struct hdparm *hdparm, const char *word, struct error *error)
{
    for (const char *at = word + 1; *at; ++at) {
        if (*at == 't')
            hdparm->buffered = true;
        else if (*at == 'T')
            hdparm->cached = true;
        else
            return error_set(error, ERR_UNSUPPORTED,
                             "hdparm -%c is not supported; supported: -t, -T, --direct, --offset", *at);
    }
    return word[1] ? true : error_set(error, ERR_USAGE, "- is no device");
}

static bool take_offset(struct hdparm *hdparm, const char *text, struct error *error)
{
    uint64_t gib = 0;
    if (!text || !units_parse_count(text, &gib) || gib > GIB_MAX)
        return error_set(error, ERR_USAGE, "--offset %s is not valid: it must be a whole number of GiB from 0 to %d",
                         text ? text : "", GIB_MAX);
    hdparm->start_bytes = gib << 30;
    return true;
}

static bool take_device(struct hdparm *hdparm, const char *word, struct error *error)
{
    enum path_kind kind;
    uint64_t bytes = 0;
    if (word[0] == '\0' || strchr(word, ',') || strlen(word) >= TEXT_MAX)
        return error_set(error, ERR_USAGE, "'%s' is not valid: it must be a device or file, without a comma", word);
    if (hdparm->device_count == DEVICES_MAX)
        return error_set(error, ERR_USAGE, "%s: more than %d devices", word, DEVICES_MAX);
    if (!path_look(word, &kind, &bytes, error))
        return false;
    if (kind == PATH_FILE && bytes < CHUNK_BYTES)
        return error_set(error, ERR_USAGE, "%s has %" PRIu64 " bytes: hdparm reads 2 MiB at a time", word, bytes);
    hdparm->devices[hdparm->device_count++] = word;
    return true;
}

static bool take_words(struct hdparm *hdparm, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc; ++i) {
        bool good;
        if (strcmp(argv[i], "--direct") == 0)
            good = hdparm->direct = true;
        else if (strcmp(argv[i], "--offset") == 0)
            good = take_offset(hdparm, argv[i + 1 < argc ? ++i : i], error);
        else if (strncmp(argv[i], "--", 2) == 0)
            good = error_set(error, ERR_UNSUPPORTED,
                             "hdparm %s is not supported; supported: -t, -T, --direct, --offset", argv[i]);
        else
            good = argv[i][0] == '-' ? take_letters(hdparm, argv[i], error) : take_device(hdparm, argv[i], error);
        if (!good)
            return false;
    }
    if (!hdparm->buffered && !hdparm->cached)
        return error_set(error, ERR_USAGE, "nothing to do: give -t, -T or both; other functions are not supported");
    return hdparm->device_count > 0 || error_set(error, ERR_USAGE, "no device is named; right is: hdparm -t DEVICE");
}

static void make_job(const struct hdparm *hdparm, const char *device, bool cached, struct job *job)
{
    job_init(job);
    snprintf(job->target, sizeof(job->target), "%s", device);
    job->mode = MODE_SEQRD;
    job->percentiles.count = 0; /* it shows none */
    job->block_size_bytes = CHUNK_BYTES;
    job->cache = hdparm->direct ? OS_CACHE_OFF : OS_CACHE_ON;
    job->time_ns = cached ? CACHED_NS : BUFFERED_NS;
    job->total_size_bytes = cached ? CHUNK_BYTES : 0;
    job->warmup_ns = cached ? WARM_UP_NS : 0;
    job->passes = cached ? 0 : 1; /* the end of the device ends it */
    job->drop_cache = !cached && !hdparm->direct;
    job->start_bytes = cached ? 0 : hdparm->start_bytes;
}

static bool make_jobs(struct hdparm *hdparm, struct invocation *invocation, struct error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < hdparm->device_count; ++i) {
        if (hdparm->cached)
            make_job(hdparm, hdparm->devices[i], true, &hdparm->jobs[count++]);
        if (hdparm->buffered)
            make_job(hdparm, hdparm->devices[i], false, &hdparm->jobs[count++]);
    }
    invocation->job = hdparm->jobs[0];
    invocation->further = hdparm->jobs + 1;
    invocation->further_count = count - 1;
    return job_check_run(&invocation->job, error);
}

static bool hdparm_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    memset(invocation, 0, sizeof(*invocation));
    if (argc == 0 || strcmp(argv[0], "-h") == 0 || strcmp(argv[0], "--help") == 0) {
        print_usage(out);
        return true;
    }
    struct hdparm *hdparm = calloc(1, sizeof(*hdparm));
    if (!hdparm)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    hdparm->out = out;
    invocation->free_context = free;
    invocation->action = ACTION_RUN;
    invocation->warnings_apart = true;
    invocation->may_start_warm = true;
    invocation->forced_status = 1;
    invocation->listener = (struct listener){.context = hdparm, .run_starting = run_starting, .run_done = run_done};
    return take_words(hdparm, argc, argv, error) && make_jobs(hdparm, invocation, error);
}

/* ---- writing ---- */

/* What goes over the same two MiB is -T; all else is -t. */
static bool hdparm_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    char device[PLACE_BYTES];
    place_name(job, 0, device);
    if (from->action != ACTION_RUN)
        return error_set(error, ERR_UNSUPPORTED, "hdparm reads what is there: there is no command that makes files");
    command_add(out, job->total_size_bytes == CHUNK_BYTES ? "-T" : "-t");
    if (job->cache == OS_CACHE_OFF)
        command_add(out, "--direct");
    if (job->start_bytes > 0) {
        command_add(out, "--offset");
        command_add(out, "%" PRIu64, job->start_bytes >> 30);
    }
    command_add(out, "%s", device);
    return command_check(out, error);
}

const struct dialect dialect_hdparm = {"hdparm", "hdparm -t and -T: sequential reads of a device, and of the cache",
                                       hdparm_parse, hdparm_write, NULL};
