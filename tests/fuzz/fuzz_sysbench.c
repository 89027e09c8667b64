/* sysbench's command line, a word on each line, and behind an empty line its configuration file. */
#include "tests/fuzz/fuzz.h"

#include "core/dialect.h"
#include "core/settings.h"

#define WORDS_MAX 64

/* Splits the words off; what is behind the empty line is returned. */
static const char *split(char *text, char *words[WORDS_MAX], int *count)
{
    while (text && *text != '\0' && *text != '\n' && *count < WORDS_MAX - 1) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        if (!strstr(text, "config")) /* any file of the machine */
            words[(*count)++] = text;
        text = end ? end + 1 : NULL;
    }
    return text && *text == '\n' ? text + 1 : NULL;
}

static void parse(int count, char *const *words, FILE *out)
{
    struct error error = ERROR_INIT, job_error = ERROR_INIT;
    struct invocation *invocation = calloc(1, sizeof *invocation);
    FUZZ_REQUIRE(invocation != NULL);
    bool good = dialect_find("sysbench")->parse(count, words, out, invocation, &error);
    fuzz_check_answer(good, &error);
    if (good && invocation->action == ACTION_RUN && !job_check_run(&invocation->job, &job_error)) {
        fprintf(stderr, "a job that cannot run: %s\n", job_error.text);
        abort();
    }
    invocation_free(invocation);
    free(invocation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char directory[PATH_BYTES], path[PATH_BYTES], option[PATH_BYTES + 32], *words[WORDS_MAX];
    struct error error = ERROR_INIT;
    char *text = fuzz_text(data, size);
    int count = 0;
    scratch_directory(directory, "fuzz_sysbench.tmp");
    FUZZ_REQUIRE(path_join(path, directory, "printed.txt", &error));
    FILE *out = fopen(path, "wb");
    FUZZ_REQUIRE(out != NULL);
    const char *config = split(text, words, &count);
    if (config) {
        FUZZ_REQUIRE(path_join(path, directory, "config.txt", &error));
        fuzz_write(path, config, strlen(config));
        snprintf(option, sizeof option, "--config-file=%s", path);
        words[count++] = option;
    }
    parse(count, words, out);
    FUZZ_REQUIRE(fclose(out) == 0);
    free(text);
    return 0;
}
