#include "dialects/fio.h"

#include "core/encoding.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define JOB_FILE_MAX_BYTES ((size_t)1 << 20)

/* What the program itself is told, and what is still to come. */
struct reading {
    struct fio_printer *printer;
    struct invocation *invocation;
    const char *only;                  /* --section */
    bool read_only, parse_only, begun; /* begun: a --name was there */
    struct error *error;
};

/* ---- the program's own words ---- */

static bool take_output(struct reading *reading, const char *value)
{
    reading->printer->output = value;
    return *value ? true : error_set(reading->error, ERR_USAGE, "--output= is not valid: it must be a file's name");
}

static bool take_format(struct reading *reading, const char *value)
{
    static const struct {
        const char *word;
        enum fio_format format;
    } words[] = {{"normal", FIO_NORMAL}, {"json", FIO_JSON}, {"json+", FIO_JSON_PLUS}};
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i].word, value) == 0) {
            reading->printer->format = words[i].format;
            return true;
        }
    return error_set(reading->error, ERR_UNSUPPORTED,
                     "--output-format=%.60s is not supported: normal, json and json+ are, one at a time", value);
}

static bool take_section(struct reading *reading, const char *value)
{
    reading->only = value;
    return *value ? true : error_set(reading->error, ERR_USAGE, "--section= is not valid: it must be a job's name");
}

static bool take_read_only(struct reading *reading, const char *value)
{
    (void)value;
    reading->read_only = true;
    return true;
}

static bool take_parse_only(struct reading *reading, const char *value)
{
    (void)value;
    reading->parse_only = true;
    return true;
}

static bool take_eta(struct reading *reading, const char *value)
{
    return strcmp(value, "never") == 0 || strcmp(value, "auto") == 0 ||
           error_set(reading->error, ERR_UNSUPPORTED, "--eta=%.60s is not supported: no estimates are printed (never)",
                     value);
}

static bool take_terse(struct reading *reading, const char *value)
{
    (void)value;
    return error_set(reading->error, ERR_UNSUPPORTED, "the terse output is not supported: use --output-format=json");
}

static const struct word {
    const char *name;
    bool has_value;
    bool (*take)(struct reading *reading, const char *value);
} words[] = {
    {"output", true, take_output},
    {"output-format", true, take_format},
    {"section", true, take_section},
    {"readonly", false, take_read_only},
    {"eta", true, take_eta},
    {"minimal", false, take_terse},
    {"parse-only", false, take_parse_only},
};

/* ---- the command line ---- */

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory");
}

/* One "--key=value", "--key value" or "--key". `value` NULL = none, or the next word is it. */
struct option {
    const char *key, *value;
};

static bool take_job_key(const struct reading *reading, const struct option *option)
{
    struct fio_lines *lines = &reading->printer->lines;
    struct fio_line line = {.key = option->key, .value = option->value};
    return fio_lines_add(lines, &line, reading->error);
}

static bool begin_job(struct reading *reading, const struct option *option)
{
    struct fio_section section = {.name = option->value ? option->value : "",
                                  .global = option->value && strcmp(option->value, "global") == 0};
    reading->begun = true;
    if (section.name[0] == '\0')
        return error_set(reading->error, ERR_USAGE, "--name= is not valid: it must be the job's name");
    return fio_lines_add_section(&reading->printer->lines, &section, reading->error);
}

static bool take_option(struct reading *reading, const struct option *option)
{
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i].name, option->key) == 0)
            return words[i].take(reading, option->value ? option->value : "");
    return strcmp(option->key, "name") == 0 ? begin_job(reading, option) : take_job_key(reading, option);
}

/* Does the word after it belong to it? */
static bool wants_value(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i].name, key) == 0)
            return words[i].has_value;
    return !fio_key_stands_alone(key);
}

static bool split_option(struct reading *reading, const char *word, struct option *option)
{
    size_t dashes = word[1] == '-' ? 2 : 1;
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) - dashes : strlen(word) - dashes;
    option->key = fio_lines_keep(&reading->printer->lines, word + dashes, length);
    option->value = equals ? equals + 1 : NULL;
    return option->key ? true : out_of_memory(reading->error);
}

static bool read_file(const struct reading *reading, const char *path, struct error *error)
{
    char *text = NULL;
    return encoding_read_text(path, JOB_FILE_MAX_BYTES, &text, error) &&
           fio_lines_read(&reading->printer->lines, path, text, reading->only, error);
}

/* Options first: fio takes them from anywhere, and those before a --name are for the files' jobs too. */
static bool take_options(struct reading *reading, int argc, char *const *argv, int *files, const char **paths)
{
    static const struct fio_section global = {.name = "global", .global = true};
    if (!fio_lines_add_section(&reading->printer->lines, &global, reading->error))
        return false;
    for (int i = 0; i < argc; ++i) {
        struct option option;
        if (argv[i][0] != '-' || argv[i][1] == '\0') {
            paths[(*files)++] = argv[i];
            continue;
        }
        if (!split_option(reading, argv[i], &option))
            return false;
        if (!option.value && i + 1 < argc && wants_value(option.key))
            option.value = argv[++i];
        if (!take_option(reading, &option))
            return false;
    }
    return true;
}

static bool take_all(struct reading *reading, int argc, char *const *argv)
{
    const char **paths = calloc((size_t)argc + 1, sizeof(*paths));
    int files = 0;
    if (!paths)
        return out_of_memory(reading->error);
    bool good = take_options(reading, argc, argv, &files, paths);
    for (int i = 0; good && i < files; ++i)
        good = read_file(reading, paths[i], reading->error);
    free(paths);
    return good;
}

