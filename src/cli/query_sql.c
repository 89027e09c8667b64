/* query_sql.c: statements with :NAME in them, and where the values of the names come from. */
#include "cli/query.h"

#include "core/sql_cut.h"
#include "core/units.h"
#include "platform/compiler.h"
#include "platform/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_BYTES_MAX ((size_t)1 << 30)

static bool no_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory for the statements");
}

static size_t name_bytes(const char *at)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    size_t first = strspn(at, letters);
    return first ? first + strspn(at + first, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") : 0;
}

/* ---- parameters ---- */

static bool read_whole(const char *text, size_t bytes, int64_t *out)
{
    char copy[24], *end = NULL;
    if (bytes == 0 || bytes >= sizeof(copy) || strchr(" \t+", *text))
        return false;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    errno = 0;
    long long value = strtoll(copy, &end, 10);
    *out = (int64_t)value;
    return *end == '\0' && errno == 0;
}

/* The texts are numbers for the server where every line is one. */
static bool add_line(struct script_param *param, const char *text, size_t bytes)
{
    if ((param->count & (param->count - 1)) == 0) {
        size_t room = param->count ? 2 * (size_t)param->count : 1;
        struct script_text *more = realloc(param->texts, room * sizeof(*more));
        if (!more)
            return false;
        param->texts = more;
    }
    int64_t number = 0;
    bool whole = read_whole(text, bytes, &number);
    param->texts[param->count++] = (struct script_text){.text = text, .bytes = bytes, .number = number};
    param->are_numbers = whole && (param->are_numbers || param->count == 1);
    return true;
}

static bool read_file(struct query *query, struct script_param *param, const char *path, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    if (!path_read_text(path, VALUES_BYTES_MAX, &text, &size, error))
        return false;
    if (!text_pool_keep(&query->texts, text))
        return no_memory(error);
    if (strlen(text) != size)
        return error_set(error, ERR_USAGE,
                         "--params: %.200s holds a NUL byte: give a file of text, one value on each line", path);
    for (const char *at = text; *at;) {
        size_t line = strcspn(at, "\n"), bytes = line > 0 && at[line - 1] == '\r' ? line - 1 : line;
        if (!add_line(param, at, bytes))
            return no_memory(error);
        at += line + (at[line] == '\n');
    }
    return param->count > 0 ||
           error_set(error, ERR_USAGE, "--params: %.200s is empty: give a file with one value on each line", path);
}

/* "1..1000" */
static bool read_range(struct script_param *param, const char *text)
{
    const char *dots = strstr(text, "..");
    int64_t high = 0;
    if (!dots || !read_whole(text, (size_t)(dots - text), &param->low) ||
        !read_whole(dots + 2, strlen(dots + 2), &high) || high < param->low)
        return false;
    param->count = (uint64_t)high - (uint64_t)param->low + 1;
    return param->count > 0;
}

static const struct source {
    const char *name;
    enum distribution distribution;
    bool in_order, is_file;
} sources[] = {{"random", DIST_UNIFORM, false, false},       {"uniform", DIST_UNIFORM, false, false},
               {"zipfian", DIST_ZIPFIAN, false, false},      {"gaussian", DIST_GAUSSIAN, false, false},
               {"pareto", DIST_PARETO, false, false},        {"special", DIST_SPECIAL, false, false},
               {"sequential", DIST_UNIFORM, true, false},    {"file", DIST_UNIFORM, false, true},
               {"file-sequential", DIST_UNIFORM, true, true}};

static const struct source *find_source(const char *text, size_t bytes)
{
    for (size_t i = 0; i < COUNT_OF(sources); ++i)
        if (strlen(sources[i].name) == bytes && memcmp(sources[i].name, text, bytes) == 0)
            return &sources[i];
    return NULL;
}

static bool refuse_param(const char *text, struct error *error)
{
    return error_set(error, ERR_USAGE,
                     "--params=%.120s: give NAME=random:1..1000, or zipfian:, sequential: (LOW..HIGH), file:FILE or "
                     "file-sequential:FILE",
                     text);
}

/* `text`: one of a list, NUL-terminated. */
static bool add_param(struct query *query, const struct job *job, const char *text, struct error *error)
{
    size_t bytes = name_bytes(text);
    const char *kind = text + bytes + 1, *colon = text[bytes] == '=' ? strchr(kind, ':') : NULL;
    const struct source *source = bytes && colon ? find_source(kind, (size_t)(colon - kind)) : NULL;
    if (!source)
        return refuse_param(text, error);
    if (query->script.params_count == QUERY_PARAMS_MAX)
        return error_set(error, ERR_USAGE, "--params: there are more than %d", QUERY_PARAMS_MAX);
    struct script_param *param = &query->values[query->script.params_count++];
    param->name = text_pool_copy(&query->texts, text, bytes);
    param->in_order = source->in_order;
    if (!param->name)
        return no_memory(error);
    if (source->is_file ? !read_file(query, param, colon + 1, error) : !read_range(param, colon + 1))
        return error->kind != ERR_NONE ? false : refuse_param(text, error);
    struct job picking = *job;
    picking.distribution = source->distribution;
    picker_init(&param->picker, &picking, param->count);
    return true;
}

static bool read_params(struct query *query, const struct job *job, struct error *error)
{
    query->script.params = query->values;
    for (size_t i = 0; i < query->params_count; ++i)
        for (const char *at = query->params[i]; *at;) {
            size_t bytes = strcspn(at, ",");
            const char *text = text_pool_copy(&query->texts, at, bytes);
            if (!text)
                return no_memory(error);
            if (!add_param(query, job, text, error))
                return false;
            at += bytes + (at[bytes] == ',');
        }
    return true;
}

