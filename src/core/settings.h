/* core/settings.h: the one table of a job's settings. Command-line options, JSON, the reference page and
 * the difference of two jobs all derive from it; no setting is declared twice. To add one: a field in
 * struct job, a row in settings.c. */
#ifndef CORE_SETTINGS_H
#define CORE_SETTINGS_H

#include "core/job.h"
#include "platform/error.h"

#include <stddef.h>

enum setting_type {
    SETTING_BOOL,   /* bool; on|off|true|false|yes|no|1|0 */
    SETTING_COUNT,  /* uint64_t; digits, and k/m/g thousands are not taken */
    SETTING_BYTES,  /* uint64_t; digits and K M G T P (1024), optionally iB or B: 16K, 2GiB, 512 */
    SETTING_TIME,   /* uint64_t nanoseconds; number with ns us ms s m h, plain = seconds: 10, 0.5, 250ms */
    SETTING_REAL,   /* double */
    SETTING_CHOICE, /* an enum, stored as int */
    SETTING_TEXT,   /* char array */
    SETTING_LIST,   /* struct real_list; comma separated */
};

struct setting {
    const char *name; /* words joined by '_', as in JSON and plans; option = the same with '-' */
    const char *group;
    enum setting_type type;
    size_t offset, bytes;
    const char *fallback;       /* the default, in the form that the parser takes */
    double low, high;           /* bounds for COUNT, BYTES (bytes), TIME (s), REAL and list values */
    const char *const *choices; /* NULL-terminated, in the enum's order; for TEXT: those it may have, or NULL = any */
    const char *form;           /* TEXT: "FILE" or "DIR" when it is the path of one, else NULL */
    const char *none_text;      /* TIME: the word that stands for UINT64_MAX ("none"), or NULL */
    bool ascending;             /* LIST: sorted, each value once */
    const char *help;           /* one sentence */
};

extern const struct setting settings[];
extern const size_t settings_count;

/* '-' and '_' are the same. NULL when there is none of that name. */
const struct setting *setting_find(const char *name);
/* Has the setting a meaning for that kind of work at all? The others are in no JSON, and an option of theirs is
 * refused. What matters to one job: core/relevance.h. */
bool setting_concerns(const struct setting *setting, enum work work);
/* The closest name for "did you mean"; NULL when none is close. */
const struct setting *setting_closest(const char *name);

/* "--block-size" for block_size, into out. */
void setting_option_name(const struct setting *setting, char *out, size_t out_bytes);

void job_init(struct job *job); /* every setting at its default */

/* Parses `text` into the setting. `shown` is how the user wrote the option ("--block-size"), for the error. */
bool job_set(struct job *job, const struct setting *setting, const char *shown, const char *text, struct error *error);

/* The setting's value in the form job_set takes, canonical ("16K", "10", "off"). Needs TEXT_MAX bytes;
 * lists that would be longer are cut at a comma. */
void job_get(const struct job *job, const struct setting *setting, char *out, size_t out_bytes);

bool setting_equal(const struct job *a, const struct job *b, const struct setting *setting);

/* Relations between settings that no single row can check (time or events or passes; depth and engine;
 * block against file size and alignment …). Names the option(s) to change. */
bool job_check(const struct job *job, struct error *error);

/* job_check, and what a run needs on top: a mode, and something that ends it. */
bool job_check_run(const struct job *job, struct error *error);

#endif