/* ---- the invocation ---- */

/* Paths of `more` that are not yet in `list` (both separated by commas). */
static bool add_paths(char *list, const char *more, struct error *error)
{
    for (const char *at = more; *at;) {
        size_t length = strcspn(at, ","), used = strlen(list);
        bool there = false;
        for (const char *item = list; *item && !there;
             item += item[strcspn(item, ",")] ? strcspn(item, ",") + 1 : strcspn(item, ","))
            there = strcspn(item, ",") == length && strncmp(item, at, length) == 0;
        if (!there && used + length + 2 > TEXT_MAX)
            return error_set(error, ERR_USAGE, "filename=: the names of all files that are written are too long");
        if (!there)
            snprintf(list + used, TEXT_MAX - used, "%s%.*s", used ? "," : "", (int)length, at);
        at += length + (at[length] == ',');
    }
    return true;
}

static bool add_written(const struct reading *reading)
{
    const struct fio_plan *plan = &reading->printer->plan;
    for (size_t i = 0; i < plan->count; ++i) {
        if (!mode_writes(plan->jobs[i].mode))
            continue;
        if (reading->read_only)
            return error_set(reading->error, ERR_USAGE,
                             "job %.60s: trim and write operations are not allowed with the "
                             "--readonly parameter",
                             plan->units[i].given->name);
        if (!add_paths(reading->invocation->overwrite, plan->jobs[i].target, reading->error))
            return false;
    }
    return true;
}

/* Found out before a run that may take hours, not after it. */
static bool probe_output(const struct reading *reading)
{
    char probe[PATH_BYTES];
    const char *output = reading->printer->output;
    if (!output)
        return true;
    snprintf(probe, sizeof(probe), "%.4000s.probe", output);
    return path_write_text(probe, "", 0, reading->error) && path_remove(probe, reading->error);
}

static bool fill(const struct reading *reading)
{
    struct fio_printer *printer = reading->printer;
    struct invocation *invocation = reading->invocation;
    const struct fio_plan *plan = &printer->plan;
    printer->entries = calloc(plan->entries, sizeof(*printer->entries));
    if (!printer->entries)
        return out_of_memory(reading->error);
    invocation->job = plan->jobs[0];
    invocation->further = plan->jobs + 1;
    invocation->further_count = plan->count - 1;
    invocation->waits = plan->waits;
    invocation->names = plan->names;
    for (size_t i = 0; i + 1 < plan->count; ++i)
        invocation->together = invocation->together || !plan->waits[i];
    invocation->lay_out = true;
    invocation->may_start_warm = true;
    invocation->action = reading->parse_only ? ACTION_PRINTED : ACTION_RUN;
    return add_written(reading) && (reading->parse_only || probe_output(reading));
}

static void free_printer(void *context)
{
    struct fio_printer *printer = context;
    for (size_t i = 0; printer->entries && i < printer->plan.entries; ++i)
        fio_entry_done(&printer->entries[i]);
    free(printer->entries);
    fio_plan_free(&printer->plan);
    fio_lines_free(&printer->lines);
    free(printer->notes.text);
    free(printer->report.text);
    free(printer);
}

/* `file_text` stands for what is in the command's file; NULL = there is none. */
static bool parse(int argc, char *const *argv, const struct command *with_file, FILE *out,
                  struct invocation *invocation, struct error *error)
{
    struct fio_printer *printer = calloc(1, sizeof(*printer));
    struct reading reading = {.printer = printer, .invocation = invocation, .error = error};
    memset(invocation, 0, sizeof(*invocation));
    if (!printer)
        return out_of_memory(error);
    printer->out = out;
    invocation->free_context = free_printer;
    invocation->listener = fio_listener(printer);
    invocation->warnings_apart = true;
    invocation->forced_status = 1;
    if (!take_all(&reading, argc, argv))
        return false;
    if (with_file) {
        char *text = malloc(with_file->file_used + 1);
        if (!text)
            return out_of_memory(error);
        memcpy(text, with_file->file_text, with_file->file_used + 1);
        if (!fio_lines_read(&printer->lines, with_file->file_name, text, reading.only, error))
            return false;
    }
    return fio_plan_make(&printer->plan, &printer->lines, &printer->notes, error) && fill(&reading);
}

static bool is_word(const char *word, const char *name)
{
    return strcmp(word, name) == 0 || (word[0] == '-' && strcmp(word + 1, name) == 0);
}

static bool fio_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    bool help = argc == 0 || is_word(argv[0], "-help") || strcmp(argv[0], "-h") == 0;
    bool version = argc > 0 && (is_word(argv[0], "-version") || strcmp(argv[0], "-v") == 0);
    if (!help && !version)
        return parse(argc, argv, NULL, out, invocation, error);
    memset(invocation, 0, sizeof(*invocation));
    if (help)
        fio_print_usage(out);
    else
        fputs("fio-3.33 (isobench " ISOBENCH_VERSION ")\n", out);
    return true;
}

static bool fio_read_back(const struct command *command, struct invocation *invocation, struct error *error)
{
    return parse(command->argc, command->argv, command->file_name[0] ? command : NULL, stdout, invocation, error);
}

const struct dialect dialect_fio = {"fio", "fio 3.x: job files and options, its report and its JSON", fio_parse,
                                    fio_write, fio_read_back};
