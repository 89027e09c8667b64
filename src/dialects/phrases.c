#include "dialects/phrases.h"

#include "core/settings.h"

#include <stdio.h>
#include <string.h>

static const struct phrase *phrase_at(const struct phrase *phrases, size_t count, const char *text)
{
    for (size_t i = 0; i < count; ++i)
        if (strncmp(text, phrases[i].ours, strlen(phrases[i].ours)) == 0)
            return &phrases[i];
    return NULL;
}

void phrases_replace(const struct phrase *phrases, size_t count, const char *text, char *out, size_t out_bytes)
{
    size_t length = 0;
    while (*text && length + 1 < out_bytes) {
        const struct phrase *phrase = phrase_at(phrases, count, text);
        if (!phrase) {
            out[length++] = *text++;
            continue;
        }
        int added = snprintf(out + length, out_bytes - length, "%s", phrase->theirs);
        length += (size_t)added < out_bytes - length ? (size_t)added : out_bytes - length - 1;
        text += strlen(phrase->ours);
    }
    out[length] = '\0';
}

bool phrases_check_job(const struct phrase *phrases, size_t count, const struct job *job, bool to_run,
                       struct error *error)
{
    struct error inner = ERROR_INIT;
    char text[sizeof(inner.text)];
    if (to_run ? job_check_run(job, &inner) : job_check(job, &inner))
        return true;
    phrases_replace(phrases, count, inner.text, text, sizeof(text));
    return error_set(error, inner.kind, "%s", text);
}
