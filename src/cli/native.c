#include "cli/native.h"

#include "cli/cli.h"
#include "cli/help.h"
#include "cli/text.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/process.h"

#include <stdlib.h>
#include <string.h>

#define EXTENSION_MAX_BYTES (UINT64_C(1) << 60)

struct words {
    int argc, at;
    bool sized; /* --total-size was given */
    char *const *argv;
};

static const struct {
    const char *name;
    enum action action;
} actions[] = {{"prepare", ACTION_PREPARE}, {"run", ACTION_RUN}, {"cleanup", ACTION_CLEANUP}, {"check", ACTION_CHECK}};

/* "--block-size=4K" or "--block-size 4K": splits into the name without dashes and the value (NULL: none given). */
static bool split_option(struct words *words, char name[NAME_MAX_BYTES], const char **value, struct error *error)
{
    const char *word = words->argv[words->at++] + 2, *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    if (length == 0 || length >= NAME_MAX_BYTES)
        return error_set(error, ERR_USAGE, "--%s: no option has that name; see `isobench help fileio`", word);
    memcpy(name, word, length);
    name[length] = '\0';
    *value = equals ? equals + 1 : NULL;
    return true;
}

static bool unknown_option(const char *name, struct error *error)
{
    const struct setting *close = setting_closest(name);
    if (!close)
        return error_set(error, ERR_USAGE, "--%s: no option has that name; see `isobench help fileio`", name);
    char dashed[NAME_MAX_BYTES];
    setting_option_name(close, dashed, sizeof(dashed));
    return error_set(error, ERR_USAGE, "--%s: no option has that name; did you mean %s?", name, dashed);
}

static bool take_value(struct words *words, const char *name, const char **value, struct error *error)
{
    if (*value)
        return true;
    if (words->at >= words->argc)
        return error_set(error, ERR_USAGE, "--%s: its value is missing", name);
    *value = words->argv[words->at++];
    return true;
}

static bool set_json(struct invocation *invocation, const char *value, struct error *error)
{
    if (value[0] == '\0' || strlen(value) >= sizeof(invocation->json_path))
        return error_set(error, ERR_USAGE, "--json=%.40s: give a file's name, or - for stdout", value);
    strcpy(invocation->json_path, value);
    return true;
}

/* Each use adds a path. */
static bool add_overwrite(struct invocation *invocation, const char *value, struct error *error)
{
    size_t used = strlen(invocation->overwrite), room = sizeof(invocation->overwrite) - used;
    if (value[0] == '\0' || strlen(value) + 2 > room)
        return error_set(error, ERR_USAGE, "--overwrite-target=%.40s: give the path as --target has it", value);
    snprintf(invocation->overwrite + used, room, "%s%s", used ? "," : "", value);
    return true;
}

static bool set_extension(struct invocation *invocation, const char *value, struct error *error)
{
    if (units_parse_bytes(value, &invocation->extend_bytes) && invocation->extend_bytes > 0 &&
        invocation->extend_bytes <= EXTENSION_MAX_BYTES)
        return true;
    return error_set(error, ERR_USAGE, "--extend-targets=%.40s: give a size of at least one byte, such as 8M", value);
}

static bool parse_option(struct words *words, struct invocation *invocation, struct error *error)
{
    char name[NAME_MAX_BYTES], shown[NAME_MAX_BYTES + 2];
    const char *value = NULL;
    if (!split_option(words, name, &value, error))
        return false;
    if (strcmp(name, "show-job") == 0 && !value) {
        invocation->show_job = true;
        return true;
    }
    if (strcmp(name, "json") == 0)
        return take_value(words, name, &value, error) && set_json(invocation, value, error);
    if (strcmp(name, "overwrite-target") == 0)
        return take_value(words, name, &value, error) && add_overwrite(invocation, value, error);
    if (strcmp(name, "extend-targets") == 0)
        return take_value(words, name, &value, error) && set_extension(invocation, value, error);
    const struct setting *setting = setting_find(name);
    if (!setting)
        return unknown_option(name, error);
    if (setting->type == SETTING_BOOL && !value)
        value = "on";
    snprintf(shown, sizeof(shown), "--%s", name);
    words->sized |= strcmp(setting->name, "total_size") == 0;
    return take_value(words, name, &value, error) && job_set(&invocation->job, setting, shown, value, error);
}

