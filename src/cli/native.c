#include "cli/native.h"

#include "cli/cli.h"
#include "cli/help.h"
#include "cli/metrics.h"
#include "cli/password.h"
#include "cli/text.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/process.h"

#include <stdlib.h>
#include <string.h>

#define EXTENSION_MAX_BYTES (UINT64_C(1) << 60)

struct words {
    int argc, at;
    char *const *argv;
    const struct command_words *command;
    bool have_action, sized; /* sized: --total-size was given */
};

/* The commands, and what each of them can do. */
static const struct command_words {
    const char *name; /* also what write begins a command line with */
    enum work work;
    struct {
        const char *name;
        enum action action;
    } actions[4];
} commands[] = {
    {"fileio",
     WORK_FILES,
     {{"prepare", ACTION_PREPARE}, {"run", ACTION_RUN}, {"check", ACTION_CHECK}, {"cleanup", ACTION_CLEANUP}}},
    {"oltp",
     WORK_DATABASE,
     {{"prepare", ACTION_PREPARE}, {"warmup", ACTION_WARMUP}, {"run", ACTION_RUN}, {"cleanup", ACTION_CLEANUP}}},
};

static const struct command_words *command_of(enum work work)
{
    return &commands[work == WORK_DATABASE];
}

/* "--block-size=4K" or "--block-size 4K": splits into the name without dashes and the value (NULL: none given). */
static bool split_option(struct words *words, char name[NAME_MAX_BYTES], const char **value, struct error *error)
{
    const char *word = words->argv[words->at++] + 2, *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    if (length == 0 || length >= NAME_MAX_BYTES)
        return error_set(error, ERR_USAGE, "--%s: no option has that name; see `isobench help %s`", word,
                         words->command->name);
    memcpy(name, word, length);
    name[length] = '\0';
    *value = equals ? equals + 1 : NULL;
    return true;
}

static bool unknown_option(const struct words *words, const char *name, struct error *error)
{
    const struct setting *close = setting_closest(name);
    if (!close || !setting_concerns(close, words->command->work))
        return error_set(error, ERR_USAGE, "--%s: no option has that name; see `isobench help %s`", name,
                         words->command->name);
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

/* Options that are no settings. */
static const struct {
    const char *name;
    enum work work; /* the one that has it */
    bool of_all;    /* … or both */
    bool (*set)(struct invocation *invocation, const char *value, struct error *error);
} further_options[] = {
    {"json", WORK_FILES, true, set_json},
    {"openmetrics", WORK_FILES, true, metrics_set},
    {"overwrite-target", WORK_FILES, false, add_overwrite},
    {"extend-targets", WORK_FILES, false, set_extension},
    {"password-env", WORK_DATABASE, false, password_from_environment},
    {"password-file", WORK_DATABASE, false, password_from_file},
};

static bool refuse_other_work(const struct words *words, const char *name, struct error *error)
{
    const struct command_words *other = command_of(words->command->work == WORK_FILES ? WORK_DATABASE : WORK_FILES);
    return error_set(error, ERR_USAGE, "--%s: no option of %s (but of %s); see `isobench help %s`", name,
                     words->command->name, other->name, words->command->name);
}

static bool parse_further(struct words *words, const char *name, const char *value, bool *taken,
                          struct invocation *invocation, struct error *error)
{
    *taken = true;
    if (strcmp(name, "show-job") == 0 && !value)
        return invocation->show_job = true;
    if (strcmp(name, "ask-password") == 0 && !value)
        return words->command->work == WORK_DATABASE ? password_ask(&invocation->password, error)
                                                     : refuse_other_work(words, name, error);
    for (size_t i = 0; i < COUNT_OF(further_options); ++i) {
        if (strcmp(name, further_options[i].name) != 0)
            continue;
        if (!further_options[i].of_all && words->command->work != further_options[i].work)
            return refuse_other_work(words, name, error);
        return take_value(words, name, &value, error) && further_options[i].set(invocation, value, error);
    }
    *taken = false;
    return true;
}

/* Each use adds a replica. */
static bool add_replica(struct job *job, const struct setting *setting, const char *value, struct error *error)
{
    char both[2 * TEXT_MAX];
    size_t bytes = (size_t)snprintf(both, sizeof(both), "%s%s%s", job->replica, job->replica[0] ? " " : "", value);
    return bytes < sizeof(both) ? job_set(job, setting, "--replica", both, error)
                                : error_set(error, ERR_USAGE, "--replica: all of them together are too long");
}

bool native_set(struct job *job, const struct setting *setting, const char *shown, const char *value,
                struct error *error)
{
    return strcmp(setting->name, "replica") == 0 ? add_replica(job, setting, value, error)
                                                 : job_set(job, setting, shown, value, error);
}

static bool parse_option(struct words *words, struct invocation *invocation, struct error *error)
{
    char name[NAME_MAX_BYTES], shown[NAME_MAX_BYTES + 2];
    const char *value = NULL;
    bool taken = false;
    if (!split_option(words, name, &value, error) || !parse_further(words, name, value, &taken, invocation, error))
        return false;
    if (taken)
        return true;
    const struct setting *setting = setting_find(name);
    if (!setting)
        return unknown_option(words, name, error);
    if (strcmp(setting->name, "work") == 0)
        return error_set(error, ERR_USAGE, "--work: the command says it: isobench fileio, or isobench oltp");
    if (!setting_concerns(setting, words->command->work))
        return refuse_other_work(words, name, error);
    if (setting->type == SETTING_BOOL && !value)
        value = "on";
    snprintf(shown, sizeof(shown), "--%s", name);
    words->sized |= strcmp(setting->name, "total_size") == 0;
    return take_value(words, name, &value, error) && native_set(&invocation->job, setting, shown, value, error);
}

/* "prepare, run, check or cleanup" */
static const char *action_names(const struct command_words *command, char *out, size_t out_bytes)
{
    size_t used = 0, last = COUNT_OF(command->actions) - 1;
    for (size_t i = 0; i <= last; ++i)
        used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", command->actions[i].name,
                                 i == last       ? ""
                                 : i + 1 == last ? " or "
                                                 : ", ");
    return out;
}

