#include "plan/plan.h"

#include "core/encoding.h"
#include "core/random.h"
#include "core/settings.h"
#include "platform/clock.h"
#include "platform/path.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_BYTES_MAX ((size_t)1 << 20)
#define KEYS_MAX 64
#define VALUES_MAX 64
#define JOBS_MAX 10000
#define LINE_BYTES 1024
#define FORBIDDEN_SIGNS "/\\:*?\"<>|" /* in names of files, on one system or another */

/* ---- what stands in a section ---- */

struct key {
    const struct setting *setting;
    char text[512];
    uint32_t line;
};

struct section {
    char name[PLAN_NAME_BYTES];
    struct key keys[KEYS_MAX];
    size_t count;
    uint32_t line;
};

struct reading_plan {
    struct plan *plan;
    const char *directory;
    struct section *global, *section;
    bool in_global;
    uint32_t line;
    struct error *error;
};

static bool refuse(struct reading_plan *reading, uint32_t line, const char *key, const char *what)
{
    return error_set(reading->error, ERR_USAGE, "%s:%" PRIu32 ": %s%s%.800s", reading->plan->path, line, key,
                     key[0] ? ": " : "", what);
}

/* ---- one job ---- */

static bool set_key(struct reading_plan *reading, struct job *job, const struct key *key, const char *text)
{
    struct error inner = ERROR_INIT;
    return job_set(job, key->setting, key->setting->name, text, &inner) || refuse(reading, key->line, "", inner.text);
}

/* Names of files hold no signs that a system forbids. */
static void add_to_name(struct plan_job *job, const char *key, const char *value)
{
    size_t used = strlen(job->name);
    snprintf(job->name + used, sizeof job->name - used, ".%s=%s", key, value);
    for (char *at = job->name; *at; at++)
        if (strchr(FORBIDDEN_SIGNS " \t", *at) || (unsigned char)*at < ' ')
            *at = '_';
}

static bool is_one_layout(const struct plan_job *a, const struct plan_job *b)
{
    static const char *const of_files[] = {"target", "dir", "files", "total_size", "fill", "verify", NULL},
                             *const of_tables[] = {"db_driver",        "db_file",  "db_host",      "db_port",
                                                   "db_socket",        "db_name",  "table_form",   "tables",
                                                   "table_size",       "auto_inc", "table_engine", "secondary",
                                                   "create_secondary", NULL};
    if (a->job.work != b->job.work || strcmp(a->asked_name, b->asked_name) != 0)
        return false;
    for (const char *const *name = a->job.work == WORK_FILES ? of_files : of_tables; *name; name++)
        if (!setting_equal(&a->job, &b->job, setting_find(*name)))
            return false;
    return true;
}

static const struct plan_job *find_like(const struct plan *plan, const struct plan_job *job)
{
    for (size_t i = 0; i < plan->job_count; i++)
        if (is_one_layout(&plan->jobs[i], job))
            return &plan->jobs[i];
    return NULL;
}

/* Layouts do not share names, or one would be taken for the other: the second one's are called <name>_1. */
static bool give_place(struct reading_plan *reading, struct plan_job *job)
{
    struct plan *plan = reading->plan;
    char *name = job->job.work == WORK_FILES ? job->job.file_name : job->job.table_name;
    snprintf(job->asked_name, sizeof job->asked_name, "%s", name);
    const struct plan_job *like = find_like(plan, job);
    job->layout = like ? like->layout : plan->layout_count++;
    if (job->layout == 0)
        return true;
    if (snprintf(name, NAME_MAX_BYTES, "%s_%zu", job->asked_name, job->layout) < NAME_MAX_BYTES)
        return true;
    return refuse(reading, job->line, job->name, "the name of its files is too long");
}

