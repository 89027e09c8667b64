#include "cli/metrics.h"

#include "cli/engine.h"
#include "core/openmetrics.h"
#include "platform/clock.h"
#include "platform/http_page.h"
#include "platform/path.h"
#include "platform/thread.h"
#include "platform/watch.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORT_MAX 65535
#define ADDRESS_BYTES 64
#define LAST_TRIES 10
#define LAST_PAUSE_NS (50 * NS_PER_MS)

struct target {
    bool is_port;
    char address[ADDRESS_BYTES];
    uint16_t port;
};

struct metrics;

struct watched { /* one job */
    struct metrics *metrics;
    size_t index;
    struct live_watcher watcher;
    struct listener listener;
    uint64_t seen_ns, seen_count[CLASS_COUNT]; /* at the last look of this run */
};

struct metrics {
    struct target target;
    const char *path; /* of the file */
    struct watched *watched;
    size_t count;
    struct http_page *page;
    /* the file's */
    struct thread *thread;
    struct watch *watch;
    atomic_bool stopping;
    uint64_t interval_ns;
    struct error error; /* of the last writing; the thread's, until it has ended */

    struct mutex *mutex; /* what follows */
    struct metrics_of_job *jobs;
    struct metrics_of_plan plan; /* its name is NULL: of no plan */
    bool has_run;                /* one of the plan has begun */
    struct host_sample host;
    bool has_host;
};

/* ---- FILE, PORT or ADDRESS:PORT ---- */

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static bool take_port(const char *text, struct target *out, const char *value, struct error *error)
{
    unsigned long port = strlen(text) <= 5 ? strtoul(text, NULL, 10) : 0;
    if (port < 1 || port > PORT_MAX)
        return error_set(error, ERR_USAGE, "--openmetrics=%.80s: a port is from 1 to %d", value, PORT_MAX);
    out->is_port = true;
    out->port = (uint16_t)port;
    return true;
}

/* "[::1]" without its brackets; "localhost" as the address that it stands for. */
static bool take_address(const char *text, size_t length, struct target *out)
{
    bool bracketed = length > 2 && text[0] == '[' && text[length - 1] == ']';
    if (length == 0 || length >= sizeof out->address)
        return false;
    snprintf(out->address, sizeof out->address, "%.*s", (int)(bracketed ? length - 2 : length), text + bracketed);
    if (strcmp(out->address, "localhost") == 0)
        strcpy(out->address, "127.0.0.1");
    return http_page_is_address(out->address);
}

/* A name with a slash, or without a port at its end, is a file's. */
static bool parse_target(const char *value, struct target *out, struct error *error)
{
    const char *colon = strrchr(value, ':');
    *out = (struct target){.address = "127.0.0.1"};
    if (is_number(value))
        return take_port(value, out, value, error);
    if (!colon || strpbrk(value, "/\\") || !is_number(colon + 1))
        return true;
    if (!take_address(value, (size_t)(colon - value), out))
        return error_set(error, ERR_USAGE,
                         "--openmetrics=%.80s: give an address in numbers before the port, such as 127.0.0.1:9100 or "
                         "[::1]:9100; a file of that name is ./%.80s",
                         value, value);
    return take_port(colon + 1, out, value, error);
}

bool metrics_set(struct invocation *invocation, const char *value, struct error *error)
{
    struct target target;
    if (value[0] == '\0' || strcmp(value, "-") == 0 || strlen(value) >= sizeof(invocation->metrics))
        return error_set(error, ERR_USAGE,
                         "--openmetrics=%.40s: give a file's name, a port, or an address and a port, such as "
                         "127.0.0.1:9100",
                         value);
    strcpy(invocation->metrics, value);
    return parse_target(value, &target, error);
}

/* ---- what runs hand over ---- */

static double rate_of(const struct watched *watched, const struct live_figures *figures, int op)
{
    uint64_t count = figures->total->of[op].latency.count, span_ns = figures->measured_ns - watched->seen_ns;
    if (figures->phase != PHASE_MEASURING || span_ns == 0)
        return NAN;
    return (double)(count - watched->seen_count[op]) * (double)NS_PER_S / (double)span_ns;
}

