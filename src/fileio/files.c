#include "fileio/files.h"

#include "core/settings.h"
#include "core/units.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST_MAX_BYTES ((size_t)64 * 1024 * 1024)

static const char *const fill_words[] = {"written", "allocated", "extended"};
static const char *const data_words[] = {"random", "zero", "count-up"};

uint64_t files_each_bytes(const struct job *job)
{
    uint64_t share = job->total_size_bytes / job->files, block = job->block_size_bytes;
    return (share + block - 1) / block * block;
}

uint64_t files_used_bytes(const struct job *job)
{
    uint64_t share = job->total_size_bytes / job->files;
    return share / job->block_size_bytes * job->block_size_bytes;
}

uint64_t files_end_bytes(const struct job *job)
{
    return job->start_bytes + files_used_bytes(job);
}

static void files_name(char *out, size_t out_bytes, const char *file_name, uint64_t index)
{
    snprintf(out, out_bytes, "%s.%" PRIu64, file_name, index);
}

/* The index-th path of a list and its length; NULL when there are not so many. */
static const char *list_item(const char *list, uint64_t index, size_t *length)
{
    for (; index > 0; --index) {
        list = strchr(list, ',');
        if (!list)
            return NULL;
        ++list;
    }
    *length = strcspn(list, ",");
    return list;
}

uint64_t files_targets(const struct job *job)
{
    uint64_t count = 0;
    size_t length;
    while (job->target[0] && list_item(job->target, count, &length))
        ++count;
    return count;
}

bool files_list_has(const char *list, const char *path)
{
    size_t length;
    const char *item;
    for (uint64_t i = 0; (item = list_item(list, i, &length)) != NULL; ++i) {
        if (length == strlen(path) && memcmp(item, path, length) == 0)
            return true;
    }
    return false;
}

static bool target_path(char out[PATH_BYTES], const struct job *job, uint64_t index, struct error *error)
{
    size_t length;
    const char *item = list_item(job->target, index, &length);
    if (!item || length == 0)
        return error_set(error, ERR_USAGE, "--target=%s: a path is empty; separate them by one comma each",
                         job->target);
    memcpy(out, item, length); /* TEXT_MAX is below PATH_BYTES */
    out[length] = '\0';
    return true;
}

bool files_path(char out[PATH_BYTES], const struct job *job, uint64_t index, struct error *error)
{
    char name[NAME_MAX_BYTES + 24];
    if (job->target[0])
        return target_path(out, job, index, error);
    files_name(name, sizeof(name), job->file_name, index);
    return path_join(out, job->dir, name, error);
}

static bool target_size(const char *path, const struct file_layer *layer, uint64_t *bytes, struct error *error)
{
    struct file_policy policy = {CACHE_ON, THROUGH_OFF, FILE_MUST_EXIST, false};
    struct file_facts facts = {0};
    struct file *file = NULL;
    if (!layer->open(&file, path, &policy, error))
        return false;
    bool good = layer->facts(file, &facts, error);
    layer->close(file);
    *bytes = facts.size_bytes;
    return good;
}

bool files_resolve(struct job *job, const struct file_layer *layer, struct error *error)
{
    uint64_t shortest = UINT64_MAX, count = 0;
    bool anew = job->mode == MODE_SEQWR; /* then it need not be there, and total_size is known: job_check_run */
    size_t length;
    if (job->target[0] == '\0')
        return true;
    for (; list_item(job->target, count, &length); ++count) {
        char path[PATH_BYTES];
        uint64_t bytes = 0;
        if (!target_path(path, job, count, error) || (!anew && !target_size(path, layer, &bytes, error)))
            return false;
        shortest = bytes < shortest ? bytes : shortest;
    }
    job->files = count;
    if (job->total_size_bytes == 0)
        job->total_size_bytes = (shortest > job->start_bytes ? shortest - job->start_bytes : 0) * count;
    if (files_used_bytes(job) == 0)
        return error_set(error, ERR_USAGE,
                         "--target=%s: the shortest has %" PRIu64 " bytes, less than one --block-size after --start",
                         job->target, shortest);
    return job_check(job, error); /* again, since sizes are known now */
}

