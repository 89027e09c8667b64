#include "core/result.h"

#include "platform/compiler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const op_class_names[CLASS_COUNT] = {"read",          "write",       "sync",        "end_sync",
                                                 "durable_write", "queue_wait",  "service",     "transaction",
                                                 "read_query",    "write_query", "other_query", "connect"};

bool op_class_concerns(enum op_class op, enum work work)
{
    if (op == CLASS_QUEUE_WAIT || op == CLASS_SERVICE)
        return true;
    return (op >= CLASS_TRANSACTION) == (work == WORK_DATABASE);
}

void tally_merge(struct tally *into, const struct tally *from)
{
    for (int i = 0; i < CLASS_COUNT; i++) {
        into->of[i].bytes += from->of[i].bytes;
        into->of[i].errors += from->of[i].errors;
        histogram_merge(&into->of[i].latency, &from->of[i].latency);
    }
    into->events += from->events;
    into->clock_steps_back += from->clock_steps_back;
}

void tally_subtract(struct tally *a, const struct tally *b)
{
    for (int i = 0; i < CLASS_COUNT; i++) {
        a->of[i].bytes -= b->of[i].bytes;
        a->of[i].errors -= b->of[i].errors;
        histogram_subtract(&a->of[i].latency, &b->of[i].latency);
    }
    a->events -= b->events;
    a->clock_steps_back -= b->clock_steps_back;
}

void tally_events_latency(const struct tally *tally, const struct job *job, struct histogram *out)
{
    memset(out, 0, sizeof *out);
    if (job->work == WORK_DATABASE) {
        histogram_merge(out, &tally->of[CLASS_TRANSACTION].latency);
        return;
    }
    histogram_merge(out, &tally->of[CLASS_READ].latency);
    histogram_merge(out, &tally->of[job->sync_each_write ? CLASS_DURABLE_WRITE : CLASS_WRITE].latency);
    /* The syncs of durable writes are inside these already. */
    if (job->count_syncs && !job->sync_each_write)
        histogram_merge(out, &tally->of[CLASS_SYNC].latency);
}

struct result *result_make(const struct job *job)
{
    struct result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    result->job = *job;
    snprintf(result->version, sizeof result->version, "%s", ISOBENCH_VERSION);
    result->threads = calloc((size_t)job->threads, sizeof *result->threads);
    if (!result->threads) {
        result_free(result);
        return NULL;
    }
    return result;
}

bool result_statements(struct result *result, size_t count)
{
    result->statements = calloc(count ? count : 1, sizeof *result->statements);
    result->statements_count = result->statements ? count : 0;
    return result->statements != NULL;
}

void result_free(struct result *result)
{
    if (!result)
        return;
    free(result->threads);
    free(result->series);
    host_series_done(&result->host_series);
    free(result->statements);
    free(result->cpus);
    replication_free(result->replication);
    result_free(result->since_checkpoint);
    free(result);
}

static bool has_warning(const struct result *result, const char *code)
{
    for (size_t i = 0; i < result->warnings_count; i++)
        if (strcmp(result->warnings[i].code, code) == 0)
            return true;
    return false;
}

void result_warn(struct result *result, const char *code, const char *format, ...)
{
    if (result->warnings_count == WARNINGS_MAX || has_warning(result, code))
        return;
    struct warning *warning = &result->warnings[result->warnings_count++];
    va_list arguments;
    snprintf(warning->code, sizeof warning->code, "%s", code);
    va_start(arguments, format);
    vsnprintf(warning->text, sizeof warning->text, format, arguments);
    va_end(arguments);
}
