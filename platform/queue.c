#include "platform/queue.h"

#include "platform/queue_shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Engines that one system alone can have, for the sentence that says where. */
static const struct {
    const char *name, *system;
} engines_elsewhere[] = {
    {"iocp", "Windows"},
    {"uring", "Linux"},
};

static bool reaches(const struct queue_engine *engine, const struct file_layer *layer)
{
    return !engine->needs_system_files || layer == &file_layer_system;
}

bool queue_options_check(const struct queue_engine *engine, const struct queue_options *options, struct error *error)
{
    if (options->depth < 1 || options->depth > engine->depth_max)
        return error_set(error, ERR_USAGE, "engine '%s' has 1 to %" PRIu32 " IOs in flight; depth %" PRIu32 " %s",
                         engine->name, engine->depth_max, options->depth,
                         options->depth < 1 ? "is too small" : "needs another engine");
    if (!reaches(engine, options->layer))
        return error_set(error, ERR_UNSUPPORTED, "engine '%s' works on the system's files only, not on '%s'",
                         engine->name, options->layer->name);
    return true;
}

int64_t queue_transfer(const struct queue_options *options, const struct io *io)
{
    struct file *file = options->files[io->file];
    if (io->op == IO_READ)
        return options->layer->read_at(file, io->buffer, io->bytes, io->offset);
    return options->layer->write_at(file, io->buffer, io->bytes, io->offset);
}

/* "auto, uring, uv, sync, mmap" */
static void list_engines(char *out, size_t out_bytes)
{
    size_t used = (size_t)snprintf(out, out_bytes, "auto");
    for (size_t i = 0; queue_engines[i] != NULL && used < out_bytes; i++)
        used += (size_t)snprintf(out + used, out_bytes - used, ", %s", queue_engines[i]->name);
}

static const struct queue_engine *find(const char *name)
{
    for (size_t i = 0; queue_engines[i] != NULL; i++) {
        if (strcmp(queue_engines[i]->name, name) == 0)
            return queue_engines[i];
    }
    return NULL;
}

static bool unknown(const char *name, struct error *error)
{
    char names[256];
    list_engines(names, sizeof names);
    for (size_t i = 0; i < COUNT_OF(engines_elsewhere); i++) {
        if (strcmp(engines_elsewhere[i].name, name) == 0)
            return error_set(error, ERR_UNSUPPORTED, "engine '%s' is there on %s only; here there are: %s", name,
                             engines_elsewhere[i].system, names);
    }
    return error_set(error, ERR_USAGE, "there is no engine '%s'; there are: %s", name, names);
}

static const struct queue_engine *pick_best(uint32_t depth, const struct file_layer *layer, struct error *error)
{
    if (depth == 1)
        return &queue_engine_sync;
    for (size_t i = 0; queue_engines[i] != NULL; i++) {
        const struct queue_engine *engine = queue_engines[i];
        struct error refusal = ERROR_INIT;
        if (depth <= engine->depth_max && reaches(engine, layer) && engine->usable(&refusal))
            return engine;
    }
    error_set(error, ERR_UNSUPPORTED, "no engine here takes a queue depth of %" PRIu32 "; take a smaller one", depth);
    return NULL;
}

const struct queue_engine *queue_engine_pick(const char *name, uint32_t depth, const struct file_layer *layer,
                                             struct error *error)
{
    if (strcmp(name, "auto") == 0)
        return pick_best(depth, layer, error);
    const struct queue_engine *engine = find(name);
    if (engine == NULL) {
        unknown(name, error);
        return NULL;
    }
    const struct queue_options wanted = {.depth = depth, .layer = layer};
    if (!queue_options_check(engine, &wanted, error) || !engine->usable(error))
        return NULL;
    return engine;
}
