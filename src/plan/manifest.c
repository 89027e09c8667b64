#include "plan/manifest.h"

#include "core/json_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void manifest_run_file(const struct manifest *manifest, size_t run, char out[RUN_FILE_BYTES])
{
    snprintf(out, RUN_FILE_BYTES, "%.150s.r%" PRIu64 ".json", manifest->plan->jobs[manifest->runs[run].job].name,
             manifest->runs[run].repetition);
}

/* ---- writing ---- */

static json_t *of_host(const struct manifest *manifest, bool *ok)
{
    const struct host_facts *host = &manifest->host;
    json_t *object = json_object();
    json_put(object, "name", json_of_text(manifest->host_name), ok);
    json_put(object, "os", json_of_text(host->os), ok);
    json_put(object, "kernel", json_of_text(host->kernel), ok);
    json_put(object, "cpu_model", json_of_text(host->cpu_model), ok);
    json_put(object, "cpu_count", json_of_uint(host->cpu_count), ok);
    json_put(object, "memory_bytes", json_of_uint(host->memory_bytes), ok);
    json_put(object, "virtualization", json_of_text(host->virtualization), ok);
    json_put(object, "cloud", json_of_text(host->cloud), ok);
    json_put(object, "instance_type", json_of_text(host->instance_type), ok);
    return object;
}

static json_t *of_tags(const struct manifest *manifest, bool *ok)
{
    json_t *object = json_object();
    for (size_t i = 0; i < manifest->tag_count; i++) {
        char key[NAME_MAX_BYTES];
        const char *equals = strchr(manifest->tags[i], '=');
        snprintf(key, sizeof key, "%.*s", (int)(equals - manifest->tags[i]), manifest->tags[i]);
        json_put(object, key, json_of_text(equals + 1), ok);
    }
    return object;
}

static json_t *of_run(const struct manifest *manifest, size_t run, bool *ok)
{
    static const char *const states[] = {"open", "done", "failed"};
    json_t *object = json_object();
    char file[RUN_FILE_BYTES];
    manifest_run_file(manifest, run, file);
    json_put(object, "job", json_of_text(manifest->plan->jobs[manifest->runs[run].job].name), ok);
    json_put(object, "repetition", json_of_uint(manifest->runs[run].repetition), ok);
    json_put(object, "file", json_of_text(file), ok);
    json_put(object, "state", json_of_text(states[manifest->states[run]]), ok);
    return object;
}

static json_t *of_hash(const struct plan *plan)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, plan->hash);
    return json_of_text(text);
}

char *manifest_to_json(const struct manifest *manifest)
{
    bool ok = true;
    json_t *root = json_object(), *runs = json_array();
    json_put(root, "schema", json_of_uint(1), &ok);
    json_put(root, "isobench", json_of_text(ISOBENCH_VERSION), &ok);
    json_put(root, "plan", json_of_text(manifest->plan->path), &ok);
    json_put(root, "plan_hash", of_hash(manifest->plan), &ok);
    json_put(root, "plan_text", json_of_text(manifest->plan->text), &ok);
    json_put(root, "host", of_host(manifest, &ok), &ok);
    json_put(root, "tags", of_tags(manifest, &ok), &ok);
    for (size_t i = 0; i < manifest->run_count; i++)
        json_append(runs, of_run(manifest, i, &ok), &ok);
    json_put(root, "runs", runs, &ok);
    return json_finish(root, ok, 15);
}

/* ---- reading ---- */

bool manifest_is_of(const char *text, const char *name, const struct plan *plan, struct error *error)
{
    char hash[17], found[17] = "";
    struct json_place place = {name, "", error};
    json_t *root = json_start(text, name, error);
    bool good = root && json_read_text(&place, root, "plan_hash", found, sizeof found);
    json_decref(root);
    snprintf(hash, sizeof hash, "%016" PRIx64, plan->hash);
    if (!good || strcmp(hash, found) == 0)
        return good;
    return error_set(error, ERR_USAGE,
                     "%s is of another plan than %s (or of it before it was changed): name another --out", name,
                     plan->path);
}
