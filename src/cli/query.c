#include "cli/query.h"

#include "cli/cli.h"
#include "cli/native.h"
#include "cli/password.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/compiler.h"
#include "platform/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SQL_BYTES_MAX ((size_t)1 << 24)

static void print_help(FILE *out)
{
    fputs(
        "usage: isobench query --sql=TEXT|FILE [--params=…] [--connections=10,50,100] [options]\n\n"
        "Sends one statement, or a weighted set of them, over each number of connections in turn; one row for each.\n\n"
        "  --sql=TEXT|FILE\n      Statements with ; between them; :NAME stands for a value. May be given several "
        "times.\n"
        "  --params=NAME=SOURCE:VALUES,…\n      random:1..1000, zipfian:, gaussian:, pareto:, special: (as in "
        "`isobench "
        "help oltp`), or in order\n      over all connections sequential:1..1000; file:FILE has one value on each "
        "line, file-sequential:FILE in order.\n"
        "  --weights=3,1\n      How often each statement is sent, in their order. [all the same]\n"
        "  --connections=10,50,100  [1]\n      Numbers of connections, one after the other.\n"
        "  --time=10  --events=N  --warmup=TIME  --rate=N  --seed=N  --repeat=N …\n      Of each step, as in `isobench "
        "help oltp`: all its settings but those of its tables.\n"
        "  --db-…=VALUE  --password-env=NAME  --password-file=FILE  --ask-password\n      The database, as there.\n"
        "  --replica=DSN  --verify-replica …\n      mysql: replicas to watch meanwhile, on stderr, and to compare "
        "after "
        "each step, as there.\n"
        "  --json=FILE\n      The result of each step as JSON; - prints JSON alone on stdout.\n"
        "  --show-job\n      Prints the jobs as JSON and runs nothing.\n"
        "  --help\n      Prints this.\n\n"
        "exit status: 0 done, 1 a step failed, 2 wrong command line, 3 forced shutdown, 130 Ctrl-C\n",
        out);
}

/* ---- options ---- */

struct words {
    int argc, at;
    char *const *argv;
    struct query *query;
    struct invocation *invocation;
    struct error *error;
};

static bool wrong(const struct words *words, const char *name, const char *value, const char *right)
{
    return error_set(words->error, ERR_USAGE, "--%s=%.80s: %s", name, value, right);
}

/* The text, or that of the file it names; after what was given before. */
static bool add_sql(struct words *words, const char *value)
{
    struct query *query = words->query;
    enum path_kind kind = PATH_ABSENT;
    struct error ignored = ERROR_INIT;
    char *text = NULL;
    bool names_file = strlen(value) < PATH_BYTES && path_look(value, &kind, NULL, &ignored) && kind == PATH_FILE;
    if (!names_file && !strchr(value, ' '))
        return wrong(words, "sql", value, "give SQL, or the name of a file with some; there is no such file");
    if (names_file && !path_read_text(value, SQL_BYTES_MAX, &text, NULL, words->error))
        return false;
    const char *sql = text ? text : value;
    size_t old = query->sql ? strlen(query->sql) : 0;
    char *more = realloc(query->sql, old + strlen(sql) + 3);
    if (more) { /* a line feed ends a comment of one line */
        strcpy(more + old, sql);
        strcat(more + old, "\n;");
        query->sql = more;
    }
    free(text);
    return more || error_set(words->error, ERR_SYSTEM, "not enough memory for --sql");
}

static bool add_params(struct words *words, const char *value)
{
    struct query *query = words->query;
    if (query->params_count == QUERY_PARAMS_MAX)
        return wrong(words, "params", value, "there are too many of them");
    query->params[query->params_count++] = value;
    return true;
}

static bool set_weights(struct words *words, const char *value)
{
    words->query->weights = value;
    return true;
}

static bool set_connections(struct words *words, const char *value)
{
    struct query *query = words->query;
    query->steps = 0;
    for (const char *at = value; *at;) {
        size_t bytes = strcspn(at, ",");
        char number[16];
        snprintf(number, sizeof(number), "%.*s", (int)(bytes < 15 ? bytes : 15), at);
        if (query->steps == QUERY_STEPS_MAX || !units_parse_count(number, &query->connections[query->steps]) ||
            query->connections[query->steps++] == 0)
            return wrong(words, "connections", value, "give numbers above 0 with commas between, at most 256");
        at += bytes + (at[bytes] == ',');
    }
    return query->steps > 0 || wrong(words, "connections", value, "give numbers above 0 with commas between");
}

static bool set_password_variable(struct words *words, const char *value)
{
    return password_from_environment(words->invocation, value, words->error);
}

static bool set_password_file(struct words *words, const char *value)
{
    return password_from_file(words->invocation, value, words->error);
}

static const struct {
    const char *name;
    bool (*set)(struct words *words, const char *value);
} own_options[] = {{"sql", add_sql},
                   {"params", add_params},
                   {"weights", set_weights},
                   {"connections", set_connections},
                   {"password-env", set_password_variable},
                   {"password-file", set_password_file}};

