/* SQLIO's command line, a word on each line, and behind an empty line its parameter file. What is taken must be a job
 * that can run, and say itself again without a change. */
#include "tests/fuzz/fuzz.h"

#include "core/dialect.h"
#include "core/settings.h"

/* Splits the words off; what is behind the empty line is returned. */
static const char *split(char *text, struct command *command)
{
    while (text && *text != '\0' && *text != '\n') {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        if (strncmp(text, "-F", 2) != 0) /* any file of the machine */
            command_add(command, "%s", text);
        text = end ? end + 1 : NULL;
    }
    return text && *text == '\n' ? text + 1 : NULL;
}

static struct invocation *parse(const struct command *command)
{
    struct error error = ERROR_INIT, job_error = ERROR_INIT;
    struct invocation *invocation = calloc(1, sizeof *invocation);
    FUZZ_REQUIRE(invocation != NULL);
    bool good = dialect_find("sqlio")->read_back(command, invocation, &error);
    fuzz_check_answer(good, &error);
    if (good && !job_check_run(&invocation->job, &job_error)) {
        fprintf(stderr, "a job that cannot run: %s\n", job_error.text);
        abort();
    }
    if (good)
        return invocation;
    invocation_free(invocation);
    free(invocation);
    return NULL;
}

static void say_again(const struct invocation *invocation)
{
    struct error error = ERROR_INIT;
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    if (dialect_find("sqlio")->write(invocation, &invocation->job, command, &error)) {
        struct invocation *again = parse(command);
        if (again) { /* no: a name with a blank does not fit into a parameter file */
            FUZZ_REQUIRE(again->job.mode == invocation->job.mode);
            FUZZ_REQUIRE(again->job.block_size_bytes == invocation->job.block_size_bytes);
            FUZZ_REQUIRE(again->job.threads == invocation->job.threads);
            invocation_free(again);
            free(again);
        }
    }
    free(command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    const char *params = split(text, command);
    if (params) {
        command_add(command, "-Fparam.txt");
        command_add_to_file(command, "%s", params);
        strcpy(command->file_name, "param.txt");
    }
    struct invocation *invocation = command->full ? NULL : parse(command);
    if (invocation) {
        say_again(invocation);
        invocation_free(invocation);
    }
    free(invocation);
    free(command);
    free(text);
    return 0;
}