/* As Windows and macOS take names; of letters beyond ASCII they are not asked. */
static bool is_same_file_name(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

static bool add_job(struct reading_plan *reading, const struct plan_job *made)
{
    struct plan *plan = reading->plan;
    struct plan_job job = *made;
    struct error inner = ERROR_INIT;
    job.repeat = job.job.repeat;
    job.job.repeat = 1;
    if (!job_check_run(&job.job, &inner))
        return refuse(reading, job.line, job.name, inner.text);
    for (size_t i = 0; i < plan->job_count; i++)
        if (is_same_file_name(plan->jobs[i].name, job.name))
            return refuse(reading, job.line, job.name,
                          strcmp(plan->jobs[i].name, job.name) == 0
                              ? "another job has that name"
                              : "another job's name differs in capitals alone: its results would have the same file on "
                                "Windows");
    if (plan->job_count == JOBS_MAX)
        return refuse(reading, job.line, job.name, "makes more than 10000 jobs");
    if (plan->job_count == plan->job_room) {
        size_t room = plan->job_room ? 2 * plan->job_room : 16;
        struct plan_job *jobs = realloc(plan->jobs, room * sizeof *jobs);
        if (!jobs)
            return error_set(reading->error, ERR_SYSTEM, "not enough memory for the plan's jobs");
        plan->jobs = jobs;
        plan->job_room = room;
    }
    if (!give_place(reading, &job))
        return false;
    plan->jobs[plan->job_count++] = job;
    return true;
}

/* ---- lists ---- */

static bool takes_lists(const struct setting *setting)
{
    bool is_free_text = setting->type == SETTING_TEXT && !setting->choices;
    return setting->type != SETTING_LIST && !is_free_text && strcmp(setting->name, "repeat") != 0;
}

/* Cuts "1, 64" at its commas. Returns the number of values; 0 = too many, or an empty one. */
static size_t split_values(char *text, char *values[VALUES_MAX])
{
    size_t count = 0;
    while (count < VALUES_MAX) {
        char *comma = strchr(text, ',');
        if (comma)
            *comma = '\0';
        text += strspn(text, " \t");
        for (size_t length = strlen(text); length > 0 && isspace((unsigned char)text[length - 1]);)
            text[--length] = '\0';
        values[count++] = text;
        if (!*text && (comma || count > 1))
            return 0;
        if (!comma)
            return count;
        text = comma + 1;
    }
    return 0;
}

/* Takes the keys from the index-th on, with every combination of their values. */
static bool expand(struct reading_plan *reading, const struct section *section, size_t index,
                   const struct plan_job *so_far)
{
    if (index == section->count)
        return add_job(reading, so_far);
    const struct key *key = &section->keys[index];
    char text[sizeof key->text], *values[VALUES_MAX] = {text};
    size_t count = 1;
    snprintf(text, sizeof text, "%s", key->text);
    if (takes_lists(key->setting) && strchr(text, ','))
        count = split_values(text, values);
    if (count == 0)
        return refuse(reading, key->line, key->setting->name, "a list has one to 64 values, none of them empty");
    for (size_t i = 0; i < count; i++) {
        struct plan_job job = *so_far;
        if (!set_key(reading, &job.job, key, values[i]))
            return false;
        if (count > 1)
            add_to_name(&job, key->setting->name, values[i]);
        if (!expand(reading, section, index + 1, &job))
            return false;
    }
    return true;
}

/* ---- sections ---- */

static bool sets(const struct section *section, const char *name)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->keys[i].setting->name, name) == 0)
            return true;
    return false;
}

/* The section's own keys after those of [global] that it does not set itself; what concerns the other work is left out
 * of [global], and refused in the section. */