static bool parse_action(const char *word, bool *have, struct invocation *invocation, struct error *error)
{
    if (*have)
        return error_set(error, ERR_USAGE, "%s: one command is enough; options begin with --", word);
    for (size_t i = 0; i < COUNT_OF(actions); ++i) {
        if (strcmp(word, actions[i].name) == 0) {
            invocation->action = actions[i].action;
            *have = true;
            return true;
        }
    }
    return error_set(error, ERR_USAGE, "%s: no such command of fileio; one of prepare, run, cleanup, check", word);
}

static bool parse_words(struct words *words, struct invocation *invocation, bool *help, struct error *error)
{
    bool have_action = false;
    while (words->at < words->argc) {
        const char *word = words->argv[words->at];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            *help = true;
            return true;
        }
        bool good = strncmp(word, "--", 2) == 0 ? parse_option(words, invocation, error)
                                                : (++words->at, parse_action(word, &have_action, invocation, error));
        if (!good)
            return false;
    }
    if (!have_action)
        return error_set(error, ERR_USAGE, "fileio: say what to do: prepare, run, check or cleanup");
    return true;
}

bool native_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    struct words words = {argc, 0, false, argv};
    bool help = false;
    job_init(&invocation->job);
    invocation->forced_status = STATUS_FORCED;
    if (!parse_words(&words, invocation, &help, error))
        return false;
    if (help) {
        help_fileio(out);
        invocation->action = ACTION_PRINTED;
        return true;
    }
    if (invocation->job.target[0] && !words.sized)
        invocation->job.total_size_bytes = 0; /* all of it */
    invocation->job.verify |= invocation->action == ACTION_CHECK;
    if (!job_check(&invocation->job, error) ||
        (invocation->action == ACTION_RUN && !job_check_run(&invocation->job, error)))
        return false;
    invocation->free_context = free;
    return text_listener(&invocation->listener, out, process_stdout_is_terminal()) ||
           error_set(error, ERR_SYSTEM, "not enough memory");
}

/* ---- writing ---- */

static bool is_written(const struct job *job, const struct job *standard, const struct setting *setting)
{
    bool about_size = strcmp(setting->name, "total_size") == 0;
    if (about_size && job->target[0])
        return job->total_size_bytes > 0; /* without the option it is all of the target */
    if (job->target[0] && strcmp(setting->name, "files") == 0)
        return false; /* follows from the target */
    return !setting_equal(job, standard, setting);
}

static void write_overwrite(const struct invocation *from, struct command *out)
{
    for (const char *path = from->overwrite; *path;) {
        size_t length = strcspn(path, ",");
        command_add(out, "--overwrite-target=%.*s", (int)length, path);
        path += length + (path[length] == ',');
    }
}

static bool native_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    static const char *const words[] = {"help", "prepare", "run", "cleanup"};
    struct job standard;
    job_init(&standard);
    command_add(out, "fileio");
    command_add(out, "%s", words[from->action]);
    for (size_t i = 0; i < settings_count; ++i) {
        char option[NAME_MAX_BYTES], value[TEXT_MAX];
        if (!is_written(job, &standard, &settings[i]))
            continue;
        setting_option_name(&settings[i], option, sizeof(option));
        job_get(job, &settings[i], value, sizeof(value));
        command_add(out, "%s=%s", option, value);
    }
    char size[32];
    if (from->extend_bytes > 0)
        command_add(out, "--extend-targets=%s", units_bytes_exact(from->extend_bytes, size, sizeof(size)));
    write_overwrite(from, out);
    return command_check(out, error);
}

static bool native_read_back(const struct command *command, struct invocation *invocation, struct error *error)
{
    return native_parse(command->argc - 1, command->argv + 1, stdout, invocation, error);
}

const struct dialect native_dialect = {"isobench", "isobench's own settings", native_parse, native_write,
                                       native_read_back};
