/* fio's command line, a word on each line, and behind an empty line a job file. What is taken must be jobs that can
 * run, and each must say itself again. */
#include "tests/fuzz/fuzz.h"

#include "core/dialect.h"
#include "core/settings.h"

/* Splits the words off; what is behind the empty line is returned. No word may name a file of the machine. */
static const char *split(char *text, struct command *command)
{
    while (text && *text != '\0' && *text != '\n') {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        if (text[0] == '-' && strchr(text, '=') && !strstr(text, "output"))
            command_add(command, "%s", text);
        text = end ? end + 1 : NULL;
    }
    return text && *text == '\n' ? text + 1 : NULL;
}

static void require_job(const struct job *job)
{
    struct error error = ERROR_INIT;
    if (job_check_run(job, &error))
        return;
    fprintf(stderr, "a job that cannot run: %s\n", error.text);
    abort();
}

static struct invocation *parse(const struct command *command)
{
    struct error error = ERROR_INIT;
    struct invocation *invocation = calloc(1, sizeof *invocation);
    FUZZ_REQUIRE(invocation != NULL);
    bool good = dialect_find("fio")->read_back(command, invocation, &error);
    fuzz_check_answer(good, &error);
    if (good) {
        require_job(&invocation->job);
        for (size_t i = 0; i < invocation->further_count; ++i)
            require_job(&invocation->further[i]);
        return invocation;
    }
    invocation_free(invocation);
    free(invocation);
    return NULL;
}

static void say_again(const struct invocation *invocation)
{
    struct error error = ERROR_INIT;
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    if (dialect_find("fio")->write(invocation, &invocation->job, command, &error)) {
        struct invocation *again = parse(command);
        if (again) { /* no: names with odd letters */
            FUZZ_REQUIRE(again->job.mode == invocation->job.mode);
            FUZZ_REQUIRE(again->job.block_size_bytes == invocation->job.block_size_bytes);
            FUZZ_REQUIRE(again->job.distribution == invocation->job.distribution);
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
    const char *file = split(text, command);
    if (file) {
        command_add_to_file(command, "%s", file);
        strcpy(command->file_name, "job.fio");
    }
    struct invocation *invocation = command->full ? NULL : parse(command);
    if (invocation) {
        if (invocation->action == ACTION_RUN)
            say_again(invocation);
        invocation_free(invocation);
    }
    free(invocation);
    free(command);
    free(text);
    return 0;
}
