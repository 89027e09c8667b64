#include "reconcile/differ.h"

#include "core/relevance.h"
#include "core/units.h"

#include <string.h>

/* What a larger value (of a choice: one that stands later in the table of settings) does to the rate; those that weigh
 * most come first. */
static const struct effect {
    const char *setting;
    int push;
    bool vital;
    const char *why;
} effects[] = {
    {"work", 0, true, "files and databases have no figure in common"},
    {"mode", 0, true, "reads, writes, random and sequential access are different loads"},
    {"workload", 0, true, "other statements, other work per transaction"},
    {"cache", -1, true, "with the OS cache reads come from memory and writes end in memory"},
    {"block_size", -1, true, "larger blocks: fewer IO/s, more MiB/s"},
    {"threads", 1, true, "more IOs in flight: a higher rate until the device is full, then only longer latency"},
    {"depth", 1, true, "more IOs in flight: a higher rate until the device is full, then only longer latency"},
    {"total_size", -1, true, "a smaller set fits caches, and a disk's arm moves less"},
    {"through", -1, false, "each write waits for the device"},
    {"sync_each_write", -1, false, "each write waits for the device"},
    {"sync_every", 1, false, "periodic syncs (0: none) make writes wait"},
    {"sync_at_end", -1, false, "the syncs at the end count in the elapsed time"},
    {"count_syncs", 0, false, "syncs counted as events change rate and latency of all events"},
    {"read_percent", 0, false, "reads and writes have different costs"},
    {"drop_cache", -1, false, "a cold start reads from the device"},
    {"fill", 1, false, "ranges that were never written are read without touching the device"},
    {"files", 0, false, "other files, other metadata; a periodic sync is one per file"},
    {"distribution", 1, false, "a skewed choice hits the same blocks or rows, which stay in caches"},
    {"coverage", -1, false, "with each block once, none is read again from a cache"},
    {"random_percent", -1, false, "IOs that follow each other are read ahead and merged"},
    {"rate", 0, false, "an open loop sets the rate, and latency then counts from when an event was due"},
    {"latency_from", 0, false, "latency from the due time holds the wait, from the start it does not"},
    {"think_time", -1, false, "pauses lower the rate"},
    {"events", 0, false, "a limit of events may end the run long before its time"},
    {"time", 0, false, "a short run is mostly start: caches, credits of the volume, boost clocks"},
    {"warmup", 0, false, "without a warm-up the start is in the figures"},
    {"engine", 0, false, "another path into the system: its cost per IO differs"},
    {"data", 1, false, "compressible or repeated data is stored without being written by some devices"},
    {"compress_percent", 1, false, "compressible data is stored without being written in full by some devices"},
    {"merge_blocks", 0, false, "larger IOs in sequence"},
    {"stripe_blocks", 0, false, "another order of blocks"},
    {"step", 0, false, "another order of blocks"},
    {"direction", -1, false, "read-ahead works forwards"},
    {"cursor", 0, false, "threads that follow one sequence, or have one each"},
    {"cursor_start", 0, false, "threads that begin at one place read the same blocks after each other"},
    {"align", 0, false, "unaligned IOs touch one sector more"},
    {"verify", -1, false, "stamping and checking blocks takes CPU time"},
    {"db_driver", 0, true, "another database"},
    {"table_size", -1, true, "a smaller table fits caches"},
    {"tables", -1, false, "more tables: more data, less contention"},
    {"db_statements", 1, false, "prepared statements are parsed once"},
    {"skip_trx", 1, false, "without BEGIN and COMMIT there are fewer statements and other locks"},
    {"sqlite_synchronous", -1, false, "a commit that waits for the device"},
    {"db_tls", -1, false, "encryption takes CPU time"},
    {"db_compression", -1, false, "compression takes CPU time"},
};

static const struct effect *effect_of(const struct setting *setting)
{
    for (size_t i = 0; i < COUNT_OF(effects); i++)
        if (strcmp(effects[i].setting, setting->name) == 0)
            return &effects[i];
    return NULL;
}

bool setting_is_vital(const struct setting *setting)
{
    const struct effect *effect = effect_of(setting);
    return effect && effect->vital;
}

/* What is only shown, and what names a place, is no difference of the test. */
static bool is_beside(const struct setting *setting)
{
    static const char *const names[] = {
        "target",     "dir",          "file_name",      "seed",      "db_file",           "db_host",
        "db_port",    "db_socket",    "db_user",        "db_name",   "db_defaults_file",  "ledger",
        "table_name", "init_timeout", "shutdown_grace", "db_tls_ca", "db_tls_cert",       "db_tls_key",
        "stack_size", "on_error",     "repeat",         "cpus",      "db_defaults_group", "start"};
    if (strcmp(setting->group, "reading") == 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], setting->name) == 0)
            return true;
    return false;
}

