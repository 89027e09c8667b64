/* Each line is a place on a command line (db/dsn.h), and a list of SQL literals (checksum/text.h). */
#include "tests/fuzz/fuzz.h"

#include "checksum/text.h"
#include "core/settings.h"
#include "db/dsn.h"

static void check_place(const char *line, const struct db_place *standard)
{
    static struct db_place place; /* it is large */
    struct error error = ERROR_INIT;
    if (strstr(line, "password-")) /* files and variables of this machine are none of our business */
        return;
    bool good = db_place_parse(&place, "--replica", line, standard, &error);
    fuzz_check_answer(good, &error);
    FUZZ_REQUIRE(!good || place.name[0] != '\0');
    db_place_done(&place);
}

/* What is readable is not longer. */
static void check_literals(const char *line)
{
    char *once = text_readable(line);
    FUZZ_REQUIRE(once != NULL);
    FUZZ_REQUIRE(strlen(once) <= strlen(line));
    free(once);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct db_place standard;
    char *text = fuzz_text(data, size);
    job_init(&standard.job);
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        check_place(line, &standard);
        check_literals(line);
        line = end ? end + 1 : NULL;
    }
    free(text);
    return 0;
}
