/* sysbench.c: which version is spoken, which test and command are asked for, and the invocation they make. */
#include "dialects/sysbench.h"

#include <stdlib.h>
#include <string.h>

#define FORCED_SHUTDOWN_STATUS 2

static const struct {
    const char *name;
    enum action action; /* ACTION_PRINTED: help */
} commands[] = {{"prepare", ACTION_PREPARE}, {"run", ACTION_RUN},        {"cleanup", ACTION_CLEANUP},
                {"help", ACTION_PRINTED},    {"prewarm", ACTION_WARMUP}, {"warmup", ACTION_WARMUP}};

/* What the words of the command line and --test say. */
struct wish {
    enum sysbench_version version;
    const char *test, *command; /* NULL = none */
};

static int command_index(const char *word)
{
    for (size_t i = 0; i < COUNT_OF(commands); ++i)
        if (strcmp(commands[i].name, word) == 0)
            return (int)i;
    return -1;
}

/* With --test a lone word is the command, unless it is no command. */
static bool read_words(const struct sysbench_given *given, struct wish *wish, struct error *error)
{
    const char *old_test = sysbench_given_text(given, "test");
    bool lone_command = old_test && given->word_count == 1 && command_index(given->words[0]) >= 0;
    const char *word = lone_command ? NULL : given->words[0];
    wish->command = lone_command ? given->words[0] : given->words[1];
    wish->test = word ? word : old_test;
    if (word && old_test && strcmp(word, old_test) != 0)
        return error_set(error, ERR_USAGE, "two tests are named, --test=%s and %s: name one", old_test, word);
    wish->version = old_test && !word ? SYSBENCH_04 : SYSBENCH_10;
    return true;
}

static bool read_version(const struct sysbench_given *given, enum sysbench_version *version, struct error *error)
{
    static const char *const prefixes[SYSBENCH_VERSIONS] = {"0.4", "1.0", "1.1"};
    const char *text = sysbench_given_text(given, "sysbench-version");
    if (!text)
        return true;
    for (int i = 0; i < SYSBENCH_VERSIONS; ++i) {
        size_t bytes = strlen(prefixes[i]);
        if (strncmp(prefixes[i], text, bytes) == 0 && (text[bytes] == '\0' || text[bytes] == '.')) {
            *version = (enum sysbench_version)i;
            return true;
        }
    }
    return error_set(error, ERR_USAGE, "--sysbench-version=%s is not valid: it must be 0.4, 1.0 or 1.1", text);
}

static bool check_test(const struct wish *wish, struct error *error)
{
    if (!wish->test)
        return error_set(error, ERR_USAGE, "no test is named; right is: sysbench [options] fileio COMMAND");
    if (strcmp(wish->test, "fileio") == 0 || sysbench_workload(wish->test))
        return true;
    if (command_index(wish->test) >= 0)
        return error_set(error, ERR_USAGE, "the test goes before the command: sysbench [options] fileio %s",
                         wish->test);
    return error_set(
        error, ERR_UNSUPPORTED,
        "sysbench test '%s' is not supported; supported: fileio, and the tests oltp_…, select_random_… and bulk_insert",
        wish->test);
}

/* bulk_insert's tables hold nothing to read before the run. */
static bool may_warm(const char *test)
{
    const char *workload = sysbench_workload(test);
    return workload && strcmp(workload, "bulk_insert") != 0;
}

static bool check_command(const struct wish *wish, enum action *action, struct error *error)
{
    const char *names =
        may_warm(wish->test) ? "prepare, prewarm, run, cleanup or help" : "prepare, run, cleanup or help";
    if (!wish->command)
        return error_set(error, ERR_USAGE, "the '%s' test needs a command: %s", wish->test, names);
    int index = command_index(wish->command);
    if (index < 0 || (commands[index].action == ACTION_WARMUP && !may_warm(wish->test)))
        return error_set(error, ERR_USAGE, "unknown command '%s': the '%s' test needs a command: %s", wish->command,
                         wish->test, names);
    *action = commands[index].action;
    return true;
}

static bool take_json_path(const struct sysbench_given *given, struct invocation *invocation, struct error *error)
{
    const char *path = sysbench_given_text(given, "json");
    if (!path)
        return true;
    if (!*path || strlen(path) >= sizeof(invocation->json_path))
        return error_set(error, ERR_USAGE, "--json=%s is not valid: it must be a file's name, or - for stdout", path);
    snprintf(invocation->json_path, sizeof(invocation->json_path), "%s", path);
    return true;
}

/* A copy, and the original hidden from whoever lists processes. */
static bool take_password(const struct sysbench_given *given, struct invocation *invocation, struct error *error)
{
    const char *text = sysbench_password(given, &invocation->job);
    if (text && *text) {
        invocation->password = malloc(strlen(text) + 1);
        if (!invocation->password)
            return error_set(error, ERR_SYSTEM, "not enough memory");
        strcpy(invocation->password, text);
    }
    sysbench_hide_passwords(given);
    return true;
}

static bool fill(const struct sysbench_given *given, const struct wish *wish, FILE *out, struct invocation *invocation,
                 struct error *error)
{
    struct sysbench_printer *printer = calloc(1, sizeof(*printer));
    if (!printer)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    invocation->free_context = free;
    invocation->listener.context = printer;
    printer->out = out;
    if (!take_json_path(given, invocation, error) ||
        !sysbench_job_make(given, wish->test, wish->version, invocation->action, &invocation->job, printer, error) ||
        !take_password(given, invocation, error))
        return false;
    invocation->listener = sysbench_listener(printer);
    invocation->show_job = sysbench_is_on(given, "show-job");
    invocation->foreign_files = true;
    invocation->warnings_apart = true;
    invocation->reword = sysbench_reword;
    invocation->replicas_apart = true;
    invocation->forced_status = FORCED_SHUTDOWN_STATUS;
    return true;
}

static bool interpret(const struct sysbench_given *given, FILE *out, struct invocation *invocation, struct error *error)
{
    struct wish wish = {SYSBENCH_10, NULL, NULL};
    invocation->action = ACTION_PRINTED;
    if (!read_words(given, &wish, error) || !read_version(given, &wish.version, error))
        return false;
    if (sysbench_is_on(given, "help")) {
        sysbench_print_usage(out, wish.version);
        return true;
    }
    if (sysbench_is_on(given, "version")) {
        sysbench_print_version(out, wish.version);
        return true;
    }
    if (!check_test(&wish, error) || !check_command(&wish, &invocation->action, error))
        return false;
    if (invocation->action != ACTION_PRINTED)
        return fill(given, &wish, out, invocation, error);
    if (sysbench_workload(wish.test))
        sysbench_print_oltp_help(out, wish.test, wish.version);
    else
        sysbench_print_fileio_help(out, wish.version);
    return true;
}

static bool sysbench_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    struct sysbench_given given;
    memset(invocation, 0, sizeof(*invocation));
    if (argc == 0) {
        sysbench_print_usage(out, SYSBENCH_10);
        return true;
    }
    if (!sysbench_given_read(&given, argc, argv, error))
        return false;
    bool good = interpret(&given, out, invocation, error);
    sysbench_given_done(&given);
    return good;
}

const struct dialect dialect_sysbench = {"sysbench",
                                         "sysbench 1.0.20, 1.1 and 0.4.12: fileio, and the tests of databases",
                                         sysbench_parse, sysbench_write, NULL};
