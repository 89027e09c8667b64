/* fio_read_command.c: the job that options of fio ask for, told by the dialect itself. Nothing of this machine is
 * touched: no job file is opened, and no report's file. */
#include "dialects/fio.h"
#include "dialects/fio_read.h"
#include "platform/compiler.h"

#include <stdlib.h>
#include <string.h>

/* Words of the program that say nothing of a job. */
static bool is_beside(const char *word)
{
    static const char *const names[] = {"--output", "--eta", "--minimal", "--parse-only", "--status-interval"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strncmp(word, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Processes that are reported together are one job; of others each report is of one. */
static bool are_grouped(size_t count, char *const *words)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(words[i], "--group_reporting") == words[i])
            return true;
    return false;
}

bool fio_job_of(const char *name, size_t count, char *const *words, struct job *out, struct error *error)
{
    struct invocation *invocation = calloc(1, sizeof *invocation);
    char *kept[COMMAND_WORDS_MAX];
    size_t used = 0;
    bool found = false, grouped = are_grouped(count, words);
    for (size_t i = 0; i < count && used < COUNT_OF(kept); i++)
        if (!is_beside(words[i]) && (grouped || strncmp(words[i], "--numjobs", 9) != 0))
            kept[used++] = words[i];
    for (size_t i = 0; i < used; i++)
        if (kept[i][0] != '-' && (i == 0 || strchr(kept[i - 1], '='))) {
            free(invocation);
            return error_set(error, ERR_DATA, "the job file %.100s is not here", kept[i]);
        }
    bool good = invocation && dialect_fio.parse((int)used, kept, NULL, invocation, error);
    for (size_t i = 0; good && invocation->names && i < 1 + invocation->further_count && !found; i++) {
        found = strcmp(invocation->names[i], name) == 0;
        if (found)
            *out = i == 0 ? invocation->job : invocation->further[i - 1];
    }
    if (good && !found)
        error_set(error, ERR_DATA, "it has no job %.100s", name);
    if (invocation)
        invocation_free(invocation);
    free(invocation);
    return found;
}

void fio_suppose(struct reading *reading, size_t count, char *const *words)
{
    static char name[] = "--name=x", rw[] = "--rw=randread", size[] = "--size=1M";
    static char *const plain[] = {name, rw, size};
    struct job standard, job;
    struct error error = ERROR_INIT, ignored = ERROR_INIT;
    if (!fio_job_of("x", COUNT_OF(plain), plain, &standard, &ignored))
        return;
    if (count > 0 && !fio_job_of(reading->name, count, words, &job, &error))
        reading_note(reading, "its options are not known in full: %.180s", error.text);
    reading_take_job(reading, count > 0 && !error.kind ? &job : &standard, &standard);
    if (count > 0 && !error.kind)
        return;
    /* options of the job, which no output tells */
    static const char *const silent[] = {"total_size",  "time",         "passes",     "cache",
                                         "warmup",      "rate",         "think_time", "sync_every",
                                         "sync_at_end", "distribution", "through",    "events"};
    for (size_t i = 0; i < COUNT_OF(silent); i++)
        if (reading_provenance(reading, silent[i]) != PROVENANCE_STATED)
            reading_forget(reading, silent[i]);
    if (mode_is_sequential(reading->job.mode))
        reading_suppose(reading, "coverage", "any");
}
