#include "tests/dialects/sysbench_fixture.h"

#include <stdlib.h>
#include <string.h>

char *fixture_path(const char *name, char *out, size_t out_bytes)
{
    const char *directory = getenv("ISO_TEST_DIR");
    snprintf(out, out_bytes, "%s/%s", directory ? directory : ".", name);
    return out;
}

static bool parse(struct fixture *fixture, const char *line)
{
    char words[4096], *argv[FIXTURE_WORDS];
    int argc = 0;
    snprintf(words, sizeof(words), "%s", line);
    for (char *word = words; *word && argc < FIXTURE_WORDS; ++argc) {
        argv[argc] = word;
        word += strcspn(word, " ");
        if (*word)
            *word++ = '\0';
    }
    return dialect_find("sysbench")->parse(argc, argv, fixture->out, fixture->invocation, &fixture->error);
}

struct fixture *fixture_make(const char *line)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    if (!fixture)
        abort();
    fixture->out = fopen(fixture_path("sysbench-printed.txt", fixture->path, sizeof(fixture->path)), "w+b");
    fixture->invocation = calloc(1, sizeof(*fixture->invocation));
    if (!fixture->out || !fixture->invocation)
        abort();
    fixture->good = parse(fixture, line);
    return fixture;
}

void fixture_free(struct fixture *fixture)
{
    invocation_free(fixture->invocation);
    free(fixture->invocation);
    fclose(fixture->out);
    remove(fixture->path);
    free(fixture);
}

const char *fixture_text(struct fixture *fixture)
{
    rewind(fixture->out);
    size_t bytes = fread(fixture->text, 1, sizeof(fixture->text) - 1, fixture->out);
    fixture->text[bytes] = '\0';
    fseek(fixture->out, 0, SEEK_END);
    return fixture->text;
}
