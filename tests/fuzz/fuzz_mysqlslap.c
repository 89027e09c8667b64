/* mysqlslap's command line, a word on each line; below a line "=", an option file. It only prints, so that no password
 * is asked for, and no number has more than two digits, so that it prints little. */
#include "tests/fuzz/fuzz.h"

#include "core/dialect.h"
#include "core/settings.h"

static void shorten_numbers(char *text)
{
    for (unsigned digits = 0; *text; ++text) {
        digits = *text >= '0' && *text <= '9' ? digits + 1 : 0;
        if (digits > 2)
            *text = 'x';
    }
}

static void add_words(struct command *command, char *text)
{
    while (text && *text) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        /* what others have is none of ours */
        if (strncmp(text, "--defaults", 10) != 0)
            command_add(command, "%s", text);
        text = end ? end + 1 : NULL;
    }
    command_add(command, "--only-print");
}

static void check_jobs(const struct invocation *invocation)
{
    for (size_t i = 0; invocation->scripts && i <= invocation->further_count; ++i) {
        const struct job *job = i ? &invocation->further[i - 1] : &invocation->job;
        const struct script *script = &invocation->scripts[i];
        struct error error = ERROR_INIT;
        FUZZ_REQUIRE(job_check_run(job, &error));
        FUZZ_REQUIRE(script->queries.count > 0 && script->total == job->events && job->events > 0);
        FUZZ_REQUIRE(script->kinds_count > 0 && script->kinds_count <= SCRIPT_KINDS_MAX);
        for (size_t q = 0; q < script->queries.count; ++q)
            FUZZ_REQUIRE(script->queries.items[q].kind < script->kinds_count);
    }
}

static void parse(const struct command *command, FILE *out)
{
    struct error error = ERROR_INIT;
    struct invocation *invocation = calloc(1, sizeof *invocation);
    FUZZ_REQUIRE(invocation != NULL);
    bool good = dialect_find("mysqlslap")->parse(command->argc, command->argv, out, invocation, &error);
    fuzz_check_answer(good, &error);
    if (good)
        check_jobs(invocation);
    invocation_free(invocation);
    free(invocation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    struct error error = ERROR_INIT;
    char *text = fuzz_text(data, size), *file = strstr(text, "\n=\n");
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    scratch_directory(folder, "fuzz-mysqlslap");
    FUZZ_REQUIRE(path_join(path, folder, "my.cnf", &error));
    FILE *out = fuzz_output(folder);
    shorten_numbers(text);
    if (file) {
        *file = '\0';
        for (char *at = file + 3; (at = strstr(at, "!include")) != NULL; ++at)
            *at = '#'; /* other files are none of ours either */
        fuzz_write(path, file + 3, strlen(file + 3));
    }
    if (file)
        command_add(command, "--defaults-file=%s", path);
    else
        command_add(command, "--no-defaults");
    add_words(command, text);
    if (!command->full)
        parse(command, out);
    fclose(out);
    free(command);
    free(text);
    return 0;
}