bool files_lock(const struct job *job, bool alone, struct path_lock **out, struct error *error)
{
    char name[NAME_MAX_BYTES + 24], path[PATH_BYTES];
    struct error refused = ERROR_INIT;
    *out = NULL;
    if (job->target[0])
        return true;
    snprintf(name, sizeof(name), "%s.isobench.lock", job->file_name);
    if (!path_join(path, job->dir, name, error))
        return false;
    if (path_lock_take(out, path, alone, &refused) || (!alone && refused.kind != ERR_USAGE))
        return true;
    *error = refused;
    return false;
}

static bool broken(const struct manifest *manifest, const char *why, struct error *error)
{
    return error_set(error, ERR_DATA,
                     "%s: %s; it says which test files isobench made: repair it, or remove it and the files by hand",
                     manifest->path, why);
}

static bool choose(const char *const *words, size_t count, const char *word, int *out)
{
    for (size_t i = 0; word && i < count; ++i) {
        if (strcmp(word, words[i]) == 0) {
            *out = (int)i;
            return true;
        }
    }
    return false;
}

/* A name from the manifest decides which files are removed: it must be one of this set, never a path. */
static bool index_from_name(const char *file_name, const char *name, uint64_t *index)
{
    size_t prefix = strlen(file_name);
    return name && strncmp(name, file_name, prefix) == 0 && name[prefix] == '.' &&
           units_parse_count(name + prefix + 1, index);
}

