/* DiskSpd's command line, a word on each line. What is taken must be jobs that can run, and each must say itself again
 * without a change. */
#include "tests/fuzz/fuzz.h"

#include "core/dialect.h"
#include "core/settings.h"

static void split(char *text, struct command *command)
{
    while (text && *text != '\0') {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        if (strchr(text, '?') == NULL && strncmp(text, "-Rp", 3) != 0 && strncmp(text, "/Rp", 3) != 0) /* they print */
            command_add(command, "%s", text);
        text = end ? end + 1 : NULL;
    }
}

static void check_job(const struct job *job)
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
    bool good = dialect_find("diskspd")->parse(command->argc, command->argv, stdout, invocation, &error);
    fuzz_check_answer(good, &error);
    if (good) {
        check_job(&invocation->job);
        for (size_t i = 0; i < invocation->further_count; ++i)
            check_job(&invocation->further[i]);
        return invocation;
    }
    invocation_free(invocation);
    free(invocation);
    return NULL;
}

static void say_again(const struct invocation *invocation, const struct job *job)
{
    struct error error = ERROR_INIT;
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    if (dialect_find("diskspd")->write(invocation, job, command, &error)) {
        struct invocation *again = parse(command);
        FUZZ_REQUIRE(again != NULL);
        FUZZ_REQUIRE(again->further_count == 0);
        FUZZ_REQUIRE(strcmp(again->job.target, job->target) == 0);
        FUZZ_REQUIRE(again->job.mode == job->mode);
        FUZZ_REQUIRE(again->job.block_size_bytes == job->block_size_bytes);
        FUZZ_REQUIRE(again->job.total_size_bytes == job->total_size_bytes);
        FUZZ_REQUIRE(again->job.start_bytes == job->start_bytes);
        FUZZ_REQUIRE(again->job.threads == job->threads);
        FUZZ_REQUIRE(again->job.depth == job->depth);
        FUZZ_REQUIRE(strcmp(again->job.cpus, job->cpus) == 0);
        invocation_free(again);
        free(again);
    }
    free(command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    split(text, command);
    struct invocation *invocation = command->full || command->argc == 0 ? NULL : parse(command);
    if (invocation) {
        say_again(invocation, &invocation->job);
        for (size_t i = 0; i < invocation->further_count; ++i)
            say_again(invocation, &invocation->further[i]);
        invocation_free(invocation);
    }
    free(invocation);
    free(command);
    free(text);
    return 0;
}