/* +1 when b's value is the larger one. */
static int order_of(const struct setting *setting, const struct job *a, const struct job *b)
{
    const char *left = (const char *)a + setting->offset, *right = (const char *)b + setting->offset;
    uint64_t whole[2];
    double real[2];
    int choice[2];
    bool truth[2];
    switch (setting->type) {
    case SETTING_COUNT:
    case SETTING_BYTES:
    case SETTING_TIME:
        memcpy(&whole[0], left, sizeof whole[0]);
        memcpy(&whole[1], right, sizeof whole[1]);
        return (whole[1] > whole[0]) - (whole[1] < whole[0]);
    case SETTING_REAL:
        memcpy(&real[0], left, sizeof real[0]);
        memcpy(&real[1], right, sizeof real[1]);
        return (real[1] > real[0]) - (real[1] < real[0]);
    case SETTING_CHOICE:
        memcpy(&choice[0], left, sizeof choice[0]);
        memcpy(&choice[1], right, sizeof choice[1]);
        return (choice[1] > choice[0]) - (choice[1] < choice[0]);
    case SETTING_BOOL:
        memcpy(&truth[0], left, sizeof truth[0]);
        memcpy(&truth[1], right, sizeof truth[1]);
        return truth[1] - truth[0];
    default:
        return 0;
    }
}

static bool has_effect(const struct setting *setting, const struct job *a, const struct job *b)
{
    bool concerns = setting_concerns(setting, a->work) || setting_concerns(setting, b->work);
    return concerns && !is_beside(setting) && (setting_matters(setting, a) || setting_matters(setting, b));
}

static struct difference difference_at(const struct job *a, const struct job *b, size_t i)
{
    const struct effect *effect = effect_of(&settings[i]);
    struct difference out = {&settings[i], PROVENANCE_STATED, PROVENANCE_STATED, 0, "its effect is not known"};
    if (effect) {
        out.push = effect->push * order_of(&settings[i], a, b);
        out.why = effect->why;
    }
    return out;
}

/* A target without a size is loaded whole, and how long it is is not told. */
static bool is_told(const struct side *side, size_t i)
{
    bool whole_target = strcmp(settings[i].name, "total_size") == 0 && side->job->total_size_bytes == 0;
    return side_provenance(side, i) != PROVENANCE_UNKNOWN && !whole_target;
}

static struct difference side_difference(const struct side *a, const struct side *b, size_t i)
{
    struct difference out = difference_at(a->job, b->job, i);
    out.a = is_told(a, i) ? side_provenance(a, i) : PROVENANCE_UNKNOWN;
    out.b = is_told(b, i) ? side_provenance(b, i) : PROVENANCE_UNKNOWN;
    return out;
}

static size_t rank_of(const struct difference *difference)
{
    const struct effect *effect = effect_of(difference->setting);
    return effect ? (size_t)(effect - effects) : COUNT_OF(effects);
}

/* Few rows: sorted by insertion, so that those of one rank keep the table's order. */
static void put_in_order(struct difference *out, size_t count, struct difference added)
{
    size_t at = count;
    for (; at > 0 && rank_of(&out[at - 1]) > rank_of(&added); at--)
        out[at] = out[at - 1];
    out[at] = added;
}

size_t job_differences(const struct job *a, const struct job *b, struct difference out[DIFFERENCES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < settings_count && count < DIFFERENCES_MAX; i++)
        if (has_effect(&settings[i], a, b) && !setting_equal(a, b, &settings[i]))
            put_in_order(out, count++, difference_at(a, b, i));
    return count;
}

/* auto is one of the others. */
static bool is_any_engine(const struct setting *setting, const struct side *a, const struct side *b)
{
    return strcmp(setting->name, "engine") == 0 &&
           (strcmp(a->job->engine, "auto") == 0 || strcmp(b->job->engine, "auto") == 0);
}

size_t differences_of(const struct side *a, const struct side *b, struct difference out[DIFFERENCES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < settings_count && count < DIFFERENCES_MAX; i++)
        if (is_told(a, i) && is_told(b, i) && has_effect(&settings[i], a->job, b->job) &&
            !setting_equal(a->job, b->job, &settings[i]) && !is_any_engine(&settings[i], a, b))
            put_in_order(out, count++, side_difference(a, b, i));
    return count;
}

size_t unknowns_of(const struct side *a, const struct side *b, struct difference out[DIFFERENCES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < settings_count && count < DIFFERENCES_MAX; i++)
        if ((!is_told(a, i) || !is_told(b, i)) && effect_of(&settings[i]) && has_effect(&settings[i], a->job, b->job))
            put_in_order(out, count++, side_difference(a, b, i));
    return count;
}