static bool integer_from(json_t *json, const char *key, uint64_t *out)
{
    json_t *value = json_object_get(json, key);
    *out = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool read_entry(struct manifest *manifest, json_t *json, struct error *error)
{
    struct manifest_entry read = {0};
    int fill = 0, data = 0;
    if (!index_from_name(manifest->file_name, json_string_value(json_object_get(json, "name")), &read.index) ||
        !integer_from(json, "bytes", &read.bytes) || !integer_from(json, "compress_percent", &read.compress_percent) ||
        !choose(fill_words, COUNT_OF(fill_words), json_string_value(json_object_get(json, "fill")), &fill) ||
        !choose(data_words, COUNT_OF(data_words), json_string_value(json_object_get(json, "data")), &data))
        return broken(manifest, "an entry under \"files\" is not one of isobench's", error);
    read.fill = (enum fill)fill;
    read.data = (enum data_kind)data;
    read.complete = json_is_true(json_object_get(json, "complete"));
    read.identity.number = (uint64_t)json_integer_value(json_object_get(json, "number"));
    read.identity.born_ns = (uint64_t)json_integer_value(json_object_get(json, "born_ns"));
    struct manifest_entry *entry = manifest_put(manifest, read.index);
    if (!entry)
        return error_set(error, ERR_SYSTEM, "not enough memory for %s", manifest->path);
    *entry = read;
    return true;
}

/* Which files it may name is for the ledger to say: only one of this set is ever removed. */
static bool read_ledger(struct manifest *manifest, json_t *root, struct error *error)
{
    json_t *value = json_object_get(root, "ledger");
    const char *path = value ? json_string_value(value) : "";
    if (!path || strlen(path) >= sizeof(manifest->ledger))
        return broken(manifest, "\"ledger\" is not a path", error);
    strcpy(manifest->ledger, path);
    return true;
}

static bool read_entries(struct manifest *manifest, const char *text, struct error *error)
{
    json_error_t where;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    json_t *list = json_object_get(root, "files");
    if (!json_is_array(list)) {
        json_decref(root);
        return broken(manifest, root ? "no list \"files\"" : where.text, error);
    }
    bool good = read_ledger(manifest, root, error);
    for (size_t i = 0; good && i < json_array_size(list); ++i)
        good = read_entry(manifest, json_array_get(list, i), error);
    json_decref(root);
    return good;
}

bool manifest_load(struct manifest *manifest, const struct job *job, struct error *error)
{
    char name[NAME_MAX_BYTES + 24];
    enum path_kind kind;
    char *text = NULL;
    memset(manifest, 0, sizeof(*manifest));
    snprintf(manifest->file_name, sizeof(manifest->file_name), "%s", job->file_name);
    snprintf(name, sizeof(name), "%s.isobench.json", job->file_name);
    if (!path_join(manifest->path, job->dir, name, error) || !path_look(manifest->path, &kind, NULL, error))
        return false;
    if (kind == PATH_ABSENT)
        return true;
    if (!path_read_text(manifest->path, MANIFEST_MAX_BYTES, &text, NULL, error))
        return false;
    bool good = read_entries(manifest, text, error);
    free(text);
    if (!good)
        manifest_done(manifest);
    return good;
}

static json_t *entry_json(const struct manifest *manifest, const struct manifest_entry *entry)
{
    char name[NAME_MAX_BYTES + 24];
    files_name(name, sizeof(name), manifest->file_name, entry->index);
    return json_pack("{s:s, s:I, s:s, s:s, s:I, s:b, s:I, s:I}", "name", name, "bytes", (json_int_t)entry->bytes,
                     "fill", fill_words[entry->fill], "data", data_words[entry->data], "compress_percent",
                     (json_int_t)entry->compress_percent, "complete", (int)entry->complete, "number",
                     (json_int_t)entry->identity.number, "born_ns", (json_int_t)entry->identity.born_ns);
}

static char *manifest_text(const struct manifest *manifest)
{
    json_t *list = json_array(), *root;
    for (size_t i = 0; i < manifest->count; ++i)
        json_array_append_new(list, entry_json(manifest, &manifest->entries[i]));
    root =
        json_pack("{s:s, s:s, s:o}", "about", "test files that isobench made; `isobench fileio cleanup` removes them",
                  "isobench", ISOBENCH_VERSION, "files", list);
    bool good = !manifest->ledger[0] || json_object_set_new(root, "ledger", json_string(manifest->ledger)) == 0;
    char *text = good ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    return text;
}

bool manifest_save(const struct manifest *manifest, struct error *error)
{
    if (manifest->count == 0 && !manifest->ledger[0])
        return path_remove(manifest->path, error);
    char *text = manifest_text(manifest);
    if (!text)
        return error_set(error, ERR_SYSTEM, "not enough memory to write %s, or a name in it is not UTF-8",
                         manifest->path);
    bool good = path_write_text(manifest->path, text, strlen(text), error);
    free(text);
    return good;
}

/* Position of the first entry whose index is not below `index`. */
static size_t position(const struct manifest *manifest, uint64_t index)
{
    size_t low = 0, high = manifest->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (manifest->entries[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct manifest_entry *manifest_find(const struct manifest *manifest, uint64_t index)
{
    size_t at = position(manifest, index);
    return at < manifest->count && manifest->entries[at].index == index ? &manifest->entries[at] : NULL;
}

bool manifest_owns(const struct manifest *manifest, uint64_t index, const char *path)
{
    const struct manifest_entry *entry = manifest_find(manifest, index);
    struct path_identity now;
    struct error absent = ERROR_INIT;
    return entry && path_identify(path, &now, &absent) && now.number == entry->identity.number &&
           now.born_ns == entry->identity.born_ns;
}

static bool make_room(struct manifest *manifest)
{
    if (manifest->count < manifest->room)
        return true;
    size_t room = manifest->room ? manifest->room * 2 : 16;
    struct manifest_entry *more = realloc(manifest->entries, room * sizeof(*more));
    if (!more)
        return false;
    manifest->entries = more;
    manifest->room = room;
    return true;
}

struct manifest_entry *manifest_put(struct manifest *manifest, uint64_t index)
{
    struct manifest_entry *entry = manifest_find(manifest, index);
    if (entry)
        return entry;
    if (!make_room(manifest))
        return NULL;
    size_t at = position(manifest, index);
    entry = &manifest->entries[at];
    memmove(entry + 1, entry, (manifest->count - at) * sizeof(*entry));
    memset(entry, 0, sizeof(*entry));
    entry->index = index;
    ++manifest->count;
    return entry;
}

void manifest_remove(struct manifest *manifest, uint64_t index)
{
    struct manifest_entry *entry = manifest_find(manifest, index);
    if (!entry)
        return;
    size_t after = manifest->count - (size_t)(entry - manifest->entries) - 1;
    memmove(entry, entry + 1, after * sizeof(*entry));
    --manifest->count;
}

void manifest_done(struct manifest *manifest)
{
    free(manifest->entries);
    manifest->entries = NULL;
    manifest->count = manifest->room = 0;
}