static void note_rates(struct watched *watched, const struct live_figures *figures, double per_s[CLASS_COUNT])
{
    if (figures->measured_ns < watched->seen_ns || figures->phase != PHASE_MEASURING) { /* the next of --repeat */
        watched->seen_ns = 0;
        memset(watched->seen_count, 0, sizeof watched->seen_count);
    }
    for (int op = 0; op < CLASS_COUNT; ++op)
        per_s[op] = rate_of(watched, figures, op);
    if (figures->phase != PHASE_MEASURING)
        return;
    watched->seen_ns = figures->measured_ns;
    for (int op = 0; op < CLASS_COUNT; ++op)
        watched->seen_count[op] = figures->total->of[op].latency.count;
}

static void look(void *context, const struct live_figures *figures)
{
    struct watched *watched = context;
    struct metrics *metrics = watched->metrics;
    struct metrics_of_job *of = &metrics->jobs[watched->index];
    mutex_lock(metrics->mutex);
    note_rates(watched, figures, of->per_s);
    of->job = *figures->job;
    of->phase = figures->phase;
    of->measured_ns = figures->measured_ns;
    of->total = *figures->total;
    if (figures->newest) {
        host_sample_done(&metrics->host);
        metrics->host = *figures->newest;
        metrics->has_host = true;
        *figures->newest = (struct host_sample){0};
    }
    mutex_unlock(metrics->mutex);
}

const struct listener *metrics_listener(struct metrics *metrics, size_t index, const struct listener *inner)
{
    if (!metrics)
        return inner;
    metrics->watched[index].listener = *inner;
    metrics->watched[index].listener.live = &metrics->watched[index].watcher;
    return &metrics->watched[index].listener;
}

void metrics_plan(struct metrics *metrics, const struct metrics_of_plan *plan)
{
    if (!metrics)
        return;
    mutex_lock(metrics->mutex);
    metrics->plan = *plan;
    mutex_unlock(metrics->mutex);
}

void metrics_plan_run(struct metrics *metrics, uint32_t number, const char *name, uint64_t repetition,
                      const struct job *job)
{
    if (!metrics)
        return;
    struct watched *watched = &metrics->watched[0];
    mutex_lock(metrics->mutex);
    metrics->jobs[0] = (struct metrics_of_job){.number = number, .name = name, .repetition = repetition, .job = *job};
    for (int op = 0; op < CLASS_COUNT; ++op)
        metrics->jobs[0].per_s[op] = NAN;
    watched->seen_ns = 0;
    memset(watched->seen_count, 0, sizeof watched->seen_count);
    host_sample_done(&metrics->host);
    metrics->host = (struct host_sample){0};
    metrics->has_host = false; /* this run may have no samples */
    metrics->has_run = true;
    mutex_unlock(metrics->mutex);
}

/* ---- what others read ---- */

static char *make_page(void *context)
{
    struct metrics *metrics = context;
    mutex_lock(metrics->mutex);
    char *text =
        openmetrics_text(metrics->jobs, metrics->plan.name && !metrics->has_run ? 0 : metrics->count,
                         metrics->plan.name ? &metrics->plan : NULL, metrics->has_host ? &metrics->host : NULL);
    mutex_unlock(metrics->mutex);
    return text;
}

static bool write_file(struct metrics *metrics, struct error *error)
{
    char *text = make_page(metrics);
    bool good = text ? path_write_text(metrics->path, text, strlen(text), error)
                     : error_set(error, ERR_SYSTEM, "not enough memory for --openmetrics");
    free(text);
    return good;
}

/* Windows replaces no file that somebody reads at that moment. */
static void write_last(struct metrics *metrics)
{
    for (int tries = 0; tries < LAST_TRIES; ++tries) {
        metrics->error = (struct error)ERROR_INIT;
        if (write_file(metrics, &metrics->error))
            return;
        thread_sleep_ns(LAST_PAUSE_NS);
    }
}

