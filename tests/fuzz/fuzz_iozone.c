/* iozone's command line, a word on each line. What is taken must be jobs that can run, and the first one says itself
 * again as a job of the same shape. */
#include "tests/fuzz/fuzz.h"

#include "core/dialect.h"
#include "core/settings.h"

#define JOBS_CHECKED 64 /* a series may have thousands */

static void check_jobs(const struct invocation *invocation)
{
    for (size_t i = 0; i <= invocation->further_count && i < JOBS_CHECKED; ++i) {
        struct error error = ERROR_INIT;
        if (job_check_run(i ? &invocation->further[i - 1] : &invocation->job, &error))
            continue;
        fprintf(stderr, "job %zu cannot run: %s\n", i + 1, error.text);
        abort();
    }
}

static struct invocation *parse(const struct command *command, FILE *out)
{
    struct error error = ERROR_INIT;
    struct invocation *invocation = calloc(1, sizeof *invocation);
    FUZZ_REQUIRE(invocation != NULL);
    bool good = dialect_find("iozone")->parse(command->argc, command->argv, out, invocation, &error);
    fuzz_check_answer(good, &error);
    if (good && invocation->action == ACTION_RUN) {
        check_jobs(invocation);
        return invocation;
    }
    invocation_free(invocation);
    free(invocation);
    return NULL;
}

static void say_again(const struct invocation *invocation, FILE *out)
{
    struct error error = ERROR_INIT;
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    if (dialect_find("iozone")->write(invocation, &invocation->job, command, &error)) {
        struct invocation *again = parse(command, out);
        if (again) { /* no: a name that begins with a dash */
            FUZZ_REQUIRE(again->job.block_size_bytes == invocation->job.block_size_bytes);
            FUZZ_REQUIRE(mode_reads(again->job.mode) == mode_reads(invocation->job.mode));
            invocation_free(again);
            free(again);
        }
    }
    free(command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[PATH_BYTES], *text = fuzz_text(data, size);
    struct command *command = calloc(1, sizeof *command);
    FUZZ_REQUIRE(command != NULL);
    scratch_directory(folder, "fuzz-iozone");
    FILE *out = fuzz_output(folder); /* for help */
    for (char *at = text; at && *at;) {
        char *end = strchr(at, '\n');
        if (end)
            *end = '\0';
        command_add(command, "%s", at);
        at = end ? end + 1 : NULL;
    }
    struct invocation *invocation = command->full ? NULL : parse(command, out);
    if (invocation) {
        say_again(invocation, out);
        invocation_free(invocation);
    }
    free(invocation);
    fclose(out);
    free(command);
    free(text);
    return 0;
}