/* Settings of the tables have no meaning here, and threads are connections. */
static const struct setting *find_setting(const char *name)
{
    const struct setting *setting = setting_find(name);
    bool ours = setting && setting_concerns(setting, WORK_DATABASE) && strcmp(setting->name, "work") != 0 &&
                strcmp(setting->name, "threads") != 0 &&
                (strcmp(setting->group, "workload") != 0 || strcmp(setting->name, "reconnect_every") == 0);
    return ours ? setting : NULL;
}

static bool take_value(struct words *words, const char *name, const char **value)
{
    if (!*value && words->at < words->argc)
        *value = words->argv[words->at++];
    return *value || error_set(words->error, ERR_USAGE, "--%s: its value is missing", name);
}

static bool take_option(struct words *words)
{
    const char *word = words->argv[words->at++], *equals = strchr(word, '='), *value = equals ? equals + 1 : NULL;
    size_t bytes = equals ? (size_t)(equals - word) : strlen(word);
    char shown[NAME_MAX_BYTES];
    if (strncmp(word, "--", 2) != 0 || bytes < 3 || bytes >= sizeof(shown))
        return error_set(words->error, ERR_USAGE, "%.60s: no option of query; see `isobench query --help`", word);
    snprintf(shown, sizeof(shown), "%.*s", (int)bytes, word);
    const char *name = shown + 2;
    if (strcmp(name, "ask-password") == 0 && !value)
        return password_ask(&words->invocation->password, words->error);
    for (size_t i = 0; i < COUNT_OF(own_options); ++i)
        if (strcmp(own_options[i].name, name) == 0)
            return take_value(words, name, &value) && own_options[i].set(words, value);
    const struct setting *setting = find_setting(name);
    if (!setting)
        return error_set(words->error, ERR_USAGE, "%s: no option of query; see `isobench query --help`", shown);
    if (setting->type == SETTING_BOOL && !value)
        value = "on";
    return take_value(words, name, &value) && native_set(&words->invocation->job, setting, shown, value, words->error);
}

/* ---- jobs ---- */

static bool check(const struct words *words)
{
    const struct job *job = &words->invocation->job;
    if (!words->query->sql)
        return error_set(words->error, ERR_USAGE, "query: give --sql; see `isobench query --help`");
    return job->db_statements == DB_STATEMENTS_PREPARED || strcmp(job->db_driver, "mysql") == 0 ||
           error_set(words->error, ERR_UNSUPPORTED,
                     "--db-statements=text: query sends text to MySQL and MariaDB alone; leave it out");
}

static bool make_jobs(const struct words *words)
{
    struct query *query = words->query;
    struct invocation *invocation = words->invocation;
    query->further = calloc(query->steps, sizeof(*query->further));
    query->scripts = calloc(query->steps, sizeof(*query->scripts));
    if (!query->further || !query->scripts)
        return error_set(words->error, ERR_SYSTEM, "not enough memory for the steps");
    for (size_t i = 0; i < query->steps; ++i) {
        struct job *job = i ? &query->further[i - 1] : &invocation->job;
        if (i)
            *job = invocation->job;
        job->threads = query->connections[i];
        query->scripts[i] = query->script;
        if (!job_check_run(job, words->error))
            return false;
    }
    invocation->further = query->further;
    invocation->further_count = query->steps - 1;
    invocation->scripts = query->scripts;
    return true;
}

static void query_free(void *context)
{
    struct query *query = context;
    for (size_t i = 0; i < query->script.params_count; ++i)
        free(query->values[i].texts);
    free(query->script.queries.items);
    text_pool_done(&query->texts);
    free(query->sql);
    free(query->further);
    free(query->scripts);
    free(query);
}

static bool asks_for_help(int argc, char *const *argv)
{
    for (int i = 0; i < argc; ++i)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static bool query_parse(int argc, char *const *argv, FILE *out, struct invocation *invocation, struct error *error)
{
    memset(invocation, 0, sizeof(*invocation));
    if (asks_for_help(argc, argv)) {
        print_help(out);
        return true; /* ACTION_PRINTED */
    }
    struct query *query = calloc(1, sizeof(*query));
    if (!query)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    query->out = out;
    query->connections[0] = query->steps = 1;
    invocation->free_context = query_free;
    invocation->listener = query_listener(query);
    invocation->action = ACTION_RUN;
    invocation->forced_status = STATUS_FORCED;
    invocation->warnings_apart = true;
    invocation->warnings_once = true;
    invocation->replicas_apart = true;
    job_init(&invocation->job);
    invocation->job.work = WORK_DATABASE;
    strcpy(invocation->job.workload, SCRIPT_WORKLOAD);
    struct words words = {.argc = argc, .argv = argv, .query = query, .invocation = invocation, .error = error};
    while (words.at < argc)
        if (!take_option(&words))
            return false;
    return check(&words) && query_make_script(query, &invocation->job, error) && make_jobs(&words);
}

const struct dialect query_dialect = {"query", "the user's own statements", query_parse, NULL, NULL};
