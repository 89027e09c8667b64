/* dialects/readers.c: the tools whose output can be read. */
#include "dialects/readers.h"

#include "core/reading.h"
#include "platform/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct reader isobench_reader = {"isobench", readings_from_json};

const struct reader *const readers[] = {&isobench_reader,
                                        &sysbench_reader,
                                        &sqlio_reader,
                                        &diskspd_reader,
                                        &diskspd_xml_reader,
                                        &fio_reader,
                                        &fio_json_reader,
                                        &iozone_reader,
                                        &seeker_reader,
                                        &hdparm_reader,
                                        &ioping_reader,
                                        &mysqlslap_reader,
                                        NULL};

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

/* "3;fio-3.33;name;0;…", in lines too long for a pattern. */
static bool is_terse(const char *line)
{
    return line[0] >= '2' && line[0] <= '5' && strncmp(line + 1, ";fio-", 5) == 0;
}

/* Outputs that people try and that are not read: a line of theirs (NULL = is_terse), what it is, and what to do. */
static const struct unread {
    const char *pattern, *what;
} unread[] = {
    {NULL, "fio's terse output is not read; its JSON is (--output-format=json)"},
    {"^Prime numbers limit: {n}", "sysbench's cpu test is of no file and no database"},
    {"^Running memory speed test with", "sysbench's memory test is of no file and no database"},
    {"^block size: {size}iB$", "sysbench's memory test is of no file and no database"},
    {"^Running the test with following options:", "a run of sysbench is read when it is of fileio or OLTP"},
    {"^{n} {n} {n} {n} {n} {n} {n} {n} ",
     "if that is the raw output of ioping (-B): it is not read, what ioping prints without -B is"},
    {"^\"localtime\": \"{text}\",", "the JSON of ioping (-J) is not read; what it prints without -J is"},
};

static const char *find_unread(const struct transcript *transcript)
{
    struct captured captured[LINE_CAPTURES];
    for (size_t i = 0; i < COUNT_OF(unread); i++)
        for (size_t at = 0; at < transcript->count; at++)
            if (unread[i].pattern ? line_match(unread[i].pattern, transcript->lines[at], captured, NULL)
                                  : is_terse(transcript->lines[at]))
                return unread[i].what;
    return NULL;
}

static bool refuse_text(const struct transcript *transcript, struct error *error)
{
    const char *what = find_unread(transcript);
    if (what)
        return error_set(error, ERR_DATA, "%s: no run that can be read is in it: %s", transcript->name, what);
    char tools[512] = "";
    size_t used = 0;
    for (size_t i = 0; readers[i] && used < sizeof tools; i++)
        if (i == 0 || strcmp(readers[i]->tool, readers[i - 1]->tool) != 0)
            used += (size_t)snprintf(tools + used, sizeof tools - used, "%s%s", used ? ", " : "", readers[i]->tool);
    return error_set(error, ERR_DATA, "%s: no run of a tool that can be read is in it; these can: %s", transcript->name,
                     tools);
}

static bool read_all(const struct transcript *transcript, struct readings *out, struct error *error)
{
    for (size_t i = 0; readers[i]; i++)
        if (!readers[i]->read(transcript, out, error))
            return false;
    return true;
}

/* ---- text that a terminal broke ---- */

/* Figures, and settings that are stated. */
static size_t count_told(const struct readings *readings)
{
    size_t count = 0;
    for (size_t i = 0; i < readings->count; i++) {
        count += readings->items[i]->figures_count;
        for (size_t s = 0; s < READING_SETTINGS_MAX; s++)
            count += readings->items[i]->provenance[s] == PROVENANCE_STATED;
    }
    return count;
}

/* Lines, from 1, become those of the text before its lines were joined. */
static void restore_lines(struct reading *reading, const size_t *origins)
{
    char *colon = strrchr(reading->source, ':');
    bool has_line = colon && strtoul(colon + 1, NULL, 10) == reading->line;
    reading->line = (uint32_t)origins[reading->line - 1] + 1;
    if (has_line)
        snprintf(colon, (size_t)(reading->source + sizeof reading->source - colon), ":%u", (unsigned)reading->line);
    for (size_t i = 0; i < reading->figures_count; i++)
        if (reading->figures[i].line > 0)
            reading->figures[i].line = (uint32_t)origins[reading->figures[i].line - 1] + 1;
}

/* What the joined lines tell is taken if it is more. */
static void prefer_unwrapped(const struct transcript *transcript, struct readings *found, bool *good)
{
    struct transcript joined;
    struct readings other = {0};
    struct error error = ERROR_INIT;
    size_t *origins;
    if (!transcript_unwrap(transcript, &joined, &origins))
        return;
    if (read_all(&joined, &other, &error) && count_told(&other) > count_told(found)) {
        struct readings less = *found;
        *found = other;
        other = less;
        *good = true;
        for (size_t i = 0; i < found->count; i++)
            restore_lines(found->items[i], origins);
    }
    readings_free(&other);
    transcript_free(&joined);
    free(origins);
}

/* ---- all runs of a text ---- */

/* Moves all of `from` behind what `out` has. */
static bool append(struct readings *out, struct readings *from, struct error *error)
{
    if (!from->items)
        return true;
    struct reading **items = realloc(out->items, (out->count + from->count) * sizeof(struct reading *));
    if (!items)
        return error_set(error, ERR_SYSTEM, "not enough memory for the runs that were read");
    memcpy(items + out->count, from->items, from->count * sizeof(struct reading *));
    out->items = items;
    out->count += from->count;
    out->room = out->count;
    from->count = 0;
    return true;
}

bool readings_find(const struct transcript *transcript, struct readings *out, struct error *error)
{
    struct readings found = {0};
    struct error problem = ERROR_INIT;
    bool good = read_all(transcript, &found, &problem);
    prefer_unwrapped(transcript, &found, &good);
    if (!good)
        *error = problem;
    else if (found.count == 0)
        good = refuse_text(transcript, error);
    if (good) {
        sort_by_line(found.items, found.count);
        good = append(out, &found, error);
    }
    readings_free(&found);
    return good;
}

bool readings_find_in(const char *name, const void *data, size_t bytes, uint32_t file, struct readings *out,
                      struct error *error)
{
    struct transcript transcript;
    size_t before = out->count;
    if (!transcript_make(&transcript, name, data, bytes, error))
        return false;
    bool good = readings_find(&transcript, out, error);
    for (size_t i = before; i < out->count; i++)
        out->items[i]->file = file;
    transcript_free(&transcript);
    return good;
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