static bool merge_keys(struct reading_plan *reading, enum work work, struct section *out)
{
    const struct section *section = reading->section, *global = reading->global;
    *out = *section;
    out->count = 0;
    for (size_t i = 0; i < global->count; i++)
        if (setting_concerns(global->keys[i].setting, work) && !sets(section, global->keys[i].setting->name))
            out->keys[out->count++] = global->keys[i];
    for (size_t i = 0; i < section->count; i++) {
        if (!setting_concerns(section->keys[i].setting, work))
            return refuse(reading, section->keys[i].line, section->keys[i].setting->name,
                          work == WORK_FILES ? "is for databases; their sections are called [oltp-…]"
                                             : "is for files, not for databases");
        if (out->count == KEYS_MAX)
            return refuse(reading, section->keys[i].line, section->keys[i].setting->name, "is one key too many");
        out->keys[out->count++] = section->keys[i];
    }
    return true;
}

static bool end_section(struct reading_plan *reading)
{
    struct section *section = reading->section, *merged;
    struct plan_job job = {.line = section->line};
    bool good;
    if (section->line == 0)
        return true;
    enum work work = strncmp(section->name, "oltp", 4) == 0 || sets(section, "workload") ? WORK_DATABASE : WORK_FILES;
    snprintf(job.name, sizeof job.name, "%s", section->name);
    job_init(&job.job);
    job.job.work = work;
    if (reading->directory && work == WORK_FILES)
        snprintf(job.job.dir, sizeof job.job.dir, "%s", reading->directory);
    merged = malloc(sizeof *merged);
    if (!merged)
        return error_set(reading->error, ERR_SYSTEM, "not enough memory for the plan");
    good = merge_keys(reading, work, merged);
    for (size_t i = 0; good && reading->directory && i < merged->count; i++)
        if (strcmp(merged->keys[i].setting->name, "dir") == 0)
            merged->keys[i].text[0] = '\0',
            snprintf(merged->keys[i].text, sizeof merged->keys[i].text, "%.500s", reading->directory);
    good = good && expand(reading, merged, 0, &job);
    free(merged);
    section->count = 0;
    section->line = 0;
    return good;
}

/* Windows takes "CON.r1.json" for the console. */
static bool is_device_name(const char *name)
{
    static const char *const devices[] = {"CON", "PRN", "AUX", "NUL"};
    char stem[8];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
    for (size_t i = 0; i < COUNT_OF(devices); i++)
        if (is_same_file_name(stem, devices[i]))
            return true;
    bool has_number = strlen(stem) == 4 && isdigit((unsigned char)stem[3]);
    stem[3] = '\0';
    return has_number && (is_same_file_name(stem, "COM") || is_same_file_name(stem, "LPT"));
}

static bool is_file_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (strchr(FORBIDDEN_SIGNS, *at) || (unsigned char)*at < ' ')
            return false;
    return name[0] && name[0] != '.' && strlen(name) < 64 && !is_device_name(name);
}

static bool begin_section(struct reading_plan *reading, const char *name)
{
    struct section *section = reading->section;
    if (!end_section(reading))
        return false;
    if (!is_file_name(name))
        return refuse(
            reading, reading->line, name,
            "a section's name is part of a file's name, on Windows too: 1 to 63 bytes, none of / \\ : * ? \" < > "
            "|, no dot at its beginning, and no device's name such as CON");
    snprintf(section->name, sizeof section->name, "%s", name);
    section->line = reading->line;
    return true;
}

/* ---- keys ---- */

/* Those that are no settings of a job. */
static bool is_plan_key(const char *name)
{
    return strcmp(name, "interleave") == 0 || strcmp(name, "order_seed") == 0;
}

static bool take_plan_key(struct reading_plan *reading, const char *name, const char *value, bool *taken)
{
    char *end = NULL;
    *taken = is_plan_key(name);
    if (strcmp(name, "order_seed") == 0) {
        reading->plan->order_seed = strtoull(value, &end, 10);
        return (isdigit((unsigned char)*value) && *end == '\0') ||
               refuse(reading, reading->line, name, "must be a whole number");
    }
    if (!*taken)
        return true;
    bool on = strcmp(value, "yes") == 0 || strcmp(value, "on") == 0;
    reading->plan->interleave = on;
    return on || strcmp(value, "no") == 0 || strcmp(value, "off") == 0 ||
           refuse(reading, reading->line, name, "must be yes or no");
}

