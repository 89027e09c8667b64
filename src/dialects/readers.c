/* dialects/readers.c: the tools whose output can be read. */
#include "dialects/readers.h"

#include "core/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* isobench's own files: the text is JSON and nothing else. */
static bool read_isobench(const struct transcript *transcript, struct readings *out, struct error *error)
{
    return transcript->text[strspn(transcript->text, " \t\n")] != '{' || readings_from_json(transcript, out, error);
}

static const struct reader isobench_reader = {"isobench", read_isobench};

const struct reader *const readers[] = {&isobench_reader, &sysbench_reader, &sqlio_reader,     &diskspd_reader,
                                        &fio_reader,      &fio_json_reader, &iozone_reader,    &seeker_reader,
                                        &hdparm_reader,   &ioping_reader,   &mysqlslap_reader, NULL};

/* Runs of one line, as those of a row of iozone's, stay in their order: qsort would not promise it. Each reader gives
 * its runs in order, so that little is moved. */
static void sort_by_line(struct reading **items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct reading *reading = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1]->line > reading->line; at--)
            items[at] = items[at - 1];
        items[at] = reading;
    }
}

static bool refuse_text(const struct transcript *transcript, struct error *error)
{
    char tools[512] = "";
    size_t used = 0;
    for (size_t i = 0; readers[i] && used < sizeof tools; i++)
        if (i == 0 || strcmp(readers[i]->tool, readers[i - 1]->tool) != 0)
            used += (size_t)snprintf(tools + used, sizeof tools - used, "%s%s", used ? ", " : "", readers[i]->tool);
    return error_set(error, ERR_DATA, "%s: no run of a tool that can be read is in it; these can: %s", transcript->name,
                     tools);
}

bool readings_find(const struct transcript *transcript, struct readings *out, struct error *error)
{
    size_t before = out->count;
    for (size_t i = 0; readers[i]; i++)
        if (!readers[i]->read(transcript, out, error))
            return false;
    if (out->count == before)
        return refuse_text(transcript, error);
    sort_by_line(out->items + before, out->count - before);
    return true;
}

/* ---- command lines above an output ---- */

size_t reading_find_command(const struct transcript *transcript, size_t after, size_t before, const char *program,
                            const char *needed, char *text, char *words[COMMAND_WORDS_MAX])
{
    for (size_t at = before; at-- > after;) {
        size_t last = 0, count;
        if (!transcript_command(transcript, at, program, needed, text, TEXT_MAX, &last) || last >= before)
            continue;
        count = transcript_split(text, words, COMMAND_WORDS_MAX);
        if (count > 0)
            return count;
    }
    return 0;
}

static void note_command(struct reading *reading, size_t count, char *const *words)
{
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof reading->command; i++)
        used += (size_t)snprintf(reading->command + used, sizeof reading->command - used, "%s%s", used ? " " : "",
                                 words[i]);
}

/* What prints instead of making a job, and what reads a file of this machine. */
static bool is_for_people(size_t count, char *const *words)
{
    static const char *const names[] = {"--help", "-h", "-?", "/?", "--version", "help"};
    for (size_t i = 0; i < count; i++) {
        for (size_t n = 0; n < COUNT_OF(names); n++)
            if (strcmp(words[i], names[n]) == 0)
                return true;
        if (strncmp(words[i], "--config-file", 13) == 0)
            return true;
    }
    return false;
}

bool reading_parse_command(struct reading *reading, const struct dialect *dialect, size_t count, char *const *words,
                           struct job *out)
{
    struct invocation *invocation = calloc(1, sizeof *invocation);
    struct error error = ERROR_INIT;
    if (reading->command[0] == '\0')
        note_command(reading, count, words);
    bool good = invocation && !is_for_people(count, words) &&
                dialect->parse((int)count, words, NULL, invocation, &error) && invocation->action == ACTION_RUN;
    if (good)
        *out = invocation->job;
    else if (invocation)
        reading_note(reading, "its command line is not one that can be run: %.200s",
                     error.kind ? error.text : "it runs nothing");
    if (invocation)
        invocation_free(invocation);
    free(invocation);
    return good;
}
