#include "plan/manifest.h"

#include "core/json_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void manifest_run_file(const struct manifest *manifest, size_t run, char out[RUN_FILE_BYTES])
{
    snprintf(out, RUN_FILE_BYTES, "%.150s.r%" PRIu64 ".json", manifest->plan->jobs[manifest->runs[run].job].name,
             manifest->runs[run].repetition);
}

/* ---- writing ---- */

#define HOST(key, kind, field) JSON_FIELD(NULL, key, kind, struct host_facts, field)
static const struct json_field host_fields[] = {
    HOST("os", TEXT, os),
    HOST("kernel", TEXT, kernel),
    HOST("cpu_model", TEXT, cpu_model),
    HOST("cpu_count", UINT, cpu_count),
    HOST("memory_bytes", UINT, memory_bytes),
    HOST("virtualization", TEXT, virtualization),
    HOST("cloud", TEXT, cloud),
    HOST("instance_type", TEXT, instance_type),
};

static const char *const state_names[] = {"open", "done", "failed", "forced"};

static json_t *of_host(const struct manifest *manifest, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "name", json_of_text(manifest->host_name), ok);
    json_write_fields(object, host_fields, COUNT_OF(host_fields), &manifest->host, ok);
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
    json_t *object = json_object();
    char file[RUN_FILE_BYTES];
    manifest_run_file(manifest, run, file);
    json_put(object, "job", json_of_text(manifest->plan->jobs[manifest->runs[run].job].name), ok);
    json_put(object, "repetition", json_of_uint(manifest->runs[run].repetition), ok);
    json_put(object, "file", json_of_text(file), ok);
    json_put(object, "state", json_of_text(state_names[manifest->states[run]]), ok);
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

static bool read_host(const struct json_place *place, const json_t *root, struct manifest_facts *out)
{
    const json_t *object = json_object_in(place, root, "host");
    struct json_place inner = json_place_in(place, "host");
    return object && json_read_text(&inner, object, "name", out->host_name, sizeof out->host_name) &&
           json_read_fields(&inner, object, host_fields, COUNT_OF(host_fields), &out->host);
}

static bool read_tags(const struct json_place *place, json_t *root, struct manifest_facts *out)
{
    json_t *tags = json_object_in(place, root, "tags"), *value;
    const char *key;
    size_t used = 0;
    json_object_foreach(tags, key, value)
    {
        if (!json_is_string(value))
            return json_refuse(place, "tags", "must be text");
        if (strcmp(key, "host") == 0)
            snprintf(out->host_tag, sizeof out->host_tag, "%s", json_string_value(value));
        if (used < sizeof out->tags)
            used += (size_t)snprintf(out->tags + used, sizeof out->tags - used, "%s%s=%s", used ? ", " : "", key,
                                     json_string_value(value));
    }
    return tags != NULL;
}

static bool read_run(const struct json_place *place, const json_t *object, struct manifest_run *out)
{
    char state[16];
    if (!json_read_text(place, object, "job", out->job, sizeof out->job) ||
        !json_read_text(place, object, "file", out->file, sizeof out->file) ||
        !json_read_text(place, object, "state", state, sizeof state))
        return false;
    for (size_t i = 0; i < COUNT_OF(state_names); i++)
        if (strcmp(state, state_names[i]) == 0) {
            out->state = (enum run_state)i;
            return true;
        }
    return json_refuse(place, "state", "must be open, done or failed");
}

static bool read_runs(const struct json_place *place, const json_t *root, struct manifest_facts *out)
{
    const json_t *array = json_array_in(place, root, "runs");
    out->runs = calloc(json_array_size(array) + 1, sizeof *out->runs);
    if (!out->runs)
        return error_set(place->error, ERR_SYSTEM, "%s: not enough memory to read it", place->file);
    for (; out->run_count < json_array_size(array); out->run_count++) {
        struct json_place inner = json_place_at(place, "runs", out->run_count);
        if (!read_run(&inner, json_array_get(array, out->run_count), &out->runs[out->run_count]))
            return false;
    }
    return array != NULL;
}

bool manifest_read(const char *text, const char *name, struct manifest_facts *out, struct error *error)
{
    struct json_place place = {name, "", error};
    memset(out, 0, sizeof *out);
    json_t *root = json_start(text, name, error);
    bool good = root && json_read_text(&place, root, "plan", out->plan, sizeof out->plan) &&
                read_host(&place, root, out) && read_tags(&place, root, out) && read_runs(&place, root, out);
    json_decref(root);
    return good;
}

void manifest_facts_free(struct manifest_facts *facts)
{
    free(facts->runs);
    facts->runs = NULL;
    facts->run_count = 0;
}