static bool is_workload(const struct words *words, const char *word)
{
    const char *const *choices = setting_find("workload")->choices;
    while (*choices && strcmp(*choices, word) != 0)
        choices++;
    return words->command->work == WORK_DATABASE && *choices;
}

static bool parse_action(struct words *words, const char *word, struct invocation *invocation, struct error *error)
{
    char names[64];
    if (is_workload(words, word))
        return job_set(&invocation->job, setting_find("workload"), "workload", word, error);
    if (words->have_action)
        return error_set(error, ERR_USAGE, "%s: one command is enough; options begin with --", word);
    for (size_t i = 0; i < COUNT_OF(words->command->actions); ++i) {
        if (strcmp(word, words->command->actions[i].name) == 0) {
            invocation->action = words->command->actions[i].action;
            return words->have_action = true;
        }
    }
    return error_set(error, ERR_USAGE, "%s: no such command of %s; one of %s%s", word, words->command->name,
                     action_names(words->command, names, sizeof(names)),
                     words->command->work == WORK_DATABASE ? ", or a workload such as oltp_read_write" : "");
}

static bool parse_words(struct words *words, struct invocation *invocation, bool *help, struct error *error)
{
    char names[64];
    while (words->at < words->argc) {
        const char *word = words->argv[words->at];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            *help = true;
            return true;
        }
        bool good = strncmp(word, "--", 2) == 0 ? parse_option(words, invocation, error)
                                                : (++words->at, parse_action(words, word, invocation, error));
        if (!good)
            return false;
    }
    return words->have_action || error_set(error, ERR_USAGE, "%s: say what to do: %s", words->command->name,
                                           action_names(words->command, names, sizeof(names)));
}

/* What the command and the other words imply. */
static void settle_files(const struct words *words, struct invocation *invocation)
{
    if (invocation->job.target[0] && !words->sized)
        invocation->job.total_size_bytes = 0; /* all of it */
    invocation->job.verify |= invocation->action == ACTION_CHECK;
}

static bool native_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    struct words words = {argc, 1, argv, NULL, false, false};
    bool help = false;
    for (size_t i = 0; argc > 0 && i < COUNT_OF(commands); ++i)
        if (strcmp(argv[0], commands[i].name) == 0)
            words.command = &commands[i];
    if (!words.command)
        return error_set(error, ERR_USAGE, "say what to do: fileio, or oltp");
    job_init(&invocation->job);
    invocation->job.work = words.command->work;
    invocation->forced_status = STATUS_FORCED;
    if (!parse_words(&words, invocation, &help, error))
        return false;
    if (help) {
        help_command(out, words.command->work);
        invocation->action = ACTION_PRINTED;
        return true;
    }
    if (words.command->work == WORK_FILES)
        settle_files(&words, invocation);
    if (!job_check(&invocation->job, error) ||
        (invocation->action == ACTION_RUN && !job_check_run(&invocation->job, error)))
        return false;
    invocation->free_context = free;
    return text_listener(&invocation->listener, out, process_stdout_is_terminal()) ||
           error_set(error, ERR_SYSTEM, "not enough memory");
}

bool native_takes(const char *word)
{
    for (size_t i = 0; i < COUNT_OF(commands); ++i)
        if (strcmp(word, commands[i].name) == 0)
            return true;
    return false;
}

const char *native_command(size_t i)
{
    return i < COUNT_OF(commands) ? commands[i].name : NULL;
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

static const char *action_name(const struct command_words *command, enum action action)
{
    for (size_t i = 0; i < COUNT_OF(command->actions); ++i)
        if (command->actions[i].action == action)
            return command->actions[i].name;
    return "run";
}

static bool native_write(const struct invocation *from, const struct job *job, struct command *out, struct error *error)
{
    struct job standard;
    job_init(&standard);
    standard.work = job->work;
    command_add(out, "%s", command_of(job->work)->name);
    command_add(out, "%s", action_name(command_of(job->work), from->action));
    for (size_t i = 0; i < settings_count; ++i) {
        char option[NAME_MAX_BYTES], value[TEXT_MAX];
        if (!setting_concerns(&settings[i], job->work) || !is_written(job, &standard, &settings[i]))
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

const struct dialect native_dialect = {"isobench", "isobench's own settings", native_parse, native_write, NULL};