static const struct setting *find_key(struct reading_plan *reading, const char *name)
{
    const struct setting *setting = setting_find(name), *close = setting ? NULL : setting_closest(name);
    char what[128];
    if (setting && strcmp(setting->name, "work") != 0)
        return setting;
    if (is_plan_key(name)) {
        refuse(reading, reading->line, name, "is of the whole plan: set it in [global]");
        return NULL;
    }
    snprintf(what, sizeof what, close ? "no setting has that name; did you mean %s?" : "no setting has that name",
             close ? close->name : "");
    refuse(reading, reading->line, name, setting ? "the section's name says it: [oltp-…] is a database" : what);
    return NULL;
}

static bool take_key(struct reading_plan *reading, struct section *section, const char *name, const char *value)
{
    const struct setting *setting = find_key(reading, name);
    struct job probe;
    if (!setting)
        return false;
    if (sets(section, setting->name))
        return refuse(reading, reading->line, name, "stands twice in this section");
    if (section->count == KEYS_MAX)
        return refuse(reading, reading->line, name, "is one key too many");
    struct key *key = &section->keys[section->count++];
    key->setting = setting;
    key->line = reading->line;
    if (strlen(value) >= sizeof key->text)
        return refuse(reading, reading->line, name, "is longer than 511 bytes");
    snprintf(key->text, sizeof key->text, "%s", value);
    job_init(&probe);
    return (takes_lists(setting) && strchr(value, ',')) || set_key(reading, &probe, key, value);
}

static bool take_pair(struct reading_plan *reading, const char *name, const char *value)
{
    bool taken = false;
    if (reading->in_global)
        return take_plan_key(reading, name, value, &taken) &&
               (taken || take_key(reading, reading->global, name, value));
    if (reading->section->line == 0)
        return refuse(reading, reading->line, name, "stands before the first section; begin with [global]");
    return take_key(reading, reading->section, name, value);
}

/* ---- lines: INI files. inih would read one plan in two ways on two systems: by how it was built, it cuts lines at 200
 * bytes, takes " ;" in a value for a comment and an indented line for more of the value above, and tells no line
 * numbers, which errors need. ---- */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    for (size_t bytes = strlen(text); bytes > 0 && isspace((unsigned char)text[bytes - 1]);)
        text[--bytes] = '\0';
    return text;
}

static bool take_head(struct reading_plan *reading, char *line)
{
    char *end = strchr(line, ']');
    if (!end || trim(end + 1)[0] != '\0')
        return refuse(reading, reading->line, "",
                      "the section's name does not end its line: ] is missing or misplaced");
    *end = '\0';
    line = trim(line + 1);
    reading->in_global = strcmp(line, "global") == 0;
    return reading->in_global ? end_section(reading) : begin_section(reading, line);
}

/* `line` may be changed. A comment is a line of its own: values may hold a semicolon. */
static bool take_line(struct reading_plan *reading, char *line)
{
    line = trim(line);
    if (*line == '\0' || *line == ';' || *line == '#')
        return true;
    if (*line == '[')
        return take_head(reading, line);
    char *equals = strchr(line, '=');
    if (!equals || equals == line)
        return refuse(reading, reading->line, "", "is neither [section], nor key = value, nor a comment (;)");
    *equals = '\0';
    return take_pair(reading, trim(line), trim(equals + 1));
}

static bool take_lines(struct reading_plan *reading)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* which editors on Windows put before UTF-8 */
    char line[LINE_BYTES];
    const char *at = reading->plan->text;
    for (at += strncmp(at, mark, 3) == 0 ? 3 : 0; *at;) {
        size_t length = strcspn(at, "\n");
        reading->line++;
        if (length >= sizeof line)
            return refuse(reading, reading->line, "", "the line is too long; 1000 bytes are enough for every key");
        memcpy(line, at, length);
        line[length] = '\0';
        if (!take_line(reading, line))
            return false;
        at += length + (at[length] == '\n');
    }
    return end_section(reading);
}