/* What could not be written now is in the next one, and in the last: the figures only grow. */
static void body(void *argument)
{
    struct metrics *metrics = argument;
    while (!atomic_load(&metrics->stopping)) {
        struct error ignored = ERROR_INIT;
        watch_wait(metrics->watch, metrics->interval_ns);
        if (!atomic_load(&metrics->stopping))
            write_file(metrics, &ignored);
    }
    write_last(metrics);
}

/* ---- its life ---- */

static void describe_jobs(struct metrics *metrics, const struct invocation *invocation)
{
    for (size_t i = 0; i < metrics->count; ++i) {
        struct metrics_of_job *of = &metrics->jobs[i];
        of->number = (uint32_t)i + 1;
        of->name = invocation_name(invocation, i);
        of->job = *invocation_job(invocation, i);
        for (int op = 0; op < CLASS_COUNT; ++op)
            of->per_s[op] = NAN;
        metrics->watched[i] = (struct watched){
            .metrics = metrics, .index = i, .watcher = {&metrics->watched[i], metrics->interval_ns, look}};
    }
}

static struct metrics *metrics_make(const struct invocation *invocation, const struct metrics_of_plan *plan)
{
    struct metrics *metrics = calloc(1, sizeof *metrics);
    if (!metrics)
        return NULL;
    uint64_t asked_ns = invocation->job.report_interval_ns;
    metrics->path = invocation->metrics;
    metrics->interval_ns = asked_ns ? asked_ns : NS_PER_S;
    metrics->count = invocation_jobs(invocation);
    metrics->watched = calloc(metrics->count, sizeof *metrics->watched);
    metrics->jobs = calloc(metrics->count, sizeof *metrics->jobs);
    metrics->mutex = mutex_make();
    if (!metrics->watched || !metrics->jobs || !metrics->mutex) {
        metrics_free(metrics);
        return NULL;
    }
    describe_jobs(metrics, invocation);
    if (plan)
        metrics->plan = *plan;
    return metrics;
}

static bool open_port(struct metrics *metrics, struct error *error)
{
    struct error why = ERROR_INIT;
    return http_page_serve(&metrics->page, metrics->target.address, metrics->target.port, "/metrics", OPENMETRICS_TYPE,
                           make_page, metrics, &why) ||
           error_set(error, why.kind, "--openmetrics=%.80s: %.200s", metrics->path, why.text);
}

static bool open_file(struct metrics *metrics, struct error *error)
{
    return write_file(metrics, error) && watch_make(&metrics->watch, error) &&
           thread_start(&metrics->thread, body, metrics, 0, error);
}

bool metrics_start(struct metrics **out, const struct invocation *invocation, const struct metrics_of_plan *plan,
                   struct error *error)
{
    struct target target;
    *out = NULL;
    if (invocation->metrics[0] == '\0')
        return true;
    if (!parse_target(invocation->metrics, &target, error))
        return false;
    struct metrics *metrics = metrics_make(invocation, plan);
    if (!metrics)
        return error_set(error, ERR_SYSTEM, "not enough memory for --openmetrics");
    *out = metrics;
    metrics->target = target;
    return target.is_port ? open_port(metrics, error) : open_file(metrics, error);
}

bool metrics_stop(struct metrics *metrics, struct error *error)
{
    if (!metrics)
        return true;
    http_page_stop(metrics->page);
    metrics->page = NULL;
    if (!metrics->thread)
        return true;
    atomic_store(&metrics->stopping, true);
    watch_wake(metrics->watch);
    thread_join(metrics->thread);
    metrics->thread = NULL;
    return metrics->error.kind == ERR_NONE || error_set(error, metrics->error.kind, "%s", metrics->error.text);
}

void metrics_free(struct metrics *metrics)
{
    if (!metrics)
        return;
    watch_free(metrics->watch);
    mutex_free(metrics->mutex);
    host_sample_done(&metrics->host);
    free(metrics->jobs);
    free(metrics->watched);
    free(metrics);
}