/* ---- statements ---- */

struct naming {
    struct query *query;
    const struct sql_rules *rules;
    bool used[QUERY_PARAMS_MAX];
    uint32_t list[QUERY_PARAMS_MAX]; /* of one statement */
    size_t count;
    struct error *error;
};

static bool use_param(struct naming *naming, const char *name, size_t bytes)
{
    const struct query *query = naming->query;
    for (uint32_t i = 0; i < query->script.params_count; ++i)
        if (strlen(query->values[i].name) == bytes && memcmp(query->values[i].name, name, bytes) == 0) {
            if (naming->count == QUERY_PARAMS_MAX)
                return error_set(naming->error, ERR_USAGE, "--sql: one statement has more than %d parameters",
                                 QUERY_PARAMS_MAX);
            naming->used[i] = true;
            naming->list[naming->count++] = i;
            return true;
        }
    return error_set(naming->error, ERR_USAGE, "--sql: nothing gives :%.*s a value: add --params %.*s=random:1..1000",
                     (int)bytes, name, (int)bytes, name);
}

/* :NAME → ?, in place, as it is never longer. */
static bool replace_names(struct naming *naming, char *sql)
{
    const char *from = sql, *behind;
    char *to = sql;
    naming->count = 0;
    while (*from) {
        size_t bytes = 1;
        if ((behind = sql_skip(from, naming->rules)) != from) {
            bytes = (size_t)(behind - from);
        } else if (*from == '?') {
            return error_set(naming->error, ERR_USAGE,
                             "--sql: ? says not which value is meant: write :NAME, and --params NAME=random:1..1000");
        } else if (*from == ':' && from[1] != ':' && name_bytes(from + 1)) {
            bytes = name_bytes(from + 1);
            if (!use_param(naming, from + 1, bytes))
                return false;
            *to++ = '?';
            from += bytes + 1;
            continue;
        } else if (*from == ':' && from[1] == ':') {
            bytes = 2; /* a cast of PostgreSQL */
        }
        memmove(to, from, bytes);
        to += bytes;
        from += bytes;
    }
    *to = '\0';
    return true;
}

static bool add_statement(struct naming *naming, const struct sql_span *span)
{
    struct query *query = naming->query;
    struct script *script = &query->script;
    struct script_statement *statement = &script->queries.items[script->queries.count];
    char name[32], *sql = text_pool_copy(&query->texts, span->text, span->bytes);
    if (script->queries.count == SCRIPT_KINDS_MAX)
        return error_set(naming->error, ERR_USAGE, "--sql: there are more than %d statements", SCRIPT_KINDS_MAX);
    if (!sql)
        return no_memory(naming->error);
    if (!replace_names(naming, sql))
        return false;
    snprintf(name, sizeof(name), "query %zu", script->queries.count + 1);
    uint32_t *params =
        (uint32_t *)(void *)text_pool_copy(&query->texts, (const char *)naming->list, sizeof(naming->list));
    const char *kind = text_pool_copy(&query->texts, name, strlen(name));
    if (!params || !kind)
        return no_memory(naming->error);
    *statement = (struct script_statement){.sql = sql,
                                           .kind = (uint32_t)script->queries.count,
                                           .params = params,
                                           .params_count = naming->count,
                                           .weight = 1};
    script->kinds[script->kinds_count++] = kind;
    ++script->queries.count;
    return true;
}

static bool check_used(const struct naming *naming)
{
    for (size_t i = 0; i < naming->query->script.params_count; ++i)
        if (!naming->used[i])
            return error_set(naming->error, ERR_USAGE, "--params: no statement of --sql has :%s",
                             naming->query->values[i].name);
    return true;
}

static bool read_statements(struct query *query, const struct sql_rules *rules, struct error *error)
{
    struct naming naming = {.query = query, .rules = rules, .error = error};
    const char *at = query->sql;
    struct sql_span span;
    query->script.queries.items = calloc(SCRIPT_KINDS_MAX + 1, sizeof(*query->script.queries.items));
    if (!query->script.queries.items)
        return no_memory(error);
    while (sql_cut_next(&at, rules, &span))
        if (!add_statement(&naming, &span))
            return false;
    if (query->script.queries.count == 0)
        return error_set(error, ERR_USAGE, "--sql: there is no statement in it");
    return check_used(&naming);
}

/* ---- weights ---- */

static bool read_weights(struct query *query, struct error *error)
{
    struct script *script = &query->script;
    const char *at = query->weights;
    size_t count = 0;
    for (; at && *at && count < script->queries.count; ++count) {
        size_t bytes = strcspn(at, ",");
        char number[16];
        snprintf(number, sizeof(number), "%.*s", (int)(bytes < 15 ? bytes : 15), at);
        uint64_t *weight = &script->queries.items[count].weight;
        if (!units_parse_count(number, weight) || *weight == 0 || *weight > UINT32_MAX)
            return error_set(error, ERR_USAGE, "--weights=%.80s: give a whole number above 0 for each statement",
                             query->weights);
        at += bytes + (at[bytes] == ',');
    }
    if (at && (*at || count != script->queries.count))
        return error_set(error, ERR_USAGE, "--weights=%.80s: give one number for each of the %zu statements",
                         query->weights, script->queries.count);
    for (size_t i = 0; i < script->queries.count; ++i)
        script->weights += script->queries.items[i].weight;
    return true;
}

bool query_make_script(struct query *query, const struct job *job, struct error *error)
{
    const struct sql_rules rules = {";", strcmp(job->db_driver, "mysql") == 0};
    query->script.is_prepared = true;
    return read_params(query, job, error) && read_statements(query, &rules, error) && read_weights(query, error);
}