/* ---- all ---- */

/* FNV-1a. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return hash;
}

static bool parse(struct reading_plan *reading)
{
    return take_lines(reading) &&
           (reading->plan->job_count > 0 ||
            error_set(reading->error, ERR_USAGE, "%s: no job is in it; a section such as [random-read] makes one",
                      reading->plan->path));
}

bool plan_parse(struct plan *out, const char *path, char *text, const char *directory, struct error *error)
{
    struct reading_plan reading = {.plan = out, .directory = directory, .error = error};
    bool good;
    *out = (struct plan){.path = path, .text = text, .hash = hash_of(text), .order_seed = 1};
    reading.global = calloc(1, sizeof *reading.global);
    reading.section = calloc(1, sizeof *reading.section);
    good = reading.global && reading.section ? parse(&reading)
                                             : error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", path);
    free(reading.global);
    free(reading.section);
    return good;
}

bool plan_read(struct plan *out, const char *path, const char *directory, struct error *error)
{
    char *text = NULL;
    *out = (struct plan){.path = path};
    return encoding_read_text(path, PLAN_BYTES_MAX, &text, error) && plan_parse(out, path, text, directory, error);
}

void plan_free(struct plan *plan)
{
    free(plan->text);
    free(plan->jobs);
    plan->text = NULL;
    plan->jobs = NULL;
    plan->job_count = 0;
}

/* ---- runs ---- */

bool plan_name_matches(const char *name, const char *pattern)
{
    const char *star = NULL, *resume = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            resume = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static void shuffle(struct plan_run *runs, size_t count, struct random *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)random_below(random, i);
        struct plan_run kept = runs[i - 1];
        runs[i - 1] = runs[other];
        runs[other] = kept;
    }
}

/* Those of one repetition, of jobs that have it. */
static size_t add_round(const struct plan *plan, const char *only, uint64_t repetition, struct plan_run *out)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->job_count; i++)
        if (plan->jobs[i].repeat >= repetition && (!only || plan_name_matches(plan->jobs[i].name, only)))
            out[count++] = (struct plan_run){i, repetition};
    return count;
}

static size_t add_job_runs(const struct plan *plan, size_t job, const char *only, struct plan_run *out)
{
    size_t count = 0;
    if (only && !plan_name_matches(plan->jobs[job].name, only))
        return 0;
    for (uint64_t repetition = 1; repetition <= plan->jobs[job].repeat; repetition++)
        out[count++] = (struct plan_run){job, repetition};
    return count;
}

struct plan_run *plan_runs(const struct plan *plan, const char *only, size_t *count, struct error *error)
{
    uint64_t all = 0, most = 0;
    struct random random;
    for (size_t i = 0; i < plan->job_count; i++) {
        all += plan->jobs[i].repeat;
        most = plan->jobs[i].repeat > most ? plan->jobs[i].repeat : most;
    }
    struct plan_run *runs = calloc((size_t)all + 1, sizeof *runs);
    *count = 0;
    if (!runs) {
        error_set(error, ERR_SYSTEM, "not enough memory for the plan's runs");
        return NULL;
    }
    random_init(&random, plan->order_seed, 0);
    for (uint64_t repetition = 1; plan->interleave && repetition <= most; repetition++) {
        size_t added = add_round(plan, only, repetition, runs + *count);
        shuffle(runs + *count, added, &random);
        *count += added;
    }
    for (size_t layout = 0; !plan->interleave && layout < plan->layout_count; layout++)
        for (size_t i = 0; i < plan->job_count; i++)
            if (plan->jobs[i].layout == layout)
                *count += add_job_runs(plan, i, only, runs + *count);
    if (*count > 0)
        return runs;
    free(runs);
    error_set(error, ERR_USAGE, "--only=%s: no job of %s has such a name; the first is %s", only, plan->path,
              plan->jobs[0].name);
    return NULL;
}
